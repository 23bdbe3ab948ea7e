package tflite

import (
	"slices"

	"freehold/dialect/linalg"
	"freehold/dialect/tensor"
	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/transform/import/tflite/model"
)

// kernel is an operator that is being imported.
type kernel struct {
	*function
	op   *model.Operator
	code string
	// in and out are the tensors of the operator; in has nil for optional ones that are left out.
	in, out []*model.Tensor
}

// kernelDef says how an operator is imported.
type kernelDef struct {
	// least and most are how many inputs it may have; most below 0 is any number.
	least, most int
	// outputs is how many outputs it has, -1 for any number.
	outputs int
	build   func(k *kernel) error
}

// kernelOf returns the name of an operator and what is known about it.
func kernelOf(o *model.Operator) (code string, def kernelDef, ok bool) {
	kernels.making.Do(makeKernels)
	if o.Code == model.Custom {
		def, ok = kernels.custom[o.Custom]
		return o.Custom, def, ok
	}
	code = o.Code.String()
	def, ok = kernels.builtin[code]
	return code, def, ok
}

// operator imports an operator, whose number is n.
func (f *function) operator(n int, o *model.Operator) error {
	code, def, ok := kernelOf(o)
	f.b.Loc = ir.FileLineCol(f.file, uint32(f.lines+n+1), 1)
	if len(o.Outputs) > 0 {
		f.b.Loc = f.named(o.Outputs[0], f.b.Loc)
	}
	switch {
	case ok:
	case o.Code == model.Custom:
		return f.errorf("the custom operator %q isn't supported%s", o.Custom, helpOf(customHelp, o.Custom))
	default:
		return f.errorf("%s isn't supported%s", code, helpOf(builtinHelp, code))
	}
	k := &kernel{function: f, op: o, code: code}
	inputs := len(o.Inputs)
	for inputs > def.least && o.Inputs[inputs-1] < 0 {
		inputs--
	}
	if inputs < def.least || def.most >= 0 && inputs > def.most || def.outputs >= 0 && len(o.Outputs) != def.outputs {
		return f.errorf("%s has %d inputs and %d outputs", code, len(o.Inputs), len(o.Outputs))
	}
	for i, t := range o.Inputs[:inputs] {
		if t < 0 {
			if i < def.least {
				return f.errorf("%s has no input %d", code, i)
			}
			k.in = append(k.in, nil)
			continue
		}
		if _, err := f.typeOf(t); err != nil && !isHandle(f.graph.Tensors[t]) {
			return err
		}
		k.in = append(k.in, f.graph.Tensors[t])
	}
	for _, t := range o.Outputs {
		if _, err := f.typeOf(t); err != nil && !isHandle(f.graph.Tensors[t]) {
			return err
		}
		k.out = append(k.out, f.graph.Tensors[t])
	}
	if !rowKernels[code] && slices.ContainsFunc(slices.Concat(k.in, k.out), func(t *model.Tensor) bool { return t != nil && hasUnknownRows(t) }) {
		return k.errorf("%s of rows whose number is known only at run time isn't supported", code)
	}
	if !complexKernels[code] && slices.ContainsFunc(slices.Concat(k.in, k.out), func(t *model.Tensor) bool { return t != nil && t.Type == model.Complex64 }) {
		return k.unsupported()
	}
	err := def.build(k)
	if err == nil && f.tables > maxTables {
		err = f.errorf("the tables of the operators up to this %s have more than %d elements", code, maxTables)
	}
	if err == nil && o.Options.Err() != nil {
		err = f.errorf("the options of %s can't be read: %v", code, o.Options.Err())
	}
	return err
}

// optional returns an input that may be left out, or nil.
func (k *kernel) optional(i int) *model.Tensor {
	if i >= 0 && i < len(k.in) {
		return k.in[i]
	}
	return nil
}

// value returns what input i is.
func (k *kernel) value(i int) (*ir.Value, error) { return k.function.value(k.op.Inputs[i]) }

