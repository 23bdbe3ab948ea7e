package irgen

import (
	"math"
	"slices"
	"sync"

	"freehold/dialect"
	"freehold/dialect/arith"
	"freehold/dialect/builtin"
	"freehold/dialect/complex"
	funcd "freehold/dialect/funcd"
	"freehold/exec"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/interfaces"
)

// scalarDefs are the definitions of all operations that take a few values and return one, without regions, by their dialects: which
// types and attributes they take is found out by trying. An operation that is defined anywhere is made up without further ado.
var scalarDefs = sync.OnceValue(func() (dialects [][]*ir.OpDef) {
	var last *ir.Dialect
	for _, n := range ir.NewContext(dialect.All()...).OpNames() {
		d := n.Def()
		simple := len(d.Operands) > 0 && len(d.Operands) <= 3 && len(d.Results) == 1 && d.Results[0].Arity == ir.One && len(d.Regions) == 0 && len(d.Successors) == 0
		for _, o := range d.Operands {
			simple = simple && o.Arity == ir.One
		}
		for _, a := range d.Attrs {
			simple = simple && (a.Type.Enum != nil || a.Optional || a.Default != nil)
		}
		_, whole := exec.Executable.OfName(n)
		_, scalar := exec.Elementwise.OfName(n)
		if simple && (whole || scalar) {
			if n.Dialect() != last {
				last, dialects = n.Dialect(), append(dialects, nil)
			}
			dialects[len(dialects)-1] = append(dialects[len(dialects)-1], d)
		}
	}
	return dialects
})

// scalarGen builds a function of numbers.
type scalarGen struct {
	choose Chooser
	b      *ir.Builder
	block  *ir.Block
	module *ir.Op
	types  []ir.Type
	values map[ir.Type][]*ir.Value
}

// Scalars returns a module whose function @main computes with numbers, by pure operations of any dialect: chains of comparisons, casts,
// arithmetic with flags and with constants, complex numbers, vectors. For ordinary arguments it is defined.
func Scalars(choose Chooser, size int) string {
	for range 8 {
		if src := scalars(choose, size); runs(src) {
			return src
		}
	}
	return idleProgram
}

// idleProgram is what stands for programs that nobody found.
const idleProgram = "func.func @main() {\n  return\n}\n"

func scalars(choose Chooser, size int) string {
	c := ir.NewContext(dialect.All()...)
	g := &scalarGen{choose: choose, b: ir.NewBuilder(c), values: map[ir.Type][]*ir.Value{}}
	i8, i32, i64, v := c.Integer(8), c.Integer(32), c.Integer(64), ir.Type(ir.F32)
	all := []ir.Type{ir.Index, i8, i32, i64, ir.I1, v, ir.F64, c.Complex(v), c.Vector([]int64{2}, nil, i32), c.Vector([]int64{2}, nil, v), c.Integer(2), ir.F16, ir.F80}
	// Few types, so that operations fit each other.
	for range 2 + choose(3) {
		g.types = append(g.types, all[choose(len(all))])
	}
	module := g.b.CreateDetached(g.empty())
	g.module = module
	fn := funcd.New(g.b, "main", c.Function(g.types, nil))
	entry := funcd.AddEntryBlock(fn)
	for _, a := range entry.Args() {
		g.add(a)
	}
	g.b.SetEnd(module.BodyBlock(0))
	g.b.Insert(fn)
	g.b.SetEnd(entry)
	g.block = entry
	ret := funcd.NewReturn(g.b)
	g.b.SetBefore(ret)
	for n, tries := 0, 0; n < 2+size/4 && tries < 60*(2+size/4); tries++ {
		if g.operation() {
			n++
		}
	}
	// What is computed last, and something of each type.
	var out []*ir.Value
	for _, t := range g.types {
		if list := g.values[t]; len(list) > 0 {
			out = append(out, list[len(list)-1])
		}
	}
	if last := ret.Prev(); last != nil && last.NumResults() == 1 {
		out = append(out, last.Result(0))
	}
	ret.SetOperands(out)
	fn.SetAttr(interfaces.FunctionTypeAttr, c.TypeAttr(c.Function(ir.TypesOf(entry.Args()), ir.TypesOf(out))))
	return string(asm.Print(module, asm.PrintOptions{}))
}

// empty is the state of an empty module.
func (g *scalarGen) empty() ir.OpState {
	s := g.b.State(builtin.Module)
	s.AddRegion().AddBlock()
	return s
}

func (g *scalarGen) add(v *ir.Value) { g.values[v.Type()] = append(g.values[v.Type()], v) }

// value returns a value of a type: one that there is, or a constant.
func (g *scalarGen) value(t ir.Type) *ir.Value {
	if list := g.values[t]; len(list) > 0 && g.choose(4) > 0 {
		return list[len(list)-1-g.choose(min(len(list), 4))]
	}
	if v := g.constantOf(t); v != nil {
		return v
	}
	if list := g.values[t]; len(list) > 0 {
		return list[g.choose(len(list))]
	}
	return nil
}

