// Runs models with the reference kernels of LiteRT.js, in the folder in which @litertjs/core is installed.
//
// LiteRT can be told which kernels to use, but not through its JavaScript interface, so what is loaded is changed. Options go through the
// library as text, which begins with the number of threads: kernel_mode, which leaves XNNPACK out, is added to the format of that text.
// Of the two sets of kernels that are built in, the reference kernels are used where a condition holds: that is left out of the code.
const fs = require('fs');
const vm = require('vm');
const folder = process.cwd() + '/node_modules/@litertjs/core/wasm/';
const format = 'num_threads = %d\n';
const condition = 0x80ec35; // where it is in version 2.5.3
let messages = [];

function factory(wasm, make) {
  return make({ locateFile: file => folder + file, wasmBinary: wasm, print: () => {}, printErr: line => messages.push(line) });
}

/** The bytes of a number in the code of WebAssembly. */
function leb128(n) {
  const out = [];
  for (;;) {
    const low = n & 127;
    n >>= 7;
    if (n === 0 && !(low & 64)) return Buffer.from([...out, low]);
    out.push(low | 128);
  }
}

async function load(mode) {
  Object.assign(globalThis, { self: globalThis, require, __dirname: folder, __filename: folder + 'main.js' });
  const make = vm.runInThisContext(fs.readFileSync(folder + 'litert_wasm_compat_internal.js', 'utf8') + ';ModuleFactory');
  const wasm = fs.readFileSync(folder + 'litert_wasm_compat_internal.wasm');
  if (mode === 'xnnpack') return factory(wasm, make);
  const at = Buffer.from((await factory(wasm, make)).HEAPU8.buffer).indexOf(format + '\0');
  const use = wasm.indexOf(Buffer.concat([Buffer.from([0x41]), leb128(at)]));
  const length = wasm.lastIndexOf(Buffer.from([0x41, format.length, 0x36]), use);
  if (at < 0 || use < 0 || length < use - 16) throw new Error('this version of LiteRT.js is not known');
  const text = `${format}kernel_mode = "builtin"\n`;
  wasm[length + 1] = text.length;
  if (mode === 'reference') {
    // local.get 1, i32.eqz, br_if 0 become nops.
    if (wasm.subarray(condition, condition + 5).toString('hex') !== '2001450d00') throw new Error('this version of LiteRT.js is not known');
    wasm.fill(1, condition, condition + 5);
  }
  const m = await factory(wasm, make);
  Buffer.from(m.HEAPU8.buffer).write(text, at, 'latin1');
  return m;
}

function buffer(m, env, type, data) {
  const b = m.LiteRtTensorBuffer.createManaged(env, m.LiteRtTensorBufferType.HOST_MEMORY, type, data.length);
  m.HEAPU8.set(data, b.lock(m.LiteRtTensorBufferLockMode.WRITE));
  b.unlock();
  return b;
}

async function answer(m, env, model, executions) {
  const at = m._malloc(model.length);
  m.HEAPU8.set(model, at);
  const loaded = m.loadModel(env, at, model.length);
  const compiled = await m.compileModel(env, loaded, { environment: null, accelerator: 'wasm', cpuOptions: { numThreads: 1 } });
  const results = [];
  for (const inputs of executions) {
    const buffers = inputs.map((data, i) => {
      const type = loaded.getInputTensorType(0, i);
      const b = buffer(m, env, type, data);
      type.delete();
      return b;
    });
    const outputs = await compiled.run(0, buffers);
    results.push(outputs.map(o => {
      const start = o.lock(m.LiteRtTensorBufferLockMode.READ);
      const data = Buffer.from(m.HEAPU8.slice(start, start + o.packedSize()));
      o.unlock();
      o.delete();
      return data;
    }));
    buffers.forEach(b => b.delete());
  }
  compiled.delete();
  loaded.delete();
  m._free(at);
  return results;
}

(async () => {
  const m = await load(process.argv[2]);
  m.setupLogging();
  const env = m.LiteRtEnvironment.create(null);
  const errors = () => messages.filter(s => /^ERROR/.test(s));
  await serve(async (model, executions) => {
    messages = [];
    const results = await answer(m, env, model, executions);
    // What fails in a kernel is a message, but no exception.
    if (errors().length > 0) throw new Error('failed');
    return results;
  }, () => errors().map(s => s.replace(/^ERROR: (\[[^\]]*\] )?/, '')).join('; '));
})().catch(fail);
