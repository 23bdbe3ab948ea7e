package linalg

import (
	"slices"

	"freehold/ir"
	"freehold/ir/interfaces"
)

// verify checks what the kind of a named operation demands.
func (s *spec) verify(op *ir.Op) error {
	if a := op.DiscardableAttr(memoizedMaps); a != nil {
		// Written by hand, they may be those of another operation.
		if s.elementwise() || op.NumOperands() != s.numArgs() || a != ir.Attribute(MapsAttr(op.Context(), s.computeMaps(op))) {
			return op.Errorf("'%s' are not the indexing maps of the operation", memoizedMaps)
		}
	}
	inputs, inits := len(interfaces.DpsInputs(op)), len(interfaces.DpsInits(op))
	switch s.kind {
	case fill:
		if inputs != 1 || inits != 1 {
			return op.PlainErrorf("expected op with 1 input and 1 output")
		}
		if t := (FillOp{op}).Value().Type(); ir.IsTensor(t) || ir.IsMemRef(t) {
			return op.PlainErrorf("expected op with scalar input")
		}
	case contraction, convolution:
		if s.chosen {
			if err := s.verifyChosen(op); err != nil {
				return err
			}
		}
		// Convolutions of quantized numbers take two more.
		if inputs < 2 || inputs > 2 && s.kind == contraction || inits != 1 {
			return op.PlainErrorf("expected op with 2 inputs and 1 output")
		}
		if s.kind == convolution {
			s.memoizeMaps(op)
			return verifyConvolution(op, s.IndexingMaps(op), s.Iterators(op))
		}
	}
	if n := op.NumOperands(); n != s.numArgs() {
		return op.Errorf("expected %d operands, but got %d", s.numArgs(), n)
	}
	return nil
}

// memoizeMaps leaves the indexing maps of a named operation that isn't elementwise in
// an attribute, where mlir-opt keeps them too.
func (s *spec) memoizeMaps(op *ir.Op) error {
	if s.elementwise() || op.NumOperands() != s.numArgs() || s.memoized(op) != nil {
		return nil
	}
	if maps := MapsAttr(op.Context(), s.computeMaps(op)); s.chosen {
		op.SetAttr(indexingMapsAttr, maps)
	} else {
		op.SetDiscardableAttr(memoizedMaps, maps)
	}
	return nil
}

// verifySemantics checks that a structured operation is all on tensors or all on
// buffers.
func verifySemantics(op *ir.Op) error {
	if op.NumOperands() > 0 && !pureSemantics(op) {
		return op.Errorf("expected to have pure tensor or buffer semantics")
	}
	return nil
}

// verifyStructured checks operands and body of a structured operation against its
// indexing maps.
func verifyStructured(op *ir.Op) error {
	o := StructuredOp{op}
	maps, loops := o.IndexingMaps(), o.NumLoops()
	if len(maps) != op.NumOperands() {
		return op.Errorf("expected the number of indexing_map (%d) to be equal to the number of input/output operands (%d)", len(maps), op.NumOperands())
	}
	for i, m := range maps {
		if m.Syms != 0 {
			return op.Errorf("unexpected symbols in indexing_map #%d", i)
		}
		if m.Dims != loops {
			return op.Errorf("expected indexing_map #%d to have %d dim(s) to match the number of loops", i, loops)
		}
		if r := rankOf(op.Operand(i).Type()); len(m.Results) != r {
			if op.Context().LLVM() >= 22 {
				return op.Errorf("expected operand #%d rank (%d) to match the result rank of indexing_map (%d)", i, r, len(m.Results))
			}
			return op.Errorf("expected operand rank (%d) to match the result rank of indexing_map #%d (%d)", r, i, len(m.Results))
		}
	}
	ranges, ok := o.loopRanges(maps)
	switch {
	case ok:
	case op.Context().LLVM() >= 22:
		w, all := ir.NewWriter(), []*ir.AffineExpr(nil)
		for _, m := range maps {
			all = append(all, m.Results...)
		}
		w.AffineMap(op.Context().AffineMap(loops, 0, all...))
		return op.Errorf("invalid indexing maps are non-invertible: (%s)", w.Buf)
	default:
		return op.Errorf("expected the shape-to-loops map to be non-null")
	}
	if err := verifyBody(op); err != nil {
		return err
	}
	if !ir.IsStaticShape(ranges) {
		return nil
	}
	first, last := make([]int64, len(ranges)), ranges
	for i := range last {
		last[i]--
	}
	for i, m := range maps {
		if err := verifyRange(op, i, m, first, last); err != nil {
			return err
		}
	}
	return nil
}

// pureSemantics tells whether the shaped operands are all tensors or all memrefs.
func pureSemantics(op *ir.Op) bool {
	tensors, memrefs := false, false
	for i := range op.NumOperands() {
		switch op.Operand(i).Type().(type) {
		case *ir.RankedTensorType:
			tensors = true
		case *ir.MemRefType:
			memrefs = true
		}
	}
	return tensors != memrefs
}

