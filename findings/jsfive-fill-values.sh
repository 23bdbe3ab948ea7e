#!/usr/bin/env bash
# jsfive: what was never written in an HDF5 file is undefined, and not the fill value.
#
# The three datasets have the fill value 7. Of part, in chunks of two, the first chunk was written, and of the others nothing. The elements that weren't
# written are 7 for HDF5's own library; here they are undefined, and of a dataset in chunks without any there is an empty list, though its shape says 6. A sum
# over them is NaN or 0.
# Seen in jsfive 0.4.2 of npm; the file is one that python3-h5py 3.7.0 of Debian has written, and it reads sevens.
source "$(dirname "$0")/npm.bash"
need jsfive@0.4.2
cat >main.mjs <<'PROGRAM'
import { gunzipSync } from 'node:zlib';
import { File } from 'jsfive';
const file = gunzipSync(Buffer.from('H4sIAAAAAAACA+v0cHHj5ZLiYgABDg4GFgYBBmTwHwou8KPyYfIJUJoRSndA6RVMMHFGsJwEVFwQaj66upAgV1eQ6v9oAGaPAQuE5mAYBSMReLg6BoDoCChf' +
  'AUqfYEJVV56Rn5MKpAsSi0pA/Lz8vFTk9GlBor2MDGwQvYwwPiQlMzJCBJih6hC0BFipoII8AwvUpeIcDOL1UHlWYPoHyTMxMTFC5B84gEgWYMpmBNMQMQ6oPcyMsJzAg+ayggGJh2A/fxdGsC8h' +
  'YAcffvWw0qSCFb86WL5WYB4Z6ZlQumKDqmMjNV0xMxCXrpiYOqBmM8GlBzBdgcp/RizlP67y/gQ/Kh9WDLCMFpWjYBSMglEwCkbBaPuJdu0nWBNlULSfGBga7IGEAwD0m8cM0A8AAA==', 'base64'));
const f = new File(file.buffer.slice(file.byteOffset, file.byteOffset + file.length), 'f.h5');
for (const name of f.keys) {
  const { shape, value } = f.get(name);
  console.log(name, shape, value.length, Array.from(value).join(' ') || 'nothing', Array.from(value).map(x => typeof x).join(' '));
}
PROGRAM
node main.mjs | tee out
diff out - <<'OUT'
none [ 6 ] 0 nothing 
part [ 6 ] 6 1 2     number number undefined undefined undefined undefined
whole [ 3 ] 3    undefined undefined undefined
OUT
echo 'as found: sevens are undefined'
