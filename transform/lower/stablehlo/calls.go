package stablehlo

import (
	"slices"
	"strings"

	"freehold/dialect/arith"
	"freehold/dialect/cf"
	"freehold/dialect/check"
	"freehold/dialect/chlo"
	"freehold/dialect/funcd"
	"freehold/dialect/linalg"
	"freehold/dialect/stablehlo"
	"freehold/ir"
	"freehold/ir/interfaces"
)

// identities are the targets of custom calls that only say where data are, of which there is one place here.
var identities = map[string]bool{}

// knownCalls are the targets of custom calls that mean operations.
var knownCalls map[string]rule

// nameCalls fills the tables of custom calls.
func nameCalls() {
	for _, name := range []string{"Sharding", "SPMDFullToShardShape", "SPMDShardToFullShape", "annotate_device_placement", "LayoutConstraint", "MoveToHost", "MoveToDevice",
		"xla.sdy.Sharding", "xla.sdy.FuncResultSharding", "xla.sdy.GlobalToLocalShape", "xla.sdy.LocalToGlobalShape", "xla.sdy.PropagationBarrier"} {
		identities[name] = true
	}
	knownCalls = map[string]rule{
		"cu_threefry2x32":                     (*lowering).threefryCall,
		"cu_threefry2x32_ffi":                 (*lowering).threefryCall,
		"mhlo.topk":                           (*lowering).topKCall,
		"stablehlo.dynamic_reduce_window":     (*lowering).dynamicReduceWindow,
		"stablehlo.dynamic_rng_bit_generator": (*lowering).dynamicBitGenerator,
		"stablehlo.dynamic_top_k":             (*lowering).dynamicTopK,
		"cu_lu_pivots_to_permutation":         (*lowering).pivotsToPermutation,
		"hip_lu_pivots_to_permutation":        (*lowering).pivotsToPermutation,
		"ApproxTopK":                          (*lowering).approximateTopK,
		"shape_assertion":                     (*lowering).shapeAssertion,
		"check.eq":                            (*lowering).equal,
		"check.expect_eq":                     expectation(check.ExpectEq),
		"check.expect_almost_eq":              expectation(check.ExpectAlmostEq),
		"check.expect_close":                  expectation(check.ExpectClose),
	}
}

// customCall lowers a call of something outside of the program by its name.
func (l *lowering) customCall(op *ir.Op) ([]*ir.Value, error) {
	target := op.Attr("call_target_name").(*ir.StringAttr).Value
	if r := knownCalls[target]; r != nil {
		return r(l, op)
	}
	if identities[target] && op.NumResults() == 1 && op.OnlyOperand() != nil && op.OnlyOperand().Type() == op.Result(0).Type() {
		return op.Operands().Values(), nil
	}
	if r := linearAlgebra(target); r != nil && l.tables.Lookup(op, l.b.Context().SymbolRef(target)) == nil {
		return r(l, op)
	}
	if base, ok := strings.CutPrefix(target, "mhlo."); ok {
		if id := clientNames[base]; id != nil && op.NumResults() == 1 {
			return one(l.b.CreateOp(id, op.Results().Types(), op.Operands().Values()).Result(0)), nil
		}
	}
	return l.external(op, target)
}

// clientNames are the functions of chlo by their names, as custom calls have them.
var clientNames = map[string]*ir.OpID{}

// foreignLibraries are the beginnings of targets that stand for libraries, and what they are.
var foreignLibraries = []struct{ prefix, what string }{
	{"lapack_", "LAPACK"}, {"blas_", "BLAS"}, {"cusolver_", "cuSOLVER"}, {"cublas_", "cuBLAS"}, {"hipsolver_", "hipSOLVER"}, {"hipblas_", "hipBLAS"}, {"cu_", "CUDA"}, {"hip_", "HIP"},
	{"tpu_custom_call", "a kernel for TPUs"}, {"__gpu$", "a kernel for GPUs"}, {"triton", "a kernel for GPUs"}, {"xla_python_", "a function of Python"}, {"xla_ffi_python_", "a function of Python"},
}

