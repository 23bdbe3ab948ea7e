#!/usr/bin/env bash
# mlir-opt of LLVM 19: a slice of a tensor shows what is inserted into that tensor later, in a block that gets it as its argument, by --one-shot-bufferize.
#
# Tensors are values: what is inserted into one changes no other. Where the block of the insertion gets the tensor as its argument, the slice that was
# taken before shows what was inserted; where all of it is in one block, a copy is made. The lines are the program without a branch, and with one before the insertion.
# Seen in mlir-19-tools and libmlir-19 1:19.1.7-3~deb12u1 of Debian.
source "$(dirname "$0")/mlir-19.bash"
utils=$(find root -name 'libmlir_c_runner_utils.so.*' | head -n 1)
program() {
	cat <<PROGRAM
func.func private @printI64(i64)
func.func private @printNewline()
func.func @first(%t: tensor<4xi64>) -> i64 {
  %c0 = arith.constant 0 : index
  %new = arith.constant 99 : i64
  %s = tensor.extract_slice %t[0] [2] [1] : tensor<4xi64> to tensor<2xi64>
  $1
  %u = tensor.insert %new into %$2[%c0] : tensor<4xi64>
  %r = tensor.extract %s[%c0] : tensor<2xi64>
  return %r : i64
}
func.func @main() {
  %a = arith.constant 1 : i64
  %t = tensor.from_elements %a, %a, %a, %a : tensor<4xi64>
  %r = call @first(%t) : (tensor<4xi64>) -> i64
  call @printI64(%r) : (i64) -> ()
  call @printNewline() : () -> ()
  return
}
PROGRAM
}
run() {
	program "$@" | "$bin/mlir-opt" --one-shot-bufferize=bufferize-function-boundaries --expand-strided-metadata --finalize-memref-to-llvm --convert-arith-to-llvm \
		--convert-cf-to-llvm --convert-func-to-llvm --reconcile-unrealized-casts | "$bin/mlir-cpu-runner" -e main -entry-point-result=void -O0 -shared-libs="$utils"
}
{
	run '' t
	run $'cf.br ^insert(%t : tensor<4xi64>)\n^insert(%x: tensor<4xi64>):' x
} | tee out
diff out - <<'OUT'
1
99
OUT
