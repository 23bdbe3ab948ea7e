package naive_test

import (
	"bytes"
	"flag"
	"fmt"
	"math/big"
	osexec "os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"freehold/exec"
	"freehold/exec/interp"
	"freehold/internal/testing/naive"
	"freehold/ir"
)

// every makes comparisons that take minutes samples.
var every = flag.Int("every", 64, "compare each n-th program of the corpus, and, with what mlir-opt-19 and mlir-cpu-runner-19 make of it, each n-th of one operation")

// lowering are the passes that make a program one which mlir-cpu-runner-19 runs.
const lowering = "builtin.module(func.func(convert-elementwise-to-linalg),one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map allow-return-allocs-from-loops allow-unknown-ops}," +
	"expand-realloc,func.func(lower-vector-mask,convert-linalg-to-loops,scf-forall-to-for),convert-vector-to-scf,memref-expand,expand-strided-metadata,lower-affine," +
	"convert-scf-to-cf,convert-vector-to-llvm,arith-expand,convert-math-to-llvm,convert-complex-to-standard,convert-index-to-llvm,finalize-memref-to-llvm,convert-arith-to-llvm," +
	"convert-func-to-llvm,convert-cf-to-llvm,reconcile-unrealized-casts)"

// nativeType tells whether values of a type can be passed and printed.
func nativeType(t ir.Type) bool {
	if ir.IsShaped(t) {
		if v, ok := t.(*ir.VectorType); ok && strings.Contains(v.String(), "[") {
			return false
		}
		if _, ranked := ir.ShapeOf(t); !ranked || strings.Contains(t.String(), "strided") || strings.Contains(t.String(), ", ") {
			return false
		}
		t = ir.ElementType(t)
	}
	switch t := t.(type) {
	case *ir.IntegerType:
		return t.Width == 1 || t.Width == 8 || t.Width == 16 || t.Width == 32 || t.Width == 64
	case *ir.FloatType:
		return t == ir.F32 || t == ir.F64
	}
	return t == ir.Type(ir.Index)
}

// nativeDriver writes a function that calls others and prints their results.
type nativeDriver struct {
	text  strings.Builder
	names int
}

func (d *nativeDriver) value(format string, args ...any) string {
	d.names++
	v := fmt.Sprintf("%%n%d", d.names)
	fmt.Fprintf(&d.text, "  %s = %s\n", v, fmt.Sprintf(format, args...))
	return v
}

// literal returns an element as MLIR writes it in a dense attribute.
func literal(t ir.Type, v any) string {
	bits := naive.Bits(t, v)
	switch t := t.(type) {
	case *ir.FloatType:
		return fmt.Sprintf("0x%0*X", t.Width/4, bits)
	case *ir.IntegerType:
		if t.Width == 1 {
			return strconv.FormatBool(bits.Sign() != 0)
		}
		return signedText(bits, t.Width)
	}
	return signedText(bits, 64)
}

func signedText(v *big.Int, width int) string {
	if v.Bit(width-1) == 1 {
		v = new(big.Int).Sub(v, new(big.Int).Lsh(big.NewInt(1), uint(width)))
	}
	return v.String()
}

