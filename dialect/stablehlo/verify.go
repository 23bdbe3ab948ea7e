package stablehlo

import (
	"fmt"
	"slices"

	"freehold/dialect/quant"
	"freehold/ir"
)

// failed makes the verifier's message of an error.
func failed(op *ir.Op, err error) error {
	if err == nil {
		return nil
	}
	return op.Errorf("%s", err)
}

func tensorAt(op *ir.Op, i int) *ir.RankedTensorType { return rankedOf(op.Operand(i).Type()) }

func resultAt(op *ir.Op, i int) *ir.RankedTensorType { return rankedOf(op.Result(i).Type()) }

// verifySameElements demands operands with the same elements.
func verifySameElements(op *ir.Op) error {
	if a, b := tensorAt(op, 0), tensorAt(op, 1); !sameElement(a.Elem, b.Elem) {
		return op.Errorf("requires the same element type for all operands, but they have %s and %s", a.Elem, b.Elem)
	}
	return nil
}

func verifyComplex(op *ir.Op) error {
	if e := tensorAt(op, 0).Elem; e != ir.Type(ir.F32) && e != ir.Type(ir.F64) {
		return op.Errorf("complex numbers have parts of type f32 or f64, not %s", e)
	}
	return verifySameElements(op)
}

func verifyReducePrecision(op *ir.Op) error {
	e, m := op.Attr("exponent_bits").(*ir.IntegerAttr).Value, op.Attr("mantissa_bits").(*ir.IntegerAttr).Value
	if e < 1 {
		return op.Errorf("exponent_bits must be at least 1, but got %d", e)
	}
	if m < 0 {
		return op.Errorf("mantissa_bits must be at least 0, but got %d", m)
	}
	return nil
}

// verifyQuantized demands that what is quantized is expressed by numbers of the operand's type.
func verifyQuantized(op *ir.Op) error {
	from, to := tensorAt(op, 0).Elem, quant.Of(resultAt(op, 0).Elem)
	if q := quant.Of(from); q != nil {
		from = q.Expressed
	}
	if ir.Type(to.Expressed) != from {
		return op.Errorf("the result expresses numbers of type %s, but the operand has %s", to.Expressed, from)
	}
	return nil
}

func verifyClamp(op *ir.Op) error {
	x := tensorAt(op, 1)
	for _, i := range []int{0, 2} {
		if t := tensorAt(op, i); !sameElement(t.Elem, x.Elem) || len(t.Shape) > 0 && !sameShape(t.Shape, x.Shape) {
			return op.Errorf("a limit must be one element, or have the shape of the operand")
		}
	}
	return failedUnless(op, sameType(x, resultAt(op, 0)), "result and operand must have the same type")
}

func failedUnless(op *ir.Op, ok bool, message string) error {
	if ok {
		return nil
	}
	return op.Errorf("%s", message)
}

func verifySelect(op *ir.Op) error {
	p, x, y, r := tensorAt(op, 0), tensorAt(op, 1), tensorAt(op, 2), resultAt(op, 0)
	if !sameType(x, y) || !sameType(x, r) {
		return op.Errorf("requires compatible types for non-predicate operands and the result")
	}
	return failedUnless(op, len(p.Shape) == 0 || sameShape(p.Shape, x.Shape), "the condition must be one element, or have the shape of the others")
}

// bitsOf returns how many bits an element has, or 0.
func bitsOf(t ir.Type) int64 {
	switch t := t.(type) {
	case *ir.IntegerType:
		return int64(t.Width)
	case *ir.FloatType:
		return int64(t.Width)
	case *ir.ComplexType:
		return 2 * bitsOf(t.Elem)
	}
	if q := quant.Of(t); q != nil {
		return int64(q.Width)
	}
	return 0
}

func verifyBitcast(op *ir.Op) error {
	x, r := tensorAt(op, 0), resultAt(op, 0)
	from, to := bitsOf(x.Elem), bitsOf(r.Elem)
	if from == 0 || to == 0 || isComplex(x.Elem) != isComplex(r.Elem) {
		return op.Errorf("can't reinterpret the bits of %s as %s", x.Elem, r.Elem)
	}
	wide, narrow, ratio := x.Shape, r.Shape, int64(1)
	switch {
	case from > to:
		ratio = from / to
	case from < to:
		wide, narrow, ratio = narrow, wide, to/from
	}
	if ratio == 1 {
		return failedUnless(op, from == to && sameShape(x.Shape, r.Shape), "operand and result must have the same shape")
	}
	ok := max(from, to) == ratio*min(from, to) && len(narrow) == len(wide)+1 && ir.SameSize(narrow[len(wide)], ratio) && sameShape(narrow[:len(wide)], wide)
	return failedUnless(op, ok, "the tensor of narrower elements must have one dimension more, with the parts of a wider one")
}

