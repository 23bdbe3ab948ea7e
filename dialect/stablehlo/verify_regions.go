package stablehlo

import (
	"fmt"
	"slices"

	"freehold/dialect/quant"
	"freehold/ir"
)

// returned returns what a region hands back; nil if it doesn't end as it should.
func returned(r *ir.Region) []ir.Type {
	b := r.Entry()
	if b == nil || b.Last() == nil || !b.Last().Is(Return) {
		return nil
	}
	return b.Last().Operands().Types()
}

// verifyBranches demands regions without arguments that hand back the results.
func verifyBranches(op *ir.Op) error {
	if op.NumRegions() == 0 {
		return op.Errorf("expect at least one branch")
	}
	for i, r := range op.Regions() {
		if r.Entry().NumArgs() > 0 {
			return op.Errorf("branch %d must have 0 arguments, but found %d", i, r.Entry().NumArgs())
		}
		if !compatible(returned(r), op.Results().Types()) {
			return op.Errorf("branch %d returns other types than the operation has", i)
		}
	}
	return nil
}

func verifyWhile(op *ir.Op) error {
	types := op.Operands().Types()
	if !compatible(types, op.Results().Types()) {
		return op.Errorf("expects the types of operands and results to be compatible")
	}
	for i, r := range op.Regions() {
		if !compatible(ir.TypesOf(r.Entry().Args()), types) {
			return op.Errorf("region %d must have an argument for each operand", i)
		}
	}
	if c := returned(op.RegionAt(0)); len(c) != 1 || !isCondition(c[0]) {
		return op.Errorf("the condition must return one i1")
	}
	return failedUnless(op, compatible(returned(op.RegionAt(1)), types), "the body must return the types of the operands")
}

func isCondition(t ir.Type) bool {
	r := rankedOf(t)
	return r != nil && len(r.Shape) == 0 && isBool(r.Elem)
}

// halves splits the operands of a reduction into tensors and first values.
func halves(op *ir.Op) (inputs, inits []ir.Type, ok bool) {
	n := op.NumOperands() / 2
	all := op.Operands().Types()
	return all[:n], all[n:], op.NumOperands() > 0 && op.NumOperands()%2 == 0 && op.NumResults() == n
}

func verifyReduce(op *ir.Op) error {
	inputs, inits, ok := halves(op)
	if !ok {
		return op.Errorf("expected an initial value and a result for each operand")
	}
	dims := Ints(op.Attr("dimensions"))
	first := rankedOf(inputs[0])
	if err := checkDims("dimensions", dims, len(first.Shape)); err != nil {
		return failed(op, err)
	}
	for i := range inputs {
		x, v, r := rankedOf(inputs[i]), rankedOf(inits[i]), resultAt(op, i)
		if !sameShape(x.Shape, first.Shape) || len(v.Shape) != 0 {
			return op.Errorf("operands must have the same shape, and initial values none")
		}
		var rest []int64
		for d, n := range x.Shape {
			if !slices.Contains(dims, int64(d)) {
				rest = append(rest, n)
			}
		}
		if !sameShape(rest, r.Shape) {
			return op.Errorf("result %d has the shape %v, but the dimensions that are left are %v", i, r.Shape, rest)
		}
	}
	return nil
}

func verifyReduceWindow(op *ir.Op) error {
	inputs, inits, ok := halves(op)
	if !ok {
		return op.Errorf("expected an initial value and a result for each operand")
	}
	first := rankedOf(inputs[0])
	w, err := WindowOf(op, len(first.Shape))
	if err != nil {
		return failed(op, err)
	}
	for i := range inputs {
		x, v, r := rankedOf(inputs[i]), rankedOf(inits[i]), resultAt(op, i)
		if !sameShape(x.Shape, first.Shape) || len(v.Shape) != 0 || len(r.Shape) != len(x.Shape) {
			return op.Errorf("operands must have the same shape, and initial values none")
		}
		for d, n := range x.Shape {
			if size := w[d].outputs(n, w[d].Size); !ir.SameSize(size, r.Shape[d]) {
				return op.Errorf("result %d has the size %d in dimension %d, not %d", i, r.Shape[d], d, size)
			}
		}
	}
	return nil
}

// verifyReducer demands a region that makes one element of two, for each result.
func verifyReducer(op *ir.Op) error {
	inputs, inits, _ := halves(op)
	return failed(op, combines(op.RegionAt(0), op.Results().Types(), inputs, inits))
}

