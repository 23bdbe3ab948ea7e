# What the scripts about LLVM 19's mlir-opt share: Debian's packages in a temporary folder, which is the current one, and bin, the folder of the tools.
#
# run lowers in.mlir, first by the passes that it is given, to what LLVM executes, and executes main.
source "$(dirname "${BASH_SOURCE[0]}")/debian.bash"
unpack mlir-19-tools=1:19.1.7-3~deb12u1 libllvm19=1:19.1.7-3~deb12u1 libmlir-19=1:19.1.7-3~deb12u1
bin=$(dirname "$(find root -name mlir-opt -type f | head -n 1)")
export LD_LIBRARY_PATH=$(find "$PWD/root" -name '*.so*' -printf '%h\n' | sort -u | paste -sd:)

run() {
	"$bin/mlir-opt" in.mlir "$@" --convert-scf-to-cf --convert-math-to-llvm --convert-math-to-libm --finalize-memref-to-llvm --convert-complex-to-llvm --convert-arith-to-llvm \
		--convert-func-to-llvm --convert-cf-to-llvm --reconcile-unrealized-casts |
		"$bin/mlir-cpu-runner" -e main -entry-point-result=void -O0 -shared-libs="$(find root -name 'libmlir_c_runner_utils.so.*' | head -n 1)"
}
