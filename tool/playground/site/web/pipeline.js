// The passes as chips, with their help and options.

import { h, plural } from './dom.js';
import { headOf, isPass, optionsOf, elementOf } from './element.js';
import { prose } from './highlight.js';

export class Pipeline {
  /** onChange is called when the passes change, onSelect when another stage is chosen. */
  constructor(list, about, { onChange, onSelect, onExpand }) {
    Object.assign(this, { list, about, onChange, onSelect, onExpand });
    this.passes = [];
    this.chosen = null; // a stage; null is the last one
    this.compiled = null;
    this.catalog = new Map();
    this.unfolded = new Set(); // runs of passes that changed nothing, by the name of the first, that are shown
    new ResizeObserver(() => this.reveal()).observe(list); // a phone is turned
  }

  /** The stage that is shown: 0 is the program, n what the first n passes make of it. It is the last one where none is chosen. */
  get stage() { return this.chosen ?? this.passes.length; }

  setCatalog(passes) {
    this.catalog = new Map(passes.map(p => [p.name, p]));
    this.draw();
  }

  set(passes, stage = null) {
    this.passes = [...passes];
    this.chosen = stage === null || stage > passes.length ? null : stage;
    this.compiled = null;
    this.draw();
  }

  /** Shows what became of the program. */
  show(compiled) {
    this.compiled = compiled;
    this.draw();
  }

  select(stage, focus = true) {
    stage = Math.min(Math.max(stage, 0), this.passes.length);
    this.chosen = stage;
    this.draw();
    if (focus) this.focus();
    this.onSelect();
  }

  /** Shows what all passes make of the program. */
  selectResult(focus = true) {
    this.chosen = null;
    this.draw();
    if (focus) this.focus();
    this.onSelect();
  }

  /** Goes to the chip before or after the chosen one. */
  step(by, focus = true) {
    const shown = [...this.list.querySelectorAll('[data-stage]')].map(b => b.dataset.stage);
    const to = shown[shown.indexOf(this.chosen === null ? 'result' : String(this.chosen)) + by];
    if (to === 'result') this.selectResult(focus);
    else if (to !== undefined) this.select(+to, focus);
  }

  /** Puts the focus on the chosen chip. */
  focus() { this.list.querySelector('[data-stage][aria-pressed=true]')?.focus(); }

  change(passes, stage) {
    this.set(passes, stage);
    this.onChange();
  }

  add(name) {
    const at = this.stage;
    this.change([...this.passes.slice(0, at), name, ...this.passes.slice(at)], at + 1);
  }

  remove(n) {
    this.change(this.passes.filter((_, i) => i !== n - 1), this.chosen === null ? null : Math.max(n - 1, 0));
    this.focus();
  }

  move(n, to) {
    if (to < 1 || to > this.passes.length || to === n) return;
    const passes = [...this.passes];
    const [p] = passes.splice(n - 1, 1);
    passes.splice(to - 1, 0, p);
    this.change(passes, to);
    this.focus();
  }

  replace(n, text) {
    const passes = [...this.passes];
    passes[n - 1] = text;
    this.passes = passes;
    this.compiled = null;
    this.drawChips();
    this.onChange();
  }

  draw() {
    this.drawChips();
    this.drawAbout();
  }

  drawChips() {
    const focused = this.list.contains(document.activeElement) ? document.activeElement.dataset : null;
    const chips = [this.chip(0, 'program')];
    for (let n = 1; n <= this.passes.length;) {
      const end = this.idleUntil(n);
      const key = headOf(this.passes[n - 1]);
      if (end === n) {
        chips.push(this.chip(n, key));
        n++;
        continue;
      }
      const open = this.unfolded.has(key);
      chips.push(this.fold(n, end, key, open));
      if (open) for (let i = n; i < end; i++) chips.push(this.chip(i, headOf(this.passes[i - 1])));
      n = end;
    }
    if (this.passes.length) chips.push(this.resultChip());
    this.list.replaceChildren(...chips);
    this.reveal();
    if (focused) [...this.list.querySelectorAll('button')].find(b => b.dataset.stage === focused.stage && b.dataset.fold === focused.fold)?.focus();
  }

