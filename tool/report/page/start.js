// ---- Keys, search, start.

const redraw = () => { if (state.f) { drawAll(); tables(); } };
function toggle() {
  theme = isDark() ? 'light' : 'dark';
  document.documentElement.style.colorScheme = theme;
  redraw();
}
dark.addEventListener('change', redraw);
el('theme').addEventListener('click', toggle);
el('help').addEventListener('click', () => { el('keys').hidden = !el('keys').hidden; el('help').setAttribute('aria-expanded', String(!el('keys').hidden)); });
if (page.places.some((p) => p[5])) el('search').placeholder = 'name, operation, operator 6';
el('search').addEventListener('input', () => { state.query = el('search').value.trim().toLowerCase(); if (state.f) { map.draw(); tables(); } });
el('limit').addEventListener('input', () => { if (state.f) less(); });
el('below').addEventListener('submit', (e) => e.preventDefault());
el('zoom-in').addEventListener('click', () => state.f && map.zoom(.5, state.step));
el('zoom-out').addEventListener('click', () => state.f && map.zoom(2, state.step));
el('zoom-all').addEventListener('click', () => state.f && map.range(0, state.f.steps.length));
document.addEventListener('keydown', (e) => {
  if (e.target.matches('input, select')) { if (e.key === 'Escape') e.target.blur(); return; }
  if (e.ctrlKey || e.metaKey || e.altKey || !state.f) return;
  const move = (by) => choose(state.f, state.step + by, state.chosen);
  const actions = {
    ArrowLeft: () => move(e.shiftKey ? -10 : -1), ArrowRight: () => move(e.shiftKey ? 10 : 1), p: () => choose(state.f, state.f.peakStep, null),
    '+': () => map.zoom(.7, state.step), '=': () => map.zoom(.7, state.step), '-': () => map.zoom(1 / .7, state.step), 0: () => map.range(0, state.f.steps.length),
    '/': () => el('search').focus(), t: toggle, '?': () => el('help').click(), Escape: () => choose(state.f, state.step, null),
  };
  if (actions[e.key]) { e.preventDefault(); actions[e.key](); }
});
el('functions').hidden = names.length < 2;
for (const n of names) el('function').append(node('option', { value: n }, '@' + n));
el('function').addEventListener('change', () => start(el('function').value));
if (names.length) start(names[0]);
let width = el('map').clientWidth;
new ResizeObserver(() => {
  if (el('map').clientWidth === width) return;
  width = el('map').clientWidth;
  [...curves, map].forEach((c) => c.resize());
}).observe(el('map'));
document.documentElement.dataset.ready = String(Math.round(performance.now()));
