// ---- Charts of one function over its steps.

const clip = (c, s, width) => {
  if (c.measureText(s).width <= width) return s;
  let n = Math.floor(s.length * width / c.measureText(s).width);
  while (n > 0 && c.measureText(s.slice(0, n) + '…').width > width) n--;
  return n > 2 ? s.slice(0, n) + '…' : '';
};

// Chart draws a function: what is alive as a curve, or, as a map, where each buffer is. Its axes are bytes, and operations with their lines.
class Chart {
  constructor(home, kind, height, label) {
    this.kind = kind; this.h = height; this.lo = 0; this.hi = 1;
    this.base = node('canvas', { role: 'img', 'aria-label': label });
    this.over = node('canvas', { class: 'over', 'aria-hidden': 'true' });
    this.chart = node('div', { class: 'chart', tabindex: kind === 'map' ? 0 : -1 }, this.base, this.over);
    home.append(this.chart);
    this.chart.addEventListener('pointermove', (e) => this.hover(e));
    this.chart.addEventListener('pointerleave', () => { this.hovered = null; this.drawOver(); tip(null); });
    this.chart.addEventListener('pointerdown', (e) => this.press(e));
    this.chart.addEventListener('click', (e) => this.click(e));
    this.chart.addEventListener('wheel', (e) => this.wheel(e), { passive: false });
  }

  show(f, top) {
    const other = this.f !== f;
    this.f = f; this.top = Math.max(top, 1);
    if (other) { this.lo = 0; this.hi = Math.max(1, f.steps.length); this.hovered = null; }
    this.resize();
  }

  resize() {
    if (!this.f) return;
    const w = Math.max(160, this.chart.clientWidth), ratio = window.devicePixelRatio || 1;
    this.w = w; this.left = 62; this.bottom = this.kind === 'map' ? 36 : 20; this.above = this.kind === 'map' && this.f.repeat ? 18 : 8;
    for (const c of [this.base, this.over]) {
      c.width = Math.round(w * ratio); c.height = Math.round(this.h * ratio); c.style.height = this.h + 'px';
      c.getContext('2d').setTransform(ratio, 0, 0, ratio, 0, 0);
    }
    this.draw();
  }

  // located returns the last step in sight that the program has a place for, up to a step; that itself if there is none.
  located(step) {
    for (let s = step; s >= this.lo && s >= 0; s--) if (this.f.steps[s]?.[1]) return s;
    return step;
  }
  x(step) { return this.left + (step - this.lo) / (this.hi - this.lo) * (this.w - this.left - 6); }
  at(x) { return Math.min(this.f.steps.length - 1, Math.max(0, Math.floor(this.lo + (x - this.left) / (this.w - this.left - 6) * (this.hi - this.lo)))); }
  y(v) { return this.h - this.bottom - v / this.top * (this.h - this.bottom - this.above); }

  draw() {
    const c = this.base.getContext('2d'), { panel } = colors();
    c.clearRect(0, 0, this.w, this.h);
    c.fillStyle = panel; c.fillRect(this.left, this.above, this.w - this.left - 6, this.h - this.bottom - this.above);
    c.font = '11px system-ui, sans-serif';
    this.bands(c);
    c.save();
    c.beginPath(); c.rect(this.left, 0, this.w - this.left - 6, this.h); c.clip();
    if (this.kind === 'map') this.drawRows(c); else this.drawCurve(c);
    c.restore();
    this.axes(c);
    this.drawOver();
  }

  // bands shows what is repeated.
  bands(c) {
    const r = this.f.repeat, { band, soft } = colors();
    if (!r || this.kind !== 'map') return;
    const wide = this.x(r.starts[1]) - this.x(r.starts[0]);
    let until = 0;
    for (let i = 0; i + 1 < r.starts.length; i++) {
      const x1 = Math.max(this.left, this.x(r.starts[i])), x2 = Math.min(this.w - 6, this.x(r.starts[i + 1]));
      if (x2 <= x1) continue;
      if (i % 2 === 0) { c.fillStyle = band; c.fillRect(x1, this.above, x2 - x1, this.h - this.bottom - this.above); }
      const label = wide > 60 ? 'layer ' + (i + 1) : String(i + 1), w = c.measureText(label).width;
      if (x1 + 2 >= until && x1 + w < this.w) { c.fillStyle = soft; c.fillText(label, x1 + 2, 13); until = x1 + w + 8; }
    }
  }

