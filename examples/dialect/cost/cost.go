// Package cost is an interface, models of it for operations of other dialects, and a pass
// that asks for it, all outside of freehold.
package cost

import (
	"example.com/mytool/sat"
	"freehold/dialect/arith"
	"freehold/dialect/linalg"
	"freehold/dialect/memref"
	"freehold/ir"
	"freehold/pass"
)

// Elements is implemented by operations that work on elements: the model returns how
// many, and whether that is known at compile time.
var Elements = ir.NewInterface[func(op *ir.Op) (n int64, known bool)]("CostOfElements")

// Attach brings the interface to operations of freehold's dialects, and to those of sat.
func Attach(c *ir.Context) {
	for _, id := range []*ir.OpID{memref.Copy, linalg.Copy, linalg.Fill, sat.Clamp, sat.ClampBuffer} {
		c.Attach(id, Elements.Model(elementsOfFirstShape))
	}
	for _, id := range []*ir.OpID{arith.AddI, arith.MulI, arith.AddF, arith.MulF} {
		c.Attach(id, Elements.Model(elementsOfFirstShape))
	}
}

// elementsOfFirstShape counts the elements of the first operand that has a shape; a scalar
// is one.
func elementsOfFirstShape(op *ir.Op) (int64, bool) {
	for i := range op.NumOperands() {
		t := op.Operand(i).Type()
		if !ir.IsShaped(t) {
			continue
		}
		shape, ranked := ir.ShapeOf(t)
		if !ranked || !ir.IsStaticShape(shape) {
			return 0, false
		}
		return ir.NumElements(shape)
	}
	return 1, true
}

// options of annotate-cost.
type options struct {
	attribute string
	counted   pass.Counter
}

func (o *options) declare(d *pass.Decl) {
	d.String(&o.attribute, "attribute", "mytool.cost", "The name of the attribute")
	d.Counter(&o.counted, "counted", "Number of operations that were counted")
}

// Pass is --annotate-cost.
var Pass = pass.New(pass.Info{
	Name:    "annotate-cost",
	Summary: "Write to each function how many elements its operations work on",
	Description: "The sum is an attribute of the function. Operations whose sizes are known only at run time are " +
		"left out. Linear time.",
}, (*options).declare, pass.OnFunction(annotate))

func annotate(c *pass.Context, o *options, fn *ir.Op) error {
	var sum int64
	fn.Walk(func(op *ir.Op) bool {
		if m, ok := Elements.Of(op); ok {
			if n, known := m(op); known {
				sum += n
				o.counted.Add(1)
			}
		}
		return true
	})
	fn.SetAttr(o.attribute, fn.Context().I64Attr(sum))
	return nil
}

// Register adds the pass.
func Register(r *pass.Registry) { r.Register(Pass) }
