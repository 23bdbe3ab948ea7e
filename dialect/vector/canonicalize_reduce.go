package vector

import (
	"strings"

	"freehold/dialect/arith"
	"freehold/ir"
	"freehold/ir/rewrite"
)

// combinator returns the operation of arith that combines elements of a type.
func combinator(kind string, elem ir.Type) *ir.OpID {
	integer := ir.IsIntOrIndex(elem)
	switch kind {
	case "add":
		if integer {
			return arith.AddI
		}
		return arith.AddF
	case "mul":
		if integer {
			return arith.MulI
		}
		return arith.MulF
	case "minui":
		return arith.MinUI
	case "minsi":
		return arith.MinSI
	case "maxui":
		return arith.MaxUI
	case "maxsi":
		return arith.MaxSI
	case "minnumf":
		return arith.MinNumF
	case "maxnumf":
		return arith.MaxNumF
	case "minimumf":
		return arith.MinimumF
	case "maximumf":
		return arith.MaximumF
	case "and":
		return arith.AndI
	case "or":
		return arith.OrI
	case "xor":
		return arith.XOrI
	}
	return nil
}

// combineValues creates the operation that combines two values, of which one is
// the accumulator, as op, a reduction, does; under the mask, if any.
func combineValues(r *rewrite.Rewriter, op *ir.Op, a, b, acc, mask *ir.Value) *ir.Value {
	kind, _ := op.Attr("kind").(*ir.EnumAttr)
	id := combinator(kind.Keyword(), ir.ElementType(a.Type()))
	s := r.State(id)
	s.Operands, s.Types = []*ir.Value{a, b}, []ir.Type{a.Type()}
	if f := op.Attr("fastmath"); f != nil && s.Name.Def().AttrIndex("fastmath") >= 0 {
		s.SetAttr("fastmath", f)
	}
	out := r.Create(s).Result(0)
	if mask != nil {
		// Where the mask is not set the accumulator stays. (MLIR 19 keeps the element in
		// reductions of several dimensions.)
		out = arith.NewSelect(r.Builder, mask, out, acc)
	}
	return out
}

// extractAt creates a vector.extract at a static position.
func extractAt(r *rewrite.Rewriter, v *ir.Value, t ir.Type, pos ...int64) *ir.Value {
	return r.CreateOp(Extract, []ir.Type{t}, []*ir.Value{v},
		ir.NamedAttr{Name: staticPosition, Value: r.Context().DenseI64Array(pos...)}).Result(0)
}

// maskedBy returns the operation to replace, and the mask, of an operation that
// may be in a vector.mask.
func maskedBy(op *ir.Op) (outer *ir.Op, mask *ir.Value) {
	if p := op.Parent(); p != nil && p.Is(Mask) {
		return p, MaskOp{p}.Mask()
	}
	return op, nil
}

func reductionPatterns() []rewrite.Pattern {
	return []rewrite.Pattern{{Name: "reduction-of-one-element", Rewrite: func(r *rewrite.Rewriter, op *ir.Op) bool {
		t := vec(ReductionOp{op}.Vector().Type())
		if len(t.Shape) != 0 && (t.Shape[0] != 1 || t.Scalable != nil && t.Scalable[0]) {
			return false
		}
		outer, mask := maskedBy(op)
		r.SetBefore(outer)
		r.Loc = op.Loc()
		part := func(v *ir.Value) *ir.Value {
			e := ir.ElementType(v.Type())
			if len(t.Shape) == 0 {
				return r.CreateOp(ExtractElement, []ir.Type{e}, []*ir.Value{v}).Result(0)
			}
			return extractAt(r, v, e, 0)
		}
		if mask != nil {
			mask = part(mask)
		}
		v := part(ReductionOp{op}.Vector())
		if acc := (ReductionOp{op}).Acc(); acc != nil {
			v = combineValues(r, op, v, acc, acc, mask)
		}
		r.Replace(outer, v)
		return true
	}}}
}

// foldMultiReduction folds reductions of no dimension.
func foldMultiReduction(op *ir.Op, _ []ir.Attribute) []ir.FoldResult {
	if reducesNothing(op) {
		return ir.FoldValue(MultiReductionOp{op}.Source())
	}
	return nil
}

// reducesNothing tells whether a vector.multi_reduction is that of a row along no dimension, which is the row: MLIR
// combines it with no accumulator.
func reducesNothing(op *ir.Op) bool {
	return rankOf(MultiReductionOp{op}.Source().Type()) == 1 && len(listAttr(op, "reduction_dims")) == 0
}

func multiReductionPatterns() []rewrite.Pattern {
	return []rewrite.Pattern{{Name: "reduction-of-unit-dimensions", Rewrite: func(r *rewrite.Rewriter, op *ir.Op) bool {
		t := vec(MultiReductionOp{op}.Source().Type())
		for _, d := range listAttr(op, "reduction_dims") {
			if d < 0 || d >= int64(len(t.Shape)) {
				continue // the verifier knows no limit: there is nothing to reduce
			}
			if t.Shape[d] != 1 || t.Scalable != nil && t.Scalable[d] {
				return false
			}
		}
		outer, mask := maskedBy(op)
		r.SetBefore(outer)
		r.Loc = op.Loc()
		dest := op.Result(0).Type()
		part := func(v *ir.Value) *ir.Value {
			e := ir.ElementType(v.Type())
			if d := vec(dest); d != nil {
				return r.CreateOp(ShapeCast, []ir.Type{r.Context().Vector(d.Shape, d.Scalable, e)}, []*ir.Value{v}).Result(0)
			}
			return extractAt(r, v, e, make([]int64, len(t.Shape))...)
		}
		if mask != nil {
			mask = part(mask)
		}
		r.Replace(outer, combineValues(r, op, MultiReductionOp{op}.Acc(), part(MultiReductionOp{op}.Source()), MultiReductionOp{op}.Acc(), mask))
		return true
	}}}
}

// contractAdd adds what is added to a contraction in the contraction itself.
func contractAdd(r *rewrite.Rewriter, op *ir.Op) bool {
	for i := range 2 {
		con := op.Operand(i).DefinedBy(Contract)
		if con == nil || kindOf(con) != "add" {
			continue
		}
		zero := ir.ConstantOf(ContractOp{con}.Acc())
		if zero == nil || !isZero(zero) {
			continue
		}
		r.Loc = con.Loc()
		s := ir.OpState{Name: con.OpName(), Loc: con.Loc(), Types: con.Results().Types(),
			Operands: []*ir.Value{ContractOp{con}.LHS(), ContractOp{con}.RHS(), op.Operand(1 - i)}}
		for _, a := range con.AllAttrs() {
			s.SetAttr(a.Name, a.Value)
		}
		r.Replace(op, r.Create(s).Result(0))
		return true
	}
	return false
}

// isZero tells whether a constant is 0, or a splat of it.
func isZero(a ir.Attribute) bool {
	if d, ok := a.(*ir.DenseElementsAttr); ok && d.Splat {
		return strings.Trim(d.Data, "\x00") == ""
	}
	for _, e := range rawOf(a) {
		for _, b := range e {
			if b != 0 {
				return false
			}
		}
	}
	return true
}
