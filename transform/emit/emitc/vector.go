package emitc

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"freehold/dialect/vector"
	"freehold/ir"
	"freehold/ir/interfaces"
)

// Vectors are structures with an array. Those whose size depends on the machine are written for a scale of 1, as package exec has it.
func vectorEmitters() map[*ir.OpID]emitter {
	return map[*ir.OpID]emitter{
		vector.Broadcast:           emitBroadcast,
		vector.Splat:               emitBroadcast,
		vector.FromElements:        func(f *function, op *ir.Op) { f.permute(op, 0, func(i int64) (int, int64) { return int(i), 0 }) },
		vector.ToElements:          emitToElements,
		vector.ShapeCast:           func(f *function, op *ir.Op) { f.permute(op, 0, func(i int64) (int, int64) { return 0, i }) },
		vector.Shuffle:             emitShuffle,
		vector.Interleave:          emitInterleave,
		vector.Deinterleave:        emitDeinterleave,
		vector.Transpose:           emitVectorTranspose,
		vector.FlatTranspose:       emitFlatTranspose,
		vector.ExtractStridedSlice: emitExtractSlice,
		vector.InsertStridedSlice:  emitInsertSlice,
		vector.ScalableExtract: func(f *function, op *ir.Op) {
			pos := op.Attr("pos").(*ir.IntegerAttr).Value
			f.permute(op, 0, func(i int64) (int, int64) { return 0, i + pos })
		},
		vector.ScalableInsert: emitScalableInsert,
		vector.Extract:        emitExtract,
		vector.ExtractElement: emitExtract,
		vector.Insert:         emitInsert,
		vector.InsertElement:  emitInsert,
		vector.BitCast:        emitVectorBitcast,
		vector.ConstantMask:   emitConstantMask,
		vector.CreateMask:     emitCreateMask,
		vector.VScale:         func(f *function, op *ir.Op) { f.scalars[op.Result(0)] = "1" },
		vector.Step: func(f *function, op *ir.Op) {
			name := f.newVector(op, op.Result(0))
			i := f.loopOver(op.Result(0).Type().(*ir.VectorType))
			f.linef("%s.e[%s] = %s;", name, i, i)
			f.close()
		},
		vector.Mask:  emitMask,
		vector.Print: emitPrint,
	}
}

func vectorScalars() map[*ir.OpID]scalar {
	return map[*ir.OpID]scalar{vector.FMA: fusedMultiplyAdd}
}

// shapeOf returns the sizes of a vector, none for a number.
func shapeOf(t ir.Type) []int64 {
	if v, ok := t.(*ir.VectorType); ok {
		return v.Shape
	}
	return nil
}

func elements(sizes []int64) int64 {
	n := int64(1)
	for _, s := range sizes {
		n *= s
	}
	return n
}

// elementOf returns element i of a value, which is the value itself if it is no vector.
func (f *function) elementOf(v *ir.Value, i string) string {
	if ir.IsVector(v.Type()) {
		return f.value(v) + ".e[" + i + "]"
	}
	return f.value(v)
}

// unrolled is up to how many elements of a vector are written one by one.
const unrolled = 16

// permute makes result r a vector each of whose elements is the one of an operand that from says.
func (f *function) permute(op *ir.Op, r int, from func(i int64) (operand int, at int64)) {
	v := op.Result(r)
	shape := shapeOf(v.Type())
	n := elements(shape)
	c := f.ctype(op, v.Type())
	if n <= unrolled {
		var list []string
		for i := range n {
			k, at := from(i)
			list = append(list, f.elementOf(op.Operand(k), constant(at)))
		}
		f.scalars[v] = f.define(nameOf(v), c, "{{"+strings.Join(list, ", ")+"}}")
		return
	}
	name := f.newVector(op, v)
	operand, at := from(0)
	strides, linear := linearStrides(shape, from)
	if linear {
		to, source := "0", constant(at)
		for d, size := range shape {
			i := f.count(constant(size))
			to = sum(mul(to, constant(size)), i)
			source = sum(source, mul(i, constant(strides[d])))
		}
		f.linef("%s.e[%s] = %s;", name, to, f.elementOf(op.Operand(operand), source))
		f.closeAll(len(shape))
		return
	}
	for i := range n {
		k, at := from(i)
		f.linef("%s.e[%d] = %s;", name, i, f.elementOf(op.Operand(k), constant(at)))
	}
}

