// Package stablehlo lowers StableHLO to operations of linalg, tensor and scf that are bufferized in place.
//
// There is one mechanism for operations on elements: a linalg.generic, or a nest of loops, with a body on single elements. Bodies of regions
// (of reductions, scatters, sorts) are made of the same table of operations on elements.
package stablehlo

import (
	"errors"
	"math"

	"freehold/dialect/arith"
	"freehold/dialect/check"
	"freehold/dialect/chlo"
	"freehold/dialect/sdy"
	"freehold/dialect/stablehlo"
	"freehold/dialect/tensor"
	"freehold/ir"
)

// lowering replaces operations.
type lowering struct {
	Options
	b *ir.Builder
	// tables finds functions that are called.
	tables *ir.SymbolTables
	// err is the first reason why an operation can't be lowered.
	err  []error
	root *ir.Op
	// generators counts the operations that make random numbers.
	generators int
}

// rule lowers an operation, before which it creates others, and returns what its results become. It returns an error if that can't be done.
type rule func(l *lowering, op *ir.Op) ([]*ir.Value, error)

// rules are the operations that aren't computed element by element.
var rules map[*ir.OpID]rule

// ours tells whether the lowering is there to replace the operation.
func ours(op *ir.Op) bool {
	d := op.Dialect()
	return d != nil && (d == stablehlo.Dialect || d == chlo.Dialect || d == sdy.Dialect || op.Is(check.ExpectEqConst) || op.Is(check.ExpectAlmostEqConst))
}

// IsNeeded tells whether there is an operation of stablehlo or chlo in op: whether [Lower] would do anything. Linear time.
func IsNeeded(op *ir.Op) bool {
	found := false
	op.Walk(func(o *ir.Op) bool {
		found = found || ours(o)
		return !found
	})
	return found
}

// Lower replaces all operations of stablehlo and chlo in a module by those of other dialects that compute the same, and makes integers
// signless. It tells whether there were any. It is an error if one can't be replaced, with a diagnostic for each. Linear time, but
// for the size of what some operations become.
func Lower(module *ir.Op) (changed bool, err error) { return LowerWith(module, Options{}) }

// Options say how operations are replaced.
type Options struct {
	// WholePadding stores padding with all of a tensor, and not with the strip of it that is read at a time: for passes that make tiles of that.
	WholePadding bool
}

// LowerWith is [Lower] with options.
func LowerWith(module *ir.Op, o Options) (changed bool, err error) {
	if !IsNeeded(module) {
		return false, nil
	}
	l := newLowering(module)
	l.Options = o
	takeTuplesApart(module)
	for _, r := range module.Regions() {
		l.region(r)
	}
	if len(l.err) > 0 {
		return true, errors.Join(l.err...)
	}
	convertTypes(module)
	sweep(module)
	return true, nil
}

// sweep takes elements from where they came from, and not from the tensors around them, and removes what nobody uses any more.
func sweep(module *ir.Op) {
	var ops []*ir.Op
	module.Walk(func(op *ir.Op) bool {
		ops = append(ops, op)
		return true
	})
	for _, op := range ops {
		if op.Is(tensor.Extract) && op.NumOperands() == 1 {
			if d := (tensor.ExtractOp{Op: op}).Tensor().DefiningOp(); d != nil && (d.Is(tensor.Insert) || d.Is(tensor.FromElements)) {
				op.Result(0).ReplaceAllUsesWith(d.Operand(0))
			}
		}
	}
	for i := len(ops) - 1; i >= 0; i-- {
		if op := ops[i]; op.Has(ir.TraitPure) && op.NumResults() > 0 && !op.HasUses() && op.NumRegions() == 0 {
			op.Erase()
		}
	}
}

func (l *lowering) region(r *ir.Region) {
	for blk := range r.Blocks() {
		for op := blk.First(); op != nil; {
			if !ours(op) || op.Is(stablehlo.Return) || op.Is(sdy.Return) {
				for _, r := range op.Regions() {
					l.region(r)
				}
				op = op.Next()
				continue
			}
			op = l.replace(op)
		}
	}
}

