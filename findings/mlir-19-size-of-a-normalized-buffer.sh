#!/usr/bin/env bash
# mlir-opt of LLVM 19: the size of a buffer of 5 elements becomes 3, by --normalize-memrefs.
#
# A buffer of 5 elements, laid out in tiles of two, becomes one of 3x2, and each access is rewritten. One would expect memref.dim of its only dimension to stay 5, as
# --canonicalize has it before. Seen: it is asked of the new buffer, which has 3 tiles; a loop up to it leaves out elements. So for a size that is only known when
# the program runs.
# Seen in mlir-19-tools 1:19.1.7-3~deb12u1 of Debian.
source "$(dirname "$0")/mlir-19.bash"
cat >in.mlir <<'PROGRAM'
func.func @f() -> index {
  %c0 = arith.constant 0 : index
  %x = arith.constant 1.0 : f32
  %m = memref.alloc() : memref<5xf32, affine_map<(d0) -> (d0 floordiv 2, d0 mod 2)>>
  affine.store %x, %m[4] : memref<5xf32, affine_map<(d0) -> (d0 floordiv 2, d0 mod 2)>>
  %size = memref.dim %m, %c0 : memref<5xf32, affine_map<(d0) -> (d0 floordiv 2, d0 mod 2)>>
  return %size : index
}
PROGRAM
echo "as written: $("$bin/mlir-opt" in.mlir --canonicalize | grep -o 'return.*')" | tee out
echo "with the pass: $("$bin/mlir-opt" in.mlir --normalize-memrefs --canonicalize | grep -o 'return.*')" | tee -a out
sed -i 's/@f()/@f(%n: index)/; s/alloc()/alloc(%n)/; s/memref<5xf32/memref<?xf32/' in.mlir
"$bin/mlir-opt" in.mlir --normalize-memrefs --canonicalize | grep -oE 'ceildiv 2|return %.*' | tee -a out
diff out - <<'OUT'
as written: return %c5 : index
with the pass: return %c3 : index
ceildiv 2
return %0 : index
OUT
echo 'as found: the size counts tiles'