// linearStrides returns how far each dimension moves the source, if all elements come from one operand and from places that are sums of
// multiples of the indices.
func linearStrides(shape []int64, from func(i int64) (operand int, at int64)) ([]int64, bool) {
	operand, start := from(0)
	row := rowMajor(shape)
	strides := make([]int64, len(shape))
	for d := range shape {
		if shape[d] > 1 {
			_, at := from(row[d])
			strides[d] = at - start
		}
	}
	for i := range elements(shape) {
		k, at := from(i)
		for d := range shape {
			at -= i / row[d] % shape[d] * strides[d]
		}
		if k != operand || at != start {
			return nil, false
		}
	}
	return strides, true
}

// pick is permute in terms of indices.
func (f *function) pick(op *ir.Op, from func(idx []int64) (operand int, at []int64)) {
	shape := shapeOf(op.Result(0).Type())
	row := rowMajor(shape)
	f.permute(op, 0, func(i int64) (int, int64) {
		idx := make([]int64, len(shape))
		for d := range shape {
			idx[d] = i / row[d] % shape[d]
		}
		k, at := from(idx)
		p := int64(0)
		for d, n := range shapeOf(op.Operand(k).Type()) {
			p = p*n + at[d]
		}
		return k, p
	})
}

func emitBroadcast(f *function, op *ir.Op) {
	src := shapeOf(op.OnlyOperand().Type())
	if !ir.IsVector(op.OnlyOperand().Type()) {
		f.fillVector(op, op.Result(0), f.value(op.OnlyOperand()))
		return
	}
	lead := len(shapeOf(op.Result(0).Type())) - len(src)
	f.pick(op, func(idx []int64) (int, []int64) {
		from := slices.Clone(idx[lead:])
		for i, n := range src {
			if n == 1 {
				from[i] = 0
			}
		}
		return 0, from
	})
}

func emitToElements(f *function, op *ir.Op) {
	for i, r := range op.Results().Values() {
		f.result(r, f.value(vector.ToElementsOp{Op: op}.Source())+".e["+strconv.Itoa(i)+"]")
	}
}

func emitShuffle(f *function, op *ir.Op) {
	first := int64(1)
	if s := shapeOf(vector.ShuffleOp{Op: op}.V1().Type()); len(s) > 0 {
		first = s[0]
	}
	mask := intsOf(op.Attr("mask"))
	f.pick(op, func(idx []int64) (int, []int64) {
		k, operand := max(mask[idx[0]], 0), 0 // -1 stands for any element
		if k >= first {
			operand, k = 1, k-first
		}
		from := append([]int64{k}, idx[1:]...)
		return operand, from[:len(shapeOf(op.Operand(operand).Type()))]
	})
}

func emitInterleave(f *function, op *ir.Op) {
	f.pick(op, func(idx []int64) (int, []int64) {
		last := len(idx) - 1
		from := slices.Clone(idx)
		from[last] /= 2
		return int(idx[last] % 2), from[:len(shapeOf(vector.InterleaveOp{Op: op}.LHS().Type()))]
	})
}

func emitDeinterleave(f *function, op *ir.Op) {
	f.permute(op, 0, func(i int64) (int, int64) { return 0, 2 * i })
	f.permute(op, 1, func(i int64) (int, int64) { return 0, 2*i + 1 })
}

func emitVectorTranspose(f *function, op *ir.Op) {
	perm := interfaces.StaticInts(op, "permutation")
	f.pick(op, func(idx []int64) (int, []int64) {
		from := make([]int64, len(idx))
		for i, p := range perm {
			from[p] = idx[i]
		}
		return 0, from
	})
}

func emitFlatTranspose(f *function, op *ir.Op) {
	rows, columns := op.Attr("rows").(*ir.IntegerAttr).Value, op.Attr("columns").(*ir.IntegerAttr).Value
	f.permute(op, 0, func(i int64) (int, int64) { return 0, i/columns + i%columns*rows })
}

