// The page: what is where, and what happens when.

import { el, h } from './dom.js';
import { Code } from './code.js';
import { Engine, Stopped, Superseded } from './engine.js';
import { Pipeline } from './pipeline.js';
import { command, headOf, pipelineOf } from './element.js';
import { fromFragment, toFragment } from './share.js';
import { prose } from './highlight.js';
import { Chapter } from './chapter.js';
import { Origin } from './origin.js';
import * as panels from './panels.js';

const opened = performance.now();
const state = { name: 'program.mlir', tab: 'result', catalog: null, compiled: null, onlyChanges: false, finding: 0, arguments: new Map(), given: [], seed: 1, entry: '' };
const panel = el('panel');

const source = new Code(el('source'), { label: 'The program', onInput: edited });
const pipeline = new Pipeline(el('chips'), el('about'), { onChange: () => recompute(), onSelect: () => { state.finding = 0; state.from = undefined; answer(); save(); }, onExpand: expand });
const chapter = new Chapter(el('chapter'), { open: what => { openFromChapter(what); goToAnswer(what); }, known: n => pipeline.catalog.has(n), find: name => programs.find(p => p.name === name)?.source });
const engine = new Engine(showState);

// --- computing

let typing = 0, showing, waited;

// What is shown is what was asked for once nothing is under way any more.
let underWay = 0;
const whole = document.querySelector('main');

/** Makes a function tell while it is under way. */
const telling = f => async (...args) => {
  underWay++;
  whole.setAttribute('aria-busy', 'true');
  try {
    return await f(...args);
  } finally {
    if (!--underWay && !typing) whole.setAttribute('aria-busy', 'false');
  }
};

function edited() {
  showProblems([]);
  whole.setAttribute('aria-busy', 'true');
  clearTimeout(typing);
  typing = setTimeout(recompute, source.text.length > 200000 ? 700 : 200);
}

/** A program that is older than what is being typed isn't worth waiting for. */
const patience = 3000;

const recompute = telling(async () => {
  clearTimeout(typing);
  typing = 0;
  save();
  if (engine.busy?.time > patience) engine.stop(new Superseded());
  const request = { do: 'compile', name: state.name, source: source.text, passes: pipeline.passes };
  const got = await ask(request, 'compile');
  if (!got) return;
  state.compiled = got;
  el('llvm').textContent = (got.llvm || '').split(': ')[0];
  el('llvm').title = got.llvm || '';
  state.request = request;
  state.finding = 0;
  if (got.error && !got.stages) return panels.failure(panel, got, go);
  pipeline.show(got);
  showProblems(got.diagnostics || [], got);
  await answer();
  document.documentElement.dataset.ready ??= String(Math.round(performance.now() - opened));
});

/** Asks, and returns undefined if there is no answer, which is shown then. */
async function ask(request, key) {
  try {
    return await engine.ask(request, key);
  } catch (e) {
    if (e instanceof Superseded) return;
    if (!(e instanceof Stopped)) console.warn(e);
    showStopped(e);
    if (key === 'compile') state.compiled = null;
    else if (state.request) engine.ask(state.request, 'compile').catch(() => {}); // the new engine knows nothing yet
  }
}

function showStopped(e) {
  panel.replaceChildren(h('div', { className: 'verdict mixed' }, h('b', {}, e instanceof Stopped ? 'Stopped.' : 'It did not work.'), ' ', e instanceof Stopped ? '' : e.message + ' ',
    h('button', { type: 'button', onclick: recompute }, 'Compute again')));
}

