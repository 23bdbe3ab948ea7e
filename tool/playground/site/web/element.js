// An element of a pipeline as text, name{option=value option=value}, and its options.

/** Returns the name at the start of an element. */
export const headOf = text => text.trim().match(/^[^\s{(]*/)[0];

/** Whether an element is a pass with options, and not passes that are nested in something. */
export const isPass = text => !text.trim().slice(headOf(text).length).trim().startsWith('(');

// Splits at a separator that isn't in braces, parentheses or quotes.
function split(text, separator) {
  const out = [''];
  let depth = 0, quote = '';
  for (const c of text) {
    if (quote) { if (c === quote) quote = ''; }
    else if (c === '"' || c === "'") quote = c;
    else if ('{([<'.includes(c)) depth++;
    else if ('})]>'.includes(c)) depth--;
    if (!depth && !quote && separator.test(c)) out.push(''); else out[out.length - 1] += c;
  }
  return out.map(s => s.trim()).filter(Boolean);
}

/** Returns the options of an element: a map of names to values; true for one without a value. */
export function optionsOf(text) {
  const inner = text.trim().slice(headOf(text).length).trim().replace(/^\{/, '').replace(/\}$/, '');
  const out = new Map();
  for (const part of split(inner, /\s/)) {
    const i = part.indexOf('=');
    if (i < 0) out.set(part, true); else out.set(part.slice(0, i), part.slice(i + 1));
  }
  return out;
}

/** Returns the element of a name and options. */
export function elementOf(name, options) {
  const parts = [...options].map(([k, v]) => v === true ? k : `${k}=${v}`);
  return parts.length ? `${name}{${parts.join(' ')}}` : name;
}

/** Returns the text of a pipeline. */
export const pipelineOf = passes => `builtin.module(${passes.join(',')})`;

// Flags whose value is the next word, and plays no part here.
const withValue = new Set(['--op', '--entry', '--seed', '--limit', '--size', '--certificate']);

/** Returns the flags of opt that a pipeline in another command stands for. */
const pipelineFlags = text => /^\s*-/.test(text) ? text.trim().split(/\s+/).map(f => f.replace(/^--?/, '')) : ['pass-pipeline=' + text];

/**
 * Returns what a command of freehold means here, or null: {file, out, passes, tab, arguments}.
 * file is the program, out the one that it writes, if it says so; passes are the text of a
 * pipeline, 'recommended' for those of compile. known tells which names are passes.
 */
export function command(line, known) {
  const words = [...line.trim().replace(/^\$\s*/, '').matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g)].map(m => m[0].replace(/'([^']*)'|"([^"]*)"/g, '$1$2'));
  const start = words.findIndex(w => /(^|\/)(freehold|mlir-opt)$/.test(w));
  if (start < 0) return null;
  const direct = words[start].endsWith('mlir-opt');
  const verb = direct ? 'opt' : words[start + 1];
  const rest = words.slice(start + (direct ? 1 : 2));
  const end = rest.findIndex(w => /^[|>;]/.test(w));
  const given = end < 0 ? rest : rest.slice(0, end);
  const flags = [], other = [];
  let out = null;
  for (let i = 0; i < given.length; i++) {
    if (given[i] === '-o') out = given[++i];
    else if (given[i] === '--pipeline') flags.push(...pipelineFlags(given[++i] || ''));
    else if (withValue.has(given[i])) i++;
    else if (/^--?[a-z]/.test(given[i])) flags.push(given[i].replace(/^--?/, ''));
    else other.push(given[i]);
  }
  if (flags.some(f => f.startsWith('max-memory'))) return null; // compile tries several pipelines then, which the page doesn't
  const whole = flags.find(f => f.startsWith('pass-pipeline='));
  const listed = flags.filter(f => known(f.split('=')[0])).map(f => {
    const i = f.indexOf('=');
    return i < 0 ? f : `${f.slice(0, i)}{${f.slice(i + 1)}}`;
  });
  const passes = whole ? whole.slice('pass-pipeline='.length) : listed.join(',');
  const does = { opt: ['', 'result'], compile: ['recommended', flags.includes('run') ? 'run' : 'result'], explain: ['recommended', 'explain'], report: ['recommended', 'report'], peak: ['', 'peak'], compare: ['', 'compare'], check: ['', 'check'], run: ['', 'run'], difftest: ['', 'run'] }[verb];
  return does ? { file: other[0]?.replace(/:\d+$/, ''), out, passes: passes || does[0], tab: does[1], arguments: other.slice(1) } : null;
}
