package exhaustive_test

import (
	"slices"
	"strings"

	"freehold/dialect"
	"freehold/exec"
	"freehold/ir"
	"freehold/ir/asm"
)

// instance is an operation with the types of its operands and results, and its attributes.
type instance struct {
	name    *ir.OpName
	in, out []ir.Type
	attrs   []ir.NamedAttr
	// sloppy tells that zeros may have any sign, and free that its flags allow more than can be compared.
	sloppy, free bool
	// unverified instances may not be valid.
	unverified bool
}

func (x *instance) String() string {
	var b strings.Builder
	b.WriteString(x.name.String())
	for _, a := range x.attrs {
		b.WriteString(" " + a.Name + "=" + a.Value.String())
	}
	for _, t := range x.in {
		b.WriteString(" " + t.String())
	}
	b.WriteString(" ->")
	for _, t := range x.out {
		b.WriteString(" " + t.String())
	}
	return b.String()
}

// world is a set of types, and all operations on them.
type world struct {
	small     bool // integers of many bits are small ones, so that they don't overflow
	lowered   bool // the operations are executed as what they are lowered to
	ctx       *ir.Context
	types     []ir.Type
	instances []*instance
	domains   map[ir.Type][]any
	constants map[ir.Type][]ir.Attribute
}

func parseTypes(c *ir.Context, list string) (out []ir.Type) {
	for _, s := range strings.Fields(list) {
		t, err := asm.ParseType(c, s)
		if err != nil {
			panic(err)
		}
		out = append(out, t)
	}
	return out
}

// newWorld returns the world of a list of types. In a small one, numbers don't overflow, and there are affine maps, which mustn't.
func newWorld(list string, small bool) *world { return newWorldOf(list, small, false) }

// newWorldOf returns a world of operations that can be executed, or of those that are lowered for that.
func newWorldOf(list string, small, lowered bool) *world {
	c := ir.NewContext(dialect.All()...)
	w := &world{small: small, lowered: lowered, ctx: c, types: parseTypes(c, list), domains: map[ir.Type][]any{}, constants: map[ir.Type][]ir.Attribute{}}
	names := c.OpNames()
	slices.SortFunc(names, func(a, b *ir.OpName) int { return strings.Compare(a.String(), b.String()) })
	scratch := newScratch(c, w.types, small)
	for _, n := range names {
		if computes(n) && isExecuted(n) != lowered && (!lowered || isLowered(n)) {
			w.instances = append(w.instances, scratch.instancesOf(n)...)
		}
	}
	return w
}

// computes tells whether an operation only computes results from its operands.
func computes(n *ir.OpName) bool {
	def := n.Def()
	if def == nil || len(def.Results) == 0 || len(def.Regions)+len(def.Successors) > 0 || def.Traits.Has(ir.TraitConstantLike) ||
		!def.Traits.Has(ir.TraitPure) && !def.Traits.Has(ir.TraitNoMemoryEffect) {
		return false
	}
	return len(def.Operands) > 0 && !slices.ContainsFunc(def.Operands, func(d ir.OperandDef) bool { return d.Arity == ir.VariadicOfVariadic })
}

// isExecuted tells whether an operation can be executed.
func isExecuted(n *ir.OpName) bool {
	_, elementwise := exec.Elementwise.OfName(n)
	_, executable := exec.Executable.OfName(n)
	return elementwise || executable
}

// isLowered tells whether an operation is of a dialect that is lowered to be executed.
func isLowered(n *ir.OpName) bool {
	return slices.Contains([]string{"chlo", "stablehlo", "tosa"}, n.Dialect().Name)
}

// scratch is a function that operations are verified in.
type scratch struct {
	c     *ir.Context
	types []ir.Type
	block *ir.Block
	b     *ir.Builder
	pool  []ir.Attribute
}

func newScratch(c *ir.Context, types []ir.Type, maps bool) *scratch {
	module := newModule(c)
	fn := addFunction(module, "scratch", types, nil)
	s := &scratch{c: c, types: types, block: fn.BodyBlock(0), b: ir.NewBuilder(c)}
	s.b.SetEnd(s.block)
	s.pool = []ir.Attribute{c.Bool(false), c.Bool(true), c.IntegerAttr(ir.I8, 0), c.IntegerAttr(ir.I8, 1), c.I32Attr(1), c.I32Attr(2), c.I64Attr(0), c.I64Attr(1), c.IndexAttr(0), c.IndexAttr(1),
		c.DenseI64Array(), c.DenseI64Array(0), c.DenseI64Array(1), c.DenseI64Array(4, 3)}
	if !maps {
		return s
	}
	d0, d1, s0 := c.AffineDim(0), c.AffineDim(1), c.AffineSymbol(0)
	k := c.AffineConstant
	for _, m := range []*ir.AffineMap{
		c.AffineMap(1, 0, c.AffineFloorDiv(d0, k(2))),
		c.AffineMap(1, 0, c.AffineMod(c.AffineAdd(d0, k(-1)), k(3))),
		c.AffineMap(0, 1, c.AffineCeilDiv(c.AffineMul(s0, k(2)), k(4))),
		c.AffineMap(2, 0, c.AffineAdd(d0, c.AffineMul(d1, k(-3)))),
		c.AffineMap(1, 1, c.AffineMod(d0, k(4)), c.AffineAdd(s0, k(1)), k(2)),
	} {
		s.pool = append(s.pool, c.AffineMapAttr(m))
	}
	return s
}

// arities returns how many operands or results a group may have in what is tried.
func arities(a ir.Arity) []int {
	switch a {
	case ir.Variadic:
		return []int{1, 2, 3}
	case ir.Optional:
		return []int{0, 1}
	}
	return []int{1}
}

