// What the answers look like. Each function fills the panel; go(line, column, length) shows a
// place of the program as it was given.

import { h, bytes, plural } from './dom.js';
import { prose } from './highlight.js';
import { Code } from './code.js';

const place = (at, go) => at.line ? h('button', { type: 'button', className: 'place', onclick: () => go(at.line, at.column, at.length) }, 'line ' + at.line) : null;

/** A view of a text that is kept while its tab is open. */
function view(panel, label) {
  let host = panel.querySelector(':scope > .code');
  if (!host) {
    host = h('div');
    panel.append(host);
    host.view = new Code(host, { label, readOnly: true });
  }
  host.view.area.setAttribute('aria-label', label);
  return host.view;
}

// Keeps the view of the panel, and replaces everything else by what stands above it.
function above(panel, ...nodes) {
  for (const n of [...panel.children]) if (!n.classList.contains('code')) n.remove();
  panel.prepend(...nodes.filter(Boolean));
}

export function failure(panel, answer, go) {
  const first = answer.diagnostics?.[0];
  panel.replaceChildren(h('div', { className: 'verdict bad' }, h('b', {}, 'No answer: '), first ? first.message : answer.error, ' ', first && place(first, go)),
    answer.bug ? h('details', {}, h('summary', {}, 'This is a bug of freehold'), h('pre', {}, answer.bug)) : '');
}

/** The text of a stage with what changed. */
export function result(panel, stage, n, { whole, last, compare, start, onlyChanges, setOnly, use }) {
  const hunks = stage.hunks || [];
  const lines = stage.text.replace(/\n$/, '').split('\n');
  const out = [], numbers = [], marks = [];
  let next = 1;
  const context = 3;
  const keep = to => { // lines that are as before, up to a number
    const all = !onlyChanges || !n;
    for (; next < to; next++) {
      const near = all || hunks.some(x => next >= x.at - context && next < x.at + x.added + context);
      if (near) { out.push(lines[next - 1]); numbers.push(next); }
      else if (numbers[numbers.length - 1] !== '') { out.push('⋯'); numbers.push(''); marks.push({ line: out.length, kind: 'gap' }); }
    }
  };
  if (onlyChanges && n && lines.length > 3000) trimHunks(hunks);
  for (const hunk of hunks) {
    keep(hunk.at);
    for (const r of hunk.removed || []) { out.push(r); numbers.push('−'); marks.push({ line: out.length, kind: 'removed' }); }
    for (let i = 0; i < hunk.added; i++, next++) { out.push(lines[next - 1]); numbers.push(next); marks.push({ line: out.length, kind: 'added', sign: '+' }); }
  }
  keep(lines.length + 1);
  const bar = h('div', { className: 'bar' },
    n === 0 && h('span', {}, 'The program as you wrote it. ', start && h('button', { type: 'button', className: 'primary', onclick: start }, 'Run the recommended passes')),
    n > 0 && h('span', {}, last && n > 1 ? 'After all passes' : ['After ', h('b', {}, stage.title)], hunks.length ? [': ', h('ins', {}, 'green'), ' is new, ', h('del', {}, 'red'), ' is gone'] : ': no change'),
    n > 1 && h('label', { className: 'quiet' }, 'compared with ', h('select', { onchange: e => compare(e.target.value === 'program') },
      h('option', { value: 'program', selected: whole }, 'the program'), h('option', { value: 'before', selected: !whole }, 'the step before'))),
    h('span', { className: 'spring' }),
    n > 0 && hunks.length > 0 && h('label', {}, h('input', { type: 'checkbox', checked: onlyChanges, onchange: e => setOnly(e.target.checked) }), ' only what changed'),
    h('button', { type: 'button', onclick: e => { navigator.clipboard?.writeText(stage.text); e.target.textContent = 'Copied'; } }, 'Copy'),
    n > 0 && h('button', { type: 'button', onclick: use, title: 'Put this program on the left, without passes' }, 'Go on from here'));
  above(panel, bar);
  const v = view(panel, n === 0 ? 'The program' : `The program after ${stage.title}`);
  const text = out.join('\n');
  const other = v.text !== text;
  v.set(text, { numbers, marks });
  if (other) v.area.scrollTop = 0;
  return { view: v, numbers };
}

const trimHunks = hunks => { for (const x of hunks) if (x.removed?.length > 2000) x.removed.length = 2000; };

