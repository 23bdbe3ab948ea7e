package gpu

import (
	"freehold/exec"
	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/ir/rewrite"
)

// Wait is gpu.wait, which waits for what it depends on, or makes one token of several.
var Wait = ir.NewOpID("gpu.wait")

func waitDef() *ir.OpDef {
	return &ir.OpDef{
		ID:       Wait,
		Operands: []ir.OperandDef{dependencies},
		Results:  []ir.ResultDef{token},
		Format:   asyncFormat + " attr-dict",
		Models: []ir.Model{asyncModel, exec.Executable.Model(executeWait), interfaces.LocalMemory.Model(interfaces.WhileExecuted), rewrite.Patterns(
			rewrite.Pattern{Name: "EraseRedundantGpuWaitOpPairs", Rewrite: eraseWaitPairs},
			rewrite.Pattern{Name: "SimplifyGpuWaitOp", Rewrite: simplifyWait},
		)},
	}
}

// eraseWaitPairs drops the tokens that there is nothing to wait for.
func eraseWaitPairs(r *rewrite.Rewriter, op *ir.Op) bool {
	var rest []*ir.Value
	for _, t := range op.Operands().Values() {
		if def := t.DefiningOp(); def == nil || !def.Is(Wait) || def.NumOperands() > 0 {
			rest = append(rest, t)
		}
	}
	if len(rest) == op.NumOperands() {
		return false
	}
	r.Modify(op, func() { op.SetOperands(rest) })
	return true
}

// simplifyWait erases what waits for nothing, what makes a token of one, and what makes one that isn't used.
func simplifyWait(r *rewrite.Rewriter, op *ir.Op) bool {
	token, before := (AsyncOp{op}).Token(), op.Operands().Values()
	switch {
	case token == nil && len(before) > 0:
		return false
	case token == nil, !token.HasUses():
		r.Erase(op)
	case len(before) == 1:
		r.Replace(op, before...)
	default:
		return false
	}
	return true
}