  /** On a phone the chips are one row, which is moved to where the chosen one is. */
  reveal() {
    const chosen = this.list.querySelector('[aria-pressed=true]')?.closest('li');
    if (chosen && this.list.scrollWidth > this.list.clientWidth) this.list.scrollLeft = chosen.offsetLeft - this.list.offsetLeft - (this.list.clientWidth - chosen.offsetWidth) / 2;
  }

  // Returns where the passes end that follow each other from n on and changed nothing. The chosen one is never among them.
  idleUntil(n) {
    const idle = i => {
      const s = this.compiled?.stages[i];
      return s && !s.added && !s.removed && this.chosen !== i;
    };
    while (n <= this.passes.length && idle(n)) n++;
    return n;
  }

  fold(from, end, key, open) {
    const names = this.passes.slice(from - 1, end - 1).map(headOf).join(', ');
    return h('li', {}, h('button', { type: 'button', className: 'chip idle', 'data-fold': String(from), 'aria-expanded': String(open), title: names,
      onclick: () => { if (open) this.unfolded.delete(key); else this.unfolded.add(key); this.drawChips(); } }, open ? 'fold' : `${end - from} changed nothing`));
  }

  resultChip() {
    return h('li', {}, h('button', { type: 'button', className: 'chip', 'data-stage': 'result', 'aria-pressed': String(this.chosen === null), title: 'What all passes make of the program',
      onclick: () => this.selectResult(),
      onkeydown: e => { if (e.key === 'ArrowLeft' && !e.altKey) { e.preventDefault(); this.step(-1); } } }, h('span', {}, 'result')));
  }

  chip(n, name) {
    const c = this.compiled;
    const done = c?.stages[n];
    let state = '', badge = null;
    if (c && n > 0 && c.failed === n) {
      state = 'failed';
      badge = h('small', {}, 'failed');
    } else if (n > 0 && done) {
      if (done.added || done.removed) badge = h('small', {}, h('ins', {}, '+' + done.added), ' ', h('del', {}, '−' + done.removed));
      else { state = 'idle'; badge = h('small', {}, 'no change'); }
    } else if (n > 0 && c) {
      state = 'waiting';
    }
    const chosen = n === this.chosen;
    const title = n === 0 ? 'The program as you wrote it' : (this.catalog.get(name)?.summary || this.passes[n - 1]);
    const button = h('button', {
      type: 'button', className: 'chip ' + state, 'data-stage': String(n), 'aria-pressed': String(chosen), title, draggable: n > 0,
      onclick: () => this.select(n),
      onkeydown: e => this.key(e, n),
      ondragstart: e => { e.dataTransfer.setData('text/x-pass', String(n)); e.dataTransfer.effectAllowed = 'move'; },
      ondragover: e => { if (e.dataTransfer.types.includes('text/x-pass')) e.preventDefault(); },
      ondrop: e => { e.preventDefault(); this.move(+e.dataTransfer.getData('text/x-pass'), Math.max(n, 1)); },
    }, h('span', {}, name), badge);
    return h('li', {}, button);
  }

  key(e, n) {
    if (e.key === 'Delete' && n > 0) this.remove(n);
    else if (e.altKey && e.key === 'ArrowLeft' && n > 0) this.move(n, n - 1);
    else if (e.altKey && e.key === 'ArrowRight' && n > 0) this.move(n, n + 1);
    else if (e.key === 'ArrowLeft' && !e.altKey) this.step(-1);
    else if (e.key === 'ArrowRight' && !e.altKey) this.step(1);
    else return;
    e.preventDefault();
    e.stopPropagation();
  }

