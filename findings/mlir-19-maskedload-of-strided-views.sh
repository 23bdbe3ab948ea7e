#!/usr/bin/env bash
# mlir-opt of LLVM 19: vector.maskedload and vector.expandload of a view with stride 2 read neighbours.
#
# Every second element of 0 to 7 is a view with a stride. vector.transfer_read reads 0, 2, 4, 6 from it, as memref.load does. vector.load
# and vector.store of such a view are refused by the verifier, and vector.gather by its lowering. vector.maskedload and vector.expandload
# pass both and become an access to what lies next to each other: 0, 1, 2, 3.
# Seen in mlir-19-tools 1:19.1.7-3~deb12u1 of Debian.
source "$(dirname "$0")/mlir-19.bash"
cat >in.mlir <<'PROGRAM'
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  %all = arith.constant dense<true> : vector<4xi1>
  %zeros = arith.constant dense<0.0> : vector<4xf32>
  %buffer = memref.alloc() : memref<8xf32>
  scf.for %i = %c0 to %c8 step %c1 {
    %n = arith.index_cast %i : index to i32
    %f = arith.sitofp %n : i32 to f32
    memref.store %f, %buffer[%i] : memref<8xf32>
  }
  %view = memref.subview %buffer[0] [4] [2] : memref<8xf32> to memref<4xf32, strided<[2]>>
  %read = vector.transfer_read %view[%c0], %zero : memref<4xf32, strided<[2]>>, vector<4xf32>
  vector.print %read : vector<4xf32>
  %masked = vector.maskedload %view[%c0], %all, %zeros : memref<4xf32, strided<[2]>>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  vector.print %masked : vector<4xf32>
  %expanded = vector.expandload %view[%c0], %all, %zeros : memref<4xf32, strided<[2]>>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  vector.print %expanded : vector<4xf32>
  memref.dealloc %buffer : memref<8xf32>
  return
}
PROGRAM
"$bin/mlir-opt" in.mlir --convert-vector-to-scf --expand-strided-metadata --lower-affine --convert-scf-to-cf --convert-vector-to-llvm --finalize-memref-to-llvm --convert-arith-to-llvm --convert-func-to-llvm --convert-cf-to-llvm --reconcile-unrealized-casts >lowered.mlir
utils=$(find "$PWD/root" -name 'libmlir_c_runner_utils.so*' | head -n 1),$(find "$PWD/root" -name 'libmlir_runner_utils.so*' | head -n 1)
"$bin/mlir-cpu-runner" lowered.mlir -e main --entry-point-result=void --shared-libs="$utils" | tee out
diff out - <<'OUT'
( 0, 2, 4, 6 )
( 0, 1, 2, 3 )
( 0, 1, 2, 3 )
OUT
echo 'as found: the stride counts for transfer_read, and for no masked load'
