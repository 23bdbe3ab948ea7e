// ---- The sections of the page.

const names = [...new Set(page.views.toReversed().flatMap((v) => v.functions.map((f) => f.name)))];
// state is what is shown: a function in a view, a step of it, and a row that was chosen.
const state = { name: names[0], f: null, step: 0, chosen: null, query: '', group: null };
const shownViews = () => page.views.map((v) => v.functions.find((f) => f.name === state.name)).filter(Boolean);

const tipBox = node('div', { id: 'tip', hidden: '' });
document.body.append(tipBox);
function tip(children, e) {
  tipBox.hidden = !children;
  if (!children) return;
  tipBox.replaceChildren(...children);
  tipBox.style.left = Math.min(e.clientX + 14, window.innerWidth - tipBox.offsetWidth - 8) + 'px';
  tipBox.style.top = Math.min(e.clientY + 14, window.innerHeight - tipBox.offsetHeight - 8) + 'px';
}

const percent = (part, whole) => whole <= 0 ? '' : part > 0 && 100 * part < whole ? 'below 1 %' : Math.round(100 * part / whole) + ' %';
const ratioText = (before, after) => {
  if (before === after) return 'the same';
  if (before < after) return Math.max(1, Math.round(100 * (after - before) / after)) + ' % less';
  return after > 0 && before / after >= 2 ? times(before / after) + ' times as much' : Math.max(1, Math.round(100 * (before - after) / Math.max(1, after))) + ' % more';
};
// times is a factor, with one digit after the point where that matters.
const times = (x) => x < 9.95 ? String(Math.floor(10 * x + .5) / 10) : count(Math.floor(x + .5));
const sentence = (s) => /\.\w+$/.test(s) ? s : s[0].toUpperCase() + s.slice(1);

// before says how much a function needs in the view before.
const before = (all, f) => {
  const b = all.length > 1 ? all.at(-2) : null;
  return b && b.steps.length ? [' ' + sentence(b.view.label) + ': ', node('b', {}, bytes(b.peak.bytes)), (f.rows.length ? ', ' + ratioText(b.peak.bytes, f.peak.bytes) : '') + '.'] : [];
};

// boundText says how far a compiled function is from what its order of operations needs in any case.
function boundText(f) {
  if (!f.rows.length || f.tensors || f.dynamic || !f.curve.length) return '';
  const bound = f.inUse[highest(f.inUse, 0, f.inUse.length)], over = f.peak.bytes - bound;
  return over <= .5 ? 'The whole peak is in use: in this order of operations, no placement needs less. '
    : `At most ${bytes(bound)} are in use at a time, which no placement goes below in this order of operations: the peak is ${bytes(over)} (${percent(over, bound)}) above that. `;
}

