package exhaustive_test

import (
	"errors"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"freehold/dialect/arith"
	"freehold/internal/testing/naive"
	"freehold/ir"
)

// TestNarrowIndex executes programs of the index dialect, whose rewritings hold for every target, on one on which
// index has 32 bits: the type index is replaced by i32 before package naive executes them, which knows the width of
// an operation by its types.
func TestNarrowIndex(t *testing.T) {
	w := newWorld("i1 i8 i64 index", false)
	w.instances = slices.DeleteFunc(w.instances, func(x *instance) bool { return !strings.HasPrefix(x.name.String(), "index.") })
	w.constants[ir.Index] = slices.DeleteFunc(w.constantsOf(ir.Index), func(a ir.Attribute) bool { _, isInt := a.(*ir.IntegerAttr); return !isInt })
	b := newBatch(t, w, canonicalizer(w))
	b.runs = 60
	b.compare = b.narrowly
	r := rand.New(rand.NewPCG(*seed, 3))
	b.singles(r, 50)
	b.pairs(r, 5000)
	b.randoms(r, 1000)
	b.log()
	if b.executed == 0 {
		t.Error("nothing was executed")
	}
}

// narrowly compares a program before and after where index has 32 bits.
func (b *batch) narrowly(p *program, module, fn, newModule, newFn *ir.Op) {
	b.t.Helper()
	narrow(fn)
	narrow(newFn)
	var inputs []ir.Type
	for _, a := range fn.BodyBlock(0).Args() {
		inputs = append(inputs, a.Type())
	}
	b.arguments(p.inputs, func(args []any) bool {
		b.executed++
		var in []any
		for i, a := range args {
			in = append(in, naive.Converted(inputs[i], naive.Value(p.inputs[i], a)))
		}
		want, err := naive.Run(module, fn, in, 100)
		if err != nil {
			if errors.Is(err, naive.ErrUnknown) {
				b.t.Fatal(err)
			}
			return true // undefined, or poison
		}
		got, err := naive.Run(newModule, newFn, in, 100)
		if err == nil && naive.Same(want[0], got[0]) {
			return true
		}
		what := "undefined"
		if err == nil {
			what = naive.Show(got[0])
		}
		var list []string
		for _, a := range in {
			list = append(list, naive.Show(a))
		}
		b.report(p, fn, newFn, "for ("+strings.Join(list, ", ")+") it is "+what+", and was "+naive.Show(want[0]))
		return false
	})
}

// narrow makes i32 of the type index.
func narrow(fn *ir.Op) {
	c := fn.Context()
	i32 := c.Integer(32)
	for _, a := range fn.BodyBlock(0).Args() {
		if a.Type() == ir.Type(ir.Index) {
			a.SetType(i32)
		}
	}
	b := ir.NewBuilder(c)
	b.Loc = ir.Unknown
	for op := range fn.BodyBlock(0).Ops() {
		for _, r := range op.Results().Values() {
			if r.Type() == ir.Type(ir.Index) {
				r.SetType(i32)
			}
		}
		if op.NumResults() != 1 {
			continue
		}
		if v, ok := ir.ConstantOf(op.Result(0)).(*ir.IntegerAttr); ok && v.Type == ir.Type(ir.Index) {
			b.SetBefore(op)
			cut := new(big.Int).And(v.BigInt(), big.NewInt(1<<32-1))
			op.ReplaceAllUsesWith([]*ir.Value{arith.NewConstant(b, c.BigIntegerAttr(i32, cut)).Result(0)})
			op.Erase()
		}
	}
}
