// Runs models with TensorFlow Lite as @tensorflow/tfjs-tflite has it, in the folder in which that is installed. It is older than LiteRT.js, and has
// no reference kernels, but it has variables.
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

(async () => {
  const m = await load();
  await serve((model, executions) => {
    messages.length = 0;
    return answer(m, model, executions);
  }, () => messages.filter(s => /ERROR/.test(s)).join('; '));
})().catch(fail);