// answer says in a sentence what the page is about.
function answer() {
  const all = shownViews(), f = all.at(-1);
  if (!f) return;
  if (!f.rows.length) {
    el('answer').replaceChildren(node('b', {}, '@' + f.name), ' allocates nothing: no buffer and no tensor of its own is ever alive.', ...before(all, f));
  } else {
    const top = aliveIn(f, f.peakStep).sort((a, b) => b.s - a.s)[0], [, at] = f.steps[f.peakStep] || [0, 0];
    // Where it depends on sizes which peak is the largest, all are named, the one that is drawn first.
    const sizes = [f.peak.size, ...f.peaks.map((p) => p.size).filter((s) => s !== f.peak.size)];
    const known = sizes.every(isKnown), parts = [node('b', {}, 'Peak ' + sizes.map((s) => formula(s, f)).join(' or '))];
    if (!known) parts.push(', which is ', node('b', {}, bytes(f.peak.bytes)), ' here,');
    if (at) parts.push(' at ' + place(at));
    if (top) parts.push(': ', node('b', {}, percent(Math.min(top.s, f.peak.bytes), f.peak.bytes)), ' is ' + described(top, f.peakStep));
    parts.push('.');
    parts.push(...before(all, f));
    el('answer').replaceChildren(...parts);
  }
  const written = f.always.filter((r) => r.written && r.k === 'argument'), also = [];
  const what = [];
  if (f.arenas) what.push(counted(f.allocations, 'allocation', 'allocations') + ', ' + (f.arenas === 1 ? 'one of which is an arena of ' : f.arenas + ' of which are arenas of ') + arenasOf(f) + ' for ' + counted(f.parts, 'buffer', 'buffers'));
  else what.push(f.tensors ? counted(f.allocations + f.tensors, 'buffer or tensor', 'buffers and tensors') : counted(f.allocations, 'allocation', 'allocations'));
  what.push(f.copies ? counted(f.copies, 'copy', 'copies') + ' of ' + amount(f.copied, f) : 'no copies');
  also.push(what.join(', ') + '. Not in the peak: arguments ' + amount(f.arguments, f) + ', constants ' + amount(f.constants, f) + '. ');
  if (written.length) also.push(node('b', {}, 'Overwritten: '), (written.length === 1 ? 'argument ' : 'arguments ') + written.slice(0, 5).map((r) => text(r.name)).join(', ') + (written.length > 5 ? ' and ' + (written.length - 5) + ' more' : '') + '; what the caller had there is lost. ');
  else if (f.always.some((r) => r.k === 'argument' && text(r.type).startsWith('memref'))) also.push('No argument is overwritten. ');
  if (f.repeat) also.push(`${sentence(unitOf(f.steps.find((s) => s[1])?.[1] || 0))}s ${f.repeat.from} to ${f.repeat.to} are the first of ${f.repeat.starts.length - 1} layers that are alike, of ${f.repeat.operations} operations each. `);
  also.push(boundText(f));
  if (f.more) also.push(' It calls what calls itself or is defined elsewhere, which needs more.');
  el('also').replaceChildren(...also);
}

// symbols shows a field for each size that isn't known.
function symbolFields() {
  const all = [...new Set(shownViews().flatMap((f) => f.symbols))];
  el('symbols').hidden = all.length === 0;
  if (!all.length) return;
  el('symbols').replaceChildren('Drawn for', ...all.map((s) => {
    const input = node('input', { type: 'number', min: 0, value: valueOf(s), 'aria-label': s });
    input.addEventListener('input', () => {
      const n = Number(input.value);
      if (input.value === '' || !(n >= 0) || !Number.isFinite(n)) return;
      values.set(s, Math.floor(n));
      shownViews().forEach(prepare);
      state.step = state.f.peakStep; state.chosen = null;
      answer(); bars(); drawAll(); tables();
    });
    return node('label', {}, s + ' = ', input);
  }));
}

// waysOf lists what was tried to compile the program of a function for a limit, if it is the function that needs most.
const waysOf = (f) => f === f.view.functions[0] ? (f.view.trials || []).filter((t) => t.limit && t.bytes >= 0).sort((a, b) => b.bytes - a.bytes) : [];