// instancesOf returns all instances of an operation on the types.
func (s *scratch) instancesOf(n *ir.OpName) (out []*instance) {
	def := n.Def()
	attrs := s.attributesOf(def)
	var results [][]ir.Type
	each(len(def.Results), func(i int) []int { return arities(def.Results[i].Arity) }, func(counts []int) {
		var of []ir.TypeConstraint
		for i, k := range counts {
			for range k {
				of = append(of, def.Results[i].Type)
			}
		}
		if len(of) > 0 && len(of) <= 2 {
			results = append(results, s.assignments(len(of), func(i int) ir.TypeConstraint { return of[i] })...)
		}
	})
	each(len(def.Operands), func(i int) []int { return arities(def.Operands[i].Arity) }, func(counts []int) {
		var of []ir.TypeConstraint
		for i, k := range counts {
			for range k {
				of = append(of, def.Operands[i].Type)
			}
		}
		if len(of) > 3 {
			return
		}
		for _, in := range s.assignments(len(of), func(i int) ir.TypeConstraint { return of[i] }) {
			for _, res := range results {
				if def.Traits.Has(ir.TraitSameOperandsAndResultType) && len(in) > 0 && (in[0] != res[0] || in[len(in)-1] != in[0]) {
					continue
				}
				for k, a := range attrs {
					x := &instance{name: n, in: in, out: res, attrs: a}
					if s.verifies(x, counts) {
						x.sloppy, x.free = promises(x)
						out = append(out, x)
					} else if k == 0 && len(attrs) > 40 {
						break
					}
				}
			}
		}
	})
	return out
}

// promises returns what an instance, or its fast-math flags, let a rewriting change.
func promises(x *instance) (sloppy, free bool) {
	for _, a := range x.attrs {
		if e, ok := a.Value.(*ir.EnumAttr); ok && a.Name == "fastmath" {
			sloppy = e.Value&8 != 0
			free = e.Value&^(2|4|8) != 0
		}
	}
	// Of two zeros, these may return either.
	sloppy = sloppy || x.name.String() == "arith.maxnumf" || x.name.String() == "arith.minnumf"
	return sloppy, free
}

// verifies tells whether the instance is a valid operation, which can be executed.
func (s *scratch) verifies(x *instance, counts []int) bool {
	st := ir.OpState{Name: x.name, Types: x.out, Attrs: slices.Clone(x.attrs)}
	for _, t := range x.in {
		st.Operands = append(st.Operands, s.block.Args()[slices.Index(s.types, t)])
	}
	def := x.name.Def()
	if def.Traits.Has(ir.TraitAttrSizedOperandSegments) {
		a := ir.NamedAttr{Name: ir.OperandSegmentsAttr, Value: s.c.Segments(counts...)}
		st.Attrs, x.attrs = append(st.Attrs, a), append(slices.Clone(x.attrs), a)
	}
	op := s.b.Create(st)
	defer op.Erase()
	if _, elementwise := exec.Elementwise.OfName(x.name); elementwise && ir.IsShaped(x.out[0]) != slices.ContainsFunc(x.in, ir.IsShaped) {
		return false // the definition says too little
	}
	return ir.VerifyOp(op) == nil
}

// assignments returns all lists of n types that satisfy constraints.
func (s *scratch) assignments(n int, of func(i int) ir.TypeConstraint) (out [][]ir.Type) {
	each(n, func(i int) (fit []int) {
		for k, t := range s.types {
			if of(i).Match(t) {
				fit = append(fit, k)
			}
		}
		return fit
	}, func(at []int) {
		list := make([]ir.Type, n)
		for i, k := range at {
			list[i] = s.types[k]
		}
		out = append(out, list)
	})
	return out
}

// each calls fn with all lists of n numbers, of which the i-th is one of choices(i).
func each(n int, choices func(i int) []int, fn func(list []int)) {
	list := make([]int, n)
	var rec func(i int)
	rec = func(i int) {
		if i == n {
			fn(list)
			return
		}
		for _, k := range choices(i) {
			list[i] = k
			rec(i + 1)
		}
	}
	rec(0)
}

// attributesOf returns the lists of attributes that an operation may have, as far as its declarations tell: the first one
// has the defaults.
func (s *scratch) attributesOf(def *ir.OpDef) [][]ir.NamedAttr {
	out := [][]ir.NamedAttr{nil}
	for i := range def.Attrs {
		d := &def.Attrs[i]
		if d.Derived {
			continue
		}
		var values []ir.Attribute
		if d.Optional || d.Default != nil {
			values = append(values, nil)
		}
		switch e := d.Type.Enum; {
		case e != nil:
			for _, v := range valuesOf(e) {
				a := ir.Attribute(s.c.EnumAttr(e, v))
				if d.Default == nil || a != d.Default(s.c) {
					values = append(values, a)
				}
			}
		case d.Type.Kind == ir.UnitKind:
			values = append(values, ir.Unit)
		default:
			for _, a := range s.pool {
				if d.Accepts(a) {
					values = append(values, a)
				}
			}
		}
		var longer [][]ir.NamedAttr
		for _, list := range out {
			for _, v := range values {
				if v == nil {
					longer = append(longer, list)
				} else {
					longer = append(longer, append(slices.Clone(list), ir.NamedAttr{Name: d.Name, Value: v}))
				}
			}
		}
		out = longer
	}
	return out
}

// valuesOf returns the values of an enumeration; of bits that can be joined, each and all.
func valuesOf(e *ir.EnumDef) (out []uint64) {
	all := uint64(0)
	for _, c := range e.Cases {
		if c.Value != 0 || !e.Bit {
			out = append(out, c.Value)
		}
		all |= c.Value
	}
	if e.Bit && !slices.Contains(out, all) {
		out = append(out, all)
	}
	return out
}
