#!/usr/bin/env bash
# LiteRT.js: a model whose result is the shape of its argument gives what happened to be in memory.
#
# SHAPE and RANK, and RANGE of constants, are computed when the model is prepared, into memory that the interpreter allocates by itself; what
# run hands out is another buffer, which nothing writes. The model is SHAPE of an argument with the sizes 2 and 3, and for comparison SHAPE with a
# sum of itself behind it. There is no error.
# Seen in @litertjs/core 2.5.3 of npm, with the kernels that it chooses by itself; the model is written with flatbuffers 25.2.10.
source "$(dirname "$0")/npm.bash"
need @litertjs/core@2.5.3 flatbuffers@25.2.10
cat >main.cjs <<'PROGRAM'
const fs = require('fs');
const { Builder } = require('flatbuffers');

// A model, by the places of the fields in TensorFlow Lite's schema.
function model(sum) {
  const b = new Builder(1024);
  const offsets = list => { b.startVector(4, list.length, 4); [...list].reverse().forEach(o => b.addOffset(o)); return b.endVector(); };
  const ints = list => { b.startVector(4, list.length, 4); [...list].reverse().forEach(n => b.addInt32(n)); return b.endVector(); };
  const table = (n, fields) => { b.startObject(n); fields(); return b.endObject(); };
  const buffers = offsets([table(3, () => {})]);
  const tensor = (name, shape, type) => { const s = ints(shape), t = b.createString(name); return table(5, () => { b.addFieldOffset(0, s, 0); b.addFieldInt8(1, type, 0); b.addFieldOffset(3, t, 0); }); };
  const float = 0, int32 = 2;
  const tensors = offsets([tensor('x', [2, 3], float), tensor('shape', [2], int32), tensor('sum', [2], int32)]);
  const operator = (code, kind, inputs, outputs, options) => { const i = ints(inputs), o = ints(outputs), t = options(); return table(5, () => { b.addFieldInt32(0, code, 0); b.addFieldOffset(1, i, 0); b.addFieldOffset(2, o, 0); b.addFieldInt8(3, kind, 0); b.addFieldOffset(4, t, 0); }); };
  const list = [operator(0, 55, [0], [1], () => table(1, () => b.addFieldInt8(0, int32, 0)))];
  if (sum) list.push(operator(1, 11, [1, 1], [2], () => table(2, () => {})));
  const operators = offsets(list);
  const inputs = ints([0]), outputs = ints([sum ? 2 : 1]), main = b.createString('main');
  const graphs = offsets([table(5, () => { b.addFieldOffset(0, tensors, 0); b.addFieldOffset(1, inputs, 0); b.addFieldOffset(2, outputs, 0); b.addFieldOffset(3, operators, 0); b.addFieldOffset(4, main, 0); })]);
  const code = n => table(4, () => { b.addFieldInt8(0, n, -1); b.addFieldInt32(2, 1, 0); b.addFieldInt32(3, n, -1); });
  const codes = offsets([code(77), code(0)]); // SHAPE and ADD
  const root = table(5, () => { b.addFieldInt32(0, 3, 0); b.addFieldOffset(1, codes, 0); b.addFieldOffset(2, graphs, 0); b.addFieldOffset(4, buffers, 0); });
  b.finish(root, 'TFL3');
  return b.asUint8Array();
}

(async () => {
  const folder = process.cwd() + '/node_modules/@litertjs/core/wasm/', name = 'litert_wasm_compat_internal';
  Object.assign(globalThis, { self: globalThis, require, __dirname: folder, __filename: folder + name });
  const make = require('vm').runInThisContext(fs.readFileSync(folder + name + '.js', 'utf8') + ';ModuleFactory');
  const errors = [];
  const m = await make({ wasmBinary: fs.readFileSync(folder + name + '.wasm'), print: () => {}, printErr: s => { if (s.startsWith('ERROR')) errors.push(s); } });
  m.setupLogging();
  const env = m.LiteRtEnvironment.create(null);
  for (const sum of [false, true]) {
    const file = model(sum), at = m._malloc(file.length);
    m.HEAPU8.set(file, at);
    const loaded = m.loadModel(env, at, file.length);
    const compiled = await m.compileModel(env, loaded, { environment: null, accelerator: 'wasm', cpuOptions: { numThreads: 1 } });
    const x = m.LiteRtTensorBuffer.createManaged(env, m.LiteRtTensorBufferType.HOST_MEMORY, loaded.getInputTensorType(0, 0), 24);
    const [y] = await compiled.run(0, [x]);
    const start = y.lock(m.LiteRtTensorBufferLockMode.READ), found = [...new Int32Array(m.HEAPU8.slice(start, start + 8).buffer)];
    const right = String(found) === (sum ? '4,6' : '2,3');
    console.log(`${sum ? 'the shape and itself added' : 'the shape'}: ${right ? found : 'not the sizes'}, ${errors.length} errors`);
  }
})();
PROGRAM
node main.cjs | tee out
diff out - <<'OUT'
the shape: not the sizes, 0 errors
the shape and itself added: 4,6, 0 errors
OUT
echo 'as found: a shape is no result'
