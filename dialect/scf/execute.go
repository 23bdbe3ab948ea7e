package scf

import (
	"freehold/exec"
	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/ir/shapes"
)

// executeExecuteRegion is how scf.execute_region executes.
func executeExecuteRegion(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	body, err := c.Region(op.RegionAt(0), c.Regs(op.Results().Values()))
	if err != nil {
		return nil, err
	}
	return body.Run, nil
}

// executeInParallel is how scf.forall.in_parallel executes.
func executeInParallel(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	body, err := c.Region(op.RegionAt(0), nil)
	if err != nil {
		return nil, err
	}
	return body.Run, nil
}

func executeFor(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	o := ForOp{op}
	lower, upper, step, iv := c.Word(o.LowerBound()), c.Word(o.UpperBound()), c.Word(o.Step()), c.Word(o.InductionVar())
	t := o.InductionVar().Type()
	if !exec.IsWord(t) {
		return nil, exec.Unsupported(op, "its type is not supported")
	}
	width := exec.Width(t)
	args := c.Regs(o.IterArgs())
	enter := c.MoveTo(o.Inits(), o.IterArgs())
	body, err := c.Region(op.RegionAt(0), args)
	if err != nil {
		return nil, err
	}
	leave := c.MoveRegs(args, c.Regs(op.Results().Values()))
	// With the highest bit inverted, signed numbers have the order of the unsigned ones, and the same distances.
	flip := uint64(0)
	if o.Unsigned() {
		flip = 1 << (width - 1)
	}
	return func(f *exec.Frame) error {
		lo, hi := exec.SignExtend(f.W[lower]^flip, width), exec.SignExtend(f.W[upper]^flip, width)
		by := exec.SignExtend(f.W[step], width)
		n, err := exec.Trips(op, lo, hi, by, width)
		if err != nil {
			return err
		}
		if err := enter(f); err != nil {
			return err
		}
		for ; n > 0; n-- {
			f.W[iv] = exec.Mask(uint64(lo)^flip, width)
			if err := body.Run(f); err != nil {
				return err
			}
			lo += by
		}
		return leave(f)
	}, nil
}

func executeIf(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	cond, results := c.Word(IfOp{op}.Condition()), c.Regs(op.Results().Values())
	then, err := c.Region(op.RegionAt(0), results)
	if err != nil {
		return nil, err
	}
	if op.RegionAt(1).Empty() {
		return func(f *exec.Frame) error {
			if f.W[cond] != 0 {
				return then.Run(f)
			}
			return nil
		}, nil
	}
	otherwise, err := c.Region(op.RegionAt(1), results)
	if err != nil {
		return nil, err
	}
	return func(f *exec.Frame) error {
		if f.W[cond] != 0 {
			return then.Run(f)
		}
		return otherwise.Run(f)
	}, nil
}

func executeWhile(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	o := WhileOp{op}
	goOn := c.NewWord()
	before, after := o.Before().Args(), c.Regs(o.After().Args())
	enter := c.MoveTo(o.Inits(), before)
	test, err := c.Region(op.RegionAt(0), append([]exec.Reg{goOn}, after...))
	if err != nil {
		return nil, err
	}
	body, err := c.Region(op.RegionAt(1), c.Regs(before))
	if err != nil {
		return nil, err
	}
	leave := c.MoveRegs(after, c.Regs(op.Results().Values()))
	return func(f *exec.Frame) error {
		if err := enter(f); err != nil {
			return err
		}
		for {
			if err := test.Run(f); err != nil {
				return err
			}
			if f.W[goOn.Word()] == 0 {
				return leave(f)
			}
			if err := body.Run(f); err != nil {
				return err
			}
		}
	}, nil
}

func executeSwitch(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	arg, results := c.Word(IndexSwitchOp{op}.Arg()), c.Regs(op.Results().Values())
	otherwise, err := c.Region(op.RegionAt(0), results)
	if err != nil {
		return nil, err
	}
	cases := map[int64]*exec.Code{}
	for i, v := range interfaces.StaticInts(op, CasesAttr) {
		if cases[v], err = c.Region(op.RegionAt(i+1), results); err != nil {
			return nil, err
		}
	}
	return func(f *exec.Frame) error {
		if code := cases[int64(f.W[arg])]; code != nil {
			return code.Run(f)
		}
		return otherwise.Run(f)
	}, nil
}