func nested(t *naive.Tensor, d int, at *int) string {
	if d == len(t.Sizes) {
		*at++
		return literal(t.Type, t.Elems[*at-1])
	}
	var parts []string
	for range t.Sizes[d] {
		parts = append(parts, nested(t, d+1, at))
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

// sized returns the type with static sizes.
func sized(t ir.Type, sizes []int64) string {
	kind := t.String()[:strings.IndexByte(t.String(), '<')]
	s := kind + "<"
	for _, n := range sizes {
		s += fmt.Sprintf("%dx", n)
	}
	return s + ir.ElementType(t).String() + ">"
}

// argument makes a value of a type; own is what has the static sizes.
func (d *nativeDriver) argument(v interp.Value) (arg, own string) {
	x := simpleValue(v)
	t, ok := x.(*naive.Tensor)
	if !ok {
		switch e := v.Type.(type) {
		case *ir.FloatType:
			n := d.value("arith.constant %s : i%d", signedText(naive.Bits(e, x), e.Width), e.Width)
			return d.value("arith.bitcast %s : i%d to %s", n, e.Width, e), ""
		}
		return d.value("arith.constant %s%s", literal(v.Type, x), map[bool]string{true: "", false: " : " + v.Type.String()}[v.Type.String() == "i1"]), ""
	}
	at := 0
	text := nested(t, 0, &at)
	if len(t.Elems) == 0 {
		text = ""
	}
	static := sized(v.Type, t.Sizes)
	if ir.IsMemRef(v.Type) {
		tensor := strings.Replace(static, "memref", "tensor", 1)
		c := d.value("arith.constant dense<%s> : %s", text, tensor)
		m := d.value("bufferization.to_memref %s read_only : %s", c, static)
		own = d.value("memref.alloc() : %s", static)
		fmt.Fprintf(&d.text, "  memref.copy %s, %s : %s to %s\n", m, own, static, static)
		if static == v.Type.String() {
			return own, own
		}
		return d.value("memref.cast %s : %s to %s", own, static, v.Type), own
	}
	c := d.value("arith.constant dense<%s> : %s", text, static)
	if static != v.Type.String() {
		return d.value("tensor.cast %s : %s to %s", c, static, v.Type), c
	}
	return c, c
}

// show prints a number by its bits.
func (d *nativeDriver) show(v string, t ir.Type) {
	switch t := t.(type) {
	case *ir.FloatType:
		v = d.value("arith.bitcast %s : %s to i%d", v, t, t.Width)
		if t.Width < 64 {
			v = d.value("arith.extui %s : i%d to i64", v, t.Width)
		}
	case *ir.IntegerType:
		if t.Width < 64 {
			v = d.value("arith.extui %s : %s to i64", v, t)
		}
	default:
		v = d.value("arith.index_cast %s : index to i64", v)
	}
	fmt.Fprintf(&d.text, "  call @show(%s) : (i64) -> ()\n", v)
}

// showAll prints the elements of a value, of which the sizes are known.
func (d *nativeDriver) showAll(v string, t ir.Type, typ string, want any) {
	x, ok := want.(*naive.Tensor)
	if !ok {
		d.show(v, t)
		return
	}
	idx := make([]int64, len(x.Sizes))
	var walk func(k int)
	walk = func(k int) {
		if k < len(idx) {
			for idx[k] = 0; idx[k] < x.Sizes[k]; idx[k]++ {
				walk(k + 1)
			}
			return
		}
		list := make([]string, len(idx))
		for i, n := range idx {
			if list[i] = fmt.Sprint(n); !strings.HasPrefix(typ, "vector") {
				list[i] = d.value("arith.constant %d : index", n)
			}
		}
		e := ""
		switch at := strings.Join(list, ", "); {
		case strings.HasPrefix(typ, "vector") && at == "":
			e = d.value("vector.extractelement %s[] : %s", v, typ)
		case strings.HasPrefix(typ, "vector"):
			e = d.value("vector.extract %s[%s] : %s from %s", v, at, x.Type, typ)
		case strings.HasPrefix(typ, "tensor"):
			e = d.value("tensor.extract %s[%s] : %s", v, at, typ)
		default:
			e = d.value("memref.load %s[%s] : %s", v, at, typ)
		}
		d.show(e, x.Type)
	}
	walk(0)
}

// nativeCase is a call of a function with what it returns.
type nativeCase struct {
	name, src string
	fn        *ir.Op
	args      []interp.Value
	want      []any
	types     []ir.Type
}

// elements returns the elements of values, one after the other.
func flat(vs []any) []any {
	var out []any
	for _, v := range vs {
		if t, ok := v.(*naive.Tensor); ok {
			out = append(out, flat(t.Elems)...)
		} else {
			out = append(out, v)
		}
	}
	return out
}

var symbols = regexp.MustCompile(`@(f|g|v|u)\b`)

// runNatively compiles and runs the cases, and returns how they differ. ok tells whether they
// could be compiled.
func runNatively(t *testing.T, cases []nativeCase) (differences []string, ok bool) {
	var module strings.Builder
	module.WriteString(`llvm.mlir.global internal constant @format("%llu\0A\00")
llvm.func @printf(!llvm.ptr, ...) -> i32
func.func private @show(%v: i64) {
  %f = llvm.mlir.addressof @format : !llvm.ptr
  %r = llvm.call @printf(%f, %v) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64) -> i32
  return
}
`)
	d := &nativeDriver{}
	for k, c := range cases {
		module.WriteString(symbols.ReplaceAllString(c.src, fmt.Sprintf("@${1}_%d", k)))
		var names, own, inputs, outputs []string
		for _, a := range c.args {
			n, o := d.argument(a)
			names, own, inputs = append(names, n), append(own, o), append(inputs, a.Type.String())
		}
		results := len(c.types)
		for _, typ := range c.types {
			outputs = append(outputs, typ.String())
		}
		call := fmt.Sprintf("call @f_%d(%s) : (%s) -> (%s)", k, strings.Join(names, ", "), strings.Join(inputs, ", "), strings.Join(outputs, ", "))
		if results > 0 {
			call = fmt.Sprintf("%%c%d:%d = %s", k, results, call)
		}
		fmt.Fprintf(&d.text, "  %s\n", call)
		for i, typ := range c.types {
			d.showAll(fmt.Sprintf("%%c%d#%d", k, i), typ, typ.String(), c.want[i])
		}
		i := results
		for j, a := range c.args {
			if ir.IsMemRef(a.Type) {
				d.showAll(own[j], a.Type, sized(a.Type, a.Tensor.Sizes), c.want[i])
				i++
			}
		}
	}
	text := module.String() + "func.func @main() {\n" + d.text.String() + "  return\n}\n"
	run := func(in, tool string, args ...string) (string, error) {
		c := osexec.Command(tool, args...)
		var stdout, stderr bytes.Buffer
		c.Stdin, c.Stdout, c.Stderr = strings.NewReader(in), &stdout, &stderr
		err := c.Run()
		if err != nil {
			err = fmt.Errorf("%v: %.300s", err, stderr.String())
		}
		return stdout.String(), err
	}
	lowered, err := run(text, "mlir-opt-19", "--pass-pipeline="+lowering)
	if err != nil {
		return []string{err.Error()}, false
	}
	printed, err := run(lowered, "mlir-cpu-runner-19", "-e", "main", "-entry-point-result=void", "-O0")
	if err != nil && (strings.Contains(err.Error(), "not found") || strings.Contains(err.Error(), "translat") || strings.Contains(err.Error(), "LLVM ERROR")) {
		return []string{err.Error()}, false
	}
	words := strings.Fields(printed)
	for _, c := range cases {
		for i, v := range flat(c.want) {
			if len(words) == 0 {
				return append(differences, fmt.Sprintf("%s: prints too little: %v", c.name, err)), true
			}
			n, _ := new(big.Int).SetString(words[0], 10)
			words = words[1:]
			if v == (naive.Undefined{}) {
				continue
			}
			if got := ofWord(v, n); !same(v, got) {
				differences = append(differences, fmt.Sprintf("%s: number %d is %s natively, not %s\n%s", c.name, i, show(got), show(v), c.src))
				for _, a := range c.args {
					differences = append(differences, "  "+show(simpleValue(a)))
				}
				words = nil
				return differences, true
			}
		}
	}
	return differences, true
}

// ofWord returns the printed bits as a value like another one.
func ofWord(like any, n *big.Int) any {
	if x, ok := like.(typedNumber); ok {
		return typedNumber{naive.FromBits(x.t, n).(naive.Number), x.t}
	}
	return n
}

// typedNumber is a number whose type is known.
type typedNumber struct {
	naive.Number
	t *ir.FloatType
}

// TestNatively compares execution with programs that are compiled: only where their types can
// be passed and printed, and they are defined.
func TestNatively(t *testing.T) {
	for _, tool := range []string{"mlir-opt-19", "mlir-cpu-runner-19"} {
		if _, err := osexec.LookPath(tool); err != nil {
			t.Skip(err)
		}
	}
	var programs []program
	for _, list := range [][]program{elementwise(), memoryPrograms(), tensorPrograms(), vectorPrograms(), controlPrograms()} {
		programs = append(programs, list...)
	}
	byName := map[string][]nativeCase{}
	var names []string
	for k, p := range programs {
		if approximate[p.name] || k%*every != 0 {
			continue
		}
		m, err := load(p.src)
		if err != nil {
			continue
		}
		fn, err := interp.Entry(m, "f")
		if err != nil {
			t.Fatal(err)
		}
		types := exec.NewProgram(m).Function(fn).Type()
		native := true
		for _, typ := range append(append([]ir.Type{}, types.Inputs...), types.Results...) {
			native = native && nativeType(typ)
		}
		if !native {
			continue
		}
		for seed := range uint64(3) {
			args, err := inputs(fn, seed, nil)
			if err != nil {
				t.Fatal(err)
			}
			got := naive.ExecuteChecked(m, fn, args, false)
			if got.Unknown || got.Unended || got.Wrong != "" {
				continue
			}
			var want []any
			for i, v := range got.Values {
				typ := ir.Type(nil)
				if i < len(types.Results) {
					typ = types.Results[i]
				}
				want = append(want, typed(typ, v))
			}
			if byName[p.name] == nil {
				names = append(names, p.name)
			}
			byName[p.name] = append(byName[p.name], nativeCase{p.name, p.src, fn, args, want, types.Results})
		}
	}
	compared, left := 0, []string{}
	check := func(cases []nativeCase, why *string) bool {
		differences, ok := runNatively(t, cases)
		if !ok {
			if why != nil {
				*why = differences[0]
			}
			return false
		}
		compared += len(cases)
		for _, d := range differences {
			t.Error(d)
		}
		return true
	}
	for len(names) > 0 {
		n := min(12, len(names))
		var cases []nativeCase
		for _, name := range names[:n] {
			cases = append(cases, byName[name]...)
		}
		if !check(cases, nil) {
			for _, name := range names[:n] {
				// Some of its programs may be compiled, for some types.
				var why string
				compiled := false
				if !check(byName[name], nil) {
					for _, c := range byName[name] {
						compiled = check([]nativeCase{c}, &why) || compiled
					}
					if !compiled {
						left = append(left, name)
						t.Logf("%s: %s", name, why)
					}
				}
			}
		}
		names = names[n:]
	}
	t.Logf("%d calls are compared; not compiled: %s", compared, strings.Join(left, " "))
	if compared < 800 / *every {
		t.Errorf("only %d calls were compared", compared)
	}
}

// typed gives numbers their type.
func typed(t ir.Type, v any) any {
	switch v := v.(type) {
	case *naive.Tensor:
		out := &naive.Tensor{Type: v.Type, Sizes: v.Sizes}
		for _, e := range v.Elems {
			out.Elems = append(out.Elems, typed(v.Type, e))
		}
		return out
	case naive.Number:
		return typedNumber{v, t.(*ir.FloatType)}
	}
	return v
}

// approximate lists what the compiled program gets from the C library, and bits of NaN.
var approximate = map[string]bool{"math.rsqrt": true, "math.acos": true, "math.acosh": true, "math.asin": true, "math.asinh": true, "math.atan": true, "math.atanh": true,
	"math.cbrt": true, "math.cos": true, "math.cosh": true, "math.erf": true, "math.exp": true, "math.exp2": true, "math.expm1": true, "math.log": true, "math.log10": true,
	"math.log1p": true, "math.log2": true, "math.sin": true, "math.sinh": true, "math.tan": true, "math.tanh": true, "math.atan2": true, "math.powf": true, "math.fpowi": true,
	"linalg.exp": true, "linalg.log": true, "linalg.tanh": true, "linalg.erf": true, "linalg.rsqrt": true, "linalg.powf": true, "arith.bitcast": true, "linalg.fill_rng_2d": true,
	"linalg.elemwise_unary": true}