// bars compares the peaks on one scale.
function bars() {
  const all = shownViews(), most = Math.max(1, ...all.map((f) => f.peak.bytes));
  el('compare-title').textContent = all.length > 1 ? 'Peaks, on one scale' : 'Peak';
  el('bars').replaceChildren(...all.map((f) => node('div', { class: 'bar' }, node('span', { title: f.view.label }, f.view.label),
    node('div', { class: 'track' }, node('div', { class: 'fill', style: `width:${100 * f.peak.bytes / most}%` })), node('b', {}, bytes(f.peak.bytes)))));
  const f = all.at(-1), best = [];
  if (!f) return;
  for (const t of waysOf(f)) el('bars').append(node('div', { class: 'bar tried' }, node('span', {}, 'tried: ' + (text(t.flags).includes('extra-work 0') ? 'tiles' : 'extra work')),
    node('div', { class: 'track' }, node('div', { class: 'fill', style: `width:${100 * t.bytes / most}%` })), node('b', {}, text(t.peak))));
  if (all.length > 1 && all[0].tensors) el('bars').append(node('div', { class: 'more' }, all[0].view.label + ': each tensor in memory of its own, from its operation to its last use'));
  // The highest moments: those that no other one nearby is above.
  for (let i = 0; i < f.curve.length; i++) if ((i === 0 || f.curve[i] > f.curve[i - 1]) && (i + 1 === f.curve.length || f.curve[i] >= f.curve[i + 1])) best.push(i);
  best.sort((a, b) => f.curve[b] - f.curve[a]);
  el('curves-table').querySelector('table').replaceChildren(node('thead', {}, node('tr', {}, ...['alive', 'where', 'operation', 'largest'].map((h) => node('th', {}, h)))),
    node('tbody', {}, ...best.slice(0, 8).map((i) => node('tr', {}, node('td', { class: 'n' }, bytes(f.curve[i])), node('td', {}, place(f.steps[i][1])), node('td', {}, text(f.steps[i][0])),
      node('td', {}, whatIs(aliveIn(f, i).sort((a, b) => b.s - a.s)[0] || f.rows[0], i))))));
}

// until says up to which line what is alive now stays alive, if that is a later one than its own.
const until = (r, p) => {
  const span = r.x.find(([a, b]) => a <= state.step && state.step < b), last = span && state.f.steps[span[1] - 1]?.[1];
  return last && fileOf(last) === fileOf(p) && lineOf(last) > lineOf(p) ? ' until ' + lineOf(last) : '';
};

// item shows a row of a list: its size, with its share as a bar, what it is, its source, and what would help.
const item = (whole) => (r, at) => {
  const cause = r.cause ? state.f.view.causes?.[r.cause - 1] : null, p = whole() ? heldAt(r, state.step) : r.p;
  const note = [r.space ? ' in ' + text(r.space) : '', r.leaked ? ', never freed' : '', r.arena ? ', part of an arena' : '', r.written ? ', overwritten: what the caller had there is lost' : ''].join('');
  const advice = cause && cause.advice.length ? '→ ' + text(cause.advice[0]) : '';
  const total = whole();
  return node('div', { ...at, class: 'item' + (state.query && matches(r, state.query) ? ' hit' : ''), 'aria-current': r === state.chosen ? 'true' : undefined, title: advice || undefined },
    node('div', {}, node('div', { class: 'size' }, bytes(r.s)), total ? node('div', { class: 'share', style: `width:${Math.max(1, 100 * Math.min(1, r.s / total))}%;background:${colorOf(r.group)}` }) : ''),
    node('div', {}, node('div', { class: 'what' }, (total ? percent(r.s, total) + ' · ' : '') + whatIs(r, total ? state.step : undefined) + note + (isKnown(r.size) ? '' : ' · ' + formula(r.size, state.f))),
      node('div', { class: 'what src' }, p ? lineOf(p) + (total ? until(r, p) : '') + ': ' + sourceOf(p) : text(r.type)),
      node('div', { class: advice ? 'why advice' : 'why' }, advice || (cause ? text(cause.title) : ''))));
};
const chooseRow = (r) => { if (r.x.length) choose(state.f, r.x.some(([a, b]) => a <= state.step && state.step < b) ? state.step : r.x[0][0], r); };
// heightOf is how high a row of a list is: it has a third line if there is a reason for it.
const heightOf = (r) => r.cause ? 66 : 48;
const lists = {
  alive: new List(el('alive'), { most: 380, height: heightOf, least: 6, item: item(() => Math.max(state.f.curve[state.step] || 0, 1)), choose: chooseRow }),
  largest: new List(el('largest'), { most: 400, height: heightOf, least: 4, item: item(() => 0), choose: chooseRow }),
  always: new List(el('always'), { most: 240, height: heightOf, least: 4, item: item(() => 0) }),
};