// space compiles visiting the points of a space of several dimensions, in
// row-major order, with the induction variables set.
func space(c *exec.Compiler, op *ir.Op, ivs []*ir.Value, lower, upper, steps []shapes.OpFoldResult) func(f *exec.Frame, fn func() error) error {
	lo, hi, by := c.Sizes(lower), c.Sizes(upper), c.Sizes(steps)
	words := make([]int, len(ivs))
	for i, v := range ivs {
		words[i] = c.Word(v)
	}
	return func(f *exec.Frame, fn func() error) error {
		l, s := lo(f), by(f)
		trips := append([]int64(nil), hi(f)...)
		for i := range trips {
			var err error
			if trips[i], err = exec.Trips(op, l[i], trips[i], s[i], 64); err != nil {
				return err
			}
			if trips[i] == 0 {
				return nil // never comes to the dimensions after it
			}
		}
		return exec.Each(trips, func(_ int64, idx []int64) error {
			for i, w := range words {
				f.W[w] = uint64(l[i] + idx[i]*s[i])
			}
			return fn()
		})
	}
}

// executeForall runs the iterations one after the other. They share the outputs,
// into which each inserts its part; for anything else the outputs are values that
// must not be changed, so they are marked as shared meanwhile.
func executeForall(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	o := ForallOp{op}
	visit := space(c, op, o.InductionVars(), o.LowerBounds(), o.UpperBounds(), o.Steps())
	outputs := o.Outputs()
	args, results := make([]int, len(outputs)), make([]int, len(outputs))
	take := make([]func(*exec.Frame) *exec.Tensor, len(outputs))
	for i, a := range o.OutputArgs() {
		args[i], results[i], take[i] = c.Object(a), c.Object(op.Result(i)), c.Take(&outputs[i])
	}
	body, err := c.Region(op.RegionAt(0), nil)
	if err != nil {
		return nil, err
	}
	return func(f *exec.Frame) error {
		for i, t := range take {
			f.O[args[i]] = t(f).Share()
		}
		if err := visit(f, func() error { return body.Run(f) }); err != nil {
			return err
		}
		for i, r := range args {
			f.O[results[i]] = f.O[r].(*exec.Tensor).Own()
		}
		return nil
	}, nil
}

func mixed(operands ir.Operands) []shapes.OpFoldResult {
	out := make([]shapes.OpFoldResult, len(operands))
	for i := range operands {
		out[i] = shapes.SizeOf(operands.At(i))
	}
	return out
}

// executeParallel runs the iterations one after the other. The results hold what
// was reduced so far; the reduction at the end of the body updates them.
func executeParallel(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	o := ParallelOp{op}
	visit := space(c, op, o.InductionVars(), mixed(o.LowerBounds()), mixed(o.UpperBounds()), mixed(o.Steps()))
	enter := c.MoveTo(o.Inits(), op.Results().Values())
	body, err := c.Region(op.RegionAt(0), nil)
	if err != nil {
		return nil, err
	}
	return func(f *exec.Frame) error {
		if err := enter(f); err != nil {
			return err
		}
		return visit(f, func() error { return body.Run(f) })
	}, nil
}

func executeReduce(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	loop := op.Parent()
	var steps []exec.Step
	for i := range op.NumOperands() {
		b := op.BodyBlock(i)
		if loop == nil || i >= loop.NumResults() || b == nil || len(b.Args()) != 2 {
			return nil, exec.Unsupported(op, "its structure is not supported")
		}
		total := c.Reg(loop.Result(i))
		args := c.Regs(b.Args())
		enter := c.MoveRegs([]exec.Reg{total, c.Reg(op.Operand(i))}, args)
		code, err := c.Region(op.RegionAt(i), []exec.Reg{total})
		if err != nil {
			return nil, err
		}
		steps = append(steps, enter, code.Run)
	}
	return exec.Sequence(steps...), nil
}