// combines checks a region that gets two elements for each tensor, and hands back one, in the type of the results: that of what is
// combined with each other, or a wider one.
func combines(r *ir.Region, tensors, inputs, others []ir.Type) error {
	args, out := ir.TypesOf(r.Entry().Args()), returned(r)
	if len(args) != 2*len(tensors) || len(out) != len(tensors) {
		return fmt.Errorf("the region must have %d arguments, and return %d values", 2*len(tensors), len(tensors))
	}
	for i := range tensors {
		x, y, z := rankedOf(args[i]), rankedOf(args[i+len(tensors)]), rankedOf(out[i])
		if x == nil || y == nil || z == nil || len(x.Shape)+len(y.Shape)+len(z.Shape) > 0 {
			return fmt.Errorf("the region must have elements as arguments, and return elements")
		}
		for k, a := range []*ir.RankedTensorType{x, y} {
			if !sameElement(a.Elem, ir.ElementType(tensors[i])) {
				return fmt.Errorf("argument %d of the region is %s, which can't stand for the result's %s", i+k*len(tensors), a.Elem, ir.ElementType(tensors[i]))
			}
		}
		for _, t := range slices.Concat(inputs[i:i+1], others[min(i, len(others)):min(i+1, len(others))]) {
			if !promotable(ir.ElementType(t), x.Elem) {
				return fmt.Errorf("the region combines numbers of type %s, which %s can't be converted to", x.Elem, ir.ElementType(t))
			}
		}
		if !sameElement(z.Elem, ir.ElementType(tensors[i])) {
			return fmt.Errorf("the region returns %s, but the result has %s", z.Elem, ir.ElementType(tensors[i]))
		}
	}
	return nil
}

// promotable tells whether numbers of one type can be converted to another, of the same kind, without a loss.
func promotable(a, b ir.Type) bool {
	kind := func(t ir.Type) string {
		_, isComplex := t.(*ir.ComplexType)
		switch {
		case ir.IsIntOrIndex(t):
			return "integer"
		case ir.IsFloat(t):
			return "float"
		case isComplex:
			return "complex"
		}
		return t.String()
	}
	if p, q := quant.Of(a), quant.Of(b); p != nil || q != nil {
		return p != nil && q != nil && p.Width <= q.Width && sameExpressed(p, q) || sameElement(a, b)
	}
	return a == b || kind(a) == kind(b) && isBool(a) == isBool(b) && bitsOf(a) <= bitsOf(b)
}

func verifyMap(op *ir.Op) error {
	dims := Ints(op.Attr("dimensions"))
	rank := len(resultAt(op, 0).Shape)
	for i, d := range dims {
		if d != int64(i) {
			return op.Errorf("requires monotonically increasing dimension numbers, but got: %v", dims)
		}
	}
	if len(dims) != rank {
		return op.Errorf("applied to a subset of dimensions currently not supported: operand dimensions = %d, requested map dimensions size = %d", rank, len(dims))
	}
	args, out := op.RegionAt(0).Entry().Args(), returned(op.RegionAt(0))
	ok := len(args) == op.NumOperands() && len(out) == 1 && rankedOf(out[0]) != nil && len(rankedOf(out[0]).Shape) == 0
	for i := 0; ok && i < len(args); i++ {
		t := rankedOf(args[i].Type())
		ok = t != nil && len(t.Shape) == 0 && sameElement(t.Elem, tensorAt(op, i).Elem)
	}
	ok = ok && sameElement(rankedOf(out[0]).Elem, resultAt(op, 0).Elem)
	return failedUnless(op, ok, "the region must have an element of each operand as argument, and return one element")
}

func verifySort(op *ir.Op) error {
	if op.NumOperands() == 0 || op.NumResults() != op.NumOperands() {
		return op.Errorf("expected operands, and a result for each")
	}
	first := tensorAt(op, 0)
	rank := int64(len(first.Shape))
	if d, ok := op.Attr("dimension").(*ir.IntegerAttr); ok && (d.Value < -rank || d.Value >= rank) {
		return op.Errorf("dimension attribute value must be in range [-%d, %d), but found %d", rank, rank, d.Value)
	}
	for i := range op.NumOperands() {
		if x := tensorAt(op, i); !sameShape(x.Shape, first.Shape) || !sameType(x, op.Result(i).Type()) {
			return op.Errorf("operands and results must have the same shape")
		}
	}
	return nil
}

