// What the scripts about ONNX Runtime share: models of one operator, as bytes, and running them.
// Requires onnxruntime-node from the folder in which it is called.
const { createRequire } = require('module');
const ort = createRequire(process.cwd() + '/')('onnxruntime-node');

// The wire format of protocol buffers: numbers, and fields with a length before them.
const varint = n => { const out = []; for (n = BigInt.asUintN(64, BigInt(n)); n > 127n; n >>= 7n) out.push(Number(n & 127n) | 128); return [...out, Number(n)]; };
const int = (field, n) => [...varint(field * 8), ...varint(n)];
const bytes = (field, data) => [...varint(field * 8 + 2), ...varint(data.length), ...data];
const text = (field, s) => bytes(field, [...Buffer.from(s)]);

const types = { float32: 1, uint8: 2, int8: 3, int32: 6, int64: 7, bool: 9 };
const info = (name, type, dims) => [...text(1, name), ...bytes(2, bytes(1, [...int(1, types[type]), ...(dims ? bytes(2, dims.flatMap(d => bytes(1, int(1, d)))) : [])]))];
const attribute = (name, v) => [...text(1, name), ...(typeof v === 'number' ? [...int(3, v), ...int(20, 2)] : typeof v === 'string' ? [...text(4, v), ...int(20, 3)] : [...v.flatMap(x => int(8, x)), ...int(20, 7)])];

function model(operator, inputs, outputs, attributes, opset) {
  const node = [...Object.keys(inputs).flatMap(n => text(1, n)), ...outputs.flatMap((_, i) => text(2, 'y' + i)), ...text(4, operator), ...Object.entries(attributes).flatMap(([k, v]) => bytes(5, attribute(k, v)))];
  const graph = [...bytes(1, node), ...text(2, 'g'), ...Object.entries(inputs).flatMap(([n, t]) => bytes(11, info(n, t.type, t.dims))), ...outputs.flatMap((type, i) => bytes(12, info('y' + i, type)))];
  return new Uint8Array([...int(1, 8), ...bytes(7, graph), ...bytes(8, [...text(1, ''), ...int(2, opset)])]);
}

/** Runs one operator on the processor, without optimizations of the graph; returns arrays of numbers. */
exports.run = async (operator, inputs, outputs, attributes = {}, opset = 13) => {
  const session = await ort.InferenceSession.create(model(operator, inputs, outputs, attributes, opset), { graphOptimizationLevel: 'disabled' });
  const results = await session.run(inputs);
  return outputs.map((_, i) => Array.from(results['y' + i].data, Number));
};
exports.f32 = (data, dims = [data.length]) => new ort.Tensor('float32', Float32Array.from(data), dims);
exports.i32 = (data, dims = [data.length]) => new ort.Tensor('int32', Int32Array.from(data), dims);
exports.i64 = (data, dims = [data.length]) => new ort.Tensor('int64', BigInt64Array.from(data, BigInt), dims);
