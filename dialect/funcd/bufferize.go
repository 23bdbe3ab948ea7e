package funcd

import (
	"slices"

	"freehold/ir"
	"freehold/ir/interfaces"
)

// Names of the attributes on arguments that bufferization heeds.
const (
	writableAttr = "bufferization.writable"
	layoutAttr   = "bufferization.buffer_layout"
)

// funcBufferize makes the tensors of a function's signature buffers.
type funcBufferize struct{ interfaces.BlockArgBufferize }

func (m funcBufferize) IsWritable(v *ir.Value, s interfaces.AnalysisState) bool {
	if !v.IsBlockArg() || !v.ArgOwner().IsEntry() {
		return m.BlockArgBufferize.IsWritable(v, s)
	}
	if w, ok := interfaces.ArgAttr(interfaces.OwnerOf(v), v.Index(), writableAttr).(*ir.IntegerAttr); ok {
		return w.Value != 0
	}
	return true
}

// returns lists the returns of a function.
func returns(fn *ir.Op) []*ir.Op {
	return interfaces.Terminators(Body(fn), func(op *ir.Op) bool { return op.Is(Return) })
}

func (funcBufferize) HasTensors(op *ir.Op) bool {
	t := Type(op)
	for _, x := range [][]ir.Type{t.Inputs, t.Results} {
		for _, t := range x {
			if interfaces.IsTensorLike(t) {
				return true
			}
		}
	}
	for b := range Body(op).Blocks() {
		for _, a := range b.Args() {
			if interfaces.IsTensorLike(a.Type()) {
				return true
			}
		}
	}
	return false
}

func argType(fn *ir.Op, i int, t interfaces.BufferTyper) (ir.Type, error) {
	tensor := Type(fn).Inputs[i]
	space, ok := t.DefaultMemorySpace(tensor)
	if !ok {
		return nil, fn.PlainErrorf("could not infer memory space")
	}
	m := t.FunctionArgType(tensor, space, fn)
	if layout := interfaces.ArgAttr(fn, i, layoutAttr); layout != nil {
		if r, ok := m.(*ir.MemRefType); ok {
			return t.Context().MemRefOf(r.Shape, r.Elem, layout, r.Space), nil
		}
	}
	return m, nil
}

func (m funcBufferize) BufferType(v *ir.Value, t interfaces.BufferTyper) (ir.Type, error) {
	if v.IsBlockArg() && v.ArgOwner().IsEntry() {
		return argType(interfaces.OwnerOf(v), v.Index(), t)
	}
	return m.BlockArgBufferize.BufferType(v, t)
}

func (funcBufferize) Bufferize(op *ir.Op, b interfaces.Bufferizer) error {
	c, t := b.Context(), Type(op)
	inputs := append([]ir.Type(nil), t.Inputs...)
	for i, in := range inputs {
		if interfaces.IsTensorLike(in) {
			m, err := argType(op, i, b)
			if err != nil {
				return err
			}
			inputs[i] = m
		}
	}
	if Body(op).Empty() {
		var results []ir.Type
		for _, r := range t.Results {
			if interfaces.IsTensorLike(r) {
				if !b.AllowExternalResults() {
					return op.PlainErrorf("cannot bufferize bodiless function that returns a tensor")
				}
				space, ok := b.DefaultMemorySpace(r)
				if !ok {
					return op.PlainErrorf("could not infer memory space")
				}
				r = b.FunctionArgType(r, space, op)
			}
			results = append(results, r)
		}
		op.SetAttr(interfaces.FunctionTypeAttr, c.TypeAttr(c.Function(inputs, results)))
		return nil
	}
	if err := interfaces.BufferizeBlocks(op, b); err != nil {
		return err
	}
	results := slices.Clone(t.Results)
	for i, r := range t.Results {
		if !interfaces.IsTensorLike(r) {
			continue
		}
		space, ok := b.DefaultMemorySpace(r)
		if !ok {
			return op.PlainErrorf("could not infer memory space")
		}
		results[i] = b.FunctionArgType(r, space, op)
	}
	for _, ret := range returns(op) {
		b.Builder().SetBefore(ret)
		b.Builder().Loc = ret.Loc()
		for i, r := range t.Results {
			if interfaces.IsTensorLike(r) {
				ret.SetOperand(i, b.ToBuffer(ret.Operand(i), results[i]))
			}
		}
	}
	op.SetAttr(interfaces.FunctionTypeAttr, c.TypeAttr(c.Function(inputs, results)))
	return nil
}

// returnBufferize is about what a function returns; it is bufferized with the
// function.
type returnBufferize struct{ interfaces.BufferizeDefaults }

func (returnBufferize) Reads(*ir.Use, interfaces.AnalysisState) bool  { return true }
func (returnBufferize) Bufferize(*ir.Op, interfaces.Bufferizer) error { return nil }

