package shapes_test

import (
	"fmt"
	"slices"
	"strings"
)

func (m *maker) numbersVector(rank int) shaped {
	v := shaped{kind: "vector", elem: "i32"}
	for range rank {
		v.sizes = append(v.sizes, num{v: 1 + m.rnd.IntN(4)})
	}
	return v
}

// result defines a vector, or a number where nothing is left of the shape.
func (m *maker) result(t shaped, format string, args ...any) {
	if t.rank() > 0 {
		m.define(t, format, args...)
		return
	}
	m.number(t.elem, format, args...)
}

func (m *maker) intVector() shaped {
	for range 4 {
		if v := m.any("vector"); v.elem == "i32" {
			return v
		}
	}
	return m.values[0]
}

func (m *maker) typeOf(t shaped) string {
	if t.rank() == 0 {
		return t.elem
	}
	return t.String()
}

// position makes up a position in the first n dimensions.
func (m *maker) position(s shaped, n int) string { return m.mixed(m.at(s.sizes[:n])) }

func (m *maker) extractVector() {
	s := m.intVector()
	if s.rank() == 0 {
		return
	}
	n := 1 + m.rnd.IntN(s.rank())
	t := s
	t.sizes = s.sizes[n:]
	at := m.position(s, n)
	m.result(t, "vector.extract %s[%s] : %s from %s", s.name, at, m.typeOf(t), s)
}

func (m *maker) insertVector() {
	s := m.intVector()
	if s.rank() == 0 {
		return
	}
	n := 1 + m.rnd.IntN(s.rank())
	t := s
	t.sizes = s.sizes[n:]
	name := "%x"
	if t.rank() > 0 {
		name = m.constant(t)
	}
	at := m.position(s, n)
	m.define(s, "vector.insert %s, %s[%s] : %s into %s", name, s.name, at, m.typeOf(t), s)
}

// constant returns a vector of different elements, or a splat, or another value of the type.
func (m *maker) constant(t shaped) string {
	for _, v := range m.values {
		if v.String() == t.String() && m.rnd.IntN(2) == 0 {
			return v.name
		}
	}
	c := m.fresh()
	switch m.rnd.IntN(3) {
	case 0:
		m.line("%s = vector.broadcast %%x : i32 to %s", c, t)
	case 1:
		m.line("%s = arith.constant dense<%d> : %s", c, m.rnd.IntN(9), t)
	default:
		next := 20
		m.line("%s = arith.constant dense<%s> : %s", c, nest(t.sizes, &next), t)
	}
	return c
}

func nest(sizes []num, next *int) string {
	if len(sizes) == 0 {
		*next++
		return fmt.Sprint(*next)
	}
	words := make([]string, sizes[0].v)
	for i := range words {
		words[i] = nest(sizes[1:], next)
	}
	return "[" + strings.Join(words, ", ") + "]"
}

func (m *maker) constantVector() {
	t := m.numbersVector(1 + m.rnd.IntN(3))
	next := 20
	m.define(t, "arith.constant dense<%s> : %s", nest(t.sizes, &next), t)
}

func (m *maker) shuffle() {
	s := m.intVector()
	if s.rank() == 0 {
		return
	}
	o := s
	o.sizes = slices.Clone(s.sizes)
	if s.rank() == 1 && m.rnd.IntN(2) == 0 {
		o.sizes[0].v = 1 + m.rnd.IntN(4)
	}
	o.name = m.constant(o)
	n := s.sizes[0].v + o.sizes[0].v
	mask := make([]int, 1+m.rnd.IntN(4))
	for i := range mask {
		mask[i] = m.rnd.IntN(n)
		if m.rnd.IntN(3) == 0 {
			mask[i] = min(i, n-1)
		}
	}
	t := s
	t.sizes = slices.Clone(s.sizes)
	t.sizes[0].v = len(mask)
	m.define(t, "vector.shuffle %s, %s [%s] : %s, %s", s.name, o.name, list(mask), s, o)
}

