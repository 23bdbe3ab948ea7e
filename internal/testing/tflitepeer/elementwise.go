package main

import (
	"encoding/binary"
	"math"

	"freehold/transform/import/tflite/model"
)

var elementwise = map[string]func(g *generator) *single{
	"ADD": pairwise(0, model.Float32, model.Int8, model.Int16, model.Uint8, model.Int32, model.Int64),
	"SUB": pairwise(0, model.Float32, model.Int8, model.Int16, model.Uint8, model.Int32, model.Int64),
	"MUL": pairwise(0, model.Float32, model.Int8, model.Int16, model.Uint8, model.Int32, model.Int64),
	"DIV": func(g *generator) *single {
		c := pairwise(0, model.Float32, model.Int32, model.Uint8)(g)
		if in := c.in[0]; in.Type == model.Uint8 {
			// The kernel shifts small numbers by more bits than there are.
			c.out[0].Scale[0] = in.Scale[0] / c.in[1].Scale[0] * float32(0.5+g.Float64())
			var data []byte
			for range elements(in.Shape) {
				x := g.between(65, 191)
				if x += in.ZeroPoint[0]; x > 255 {
					x -= 256
				}
				data = append(data, byte(x))
			}
			c.arguments[0] = data
		}
		return nonzero(g, c)
	},
	"SQUARED_DIFFERENCE": pairwise(-1, model.Float32, model.Int8, model.Int32),
	"MAXIMUM":            sameScale(pairwise(-1, model.Float32, model.Int8, model.Int16, model.Uint8, model.Int32, model.Int64)),
	"MINIMUM":            sameScale(pairwise(-1, model.Float32, model.Int8, model.Int16, model.Uint8, model.Int32, model.Int64)),
	"FLOOR_DIV": func(g *generator) *single {
		return nonzero(g, pairwise(-1, model.Float32, model.Int8, model.Int16, model.Int32)(g))
	},
	"FLOOR_MOD": func(g *generator) *single {
		return nonzero(g, pairwise(-1, model.Float32, model.Int8, model.Int16, model.Int32, model.Int64)(g))
	},
	"ATAN2": func(g *generator) *single {
		t := plain(model.Float32, g.any(1, 4)...)
		return of(t, t, t)
	},
	"BITWISE_XOR": pairwise(-1, model.Int8, model.Int16, model.Int32, model.Uint8),
	"POW": func(g *generator) *single {
		c := pairwise(-1, model.Float32, model.Int32)(g)
		if c.in[0].Type == model.Int32 {
			for i := range c.in {
				c.arguments[i] = small(g, elements(c.in[i].Shape), 0, 5)
			}
		}
		return c
	},
	"RIGHT_SHIFT": func(g *generator) *single {
		c := pairwise(-1, model.Int8, model.Int16, model.Int32, model.Uint8)(g)
		t := c.in[1]
		var data []byte
		for range elements(t.Shape) {
			data = number(data, t.Type, g.between(0, int(8*t.Type.Size())-1))
		}
		c.arguments[1] = data
		return c
	},
	"STABLEHLO_ADD":      sameShape(model.Float32, model.Int8, model.Int16, model.Int32, model.Int64, model.Uint8, model.Bool),
	"STABLEHLO_MULTIPLY": sameShape(model.Float32, model.Int8, model.Int16, model.Int32, model.Int64, model.Uint8, model.Bool),
	"STABLEHLO_MAXIMUM":  sameShape(model.Float32, model.Int8, model.Int16, model.Int32, model.Int64, model.Uint8, model.Bool),
	"STABLEHLO_MINIMUM":  sameShape(model.Float32, model.Int8, model.Int16, model.Int32, model.Int64, model.Uint8, model.Bool),
	"STABLEHLO_AND":      sameShape(model.Int8, model.Int16, model.Int32, model.Int64, model.Uint8, model.Bool),
	"STABLEHLO_SHIFT_LEFT": func(g *generator) *single {
		c := sameShape(model.Int8, model.Int16, model.Int32)(g)
		t := c.in[1]
		var data []byte
		for range elements(t.Shape) {
			data = number(data, t.Type, g.between(0, int(8*t.Type.Size())-1))
		}
		c.arguments[1] = data
		return c
	},
	"ADD_N": func(g *generator) *single {
		t, shape := pick(g, model.Float32, model.Int32), g.any(1, 4)
		in := []model.Tensor{plain(t, shape...), plain(t, shape...)}
		for g.chance(2) {
			in = append(in, plain(t, shape...))
		}
		return of(plain(t, shape...), in...)
	},

	"FAKE_QUANT": func(g *generator) *single {
		t := plain(model.Float32, g.any(1, 4)...)
		low, high := -float32(g.Float64()*4), float32(g.Float64()*4)
		switch g.IntN(4) {
		case 0:
			low = 0
		case 1:
			high = 0
		}
		return of(t, t).option(0, low).option(1, high).option(2, int32(pick(g, 2, 4, 8, 16)))
	},

	"RELU":         unary(model.Float32, model.Int8, model.Int16, model.Uint8),
	"RELU6":        sameScale(unary(model.Float32, model.Int8, model.Int16, model.Uint8)),
	"RELU_N1_TO_1": sameScale(unary(model.Float32, model.Int8, model.Uint8)),
	"RELU_0_TO_1":  sameScale(unary(model.Float32, model.Int8, model.Uint8)),
	"LEAKY_RELU": func(g *generator) *single {
		return unary(model.Float32, model.Int8, model.Int16, model.Uint8)(g).option(0, pick(g, float32(0.1), 0.01, 0.5, float32(g.Float64()), -0.3, 1.5))
	},
	"HARD_SWISH": unary(model.Float32, model.Int8, model.Uint8),
	"ELU":        unary(model.Float32, model.Int8),
	"EXP":        unary(model.Float32, model.Int8, model.Int16),
	// In single precision, GELU has few right digits where it is near 0, of whatever library the functions are.
	"GELU":     func(g *generator) *single { return unary(model.Int8, model.Uint8)(g).option(0, g.chance(2)) },
	"LOGISTIC": sigmoidal(1.0/256, 1.0/32768),
	"TANH":     sigmoidal(1.0/128, 1.0/32768),
	"LOG":      func(g *generator) *single { return positive(g, unary(model.Float32, model.Int8, model.Int16)(g)) },
	"SQRT":     func(g *generator) *single { return positive(g, unary(model.Float32)(g)) },
	"RSQRT":    func(g *generator) *single { return positive(g, unary(model.Float32, model.Int8, model.Int16)(g)) },
	"SIN":      unary(model.Float32),
	"COS":      unary(model.Float32),
	"SQUARE":   unary(model.Float32),
	"FLOOR":    unary(model.Float32),
	"CEIL":     unary(model.Float32),
	"ROUND":    unary(model.Float32),
	"SIGN":     unary(model.Float32, model.Int32),
	"ABS":      unary(model.Float32, model.Int32, model.Int8, model.Int16),
	"NEG":      unary(model.Float32, model.Int32, model.Int64),

	"PRELU": func(g *generator) *single {
		t, shape := pick(g, model.Float32, model.Int8, model.Uint8), g.shape(4, 4)
		alpha := g.tensor(t, 1, 1, shape[3])
		return of(g.tensor(t, shape...), g.tensor(t, shape...), g.constant(alpha))
	},

	"QUANTIZE": func(g *generator) *single {
		shape := g.any(1, 4)
		if g.chance(2) {
			return of(g.tensor(pick(g, model.Int8, model.Int16, model.Uint8), shape...), plain(model.Float32, shape...))
		}
		in, out := pick(g, model.Int8, model.Int16, model.Uint8), pick(g, model.Int8, model.Int16, model.Uint8)
		if in == model.Int16 && out == model.Uint8 {
			out = model.Int8
		}
		return of(g.tensor(out, shape...), g.tensor(in, shape...))
	},
	"DEQUANTIZE": func(g *generator) *single {
		shape := g.any(1, 4)
		return of(plain(model.Float32, shape...), g.tensor(pick(g, model.Int8, model.Int16, model.Uint8), shape...))
	},
	"CAST": func(g *generator) *single {
		shape := g.any(1, 4)
		in, out := plain(pick(g, all...), shape...), plain(pick(g, all...), shape...)
		return of(out, in)
	},
}

