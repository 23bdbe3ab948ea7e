package sparsetensor

import (
	"slices"

	"freehold/ir"
)

func intAttr(op *ir.Op, name string) (int64, bool) {
	a, ok := op.Attr(name).(*ir.IntegerAttr)
	if !ok {
		return 0, false
	}
	return a.Value, true
}

// verifyCrdTranslate checks that there is a coordinate for each dimension on one side, and
// for each level on the other.
func verifyCrdTranslate(op *ir.Op) error {
	e, _ := EncodingOf(op.Attr("encoder"))
	in, out := e.DimRank(), e.LvlRank()
	if toDim := op.Attr("direction").(*ir.EnumAttr).Value != 0; toDim {
		in, out = out, in
	}
	if op.NumOperands() != in || op.NumResults() != out {
		return op.PlainErrorf("Coordinate rank mismatch with encoding")
	}
	return nil
}

func verifyConvert(op *ir.Op) error {
	from, ok := ConvertOp{op}.Source().Type().(*ir.RankedTensorType)
	to, ok2 := op.Result(0).Type().(*ir.RankedTensorType)
	if !ok || !ok2 {
		return op.PlainErrorf("unexpected type in convert")
	}
	if len(from.Shape) != len(to.Shape) {
		return op.PlainErrorf("unexpected conversion mismatch in rank")
	}
	if e, ok := TensorEncoding(to); ok && len(e.Slices()) > 0 {
		return op.PlainErrorf("cannot convert to a sparse tensor slice")
	}
	for i, d := range to.Shape {
		if d != from.Shape[i] && d != ir.Dynamic {
			return op.PlainErrorf("unexpected conversion mismatch in dimension %d", i)
		}
	}
	return nil
}

// verifyStorage checks the level, and the element type that a width of the
// encoding demands.
func verifyStorage(what string, width int) func(op *ir.Op) error {
	return func(op *ir.Op) error {
		e, _ := TensorEncoding(op.OnlyOperand().Type())
		if l, _ := intAttr(op, "level"); l < 0 || l >= int64(e.LvlRank()) {
			return op.PlainErrorf("requested level is out of bounds")
		}
		if ir.ElementType(op.Result(0).Type()) != e.storage(op.Context(), width) {
			return op.PlainErrorf("unexpected type for %s", what)
		}
		return nil
	}
}

func verifyCoordinatesBuffer(op *ir.Op) error {
	if e, _ := TensorEncoding(op.OnlyOperand().Type()); e.cooStart() >= e.LvlRank() {
		return op.PlainErrorf("expected sparse tensor with a COO region")
	}
	return nil
}

func verifyValues(op *ir.Op) error {
	if ir.ElementType(op.OnlyOperand().Type()) != ir.ElementType(op.Result(0).Type()) {
		return op.PlainErrorf("unexpected mismatch in element types")
	}
	return nil
}

func verifySlice(op *ir.Op) error {
	shape, _ := ir.ShapeOf(op.OnlyOperand().Type())
	if d, _ := intAttr(op, "dim"); d < 0 || d >= int64(len(shape)) {
		return op.PlainErrorf("requested dimension out of bound")
	}
	return nil
}

func verifySpecifier(op *ir.Op) error {
	t := SpecifierGetOp{op}.Specifier().Type().(*ir.DialectType)
	e, _ := EncodingOf(t.Params[0])
	kind := op.Attr("specifierKind").(*ir.EnumAttr).Keyword()
	level, hasLevel := intAttr(op, "level")
	if kind == "val_mem_sz" {
		if hasLevel {
			return op.PlainErrorf("redundant level argument for querying value memory size")
		}
		return nil
	}
	if (kind == "dim_offset" || kind == "dim_stride") && len(e.Slices()) == 0 {
		return op.PlainErrorf("requested slice data on non-slice tensor")
	}
	levels := e.Levels()
	switch {
	case !hasLevel:
		return op.PlainErrorf("missing level argument")
	case level < 0 || level >= int64(len(levels)):
		return op.PlainErrorf("requested level is out of bounds")
	case kind == "pos_mem_sz" && levels[level].is(singleton):
		return op.PlainErrorf("requested position memory size on a singleton level")
	}
	return nil
}

func verifyLvl(op *ir.Op) error {
	e, _ := TensorEncoding(LvlOp{op}.Source().Type())
	if i, ok := ir.ConstantInt(LvlOp{op}.Index()); ok && (i < 0 || i >= int64(e.LvlRank())) {
		return op.PlainErrorf("Level index exceeds the rank of the input sparse tensor")
	}
	return nil
}

func verifyPushBack(op *ir.Op) error {
	if v := op.OptionalOperand(3); v != nil {
		if n, ok := ir.ConstantInt(v); ok && n < 1 {
			return op.Errorf("n must be not less than 1")
		}
	}
	return nil
}

func verifyCompress(op *ir.Op) error {
	e, _ := TensorEncoding(CompressOp{op}.Tensor().Type())
	if e.LvlRank() != 1+len(op.OperandGroup(5)) {
		return op.Errorf("incorrect number of coordinates")
	}
	return nil
}

