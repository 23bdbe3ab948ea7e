# What the scripts about two backends of TensorFlow.js share: the packages, in a temporary folder, which is the current one.
#
# both runs the statements on its standard input with each: backend is its name, and tf the library.
source "$(dirname "${BASH_SOURCE[0]}")/npm.bash"
need @tensorflow/tfjs-core@4.22.0 @tensorflow/tfjs-backend-cpu@4.22.0 @tensorflow/tfjs-backend-wasm@4.22.0

both() {
	cat >each.cjs
	cat >main.cjs <<'PROGRAM'
const tf = require('@tensorflow/tfjs-core');
require('@tensorflow/tfjs-backend-cpu');
require('@tensorflow/tfjs-backend-wasm');
console.warn = () => {};
const each = new Function('tf', 'backend', require('fs').readFileSync('each.cjs', 'utf8'));
(async () => {
  for (const backend of ['cpu', 'wasm']) {
    await tf.setBackend(backend);
    each(tf, backend);
  }
})();
PROGRAM
	node main.cjs
}
