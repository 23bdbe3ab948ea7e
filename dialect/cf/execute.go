package cf

import (
	"freehold/exec"
	"freehold/ir"
)

func executeAssert(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	arg := c.Word(AssertOp{op}.Arg())
	return func(f *exec.Frame) error {
		if f.W[arg] != 0 {
			return nil
		}
		msg, _ := op.Attr("msg").(*ir.StringAttr)
		return exec.Findf(exec.Assertion, op, "assertion failed: %s", msg.Value)
	}, nil
}

func executeCondBranch(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	cond := c.Word(CondBranchOp{op}.Condition())
	yes := c.Goto(op.Successor(0), op.OperandGroup(condTrue))
	no := c.Goto(op.Successor(1), op.OperandGroup(condFalse))
	return func(f *exec.Frame) error {
		if f.W[cond] != 0 {
			return yes(f)
		}
		return no(f)
	}, nil
}

func executeSwitch(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	if !exec.IsWord(SwitchOp{op}.Flag().Type()) {
		return nil, exec.Unsupported(op, "its type is not supported")
	}
	flag := c.Word(SwitchOp{op}.Flag())
	otherwise := c.Goto(op.Successor(0), op.OperandGroup(switchDefault))
	_, cases := SwitchCases(op)
	start, _ := op.OperandGroupRange(switchCase)
	targets := map[uint64]exec.Step{}
	for _, k := range cases {
		step := c.Goto(k.Dest, op.Operands()[start:start+len(k.Operands)])
		start += len(k.Operands)
		if w, ok := exec.WordOf(k.Value); ok && targets[w] == nil {
			targets[w] = step
		}
	}
	return func(f *exec.Frame) error {
		if step := targets[f.W[flag]]; step != nil {
			return step(f)
		}
		return otherwise(f)
	}, nil
}