function alive() {
  const f = state.f, rows = aliveIn(f, state.step).sort((a, b) => b.s - a.s), [op, at] = f.steps[state.step] || [0, 0], isPeak = state.step === f.peakStep;
  const sum = rows.reduce((s, r) => s + r.s, 0), held = f.curve[state.step] || 0;
  el('alive-title').textContent = f.rows.length ? (isPeak ? 'Alive at the peak' : 'Alive') + ': ' + bytes(held) + ' at ' + (text(op) || 'the start') + (at ? ', ' + place(at) : '') +
    (held > sum + .5 ? ' (' + bytes(held - sum) + ' of arenas is free here)' : '') + (isPeak && held > f.peak.bytes + .5 ? ' (of which only ' + bytes(f.peak.bytes) + ' can be there at a time)' : '') : 'Nothing is alive';
  lists.alive.show(rows, f.rows.length ? 'nothing is alive here' : 'this function allocates nothing');
}

// arenasOf is how large the arenas of a function are together: what has to be reserved for them.
function arenasOf(f) {
  const arenas = f.rows.filter((r) => r.unfolded);
  return arenas.length === 1 ? amount(arenas[0].size, f) : bytes(arenas.reduce((n, r) => n + r.s, 0)) + ' in all';
}

// tables shows what depends on neither the step nor the part that is shown.
function tables() {
  const f = state.f;
  lists.largest.show(f.rows.filter((r) => r.s > 0 && !r.unfolded && matches(r, state.query)).sort((a, b) => b.s - a.s), state.query ? 'nothing is found' : 'this function allocates nothing');
  lists.always.show(f.always.filter((r) => matches(r, state.query)).sort((a, b) => b.written - a.written || b.s - a.s), 'there are none');
  alive();
  causes();
  less();
  const all = shownViews(), line = (name, value) => node('tr', {}, node('th', {}, name), ...all.map((x) => node('td', { class: 'n' }, value(x))));
  el('numbers').replaceChildren(node('thead', {}, node('tr', {}, node('th', {}, 'measure'), ...all.map((x) => node('th', { class: 'n' }, x.view.label)))), node('tbody', {},
    line('allocations', (x) => count(x.allocations + x.tensors)), line('buffers in arenas', (x) => count(x.parts)), line('size of arenas', (x) => x.arenas ? arenasOf(x) : '–'), line('copies', (x) => count(x.copies) + ' (' + amount(x.copied, x) + ')'),
    line('peak', (x) => amount(x.peak.size, x)), line('most in use at once', (x) => bytes(x.inUse[highest(x.inUse, 0, x.inUse.length)] || 0)), line('if one arena had it all', (x) => x.dynamic ? 'not planned' : bytes(x.arena)),
    line('arguments', (x) => amount(x.arguments, x)), line('constants', (x) => amount(x.constants, x))));
  layers();
  const shown = [...groups.values()].filter((g) => g.hue !== null && f.rows.some((r) => r.group === g.group && !r.unfolded));
  const rest = f.rows.filter((r) => !r.unfolded && groups.get(r.group)?.hue === null).length;
  el('legend').replaceChildren(...shown.map((g) => {
    const b = node('button', { type: 'button', 'aria-pressed': String(state.group === g.group) }, node('span', { class: 'swatch', style: 'background:' + colorOf(g.group) }), text(g.group) + ' × ' + f.rows.filter((r) => r.group === g.group && !r.unfolded).length);
    b.addEventListener('click', () => { state.group = state.group === g.group ? null : g.group; map.draw(); tables(); });
    return node('li', {}, b);
  }), rest ? node('li', { class: 'rest' }, node('span', { class: 'swatch', style: 'background:' + colors().rest }), counted(rest, 'other', 'others')) : '');
}

