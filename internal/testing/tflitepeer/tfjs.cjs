// Runs models with TensorFlow Lite as @tensorflow/tfjs-tflite has it, in the folder in which that is installed. It is older than LiteRT.js, and has
// no reference kernels, but it has variables. Standard input and output are those of peer.cjs.
'use strict';
const folder = process.cwd() + '/node_modules/@tensorflow/tfjs-tflite/wasm/';
const messages = [];

function load() {
  Object.assign(globalThis, { self: globalThis });
  const make = require(folder + 'tflite_web_api_cc.js');
  const keep = line => messages.push(String(line));
  return make({ locateFile: file => folder + file, wasmBinary: require('fs').readFileSync(folder + 'tflite_web_api_cc.wasm'), print: keep, printErr: keep });
}

const list = v => Array.from({ length: v.size() }, (_, i) => v.get(i));
const view = t => { const d = t.data(); return new Uint8Array(d.buffer, d.byteOffset, d.byteLength); };

function answer(m, model, executions) {
  const at = m._malloc(model.length);
  m.HEAPU8.set(model, at);
  const made = m.TFLiteWebModelRunner.CreateFromBufferAndOptions(at, model.length, { numThreads: 1, enableProfiling: false, maxProfilingBufferEntries: 1 });
  if (!made.ok()) throw new Error(made.errorMessage());
  const runner = made.value();
  const results = executions.map(inputs => {
    list(runner.GetInputs()).forEach((t, i) => view(t).set(inputs[i]));
    if (!runner.Infer()) throw new Error('failed');
    return list(runner.GetOutputs()).map(t => Buffer.from(view(t)));
  });
  runner.delete();
  m._free(at);
  return results;
}

const pieces = [];
let have = 0, wake = null, ended = false;
process.stdin.on('data', d => { pieces.push(d); have += d.length; if (wake) wake(); });
process.stdin.on('end', () => { ended = true; if (wake) wake(); });
async function read(n) {
  while (have < n) {
    if (ended) process.exit(0);
    await new Promise(resolve => { wake = resolve; });
  }
  const all = Buffer.concat(pieces);
  pieces.length = 0;
  pieces.push(all.subarray(n));
  have -= n;
  return all.subarray(0, n);
}
const number = async () => (await read(4)).readUInt32LE();
const bytes = async () => read(await number());
const encoded = n => { const b = Buffer.alloc(4); b.writeUInt32LE(n); return b; };
const some = async get => { const out = []; for (let n = await number(); n > 0; n--) out.push(await get()); return out; };

(async () => {
  const m = await load();
  for (;;) {
    const model = await bytes();
    const executions = await some(() => some(bytes));
    messages.length = 0;
    try {
      const results = answer(m, model, executions);
      process.stdout.write(Buffer.concat([encoded(0), ...results.flatMap(r => [encoded(r.length), ...r.flatMap(d => [encoded(d.length), d])])]));
    } catch (e) {
      const text = Buffer.from(messages.filter(s => /ERROR/.test(s)).join('; ') || String(e && e.message || e));
      process.stdout.write(Buffer.concat([encoded(1), encoded(text.length), text]));
    }
  }
})().catch(e => { console.error(e); process.exit(1); });