// verifyShapes checks operands and body of a named operation.
func (s *spec) verifyShapes(op *ir.Op) error {
	if s.elementwise() && s.sameShapes(op) {
		return verifyBody(op) // nothing can be wrong with maps that are the identity
	}
	return verifyStructured(op)
}

// sameShapes tells whether the operands of an elementwise operation have the shape of its first
// init, or are scalars.
func (s *spec) sameShapes(op *ir.Op) bool {
	inits := interfaces.DpsInits(op)
	if len(inits) == 0 {
		return false
	}
	var shape []int64 // of no dimensions, if the init is taken as a whole
	if t := inits.At(0).Type(); rankOf(t) != 0 {
		shape, _ = ir.ShapeOf(t)
	}
	for i := range op.NumOperands() {
		t := op.Operand(i).Type()
		if x, _ := ir.ShapeOf(t); rankOf(t) != 0 && !slices.Equal(x, shape) {
			return false
		}
	}
	return true
}

// verifyBody checks that a structured operation has a body with an argument for each operand.
func verifyBody(op *ir.Op) error {
	if op.NumRegions() != 1 || op.RegionAt(0).NumBlocks() != 1 {
		return op.Errorf("expects to have 1 region with 1 block")
	}
	o := StructuredOp{op}
	body, n := o.Body(), o.NumOperands()
	if o.Is(Map) {
		n--
	}
	if body.NumArgs() != n {
		return o.Errorf("expected as many non-induction variable region arguments as the number of input/output operands")
	}
	for i, a := range body.Args() {
		want := bodyType(o.Operand(i).Type())
		if a.Type() != want {
			return o.Errorf("expected type of bb argument #%d ('%s') to match element or self type of the corresponding operand ('%s')", i, a.Type(), want)
		}
	}
	return nil
}

// verifyRange checks that the positions between the first and the last point of
// the iteration space are positions in operand i.
func verifyRange(op *ir.Op, i int, m *ir.AffineMap, first, last []int64) error {
	for _, r := range m.Results {
		_, ok1 := r.Eval(first, nil)
		_, ok2 := r.Eval(last, nil)
		if !ok1 || !ok2 {
			return nil
		}
	}
	shape, _ := ir.ShapeOf(op.Operand(i).Type())
	// An operand that is a vector has the shape of one, but is read as a whole.
	for d, size := range shape[:len(m.Results)] {
		if size == ir.Dynamic || size == 0 {
			continue
		}
		lo, _ := m.Results[d].Eval(first, nil)
		hi, _ := m.Results[d].Eval(last, nil)
		inferred := max(lo, hi) + 1
		if min(lo, hi) < 0 {
			w := ir.NewWriter()
			w.AffineMap(m)
			return op.Errorf("unexpected result less than 0 at expression #%d in %s", d, w.Buf)
		}
		if m.Results[d].Kind == ir.AffineDim {
			if inferred != size {
				return op.Errorf("inferred input/output operand #%d has shape's dimension #%d to be %d, but found %d", i, d, inferred, size)
			}
		} else if inferred > size {
			return op.Errorf("inferred input/output operand #%d has shape's dimension #%d to be greater than or equal to %d, but found %d", i, d, inferred, size)
		}
	}
	return nil
}

func verifyYield(op *ir.Op) error {
	parent := op.Parent()
	if parent == nil || parent.NumRegions() != 1 || parent.RegionAt(0).Empty() {
		return op.Errorf("expected single non-empty parent region")
	}
	if !interfaces.Structured.Has(parent) {
		return op.Errorf("expected parent op with LinalgOp interface")
	}
	inits := interfaces.DpsInits(parent)
	if op.NumOperands() != len(inits) {
		return op.Errorf("expected number of yield values (%d) to match the number of inits / outs operands of the enclosing LinalgOp (%d)",
			op.NumOperands(), len(inits))
	}
	for i := range op.NumOperands() {
		want := bodyType(inits.At(i).Type())
		if t := op.Operand(i).Type(); t != want {
			return op.Errorf("type of yield operand %d ('%s') doesn't match the element type of the enclosing linalg.generic op ('%s')", i+1, t, want)
		}
	}
	return nil
}

func verifyIndex(op *ir.Op) error {
	parent := op.Parent()
	if parent != nil {
		if !interfaces.Structured.Has(parent) {
			parent = nil
		}
	}
	if parent == nil {
		return op.Errorf("expected parent op with LinalgOp interface")
	}
	if n := len(interfaces.Iterators(parent)); int64(n) <= (IndexOp{op}).Dim() {
		return op.Errorf("expected dim (%d) to be lower than the number of loops (%d) of the enclosing LinalgOp", IndexOp{op}.Dim(), n)
	}
	return nil
}

func shapeOf(v *ir.Value) []int64 {
	shape, _ := ir.ShapeOf(v.Type())
	return shape
}

