#!/usr/bin/env bash
# TensorFlow.js: log1p of small numbers is 0 on one backend, what log1p exists to avoid.
#
# log(1 + x) of x below 6e-8 is 0 in float32, as 1 + x is 1. log1p computes it without that sum, so it is x, and expm1 is its inverse. On
# WebAssembly log1p is log(1 + x), while expm1 is exact.
# Seen in @tensorflow/tfjs-core, tfjs-backend-cpu and tfjs-backend-wasm 4.22.0 of npm.
source "$(dirname "$0")/tfjs.bash"
both <<'PROGRAM' | tee out
const x = tf.tensor1d([1e-10, 1e-4]);
console.log(backend, ...Array.from(tf.log1p(x).dataSync(), v => v.toExponential(4)), 'expm1:', ...Array.from(tf.expm1(x).dataSync(), v => v.toExponential(4)));
PROGRAM
diff out - <<'OUT'
cpu 1.0000e-10 9.9995e-5 expm1: 1.0000e-10 1.0000e-4
wasm 0.0000e+0 1.0001e-4 expm1: 1.0000e-10 1.0000e-4
OUT
echo 'as found: log1p of 1e-10 is 0'