/** Fills the panel of the tab. */
const answer = telling(async () => {
  const c = state.compiled;
  if (!c) return;
  for (const t of document.querySelectorAll('[role=tab]')) {
    const on = t.dataset.tab === state.tab;
    t.setAttribute('aria-selected', String(on));
    t.tabIndex = on ? 0 : -1;
  }
  panel.setAttribute('aria-labelledby', 'tab-' + state.tab);
  if (panel.dataset.tab !== state.tab) {
    panel.replaceChildren();
    panel.dataset.tab = state.tab;
  }
  source.mark(problemMarks());
  source.onPoint = () => {};
  const n = pipeline.stage;
  if (n >= c.stages.length) {
    const d = c.diagnostics?.find(x => x.kind === 'error');
    panel.replaceChildren(h('div', { className: 'verdict bad' },
      h('b', {}, c.failed ? `${headOf(pipeline.passes[c.failed - 1] || '')} failed` : 'The program has an error'), ': ', d ? d.message : c.error, ' ',
      d?.line ? h('button', { type: 'button', className: 'place', onclick: () => go(d.line, d.column, d.length) }, 'line ' + d.line) : ''),
    c.bug ? h('details', {}, h('summary', {}, 'This is a bug of freehold'), h('pre', {}, c.bug)) : '');
    return;
  }
  const tab = state.tab;
  const request = { do: tab === 'result' ? 'stage' : tab, stage: n };
  const from = state.from ?? (pipeline.chosen === null ? 0 : n - 1);
  if (tab === 'result') request.from = from;
  if (tab === 'run') Object.assign(request, { seed: state.seed, entry: state.entry, arguments: argumentsOf() });
  const got = await ask(request, 'answer');
  if (!got || tab !== state.tab) return;
  const title = { title: n > 1 && n === c.stages.length - 1 ? 'all passes' : c.stages[n].title };
  // What to do with a program on tensors that nothing has been done to.
  const start = pipeline.passes.length || !c.tensors ? null : () => pipeline.change(presetOf(), null);
  if (got.error) {
    panels.failure(panel, got, go);
    if (tab === 'run') panel.prepend(runControls());
    return;
  }
  switch (tab) {
    case 'result': return tie(n, panels.result(panel, got, n, {
      whole: from === 0 && n > 1,
      last: pipeline.chosen === null,
      compare: whole => { state.from = whole ? 0 : n - 1; answer(); },
      start,
      onlyChanges: state.onlyChanges,
      setOnly: v => { state.onlyChanges = v; answer(); },
      use: () => load({ name: state.name, source: got.text, passes: [], tab: 'result' }),
    }));
    case 'explain': {
      const { steps, others } = panels.explain(panel, got, go, { chosen: state.finding, choose: draw, start });
      if (steps.length) source.showPath(steps, others);
      return reveal(steps.find(s => s.line));
    }
    case 'check': {
      const text = n === 0 ? { text: source.text, ...title } : await ask({ do: 'stage', stage: n }, 'answer');
      if (!text || tab !== state.tab) return;
      const steps = panels.check(panel, got, { ...text, ...title }, n, { chosen: state.finding, choose: draw, start });
      if (steps.length) source.showPath(steps);
      return;
    }
    case 'run': return panels.run(panel, got, runControls(), title, c.tensors);
    case 'peak': {
      const marks = panels.peak(panel, got, title, n, go);
      source.mark([...problemMarks(), ...marks]);
      return reveal(marks.at(-1));
    }
    case 'compare': return panels.compare(panel, got);
    case 'report': return panels.report(panel, got, isDark());
  }
});

/** Ties the lines of the program and of a stage to each other. Nobody waits for it. */
async function tie(n, { view, numbers }) {
  view.onPoint = source.onPoint = () => {};
  delete panel.dataset.lines;
  let got;
  try {
    got = await engine.ask({ do: 'lines', stage: n }, 'lines');
  } catch {
    return; // what is newer has its own
  }
  if (!got.error && state.tab === 'result' && n === pipeline.stage) {
    new Origin(got).tie(source, view, numbers);
    panel.dataset.lines = 'known';
  }
}

/** Draws the finding or reason of a number, and leaves the focus at its button. */
async function draw(i) {
  state.finding = i;
  await answer();
  panel.querySelector('[aria-pressed=true]')?.focus({ preventScroll: true });
}

/** Scrolls the program to a place, if there is one. */
const reveal = place => { if (place) source.reveal(place.line); };

// --- arguments of run

const entryFunction = () => state.compiled?.functions?.find(f => state.entry ? f.name === state.entry : f.entry) || state.compiled?.functions?.[0];

/** The arguments of a function as they were typed, or as the tutorial gives them. */
const argumentsFor = fn => state.arguments.get(fn?.name) || [...state.given];