// external calls a function with the name of the target, which the program may have, or somebody gives it.
func (l *lowering) external(op *ir.Op, target string) ([]*ir.Value, error) {
	f := l.b.Context().Function(op.Operands().Types(), op.Results().Types())
	ref := l.b.Context().SymbolRef(target)
	callee := l.tables.Lookup(op, ref)
	if callee == nil {
		for _, lib := range foreignLibraries {
			if strings.HasPrefix(target, lib.prefix) {
				return nil, errorf("@%s is a part of %s, which isn't there; a function of this name in the module, of type %s, takes its place", target, lib.what, f)
			}
		}
		if op.NumResults() == 0 && op.NumOperands() == 0 || slices.ContainsFunc(f.Results, func(t ir.Type) bool { return !ir.IsTensor(t) }) {
			return nil, errorf("it calls @%s, which isn't known here", target)
		}
		callee = l.declare(op, target, f)
	}
	if !callee.Is(funcd.Func) || funcd.Type(callee) != f {
		return nil, errorf("@%s isn't a function of type %s", target, f)
	}
	return funcd.NewCall(l.b, target, f.Results, op.Operands().Values()...).Results().Values(), nil
}

// declare adds the declaration of a function to the module.
func (l *lowering) declare(op *ir.Op, name string, t *ir.FunctionType) *ir.Op {
	table := ir.SymbolTableOp(op)
	d := ir.NewBuilder(l.b.Context())
	d.Loc = op.Loc()
	fn := funcd.New(d, name, t)
	fn.SetAttr("sym_visibility", l.b.Context().StringAttr("private"))
	l.tables.Table(table).Insert(fn, nil)
	return fn
}

// threefryCall makes random numbers of 32 bits, as JAX's kernel for GPUs does: of two keys and two counters.
func (l *lowering) threefryCall(op *ir.Op) ([]*ir.Value, error) {
	t, ok := op.Result(0).Type().(*ir.RankedTensorType)
	if op.NumOperands() != 4 || op.NumResults() != 2 || !ok || width(l.b.Context(), t.Elem) != 32 {
		return nil, errorf("it takes two keys and two counters of 32 bits, and has two results")
	}
	b := l.b
	rank := len(t.Shape)
	maps := slices.Repeat([]*ir.AffineMap{b.Context().IdentityMap(rank)}, 6)
	sizes := sizesOf(b, op.Operand(0))
	outs := []*ir.Value{empty(b, sizes, t.Elem), empty(b, sizes, t.Elem)}
	w := words{&element{Builder: b}}
	return linalg.NewGeneric(b, op.Operands().Values(), outs, maps, parallel(rank), func(_ *ir.Builder, args []*ir.Value) []*ir.Value {
		var in [4]*ir.Value
		for i := range in {
			in[i] = enter(b, args[i], ir.I32)
		}
		x := w.threefry([2]*ir.Value{in[0], in[1]}, [2]*ir.Value{in[2], in[3]})
		return []*ir.Value{enter(b, x[0], t.Elem), enter(b, x[1], t.Elem)}
	}).Results().Values(), nil
}

// topKCall is chlo.top_k, or, if the largest elements aren't asked for, the smallest ones.
func (l *lowering) topKCall(op *ir.Op) ([]*ir.Value, error) {
	attrs, _ := op.DiscardableAttr("mhlo.attributes").(*ir.DictAttr)
	if attrs == nil || op.NumOperands() != 1 || op.NumResults() != 2 || rankedResult(op, 0) == nil || rankedResult(op, 1) == nil || ranked(op.Operand(0)) == nil {
		return nil, errorf("it lacks mhlo.attributes, or the operand and the results that the function has")
	}
	k, ok := attrs.Get("k").(*ir.IntegerAttr)
	if !ok {
		return nil, errorf("mhlo.attributes doesn't say k")
	}
	if largest, ok := attrs.Get("largest").(*ir.IntegerAttr); ok && largest.Value == 0 {
		shape := ranked(op.Operand(0)).Shape
		if rank := len(shape); rank == 0 || k.Value < 0 || shape[rank-1] != ir.Dynamic && k.Value > shape[rank-1] || rankedResult(op, 1).Elem != ir.Type(ir.I32) {
			return nil, errorf("there are no %d elements of '%s', or their places aren't of type i32", k.Value, op.Operand(0).Type())
		}
		return withOwnResults(func(*lowering, *ir.Op) ([]*ir.Value, error) { return l.ends(op.Operand(0), k.Value, stablehlo.LT), nil })(l, op)
	}
	return l.b.CreateOp(chlo.TopK, op.Results().Types(), op.Operands().Values(), ir.NamedAttr{Name: "k", Value: l.b.Context().I64Attr(k.Value)}).Results().Values(), nil
}

