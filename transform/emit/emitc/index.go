package emitc

import (
	"strconv"

	"freehold/dialect/index"
	"freehold/ir"
)

func indexEmitters() map[*ir.OpID]emitter {
	return map[*ir.OpID]emitter{
		index.Constant: func(f *function, op *ir.Op) {
			f.scalars[op.Result(0)] = f.literal(op, ir.Index, op.Attr("value"))
		},
		index.BoolConstant: func(f *function, op *ir.Op) {
			f.scalars[op.Result(0)] = f.literal(op, ir.I1, op.Attr("value"))
		},
		index.SizeOf: func(f *function, op *ir.Op) { f.scalars[op.Result(0)] = strconv.Itoa(f.m.o.IndexBits) },
	}
}

func indexScalars() map[*ir.OpID]scalar {
	return map[*ir.OpID]scalar{
		index.Add:       intBinary("+"),
		index.Sub:       intBinary("-"),
		index.Mul:       intBinary("*"),
		index.And:       intBinary("&"),
		index.Or:        intBinary("|"),
		index.XOr:       intBinary("^"),
		index.Shl:       shift("<<", false),
		index.ShrU:      shift(">>", false),
		index.ShrS:      shift(">>", true),
		index.DivU:      divide("/", false),
		index.DivS:      divide("/", true),
		index.RemU:      divide("%", false),
		index.RemS:      remainder,
		index.CeilDivU:  roundedDivision("ceil", false),
		index.CeilDivS:  roundedDivision("ceil", true),
		index.FloorDivS: roundedDivision("floor", true),
		index.MaxS:      extreme(">", true),
		index.MinS:      extreme("<", true),
		index.MaxU:      extreme(">", false),
		index.MinU:      extreme("<", false),
		index.Cmp: func(x *element) string {
			a := x.op.Attr("pred")
			switch a := a.(type) {
			case *ir.EnumAttr:
				return x.compareInts(int(a.Value))
			case *ir.IntegerAttr:
				return x.compareInts(int(a.Value))
			}
			x.f.fail(x.op, "its predicate is unknown")
			return ""
		},
	}
}

// storageBytes returns how many bytes apart elements of a type are in memory, where those of index, also in vectors, are as wide as the C has it.
func (m *module) storageBytes(t ir.Type) int64 {
	elem := t
	if v, ok := t.(*ir.VectorType); ok {
		elem = v.Elem
	}
	if elem == ir.Type(ir.Index) {
		t = m.root.Context().WithElementType(t, m.root.Context().Integer(m.o.IndexBits))
	}
	return ir.StorageBytes(t)
}
