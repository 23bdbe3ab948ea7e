// Package symboldce erases symbols that nothing refers to.
package symboldce

import (
	"freehold/ir"
	"freehold/pass"
)

// Run erases, in the symbol table operation op and those nested in it, the symbols
// that no live operation refers to and that can't be seen from outside. It returns
// their number. Linear time.
func Run(op *ir.Op) int {
	l := &liveness{tables: ir.NewSymbolTables(), live: map[*ir.Op]bool{}}
	hidden := true
	if _, ok := ir.SymbolName(op); ok && op.Parent() != nil {
		hidden = ir.IsPrivate(op)
	}
	l.table(op, hidden)
	erased := 0
	op.Walk(func(o *ir.Op) bool {
		if !o.Has(ir.TraitSymbolTable) {
			return true
		}
		for _, r := range o.Regions() {
			for b := range r.Blocks() {
				for x := range b.Ops() {
					if _, ok := ir.SymbolName(x); ok && !l.live[x] {
						x.Erase()
						erased++
					}
				}
			}
		}
		return true
	})
	return erased
}

type liveness struct {
	tables *ir.SymbolTables
	live   map[*ir.Op]bool
}

// table finds the live symbols of a symbol table. hidden tells that its symbols
// can't be reached from outside.
func (l *liveness) table(table *ir.Op, hidden bool) {
	type item struct {
		op     *ir.Op
		hidden bool
	}
	var work []item
	add := func(table *ir.Op, hidden bool) {
		for _, r := range table.Regions() {
			for b := range r.Blocks() {
				for o := range b.Ops() {
					if _, ok := ir.SymbolName(o); ok {
						if l.live[o] || !ir.IsPublic(o) && (hidden || ir.IsPrivate(o)) {
							continue
						}
						l.live[o] = true
					}
					work = append(work, item{o, hidden})
				}
			}
		}
	}
	add(table, hidden)
	for len(work) > 0 {
		it := work[len(work)-1]
		work = work[:len(work)-1]
		if it.op.Has(ir.TraitSymbolTable) {
			_, isSymbol := ir.SymbolName(it.op)
			add(it.op, it.hidden || !isSymbol || ir.IsPrivate(it.op))
		}
		l.uses(it.op, func(o *ir.Op) {
			if !l.live[o] {
				l.live[o] = true
				work = append(work, item{o, true})
			}
		})
	}
}

// uses calls fn for the symbols that op refers to, itself or in its regions, not
// in nested symbol tables; for nested references, also for the tables on the way.
func (l *liveness) uses(op *ir.Op, fn func(*ir.Op)) {
	ir.OpSymbolUses(op, func(ref *ir.SymbolRefAttr) {
		for i := range len(ref.Nested) + 1 {
			prefix := ref
			if i < len(ref.Nested) {
				prefix = op.Context().SymbolRef(ref.Root, ref.Nested[:i]...)
			}
			from := op
			if op.Has(ir.TraitSymbolTable) && op.Parent() != nil {
				from = op.Parent()
			}
			if o := l.tables.Lookup(from, prefix); o != nil {
				fn(o)
			}
		}
	})
	if op.Has(ir.TraitSymbolTable) {
		return
	}
	for _, r := range op.Regions() {
		for b := range r.Blocks() {
			for o := range b.Ops() {
				l.uses(o, fn)
			}
		}
	}
}

// counters are the statistics of the pass.
type counters struct{ erased pass.Counter }

// Pass is --symbol-dce.
var Pass = pass.New(pass.Info{
	Name: "symbol-dce", Title: "SymbolDCE",
	Summary: "Erase functions and globals that nothing needs",
	Description: `Erases symbols that are private, or nested in a table that can't be reached from
outside, and that no live operation refers to. Run it after inlining. Linear time.`,
}, func(n *counters, d *pass.Decl) {
	d.Counter(&n.erased, "num-dce'd", "Number of symbols DCE'd")
}, pass.OnModule(func(_ *pass.Context, n *counters, op *ir.Op) error {
	if !op.Has(ir.TraitSymbolTable) {
		return op.Errorf(" was scheduled to run under SymbolDCE, but does not define a symbol table")
	}
	n.erased.Add(Run(op))
	return nil
}))

// Register adds the pass.
func Register(r *pass.Registry) { r.Register(Pass) }
