package tflite

import (
	"freehold/dialect/arith"
	gomath "freehold/dialect/math"
	"freehold/ir"
	"freehold/transform/import/tflite/model"
)

// floatGates is the arithmetic of an LSTM in single precision, also with weights of 8 bits.
type floatGates struct {
	*cells
	// peephole and norms are lists for gates, nil where there is none.
	peephole, norms [gates]*ir.Value
	normBias        [gates]*ir.Value
	projectionBias  *ir.Value
	activate        func(x *ir.Value) *ir.Value
}

func newFloatGates(l *cells, in lstmInputs) (gateArithmetic, error) {
	activate, err := l.recurrentActivation(model.Activation(l.activation))
	if err != nil {
		return nil, err
	}
	f := &floatGates{cells: l, activate: activate}
	l.hybrid = isHybrid(l.in[0], l.in[in.recurrent[outputGate]])
	if err := l.read(in, model.Float32); err != nil {
		return nil, err
	}
	return f, f.lists(in)
}

// lists reads what there is for each cell: biases, peepholes and norms.
func (f *floatGates) lists(in lstmInputs) error {
	for _, g := range f.kinds {
		bias, err := f.list(in.bias[g], f.count)
		if err != nil {
			return err
		}
		if f.cells.norms {
			f.normBias[g] = bias
			if f.norms[g], err = f.list(in.norms[g], f.count); err != nil {
				return err
			}
		} else {
			f.bias = append(f.bias, bias)
		}
		if f.peepholes && g != cellGate {
			if f.peephole[g], err = f.list(in.peephole[g], f.count); err != nil {
				return err
			}
		}
	}
	if f.projection == nil || f.optional(in.projectionBias) == nil {
		return nil
	}
	var err error
	f.projectionBias, err = f.list(in.projectionBias, f.outputs)
	return err
}

func (f *floatGates) memory() ir.Type              { return ir.F32 }
func (f *floatGates) wide(x *ir.Value) *ir.Value   { return x }
func (f *floatGates) narrow(x *ir.Value) *ir.Value { return x }

func (f *floatGates) sums(s step, unit *ir.Value) []*ir.Value { return f.recurrent.sums(s, unit) }

func (f *floatGates) seen(_ step, gate int, sum, cell, unit *ir.Value) *ir.Value {
	if f.peephole[gate] == nil {
		return sum
	}
	return f.fAdd(sum, f.fMul(f.at(f.peephole[gate], unit), cell))
}

func (f *floatGates) function(gate int, x *ir.Value) *ir.Value {
	if gate == cellGate {
		return f.activate(x)
	}
	return sigmoid(f.kernel, x)
}

// clipped limits a number to a limit and its negative, if there is one.
func (f *floatGates) clipped(x *ir.Value, limit float32) *ir.Value {
	if limit == 0 {
		return x
	}
	high, low := f.f32(limit), f.f32(-limit)
	x = f.pick(f.cmpf(arith.OLT, x, high), x, high)
	return f.pick(f.cmpf(arith.OLT, x, low), low, x)
}

func (f *floatGates) update(value [gates]*ir.Value, old *ir.Value) *ir.Value {
	in := value[inputGate]
	if in == nil {
		in = f.fSub(f.f32(1), value[forgetGate])
	}
	return f.clipped(f.fAdd(f.fMul(value[forgetGate], old), f.fMul(value[cellGate], in)), f.clip)
}

func (f *floatGates) output(gate, cell *ir.Value) *ir.Value { return f.fMul(gate, f.activate(cell)) }

// norm normalizes the sums of a gate to a mean of 0 and a deviation of 1, and applies the coefficients and the bias of each cell.
func (f *floatGates) norm(gate int, sums *ir.Value) func(unit *ir.Value) *ir.Value {
	total := func(of func(x *ir.Value) *ir.Value) *ir.Value {
		return f.op2(arith.DivF, f.nest([]span{f.upTo(f.count)}, f.f32(0), func(i []*ir.Value, acc *ir.Value) *ir.Value {
			return f.fAdd(acc, of(f.at(sums, i[0])))
		}), f.f32(float32(f.count)))
	}
	mean := total(func(x *ir.Value) *ir.Value { return x })
	variance := total(func(x *ir.Value) *ir.Value {
		d := f.fSub(x, mean)
		return f.fMul(d, d)
	})
	factor := f.op2(arith.DivF, f.f32(1), f.math1(gomath.Sqrt, f.fAdd(variance, f.f32(1e-8))))
	return func(unit *ir.Value) *ir.Value {
		x := f.fMul(f.fSub(f.at(sums, unit), mean), factor)
		return f.fAdd(f.fMul(x, f.at(f.norms[gate], unit)), f.at(f.normBias[gate], unit))
	}
}

func (f *floatGates) projected(cells *ir.Value) func(i *ir.Value) *ir.Value {
	x := f.vectorOf(f.count, func(i *ir.Value) *ir.Value { return f.at(cells, i) })
	return func(i *ir.Value) *ir.Value {
		sum := f.f32(0)
		if f.projectionBias != nil {
			sum = f.at(f.projectionBias, i)
		}
		sum = f.fAdd(sum, f.products(x, []matrix{*f.projection}, i)[0])
		return f.clipped(sum, f.projectionClip)
	}
}
