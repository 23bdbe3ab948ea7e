package naive_test

import (
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"

	"freehold/dialect"
	"freehold/exec"
	"freehold/iface"
	"freehold/internal/irgen"
	"freehold/internal/naive"
	"freehold/interp"
	"freehold/ir"
	"freehold/ir/asm"
)

// simple returns a value as the package naive has it.
func simple(t ir.Type, v any) any {
	switch v := v.(type) {
	case exec.Complex:
		e := t.(*ir.ComplexType).Elem
		return naive.Complex{Re: simple(e, v.Re), Im: simple(e, v.Im)}
	case *exec.Tensor:
		out := &naive.Tensor{Type: ir.ElementType(t), Sizes: v.Sizes}
		for i := range v.Elements() {
			out.Elems = append(out.Elems, simple(out.Type, v.At(i)))
		}
		return out
	}
	if v == exec.PoisonValue {
		return naive.Undefined{}
	}
	return naive.FromBits(t, exec.BitsOf(t, v))
}

func simpleValue(v interp.Value) any {
	switch {
	case v.Tensor != nil:
		return simple(v.Type, v.Tensor)
	case v.Object != nil:
		return simple(v.Type, v.Object)
	}
	return simple(v.Type, v.Word)
}

// same tells whether two values of the package naive are the same; all NaNs are.
func same(a, b any) bool {
	switch x := a.(type) {
	case naive.AnyBits:
		return true
	case *naive.Tensor:
		y, ok := b.(*naive.Tensor)
		if !ok || fmt.Sprint(x.Sizes) != fmt.Sprint(y.Sizes) {
			return false
		}
		for i := range x.Elems {
			if !same(x.Elems[i], y.Elems[i]) {
				return false
			}
		}
		return true
	case naive.Complex:
		y, ok := b.(naive.Complex)
		return ok && same(x.Re, y.Re) && same(x.Im, y.Im)
	case naive.Number:
		y, ok := b.(naive.Number)
		if !ok || x.NaN != y.NaN || x.NaN {
			return ok && x.NaN == y.NaN
		}
		return x.Neg == y.Neg && x.Inf == y.Inf && (x.Inf || x.Abs.Cmp(y.Abs) == 0)
	case *big.Int:
		y, ok := b.(*big.Int)
		return ok && x.Cmp(y) == 0
	}
	return a == b
}

func show(v any) string {
	switch v := v.(type) {
	case *naive.Tensor:
		s := fmt.Sprint(v.Sizes, "{")
		for _, e := range v.Elems {
			s += " " + show(e)
		}
		return s + " }"
	case naive.Number:
		switch {
		case v.NaN:
			return "NaN"
		case v.Inf:
			return fmt.Sprintf("Inf(neg %v)", v.Neg)
		}
		x, _ := v.Abs.Float64()
		return fmt.Sprintf("neg %v %g", v.Neg, x)
	case naive.Complex:
		return "(" + show(v.Re) + ", " + show(v.Im) + ")"
	}
	return fmt.Sprint(v)
}

// load parses and verifies a program; the error tells what is wrong with it.
func load(src string) (*ir.Op, error) {
	m, err := asm.Parse(ir.NewContext(dialect.All()...), []byte(src), "test.mlir", asm.ParseOptions{})
	if err == nil {
		err = ir.Verify(m)
	}
	return m, err
}

// outcome is what an execution of a function came to.
type outcome struct {
	wrong            string // what it does wrong
	values           []any
	unknown, skipped bool
}

// byNaive and byExec execute a function on arguments, which they leave as they are.
func byNaive(m, fn *ir.Op, args []interp.Value) outcome {
	in := make([]any, len(args))
	for i, v := range args {
		in[i] = simpleValue(v)
		if t, ok := in[i].(*naive.Tensor); ok && ir.IsMemRef(v.Type) {
			in[i] = naive.NewMemRef(t)
		}
	}
	out, err := naive.Run(m, fn, in, 200_000)
	var wrong *naive.Wrong
	switch {
	case errors.As(err, &wrong):
		return outcome{wrong: wrong.Error()}
	case errors.Is(err, naive.ErrSteps):
		return outcome{skipped: true}
	case err != nil:
		return outcome{unknown: true, wrong: err.Error()}
	}
	var o outcome
	for _, v := range append(out, in...) {
		if mem, ok := v.(*naive.MemRef); ok {
			v = mem.Contents()
		} else if len(o.values) >= len(out) {
			continue // an argument that can't change
		}
		o.values = append(o.values, v)
	}
	return o
}

