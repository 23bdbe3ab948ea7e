// Package ownership inserts the operations that free buffers. Each block is
// responsible for the buffers it owns, and an i1 value tells at run time whether
// it does own one.
//
// The document is MLIR's "Ownership-based Buffer Deallocation"; details follow
// mlir-opt of LLVM 19.
package ownership

import (
	"sync"

	"freehold/iface"
	"freehold/internal/parallel"
	"freehold/ir"
)

// Options of the pass ownership-based-buffer-deallocation.
type Options struct {
	// PrivateFunctionDynamicOwnership lets private functions return the ownership of
	// their results as further results.
	PrivateFunctionDynamicOwnership bool
}

// Run inserts deallocation into a function. Linear in the size of the function,
// but for the operands of bufferization.dealloc: a block lists all buffers that
// are live into it.
func Run(fn *ir.Op, o Options) error {
	return run(fn, o, ir.NewBuilder(fn.Context()), &symbolTables{tables: ir.NewSymbolTables()})
}

func run(fn *ir.Op, o Options, b *ir.Builder, symbols *symbolTables) error {
	if fn.NumRegions() == 0 || fn.RegionAt(0).Empty() {
		return nil
	}
	if err := checkFunction(fn); err != nil {
		return err
	}
	d := newDeallocation(fn, o, b, symbols)
	if err := d.region(fn.RegionAt(0)); err != nil {
		return err
	}
	return d.updateSignature(fn)
}

// RunAll inserts deallocation into the functions in root, which may be one itself,
// on the given number of threads (0: as many as there are processors). The error
// is that of the first function that it rejects; it may have changed others then.
func RunAll(root *ir.Op, o Options, threads int) error {
	functions := functionsIn(root)
	errs := make([]error, len(functions))
	symbols := &symbolTables{tables: ir.NewSymbolTables()}
	parallel.For(len(functions), threads, func() func(int) {
		b := ir.NewBuilder(root.Context())
		return func(i int) { errs[i] = run(functions[i], o, b, symbols) }
	})
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// functionsIn lists the functions in root, without those nested in others.
func functionsIn(root *ir.Op) []*ir.Op {
	var out []*ir.Op
	root.Walk(func(op *ir.Op) bool {
		if op.NumRegions() == 0 {
			return false
		}
		_, ok := iface.Function.Of(op)
		if ok {
			out = append(out, op)
		}
		return !ok
	})
	return out
}

// symbolTables resolves symbols for concurrent users.
type symbolTables struct {
	mu     sync.Mutex
	tables *ir.SymbolTables
}

func (s *symbolTables) lookup(from *ir.Op, ref *ir.SymbolRefAttr) *ir.Op {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.tables.Lookup(from, ref)
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
	if _, ok := iface.Function.Of(op); !ok {
		return false
	}
	return !d.opts.PrivateFunctionDynamicOwnership || !ir.IsPrivate(op) || op.RegionAt(0).Empty()
}

// updateSignature adds the types of the ownerships that a function returns to its
// type.
func (d *deallocation) updateSignature(fn *ir.Op) error {
	m, ok := iface.Function.Of(fn)
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
	m.SetType(fn, fn.Context().Function(ir.TypesOf(fn.BodyBlock(0).Args()), results))
	return nil
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
