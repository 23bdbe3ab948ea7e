package arith

import (
	"freehold/ir"
	"freehold/ir/fold"
	"freehold/ir/rewrite"
)

// sextOfZext extends with zeros what was extended with zeros.
func sextOfZext(r *rewrite.Rewriter, op *ir.Op) bool { return castOfExt(ExtUI, ExtUI)(r, op) }

// castOfExt makes a cast of type to of the operand of an extension, which the cast
// includes.
func castOfExt(to, ext *ir.OpID) func(r *rewrite.Rewriter, op *ir.Op) bool {
	return func(r *rewrite.Rewriter, op *ir.Op) bool {
		in := castOp{op}.In().DefinedBy(ext)
		if in == nil {
			return false
		}
		r.At(op)
		r.Replace(op, NewCast(r.Builder, to, op.Result(0).Type(), castOp{in}.In()))
		return true
	}
}

// castBack drops a cast that undoes another, unless that one lost bits.
func castBack(id *ir.OpID) func(r *rewrite.Rewriter, op *ir.Op) bool {
	return func(r *rewrite.Rewriter, op *ir.Op) bool {
		in := castOp{op}.In().DefinedBy(id)
		t := op.Result(0).Type()
		if in == nil || (castOp{in}).In().Type() != t || fold.Width(ir.ElementType(in.Result(0).Type())) < fold.Width(ir.ElementType(t)) {
			return false
		}
		r.Replace(op, castOp{in}.In())
		return true
	}
}

func bitcastOfBitcast(r *rewrite.Rewriter, op *ir.Op) bool {
	in := BitcastOp{op}.In().DefinedBy(Bitcast)
	if in == nil {
		return false
	}
	if (BitcastOp{in}).In().Type() == op.Result(0).Type() {
		r.Replace(op, BitcastOp{in}.In())
		return true
	}
	r.At(op)
	r.Replace(op, NewCast(r.Builder, Bitcast, op.Result(0).Type(), BitcastOp{in}.In()))
	return true
}

// truncOfExt makes the truncation of an extension the extension or truncation of
// its operand.
func truncOfExt(ext *ir.OpID) func(r *rewrite.Rewriter, op *ir.Op) bool {
	return func(r *rewrite.Rewriter, op *ir.Op) bool {
		in := castOp{op}.In().DefinedBy(ext)
		if in == nil {
			return false
		}
		src, t := castOp{in}.In(), op.Result(0).Type()
		ws, wt := bitWidth(ir.ElementType(src.Type())), bitWidth(ir.ElementType(t))
		r.At(op)
		switch {
		case wt > ws:
			r.Replace(op, NewCast(r.Builder, ext, t, src))
		case wt < ws:
			r.Replace(op, NewCast(r.Builder, TruncI, t, src))
		default:
			r.Replace(op, src)
		}
		return true
	}
}

// truncOfConversion converts an integer to the type that its conversion is truncated to, where rounding once is the same as rounding
// twice: the wider type has all the integers, but for those that are infinite in the narrower one. LLVM 22 does it always.
func truncOfConversion(conversion *ir.OpID, signBits int) func(r *rewrite.Rewriter, op *ir.Op) bool {
	return func(r *rewrite.Rewriter, op *ir.Op) bool {
		in := TruncFOp{op}.In().DefinedBy(conversion)
		if in == nil || op.Attr(roundingAttr.Name) != nil {
			return false
		}
		src, t := castOp{in}.In(), op.Result(0).Type()
		wide, narrow := ir.ElementType(in.Result(0).Type()).(*ir.FloatType).Format, ir.ElementType(t).(*ir.FloatType).Format
		bits, exact := bitWidth(ir.ElementType(src.Type()))-signBits, wide.MantBits+1
		if wide.Special != ir.IEEE || bits > exact && (narrow.Special != ir.IEEE || 1<<(narrow.ExpBits-1) > exact) || bits >= 1<<(wide.ExpBits-1) {
			return false
		}
		r.At(op)
		r.Replace(op, NewCast(r.Builder, conversion, t, src))
		return true
	}
}

// truncOfShrSI shifts in zeros rather than copies of the sign where just the
// shifted-in bits are cut off.
func truncOfShrSI(r *rewrite.Rewriter, op *ir.Op) bool {
	shr := TruncIOp{op}.In().DefinedBy(ShRSI)
	if shr == nil {
		return false
	}
	c := op.Context()
	n := constantInt(c, constantOf(ShRSIOp{shr}.RHS()))
	from, to := ir.ElementType(shr.Result(0).Type()), ir.ElementType(op.Result(0).Type())
	if n == nil || n.Big != nil || n.Value != int64(fold.Width(from)-fold.Width(to)) {
		return false
	}
	r.At(op)
	v := New(r.Builder, ShRUI, ShRSIOp{shr}.LHS(), ShRSIOp{shr}.RHS())
	r.Replace(op, NewCast(r.Builder, TruncI, op.Result(0).Type(), v))
	return true
}

// highHalf takes the high half of a product of extended numbers from an extended
// multiplication.
func highHalf(ext, mulExtended *ir.OpID) func(r *rewrite.Rewriter, op *ir.Op) bool {
	return func(r *rewrite.Rewriter, op *ir.Op) bool {
		c := op.Context()
		shr := TruncIOp{op}.In().DefinedBy(ShRUI)
		if shr == nil {
			return false
		}
		mul := ShRUIOp{shr}.LHS().DefinedBy(MulI)
		n := constantInt(c, constantOf(ShRUIOp{shr}.RHS()))
		if mul == nil || n == nil {
			return false
		}
		a, b := MulIOp{mul}.LHS().DefinedBy(ext), MulIOp{mul}.RHS().DefinedBy(ext)
		t := op.Result(0).Type()
		if a == nil || b == nil || (castOp{a}).In().Type() != t || (castOp{b}).In().Type() != t {
			return false
		}
		w := int64(fold.Width(ir.ElementType(t)))
		if n.Big != nil || n.Value != w || int64(fold.Width(ir.ElementType(mul.Result(0).Type()))) < 2*w {
			return false
		}
		r.At(op)
		s := r.State(mulExtended)
		s.Operands, s.Types = []*ir.Value{castOp{a}.In(), castOp{b}.In()}, []ir.Type{t, t}
		r.Replace(op, r.Create(s).Result(1))
		return true
	}
}
