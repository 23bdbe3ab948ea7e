package boundary

import (
	"slices"

	funcd "freehold/dialect/funcd"
	"freehold/dialect/memref"
	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/transform/bufferize/prepare"
)

// resultAttr marks the arguments that were results.
const resultAttr = "bufferize.result"

// OutParamOptions say how results become arguments.
type OutParamOptions struct {
	// AddResultAttr marks the new arguments with the attribute bufferize.result.
	AddResultAttr bool
	// HoistStaticAllocs lets a function work in the caller's buffer, instead of copying into it what it
	// has allocated, if the size is static; HoistDynamicAllocs if the sizes are arguments.
	HoistStaticAllocs, HoistDynamicAllocs bool
	// ModifyPublicFunctions changes public functions and declarations, too.
	ModifyPublicFunctions bool
	// KeepUnknown lets private functions return buffers still of which callers can't allocate all, instead of refusing the program.
	KeepUnknown bool
}

// each calls fn for the functions whose results become arguments.
func (o *OutParamOptions) each(module *ir.Op, fn func(*ir.Op) error) {
	functions(module, o.ModifyPublicFunctions, func(f *ir.Op) error {
		if o.KeepUnknown && ir.IsPrivate(f) && slices.ContainsFunc(funcd.Type(f).Results, isUnknown) {
			return nil
		}
		return fn(f)
	})
}

// isUnknown tells whether a type is that of buffers that callers can't allocate by it.
func isUnknown(t ir.Type) bool {
	m, ok := t.(*ir.MemRefType)
	return ok && (!ir.IsStaticShape(m.Shape) || !m.HasIdentityLayout() && !fullyDynamic(m))
}

// outParams are the results of a function that became arguments.
type outParams struct {
	// sizes are, for each of these results, the arguments that are the sizes of its dynamic dimensions; nil
	// if they are not known.
	sizes [][]int
}

// ResultsToOutParams makes the ranked buffers that functions return arguments into which they write; callers
// allocate them. It reports results whose layout or size the caller can't allocate. Linear in the
// program; with hoisting, in blocks times returned allocations.
func ResultsToOutParams(module *ir.Op, o OutParamOptions) []*ir.Diagnostic {
	changed := map[*ir.Op]*outParams{}
	b := ir.NewBuilder(module.Context())
	failed := sharedResults(module, o)
	if failed != nil {
		return failed
	}
	o.each(module, func(fn *ir.Op) error {
		d := changeSignature(fn, o)
		if d != nil {
			failed = append(failed, d)
			return d
		}
		p := &outParams{}
		changed[fn] = p
		if !funcd.Body(fn).Empty() {
			p.write(b, fn, o)
		}
		return nil
	})
	if failed != nil {
		return failed
	}
	for _, c := range calls(module) {
		if p := changed[c.callee]; p != nil {
			if d := p.pass(b, c); d != nil {
				failed = append(failed, d)
			}
		}
	}
	return failed
}

// sharedResults reports results of functions for which a buffer of the caller's can't stand, as what is written to one would not be seen in the other: those
// of which [MarkBorrowed] says that they aren't the caller's own.
func sharedResults(module *ir.Op, o OutParamOptions) (failed []*ir.Diagnostic) {
	o.each(module, func(fn *ir.Op) error {
		for i, t := range funcd.Type(fn).Results {
			if becomesArgument(t) && interfaces.HasIdentity(fn, i) && interfaces.ResAttr(fn, i, interfaces.BorrowedAttr) != nil && !computedInto(fn, i) {
				failed = append(failed, fn.PlainErrorf("result %d is a buffer that isn't the caller's, and one that the caller passes can't stand for it: what is written to one would not be in the other", i).
					WithNote(fn.Loc(), "it helps to pass the buffer that the function writes to, or to return results"))
			}
		}
		return nil
	})
	return failed
}

// computedInto tells whether a result is a tensor that the program has computed into the buffer of an argument; a copy is as good.
func computedInto(fn *ir.Op, result int) bool {
	for i := range funcd.Type(fn).Inputs {
		if r, ok := prepare.ResultInto(fn, i); ok && r == result {
			return true
		}
	}
	return false
}

// becomesArgument tells whether results of the type become arguments.
func becomesArgument(t ir.Type) bool { _, ok := t.(*ir.MemRefType); return ok }