func verifyComparator(op *ir.Op) error {
	args, out := op.RegionAt(0).Entry().Args(), returned(op.RegionAt(0))
	if len(args) != 2*op.NumOperands() || len(out) != 1 || !isCondition(out[0]) {
		return op.Errorf("the comparator must have %d arguments, and return one i1", 2*op.NumOperands())
	}
	for i, a := range args {
		if t := rankedOf(a.Type()); t == nil || len(t.Shape) > 0 || t.Elem != tensorAt(op, i/2).Elem {
			return op.Errorf("argument %d of the comparator must be an element of operand %d", i, i/2)
		}
	}
	return nil
}

func verifyScatter(op *ir.Op) error {
	n := op.NumOperands() / 2
	if op.NumOperands()%2 == 0 || op.NumResults() != n || n == 0 {
		return op.Errorf("expected inputs, indices, and as many updates and results")
	}
	g := GatherDimsOf(op.Attr("scatter_dimension_numbers"))
	first, indices, update := tensorAt(op, 0), tensorAt(op, n), tensorAt(op, n+1)
	if err := g.check(first.Shape, indices.Shape); err != nil {
		return failed(op, err)
	}
	window, batch := g.Window(len(first.Shape)), g.Batch(len(indices.Shape))
	if len(update.Shape) != len(window)+len(batch) || len(g.Offset) != len(window) {
		return op.Errorf("updates must have a dimension for each of %d of the window and %d of the indices", len(window), len(batch))
	}
	if err := checkDims("update_window_dims", g.Offset, len(update.Shape)); err != nil {
		return failed(op, err)
	}
	for d, size := range update.Shape {
		if i := slices.Index(g.Offset, int64(d)); i >= 0 {
			if limit := first.Shape[window[i]]; limit != ir.Dynamic && size != ir.Dynamic && size > limit {
				return op.Errorf("updates have the size %d in dimension %d, more than the input's %d", size, d, limit)
			}
			continue
		}
		if !ir.SameSize(size, indices.Shape[batch[0]]) {
			return op.Errorf("updates have the size %d in dimension %d, but the indices %d", size, d, indices.Shape[batch[0]])
		}
		batch = batch[1:]
	}
	for i := range n {
		if x, u := tensorAt(op, i), tensorAt(op, n+1+i); !sameShape(x.Shape, first.Shape) || !sameShape(u.Shape, update.Shape) || !sameShape(x.Shape, resultAt(op, i).Shape) {
			return op.Errorf("all inputs and results must have the same shape, and all updates")
		}
	}
	return nil
}

func verifyScatterBody(op *ir.Op) error {
	all, n := op.Operands().Types(), op.NumResults()
	return failed(op, combines(op.RegionAt(0), op.Results().Types(), all[:n], all[n+1:]))
}

func verifySelectAndScatter(op *ir.Op) error {
	x, s, v, r := tensorAt(op, 0), tensorAt(op, 1), tensorAt(op, 2), resultAt(op, 0)
	if !sameElement(s.Elem, x.Elem) || !sameElement(v.Elem, x.Elem) {
		return op.Errorf("source and initial value must have the elements of the operand")
	}
	if !sameShape(x.Shape, r.Shape) || len(s.Shape) != len(x.Shape) || len(v.Shape) != 0 {
		return op.Errorf("expected a result of the operand's shape, a source of its rank, and one initial value")
	}
	w, err := WindowOf(op, len(x.Shape))
	if err != nil {
		return failed(op, err)
	}
	for d, n := range x.Shape {
		if size := w[d].outputs(n, w[d].Size); !ir.SameSize(size, s.Shape[d]) {
			return op.Errorf("the source has the size %d in dimension %d, not %d", s.Shape[d], d, size)
		}
	}
	return nil
}

// verifySelector demands a comparison of two elements, and a computation on two.
func verifySelector(op *ir.Op) error {
	args, out := ir.TypesOf(op.RegionAt(0).Entry().Args()), returned(op.RegionAt(0))
	element := op.Operand(2).Type()
	if len(out) != 1 || !isCondition(out[0]) || !compatible([]ir.Type{element, element}, args) {
		return op.Errorf("region 0 must have two elements of the operand as arguments, and return one i1")
	}
	return failed(op, combines(op.RegionAt(1), op.Results().Types(), []ir.Type{op.Operand(0).Type()}, []ir.Type{op.Operand(2).Type()}))
}