func emitExtractSlice(f *function, op *ir.Op) {
	offsets, strides := intsOf(op.Attr("offsets")), intsOf(op.Attr("strides"))
	f.pick(op, func(idx []int64) (int, []int64) {
		from := slices.Clone(idx)
		for i, o := range offsets {
			from[i] = o + from[i]*strides[i]
		}
		return 0, from
	})
}

// emitInsertSlice copies a vector over a part of another one.
func emitInsertSlice(f *function, op *ir.Op) {
	offsets, strides := intsOf(op.Attr("offsets")), intsOf(op.Attr("strides"))
	src, dst := shapeOf(vector.InsertStridedSliceOp{Op: op}.Source().Type()), shapeOf(vector.InsertStridedSliceOp{Op: op}.Dest().Type())
	row := rowMajor(dst)
	name := f.copied(op, 1)
	lead := len(dst) - len(src)
	to, from := "0", "0"
	for d, o := range offsets {
		to = sum(to, constant(o*row[d]))
	}
	for d, n := range src {
		i := f.count(constant(n))
		from = sum(mul(from, constant(n)), i)
		to = sum(to, mul(i, constant(strides[d]*row[lead+d])))
	}
	f.linef("%s.e[%s] = %s;", name, to, f.elementOf(vector.InsertStridedSliceOp{Op: op}.Source(), from))
	f.closeAll(len(src))
}

// copied makes result 0 a copy of an operand, whose elements can then be assigned, and returns its name.
func (f *function) copied(op *ir.Op, operand int) string {
	v := op.Result(0)
	name := f.variable(nameOf(v), f.ctype(op, v.Type()), f.value(op.Operand(operand)))
	f.scalars[v] = name
	return name
}

func emitScalableInsert(f *function, op *ir.Op) {
	pos := op.Attr("pos").(*ir.IntegerAttr).Value
	name := f.copied(op, 1)
	i := f.loopOver(vector.ScalableInsertOp{Op: op}.Source().Type().(*ir.VectorType))
	f.linef("%s.e[%s] = %s;", name, sum(i, constant(pos)), f.elementOf(vector.ScalableInsertOp{Op: op}.Source(), i))
	f.close()
}

// position returns the number of the first element that the indices of an extraction or insertion choose; at is the number of the vector
// operand before them.
func (f *function) position(op *ir.Op, at int) string {
	var idx []string
	if op.Def().AttrIndex("static_position") >= 0 {
		idx = f.sizeExprs(interfaces.MixedList(op, at+1, "static_position"))
	} else {
		for _, v := range op.Operands()[at+1:].Values() {
			idx = append(idx, f.asUnsignedIndex(v))
		}
	}
	p := "0"
	row := rowMajor(shapeOf(op.Operand(at).Type()))
	for d, x := range idx {
		p = sum(p, mul(x, constant(row[d])))
	}
	return p
}

// asUnsignedIndex returns an integer as an index that isn't negative.
func (f *function) asUnsignedIndex(v *ir.Value) string {
	if v.Type() == ir.Type(ir.Index) {
		return f.value(v)
	}
	return "(" + f.m.types.index() + ")" + factor(f.value(v))
}

func emitExtract(f *function, op *ir.Op) {
	v, at := op.Result(0), f.position(op, 0)
	if !ir.IsVector(v.Type()) {
		f.result(v, f.value(vector.ExtractOp{Op: op}.Vector())+".e["+at+"]")
		return
	}
	if n, ok := number(at); ok {
		f.permute(op, 0, func(i int64) (int, int64) { return 0, n + i })
		return
	}
	name := f.newVector(op, v)
	i := f.loopOver(v.Type().(*ir.VectorType))
	f.linef("%s.e[%s] = %s.e[%s];", name, i, f.value(vector.ExtractOp{Op: op}.Vector()), sum(at, i))
	f.close()
}

