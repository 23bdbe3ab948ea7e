// Runs the engine. Whoever wants it to stop terminates this worker.

importScripts('wasm_exec.js');

let log = '';
const decoder = new TextDecoder();
globalThis.fs.writeSync = (_, bytes) => {
  log = (log + decoder.decode(bytes)).slice(-4000);
  return bytes.length;
};

globalThis.freeholdReady = () => postMessage({ ready: true });

onmessage = async ({ data }) => {
  if (data.request) {
    postMessage({ id: data.id, answer: globalThis.freehold(data.request) });
    return;
  }
  const go = new Go();
  const instance = await WebAssembly.instantiate(data.module, go.importObject);
  await go.run(instance);
  postMessage({ dead: log || 'the engine ended' });
};