// unary is an operator on each element.
func unary(types ...model.Type) func(g *generator) *single {
	return func(g *generator) *single {
		t, shape := pick(g, types...), g.any(1, 4)
		return of(g.tensor(t, shape...), g.tensor(t, shape...))
	}
}

// sameShape is an operator on two tensors of one size, whose numbers aren't scaled.
func sameShape(types ...model.Type) func(g *generator) *single {
	return func(g *generator) *single {
		t := plain(pick(g, types...), g.any(1, 4)...)
		return of(t, t, t)
	}
}

// sigmoidal is unary with the scale that results must have.
func sigmoidal(of8, of16 float32) func(g *generator) *single {
	return func(g *generator) *single {
		c := unary(model.Float32, model.Int8, model.Int16, model.Uint8)(g)
		if c.in[0].Type == model.Int16 {
			// Their tables are tried at many places.
			c.in[0].Shape, c.out[0].Shape = []int64{2000}, []int64{2000}
		}
		switch out := &c.out[0]; out.Type {
		case model.Int8:
			zero := int64(0)
			if of8 == 1.0/256 {
				zero = -128
			}
			*out = scaled(*out, of8, zero)
		case model.Uint8:
			zero := int64(128)
			if of8 == 1.0/256 {
				zero = 0
			}
			*out = scaled(*out, of8, zero)
		case model.Int16:
			*out = scaled(*out, of16, 0)
		}
		return c
	}
}