/** Why there are copies and allocations; choose(i) draws reason i into the program, of which the chosen one is drawn already. It returns what is to be drawn. */
export function explain(panel, x, go, { chosen, choose, start }) {
  const shown = x.reasons.filter(r => !r.removed), gone = x.reasons.filter(r => r.removed);
  const undecided = {
    tensors: ['Nothing is decided yet', ': here the program is still on tensors, and none of them is copied or allocated. ',
      start ? h('button', { type: 'button', className: 'primary', onclick: start }, 'Run the recommended passes') : 'Choose a pass after bufferization, or add one.'],
    functions: ['Nothing to explain', ': no function has a body.'],
  }[x.undecided];
  // Parts of arenas aren't allocated, but the arenas are.
  const made = x.parts ? x.allocations - x.parts + x.arenas : x.allocations;
  const inside = x.parts ? `, ${x.arenas} of them ${x.arenas > 1 ? 'arenas' : 'an arena'} for ${plural(x.parts, 'buffer', 'buffers')},` : '';
  const head = undecided ? h('div', { className: 'verdict mixed' }, h('b', {}, undecided[0]), ...undecided.slice(1)) : h('div', { className: 'verdict ' + (x.copies ? 'mixed' : 'good') },
    h('b', {}, `${plural(x.copies, 'copy', 'copies')} and ${plural(made, 'allocation', 'allocations')}`), inside,
    x.copies ? ' are left. Copies come first, as they are what can be avoided.' : made ? ' are left: nothing is copied.' : ': up to the chosen pass, nothing is copied or allocated.');
  const order = r => r.copy ? 0 : 1;
  const most = 200;
  const list = [...shown].sort((a, b) => order(a) - order(b));
  const at = Math.min(chosen, list.length - 1);
  const nodes = [head, ...list.slice(0, most).map((r, i) => reason(r, go, { pressed: i === at, choose: () => choose(i) }))];
  if (list.length > most) nodes.push(h('p', { className: 'quiet' }, `${list.length - most} more`));
  if (gone.length) {
    nodes.push(h('details', {}, h('summary', {}, `${plural(gone.length, 'place where', 'places where')} a later pass removed what bufferization made`), ...gone.slice(0, most).map(r => reason(r, go))));
  }
  panel.replaceChildren(...nodes);
  const others = list.filter((r, i) => i !== at && r.line).map(r => ({ line: r.line, column: r.column, length: r.length, kind: r.copy ? 'warning' : 'remark', note: r.headline }));
  return { steps: list.length ? stepsOf(list[at]) : [], others };
}

/** The places of a reason, in the order of the text. */
function stepsOf(r) {
  const notes = (r.notes || []).filter(n => n.line && n.line !== r.line).map(n => ({ ...n, kind: '' }));
  return (r.line ? [...notes, { ...r, text: r.headline, kind: r.copy ? 'bad' : '' }] : notes).sort((a, b) => a.line - b.line);
}

function reason(r, go, drawn) {
  return h('article', { className: 'reason' + (r.copy ? ' copy' : '') + (drawn?.pressed ? ' drawn-in' : '') },
    h('h3', {}, drawn ? h('button', { type: 'button', className: 'link', 'aria-pressed': String(drawn.pressed), title: 'Draw it into the program', onclick: drawn.choose }, r.headline) : r.headline, ' ', place(r, go), ' ', r.name ? h('code', {}, r.name) : ''),
    prose(h('p', {}), r.title),
    r.notes?.length && h('ul', {}, ...r.notes.map(n => h('li', {}, place(n, go), ' ', prose(h('span', {}), n.text)))),
    ...(r.advice || []).map((a, i) => h('p', { className: 'advice' }, h('b', {}, i ? 'or: ' : 'to avoid it: '), a.name ? [a.kind, ' ', h('code', {}, a.name), ': '] : '', prose(h('span', {}), a.text))));
}

