package memref

import (
	"freehold/dialect/affine"
	funcd "freehold/dialect/funcd"
	"freehold/dialect/memref"
	"freehold/ir"
	"freehold/ir/interfaces"
)

// Normalize gives buffers that have a layout types without one, and computes where their elements are, in all functions of the module
// for which that is possible: each use of such a buffer must be an access whose position is an affine map, a load or store whose indices
// could be operands of one, or indifferent to layouts. Functions that call each other change together, or not at all. It returns
// whether anything changed. It takes time in the size of the module.
func Normalize(module *ir.Op) bool {
	n := &normalizer{
		c: module.Context(), b: ir.NewBuilder(module.Context()), tables: ir.NewSymbolTables(),
		forms: map[*ir.MemRefType]*normalForm{}, group: map[*ir.Op]*ir.Op{}, stays: map[*ir.Op]bool{},
		values: map[*ir.Value]*normalForm{}, results: map[*ir.Op][]bool{}, callers: map[*ir.Op][]*ir.Op{}, returns: map[*ir.Op][]*ir.Op{},
	}
	n.collect(module)
	for _, fn := range n.functions {
		n.choose(fn)
	}
	n.chooseResults()
	for _, fn := range n.functions {
		if !n.agrees(fn) {
			n.stays[n.root(fn)] = true
		}
	}
	changed := false
	for _, fn := range n.functions {
		if !n.stays[n.root(fn)] && n.rewrite(fn) {
			changed = true
		}
	}
	return changed
}

// normalizer has what is known about the functions of a module.
type normalizer struct {
	c      *ir.Context
	b      *ir.Builder
	tables *ir.SymbolTables
	forms  map[*ir.MemRefType]*normalForm

	functions []*ir.Op
	// group leads to another function that changes with this one, if there is one.
	group map[*ir.Op]*ir.Op
	// stays says which groups, by their roots, can't be changed.
	stays map[*ir.Op]bool
	// callers are the calls of a function, and returns the ends of its body.
	callers, returns map[*ir.Op][]*ir.Op
	// values get a type without layout if their function's group changes; results says which results of a function do.
	values  map[*ir.Value]*normalForm
	results map[*ir.Op][]bool
}

// root returns the function that stands for the group of fn.
func (n *normalizer) root(fn *ir.Op) *ir.Op {
	for n.group[fn] != nil {
		if next := n.group[n.group[fn]]; next != nil {
			n.group[fn] = next
		}
		fn = n.group[fn]
	}
	return fn
}

// form returns the normal form of a type, nil if it has none, or no layout.
func (n *normalizer) form(t ir.Type) *normalForm {
	m, ok := t.(*ir.MemRefType)
	if !ok || m.HasIdentityLayout() {
		return nil
	}
	f, known := n.forms[m]
	if !known {
		f = normalFormOf(n.c, m)
		n.forms[m] = f
	}
	return f
}

func hasLayout(t ir.Type) bool {
	m, ok := t.(*ir.MemRefType)
	return ok && !m.HasIdentityLayout()
}

// collect finds the functions, their calls and returns, and which of them change together. A function that is referred to by anything but calls
// stays as it is.
func (n *normalizer) collect(module *ir.Op) {
	var walk func(op, fn *ir.Op)
	walk = func(op, fn *ir.Op) {
		switch {
		case op.Is(funcd.Func):
			fn = op
			n.functions = append(n.functions, fn)
		case op.Is(funcd.Return):
			n.returns[fn] = append(n.returns[fn], op)
		}
		ir.OpSymbolUses(op, func(ref *ir.SymbolRefAttr) {
			target := n.tables.Lookup(op, ref)
			if target == nil || !target.Is(funcd.Func) {
				return
			}
			if !op.Is(funcd.Call) || fn == nil {
				n.stays[n.root(target)] = true
				return
			}
			n.callers[target] = append(n.callers[target], op)
			if a, b := n.root(target), n.root(fn); a != b {
				n.group[a] = b
				n.stays[b] = n.stays[b] || n.stays[a]
			}
		})
		for _, r := range op.Regions() {
			for b := range r.Blocks() {
				for o := range b.Ops() {
					walk(o, fn)
				}
			}
		}
	}
	walk(module, nil)
}