func (m *maker) broadcastVector() {
	s := m.intVector()
	t := s
	t.sizes = slices.Clone(s.sizes)
	for i := range t.sizes {
		if t.sizes[i].v == 1 && m.rnd.IntN(2) == 0 {
			t.sizes[i].v = 1 + m.rnd.IntN(3)
		}
	}
	for range m.rnd.IntN(3) {
		if t.rank() < 4 {
			t.sizes = slices.Insert(t.sizes, 0, num{v: 1 + m.rnd.IntN(3)})
		}
	}
	m.define(t, "vector.broadcast %s : %s to %s", s.name, s, t)
}

func (m *maker) transposeVector() {
	s := m.intVector()
	perm := m.permutation(s.rank())
	t := s
	t.sizes = permuted(s.sizes, perm)
	m.define(t, "vector.transpose %s, [%s] : %s to %s", s.name, list(perm), s, t)
}

func (m *maker) shapeCast() {
	s := m.intVector()
	t := s
	if m.rnd.IntN(2) == 0 {
		t.sizes = nil
		for _, g := range m.reassociation(s.rank()) {
			n := 1
			for _, d := range g {
				n *= s.sizes[d].v
			}
			t.sizes = append(t.sizes, num{v: n})
		}
	} else {
		t.sizes, _ = m.factors(s.sizes)
	}
	if t.rank() > 4 || t.rank() == 0 {
		return
	}
	m.define(t, "vector.shape_cast %s : %s to %s", s.name, s, t)
}

func (m *maker) window(s shaped) (t shaped, offsets, sizes, strides []int) {
	n := 1 + m.rnd.IntN(s.rank())
	t = s
	t.sizes = slices.Clone(s.sizes)
	for i := range n {
		size := 1 + m.rnd.IntN(s.sizes[i].v)
		offsets, sizes, strides = append(offsets, m.rnd.IntN(s.sizes[i].v-size+1)), append(sizes, size), append(strides, 1)
		t.sizes[i].v = size
	}
	return t, offsets, sizes, strides
}

func (m *maker) extractStrided() {
	s := m.intVector()
	if s.rank() == 0 {
		return
	}
	t, offsets, sizes, strides := m.window(s)
	m.define(t, "vector.extract_strided_slice %s {offsets = [%s], sizes = [%s], strides = [%s]} : %s to %s", s.name, list(offsets), list(sizes), list(strides), s, t)
}

func (m *maker) insertStrided() {
	s := m.intVector()
	if s.rank() == 0 {
		return
	}
	t := s
	t.sizes = slices.Clone(s.sizes[m.rnd.IntN(s.rank()):])
	offsets, strides := make([]int, s.rank()), make([]int, t.rank())
	for i := range offsets {
		k := i - (s.rank() - t.rank())
		if k < 0 {
			offsets[i] = m.rnd.IntN(s.sizes[i].v)
			continue
		}
		t.sizes[k].v = 1 + m.rnd.IntN(s.sizes[i].v)
		offsets[i], strides[k] = m.rnd.IntN(s.sizes[i].v-t.sizes[k].v+1), 1
	}
	name := m.constant(t)
	m.define(s, "vector.insert_strided_slice %s, %s {offsets = [%s], strides = [%s]} : %s into %s", name, s.name, list(offsets), list(strides), t, s)
}

func (m *maker) splatVector() {
	t := m.numbersVector(1 + m.rnd.IntN(3))
	m.define(t, "vector.splat %%x : %s", t)
}

func (m *maker) bitcast() {
	s := m.intVector()
	if s.rank() == 0 {
		return
	}
	t := s
	t.sizes = slices.Clone(s.sizes)
	t.elem = []string{"i8", "i16", "i64"}[m.rnd.IntN(3)]
	last := &t.sizes[t.rank()-1]
	switch t.elem {
	case "i8":
		last.v *= 4
	case "i16":
		last.v *= 2
	default:
		if last.v%2 != 0 {
			return
		}
		last.v /= 2
	}
	t = m.define(t, "vector.bitcast %s : %s to %s", s.name, s, t)
	if m.rnd.IntN(2) == 0 {
		m.define(s, "vector.bitcast %s : %s to %s", t.name, t, s)
	}
}

