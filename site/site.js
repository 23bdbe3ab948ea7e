// Searches the pages, leads from places that moved to where they are now, and lets the keyboard reach all of a page. Works from files and without a network.
(() => {
  const root = new URL('.', document.currentScript.src);
  const most = 12; // results that are shown
  const around = 70; // characters before and behind what was found
  const field = document.getElementById('search');
  const results = document.getElementById('results');
  let engine;

  // A row of a list may have the name of what it links to, which stood there once.
  const moved = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (moved && moved.matches('span:empty') && moved.nextElementSibling && moved.nextElementSibling.matches('a')) location.replace(moved.nextElementSibling.href);

  // The list of all pages shows where this one is.
  const pages = document.getElementById('pages');
  const here = pages.querySelector('[aria-current]');
  if (here && pages.scrollHeight > pages.clientHeight) pages.scrollTop = here.offsetTop - pages.clientHeight / 2;

  // The keyboard scrolls what is wider than the page.
  const scrollable = () => {
    for (const e of document.querySelectorAll('main pre, main table')) {
      if (e.scrollWidth > e.clientWidth) e.tabIndex = 0;
      else e.removeAttribute('tabindex');
    }
  };
  scrollable();
  addEventListener('resize', scrollable);

  field.form.hidden = false;

  const script = name => new Promise((done, failed) => {
    const s = document.createElement('script');
    s.src = new URL(name, root);
    s.onload = done;
    s.onerror = () => failed(new Error(name));
    document.head.append(s);
  });
  const words = text => text.split(/[^\p{L}\p{N}]+/u).filter(w => w);
  const load = () => engine ??= Promise.all([script('minisearch/minisearch.js'), script('search-index.js')]).then(() => MiniSearch.loadJS(window.searchIndex, {
    fields: ['title', 'page', 'text'], storeFields: ['title', 'page', 'place', 'text'], tokenize: words,
    searchOptions: { boost: { title: 4, page: 2 }, prefix: w => w.length > 2, fuzzy: w => w.length > 4 ? 0.2 : false, tokenize: words },
  }));

  const element = (tag, name, ...children) => {
    const e = document.createElement(tag);
    if (name) e.className = name;
    e.append(...children);
    return e;
  };

  // excerpt is the text around the first word that was found, with all of them marked.
  const excerpt = (text, terms) => {
    const found = new RegExp(terms.map(t => t.replace(/[^\p{L}\p{N}]/gu, '')).filter(t => t).sort((a, b) => b.length - a.length).join('|') || '$^', 'giu');
    const first = Math.max(0, text.search(found));
    const from = first > around ? text.indexOf(' ', first - around) + 1 : 0;
    let to = text.indexOf(' ', first + 2 * around);
    if (to < 0) to = text.length;
    const out = element('span', 'excerpt');
    let at = from;
    for (const m of text.slice(from, to).matchAll(found)) {
      out.append(text.slice(at, from + m.index), element('mark', '', m[0]));
      at = from + m.index + m[0].length;
    }
    out.append(text.slice(at, to));
    if (from > 0) out.prepend('… ');
    if (to < text.length) out.append(' …');
    return out;
  };

  const show = async () => {
    const query = field.value.trim();
    if (!query) return hide();
    let e;
    try {
      e = await load();
    } catch (x) {
      results.hidden = false;
      return results.replaceChildren(element('p', '', 'The index for searching can’t be loaded: ' + x.message));
    }
    if (query !== field.value.trim()) return; // somebody went on typing
    let hits = e.search(query, { combineWith: 'AND' });
    if (!hits.length) hits = e.search(query);
    const list = element('ul');
    for (const h of hits.slice(0, most)) {
      const a = element('a', '', element('strong', '', h.title), h.title === h.page ? '' : element('span', 'page', h.page), excerpt(h.text, h.terms));
      a.href = new URL(h.place, root);
      list.append(element('li', '', a));
    }
    const said = hits.length === 0 ? 'Nothing has these words.' : hits.length === 1 ? 'One place' : `${hits.length} places` + (hits.length > most ? `, the best ${most} of them:` : '');
    results.replaceChildren(element('p', '', said), list);
    results.hidden = false;
  };
  const hide = () => { results.hidden = true; results.replaceChildren(); };

  field.addEventListener('focus', () => load().catch(() => {}));
  field.addEventListener('input', show);
  field.form.addEventListener('submit', e => {
    e.preventDefault();
    const first = results.querySelector('a');
    if (first) first.click();
  });
  document.addEventListener('keydown', e => {
    const links = [field, ...results.querySelectorAll('a')];
    const at = links.indexOf(document.activeElement);
    if (e.key === '/' && !e.ctrlKey && !e.metaKey && !e.altKey && document.activeElement !== field) field.focus();
    else if (e.key === 'Escape' && !results.hidden) { field.focus(); hide(); }
    else if (at >= 0 && !results.hidden && (e.key === 'ArrowDown' || e.key === 'ArrowUp')) links[Math.min(Math.max(at + (e.key === 'ArrowDown' ? 1 : -1), 0), links.length - 1)].focus();
    else return;
    e.preventDefault();
  });
  document.addEventListener('click', e => { if (!e.target.closest('#results, form')) hide(); else if (e.target.closest('#results a')) hide(); });
})();