/** The verdict; the path of the chosen finding is drawn in the text of the stage. */
export function check(panel, v, stage, n, { chosen, choose, start }) {
  const words = {
    safe: ['good', 'Safe', `: in ${plural(v.functions, 'function', 'functions')}, on every path, every allocation is freed exactly once and not used afterwards.`],
    'nothing to prove': ['mixed', 'Nothing to prove', ': no function has a body.'],
    unsafe: ['bad', plural(v.findings.length, 'thing is wrong', 'things are wrong'), ' with its memory. A path on which it happens is drawn below.'],
    'not judged': ['mixed', 'Not judged', ': the proof ends at something that it doesn\u2019t know.'],
  }[v.verdict];
  const nodes = [h('div', { className: 'verdict ' + words[0] }, h('b', {}, words[1]), words[2])];
  if (start && v.verdict === 'not judged') {
    nodes[0].replaceChildren(h('b', {}, 'Nothing to check yet'), ': the program is on tensors, which have no memory of their own. ',
      h('button', { type: 'button', className: 'primary', onclick: start }, 'Run the recommended passes'));
  }
  const f = v.findings[chosen];
  const steps = f ? (f.notes || []).map(x => ({ ...x, text: x.message, kind: '' })) : [];
  if (f && !steps.some(s => s.line === f.line)) steps.push({ ...f, text: f.message });
  if (steps.length) steps[steps.length - 1].kind = 'bad';
  if (v.findings.length) {
    nodes.push(h('ul', { className: 'findings' }, ...v.findings.slice(0, 50).map((x, i) => h('li', {},
      h('button', { type: 'button', 'aria-pressed': String(i === chosen), onclick: () => choose(i) }, h('b', {}, x.kind), ' in ', h('code', {}, '@' + x.function), ': ' + (x.message.startsWith(x.kind + ': ') ? x.message.slice(x.kind.length + 2) : x.message))))));
    nodes.push(h('ol', { className: 'steps' }, ...steps.map(s => h('li', { className: s.kind },
      s.line ? h('button', { type: 'button', className: 'place', onclick: () => shown.reveal(s.line, s.column, s.length, true) }, 'line ' + s.line) : '', ' ', prose(h('span', {}), s.text)))));
  }
  for (const u of v.unjudged.slice(0, 20)) nodes.push(h('p', {}, u.line ? `line ${u.line}: ` : '', u.message));
  above(panel, ...nodes);
  const shown = view(panel, n === 0 ? 'The program with the path' : `The program after ${stage.title}, with the path`);
  shown.set(stage.text.replace(/\n$/, ''));
  if (steps.length) {
    shown.showPath(steps);
    const first = steps.find(s => s.line);
    if (first) requestAnimationFrame(() => shown.reveal(first.line));
  } else {
    shown.mark([]);
  }
  return n === 0 ? steps : [];
}

const measures = [
  ['allocations', 'allocations', String], ['frees', 'frees', String], ['copies', 'copies', String],
  ['bytesCopied', 'bytes copied', bytes], ['peakBytes', 'most memory at a time', bytes], ['steps', 'operations executed', n => n.toLocaleString('en')],
];

export function run(panel, x, controls, stage, tensors) {
  const nodes = [controls];
  const { before, after } = x;
  if (after.error) {
    nodes.push(h('div', { className: 'verdict bad' }, h('b', {}, 'It could not be executed: '), after.error));
  } else if (before && !before.error) {
    nodes.push(x.same
      ? h('div', { className: 'verdict good' }, h('b', {}, 'Same results'), ', bit for bit, before and after the passes.')
      : h('div', { className: 'verdict bad' }, h('b', {}, x.difference ? 'Other results' : 'Stopped'), x.difference ? ': ' + x.difference : ' before its end, see below.'));
  }
  for (const [name, r] of [['The program', before], [before ? `After ${stage.title}` : '', after]]) {
    for (const f of r?.findings || []) {
      nodes.push(h('div', { className: 'verdict bad' }, h('b', {}, f.kind), name ? ` (${name.toLowerCase()}` : ' (', f.line ? `${name ? ', ' : ''}line ${f.line}): ` : '): ', f.message,
        f.notes?.length ? h('ul', {}, ...f.notes.map(n => h('li', {}, n.line ? `line ${n.line}: ` : '', n.message))) : ''));
    }
  }
  if (before?.error) nodes.push(h('p', { className: 'quiet' }, 'Before the passes it could not be executed: ' + before.error));
  if (!after.error) {
    const both = before && !before.error;
    nodes.push(h('table', {},
      h('thead', {}, h('tr', {}, h('th', {}, h('code', {}, '@' + x.function)), both && h('th', { className: 'n' }, 'the program'), h('th', { className: 'n' }, both ? 'after ' + stage.title : 'value'))),
      h('tbody', {}, ...measures.map(([key, name, show]) => h('tr', {}, h('th', {}, name), both && h('td', { className: 'n' }, tensors && key !== 'steps' ? '–' : show(before[key])), h('td', { className: 'n' }, show(after[key])))))));
    if (both && tensors) nodes.push(h('p', { className: 'quiet' }, 'Tensors have no memory of their own: before the passes there is nothing to count.'));
    if (after.output) nodes.push(h('h3', {}, 'Printed'), h('pre', { tabIndex: 0 }, after.output));
    for (const r of after.results || []) nodes.push(h('h3', {}, `Result ${r.index}`, ' ', h('code', {}, r.type)), h('pre', { tabIndex: 0 }, r.text));
    for (const r of after.arguments || []) nodes.push(h('h3', {}, `Argument ${r.index} afterwards`, ' ', h('code', {}, r.type)), h('pre', { tabIndex: 0 }, r.text));
  }
  panel.replaceChildren(...nodes);
}

