package oneshot

import (
	"slices"

	"freehold/dialect/bufferization"
	"freehold/dialect/memref"
	"freehold/ir"
	"freehold/ir/interfaces"
)

// Run bufferizes a module as the options say: it makes a plan and rewrites the module,
// or shows the plan.
func Run(module *ir.Op, o *Options) error {
	if o == nil {
		return errNoOptions(module)
	}
	p, err := o.plan(module)
	if err != nil {
		return err
	}
	if p == nil {
		return module.PlainErrorf("Options.Analysis returned no plan, and no error")
	}
	p.count(o)
	if o.TestAnalysisOnly {
		p.annotate(module, o)
		return nil
	}
	if o.CreateDeallocs {
		return runWithDeallocs(module, p, o)
	}
	return Rewrite(module, p, o)
}

// count adds the decisions to the counters.
func (p *Plan) count(o *Options) {
	out := 0
	for range p.OutOfPlace() {
		out++
	}
	o.OutOfPlace.Add(out)
	o.InPlace.Add(len(p.entries) - out)
}

// plan makes the plan that the options ask for.
func (o *Options) plan(root *ir.Op) (*Plan, error) {
	switch {
	case o.Analysis != nil:
		return o.Analysis(root, o)
	case o.CopyBeforeWrite:
		return CopyBeforeWrite(root, o)
	}
	return Analyze(root, o)
}

// rewriteModule bufferizes functions, callees first, so that calls know the types of
// what they pass and get; then what else is in the module.
func (r *rewriting) rewriteModule(module *ir.Op) error {
	order, err := r.calls.callOrder(module, r.opts)
	if err != nil {
		return err
	}
	for _, fn := range order {
		results := functionType(fn).Results
		if err := r.bufferize(fn); err != nil {
			return err
		}
		if r.opts.FunctionBoundary == InferLayout && !r.calls.calledBefore[fn] {
			r.foldResultCasts(module, fn, results)
		}
	}
	r.stays = map[*ir.Op]bool{}
	for op := range module.BodyBlock(0).Ops() {
		if !isFunction(op) && !r.stays[op] && !r.opts.leaves(op) {
			r.alone = op
			if err := r.bufferize(op); err != nil {
				return err
			}
		}
	}
	r.alone = nil
	for _, fn := range order {
		if fn.RegionAt(0).Empty() {
			continue // mlir-opt looks at the arguments of bodies
		}
		interfaces.EditArgAttrs(fn, func(_ int, attrs []ir.NamedAttr) []ir.NamedAttr {
			return slices.DeleteFunc(slices.Clone(attrs), func(a ir.NamedAttr) bool {
				return a.Name == bufferization.BufferLayoutAttr || a.Name == bufferization.WritableAttr
			})
		})
	}
	return nil
}

// foldResultCasts makes a function return what it casts to the type of its
// result, so that callers see the more precise layout, if that is of one type at all returns. Results that were no tensors
// stay as callers know them if anything in the module refers to the function (mlir-opt
// of LLVM 19 changes those too, and makes calls invalid).
func (r *rewriting) foldResultCasts(module, fn *ir.Op, results []ir.Type) {
	if fn.RegionAt(0).Empty() {
		return
	}
	rets := returns(fn)
	for i := range results {
		if r.opts.commonCast(rets, i) && (interfaces.IsTensorLike(results[i]) || !r.calls.referenced(module, fn)) {
			for _, ret := range rets {
				ret.SetOperand(i, memref.CastOp{Op: ret.Operand(i).DefiningOp()}.Source())
			}
		}
	}
	m, _ := interfaces.Function.Of(fn)
	m.SetType(fn, fn.Context().Function(m.Type(fn).Inputs, rets[0].Operands().Types()))
}

// commonCast tells whether the i-th operands of all returns are casts of buffers of one type, none of which knows more than that.
func (o *Options) commonCast(rets []*ir.Op, i int) bool {
	var common ir.Type
	for _, ret := range rets {
		def := ret.Operand(i).DefiningOp()
		if def == nil || !def.Is(memref.Cast) || common != nil && (memref.CastOp{Op: def}).Source().Type() != common {
			return false
		}
		if common = (memref.CastOp{Op: def}).Source().Type(); o.keepsKnownSizes() && knowsMore(def.Result(0).Type(), common) {
			return false
		}
	}
	return true
}

// knowsMore tells whether the type of a buffer has a rank, or a size, that another one hasn't.
func knowsMore(t, than ir.Type) bool {
	a, ranked := t.(*ir.MemRefType)
	b, known := than.(*ir.MemRefType)
	if !ranked || !known {
		return ranked
	}
	for i, d := range a.Shape {
		if d != ir.Dynamic && b.Shape[i] == ir.Dynamic {
			return true
		}
	}
	return false
}
