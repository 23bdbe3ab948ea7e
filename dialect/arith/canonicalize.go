package arith

import (
	"math/big"

	"freehold/ir"
	"freehold/ir/fold"
	"freehold/ir/rewrite"
)

// scalarConstant returns the constant integer that v is, or nil; vectors and
// tensors don't count.
func scalarConstant(v *ir.Value) *ir.IntegerAttr {
	a, _ := constantOf(v).(*ir.IntegerAttr)
	return a
}

// flagsOf returns the overflow flags of an operation.
func flagsOf(op *ir.Op) uint64 {
	f, ok := op.Attr("overflowFlags").(*ir.EnumAttr)
	if !ok {
		return 0
	}
	return f.Value
}

// newWithFlags creates a binary integer operation with overflow flags.
func newWithFlags(r *rewrite.Rewriter, id *ir.OpID, lhs, rhs *ir.Value, flags uint64) *ir.Value {
	s := r.State(id)
	s.Operands, s.Types = []*ir.Value{lhs, rhs}, []ir.Type{lhs.Type()}
	s.SetAttr("overflowFlags", r.Context().EnumAttr(OverflowFlags, flags))
	return r.Create(s).Result(0)
}

// newResult creates the constant that compute makes of two others, and returns with it the overflow flags that an operation
// with it in place of both may have: those in whose sense it doesn't wrap itself.
func newResult(r *rewrite.Rewriter, a, b *ir.IntegerAttr, compute func(x, y *big.Int) *big.Int) (v *ir.Value, kept uint64) {
	w := fold.Width(a.Type)
	exact := compute(fold.Signed(a), fold.Signed(b))
	if fold.Wrap(exact, w).Cmp(exact) == 0 {
		kept |= NSW
	}
	if u := compute(fold.Unsigned(fold.Signed(a), w), fold.Unsigned(fold.Signed(b), w)); fold.Unsigned(u, w).Cmp(u) == 0 {
		kept |= NUW
	}
	return NewConstant(r.Builder, r.Context().BigIntegerAttr(a.Type, exact)).Result(0), kept
}

func sum(x, y *big.Int) *big.Int        { return new(big.Int).Add(x, y) }
func difference(x, y *big.Int) *big.Int { return new(big.Int).Sub(x, y) }
func product(x, y *big.Int) *big.Int    { return new(big.Int).Mul(x, y) }

// merged returns the flags that both operations have.
func merged(a, b *ir.Op) uint64 { return flagsOf(a) & flagsOf(b) }

// nested describes an operation one of whose operands is a constant and the other
// the result of another such operation.
type nested struct {
	inner         *ir.Op
	value         *ir.Value // the inner operation's operand that isn't constant
	innerConstant *ir.IntegerAttr
	outerConstant *ir.IntegerAttr
	flags         uint64
}

// matchNested matches op(inner(x, c0), c1), where c0 is operand innerAt of an
// operation of the given definition and c1 is operand outerAt of op.
func matchNested(op *ir.Op, outerAt int, id *ir.OpID, innerAt int) (n nested, ok bool) {
	if n.outerConstant = scalarConstant(op.Operand(outerAt)); n.outerConstant == nil {
		return n, false
	}
	if n.inner = op.Operand(1 - outerAt).DefinedBy(id); n.inner == nil {
		return n, false
	}
	if n.innerConstant = scalarConstant(n.inner.Operand(innerAt)); n.innerConstant == nil {
		return n, false
	}
	n.value = n.inner.Operand(1 - innerAt)
	n.flags = merged(op, n.inner)
	return n, true
}

// reassociation rewrites op(inner(x, c0), c1), in which inner and op may have their
// operands in either order, so that the constants become one.
type reassociation struct {
	name    string
	inner   *ir.OpID
	outerAt int // the operand that c1 is
	innerAt int // the operand that c0 is
	// into is the operation that takes the place of both, and constantAt its operand that
	// the new constant is, which compute makes of c0 and c1, or, if swapped, of c1 and c0.
	into       *ir.OpID
	constantAt int
	compute    func(x, y *big.Int) *big.Int
	swapped    bool
	// noFlags is set where the overflow flags don't carry over to the new constant.
	noFlags bool
}

