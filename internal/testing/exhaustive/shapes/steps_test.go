package shapes_test

import (
	"fmt"
	"slices"
	"strings"
)

// stepsOf has what makes operations, by the kind of values that programs are about.
var stepsOf = map[string][]func(m *maker){
	"memref": {(*maker).subview, (*maker).subview, (*maker).castBuffer, (*maker).reinterpret, (*maker).expandBuffer, (*maker).collapseBuffer, (*maker).transposeBuffer,
		(*maker).load, (*maker).store, (*maker).dimBuffer, (*maker).vectorLoad, (*maker).vectorStore, (*maker).transferBuffer, (*maker).copyBuffer, (*maker).metadata,
		(*maker).affineLoad, (*maker).collapseBuffer},
	"tensor": {(*maker).extractSlice, (*maker).insertSlice, (*maker).pad, (*maker).castTensor, (*maker).expandTensor, (*maker).collapseTensor, (*maker).dimTensor,
		(*maker).concat, (*maker).extract, (*maker).insert, (*maker).splatTensor, (*maker).generate, (*maker).fill, (*maker).transposeTensor, (*maker).broadcastTensor,
		(*maker).fromElements, (*maker).reshapeTensor, (*maker).copyTensor, (*maker).packed, (*maker).unpacked, (*maker).transferTensor, (*maker).gatherTensor, (*maker).generic},
	"vector": {(*maker).extractVector, (*maker).insertVector, (*maker).shuffle, (*maker).broadcastVector, (*maker).transposeVector, (*maker).shapeCast,
		(*maker).extractStrided, (*maker).insertStrided, (*maker).splatVector, (*maker).bitcast, (*maker).mask, (*maker).reduction, (*maker).multiReduction,
		(*maker).contract, (*maker).outer, (*maker).scan, (*maker).interleave, (*maker).constantVector, (*maker).selectVector, (*maker).fromElementsVector},
}

// dropUnits chooses dimensions of size 1, which a slice may leave out.
func (m *maker) dropUnits(sizes []num) (kept []int) {
	for i, n := range sizes {
		if n.v != 1 || n.unknown || m.rnd.IntN(2) == 0 {
			kept = append(kept, i)
		}
	}
	return kept
}

func (m *maker) subview() {
	s := m.any("memref")
	offsets, sizes, strides := m.slice(s.sizes)
	kept := m.dropUnits(sizes)
	t := shaped{kind: "memref", elem: s.elem, offset: s.offset, sizes: permuted(sizes, kept)}
	all := make([]num, len(sizes))
	for i := range sizes {
		t.offset = sum(t.offset, product(offsets[i], s.strides[i]))
		all[i] = product(strides[i], s.strides[i])
	}
	t.strides = permuted(all, kept)
	o, z, st := m.mixed(offsets), m.mixed(sizes), m.mixed(strides)
	m.define(t, "memref.subview %s[%s] [%s] [%s] : %s to %s", s.name, o, z, st, s, t)
}

func (m *maker) castBuffer() {
	s := m.any("memref")
	t := s
	t.sizes = m.recast(s.sizes)
	if m.rnd.IntN(2) == 0 {
		t.strides, t.plain = m.recast(s.strides), false
		t.offset.unknown = m.rnd.IntN(2) == 0
	}
	m.define(t, "memref.cast %s : %s to %s", s.name, s, t)
}

func (m *maker) reinterpret() {
	s := m.any("memref")
	t := shaped{kind: "memref", elem: s.elem, offset: m.num(m.rnd.IntN(2))}
	for range m.rnd.IntN(3) {
		t.sizes, t.strides = append(t.sizes, m.num(m.size())), append(t.strides, m.num([]int{1, 1, 2, 0, 3}[m.rnd.IntN(5)]))
	}
	if m.rnd.IntN(3) == 0 {
		t = s
		t.plain = false
	}
	o, z, st := m.operand(t.offset), m.mixed(t.sizes), m.mixed(t.strides)
	m.define(t, "memref.reinterpret_cast %s to offset: [%s], sizes: [%s], strides: [%s] : %s to %s", s.name, o, z, st, s, t)
}

func (m *maker) expandBuffer() {
	s := m.any("memref")
	t := s
	var groups [][]int
	t.sizes, groups = m.factors(s.sizes)
	t.strides = make([]num, len(t.sizes))
	for g, group := range groups {
		stride := s.strides[g]
		for _, d := range slices.Backward(group) {
			t.strides[d] = stride
			stride = product(stride, t.sizes[d])
		}
	}
	z := m.mixed(t.sizes)
	m.define(t, "memref.expand_shape %s %s output_shape [%s] : %s into %s", s.name, spellGroups(groups), z, s, t)
}

