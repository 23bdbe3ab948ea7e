package emitc

import (
	"bufio"
	"errors"
	"fmt"
	"strings"

	"freehold/dialect/memref"
	"freehold/exec"
	"freehold/ir"
)

// global is a buffer that is there for the whole program.
type global struct {
	op   *ir.Op
	t    *ir.MemRefType
	elem string
	// name is the C name, and pointer the expression for the address of the first element.
	name, pointer string
	// place is the macro that says in which memory it is, with a space behind it, or "".
	place    string
	constant bool
	external bool
	// weights is the position in the file of weights, or -1.
	weights int64
}

// globalTable has the globals that functions use, in the order of their first use.
type globalTable struct {
	m    *module
	list []*global
	of   map[*ir.Op]*global
	// names are the C names of all globals of the program, which no variable of a function has.
	names map[*ir.Op]string
	// size is that of the file of weights.
	size int64
}

func newGlobalTable(m *module) *globalTable { return &globalTable{m: m, of: map[*ir.Op]*global{}} }

// named gives all globals their names.
func (t *globalTable) named() {
	t.names = map[*ir.Op]string{}
	for op := range t.m.root.BodyBlock(0).Ops() {
		if !op.Is(memref.Global) {
			continue
		}
		name, _ := ir.SymbolName(op)
		if isExternal(op) {
			t.names[op] = t.m.elsewhere[op]
		} else {
			// What passes call __constant is no name of the program's.
			t.names[op] = t.m.scope.fresh(strings.TrimLeft(name, "_") + t.m.o.Suffix)
		}
	}
}

// use returns the global that an operation refers to.
func (t *globalTable) use(op *ir.Op) (*global, error) {
	name := memref.GetGlobalOp{Op: op}.Symbol()
	at := t.m.symbols.Lookup(name)
	if at == nil || !at.Is(memref.Global) {
		return nil, fmt.Errorf("there is no global @%s", name)
	}
	if g := t.of[at]; g != nil {
		return g, nil
	}
	o := memref.GlobalOp{Op: at}
	elem, err := t.m.types.of(o.Type().Elem)
	if err != nil {
		return nil, err
	}
	g := &global{op: at, t: o.Type(), elem: elem, weights: -1, external: o.InitialValue() == nil, place: t.m.spaceMacro(o.Type().Space)}
	g.name = t.names[at]
	g.pointer = g.name
	hasContents := o.InitialValue() != nil && o.InitialValue() != ir.Attribute(ir.Unit)
	g.constant = o.IsConstant() && hasContents
	if n, _ := ir.NumElements(g.t.Shape); g.constant && t.m.o.Weights > 0 && n*t.m.storageBytes(g.t.Elem) >= t.m.o.Weights && inWeights(g.t.Elem) {
		t.size = (t.size + 63) &^ 63
		g.weights = t.size
		t.size += n * t.m.storageBytes(g.t.Elem)
		g.pointer = fmt.Sprintf("(const %s)(const void *)(%s + %d)", pointerTo(elem), t.m.weightsName(), g.weights)
	}
	if hasContents && g.weights < 0 {
		// That there are contents, and that they can be written, is found out before anything is.
		if err := t.check(g); err != nil {
			return nil, err
		}
	}
	t.of[at] = g
	t.list = append(t.list, g)
	return g, nil
}

// check tells whether the contents of a global can be written, and notes the headers that they need, which are written before them.
func (t *globalTable) check(g *global) error {
	f, native := g.t.Elem.(*ir.FloatType)
	native = native && isNative(f)
	switch e := g.t.Elem.(type) {
	case *ir.IntegerType, *ir.IndexType, *ir.FloatType:
	case *ir.ComplexType, *ir.VectorType:
		// Whether they have such parts isn't worth a look.
		t.m.helpers.headers["math.h"] = true
	default:
		return fmt.Errorf("there are no C constants of type '%s'", e)
	}
	if _, isResource := (memref.GlobalOp{Op: g.op}).InitialValue().(*ir.DenseResourceAttr); !native && !isResource {
		if s, ok := t.splat(g); ok {
			return t.checkSplat(g, s)
		}
		return nil
	}
	if s, ok := t.splat(g); ok { // The one number was written, which notes the header.
		return t.checkSplat(g, s)
	}
	x, err := t.contents(g)
	if err == nil && native {
		t.m.notFinite(f, x)
	}
	return err
}

// mostRepeated limits how often the number that all elements of a global are is written: it may be in a small program of any number of elements.
const mostRepeated = 1 << 24

// checkSplat tells whether the number that all elements of a global are can be written as often.
func (t *globalTable) checkSplat(g *global, number string) error {
	if n, _ := ir.NumElements(g.t.Shape); n > mostRepeated && !isZeroNumber(number) {
		help := ""
		if g.constant {
			help = "; a file of weights can have them (--weights)"
		}
		return fmt.Errorf("its %d elements are too many to be written one by one%s", n, help)
	}
	return nil
}

// isZeroNumber tells whether a number is what an initializer leaves out.
func isZeroNumber(s string) bool { return s == "0" || s == "0.0f" || s == "0.0" || s == "0x0" }

