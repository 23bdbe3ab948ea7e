package boundary

import (
	funcd "freehold/dialect/funcd"
	"freehold/dialect/memref"
	"freehold/ir"
	"freehold/ir/analysis"
	"freehold/ir/interfaces"
)

// resultUse is a set of what a caller does with a buffer that it gets.
type resultUse uint8

const (
	// used buffers are not only freed.
	used resultUse = 1 << iota
	written
	// widened buffers are seen as others, which may have more elements.
	widened
)

// resultUses finds out what callers do with the results of functions.
type resultUses struct {
	tables  *ir.SymbolTables
	callers *analysis.Callers
	widens  bool // something in the module sees a buffer as another one
	buffers map[*ir.Op]*analysis.Buffers
	known   map[*ir.Value]resultUse // of results of calls
}

func newResultUses(module *ir.Op, tables *ir.SymbolTables) *resultUses {
	u := &resultUses{tables: tables, callers: analysis.NewCallers(module, tables), buffers: map[*ir.Op]*analysis.Buffers{}, known: map[*ir.Value]resultUse{}}
	module.Walk(func(op *ir.Op) bool {
		u.widens = u.widens || widens(op)
		return true
	})
	return u
}

// mayTell tells whether callers may see that result i of a function is a copy and no part of what the results in shared may be
// parts of: because one is written and another one used, or because it is seen as more than it is.
func (u *resultUses) mayTell(fn *ir.Op, i int, shared []int) bool {
	if !u.widens && len(shared) == 0 {
		return false
	}
	for _, call := range u.callers.Calls(fn) {
		use := u.of(call.Result(i))
		if use&widened != 0 {
			return true
		}
		for _, j := range shared {
			if other := u.of(call.Result(j)); use&written != 0 && other&used != 0 || other&written != 0 && use&used != 0 {
				return true
			}
		}
	}
	return false
}

// widens tells whether an operation gives access to the memory around a buffer.
func widens(op *ir.Op) bool {
	return op.Is(memref.ReinterpretCast) || op.Is(memref.ExtractStridedMetadata) || op.Is(memref.ExtractAlignedPointerAsIndex)
}

// of returns what is done with a result of a call, as far as it is done in the module. It follows the result
// through other calls. Linear in the functions that it gets to.
func (u *resultUses) of(result *ir.Value) resultUse {
	if use, ok := u.known[result]; ok {
		return use
	}
	var use resultUse
	seen := map[*ir.Value]bool{}
	work := []*ir.Value{result}
	for len(work) > 0 {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[v] {
			continue
		}
		in := functionOf(v)
		u.buffersOf(in).Names(v, func(name *ir.Value) {
			if seen[name] {
				return
			}
			seen[name] = true
			for x := name.FirstUse(); x != nil; x = x.Next() {
				op := x.Owner()
				if !analysis.FreesOnly(op, name) {
					use |= used
				}
				switch callee := u.callee(op); {
				case widens(op):
					use |= widened
				case callee != nil:
					if body := funcd.Body(callee); !body.Empty() {
						work = append(work, body.Entry().Arg(x.Index()))
					} else {
						use |= written
					}
				case op.Is(funcd.Return):
					for _, c := range u.callers.Calls(in) {
						work = append(work, c.Result(x.Index()))
					}
				case mayWrite(x):
					use |= written
				}
			}
		})
	}
	u.known[result] = use
	return use
}

// buffersOf returns the buffers of the function that a value is in.
func (u *resultUses) buffersOf(fn *ir.Op) *analysis.Buffers {
	b := u.buffers[fn]
	if b == nil {
		b = analysis.NewBuffers(fn, analysis.BufferOptions{Boundary: true})
		u.buffers[fn] = b
	}
	return b
}

// callee returns the function that an operation calls, if it is known.
func (u *resultUses) callee(op *ir.Op) *ir.Op {
	if !op.Is(funcd.Call) {
		return nil
	}
	if fn := u.tables.Lookup(op, funcd.Callee(op)); fn != nil && fn.Is(funcd.Func) {
		return fn
	}
	return nil
}

// functionOf returns the function that a value is in.
func functionOf(v *ir.Value) *ir.Op {
	op := v.DefiningOp()
	if op == nil {
		op = v.ArgOwner().ParentOp()
	}
	for ; op.Parent() != nil; op = op.Parent() {
		if interfaces.Function.Has(op) {
			break
		}
	}
	return op
}
