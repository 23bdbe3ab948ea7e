package vector

import (
	"slices"

	"freehold/ir"
)

// supports tells whether elements of the type can be combined that way.
func supports(kind ir.Attribute, elem ir.Type) bool {
	e, ok := kind.(*ir.EnumAttr)
	if !ok {
		return true
	}
	switch e.Keyword() {
	case "add", "mul":
		return ir.IsIntOrIndex(elem) || ir.IsFloat(elem)
	case "minnumf", "maxnumf", "minimumf", "maximumf":
		return ir.IsFloat(elem)
	}
	return ir.IsIntOrIndex(elem)
}

func kindOf(op *ir.Op) string {
	e, ok := op.Attr("kind").(*ir.EnumAttr)
	if !ok {
		return ""
	}
	return e.Keyword()
}

func verifyReduction(op *ir.Op) error {
	if n := len(vec(ReductionOp{op}.Vector().Type()).Shape); n > 1 {
		return op.Errorf("unsupported reduction rank: %d", n)
	}
	if t := op.Result(0).Type(); !supports(op.Attr("kind"), t) {
		return op.Errorf("unsupported reduction type ''%s'' for kind '%s'", t, kindOf(op))
	}
	return nil
}

// without returns what is left of a shape, and of its flags, without some
// dimensions.
func without(v *ir.VectorType, dims []int64) (shape []int64, scalable []bool) {
	for i, d := range v.Shape {
		if !slices.Contains(dims, int64(i)) {
			shape, scalable = append(shape, d), append(scalable, scalableDim(v, i))
		}
	}
	return shape, scalable
}

func verifyMultiReduction(op *ir.Op) error {
	src := vec(MultiReductionOp{op}.Source().Type())
	want := src.Elem
	if shape, scalable := without(src, listAttr(op, "reduction_dims")); len(shape) > 0 {
		want = op.Context().Vector(shape, scalable, src.Elem)
	}
	if t := op.Result(0).Type(); t != want {
		return op.Errorf("destination type '%s' is incompatible with source type '%s'", t, src)
	}
	return nil
}

func verifyScan(op *ir.Op) error {
	src, init := vec(ScanOp{op}.Source().Type()), vec(ScanOp{op}.InitialValue().Type())
	dim := int64(0)
	if d, ok := op.Attr("reduction_dim").(*ir.IntegerAttr); ok {
		dim = d.Value
	}
	rank := len(src.Shape)
	if dim >= int64(rank) {
		return op.Errorf("reduction dimension %d has to be less than %d", dim, rank)
	}
	if len(init.Shape) != rank-1 {
		return op.Errorf("initial value rank %d has to be equal to %d", len(init.Shape), rank-1)
	}
	if shape, _ := without(src, []int64{dim}); !slices.Equal(shape, init.Shape) {
		return op.Errorf("incompatible input/initial value shapes")
	}
	if !supports(op.Attr("kind"), src.Elem) {
		return op.Errorf("unsupported reduction type '%s' for kind '%s'", src.Elem, kindOf(op))
	}
	return nil
}

func verifyOuterProduct(op *ir.Op) error {
	lhs, rhs, res := vec(OuterProductOp{op}.LHS().Type()), vec(OuterProductOp{op}.RHS().Type()), vec(op.Result(0).Type())
	if len(lhs.Shape) != 1 {
		return op.Errorf("expected 1-d vector for operand #1")
	}
	switch {
	case rhs != nil && len(rhs.Shape) != 1:
		return op.Errorf("expected 1-d vector for operand #2")
	case rhs != nil && len(res.Shape) != 2:
		return op.Errorf("expected 2-d vector result")
	case rhs == nil && len(res.Shape) != 1:
		return op.Errorf("expected 1-d vector result")
	case lhs.Shape[0] != res.Shape[0]:
		return op.Errorf("expected #1 operand dim to match result dim #1")
	case rhs != nil && rhs.Shape[0] != res.Shape[1]:
		return op.Errorf("expected #2 operand dim to match result dim #2")
	case rhs != nil && scalableDim(lhs, 0) && !scalableDim(rhs, 0):
		return op.Errorf("expected either both or only #2 operand dim to be scalable")
	}
	if acc := op.OptionalOperand(2); acc != nil && acc.Type() != ir.Type(res) {
		return op.Errorf("expected operand #3 of same type as result type")
	}
	if !supports(op.Attr("kind"), res.Elem) {
		return op.Errorf("unsupported outerproduct type")
	}
	return nil
}

// contractMaps returns the indexing maps of a vector.contract.
func contractMaps(op *ir.Op) []*ir.AffineMap {
	arr, _ := op.Attr("indexing_maps").(*ir.ArrayAttr)
	if arr == nil {
		return nil
	}
	var maps []*ir.AffineMap
	for _, e := range arr.Elems {
		if m, ok := e.(*ir.AffineMapAttr); ok {
			maps = append(maps, m.Map)
		}
	}
	return maps
}