func verifyMap(op *ir.Op) error {
	o := MapOp{StructuredOp{op}}
	args, inputs := o.Body().Args(), o.Inputs()
	if len(inputs) != len(args) {
		return op.Errorf("expects number of operands to match the arity of mapper, but got: %d and %d", len(inputs), len(args))
	}
	for i, a := range args {
		if t := ir.ElementType(inputs.At(i).Type()); t != a.Type() {
			return op.Errorf("expected element type of input '%s' to match bbArg type '%s'", t, a.Type())
		}
	}
	out := shapeOf(o.Inits().At(0))
	for i := range inputs {
		if in := shapeOf(inputs.At(i)); ir.JoinInts(in) != ir.JoinInts(out) {
			return op.Errorf("expected shape of input (%s) to match shape of output (%s)", ir.JoinInts(in), ir.JoinInts(out))
		}
	}
	return nil
}

func verifyReduce(op *ir.Op) error {
	o := ReduceOp{StructuredOp{op}}
	if op.NumOperands() == 0 || op.NumOperands()%2 != 0 {
		return op.Errorf("operand segments of inputs and inits must have the same size, but there are %d operands", op.NumOperands())
	}
	inputs, inits := o.Inputs(), o.Inits()
	in, init := shapeOf(inputs.At(0)), shapeOf(inits.At(0))
	for i := range inputs {
		if ir.JoinInts(shapeOf(inputs.At(i))) != ir.JoinInts(in) {
			return op.Errorf("expects all inputs to have the same shapes. Shape at input-index %d is not equal to the shape at input-index 0.", i)
		}
	}
	for i := range inits {
		if ir.JoinInts(shapeOf(inits.At(i))) != ir.JoinInts(init) {
			return op.Errorf("expects all outputs to have the same shapes. Shape at output-index %d is not equal to the shape at output-index 0.", i)
		}
	}
	for _, d := range o.Dimensions() {
		if d < 0 || d >= int64(len(in)) {
			return op.Errorf("dimensions for reduction should be in the range [0, %d].", len(in)-1)
		}
	}
	var left []int64
	for _, d := range without(len(in), o.Dimensions()) {
		left = append(left, in[d])
	}
	if len(left) != len(init) {
		return op.Errorf("number of dimensions after reduction %d doesn't match the init rank %d", len(left), len(init))
	}
	if ir.JoinInts(left) != ir.JoinInts(init) {
		return op.Errorf("init dimensions [%s] doesn't match input dimensions after reduction [%s]", ir.JoinInts(init), ir.JoinInts(left))
	}
	args := o.Body().Args()
	if len(args) != op.NumOperands() {
		return op.Errorf("mismatching number of operands and block arguments")
	}
	for i, a := range args {
		what := "input"
		if i >= len(inputs) {
			what = "output"
		}
		if t := ir.ElementType(op.Operand(i).Type()); t != a.Type() {
			return op.Errorf("%s element type '%s' does not match corresponding block argument type '%s'", what, t, a.Type())
		}
	}
	return nil
}

func verifyTranspose(op *ir.Op) error {
	o := TransposeOp{StructuredOp{op}}
	perm, in, out := o.Permutation(), shapeOf(o.Input()), shapeOf(o.Init())
	seen, bounded := map[int64]bool{}, true
	for _, p := range perm {
		seen[p] = true
		bounded = bounded && p >= 0 && p < int64(len(perm))
	}
	if len(seen) != len(perm) {
		return op.Errorf("permutation is not valid")
	}
	if len(in) != len(out) {
		return op.Errorf("input rank %d does not match init rank %d", len(in), len(out))
	}
	if len(in) != len(perm) {
		return op.Errorf("size of permutation %d does not match the argument rank %d", len(perm), len(in))
	}
	if !bounded {
		return op.Errorf("permutation is not valid") // mlir-opt reads what lies beyond the shape.
	}
	for i, p := range perm {
		if in[p] != out[i] {
			return op.Errorf("dim(result, %d) = %d doesn't match dim(input, permutation[%d]) = %d", i, out[i], i, in[p])
		}
	}
	return nil
}

func verifyBroadcast(op *ir.Op) error {
	o := BroadcastOp{StructuredOp{op}}
	dims, in, out := o.Dimensions(), shapeOf(o.Input()), shapeOf(o.Init())
	if len(in)+len(dims) != len(out) {
		return op.Errorf("input rank plus added dimensions does not match init rank. input rank: %d, dimensions size: %d, init rank: %d", len(in), len(dims), len(out))
	}
	for i, d := range dims {
		if d < 0 || d >= int64(len(out)) {
			return op.Errorf("dimension %d is out of range. expected range: [0, %d], got: %d", i, len(out)-1, d)
		}
	}
	for i, d := range without(len(out), dims) {
		if i < len(in) && in[i] != out[d] {
			return op.Errorf("input dim %d should match init dim %d. input: %d, init: %d", i, d, in[i], out[d])
		}
	}
	return nil
}
