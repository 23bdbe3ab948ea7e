package compile

import (
	"slices"

	"freehold/dialect/deallocation"
	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/pass"
)

// smallProgram is how many operations a program has at most with which all ways to insert frees are tried. That takes no longer than the proof.
const smallProgram = 512

// isFree tells whether the way to insert frees is left to the compiler.
func (c *Compiler) isFree() bool {
	return c.Passes == "" && c.Options.Deallocation == "" && c.Options.Results != ResultArguments
}

// bestDeallocation tries other ways to insert frees on copies of a program where they may make more of it, and returns the best attempt. What functions take and return
// is the same by all of them, nobody but MLIR-HLO knows owners, and what comes out is proved.
func (c *Compiler) bestDeallocation(run pass.Runner, first *attempt, normal *original, out *Result) (*attempt, error) {
	if !mayDiffer(first, normal) {
		return first, nil
	}
	best, others := first, []Comparison(nil)
	for _, way := range []Deallocation{HLO, Clone} {
		o := c.Options
		o.Deallocation = way
		a, err := c.attemptWith(run, o, normal, out)
		if err != nil {
			return nil, err
		}
		if a.err == nil && (hasOwners(a.module) || !keepsContracts(a, first, normal.module)) {
			continue
		}
		// Of what isn't the best no program is kept, as these may be large.
		other := a
		if a.err == nil && (best.err != nil || a.improves(best)) && proved(a.module) {
			best, other = a, best
		}
		others = append(others, other.comparison())
	}
	out.Deallocation, out.Others = best.deallocation, others
	return best, nil
}

// mayDiffer tells whether another way to insert frees may make more of a program: the first one didn't take it, or asks at run time whether to free, which costs buffers and time.
func mayDiffer(first *attempt, normal *original) bool {
	return first.err != nil || normal.small || asksToFree(first.module)
}

// asksToFree tells whether a program decides at run time whether to free: an operation does, or a condition is there for nothing but that. Linear time.
func asksToFree(module *ir.Op) (found bool) {
	module.Walk(func(op *ir.Op) bool {
		found = found || interfaces.ConditionalFree.Has(op)
		if !interfaces.Function.Has(op) {
			for _, r := range op.Regions() {
				for b := range r.Blocks() {
					found = found || onlyFrees(b)
				}
			}
		}
		return !found
	})
	return found
}

// onlyFrees tells whether a block frees, and has no other effect.
func onlyFrees(b *ir.Block) (frees bool) {
	for op := range b.Ops() {
		effects, known := interfaces.EffectsOf(op)
		switch {
		case known && len(effects) > 0 && !slices.ContainsFunc(effects, func(e interfaces.Effect) bool { return e.Kind != interfaces.Free }):
			frees = true
		case !op.Has(ir.TraitTerminator) && !interfaces.IsMemoryEffectFree(op):
			return false
		}
	}
	return frees
}

// countOps counts the operations in op, up to a limit.
func countOps(op *ir.Op, limit int) (n int) {
	op.Walk(func(*ir.Op) bool {
		n++
		return n < limit
	})
	return n
}

// improves tells whether a program needs less memory than the same one compiled otherwise without more copies, or as much with fewer copies or allocations, and not more of one of them.
// Copies count since the peak is an upper bound, which takes branches of the same condition for others.
func (a *attempt) improves(b *attempt) bool {
	x, y := a.measure(), b.measure()
	if !y.Peak.AtLeast(x.Peak) || x.Copies > y.Copies {
		return false
	}
	if !x.Peak.AtLeast(y.Peak) {
		return true
	}
	return x.Allocations <= y.Allocations && x.ConditionalFrees <= y.ConditionalFrees &&
		(x.Copies < y.Copies || x.Allocations < y.Allocations || x.ConditionalFrees < y.ConditionalFrees)
}

// hasOwners tells whether a program has operations or values of the dialect of owners, which other tools don't know.
func hasOwners(module *ir.Op) (found bool) {
	module.Walk(func(op *ir.Op) bool {
		found = found || slices.ContainsFunc(op.Results().Types(), deallocation.IsOwnership) || slices.ContainsFunc(op.Operands().Types(), deallocation.IsOwnership)
		return !found
	})
	return found
}

// proved tells whether a proof says that a program frees each buffer once and doesn't use it afterwards.
func proved(module *ir.Op) bool {
	report, _, uncertified, unverified := prove(module)
	return report.Safe() && uncertified == nil && unverified == nil
}

// keepsContracts tells whether the public functions of a compiled program take and return what those of the first one do, or, if there is none, as many buffers as those of the
// program that was given had tensors: MLIR-HLO's functions may return owners beside.
func keepsContracts(a, first *attempt, normal *ir.Op) bool {
	if first.err == nil {
		before, after := contracts(first.module), contracts(a.module)
		return slices.EqualFunc(before, after, contract.same)
	}
	return slices.EqualFunc(contracts(normal), contracts(a.module), contract.bufferizesTo)
}

// contract is what a public function takes and returns.
type contract struct {
	name            string
	inputs, results []ir.Type
	borrowed        []bool // of each result, whether callers must not free it
}

// contracts returns those of the public functions of a module, in order.
func contracts(module *ir.Op) (out []contract) {
	module.Walk(func(op *ir.Op) bool {
		m, ok := interfaces.Function.Of(op)
		name, named := ir.SymbolName(op)
		if !ok || !named || !ir.IsPublic(op) {
			return !ok
		}
		t := m.Type(op)
		c := contract{name: name, inputs: t.Inputs, results: t.Results}
		for i := range t.Results {
			c.borrowed = append(c.borrowed, interfaces.ResAttr(op, i, interfaces.BorrowedAttr) != nil)
		}
		out = append(out, c)
		return false
	})
	return out
}

func (c contract) same(d contract) bool {
	return c.name == d.name && slices.Equal(c.inputs, d.inputs) && slices.Equal(c.results, d.results) && slices.Equal(c.borrowed, d.borrowed)
}

// bufferizesTo tells whether d takes and returns a buffer for each tensor of c, and the rest as it is.
func (c contract) bufferizesTo(d contract) bool {
	becomes := func(t, u ir.Type) bool { return t == u || ir.IsTensor(t) && ir.IsMemRef(u) }
	return c.name == d.name && slices.EqualFunc(c.inputs, d.inputs, becomes) && slices.EqualFunc(c.results, d.results, becomes)
}