func verifyConcatenate(op *ir.Op) error {
	dst := op.Result(0).Type().(*ir.RankedTensorType)
	dim, _ := intAttr(op, "dimension")
	rank := len(dst.Shape)
	if op.NumOperands() <= 1 {
		return op.PlainErrorf("Need at least two tensors to concatenate.")
	}
	if dim < 0 || dim >= int64(rank) {
		return op.PlainErrorf("Concat-dimension is out of bounds for dimension-rank (%d >= %d)", uint64(dim), rank)
	}
	shapes := make([][]int64, op.NumOperands())
	for i, t := range op.Operands().Types() {
		shapes[i], _ = ir.ShapeOf(t)
		if !ir.IsStaticShape(shapes[i]) {
			return op.PlainErrorf("Input tensor $%d has dynamic shape", i)
		}
		if len(shapes[i]) != rank {
			return op.PlainErrorf("Input tensor $%d has a different rank (rank=%d) from the output tensor (rank=%d).", i, len(shapes[i]), rank)
		}
	}
	for d, size := range dst.Shape {
		if int64(d) == dim {
			sum := int64(0)
			for _, s := range shapes {
				sum += s[d]
			}
			if size != ir.Dynamic && sum != size {
				return op.PlainErrorf("The concatenation dimension of the output tensor should be the sum of all the concatenation dimensions of the input tensors.")
			}
			continue
		}
		for _, s := range shapes {
			if size != ir.Dynamic && s[d] != size {
				return op.PlainErrorf("All dimensions (expect for the concatenating one) should be equal.")
			}
			size = s[d]
		}
	}
	return nil
}

// verifySort says everything that is wrong, as it is said there: of operands whose sizes are known, too.
func verifySort(op *ir.Op) error {
	m := op.Attr("perm_map").(*ir.AffineMapAttr).Map
	if m.Dims < 1 {
		return op.PlainErrorf("Expected rank(perm_map) > 1, got %d", m.Dims)
	}
	var wrong ir.Diagnostics
	if !m.IsPermutation() {
		wrong = append(wrong, op.PlainErrorf("Expected a permutation map, got %s", mapText(op, m)))
	}
	n, ok := ir.ConstantInt(SortOp{op}.N())
	if !ok {
		return allOf(wrong)
	}
	ny, _ := intAttr(op, "ny")
	atLeast := func(v *ir.Value, least int64, msg string) {
		if shape, _ := ir.ShapeOf(v.Type()); shape[0] != ir.Dynamic && shape[0] < least {
			wrong = append(wrong, op.PlainErrorf("%s got %d < %d", msg, shape[0], least))
		}
	}
	atLeast(SortOp{op}.Xy(), n*(int64(m.Dims)+ny), "Expected dimension(xy) >= n * (rank(perm_map) + ny)")
	for _, y := range op.OperandGroup(2).Values() {
		atLeast(y, n, "Expected dimension(y) >= n")
	}
	return allOf(wrong)
}

// allOf returns several errors as one, and nil for none.
func allOf(wrong ir.Diagnostics) error {
	if len(wrong) == 0 {
		return nil
	}
	return wrong
}

// mapText is the spelling of a map without affine_map<>.
func mapText(op *ir.Op, m *ir.AffineMap) string {
	w := ir.Writer{}
	w.AffineMap(m)
	return string(w.Buf)
}

// verifyAssemble checks that the levels and values of which a tensor is made are those that
// its encoding has, as verifyDisassemble does for what a tensor is taken apart into.
func verifyAssemble(op *ir.Op) error {
	last := op.NumOperands() - 1
	return verifyFields(op, op.Result(0).Type(), true, op.Operands().Types()[:last], op.Operand(last).Type())
}

func verifyDisassemble(op *ir.Op) error {
	levels, values := op.OperandGroup(1).Types(), op.OperandGroup(2).Types()[0]
	if op.ResultGroup(1).Types()[0] != values {
		return op.PlainErrorf("output values and return value type mismatch")
	}
	if !slices.Equal(op.ResultGroup(0).Types(), levels) {
		return op.PlainErrorf("output levels and return levels type mismatch")
	}
	return verifyFields(op, DisassembleOp{op}.Tensor().Type(), false, levels, values)
}

func verifyFields(op *ir.Op, tensor ir.Type, static bool, levels []ir.Type, values ir.Type) error {
	t := tensor.(*ir.RankedTensorType)
	e, _ := TensorEncoding(t)
	if static && ir.NumDynamic(t.Shape) > 0 {
		return op.PlainErrorf("the sparse-tensor must have static shape")
	}
	fields := e.fields(op.Context())
	if len(fields) != len(levels) {
		if n := e.LvlRank() - e.cooStart(); n > 0 && len(levels) > 0 {
			last, _ := ir.ShapeOf(levels[len(levels)-1])
			if len(last) != 2 || last[1] != int64(n) {
				return op.PlainErrorf("input/output trailing COO level-ranks don't match")
			}
		}
		return op.PlainErrorf("inconsistent number of fields between input/output")
	}
	for i, l := range levels {
		if ir.ElementType(l) != fields[i] {
			return op.PlainErrorf("input/output element-types don't match")
		}
	}
	if ir.ElementType(values) != t.Elem {
		return op.PlainErrorf("input/output element-types don't match")
	}
	return nil
}