var reassociationsOfAdd = []reassociation{
	{name: "AddIAddConstant", inner: AddI, outerAt: 1, innerAt: 1, into: AddI, constantAt: 1, compute: sum},
	{name: "AddISubConstantRHS", inner: SubI, outerAt: 1, innerAt: 1, into: AddI, constantAt: 1, compute: difference, swapped: true},
	{name: "AddISubConstantLHS", inner: SubI, outerAt: 1, innerAt: 0, into: SubI, constantAt: 0, compute: sum},
}

var reassociationsOfSub = []reassociation{
	{name: "SubIRHSAddConstant", inner: AddI, outerAt: 1, innerAt: 1, into: AddI, constantAt: 1, compute: difference, noFlags: true},
	{name: "SubILHSAddConstant", inner: AddI, outerAt: 0, innerAt: 1, into: SubI, constantAt: 0, compute: difference, swapped: true},
	{name: "SubIRHSSubConstantRHS", inner: SubI, outerAt: 1, innerAt: 1, into: SubI, constantAt: 1, compute: sum},
	{name: "SubIRHSSubConstantLHS", inner: SubI, outerAt: 1, innerAt: 0, into: SubI, constantAt: 0, compute: difference},
	{name: "SubILHSSubConstantRHS", inner: SubI, outerAt: 0, innerAt: 1, into: SubI, constantAt: 0, compute: sum},
	{name: "SubILHSSubConstantLHS", inner: SubI, outerAt: 0, innerAt: 0, into: AddI, constantAt: 1, compute: difference, swapped: true},
}

var reassociationsOfMul = []reassociation{
	{name: "MulIMulIConstant", inner: MulI, outerAt: 1, innerAt: 1, into: MulI, constantAt: 1, compute: product},
}

// reassociations returns the patterns of a list, and then others.
func reassociations(list []reassociation, others ...rewrite.Pattern) ir.Model {
	patterns := make([]rewrite.Pattern, 0, len(list)+len(others))
	for i := range list {
		patterns = append(patterns, list[i].pattern())
	}
	return rewrite.Patterns(append(patterns, others...)...)
}

// pattern returns the pattern that carries the reassociation out.
func (x *reassociation) pattern() rewrite.Pattern {
	return rewrite.Pattern{Name: x.name, Rewrite: func(r *rewrite.Rewriter, op *ir.Op) bool {
		n, ok := matchNested(op, x.outerAt, x.inner, x.innerAt)
		if !ok {
			return false
		}
		r.At(op)
		first, second := n.innerConstant, n.outerConstant
		if x.swapped {
			first, second = second, first
		}
		operands := [2]*ir.Value{n.value, n.value}
		var kept uint64
		operands[x.constantAt], kept = newResult(r, first, second, x.compute)
		n.flags &= kept
		if x.noFlags {
			n.flags = 0
		}
		r.Replace(op, newWithFlags(r, x.into, operands[0], operands[1], n.flags))
		return true
	}}
}

// negated returns the value that v is the negation of as a product with -1, or
// nil.
func negated(v *ir.Value) *ir.Value {
	mul := v.DefinedBy(MulI)
	if mul == nil || !isConstant(mul.Context(), constantOf(MulIOp{mul}.RHS()), isAllOnes) {
		return nil
	}
	return MulIOp{mul}.LHS()
}

// addNegated returns the pattern that subtracts instead of adding the negation that an
// operand is.
func addNegated(operand int) func(r *rewrite.Rewriter, op *ir.Op) bool {
	return func(r *rewrite.Rewriter, op *ir.Op) bool {
		x := negated(op.Operand(operand))
		if x == nil {
			return false
		}
		r.At(op)
		r.Replace(op, newWithFlags(r, SubI, op.Operand(1-operand), x, 0))
		return true
	}
}

