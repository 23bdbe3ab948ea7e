// A chapter of the tutorial beside the program.

import { h } from './dom.js';
import { command } from './element.js';
import { highlight } from './highlight.js';

export class Chapter {
  /**
   * open gets a program and what is done to it: {name, source, commands}; known tells which names
   * are passes; find returns the text of a program that isn't the chapter's own, or undefined.
   */
  constructor(host, { open, known, find }) {
    Object.assign(this, { host, open, known, find });
    this.name = '';
  }

  close() {
    this.host.hidden = true;
    this.name = '';
    document.body.classList.remove('reading');
  }

  /** Shows chapter p, which is one of all. */
  show(p, all, choose) {
    this.name = p.name;
    this.host.hidden = false;
    document.body.classList.add('reading');
    const i = all.indexOf(p);
    const body = h('div', { className: 'prose' });
    body.innerHTML = p.chapter; // made from the documentation when the playground was built
    for (const pre of body.querySelectorAll('pre')) pre.tabIndex = 0; // wide ones are scrolled, also by keys
    const files = new Map(); // programs by the names of their files: {name, source, commands}
    for (const code of body.querySelectorAll('pre > code')) {
      const text = code.textContent, pre = code.parentElement;
      const kind = code.className.replace('language-', '');
      if (kind === 'mlir') {
        code.replaceChildren();
        text.replace(/\n$/, '').split('\n').forEach((line, n) => { if (n) code.append('\n'); highlight(code, line); });
        const name = fileOf(pre);
        if (!name) continue;
        const program = { name, source: text, commands: [] };
        files.set(name, program);
        pre.after(this.button('Open ' + name, program));
      } else if (kind === 'console') {
        const buttons = [];
        for (const line of text.replace(/\\\n\s*/g, ' ').split('\n').filter(l => l.startsWith('$ '))) {
          const c = command(line, this.known);
          const from = c && (files.get(c.file) || this.example(c.file));
          if (!from) continue;
          const program = { name: from.name, source: from.source, commands: [...from.commands, c] };
          if (c.out) files.set(c.out, program);
          buttons.push(this.button('Try: ' + line.slice(2), program));
        }
        pre.after(...buttons);
      }
    }
    for (const a of body.querySelectorAll('a[href]')) {
      const to = a.getAttribute('href');
      if (/^https?:/.test(to)) continue;
      const other = all.find(x => to === x.name);
      a.replaceWith(other ? h('button', { type: 'button', className: 'link', onclick: () => choose(other) }, ...a.childNodes) : h('span', {}, ...a.childNodes));
    }
    const nav = h('p', { className: 'bar' },
      h('button', { type: 'button', onclick: () => choose(all[i - 1]), disabled: i === 0 }, '← before'),
      h('span', { className: 'quiet' }, `chapter ${i + 1} of ${all.length}`),
      h('button', { type: 'button', onclick: () => choose(all[i + 1]), disabled: i === all.length - 1 }, 'next →'),
      h('span', { className: 'spring' }),
      h('button', { type: 'button', onclick: () => this.close(), 'aria-label': 'Close the tutorial' }, 'Close'));
    this.host.replaceChildren(nav, body, nav.cloneNode(false));
    this.host.lastChild.append(...[i + 1 < all.length ? h('button', { type: 'button', onclick: () => choose(all[i + 1]) }, 'next: ' + all[i + 1].title) : '']);
    this.host.scrollTop = 0;
    return files.values().next().value;
  }

  /** A program of the list, which the chapter names by its path. */
  example(path) {
    const name = path?.startsWith('examples/') && path.slice('examples/'.length);
    const source = name && this.find(name);
    return source ? { name, source, commands: [] } : undefined;
  }

  button(text, what) {
    return h('button', { type: 'button', className: 'try', onclick: () => this.open(what) }, text);
  }
}

/** Returns the name of the file that a comment before a block of code tells, or null. */
function fileOf(pre) {
  for (let n = pre.previousSibling; n && n.nodeType !== Node.ELEMENT_NODE; n = n.previousSibling) {
    const m = n.nodeType === Node.COMMENT_NODE && n.data.match(/^\s*file:\s*(\S+)/);
    if (m) return m[1];
  }
  return null;
}
