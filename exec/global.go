package exec

import "freehold/ir"

// Global returns what finds the memory of a global when the program runs, and makes it at
// first: of elements of a type with a static shape, a memref or tensor, with the contents that
// an attribute has; [ir.Unit] are contents that nothing is known of before they are written.
// What it returns fails if there is no memory left, and if the contents aren't known.
func (c *Compiler) Global(global *ir.Op, t ir.Type, contents ir.Attribute, readOnly bool) func(f *Frame) (*Alloc, error) {
	program, elem := c.program, ElemOf(ir.ElementType(t))
	shape, _ := ir.ShapeOf(t)
	create := func(f *Frame) (*Alloc, error) {
		n, err := f.M.Elements(global, elem, shape)
		if err != nil {
			return nil, err
		}
		a, err := f.M.NewAlloc(global, Global, elem, t, n)
		if err != nil {
			return nil, err
		}
		switch v := contents.(type) {
		case *ir.DenseElementsAttr:
			a.Store = TensorOf(v).Store
		case *ir.DenseResourceAttr:
			contents, err := program.Resource(global, v)
			if err != nil {
				return nil, err
			}
			a.Store = contents.Store
		case *ir.UnitAttr:
		default:
			return nil, global.Errorf("has no initial value that is known")
		}
		a.ReadOnly = readOnly
		return a, nil
	}
	return func(f *Frame) (*Alloc, error) {
		a := f.M.globals[global]
		if a != nil {
			return a, nil
		}
		a, err := create(f)
		if err == nil {
			f.M.globals[global] = a
		}
		return a, err
	}
}
