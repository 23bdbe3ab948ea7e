package irgen

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// number is a size, a stride or an offset. Its value is known to the generator, but for
// offsets, and the type says "?" if it is dynamic.
type number struct {
	value   int
	dynamic bool
}

func (n number) String() string {
	if n.dynamic {
		return "?"
	}
	return strconv.Itoa(n.value)
}

// viewType is the type of a view of a buffer.
type viewType struct {
	sizes, strides []number
	offset         number
	// identity tells that the type has no layout.
	identity bool
}

func (t viewType) String() string {
	var b strings.Builder
	b.WriteString("memref<")
	for _, s := range t.sizes {
		b.WriteString(s.String() + "x")
	}
	b.WriteString("i32")
	if !t.identity {
		fmt.Fprintf(&b, ", strided<[%s]", join(t.strides))
		if t.offset.dynamic || t.offset.value != 0 {
			fmt.Fprintf(&b, ", offset: %s", t.offset)
		}
		b.WriteByte('>')
	}
	return b.String() + ">"
}

// isIdentity tells whether the type has no layout, or one that is the identity map, as one of a dimension may be.
func (t viewType) isIdentity() bool {
	return t.identity || len(t.strides) == 1 && t.strides[0] == number{1, false} && t.offset == number{}
}

func join(list []number) string {
	words := make([]string, len(list))
	for i, n := range list {
		words[i] = n.String()
	}
	return strings.Join(words, ", ")
}

// dense returns the type of a buffer of the given sizes.
func dense(sizes ...int) viewType {
	t := viewType{sizes: make([]number, len(sizes)), strides: make([]number, len(sizes)), identity: true}
	stride := 1
	for i := len(sizes) - 1; i >= 0; i-- {
		t.sizes[i].value, t.strides[i].value = sizes[i], stride
		stride *= sizes[i]
	}
	return t
}

type view struct {
	name string
	t    viewType
}

// viewGen writes functions of views of buffers of viewElements elements.
type viewGen struct {
	writer
	views   []view
	numbers []string
}

const viewElements = 24

// Views returns a module with a function @main of about size operations that makes views
// of its argument and of a buffer of its own, reads and writes them, and returns what it
// read.
func Views(choose Chooser, size int) string {
	g := &viewGen{writer: writer{choose: choose}, numbers: []string{"%x"}}
	base := dense(viewElements)
	g.line("func.func @main(%%m: %s, %%x: i32, %%i: index) -> i32 {", base)
	g.indent++
	g.line("%%own = memref.alloc() : %s", base)
	g.line("linalg.fill ins(%%x : i32) outs(%%own : %s)", base)
	g.views = []view{{"%m", base}, {"%own", base}}
	steps := []func(){g.subview, g.subview, g.expand, g.collapse, g.transpose, g.reinterpret, g.cast, g.reshape, g.metadata,
		g.load, g.load, g.store, g.store, g.fill, g.dim, g.atomic, g.combine, g.loop, g.parallel, g.realloc, g.bytes}
	for range 3 + choose(max(1, size)) {
		pick(&g.writer, steps)()
	}
	for range 2 {
		g.load()
		g.combine()
	}
	g.line("memref.dealloc %%own : %s", base)
	g.line("return %s : i32", g.numbers[len(g.numbers)-1])
	g.indent--
	g.line("}")
	return g.text.String()
}

func (g *viewGen) any() view { return g.views[len(g.views)-1-g.choose(len(g.views))] }

func (g *viewGen) number() string { return g.numbers[len(g.numbers)-1-g.choose(len(g.numbers))] }

func (g *viewGen) constant(n int) string {
	v := g.fresh()
	g.line("%s = arith.constant %d : index", v, n)
	return v
}

// below returns an index less than n that no analysis knows.
func (g *viewGen) below(n int) string {
	c, v := g.constant(n), g.fresh()
	g.line("%s = arith.remui %%i, %s : index", v, c)
	return v
}

func (g *viewGen) define(t viewType, format string, args ...any) {
	v := g.fresh()
	g.line("%s = %s", v, fmt.Sprintf(format, args...))
	g.views = append(g.views, view{v, t})
}

func times(a, b number) number {
	if zero := (number{}); a == zero || b == zero {
		return zero
	}
	return number{a.value * b.value, a.dynamic || b.dynamic}
}

