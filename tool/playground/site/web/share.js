// Links that hold a program: its state as JSON, compressed, behind the #.

const through = async (bytes, stream) => new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());

/** Returns the fragment of a state. */
export async function toFragment(state) {
  const bytes = await through(new TextEncoder().encode(JSON.stringify(state)), new CompressionStream('deflate-raw'));
  let binary = '';
  for (let i = 0; i < bytes.length; i += 0x8000) binary += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return '#p=' + btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Returns the state of a fragment, or null if there is none; throws if it is damaged. */
export async function fromFragment(fragment) {
  if (!fragment.startsWith('#p=')) return null;
  const binary = atob(fragment.slice(3).replaceAll('-', '+').replaceAll('_', '/'));
  const bytes = await through(Uint8Array.from(binary, c => c.charCodeAt(0)), new DecompressionStream('deflate-raw'));
  const s = JSON.parse(new TextDecoder().decode(bytes));
  if (typeof s.source !== 'string' || !Array.isArray(s.passes) || !s.passes.every(p => typeof p === 'string')) throw new Error('not a program');
  return s;
}