// callBufferize is about calls, whose callee says what they read and write.
type callBufferize struct{ interfaces.BufferizeDefaults }

// callee returns what is known about the called function, or nil.
func callee(op *ir.Op, s interfaces.AnalysisState) interfaces.FunctionAnalysis {
	fn := calledFunction(op, s)
	if fn == nil {
		return nil
	}
	f := s.Function(fn)
	if f == nil || !f.Analyzed() {
		return nil
	}
	return f
}

// calledFunction returns the func.func that is called, or nil.
func calledFunction(op *ir.Op, s interface{ Callee(call *ir.Op) *ir.Op }) *ir.Op {
	if fn := s.Callee(op); fn != nil && fn.Is(Func) {
		return fn
	}
	return nil
}

// IsWritable tells whether a result may be written. What the callee returns may be a
// constant (which mlir-opt of LLVM 19 does not consider).
func (callBufferize) IsWritable(v *ir.Value, s interfaces.AnalysisState) bool {
	fn := calledFunction(v.DefiningOp(), s)
	if fn == nil || Body(fn).Empty() {
		return true // the caller owns what an external function returns
	}
	f := s.Function(fn)
	return f == nil || f.WritableResult(v.Index())
}

func (callBufferize) Reads(u *ir.Use, s interfaces.AnalysisState) bool {
	f := callee(u.Owner(), s)
	return f == nil || f.ReadsArg(u.Index())
}

func (callBufferize) Writes(u *ir.Use, s interfaces.AnalysisState) bool {
	f := callee(u.Owner(), s)
	return f == nil || f.WritesArg(u.Index())
}

func (callBufferize) AliasingValues(u *ir.Use, s interfaces.AnalysisState) []interfaces.AliasingValue {
	op := u.Owner()
	var out []interfaces.AliasingValue
	f := callee(op, s)
	_, ranked := u.Value().Type().(*ir.RankedTensorType)
	if f == nil || !ranked {
		// What becomes of a tensor of unknown rank isn't looked into.
		for i := range op.NumResults() {
			if r := op.Result(i); interfaces.IsTensorLike(r.Type()) {
				out = append(out, interfaces.AliasingValue{Value: r})
			}
		}
		return out
	}
	results := f.AliasingResults(u.Index())
	for _, r := range results {
		a := interfaces.AliasingValue{Value: op.Result(r)}
		// As in MLIR, of several results none is taken for equivalent.
		if len(results) == 1 && f.EquivalentArg(r) >= 0 {
			a.Definite = true
			// A result may be equivalent to one argument only.
			if f.EquivalentArg(r) == u.Index() {
				a.Relation = interfaces.Equivalent
			}
		}
		out = append(out, a)
	}
	return out
}

func (callBufferize) BufferType(v *ir.Value, t interfaces.BufferTyper) (ir.Type, error) {
	fn := calledFunction(v.DefiningOp(), t)
	if fn == nil {
		return nil, v.DefiningOp().PlainErrorf("could not resolve the called function")
	}
	r := Type(fn).Results[v.Index()]
	if interfaces.IsBufferLike(r) {
		return r, nil
	}
	space, ok := t.DefaultMemorySpace(r)
	if !ok {
		return nil, v.DefiningOp().PlainErrorf("could not infer memory space")
	}
	return t.FunctionArgType(r, space, fn), nil
}

func (callBufferize) Bufferize(op *ir.Op, b interfaces.Bufferizer) error {
	fn := calledFunction(op, b)
	if fn == nil {
		return op.PlainErrorf("could not resolve the called function")
	}
	types, err := interfaces.ResultTypes(op, b)
	if err != nil {
		return err
	}
	operands := op.Operands().Values()
	for i, v := range operands {
		if !interfaces.IsTensorLike(v.Type()) {
			continue
		}
		buffer, err := b.Buffer(v)
		if err != nil {
			return err
		}
		// The callee was bufferized before, unless the calls form a cycle, and may want another
		// layout.
		in := Type(fn).Inputs[i]
		if interfaces.IsTensorLike(in) {
			if in, err = argType(fn, i, b); err != nil {
				return err
			}
		}
		if _, ok := interfaces.BufferLike.OfType(in); ok && buffer.Type() != in {
			buffer = b.CastType(buffer, in)
		} else if want, ok := in.(*ir.MemRefType); ok && buffer.Type() != in {
			if interfaces.MemorySpaceOf(buffer.Type()) != want.Space {
				// As in MLIR, the error is that there is no such cast.
				return ir.VerifyOp(b.CastType(buffer, want).DefiningOp())
			} else if buffer, err = b.Cast(buffer, want); err != nil {
				return err
			}
		}
		operands[i] = buffer
	}
	n := b.Builder().CreateOp(Call, types, operands, op.AllAttrs()...)
	b.Replace(op, n.Results().Values()...)
	return nil
}