// approximateTopK are the first of lines by a comparison that a function makes: here exactly, which is as close as it gets. The second half of the operands says what is
// where there is nothing, which isn't needed.
func (l *lowering) approximateTopK(op *ir.Op) ([]*ir.Value, error) {
	b, n := l.b, op.NumOperands()/2
	config, _ := op.DiscardableAttr("mhlo.backend_config").(*ir.DictAttr)
	if called, _ := op.Attr("called_computations").(*ir.ArrayAttr); n == 0 || op.NumOperands() != 2*n || op.NumResults() != n || called == nil || len(called.Elems) != 1 {
		return nil, errorf("it takes lines, as many elements, and a function that compares")
	}
	dim, ok := config.Get("reduction_dim").(*ir.IntegerAttr)
	in, out := ranked(op.Operand(0)), rankedResult(op, 0)
	if !ok || dim.Value < 0 || dim.Value >= int64(len(in.Shape)) {
		return nil, errorf("mhlo.backend_config doesn't say the dimension")
	}
	fn := l.onlyCalled(op)
	if fn == nil || funcd.Body(fn).NumBlocks() != 1 || funcd.Body(fn).Entry().NumArgs() != 2*n {
		return nil, errorf("there is no function that compares")
	}
	k := out.Shape[dim.Value]
	if !ir.IsStaticShape(in.Shape) || !ir.IsStaticShape(out.Shape) || k > in.Shape[dim.Value] {
		return nil, errorf("the lines are shorter than what is asked for, or their sizes aren't known")
	}
	s := l.stableSort(op.Operands().Values()[:n], dim.Value)
	s.AddRegion()
	sorted := b.Create(s)
	b.CloneRegion(funcd.Body(fn), sorted.RegionAt(0), nil, ir.NewMapping())
	end := sorted.RegionAt(0).Entry().Terminator()
	b.SetBefore(end)
	b.CreateOp(stablehlo.Return, nil, end.Operands().Values())
	end.Erase()
	b.SetAfter(sorted)
	results := make([]*ir.Value, n)
	for i := range results {
		results[i] = l.first(sorted.Result(i), int(dim.Value), k)
	}
	return results, nil
}

// shapeAssertion fails if the first operand doesn't hold.
func (l *lowering) shapeAssertion(op *ir.Op) ([]*ir.Value, error) {
	message := "a shape isn't as it was promised"
	if a, ok := op.DiscardableAttr("error_message").(*ir.StringAttr); ok {
		message = a.Value
	}
	l.b.CreateOp(cf.Assert, nil, one(l.only(op.Operand(0))), ir.NamedAttr{Name: "msg", Value: l.b.Context().StringAttr(message)})
	return nil, nil
}

// composite calls the function that says what it is.
func (l *lowering) composite(op *ir.Op) ([]*ir.Value, error) {
	ref := op.Attr("decomposition").(*ir.SymbolRefAttr)
	return funcd.NewCall(l.b, ref.Root, op.Results().Types(), op.Operands().Values()...).Results().Values(), nil
}

// outside is why operations aren't lowered that exchange data with others.
// asynchronous lowers what is begun, and its end: here it is done at once.
func (l *lowering) asynchronous(op *ir.Op) ([]*ir.Value, error) {
	body := op.RegionAt(0).Entry()
	end := body.Last()
	if !slices.Equal(ir.TypesOf(body.Args()), op.Operands().Types()) || end == nil || !end.Is(stablehlo.Return) {
		return nil, errorf("its body isn't one of its operands")
	}
	var ends []*ir.Op
	for _, u := range op.Result(0).Uses() {
		d := u.Owner()
		ends = append(ends, d)
		if !d.Is(stablehlo.AsyncDone) || !slices.Equal(d.Results().Types(), end.Operands().Types()) {
			return nil, errorf("what it begins isn't only ended")
		}
	}
	results := l.inlined(op)
	for _, d := range ends {
		for i, v := range results {
			d.Result(i).ReplaceAllUsesWith(v)
		}
		d.Erase()
	}
	return nil, nil
}