// notFinite notes the headers and the helpers for those of some numbers that aren't finite.
func (m *module) notFinite(t *ir.FloatType, x *exec.Tensor) {
	for i := range x.Elements() {
		w, ok := x.Word(i)
		if !ok || isFinite(exec.FloatOf(t, w)) {
			continue
		}
		m.helpers.headers["math.h"] = true
		if payload := unusualNaN(t, w); payload != 0 {
			m.nanLiteral(t, payload, false)
		}
	}
}

func isFinite(x float64) bool { return x-x == 0 }

// contents returns the initial contents of a global.
func (t *globalTable) contents(g *global) (*exec.Tensor, error) {
	switch a := (memref.GlobalOp{Op: g.op}).InitialValue().(type) {
	case *ir.DenseElementsAttr:
		return exec.TensorOf(a), nil
	case *ir.SparseElementsAttr:
		if d := a.Dense(g.op.Context(), 1<<24); d != nil {
			return exec.TensorOf(d), nil
		}
	case *ir.DenseResourceAttr:
		if t.m.o.Contents == nil {
			return nil, exec.ErrElided
		}
		x, err := t.m.o.Contents(a.Type, a.Key)
		if errors.Is(err, exec.ErrElided) {
			return nil, &exec.ElidedError{Diagnostic: refuse(g.op, "%v", err)}
		}
		return x, err
	}
	return nil, fmt.Errorf("the contents of @%s can't be written in C", g.name)
}

// splat returns the only element of a global whose elements are all the same, and whether that is so.
func (t *globalTable) splat(g *global) (string, bool) {
	a, ok := (memref.GlobalOp{Op: g.op}).InitialValue().(*ir.DenseElementsAttr)
	if !ok {
		return "", false
	}
	x, ok := exec.SplatOf(a)
	if !ok {
		return "", false
	}
	v, _ := x.Element(0)
	s, err := t.m.number(x.Elem.Type, v)
	return s, err == nil
}

// write writes the definitions of globals.
func (t *globalTable) write(w *bufio.Writer) error {
	for _, g := range t.list {
		if err := t.writeGlobal(w, g); err != nil {
			return err
		}
	}
	return nil
}

func (t *globalTable) writeGlobal(w *bufio.Writer, g *global) error {
	n, _ := ir.NumElements(g.t.Shape)
	decl := declaration(g.elem, fmt.Sprintf("%s[%d]", g.name, max(n, 1)))
	switch {
	case g.external:
		fmt.Fprintf(w, "extern %s;\n", decl)
		return nil
	case g.weights >= 0:
		return nil
	}
	align := g.place + "FH_ALIGNED(64) "
	if g.constant {
		align += "static const "
	} else {
		align += "static "
	}
	v := memref.GlobalOp{Op: g.op}.InitialValue()
	if v == ir.Attribute(ir.Unit) || n == 0 {
		fmt.Fprintf(w, "%s%s;\n", align, decl)
		return nil
	}
	if s, ok := t.splat(g); ok && isZeroNumber(s) {
		// What an initializer leaves out is 0.
		fmt.Fprintf(w, "%s%s = {%s};\n", align, decl, s)
		return nil
	}
	x, err := t.contents(g)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%s%s = {", align, decl)
	column := 0
	for i := range x.Elements() {
		e, ok := x.Element(i)
		if !ok {
			e = uint64(0)
		}
		s, err := t.m.initial(x.Elem.Type, e)
		if err != nil {
			return fmt.Errorf("@%s: %w", g.name, err)
		}
		switch {
		case column == 0 || column+len(s) > 110:
			w.WriteString("\n  ")
			column = 2
		default:
			w.WriteString(" ")
			column++
		}
		w.WriteString(s)
		w.WriteString(",")
		column += len(s) + 1
	}
	_, err = w.WriteString("\n};\n")
	return err
}

// initial returns an element as it is in an initializer: there, a negative integer needs no cast.
func (m *module) initial(t ir.Type, v any) (string, error) {
	if w, word := v.(uint64); word {
		if i, ok := t.(*ir.IntegerType); ok && i.Signedness != ir.Unsigned && storageBits(i.Width) == i.Width {
			return constant(signExtended(w, i.Width)), nil
		}
	}
	return m.number(t, v)
}

// writeWeights writes the contents that are in the file of weights.
func (t *globalTable) writeWeights(w *bufio.Writer) error {
	at := int64(0)
	for _, g := range t.list {
		if g.weights < 0 {
			continue
		}
		for ; at < g.weights; at++ {
			w.WriteByte(0)
		}
		x, err := t.contents(g)
		if err != nil {
			return err
		}
		size := t.m.storageBytes(g.t.Elem)
		for i := range x.Elements() {
			e, _ := x.Element(i)
			lo, hi := halves(e)
			for b := range size {
				if b == 8 {
					lo = hi
				}
				w.WriteByte(byte(lo >> (8 * (b % 8))))
			}
		}
		at += x.Elements() * size
	}
	return nil
}

// inWeights tells whether elements of a type can be in a file of weights: numbers of up to 128 bits.
func inWeights(t ir.Type) bool {
	i, ok := t.(*ir.IntegerType)
	return exec.IsWord(t) || ok && i.Width <= 128
}

// weightsName returns the name of the pointer to the weights.
func (m *module) weightsName() string { return identifier(m.o.Name) + "_weights" }

// setWeightsName is the name of the function by which the program is given its file of weights.
func (m *module) setWeightsName() string { return identifier(m.o.Name) + "_set_weights" }
