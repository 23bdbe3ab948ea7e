// ---- Lists of rows, of which only those are elements that can be seen.

const moreHeight = 28;

// fold puts rows of a group behind the first of them, until somebody asks for them.
function fold(rows, open, least) {
  if (rows.length <= least) return rows.map((row) => ({ row }));
  const byGroup = new Map();
  for (const r of rows) {
    const list = byGroup.get(r.group);
    if (list) list.push(r); else byGroup.set(r.group, [r]);
  }
  const out = [];
  for (const [group, list] of byGroup) {
    const shown = open.has(group) || list.length <= 2 ? list.length : 1;
    list.slice(0, shown).forEach((row) => out.push({ row }));
    if (shown < list.length) out.push({ more: list.length - shown, group, bytes: list.slice(shown).reduce((s, r) => s + r.s, 0) });
  }
  return out;
}

class List {
  constructor(home, options) {
    this.home = home; this.options = options; this.open = new Set(); this.rows = [];
    this.all = node('div', { class: 'all' });
    this.box = node('div', { class: 'list', role: 'list', tabindex: 0 }, this.all);
    this.box.addEventListener('scroll', () => this.render());
    this.box.addEventListener('keydown', (e) => this.key(e));
    home.replaceChildren(this.box);
  }

  show(rows, empty) {
    this.rows = rows;
    if (rows.length === 0) { this.home.replaceChildren(node('p', { class: 'empty' }, empty)); return; }
    if (!this.box.isConnected) this.home.replaceChildren(this.box);
    this.items = fold(rows, this.open, this.options.least ?? 6);
    let y = 0;
    for (const i of this.items) { i.y = y; i.h = i.row ? this.options.height(i.row) : moreHeight; y += i.h; }
    this.all.style.height = y + 'px';
    this.box.style.height = Math.min(y + 2, this.options.most) + 'px';
    this.render();
  }

  render() {
    if (!this.items) return;
    const top = this.box.scrollTop, bottom = top + this.options.most;
    let lo = 0, hi = this.items.length;
    while (lo < hi) { const mid = (lo + hi) >> 1; if (this.items[mid].y + this.items[mid].h < top) lo = mid + 1; else hi = mid; }
    const out = [];
    for (let k = lo; k < this.items.length && this.items[k].y < bottom; k++) out.push(this.element(this.items[k], k));
    this.all.replaceChildren(...out);
  }

  element(i, k) {
    const at = { style: `top:${i.y}px;height:${i.h}px`, role: 'listitem', 'aria-setsize': this.items.length, 'aria-posinset': k + 1, 'data-k': k, tabindex: -1 };
    if (!i.row) {
      const n = node('div', { ...at, class: 'item more' }, `▸ ${count(i.more)} more like this, ${bytes(i.bytes)} in all`);
      n.addEventListener('click', () => { this.open.add(i.group); this.show(this.rows, ''); });
      return n;
    }
    const n = this.options.item(i.row, at);
    n.addEventListener('click', () => this.options.choose?.(i.row));
    return n;
  }

  key(e) {
    const k = Number(document.activeElement?.dataset?.k ?? -1), to = { ArrowDown: k + 1, ArrowUp: k - 1, Home: 0, End: this.items.length - 1 }[e.key];
    if (e.key === 'Enter' && k >= 0) { document.activeElement.click(); e.preventDefault(); return; }
    if (to === undefined || to < 0 || to >= this.items.length) return;
    e.preventDefault(); e.stopPropagation();
    const i = this.items[to];
    if (i.y < this.box.scrollTop || i.y + i.h > this.box.scrollTop + this.box.clientHeight) this.box.scrollTop = i.y - this.box.clientHeight / 2;
    this.render();
    this.all.querySelector(`[data-k="${to}"]`)?.focus();
  }
}
