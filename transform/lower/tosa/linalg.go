package tosa

import (
	"freehold/dialect/builtin"
	"freehold/dialect/tosa"
	"freehold/ir"
	"freehold/ir/conversion"
	"freehold/ir/rewrite"
)

// LinalgPatterns returns the patterns of tosa-to-linalg: operations on whole tensors become
// linalg.generic and the like.
func LinalgPatterns(c *ir.Context) []rewrite.Pattern {
	out := append(elementwisePatterns(signlessTypes(c)), reductionPatterns()...)
	out = append(out, resizePatterns()...)
	return append(out,
		rewrite.Pattern{Name: "FFT2dConverter", Root: tosa.FFT2D, Rewrite: fourierToGeneric},
		rewrite.Pattern{Name: "RFFT2dConverter", Root: tosa.RFFT2D, Rewrite: fourierToGeneric},
		rewrite.Pattern{Name: "ArgMaxConverter", Root: tosa.ArgMax, Rewrite: argMaxToGeneric},
		rewrite.Pattern{Name: "GatherConverter", Root: tosa.Gather, Rewrite: gatherToGeneric},
		rewrite.Pattern{Name: "IdentityNConverter", Root: tosa.Identity, Rewrite: identityToOperand},
		rewrite.Pattern{Name: "RescaleConverter", Root: tosa.Rescale, Rewrite: rescaleToGeneric},
		rewrite.Pattern{Name: "ReverseConverter", Root: tosa.Reverse, Rewrite: reverseToGeneric},
		rewrite.Pattern{Name: "TableConverter", Root: tosa.Table, Rewrite: tableToGeneric},
		rewrite.Pattern{Name: "TileConverter", Root: tosa.Tile, Rewrite: tileToGeneric},
	)
}

// ToLinalg replaces the operations of tosa in op, all but those that other passes replace. It is
// tosa-to-linalg, and an error if one can't be replaced. Linear time.
func ToLinalg(op *ir.Op, patterns *rewrite.PatternSet, report func(*ir.Diagnostic)) error {
	t := conversion.NewTarget()
	t.LegalDialects("linalg", "tensor", "scf")
	t.IllegalDialects("tosa")
	t.Legal(tosa.ApplyScale, tosa.CondIf, tosa.Const, tosa.WhileLoop, tosa.Yield, tosa.Concat, tosa.Slice, tosa.Reshape, tosa.Pad)
	t.DynamicOthers(func(*ir.Op) conversion.Legality { return conversion.Legal })
	return conversion.Full(op, t, patterns, conversion.Config{Report: report})
}

// signlessTypes converts unsigned integers, which operations on scalars don't know, to signless
// ones.
func signlessTypes(c *ir.Context) *conversion.TypeConverter {
	types := conversion.NewTypeConverter()
	types.AddOneToOne(func(t ir.Type) ir.Type { return t })
	types.AddOneToOne(func(t ir.Type) ir.Type {
		elem, ok := ir.ElementType(t).(*ir.IntegerType)
		if !ok || !ir.IsTensor(t) || elem.Signedness != ir.Unsigned {
			return nil
		}
		return c.WithElementType(t, c.Integer(elem.Width))
	})
	for _, k := range []conversion.MaterializationKind{conversion.SourceMaterialization, conversion.TargetMaterialization} {
		types.AddMaterialization(k, func(b *ir.Builder, t ir.Type, inputs []*ir.Value, loc ir.Location) *ir.Value {
			if len(inputs) != 1 {
				return nil
			}
			b.Loc = loc
			return builtin.NewUnrealizedConversionCast(b, []ir.Type{t}, inputs[0]).Result(0)
		})
	}
	return types
}

// identityToOperand forwards a tensor, whose type may say more or less than that of the result.
func identityToOperand(r *rewrite.Rewriter, op *ir.Op) bool {
	from, to := tosa.IdentityOp{Op: op}.Input1().Type(), op.Result(0).Type()
	if ir.ElementType(from) != ir.ElementType(to) {
		return false
	}
	r.Loc = op.Loc()
	r.Replace(op, castTo(r.Builder, tosa.IdentityOp{Op: op}.Input1(), to))
	return true
}