// constantOf returns a constant of a type; nil if there is none.
func (g *scalarGen) constantOf(t ir.Type) *ir.Value {
	c := g.b.Context()
	switch t := t.(type) {
	case *ir.ComplexType:
		parts := c.ArrayAttr(g.constant(t.Elem), g.constant(t.Elem))
		return g.b.CreateOp(complex.Constant, []ir.Type{t}, nil, ir.NamedAttr{Name: "value", Value: parts}).Result(0)
	case *ir.VectorType, *ir.RankedTensorType:
		if a := g.constant(ir.ElementType(t)); a != nil {
			return arith.NewConstant(g.b, c.DenseElements(t, ir.AppendElement(nil, a))).Result(0)
		}
		return nil
	}
	if a := g.constant(t); a != nil {
		return arith.NewConstant(g.b, a).Result(0)
	}
	return nil
}

// constant returns a number of a type, mostly one at which something changes; nil if there is none.
func (g *scalarGen) constant(t ir.Type) ir.Attribute {
	c := g.b.Context()
	switch t := t.(type) {
	case *ir.FloatType:
		if t.Width <= 64 {
			list := []float64{0, 1, -1, 0.5, 2}
			if k := g.choose(len(list) + 3); k < len(list) {
				return c.FloatAttr(t, list[k])
			} else if x, ok := exec.FloatValue(t, special(k-len(list))).(uint64); ok {
				return c.FloatBits(t, x, 0)
			}
		}
	case *ir.IntegerType:
		list := []int64{0, 1, -1, 2, -1 << (t.Width - 1), 1<<(t.Width-1) - 1, 3, -2}
		return c.IntegerAttr(t, exec.SignExtend(uint64(list[g.choose(len(list))]), t.Width))
	case *ir.IndexType:
		list := []int64{0, 1, -1, 2, 255, 256, 1 << 31, 3}
		return c.IntegerAttr(t, list[g.choose(len(list))])
	}
	return nil
}

// operation adds an operation, and tells whether the one that it tried is one.
func (g *scalarGen) operation() bool {
	dialects := scalarDefs()
	defs := dialects[g.choose(len(dialects))]
	if g.choose(2) == 0 {
		defs = slices.Concat(dialects...)
	}
	d := defs[g.choose(len(defs))]
	at := g.block.Terminator().Prev()
	t := g.types[g.choose(len(g.types))]
	var last *ir.Op
	if at != nil && at.NumOperands() > 0 && g.choose(2) == 0 {
		d, last = g.after(at), at
		t = last.Result(0).Type()
	}
	s := g.b.State(d.ID)
	for i := range d.Operands {
		if last == nil && g.choose(6) == 0 {
			t = g.types[g.choose(len(g.types))]
		}
		v := g.value(t)
		switch {
		case last != nil && i == 0:
			v = last.Result(0)
		case last != nil && g.choose(2) == 0:
			v = g.constantOf(t)
		}
		if v == nil {
			return false
		}
		s.Operands = append(s.Operands, v)
	}
	for _, a := range d.Attrs {
		if e := a.Type.Enum; e != nil && (!a.Optional && a.Default == nil || g.choose(3) == 0) && len(e.Cases) > 0 {
			s.SetAttr(a.Name, g.b.Context().EnumAttr(e, e.Cases[g.choose(len(e.Cases))].Value))
		}
	}
	result := t
	if last != nil && g.choose(2) == 0 {
		result = last.Operand(0).Type() // as of casts there and back
	} else if g.choose(3) == 0 {
		result = g.types[g.choose(len(g.types))]
	}
	ir.FillDefaults(&s)
	if s.Types = []ir.Type{result}; d.InferTypes != nil {
		types, err := d.InferTypes(&s)
		if err != nil {
			return false
		}
		s.Types = types
	}
	op := g.b.Insert(g.b.CreateExact(&s))
	// What can't be executed on such types can't be judged.
	if ir.VerifyOp(op) != nil || !interfaces.IsMemoryEffectFree(op) || exec.NewProgram(g.module).Function(g.module.BodyBlock(0).First()).Compile() != nil {
		for last := op; last != at; {
			before := last.Prev()
			last.Erase()
			last = before
		}
		return false
	}
	g.add(op.Result(0))
	return true
}

// after returns an operation for the result of another one: the same, or one of its dialect. What is folded is mostly a pair of these, with constants.
func (g *scalarGen) after(op *ir.Op) *ir.OpDef {
	for _, defs := range scalarDefs() {
		if slices.Contains(defs, op.Def()) && g.choose(2) == 0 {
			return defs[g.choose(len(defs))]
		}
	}
	return op.Def()
}

// special returns a number that is no usual one.
func special(k int) float64 { return []float64{math.Copysign(0, -1), math.Inf(1), math.NaN()}[k] }