// list returns the values of inputs.
func (k *kernel) inputs(which ...int) ([]*ir.Value, error) {
	var out []*ir.Value
	for _, i := range which {
		v, err := k.value(i)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, nil
}

// result says what output i is.
func (k *kernel) result(i int, v *ir.Value) { k.values[k.op.Outputs[i]] = v }

// resultType returns the type of output i, which has been looked at.
func (k *kernel) resultType(i int) *ir.RankedTensorType { return k.tensorType(k.out[i]) }

// tensorType returns the type of a tensor that has been looked at.
func (k *kernel) tensorType(t *model.Tensor) *ir.RankedTensorType {
	return k.ctx.RankedTensor(t.Shape, k.elementType(t.Type))
}

// unsupported says that the operator has no kernel for the types of its tensors.
func (k *kernel) unsupported() error {
	text := ""
	for i, t := range slices.Concat(k.in, k.out) {
		if t == nil {
			continue
		}
		switch {
		case i == len(k.in):
			text += " to "
		case text != "":
			text += ", "
		}
		text += t.Type.String()
	}
	return k.errorf("%s from %s isn't supported", k.code, text)
}

// malformed says that the sizes of the tensors don't go together.
func (k *kernel) malformed() error {
	text := ""
	for _, t := range slices.Concat(k.in, k.out) {
		if t == nil {
			continue
		}
		if text != "" {
			text += ", "
		}
		text += k.tensorType(t).String()
	}
	return k.errorf("the sizes of the tensors of %s don't go together: %s", k.code, text)
}

// quantized checks that tensors have one scale and one zero point, for numbers in their type.
func (k *kernel) quantized(tensors ...*model.Tensor) error {
	for _, t := range tensors {
		low, high := limits(t.Type)
		if len(t.Scale) != 1 || !(t.Scale[0] > 0) || t.ZeroPoint[0] < low || t.ZeroPoint[0] > high {
			return k.errorf("tensor %q of %s has no scale and zero point that fit its type", t.Name, k.code)
		}
	}
	return nil
}

// isQuantized tells whether tensors have 8 or 16 bits.
func isQuantized(t *model.Tensor) bool {
	return t.Type == model.Int8 || t.Type == model.Int16 || t.Type == model.Uint8
}

// empty returns a tensor without contents.
func (f *function) empty(t *ir.RankedTensorType) *ir.Value { return tensor.NewEmptyOf(f.b, t, nil) }

// pointwise computes output 0 element by element from inputs that are broadcast to it. body gets their elements.
func (k *kernel) pointwise(inputs []*ir.Value, body func(elements []*ir.Value) *ir.Value) error {
	v, err := k.mapped(k.resultType(0), inputs, body)
	if err == nil {
		k.result(0, v)
	}
	return err
}

// mapped computes a tensor element by element from inputs that are broadcast to it.
func (k *kernel) mapped(t *ir.RankedTensorType, inputs []*ir.Value, body func(elements []*ir.Value) *ir.Value) (*ir.Value, error) {
	var maps []*ir.AffineMap
	for _, v := range inputs {
		m := k.broadcast(v.Type().(*ir.RankedTensorType).Shape, t.Shape)
		if m == nil {
			return nil, k.malformed()
		}
		maps = append(maps, m)
	}
	return k.generic(t, inputs, maps, body), nil
}

// broadcast returns where the element of an input is for that of a result, or nil if the input can't be broadcast to it.
func (f *function) broadcast(from, to []int64) *ir.AffineMap {
	if len(from) > len(to) {
		return nil
	}
	var exprs []*ir.AffineExpr
	for i, n := range from {
		d := len(to) - len(from) + i
		switch {
		case n == to[d]:
			exprs = append(exprs, f.ctx.AffineDim(d))
		case n == 1:
			exprs = append(exprs, f.ctx.AffineConstant(0))
		default:
			return nil
		}
	}
	return f.ctx.AffineMap(len(to), 0, exprs...)
}

// generic computes each element of a tensor by itself. body gets the elements of the inputs that the maps say, and may read others.
func (f *function) generic(t *ir.RankedTensorType, inputs []*ir.Value, maps []*ir.AffineMap, body func(elements []*ir.Value) *ir.Value) *ir.Value {
	rank := len(t.Shape)
	iterators := make([]interfaces.Iterator, rank)
	maps = append(slices.Clip(maps), f.ctx.IdentityMap(rank))
	op := linalg.NewGeneric(f.b, inputs, []*ir.Value{f.empty(t)}, maps, iterators, func(_ *ir.Builder, args []*ir.Value) []*ir.Value {
		return []*ir.Value{body(args[:len(inputs)])}
	})
	return op.Result(0)
}

// computed computes output 0 element by element from the indices of each.
func (k *kernel) computed(body func(indices []*ir.Value) *ir.Value) {
	t := k.resultType(0)
	k.result(0, k.generic(t, nil, nil, func([]*ir.Value) *ir.Value { return body(k.indices(len(t.Shape))) }))
}

// channel is the map from an element of a tensor to the element of a list for its last dimension, or of a list of one.
func (f *function) channel(rank int, list *ir.Value) *ir.AffineMap {
	if list.Type().(*ir.RankedTensorType).Shape[0] == 1 {
		return f.ctx.AffineMap(rank, 0, f.ctx.AffineConstant(0))
	}
	return f.ctx.AffineMap(rank, 0, f.ctx.AffineDim(rank-1))
}
