package exhaustive_test

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"freehold/dialect/arith"
	"freehold/dialect/builtin"
	"freehold/dialect/complex"
	funcd "freehold/dialect/funcd"
	"freehold/ir"
)

// tree is an expression: an instance of operands, or a leaf.
type tree struct {
	of   *instance
	res  int // which result is meant
	kids []*tree
	// A leaf is a constant, or an argument if that is nil.
	constant ir.Attribute
	arg      int
	typ      ir.Type // of the leaf
}

func (t *tree) String() string {
	switch {
	case t.of == nil && t.constant == nil:
		return fmt.Sprintf("arg%d", t.arg)
	case t.of == nil:
		return t.constant.String()
	}
	var b strings.Builder
	b.WriteString(t.of.name.String())
	for _, a := range t.of.attrs {
		b.WriteString("<" + a.Value.String() + ">")
	}
	if t.res > 0 {
		fmt.Fprintf(&b, "#%d", t.res)
	}
	for i, k := range t.kids {
		b.WriteString([]string{"(", ", "}[min(i, 1)] + k.String())
	}
	return b.String() + ")"
}

// walk calls fn with all instances.
func (t *tree) walk(fn func(x *instance)) {
	if t.of == nil {
		return
	}
	fn(t.of)
	for _, k := range t.kids {
		k.walk(fn)
	}
}

func newModule(c *ir.Context) *ir.Op {
	b := ir.NewBuilder(c)
	b.Loc = ir.Unknown
	return builtin.NewModule(b)
}

// addFunction adds a function with an entry block to the module.
func addFunction(module *ir.Op, name string, inputs, results []ir.Type) *ir.Op {
	c := module.Context()
	b := ir.NewBuilder(c)
	b.Loc = ir.Unknown
	b.SetEnd(module.BodyBlock(0))
	fn := b.Insert(funcd.New(b, name, c.Function(inputs, results)))
	funcd.AddEntryBlock(fn)
	return fn
}

// program is a function that computes trees.
type program struct {
	name   string
	inputs []ir.Type
	trees  []*tree
	fn     *ir.Op
}

// inputs returns the types of the arguments that trees have.
func inputsOf(trees ...*tree) []ir.Type {
	var in []ir.Type
	var rec func(t *tree)
	rec = func(t *tree) {
		if t.of == nil && t.constant == nil {
			for len(in) <= t.arg {
				in = append(in, nil)
			}
			in[t.arg] = t.typ
		}
		for _, k := range t.kids {
			rec(k)
		}
	}
	for _, t := range trees {
		rec(t)
	}
	for i := range in {
		if in[i] == nil {
			in[i] = ir.I1 // nothing uses it
		}
	}
	return in
}

// add adds the function of some trees to the module, which are results of the same operation if there are several;
// nil if there is no such program.
func addProgram(module *ir.Op, name string, trees ...*tree) *program {
	p := &program{name: name, inputs: inputsOf(trees...), trees: trees}
	var results []ir.Type
	for _, t := range trees {
		results = append(results, t.of.out[t.res])
	}
	p.fn = addFunction(module, name, p.inputs, results)
	b := ir.NewBuilder(module.Context())
	b.Loc = ir.Unknown
	entry := p.fn.BodyBlock(0)
	b.SetEnd(entry)
	made := map[*tree]*ir.Op{}
	valid := true
	var emit func(t *tree) *ir.Value
	emit = func(t *tree) *ir.Value {
		switch {
		case t.of == nil && t.constant == nil:
			return entry.Arg(t.arg)
		case t.of == nil:
			return newConstant(b, t.constant, t.typ)
		}
		op := made[t]
		if op == nil {
			st := ir.OpState{Name: t.of.name, Loc: ir.Unknown, Types: t.of.out, Attrs: append([]ir.NamedAttr(nil), t.of.attrs...)}
			for _, k := range t.kids {
				st.Operands = append(st.Operands, emit(k))
			}
			op = b.Create(st)
			if d := t.of.name.Def(); (t.of.unverified || d.Verify != nil && !d.VerifyAlone) && ir.VerifyOp(op) != nil {
				valid = false
			}
			made[t] = op
		}
		return op.Result(t.res)
	}
	var values []*ir.Value
	for i, t := range trees {
		if i > 0 && t.of == trees[0].of {
			values = append(values, made[trees[0]].Result(t.res))
			continue
		}
		values = append(values, emit(t))
	}
	funcd.NewReturn(b, values...)
	if !valid {
		p.fn.Erase()
		return nil
	}
	return p
}