// iterators tells for each iterator whether it is a reduction.
func iterators(op *ir.Op) []bool {
	arr, _ := op.Attr("iterator_types").(*ir.ArrayAttr)
	if arr == nil {
		return nil
	}
	out := make([]bool, len(arr.Elems))
	for i, e := range arr.Elems {
		x, ok := e.(*ir.EnumAttr)
		out[i] = ok && x.Keyword() == "reduction"
	}
	return out
}

// dimPairs returns the dimensions of the two vectors that iterate together, for
// reductions or for the other iterators.
func dimPairs(maps []*ir.AffineMap, reductions []bool, reduced bool) (lhs, rhs []int64) {
	position := func(m *ir.AffineMap, d int) int64 {
		return int64(slices.IndexFunc(m.Results, func(e *ir.AffineExpr) bool { return e.Kind == ir.AffineDim && e.Value == int64(d) }))
	}
	for i, r := range reductions {
		if r != reduced {
			continue
		}
		if a, b := position(maps[0], i), position(maps[1], i); a >= 0 && b >= 0 {
			lhs, rhs = append(lhs, a), append(rhs, b)
		}
	}
	return lhs, rhs
}

func verifyContract(op *ir.Op) error {
	lhs, rhs := vec(ContractOp{op}.LHS().Type()), vec(ContractOp{op}.RHS().Type())
	if ir.IsInteger(lhs.Elem) && !ir.IsSignlessInteger(lhs.Elem) {
		return op.Errorf("only supports signless integer types")
	}
	maps, reductions := contractMaps(op), iterators(op)
	if len(maps) != 3 {
		return op.Errorf("expected an indexing map for each vector operand")
	}
	for i, m := range maps {
		rank := 0
		if v := vec(op.Operand(i).Type()); v != nil {
			rank = len(v.Shape)
		}
		switch {
		case m.Syms != 0:
			return op.Errorf("expected indexing map %d to have no symbols", i)
		case m.Dims != len(reductions):
			return op.Errorf("expected indexing map %d to have %d number of inputs", i, len(reductions))
		case len(m.Results) != rank:
			return op.Errorf("expected indexing map %d to have %d number of outputs", i, rank)
		case !m.IsProjectedPermutation(false):
			return op.Errorf("expected indexing map %d to be a projected permutation of its inputs", i)
		}
	}
	redL, redR := dimPairs(maps, reductions, true)
	batchL, batchR := dimPairs(maps, reductions, false)
	if len(redL) == 0 {
		return op.Errorf("expected at least one contracting dimension pair")
	}
	equal := func(a, b []int64) bool {
		for i := range a {
			if lhs.Shape[a[i]] != rhs.Shape[b[i]] {
				return false
			}
		}
		return true
	}
	if !equal(redL, redR) {
		return op.Errorf("invalid contracting dimension map")
	}
	if !equal(batchL, batchR) {
		return op.Errorf("invalid batch dimension map")
	}
	restL, _ := without(lhs, redL)
	restR, _ := without(rhs, append(redR, batchR...))
	if err := verifyContractResult(op, maps, len(restL)+len(restR) > 0); err != nil {
		return err
	}
	if !supports(op.Attr("kind"), ir.ElementType(op.Result(0).Type())) {
		return op.Errorf("unsupported contraction type")
	}
	return nil
}

// iterationSpace returns the sizes of the iterators, 0 where no vector has the
// iterator, and whether they are scalable.
func iterationSpace(op *ir.Op, maps []*ir.AffineMap) (sizes []int64, scalable []bool) {
	sizes, scalable = make([]int64, maps[0].Dims), make([]bool, maps[0].Dims)
	for i := range 2 {
		v := vec(op.Operand(i).Type())
		for j, e := range maps[i].Results {
			sizes[e.Value] = v.Shape[j]
			scalable[e.Value] = scalable[e.Value] || scalableDim(v, j)
		}
	}
	return sizes, scalable
}

// verifyContractResult checks the type of the result and the accumulator, which is
// a vector if not all dimensions are reduced.
func verifyContractResult(op *ir.Op, maps []*ir.AffineMap, isVector bool) error {
	acc, res := vec(ContractOp{op}.Acc().Type()), vec(op.Result(0).Type())
	if !isVector {
		if acc != nil || res != nil {
			return op.Errorf("invalid accumulator/result vector shape")
		}
		return nil
	}
	if acc == nil || res == nil {
		return op.Errorf("invalid accumulator/result vector shape")
	}
	sizes, _ := iterationSpace(op, maps)
	if slices.Contains(sizes, 0) {
		return op.Errorf("expected all dimensions to be either a LHS or a RHS dimension")
	}
	shape := make([]int64, len(maps[2].Results))
	for i, e := range maps[2].Results {
		shape[i] = sizes[e.Value]
	}
	var scalable []bool
	if len(res.Scalable) == len(shape) {
		scalable = res.Scalable
	}
	want := op.Context().Vector(shape, scalable, res.Elem)
	if acc != want || res != want {
		return op.Errorf("invalid accumulator/result vector shape, expected: '%s'", want)
	}
	return nil
}
