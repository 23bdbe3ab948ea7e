package naive_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"freehold/dialect"
	"freehold/exec"
	"freehold/exec/interp"
	"freehold/internal/testing/naive"
	"freehold/ir"
)

var (
	integers = []string{"i1", "i7", "i8", "i16", "i32", "i33", "i64", "i100", "index", "vector<3xi8>", "tensor<5xi32>", "vector<2xi65>", "tensor<3xindex>", "tensor<?xi16>"}
	floats   = []string{"f8E5M2", "f8E4M3FN", "f8E4M3FNUZ", "f8E5M2FNUZ", "f8E3M4", "f8E8M0FNU", "f6E3M2FN", "f6E2M3FN", "f4E2M1FN", "f16", "bf16", "tf32", "f32", "f64", "f80", "f128",
		"vector<3xf32>", "tensor<2x2xf16>", "tensor<5xf64>", "vector<2xf128>"}
	// elements are types that memory and vectors may have.
	elements = []string{"i1", "i8", "i33", "i100", "f16", "f32", "f64", "f80", "index"}
)

// withShape returns a type with the shape of another one and the given elements.
func withShape(t, elem string) string {
	open := strings.IndexByte(t, '<')
	if open < 0 {
		return elem
	}
	last := strings.LastIndexByte(t, 'x')
	if strings.HasSuffix(t, "index>") {
		last = strings.LastIndex(t, "xindex")
	}
	return t[:last+1] + elem + ">"
}

func elementOf(t string) string {
	if strings.HasSuffix(t, "index>") {
		return "index"
	}
	if strings.IndexByte(t, '<') < 0 {
		return t
	}
	return strings.TrimSuffix(t[strings.LastIndexByte(t, 'x')+1:], ">")
}

// a program is a function with a name for what it is about.
type program struct{ name, src string }

