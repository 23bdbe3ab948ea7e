'use strict';
(() => {
const page = JSON.parse(document.getElementById('data').textContent);
const el = (id) => document.getElementById(id);
const text = (n) => page.strings[n] || '';

const bytes = (n) => {
  const units = ['KiB', 'MiB', 'GiB', 'TiB'];
  if (n < 1024) return n + ' B';
  let u = -1;
  do { n /= 1024; u++; } while (n >= 1023.95 && u < units.length - 1);
  return n.toFixed(1) + ' ' + units[u];
};
const sizeOf = (row) => row.d || bytes(row.s);
// A size of a function; one that isn't known is a formula. What an arena needs isn't computed of formulas.
const amount = (f, what) => (f.unknown && f.unknown[what]) || bytes(f[what]);
const arenaOf = (f, what) => !f.dynamic ? bytes(f[what]) : f[what] > 0 ? 'more than ' + bytes(f[what]) : 'of unknown size';
const lineOf = (p) => page.places[p][1];
const sourceOf = (p) => page.places[p][2];

// Rows are written as lists.
const kinds = { b: 'buffer', t: 'tensor', c: 'call', a: 'argument' };
const row = ([k, o, t, p, m, s, y, l, d, ...times]) => {
  const x = [];
  for (let i = 0; i < times.length; i += 2) x.push([times[i], times[i + 1]]);
  return { k: kinds[k], o, t, p, m, s, y, l, d, x, what: whatOf(text(o), sourceOf(p)) };
};
// What bufferization allocates is known by the operation of the source that it is for.
const whatOf = (op, source) => {
  const m = /(?:^|=\s*)"?([a-z_]+\.[\w.]+)/.exec(source);
  return op.startsWith('memref.alloc') && m ? m[1] : op;
};
// What only makes room for others is told apart by types and names.
const isRoom = (r) => r.what.startsWith('memref.alloc') || r.what === 'tensor.empty' || r.what === 'bufferization.alloc_tensor';
const nameOf = (r) => isRoom(r) && (/^(%[\w$.-]+)/.exec(sourceOf(r.p)) || [])[1] || r.what;
for (const v of page.views) for (const f of v.functions) { f.rows = f.rows.map(row); f.always = f.always.map(row); }

// node makes an element; children that are strings become text, never markup.
const node = (tag, attrs, ...children) => {
  const n = document.createElement(tag);
  for (const [k, v] of Object.entries(attrs || {})) if (v !== undefined && v !== false) n.setAttribute(k, v);
  n.append(...children);
  return n;
};

const names = [...new Set(page.views.flatMap((v) => v.functions.map((f) => f.name)))];
let current = names[0];
let query = '';
const panels = [];

// ---- A chart of one function of one view.

class Panel {
  constructor(view, index) {
    this.view = view;
    this.index = index;
    this.caption = node('figcaption');
    this.map = node('canvas', { role: 'img', 'aria-label': 'offset over time, ' + view.label });
    this.live = node('canvas', { role: 'img', 'aria-label': 'bytes alive over time, ' + view.label });
    this.over = node('canvas', { class: 'over' });
    this.chart = node('div', { class: 'chart', tabindex: 0 }, this.map, this.live, this.over);
    this.figure = node('figure', {}, this.caption, this.chart);
    this.chart.addEventListener('pointermove', (e) => this.hover(e));
    this.chart.addEventListener('pointerleave', () => { this.hovered = null; this.drawOver(); tip(null); });
    this.chart.addEventListener('pointerdown', (e) => this.press(e));
    this.chart.addEventListener('wheel', (e) => this.wheel(e), { passive: false });
    this.chart.addEventListener('focus', () => { active = this; details(); });
  }

  show(name) {
    this.f = this.view.functions.find((f) => f.name === name) || null;
    this.figure.hidden = !this.f;
    if (!this.f) return;
    const f = this.f;
    this.lo = 0;
    this.hi = Math.max(1, f.steps.length);
    this.curve = new Float64Array(f.steps.length + 1);
    for (const r of f.rows) for (const [a, b] of r.x) { this.curve[a] += r.s * !r.d; this.curve[b] -= r.s * !r.d; }
    for (let i = 1; i < this.curve.length; i++) this.curve[i] += this.curve[i - 1];
    this.top = this.curve.reduce((a, b) => Math.max(a, b), 0);
    this.peakStep = this.curve.indexOf(this.top);
    this.step = this.peakStep;
    this.chosen = null;
    this.caption.replaceChildren(
      node('b', {}, this.view.label),
      node('span', {}, 'peak ' + amount(f, 'peak') + ' · arena ' + arenaOf(f, 'arena') + (f.dynamic ? '' : ' · no arena below ' + bytes(f.bound)) +
        (f.dynamic ? ' · ' + f.dynamic + ' of unknown size not drawn' : '')));
    this.resize();
  }

  resize() {
    if (!this.f) return;
    const w = this.chart.clientWidth, ratio = window.devicePixelRatio || 1;
    this.w = w; this.mh = Math.round(Math.min(360, Math.max(200, window.innerHeight * .42))); this.lh = 110;
    for (const [c, h] of [[this.map, this.mh], [this.live, this.lh], [this.over, this.mh + this.lh]]) {
      c.width = Math.round(w * ratio); c.height = Math.round(h * ratio); c.style.height = h + 'px';
      c.getContext('2d').setTransform(ratio, 0, 0, ratio, 0, 0);
    }
    this.draw();
  }

  x(step) { return (step - this.lo) / (this.hi - this.lo) * this.w; }
  at(x) { return Math.min(this.f.steps.length - 1, Math.max(0, Math.floor(this.lo + x / this.w * (this.hi - this.lo)))); }
  y(offset) { return this.mh - 4 - offset / Math.max(1, this.f.arena) * (this.mh - 22); }

  // hit tells whether a row is what is searched for.
  hit(r) { return query !== '' && (r.what + ' ' + text(r.o) + ' ' + text(r.t) + ' ' + lineOf(r.p) + ' ' + sourceOf(r.p)).toLowerCase().includes(query); }

  draw() {
    const c = this.map.getContext('2d'), l = this.live.getContext('2d'), dark = isDark(), { ink, soft, mark } = colors();
    c.clearRect(0, 0, this.w, this.mh);
    const hues = new Map();
    for (const r of this.f.rows) {
      if (r.d || r.s === 0) continue;
      const key = isRoom(r) ? text(r.t) : r.what;
      let hue = hues.get(key);
      if (hue === undefined) { hue = 7; for (const ch of key) hue = (hue * 31 + ch.charCodeAt(0)) % 360; hues.set(key, hue); }
      const fill = query !== '' && !this.hit(r) ? (dark ? '#2b3138' : '#e3e7eb') : `hsl(${hue} ${dark ? '40% 38%' : '60% 76%'})`;
      const y1 = this.y(r.y + r.s), h = Math.max(.7, this.y(r.y) - y1);
      for (const [a, b] of r.x) {
        if (b <= this.lo || a >= this.hi) continue;
        const wide = this.x(b) - this.x(a), x1 = wide < 1 ? Math.floor(this.x(a)) : this.x(a), w = Math.max(1, wide); // or it would fade
        c.fillStyle = fill;
        c.fillRect(x1, y1, w, h);
        if (w > 3 && h > 3) { c.strokeStyle = dark ? '#0006' : '#0003'; c.lineWidth = 1; c.strokeRect(x1 + .5, y1 + .5, w - 1, h - 1); }
        if (w > 60 && h > 12) { c.fillStyle = ink; c.font = '11px system-ui'; c.fillText(clip(c, sizeOf(r) + ' ' + nameOf(r), w - 6), x1 + 3, y1 + Math.min(h - 3, 12)); }
      }
    }
    this.rule(c, this.y(this.f.arena), 'arena ' + arenaOf(this.f, 'arena'), soft, this.mh);
    // The line of what is alive.
    l.clearRect(0, 0, this.w, this.lh);
    const max = Math.max(this.top, this.f.bound, 1), ly = (v) => this.lh - 3 - v / max * (this.lh - 20);
    l.beginPath();
    l.moveTo(this.x(this.lo), this.lh);
    const from = Math.max(0, Math.floor(this.lo)), to = Math.min(this.f.steps.length, Math.ceil(this.hi));
    // Where several steps share a pixel, the highest is drawn: a peak is visible however short it is.
    for (let i = from; i < to;) {
      const x1 = Math.max(0, Math.floor(this.x(i)));
      let v = this.curve[i], end = i + 1;
      while (end < to && this.x(end + 1) <= x1 + 1) v = Math.max(v, this.curve[end++]);
      const shared = end > i + 1, left = shared ? x1 : this.x(i), right = shared ? x1 + 1 : this.x(end);
      l.lineTo(left, ly(v)); l.lineTo(right, ly(v));
      i = end;
    }
    l.lineTo(this.x(to), this.lh);
    l.fillStyle = dark ? '#3b5a75' : '#a9c6df';
    l.fill();
    const tight = this.f.peak === this.f.bound && !this.f.dynamic;
    if (!tight && !this.f.dynamic) this.rule(l, ly(this.f.bound), 'lower bound ' + bytes(this.f.bound), soft, this.lh, Math.abs(ly(this.f.bound) - ly(this.f.peak)) < 14);
    this.rule(l, ly(this.f.peak), 'peak ' + (tight ? '= lower bound ' : '') + amount(this.f, 'peak'), mark, this.lh);
    this.drawOver();
  }

  rule(c, y, label, color, height, right) {
    c.strokeStyle = c.fillStyle = color;
    c.setLineDash([4, 3]); c.beginPath(); c.moveTo(0, y + .5); c.lineTo(this.w, y + .5); c.stroke(); c.setLineDash([]);
    c.font = '11px system-ui';
    c.fillText(label, right ? this.w - 4 - c.measureText(label).width : 4, y < 14 ? y + 12 : Math.min(y - 3, height - 3));
  }

  drawOver() {
    if (!this.f) return;
    const c = this.over.getContext('2d'), { ink, mark } = colors();
    c.clearRect(0, 0, this.w, this.mh + this.lh);
    c.strokeStyle = mark;
    c.beginPath();
    const x = (this.x(this.step) + this.x(this.step + 1)) / 2;
    c.moveTo(x, 0); c.lineTo(x, this.mh + this.lh); c.stroke();
    for (const r of [this.hovered, this.chosen]) {
      if (!r || r.d) continue;
      c.lineWidth = 2; c.strokeStyle = ink;
      for (const [a, b] of r.x) c.strokeRect(this.x(a), this.y(r.y + r.s), Math.max(2, this.x(b) - this.x(a)), Math.max(2, this.y(r.y) - this.y(r.y + r.s)));
      c.lineWidth = 1;
    }
  }

  find(e) {
    const box = this.chart.getBoundingClientRect(), x = e.clientX - box.left, y = e.clientY - box.top, step = this.at(x);
    if (y > this.mh) return { step, row: null };
    for (let i = this.f.rows.length - 1; i >= 0; i--) {
      const r = this.f.rows[i];
      if (!r.d && r.s > 0 && y >= this.y(r.y + r.s) - 1 && y <= this.y(r.y) + 1 && r.x.some(([a, b]) => step >= a && step < b)) return { step, row: r };
    }
    return { step, row: null };
  }

  hover(e) {
    if (!this.f) return;
    if (this.drag) {
      const moved = (this.drag.x - e.clientX) / this.w * (this.hi - this.lo);
      if (Math.abs(this.drag.x - e.clientX) > 3) this.drag.moved = true;
      if (this.drag.moved) { this.range(this.drag.lo + moved, this.drag.hi + moved); return; }
    }
    const { step, row } = this.find(e);
    this.hovered = row;
    this.drawOver();
    tip(row ? [row] : null, e, row ? null : aliveAt(this, step) + ' alive');
  }

  press(e) {
    if (!this.f) return;
    this.drag = { x: e.clientX, lo: this.lo, hi: this.hi };
    const up = () => {
      window.removeEventListener('pointerup', up);
      const moved = this.drag && this.drag.moved;
      this.drag = null;
      if (moved) return;
      const { step, row } = this.find(e);
      this.step = step; this.chosen = row; active = this;
      this.drawOver(); details();
    };
    window.addEventListener('pointerup', up);
  }

  wheel(e) {
    if (!this.f || !(e.ctrlKey || e.metaKey || e.shiftKey || Math.abs(e.deltaY) > Math.abs(e.deltaX))) return;
    if (!e.ctrlKey && !e.metaKey && document.activeElement !== this.chart) return;
    e.preventDefault();
    const box = this.chart.getBoundingClientRect();
    this.zoom(Math.exp(e.deltaY / 300), this.lo + (e.clientX - box.left) / this.w * (this.hi - this.lo));
  }

  zoom(by, around) { this.range(around - (around - this.lo) * by, around + (this.hi - around) * by); }

  range(lo, hi) {
    const n = Math.max(1, this.f.steps.length), size = Math.min(n, Math.max(4, hi - lo));
    this.lo = Math.min(Math.max(0, lo), n - size);
    this.hi = this.lo + size;
    this.draw();
  }

  move(by) {
    this.step = Math.min(this.f.steps.length - 1, Math.max(0, this.step + by));
    if (this.step < this.lo) this.range(this.step, this.step + this.hi - this.lo);
    if (this.step >= this.hi) this.range(this.step + 1 - (this.hi - this.lo), this.step + 1);
    this.drawOver(); details();
  }

  alive() {
    return this.f.rows.filter((r) => r.x.some(([a, b]) => this.step >= a && this.step < b));
  }
}

// colors are those of the style sheet: a canvas doesn't know variables.
const colors = () => isDark() ? { ink: '#e6e9ec', soft: '#98a3ae', mark: '#ff8a80' } : { ink: '#1b1f23', soft: '#5b6570', mark: '#b3261e' };

function clip(c, s, width) {
  if (c.measureText(s).width <= width) return s;
  let n = Math.floor(s.length * width / c.measureText(s).width);
  while (n > 0 && c.measureText(s.slice(0, n) + '…').width > width) n--;
  return n > 2 ? s.slice(0, n) + '…' : '';
}

// ---- Tables.

let active = null;
const shownRows = 200;

const place = (p) => p ? lineOf(p) : '';
const rowsTable = (table, rows, panel) => {
  const body = node('tbody');
  for (const r of rows.slice(0, shownRows)) {
    const tr = node('tr', { 'data-row': '', tabindex: 0, class: panel && panel.hit(r) ? 'hit' : undefined },
      node('td', { class: 'n' }, sizeOf(r)), node('td', { class: 'n' }, place(r.p)),
      node('td', {}, r.what, r.m ? ' in ' + text(r.m) : '', r.l ? ' (never freed)' : ''), node('td', { class: 'src' }, sourceOf(r.p) || text(r.t)));
    if (panel && r.x.length) {
      const choose = () => { panel.chosen = r; panel.step = r.x[0][0]; active = panel; panel.drawOver(); details(); panel.chart.scrollIntoView({ block: 'nearest' }); };
      tr.addEventListener('click', choose);
      tr.addEventListener('keydown', (e) => { if (e.key === 'Enter') choose(); });
    }
    body.append(tr);
  }
  if (rows.length > shownRows) body.append(node('tr', {}, node('td', { colspan: 4, class: 'more' }, (rows.length - shownRows) + ' more; search narrows the list')));
  if (rows.length === 0) body.append(node('tr', {}, node('td', { colspan: 4, class: 'more' }, 'nothing')));
  table.replaceChildren(node('thead', {}, node('tr', {}, node('th', { class: 'n' }, 'size'), node('th', { class: 'n' }, 'line'), node('th', {}, 'what'), node('th', {}, 'source'))), body);
};
const weight = (r) => r.d ? Infinity : r.s;
const bySize = (a, b) => (weight(b) > weight(a)) - (weight(b) < weight(a));

// aliveAt tells how much is alive at a step: what is known of it, and how many buffers have sizes that aren't.
const aliveAt = (panel, step) => {
  const unknown = panel.f.rows.filter((r) => r.d && r.x.some(([a, b]) => a <= step && step < b)).length;
  const known = panel.curve[step] || 0;
  return unknown ? (known ? bytes(known) + ' and ' : '') + unknown + (unknown === 1 ? ' buffer of unknown size' : ' buffers of unknown size') : bytes(known);
};

function details() {
  const panel = active && active.f ? active : panels.find((p) => p.f);
  if (!panel) return;
  const alive = panel.alive().sort(bySize), [op, where] = panel.f.steps[panel.step] || [0, 0];
  el('alive-title').textContent = panel.view.label + ': ' + aliveAt(panel, panel.step) + ' alive at ' + (text(op) || 'the start') +
    (where ? ', line ' + lineOf(where) : '') + (panel.step === panel.peakStep ? ' (the peak)' : '');
  rowsTable(el('alive'), alive, panel);
}

function tables() {
  const panel = [...panels].reverse().find((p) => p.f);
  if (!panel) return;
  rowsTable(el('largest'), panel.f.rows.filter((r) => query === '' || panel.hit(r)).sort(bySize), panel);
  rowsTable(el('always'), panel.f.always.filter((r) => query === '' || panel.hit(r)), null);
  const causes = page.views.flatMap((v) => v.causes || []).filter((c) => query === '' || (text(c.title) + ' ' + lineOf(c.place) + ' ' + sourceOf(c.place)).toLowerCase().includes(query));
  causes.sort((a, b) => b.copy - a.copy || b.bytes - a.bytes);
  const body = node('tbody');
  for (const c of causes.slice(0, shownRows)) {
    body.append(node('tr', {}, node('td', { class: 'n' }, text(c.size)), node('td', { class: 'n' }, place(c.place)), node('td', {}, c.copy ? 'copy' : 'allocation'),
      node('td', {}, text(c.title), ...c.advice.slice(0, 2).map((a) => node('div', { class: 'more' }, '→ ' + text(a))))));
  }
  if (causes.length > shownRows) body.append(node('tr', {}, node('td', { colspan: 4, class: 'more' }, (causes.length - shownRows) + ' more')));
  if (causes.length === 0) body.append(node('tr', {}, node('td', { colspan: 4, class: 'more' }, 'nothing')));
  el('causes').replaceChildren(node('thead', {}, node('tr', {}, node('th', { class: 'n' }, 'size'), node('th', { class: 'n' }, 'line'), node('th', {}, 'what'), node('th', {}, 'why'))), body);
}

function numbers() {
  const list = panels.filter((p) => p.f);
  const line = (name, value) => node('tr', {}, node('th', {}, name), ...list.map((p) => node('td', { class: 'n' }, value(p.f))));
  el('numbers').replaceChildren(node('thead', {}, node('tr', {}, node('th', {}, ''), ...list.map((p) => node('th', { class: 'n' }, p.view.label)))), node('tbody', {},
    line('buffers and tensors', (f) => String(f.allocations + f.tensors)), line('copies', (f) => f.copies + ' (' + amount(f, 'copied') + ')'),
    line('peak', (f) => amount(f, 'peak')), line('one arena', (f) => arenaOf(f, 'arena')), line('no arena below', (f) => arenaOf(f, 'bound')),
    line('arguments', (f) => amount(f, 'arguments')), line('constants', (f) => amount(f, 'constants'))));
}

// ---- What is said beside the pointer.

const tipBox = node('div', { id: 'tip', hidden: '' });
document.body.append(tipBox);
function tip(rows, e, note) {
  if (!e || (!rows && !note)) { tipBox.hidden = true; return; }
  tipBox.hidden = false;
  tipBox.replaceChildren(...(rows ? rows.flatMap((r) => [node('b', {}, sizeOf(r) + ' ' + r.what), node('div', {}, text(r.o) + ' : ' + text(r.t)),
    node('code', {}, r.p ? 'line ' + lineOf(r.p) + ': ' + sourceOf(r.p) : '')]) : [note]));
  tipBox.style.left = Math.min(e.clientX + 14, window.innerWidth - tipBox.offsetWidth - 8) + 'px';
  tipBox.style.top = Math.min(e.clientY + 14, window.innerHeight - tipBox.offsetHeight - 8) + 'px';
}

// ---- Theme, keys, search.

const dark = window.matchMedia('(prefers-color-scheme: dark)');
let theme = null;
const isDark = () => theme ? theme === 'dark' : dark.matches;
const redraw = () => panels.forEach((p) => p.f && p.draw());
function toggle() {
  theme = isDark() ? 'light' : 'dark';
  document.documentElement.style.colorScheme = theme;
  redraw();
}
dark.addEventListener('change', redraw);
el('theme').addEventListener('click', toggle);
el('help').addEventListener('click', () => { el('keys').hidden = !el('keys').hidden; });
el('search').addEventListener('input', () => { query = el('search').value.trim().toLowerCase(); redraw(); details(); tables(); });
document.addEventListener('keydown', (e) => {
  const panel = active && active.f ? active : panels.find((p) => p.f);
  if (e.target.matches('input, select')) { if (e.key === 'Escape') e.target.blur(); return; }
  if (e.ctrlKey || e.metaKey || e.altKey || !panel) return;
  const actions = {
    ArrowLeft: () => panel.move(e.shiftKey ? -10 : -1), ArrowRight: () => panel.move(e.shiftKey ? 10 : 1),
    p: () => { panel.step = panel.peakStep; panel.move(0); }, '+': () => panel.zoom(.7, panel.step), '=': () => panel.zoom(.7, panel.step), '-': () => panel.zoom(1 / .7, panel.step),
    0: () => panel.range(0, panel.f.steps.length), '/': () => el('search').focus(), t: toggle, '?': () => el('help').click(),
    Escape: () => { panel.chosen = null; panel.drawOver(); },
  };
  if (actions[e.key]) { e.preventDefault(); actions[e.key](); }
});

// ---- Start.

page.views.forEach((v, i) => { const p = new Panel(v, i); panels.push(p); el('views').append(p.figure); });
for (const n of names) el('function').append(node('option', { value: n }, '@' + n));
function start() {
  panels.forEach((p) => p.show(current));
  active = [...panels].reverse().find((p) => p.f) || null;
  numbers(); details(); tables();
}
el('function').addEventListener('change', () => { current = el('function').value; start(); });
new ResizeObserver(() => panels.forEach((p) => p.resize())).observe(el('views'));
start();
document.documentElement.dataset.ready = String(Math.round(performance.now()));
})();