// newConstant creates a constant.
func newConstant(b *ir.Builder, a ir.Attribute, t ir.Type) *ir.Value {
	if arr, ok := a.(*ir.ArrayAttr); ok {
		return b.CreateOp(complex.Constant, []ir.Type{t}, nil, ir.NamedAttr{Name: "value", Value: arr}).Result(0)
	}
	return arith.Materialize(b, a, t).Result(0)
}

// leaves calls fn with each list of leaves for operands of the given types: arguments (numbered in their order from first on) and constants,
// at most one of which is poison.
func (w *world) leaves(types []ir.Type, first []ir.Type, constants func(ir.Type) []ir.Attribute, fn func(list []*tree, args []ir.Type)) {
	list := make([]*tree, len(types))
	var rec func(i int, args []ir.Type)
	rec = func(i int, args []ir.Type) {
		if i == len(types) {
			fn(list, args)
			return
		}
		for k, t := range args {
			if t == types[i] {
				list[i] = &tree{arg: k, typ: t}
				rec(i+1, args)
			}
		}
		list[i] = &tree{arg: len(args), typ: types[i]}
		rec(i+1, append(args[:len(args):len(args)], types[i]))
		for _, a := range constants(types[i]) {
			list[i] = &tree{constant: a, typ: types[i]}
			rec(i+1, args)
		}
	}
	rec(0, first)
}

// randomLeaves returns random leaves for operands of the given types, and the arguments that there are then.
func (w *world) randomLeaves(r *rand.Rand, types, args []ir.Type) ([]*tree, []ir.Type) {
	var list []*tree
	for _, t := range types {
		var old []int
		for i, a := range args {
			if a == t {
				old = append(old, i)
			}
		}
		switch k := r.IntN(10); {
		case k < 4 && len(old) > 0:
			list = append(list, &tree{arg: old[r.IntN(len(old))], typ: t})
		case k < 6:
			list = append(list, &tree{arg: len(args), typ: t})
			args = append(args, t)
		default:
			c := w.constantsOf(t)
			list = append(list, &tree{constant: c[r.IntN(len(c))], typ: t})
		}
	}
	return list, args
}

// random returns a random tree of a type, of at most the given depth.
func (w *world) random(r *rand.Rand, t ir.Type, depth int, byResult map[ir.Type][]*instance, args *[]ir.Type, shared *[]*tree) *tree {
	if depth > 0 && r.IntN(8) > 0 && len(byResult[t]) > 0 {
		if r.IntN(6) == 0 {
			for range 4 {
				if len(*shared) == 0 {
					break
				}
				if s := (*shared)[r.IntN(len(*shared))]; s.of.out[s.res] == t {
					return s
				}
			}
		}
		x := byResult[t][r.IntN(len(byResult[t]))]
		n := &tree{of: x}
		for i, o := range x.out {
			if o == t {
				n.res = i
			}
		}
		for _, in := range x.in {
			n.kids = append(n.kids, w.random(r, in, depth-1, byResult, args, shared))
		}
		*shared = append(*shared, n)
		return n
	}
	if cs := w.constantsOf(t); r.IntN(2) == 0 && len(cs) > 0 {
		return &tree{constant: cs[r.IntN(len(cs))], typ: t}
	}
	for i, a := range *args {
		if a == t && r.IntN(2) == 0 {
			return &tree{arg: i, typ: t}
		}
	}
	if len(*args) < 3 {
		*args = append(*args, t)
		return &tree{arg: len(*args) - 1, typ: t}
	}
	for i, a := range *args {
		if a == t {
			return &tree{arg: i, typ: t}
		}
	}
	if cs := w.constantsOf(t); len(cs) > 0 {
		return &tree{constant: cs[r.IntN(len(cs))], typ: t}
	}
	return nil
}