func byExec(m, fn *ir.Op, args []interp.Value, oneByOne bool) outcome {
	res, err := interp.Run(m, fn, args, interp.Options{OneByOne: oneByOne, MaxSteps: 2_000_000, MaxBytes: 1 << 26})
	if err != nil {
		return outcome{unknown: true, wrong: err.Error()}
	}
	if f := res.Stopped(); f != nil {
		return outcome{wrong: f.Kind.String() + ": " + f.Message, skipped: f.Kind == exec.StepLimit || f.Kind == exec.MemoryLimit}
	}
	var o outcome
	for _, v := range append(res.Values, res.Buffers...) {
		if v.Type != nil {
			o.values = append(o.values, simpleValue(v))
		}
	}
	return o
}

// differ tells how two outcomes differ.
func differ(want, got outcome) string {
	switch {
	case want.skipped || got.skipped:
		return ""
	case (want.wrong == "") != (got.wrong == ""):
		return fmt.Sprintf("wrong in one only: %q, and %q", want.wrong, got.wrong)
	case want.wrong != "":
		return ""
	case len(want.values) != len(got.values):
		return fmt.Sprintf("%d values, and %d", len(want.values), len(got.values))
	}
	for i := range want.values {
		if !same(want.values[i], got.values[i]) {
			return fmt.Sprintf("value %d: %s, and %s", i, show(want.values[i]), show(got.values[i]))
		}
	}
	return ""
}

// inputs returns arguments for a function: small numbers, extreme ones, and such that may
// be positions.
func inputs(fn *ir.Op, k uint64, sizes func(t ir.Type) []int64) ([]interp.Value, error) {
	g := interp.Generator{Seed: k, Edges: k%3 == 2, Natural: k%3 == 1, Size: 1 + int64(k%4), Sizes: sizes, Most: int64(k % 5)}
	args, _, err := g.Arguments(fn)
	return args, err
}

// TestPrograms compares executions of random programs.
func TestPrograms(t *testing.T) {
	for _, g := range irgen.Generators {
		if g.Idle || g.Name == "limits" { // which has operations on shapes
			continue
		}
		ran := 0
		for k := range uint64(60) {
			rnd := rand.New(rand.NewPCG(k, 1))
			src := g.Generate(rnd.IntN, 20)
			m, err := load(src)
			if err != nil {
				t.Fatal(err)
			}
			fn, err := interp.Entry(m, "main")
			if err != nil {
				t.Fatal(err)
			}
			var sizes func(t ir.Type) []int64
			if g.Sizes != nil {
				sizes = func(t ir.Type) []int64 { shape, _ := ir.ShapeOf(t); return g.Sizes(len(shape)) }
			}
			args, err := inputs(fn, k, sizes)
			if err != nil {
				t.Fatal(err)
			}
			want := byNaive(m, fn, args)
			if want.unknown {
				t.Errorf("%s: %s", g.Name, want.wrong)
				break
			}
			if want.skipped {
				continue
			}
			ran++
			for _, oneByOne := range []bool{false, true} {
				if d := differ(want, byExec(m, fn, args, oneByOne)); d != "" {
					t.Errorf("%s, %d, one by one %v: %s\n%s", g.Name, k, oneByOne, d, src)
				}
			}
			if t.Failed() {
				return
			}
		}
		if ran < 30 {
			t.Errorf("%s: only %d programs were executed", g.Name, ran)
		}
	}
}

// functions returns the functions of a module.
func functions(m *ir.Op) []*ir.Op {
	var out []*ir.Op
	for op := range m.BodyBlock(0).Ops() {
		if _, ok := iface.Function.Of(op); ok && op.BodyBlock(0) != nil {
			out = append(out, op)
		}
	}
	return out
}
