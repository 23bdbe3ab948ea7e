// The colours of MLIR, by the grammar that the editors have: takes a line apart into words of a kind.

import grammar from './grammar.js';

const kinds = grammar.patterns.map(p => p.include.slice(1));
const words = new RegExp(kinds.map(k => '(' + grammar.repository[k].match + ')').join('|'), 'g');

/** Appends a line to a node as spans of classes "t-kind". */
export function highlight(node, line) {
  let at = 0;
  for (const m of line.matchAll(words)) {
    if (m.index > at) node.append(line.slice(at, m.index));
    const span = document.createElement('span');
    span.className = 't-' + kinds[m.slice(1).findIndex(g => g !== undefined)];
    span.textContent = m[0];
    node.append(span);
    at = m.index + m[0].length;
  }
  if (at < line.length) node.append(line.slice(at));
}

/** Appends text in which parts between backquotes are code. */
export function prose(node, text) {
  text.split('`').forEach((part, i) => {
    if (i % 2 === 0) return node.append(part);
    const code = document.createElement('code');
    code.textContent = part;
    node.append(code);
  });
  return node;
}
