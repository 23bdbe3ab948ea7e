package emitc

import (
	"slices"

	"freehold/dialect/cf"
	"freehold/ir"
	"freehold/ir/interfaces"
)

// stackScope is a part of the function that stack allocations live in.
type stackScope struct {
	region *ir.Region
	// arrays is where the arrays of the scope are declared, and chain the variable with the list of what is released at its end; it is ""
	// as long as there is nothing.
	arrays *line
	chain  string
}

// openScope begins a scope of stack allocations, a region.
func (f *function) openScope(r *ir.Region) {
	f.scopes = append(f.scopes, &stackScope{region: r, arrays: f.group()})
}

// closeScope ends the innermost scope.
func (f *function) closeScope() {
	s := f.scopes[len(f.scopes)-1]
	f.scopes = f.scopes[:len(f.scopes)-1]
	if s.chain != "" && len(f.scopes) > 0 {
		f.linef("%s(%s);", f.m.helper("fh_release"), s.chain)
	}
}

// releaseAll ends all scopes, as the function is left.
func (f *function) releaseAll() {
	for i := len(f.scopes) - 1; i >= 0; i-- {
		if c := f.scopes[i].chain; c != "" {
			f.linef("%s(%s);", f.m.helper("fh_release"), c)
		}
	}
}

// region writes a region. exit is called for each terminator that leaves it, to write what becomes of its operands; control then goes on
// behind what region writes.
func (f *function) region(op *ir.Op, r *ir.Region, exit func(t *ir.Op)) {
	if r.NumBlocks() == 1 {
		f.block(r.Entry(), exit)
		return
	}
	blocks := reachable(r)
	labels := map[*ir.Block]string{}
	for _, b := range blocks {
		if b == r.Entry() {
			labels[b] = f.names.fresh("start")
			continue
		}
		labels[b] = f.names.fresh("block")
		for _, a := range b.Args() {
			f.bind(a, f.variable(nameOf(a), f.ctype(op, a.Type()), ""))
		}
	}
	end := f.names.fresh("end")
	for i, b := range blocks {
		f.add(&line{kind: label, name: labels[b], text: labels[b] + ":;"})
		f.block(b, func(t *ir.Op) {
			if interfaces.Branch.Has(t) {
				f.branch(t, labels)
				return
			}
			exit(t)
			if op != f.op && i < len(blocks)-1 {
				f.linef("goto %s;", end)
			}
		})
	}
	f.add(&line{kind: label, name: end, text: end + ":;"})
}

// reachable lists the blocks of a region that control can reach, each after those that dominate it.
func reachable(r *ir.Region) (out []*ir.Block) {
	seen := map[*ir.Block]bool{}
	var visit func(b *ir.Block)
	visit = func(b *ir.Block) {
		seen[b] = true
		succs := b.Succs()
		// From the last one on, so that the blocks come in the order of the program where that is possible.
		for i := len(succs) - 1; i >= 0; i-- {
			if !seen[succs[i]] {
				visit(succs[i])
			}
		}
		out = append(out, b)
	}
	visit(r.Entry())
	slices.Reverse(out)
	return out
}

// block writes the operations of a block; exit writes its terminator.
func (f *function) block(b *ir.Block, exit func(t *ir.Op)) {
	for op := range b.Ops() {
		if op == b.Last() && (op.Has(ir.TraitTerminator) || op.NumSuccessors() > 0) {
			exit(op)
			return
		}
		f.operation(op)
	}
}

// operation writes an operation that is no terminator.
func (f *function) operation(op *ir.Op) {
	if e := operations().emitters[op.ID()]; e != nil && op.Registered() {
		if !operations().quiet[op.ID()] {
			f.at(op)
		}
		e(f, op)
		f.leaveUnused(op)
		return
	}
	if s := operations().scalars[op.ID()]; s != nil && op.Registered() {
		f.elementwise(op, s)
		return
	}
	if interfaces.Structured.Has(op) {
		f.at(op)
		f.structured(op)
		return
	}
	if m, ok := interfaces.Copy.Of(op); ok && !interfaces.HasTensorTypes(op) {
		f.at(op)
		from, to := m(op)
		f.copy(op, from, to)
		return
	}
	f.fail(op, "%s", whyNot(op))
}

// leaveUnused keeps compilers from complaining of vectors that an operation makes element by element, and that nothing reads.
func (f *function) leaveUnused(op *ir.Op) {
	for _, v := range op.Results().Values() {
		if name := f.scalars[v]; ir.IsVector(v.Type()) && !v.HasUses() && name != "" && isAtom(name) {
			f.linef("(void)%s;", name)
		}
	}
}

