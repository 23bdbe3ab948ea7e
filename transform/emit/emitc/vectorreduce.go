package emitc

import (
	"fmt"
	"slices"

	"freehold/dialect/vector"
	"freehold/ir"
)

func vectorReduceEmitters() map[*ir.OpID]emitter {
	return map[*ir.OpID]emitter{
		vector.Reduction:      emitReduction,
		vector.MultiReduction: emitMultiReduction,
		vector.Scan:           emitScan,
		vector.Contract:       emitContract,
		vector.OuterProduct:   emitOuterProduct,
		vector.MatrixMultiply: emitMatrixMultiply,
	}
}

// combine returns what the kind of a reduction makes of two elements of the result.
func (f *function) combine(op *ir.Op, a, b string) string {
	t := ir.ElementType(op.Result(0).Type())
	name := ""
	if kind, ok := op.Attr("kind").(*ir.EnumAttr); ok {
		for _, k := range vector.CombiningKind.Cases {
			if k.Value == kind.Value {
				name = k.Keyword
			}
		}
	}
	kinds := map[string]string{"add": "addi", "mul": "muli", "minui": "minu", "minsi": "mins", "maxui": "maxu", "maxsi": "maxs", "and": "andi", "or": "ori", "xor": "xori"}
	if ir.IsFloat(t) {
		kinds = map[string]string{"add": "addf", "mul": "mulf", "minnumf": "minnumf", "maxnumf": "maxnumf", "minimumf": "minimumf", "maximumf": "maximumf"}
	}
	if kinds[name] == "" {
		f.fail(op, "its kind does not fit its type")
	}
	return f.combined(op, kinds[name], t, a, b)
}

// product returns the product of two elements of the operands in the type of the result: narrow ones are extended first.
func (f *function) product(op *ir.Op, a, b string) string {
	from, to := ir.ElementType(vector.ProductOp{Op: op}.LHS().Type()), ir.ElementType(op.Result(0).Type())
	extend := func(e string) string {
		if from == to {
			return e
		}
		x := &element{f: f, op: op, in: []ir.Type{from}, out: to, args: []string{e}}
		if ir.IsFloat(to) && ir.IsFloat(from) {
			return convertFloat(x)
		}
		if !ir.IsIntOrIndex(to) || !ir.IsIntOrIndex(from) {
			f.fail(op, "its types are not supported")
		}
		return resize(true)(x)
	}
	kind := "muli"
	if ir.IsFloat(to) {
		kind = "mulf"
	}
	return f.combined(op, kind, to, extend(a), extend(b))
}

// masked opens a block that is executed where the mask around an operation selects an element, and returns how many blocks were opened.
func (f *function) masked(op *ir.Op, at string) int {
	m := maskAround(op)
	if m == nil {
		return 0
	}
	f.openf("if (%s)", f.elementOf(m, at))
	return 1
}

func emitReduction(f *function, op *ir.Op) {
	src, v := vector.ReductionOp{Op: op}.Vector(), op.Result(0)
	c := f.ctype(op, v.Type())
	m := maskAround(op)
	n := elements(shapeOf(src.Type()))
	var total, first string
	switch {
	case vector.ReductionOp{Op: op}.Acc() != nil:
		total = f.variable("total", c, f.value(vector.ReductionOp{Op: op}.Acc()))
	case m == nil:
		total, first = f.variable("total", c, f.elementOf(src, "0")), "1"
	default:
		total = f.variable("total", c, "0")
		started := f.variable("started", "int", "0")
		i := f.count(constant(n))
		f.openf("if (%s)", f.elementOf(m, i))
		f.linef("%s = %s ? %s : %s;", total, started, f.combine(op, total, f.elementOf(src, i)), f.elementOf(src, i))
		f.linef("%s = 1;", started)
		f.closeAll(2)
		f.scalars[v] = total
		return
	}
	i := f.names.fresh("i")
	if first == "" {
		first = "0"
	}
	f.openf("for (%s %s = %s; %s < %d; %s++)", f.m.types.index(), i, first, i, n, i)
	k := f.masked(op, i)
	f.linef("%s = %s;", total, f.combine(op, total, f.elementOf(src, i)))
	f.closeAll(1 + k)
	f.scalars[v] = total
}

