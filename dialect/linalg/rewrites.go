package linalg

import (
	"slices"

	"freehold/dialect/memref"
	"freehold/dialect/tensor"
	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/ir/rewrite"
	"freehold/ir/shapes"
)

// structured tells whether operations are structured ones.
func structured(n *ir.OpName) bool {
	_, ok := interfaces.Structured.OfName(n)
	return ok
}

// foldMemRefCasts lets the operation work on the sources of memref.cast.
func foldMemRefCasts(op *ir.Op, _ []ir.Attribute) []ir.FoldResult {
	if memref.FoldCasts(op, nil) {
		return ir.FoldedInPlace()
	}
	return nil
}

// foldTranspose drops transpositions that change nothing.
func foldTranspose(op *ir.Op, _ []ir.Attribute) []ir.FoldResult {
	o := TransposeOp{StructuredOp{op}}
	if !ir.IsTensor(o.Input().Type()) || op.NumResults() != 1 || o.Input().Type() != op.Result(0).Type() {
		return nil
	}
	for i, p := range o.Permutation() {
		if p != int64(i) {
			return nil
		}
	}
	return ir.FoldValue(o.Input())
}

func transposeOfTranspose(r *rewrite.Rewriter, op *ir.Op) bool {
	o := TransposeOp{StructuredOp{op}}
	def := o.Input().DefiningOp()
	if def == nil || !def.Is(Transpose) {
		return false
	}
	inner := TransposeOp{StructuredOp{def}}
	perm := make([]int64, len(o.Permutation()))
	for i, p := range o.Permutation() {
		perm[i] = inner.Permutation()[p]
	}
	r.Replace(op, NewTranspose(r.At(op), inner.Input(), o.Init(), perm).Results().Values()...)
	return true
}

// transposeOfBroadcast transposes before dimensions are added.
func transposeOfBroadcast(r *rewrite.Rewriter, op *ir.Op) bool {
	o := TransposeOp{StructuredOp{op}}
	def := o.Input().DefiningOp()
	if def == nil || !def.Is(Broadcast) || !o.Input().HasOneUse() {
		return false
	}
	bc := BroadcastOp{StructuredOp{def}}
	t, ok := bc.Input().Type().(*ir.RankedTensorType)
	if !ok {
		return false
	}
	// From dimensions of the broadcast's result to those of its input, and of the
	// transposition's result.
	permutation := o.Permutation()
	source, moved := make([]int64, len(permutation)), make([]int64, len(permutation))
	for _, d := range bc.Dimensions() {
		source[d] = -1
	}
	n := int64(0)
	for d := range source {
		if source[d] >= 0 {
			source[d] = n
			n++
		}
	}
	for i, p := range permutation {
		moved[p] = int64(i)
	}
	b := r.At(op)
	var order []int64
	var sizes []shapes.OpFoldResult
	for _, p := range permutation {
		s := source[p]
		if s < 0 {
			continue
		}
		order = append(order, s)
		if t.Shape[s] == ir.Dynamic {
			sizes = append(sizes, shapes.SizeOf(tensor.NewDim(b, bc.Input(), s)))
		} else {
			sizes = append(sizes, shapes.ConstSize(t.Shape[s]))
		}
	}
	var dimensions []int64
	for _, d := range bc.Dimensions() {
		dimensions = append(dimensions, moved[d])
	}
	transposed := NewTranspose(b, bc.Input(), tensor.NewEmpty(b, sizes, t.Elem, nil), order)
	r.Replace(op, NewBroadcast(b, transposed.Result(0), o.Init(), dimensions).Results().Values()...)
	return true
}

// broadcastOfBroadcast makes one linalg.broadcast of two in a row.
func broadcastOfBroadcast(r *rewrite.Rewriter, op *ir.Op) bool {
	o := BroadcastOp{StructuredOp{op}}
	def := o.Input().DefinedBy(Broadcast)
	if def == nil {
		return false
	}
	inner := BroadcastOp{StructuredOp{def}}
	kept := without(initRank(op), o.Dimensions())
	dimensions := slices.Clone(o.Dimensions())
	for _, d := range inner.Dimensions() {
		dimensions = append(dimensions, kept[d])
	}
	slices.Sort(dimensions)
	r.Replace(op, NewBroadcast(r.At(op), inner.Input(), o.Init(), dimensions).Results().Values()...)
	return true
}

// eraseEmpty erases operations on memrefs without elements.
func eraseEmpty(r *rewrite.Rewriter, op *ir.Op) bool {
	if op.NumResults() > 0 {
		return false
	}
	for i := range op.NumOperands() {
		t, ok := op.Operand(i).Type().(*ir.MemRefType)
		if !ok {
			continue
		}
		for _, d := range t.Shape {
			if d == 0 {
				r.Erase(op)
				return true
			}
		}
	}
	return false
}

// foldCastConsumer makes a structured operation compute the more static type that
// its result is cast to.
func foldCastConsumer(r *rewrite.Rewriter, cast *ir.Op) bool {
	source := tensor.CastOp{Op: cast}.Source()
	op := source.DefiningOp()
	if op == nil || op.Block() != cast.Block() || !tensor.PreservesStatic(source.Type(), cast.Result(0).Type()) {
		return false
	}
	if !interfaces.Structured.Has(op) {
		return false
	}
	init := interfaces.TiedInit(source)
	if init == nil {
		return false
	}
	b, t := r.At(op), cast.Result(0).Type()
	n := cloneWith(b, op, map[int]*ir.Value{init.Index(): tensor.NewCast(b, t, init.Value())})
	values := n.Results().Values()
	fresh := values[source.Index()]
	values[source.Index()] = tensor.NewCast(b, source.Type(), fresh)
	r.Replace(cast, fresh)
	r.Replace(op, values...)
	return true
}

