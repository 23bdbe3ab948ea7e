package shapes_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
)

// A num is a size, an offset, a stride or a position: what it is when the program is executed, and whether the program says so.
type num struct {
	v       int
	unknown bool
}

func (n num) String() string {
	if n.unknown {
		return "?"
	}
	return strconv.Itoa(n.v)
}

// A shaped is a value with its type and the sizes that it has. Strides and offset are those of buffers; plain ones have no layout.
type shaped struct {
	name, kind, elem string
	sizes, strides   []num
	offset           num
	plain            bool
}

func (s shaped) String() string {
	var b strings.Builder
	b.WriteString(s.kind + "<")
	for _, n := range s.sizes {
		b.WriteString(n.String() + "x")
	}
	b.WriteString(s.elem)
	if s.kind == "memref" && !s.plain {
		fmt.Fprintf(&b, ", strided<[%s]", list(s.strides))
		if s.offset.unknown || s.offset.v != 0 {
			fmt.Fprintf(&b, ", offset: %s", s.offset)
		}
		b.WriteByte('>')
	}
	return b.String() + ">"
}

func (s shaped) rank() int { return len(s.sizes) }

func (s shaped) elements() int {
	n := 1
	for _, x := range s.sizes {
		n *= x.v
	}
	return n
}

func list[T any](of []T) string {
	words := make([]string, len(of))
	for i, x := range of {
		words[i] = fmt.Sprint(x)
	}
	return strings.Join(words, ", ")
}

// maker makes up programs of operations on shapes, one after the other, each on results of earlier ones.
type maker struct {
	rnd      *rand.Rand
	body     strings.Builder
	args     []shaped
	values   []shaped
	names    int
	unknowns int // how many of 8 numbers are unknown
}

// program returns a program of n operations, and the sizes of its arguments. Some choices may lead to nothing, or to a program
// that is invalid or undefined, which isn't tried.
func program(rnd *rand.Rand, kind string, n int) (string, *inputs) {
	m := &maker{rnd: rnd, unknowns: []int{0, 2, 4, 8}[rnd.IntN(4)]}
	for range 2 {
		m.argument(kind)
	}
	steps := stepsOf[kind]
	for range n {
		steps[rnd.IntN(len(steps))](m)
	}
	var src strings.Builder
	src.WriteString("func.func @main(")
	for i, n := range numbers {
		fmt.Fprintf(&src, "%s: index, ", numberName(int(n)))
		_ = i
	}
	in := &inputs{}
	for i, a := range m.args {
		fmt.Fprintf(&src, "%s: %s", a.name, a)
		if i < len(m.args)-1 {
			src.WriteString(", ")
		}
		sizes := []int64{}
		for _, x := range a.sizes {
			sizes = append(sizes, int64(x.v))
		}
		in.sizes = append(in.sizes, sizes)
	}
	results := m.values[max(len(m.args), len(m.values)-3):]
	var names, types []string
	for _, v := range results {
		names, types = append(names, v.name), append(types, v.String())
	}
	fmt.Fprintf(&src, ") -> (%s) {\n  %%x = arith.constant 77 : i32\n%s  return %s", strings.Join(types, ", "), m.body.String(), strings.Join(names, ", "))
	if len(names) > 0 {
		src.WriteString(" : " + strings.Join(types, ", "))
	}
	src.WriteString("\n}\n")
	return src.String(), in
}

func numberName(n int) string {
	if n < 0 {
		return fmt.Sprintf("%%m%d", -n)
	}
	return fmt.Sprintf("%%n%d", n)
}

func (m *maker) line(format string, args ...any) { fmt.Fprintf(&m.body, "  "+format+"\n", args...) }

func (m *maker) fresh() string {
	m.names++
	return fmt.Sprintf("%%v%d", m.names)
}

// define adds an operation with a result of a type.
func (m *maker) define(t shaped, format string, args ...any) shaped {
	t.name = m.fresh()
	m.line("%s = %s", t.name, fmt.Sprintf(format, args...))
	m.values = append(m.values, t)
	return t
}

// num makes a number, of which it may be unknown what it is.
func (m *maker) num(v int) num {
	return num{v, m.rnd.IntN(8) < m.unknowns && slices.Contains(numbers, int64(v))}
}

// operand spells a number where a value may stand: an argument, or a constant or the number itself.
func (m *maker) operand(n num) string {
	if n.unknown {
		return m.value(n)
	}
	return n.String()
}

// value returns a value of type index.
func (m *maker) value(n num) string {
	if n.unknown {
		return numberName(n.v)
	}
	c := m.fresh()
	m.line("%s = arith.constant %d : index", c, n.v)
	return c
}

func (m *maker) mixed(ns []num) string {
	words := make([]string, len(ns))
	for i, n := range ns {
		words[i] = m.operand(n)
	}
	return strings.Join(words, ", ")
}

func (m *maker) vals(ns []num) string {
	words := make([]string, len(ns))
	for i, n := range ns {
		words[i] = m.value(n)
	}
	return strings.Join(words, ", ")
}

// size is a small size, seldom 0.
func (m *maker) size() int { return []int{0, 1, 1, 2, 2, 3, 3, 4}[m.rnd.IntN(8)] }

