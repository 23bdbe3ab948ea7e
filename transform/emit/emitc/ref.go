package emitc

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"freehold/ir"
)

// rootKind says where the memory of a buffer comes from.
type rootKind uint8

const (
	// unknownRoot may be any memory.
	unknownRoot rootKind = iota
	// fromOutside is memory that the caller has: an argument.
	fromOutside
	// allocated is memory that the function allocated, or an arena that the caller has for it.
	allocated
	// fromGlobal is a global.
	fromGlobal
)

// ref is what is known of a memref while a function is written: a descriptor whose parts are C expressions, without side effects and cheap.
type ref struct {
	elem ir.Type
	// data is a pointer to elements, and allocated what is freed. constant is the cast to a pointer that functions take, if data is constant.
	data, allocated, constant string
	offset                    string
	sizes, strides            []string
	// kind and root tell which memory it is: root is an *ir.Value or an *ir.Op.
	kind rootKind
	root any
	// from and to are the bytes of the root that the memref may touch, if they are known.
	from, to int64
	bounded  bool
}

// clone returns a copy whose parts can be changed.
func (r *ref) clone() *ref {
	c := *r
	c.sizes = append([]string(nil), r.sizes...)
	c.strides = append([]string(nil), r.strides...)
	return &c
}

// memref returns what is known of a buffer.
func (f *function) memref(v *ir.Value) *ref {
	r := f.memrefs[v]
	if r == nil {
		panic(refused{ir.Errorf(v.Loc(), "a value of type '%s' can't be written in C", v.Type())})
	}
	return r
}

// refOf returns the memref of a type that a C variable holds.
func (f *function) refOf(t *ir.MemRefType, name string) *ref {
	r := &ref{elem: t.Elem, data: name, allocated: name, offset: "0"}
	if f.m.types.isPlain(t) {
		r.sizes, r.strides = constants(t.Shape), constants(rowMajor(t.Shape))
		return r
	}
	r.data, r.allocated, r.offset = name+".data", name+".allocated", name+".offset"
	strides, offset, strided := t.StridesAndOffset()
	if strided && offset != ir.Dynamic {
		r.offset = constant(offset)
	}
	for i, n := range t.Shape {
		if n == ir.Dynamic {
			r.sizes = append(r.sizes, fmt.Sprintf("%s.sizes[%d]", name, i))
		} else {
			r.sizes = append(r.sizes, constant(n))
		}
		if strided && strides[i] != ir.Dynamic {
			r.strides = append(r.strides, constant(strides[i]))
		} else {
			r.strides = append(r.strides, fmt.Sprintf("%s.strides[%d]", name, i))
		}
	}
	return r
}

// rowMajor returns the strides of contiguous elements.
func rowMajor(shape []int64) []int64 {
	out := make([]int64, len(shape))
	n := int64(1)
	for i := len(shape) - 1; i >= 0; i-- {
		out[i] = n
		n *= shape[i]
	}
	return out
}

// rowMajorOf is rowMajor for expressions.
func rowMajorOf(sizes []string) []string {
	out := make([]string, len(sizes))
	n := "1"
	for i := len(sizes) - 1; i >= 0; i-- {
		out[i] = n
		n = mul(n, sizes[i])
	}
	return out
}

// span returns how many elements lie between the first one of a memref and the last one, with these, if that is easily said: its dimensions are row-major
// in some order, or their strides are constants that aren't negative.
func (r *ref) span() (string, bool) {
	var left []int
	for d, size := range r.sizes {
		if size != "1" {
			left = append(left, d)
		}
	}
	count := "1"
	for len(left) > 0 {
		i := slices.IndexFunc(left, func(d int) bool { return r.strides[d] == count })
		if i < 0 {
			break
		}
		count = mul(r.sizes[left[i]], count)
		left = slices.Delete(left, i, i+1)
	}
	if len(left) == 0 {
		return count, true
	}
	last := "0"
	for d, size := range r.sizes {
		if n, ok := number(r.strides[d]); !ok || n < 0 {
			return "", false
		}
		last = sum(last, mul(sum(size, "-1"), r.strides[d]))
	}
	return sum(last, "1"), true
}

