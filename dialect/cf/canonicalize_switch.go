package cf

import (
	"slices"

	"freehold/ir"
	"freehold/ir/rewrite"
)

// replaceSwitch replaces a switch by one with other cases.
func replaceSwitch(r *rewrite.Rewriter, op *ir.Op, def Case, cases []Case) {
	r.At(op)
	NewSwitch(r.Builder, SwitchOp{op}.Flag(), def, cases)
	r.Erase(op)
}

func switchWithOnlyDefault(r *rewrite.Rewriter, op *ir.Op) bool {
	if op.NumSuccessors() != 1 {
		return false
	}
	def, _ := SwitchCases(op)
	becomeBranch(r, op, def.Dest, def.Operands)
	return true
}

func dropCasesLikeDefault(r *rewrite.Rewriter, op *ir.Op) bool {
	def, cases := SwitchCases(op)
	kept := slices.DeleteFunc(slices.Clone(cases), func(k Case) bool {
		return k.Dest == def.Dest && slices.Equal(k.Operands, def.Operands)
	})
	if len(kept) == len(cases) {
		return false
	}
	replaceSwitch(r, op, def, kept)
	return true
}

// taken returns the case that belongs to a value.
func taken(op *ir.Op, value ir.Attribute) Case {
	def, cases := SwitchCases(op)
	for _, k := range cases {
		if k.Value == value {
			return k
		}
	}
	return def
}

func constantSwitch(r *rewrite.Rewriter, op *ir.Op) bool {
	v, ok := ir.ConstantOf(SwitchOp{op}.Flag()).(*ir.IntegerAttr)
	if !ok {
		return false
	}
	k := taken(op, v)
	becomeBranch(r, op, k.Dest, k.Operands)
	return true
}

func passThroughSwitch(r *rewrite.Rewriter, op *ir.Op) bool {
	def, cases := SwitchCases(op)
	changed := false
	follow := func(k *Case) {
		if dest, values, ok := collapse(k.Dest, k.Operands); ok {
			k.Dest, k.Operands = dest, values
			changed = true
		}
	}
	for i := range cases {
		follow(&cases[i])
	}
	follow(&def)
	if !changed {
		return false
	}
	replaceSwitch(r, op, def, cases)
	return true
}

// switchBefore returns the switch on the same flag that is the only way to op's
// block, and the number of the successor that leads there.
func switchBefore(op *ir.Op) (before *ir.Op, successor int) {
	u := op.Block().FirstPred()
	if u == nil || u.NextPred() != nil || !u.Owner().Is(Switch) || (SwitchOp{u.Owner()}).Flag() != (SwitchOp{op}).Flag() {
		return nil, 0
	}
	return u.Owner(), u.Index()
}

// sameFlagAsPredecessor goes where the value leads that the predecessor's switch
// has found.
func sameFlagAsPredecessor(r *rewrite.Rewriter, op *ir.Op) bool {
	before, successor := switchBefore(op)
	if before == nil || successor == 0 {
		return false
	}
	_, cases := SwitchCases(before)
	k := taken(op, cases[successor-1].Value)
	becomeBranch(r, op, k.Dest, k.Operands)
	return true
}

// sameFlagAsDefaultPredecessor drops the cases that the predecessor's switch has
// excluded.
func sameFlagAsDefaultPredecessor(r *rewrite.Rewriter, op *ir.Op) bool {
	before, successor := switchBefore(op)
	if before == nil || successor != 0 {
		return false
	}
	_, excluded := SwitchCases(before)
	values := make(map[ir.Attribute]bool, len(excluded))
	for _, k := range excluded {
		values[k.Value] = true
	}
	def, cases := SwitchCases(op)
	kept := slices.DeleteFunc(slices.Clone(cases), func(k Case) bool { return values[k.Value] })
	if len(kept) == len(cases) {
		return false
	}
	replaceSwitch(r, op, def, kept)
	return true
}