// positive makes the argument positive.
func positive(g *generator, c *single) *single {
	t := &c.in[0]
	var data []byte
	for range elements(t.Shape) {
		switch t.Type {
		case model.Float32:
			data = binary.LittleEndian.AppendUint32(data, math.Float32bits(float32(g.Float64()*50+1e-3)))
		case model.Int16:
			data = number(data, t.Type, g.between(0, math.MaxInt16))
		default:
			data = append(data, byte(g.between(int(t.ZeroPoint[0]), 127)))
		}
	}
	c.arguments[0] = data
	return c
}

// small returns numbers of 32 bits between two.
func small(g *generator, n int64, low, high int) []byte {
	var data []byte
	for range n {
		data = number(data, model.Int32, g.between(low, high))
	}
	return data
}

// nonzero has no 0 in the divisor.
func nonzero(g *generator, c *single) *single {
	t := c.in[1]
	var data []byte
	zero := int64(0)
	if len(t.ZeroPoint) > 0 && c.in[0].Type == model.Uint8 {
		zero = t.ZeroPoint[0]
	}
	for range elements(t.Shape) {
		if t.Type == model.Float32 {
			data = binary.LittleEndian.AppendUint32(data, math.Float32bits(g.float()+0.001))
			continue
		}
		low, high := limits(t.Type)
		x := g.between(low, high)
		for x == zero {
			x = g.between(low, high)
		}
		data = number(data, t.Type, x)
	}
	c.arguments[1] = data
	return c
}

// broadcast returns sizes that are broadcast to others.
func (g *generator) broadcast(shape []int64) []int64 {
	s := append([]int64{}, shape[g.IntN(len(shape)):]...)
	for i := range s {
		if g.chance(3) {
			s[i] = 1
		}
	}
	return s
}

// pairwise is an operator on two tensors that are broadcast. activation is the place of the activation among the options, or -1.
func pairwise(activation int, types ...model.Type) func(g *generator) *single {
	return func(g *generator) *single {
		t, shape := pick(g, types...), g.any(1, 4)
		a, b := shape, shape
		switch g.IntN(4) {
		case 0:
			a = g.broadcast(shape)
		case 1:
			b = g.broadcast(shape)
		}
		c := of(g.tensor(t, shape...), g.tensor(t, a...), g.tensor(t, b...))
		if activation >= 0 && t != model.Int64 {
			c.option(activation, g.activation())
		}
		return c
	}
}

// sameScale gives all tensors one scale.
func sameScale(make func(g *generator) *single) func(g *generator) *single {
	return func(g *generator) *single {
		c := make(g)
		for i := range c.in {
			c.in[i].Scale, c.in[i].ZeroPoint = c.out[0].Scale, c.out[0].ZeroPoint
		}
		return c
	}
}

var comparisons = map[string]func(g *generator) *single{
	"EQUAL":         compared(model.Float32, model.Int8, model.Int16, model.Uint8, model.Int32, model.Int64, model.Bool),
	"NOT_EQUAL":     compared(model.Float32, model.Int8, model.Int16, model.Uint8, model.Int32, model.Int64, model.Bool),
	"LESS":          compared(model.Float32, model.Int8, model.Int16, model.Uint8, model.Int32, model.Int64),
	"LESS_EQUAL":    compared(model.Float32, model.Int8, model.Int16, model.Uint8, model.Int32, model.Int64),
	"GREATER":       compared(model.Float32, model.Int8, model.Int16, model.Uint8, model.Int32, model.Int64),
	"GREATER_EQUAL": compared(model.Float32, model.Int8, model.Int16, model.Uint8, model.Int32, model.Int64),
	"LOGICAL_AND":   compared(model.Bool),
	"LOGICAL_OR":    compared(model.Bool),
	"LOGICAL_NOT": func(g *generator) *single {
		shape := g.any(1, 4)
		return of(plain(model.Bool, shape...), plain(model.Bool, shape...))
	},
	"SELECT_V2": func(g *generator) *single {
		c := sameScale(pairwise(-1, all...))(g)
		shape := c.out[0].Shape
		if g.chance(2) {
			shape = g.broadcast(shape)
		}
		return of(c.out[0], plain(model.Bool, shape...), c.in[0], c.in[1])
	},
	"SELECT": func(g *generator) *single {
		shape := g.any(1, 4)
		t := g.tensor(pick(g, all...), shape...)
		condition := plain(model.Bool, shape...)
		if g.chance(3) {
			condition.Shape = shape[:1]
		}
		return of(t, condition, t, t)
	},
}

// compared is an operator whose results are truth values.
func compared(types ...model.Type) func(g *generator) *single {
	return func(g *generator) *single {
		c := pairwise(-1, types...)(g)
		c.out[0] = plain(model.Bool, c.out[0].Shape...)
		for i := range c.in {
			for k, s := range c.in[i].Scale {
				// No kernel has arithmetic for scales from 1 on, and those of 16 bits overflow for all but small ones.
				c.in[i].Scale[k] = min(s, 0.99)
				if c.in[i].Type == model.Int16 {
					c.in[i].Scale[k] = c.in[0].Scale[0]
				}
			}
		}
		if g.chance(2) {
			c.in[1].Scale, c.in[1].ZeroPoint = c.in[0].Scale, c.in[0].ZeroPoint
		}
		return c
	}
}
