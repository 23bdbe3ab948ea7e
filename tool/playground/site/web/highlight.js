// The colours of MLIR: takes a line apart into words of a kind.

const kinds = ['comment', 'string', 'value', 'symbol', 'block', 'attribute', 'alias', 'operation', 'type', 'number', 'keyword'];
const words = new RegExp([
  /(\/\/.*$)/,
  /("(?:[^"\\]|\\.)*"?)/,
  /(%[\w$.-]+(?:#\d+)?)/,
  /(@[\w$.-]+)/,
  /(\^[\w$.-]+)/,
  /(#[\w$.-]+)/,
  /(![\w$.-]+)/,
  /(\b[a-z_][\w]*\.[\w.$]+)/,
  /(\b(?:tensor|memref|vector|complex|tuple|index|none|bf16|tf32|f\d+\w*|[su]?i\d+)\b|(?<=[<x])(?:\d+|\?)(?=x)|(?<=\dx|\?x)(?:bf16|tf32|f\d+\w*|[su]?i\d+|index))/,
  /(\b0x[\da-fA-F]+|-?\b\d+(?:\.\d*)?(?:[eE][+-]?\d+)?\b)/,
  /(\b(?:module|return|ins|outs|iter_args|to|step|else|do|attributes|private|public|true|false|dense|affine_map|affine_set|array|strided|offset|loc|into|init|shared_outs|in|unit)\b)/,
].map(r => r.source).join('|'), 'g');

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