func emitInsert(f *function, op *ir.Op) {
	if op.Is(vector.Insert) && !(vector.InsertOp{Op: op}).Fills() {
		f.fail(op, "the source isn't as large as what it takes the place of")
	}
	at, src := f.position(op, 1), vector.InsertOp{Op: op}.Source()
	name := f.copied(op, 1)
	if t, ok := src.Type().(*ir.VectorType); ok {
		i := f.loopOver(t)
		f.linef("%s.e[%s] = %s;", name, sum(at, i), f.elementOf(src, i))
		f.close()
		return
	}
	f.linef("%s.e[%s] = %s;", name, at, f.value(src))
}

// emitVectorBitcast reads the bits of a vector as elements of another width. Those with as many bits as they take in memory lie as the bits do.
func emitVectorBitcast(f *function, op *ir.Op) {
	from, to := ir.ElementType(vector.BitCastOp{Op: op}.Source().Type()), ir.ElementType(op.Result(0).Type())
	packed := true
	for _, t := range []ir.Type{from, to} {
		if !ir.IsIntOrIndex(t) && !ir.IsFloat(t) {
			f.fail(op, "it is written for numbers")
		}
		packed = packed && storageBits(f.m.width(t)) == f.m.width(t)
	}
	if !packed {
		f.bitByBit(op, from, to)
		return
	}
	f.m.helpers.headers["string.h"] = true
	name := f.newVector(op, op.Result(0))
	f.linef("memcpy(&%s, &%s, sizeof %s);", name, f.addressable(op, vector.BitCastOp{Op: op}.Source()), name)
}

// bitByBit writes the bits of a vector as elements of another width, of which the first one has the lowest bits.
func (f *function) bitByBit(op *ir.Op, from, to ir.Type) {
	for _, t := range []ir.Type{from, to} {
		if ft, ok := t.(*ir.FloatType); ok && isNative(ft) {
			f.fail(op, "it is written for elements that fill their memory")
		}
	}
	w, v := int64(f.m.width(from)), int64(f.m.width(to))
	name := f.newVector(op, op.Result(0))
	i := f.loopOver(op.Result(0).Type().(*ir.VectorType))
	f.linef("%s.e[%s] = 0;", name, i)
	b := f.count(constant(v))
	at := f.define("bit", f.m.types.index(), sum(mul(i, constant(v)), b))
	c := f.ctype(op, to)
	f.linef("%[1]s.e[%[2]s] = (%[3]s)(%[1]s.e[%[2]s] | (%[3]s)((%[3]s)(%[4]s >> %[5]s %% %[6]d & 1) << %[7]s));", name, i, c,
		f.elementOf(op.OnlyOperand(), at+" / "+constant(w)), at, w, b)
	f.closeAll(2)
}

// addressable returns a variable with a vector, whose address may be taken.
func (f *function) addressable(op *ir.Op, v *ir.Value) string {
	if e := f.value(v); isAtom(e) {
		return e
	}
	return f.variable("copy", f.ctype(op, v.Type()), f.value(v))
}

func emitConstantMask(f *function, op *ir.Op) {
	f.mask(op, constants(intsOf(op.Attr("mask_dim_sizes"))))
}

func emitCreateMask(f *function, op *ir.Op) { f.mask(op, f.values(op.Operands().Values())) }

// mask makes result 0 a mask that is set below the bounds.
func (f *function) mask(op *ir.Op, bounds []string) {
	shape := shapeOf(op.Result(0).Type())
	name := f.newVector(op, op.Result(0))
	at := "0"
	var tests []string
	for d, n := range shape {
		i := f.count(constant(n))
		at = sum(mul(at, constant(n)), i)
		tests = append(tests, i+" < "+bounds[d])
	}
	if len(shape) == 0 && len(bounds) == 1 {
		tests = append(tests, bounds[0]+" > 0")
	}
	if len(tests) == 0 {
		tests = []string{"1"}
	}
	f.linef("%s.e[%s] = %s;", name, at, strings.Join(tests, " && "))
	f.closeAll(len(shape))
}