// cloneWith copies op with some operands replaced, and adjusts the types of its
// results.
func cloneWith(b *ir.Builder, op *ir.Op, operands map[int]*ir.Value) *ir.Op {
	n := b.Clone(op, ir.NewMapping())
	for i, v := range operands {
		n.SetOperand(i, v)
	}
	inits := interfaces.DpsInits(n)
	for i := range inits {
		if res := interfaces.TiedResult(&inits[i]); res != nil {
			res.SetType(inits.At(i).Type())
		}
	}
	return n
}

// inferStaticShapes makes sizes static that other operands of the operation know, or what is cast to them. Encodings are left to the casts around it.
func inferStaticShapes(r *rewrite.Rewriter, op *ir.Op) bool {
	if !interfaces.HasTensorSemantics(op) {
		return false
	}
	dynamic := false
	for i := range op.NumOperands() {
		dynamic = dynamic || !ir.IsStaticShape(shapeOf(op.Operand(i)))
	}
	if !dynamic {
		return false
	}
	maps := interfaces.IndexingMaps(op)
	if len(maps) != op.NumOperands() {
		return false
	}
	for _, m := range maps {
		if !m.IsProjectedPermutation(false) {
			return false
		}
	}
	known := make([]int64, len(interfaces.Iterators(op)))
	for i := range known {
		known[i] = ir.Dynamic
	}
	for i, m := range maps {
		t, ok := op.Operand(i).Type().(*ir.RankedTensorType)
		if !ok {
			continue
		}
		shape := t.Shape
		if cast := tensor.FoldableCast(op.Operand(i)); cast != nil {
			shape = shapeOf(tensor.CastOp{Op: cast}.Source())
		}
		for j, d := range shape {
			dim := m.Results[j].Value
			switch {
			case d == ir.Dynamic || known[dim] == d:
			case known[dim] == ir.Dynamic:
				known[dim] = d
			default: // sizes that differ stay hidden behind the casts
				return false
			}
		}
	}
	b, c := r.At(op), op.Context()
	changes := map[int]*ir.Value{}
	for i, m := range maps {
		t, ok := op.Operand(i).Type().(*ir.RankedTensorType)
		if !ok {
			continue
		}
		shape, change := append([]int64(nil), t.Shape...), false
		for j, d := range shape {
			if k := known[m.Results[j].Value]; d == ir.Dynamic && k != ir.Dynamic {
				shape[j] = k
				change = true
			}
		}
		if change {
			changes[i] = tensor.NewCast(b, c.RankedTensor(shape, t.Elem), op.Operand(i))
		}
	}
	if len(changes) == 0 {
		return false
	}
	n := cloneWith(b, op, changes)
	values := make([]*ir.Value, op.NumResults())
	for i := range values {
		values[i] = n.Result(i)
		if t := op.Result(i).Type(); t != values[i].Type() {
			values[i] = tensor.NewCast(b, t, values[i])
		}
	}
	r.Replace(op, values...)
	return true
}

// eraseSelfCopy erases copies of a memref or tensor to itself.
func eraseSelfCopy(r *rewrite.Rewriter, op *ir.Op) bool {
	if (copyOp{op}).Input() != (copyOp{op}).Output() {
		return false
	}
	r.Replace(op, op.Operands().Values()[:op.NumResults()]...)
	return true
}

// eraseIdentity erases operations whose body only yields elements of operands
// that are all accessed by the identity.
func eraseIdentity(r *rewrite.Rewriter, op *ir.Op) bool {
	o := StructuredOp{op}
	for _, m := range o.IndexingMaps() {
		if !m.IsIdentity() {
			return false
		}
	}
	body := o.Body()
	if body == nil || body.First() != body.Last() {
		return false
	}
	yielded := o.Yielded()
	if interfaces.HasBufferSemantics(op) {
		// What comes from outside is written over what was there.
		if len(o.Inputs()) != 1 || len(o.Inits()) != 1 || o.Inputs().At(0) != o.Inits().At(0) || len(yielded) != 1 || yielded.At(0).ArgOwner() != body {
			return false
		}
		r.Erase(op)
		return true
	}
	if !interfaces.HasTensorSemantics(op) || len(yielded) != op.NumResults() {
		return false
	}
	for i := range yielded {
		v := yielded.At(i)
		if v.ArgOwner() != body {
			return false
		}
		from, to := op.Operand(v.Index()).Type(), op.Result(i).Type()
		if from != to && !tensor.CastCompatible(from, to) {
			return false
		}
	}
	b := r.At(op)
	values := make([]*ir.Value, len(yielded))
	for i := range yielded {
		values[i] = op.Operand(yielded.At(i).Index())
		if t := op.Result(i).Type(); values[i].Type() != t {
			values[i] = tensor.NewCast(b, t, values[i])
		}
	}
	r.Replace(op, values...)
	return true
}
