package dialect_test

import (
	"slices"
	"testing"

	"freehold/dialect"
	"freehold/ir"
	"freehold/ir/interfaces"
)

// Each operation that takes buffers says how it addresses them. Those that take any value needn't, nor operations for tests of the syntax of
// which nothing is known: that is taken for the worst.
func TestBufferAddressing(t *testing.T) {
	c := ir.NewContext(dialect.All()...)
	var buffers []ir.Type
	for _, elem := range []ir.Type{ir.F32, ir.I8, ir.I32, ir.I1, ir.Index} {
		for _, shape := range [][]int64{nil, {4}, {4, 4}, {ir.Dynamic}} {
			buffers = append(buffers, c.MemRefOf(shape, elem, nil, nil))
		}
	}
	stated := 0
	for _, d := range dialect.All() {
		for _, op := range d.OpDefs() {
			name := c.OpName(op.ID.String())
			if _, ok := interfaces.BufferAddressing.OfName(name); ok {
				stated++
				continue
			}
			_, knownEffects := interfaces.MemoryEffects.OfName(name)
			for _, o := range op.Operands {
				takes := slices.ContainsFunc(buffers, o.Type.Match) && !(o.Type.Match(ir.F32) && o.Type.Match(ir.Index))
				if takes && (d.Name != "test" || knownEffects) {
					t.Errorf("%s doesn't say how it addresses %s", op.ID, o.Name)
				}
			}
		}
	}
	if stated < 150 {
		t.Errorf("only %d operations say how they address buffers", stated)
	}
}

// What ways of addressing allow.
func TestAddressingAllows(t *testing.T) {
	c := ir.NewContext(dialect.All()...)
	const dynamic = ir.Dynamic
	typ := func(offset int64, strides ...int64) *ir.MemRefType {
		return c.MemRefOf([]int64{4, 4}, ir.F32, c.StridedLayout(offset, strides), nil)
	}
	plain := c.MemRefOf([]int64{4, 4}, ir.F32, nil, nil)
	for _, x := range []struct {
		from, to *ir.MemRefType
		allowed  string // by: as laid out, linearly, in rows, by position
	}{
		{plain, plain, "1111"},
		{plain, typ(8, 4, 1), "0111"},
		{plain, typ(0, 8, 1), "0011"},
		{plain, typ(0, 1, 4), "0001"},
		{typ(0, 8, 2), typ(3, 8, 2), "0111"},
		{typ(0, 8, 2), typ(3, 4, 1), "0001"},
		{typ(dynamic, dynamic, 1), typ(dynamic, dynamic, 1), "0011"},
		{typ(dynamic, dynamic, dynamic), typ(dynamic, dynamic, dynamic), "0001"},
	} {
		got := ""
		for _, a := range []interfaces.Addressing{interfaces.AsLaidOut, interfaces.Linearly, interfaces.InRows, interfaces.ByPosition} {
			if a.Allows(x.from, x.to) {
				got += "1"
			} else {
				got += "0"
			}
		}
		if got != x.allowed {
			t.Errorf("from %s to %s: %s instead of %s", x.from, x.to, got, x.allowed)
		}
	}
}
