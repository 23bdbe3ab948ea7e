package exec

import (
	"strings"

	"freehold/ir"
	"freehold/ir/interfaces"
)

// RunnerFunction is the declaration of a function of MLIR's runner utilities (libmlir_runner_utils and libmlir_c_runner_utils). All of them but `shuffle` only read what they are passed.
type RunnerFunction struct {
	// Name is what it is called today, without the type in the end for functions on buffers: printMemrefF32 is printMemref.
	Name string
	// Args and Result are what it takes and returns; Result is "" where it returns nothing.
	Args   []RunnerArg
	Result string
	// Writes tells that it writes to the buffers that it takes.
	Writes bool
}

// RunnerArg is an argument of a [RunnerFunction]: a number, or a buffer.
type RunnerArg struct {
	// Type is that of the number, or of elements of the buffer.
	Type   string
	Buffer bool
	// Rank is that of the buffer, or [AnyRank].
	Rank int
}

// Types of arguments and results that stand for several: they are the same to a function in C.
const (
	size     = "index"     // what size_t is in C: index or i64
	pointer  = "!llvm.ptr" // a generator of random numbers, or a text
	halfBits = "f16"       // a number, or its bits as i16
	bf16Bits = "bf16"
)

// AnyRank stands for the rank of memrefs of unknown rank.
const AnyRank = -1

// runnerElements are the types of elements that functions are made for, by the ends of their names.
var runnerElements = map[string]string{
	"I8": "i8", "I16": "i16", "I32": "i32", "I64": "i64", "Ind": "index", "F16": "f16", "BF16": "bf16", "F32": "f32", "F64": "f64",
	"C32": "complex<f32>", "C64": "complex<f64>", "Vector4x4xf32": "vector<4x4xf32>",
}

// onNumbers are those whose name doesn't tell a type of elements.
var onNumbers = map[string]RunnerFunction{
	"printI64": {Args: []RunnerArg{{Type: "i64"}}}, "printU64": {Args: []RunnerArg{{Type: "i64"}}}, "printF32": {Args: []RunnerArg{{Type: "f32"}}}, "printF64": {Args: []RunnerArg{{Type: "f64"}}},
	"printOpen": {}, "printClose": {}, "printComma": {}, "printNewline": {}, "printFlops": {Args: []RunnerArg{{Type: "f64"}}}, "rtclock": {Result: "f64"}, "nanoTime": {Result: "i64"},
	"printF16": {Args: []RunnerArg{{Type: halfBits}}}, "printBF16": {Args: []RunnerArg{{Type: bf16Bits}}}, "printString": {Args: []RunnerArg{{Type: pointer}}},
	"rtsrand": {Args: []RunnerArg{{Type: size}}, Result: pointer}, "rtrand": {Args: []RunnerArg{{Type: pointer}, {Type: size}}, Result: size}, "rtdrand": {Args: []RunnerArg{{Type: pointer}}},
	"shuffle": {Args: []RunnerArg{{Type: size, Buffer: true, Rank: 1}, {Type: pointer}}, Writes: true},
}

// RunnerFunctionNamed returns the function with a name; false if there is none.
func RunnerFunctionNamed(name string) (RunnerFunction, bool) {
	name = todaysName(name)
	if f, ok := onNumbers[name]; ok {
		f.Name = name
		return f, true
	}
	f, suffix, rank, n := RunnerFunction{}, "", AnyRank, 1
	switch {
	case strings.HasPrefix(name, "printMemrefShape"):
		f.Name = "printMemrefShape"
	case strings.HasPrefix(name, "printMemref"):
		f.Name = "printMemref"
	case strings.HasPrefix(name, "verifyMemRef"):
		f.Name, f.Result, n = "verifyMemRef", "i64", 2
	default:
		return f, false
	}
	suffix = name[len(f.Name):]
	if f.Name == "printMemref" {
		switch {
		case len(suffix) > 2 && suffix[1] == 'd' && suffix[0] >= '0' && suffix[0] <= '9': // a digit is a rank: printMemref2dF32
			suffix, rank = suffix[2:], int(suffix[0]-'0')
		case suffix == "Vector4x4xf32":
			rank = 2
		}
	}
	elem, ok := runnerElements[suffix]
	if !ok || f.Name == "verifyMemRef" && strings.HasPrefix(suffix, "Vector") {
		return f, false
	}
	for range n {
		f.Args = append(f.Args, RunnerArg{elem, true, rank})
	}
	return f, true
}

// todaysName returns the name that a function of the runner utilities has today: LLVM 15 and before called printMemrefF32
// print_memref_f32, and what a C interface is made for has a prefix.
func todaysName(name string) string {
	name = strings.TrimPrefix(name, "_mlir_ciface_")
	if name == "print_flops" {
		return "printFlops"
	}
	rest, ok := strings.CutPrefix(name, "print_memref_")
	if !ok {
		return name
	}
	out := "printMemref"
	for part := range strings.SplitSeq(rest, "_") {
		switch {
		case part == "shape" || part == "vector" || part == "ind":
			part = strings.ToUpper(part[:1]) + part[1:]
		case len(part) > 0 && part[0] > '9':
			part = strings.ToUpper(part)
		}
		out += part
	}
	return out
}

// Takes tells whether the function has these arguments and results. In a program that isn't bufferized yet, buffers may be tensors.
func (f RunnerFunction) Takes(args, results []ir.Type) bool {
	if len(args) != len(f.Args) || len(results) > 1 || (len(results) == 1) != (f.Result != "") || len(results) == 1 && !isRunnerType(results[0], f.Result, false) {
		return false
	}
	for i, a := range f.Args {
		t := args[i]
		if a.Buffer {
			if !ir.IsMemRef(t) && (f.Writes || !ir.IsTensor(t)) {
				return false
			}
			if shape, ranked := ir.ShapeOf(t); ranked != (a.Rank != AnyRank) || ranked && len(shape) != a.Rank {
				return false
			}
			t = ir.ElementType(t)
		}
		if !isRunnerType(t, a.Type, a.Buffer && !f.Writes) {
			return false
		}
	}
	return true
}

// isRunnerType tells whether a type is the one of that name, or, unless it has to be exact, another one that the function in C doesn't tell apart.
func isRunnerType(t ir.Type, name string, exact bool) bool {
	text := t.String()
	switch {
	case text == name:
		return true
	case exact:
		return false
	}
	return name == size && text == "i64" || (name == halfBits || name == bf16Bits) && text == "i16"
}

// String returns what the function takes and returns, as a type.
func (f RunnerFunction) String() string {
	var args []string
	for _, a := range f.Args {
		switch {
		case !a.Buffer:
			args = append(args, a.Type)
		case a.Rank == AnyRank:
			args = append(args, "memref<*x"+a.Type+">")
		default:
			args = append(args, "memref<"+strings.Repeat("?x", a.Rank)+a.Type+">")
		}
	}
	text := "(" + strings.Join(args, ", ") + ")"
	if f.Result == "" {
		return text
	}
	return text + " -> " + f.Result
}

// IsRunnerFunction tells whether an operation declares a function of the runner utilities.
func IsRunnerFunction(fn *ir.Op) bool {
	m, _ := interfaces.Function.Of(fn)
	name, named := ir.SymbolName(fn)
	if m == nil || !named || fn.BodyBlock(0) != nil {
		return false
	}
	f, ok := RunnerFunctionNamed(name)
	t := m.Type(fn)
	return ok && f.Takes(t.Inputs, t.Results)
}