// choose finds the values in a function that get another type, and whether all uses of those with a layout allow it.
func (n *normalizer) choose(fn *ir.Op) {
	body := funcd.Body(fn)
	if body.Empty() {
		return
	}
	for _, a := range body.Entry().Args() {
		n.consider(fn, a, true)
	}
	fn.Walk(func(op *ir.Op) bool {
		_, indifferent := interfaces.MemRefsNormalizable.Of(op)
		if op.Is(memref.Alloc) || op.Is(funcd.Call) || indifferent {
			for _, v := range op.Results().Values() {
				n.consider(fn, v, !op.Is(funcd.Call))
			}
		}
		return true
	})
}

// consider makes v, if it has a layout, a value that gets another type; with chosen false, that depends on the function that returns it.
func (n *normalizer) consider(fn *ir.Op, v *ir.Value, chosen bool) {
	if !hasLayout(v.Type()) {
		return
	}
	f := n.form(v.Type())
	if f != nil && f.at.Syms > 0 && (v.DefiningOp() == nil || !v.DefiningOp().Is(memref.Alloc)) {
		f = nil
	}
	if f != nil && len(f.sizes) > 0 && !n.sizesKnown(v) {
		n.stays[n.root(fn)] = true
	}
	for u := v.FirstUse(); u != nil; u = u.Next() {
		if !followsLayouts(u.Owner()) || f != nil && !rewritable(u, f, n.symbols(v)) {
			n.stays[n.root(fn)] = true
			return
		}
	}
	if f != nil && chosen {
		n.values[v] = f
	}
}

// symbols are the operands of an allocation that its layout depends on.
func (n *normalizer) symbols(v *ir.Value) []*ir.Value {
	if op := v.DefiningOp(); op != nil && op.Is(memref.Alloc) {
		return op.OperandGroup(1).Values()
	}
	return nil
}

// sizesKnown tells whether the sizes of an allocation can be operands of affine maps.
func (n *normalizer) sizesKnown(v *ir.Value) bool {
	op := v.DefiningOp()
	if op == nil || !op.Is(memref.Alloc) {
		return true
	}
	for _, size := range op.OperandGroup(0).Values() {
		if !affine.IsValidDim(size, affine.Scope(op)) {
			return false
		}
	}
	return true
}

// chooseResults finds the results of functions that get another type: those of declarations, and those of which some value that gets one
// is returned.
func (n *normalizer) chooseResults() {
	work := append([]*ir.Op(nil), n.functions...)
	for len(work) > 0 {
		fn := work[len(work)-1]
		work = work[:len(work)-1]
		if n.results[fn] == nil {
			n.results[fn] = make([]bool, len(funcd.Type(fn).Results))
		}
		for i, t := range funcd.Type(fn).Results {
			if n.results[fn][i] || n.form(t) == nil || !n.returnsNormal(fn, i) {
				continue
			}
			n.results[fn][i] = true
			for _, call := range n.callers[fn] {
				v := call.Result(i)
				if f := n.form(v.Type()); f.at.Syms == 0 {
					n.values[v] = f
				}
				if caller := call.ParentOf(funcd.Func); caller != nil {
					work = append(work, caller)
				}
			}
		}
	}
}

func (n *normalizer) returnsNormal(fn *ir.Op, i int) bool {
	if funcd.Body(fn).Empty() {
		return n.form(funcd.Type(fn).Results[i]).at.Syms == 0
	}
	for _, op := range n.returns[fn] {
		if n.values[op.Operand(i)] != nil {
			return true
		}
	}
	return false
}

// agrees tells whether what the function returns, and what its callers pass, has the type that it gets.
func (n *normalizer) agrees(fn *ir.Op) bool {
	for _, op := range n.returns[fn] {
		for i, v := range op.Operands().Values() {
			if n.results[fn][i] != (n.values[v] != nil) {
				return false
			}
		}
	}
	for _, call := range n.callers[fn] {
		for i, t := range funcd.Type(fn).Inputs {
			if n.argForm(fn, i, t) != nil && n.values[call.Operand(i)] == nil || n.argForm(fn, i, t) == nil && n.values[call.Operand(i)] != nil {
				return false
			}
		}
	}
	return true
}

// argForm returns the normal form that an argument gets, or nil.
func (n *normalizer) argForm(fn *ir.Op, i int, t ir.Type) *normalForm {
	if body := funcd.Body(fn); !body.Empty() {
		return n.values[body.Entry().Arg(i)]
	}
	if f := n.form(t); f != nil && f.at.Syms == 0 {
		return f
	}
	return nil
}