// maskOf returns a mask of a shape.
func (m *maker) maskOf(sizes []num) shaped {
	t := shaped{kind: "vector", elem: "i1", sizes: sizes, name: m.fresh()}
	ns := make([]num, len(sizes))
	for i, n := range sizes {
		ns[i] = m.num([]int{0, n.v, m.rnd.IntN(n.v + 1), n.v + 1, -1}[m.rnd.IntN(5)])
	}
	if m.rnd.IntN(3) == 0 {
		for i := range ns {
			ns[i] = num{v: min(max(ns[i].v, 0), sizes[i].v)}
			if ns[i].v == 0 {
				for j := range ns {
					ns[j] = num{}
				}
				break
			}
		}
		if ns[0].v == 0 {
			ns = make([]num, len(ns))
		}
		m.line("%s = vector.constant_mask [%s] : %s", t.name, list(ns), t)
		return t
	}
	z := m.vals(ns)
	m.line("%s = vector.create_mask %s : %s", t.name, z, t)
	return t
}

func (m *maker) mask() {
	s := m.numbersVector(1 + m.rnd.IntN(3))
	t := m.maskOf(s.sizes)
	m.values = append(m.values, t)
	switch m.rnd.IntN(3) {
	case 0:
		perm := m.permutation(t.rank())
		o := t
		o.sizes = permuted(t.sizes, perm)
		m.define(o, "vector.transpose %s, [%s] : %s to %s", t.name, list(perm), t, o)
	case 1:
		o, offsets, sizes, strides := m.window(t)
		m.define(o, "vector.extract_strided_slice %s {offsets = [%s], sizes = [%s], strides = [%s]} : %s to %s", t.name, list(offsets), list(sizes), list(strides), t, o)
	default:
		n := 1 + m.rnd.IntN(t.rank())
		o := t
		o.sizes = t.sizes[n:]
		at := m.position(t, n)
		m.result(o, "vector.extract %s[%s] : %s from %s", t.name, at, m.typeOf(o), t)
	}
}

var kinds = []string{"add", "mul", "minsi", "maxsi", "and", "or", "xor", "minui", "maxui"}

// masked wraps an operation into a mask.
func (m *maker) masked(sizes []num, op string, t shaped, operation string) {
	if m.rnd.IntN(2) == 0 {
		m.result(t, "%s", operation)
		return
	}
	k := m.maskOf(sizes)
	m.result(t, "vector.mask %s { %s } : %s -> %s", k.name, operation, k, m.typeOf(t))
}

func (m *maker) reduction() {
	s := m.intVector()
	if s.rank() != 1 {
		return
	}
	acc := ""
	if m.rnd.IntN(2) == 0 {
		acc = ", %x"
	}
	op := fmt.Sprintf("vector.reduction <%s>, %s%s : %s into i32", kinds[m.rnd.IntN(len(kinds))], s.name, acc, s)
	m.masked(s.sizes, "reduction", shaped{kind: "vector", elem: "i32"}, op)
}

func (m *maker) multiReduction() {
	s := m.intVector()
	if s.rank() == 0 {
		return
	}
	var dims []int
	t := s
	t.sizes = nil
	for d := range s.rank() {
		if m.rnd.IntN(2) == 0 {
			dims = append(dims, d)
		} else {
			t.sizes = append(t.sizes, s.sizes[d])
		}
	}
	acc := "%x"
	if t.rank() > 0 {
		acc = m.constant(t)
	}
	op := fmt.Sprintf("vector.multi_reduction <%s>, %s, %s [%s] : %s to %s", kinds[m.rnd.IntN(len(kinds))], s.name, acc, list(dims), s, m.typeOf(t))
	m.masked(s.sizes, "multi_reduction", t, op)
}