func outside(_ *lowering, op *ir.Op) ([]*ir.Value, error) {
	return nil, errorf("it exchanges data with other processes or the host, and one process is executed here, alone")
}

// limits are the attributes of comparisons that say how exact a result has to be.
var limits = []string{check.ToleranceAttr, check.MinULPAttr, check.MaxULPAttr}

// expectation makes a comparison of a call.
func expectation(id *ir.OpID) rule {
	return func(l *lowering, op *ir.Op) ([]*ir.Value, error) {
		if op.NumOperands() != 2 || op.NumResults() != 0 {
			return nil, errorf("a check compares two tensors, and has no result")
		}
		s := l.b.State(id)
		s.Operands = op.Operands().Values()
		config, _ := op.Attr("backend_config").(*ir.DictAttr)
		for _, name := range limits {
			if a := op.DiscardableAttr(name); a != nil && s.Name.Def().AttrIndex(name) >= 0 {
				s.SetAttr(name, a)
			}
			if config == nil || s.Name.Def().AttrIndex(name) < 0 {
				continue
			}
			for _, a := range config.Entries {
				if a.Name == name {
					s.SetAttr(name, a.Value)
				}
			}
		}
		l.b.Create(s)
		return nil, nil
	}
}

// expectConstant compares with a constant.
func expectConstant(id *ir.OpID) rule {
	return func(l *lowering, op *ir.Op) ([]*ir.Value, error) {
		s := l.b.State(id)
		s.Operands = []*ir.Value{check.ExpectEqConstOp{Op: op}.Actual(), stablehlo.NewConstant(l.b, op.Attr("value"))}
		if a := op.Attr(check.ToleranceAttr); a != nil {
			s.SetAttr(check.ToleranceAttr, a)
		}
		l.b.Create(s)
		return nil, nil
	}
}

// equal tells whether two tensors have the same elements. Where nobody asks, they are expected to.
func (l *lowering) equal(op *ir.Op) ([]*ir.Value, error) {
	if op.NumOperands() != 2 || op.NumResults() != 1 {
		return nil, errorf("it compares two tensors, and has one result")
	}
	b := l.b
	if !op.HasUses() {
		s := b.State(check.ExpectEq)
		s.Operands = op.Operands().Values()
		b.Create(s)
		return one(l.put(arith.ConstantBool(b, true))), nil
	}
	x, y := op.Operand(0), op.Operand(1)
	rank := len(ranked(x).Shape)
	c := b.Context()
	iterators := make([]interfaces.Iterator, rank)
	for i := range iterators {
		iterators[i] = interfaces.Reduction
	}
	maps := []*ir.AffineMap{c.IdentityMap(rank), c.IdentityMap(rank), c.AffineMap(rank, 0)}
	init := l.filled(nil, arith.ConstantBool(b, true))
	e := &element{Builder: b, in: []ir.Type{ranked(x).Elem}}
	var failed bool
	r := linalg.NewGeneric(b, []*ir.Value{x, y}, one(init), maps, iterators, func(_ *ir.Builder, args []*ir.Value) []*ir.Value {
		t := plain(c, ranked(x).Elem)
		p, q := enter(b, args[0], t), enter(b, args[1], t)
		var same *ir.Value
		switch {
		case ir.IsFloat(t):
			same = e.cmpF(arith.OEQ, p, q)
		case complexOf(t) != nil:
			same = e.compareComplex(stablehlo.EQ, []*ir.Value{p, q})
		case isInteger(t):
			same = e.cmpI(arith.EQ, p, q)
		default:
			failed = true
			same = args[2]
		}
		return one(arith.New(b, arith.AndI, args[2], same))
	})
	if failed {
		return nil, errTypes
	}
	return r.Results().Values(), nil
}
