package emitc

import (
	"fmt"
	"slices"

	"freehold/dialect/memref"
	"freehold/exec"
	"freehold/ir"
)

// fitsIndex tells whether index has a number. What has no place in it is refused rather than truncated: a program would compute something else than where
// index has 64 bits, as it has in package exec.
func (m *module) fitsIndex(n int64) bool {
	return m.o.IndexBits == 64 || n == n<<(64-m.o.IndexBits)>>(64-m.o.IndexBits)
}

// numbersFit tells whether index has all numbers that are written in an operation and its regions: constants, those of affine maps and sets, static
// offsets, sizes and strides. It is an error with the line of the first one that it hasn't.
func (m *module) numbersFit(root *ir.Op) error {
	if m.o.IndexBits == 64 {
		return nil
	}
	var err error
	root.Walk(func(op *ir.Op) bool {
		check := func(n int64) {
			if err == nil && !m.fitsIndex(n) {
				err = refuse(op, "%s", m.tooFar(n))
			}
		}
		for _, a := range op.Props() {
			eachIndex(a, check)
		}
		for _, v := range op.Results().Values() {
			eachExtent(v.Type(), check)
		}
		for _, r := range op.Regions() {
			for b := range r.Blocks() {
				for _, v := range b.Args() {
					eachExtent(v.Type(), check)
				}
			}
		}
		if err == nil && op.Is(memref.GetGlobal) {
			err = m.globalFits(op)
		}
		return err == nil
	})
	return err
}

func (m *module) tooFar(n int64) string {
	return fmt.Sprintf("%d has no place in the %d bits of index", n, m.o.IndexBits)
}

// globalFits is numbersFit for the contents of the global that an operation refers to.
func (m *module) globalFits(op *ir.Op) error {
	g, err := m.globals.use(op)
	if err != nil || g.t.Elem != ir.Type(ir.Index) || g.external {
		return nil // What is wrong with it is said where it is used.
	}
	x, err := m.globals.contents(g)
	if err != nil {
		return nil
	}
	for i := range x.Elements() {
		if w, ok := x.Word(i); ok && !m.fitsIndex(int64(w)) {
			return refuse(g.op, "%s", m.tooFar(int64(w)))
		}
	}
	return nil
}

// eachIndex calls fn for the numbers of type index in an attribute, and for those that stand for such.
func eachIndex(a ir.Attribute, fn func(int64)) {
	expression := func(e *ir.AffineExpr) {
		if e.Kind == ir.AffineConst {
			fn(e.Value)
		}
	}
	switch a := a.(type) {
	case *ir.ArrayAttr:
		for _, e := range a.Elems {
			eachIndex(e, fn)
		}
	case *ir.IntegerAttr:
		if a.Type == ir.Type(ir.Index) {
			fn(a.Value)
		}
	case *ir.AffineMapAttr:
		for _, e := range a.Map.Results {
			e.Walk(expression)
		}
	case *ir.IntegerSetAttr:
		for _, e := range a.Set.Constraints {
			e.Walk(expression)
		}
	case *ir.DenseArrayAttr: // offsets, sizes and strides, and cases
		if t, ok := a.Elem.(*ir.IntegerType); ok && t.Width == 64 {
			for _, n := range a.Ints() {
				if n != ir.Dynamic {
					fn(n)
				}
			}
		}
	case *ir.DenseElementsAttr:
		if ir.ElementType(a.Type) != ir.Type(ir.Index) {
			return
		}
		x := exec.TensorOf(a)
		for i := range x.Elements() {
			if w, ok := x.Word(i); ok {
				fn(int64(w))
			}
		}
	case *ir.TypeAttr:
		eachExtent(a.Type, fn)
	}
}

// eachExtent calls fn for the static sizes, strides and offset of a memref, and how many elements it has.
func eachExtent(t ir.Type, fn func(int64)) {
	m, ok := t.(*ir.MemRefType)
	if !ok {
		return
	}
	extents := slices.Clone(m.Shape)
	if !slices.Contains(m.Shape, ir.Dynamic) {
		extents = append(extents, ir.ElementCount(m.Shape))
	}
	if strides, offset, ok := m.StridesAndOffset(); ok {
		extents = append(append(extents, strides...), offset)
	}
	for _, n := range extents {
		if n != ir.Dynamic {
			fn(n)
		}
	}
}