  axes(c) {
    const { soft, line } = colors();
    c.strokeStyle = line; c.fillStyle = soft; c.lineWidth = 1; c.textAlign = 'right';
    const room = Math.max(2, Math.floor((this.h - this.bottom - this.above) / 40));
    let unit = 1;
    while (this.top / unit > room) unit *= 2;
    for (let v = 0; v <= this.top * 1.0001; v += unit) {
      const y = Math.round(this.y(v)) + .5;
      c.beginPath(); c.moveTo(this.left - 4, y); c.lineTo(this.w - 6, y); c.globalAlpha = v ? .5 : 1; c.stroke(); c.globalAlpha = 1;
      c.fillText(bytes(v).replace('.0 ', ' '), this.left - 7, y + 4);
    }
    c.textAlign = 'left';
    const steps = Math.max(2, Math.floor((this.w - this.left) / (this.kind === 'map' ? 150 : 90)));
    const marks = [];
    for (let i = 0; i < steps; i++) {
      const step = this.located(this.at(this.left + (i + .02) * (this.w - this.left - 6) / steps));
      if (!this.f.steps[step] || step === marks.at(-1)?.step) continue;
      marks.push({ step, x: Math.max(this.left, this.hi - this.lo < steps * 2 ? this.x(step) : this.left + i * (this.w - this.left - 6) / steps) });
    }
    for (const [i, { step, x }] of marks.entries()) {
      const s = this.f.steps[step], room = (marks[i + 1]?.x ?? this.w) - x - 8;
      c.beginPath(); c.moveTo(x + .5, this.h - this.bottom); c.lineTo(x + .5, this.h - this.bottom + 4); c.stroke();
      c.fillText(clip(c, s[1] ? place(s[1]) : 'step ' + step, room), x + 2, this.h - this.bottom + 14);
      if (this.kind === 'map') c.fillText(clip(c, text(s[0]), room), x + 2, this.h - this.bottom + 28);
    }
  }

  drawRows(c) {
    const { off } = colors(), isNight = isDark();
    for (const r of this.f.rows) {
      if (r.s <= 0 || r.unfolded) continue;
      const y1 = this.y(r.y + r.s), h = Math.max(.7, this.y(r.y) - y1);
      const lit = (state.group === null || state.group === r.group) && matches(r, state.query);
      for (const [a, b] of r.x) {
        if (b <= this.lo || a >= this.hi) continue;
        const wide = this.x(b) - this.x(a), x1 = wide < 1 ? Math.floor(this.x(a)) : this.x(a), w = Math.max(1, wide);
        c.fillStyle = lit ? colorOf(r.group) : off;
        c.fillRect(x1, y1, w, h);
        if (w > 3 && h > 3) { c.strokeStyle = isNight ? '#0008' : '#0003'; c.lineWidth = 1; c.strokeRect(x1 + .5, y1 + .5, w - 1, h - 1); }
        if (w > 60 && h > 12 && lit) this.names(c, r, a, b, y1 + Math.min(h - 3, 12));
      }
    }
  }

  // names writes into a buffer how large it is, and what is in it one after the other, each from where it begins.
  names(c, r, a, b, y) {
    const said = (step) => { const [name, op] = inRow(r, Math.floor(step)); return name || op; };
    const from = Math.max(a, this.lo), marks = [{ at: from, what: said(from) }];
    for (const [step] of r.holds) if (step > marks.at(-1).at && step < b && said(step) !== marks.at(-1).what) marks.push({ at: step, what: said(step) });
    c.fillStyle = colors().ink;
    let size = bytes(r.s) + ' '; // with the first name that there is room for beside it
    marks.forEach(({ at, what }, i) => {
      const x = this.x(at) + 3, room = Math.min(this.x(marks[i + 1]?.at ?? b), this.w - 6) - x - 3;
      const isBoth = size && c.measureText(size + what).width <= room;
      c.fillText(isBoth ? size + what : clip(c, what, room), x, y);
      if (isBoth) size = '';
    });
  }

  drawCurve(c) {
    if (this.f.inUse !== this.f.curve) this.fillCurve(c, this.f.curve, colors().reserved);
    this.fillCurve(c, this.f.inUse, colors().bar);
  }

