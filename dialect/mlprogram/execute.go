package mlprogram

import (
	"freehold/exec"
	"freehold/ir"
)

// cell returns what finds the memory of the global that an operation reads or writes. It
// must hold tensors of a static shape.
func cell(c *exec.Compiler, op *ir.Op, typ ir.Type) (func(f *exec.Frame) (*exec.Alloc, error), *exec.Elem, error) {
	global := lookup(op, ir.LookupSymbol)
	t, ok := typ.(*ir.RankedTensorType)
	if global == nil || !global.Is(Global) || !ok || !ir.IsStaticShape(t.Shape) || (GlobalOp{global}).Type() != typ {
		return nil, nil, exec.Unsupported(op, "the type of its global is not supported")
	}
	// Without a value nobody knows what is in it, until it is written.
	contents := (GlobalOp{global}).Value()
	if contents == nil {
		contents = ir.Unit
	}
	return c.Global(global, t, contents, false), exec.ElemOf(t.Elem), nil
}

func executeLoad(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	t := op.Result(0).Type()
	find, e, err := cell(c, op, t)
	if err != nil {
		return nil, err
	}
	d, sizes := c.Object(op.Result(0)), t.(*ir.RankedTensorType).Shape
	return func(f *exec.Frame) error {
		a, err := find(f)
		if err != nil {
			return err
		}
		t := &exec.Tensor{Elem: e, Sizes: sizes, Store: a.Store}
		f.O[d] = t.Clone()
		return f.M.Charge(op, t.Elements())
	}, nil
}

func executeStore(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	find, _, err := cell(c, op, GlobalStoreOp{op}.Value().Type())
	if err != nil {
		return nil, err
	}
	v := c.Object(GlobalStoreOp{op}.Value())
	return func(f *exec.Frame) error {
		a, err := find(f)
		if err != nil {
			return err
		}
		t := f.O[v].(*exec.Tensor)
		a.Store = t.Clone().Store
		return f.M.Charge(op, t.Elements())
	}, nil
}
