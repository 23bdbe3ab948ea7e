package foreign

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"freehold/internal/lazyregexp"
)

// dialect is a dialect of another project.
type dialect struct{ name, of, help string }

const (
	torchBackend = "torch-mlir-opt --torch-backend-to-linalg-on-tensors-backend-pipeline makes linalg of it (after torchdynamo-export-to-torch-backend-pipeline, if torch.export wrote it)"
	triton       = "it computes on addresses, and has no tensors that buffers could be made of"
	circt        = "it is a circuit, and no program whose memory could be planned"
	iree         = "iree-compile --compile-to=input stops where a program is in linalg still"
	device       = "give freehold the program before it is lowered to this: here the memory is a device's, and named already"
	instructions = "leave out the passes that choose a machine's instructions: programs in vector and memref are read"
	devices      = "it is for several devices: give freehold the program of one of them"
	rewrites     = "it says how programs are rewritten or what operations there are, and is no program whose memory could be planned"
	directives   = "leave out the pass that made it: scf.parallel and scf.for are read"
	tenstorrent  = "give freehold the program in StableHLO, linalg or TOSA of which tt-mlir made it"
	quantum      = "it is a quantum circuit, and no program whose memory could be planned"
	encrypted    = "heir-opt --secret-forget-secrets leaves the encryption out, before it is lowered to this"
	accelerator  = "give freehold the program in linalg, before it is put on the accelerator: here the memory is the device's, and named already"
)

// dialects are those that published programs are in, with what makes of them what can be read.
var dialects = []dialect{
	{"torch", "torch-mlir", torchBackend},
	{"torch_c", "torch-mlir", torchBackend},
	{"tm_tensor", "torch-mlir", torchBackend},
	{"onnx", "onnx-mlir", "onnx-mlir-opt --convert-onnx-to-tosa makes TOSA of it, and torch-mlir-import-onnx what torch-mlir lowers of the model itself"},
	{"krnl", "onnx-mlir", "onnx-mlir-opt --convert-krnl-to-affine makes loops of it"},
	{"zhigh", "onnx-mlir", "compile the model without --maccel=NNPA"},
	{"tfl", "TensorFlow Lite", "flatbuffer_translate --mlir-to-tflite-flatbuffer makes a .tflite of it, which is read; tf-opt --tfl-to-tosa-pipeline makes TOSA of it"},
	{"tf", "TensorFlow", "tf-opt --tf-to-tosa-pipeline makes TOSA of it"},
	{"tf_executor", "TensorFlow", "tf-opt --tf-executor-to-functional-conversion --tf-to-tosa-pipeline makes TOSA of it"},
	{"tf_device", "TensorFlow", "tf-opt --tf-to-tosa-pipeline makes TOSA of it"},
	{"tf_saved_model", "TensorFlow", "tf-opt --tf-to-tosa-pipeline makes TOSA of it"},
	{"async", "MLIR", "mlir-opt --async-func-to-async-runtime --async-to-async-runtime --convert-async-to-llvm makes LLVM's dialect of it; of loops that --async-parallel-for made so, give freehold the program before"},
	{"omp", "MLIR", directives},
	{"acc", "MLIR", directives},
	{"spirv", "MLIR", device},
	{"nvgpu", "MLIR", device},
	{"nvvm", "MLIR", device},
	{"rocdl", "MLIR", device},
	{"amdgpu", "MLIR", device},
	{"xegpu", "MLIR", device},
	{"xevm", "MLIR", device},
	{"emitc", "MLIR", "it is C already, which mlir-translate --mlir-to-cpp writes; give freehold the program before it is lowered to this"},
	{"pdl", "MLIR", rewrites},
	{"pdl_interp", "MLIR", rewrites},
	{"irdl", "MLIR", rewrites},
	{"arm_neon", "MLIR", instructions},
	{"arm_sve", "MLIR", instructions},
	{"arm_sme", "MLIR", instructions},
	{"amx", "MLIR", instructions},
	{"x86vector", "MLIR", instructions},
	{"mesh", "MLIR", devices},
	{"shard", "MLIR", devices},
	{"mpi", "MLIR", devices},
	{"lmhlo", "MLIR-HLO", "take the program before mhlo becomes lmhlo: it has its buffers already"},
	{"ttir", "tt-mlir", tenstorrent},
	{"ttnn", "tt-mlir", tenstorrent},
	{"ttcore", "tt-mlir", tenstorrent},
	{"flow", "IREE", iree},
	{"hal", "IREE", iree},
	{"stream", "IREE", iree},
	{"util", "IREE", iree},
	{"iree_linalg_ext", "IREE", iree},
	{"tt", "Triton", triton},
	{"ttg", "Triton", triton},
	{"triton_gpu", "Triton", triton},
	{"polygeist", "Polygeist", "polygeist-opt --convert-polygeist-to-llvm makes LLVM's dialect of it, and cgeist -S --memref-fullrank writes programs that need none of its operations"},
	{"fir", "Flang", "fir-opt --fir-to-llvm-ir makes LLVM's dialect of it"},
	{"hlfir", "Flang", "fir-opt lowers it to fir, and with --fir-to-llvm-ir to LLVM's dialect"},
	{"cir", "ClangIR", "cir-opt --cir-to-llvm makes LLVM's dialect of it"},
	{"firrtl", "CIRCT", circt},
	{"hw", "CIRCT", circt},
	{"comb", "CIRCT", circt},
	{"seq", "CIRCT", circt},
	{"secret", "HEIR", "heir-opt --secret-forget-secrets leaves the encryption out"},
	{"bgv", "HEIR", encrypted},
	{"ckks", "HEIR", encrypted},
	{"cggi", "HEIR", encrypted},
	{"lwe", "HEIR", encrypted},
	{"openfhe", "HEIR", encrypted},
	{"lattigo", "HEIR", encrypted},
	{"tfhe_rust", "HEIR", encrypted},
	{"mod_arith", "HEIR", "heir-opt --mod-arith-to-arith makes integers of it"},
	{"polynomial", "HEIR", "heir-opt --polynomial-to-mod-arith --mod-arith-to-arith makes tensors of integers of it"},
	{"handshake", "CIRCT", circt},
	{"calyx", "CIRCT", circt},
	{"esi", "CIRCT", circt},
	{"fsm", "CIRCT", circt},
	{"sv", "CIRCT", circt},
	{"moore", "CIRCT", circt},
	{"llhd", "CIRCT", circt},
	{"aie", "MLIR-AIE", accelerator},
	{"aiex", "MLIR-AIE", accelerator},
	{"aievec", "MLIR-AIE", instructions},
	{"air", "MLIR-AIR", accelerator},
	{"hfusion", "the compiler for Ascend", accelerator},
	{"hivm", "the compiler for Ascend", accelerator},
	{"gemmini", "Buddy", accelerator},
	{"rvv", "Buddy", instructions},
	{"dip", "Buddy", "buddy-opt --lower-dip makes loops of it"},
	{"bud", "Buddy", "buddy-opt --lower-bud makes MLIR's own dialects of it"},
	{"enzymexla", "Enzyme", "enzymexlamlir-opt lowers it to StableHLO or to MLIR's own dialects, which are read"},
	{"enzyme", "Enzyme", "enzymemlir-opt --enzyme makes of it the program that computes the derivatives"},
	{"toy", "the tutorial of MLIR", "toyc -emit=mlir-affine makes loops of it, which are read"},
	{"quantum", "Catalyst", quantum},
	{"catalyst", "Catalyst", quantum},
	{"quake", "CUDA-Q", quantum},
	{"qco", "MQT Core", quantum},
	{"mqtopt", "MQT Core", quantum},
	{"stencil", "the Open Earth compiler and xDSL", "xdsl-opt -p convert-stencil-to-ll-mlir makes loops on memrefs of it"},
	{"iree_codegen", "IREE", iree},
	{"iree_gpu", "IREE", iree},
	{"iree_encoding", "IREE", iree},
	{"vm", "IREE", iree},
	{"iree_input", "IREE", "iree-opt --iree-import-public makes of it what IREE reads; " + iree},
	{"xsmm", "TPP-MLIR", "tpp-opt makes calls of a library of it; give freehold the program in linalg of which it was made"},
	{"tpu", "Mosaic", accelerator},
	{"mosaic_gpu", "Mosaic", device},
	{"cuda_tile", "CUDA Tile", device},
	{"ttkernel", "tt-mlir", tenstorrent},
	{"ttmetal", "tt-mlir", tenstorrent},
	{"d2m", "tt-mlir", tenstorrent},
	{"ttnvgpu", "Triton", triton},
	{"nvidia_gpu", "Triton", triton},
}

