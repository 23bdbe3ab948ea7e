package naive

import (
	"math/big"
	"strings"

	"freehold/internal/lazyregexp"
	"freehold/ir"
)

// Literal returns the value of type t that a text stands for, as package interp reads arguments: a number, or nested lists of
// numbers. It returns false if it stands for none.
func Literal(t ir.Type, text string) (any, bool) {
	text = strings.TrimSpace(text)
	if !ir.IsShaped(t) {
		return number(t, text)
	}
	words, ok := withoutCommas(tokens().FindAllString(text, -1))
	if !ok {
		return nil, false
	}
	p := &listReader{words: words, elem: ir.ElementType(t)}
	p.value(0)
	if p.bad || len(p.words) > 0 || len(p.elems) > 0 && p.leaf != len(p.sizes) {
		return nil, false
	}
	if shape, ranked := ir.ShapeOf(t); ranked && len(p.elems) == 0 {
		for d := len(p.sizes); d < len(shape); d++ {
			p.sizes = append(p.sizes, max(shape[d], 0))
		}
	}
	return &Tensor{Type: p.elem, Sizes: p.sizes, Elems: p.elems}, true
}

// withoutCommas returns the words without commas; false if a number comes after a place between commas with none.
func withoutCommas(words []string) (out []string, ok bool) {
	before, gap := "[", false
	for _, w := range words {
		switch w {
		case ",":
			gap = gap || before == "[" || before == ","
		case "[", "]":
			out = append(out, w)
		default:
			if gap {
				return nil, false
			}
			out = append(out, w)
		}
		before = w
	}
	return out, true
}

var tokens = lazyregexp.New(`[\[\],]|[^\s,\[\]]+`)

// listReader reads nested lists. leaf is how deep numbers are.
type listReader struct {
	words []string
	elem  ir.Type
	sizes []int64
	set   []bool
	elems []any
	leaf  int
	bad   bool
}

func (p *listReader) next() string {
	if len(p.words) == 0 {
		p.bad = true
		return ""
	}
	w := p.words[0]
	p.words = p.words[1:]
	return w
}

func (p *listReader) value(depth int) {
	w := p.next()
	if p.bad || depth > 65 {
		p.bad = true
		return
	}
	if w != "[" {
		v, ok := number(p.elem, w)
		p.bad = !ok || len(p.elems) > 0 && p.leaf != depth
		p.leaf, p.elems = depth, append(p.elems, v)
		return
	}
	for len(p.sizes) <= depth {
		p.sizes, p.set = append(p.sizes, 0), append(p.set, false)
	}
	n := int64(0)
	for ; !p.bad && len(p.words) > 0 && p.words[0] != "]"; n++ {
		p.value(depth + 1)
	}
	p.next()
	p.bad = p.bad || p.set[depth] && p.sizes[depth] != n
	p.sizes[depth], p.set[depth] = n, true
}

var (
	decimal  = lazyregexp.New(`^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$`)
	whole    = lazyregexp.New(`^[+-]?(0|[1-9][0-9]*|0x[0-9a-fA-F]+)$`)
	together = lazyregexp.New(`^([+-]?[0-9.]+)([+-][0-9.]+)i$`)
)

// number returns the number of type t that a word stands for.
func number(t ir.Type, w string) (any, bool) {
	switch t := t.(type) {
	case *ir.ComplexType:
		m := together().FindStringSubmatch(w)
		if real, ok := strings.CutSuffix(w, "i"); m == nil && ok {
			m = []string{"", "0", real}
		} else if m == nil {
			m = []string{"", w, "0"}
		}
		re, ok := number(t.Elem, m[1])
		im, too := number(t.Elem, m[2])
		return Complex{Re: re, Im: im}, ok && too
	case *ir.FloatType:
		x := Number{}
		switch name := strings.ToLower(strings.TrimLeft(w, "+-")); {
		case name == "nan" && name == strings.ToLower(w):
			x = nan()
		case (name == "inf" || name == "infinity") && len(w) <= len(name)+1:
			x = infinity(w[0] == '-')
		case decimal().MatchString(w):
			v, ok := new(big.Rat).SetString(strings.TrimLeft(w, "+-"))
			if !ok {
				return nil, false
			}
			x = finite(w[0] == '-', v)
		default:
			return nil, false
		}
		if t.Width <= 64 {
			x = round(ir.F64, x, nearestEven) // numbers are read as doubles
		}
		return round(t, x, nearestEven), true
	}
	n := width(t)
	if w == "true" || w == "false" {
		return truth(w == "true"), n == 1
	}
	if !whole().MatchString(w) {
		return nil, false
	}
	v, ok := new(big.Int).SetString(w, 0)
	least, _ := limits(n)
	if !ok || v.Cmp(least) < 0 || v.BitLen() > n && v.Sign() > 0 {
		return nil, false
	}
	return wrap(v, n), true
}

// Converted returns an integer, or a number, as one of type t: integers are cut off, numbers are rounded.
func Converted(t ir.Type, v any) any {
	if f, ok := t.(*ir.FloatType); ok {
		return round(f, v.(Number), nearestEven)
	}
	return wrap(new(big.Int).Set(v.(*big.Int)), width(t))
}