// nestOver opens loops over the elements of a shape, and returns their counters and the number of the element.
func (f *function) nestOver(shape []int64) (idx []string, at string) {
	at = "0"
	for _, n := range shape {
		i := f.count(constant(n))
		idx = append(idx, i)
		at = sum(mul(at, constant(n)), i)
	}
	return idx, at
}

// accumulator makes result 0 a copy of an operand, and returns the expression for an element of it.
func (f *function) accumulator(op *ir.Op, operand int) func(at string) string {
	name := f.copied(op, operand)
	return func(at string) string {
		if ir.IsVector(op.Result(0).Type()) {
			return name + ".e[" + at + "]"
		}
		return name
	}
}

func emitMultiReduction(f *function, op *ir.Op) {
	dims := intsOf(op.Attr("reduction_dims"))
	shape := shapeOf(vector.MultiReductionOp{Op: op}.Source().Type())
	if len(dims) == 0 {
		f.scalars[op.Result(0)] = f.value(vector.MultiReductionOp{Op: op}.Source())
		return
	}
	out := f.accumulator(op, 1)
	idx, at := f.nestOver(shape)
	k := f.masked(op, at)
	p := "0"
	for d, i := range idx {
		if !slices.Contains(dims, int64(d)) {
			p = sum(mul(p, constant(shape[d])), i)
		}
	}
	f.linef("%s = %s;", out(p), f.combine(op, out(p), f.elementOf(vector.MultiReductionOp{Op: op}.Source(), at)))
	f.closeAll(len(shape) + k)
}

func emitScan(f *function, op *ir.Op) {
	dim := int(op.Attr("reduction_dim").(*ir.IntegerAttr).Value)
	inclusive := op.Attr("inclusive").(*ir.IntegerAttr).Value != 0
	shape := shapeOf(vector.ScanOp{Op: op}.Source().Type())
	out := f.newVector(op, op.Result(0))
	acc := f.variable("sums", f.ctype(op, op.Result(1).Type()), f.value(vector.ScanOp{Op: op}.InitialValue()))
	final := f.variable("last", f.ctype(op, op.Result(1).Type()), acc)
	f.scalars[op.Result(1)] = final
	idx, at := f.nestOver(shape)
	p := "0"
	for d, i := range idx {
		if d != dim {
			p = sum(mul(p, constant(shape[d])), i)
		}
	}
	elem := f.ctype(op, ir.ElementType(op.Result(0).Type()))
	before := f.define("before", elem, acc+".e["+p+"]")
	x := f.elementOf(vector.ScanOp{Op: op}.Source(), at)
	after := f.combine(op, before, x)
	if inclusive {
		// As MLIR lowers it: the first one without the initial value.
		after = f.define("after", elem, fmt.Sprintf("%s == 0 ? %s : %s", idx[dim], x, factor(after)))
		f.linef("%s.e[%s] = %s;", out, at, after)
	} else {
		after = f.define("after", elem, after)
		f.linef("%s.e[%s] = %s;", out, at, before)
	}
	f.linef("%s.e[%s] = %s.e[%s];", final, p, out, at)
	f.linef("%s.e[%s] = %s;", acc, p, after)
	f.closeAll(len(shape))
}