// layers says which of the layers needs most, and lists them, those one after the other that need as much in one row.
function layers() {
  const f = state.f, r = f.repeat;
  el('layers').hidden = !r || !f.curve.length;
  if (el('layers').hidden) return;
  const peakOf = (from, to) => { const i = highest(f.inUse, from, Math.max(to, from + 1)); return { i, bytes: f.inUse[i] || 0 }; };
  const parts = r.starts.slice(0, -1).map((s, k) => ({ name: k + 1, last: k + 1, ...peakOf(s, r.starts[k + 1]) }));
  const most = parts.reduce((a, b) => b.bytes > a.bytes ? b : a), same = parts.filter((p) => p.bytes === most.bytes).length;
  const around = [r.starts[0] > 0 && { name: 'before', ...peakOf(0, r.starts[0]) }, r.starts.at(-1) < f.steps.length && { name: 'after', ...peakOf(r.starts.at(-1), f.steps.length) }];
  el('layers-most').textContent = `Layers need at most ${bytes(most.bytes)}: ` + (same === parts.length ? `all ${count(same)} of them` : same > 1 ? `${count(same)} of them, beginning with layer ${most.name}` : `layer ${most.name}`) +
    (around[0] ? `; before them ${bytes(around[0].bytes)}` : '') + (around[1] ? `; after them ${bytes(around[1].bytes)}` : '');
  const rows = [];
  for (const p of parts) if (rows.length && rows.at(-1).bytes === p.bytes) rows.at(-1).last = p.name; else rows.push({ ...p });
  const line = (p) => node('tr', {}, node('th', {}, p.last > p.name ? `${p.name} to ${p.last}` : String(p.name)), node('td', { class: 'n' }, bytes(p.bytes)), node('td', {}, place(f.steps[p.i]?.[1] || 0)), node('td', {}, text(f.steps[p.i]?.[0] || 0)));
  el('layers-table').replaceChildren(node('thead', {}, node('tr', {}, ...['layer', 'in use', 'where', 'operation'].map((h) => node('th', {}, h)))), node('tbody', {}, ...[around[0], ...rows, around[1]].filter(Boolean).map(line)));
}

// inArenas says how many of the buffers of a cause are parts of arenas. There their sizes don't add up, since most are alive at other times.
const inArenas = (c) => {
  const arenas = state.f.arenas === 1 || c.parts === 1 ? 'an arena' : 'arenas';
  if (!c.parts) return '';
  return c.parts < c.allocations ? `, ${c.parts} of them in ${arenas}` : c.parts === 1 ? ' in an arena' : ` that share ${arenas}`;
};

// isShort tells whether the formula of a cause's size has room in front of its text.
const isShort = (c) => text(c.size).length <= 12;

function causes() {
  const line = lineIn(state.query), list = (state.f.view.causes || []).filter((c) => line ? c.places.some((p) => lineOf(p) === line) || c.notes.some(([, p]) => p > 0 && lineOf(p) === line) : state.query === '' || (text(c.title) + ' ' + c.places.map((p) => lineOf(p) + ' ' + sourceOf(p)).join(' ')).toLowerCase().includes(state.query));
  el('causes-section').hidden = !state.f.view.causes;
  el('causes').replaceChildren(...list.map((c, n) => {
    const what = [c.copies ? counted(c.copies, 'copy', 'copies') : '', c.allocations ? counted(c.allocations, 'buffer', 'buffers') + inArenas(c) : ''].filter(Boolean).join(', ');
    const lines = [...new Set(c.places.filter(Boolean).map(lineOf))], unit = unitOf(c.places.find(Boolean) || 0);
    return node('details', { class: 'cause', open: c.copies > 0 && n < 2 }, node('summary', {}, node('b', {}, !c.size ? bytes(c.bytes) : isShort(c) ? text(c.size) : ''), node('span', {}, (c.size && !isShort(c) ? text(c.size) + ': ' : '') + what + (lines.length ? (c.places.length > 1 ? ', the largest' : '') + ` in ${unit} ${lines[0]}` : '') + ': ' + text(c.title) + (c.places.length > 1 ? `; ${count(c.places.length - 1)} more like this` : ''),
      ...(c.advice.length ? [node('div', { class: 'advice' }, '→ ' + text(c.advice[0]))] : []))),
    node('div', {}, ...(c.advice.slice(1).map((a) => node('div', { class: 'advice' }, 'or ' + text(a)))), node('ul', {}, ...c.notes.map(([t, p]) => node('li', {}, text(t), p ? node('code', {}, ' ' + place(p) + ': ' + sourceOf(p)) : ''))),
      node('div', { class: 'more' }, unit + (lines.length > 1 ? 's ' : ' ') + lines.slice(0, 60).join(', ') + (lines.length > 60 ? ' and ' + (lines.length - 60) + ' more' : ''))));
  }));
  if (!list.length) el('causes').replaceChildren(node('p', { class: 'empty' }, line ? `nothing is copied or allocated in ${state.query.replace(':', 'line ')}` : state.query ? 'nothing is found' : 'nothing is copied or allocated'));
}

