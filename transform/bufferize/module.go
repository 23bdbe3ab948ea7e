package bufferize

import (
	"slices"

	"freehold/dialect/bufferization"
	"freehold/dialect/memref"
	"freehold/iface"
	"freehold/ir"
	"freehold/ir/asm"
)

// Run bufferizes a module as the options say.
func Run(module *ir.Op, o *Options) error {
	if o.BufferizeFunctionBoundaries {
		return runModule(module, o)
	}
	if !o.CopyBeforeWrite {
		a := newAnalysis(o, module, nil, &annotations{})
		if err := a.analyze(module); err != nil {
			return err
		}
		if o.TestAnalysisOnly {
			a.annotate(module, o.names(module))
			return nil
		}
		if err := insertCopies(module, &a.state); err != nil {
			return err
		}
	}
	if o.TestAnalysisOnly {
		return nil
	}
	return bufferizeOps(module, o, nil, newGlobals())
}

// function is what module analysis knows about a function.
type function struct {
	op              *ir.Op
	analyzed        bool
	reads, writes   map[int]bool
	aliasingResults map[int][]int
	equivalentArgs  map[int]int
	otherResults    map[int][]int // of each result, those before it that may alias it
	readOnlyResults map[int]bool
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
func (f *function) WritableResult(result int) bool        { return !f.readOnlyResults[result] }

func runModule(module *ir.Op, o *Options) error {
	order, err := callOrder(module)
	if err != nil {
		return err
	}
	funcs := map[*ir.Op]*function{}
	if !o.CopyBeforeWrite {
		if err := analyzeModule(module, order, o, funcs, insertCopies); err != nil {
			return err
		}
	}
	if o.TestAnalysisOnly {
		return nil
	}
	g := newGlobals()
	for _, fn := range order {
		fo := o
		if name, _ := ir.SymbolName(fn); slices.Contains(o.NoAnalysisFunctions, name) {
			c := *o
			c.CopyBeforeWrite = true
			fo = &c
		}
		results := functionType(fn).Results
		if err := bufferizeOps(fn, fo, funcs, g); err != nil {
			return err
		}
		if o.FunctionBoundary == InferLayout {
			foldResultCasts(fn, results)
		}
	}
	for op := range module.BodyBlock(0).Ops() {
		if _, ok := iface.Function.Of(op); !ok {
			if err := bufferizeOps(op, o, funcs, g); err != nil {
				return err
			}
		}
	}
	for _, fn := range order {
		iface.EditArgAttrs(fn, func(_ int, attrs []ir.NamedAttr) []ir.NamedAttr {
			return slices.DeleteFunc(slices.Clone(attrs), func(a ir.NamedAttr) bool {
				return a.Name == bufferization.BufferLayoutAttr || a.Name == bufferization.WritableAttr
			})
		})
	}
	return nil
}

func functionType(fn *ir.Op) *ir.FunctionType {
	m, _ := iface.Function.Of(fn)
	return m.Type(fn)
}

// callOrder lists the functions so that callees come before their callers.
func callOrder(module *ir.Op) ([]*ir.Op, error) {
	var funcs []*ir.Op
	table := ir.NewSymbolTable(module)
	for op := range module.BodyBlock(0).Ops() {
		if _, ok := iface.Function.Of(op); ok && op.Dialect() != nil && op.Dialect().Name == "func" {
			if !op.RegionAt(0).Empty() && uniqueReturn(op) == nil {
				return nil, op.PlainErrorf("cannot bufferize a FuncOp with tensors and without a unique ReturnOp")
			}
			funcs = append(funcs, op)
		}
	}
	calls := map[*ir.Op]int{} // callees left to do
	callers := map[*ir.Op][]*ir.Op{}
	for _, fn := range funcs {
		callees := map[*ir.Op]bool{}
		fn.Walk(func(op *ir.Op) bool {
			if m, ok := iface.Call.Of(op); ok {
				if ref, _ := m.Callee(op); ref != nil && iface.HasTensorTypes(op) {
					if callee := table.LookupRef(ref); callee != nil && !callees[callee] {
						callees[callee] = true
						callers[callee] = append(callers[callee], fn)
						calls[fn]++
					}
				}
			}
			return true
		})
	}
	var order []*ir.Op
	for _, fn := range funcs {
		if calls[fn] == 0 {
			order = append(order, fn)
		}
	}
	for i := 0; i < len(order); i++ {
		for _, c := range callers[order[i]] {
			if calls[c]--; calls[c] == 0 {
				order = append(order, c)
			}
		}
	}
	if len(order) != len(funcs) {
		return nil, module.Errorf("expected callgraph to be free of circular dependencies.")
	}
	return order, nil
}

// uniqueReturn returns the function's only return, or nil if there are several.
func uniqueReturn(fn *ir.Op) *ir.Op {
	return iface.UniqueTerminator(fn.RegionAt(0), func(op *ir.Op) bool { return op.Has(ir.TraitReturnLike) })
}

// names returns the names of the values in root, if alias sets are to be shown.
func (o *Options) names(root *ir.Op) *asm.Names {
	if !o.DumpAliasSets {
		return nil
	}
	return asm.NewNames(root)
}

// analyzeModule analyses the functions in order, and lets then change each as the
// decisions demand, or shows the decisions.
func analyzeModule(module *ir.Op, order []*ir.Op, o *Options, funcs map[*ir.Op]*function, then func(fn *ir.Op, s *state) error) error {
	names := o.names(module)
	var notes annotations
	for _, fn := range order {
		if name, _ := ir.SymbolName(fn); slices.Contains(o.NoAnalysisFunctions, name) {
			continue
		}
		if !o.allows(fn) {
			// As in MLIR, nothing is decided: operations work in place only if they must.
			if !o.TestAnalysisOnly {
				if err := then(fn, &newAnalysis(o, fn, funcs, &notes).state); err != nil {
					return err
				}
			}
			continue
		}
		f := &function{op: fn, reads: map[int]bool{}, writes: map[int]bool{}, aliasingResults: map[int][]int{}, equivalentArgs: map[int]int{}, otherResults: map[int][]int{}, readOnlyResults: map[int]bool{}}
		funcs[fn] = f
		a := newAnalysis(o, fn, funcs, &notes)
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
		if o.TestAnalysisOnly {
			a.annotate(fn, names)
			f.annotate()
			continue
		}
		if err := then(fn, &a.state); err != nil {
			return err
		}
	}
	return nil
}

// assumeWorst lets every tensor result of an external function alias every tensor
// argument.
func (f *function) assumeWorst() {
	t := functionType(f.op)
	for i, in := range t.Inputs {
		if !ir.IsTensor(in) {
			continue
		}
		for r, out := range t.Results {
			if ir.IsTensor(out) {
				f.aliasingResults[i] = append(f.aliasingResults[i], r)
			}
		}
	}
}

// summarize finds which results alias or equal which arguments, and what else the
// caller has to know before it writes a result.
func (a *analysis) summarize(f *function) {
	ret := uniqueReturn(f.op)
	entry := f.op.BodyBlock(0)
	for r := range ret.NumOperands() {
		v := ret.Operand(r)
		if !ir.IsTensor(v.Type()) {
			continue
		}
		for q := range r {
			if w := ret.Operand(q); ir.IsTensor(w.Type()) && a.AreAliasing(v, w) {
				f.otherResults[r] = append(f.otherResults[r], q)
			}
		}
		a.aliases.each(v, func(w *ir.Value) {
			// Whether an argument may be written is known where it comes from.
			if !(w.IsBlockArg() && w.ArgOwner() == entry) && !a.isWritable(w) {
				f.readOnlyResults[r] = true
			}
		})
	}
	for r := range ret.NumOperands() {
		v := ret.Operand(r)
		if _, ok := v.Type().(*ir.RankedTensorType); !ok {
			continue
		}
		for _, arg := range f.op.BodyBlock(0).Args() {
			if _, ok := arg.Type().(*ir.RankedTensorType); !ok {
				continue
			}
			if a.AreEquivalent(v, arg) {
				f.equivalentArgs[r] = arg.Index()
			}
			if a.AreAliasing(v, arg) {
				f.aliasingResults[arg.Index()] = append(f.aliasingResults[arg.Index()], r)
			}
		}
	}
}

// setAccess finds which arguments are read and written.
func (f *function) setAccess(a *analysis) {
	external := f.op.RegionAt(0).Empty()
	for i, t := range functionType(f.op).Inputs {
		if !ir.IsTensor(t) {
			continue
		}
		if s, ok := iface.ArgAttr(f.op, i, bufferization.AccessAttr).(*ir.StringAttr); ok {
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
		var w useSet
		a.aliasingWrites(&w, arg)
		f.writes[i] = len(w.list) > 0
	}
}

func (f *function) annotate() {
	c := f.op.Context()
	inputs := functionType(f.op).Inputs
	iface.EditArgAttrs(f.op, func(i int, attrs []ir.NamedAttr) []ir.NamedAttr {
		if !ir.IsTensor(inputs[i]) {
			return attrs
		}
		s := "none"
		switch {
		case f.reads[i] && f.writes[i]:
			s = "read-write"
		case f.reads[i]:
			s = "read"
		case f.writes[i]:
			s = "write"
		}
		attrs = slices.DeleteFunc(slices.Clone(attrs), func(a ir.NamedAttr) bool { return a.Name == bufferization.AccessAttr })
		return append(attrs, ir.NamedAttr{Name: bufferization.AccessAttr, Value: c.StringAttr(s)})
	})
	if len(f.equivalentArgs) == 0 || f.op.RegionAt(0).Empty() {
		return
	}
	ret := uniqueReturn(f.op)
	args := make([]ir.Attribute, ret.NumOperands())
	for r := range args {
		args[r] = c.I64Attr(int64(f.EquivalentArg(r)))
	}
	ret.SetAttr(equivalentArgsAttr, c.ArrayAttr(args...))
}

// foldResultCasts makes a function return what it casts to the type of its
// result, so that callers see the more precise layout. Results that were no tensors
// stay as their callers know them (mlir-opt of LLVM 19 changes those too, and
// makes calls invalid).
func foldResultCasts(fn *ir.Op, results []ir.Type) {
	if fn.RegionAt(0).Empty() {
		return
	}
	ret := uniqueReturn(fn)
	for i := range ret.NumOperands() {
		if def := ret.Operand(i).DefiningOp(); ir.IsTensor(results[i]) && def != nil && def.Is(memref.Cast) {
			ret.SetOperand(i, def.Operand(0))
		}
	}
	m, _ := iface.Function.Of(fn)
	m.SetType(fn, fn.Context().Function(m.Type(fn).Inputs, ret.Operands().Types()))
}