func (m *maker) collapseBuffer() {
	s := m.any("memref")
	t := s
	t.sizes, t.strides = nil, nil
	groups := m.reassociation(s.rank())
	for _, g := range groups {
		size := num{v: 1}
		for _, d := range g[1:] { // what isn't contiguous may not be collapsed, also where the size is 1
			if !(s.sizes[d].v == 1 && !s.sizes[d].unknown) && s.strides[d-1].v != s.strides[d].v*s.sizes[d].v {
				return
			}
		}
		for _, d := range g {
			size = product(size, s.sizes[d])
		}
		stride := s.strides[g[len(g)-1]]
		for _, d := range slices.Backward(g) { // that of the last dimension whose size isn't 1
			if s.sizes[d] != (num{v: 1}) {
				stride = s.strides[d]
				break
			}
		}
		t.sizes, t.strides = append(t.sizes, size), append(t.strides, stride)
	}
	m.define(t, "memref.collapse_shape %s %s : %s into %s", s.name, spellGroups(groups), s, t)
}

func (m *maker) transposeBuffer() {
	s := m.any("memref")
	perm := m.permutation(s.rank())
	t := shaped{kind: "memref", elem: s.elem, sizes: permuted(s.sizes, perm), strides: permuted(s.strides, perm), offset: s.offset}
	m.define(t, "memref.transpose %s %s : %s to %s", s.name, permutationMap(perm), s, t)
}

func permutationMap(perm []int) string {
	from, to := make([]string, len(perm)), make([]string, len(perm))
	for i, p := range perm {
		from[i], to[i] = fmt.Sprintf("d%d", i), fmt.Sprintf("d%d", p)
	}
	return fmt.Sprintf("(%s) -> (%s)", strings.Join(from, ", "), strings.Join(to, ", "))
}

// scalar is a value of rank 0 that a program can return.
func (m *maker) number(typ, format string, args ...any) string {
	v := m.fresh()
	m.line("%s = %s", v, fmt.Sprintf(format, args...))
	m.line("%s_v = vector.broadcast %s : %s to vector<1x%s>", v, v, typ, typ)
	m.values = append(m.values, shaped{name: v + "_v", kind: "vector", elem: typ, sizes: []num{{v: 1}}})
	return v
}

func (m *maker) load() {
	s := m.any("memref")
	at := m.vals(m.at(s.sizes))
	m.number(s.elem, "memref.load %s[%s] : %s", s.name, at, s)
}

func (m *maker) affineLoad() {
	s := m.any("memref")
	at := m.vals(m.at(s.sizes))
	m.number(s.elem, "affine.load %s[%s] : %s", s.name, at, s)
}

func (m *maker) store() {
	s := m.any("memref")
	at := m.vals(m.at(s.sizes))
	m.line("memref.store %%x, %s[%s] : %s", s.name, at, s)
}

func (m *maker) dimBuffer() { m.dim("memref") }
func (m *maker) dimTensor() { m.dim("tensor") }

func (m *maker) dim(kind string) {
	s := m.any(kind)
	if s.rank() == 0 || m.rnd.IntN(8) == 0 {
		m.number("index", "%s.rank %s : %s", kind, s.name, s)
		return
	}
	i := m.value(m.num(m.rnd.IntN(s.rank())))
	m.number("index", "%s.dim %s, %s : %s", kind, s.name, i, s)
}

// tile makes up the type of a vector that fits into the last dimensions of a shape.
func (m *maker) tile(s shaped) shaped {
	v := shaped{kind: "vector", elem: s.elem}
	for i := s.rank() - 1; i >= 0; i-- {
		v.sizes = append([]num{{v: max(1, s.sizes[i].v-m.rnd.IntN(2))}}, v.sizes...)
		if m.rnd.IntN(2) == 0 {
			break
		}
	}
	return v
}

func (m *maker) vectorLoad() {
	s := m.any("memref")
	if s.rank() == 0 {
		return
	}
	v := m.tile(s)
	at := m.vals(m.at(s.sizes))
	m.define(v, "vector.load %s[%s] : %s, %s", s.name, at, s, v)
}

