// Making elements.

/** Makes an element: properties, then children (nodes or text). */
export function h(tag, props = {}, ...children) {
  const node = document.createElement(tag);
  for (const [key, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith('on')) node.addEventListener(key.slice(2), value);
    else if (key in node && key !== 'list' && key !== 'role') node[key] = value;
    else node.setAttribute(key, value === true ? '' : value);
  }
  node.append(...children.flat().filter(c => c !== null && c !== undefined && c !== false));
  return node;
}

export const el = id => document.getElementById(id);

/** A number of bytes as people write it. */
export function bytes(n) {
  const units = ['B', 'KiB', 'MiB', 'GiB'];
  let u = 0;
  while (n >= 1024 && u < 3) { n /= 1024; u++; }
  return (u ? n.toFixed(1) : n) + ' ' + units[u];
}

export const plural = (n, one, many) => `${n.toLocaleString('en')} ${n === 1 ? one : many}`;