// replace lowers an operation and returns the one to go on with: the first one that was created.
func (l *lowering) replace(op *ir.Op) *ir.Op {
	prev, blk := op.Prev(), op.Block()
	l.b.SetBefore(op)
	l.b.Loc = op.Loc()
	results, err := l.lower(op)
	if err != nil {
		l.err = append(l.err, op.Errorf("can't be lowered: %s", err))
		return op.Next()
	}
	l.b.SetBefore(op)
	for i, v := range results {
		op.Result(i).ReplaceAllUsesWith(l.typed(v, op.Result(i).Type()))
	}
	op.Erase()
	if prev == nil {
		return blk.First()
	}
	return prev.Next()
}

// typed gives a value the type of the result that it takes the place of.
func (l *lowering) typed(v *ir.Value, t ir.Type) *ir.Value {
	if v.Type() == t || !ir.IsTensor(t) {
		return v
	}
	return fitted(l.b, enter(l.b, v, l.b.Context().WithElementType(v.Type(), ir.ElementType(t))), t)
}

func (l *lowering) lower(op *ir.Op) ([]*ir.Value, error) {
	if r := quantizedRule(op); r != nil {
		return r(l, op)
	}
	if r := rules[op.ID()]; r != nil {
		return r(l, op)
	}
	if scalars[op.ID()] != nil {
		return l.elementwise(op)
	}
	return nil, errors.New("there is no rule for it")
}

// constantOf returns the elements of a value that is a constant, or nil.
func constantOf(v *ir.Value) *ir.DenseElementsAttr {
	op := v.DefiningOp()
	if op == nil || !op.Has(ir.TraitConstantLike) {
		return nil
	}
	d, _ := op.Prop(0).(*ir.DenseElementsAttr)
	return d
}

// asIndex makes an index of an element that is an integer; of unsigned ones that are larger than any index, the largest.
func (l *lowering) asIndex(v *ir.Value) *ir.Value {
	t, ok := v.Type().(*ir.IntegerType)
	if !ok {
		return v
	}
	v = enter(l.b, v, plain(l.b.Context(), t))
	id := arith.IndexCast
	if stablehlo.IsUnsigned(t) {
		id = arith.IndexCastUI
		if t.Width >= 64 {
			v = arith.New(l.b, arith.MinUI, v, arith.ConstantInt(l.b, v.Type(), math.MaxInt64))
		}
	}
	return arith.NewCast(l.b, id, ir.Index, v)
}

// fromIndex makes an element of a type of an index.
func (l *lowering) fromIndex(v *ir.Value, t ir.Type) *ir.Value {
	if t == ir.Type(ir.Index) {
		return v
	}
	e := &element{Builder: l.b}
	c := l.b.Context()
	if _, ok := t.(*ir.IntegerType); ok {
		return enter(l.b, arith.NewCast(l.b, arith.IndexCast, plain(c, t), v), t)
	}
	n := arith.NewCast(l.b, arith.IndexCast, ir.I64, v)
	return enter(l.b, e.convert(n, ir.I64, t), t)
}

// only returns the only element of a tensor: what was put into it, if that is known.
func (l *lowering) only(v *ir.Value) *ir.Value {
	t := ranked(v)
	if d := v.DefiningOp(); d != nil && len(t.Shape) == 0 {
		switch {
		case d.Is(tensor.Insert), d.Is(tensor.FromElements):
			return d.Operand(0)
		case d.Is(arith.Constant):
			return elementConstant(l.b, d)
		}
	}
	zeros := make([]*ir.Value, len(t.Shape))
	for i := range zeros {
		zeros[i] = index(l.b, 0)
	}
	return tensor.NewExtract(l.b, v, zeros...)
}

// wrapped is the tensor without dimensions of an element.
func (l *lowering) wrapped(v *ir.Value) *ir.Value {
	return tensor.NewFromElements(l.b, l.b.Context().RankedTensor(nil, v.Type()), v)
}