func (m *maker) vectorStore() {
	s := m.any("memref")
	if s.rank() == 0 {
		return
	}
	v := m.tile(s)
	at := m.vals(m.at(s.sizes))
	c := m.fresh()
	m.line("%s = vector.broadcast %%x : i32 to %s", c, v)
	m.line("vector.store %s, %s[%s] : %s, %s", c, s.name, at, s, v)
}

func (m *maker) transferBuffer() { m.transfer("memref") }
func (m *maker) transferTensor() { m.transfer("tensor") }

// transfer reads or writes a vector, with a permutation and perhaps a broadcast.
func (m *maker) transfer(kind string) {
	s := m.any(kind)
	v := m.tile(s)
	if s.rank() == 0 || len(v.sizes) == 0 {
		return
	}
	dims := m.permutation(s.rank())[:len(v.sizes)]
	exprs, bounds := make([]string, len(dims)), make([]bool, len(dims))
	read := m.rnd.IntN(2) == 0
	for i, d := range dims {
		exprs[i], bounds[i] = fmt.Sprintf("d%d", d), m.rnd.IntN(3) > 0
		if read && m.rnd.IntN(6) == 0 {
			exprs[i], bounds[i] = "0", true
		}
	}
	from := make([]string, s.rank())
	for i := range from {
		from[i] = fmt.Sprintf("d%d", i)
	}
	attrs := fmt.Sprintf("{permutation_map = affine_map<(%s) -> (%s)>, in_bounds = [%s]}", strings.Join(from, ", "), strings.Join(exprs, ", "), list(bounds))
	at := m.vals(m.at(s.sizes))
	if read {
		m.define(v, "vector.transfer_read %s[%s], %%x %s : %s, %s", s.name, at, attrs, s, v)
		return
	}
	c := m.fresh()
	m.line("%s = vector.broadcast %%x : i32 to %s", c, v)
	if kind == "memref" {
		m.line("vector.transfer_write %s, %s[%s] %s : %s, %s", c, s.name, at, attrs, v, s)
		return
	}
	m.define(s, "vector.transfer_write %s, %s[%s] %s : %s, %s", c, s.name, at, attrs, v, s)
}

func (m *maker) copyBuffer() {
	s := m.any("memref")
	t := s
	t.rowMajor()
	t.sizes = slices.Clone(t.sizes)
	var dynamic []string
	for _, n := range t.sizes {
		if n.unknown {
			dynamic = append(dynamic, m.value(n))
		}
	}
	t = m.define(t, "memref.alloca(%s) : %s", strings.Join(dynamic, ", "), t)
	m.line("memref.copy %s, %s : %s to %s", s.name, t.name, s, t)
}

func (m *maker) metadata() {
	s := m.any("memref")
	v := m.fresh()
	if s.rank() == 0 {
		return
	}
	types := []string{"memref<i32>", "index"}
	for range 2 * s.rank() {
		types = append(types, "index")
	}
	m.line("%s:%d = memref.extract_strided_metadata %s : %s -> %s", v, len(types), s.name, s, strings.Join(types, ", "))
	k := 1 + m.rnd.IntN(len(types)-1)
	m.line("%s_v = vector.broadcast %s#%d : index to vector<1xindex>", v, v, k)
	m.values = append(m.values, shaped{name: v + "_v", kind: "vector", elem: "index", sizes: []num{{v: 1}}})
}

func (m *maker) extractSlice() {
	s := m.any("tensor")
	offsets, sizes, strides := m.slice(s.sizes)
	t := shaped{kind: "tensor", elem: s.elem, sizes: permuted(sizes, m.dropUnits(sizes))}
	o, z, st := m.mixed(offsets), m.mixed(sizes), m.mixed(strides)
	m.define(t, "tensor.extract_slice %s[%s] [%s] [%s] : %s to %s", s.name, o, z, st, s, t)
}

func (m *maker) insertSlice() {
	s := m.any("tensor")
	offsets, sizes, strides := m.slice(s.sizes)
	for i := range strides {
		if strides[i].v == 0 { // which element is left isn't said
			strides[i].v, sizes[i].v = 1, min(sizes[i].v, 1)
		}
	}
	t := shaped{kind: "tensor", elem: s.elem, sizes: permuted(sizes, m.dropUnits(sizes))}
	if m.rnd.IntN(2) == 0 {
		o, z, st := m.mixed(offsets), m.mixed(sizes), m.mixed(strides)
		t = m.define(t, "tensor.extract_slice %s[%s] [%s] [%s] : %s to %s", s.name, o, z, st, s, t)
	} else {
		t = m.splat(t)
	}
	o, z, st := m.mixed(offsets), m.mixed(sizes), m.mixed(strides)
	m.define(s, "tensor.insert_slice %s into %s[%s] [%s] [%s] : %s into %s", t.name, s.name, o, z, st, t, s)
}