// elementwise returns programs of one operation on elements.
func elementwise() []program {
	var out []program
	add := func(name, result string, params []string, format string, args ...any) {
		list := make([]string, len(params))
		for i, p := range params {
			list[i] = fmt.Sprintf("%%%c: %s", 'a'+i, p)
		}
		out = append(out, program{name, fmt.Sprintf("func.func @f(%s) -> %s {\n  %s\n  return %%r : %s\n}\n", strings.Join(list, ", "), result, fmt.Sprintf(format, args...), result)})
	}
	for _, t := range integers {
		for _, op := range []string{"addi", "subi", "muli", "divsi", "divui", "ceildivsi", "ceildivui", "floordivsi", "remsi", "remui", "andi", "ori", "xori",
			"shli", "shrsi", "shrui", "maxsi", "maxui", "minsi", "minui"} {
			add("arith."+op, t, []string{t, t}, "%%r = arith.%s %%a, %%b : %s", op, t)
		}
		for _, op := range []string{"addi", "subi", "muli", "shli"} {
			for _, flags := range []string{"nsw", "nuw", "nsw, nuw"} {
				add("arith."+op, t, []string{t, t}, "%%r = arith.%s %%a, %%b overflow<%s> : %s", op, flags, t)
			}
		}
		for _, p := range []string{"eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"} {
			add("arith.cmpi", withShape(t, "i1"), []string{t, t}, "%%r = arith.cmpi %s, %%a, %%b : %s", p, t)
		}
		add("arith.select", t, []string{withShape(t, "i1"), t, t}, "%%r = arith.select %%a, %%b, %%c : %s, %s", withShape(t, "i1"), t)
		add("arith.select", t, []string{"i1", t, t}, "%%r = arith.select %%a, %%b, %%c : %s", t)
		if !strings.Contains(t, "index") {
			i1 := withShape(t, "i1")
			for k, op := range []string{"addui_extended", "mulsi_extended", "mului_extended"} {
				second := []string{i1, t, t}[k]
				types := []string{fmt.Sprintf("%s, %s", t, second), t, t}[k]
				out = append(out, program{"arith." + op, fmt.Sprintf("func.func @f(%%a: %s, %%b: %s) -> (%s, %s) {\n  %%r, %%s = arith.%s %%a, %%b : %s\n  return %%r, %%s : %s, %s\n}\n", t, t, t, second, op, types, t, second)})
			}
			for _, w := range []string{"i1", "i5", "i8", "i13", "i32", "i64", "i65", "i128"} {
				wide := withShape(t, w)
				var from, to int
				fmt.Sscanf(elementOf(t), "i%d", &from)
				fmt.Sscanf(w, "i%d", &to)
				switch {
				case to > from:
					add("arith.extsi", wide, []string{t}, "%%r = arith.extsi %%a : %s to %s", t, wide)
					add("arith.extui", wide, []string{t}, "%%r = arith.extui %%a : %s to %s", t, wide)
				case to < from:
					add("arith.trunci", wide, []string{t}, "%%r = arith.trunci %%a : %s to %s", t, wide)
				}
			}
			index := withShape(t, "index")
			for _, op := range []string{"index_cast", "index_castui"} {
				add("arith."+op, index, []string{t}, "%%r = arith.%s %%a : %s to %s", op, t, index)
				add("arith."+op, t, []string{index}, "%%r = arith.%s %%a : %s to %s", op, index, t)
			}
			if !strings.Contains(t, "<") {
				for _, op := range []string{"casts", "castu"} {
					add("index."+op, "index", []string{t}, "%%r = index.%s %%a : %s to index", op, t)
					add("index."+op, t, []string{"index"}, "%%r = index.%s %%a : index to %s", op, t)
				}
			}
		}
		for _, op := range []string{"absi", "ctlz", "cttz", "ctpop"} {
			add("math."+op, t, []string{t}, "%%r = math.%s %%a : %s", op, t)
		}
		add("math.ipowi", t, []string{t, t}, "%%r = math.ipowi %%a, %%b : %s", t)
	}
	for _, op := range []string{"add", "sub", "mul", "divs", "divu", "ceildivs", "ceildivu", "floordivs", "rems", "remu", "and", "or", "xor", "shl", "shrs", "shru", "maxs", "maxu", "mins", "minu"} {
		add("index."+op, "index", []string{"index", "index"}, "%%r = index.%s %%a, %%b", op)
	}
	for _, p := range []string{"eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"} {
		add("index.cmp", "i1", []string{"index", "index"}, "%%r = index.cmp %s(%%a, %%b)", p)
	}
	add("index.sizeof", "index", nil, "%%r = index.sizeof")
	add("index.constant", "index", nil, "%%r = index.constant -5")
	add("index.bool.constant", "i1", nil, "%%r = index.bool.constant true")
	for _, t := range floats {
		for _, op := range []string{"addf", "subf", "mulf", "divf", "remf", "maximumf", "minimumf", "maxnumf", "minnumf"} {
			add("arith."+op, t, []string{t, t}, "%%r = arith.%s %%a, %%b : %s", op, t)
		}
		add("arith.addf", t, []string{t, t}, "%%r = arith.addf %%a, %%b fastmath<nnan,ninf> : %s", t)
		add("arith.negf", t, []string{t}, "%%r = arith.negf %%a : %s", t)
		add("arith.select", t, []string{withShape(t, "i1"), t, t}, "%%r = arith.select %%a, %%b, %%c : %s, %s", withShape(t, "i1"), t)
		for _, p := range []string{"false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "ugt", "uge", "ult", "ule", "une", "uno", "true"} {
			add("arith.cmpf", withShape(t, "i1"), []string{t, t}, "%%r = arith.cmpf %s, %%a, %%b : %s", p, t)
		}
		for _, op := range []string{"absf", "ceil", "floor", "trunc", "round", "roundeven", "sqrt", "rsqrt", "acos", "acosh", "asin", "asinh", "atan", "atanh", "cbrt", "cos", "cosh",
			"erf", "exp", "exp2", "expm1", "log", "log10", "log1p", "log2", "sin", "sinh", "tan", "tanh"} {
			add("math."+op, t, []string{t}, "%%r = math.%s %%a : %s", op, t)
		}
		for _, op := range []string{"isfinite", "isinf", "isnan", "isnormal"} {
			add("math."+op, withShape(t, "i1"), []string{t}, "%%r = math.%s %%a : %s", op, t)
		}
		for _, op := range []string{"atan2", "copysign", "powf"} {
			add("math."+op, t, []string{t, t}, "%%r = math.%s %%a, %%b : %s", op, t)
		}
		add("math.fma", t, []string{t, t, t}, "%%r = math.fma %%a, %%b, %%c : %s", t)
		add("math.clampf", t, []string{t, t, t}, "%%r = math.clampf %%a to [%%b, %%c] : %s", t)
		add("math.fpowi", t, []string{t, withShape(t, "i8")}, "%%r = math.fpowi %%a, %%b : %s, %s", t, withShape(t, "i8"))
		for _, i := range []string{"i1", "i8", "i32", "i64", "i100"} {
			it := withShape(t, i)
			for _, op := range []string{"sitofp", "uitofp"} {
				add("arith."+op, t, []string{it}, "%%r = arith.%s %%a : %s to %s", op, it, t)
			}
			for _, op := range []string{"fptosi", "fptoui"} {
				add("arith."+op, it, []string{t}, "%%r = arith.%s %%a : %s to %s", op, t, it)
			}
		}
		for _, e := range []string{"f4E2M1FN", "f6E3M2FN", "f8E8M0FNU", "f8E5M2", "f8E4M3FN", "f16", "bf16", "f32", "f64", "f128"} {
			other, scale := withShape(t, e), withShape(t, "f8E8M0FNU")
			wt, we := floatWidth(elementOf(t)), floatWidth(e)
			if wide := max(wt, we) > 64; !wide && we > wt {
				add("arith.scaling_extf", other, []string{t, scale}, "%%r = arith.scaling_extf %%a, %%b : %s, %s to %s", t, scale, other)
			} else if !wide && we < wt {
				add("arith.scaling_truncf", other, []string{t, scale}, "%%r = arith.scaling_truncf %%a, %%b : %s, %s to %s", t, scale, other)
			}
			switch {
			case we > wt:
				add("arith.extf", other, []string{t}, "%%r = arith.extf %%a : %s to %s", t, other)
			case we < wt:
				add("arith.truncf", other, []string{t}, "%%r = arith.truncf %%a : %s to %s", t, other)
				for _, mode := range []string{"to_nearest_even", "downward", "upward", "toward_zero", "to_nearest_away"} {
					add("arith.truncf", other, []string{t}, "%%r = arith.truncf %%a %s : %s to %s", mode, t, other)
				}
			}
		}
		bits := withShape(t, fmt.Sprintf("i%d", floatWidth(elementOf(t))))
		add("arith.bitcast", bits, []string{t}, "%%r = arith.bitcast %%a : %s to %s", t, bits)
		add("arith.bitcast", t, []string{bits}, "%%r = arith.bitcast %%a : %s to %s", bits, t)
	}
	for _, e := range []string{"f16", "f32", "f64", "f128"} {
		c := "complex<" + e + ">"
		add("complex.create", c, []string{e, e}, "%%r = complex.create %%a, %%b : %s", c)
		add("complex.constant", c, nil, "%%r = complex.constant [1.5 : %s, -2.0 : %s] : %s", e, e, c)
		for _, op := range []string{"re", "im", "abs", "angle"} {
			add("complex."+op, e, []string{c}, "%%r = complex.%s %%a : %s", op, c)
		}
		for _, op := range []string{"add", "sub", "mul", "div"} {
			add("complex."+op, c, []string{c, c}, "%%r = complex.%s %%a, %%b : %s", op, c)
		}
		for _, op := range []string{"eq", "neq"} {
			add("complex."+op, "i1", []string{c, c}, "%%r = complex.%s %%a, %%b : %s", op, c)
		}
		for _, op := range []string{"neg", "conj", "cos", "exp", "log", "sin", "sqrt", "tan", "tanh"} {
			add("complex."+op, c, []string{c}, "%%r = complex.%s %%a : %s", op, c)
		}
	}
	for _, t := range []string{"f32", "vector<3xf32>", "vector<2x2xf64>", "vector<2xf16>"} {
		if t != "f32" {
			add("vector.fma", t, []string{t, t, t}, "%%r = vector.fma %%a, %%b, %%c : %s", t)
		}
	}
	add("arith.constant", "tensor<2x2xi7>", nil, "%%r = arith.constant dense<[[1, -2], [3, -4]]> : tensor<2x2xi7>")
	add("math.erf", "f32", []string{"f32"}, "%%r = math.erf %%a : f32")
	add("math.erfc", "f64", []string{"f64"}, "%%r = math.erfc %%a : f64")
	return out
}

