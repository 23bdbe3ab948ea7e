package emitc

import (
	"fmt"
	"strings"

	"freehold/dialect/shape"
	"freehold/ir"
)

// What is left of dialect shape where there are no tensors: a size is an index, a witness the truth of its condition, and a shape a structure with its
// extents.
func shapeEmitters() map[*ir.OpID]emitter {
	return map[*ir.OpID]emitter{
		shape.ConstSize:   func(f *function, op *ir.Op) { f.scalars[op.Result(0)] = f.literal(op, ir.Index, op.Attr("value")) },
		shape.IndexToSize: func(f *function, op *ir.Op) { f.alias(op.Result(0), shape.IndexToSizeOp{Op: op}.Arg()) },
		shape.SizeToIndex: func(f *function, op *ir.Op) { f.alias(op.Result(0), shape.SizeToIndexOp{Op: op}.Arg()) },
		shape.Add:         sizeArithmetic(intBinary("+")),
		shape.Mul:         sizeArithmetic(intBinary("*")),
		shape.Div:         sizeArithmetic(roundedDivision("floor", true)),
		shape.Max:         sizeArithmetic(extreme(">", true)),
		shape.Min:         sizeArithmetic(extreme("<", true)),
		shape.CstrRequire: func(f *function, op *ir.Op) { f.alias(op.Result(0), shape.CstrRequireOp{Op: op}.Pred()) },
		shape.ConstWitness: func(f *function, op *ir.Op) {
			f.scalars[op.Result(0)] = f.literal(op, ir.I1, op.Attr("passing"))
		},
		shape.AssumingAll: func(f *function, op *ir.Op) {
			f.result(op.Result(0), strings.Join(f.values(op.Operands().Values()), " && "))
		},
		shape.Assuming:    emitAssuming,
		shape.ConstShape:  emitConstShape,
		shape.FromExtents: func(f *function, op *ir.Op) { f.newShape(op, f.values(op.Operands().Values())) },
		shape.Rank:        func(f *function, op *ir.Op) { f.result(op.Result(0), f.shapeOperand(op)+".rank") },
		shape.GetExtent: func(f *function, op *ir.Op) {
			f.result(op.Result(0), f.shapeOperand(op)+".extents["+f.value(shape.GetExtentOp{Op: op}.Dim())+"]")
		},
		shape.NumElements: func(f *function, op *ir.Op) {
			m := f.m.shapeType()
			name := f.m.helpers.define("fh_elements", fmt.Sprintf(`
static inline %[2]s fh_elements(%[1]s shape) {
  %[2]s count = 1, d;
  for (d = 0; d < shape.rank; d++) count *= shape.extents[d];
  return count;
}`, m, f.m.types.index()))
			f.result(op.Result(0), name+"("+f.shapeOperand(op)+")")
		},
	}
}

// isSize tells whether a type is that of sizes.
func isSize(t ir.Type) bool { return ir.IsDialectType(t, "shape", "size") }

// shapeType defines the C type of shapes.
func (m *module) shapeType() string {
	m.types.define("fh_shape", fmt.Sprintf("typedef struct { %s rank, extents[%d]; } fh_shape;", m.types.index(), maxRank))
	return "fh_shape"
}

// sizeArithmetic is arithmetic on sizes, which are numbers like any index.
func sizeArithmetic(s scalar) emitter {
	return func(f *function, op *ir.Op) {
		if t := op.Result(0).Type(); !isSize(t) && t != ir.Type(ir.Index) {
			f.fail(op, "it is written for sizes")
		}
		x := &element{f: f, op: op, in: []ir.Type{ir.Index, ir.Index}, out: ir.Index, args: f.values(op.Operands().Values())}
		f.result(op.Result(0), s(x))
	}
}

// shapeOperand returns the shape that is the first operand.
func (f *function) shapeOperand(op *ir.Op) string {
	if !ir.IsDialectType(op.Operand(0).Type(), "shape", "shape") {
		f.fail(op, "%s", whyNot(op))
	}
	return f.value(op.Operand(0))
}

func emitConstShape(f *function, op *ir.Op) {
	d, ok := op.Attr("shape").(*ir.DenseElementsAttr)
	if !ok {
		f.fail(op, "its value is not a list of extents")
	}
	var extents []string
	for i := range d.Len() {
		extents = append(extents, f.literal(op, ir.Index, d.Elem(op.Context(), i)))
	}
	f.newShape(op, extents)
}

// newShape makes the result a shape.
func (f *function) newShape(op *ir.Op, extents []string) {
	if !ir.IsDialectType(op.Result(0).Type(), "shape", "shape") {
		f.fail(op, "%s", whyNot(op))
	}
	if len(extents) > maxRank {
		f.fail(op, "shapes have at most %d extents", maxRank)
	}
	list := commas(extents)
	if list == "" {
		list = "0"
	}
	f.scalars[op.Result(0)] = f.define(nameOf(op.Result(0)), f.m.shapeType(), fmt.Sprintf("{%d, {%s}}", len(extents), list))
}

// emitAssuming executes the region, which is right only if the condition holds.
func emitAssuming(f *function, op *ir.Op) {
	results := f.results(op)
	f.linef("%s(%s);", f.m.helper("fh_assert"), f.value(shape.AssumingOp{Op: op}.Witness()))
	f.openf("")
	f.region(op, op.RegionAt(0), f.yields(op, results))
	f.close()
}
