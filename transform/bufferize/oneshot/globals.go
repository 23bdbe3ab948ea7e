package oneshot

import (
	"strconv"

	"freehold/dialect/memref"
	"freehold/ir"
)

// globals finds and creates the globals that hold constants.
type globals struct {
	tables *ir.SymbolTables
	known  map[*ir.Op]bool // modules whose globals are among the names
	names  map[globalKey]string
}

type globalKey struct {
	module    *ir.Op
	value     ir.Attribute
	alignment int64
}

func newGlobals(tables *ir.SymbolTables) *globals {
	return &globals{tables, map[*ir.Op]bool{}, map[globalKey]string{}}
}

// nameOf returns the name of the global of the module with the given value.
func (g *globals) nameOf(module *ir.Op, t *ir.MemRefType, value ir.Attribute, alignment int64, loc ir.Location) string {
	table := g.tables.Table(module)
	if !g.known[module] {
		g.known[module] = true
		for op := range module.BodyBlock(0).Ops() {
			if op.Is(memref.Global) {
				o := memref.GlobalOp{Op: op}
				if v := o.InitialValue(); v != nil {
					name, _ := ir.SymbolName(op)
					k := globalKey{module, v, alignmentOf(op)}
					if _, ok := g.names[k]; !ok {
						g.names[k] = name
					}
				}
			}
		}
	}
	k := globalKey{module, value, alignment}
	if name, ok := g.names[k]; ok {
		return name
	}
	name := "__constant_"
	for i, d := range t.Shape {
		if i > 0 {
			name += "x"
		}
		name += strconv.FormatInt(d, 10)
	}
	name += "x" // also where there are no sizes
	b := ir.NewBuilder(module.Context())
	b.Loc = loc
	op := memref.NewGlobal(b, name+t.Elem.String(), "private", t, value, true, alignment)
	g.names[k] = table.Insert(op, module.BodyBlock(0).First())
	return g.names[k]
}

func alignmentOf(op *ir.Op) int64 {
	if a, ok := op.Attr("alignment").(*ir.IntegerAttr); ok {
		return a.Value
	}
	return 0
}

// withoutEncoding returns the elements of a tensor as those of one whose type has no
// encoding, which the initial value of a global can't have.
func withoutEncoding(c *ir.Context, value ir.Attribute) ir.Attribute {
	t, ok := ir.TypeOfAttr(value).(*ir.RankedTensorType)
	if !ok || t.Encoding == nil {
		return value
	}
	plain := c.RankedTensor(t.Shape, t.Elem)
	switch a := value.(type) {
	case *ir.DenseElementsAttr:
		return c.DenseElements(plain, []byte(a.Data))
	case *ir.DenseResourceAttr:
		return c.DenseResource(plain, a.Key)
	}
	return value
}