function argumentsOf() {
  const given = argumentsFor(entryFunction());
  const last = given.findLastIndex(Boolean);
  return given.slice(0, last + 1).map(a => a || 'random');
}

function runControls() {
  const functions = state.compiled.functions || [];
  const fn = entryFunction();
  const given = argumentsFor(fn);
  const set = (i, v) => { given[i] = v; state.arguments.set(fn.name, given); };
  return h('form', { className: 'controls', onsubmit: e => { e.preventDefault(); answer(); } },
    functions.length > 1 && h('label', {}, 'Function ', h('select', { onchange: e => { state.entry = e.target.value; answer(); } },
      ...functions.map(f => h('option', { value: f.name, selected: f === fn }, '@' + f.name)))),
    ...(fn?.arguments || []).map((type, i) => h('label', { title: type }, `Argument ${i} `, h('input', { type: 'text', value: given[i] || '', placeholder: 'random', size: 12, 'aria-label': `Argument ${i}, ${type}`, oninput: e => set(i, e.target.value) }))),
    h('button', {}, 'Run again'),
    h('button', { type: 'button', onclick: () => { state.seed++; answer(); } }, 'Other random numbers'),
    fn?.arguments.length ? h('small', {}, 'An argument is a number, ', h('code', {}, '[[1, 2], [3, 4]]'), ', ', h('code', {}, 'zeros'), ' or ', h('code', {}, 'random'), ', with sizes where the type has dynamic ones: ', h('code', {}, 'random:4x8'), '.') : '');
}

// --- what is wrong

let problems = [];
const problemMarks = () => problems.filter(d => d.line).map(d => ({ line: d.line, kind: d.kind, sign: d.kind === 'error' ? '●' : '○', column: d.column || 0, length: d.length, note: d.message.split('\n')[0] }));

function showProblems(list) {
  problems = list;
  source.mark(problemMarks());
  el('problems').replaceChildren(...list.slice(0, 20).map(d => h('li', { className: d.kind },
    h('button', { type: 'button', onclick: () => d.line && go(d.line, d.column, d.length) }, h('b', {}, d.kind), d.line ? ` in line ${d.line}: ` : ': ', d.message),
    d.notes?.length ? h('ul', {}, ...d.notes.filter(n => n.line).map(n => h('li', {}, h('button', { type: 'button', onclick: () => go(n.line, n.column, n.length) }, `line ${n.line}: ${n.message}`)))) : '')));
}

function go(line, column, length) {
  source.reveal(line, column, length, true);
  source.host.scrollIntoView({ block: 'nearest' });
}

// --- the state of the engine

function showState(s) {
  if (s.state === 'broken') state.broken = s.error;
  clearTimeout(showing);
  clearInterval(waited);
  const text = (t, cls) => { el('state').textContent = t; el('status').className = cls; };
  el('stop').hidden = true;
  if (state.broken) text('the engine could not be loaded: ' + state.broken, 'bad');
  else if (s.state === 'loading') text(s.progress < 1 ? `loading the engine: ${Math.round(100 * s.progress)} %` : 'starting the engine', 'busy');
  else if (s.state === 'ready') text('ready', '');
  else showing = setTimeout(() => {
    el('stop').hidden = false;
    const started = performance.now();
    const tick = () => text(`computing${performance.now() - started > 1500 ? ', ' + Math.round((performance.now() - started) / 1000) + ' s' : ' …'}`, 'busy');
    tick();
    waited = setInterval(tick, 1000);
  }, 300);
}

function stop() {
  if (!engine.busy) return;
  engine.stop();
}

// --- programs

let programs = [];

async function loadPrograms() {
  programs = await (await fetch('programs.json')).json();
  const groups = new Map();
  for (const p of programs) {
    if (!groups.has(p.group)) groups.set(p.group, h('optgroup', { label: p.group }));
    groups.get(p.group).append(h('option', { value: p.name }, p.title));
  }
  el('programs').replaceChildren(...groups.values());
}

