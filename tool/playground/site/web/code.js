// An editor for programs, or a view of one: a textarea, so that the browser's keys, selection,
// search and screen readers work, over which only the lines in sight are drawn in colour.

import { highlight } from './highlight.js';

const lineHeight = 20; // as in the style sheet, in pixels
const longest = 2000; // characters of a line that are drawn in colour
const inset = 4; // above the first line, in pixels
const lane = 34; // width of the lane of a path

/** How long the word is at a column, at least 1. */
const wordAt = (text, column) => text.slice(column).match(/^[%@!#^]?[\w$.-]*/)[0].length || 1;

/**
 * A mark of a line: {line, kind, sign, note, column, length}. kind becomes a class, sign stands
 * in the margin, note behind the line, and column and length are what is underlined.
 */
export class Code {
  constructor(host, { label, readOnly = false, onInput = () => {}, onPoint = () => {} }) {
    this.host = host;
    this.onPoint = onPoint; // is told the line that the pointer or the cursor is at, 0 for none
    this.hot = new Set();
    host.classList.add('code');
    host.innerHTML = '<div class="gutter" aria-hidden="true"></div><div class="body"><div class="drawn" aria-hidden="true"></div></div>';
    [this.gutter, this.body] = host.children;
    this.drawn = this.body.firstChild;
    this.area = document.createElement('textarea');
    Object.assign(this.area, { readOnly, wrap: 'off', spellcheck: false, autocomplete: 'off' });
    this.area.setAttribute('autocapitalize', 'off');
    this.area.setAttribute('aria-label', label);
    this.body.append(this.area);
    this.path = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
    this.path.setAttribute('class', 'path');
    this.marks = new Map();
    this.numbers = null;
    this.set('');
    this.area.addEventListener('input', () => { this.changed(); onInput(); });
    this.area.addEventListener('scroll', () => this.draw());
    this.area.addEventListener('mousemove', e => this.point(Math.floor((e.offsetY - inset + this.area.scrollTop) / lineHeight) + 1));
    this.area.addEventListener('mouseleave', () => this.point(0));
    for (const event of ['keyup', 'click']) this.area.addEventListener(event, () => this.point(this.cursor()));
    this.area.addEventListener('blur', () => this.point(0));
    new ResizeObserver(() => this.draw()).observe(host);
  }

  get text() { return this.area.value; }

  /** Shows a text. numbers are what stands in the margin instead of the numbers of lines. */
  set(text, { numbers = null, marks = [] } = {}) {
    if (this.area.value !== text) this.area.value = text;
    this.numbers = numbers;
    this.changed(marks);
  }

  changed(marks) {
    this.lines = this.area.value.split('\n');
    this.hot.clear();
    const last = this.numbers ? Math.max(...this.numbers.filter(Number), 1) : this.lines.length;
    this.digits = Math.max(String(last).length, 2);
    if (marks) this.mark(marks); else this.draw();
  }

  /** Replaces all marks, and forgets the path. */
  mark(list) {
    this.marks = new Map();
    for (const m of list) {
      if (!m.line) continue;
      if (!this.marks.has(m.line)) this.marks.set(m.line, []);
      this.marks.get(m.line).push(m);
    }
    this.steps = null;
    this.draw();
  }

  /** Draws a path through lines, in this order, each with a note, beside other marks. */
  showPath(steps, others = []) {
    this.mark(others.concat(steps.map((s, i) => ({ line: s.line, kind: 'step ' + (s.kind || ''), note: `${i + 1}  ${s.text}`, column: s.column, length: s.length }))));
    this.steps = steps.filter(s => s.line);
    this.draw();
  }

  /** The line of the cursor. */
  cursor() { return this.area.value.slice(0, this.area.selectionStart).split('\n').length; }

  point(line) {
    if (line > this.lines.length) line = 0;
    if (line === this.pointed) return;
    this.pointed = line;
    this.onPoint(line);
  }

  /** Sets off lines; if none of them is in sight and follow is set, scrolls to the first. */
  heat(lines, follow = false) {
    if (!lines.length && !this.hot.size) return;
    this.hot = new Set(lines);
    if (follow && lines.length) {
      const { scrollTop, clientHeight } = this.area;
      const seen = l => (l - 1) * lineHeight >= scrollTop && l * lineHeight <= scrollTop + clientHeight;
      if (!lines.some(seen)) this.area.scrollTop = (lines[0] - 1) * lineHeight - clientHeight / 3;
    }
    this.draw();
  }

  /** Scrolls to a line and, if asked to, chooses what is there. */
  reveal(line, column, length, focus = false) {
    const top = (line - 1) * lineHeight;
    const { scrollTop, clientHeight } = this.area;
    if (top < scrollTop + lineHeight || top > scrollTop + clientHeight - 3 * lineHeight) {
      this.area.scrollTop = top - clientHeight / 3;
    }
    if (focus) {
      let at = column || 0;
      for (let i = 0; i < line - 1 && i < this.lines.length; i++) at += this.lines[i].length + 1;
      this.area.focus({ preventScroll: true });
      this.area.setSelectionRange(at, at + (length || 0));
    }
    this.flash = line;
    this.draw();
    clearTimeout(this.flashing);
    this.flashing = setTimeout(() => { this.flash = 0; this.draw(); }, 1500);
  }

  draw() {
    if (this.waiting) return;
    this.waiting = requestAnimationFrame(() => { this.waiting = 0; this.drawNow(); });
  }

  drawNow() {
    const { scrollTop, scrollLeft, clientHeight, clientWidth } = this.area;
    const first = Math.floor(scrollTop / lineHeight);
    const end = Math.min(this.lines.length, first + Math.ceil(clientHeight / lineHeight) + 1);
    const shift = first * lineHeight - scrollTop;
    const code = document.createDocumentFragment();
    const margin = document.createDocumentFragment();
    for (let i = first; i < end; i++) {
      const marks = this.marks.get(i + 1) || [];
      code.append(this.line(i, marks, scrollLeft, clientWidth));
      const number = document.createElement('div');
      number.className = 'line ' + marks.map(m => m.kind).join(' ') + (this.hot.has(i + 1) ? ' hot' : '');
      const sign = marks.find(m => m.sign);
      number.textContent = (sign ? sign.sign : ' ') + String(this.numbers ? this.numbers[i] : i + 1).padStart(this.digits);
      margin.append(number);
    }
    this.drawn.replaceChildren(code);
    this.drawn.style.transform = `translate(${-scrollLeft}px, ${shift}px)`;
    const box = document.createElement('div');
    box.style.transform = `translateY(${shift}px)`;
    box.append(margin);
    this.gutter.replaceChildren(box);
    this.gutter.style.width = `calc(${this.digits + 2}ch + ${this.steps ? lane : 6}px)`;
    if (this.steps) {
      this.drawPath(scrollTop);
      this.gutter.append(this.path);
    }
  }

  line(i, marks, scrollLeft, width) {
    const text = this.lines[i];
    const node = document.createElement('div');
    node.className = 'line ' + marks.map(m => m.kind).join(' ') + (this.flash === i + 1 ? ' flash' : '') + (this.hot.has(i + 1) ? ' hot' : '');
    if (text.length <= longest) {
      highlight(node, text);
    } else {
      // Of a long line only what is in sight.
      const ch = this.area.scrollWidth / Math.max(...this.lines.map(l => l.length));
      const from = Math.max(0, Math.floor(scrollLeft / ch) - 20);
      const part = document.createElement('span');
      part.style.marginLeft = from + 'ch';
      part.textContent = text.slice(from, from + Math.ceil(width / ch) + 60);
      node.append(part);
    }
    for (const m of marks) {
      const length = m.length || (m.column === undefined ? 0 : wordAt(text, m.column));
      if (length) {
        const under = document.createElement('span');
        under.className = 'under';
        under.style.left = `calc(${m.column || 0}ch + var(--inset))`;
        under.style.width = length + 'ch';
        node.append(under);
      }
      if (m.note) {
        const note = document.createElement('span');
        note.className = 'note';
        note.textContent = m.note;
        node.append(note);
      }
    }
    return node;
  }

  drawPath(scrollTop) {
    const y = s => (s.line - 0.5) * lineHeight - scrollTop;
    const dots = new Map();
    this.steps.forEach((s, i) => dots.set(s.line, [...(dots.get(s.line) || []), i + 1]));
    let svg = '';
    this.steps.forEach((s, i) => {
      const from = this.steps[i - 1];
      if (!from || from.line === s.line) return;
      const down = s.line > from.line;
      const bend = down ? 0 : 12; // what goes back up, as loops do, goes around
      svg += `<path class="${down ? '' : 'back'}" d="M17 ${y(from)} C${17 - bend} ${y(from)} ${17 - bend} ${y(s)} 17 ${y(s)}"/>`;
    });
    for (const [line, steps] of dots) {
      const kind = this.steps[steps[steps.length - 1] - 1].kind || '';
      const label = steps.length > 2 ? steps[0] + '…' : steps.join(',');
      svg += `<g class="${kind}"><rect x="${17 - 5 - 3.5 * label.length}" y="${y({ line }) - 8}" width="${10 + 7 * label.length}" height="16" rx="8"/><text x="17" y="${y({ line }) + 4}">${label}</text></g>`;
    }
    this.path.innerHTML = svg;
  }
}