// subSubSame rewrites (a - b) - a to 0 - b.
func subSubSame(r *rewrite.Rewriter, op *ir.Op) bool {
	sub := SubIOp{op}.LHS().DefinedBy(SubI)
	if sub == nil || (SubIOp{sub}).LHS() != (SubIOp{op}).RHS() {
		return false
	}
	zero := fold.Filled(op.Context(), op.Result(0).Type(), 0)
	if zero == nil {
		return false
	}
	r.At(op)
	z := NewConstant(r.Builder, zero).Result(0)
	r.Replace(op, newWithFlags(r, SubI, z, SubIOp{sub}.RHS(), merged(op, sub)))
	return true
}

// toPlain replaces an extended operation whose second result isn't used by the
// plain one.
func toPlain(id *ir.OpID) func(r *rewrite.Rewriter, op *ir.Op) bool {
	return func(r *rewrite.Rewriter, op *ir.Op) bool {
		if op.Result(1).HasUses() {
			return false
		}
		r.At(op)
		v := newWithFlags(r, id, BinaryOp{op}.LHS(), BinaryOp{op}.RHS(), 0)
		// Nothing uses the second result; any value will do.
		r.Replace(op, v, BinaryOp{op}.LHS())
		return true
	}
}

// mulExtendedByOne makes the high half of x * 1 from the sign of x.
func mulExtendedByOne(r *rewrite.Rewriter, op *ir.Op) bool {
	c := op.Context()
	x := MulSIExtendedOp{op}.LHS()
	t := x.Type()
	zero := fold.Filled(c, t, 0)
	if zero == nil || !isConstant(c, constantOf(MulSIExtendedOp{op}.RHS()), isOne) || fold.Width(ir.ElementType(t)) == 1 || ir.ElementType(t) == ir.Type(ir.Index) {
		return false
	}
	r.At(op)
	z := NewConstant(r.Builder, zero).Result(0)
	negative := NewCmpI(r.Builder, SLT, x, z)
	r.Replace(op, x, NewCast(r.Builder, ExtSI, t, negative))
	return true
}

// notCmpI inverts the predicate of a comparison instead of its result.
func notCmpI(r *rewrite.Rewriter, op *ir.Op) bool {
	cmp := XOrIOp{op}.LHS().DefinedBy(CmpI)
	one := scalarConstant(XOrIOp{op}.RHS())
	if cmp == nil || one == nil || !isOne(one) || bitWidth(one.Type) != 1 {
		return false
	}
	r.At(op)
	r.Replace(op, NewCmpI(r.Builder, inverted(Predicate(cmp)), CmpIOp{cmp}.LHS(), CmpIOp{cmp}.RHS()))
	return true
}

// bitsOfExtensions are the patterns for bitwise operations on extended numbers.
var bitsOfExtensions = []rewrite.Pattern{
	{Name: "OfExtUI", Rewrite: bitsOfExt(ExtUI)},
	{Name: "OfExtSI", Rewrite: bitsOfExt(ExtSI)},
}

// bitsOfExt does a bitwise operation before the extension of its operands rather
// than after it.
func bitsOfExt(ext *ir.OpID) func(r *rewrite.Rewriter, op *ir.Op) bool {
	return func(r *rewrite.Rewriter, op *ir.Op) bool {
		a, b := BinaryOp{op}.LHS().DefinedBy(ext), BinaryOp{op}.RHS().DefinedBy(ext)
		if a == nil || b == nil || (castOp{a}).In().Type() != (castOp{b}).In().Type() {
			return false
		}
		r.At(op)
		v := New(r.Builder, op.ID(), castOp{a}.In(), castOp{b}.In())
		r.Replace(op, NewCast(r.Builder, ext, op.Result(0).Type(), v))
		return true
	}
}

// ofNegations drops the negations of both operands.
func ofNegations(r *rewrite.Rewriter, op *ir.Op) bool {
	a, b := BinaryOp{op}.LHS().DefinedBy(NegF), BinaryOp{op}.RHS().DefinedBy(NegF)
	if a == nil || b == nil {
		return false
	}
	r.At(op)
	s := r.State(op.ID())
	s.Operands, s.Types = []*ir.Value{NegFOp{a}.OperandValue(), NegFOp{b}.OperandValue()}, []ir.Type{op.Result(0).Type()}
	s.SetAttr("fastmath", op.Attr("fastmath"))
	r.Replace(op, r.Create(s).Result(0))
	return true
}