// parseBytes reads a number of bytes such as "4 MiB"; NaN if it is none.
const parseBytes = (s) => {
  const m = /^\s*([\d.,]+)\s*([kmgt]?)i?b?\s*$/i.exec(s);
  return m ? Number(m[1].replace(/,/g, '')) * 1024 ** ' kmgt'.indexOf(m[2].toLowerCase() || ' ') : NaN;
};

// sizeFlag writes a number of bytes as flags take it; command is how to compile the program of a function with flags.
const sizeFlag = (n) => n % 2 ** 20 === 0 ? n / 2 ** 20 + 'MiB' : n % 1024 === 0 ? n / 1024 + 'KiB' : String(Math.floor(n));
const command = (f, flags) => `freehold compile ${flags} ${programOf(f).split(/[\\/]/).at(-1)}`;

// halfOf is a power of two that is at most half of a size, as one would ask for it.
const halfOf = (n) => bytes(2 ** Math.max(0, Math.floor(Math.log2(Math.max(n, 2))) - 1)).replace('.0', '');

// flags are ways to compile, each on one line.
const flags = (list) => list.flatMap((x, i) => [i ? '; ' : '', node('span', { class: 'flags' }, 'compile ' + text(x))]);

// less shows what was tried to need less, and how to get below a limit, or why nothing that was tried does.
function less() {
  const f = state.f, trials = f.view.trials || [], limit = parseBytes(el('limit').value), isMain = f === shownViews().at(-1);
  el('less').hidden = !f.rows.length;
  el('limit').placeholder = halfOf(f.peak.bytes);
  el('trials').replaceChildren(...trials.map((t) => node('li', { class: limit < t.bytes ? 'far' : undefined }, node('b', {}, 'peak ' + text(t.peak)), t.flags ? '' : ': ',
    ...(t.flags ? [node('code', {}, command(f, text(t.flags)))] : []), text(t.advice) + (t.place ? ` (${place(t.place)})` : ''), node('div', { class: 'more' }, text(t.effect)))));
  if (!trials.length) el('trials').replaceChildren(node('li', { class: 'more' }, f.view.causes ? 'nothing that was tried needs less' : isMain ? 'nothing was tried: advice is tried on a single program on tensors. For a program on buffers, freehold compile inserts the frees, and makes arenas where these need no more memory' : 'the next program is what compile makes of it'));
  if (f.view.idle) el('trials').append(node('li', { class: 'more' }, 'tried without gain: ', ...flags(f.view.idle)));
  if (f.view.untried) el('trials').append(node('li', { class: 'more' }, 'not tried, since it takes long: ', ...flags(f.view.untried)));
  const order = f.view.order;
  if (order) el('trials').append(node('li', { class: 'more' }, !order.changed ? 'order: the operations stay as they are written; no order was found that needs less'
    : 'order: the operations are in another order than written, which needs less' + (order.written ? '; as written, the peak would be ' + text(order.written) : '')));
  if (!(limit >= 0)) { el('verdict').textContent = el('limit').value.trim() ? 'a size, such as 4 MiB' : ''; return; }
  const best = trials.find((t) => t.bytes >= 0 && t.bytes < limit), largest = f.rows.filter((r) => !r.unfolded).sort((a, b) => b.s - a.s)[0];
  if (f.peak.bytes < limit) el('verdict').textContent = 'It is: the peak is ' + bytes(f.peak.bytes) + '.';
  else if (best) el('verdict').replaceChildren('Yes: ', best.flags ? node('code', {}, command(f, best.limit ? text(best.flags).replace('least', sizeFlag(limit)) : text(best.flags))) : text(best.advice), best.limit ? ': down to ' + text(best.peak) + ' is possible.' : ': the peak is ' + text(best.peak) + '.');
  else {
    let why;
    if (largest.s >= limit) why = `Not by order or placement: ${described(largest)}${largest.p ? ' in ' + place(largest.p) : ''} alone has ${bytes(largest.s)}. It has to be smaller, or made in parts, or be the caller's.`;
    else {
      const moments = f.curve.reduce((n, v, i) => n + (v >= limit && (i === 0 || f.curve[i - 1] < limit) ? 1 : 0), 0);
      why = `Nothing that was tried gets there. ${counted(moments, 'stretch', 'stretches')} of the program ${moments === 1 ? 'needs' : 'need'} more; at the peak, ${bytes(f.peak.bytes - limit)} would have to go, of what is listed above.`;
    }
    const untried = f.view.untried?.some((x) => text(x).includes('least')) ? [' Not tried, since it takes long: ', node('code', {}, command(f, '--max-memory ' + sizeFlag(limit))), ', which makes it fit, or says what is in the way.'] : [];
    el('verdict').replaceChildren(why, ...untried);
  }
}

