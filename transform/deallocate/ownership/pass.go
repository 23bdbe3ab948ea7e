// Package ownership inserts the operations that free buffers. Each block is
// responsible for the buffers it owns, and an i1 value tells at run time whether
// it does own one.
//
// The document is MLIR's "Ownership-based Buffer Deallocation"; details follow
// mlir-opt of LLVM 19.
package ownership

import (
	"freehold/internal/parallel"
	"freehold/ir"
	"freehold/ir/analysis"
	"freehold/ir/interfaces"
	"freehold/ir/rewrite"
)

// Options of the pass ownership-based-buffer-deallocation. All but the first go
// beyond what MLIR's pass can do.
type Options struct {
	// PrivateFunctionDynamicOwnership lets private functions return the ownership of
	// their results as further results.
	PrivateFunctionDynamicOwnership bool
	// UnstructuredControlFlow accepts loops in the control-flow graph, reducible or
	// not, and terminators with any number of successors: buffers are freed in new
	// blocks on the edges.
	UnstructuredControlFlow bool
	// ReplaceDeallocs accepts programs with deallocations: they are removed where the
	// pass knows the owner of the buffer, who frees it then.
	ReplaceDeallocs bool
	// PrivateFunctionArgumentOwnership passes private functions, with each buffer that some call gives them,
	// whether they own it, so that they free what the caller doesn't need any more.
	PrivateFunctionArgumentOwnership bool
	// LoopArgumentOwnership gives loops the ownership of the buffers that they carry on from, if nothing else needs these any more.
	LoopArgumentOwnership bool
	// BranchOwnership gives the branches of control flow the ownership of the buffers that they may pass on, if nothing else
	// needs these any more.
	BranchOwnership bool
	// ExclusiveOwnership uses that a buffer that a function owns is none of its
	// caller's: these are not compared at run time. What a function returns takes the
	// ownership from the value that had it.
	ExclusiveOwnership bool
	// UndeclaredEffects accepts operations of which MLIR doesn't declare what they do with
	// memory, such as memref.dma_start, but which are known to allocate and free nothing.
	UndeclaredEffects bool
	// LLVM is the version of LLVM that declares the effects of operations; 0 stands for 19.
	LLVM uint32
}

// Run inserts deallocation into the functions in root, which may be one itself. The
// error is that of the first function that it rejects; it may have changed others then.
// Functions are processed on the given number of threads (0: as many as there are
// processors). Linear in the size of the program, but for the operands of
// bufferization.dealloc: a block lists all buffers that are live into it.
func Run(root *ir.Op, o Options, threads int) error {
	functions := functionsIn(root)
	if o.PrivateFunctionArgumentOwnership || o.PrivateFunctionDynamicOwnership {
		// Calls that are never reached have nothing to say of what they own, and would be left with other operands and results than the function.
		for _, fn := range functions {
			rewrite.EraseUnreachableBlocks(rewrite.NewRewriter(fn.Context()), fn.Regions())
		}
	}
	m := &module{tables: ir.NewSymbolTables()}
	if o.ReplaceDeallocs || o.PrivateFunctionArgumentOwnership {
		m.findCalls(root, functions)
	}
	if o.ReplaceDeallocs {
		if err := m.removeDeallocs(functions); err != nil {
			return err
		}
	}
	if err := m.checkForeign(root, functions, o); err != nil {
		return err
	}
	if o.PrivateFunctionArgumentOwnership {
		m.summaries = analysis.NewCallSummaries(root)
	}
	errs := make([]error, len(functions))
	parallel.For(len(functions), threads, func() func(int) {
		d := newDeallocation(o, ir.NewBuilder(root.Context()), m)
		return func(i int) { errs[i] = d.run(functions[i]) }
	})
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	if o.PrivateFunctionArgumentOwnership {
		m.eraseNeverOwned(root, functions, o)
	}
	return nil
}