// changeSignature appends arguments for the results, whose attributes they get.
func changeSignature(fn *ir.Op, o OutParamOptions) *ir.Diagnostic {
	t := funcd.Type(fn)
	inputs := append([]ir.Type(nil), t.Inputs...)
	var attrs [][]ir.NamedAttr
	for i, r := range t.Results {
		m, ok := r.(*ir.MemRefType)
		if !ok {
			continue
		}
		if !m.HasIdentityLayout() && !fullyDynamic(m) {
			return fn.PlainErrorf("cannot create out param for result with unsupported layout")
		}
		inputs = append(inputs, m)
		list := slices.DeleteFunc(append([]ir.NamedAttr(nil), interfaces.ResultAttrs(fn, i)...), func(a ir.NamedAttr) bool {
			return a.Name == interfaces.IdentityAttr || a.Name == interfaces.BorrowedAttr
		})
		if o.AddResultAttr {
			list = append(list, ir.NamedAttr{Name: resultAttr, Value: ir.Unit})
		}
		attrs = append(attrs, list)
		if entry := funcd.Body(fn).Entry(); entry != nil {
			entry.AddArg(m, fn.Loc())
		}
	}
	interfaces.EraseResults(fn, func(i int) bool { return becomesArgument(t.Results[i]) })
	model, _ := interfaces.Function.Of(fn)
	model.SetType(fn, fn.Context().Function(inputs, funcd.Type(fn).Results))
	interfaces.EditArgAttrs(fn, func(i int, old []ir.NamedAttr) []ir.NamedAttr {
		if i >= len(t.Inputs) {
			return attrs[i-len(t.Inputs)]
		}
		return old
	})
	return nil
}

// fullyDynamic tells whether a caller can cast a new buffer to the type: no stride is known, nor the offset.
func fullyDynamic(m *ir.MemRefType) bool {
	strides, offset, ok := m.StridesAndOffset()
	return ok && offset == ir.Dynamic && ir.NumDynamic(strides) == len(strides)
}

// write makes the returns of a function write into the new arguments.
func (p *outParams) write(b *ir.Builder, fn *ir.Op, o OutParamOptions) {
	list := returns(fn)
	entry := funcd.Body(fn).Entry()
	if len(list) == 0 {
		return
	}
	var positions []int
	for i, v := range list[0].Operands().Values() {
		if becomesArgument(v.Type()) {
			positions = append(positions, i)
		}
	}
	first := entry.NumArgs() - len(positions)
	p.sizes = make([][]int, len(positions))
	for k, i := range positions {
		arg := entry.Arg(first + k)
		p.sizes[k] = hoist(arg, list, i, o)
		for _, ret := range list {
			if v := ret.Operand(i); v != arg {
				b.SetBefore(ret)
				b.Loc = ret.Loc()
				memref.NewCopy(b, v, arg)
			}
		}
	}
	for _, ret := range list {
		var kept []*ir.Value
		for _, v := range ret.Operands().Values() {
			if !becomesArgument(v.Type()) {
				kept = append(kept, v)
			}
		}
		b.SetBefore(ret)
		b.Loc = ret.Loc()
		funcd.NewReturn(b, kept...)
		ret.Erase()
	}
}

// pass gives a call buffers for the new arguments.
func (p *outParams) pass(b *ir.Builder, c call) *ir.Diagnostic {
	b.SetBefore(c.op)
	b.Loc = c.op.Loc()
	args := operands(c.op)
	results := make([]*ir.Value, c.op.NumResults())
	passed := len(args)
	for i := range results {
		t, ok := c.op.Result(i).Type().(*ir.MemRefType)
		if !ok {
			continue
		}
		var sizes []*ir.Value
		if n := ir.NumDynamic(t.Shape); n > 0 {
			k := len(args) - passed
			if k >= len(p.sizes) || len(p.sizes[k]) != n {
				return c.op.PlainErrorf("cannot create out param for dynamically shaped result")
			}
			for _, a := range p.sizes[k] {
				sizes = append(sizes, args[a])
			}
		}
		v := memref.NewAlloc(b, c.op.Context().MemRefOf(t.Shape, t.Elem, nil, t.Space), sizes, 0)
		if t.Layout != nil {
			v = memref.NewCast(b, t, v)
		}
		results[i] = v
		args = append(args, v)
	}
	c.replace(b, args, results)
	return nil
}
