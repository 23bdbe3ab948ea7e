#!/usr/bin/env bash
# mlir-opt of LLVM 19: math.roundeven of 0.49999997, expanded by --test-expand-math, is 1.
#
# The pass runs the patterns that projects use where their target has no such functions. What is less than a half by one bit becomes 1 when a half is added in
# single precision, for math.round as well as for math.roundeven. The columns are the numbers, the C library and the patterns.
# Seen in mlir-19-tools and libmlir-19 1:19.1.7-3~deb12u1 of Debian.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get -qq download mlir-19-tools=1:19.1.7-3~deb12u1 libllvm19=1:19.1.7-3~deb12u1 libmlir-19=1:19.1.7-3~deb12u1
for p in ./*.deb; do dpkg -x "$p" root; done
bin=$(dirname "$(find root -name mlir-opt -type f | head -n 1)")
export LD_LIBRARY_PATH=$(find "$PWD/root" -name '*.so*' -printf '%h\n' | sort -u | paste -sd:)
utils=$(find root -name 'libmlir_c_runner_utils.so.*' | head -n 1)
cat >in.mlir <<'PROGRAM'
memref.global "private" constant @list : memref<4xf32> = dense<[0x3EFFFFFF, 0xBEFFFFFF, 0.5, 2.5]>
func.func private @printF32(f32)
func.func private @printNewline()
func.func @main() {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %end = arith.constant 4 : index
  %list = memref.get_global @list : memref<4xf32>
  scf.for %i = %zero to %end step %one {
    %x = memref.load %list[%i] : memref<4xf32>
    %y = math.roundeven %x : f32
    func.call @printF32(%y) : (f32) -> ()
    func.call @printNewline() : () -> ()
  }
  return
}
PROGRAM
run() {
	"$bin/mlir-opt" in.mlir "$@" --convert-scf-to-cf --convert-math-to-llvm --convert-math-to-libm --finalize-memref-to-llvm --convert-arith-to-llvm --convert-func-to-llvm \
		--convert-cf-to-llvm --reconcile-unrealized-casts | "$bin/mlir-cpu-runner" -e main -entry-point-result=void -O0 -shared-libs="$utils"
}
paste -d' ' <(printf '%s\n' 0.49999997 -0.49999997 0.5 2.5) <(run) <(run --test-expand-math) | tee out
diff out - <<'OUT'
0.49999997 0 1
-0.49999997 -0 -1
0.5 0 0
2.5 2 2
OUT
echo 'as found: 0.49999997 is rounded to 1'
