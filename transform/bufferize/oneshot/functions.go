package oneshot

import (
	"iter"
	"slices"

	"freehold/dialect/bufferization"
	"freehold/ir"
	"freehold/ir/interfaces"
)

// function is what module analysis knows about a function.
type function struct {
	op              *ir.Op
	analyzed        bool // false while its body is being analyzed
	reads, writes   map[int]bool
	aliasingResults map[int][]int
	equivalentArgs  map[int]int
	returned        [][]int       // at each return, the argument that each result equals there, or -1 if it equals none there or before
	otherResults    map[int][]int // of each result, those before it that may alias it
	readOnlyResults map[int]bool
	// mayReturnReadOnly is what is known of all results before the body was analyzed.
	mayReturnReadOnly bool
}

func (f *function) Analyzed() bool                { return f.analyzed }
func (f *function) ReadsArg(i int) bool           { return f.reads[i] }
func (f *function) WritesArg(i int) bool          { return f.writes[i] }
func (f *function) AliasingResults(arg int) []int { return f.aliasingResults[arg] }
func (f *function) EquivalentArg(result int) int {
	if a, ok := f.equivalentArgs[result]; ok {
		return a
	}
	return -1
}

func (f *function) AliasingOtherResults(result int) []int { return f.otherResults[result] }
func (f *function) WritableResult(result int) bool {
	return !f.readOnlyResults[result] && (f.analyzed || !f.mayReturnReadOnly)
}

func newFunction(op *ir.Op) *function {
	return &function{op: op, reads: map[int]bool{}, writes: map[int]bool{}, aliasingResults: map[int][]int{},
		equivalentArgs: map[int]int{}, otherResults: map[int][]int{}, readOnlyResults: map[int]bool{}}
}

// functions yields the functions of a module, also of modules in it unless these are left alone.
func (o *Options) functions(module *ir.Op) iter.Seq[*ir.Op] {
	return func(yield func(*ir.Op) bool) {
		more := true
		for op := range module.BodyBlock(0).Ops() {
			if o.leaves(op) {
				continue
			}
			op.Walk(func(op *ir.Op) bool {
				if more && isFunction(op) {
					more = yield(op)
					return false
				}
				return more
			})
			if !more {
				return
			}
		}
	}
}

// leaves tells whether an operation in a module is a module that is left alone.
func (o *Options) leaves(op *ir.Op) bool {
	return o.LeaveModules && o.BufferizeFunctionBoundaries && op.Has(ir.TraitSymbolTable)
}

// isFunction tells whether an operation is one of the functions that are analyzed and bufferized in the order of calls: as in MLIR, those
// of func.
func isFunction(op *ir.Op) bool {
	_, ok := interfaces.Function.Of(op)
	return ok && op.Dialect() != nil && op.Dialect().Name == "func"
}

func functionType(fn *ir.Op) *ir.FunctionType {
	m, _ := interfaces.Function.Of(fn)
	return m.Type(fn)
}

// returns lists the returns of a function. Those of other dialects are not among them, as they may return anything.
func returns(fn *ir.Op) []*ir.Op {
	return interfaces.Terminators(fn.RegionAt(0), func(op *ir.Op) bool {
		return op.Has(ir.TraitReturnLike) && op.Dialect() == fn.Dialect()
	})
}

// checkReturns returns an error if a function has no return, or more than are bufferized.
func (o *Options) checkReturns(fn *ir.Op) error {
	if fn.RegionAt(0).Empty() {
		return nil
	}
	switch n := len(returns(fn)); {
	case n == 1 || n > 1 && o.severalReturns():
		return nil
	case o.severalReturns():
		return fn.PlainErrorf("cannot bufferize %s without func.return", fn.OpName())
	}
	return fn.PlainErrorf("cannot bufferize a FuncOp with tensors and without a unique ReturnOp")
}

// analyzeModule makes a plan for the functions of a module, callees first, so that it is
// known what calls do.
func analyzeModule(module *ir.Op, p *Plan, o *Options) error {
	order, err := p.calls.callOrder(module, o)
	if err != nil {
		return err
	}
	p.functions = map[*ir.Op]*function{}
	a := newAnalysis(p, o)
	a.expectCycles(order)
	for _, fn := range order {
		if name, _ := ir.SymbolName(fn); slices.Contains(o.NoAnalysisFunctions, name) {
			planCopies(fn, p, o, false)
			continue
		}
		if !o.allows(fn) {
			// As in MLIR, nothing is decided: operations work in place only if they must. Nor is
			// it known which contents are undefined.
			a.prepare(fn)
			s := a.state
			s.definitions = nil
			s.planCopies(a.tensorOps, p)
			continue
		}
		f := p.functions[fn]
		if f == nil {
			f = newFunction(fn)
			p.functions[fn] = f
		}
		if err := a.analyze(fn); err != nil {
			return err
		}
		if fn.RegionAt(0).Empty() {
			f.assumeWorst()
		} else {
			a.summarize(f)
		}
		f.setAccess(a)
		f.analyzed = true
		a.planCopies(a.tensorOps, p)
	}
	// As in MLIR, nothing but functions of func is analyzed.
	for op := range module.BodyBlock(0).Ops() {
		if !isFunction(op) && !o.leaves(op) {
			planCopies(op, p, o, true)
		}
	}
	return nil
}

