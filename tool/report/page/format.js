// ---- Words and elements.

// node makes an element; children that are strings become text, never markup.
const node = (tag, attrs, ...children) => {
  const n = document.createElement(tag);
  for (const [k, v] of Object.entries(attrs || {})) if (v !== undefined && v !== false && v !== null) n.setAttribute(k, v === true ? '' : v);
  n.append(...children.filter((c) => c !== null && c !== undefined && c !== false && c !== ''));
  return n;
};
const bytes = (n) => {
  const units = ['KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'];
  if (n < 1024) return Math.round(n) + ' B';
  let u = -1;
  do { n /= 1024; u++; } while (n >= 1023.95 && u < units.length - 1);
  // What lies between two numbers of one digit goes to the even one, as it does where the answer is written.
  const tenths = Math.floor(n * 10), rest = n * 10 - tenths;
  return ((rest > .5 || rest === .5 && tenths % 2 === 1 ? tenths + 1 : tenths) / 10).toFixed(1) + ' ' + units[u];
};
const count = (n) => Math.round(n).toLocaleString('en');
const counted = (n, one, many) => count(n) + ' ' + (n === 1 ? one : many);
const formula = (size, f) => {
  if (isKnown(size)) return bytes(size);
  const terms = size.slice(1).map(([n, ...s]) => [...(n === 1 ? [] : [n]), ...s.map((i) => f.symbols[i])].join('*'));
  return [...terms, ...(size[0] ? [bytes(size[0])] : [])].join(' + ') + (size[0] ? '' : ' B');
};
// amount is a size as a number, and as a formula if it is one.
const amount = (size, f) => isKnown(size) ? bytes(size) : formula(size, f) + ' (' + bytes(measure(size, f)) + ')';
const place = (p) => p ? unitOf(p) + ' ' + lineOf(p) : '';
// heldAt is the place of what is in a buffer at a step.
const heldAt = (r, step) => {
  let p = r.p;
  for (const [s, at] of r.holds) if (s <= step) p = at;
  return p;
};
// inRow is the name of what is in a row at a step, and the operation that makes it; without a step, of what it is for.
const inRow = (r, step) => {
  const p = step === undefined ? r.p : heldAt(r, step), [, , , name, op] = page.places[p];
  return p !== r.p && name ? [text(name), text(op) || text(r.op)] : [text(r.name), text(r.op)];
};
const whatIs = (r, step) => {
  const [name, op] = inRow(r, step);
  if (r.c) return op;
  if (r.k === 'constant') return name ? name + ', a constant' : 'a constant';
  return name ? (name.startsWith('copy') || op === 'argument' ? name : name + (r.filled && op === text(r.op) ? ', written by ' : ' = ') + op) : op;
};
const described = (r, step) => {
  const [name, op] = inRow(r, step);
  if (r.c || !name) return op;
  return name.startsWith('copy') ? 'a ' + name : name + (r.filled && op === text(r.op) ? ', written by ' : ', the result of ') + op;
};
// lineIn is the line that a search such as "line 66" or ":66" is about; 0 if it is about none.
const lineIn = (query) => Number((/^(?:line |operator |:)(\d+)$/.exec(query) || [])[1] || 0);
const matches = (r, query) => {
  const line = lineIn(query);
  if (line) return r.p > 0 && lineOf(r.p) === line || r.holds.some(([, p]) => lineOf(p) === line);
  return query === '' || (whatIs(r) + ' ' + text(r.type) + ' ' + (r.p ? lineOf(r.p) + ' ' + sourceOf(r.p) : '') + ' ' + r.holds.map(([, p]) => sourceOf(p)).join(' ')).toLowerCase().includes(query);
};

// ---- Theme and colours.

const dark = window.matchMedia('(prefers-color-scheme: dark)');
let theme = document.documentElement.style.colorScheme || null; // where the page is a part of another one
const isDark = () => theme ? theme === 'dark' : dark.matches;
// A canvas doesn't know the variables of the style sheet.
const colors = () => isDark() ? { ink: '#e6e9ec', soft: '#a3adb7', mark: '#ff8a80', line: '#343b43', panel: '#1c2126', band: '#ffffff0a', bar: '#3b6a94', reserved: '#26394a', rest: '#4a525a', off: '#272d33' }
  : { ink: '#1b1f23', soft: '#56606a', mark: '#b3261e', line: '#d6dbe0', panel: '#f5f7f9', band: '#0000000a', bar: '#7fa9cf', reserved: '#d3e1ee', rest: '#c3cad1', off: '#e8ebee' };

// What is alike has the same colour in all views: the groups that take most memory for longest have one of their own, those of the last view first;
// the others have one for all.
const hues = [210, 14, 135, 48, 285, 180, 330, 90, 240, 30];
const groups = new Map();
page.views.forEach((v, i) => {
  for (const f of v.functions) for (const r of f.rows) {
    if (r.unfolded) continue;
    const g = groups.get(r.group) || { group: r.group, view: 0, area: 0, most: 0, hue: null }, area = r.x.reduce((s, [a, b]) => s + r.s * (b - a), 0) / Math.max(1, f.steps.length);
    if (i > g.view) { g.view = i; g.area = 0; g.most = 0; }
    g.area += area; g.most = Math.max(g.most, r.s);
    groups.set(r.group, g);
  }
});
[...groups.values()].sort((a, b) => b.view - a.view || b.area + b.most / 9 - a.area - a.most / 9).slice(0, hues.length).forEach((g, i) => { g.hue = hues[i]; });
const colorOf = (group) => {
  const hue = groups.get(group)?.hue ?? null;
  if (hue === null) return colors().rest;
  return isDark() ? `hsl(${hue} 42% 36%)` : `hsl(${hue} 62% 74%)`;
};
