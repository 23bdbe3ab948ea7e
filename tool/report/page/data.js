// ---- What is shown: see package report for the form of the data.

const el = (id) => document.getElementById(id);
const unpack = async () => {
  const letters = atob(el('data').textContent), packed = new Uint8Array(letters.length);
  for (let i = 0; i < letters.length; i++) packed[i] = letters.charCodeAt(i);
  return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'))).json();
};
const page = await unpack();
const text = (n) => page.strings[n] || '';
const fileOf = (p) => text(page.places[p][0]);
const lineOf = (p) => page.places[p][1];
const sourceOf = (p) => page.places[p][2];
// unitOf is what a place is one of: a line, or, where the source is no text, an operator.
const unitOf = (p) => page.places[p][5] ? 'operator' : 'line';

// values are what whoever reads the page says of sizes that aren't known, by their texts.
const values = new Map();
const valueOf = (symbol) => values.get(symbol) ?? page.example;

// measure is a number of bytes; sizes that depend on what isn't known are lists of a number and of terms.
const measure = (size, f) => {
  if (typeof size === 'number') return size;
  let sum = size[0];
  for (const [times, ...symbols] of size.slice(1)) sum += symbols.reduce((x, s) => x * valueOf(f.symbols[s]), times);
  return sum;
};
const isKnown = (size) => typeof size === 'number';

const kinds = { b: 'buffer', t: 'tensor', c: 'call', a: 'argument', k: 'constant' };
const unfoldRow = (list) => {
  const [k, name, op, type, p, space, group, size, y, flags, cause, arena, spans] = list, x = [], holds = [];
  for (let i = 13; i < list.length; i += 2) (i < 13 + 2 * spans ? x : holds).push([list[i], list[i + 1]]);
  return { k: kinds[k], c: k === 'c', name, op, type, p, space, group, size, y, leaked: !!(flags & 1), written: !!(flags & 2), filled: !!(flags & 4), cause, arena, x, holds, s: 0, unfolded: false };
};

// summed is how many bytes of some rows are alive at each step.
function summed(f, wanted) {
  const n = f.steps.length, changes = new Float64Array(n + 1), out = new Float64Array(n);
  for (const r of f.rows) if (wanted(r)) for (const [a, b] of r.x) { changes[a] += r.s; changes[b] -= r.s; }
  let sum = 0;
  for (let i = 0; i < n; i++) { sum += changes[i]; out[i] = sum; }
  return out;
}

// highest is the first step from one to before another at which a curve is the highest.
function highest(curve, from, to) {
  let best = from;
  for (let i = from; i < to; i++) if (curve[i] > curve[best]) best = i;
  return best;
}

// prepare measures the rows of a function, and adds up what is alive at each step.
function prepare(f) {
  for (const r of f.rows) r.s = measure(r.size, f);
  for (const r of f.always) r.s = measure(r.size, f);
  f.curve = summed(f, (r) => !r.arena);
  // inUse leaves out what is free in arenas.
  f.inUse = f.arenas ? summed(f, (r) => !r.unfolded) : f.curve;
  const top = highest(f.curve, 0, f.curve.length);
  if (f.dynamic) placeRows(f);
  const peaks = f.peaks.map((p) => ({ bytes: measure(p.size, f), step: p.step, size: p.size }));
  f.peak = peaks.reduce((a, b) => b.bytes > a.bytes ? b : a, peaks[0] || { bytes: 0, step: 0, size: 0 });
  // A peak of which only one alternative is alive is below the sum of the rows, which is drawn.
  f.peakStep = f.steps.length ? f.peak.step : 0;
  f.top = Math.max(f.curve[top] || 0, f.peak.bytes);
  f.height = Math.max(f.arena, ...(f.dynamic ? [f.top] : []), 1);
  if (f.dynamic) for (const r of f.rows) f.height = Math.max(f.height, r.y + r.s);
}

// placeRows gives rows places in one arena, the largest first, each as low as it fits: where sizes aren't known, nobody has planned.
const mostPlaced = 3000;
function placeRows(f) {
  const rows = f.rows.filter((r) => !r.arena && r.s > 0).sort((a, b) => b.s - a.s).slice(0, mostPlaced), placed = [];
  for (const r of rows) {
    const others = placed.filter((o) => o.x.some(([a, b]) => r.x.some(([c, d]) => a < d && c < b))).sort((a, b) => a.y - b.y);
    let y = 0;
    for (const o of others) { if (o.y >= y + r.s) break; y = Math.max(y, o.y + o.s); }
    r.y = y;
    placed.push(r);
  }
}

for (const v of page.views) {
  for (const f of v.functions) {
    f.rows = f.rows.map(unfoldRow); f.always = f.always.map(unfoldRow); f.symbols ||= [];
    f.rows.forEach((r) => { if (r.arena) f.rows[r.arena - 1].unfolded = true; });
    f.view = v;
    prepare(f);
  }
}
// programOf is the file of a function.
const programOf = (f) => fileOf(f.steps.find((s) => s[1])?.[1] || 0);
const aliveIn = (f, step) => f.rows.filter((r) => r.s > 0 && !r.unfolded && r.x.some(([a, b]) => a <= step && step < b));