func (m *maker) contract() {
	a, b := m.numbersVector(2), m.numbersVector(2)
	b.sizes[0] = a.sizes[1]
	t := a
	t.sizes = []num{a.sizes[0], b.sizes[1]}
	x, y, acc := m.constant(a), m.constant(b), m.constant(t)
	const maps = "affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>"
	op := fmt.Sprintf("vector.contract {indexing_maps = [%s], iterator_types = [\"parallel\", \"parallel\", \"reduction\"], kind = #vector.kind<%s>} %s, %s, %s : %s, %s into %s",
		maps, kinds[m.rnd.IntN(len(kinds))], x, y, acc, a, b, t)
	m.masked([]num{a.sizes[0], b.sizes[1], a.sizes[1]}, "contract", t, op)
	if m.rnd.IntN(2) == 0 { // an addition that the accumulator could take
		last := m.values[len(m.values)-1]
		m.define(t, "arith.addi %s, %s : %s", last.name, m.constant(t), t)
	}
}

func (m *maker) outer() {
	a := m.numbersVector(1)
	t := a
	if m.rnd.IntN(3) == 0 {
		x := m.constant(a)
		m.define(t, "vector.outerproduct %s, %%x : %s, i32", x, a)
		return
	}
	b := m.numbersVector(1)
	t.sizes = []num{a.sizes[0], b.sizes[0]}
	x, y, acc := m.constant(a), m.constant(b), m.constant(t)
	m.masked(t.sizes, "outerproduct", t, fmt.Sprintf("vector.outerproduct %s, %s, %s {kind = #vector.kind<%s>} : %s, %s", x, y, acc, kinds[m.rnd.IntN(len(kinds))], a, b))
}

func (m *maker) scan() {
	s := m.intVector()
	if s.rank() < 2 {
		return
	}
	d := m.rnd.IntN(s.rank())
	init := s
	init.sizes = slices.Delete(slices.Clone(s.sizes), d, d+1)
	x := m.constant(init)
	v := m.fresh()
	m.line("%s:2 = vector.scan <%s>, %s, %s {inclusive = %t, reduction_dim = %d : i64} : %s, %s", v, kinds[m.rnd.IntN(len(kinds))], s.name, x, m.rnd.IntN(2) == 0, d, s, init)
	s.name = v + "#0"
	m.values = append(m.values, s)
}

func (m *maker) interleave() {
	s := m.intVector()
	if s.rank() == 0 {
		return
	}
	t := s
	t.sizes = slices.Clone(s.sizes)
	last := &t.sizes[t.rank()-1]
	if last.v%2 == 0 && m.rnd.IntN(2) == 0 {
		last.v /= 2
		v := m.fresh()
		m.line("%s:2 = vector.deinterleave %s : %s -> %s", v, s.name, s, t)
		t.name = v + fmt.Sprintf("#%d", m.rnd.IntN(2))
		m.values = append(m.values, t)
		return
	}
	last.v *= 2
	m.define(t, "vector.interleave %s, %s : %s -> %s", s.name, m.constant(s), s, t)
}

func (m *maker) selectVector() {
	s := m.intVector()
	if s.rank() == 0 {
		return
	}
	k := m.maskOf(s.sizes)
	c := m.constant(s)
	m.define(s, "arith.select %s, %s, %s : %s, %s", k.name, s.name, c, k, s)
}

func (m *maker) fromElementsVector() {
	t := m.numbersVector(1 + m.rnd.IntN(2))
	words := make([]string, t.elements())
	same := m.rnd.IntN(3) == 0
	for i := range words {
		words[i] = "%x"
		if !same && m.rnd.IntN(2) == 0 {
			words[i] = m.fresh()
			m.line("%s = arith.constant %d : i32", words[i], 30+i)
		}
	}
	m.define(t, "vector.from_elements %s : %s", strings.Join(words, ", "), t)
}
