package bufferize

import (
	"freehold/dialect/arith"
	"freehold/dialect/bufferization"
	"freehold/dialect/tensor"
	"freehold/iface"
	"freehold/ir"
)

// copier makes the copies that the analysis decided on explicit, as
// bufferization.alloc_tensor operations.
type copier struct {
	state *state
	typer *typer
	b     *ir.Builder
}

// insertCopies resolves the conflicts of all operations in root.
func insertCopies(root *ir.Op, s *state) error {
	c := &copier{state: s, typer: newTyper(root.Context(), s.opts, s.funcs), b: ir.NewBuilder(root.Context())}
	// Copies that are inserted need no copies themselves, so list the operations
	// first.
	var ops []*ir.Op
	root.Walk(func(op *ir.Op) bool {
		if _, ok := s.Model(op); ok && hasTensors(op) {
			ops = append(ops, op)
		}
		return true
	})
	for _, op := range ops {
		m, _ := s.Model(op)
		c.b.SetBefore(op)
		c.b.Loc = op.Loc()
		if err := m.ResolveConflicts(op, s, c); err != nil {
			return err
		}
	}
	return nil
}

func (c *copier) Context() *ir.Context { return c.b.Context() }
func (c *copier) Builder() *ir.Builder { return c.b }

func (c *copier) CopyOperands(op *ir.Op) error {
	type copyOf struct {
		use   *ir.Use
		value *ir.Value // copied instead of the operand
		data  bool
	}
	var copies []copyOf
	for i := range op.NumOperands() {
		u := op.OperandUse(i)
		if !ir.IsTensor(u.Value().Type()) || c.state.IsInPlace(u) {
			continue
		}
		if _, unranked := u.Value().Type().(*ir.UnrankedTensorType); unranked {
			return op.PlainErrorf("copying of unranked tensors is not implemented")
		}
		x := copyOf{use: u, data: !c.state.canOmitCopy(u)}
		// If the operation only makes one alias, a copy of that is enough, and may be
		// smaller.
		if a := c.state.AliasingValues(u); len(a) == 1 && !a[0].Value.IsBlockArg() && !c.state.Writes(u) &&
			len(c.state.AliasingOperands(a[0].Value)) == 1 {
			if _, ranked := a[0].Value.Type().(*ir.RankedTensorType); ranked {
				x.value = a[0].Value
			}
		}
		copies = append(copies, x)
	}
	c.b.SetBefore(op)
	for _, x := range copies {
		if x.value != nil {
			continue
		}
		v, err := c.CopyTensor(x.use.Value(), x.data)
		if err != nil {
			return err
		}
		x.use.Set(v)
	}
	c.b.SetAfter(op)
	for _, x := range copies {
		if x.value == nil {
			continue
		}
		v, err := c.CopyTensor(x.value, x.data)
		if err != nil {
			return err
		}
		x.value.ReplaceUsesIf(v, func(u *ir.Use) bool {
			// Sizes of the copy are taken from the original.
			return u.Owner() != v.DefiningOp() && !u.Owner().Is(tensor.Dim)
		})
	}
	return nil
}

func (c *copier) CopyTensor(v *ir.Value, data bool) (*ir.Value, error) {
	t, ok := v.Type().(*ir.RankedTensorType)
	if !ok {
		return nil, iface.OwnerOf(v).PlainErrorf("copying of unranked tensors is not implemented")
	}
	if data {
		return bufferization.NewAllocTensor(c.b, t, nil, v, nil), nil
	}
	sizes := c.dynamicSizes(v, t)
	bt, err := c.typer.BufferType(v)
	if err != nil {
		return nil, err
	}
	return bufferization.NewAllocTensor(c.b, t, sizes, nil, ir.MemorySpaceOf(bt)), nil
}

// dynamicSizes creates the sizes of the dynamic dimensions of a tensor.
func (c *copier) dynamicSizes(v *ir.Value, t *ir.RankedTensorType) []*ir.Value {
	if ir.IsStaticShape(t.Shape) {
		return nil
	}
	var sizes []*ir.Value
	if op := v.DefiningOp(); op != nil {
		if m, ok := iface.ReifyShapes.Of(op); ok {
			if shapes := m(c.b, op); shapes != nil {
				for i, s := range shapes[v.Index()] {
					if t.Shape[i] == ir.Dynamic {
						sizes = append(sizes, arith.ValueOf(c.b, s))
					}
				}
				return sizes
			}
		}
	}
	for i, d := range t.Shape {
		if d == ir.Dynamic {
			sizes = append(sizes, tensor.NewDim(c.b, v, int64(i)))
		}
	}
	return sizes
}
