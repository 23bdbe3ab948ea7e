package analysis

import (
	"freehold/ir"
	"freehold/ir/interfaces"
)

// pends notes that an operation may use a buffer until the work is done that a token stands for.
func (o *Origins) pends(v, token *ir.Value) {
	o.carries(v, token)
	if !token.HasUses() {
		o.leaves(v, Passed) // nobody waits
	}
}

// findPending looks for buffers that op, or what is nested in it, may use when control has left it.
func (o *Origins) findPending(op *ir.Op) {
	tokens := interfaces.Tokens(op)
	if len(tokens) == 0 {
		return
	}
	forBuffers(op, func(v *ir.Value) {
		for _, t := range tokens {
			o.pends(v, t)
		}
	})
}

// forBuffers calls fn for the buffers that an operation uses itself or in its regions, and that it makes.
func forBuffers(op *ir.Op, fn func(v *ir.Value)) {
	for _, v := range op.Results().Values() {
		if ir.IsMemRef(v.Type()) {
			fn(v)
		}
	}
	op.Walk(func(x *ir.Op) bool {
		for _, v := range x.Operands().Values() {
			if ir.IsMemRef(v.Type()) && !op.IsAncestorOf(v.ParentBlock().ParentOp()) {
				fn(v)
			}
		}
		return true
	})
}

// CheckPending returns an error if an operation may still be at work on a buffer when a block ends in which the buffer
// may be freed: in that of the operation, or, if it is known, that in which the buffer is allocated, the work must be waited for.
func CheckPending(fn *ir.Op) (err error) {
	fn.Walk(func(op *ir.Op) bool {
		tokens := interfaces.Tokens(op)
		for _, t := range tokens {
			waits := waitsFor(t)
			if err == nil && !waits[op.Block()] {
				forBuffers(op, func(v *ir.Value) {
					base := ViewBase(v)
					switch {
					case err != nil || isFunctionArg(base) || isGlobal(base):
					case !allocated(base) || !waits[base.ParentBlock()]:
						err = op.PlainErrorf("may still be at work on a buffer when it is freed: nothing in the block waits for it")
					}
				})
			}
		}
		return err == nil
	})
	return err
}

func isGlobal(v *ir.Value) bool {
	_, ok := globalOf(v)
	return ok
}

// waitsFor returns the blocks with operations that wait for the work of a token.
func waitsFor(token *ir.Value) map[*ir.Block]bool {
	waits := map[*ir.Block]bool{}
	seen := map[*ir.Value]bool{token: true}
	work := []*ir.Value{token}
	for len(work) > 0 {
		t := work[len(work)-1]
		work = work[:len(work)-1]
		for u := t.FirstUse(); u != nil; u = u.Next() {
			op := u.Owner()
			if op.Has(ir.TraitTerminator) || interfaces.RegionBranch.Has(op) || interfaces.Call.Has(op) {
				continue
			}
			next := interfaces.Tokens(op)
			if len(next) == 0 {
				waits[op.Block()] = true
			}
			for _, n := range next {
				if !seen[n] {
					seen[n] = true
					work = append(work, n)
				}
			}
		}
	}
	return waits
}