// expectCycles finds what is known of functions that are called by others which are
// analyzed before them: whether they, or what they call, make tensors that may not be written,
// such as constants, which they may return. It takes linear time.
func (a *analysis) expectCycles(order []*ir.Op) {
	for _, fn := range order {
		if a.calls.calledBefore[fn] && a.opts.allows(fn) {
			name, _ := ir.SymbolName(fn)
			if !slices.Contains(a.opts.NoAnalysisFunctions, name) {
				a.functions[fn] = newFunction(fn)
			}
		}
	}
	if len(a.functions) == 0 {
		return
	}
	callers := map[*ir.Op][]*ir.Op{}
	seen := map[*ir.Op]bool{}
	var work []*ir.Op
	add := func(fn *ir.Op) {
		if !seen[fn] {
			seen[fn] = true
			work = append(work, fn)
		}
	}
	for _, fn := range order {
		fn.Walk(func(op *ir.Op) bool {
			if callee := a.Callee(op); callee != nil {
				callers[callee] = append(callers[callee], fn)
				return true
			}
			for i := range op.NumResults() {
				if r := op.Result(i); interfaces.IsTensorLike(r.Type()) && !a.isWritable(r) {
					add(fn)
				}
			}
			return true
		})
	}
	for len(work) > 0 {
		fn := work[len(work)-1]
		work = work[:len(work)-1]
		if f := a.functions[fn]; f != nil {
			f.mayReturnReadOnly = true
		}
		for _, c := range callers[fn] {
			add(c)
		}
	}
}

// assumeWorst lets every tensor result of an external function alias every tensor
// argument.
func (f *function) assumeWorst() {
	t := functionType(f.op)
	for i, in := range t.Inputs {
		if !interfaces.IsTensorLike(in) {
			continue
		}
		for r, out := range t.Results {
			if interfaces.IsTensorLike(out) {
				f.aliasingResults[i] = append(f.aliasingResults[i], r)
			}
		}
	}
}

// summarize finds which results alias or equal which arguments, and what else the
// caller has to know before it writes a result.
func (a *analysis) summarize(f *function) {
	for _, ret := range returns(f.op) {
		a.summarizeReturn(f, ret)
	}
	for r, arg := range f.returned[0] {
		if arg >= 0 && !slices.ContainsFunc(f.returned, func(at []int) bool { return at[r] != arg }) {
			f.equivalentArgs[r] = arg
		}
	}
}

// summarizeReturn adds what is known of a function's results where ret returns them: a result may alias what it may
// alias at any return.
func (a *analysis) summarizeReturn(f *function, ret *ir.Op) {
	entry := f.op.BodyBlock(0)
	before := map[int32][]int{} // the results so far by the set that they are in
	for r := range ret.NumOperands() {
		v := ret.Operand(r)
		if !interfaces.IsTensorLike(v.Type()) {
			continue
		}
		set := a.plan.aliases.root(v)
		for _, q := range before[set] {
			f.otherResults[r] = addOnce(f.otherResults[r], q)
		}
		before[set] = append(before[set], r)
		a.plan.aliases.each(v, func(w *ir.Value) {
			// Whether an argument may be written is known where it comes from.
			if !(w.IsBlockArg() && w.ArgOwner() == entry) && !a.isWritable(w) {
				f.readOnlyResults[r] = true
			}
		})
	}
	aliasing, same := map[int32][]int{}, map[int32]int{} // arguments by the sets that they are in
	for i, arg := range entry.Args() {
		if _, ok := arg.Type().(*ir.RankedTensorType); ok { // others alias all results of calls
			set := a.plan.aliases.root(arg)
			aliasing[set] = append(aliasing[set], i)
			same[a.plan.equivalent.root(arg)] = i
		}
	}
	equivalent := slices.Repeat([]int{-1}, ret.NumOperands())
	for r := range equivalent {
		v := ret.Operand(r)
		if !interfaces.IsTensorLike(v.Type()) {
			continue
		}
		if _, ranked := v.Type().(*ir.RankedTensorType); ranked {
			if arg, ok := same[a.plan.equivalent.root(v)]; ok {
				equivalent[r] = arg
			}
		}
		for _, arg := range aliasing[a.plan.aliases.root(v)] {
			f.aliasingResults[arg] = addOnce(f.aliasingResults[arg], r)
		}
		if n := len(f.returned); n > 0 && f.returned[n-1][r] < 0 {
			equivalent[r] = -1
		}
	}
	f.returned = append(f.returned, equivalent)
}

// addOnce adds the number of a result to a list, unless it is there.
func addOnce(list []int, r int) []int {
	if slices.Contains(list, r) {
		return list
	}
	return append(list, r)
}

// setAccess finds which arguments are read and written.
func (f *function) setAccess(a *analysis) {
	external := f.op.RegionAt(0).Empty()
	for i, t := range functionType(f.op).Inputs {
		if !interfaces.IsTensorLike(t) {
			continue
		}
		if s, ok := interfaces.ArgAttr(f.op, i, bufferization.AccessAttr).(*ir.StringAttr); ok {
			f.reads[i] = s.Value == "read" || s.Value == "read-write"
			f.writes[i] = s.Value == "write" || s.Value == "read-write"
			continue
		}
		if external {
			f.reads[i], f.writes[i] = true, true
			continue
		}
		arg := f.op.BodyBlock(0).Arg(i)
		f.reads[i] = a.IsValueRead(arg)
		var w orderedSet[*ir.Use]
		a.aliasingWrites(&w, arg)
		f.writes[i] = len(w.list) > 0
	}
}