// splat makes a tensor of one element.
func (m *maker) splat(t shaped) shaped {
	t.kind = "tensor"
	var dynamic []string
	for _, n := range t.sizes {
		if n.unknown {
			dynamic = append(dynamic, m.value(n))
		}
	}
	d := ""
	if len(dynamic) > 0 {
		d = "[" + strings.Join(dynamic, ", ") + "]"
	}
	return m.define(t, "tensor.splat %%x%s : %s", d, t)
}

func (m *maker) splatTensor() {
	t := shaped{kind: "tensor", elem: "i32"}
	for range m.rnd.IntN(4) {
		t.sizes = append(t.sizes, m.num(m.size()))
	}
	m.splat(t)
}

// empty makes a tensor whose elements are to be written.
func (m *maker) empty(sizes []num) shaped {
	t := shaped{kind: "tensor", elem: "i32", sizes: sizes}
	var dynamic []string
	for _, n := range sizes {
		if n.unknown {
			dynamic = append(dynamic, m.value(n))
		}
	}
	t.name = m.fresh()
	m.line("%s = tensor.empty(%s) : %s", t.name, strings.Join(dynamic, ", "), t)
	return t
}

func (m *maker) pad() {
	s := m.any("tensor")
	t := s
	t.sizes = nil
	var low, high, ids []num
	for _, n := range s.sizes {
		l, h := m.num(m.rnd.IntN(3)), m.num(max(-n.v, m.rnd.IntN(4)-1))
		low, high, ids = append(low, l), append(high, h), append(ids, num{})
		size := sum(sum(n, l), h)
		t.sizes = append(t.sizes, size)
	}
	args := make([]string, len(ids))
	for i := range args {
		args[i] = fmt.Sprintf("%%p%d: index", i)
	}
	nofold := ""
	if m.rnd.IntN(4) == 0 {
		nofold = " nofold"
	}
	l, h := m.mixed(low), m.mixed(high)
	head := ""
	if len(args) > 0 {
		head = "^bb0(" + strings.Join(args, ", ") + "):\n"
	}
	value := "%x"
	extra := ""
	if len(args) > 0 && m.rnd.IntN(3) == 0 {
		extra, value = "    %pi = arith.index_cast %p0 : index to i32\n", "%pi"
	}
	m.define(t, "tensor.pad %s%s low[%s] high[%s] {\n  %s%s    tensor.yield %s : i32\n  } : %s to %s", s.name, nofold, l, h, head, extra, value, s, t)
}

func (m *maker) castTensor() {
	s := m.any("tensor")
	t := s
	t.sizes = m.recast(s.sizes)
	m.define(t, "tensor.cast %s : %s to %s", s.name, s, t)
}

func (m *maker) expandTensor() {
	s := m.any("tensor")
	t := s
	var groups [][]int
	t.sizes, groups = m.factors(s.sizes)
	z := m.mixed(t.sizes)
	m.define(t, "tensor.expand_shape %s %s output_shape [%s] : %s into %s", s.name, spellGroups(groups), z, s, t)
}

func (m *maker) collapseTensor() {
	s := m.any("tensor")
	t := s
	t.sizes = nil
	groups := m.reassociation(s.rank())
	for _, g := range groups {
		size, unknown := 1, false
		for _, d := range g {
			size, unknown = size*s.sizes[d].v, unknown || s.sizes[d].unknown
		}
		t.sizes = append(t.sizes, num{size, unknown})
	}
	m.define(t, "tensor.collapse_shape %s %s : %s into %s", s.name, spellGroups(groups), s, t)
}

func (m *maker) concat() {
	s := m.any("tensor")
	if s.rank() == 0 {
		return
	}
	d := m.rnd.IntN(s.rank())
	o := s
	if m.rnd.IntN(2) == 0 {
		o.sizes = m.recast(s.sizes)
		o.sizes[d] = m.num(m.size())
		o = m.splat(o)
	}
	t := s
	t.sizes = slices.Clone(s.sizes)
	for i := range t.sizes {
		t.sizes[i].unknown = s.sizes[i].unknown && o.sizes[i].unknown
	}
	t.sizes[d] = sum(s.sizes[d], o.sizes[d])
	m.define(t, "tensor.concat dim(%d) %s, %s : (%s, %s) -> %s", d, s.name, o.name, s, o, t)
}

