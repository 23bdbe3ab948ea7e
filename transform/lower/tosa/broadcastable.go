package tosa

import (
	"slices"

	"freehold/dialect/tosa"
	"freehold/ir"
	"freehold/ir/rewrite"
)

// broadcasting lists the operations whose operands may have different ranks.
var broadcasting = []*ir.OpID{
	tosa.BitwiseAnd, tosa.BitwiseOr, tosa.BitwiseXor, tosa.Add, tosa.Sub, tosa.Mul, tosa.IntDiv, tosa.Maximum, tosa.Minimum, tosa.Equal,
	tosa.Greater, tosa.GreaterEqual, tosa.LogicalLeftShift, tosa.ArithmeticRightShift, tosa.LogicalRightShift, tosa.LogicalAnd, tosa.LogicalOr,
	tosa.LogicalXor, tosa.Select, tosa.Pow,
}

// BroadcastablePatterns returns the patterns of tosa-make-broadcastable: operands get the rank of the result, by
// dimensions of size 1 in front.
func BroadcastablePatterns() []rewrite.Pattern {
	var out []rewrite.Pattern
	for _, id := range broadcasting {
		out = append(out, rewrite.Pattern{Name: "ConvertTosaOp", Root: id, Rewrite: equalizeRanks})
	}
	return out
}

func equalizeRanks(r *rewrite.Rewriter, op *ir.Op) bool {
	result := ranked(op.Result(0).Type())
	if result == nil {
		return false
	}
	rank := len(result.Shape)
	operands := op.Operands().Values()
	fewer := false
	for _, v := range operands {
		t := ranked(v.Type())
		if t == nil || len(t.Shape) > rank {
			return false
		}
		fewer = fewer || len(t.Shape) < rank
	}
	// Of three operands, those with the rank come first: the others follow the first that has it.
	highest := slices.IndexFunc(operands, func(v *ir.Value) bool { return len(shapeOf(v)) == rank })
	if !fewer || highest < 0 {
		return false
	}
	shapes := make([][]int64, len(operands))
	for i, v := range operands {
		s := shapeOf(v)
		if len(s) == rank {
			continue
		}
		higher := shapeOf(operands[highest])
		shapes[i] = slices.Repeat([]int64{1}, rank-len(s))
		for k, d := range s {
			if h := higher[rank-len(s)+k]; d != h && (d == ir.Dynamic || h == ir.Dynamic || d != 1 && h != 1) {
				return false
			}
			shapes[i] = append(shapes[i], d)
		}
		if ir.NumDynamic(shapes[i]) > 1 {
			return false
		}
	}
	r.At(op)
	b := tosaBuilder{r.Builder}
	for i, s := range shapes {
		if s != nil {
			operands[i] = b.reshape(operands[i], s...)
		}
	}
	r.Replace(op, b.CreateOp(op.ID(), []ir.Type{result}, operands, inherent(op)...).Result(0))
	return true
}

// inherent returns the attributes that an operation is defined by.
func inherent(op *ir.Op) []ir.NamedAttr {
	var out []ir.NamedAttr
	for i, d := range op.Def().Attrs {
		if a := op.Prop(i); a != nil {
			out = append(out, ir.NamedAttr{Name: d.Name, Value: a})
		}
	}
	return out
}