const choose = telling(async name => {
  const p = programs.find(x => x.name === name);
  if (!p) return;
  el('programs').value = p.name;
  if (p.chapter) return openChapter(p);
  chapter.close();
  await load({ name: p.name, source: await textOf(p), passes: presetOf(p.preset), tab: p.tab || 'result' });
});

async function textOf(p) {
  if (p.source !== undefined) return p.source;
  const response = await fetch(p.file);
  return new Response(response.body.pipeThrough(new DecompressionStream('gzip'))).text();
}

const presetOf = name => state.catalog?.presets.find(p => p.name === (name || 'recommended'))?.passes || [];

/** Shows a program: {name, source, passes, tab, stage}. */
async function load(s) {
  state.name = s.name || 'program.mlir';
  state.tab = s.tab || 'result';
  state.entry = '';
  state.from = undefined;
  state.arguments = new Map();
  state.given = s.arguments || [];
  el('file').textContent = state.name;
  source.set(s.source);
  source.area.scrollTop = 0;
  pipeline.set(s.passes, s.stage ?? null);
  showPreset();
  await recompute();
}

/** Shows what was kept, or what a link holds: the list says which of its programs that is, if it is one. */
function restore(s) {
  el('programs').value = s.chapter || s.name;
  return load(s);
}

/** Opens a file: a text as it is, bytecode and models of TensorFlow Lite as text. */
const openFile = telling(async file => {
  const url = await new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result);
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
  const got = await ask({ do: 'read', name: file.name, file: url.slice(url.indexOf(',') + 1) }, 'read');
  if (!got) return;
  if (got.error) return panels.failure(panel, { ...got, error: `${file.name}: ${got.error}` }, () => {});
  chapter.close();
  el('programs').value = '';
  await load({ name: got.name, source: got.source, passes: presetOf(), tab: state.tab === 'result' ? 'peak' : state.tab });
});

async function openChapter(p, keep) {
  const beginning = chapter.show(p, programs.filter(x => x.chapter), x => choose(x.name));
  save();
  if (!keep && beginning) await openFromChapter(beginning);
}

/** Opens a program of a chapter, with what its commands do. */
const openFromChapter = telling(async ({ name, source: text, commands }) => {
  let passes = [], at = { tab: 'result' };
  for (const c of commands) {
    if (c.passes === 'recommended') passes.push(...presetOf('recommended'));
    else if (c.passes) passes.push(...(await engine.ask({ do: 'elements', text: c.passes }, 'elements')).passes || []);
    at = c;
  }
  await load({ name, source: text, passes, tab: at.tab, arguments: at.tab === 'run' ? at.arguments : [] });
});

/** Where the page is one column, what a button of a chapter shows may be far below. */
function goToAnswer({ commands }) {
  if (matchMedia('(max-width: 900px)').matches) el(commands.length ? 'tabs' : 'left').scrollIntoView();
}

// --- the pipeline

function showPreset() {
  const same = state.catalog?.presets.find(p => p.passes.join() === pipeline.passes.join());
  el('presets').value = same ? same.name : '';
}

async function expand(n, text) {
  const got = await engine.ask({ do: 'elements', text }, 'elements');
  if (got.error) return;
  pipeline.change([...pipeline.passes.slice(0, n - 1), ...got.passes, ...pipeline.passes.slice(n)], n + got.passes.length - 1);
  showPreset();
}

el('presets').addEventListener('change', () => { pipeline.change(presetOf(el('presets').value), null); });

function openPicker() {
  el('picker-search').value = '';
  listPasses();
  el('picker').showModal();
  el('picker-search').focus();
}

let picked = 0;
function listPasses() {
  const wanted = el('picker-search').value.toLowerCase().split(/\s+/).filter(Boolean);
  const rank = p => wanted.every(w => p.name.includes(w)) ? 0 : 1;
  const found = state.catalog.passes.filter(p => wanted.every(w => (p.name + ' ' + p.summary).toLowerCase().includes(w))).sort((a, b) => rank(a) - rank(b));
  picked = 0;
  el('picker-list').replaceChildren(...found.map((p, i) => h('li', { role: 'option', id: 'pass-' + i, 'aria-selected': String(i === 0), onclick: () => pick(p.name), 'data-name': p.name },
    h('b', {}, p.name), prose(h('span', {}), p.summary))));
  el('picker-search').setAttribute('aria-activedescendant', found.length ? 'pass-0' : '');
}