func verifyBroadcastInDim(op *ir.Op) error {
	x, r, dims := tensorAt(op, 0), resultAt(op, 0), Ints(op.Attr("broadcast_dimensions"))
	if len(dims) != len(x.Shape) {
		return op.Errorf("broadcast_dimensions size (%d) does not match operand rank (%d)", len(dims), len(x.Shape))
	}
	if err := checkDims("broadcast_dimensions", dims, len(r.Shape)); err != nil {
		return failed(op, err)
	}
	for i, d := range dims {
		if n := x.Shape[i]; n != 1 && !ir.SameSize(n, r.Shape[d]) {
			return op.Errorf("size of operand dimension %d (%d) is not equal to 1 or size of result dimension %d (%d)", i, n, d, r.Shape[d])
		}
	}
	if !sameElement(x.Elem, r.Elem) {
		return op.Errorf("operand and result must have the same elements")
	}
	return verifyBroadcasted(op, dims)
}

func verifyDynamicBroadcast(op *ir.Op) error {
	if err := verifyBroadcastInDim(op); err != nil {
		return err
	}
	n := tensorAt(op, 1).Shape[0]
	known := slices.Concat(Ints(op.Attr("known_expanding_dimensions")), Ints(op.Attr("known_nonexpanding_dimensions")))
	if err := checkDims("known dimensions", known, len(tensorAt(op, 0).Shape)); err != nil {
		return failed(op, err)
	}
	return failedUnless(op, ir.SameSize(n, int64(len(resultAt(op, 0).Shape))), "output_dimensions must have a size for each dimension of the result")
}

func verifyIota(op *ir.Op) error {
	n, rank := op.Attr("iota_dimension").(*ir.IntegerAttr).Value, int64(len(resultAt(op, 0).Shape))
	return failedUnless(op, n >= 0 && n < rank, fmt.Sprintf("iota_dimension %d isn't in [0, %d)", n, rank))
}

func verifySameRank(op *ir.Op) error {
	x, r := tensorAt(op, 0), resultAt(op, 0)
	return failedUnless(op, len(x.Shape) == len(r.Shape) && sameElement(x.Elem, r.Elem), "operand and result must have the same rank and elements")
}

// verifySetDimensionSize demands a size, which is one number, of a dimension that exists.
func verifySetDimensionSize(op *ir.Op) error {
	if err := verifySameRank(op); err != nil {
		return err
	}
	if t := tensorAt(op, 1); len(t.Shape) != 0 {
		return op.Errorf("size must be of rank 0, but is %s", t)
	}
	return verifyDimension(op, "dimension", len(tensorAt(op, 0).Shape))
}

// verifyTorchIndexSelect demands dimensions that exist, and a result of elements of the operand.
func verifyTorchIndexSelect(op *ir.Op) error {
	x, at := tensorAt(op, 0), tensorAt(op, 1)
	if err := verifyDimension(op, "dim", len(x.Shape)); err != nil {
		return err
	}
	dim, batch := op.Attr("dim").(*ir.IntegerAttr).Value, op.Attr("batch_dims").(*ir.IntegerAttr).Value
	if batch < 0 || batch > dim || batch > int64(len(at.Shape)) {
		return op.Errorf("batch_dims must be in [0, %d]", min(dim, int64(len(at.Shape))))
	}
	return failedUnless(op, sameElement(x.Elem, resultAt(op, 0).Elem), "operand and result must have the same elements")
}

// verifyDimension demands that an attribute is the number of one of rank dimensions.
func verifyDimension(op *ir.Op, name string, rank int) error {
	if n := op.Attr(name).(*ir.IntegerAttr).Value; n < 0 || n >= int64(rank) {
		return op.Errorf("%s must be in [0, %d)", name, rank)
	}
	return nil
}

func verifyDynamicReshape(op *ir.Op) error {
	r := resultAt(op, 0)
	if n := tensorAt(op, 1).Shape[0]; !ir.SameSize(n, int64(len(r.Shape))) {
		return op.Errorf("output_shape has %d sizes, but the result %d dimensions", n, len(r.Shape))
	}
	return verifyReshape(op)
}

