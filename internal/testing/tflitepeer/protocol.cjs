// What the scripts of all libraries share, which stands in front of each.
//
// Standard input has requests, and standard output the answers, both as numbers of 32 bits and bytes. A request is the length of
// a model and the model, and for each execution, whose number comes first, the number of inputs, and the length and the bytes of each.
// An answer is 0, and for each execution the number of outputs and the length and the bytes of each; or 1, and the length and the text of an error.
'use strict';
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

/** Answers requests by what executes a model on lists of inputs. failure is what the library has said of an error, if anything. */
async function serve(answer, failure) {
  for (;;) {
    const model = await bytes();
    const executions = await some(() => some(bytes));
    try {
      const results = await answer(model, executions);
      process.stdout.write(Buffer.concat([encoded(0), ...results.flatMap(r => [encoded(r.length), ...r.flatMap(d => [encoded(d.length), d])])]));
    } catch (e) {
      const text = Buffer.from(failure() || String(e && e.message || e));
      process.stdout.write(Buffer.concat([encoded(1), encoded(text.length), text]));
    }
  }
}

/** Ends the process with an error that is none of a model. */
const fail = e => { console.error(e); process.exit(1); };
