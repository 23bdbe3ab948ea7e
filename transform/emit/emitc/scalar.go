package emitc

import (
	"fmt"
	"strconv"

	"freehold/exec"
	"freehold/ir"
)

// element is one element of an elementwise operation while its expression is made.
type element struct {
	f    *function
	op   *ir.Op
	in   []ir.Type
	out  ir.Type
	args []string
	// values are the operands of the operation, if the arguments are these, or elements of these; else nil, as where a reduction combines what it has with the next element.
	values []*ir.Value
}

// scalar returns the C expression of an element of the result of an operation.
type scalar func(x *element) string

// elementwise writes an operation on numbers, or on vectors element by element.
func (f *function) elementwise(op *ir.Op, s scalar) { f.elementwiseResult(op, op.Result(0), s) }

// elementwiseResult writes one of the results of such an operation.
func (f *function) elementwiseResult(op *ir.Op, result *ir.Value, s scalar) {
	x := &element{f: f, op: op, out: ir.ElementType(result.Type()), values: op.Operands().Values()}
	for i := range op.NumOperands() {
		t := op.Operand(i).Type()
		if ir.IsMemRef(t) {
			f.fail(op, "it is not written on memrefs")
		}
		x.in = append(x.in, ir.ElementType(t))
	}
	t, vector := result.Type().(*ir.VectorType)
	if !vector {
		x.args = f.values(op.Operands().Values())
		f.result(result, x.expression(s))
		return
	}
	name := f.newVector(op, result)
	i := f.loopOver(t)
	for k := range op.NumOperands() {
		e := f.value(op.Operand(k))
		if ir.IsVector(op.Operand(k).Type()) {
			e += ".e[" + i + "]"
		}
		x.args = append(x.args, e)
	}
	f.linef("%s.e[%s] = %s;", name, i, x.expression(s))
	f.close()
}

func (x *element) expression(s scalar) string {
	for _, t := range append(x.in[:len(x.in):len(x.in)], x.out) {
		x.f.ctype(x.op, t)
	}
	return s(x)
}

// newVector declares the variable of a vector that is not filled yet, binds the value to it and returns its name.
func (f *function) newVector(op *ir.Op, v *ir.Value) string {
	name := f.names.fresh(nameOf(v))
	f.line(declaration(f.ctype(op, v.Type()), name) + ";")
	f.scalars[v] = name
	return name
}

// loopOver opens a loop over all elements of a vector, and returns the name of the counter.
func (f *function) loopOver(t *ir.VectorType) string {
	n, _ := ir.NumElements(t.Shape)
	return f.count(constant(n))
}

// count opens a loop over the numbers from 0 up to a limit, and returns the name of the counter.
func (f *function) count(limit string) string {
	i := f.names.fresh("i")
	f.openf("for (%s %s = 0; %s < %s; %s++)", f.m.types.index(), i, i, limit, i)
	return i
}

// width returns the number of bits of an integer or index.
func (m *module) width(t ir.Type) int {
	if t == ir.Type(ir.Index) {
		return m.o.IndexBits
	}
	return exec.Width(t)
}

// unsigned returns an integer expression as an unsigned number.
func (m *module) unsigned(t ir.Type, e string) string {
	if t == ir.Type(ir.Index) {
		return "(" + m.types.unsignedIndex() + ")" + factor(e)
	}
	return factor(e)
}

// natural returns an integer expression, which may be a negative literal, as the unsigned number that its bits are.
func (m *module) natural(t ir.Type, e string) string {
	if t == ir.Type(ir.Index) {
		return m.unsigned(t, e)
	}
	return m.wrapped(t, e)
}

// signed returns an integer expression as a signed number.
func (m *module) signed(t ir.Type, e string) string {
	if t == ir.Type(ir.Index) {
		return factor(e)
	}
	w := exec.Width(t)
	if n, ok := literal(e); ok && w > 0 && w <= 64 {
		return constant(signExtended(n, w))
	}
	bits := max(storageBits(w), 32)
	c := signedType(bits)
	switch {
	case w == 0:
		return factor(e)
	case storageBits(w) == w && w <= 32:
		return "(" + signedType(w) + ")" + factor(e)
	case bits == w:
		return "(" + c + ")" + factor(e)
	}
	// The sign is moved to the top and back.
	shift := strconv.Itoa(bits - w)
	return fmt.Sprintf("((%s)((%s)%s << %s) >> %s)", c, unsignedType(bits), factor(e), shift, shift)
}

func unsignedType(bits int) string {
	if bits == 128 {
		return "fh_u128"
	}
	return "uint" + strconv.Itoa(bits) + "_t"
}

func signedType(bits int) string {
	if bits == 128 {
		return "fh_i128"
	}
	return "int" + strconv.Itoa(bits) + "_t"
}

// wrapped returns an expression of any integer C type, cut to the width of a type.
func (m *module) wrapped(t ir.Type, e string) string {
	if t == ir.Type(ir.Index) {
		return "(" + m.types.index() + ")(" + e + ")"
	}
	w := exec.Width(t)
	bits := storageBits(w)
	c := unsignedType(bits)
	switch {
	case w == bits:
		return "(" + c + ")(" + e + ")"
	case w < 32:
		return fmt.Sprintf("(%s)((%s) & %#xu)", c, e, uint64(1)<<w-1)
	case w <= 64:
		return fmt.Sprintf("(%s)((%s) & UINT64_C(%#x))", c, e, uint64(1)<<w-1)
	}
	return fmt.Sprintf("(%s)((%s) & (((fh_u128)1 << %d) - 1))", c, e, w)
}

// wide returns an unsigned number as one that products and shifts don't overflow: of at least 32 bits, and not an int, which a literal is.
func (m *module) wide(t ir.Type, e string) string {
	w := m.width(t)
	n, isLiteral := number(e)
	switch {
	case t == ir.Type(ir.Index), w > 16 && (!isLiteral || n < 0):
		return m.unsigned(t, e)
	case w <= 16:
		return "(uint32_t)" + factor(e)
	case w <= 32:
		return fmt.Sprintf("%du", n)
	case w <= 64:
		return fmt.Sprintf("UINT64_C(%d)", n)
	}
	return m.unsigned(t, e)
}

// double returns a floating-point expression as a double.
func (m *module) double(t *ir.FloatType, e string) string {
	switch t {
	case ir.F64:
		return factor(e)
	case ir.F32:
		return "(double)" + factor(e)
	}
	return m.smallFloat(t, "to_double") + "(" + e + ")"
}

// rounded returns an expression that is a double, rounded to a type.
func (m *module) rounded(t *ir.FloatType, e string) string {
	switch t {
	case ir.F64:
		return e
	case ir.F32:
		return "(float)" + factor(e)
	}
	return m.smallFloat(t, "from_double") + "(" + e + ")"
}

// float returns the floating-point type, or fails.
func (x *element) float(t ir.Type) *ir.FloatType {
	ft, ok := t.(*ir.FloatType)
	if !ok {
		x.f.fail(x.op, "it is not written for '%s'", t)
	}
	return ft
}

// isNative tells whether C computes with numbers of a type as they are.
func isNative(t *ir.FloatType) bool { return t == ir.F32 || t == ir.F64 }