func (m *maker) extract() {
	s := m.any("tensor")
	at := m.vals(m.at(s.sizes))
	m.number(s.elem, "tensor.extract %s[%s] : %s", s.name, at, s)
}

func (m *maker) insert() {
	s := m.any("tensor")
	at := m.vals(m.at(s.sizes))
	m.define(s, "tensor.insert %%x into %s[%s] : %s", s.name, at, s)
}

func (m *maker) generate() {
	t := shaped{kind: "tensor", elem: "i32"}
	for range 1 + m.rnd.IntN(3) {
		t.sizes = append(t.sizes, num{m.size(), true})
	}
	args := make([]string, t.rank())
	for i := range args {
		args[i] = fmt.Sprintf("%%g%d: index", i)
	}
	sizes := make([]num, t.rank())
	for i, n := range t.sizes {
		sizes[i] = num{n.v, m.rnd.IntN(8) < m.unknowns && n.v <= 4}
	}
	z := m.vals(sizes)
	m.define(t, "tensor.generate %s {\n  ^bb0(%s):\n    %%gi = arith.index_cast %%g%d : index to i32\n    tensor.yield %%gi : i32\n  } : %s", z, strings.Join(args, ", "), m.rnd.IntN(t.rank()), t)
}

func (m *maker) fill() {
	s := m.any("tensor")
	m.define(s, "linalg.fill ins(%%x : i32) outs(%s : %s) -> %s", s.name, s, s)
}

func (m *maker) copyTensor() {
	s := m.any("tensor")
	t := m.empty(m.recast(s.sizes))
	m.define(t, "linalg.copy ins(%s : %s) outs(%s : %s) -> %s", s.name, s, t.name, t, t)
}

func (m *maker) transposeTensor() {
	s := m.any("tensor")
	perm := m.permutation(s.rank())
	t := m.empty(m.recast(permuted(s.sizes, perm)))
	m.define(t, "linalg.transpose ins(%s : %s) outs(%s : %s) permutation = [%s]", s.name, s, t.name, t, list(perm))
}

func (m *maker) broadcastTensor() {
	s := m.any("tensor")
	d := m.rnd.IntN(s.rank() + 1)
	t := m.empty(slices.Insert(slices.Clone(s.sizes), d, m.num(m.size())))
	m.define(t, "linalg.broadcast ins(%s : %s) outs(%s : %s) dimensions = [%d]", s.name, s, t.name, t, d)
}

// generic yields elements of inputs, or something made of them.
func (m *maker) generic() {
	s := m.any("tensor")
	perm := m.permutation(s.rank())
	if m.rnd.IntN(2) == 0 {
		slices.Sort(perm)
	}
	t := m.empty(m.recast(permuted(s.sizes, perm)))
	id := permutationMap(rangeTo(s.rank()))
	inverse := make([]int, len(perm))
	for i, p := range perm {
		inverse[p] = i
	}
	iterators := strings.TrimSuffix(strings.Repeat(`"parallel", `, s.rank()), ", ")
	body := []string{"linalg.yield %in : i32", "linalg.yield %x : i32", "%y = arith.addi %in, %x : i32\n    linalg.yield %y : i32"}[m.rnd.IntN(3)]
	m.define(t, "linalg.generic {indexing_maps = [affine_map<%s>, affine_map<%s>], iterator_types = [%s]} ins(%s : %s) outs(%s : %s) {\n  ^bb0(%%in: i32, %%out: i32):\n    %s\n  } -> %s",
		permutationMap(inverse), id, iterators, s.name, s, t.name, t, body, t)
}

func rangeTo(n int) (out []int) {
	for i := range n {
		out = append(out, i)
	}
	return out
}

func (m *maker) fromElements() {
	t := shaped{kind: "tensor", elem: "i32"}
	for range m.rnd.IntN(3) {
		t.sizes = append(t.sizes, num{v: m.size()})
	}
	if t.elements() > 8 {
		return
	}
	words := make([]string, t.elements())
	for i := range words {
		c := m.fresh()
		if m.rnd.IntN(3) == 0 {
			c = "%x"
		} else {
			m.line("%s = arith.constant %d : i32", c, i+10)
		}
		words[i] = c
	}
	m.define(t, "tensor.from_elements %s : %s", strings.Join(words, ", "), t)
}

