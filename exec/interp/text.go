package interp

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"freehold/exec"
	"freehold/ir"
)

// shownElements is up to how many elements tensors are written out in full;
// longer ones show edge elements of each dimension.
const (
	shownElements = 256
	edge          = 3
)

// Text returns the value as text: a number, or nested lists, one innermost list a
// line, with the sizes where the type has dynamic ones. Undefined elements are
// shown as ?. Long tensors are abridged.
func (v Value) Text() string {
	if v.Tensor == nil {
		if v.Object != nil {
			return objectText(v.Type, v.Object)
		}
		return WordText(v.Type, v.Word)
	}
	t := v.Tensor
	limit := int64(-1)
	if t.Elements() > shownElements {
		limit = edge
	}
	var b strings.Builder
	var write func(d int, first, span int64)
	write = func(d int, first, span int64) {
		if d == len(t.Sizes) {
			b.WriteString(ElementText(t, first))
			return
		}
		n := t.Sizes[d]
		if n > 0 {
			span /= n
		}
		b.WriteByte('[')
		for i := int64(0); i < n; i++ {
			if i > 0 {
				b.WriteByte(',')
				if d < len(t.Sizes)-1 {
					b.WriteByte('\n')
					b.WriteString(strings.Repeat(" ", d+1))
				} else {
					b.WriteByte(' ')
				}
			}
			if limit > 0 && n > 2*limit && i == limit {
				b.WriteString("...")
				i = n - limit - 1
				continue
			}
			write(d+1, first+i*span, span)
		}
		b.WriteByte(']')
	}
	write(0, 0, t.Elements())
	return b.String()
}

// ElementText returns element i of a tensor in row-major order; ? if it is undefined.
func ElementText(t *exec.Tensor, i int64) string {
	if t.Elem.Size == 0 {
		o, ok := t.Object(i)
		if !ok {
			return "?"
		}
		return objectText(t.Elem.Type, o)
	}
	w, ok := t.Word(i)
	if !ok {
		return "?"
	}
	return WordText(t.Elem.Type, w)
}

// WordText returns the number that a word of the type holds.
func WordText(t ir.Type, w uint64) string {
	switch t := t.(type) {
	case *ir.FloatType:
		bits := 64
		if t.Width <= 32 {
			bits = 32
		}
		return strconv.FormatFloat(exec.FloatOf(t, w), 'g', -1, bits)
	case *ir.IntegerType:
		switch {
		case t.Width == 1 && w != 0:
			return "true"
		case t.Width == 1:
			return "false"
		case t.Signedness == ir.Unsigned:
			return strconv.FormatUint(w, 10)
		}
	}
	return strconv.FormatInt(exec.SignExtend(w, exec.Width(t)), 10)
}

// numberText returns what a word (uint64) or object of the type is.
func numberText(t ir.Type, v any) string {
	if w, ok := v.(uint64); ok {
		return WordText(t, w)
	}
	return objectText(t, v)
}

func objectText(t ir.Type, o any) string {
	switch o := o.(type) {
	case *big.Int:
		v := o
		if w := exec.Width(t); w > 0 && v.Bit(w-1) == 1 {
			v = new(big.Int).Sub(v, new(big.Int).Lsh(big.NewInt(1), uint(w)))
		}
		return v.String()
	case exec.Complex:
		e := ir.Type(ir.F64)
		if ct, ok := t.(*ir.ComplexType); ok {
			e = ct.Elem
		}
		return fmt.Sprintf("(%s, %s)", numberText(e, o.Re), numberText(e, o.Im))
	case exec.WideFloat:
		return exec.WideFloatText(t.(*ir.FloatType), o)
	case *exec.Tensor:
		return Value{Type: t, Tensor: o}.Text()
	case *exec.Function:
		name, _ := ir.SymbolName(o.Op)
		return "@" + name
	}
	return "a value of type " + t.String()
}

// Shape returns the sizes of a shaped value as "2x3", and "" of a number.
func (v Value) Shape() string {
	if v.Tensor == nil {
		return ""
	}
	s := make([]string, len(v.Tensor.Sizes))
	for i, n := range v.Tensor.Sizes {
		s[i] = strconv.FormatInt(n, 10)
	}
	return strings.Join(s, "x")
}