func verifyReshape(op *ir.Op) error {
	x, r := tensorAt(op, 0), resultAt(op, 0)
	if !sameElement(x.Elem, r.Elem) {
		return op.Errorf("operand and result must have the same elements")
	}
	from, ok1 := ir.NumElements(x.Shape)
	to, ok2 := ir.NumElements(r.Shape)
	if ok1 && ok2 && from != to {
		return op.Errorf("number of output elements (%d) doesn't match expected number of elements (%d)", to, from)
	}
	return verifyReshaped(op)
}

func verifyBounds(encoding *ir.DialectAttr, shape []int64, _ ir.Type) error {
	if encoding.Mnemonic != "bounds" {
		return nil
	}
	list := Ints(encoding.Params[0])
	if len(list) != len(shape) {
		return fmt.Errorf("Bounds length is %d, expected to be equal to rank(%d) of the tensor", len(list), len(shape))
	}
	for i, n := range list {
		if n != ir.Dynamic && shape[i] != ir.Dynamic {
			return fmt.Errorf("Static dimension %d cannot have a bound, use ShapedType::kDynamic to indicate a missing bound", i)
		}
	}
	return nil
}

// typedFFI is the version of custom calls whose configuration is a dictionary.
const typedFFI = 4

func verifyCustomCall(op *ir.Op) error {
	if op.Attr("call_target_name").(*ir.StringAttr).Value == "" {
		return op.Errorf("requires the name of what is called")
	}
	version, _ := op.Attr("api_version").(*ir.IntegerAttr)
	switch op.Attr("backend_config").(type) {
	case nil, *ir.StringAttr:
	case *ir.DictAttr:
		if version == nil || version.Value != typedFFI {
			return op.Errorf("backend_config must be a string, unless api_version is %d", typedFFI)
		}
	default:
		return op.Errorf("backend_config must be a string or a dictionary")
	}
	if list, ok := op.Attr("called_computations").(*ir.ArrayAttr); ok {
		for _, a := range list.Elems {
			if r, ok := a.(*ir.SymbolRefAttr); !ok || len(r.Nested) > 0 {
				return op.Errorf("called_computations must be names of functions")
			}
		}
	}
	for _, l := range []struct {
		name  string
		types []ir.Type
	}{{"operand_layouts", op.Operands().Types()}, {"result_layouts", op.Results().Types()}} {
		list, ok := op.Attr(l.name).(*ir.ArrayAttr)
		if !ok {
			continue
		}
		types := l.types
		if len(types) == 1 && len(list.Elems) != 1 {
			if t, ok := types[0].(*ir.TupleType); ok {
				types = t.Types
			}
		}
		if len(list.Elems) != len(types) {
			return op.Errorf("Number of %s must match the number of values: %d != %d", l.name, len(list.Elems), len(types))
		}
	}
	return nil
}

func verifyCholesky(op *ir.Op) error {
	s := tensorAt(op, 0).Shape
	return failedUnless(op, len(s) >= 2 && ir.SameSize(s[len(s)-1], s[len(s)-2]), "expected square matrices")
}

func verifyTriangularSolve(op *ir.Op) error {
	a, b := tensorAt(op, 0), tensorAt(op, 1)
	n := len(a.Shape)
	if n < 2 || len(b.Shape) != n || !ir.SameSize(a.Shape[n-1], a.Shape[n-2]) || !sameShape(a.Shape[:n-2], b.Shape[:n-2]) || a.Elem != b.Elem {
		return op.Errorf("expected square matrices, and as many right-hand sides of the same elements")
	}
	side := b.Shape[n-1]
	if op.Attr("left_side").(*ir.IntegerAttr).Value != 0 {
		side = b.Shape[n-2]
	}
	if EnumValue(op, "transpose_a", 0) == 0 {
		return op.Errorf("Invalid transpose option value for triangular solve")
	}
	return failedUnless(op, ir.SameSize(side, a.Shape[n-1]), "the sizes of matrix and right-hand side don't match")
}

func verifyBitGenerator(op *ir.Op) error {
	x, r := tensorAt(op, 0), resultAt(op, 0)
	if !sameType(x, r) || len(x.Shape) != 1 || bitsOf(x.Elem) != 64 {
		return op.Errorf("the state must be a list of integers of 64 bits, before and after")
	}
	n := x.Shape[0]
	switch EnumValue(op, "rng_algorithm", 0) {
	case Philox:
		return failedUnless(op, n == ir.Dynamic || n == 2 || n == 3, "the state of PHILOX has 2 or 3 numbers")
	case ThreeFry:
		return failedUnless(op, ir.SameSize(n, 2), "the state of THREE_FRY has 2 numbers")
	}
	return nil
}