// Dialect is a dialect of another project in a program.
type Dialect struct {
	// Name is that of the dialect, Line and Column the place of its first use, from 1 on.
	Name         string
	Line, Column int
	of, help     string
}

// String returns what is said about a program in the dialect.
func (d *Dialect) String() string {
	return fmt.Sprintf("this program is in the dialect '%s' of %s, which isn't known here; %s", d.Name, d.of, d.help)
}

// used finds the prefixes of operations, types and attributes.
var used = lazyregexp.New(`(?:^|[\s=("!#<])([a-z][a-z0-9_]*)[.<]`)

// namesOperation tells whether what follows a quotation mark is the name of an operation in the generic form, and not that of an attribute.
func namesOperation(text string) bool {
	_, rest, found := strings.Cut(text, `"`)
	return found && strings.HasPrefix(strings.TrimLeft(rest, " "), "(")
}

// DialectIn returns the dialect of another project that a program in MLIR's text uses first; nil if it uses none. known tells which dialects are
// known. It is to be asked about what can't be read only. It takes linear time.
func DialectIn(text []byte, known func(name string) bool) *Dialect {
	line := 0
	for row := range bytes.Lines(text) {
		line++
		code, _, _ := strings.Cut(string(row), "//")
		for _, m := range used().FindAllStringSubmatchIndex(code, -1) {
			if code[m[0]:m[2]] == `"` && !namesOperation(code[m[2]:]) {
				continue
			}
			name := code[m[2]:m[3]]
			i := slices.IndexFunc(dialects, func(d dialect) bool { return d.name == name })
			if i >= 0 && !known(name) {
				return &Dialect{name, line, m[2] + 1, dialects[i].of, dialects[i].help}
			}
		}
	}
	return nil
}