func (m *maker) reshapeTensor() {
	s := m.any("tensor")
	t := s
	t.sizes = slices.Clone(s.sizes)
	m.rnd.Shuffle(len(t.sizes), func(i, j int) { t.sizes[i], t.sizes[j] = t.sizes[j], t.sizes[i] })
	if len(t.sizes) == 0 {
		return
	}
	shape := shaped{kind: "tensor", elem: "index", sizes: []num{{v: len(t.sizes)}}}
	z := m.vals(t.sizes)
	shape.name = m.fresh()
	m.line("%s = tensor.from_elements %s : %s", shape.name, z, shape)
	t.sizes = m.recast(t.sizes)
	m.define(t, "tensor.reshape %s(%s) : (%s, %s) -> %s", s.name, shape.name, s, shape, t)
}

// packing makes up tiles of dimensions of a shape, and the shape of tiles.
func (m *maker) packing(sizes []num) (packed, tiles []num, pos, outer []int) {
	pos = m.permutation(len(sizes))[:1+m.rnd.IntN(len(sizes))]
	packed = slices.Clone(sizes)
	for _, p := range pos {
		tile := m.num(1 + m.rnd.IntN(3))
		tiles = append(tiles, tile)
		n := sizes[p]
		packed[p] = num{(n.v + tile.v - 1) / tile.v, n.unknown || tile.unknown}
	}
	outer = m.permutation(len(sizes))
	if m.rnd.IntN(2) == 0 {
		slices.Sort(outer)
	}
	return append(permuted(packed, outer), tiles...), tiles, pos, outer
}

func (m *maker) packed() {
	s := m.any("tensor")
	if s.rank() == 0 {
		return
	}
	sizes, tiles, pos, outer := m.packing(s.sizes)
	t := m.empty(sizes)
	padding := ""
	if m.rnd.IntN(3) > 0 {
		padding = " padding_value(%x : i32)"
	}
	z := m.mixed(tiles)
	p := m.define(t, "tensor.pack %s%s outer_dims_perm = [%s] inner_dims_pos = [%s] inner_tiles = [%s] into %s : %s -> %s", s.name, padding, list(outer), list(pos), z, t.name, s, t)
	if m.rnd.IntN(2) == 0 {
		u := m.empty(m.recast(s.sizes))
		m.define(u, "tensor.unpack %s outer_dims_perm = [%s] inner_dims_pos = [%s] inner_tiles = [%s] into %s : %s -> %s", p.name, list(outer), list(pos), z, u.name, p, u)
	}
}

func (m *maker) unpacked() {
	t := shaped{kind: "tensor", elem: "i32"}
	for range 1 + m.rnd.IntN(2) {
		t.sizes = append(t.sizes, m.num(m.size()))
	}
	sizes, tiles, pos, outer := m.packing(t.sizes)
	s := m.splat(shaped{kind: "tensor", elem: "i32", sizes: sizes})
	if m.rnd.IntN(2) == 0 {
		s = m.any("tensor")
	}
	u := m.empty(t.sizes)
	z := m.mixed(tiles)
	u = m.define(u, "tensor.unpack %s outer_dims_perm = [%s] inner_dims_pos = [%s] inner_tiles = [%s] into %s : %s -> %s", s.name, list(outer), list(pos), z, u.name, s, u)
	if m.rnd.IntN(2) == 0 {
		p := m.empty(m.recast(sizes))
		m.define(p, "tensor.pack %s outer_dims_perm = [%s] inner_dims_pos = [%s] inner_tiles = [%s] into %s : %s -> %s", u.name, list(outer), list(pos), z, p.name, u, p)
	}
}

func (m *maker) gatherTensor() {
	s := m.any("tensor")
	if s.rank() == 0 || s.elements() == 0 {
		return
	}
	d := m.rnd.IntN(s.rank())
	n := 1 + m.rnd.IntN(3)
	words := make([]string, n)
	for i := range words {
		words[i] = fmt.Sprintf("[%d]", m.rnd.IntN(s.sizes[d].v))
	}
	c := m.fresh()
	m.line("%s = arith.constant dense<[%s]> : tensor<%dx1xindex>", c, strings.Join(words, ", "), n)
	t := s
	t.sizes = slices.Clone(s.sizes)
	t.sizes[d] = num{v: 1}
	t.sizes = slices.Insert(t.sizes, 0, num{v: n})
	m.define(t, "tensor.gather %s[%s] gather_dims([%d]) unique : (%s, tensor<%dx1xindex>) -> %s", s.name, c, d, s, n, t)
}
