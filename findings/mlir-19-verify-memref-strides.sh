#!/usr/bin/env bash
# LLVM 19's runner utilities: verifyMemRefF32 compares layouts too, where a dimension of size 1 has no meaning for its stride.
#
# It returns the number of elements that differ. Of two buffers with the same sizes and contents it returns -1 if one is a view whose
# dimension of size 1 has another stride, though no element is found by it. And a NaN never equals itself: it counts as a difference.
# Seen in mlir-19-tools and libmlir-19 1:19.1.7-3~deb12u1 of Debian.
source "$(dirname "$0")/mlir-19.bash"
utils=$(find root -name 'libmlir_runner_utils.so*' | head -n 1)
c_utils=$(find root -name 'libmlir_c_runner_utils.so*' | head -n 1)
cat >in.mlir <<'PROGRAM'
func.func private @verifyMemRefF32(memref<*xf32>, memref<*xf32>) -> i64 attributes {llvm.emit_c_interface}
func.func private @printI64(i64)
func.func private @printNewline()
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f = arith.constant 1.5 : f32
  %nan = arith.constant 0x7FC00000 : f32
  %a = memref.alloc() : memref<1x2xf32>
  %whole = memref.alloc() : memref<4x2xf32>
  %b = memref.subview %whole[0, 0] [1, 2] [2, 1] : memref<4x2xf32> to memref<1x2xf32, strided<[4, 1]>>
  linalg.fill ins(%f : f32) outs(%a : memref<1x2xf32>)
  linalg.fill ins(%f : f32) outs(%b : memref<1x2xf32, strided<[4, 1]>>)
  %ua = memref.cast %a : memref<1x2xf32> to memref<*xf32>
  %ub = memref.cast %b : memref<1x2xf32, strided<[4, 1]>> to memref<*xf32>
  %same = call @verifyMemRefF32(%ua, %ua) : (memref<*xf32>, memref<*xf32>) -> i64
  call @printI64(%same) : (i64) -> ()
  call @printNewline() : () -> ()
  %other = call @verifyMemRefF32(%ua, %ub) : (memref<*xf32>, memref<*xf32>) -> i64
  call @printI64(%other) : (i64) -> ()
  call @printNewline() : () -> ()
  memref.store %nan, %a[%c0, %c1] : memref<1x2xf32>
  %itself = call @verifyMemRefF32(%ua, %ua) : (memref<*xf32>, memref<*xf32>) -> i64
  call @printI64(%itself) : (i64) -> ()
  call @printNewline() : () -> ()
  memref.dealloc %a : memref<1x2xf32>
  memref.dealloc %whole : memref<4x2xf32>
  return
}
PROGRAM
"$bin"/mlir-opt --convert-linalg-to-loops --convert-scf-to-cf --expand-strided-metadata --finalize-memref-to-llvm --convert-func-to-llvm --convert-arith-to-llvm \
	--convert-cf-to-llvm --reconcile-unrealized-casts in.mlir |
	"$bin"/mlir-cpu-runner -e main -entry-point-result=void -shared-libs="$utils,$c_utils" 2>said.txt | tee out.txt
numbers=$(grep -E '^-?[0-9]+$' out.txt | paste -sd' ')
if [ "$numbers" != "0 -1 1" ]; then
	echo "that has changed: $numbers"
	exit 1
fi
echo 'as found: equal contents, other strides of a dimension of size 1: -1; a NaN compared with itself: 1 difference'