// verifyNormalization demands that what belongs to the features has one number for each.
func verifyNormalization(op *ir.Op) error {
	x := tensorAt(op, 0)
	f := op.Attr("feature_index").(*ir.IntegerAttr).Value
	if f < 0 || f >= int64(len(x.Shape)) {
		return op.Errorf("expects feature_index to be in [0, %d), but got %d", len(x.Shape), f)
	}
	if e, ok := op.Attr("epsilon").(*ir.FloatAttr); !ok || e.Type != ir.F32 {
		return op.Errorf("epsilon must be of type f32")
	}
	types := append(op.Operands().Types()[1:], op.Results().Types()...)
	for i, t := range types {
		r := rankedOf(t)
		whole := i == op.NumOperands()-1 || op.Is(BatchNormGrad) && i == 3
		if !sameElement(r.Elem, x.Elem) {
			return op.Errorf("%s doesn't have the elements of the operand, which are %s", r, x.Elem)
		}
		if whole && !sameShape(r.Shape, x.Shape) || !whole && (len(r.Shape) != 1 || !ir.SameSize(r.Shape[0], x.Shape[f])) {
			return op.Errorf("%s isn't the type of a tensor like the operand, or of its features", r)
		}
	}
	return nil
}

func verifyDot(op *ir.Op) error {
	l, r, out := tensorAt(op, 0), tensorAt(op, 1), resultAt(op, 0)
	if len(l.Shape) < 1 || len(l.Shape) > 2 || len(r.Shape) < 1 || len(r.Shape) > 2 {
		return op.Errorf("expected both lhs/rhs ranks to be either 1 or 2")
	}
	if !ir.SameSize(l.Shape[len(l.Shape)-1], r.Shape[0]) {
		return op.Errorf("contracting dimensions have the sizes %d and %d", l.Shape[len(l.Shape)-1], r.Shape[0])
	}
	expected := append(slices.Clone(l.Shape[:len(l.Shape)-1]), r.Shape[1:]...)
	return failedUnless(op, sameShape(expected, out.Shape), fmt.Sprintf("expected a result of shape %v", expected))
}

func verifyDotGeneral(op *ir.Op) error {
	l, r, out := tensorAt(op, 0), tensorAt(op, 1), resultAt(op, 0)
	a := op.Attr("dot_dimension_numbers")
	lb, rb, lc, rc := Dims(a, "lhs_batching_dimensions"), Dims(a, "rhs_batching_dimensions"), Dims(a, "lhs_contracting_dimensions"), Dims(a, "rhs_contracting_dimensions")
	if len(lb) != len(rb) || len(lc) != len(rc) {
		return op.Errorf("lhs and rhs should have the same number of batching dimensions, and of contracting dimensions")
	}
	if err := checkDims("dimensions of lhs", slices.Concat(lb, lc), len(l.Shape)); err != nil {
		return failed(op, err)
	}
	if err := checkDims("dimensions of rhs", slices.Concat(rb, rc), len(r.Shape)); err != nil {
		return failed(op, err)
	}
	left, right := slices.Concat(lb, lc), slices.Concat(rb, rc)
	var shape []int64
	for i := range left {
		if !ir.SameSize(l.Shape[left[i]], r.Shape[right[i]]) {
			return op.Errorf("dimension %d of lhs has the size %d, but dimension %d of rhs %d", left[i], l.Shape[left[i]], right[i], r.Shape[right[i]])
		}
		if i < len(lb) {
			shape = append(shape, l.Shape[left[i]])
		}
	}
	shape = append(append(shape, Remaining(l.Shape, left)...), Remaining(r.Shape, right)...)
	if !sameShape(shape, out.Shape) {
		return op.Errorf("expected a result of shape %v", shape)
	}
	if q := quant.Of(r.Elem); q != nil && slices.ContainsFunc(q.ZeroPoints, func(z int64) bool { return z != 0 }) {
		return op.Errorf("the zero points of the second operand must be 0")
	}
	if err := verifyProduct(op, func(axis int) bool { return !slices.Contains(rc, int64(axis)) }, -1); err != nil {
		return err
	}
	return verifyPrecision(op)
}