func floatWidth(t string) int {
	switch {
	case strings.HasPrefix(t, "f8E"):
		return 8
	case t == "bf16":
		return 16
	case t == "tf32":
		return 19
	}
	var w int
	fmt.Sscanf(t, "f%d", &w)
	return w
}

// expand replaces T by each of the element types, and A by the addition of the type.
func expand(name, src string, types ...string) []program {
	var out []program
	for _, t := range types {
		sum := "arith.addi"
		if t[0] == 'f' {
			sum = "arith.addf"
		}
		out = append(out, program{name, strings.NewReplacer("$T", t, "$ADD", sum).Replace(src)})
	}
	return out
}

// differentSizes returns the sizes of arguments for every third input: any up to four, whether or not they fit.
func differentSizes(k uint64) func(t ir.Type) []int64 {
	if k%3 != 2 {
		return nil
	}
	r := rand.New(rand.NewPCG(k, 59))
	return func(t ir.Type) []int64 {
		shape, _ := ir.ShapeOf(t)
		out := slices.Clone(shape)
		for i, n := range out {
			if n == ir.Dynamic {
				out[i] = int64(r.IntN(5))
			}
		}
		return out
	}
}

// compareAll compares the executions of programs on several inputs each.
func compareAll(t *testing.T, programs []program, seeds uint64) {
	ran, defined := map[string]int{}, map[string]int{}
	failed := map[string]int{}
	for _, p := range programs {
		m, err := load(p.src)
		if err != nil {
			t.Errorf("%s: %v\n%s", p.name, err, p.src)
			continue
		}
		fn, err := interp.Entry(m, "f")
		if err != nil {
			t.Fatal(err)
		}
		for k := range seeds {
			args, err := inputs(fn, k, differentSizes(k))
			if err != nil {
				t.Errorf("%s: %v\n%s", p.name, err, p.src)
				break
			}
			got := naive.ExecuteChecked(m, fn, args, false)
			if got.Unknown {
				// An operation that isn't executed on such types.
				if !strings.Contains(got.Wrong, "not supported") {
					t.Errorf("%s: %s\n%s", p.name, got.Wrong, p.src)
				}
				break
			}
			want := naive.Execute(m, fn, args, 200_000)
			if want.Unknown {
				t.Errorf("%s: %s\n%s", p.name, want.Wrong, p.src)
				break
			}
			ran[p.name]++
			if want.Wrong == "" {
				defined[p.name]++
			}
			d := naive.Differ(want, got)
			if d == "" {
				d = naive.Differ(want, naive.ExecuteChecked(m, fn, args, true))
			}
			if d != "" {
				if failed[p.name]++; failed[p.name] <= 3 {
					text := ""
					for _, a := range args {
						text += " " + show(simpleValue(a))
					}
					t.Errorf("%s: %s\n%s%s", p.name, d, p.src, text)
				}
				break
			}
		}
	}
	for name, n := range ran {
		if defined[name] == 0 {
			t.Errorf("%s: undefined on all of %d inputs", name, n)
		}
	}
}