func emitContract(f *function, op *ir.Op) {
	var maps []*ir.AffineMap
	for _, a := range op.Attr("indexing_maps").(*ir.ArrayAttr).Elems {
		maps = append(maps, a.(*ir.AffineMapAttr).Map)
	}
	sizes := make([]int64, maps[0].Dims)
	for k, m := range maps[:2] {
		for i, e := range m.Results {
			if e.Kind != ir.AffineDim {
				f.fail(op, "its indexing maps are not projections")
			}
			sizes[e.Value] = shapeOf(op.Operand(k).Type())[i]
		}
	}
	out := f.accumulator(op, 2)
	idx, at := f.nestOver(sizes)
	k := f.masked(op, at)
	place := func(m *ir.AffineMap, shape []int64) string {
		p := "0"
		for i, e := range m.Results {
			p = sum(mul(p, constant(shape[i])), idx[e.Value])
		}
		return p
	}
	a := f.elementOf(vector.ContractOp{Op: op}.LHS(), place(maps[0], shapeOf(vector.ContractOp{Op: op}.LHS().Type())))
	b := f.elementOf(vector.ContractOp{Op: op}.RHS(), place(maps[1], shapeOf(vector.ContractOp{Op: op}.RHS().Type())))
	p := place(maps[2], shapeOf(op.Result(0).Type()))
	v := f.define("product", f.ctype(op, ir.ElementType(op.Result(0).Type())), f.product(op, a, b))
	f.linef("%s = %s;", out(p), f.combine(op, out(p), v))
	f.closeAll(len(sizes) + k)
}

func emitOuterProduct(f *function, op *ir.Op) {
	rows, columns := shapeOf(vector.OuterProductOp{Op: op}.LHS().Type())[0], elements(shapeOf(vector.OuterProductOp{Op: op}.RHS().Type()))
	var name string
	if op.NumOperands() > 2 {
		name = f.copied(op, 2)
	} else {
		name = f.variable(nameOf(op.Result(0)), f.ctype(op, op.Result(0).Type()), "{{0}}")
		f.scalars[op.Result(0)] = name
	}
	idx, at := f.nestOver([]int64{rows, columns})
	k := f.masked(op, at)
	v := f.define("product", f.ctype(op, ir.ElementType(op.Result(0).Type())), f.product(op, f.elementOf(vector.OuterProductOp{Op: op}.LHS(), idx[0]), f.elementOf(vector.OuterProductOp{Op: op}.RHS(), idx[1])))
	if op.NumOperands() > 2 {
		v = f.combine(op, name+".e["+at+"]", v)
	}
	f.linef("%s.e[%s] = %s;", name, at, v)
	f.closeAll(2 + k)
}

// emitMatrixMultiply multiplies matrices that are stored column by column.
func emitMatrixMultiply(f *function, op *ir.Op) {
	rows, inner := op.Attr("lhs_rows").(*ir.IntegerAttr).Value, op.Attr("lhs_columns").(*ir.IntegerAttr).Value
	if rows < 1 || inner < 1 {
		f.fail(op, "a matrix has no elements")
	}
	t := ir.ElementType(op.Result(0).Type())
	kind := "addi"
	if ir.IsFloat(t) {
		kind = "addf"
	}
	name := f.newVector(op, op.Result(0))
	c := f.ctype(op, t)
	columns := elements(shapeOf(op.Result(0).Type())) / rows
	col, r := f.count(constant(columns)), f.count(constant(rows))
	at := func(k string) string {
		return f.product(op, f.elementOf(vector.MatrixMultiplyOp{Op: op}.LHS(), sum(mul(k, constant(rows)), r)), f.elementOf(vector.MatrixMultiplyOp{Op: op}.RHS(), sum(mul(col, constant(inner)), k)))
	}
	total := f.variable("total", c, at("0"))
	k := f.names.fresh("k")
	f.openf("for (%s %s = 1; %s < %d; %s++)", f.m.types.index(), k, k, inner, k)
	v := f.define("product", c, at(k))
	f.linef("%s = %s;", total, f.combined(op, kind, t, total, v))
	f.close()
	f.linef("%s.e[%s] = %s;", name, sum(mul(col, constant(rows)), r), total)
	f.closeAll(2)
}