/** How much memory each function needs at most, and what is alive then. It returns what is to be marked in the program. */
export function peak(panel, x, stage, n, go) {
  if (!x.functions.length) {
    panel.replaceChildren(h('div', { className: 'verdict mixed' }, h('b', {}, 'Nothing to measure'), ': no function has a body.'));
    return [];
  }
  const most = 100;
  panel.replaceChildren(...x.functions.slice(0, most).flatMap(f => [
    h('div', { className: 'verdict plain' }, h('code', {}, '@' + f.function), ' needs ', h('b', {}, f.size), ' at most',
      f.more ? ', and more for what calls itself or isn\u2019t known' : '', f.op ? [', at ', h('code', {}, f.op), ' ', place(f, go)] : '',
      n && f.before ? `. As written, with a buffer for each tensor, it would need ${f.before}.` : '.',
      h('div', { className: 'quiet' }, `Arguments: ${f.arguments}. Constants: ${f.constants}.`)),
    f.alive.length > 0 && h('div', { className: 'wide', tabIndex: 0 }, h('table', {},
      h('thead', {}, h('tr', {}, h('th', { className: 'n' }, 'alive then'), h('th', {}, 'what'), h('th', {}, 'type'), h('th', {}, 'where'))),
      h('tbody', {}, ...f.alive.map(a => h('tr', {}, h('td', { className: 'n' }, a.size), h('td', {}, a.name ? [h('code', {}, a.name), ' '] : '', a.what, a.leaked ? ', never freed' : ''), h('td', {}, h('code', {}, a.type || '')), h('td', {}, place(a, go))))))),
    f.rest > 0 && h('p', { className: 'quiet' }, `${f.rest} more`),
  ].filter(Boolean)), x.functions.length > most ? h('p', { className: 'quiet' }, `${x.functions.length - most} more functions`) : '');
  return x.functions.slice(0, most).flatMap(peakMarks);
}

/** Marks what is alive when a function needs most, one mark a line, and where that is. */
function peakMarks(f) {
  const lines = new Map();
  for (const a of f.alive) if (a.line) lines.set(a.line, [...(lines.get(a.line) || []), a]);
  const marks = [...lines].map(([line, all]) => ({ line, kind: 'step', column: all[0].column, note: all.length > 1 ? `${all.length} alive at the peak, ${all[0].size} and less` : `${all[0].size} alive at the peak` }));
  if (f.line) marks.push({ line: f.line, kind: 'step bad', column: f.column, note: `the peak: ${f.size}` });
  return marks;
}

const pipelines = {
  'the program': 'as written, with a buffer for each tensor that an operation computes (tensor.empty computes none)',
  ownership: 'what freehold compile does; where only the run tells who owns a buffer, the program keeps track',
  hlo: 'the way of MLIR-HLO: alloc, retain, dealloc',
  clone: 'the older way: where two could free one buffer, one of them gets a copy',
  mlir: 'what MLIR\u2019s own passes make of it',
};

/** What each pipeline of the command compile makes of the program. */
export function compare(panel, x) {
  const cell = v => h('td', { className: 'n' }, v);
  panel.replaceChildren(h('p', {}, 'Your program, compiled in each way that ', h('code', {}, 'freehold compile'), ' knows. The passes above have no part in it.'),
    h('div', { className: 'wide', tabIndex: 0 }, h('table', {},
      h('thead', {}, h('tr', {}, h('th', {}, 'way'), ...['peak', 'of that in an arena', 'allocations', 'copies', 'copied', 'frees under a condition'].map(t => h('th', { className: 'n' }, t)))),
      h('tbody', {}, ...x.pipelines.map((r, i) => h('tr', {}, h('th', {}, r.name, h('div', { className: 'quiet' }, pipelines[r.name] || '')),
        ...(r.error ? [h('td', { colSpan: 6 }, 'doesn\u2019t take it: ' + r.error)] : [cell(r.peak), cell(i ? r.arena || 'none' : '\u2013'), cell(r.allocations), cell(r.copies), cell(r.copied), cell(r.conditional)])))))));
}

export function report(panel, page, dark) {
  // The page follows the theme that is chosen here.
  const html = page.html.replace('<html lang="en">', `<html lang="en" style="color-scheme: ${dark ? 'dark' : 'light'}">`);
  const old = panel.querySelector('iframe');
  const frame = h('iframe', { title: 'The memory of the program over time', srcdoc: html });
  frame.setAttribute('sandbox', 'allow-scripts');
  // A frame that is replaced meanwhile is never there.
  const drawn = new Promise(resolve => { frame.addEventListener('load', resolve, { once: true }); setTimeout(resolve, 3000); });
  if (old) old.replaceWith(frame); else panel.replaceChildren(frame);
  return drawn;
}