func TestElementwise(t *testing.T) { compareAll(t, elementwise(), 9) }

func TestMemoryOperations(t *testing.T) { compareAll(t, memoryPrograms(), 9) }

func TestTensorOperations(t *testing.T) { compareAll(t, tensorPrograms(), 9) }

func TestVectorOperations(t *testing.T) { compareAll(t, vectorPrograms(), 9) }

func TestControlFlow(t *testing.T) { compareAll(t, controlPrograms(), 9) }

// notCompared lists operations that no program of this package has, with the reason.
var notCompared = map[string]string{
	"affine.dma_start":                 "as memref.dma_start",
	"affine.dma_wait":                  "as memref.dma_wait",
	"vector.print":                     "has no result",
	"tensor.scatter":                   "in which order it writes is not defined",
	"linalg.softmax":                   "checked by transforms that take it apart",
	"linalg.winograd_filter_transform": "as linalg.softmax",
	"linalg.winograd_input_transform":  "as linalg.softmax",
	"linalg.winograd_output_transform": "as linalg.softmax",
	"complex.atan2":                    "computed with 64 bits from functions that are compared",
	"complex.expm1":                    "as complex.atan2",
	"complex.log1p":                    "as complex.atan2",
	"complex.pow":                      "as complex.atan2",
	"complex.powi":                     "as complex.atan2",
	"complex.rsqrt":                    "as complex.atan2",
	"complex.sign":                     "as complex.atan2",
	"math.sincos":                      "as math.sin and math.cos",
	"complex.bitcast":                  "checked by interp's tests",
}

// TestAllOperations checks that the programs of the tests have all operations of the
// dialects that are executed.
func TestAllOperations(t *testing.T) {
	found, executed := map[string]bool{}, map[string]bool{}
	for _, list := range [][]program{elementwise(), memoryPrograms(), tensorPrograms(), vectorPrograms(), controlPrograms()} {
		for _, p := range list {
			m, err := load(p.src)
			if err != nil {
				continue // which fails elsewhere
			}
			m.Walk(func(op *ir.Op) bool { found[op.Name()] = true; return true })
			if fn, err := interp.Entry(m, "f"); err == nil {
				if args, err := inputs(fn, 0, nil); err == nil {
					interp.Run(m, fn, args, interp.Options{MaxSteps: 10_000, Trace: func(r *exec.Traced) { executed[r.Op.Name()] = true }})
				}
			}
		}
	}
	for _, n := range ir.NewContext(dialect.All()...).OpNames() {
		if m := n.String(); executed[m] && !exec.Covers(n) {
			t.Errorf("%s is executed, but isn't covered", m)
		}
		switch prefix, _, _ := strings.Cut(n.String(), "."); prefix {
		case "arith", "math", "index", "complex", "vector", "memref", "tensor", "linalg", "scf", "cf", "affine":
		default:
			continue
		}
		if name := n.String(); exec.Covers(n) && !found[name] && notCompared[name] == "" {
			t.Errorf("no program has %s", name)
		}
	}
}