// emitMask writes the operation in the region, which looks at the mask itself. What the mask leaves out of its result comes from the last operand.
func emitMask(f *function, op *ir.Op) {
	results := op.Results().Values()
	body := op.BodyBlock(0)
	nothing := body.First() == body.Terminator()
	f.block(body, func(t *ir.Op) {
		for i, r := range results {
			f.alias(r, t.Operand(i))
		}
	})
	if nothing || op.NumOperands() < 2 || len(results) != 1 || !ir.IsVector(results[0].Type()) {
		return
	}
	t := results[0].Type().(*ir.VectorType)
	if elements(shapeOf(vector.MaskOp{Op: op}.Mask().Type())) != elements(t.Shape) {
		return
	}
	name := f.variable("masked", f.ctype(op, t), f.value(results[0]))
	f.scalars[results[0]] = name
	i := f.loopOver(t)
	f.linef("if (!%s) %s.e[%s] = %s;", f.elementOf(vector.MaskOp{Op: op}.Mask(), i), name, i, f.elementOf(vector.MaskOp{Op: op}.Passthru(), i))
	f.close()
}

// maskAround returns the mask that the vector.mask around an operation gives it; nil if there is none.
func maskAround(op *ir.Op) *ir.Value {
	if p := op.Parent(); p != nil && p.Is(vector.Mask) {
		return vector.MaskOp{Op: p}.Mask()
	}
	return nil
}

func intsOf(a ir.Attribute) []int64 {
	switch a := a.(type) {
	case *ir.DenseArrayAttr:
		return a.Ints()
	case *ir.ArrayAttr:
		out := make([]int64, len(a.Elems))
		for i, e := range a.Elems {
			if v, ok := e.(*ir.IntegerAttr); ok {
				out[i] = v.Value
			}
		}
		return out
	}
	return nil
}

// emitPrint prints as MLIR's runtime library does, which puts no punctuation after literal strings.
func emitPrint(f *function, op *ir.Op) {
	f.m.helpers.headers["stdio.h"] = true
	end := ""
	if a, ok := op.Attr("punctuation").(*ir.EnumAttr); ok {
		end = [...]string{"", "\n", ", ", "( ", " )"}[a.Value]
	}
	if a, ok := op.Attr("stringLiteral").(*ir.StringAttr); ok {
		end = a.Value
	}
	if op.NumOperands() > 0 {
		v := op.OnlyOperand()
		t := ir.ElementType(v.Type())
		shape := shapeOf(v.Type())
		f.printRow(op, v, t, shape, "0")
	}
	if end != "" {
		if strings.Contains(end, "\x00") {
			f.linef("fwrite(%s, 1, %d, stdout);", quoted(end), len(end))
		} else {
			f.linef("fputs(%s, stdout);", quoted(end))
		}
	}
}

// printRow prints the part of a vector from an element on that has a shape.
func (f *function) printRow(op *ir.Op, v *ir.Value, t ir.Type, shape []int64, at string) {
	if !ir.IsVector(v.Type()) {
		f.printNumber(op, t, f.value(v))
		return
	}
	if len(shape) == 0 {
		rank0 := len(shapeOf(v.Type())) == 0
		if rank0 {
			f.line(`fputs("( ", stdout);`)
		}
		f.printNumber(op, t, f.elementOf(v, at))
		if rank0 {
			f.line(`fputs(" )", stdout);`)
		}
		return
	}
	f.line(`fputs("( ", stdout);`)
	i := f.count(constant(shape[0]))
	f.linef(`if (%s) fputs(", ", stdout);`, i)
	f.printRow(op, v, t, shape[1:], sum(at, mul(i, constant(elements(shape[1:])))))
	f.close()
	f.line(`fputs(" )", stdout);`)
}

func (f *function) printNumber(op *ir.Op, t ir.Type, e string) {
	switch t := t.(type) {
	case *ir.FloatType:
		f.linef(`printf("%%g", %s);`, f.m.double(t, e))
	case *ir.IndexType:
		f.linef(`printf("%%llu", (unsigned long long)%s);`, factor(e))
	case *ir.IntegerType:
		switch {
		case t.Width > 64:
			f.fail(op, "it is written for integers of up to 64 bits")
		case t.Width == 1 || t.Signedness == ir.Unsigned:
			f.linef(`printf("%%llu", (unsigned long long)%s);`, factor(e))
		default:
			f.linef(`printf("%%lld", (long long)%s);`, f.m.signed(t, e))
		}
	default:
		f.fail(op, "%s", fmt.Sprintf("it is not written for '%s'", t))
	}
}
