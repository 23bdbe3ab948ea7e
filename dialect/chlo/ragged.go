package chlo

import (
	"slices"

	"freehold/dialect/stablehlo"
	"freehold/ir"
	"freehold/ir/asm"
)

// raggedName is the mnemonic of the attribute with the dimensions of a ragged product.
const raggedName = "ragged_dot"

// raggedParts are the parts of that attribute.
var raggedParts = []string{"lhs_batching_dimensions", "rhs_batching_dimensions", "lhs_contracting_dimensions", "rhs_contracting_dimensions", "lhs_ragged_dimensions", "rhs_group_dimensions"}

// RaggedDims are the dimensions of a chlo.ragged_dot.
type RaggedDims struct {
	LHSBatch, RHSBatch, LHSSum, RHSSum []int64
	// Ragged is the dimension of lhs that is divided into groups.
	Ragged int64
	// Groups is the dimension of rhs that has an element for each group, or -1 if there is none.
	Groups int64
}

// Dims returns the dimensions, as they were verified.
func (o RaggedDotOp) Dims() RaggedDims {
	a := o.Attr("ragged_dot_dimension_numbers").(*ir.DialectAttr)
	d := RaggedDims{LHSBatch: stablehlo.Ints(a.Params[0]), RHSBatch: stablehlo.Ints(a.Params[1]), LHSSum: stablehlo.Ints(a.Params[2]), RHSSum: stablehlo.Ints(a.Params[3]),
		Ragged: stablehlo.Ints(a.Params[4])[0], Groups: -1}
	if groups := stablehlo.Ints(a.Params[5]); len(groups) > 0 {
		d.Groups = groups[0]
	}
	return d
}

// Outer returns the dimensions of lhs whose indices have groups of their own where the sizes of groups aren't a list: dimensions of batches, and those before the ragged one
// among the other ones of its kind. rank is that of lhs.
func (d RaggedDims) Outer(rank int) []int64 {
	if at := slices.Index(d.LHSBatch, d.Ragged); at >= 0 {
		return d.LHSBatch[:at:at]
	}
	if at := slices.Index(d.LHSSum, d.Ragged); at >= 0 {
		return slices.Concat(d.LHSBatch, d.LHSSum[:at])
	}
	out := slices.Clone(d.LHSBatch)
	for i := range min(d.Ragged, int64(rank)) {
		if !slices.Contains(d.LHSBatch, i) && !slices.Contains(d.LHSSum, i) {
			out = append(out, i)
		}
	}
	return out
}

func parseAttr(p *asm.Parser, mnemonic string, _ ir.Type) (ir.Attribute, error) {
	if mnemonic != raggedName {
		return nil, nil
	}
	params, err := stablehlo.ParseLists(p, raggedParts)
	if err != nil {
		return nil, err
	}
	c := p.Context()
	return c.DialectAttrOf(c.Dialect(dialectName), raggedName, params...), nil
}

func printAttr(w *ir.Writer, a *ir.DialectAttr) bool {
	if a.Mnemonic != raggedName {
		return false
	}
	w.Text(raggedName)
	stablehlo.PrintLists(w, raggedParts, a.Params)
	return true
}

func isRaggedAttr(a ir.Attribute) bool {
	d, ok := a.(*ir.DialectAttr)
	return ok && d.Dialect.Name == dialectName && d.Mnemonic == raggedName
}