// argument adds an argument of a kind.
func (m *maker) argument(kind string) {
	a := shaped{name: fmt.Sprintf("%%a%d", len(m.args)), kind: kind, elem: "i32", plain: true}
	for range m.rnd.IntN(4) {
		n := m.size()
		if kind == "vector" {
			a.sizes = append(a.sizes, num{v: max(n, 1)})
		} else {
			a.sizes = append(a.sizes, m.num(n))
		}
	}
	a.rowMajor()
	m.args, m.values = append(m.args, a), append(m.values, a)
}

// rowMajor gives a buffer the strides of one without layout.
func (s *shaped) rowMajor() {
	s.strides, s.offset, s.plain = make([]num, len(s.sizes)), num{}, true
	stride := num{v: 1}
	for i := len(s.sizes) - 1; i >= 0; i-- {
		s.strides[i] = stride
		stride = product(stride, s.sizes[i])
	}
}

func product(a, b num) num {
	if a == (num{v: 1}) {
		return b
	}
	if b == (num{v: 1}) {
		return a
	}
	if a == (num{}) || b == (num{}) {
		return num{}
	}
	return num{a.v * b.v, a.unknown || b.unknown}
}

func sum(a, b num) num { return num{a.v + b.v, a.unknown || b.unknown} }

// any returns a value of a kind, mostly one of the last ones.
func (m *maker) any(kind string) shaped {
	var of []shaped
	for _, v := range m.values {
		if v.kind == kind {
			of = append(of, v)
		}
	}
	if len(of) == 0 {
		m.argument(kind)
		return m.values[len(m.values)-1]
	}
	if m.rnd.IntN(3) > 0 {
		return of[len(of)-1]
	}
	return of[m.rnd.IntN(len(of))]
}

// slice makes up offsets, sizes and strides in bounds of sizes.
func (m *maker) slice(of []num) (offsets, sizes, strides []num) {
	for _, n := range of {
		size, stride, offset := 0, 1, 0
		if n.v > 0 && m.rnd.IntN(6) > 0 {
			if m.rnd.IntN(3) == 0 {
				stride = []int{2, -1, 3, 1, 0}[m.rnd.IntN(5)]
			}
			size = 1 + m.rnd.IntN(n.v)
			if m.rnd.IntN(2) == 0 {
				size = n.v
			}
			if stride > 0 {
				size = min(size, (n.v+stride-1)/stride)
			}
			last := (size - 1) * stride
			offset = max(0, -last)
			if room := n.v - 1 - max(0, last) - offset; room > 0 && m.rnd.IntN(2) == 0 {
				offset += m.rnd.IntN(room + 1)
			}
		}
		if n.unknown && size == n.v && m.rnd.IntN(2) == 0 {
			sizes = append(sizes, n)
		} else {
			sizes = append(sizes, m.num(size))
		}
		offsets, strides = append(offsets, m.num(offset)), append(strides, m.num(stride))
	}
	return offsets, sizes, strides
}

// forget returns sizes of which fewer are known, and some more.
func (m *maker) recast(of []num) []num {
	out := slices.Clone(of)
	for i := range out {
		if m.rnd.IntN(3) == 0 {
			out[i].unknown = !out[i].unknown
		}
	}
	return out
}

// reassociation makes up groups of dimensions.
func (m *maker) reassociation(rank int) (groups [][]int) {
	for d := range rank {
		if d > 0 && m.rnd.IntN(2) == 0 {
			groups[len(groups)-1] = append(groups[len(groups)-1], d)
		} else {
			groups = append(groups, []int{d})
		}
	}
	return groups
}

func spellGroups(groups [][]int) string {
	words := make([]string, len(groups))
	for i, g := range groups {
		words[i] = "[" + list(g) + "]"
	}
	return "[" + strings.Join(words, ", ") + "]"
}

// factors splits the sizes of a shape into several each.
func (m *maker) factors(of []num) (out []num, groups [][]int) {
	for _, n := range of {
		var g []int
		rest := n.v
		known := true
		for rest > 1 && m.rnd.IntN(2) == 0 || m.rnd.IntN(5) == 0 && len(g) < 2 {
			f := 1
			for _, d := range []int{2, 3} {
				if rest > 0 && rest%d == 0 && m.rnd.IntN(2) == 0 {
					f = d
				}
			}
			if rest > 0 {
				rest /= f
			}
			x := m.num(f)
			if !n.unknown {
				x.unknown = false
			}
			known = known && !x.unknown
			g, out = append(g, len(out)), append(out, x)
		}
		// The result of a static size must be static; of an unknown one, something must be unknown.
		last := num{rest, n.unknown && (known || m.rnd.IntN(2) == 0)}
		g, out = append(g, len(out)), append(out, last)
		groups = append(groups, g)
	}
	return out, groups
}

func (m *maker) permutation(n int) []int { return m.rnd.Perm(n) }

// at makes up a position in bounds.
func (m *maker) at(of []num) []num {
	out := make([]num, len(of))
	for i, n := range of {
		if n.v > 0 {
			out[i] = m.num(m.rnd.IntN(n.v))
		}
	}
	return out
}

func permuted[T any](of []T, perm []int) []T {
	out := make([]T, len(perm))
	for i, p := range perm {
		out[i] = of[p]
	}
	return out
}