function pick(name) {
  el('picker').close();
  pipeline.add(name);
  showPreset();
  pipeline.focus();
}

el('picker-search').addEventListener('input', listPasses);
el('picker-search').addEventListener('keydown', e => {
  const items = [...el('picker-list').children];
  const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }[e.key];
  if (e.key === 'Enter') {
    e.preventDefault();
    if (items[picked]) pick(items[picked].dataset.name);
  } else if (step && items.length) {
    e.preventDefault();
    items[picked].setAttribute('aria-selected', 'false');
    picked = Math.min(Math.max(picked + step, 0), items.length - 1);
    items[picked].setAttribute('aria-selected', 'true');
    items[picked].scrollIntoView({ block: 'nearest' });
    e.target.setAttribute('aria-activedescendant', items[picked].id);
  }
});

function openText() {
  el('text-input').value = pipelineOf(pipeline.passes);
  el('text-error').textContent = '';
  el('text').showModal();
  el('text-input').setSelectionRange(0, 0);
  el('text-input').scrollTop = 0;
}

const useText = telling(async () => {
  const input = el('text-input').value.trim();
  const c = command(/^-/.test(input) ? 'freehold opt ' + input : input, n => pipeline.catalog.has(n));
  const got = await engine.ask({ do: 'elements', text: c ? c.passes || '' : input }, 'elements');
  if (got.error) {
    el('text-error').textContent = got.error;
    return;
  }
  el('text').close();
  pipeline.change(c?.passes === 'recommended' ? presetOf() : got.passes, null);
  showPreset();
});
el('text-ok').addEventListener('click', e => { e.preventDefault(); useText(); });

// --- links, and what is kept while the tab is open

const snapshot = () => ({ name: state.name, source: source.text, passes: pipeline.passes, tab: state.tab, stage: pipeline.chosen ?? undefined });

function save() {
  showPreset();
  try { sessionStorage.setItem('freehold.state', JSON.stringify({ ...snapshot(), chapter: chapter.name })); } catch { /* no room */ }
}

async function share() {
  const url = new URL(location.href);
  url.hash = await toFragment(snapshot());
  history.replaceState(null, '', url);
  let copied = true;
  try { await navigator.clipboard.writeText(url.href); } catch { copied = false; }
  el('share').textContent = copied ? 'Link copied' : 'See the address';
  setTimeout(() => { el('share').textContent = 'Share a link'; }, 2500);
}

async function fromAddress() {
  try {
    return await fromFragment(location.hash);
  } catch {
    showProblems([{ kind: 'error', message: 'The link is damaged: it holds no program.' }]);
    return null;
  }
}

