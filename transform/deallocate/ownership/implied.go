package ownership

import (
	"freehold/dialect/arith"
	"freehold/dialect/scf"
	"freehold/ir"
)

// foldImplied has a constant used in place of each truth value that follows, where it is used, from the conditions of the choices around: in what is done if %c
// holds, %c exclusive-or true is false. Canonicalization knows that of %c itself only. It tells whether there are any. Linear in the size of the function, times
// [impliedDepth].
func foldImplied(fn *ir.Op, c constants) (changed bool) {
	k := implied{known: map[*ir.Value]bool{}}
	var inBlock func(b *ir.Block)
	replace := func(op *ir.Op, i int) {
		v := op.Operand(i)
		if v.Type() != ir.I1 || v.DefinedBy(arith.Constant) != nil {
			return
		}
		if holds, ok := k.holds(v, impliedDepth); ok {
			op.SetOperand(i, c.at(fn, holds))
			changed = true
		}
	}
	inBlock = func(b *ir.Block) {
		for op := range b.Ops() {
			if op.Is(arith.Select) {
				s := arith.SelectOp{Op: op}
				for side := range 2 {
					k.under(s.Condition(), side == 0, func() { replace(op, 1+side) })
				}
			}
			for i := range op.NumOperands() {
				replace(op, i)
			}
			for i, r := range op.Regions() {
				inside := func() {
					for b := range r.Blocks() {
						inBlock(b)
					}
				}
				if op.Is(scf.If) {
					k.under(scf.IfOp{Op: op}.Condition(), i == 0, inside)
				} else {
					inside()
				}
			}
		}
	}
	for b := range fn.RegionAt(0).Blocks() {
		inBlock(b)
	}
	return changed
}

// impliedDepth is through how many operations it is looked for what a condition says.
const impliedDepth = 6

// implied is which truth values are known where one is.
type implied struct{ known map[*ir.Value]bool }

// under does something as if a condition had a value, and with it what it is computed of, as far as that follows.
func (k *implied) under(condition *ir.Value, holds bool, do func()) {
	var assumed []*ir.Value
	var assume func(v *ir.Value, holds bool, depth int)
	assume = func(v *ir.Value, holds bool, depth int) {
		if _, ok := k.known[v]; ok || v.DefinedBy(arith.Constant) != nil {
			return
		}
		k.known[v] = holds
		assumed = append(assumed, v)
		op := v.DefiningOp()
		switch {
		case op == nil || depth == 0:
		case op.Is(arith.XOrI):
			x := arith.XOrIOp{Op: op}
			if ir.IsConstantBool(x.RHS(), true) {
				assume(x.LHS(), !holds, depth-1)
			}
		case op.Is(arith.AndI) && holds, op.Is(arith.OrI) && !holds:
			for _, x := range op.Operands().Values() {
				assume(x, holds, depth-1)
			}
		}
	}
	assume(condition, holds, impliedDepth)
	do()
	for _, v := range assumed {
		delete(k.known, v)
	}
}

// holds returns the value of a truth value, and whether it is known.
func (k *implied) holds(v *ir.Value, depth int) (value, ok bool) {
	if value, ok = k.known[v]; ok {
		return value, true
	}
	op := v.DefiningOp()
	if op == nil || depth == 0 || op.NumResults() != 1 {
		return false, false
	}
	of := func(v *ir.Value) (value, ok bool) { return k.holds(v, depth-1) }
	switch {
	case op.Is(arith.Constant):
		return ir.IsConstantBool(v, true), ir.IsConstantBool(v, true) || ir.IsConstantBool(v, false)
	case op.Is(arith.XOrI):
		x := arith.XOrIOp{Op: op}
		a, known := of(x.LHS())
		b, too := of(x.RHS())
		return a != b, known && too
	case op.Is(arith.AndI), op.Is(arith.OrI):
		decides := op.Is(arith.OrI)
		all := true
		for _, x := range op.Operands().Values() {
			a, known := of(x)
			if known && a == decides {
				return decides, true
			}
			all = all && known
		}
		return !decides, all
	case op.Is(arith.Select):
		s := arith.SelectOp{Op: op}
		if c, known := of(s.Condition()); !known {
			return false, false
		} else if c {
			return of(s.TrueValue())
		}
		return of(s.FalseValue())
	}
	return false, false
}