// local tells whether functions can be processed one by one, because nothing about
// one depends on the bodies of others.
func (o Options) local() bool {
	return !o.ReplaceDeallocs && !o.PrivateFunctionArgumentOwnership && !o.PrivateFunctionDynamicOwnership
}

func (d *deallocation) run(fn *ir.Op) error {
	if fn.NumRegions() == 0 || fn.RegionAt(0).Empty() {
		return nil
	}
	if err := checkFunction(fn, d.opts); err != nil {
		return err
	}
	if err := analysis.CheckPending(fn); err != nil {
		return err
	}
	if d.opts.UndeclaredEffects {
		if err := checkTransfers(fn); err != nil {
			return err
		}
	}
	var inherits map[*ir.Block]*ir.Block
	if d.opts.UnstructuredControlFlow {
		var err error
		if inherits, err = splitEdges(fn); err != nil {
			return err
		}
	}
	if d.opts.BranchOwnership {
		choicesOfSelects(fn, d.b)
	}
	d.enter(fn)
	d.inherits = inherits
	if err := d.region(fn.RegionAt(0)); err != nil {
		return err
	}
	return d.updateSignature(fn)
}

// functionsIn lists the functions in root, without those nested in others.
func functionsIn(root *ir.Op) []*ir.Op {
	var out []*ir.Op
	root.Walk(func(op *ir.Op) bool {
		if op.NumRegions() == 0 {
			return false
		}
		_, ok := interfaces.Function.Of(op)
		if ok {
			out = append(out, op)
		}
		return !ok
	})
	return out
}

func isMemRef(v *ir.Value) bool { return ir.IsMemRef(v.Type()) }

func countMemRefs(vs []*ir.Value) (n int) {
	for _, v := range vs {
		if isMemRef(v) {
			n++
		}
	}
	return n
}

// returnsPlain tells whether the terminators of op's body follow the function
// boundary ABI, so that all that is returned is owned.
func (d *deallocation) returnsPlain(op *ir.Op) bool {
	if !interfaces.Function.Has(op) {
		return false
	}
	return !d.opts.PrivateFunctionDynamicOwnership || !ir.IsPrivate(op) || op.RegionAt(0).Empty()
}

// updateSignature adds the types of the ownerships that a function returns to its
// type.
func (d *deallocation) updateSignature(fn *ir.Op) error {
	m, ok := interfaces.Function.Of(fn)
	if !ok {
		return nil
	}
	var ret *ir.Op
	for b := range fn.RegionAt(0).Blocks() {
		t := b.Last()
		if t == nil || !t.Has(ir.TraitReturnLike) {
			continue
		}
		if ret != nil && !sameTypes(ret.Operands(), t.Operands()) {
			return fn.PlainErrorf("there are multiple return operations with different operand types")
		}
		ret = t
	}
	results := m.Type(fn).Results
	if ret != nil {
		results = ret.Operands().Types()
	}
	inputs := ir.TypesOf(fn.BodyBlock(0).Args())
	m.SetType(fn, fn.Context().Function(inputs, results))
	fitDicts(fn, interfaces.ArgAttrs, len(inputs))
	fitDicts(fn, interfaces.ResAttrs, len(results))
	return nil
}

// fitDicts makes as many of the attributes of arguments or results, if there are any, as
// there are arguments or results now; the last ones, of which there are more or fewer, are empty.
func fitDicts(fn *ir.Op, list string, n int) {
	a, ok := fn.Attr(list).(*ir.ArrayAttr)
	if !ok || len(a.Elems) == n {
		return
	}
	elems := append([]ir.Attribute(nil), a.Elems[:min(n, len(a.Elems))]...)
	for len(elems) < n {
		elems = append(elems, fn.Context().DictAttr())
	}
	fn.SetAttr(list, fn.Context().ArrayAttr(elems...))
}

func sameTypes(a, b ir.Operands) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a.At(i).Type() != b.At(i).Type() {
			return false
		}
	}
	return true
}