// verifyRaggedDot checks that dimensions are there, and named once.
func verifyRaggedDot(op *ir.Op) error {
	a := op.Attr("ragged_dot_dimension_numbers").(*ir.DialectAttr)
	lists := make([][]int64, len(a.Params))
	for i, p := range a.Params {
		lists[i] = stablehlo.Ints(p)
	}
	shape := func(i int) []int64 { return op.Operand(i).Type().(*ir.RankedTensorType).Shape }
	check := func(what string, rank int, dims ...int64) error {
		for i, d := range dims {
			if d < 0 || d >= int64(rank) || slices.Contains(dims[:i], d) {
				return op.Errorf("dimension %d of %s isn't there, or named twice", d, what)
			}
		}
		return nil
	}
	if len(lists[4]) != 1 || len(lists[5]) > 1 {
		return op.Errorf("requires one ragged dimension of lhs, and at most one of groups of rhs")
	}
	if len(lists[0]) != len(lists[1]) || len(lists[2]) != len(lists[3]) {
		return op.Errorf("requires as many dimensions of batches, and of sums, of lhs as of rhs")
	}
	if err := check("lhs", len(shape(0)), slices.Concat(lists[0], lists[2])...); err != nil {
		return err
	}
	if err := check("lhs", len(shape(0)), lists[4]...); err != nil {
		return err
	}
	if err := check("rhs", len(shape(1)), slices.Concat(lists[1], lists[3], lists[5])...); err != nil {
		return err
	}
	free := !slices.Contains(lists[0], lists[4][0]) && !slices.Contains(lists[2], lists[4][0])
	if free != (len(lists[5]) == 1) {
		return op.Errorf("requires a dimension of groups of rhs where the ragged dimension is neither of batches nor of sums, and only there")
	}
	if err := verifyRaggedSizes(op, RaggedDotOp{Op: op}.Dims()); err != nil {
		return err
	}
	return verifyRaggedElements(op)
}

// verifyRaggedElements demands integers as the sizes of groups, and a precision for each of the two factors, or none.
func verifyRaggedElements(op *ir.Op) error {
	if t := ir.ElementType(op.Operand(2).Type()); !ir.IsInteger(t) {
		return op.Errorf("requires integers as the sizes of groups, but they are of type %s", t)
	}
	a, ok := op.Attr("precision_config").(*ir.ArrayAttr)
	if !ok {
		return nil
	}
	if len(a.Elems) != 0 && len(a.Elems) != 2 {
		return op.Errorf("requires a precision for lhs and one for rhs, or none, but there are %d", len(a.Elems))
	}
	for _, p := range a.Elems {
		if e, ok := p.(*ir.EnumAttr); !ok || e.Def != precision {
			return op.Errorf("requires a precision, and not %s", p)
		}
	}
	return nil
}

// verifyRaggedSizes checks that the sizes that are known go together.
func verifyRaggedSizes(op *ir.Op, d RaggedDims) error {
	shape := func(v *ir.Value) []int64 { return v.Type().(*ir.RankedTensorType).Shape }
	lhs, rhs, groups := shape(op.Operand(0)), shape(op.Operand(1)), shape(op.Operand(2))
	outer := d.Outer(len(lhs))
	if len(groups) != 1 && len(groups) != len(outer)+1 {
		return op.Errorf("requires the sizes of groups as a list, or as a list for each index of the %d dimensions outside of the ragged one", len(outer))
	}
	count := groups[len(groups)-1]
	for i, n := range groups[:len(groups)-1] {
		if !ir.SameSize(n, lhs[outer[i]]) {
			return op.Errorf("dimension %d of the sizes of groups has the size %d, but dimension %d of lhs %d", i, n, outer[i], lhs[outer[i]])
		}
	}
	same := d.Groups < 0 || ir.SameSize(rhs[d.Groups], count)
	for i, k := range slices.Concat(d.LHSBatch, d.LHSSum) {
		same = same && ir.SameSize(lhs[k], rhs[slices.Concat(d.RHSBatch, d.RHSSum)[i]])
	}
	if !same {
		return op.Errorf("requires the same sizes along dimensions of batches, of sums and of groups")
	}
	var want []int64
	if slices.Contains(d.LHSSum, d.Ragged) {
		want = append(want, count)
	}
	for _, k := range d.LHSBatch {
		want = append(want, lhs[k])
	}
	want = append(want, stablehlo.Remaining(lhs, slices.Concat(d.LHSBatch, d.LHSSum))...)
	want = append(want, stablehlo.Remaining(rhs, append(slices.Concat(d.RHSBatch, d.RHSSum), d.Groups))...)
	if got := shape(op.Result(0)); !slices.EqualFunc(got, want, ir.SameSize) {
		return op.Errorf("requires a result of %d dimensions, with the sizes of what remains of lhs and rhs", len(want))
	}
	return nil
}