  drawAbout() {
    const n = this.chosen;
    this.about.hidden = !n;
    if (!n) {
      this.about.replaceChildren();
      return;
    }
    const text = this.passes[n - 1], name = headOf(text), pass = this.catalog.get(name);
    const open = [...this.about.querySelectorAll('details[open]')].map(d => d.dataset.part);
    const nodes = [];
    const buttons = h('span', { className: 'buttons' },
      h('button', { type: 'button', onclick: () => this.move(n, n - 1), disabled: n === 1, title: 'Run it earlier (Alt+←)', 'aria-label': 'Run it earlier' }, '←'),
      h('button', { type: 'button', onclick: () => this.move(n, n + 1), disabled: n === this.passes.length, title: 'Run it later (Alt+→)', 'aria-label': 'Run it later' }, '→'),
      pass?.pipeline && h('button', { type: 'button', onclick: () => this.onExpand(n, text), title: 'Replace it by the passes that it stands for' }, 'Take apart'),
      h('button', { type: 'button', onclick: () => this.remove(n), title: 'Remove it (Delete)' }, 'Remove'));
    nodes.push(h('p', {}, buttons, h('b', {}, name), pass ? prose(h('span', {}), ': ' + pass.summary + (pass.summary.endsWith('.') ? '' : '.')) : ''));
    if (pass?.description) {
      nodes.push(h('details', { 'data-part': 'more', open: open.includes('more') }, h('summary', {}, 'More about it'), ...paragraphs(pass.description)));
    }
    if (pass?.options?.length && isPass(text)) {
      const given = optionsOf(text);
      nodes.push(h('details', { 'data-part': 'options', open: open.includes('options') },
        h('summary', {}, plural(pass.options.length, 'option', 'options'), given.size ? `, ${given.size} set: ` : '', given.size ? h('code', {}, [...given].map(([k, v]) => v === true ? k : `${k}=${v}`).join(' ')) : ''),
        h('div', { className: 'options' }, ...pass.options.map(o => this.option(n, o, given)))));
    } else if (!pass) {
      nodes.push(h('p', {}, h('code', {}, text)));
    }
    this.about.replaceChildren(...nodes);
  }

  option(n, o, given) {
    const value = given.get(o.name);
    const set = v => {
      const text = this.passes[n - 1], options = optionsOf(text);
      if (v === null) options.delete(o.name); else options.set(o.name, v);
      this.replace(n, elementOf(headOf(text), options));
    };
    let input;
    if (o.kind === 'bool') {
      const def = o.default === 'true';
      input = h('input', { type: 'checkbox', checked: value === undefined ? def : value === true || value === 'true' || value === '1',
        onchange: e => set(e.target.checked === def ? null : e.target.checked ? true : 'false') });
    } else if (o.cases?.length) {
      input = h('select', { onchange: e => set(e.target.value === (o.default || '') ? null : e.target.value) },
        !o.cases.some(c => c.name === (value ?? o.default ?? '')) && h('option', { value: value ?? o.default ?? '' }, value ?? o.default ?? ''),
        ...o.cases.map(c => h('option', { value: c.name, title: c.help || '' }, c.name)));
      input.value = value ?? o.default ?? '';
    } else {
      input = h('input', { type: o.kind === 'int' || o.kind === 'uint' ? 'number' : 'text', value: value === true ? '' : value ?? '', placeholder: o.default || '',
        onchange: e => set(e.target.value === '' ? null : e.target.value) });
    }
    return h('label', { className: 'option' }, h('span', {}, h('code', {}, o.name), ' ', input), prose(h('small', {}), o.help));
  }
}

/** Markdown of descriptions as far as they use it: paragraphs, code and lists. */
function paragraphs(text) {
  return text.trim().split(/\n\n+/).map(part => {
    if (/^(    |```)/.test(part)) return h('pre', {}, part.replace(/^```.*\n?|```$/gm, ''));
    if (/^[-*] /.test(part)) return h('ul', {}, ...part.split(/\n(?=[-*] )/).map(item => prose(h('li', {}), item.slice(2).replace(/\s+/g, ' '))));
    return prose(h('p', {}), part.replace(/\s+/g, ' '));
  });
}