// passedRef returns the value of the C type of a memref type for a memref.
func (f *function) passedRef(op *ir.Op, r *ref, t *ir.MemRefType) string {
	if f.m.types.isPlain(t) {
		return plus(r.pointer(), r.offset)
	}
	c := f.ctype(op, t)
	if name, ok := strings.CutSuffix(r.data, ".data"); ok && isAtom(name) && r.allocated == name+".allocated" && f.sameVariable(r, name, t) {
		return name
	}
	parts := []string{r.allocated, r.pointer(), r.offset}
	if len(t.Shape) > 0 {
		parts = append(parts, "{"+strings.Join(r.sizes, ", ")+"}", "{"+strings.Join(r.strides, ", ")+"}")
	}
	return "(" + c + "){" + strings.Join(parts, ", ") + "}"
}

// pointer returns the pointer to elements as functions take it.
func (r *ref) pointer() string { return r.constant + r.data }

// sameVariable tells whether a memref is just what a variable of the C type of t holds.
func (f *function) sameVariable(r *ref, name string, t *ir.MemRefType) bool {
	if r.offset != name+".offset" {
		return false
	}
	for i := range r.sizes {
		if r.sizes[i] != fmt.Sprintf("%s.sizes[%d]", name, i) || r.strides[i] != fmt.Sprintf("%s.strides[%d]", name, i) {
			return false
		}
	}
	return len(r.sizes) == len(t.Shape)
}

// element returns the expression for the element of a memref at a position.
func (r *ref) element(idx []string) string {
	p := r.offset
	for i, x := range idx {
		p = sum(p, mul(x, r.strides[i]))
	}
	return r.data + "[" + p + "]"
}

// constant returns a number as an expression.
func constant(n int64) string {
	switch {
	case n == -1<<63:
		return "INT64_MIN"
	case n > 1<<31-1 || n < -(1<<31-1):
		return "INT64_C(" + strconv.FormatInt(n, 10) + ")"
	}
	return strconv.FormatInt(n, 10)
}

func constants(list []int64) []string {
	out := make([]string, len(list))
	for i, n := range list {
		out[i] = constant(n)
	}
	return out
}

// number returns the number that an expression is.
func number(e string) (int64, bool) {
	for _, prefix := range []string{"INT64_C(", wideLiteral} {
		if inner, ok := strings.CutPrefix(e, prefix); ok {
			e = strings.TrimSuffix(inner, ")")
		}
	}
	n, err := strconv.ParseInt(e, 10, 64)
	return n, err == nil
}

// sum returns a+b, simplified.
func sum(a, b string) string {
	x, ok1 := number(a)
	y, ok2 := number(b)
	switch {
	case ok1 && ok2:
		return constant(x + y)
	case ok1 && x == 0:
		return b
	case ok2 && y == 0:
		return a
	case ok2 && y < 0 && y > -1<<31:
		return a + " - " + constant(-y)
	case ok2:
		return a + " + " + constant(y)
	}
	return a + " + " + b
}

// mul returns a*b, simplified.
func mul(a, b string) string {
	x, ok1 := number(a)
	y, ok2 := number(b)
	switch {
	case ok1 && ok2:
		return constant(x * y)
	case ok1 && x == 0 || ok2 && y == 0:
		return "0"
	case ok1 && x == 1:
		return b
	case ok2 && y == 1:
		return a
	}
	return factor(a) + " * " + factor(b)
}

// factor returns an expression that may stand beside a multiplication sign.
func factor(e string) string {
	if strings.Contains(e, " ") && !enclosed(e) {
		return "(" + e + ")"
	}
	return e
}

// enclosed tells whether an expression is one in parentheses, or a call.
func enclosed(e string) bool {
	at := strings.IndexByte(e, '(')
	if at < 0 || !strings.HasSuffix(e, ")") || at > 0 && !isAtom(e[:at]) {
		return false
	}
	depth := 0
	for i := at; i < len(e); i++ {
		switch e[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 && i < len(e)-1 {
				return false
			}
		}
	}
	return true
}

// plus returns a pointer that is moved by a number of elements.
func plus(p, offset string) string {
	if offset == "0" {
		return p
	}
	return p + " + " + offset
}

// pinned returns an expression that can be repeated: a name for one that isn't a name or a number.
func (f *function) pinned(base, e string) string {
	if _, ok := number(e); ok || isAtom(e) || strings.Count(e, ".") == 1 && !strings.ContainsAny(e, " (") {
		return e
	}
	return f.define(base, f.m.types.index(), e)
}
