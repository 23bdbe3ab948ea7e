package oneshot

import (
	"freehold/dialect/arith"
	"freehold/dialect/bufferization"
	"freehold/dialect/tensor"
	"freehold/ir"
	"freehold/ir/interfaces"
)

// copier makes the copies of a plan explicit, as bufferization.alloc_tensor operations.
type copier struct {
	typer *typer
	b     *ir.Builder
	// origins says for what the copies are made, if that is asked for.
	origins map[*ir.Op]Origin
}

// insertCopies makes the copies that the plan demands in root. It returns for what they
// are made if [Options.Made] wants to know.
func insertCopies(root *ir.Op, p *Plan, t *typer) (map[*ir.Op]Origin, error) {
	c := &copier{typer: t, b: ir.NewBuilder(root.Context())}
	if t.opts.Made != nil {
		c.origins = map[*ir.Op]Origin{}
	}
	var decisions []Decision // about one operation
	for d := range p.OutOfPlace() {
		op := d.Use.Owner()
		if len(decisions) > 0 && decisions[0].Use.Owner() != op {
			if err := c.copyOperands(decisions); err != nil {
				return nil, err
			}
			decisions = decisions[:0]
		}
		if d.Copy != NoCopy && (root.Parent() == nil || root.IsAncestorOf(op)) {
			decisions = append(decisions, d)
		}
	}
	return c.origins, c.copyOperands(decisions)
}

// copyOperands makes the copies that decisions about the operands of one operation
// demand.
func (c *copier) copyOperands(decisions []Decision) error {
	if len(decisions) == 0 {
		return nil
	}
	op := decisions[0].Use.Owner()
	at := op // copies of operands are made before it
	if parent := op.Parent(); parent != nil {
		if m, ok := c.typer.opts.model(parent); ok {
			if err := m.RoomForCopies(parent); err != nil {
				if !c.typer.opts.CopyAroundRegions {
					return err
				}
				// What the operation uses is defined outside, since there is no room for more. A
				// copy of the operand does where one of the result would be enough.
				at = parent
			}
		}
	}
	for _, d := range decisions {
		if _, unranked := d.Use.Value().Type().(*ir.UnrankedTensorType); unranked {
			return op.PlainErrorf("copying of unranked tensors is not implemented")
		}
	}
	c.b.Loc = op.Loc()
	c.b.SetBefore(at)
	for _, d := range decisions {
		if d.Result != nil && at == op {
			continue
		}
		v, err := c.copyTensor(d.Use.Value(), d.Copy == CopyContents)
		if err != nil {
			return err
		}
		c.madeFor(v, d.Use)
		d.Use.Set(v)
	}
	if at != op {
		return nil
	}
	c.b.SetAfter(op)
	for _, d := range decisions {
		if d.Result == nil {
			continue
		}
		v, err := c.copyTensor(d.Result, d.Copy == CopyContents)
		if err != nil {
			return err
		}
		c.madeFor(v, d.Use)
		d.Result.ReplaceUsesIf(v, func(u *ir.Use) bool {
			// Sizes of the copy are taken from the original.
			return u.Owner() != v.DefiningOp() && !u.Owner().Is(tensor.Dim)
		})
	}
	return nil
}

// madeFor remembers for which operand a copy was made.
func (c *copier) madeFor(copied *ir.Value, u *ir.Use) {
	if c.origins != nil {
		c.origins[copied.DefiningOp()] = Origin{Op: u.Owner(), Use: u}
	}
}

func (c *copier) copyTensor(v *ir.Value, data bool) (*ir.Value, error) {
	if m, ok := interfaces.TensorLike.OfType(v.Type()); ok {
		if m, ok := m.(interfaces.TensorCopier); ok {
			return m.CopyTensor(c.b, v, data), nil
		}
		return nil, interfaces.OwnerOf(v).PlainErrorf("tensors of type '%s' can't be copied", v.Type())
	}
	t, ok := v.Type().(*ir.RankedTensorType)
	if !ok {
		return nil, interfaces.OwnerOf(v).PlainErrorf("copying of unranked tensors is not implemented")
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
		if m, ok := interfaces.ReifyShapes.Of(op); ok {
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