// whyNot tells why there is no emitter for an operation.
func whyNot(op *ir.Op) string {
	if !op.Registered() {
		return "nothing is known about it"
	}
	if interfaces.HasTensorTypes(op) {
		return "it is on tensors; freehold compile makes buffers of them"
	}
	return "there is nothing for it in C"
}

// branch writes a terminator that branches to blocks with labels.
func (f *function) branch(t *ir.Op, labels map[*ir.Block]string) {
	f.at(t)
	m, _ := interfaces.Branch.Of(t)
	to := func(i int) {
		start, n, produced := m.SuccessorOperands(t, i)
		if produced > 0 {
			f.fail(t, "it passes values that it makes itself")
		}
		f.move(t, t.Operands()[start:start+n].Values(), t.Successor(i).Args())
		f.linef("goto %s;", labels[t.Successor(i)])
	}
	switch {
	case t.Is(cf.Branch):
		to(0)
	case t.Is(cf.CondBranch):
		f.openf("if (%s)", f.value(cf.CondBranchOp{Op: t}.Condition()))
		to(0)
		f.close()
		to(1)
	case t.Is(cf.Switch):
		_, cases := cf.SwitchCases(t)
		f.openf("switch (%s)", f.value(cf.SwitchOp{Op: t}.Flag()))
		for i, c := range cases {
			f.linef("case %s: {", f.literal(t, cf.SwitchOp{Op: t}.Flag().Type(), c.Value))
			f.indent++
			to(i + 1)
			f.close()
		}
		f.close()
		to(0)
	default:
		f.fail(t, "%s", whyNot(t))
	}
}

// variables declares a variable for each value that is used, with the given first values, and binds the values to them. Values that nothing
// uses get no variable.
func (f *function) variables(op *ir.Op, values []*ir.Value, first []*ir.Value) {
	for i, v := range values {
		init := ""
		if first != nil {
			init = f.passed(op, first[i])
		}
		f.bind(v, f.variable(nameOf(v), f.ctype(op, v.Type()), init))
	}
}

// move assigns values to the variables that other values are bound to, all at once.
func (f *function) move(op *ir.Op, from, to []*ir.Value) {
	var names, exprs []string
	for i, v := range from {
		name := f.variableOf(to[i])
		if expr := f.passed(op, v); expr != name {
			names, exprs = append(names, name), append(exprs, expr)
		}
	}
	f.assignAll(op, names, exprs, func(i int) ir.Type {
		for k, v := range to {
			if f.variableOf(v) == names[i] {
				return to[k].Type()
			}
		}
		return nil
	})
}

// assignAll assigns expressions to variables as if at once.
func (f *function) assignAll(op *ir.Op, names, exprs []string, typeOf func(i int) ir.Type) {
	for i := range names {
		for k := i + 1; k < len(names); k++ {
			if mentions(exprs[k], names[i]) {
				exprs[k] = f.define("next", f.ctype(op, typeOf(k)), exprs[k])
			}
		}
	}
	for i, n := range names {
		f.assign(n, exprs[i])
	}
}

// mentions tells whether a name is in an expression.
func mentions(expr, name string) (found bool) {
	eachIdentifier(expr, func(n string) { found = found || n == name })
	return found
}

// variableOf returns the variable that a value is bound to.
func (f *function) variableOf(v *ir.Value) string {
	r := f.memrefs[v]
	if r == nil {
		return f.value(v)
	}
	for i := range len(r.data) {
		if r.data[i] == '.' {
			return r.data[:i]
		}
	}
	return r.data
}

// yields returns the function that assigns what a region's terminator yields to the variables of values.
func (f *function) yields(op *ir.Op, to []*ir.Value) func(t *ir.Op) {
	return func(t *ir.Op) {
		start, n := 0, t.NumOperands()
		if m, ok := interfaces.RegionBranchTerminator.Of(t); ok {
			start, n = m(t, interfaces.ParentPoint)
		}
		if n != len(to) {
			f.fail(t, "it yields %d values, not %d", n, len(to))
		}
		f.move(op, t.Operands()[start:start+n].Values(), to)
	}
}

// body writes a region in a block of its own, which is a scope of stack allocations if scoped is set.
func (f *function) body(op *ir.Op, r *ir.Region, scoped bool, exit func(t *ir.Op)) {
	if scoped {
		f.openScope(r)
	}
	f.region(op, r, exit)
	if scoped {
		f.closeScope()
	}
}