// verifyPrecision demands at most one precision for each of two operands, and none where the algorithm is said.
func verifyPrecision(op *ir.Op) error {
	list, _ := op.Attr("precision_config").(*ir.ArrayAttr)
	if list != nil && len(list.Elems) > 2 {
		return op.Errorf("expects precision_config to be empty or have at most two elements, but it has %d", len(list.Elems))
	}
	algorithm := op.Attr("algorithm")
	if algorithm == nil {
		return nil
	}
	if list != nil {
		for _, p := range list.Elems {
			if e, ok := p.(*ir.EnumAttr); ok && e.Value != 0 {
				return op.Errorf("precision_config must be DEFAULT where there is an algorithm")
			}
		}
	}
	for _, name := range []string{"lhs_component_count", "rhs_component_count", "num_primitive_operations"} {
		if n, ok := Field(algorithm, name).(*ir.IntegerAttr); ok && n.Value < 1 {
			return op.Errorf("%s must be positive, but is %d", name, n.Value)
		}
	}
	return nil
}

// Remaining returns the sizes of a shape along the dimensions that aren't among some.
func Remaining(shape, dims []int64) (out []int64) {
	for i, n := range shape {
		if !slices.Contains(dims, int64(i)) {
			out = append(out, n)
		}
	}
	return out
}

func verifyConvolution(op *ir.Op) error {
	d := ConvDimsOf(op.Attr("dimension_numbers"))
	l, r, out := tensorAt(op, 0), tensorAt(op, 1), resultAt(op, 0)
	n := len(d.InputSpatial)
	if len(l.Shape) != n+2 || len(r.Shape) != n+2 || len(out.Shape) != n+2 || len(d.KernelSpatial) != n || len(d.OutputSpatial) != n {
		return op.Errorf("operands and result must have %d dimensions", n+2)
	}
	for _, dims := range [][]int64{append([]int64{d.InputBatch, d.InputFeature}, d.InputSpatial...), append([]int64{d.KernelInput, d.KernelOutput}, d.KernelSpatial...),
		append([]int64{d.OutputBatch, d.OutputFeature}, d.OutputSpatial...)} {
		if err := checkDims("dimension numbers", dims, n+2); err != nil {
			return failed(op, err)
		}
	}
	features, batches := op.Attr("feature_group_count").(*ir.IntegerAttr).Value, op.Attr("batch_group_count").(*ir.IntegerAttr).Value
	if features < 1 || batches < 1 || features > 1 && batches > 1 {
		return op.Errorf("group counts must be positive, and one of them 1")
	}
	batch, in, kernel, outputs := l.Shape[d.InputBatch], l.Shape[d.InputFeature], r.Shape[d.KernelInput], r.Shape[d.KernelOutput]
	switch {
	case batch != ir.Dynamic && batch%batches != 0, in != ir.Dynamic && in%features != 0, outputs != ir.Dynamic && (outputs%features != 0 || outputs%batches != 0):
		return op.Errorf("batches and features must be divisible by the group counts")
	case in != ir.Dynamic && !ir.SameSize(kernel, in/features):
		return op.Errorf("the kernel has %d input features, but a group of the input %d", kernel, in/features)
	case !ir.SameSize(outputs, out.Shape[d.OutputFeature]), batch != ir.Dynamic && !ir.SameSize(batch/batches, out.Shape[d.OutputBatch]):
		return op.Errorf("the result has other batches or features than the operands")
	}
	if err := verifyProduct(op, func(axis int) bool { return int64(axis) == d.KernelOutput }, d.OutputFeature); err != nil {
		return err
	}
	if err := verifyPrecision(op); err != nil {
		return err
	}
	w, err := WindowOf(op, n)
	if err != nil {
		return failed(op, err)
	}
	if op.Is(DynamicConv) {
		p := tensorAt(op, 2).Shape
		return failedUnless(op, len(p) == 2 && ir.SameSize(p[0], int64(n)) && ir.SameSize(p[1], 2), fmt.Sprintf("d_padding must have two numbers for each of the %d spatial dimensions", n))
	}
	for i, k := range w {
		size := k.outputs(l.Shape[d.InputSpatial[i]], r.Shape[d.KernelSpatial[i]])
		if !ir.SameSize(size, out.Shape[d.OutputSpatial[i]]) {
			return op.Errorf("spatial dimension %d of the result has the size %d, not %d", i, out.Shape[d.OutputSpatial[i]], size)
		}
	}
	return nil
}

// verifyPairwise demands a result of the same type for each operand.
func verifyPairwise(op *ir.Op) error {
	return failedUnless(op, slices.Equal(op.Operands().Types(), op.Results().Types()), "requires the same types of operands and results")
}