// subview takes a part: with constants, or with values.
func (g *viewGen) subview() {
	from := g.any()
	t := viewType{offset: from.t.offset}
	var offsets, sizes, strides []string
	for i, n := range from.t.sizes {
		step := 1 + g.choose(2)
		size := 1 + g.choose((n.value+step-1)/step)
		last := n.value - (size-1)*step // offsets below this one are in bounds
		offset, length, stride := number{g.choose(last), false}, number{size, g.choose(4) == 3}, number{step, g.choose(4) == 3}
		if g.choose(3) == 2 {
			offset.dynamic = true
			offsets = append(offsets, g.below(last))
		} else {
			offsets = append(offsets, strconv.Itoa(offset.value))
		}
		spell := func(n number) string {
			if n.dynamic {
				return g.constant(n.value)
			}
			return strconv.Itoa(n.value)
		}
		sizes, strides = append(sizes, spell(length)), append(strides, spell(stride))
		moved := times(offset, from.t.strides[i])
		t.offset = number{t.offset.value + moved.value, t.offset.dynamic || moved.dynamic}
		t.sizes, t.strides = append(t.sizes, length), append(t.strides, times(stride, from.t.strides[i]))
	}
	g.define(t, "memref.subview %s[%s] [%s] [%s] : %s to %s", from.name, strings.Join(offsets, ", "), strings.Join(sizes, ", "),
		strings.Join(strides, ", "), from.t, t)
}

// expand makes two dimensions of one.
func (g *viewGen) expand() {
	from := g.any()
	d := g.choose(len(from.t.sizes))
	n := from.t.sizes[d]
	factor := 1 + g.choose(4)
	if slices.ContainsFunc(from.t.sizes, func(n number) bool { return n.dynamic }) || n.value%factor != 0 || len(from.t.sizes) > 3 {
		return
	}
	outer, inner := number{factor, false}, number{n.value / factor, false}
	t := from.t
	t.identity = t.isIdentity()
	t.sizes = slices.Concat(t.sizes[:d], []number{outer, inner}, t.sizes[d+1:])
	t.strides = slices.Concat(t.strides[:d], []number{times(inner, t.strides[d]), t.strides[d]}, t.strides[d+1:])
	var groups, shape []string
	next := 0
	for i := range from.t.sizes {
		if i == d {
			groups = append(groups, fmt.Sprintf("[%d, %d]", next, next+1))
			next++
		} else {
			groups = append(groups, fmt.Sprintf("[%d]", next))
		}
		next++
	}
	for _, n := range t.sizes {
		shape = append(shape, n.String())
	}
	g.define(t, "memref.expand_shape %s [%s] output_shape [%s] : %s into %s", from.name, strings.Join(groups, ", "), strings.Join(shape, ", "), from.t, t)
}

// collapse makes one dimension of two that lie close together.
func (g *viewGen) collapse() {
	from := g.any()
	if len(from.t.sizes) < 2 {
		return
	}
	d := g.choose(len(from.t.sizes) - 1)
	outer, inner := from.t.strides[d], times(from.t.sizes[d+1], from.t.strides[d+1])
	if outer != inner || inner.dynamic || from.t.sizes[d].dynamic {
		return
	}
	t := from.t
	t.sizes = slices.Concat(t.sizes[:d], []number{times(t.sizes[d], t.sizes[d+1])}, t.sizes[d+2:])
	t.strides = slices.Concat(t.strides[:d], t.strides[d+1:])
	var groups []string
	for i := range t.sizes {
		switch {
		case i < d:
			groups = append(groups, fmt.Sprintf("[%d]", i))
		case i == d:
			groups = append(groups, fmt.Sprintf("[%d, %d]", i, i+1))
		default:
			groups = append(groups, fmt.Sprintf("[%d]", i+1))
		}
	}
	g.define(t, "memref.collapse_shape %s [%s] : %s into %s", from.name, strings.Join(groups, ", "), from.t, t)
}

func (g *viewGen) transpose() {
	from := g.any()
	if len(from.t.sizes) != 2 {
		return
	}
	t := viewType{sizes: []number{from.t.sizes[1], from.t.sizes[0]}, strides: []number{from.t.strides[1], from.t.strides[0]}, offset: from.t.offset}
	g.define(t, "memref.transpose %s (a, b) -> (b, a) : %s to %s", from.name, from.t, t)
}