  fillCurve(c, curve, color) {
    const f = this.f, from = Math.max(0, Math.floor(this.lo)), to = Math.min(f.steps.length, Math.ceil(this.hi));
    c.beginPath();
    c.moveTo(this.x(this.lo), this.y(0));
    // Where several steps share a pixel, the highest is drawn: a peak is visible however short it is.
    for (let i = from; i < to;) {
      const x1 = Math.max(0, Math.floor(this.x(i)));
      let v = curve[i], end = i + 1;
      while (end < to && this.x(end + 1) <= x1 + 1) v = Math.max(v, curve[end++]);
      const shared = end > i + 1, left = shared ? x1 : this.x(i), right = shared ? x1 + 1 : this.x(end);
      c.lineTo(left, this.y(v)); c.lineTo(right, this.y(v));
      i = end;
    }
    c.lineTo(this.x(to), this.y(0));
    c.fillStyle = color;
    c.fill();
  }

  drawOver() {
    if (!this.f) return;
    const c = this.over.getContext('2d'), { ink, mark } = colors();
    c.clearRect(0, 0, this.w, this.h);
    if (state.f !== this.f) return;
    c.save();
    c.beginPath(); c.rect(this.left, 0, this.w - this.left - 5, this.h); c.clip();
    c.strokeStyle = mark;
    const x = (this.x(state.step) + this.x(state.step + 1)) / 2;
    c.beginPath(); c.moveTo(x, this.above); c.lineTo(x, this.h - this.bottom); c.stroke();
    if (this.kind === 'map') for (const r of [this.hovered, state.chosen]) {
      if (!r) continue;
      c.lineWidth = 2; c.strokeStyle = ink;
      for (const [a, b] of r.x) c.strokeRect(this.x(a), this.y(r.y + r.s), Math.max(2, this.x(b) - this.x(a)), Math.max(2, this.y(r.y) - this.y(r.y + r.s)));
      c.lineWidth = 1;
    }
    c.restore();
  }

  find(e) {
    const box = this.chart.getBoundingClientRect(), x = e.clientX - box.left, y = e.clientY - box.top, step = this.at(x);
    if (this.kind === 'map') for (let i = this.f.rows.length - 1; i >= 0; i--) {
      const r = this.f.rows[i];
      if (r.s > 0 && !r.unfolded && y >= this.y(r.y + r.s) - 1 && y <= this.y(r.y) + 1 && r.x.some(([a, b]) => step >= a && step < b)) return { step, row: r };
    }
    return { step, row: null };
  }

  hover(e) {
    if (!this.f || !this.f.steps.length) return;
    if (this.drag) {
      if (Math.abs(this.drag.x - e.clientX) > 3) this.drag.moved = true;
      const moved = (this.drag.x - e.clientX) / this.w * (this.hi - this.lo);
      if (this.drag.moved) { this.range(this.drag.lo + moved, this.drag.hi + moved); return; }
    }
    if (e.pointerType === 'touch') return;
    const { step, row } = this.find(e);
    this.hovered = row;
    this.drawOver();
    const s = this.f.steps[step];
    tip(row ? [node('b', {}, bytes(row.s) + ' ' + whatIs(row)), node('div', {}, text(row.type)), node('code', {}, row.p ? place(row.p) + ': ' + sourceOf(row.p) : '')]
      : [bytes(this.f.curve[step]) + ' alive at ' + text(s[0]) + (s[1] ? ', ' + place(s[1]) : '')], e);
  }

  // A finger scrolls the page; a mouse moves the part that is shown.
  press(e) {
    if (!this.f || e.pointerType === 'touch') return;
    this.drag = { x: e.clientX, lo: this.lo, hi: this.hi };
    window.addEventListener('pointerup', () => { this.wasDragged = this.drag?.moved; this.drag = null; }, { once: true });
  }

  click(e) {
    if (this.wasDragged) { this.wasDragged = false; return; }
    if (!this.f || !this.f.steps.length) return;
    const { step, row } = this.find(e);
    choose(this.f, step, row);
  }

  wheel(e) {
    if (!this.f || this.kind !== 'map' || !(e.ctrlKey || e.metaKey)) return;
    e.preventDefault();
    const box = this.chart.getBoundingClientRect();
    this.zoom(Math.exp(e.deltaY / 300), this.at(e.clientX - box.left));
  }

  zoom(by, around) { this.range(around - (around - this.lo) * by, around + (this.hi - around) * by); }

  range(lo, hi) {
    const n = Math.max(1, this.f.steps.length), size = Math.min(n, Math.max(4, hi - lo));
    this.lo = Math.min(Math.max(0, lo), n - size);
    this.hi = this.lo + size;
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => this.draw());
  }

  // reveal shows the part with a step.
  reveal(step) {
    if (step >= this.lo && step < this.hi) { this.drawOver(); return; }
    this.range(step - (this.hi - this.lo) / 2, step + (this.hi - this.lo) / 2);
  }
}