/** The name of the program or chapter that an address asks for, as links from the pages do. */
const namedInAddress = () => decodeURIComponent(location.hash.match(/^#open=(.*)/)?.[1] || '');

addEventListener('hashchange', async () => {
  if (namedInAddress()) return choose(namedInAddress());
  const s = await fromAddress();
  if (s) { chapter.close(); restore(s); }
});

// --- theme, tabs and keys

const preferred = matchMedia('(prefers-color-scheme: dark)');
const isDark = () => (document.documentElement.style.colorScheme || (preferred.matches ? 'dark' : 'light')) === 'dark';

function theme() {
  const t = isDark() ? 'light' : 'dark';
  document.documentElement.style.colorScheme = t;
  try { localStorage.setItem('freehold.theme', t); } catch { /* no storage */ }
  if (state.tab === 'report') answer();
}
preferred.addEventListener('change', () => { if (state.tab === 'report') answer(); });

function tab(name, focus) {
  state.tab = name;
  save();
  if (focus) el('tab-' + name).focus();
  if (state.compiled) answer(); else recompute();
}

const tabs = [...document.querySelectorAll('[role=tab]')];
tabs.forEach((t, i) => {
  t.addEventListener('click', () => tab(t.dataset.tab));
  t.addEventListener('keydown', e => {
    const to = { ArrowRight: i + 1, ArrowLeft: i - 1, Home: 0, End: tabs.length - 1 }[e.key];
    if (to === undefined || e.altKey) return;
    e.preventDefault();
    tab(tabs[(to + tabs.length) % tabs.length].dataset.tab, true);
  });
});

// Who chooses a program knows what the page is, and needs the room.
el('programs').addEventListener('change', () => { closeIntro(); choose(el('programs').value); });
el('stop').addEventListener('click', stop);
el('open').addEventListener('click', () => el('file-input').click());
el('file-input').addEventListener('change', e => {
  if (e.target.files[0]) openFile(e.target.files[0]);
  e.target.value = ''; // the same file may be chosen again
});
const carriesFile = e => e.dataTransfer?.types.includes('Files');
addEventListener('dragover', e => { if (carriesFile(e)) { e.preventDefault(); document.body.classList.add('dropping'); } });
addEventListener('dragleave', e => { if (!e.relatedTarget) document.body.classList.remove('dropping'); });
addEventListener('drop', e => {
  document.body.classList.remove('dropping');
  if (!carriesFile(e)) return;
  e.preventDefault();
  openFile(e.dataTransfer.files[0]);
});
el('share').addEventListener('click', share);
el('theme').addEventListener('click', theme);
el('add').addEventListener('click', openPicker);
el('edit').addEventListener('click', openText);
el('help').addEventListener('click', () => el('keys').showModal());
function closeIntro() {
  el('intro').hidden = true;
  try { localStorage.setItem('freehold.intro', 'seen'); } catch { /* no storage */ }
}
el('intro-close').addEventListener('click', () => { closeIntro(); source.area.focus(); });
el('intro-tutorial').addEventListener('click', () => {
  closeIntro();
  choose(programs.find(p => p.chapter).name);
});

addEventListener('keydown', e => {
  const modal = document.querySelector('dialog[open]');
  if (modal) return;
  if (e.key === 'Escape') return stop();
  if (e.key === '?' && !e.target.matches('input, textarea, select')) { e.preventDefault(); return el('keys').showModal(); }
  if (e.ctrlKey && e.key === 'Enter') { e.preventDefault(); return recompute(); }
  if (!e.altKey || e.ctrlKey || e.metaKey) return;
  const keys = { KeyA: openPicker, KeyP: openText, KeyS: share, KeyT: theme, Comma: () => pipeline.step(-1, false), Period: () => pipeline.step(1, false) };
  const digit = e.code.match(/^Digit([1-7])$/);
  const act = digit ? () => tab(tabs[digit[1] - 1].dataset.tab, true) : keys[e.code];
  if (!act) return;
  e.preventDefault();
  act();
});

// --- start

async function start() {
  try { el('intro').hidden = localStorage.getItem('freehold.intro') === 'seen'; } catch { /* no storage */ }
  const linked = await fromAddress();
  await loadPrograms();
  let s = linked;
  if (!s) {
    try { s = JSON.parse(sessionStorage.getItem('freehold.state')); } catch { /* nothing kept */ }
  }
  const first = programs.find(p => !p.chapter);
  // The program is there to read while the engine is still on its way.
  source.set(s ? s.source : first.source);
  el('file').textContent = s ? s.name : first.name;
  state.catalog = await engine.ask({ do: 'catalog' });
  pipeline.setCatalog(state.catalog.passes);
  el('intro-tutorial').disabled = false; // chapters ask the catalog what is a pass
  el('presets').replaceChildren(h('option', { value: '' }, 'my own passes'), ...state.catalog.presets.map(p => h('option', { value: p.name, title: p.help }, p.name)));
  if (programs.some(p => p.name === namedInAddress())) return choose(namedInAddress());
  if (s) {
    const open = s.chapter && programs.find(p => p.name === s.chapter);
    if (open) openChapter(open, true);
    // What was typed meanwhile is kept.
    return restore(s);
  }
  return load({ name: first.name, source: source.text, passes: presetOf(first.preset), tab: first.tab });
}

start().catch(e => { if (!state.broken) showState({ state: 'broken', error: e.message }); });
if ('serviceWorker' in navigator) navigator.serviceWorker.register('offline.js').catch(() => {});