// reinterpret starts again from the whole buffer.
func (g *viewGen) reinterpret() {
	from := g.any()
	sizes := pick(&g.writer, [][]int{{6}, {2, 3}, {3, 4}, {2, 2, 2}})
	t := dense(sizes...)
	t.identity = false
	reach := 1
	for _, n := range sizes {
		reach *= n
	}
	scale := 1 + g.choose(2)
	for i := range t.strides {
		t.strides[i].value *= scale
	}
	t.offset.value = g.choose(viewElements - (reach-1)*scale)
	spelled := func(list []number) string {
		var words []string
		for i := range list {
			if list[i].dynamic = g.choose(4) == 3; list[i].dynamic {
				words = append(words, g.constant(list[i].value))
			} else {
				words = append(words, list[i].String())
			}
		}
		return strings.Join(words, ", ")
	}
	offset := []number{t.offset}
	o, s, r := spelled(offset), spelled(t.sizes), spelled(t.strides)
	t.offset = offset[0]
	g.define(t, "memref.reinterpret_cast %s to offset: [%s], sizes: [%s], strides: [%s] : %s to %s", from.name, o, s, r, from.t, t)
}

// cast forgets, or knows better than the type.
func (g *viewGen) cast() {
	from := g.any()
	t := viewType{sizes: slices.Clone(from.t.sizes), strides: slices.Clone(from.t.strides), offset: from.t.offset}
	for i := range t.sizes {
		t.sizes[i].dynamic, t.strides[i].dynamic = g.flip(), g.flip()
	}
	t.offset.dynamic = t.offset.dynamic || g.flip()
	g.define(t, "memref.cast %s : %s to %s", from.name, from.t, t)
}

func (g *viewGen) reshape() {
	sizes := pick(&g.writer, [][]int{{4, 6}, {24}, {2, 3, 4}})
	shape, t := g.fresh(), dense(sizes...)
	g.line("%s = memref.alloca() : memref<%dxindex>", shape, len(sizes))
	for i, n := range sizes {
		g.line("memref.store %s, %s[%s] : memref<%dxindex>", g.constant(n), shape, g.constant(i), len(sizes))
		t.sizes[i].dynamic = g.choose(4) == 3
		for j := range i {
			t.strides[j].dynamic = t.strides[j].dynamic || t.sizes[i].dynamic
		}
	}
	from := g.views[g.choose(2)]
	g.define(t, "memref.reshape %s(%s) : (%s, memref<%dxindex>) -> %s", from.name, shape, from.t, len(sizes), t)
}

// asNumber makes an element of an index.
func (g *viewGen) asNumber(index string) {
	v := g.fresh()
	g.line("%s = arith.index_cast %s : index to i32", v, index)
	g.numbers = append(g.numbers, v)
}

func (g *viewGen) metadata() {
	from := g.any()
	rank := len(from.t.sizes)
	v := g.fresh()
	g.line("%s:%d = memref.extract_strided_metadata %s : %s -> memref<i32>, index%s", v, 2+2*rank, from.name, from.t, strings.Repeat(", index", 2*rank))
	g.asNumber(fmt.Sprintf("%s#%d", v, 1+g.choose(1+2*rank)))
}

// element returns a place in a view.
func (g *viewGen) element(v view) string {
	list := make([]string, len(v.t.sizes))
	for i, n := range v.t.sizes {
		if g.flip() {
			list[i] = g.below(n.value)
		} else {
			list[i] = g.constant(g.choose(n.value))
		}
	}
	return fmt.Sprintf("%s[%s] : %s", v.name, strings.Join(list, ", "), v.t)
}

func (g *viewGen) load() {
	at, v := g.element(g.any()), g.fresh()
	g.line("%s = memref.load %s", v, at)
	g.numbers = append(g.numbers, v)
}

func (g *viewGen) store() {
	at := g.element(g.any())
	g.line("memref.store %s, %s", g.number(), at)
}

func (g *viewGen) fill() {
	to := g.any()
	g.line("linalg.fill ins(%s : i32) outs(%s : %s)", g.number(), to.name, to.t)
}

func (g *viewGen) dim() {
	from := g.any()
	d, v := g.constant(g.choose(len(from.t.sizes))), g.fresh()
	g.line("%s = memref.dim %s, %s : %s", v, from.name, d, from.t)
	g.asNumber(v)
}

func (g *viewGen) combine() {
	v := g.fresh()
	g.line("%s = arith.addi %s, %s : i32", v, g.numbers[len(g.numbers)-1], g.number())
	g.numbers = append(g.numbers, v)
}