// ---- Charts.

let curves = [];
const map = new Chart(el('map'), 'map', Math.round(Math.min(400, Math.max(240, window.innerHeight * .42))), 'where each buffer is in one arena, over the operations; the list of the largest buffers says the same');
function drawAll() {
  const all = shownViews(), top = Math.max(...all.map((f) => f.top), 1);
  if (curves.length !== all.length) {
    el('curves').replaceChildren();
    curves = all.map((f) => {
      const caption = node('figcaption', {}), figure = node('figure', {}, caption), c = new Chart(figure, 'curve', all.length > 1 ? 130 : 190, 'bytes alive over the operations; the table below says the same');
      el('curves').append(figure);
      c.caption = caption;
      return c;
    });
  }
  curves.forEach((c, i) => { c.caption.textContent = 'alive, ' + all[i].view.label + (all[i].arenas ? ' (faint: free)' : ''); c.show(all[i], top); });
  map.show(state.f, state.f.height);
  el('tabs').replaceChildren(...(all.length > 1 ? all.map((f) => {
    const b = node('button', { type: 'button', 'aria-pressed': String(f === state.f) }, f.view.label);
    b.addEventListener('click', () => { state.group = null; choose(f, f.peakStep, null); });
    return b;
  }) : []));
}

// choose shows a step of a function, and a row of it.
function choose(f, step, row) {
  const other = f !== state.f;
  state.f = f; state.step = Math.min(Math.max(0, step), Math.max(0, f.steps.length - 1)); state.chosen = row;
  if (other) { drawAll(); tables(); } else { curves.forEach((c) => c.drawOver()); map.reveal(state.step); alive(); }
}

function start(name) {
  state.name = name;
  const f = shownViews().at(-1);
  if (!f) { el('also').textContent = ''; return; }
  state.f = f; state.step = f.peakStep; state.chosen = null; state.group = null;
  document.body.classList.toggle('nothing', shownViews().every((x) => !x.rows.length));
  answer(); symbolFields(); bars(); drawAll(); tables();
}