// verifyBlock checks a region that computes a value of type out from arguments.
func verifyBlock(op *ir.Op, r *ir.Region, name string, args []ir.Type, out ir.Type) error {
	entry := r.Entry()
	if entry.NumArgs() != len(args) {
		return op.PlainErrorf("%s region must have exactly %d arguments", name, len(args))
	}
	for i, t := range args {
		if entry.Arg(i).Type() != t {
			return op.PlainErrorf("%s region argument %d type mismatch", name, i+1)
		}
	}
	y := entry.Last()
	if y == nil || !y.Is(Yield) {
		return op.PlainErrorf("%s region must end with sparse_tensor.yield", name)
	}
	if v := y.OnlyOperand(); v == nil || v.Type() != out {
		return op.PlainErrorf("%s region yield type mismatch", name)
	}
	return nil
}

func verifyBinary(op *ir.Op) error {
	x, y, out := BinaryOp{op}.X().Type(), BinaryOp{op}.Y().Type(), op.Result(0).Type()
	if r := op.RegionAt(0); !r.Empty() {
		if err := verifyBlock(op, r, "overlap", []ir.Type{x, y}, out); err != nil {
			return err
		}
	}
	sides := []struct {
		name, ordinal string
		t             ir.Type
	}{{"left", "first", x}, {"right", "second", y}}
	for i, s := range sides {
		if r := op.RegionAt(1 + i); !r.Empty() {
			if err := verifyBlock(op, r, s.name, []ir.Type{s.t}, out); err != nil {
				return err
			}
		} else if op.Attr(s.name+"_identity") != nil && s.t != out {
			return op.PlainErrorf("%s=identity requires %s argument to have the same type as the output", s.name, s.ordinal)
		}
	}
	return nil
}

func verifyUnary(op *ir.Op) error {
	out := op.Result(0).Type()
	if r := op.RegionAt(0); !r.Empty() {
		if err := verifyBlock(op, r, "present", []ir.Type{UnaryOp{op}.X().Type()}, out); err != nil {
			return err
		}
	}
	r := op.RegionAt(1)
	if r.Empty() {
		return nil
	}
	if err := verifyBlock(op, r, "absent", nil, out); err != nil {
		return err
	}
	v := r.Entry().Last().OnlyOperand()
	if v.IsBlockArg() {
		if v.ArgOwner() == op.Block() {
			return op.PlainErrorf("absent region cannot yield linalg argument")
		}
		return nil
	}
	if b := v.ParentBlock(); !v.DefiningOp().Has(ir.TraitConstantLike) && (b == r.Entry() || b == op.Block()) {
		return op.PlainErrorf("absent region cannot yield locally computed value")
	}
	return nil
}

func verifyReduce(op *ir.Op) error {
	t := ReduceOp{op}.X().Type()
	return verifyBlock(op, op.RegionAt(0), "reduce", []ir.Type{t, t}, t)
}

func verifySelect(op *ir.Op) error {
	return verifyBlock(op, op.RegionAt(0), "select", []ir.Type{SelectOp{op}.X().Type()}, ir.I1)
}

func verifyForeach(op *ir.Op) error {
	shape, _ := ir.ShapeOf(ForeachOp{op}.Tensor().Type())
	body := op.BodyBlock(0)
	rank, inits := len(shape), op.OperandGroup(1)
	if order, ok := op.Attr("order").(*ir.AffineMapAttr); ok {
		lvls := rank
		if e, ok := TensorEncoding(ForeachOp{op}.Tensor().Type()); ok {
			lvls = e.LvlRank()
		}
		if order.Map.Dims != lvls {
			return op.PlainErrorf("Level traverse order does not match tensor's level rank")
		}
	}
	if rank+1+len(inits) != body.NumArgs() {
		return op.PlainErrorf("Unmatched number of arguments in the block")
	}
	if op.NumResults() != len(inits) {
		return op.PlainErrorf("Mismatch in number of init arguments and results")
	}
	y := body.Last()
	for i := range inits {
		if inits.At(i).Type() != op.Result(i).Type() {
			return op.PlainErrorf("Mismatch in types of init arguments and results")
		}
	}
	if y.NumOperands() != op.NumResults() {
		return op.PlainErrorf("Mismatch in types of yield values and results")
	}
	for i := range op.NumResults() {
		if y.Operand(i).Type() != op.Result(i).Type() {
			return op.PlainErrorf("Mismatch in types of yield values and results")
		}
	}
	var wrong ir.Diagnostics
	for i := range rank {
		if body.Arg(i).Type() != ir.Type(ir.Index) {
			wrong = append(wrong, op.PlainErrorf("Expecting Index type for argument at index %d", i))
		}
	}
	if want, got := ir.ElementType(ForeachOp{op}.Tensor().Type()), body.Arg(rank).Type(); got != want {
		wrong = append(wrong, op.PlainErrorf("Unmatched element type between input tensor and block argument, expected:%s, got: %s", want, got))
	}
	return allOf(wrong)
}