func (g *viewGen) atomic() {
	to, v := g.any(), g.fresh()
	at := g.element(to)
	if g.flip() {
		at, typ, _ := strings.Cut(at, " : ")
		g.line("%s = memref.atomic_rmw %s %s, %s : (i32, %s) -> i32", v, pick(&g.writer, []string{"addi", "maxs", "minu", "ori"}), g.number(), at, typ)
		g.numbers = append(g.numbers, v)
		return
	}
	g.line("%s = memref.generic_atomic_rmw %s {", v, at)
	g.line("^bb0(%%old: i32):")
	g.line("  %%new = arith.xori %%old, %s : i32", g.number())
	g.line("  memref.atomic_yield %%new : i32")
	g.line("}")
	g.numbers = append(g.numbers, v)
}

// loop writes a part that moves.
func (g *viewGen) loop() {
	from := g.any()
	if len(from.t.sizes) != 1 {
		return
	}
	zero, n, one, iv := g.constant(0), g.constant(from.t.sizes[0].value), g.constant(1), g.fresh()
	t := viewType{sizes: []number{{1, false}}, strides: from.t.strides, offset: number{0, true}}
	v := g.fresh()
	g.line("scf.for %s = %s to %s step %s {", iv, zero, n, one)
	g.line("  %s = memref.subview %s[%s] [1] [1] : %s to %s", v, from.name, iv, from.t, t)
	g.line("  memref.store %s, %s[%s] : %s", g.number(), v, zero, t)
	g.line("}")
}

// parallel writes a nest of loops that sums, or combines, the elements of a view of one
// or two dimensions, and sees some of them overwritten.
func (g *viewGen) parallel() {
	from := g.any()
	if len(from.t.sizes) > 2 {
		return
	}
	var ivs, lower, upper, steps []string
	for _, n := range from.t.sizes {
		ivs, lower, upper, steps = append(ivs, g.fresh()), append(lower, g.constant(0)), append(upper, g.constant(n.value)), append(steps, g.constant(1+g.choose(2)))
	}
	x, init := g.fresh(), g.number()
	list := func(l []string) string { return strings.Join(l, ", ") }
	if g.choose(3) == 2 {
		g.line("scf.parallel (%s) = (%s) to (%s) step (%s) {", list(ivs), list(lower), list(upper), list(steps))
		g.line("  memref.store %s, %s[%s] : %s", init, from.name, list(ivs), from.t)
		g.line("}")
		return
	}
	v := g.fresh()
	g.line("%s = scf.parallel (%s) = (%s) to (%s) step (%s) init (%s) -> i32 {", v, list(ivs), list(lower), list(upper), list(steps), init)
	g.line("  %s = memref.load %s[%s] : %s", x, from.name, list(ivs), from.t)
	g.line("  scf.reduce(%s : i32) {", x)
	g.line("  ^bb0(%%a: i32, %%b: i32):")
	g.line("    %%c = arith.%s %%a, %%b : i32", pick(&g.writer, []string{"addi", "xori", "maxsi"}))
	g.line("    scf.reduce.return %%c : i32")
	g.line("  }")
	g.line("}")
	g.numbers = append(g.numbers, v)
}

// realloc grows a buffer, and frees it.
func (g *viewGen) realloc() {
	small, large, size, x := g.fresh(), g.fresh(), number{8, g.flip()}, g.fresh()
	t := viewType{sizes: []number{size}, identity: true}
	argument := ""
	if size.dynamic {
		argument = "(" + g.constant(size.value) + ")"
	}
	at := g.below(4)
	g.line("%s = memref.alloc() : memref<4xi32>", small)
	g.line("linalg.fill ins(%s : i32) outs(%s : memref<4xi32>)", g.number(), small)
	g.line("%s = memref.realloc %s%s : memref<4xi32> to %s", large, small, argument, t)
	g.line("%s = memref.load %s[%s] : %s", x, large, at, t)
	g.line("memref.dealloc %s : %s", large, t)
	g.numbers = append(g.numbers, x)
}

// bytes views a buffer of bytes as one of elements.
func (g *viewGen) bytes() {
	raw, v, shift, x := g.fresh(), g.fresh(), g.constant(4*g.choose(2)), g.fresh()
	at, n := g.below(3), g.constant(3)
	g.line("%s = memref.alloc() : memref<16xi8>", raw)
	g.line("%s = memref.view %s[%s][%s] : memref<16xi8> to memref<?xi32>", v, raw, shift, n)
	g.line("linalg.fill ins(%s : i32) outs(%s : memref<?xi32>)", g.number(), v)
	g.line("%s = memref.load %s[%s] : memref<?xi32>", x, v, at)
	g.line("memref.dealloc %s : memref<16xi8>", raw)
	g.numbers = append(g.numbers, x)
}
