package naive

import (
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"freehold/exec"
	"freehold/exec/interp"
	"freehold/internal/lazyregexp"
	"freehold/ir"
)

// Value returns a word, object or tensor of the package exec, of type t, as this package
// has it.
func Value(t ir.Type, v any) any {
	switch v := v.(type) {
	case exec.Complex:
		e := t.(*ir.ComplexType).Elem
		return Complex{Re: Value(e, v.Re), Im: Value(e, v.Im)}
	case *exec.Tensor:
		out := &Tensor{Type: ir.ElementType(t), Sizes: v.Sizes}
		for i := range v.Elements() {
			out.Elems = append(out.Elems, Value(out.Type, v.At(i)))
		}
		return out
	}
	if v == exec.PoisonValue {
		return Undefined{}
	}
	bits := exec.BitsOf(t, v)
	if bits == nil {
		panic(fmt.Errorf("a value of type %s: %w", t, ErrUnknown))
	}
	return FromBits(t, bits)
}

// ValueOf is Value of an argument or result.
func ValueOf(v interp.Value) any {
	switch {
	case v.Tensor != nil:
		return Value(v.Type, v.Tensor)
	case v.Object != nil:
		return Value(v.Type, v.Object)
	}
	return Value(v.Type, v.Word)
}

// Same tells whether two values are the same; all NaNs are.
func Same(a, b any) bool {
	switch x := a.(type) {
	case AnyBits:
		return true
	case *Tensor:
		y, ok := b.(*Tensor)
		if !ok || !equal(x.Sizes, y.Sizes) {
			return false
		}
		for i := range x.Elems {
			if !Same(x.Elems[i], y.Elems[i]) {
				return false
			}
		}
		return true
	case Complex:
		y, ok := b.(Complex)
		return ok && Same(x.Re, y.Re) && Same(x.Im, y.Im)
	case Number:
		y, ok := b.(Number)
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

// Show returns a value as text.
func Show(v any) string {
	switch v := v.(type) {
	case *Tensor:
		s := fmt.Sprint(v.Sizes, "{")
		for _, e := range v.Elems {
			s += " " + Show(e)
		}
		return s + " }"
	case Number:
		switch {
		case v.NaN:
			return "NaN"
		case v.Inf:
			return fmt.Sprintf("Inf(neg %v)", v.Neg)
		}
		x, _ := v.Abs.Float64()
		return fmt.Sprintf("neg %v %g", v.Neg, x)
	case Complex:
		return "(" + Show(v.Re) + ", " + Show(v.Im) + ")"
	}
	return fmt.Sprint(v)
}

// Outcome is what the execution of a function came to.
type Outcome struct {
	// Wrong is what it does wrong, or why it is unknown.
	Wrong string
	// Kind is of what kind that is.
	Kind Kind
	// Values are the results, and then the contents of the memrefs among the arguments.
	Values []any
	// Unknown tells that it can't be executed, Unended that it takes too long.
	Unknown, Unended bool
}

// Argument returns a value as a function gets it: of a buffer, its contents in a memory of its own.
func Argument(v interp.Value) any {
	value := ValueOf(v)
	if t, ok := value.(*Tensor); ok && ir.IsMemRef(v.Type) {
		return newArgument(t, v.Type)
	}
	return value
}

// newArgument returns memory with the elements of a tensor, as far from each other as a type says; side by side if it doesn't.
func newArgument(t *Tensor, typ ir.Type) *MemRef {
	out := NewMemRef(t)
	m, ok := typ.(*ir.MemRefType)
	if !ok {
		return out
	}
	strides, offset, ok := m.StridesAndOffset()
	if !ok || offset < 0 || slices.ContainsFunc(strides, func(s int64) bool { return s < 0 }) {
		return out // unknown, or from the end
	}
	n := offset + 1
	for i, s := range strides {
		n += max(t.Sizes[i]-1, 0) * s
	}
	spread := &MemRef{Memory: newMemory(t.Type, n), Type: t.Type, offset: offset, Sizes: t.Sizes, Strides: strides}
	f := &frame{program: &program{Machine: &Machine{}}}
	f.copyElements(nil, spread, out)
	return spread
}

// Execute executes a function as simply as can be, on arguments that it leaves as they are.
func Execute(module, fn *ir.Op, args []interp.Value, steps int) (o Outcome) {
	defer unknown(&o)
	in := make([]any, len(args))
	for i, v := range args {
		in[i] = Argument(v)
	}
	return ExecuteOn(module, fn, in, steps)
}

// unknown is deferred: values of types that are not known make an outcome unknown, and results that were freed are wrong.
func unknown(o *Outcome) {
	switch r := recover().(type) {
	case nil:
	case *Wrong:
		*o = Outcome{Wrong: r.Error(), Kind: r.Kind}
	case error:
		*o = Outcome{Unknown: true, Wrong: r.Error()}
	default:
		panic(r)
	}
}

// ExecuteOn is Execute on values of this package, of which buffers are changed. Some may be the same.
func ExecuteOn(module, fn *ir.Op, in []any, steps int) (o Outcome) {
	defer unknown(&o)
	out, err := Run(module, fn, in, steps)
	var wrong *Wrong
	switch {
	case errors.As(err, &wrong):
		return Outcome{Wrong: wrong.Error(), Kind: wrong.Kind}
	case errors.Is(err, ErrSteps):
		return Outcome{Unended: true}
	case err != nil:
		return Outcome{Unknown: true, Wrong: err.Error()}
	}
	for _, v := range append(out, in...) {
		if mem, ok := v.(*MemRef); ok {
			v = mem.Contents()
		} else if len(o.Values) >= len(out) {
			continue // an argument that can't change
		}
		o.Values = append(o.Values, v)
	}
	return o
}

// ExecuteChecked executes a function by package exec.
func ExecuteChecked(module, fn *ir.Op, args []interp.Value, oneByOne bool) Outcome {
	res, err := interp.Run(module, fn, args, interp.Options{OneByOne: oneByOne, MaxSteps: 2_000_000, MaxBytes: 1 << 26})
	if err != nil {
		return Outcome{Unknown: true, Wrong: err.Error()}
	}
	o := OutcomeOf(res)
	if f := res.Stopped(); f != nil && misstates(fn, args, f) {
		o.Kind = "a message about another size"
	}
	return o
}

// sizeMessage matches what findings say about the size of an operand.
var sizeMessage = lazyregexp.New(`dimension (\d+) of operand #(\d+)(?: has size|, which has size) (\d+)`)

// misstates tells whether the message of a finding about the size of an operand, which is an argument of the function, is wrong.
func misstates(fn *ir.Op, args []interp.Value, f *exec.Finding) (wrong bool) {
	m := sizeMessage().FindStringSubmatch(f.Message)
	if m == nil {
		return false
	}
	var n [3]int64
	for i := range n {
		n[i], _ = strconv.ParseInt(m[i+1], 10, 64)
	}
	fn.Walk(func(op *ir.Op) bool {
		if op.Loc() != f.Loc || op == fn {
			return true
		}
		if n[1] >= int64(op.NumOperands()) {
			wrong = true
			return false
		}
		v := op.Operand(int(n[1]))
		if v.DefiningOp() == nil && v.ArgOwner() == fn.RegionAt(0).Entry() {
			sizes := args[v.Index()].Tensor.Sizes
			wrong = n[0] >= int64(len(sizes)) || sizes[n[0]] != n[2]
		}
		return false
	})
	return wrong
}

// OutcomeOf returns what an execution by package exec came to.
func OutcomeOf(res *interp.Result) Outcome {
	if f := res.Stopped(); f != nil {
		kind, known := kinds[f.Kind]
		if !known {
			kind = Kind(f.Kind.String())
		}
		return Outcome{Wrong: f.Kind.String() + ": " + f.Message, Kind: kind, Unended: f.Kind == exec.StepLimit || f.Kind == exec.MemoryLimit}
	}
	var o Outcome
	for _, v := range append(res.Values, res.Buffers...) {
		if v.Type != nil {
			o.Values = append(o.Values, ValueOf(v))
		}
	}
	return o
}

// kinds are the kinds of findings, as this package has them.
var kinds = map[exec.Kind]Kind{
	exec.UseAfterFree: UseAfterFree, exec.DoubleFree: InvalidFree, exec.InvalidFree: InvalidFree, exec.OutOfBounds: OutOfBounds,
	exec.Uninitialized: Uninitialized, exec.PoisonUse: Uninitialized, exec.DivisionByZero: DivisionByZero, exec.SizeMismatch: SizeMismatch,
	exec.Assertion: Assertion, exec.Undefined: Unspecified,
}

// DropLast leaves out the last n values, which don't matter. An execution that went wrong has none.
func (o *Outcome) DropLast(n int) { o.Values = o.Values[:max(len(o.Values)-n, 0)] }

// Differ tells how two outcomes differ, or returns "".
func Differ(want, got Outcome) string {
	switch {
	case want.Kind == SizeMismatch && got.Kind == Kind(exec.MemoryLimit.String()) && strings.Contains(got.Wrong, "-"):
		// A negative size isn't one that is too large.
		return fmt.Sprintf("wrong in other ways: %q, and %q", want.Wrong, got.Wrong)
	case want.Unended || got.Unended:
		return ""
	case (want.Wrong == "") != (got.Wrong == ""):
		return fmt.Sprintf("wrong in one only: %q, and %q", want.Wrong, got.Wrong)
	case want.Kind != got.Kind && want.Kind != "" && got.Kind != "":
		return fmt.Sprintf("wrong in other ways: %q, and %q", want.Wrong, got.Wrong)
	case want.Wrong != "":
		return ""
	case len(want.Values) != len(got.Values):
		return fmt.Sprintf("%d values, and %d", len(want.Values), len(got.Values))
	}
	for i := range want.Values {
		if !Same(want.Values[i], got.Values[i]) {
			return fmt.Sprintf("value %d: %s, and %s", i, Show(want.Values[i]), Show(got.Values[i]))
		}
	}
	return ""
}
