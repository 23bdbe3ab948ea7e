// The engine as the page sees it: questions that are answered in turn, and can be stopped.

/** The error of a question that a newer one made pointless. */
export class Superseded extends Error {}

/** The error of a question that was stopped. */
export class Stopped extends Error {}

export class Engine {
  /** onState is told {state: 'loading' | 'ready' | 'working' | 'broken', progress, error}. */
  constructor(onState) {
    this.onState = onState;
    this.queue = [];
    this.count = 0;
    this.module = this.load();
    this.module.catch(e => onState({ state: 'broken', error: e.message }));
    this.start();
  }

  // The engine is compressed in the file itself, so that any server of files will do.
  async load() {
    const response = await fetch('engine.bin');
    if (!response.ok) throw new Error(`engine.bin: ${response.status}`);
    const size = +response.headers.get('Content-Length');
    let got = 0;
    const counted = new TransformStream({
      transform: (chunk, out) => {
        got += chunk.length;
        if (size) this.onState({ state: 'loading', progress: got / size });
        out.enqueue(chunk);
      },
    });
    const wasm = response.body.pipeThrough(counted).pipeThrough(new DecompressionStream('gzip'));
    return WebAssembly.compileStreaming(new Response(wasm, { headers: { 'Content-Type': 'application/wasm' } }));
  }

  start() {
    const worker = new Worker('worker.js');
    this.worker = worker;
    this.ready = false;
    worker.onmessage = ({ data }) => {
      if (data.ready) {
        this.ready = true;
        this.onState({ state: 'ready' });
        this.next();
      } else if (data.dead) {
        this.crash(data.dead);
      } else if (this.current && data.id === this.current.id) {
        const { resolve } = this.current;
        this.current = null;
        resolve(JSON.parse(data.answer));
        this.next();
      }
    };
    worker.onerror = e => this.crash(e.message);
    this.module.then(module => worker.postMessage({ module }), () => {});
  }

  /**
   * Asks, and promises the answer. A question replaces one of the same key that waits.
   */
  ask(request, key = request.do) {
    return new Promise((resolve, reject) => {
      this.queue = this.queue.filter(q => {
        if (q.key !== key) return true;
        q.reject(new Superseded());
        return false;
      });
      this.queue.push({ id: ++this.count, key, request, resolve, reject });
      this.next();
    });
  }

  next() {
    if (!this.ready) return;
    if (this.current) return;
    this.current = this.queue.shift();
    if (!this.current) return this.onState({ state: 'ready' });
    this.current.since = performance.now();
    this.worker.postMessage({ id: this.current.id, request: JSON.stringify(this.current.request) });
    this.onState({ state: 'working', request: this.current.request });
  }

  /** What is being computed, or undefined, and for how long, in milliseconds. */
  get busy() { return this.current && { key: this.current.key, time: performance.now() - this.current.since }; }

  /** Ends what is being computed and all that waits, and starts anew. */
  stop(error = new Stopped('stopped')) {
    const all = [this.current, ...this.queue].filter(Boolean);
    this.current = null;
    this.queue = [];
    this.worker.terminate();
    this.start();
    for (const q of all) q.reject(error);
  }

  crash(why) {
    const limit = /out of memory|stack|exceeds/.test(why);
    this.stop(new Error(limit ? 'The browser has no more memory for this.' : 'The engine failed: ' + why));
  }
}
