package tflite_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"freehold/internal/testing/tflitegen"
	"freehold/transform/import/tflite/model"
)

// The functions in this file are the definitions of the fixed-point arithmetic, step by step: a multiplier is a fraction and an
// exponent; the product is rounded to 31 bits behind the point, halves up; and then divided, halves away from zero.

func multiply(x int32, real float64) int64 {
	fraction, exponent := math.Frexp(real)
	m := int64(math.Round(fraction * (1 << 31)))
	if m == 1<<31 {
		m, exponent = 1<<30, exponent+1
	}
	if real == 0 || exponent < -31 {
		return 0
	}
	if exponent > 0 {
		x <<= exponent
		exponent = 0
	}
	product := int64(x) * m
	nudge := int64(1 << 30)
	if product < 0 {
		nudge = 1 - 1<<30
	}
	high := (product + nudge) / (1 << 31)
	rest := high & (1<<-exponent - 1)
	threshold := int64(1<<-exponent-1) >> 1
	if high < 0 {
		threshold++
	}
	high >>= -exponent
	if rest > threshold {
		high++
	}
	return high
}

// clamped is an element of 8 bits between the limits of an activation.
func clamped(x int64, low, high int64) int64 { return min(max(x, low, -128), high, 127) }

// image is an array of 8 bit numbers with four dimensions.
type image struct {
	n, h, w, c int64
	data       []int64
}

func randomImage(rnd *rand.Rand, n, h, w, c int64) image {
	m := image{n, h, w, c, make([]int64, n*h*w*c)}
	for i := range m.data {
		m.data[i] = rnd.Int64N(256) - 128
	}
	return m
}

func (m image) at(n, y, x, c int64) int64 { return m.data[((n*m.h+y)*m.w+x)*m.c+c] }
func (m image) shape() []int64            { return []int64{m.n, m.h, m.w, m.c} }

// text is an argument with the numbers.
func (m image) text() string {
	var w strings.Builder
	i := 0
	var list func(sizes []int64)
	list = func(sizes []int64) {
		if len(sizes) == 0 {
			fmt.Fprint(&w, m.data[i])
			i++
			return
		}
		w.WriteByte('[')
		for k := range sizes[0] {
			if k > 0 {
				w.WriteByte(',')
			}
			list(sizes[1:])
		}
		w.WriteByte(']')
	}
	list(m.shape())
	return w.String()
}

// joined is how results are written.
func joined(list []int64) string { return strings.Trim(fmt.Sprint(list), "[]") }

// Convolutions of random sizes, paddings, strides, dilations, groups and scales give what their definition says.
func TestConvolutions(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for i := range 60 {
		depthwise := i%2 == 1
		valid, stride, dilation := rnd.IntN(2), 1+rnd.Int64N(3), 1+rnd.Int64N(2)
		groups, depth, perGroup := 1+rnd.Int64N(2), 1+rnd.Int64N(3), 1+rnd.Int64N(3)
		fh, fw := 1+rnd.Int64N(3), 1+rnd.Int64N(3)
		in := randomImage(rnd, 1+rnd.Int64N(2), 5+rnd.Int64N(4), 5+rnd.Int64N(4), groups*depth)
		filter := randomImage(rnd, groups*perGroup, fh, fw, depth)
		axis := 0
		if depthwise {
			in.c = groups
			in.data = in.data[:in.n*in.h*in.w*in.c]
			filter = randomImage(rnd, 1, fh, fw, groups*perGroup)
			axis = 3
		}
		oh, py := extent(in.h, fh, stride, dilation, valid)
		ow, px := extent(in.w, fw, stride, dilation, valid)
		channels := groups * perGroup
		scales, bias := make([]float32, channels), make([]int64, channels)
		for c := range scales {
			scales[c] = 0.001 + rnd.Float32()*0.05
			bias[c] = rnd.Int64N(20000) - 10000
		}
		const inScale, outScale = float32(0.05), float32(0.1)
		inZero, outZero := rnd.Int64N(20)-10, rnd.Int64N(20)-10
		low := int64(-128)
		activation := int8(rnd.IntN(2))
		if activation == 1 {
			low = outZero
		}
		var want []int64
		for n := range in.n {
			for y := range oh {
				for x := range ow {
					for c := range channels {
						sum := int32(bias[c])
						for ky := range fh {
							for kx := range fw {
								iy, ix := y*stride-py+ky*dilation, x*stride-px+kx*dilation
								if iy < 0 || iy >= in.h || ix < 0 || ix >= in.w {
									continue
								}
								if depthwise {
									sum += int32((in.at(n, iy, ix, c/perGroup) - inZero) * filter.at(0, ky, kx, c))
									continue
								}
								for k := range depth {
									sum += int32((in.at(n, iy, ix, c/perGroup*depth+k) - inZero) * filter.at(c, ky, kx, k))
								}
							}
						}
						real := float64(inScale) * float64(scales[c]) / float64(outScale)
						want = append(want, clamped(multiply(sum, real)+outZero, low, 127))
					}
				}
			}
		}
		weights := constant(tensor(model.Int8, filter.shape()...), int8s(filter.data...))
		weights.Scale, weights.ZeroPoint, weights.Axis = scales, make([]int64, channels), axis
		code, options := "CONV_2D", []tflitegen.Option{{Field: 0, Value: int8(valid)}, {Field: 1, Value: int32(stride)}, {Field: 2, Value: int32(stride)}, {Field: 3, Value: activation}, {Field: 4, Value: int32(dilation)}, {Field: 5, Value: int32(dilation)}}
		if depthwise {
			code = "DEPTHWISE_CONV_2D"
			options = []tflitegen.Option{{Field: 0, Value: int8(valid)}, {Field: 1, Value: int32(stride)}, {Field: 2, Value: int32(stride)}, {Field: 3, Value: int32(perGroup)}, {Field: 4, Value: activation}, {Field: 5, Value: int32(dilation)}, {Field: 6, Value: int32(dilation)}}
		}
		file := single(code, options, with(tensor(model.Int8, in.n, oh, ow, channels), outScale, outZero),
			with(tensor(model.Int8, in.shape()...), inScale, inZero), weights, constant(tensor(model.Int32, channels), int32s(bias...)))
		if got := execute(t, file, in.text()); got[0] != joined(want) {
			t.Fatalf("program %d, %s of %v by %v, stride %d, dilation %d:\ngot  %s\nwant %s", i, code, in.shape(), filter.shape(), stride, dilation, got[0], joined(want))
		}
	}
}

// extent returns the size of the output along a dimension, and the padding before the start.
func extent(in, filter, stride, dilation int64, valid int) (out, padding int64) {
	effective := (filter-1)*dilation + 1
	if valid == 1 {
		return (in - effective + stride) / stride, 0
	}
	out = (in + stride - 1) / stride
	return out, max((out-1)*stride+effective-in, 0) / 2
}

// Sums and products of scaled numbers, for all pairs of some and several scales.
func TestScaledSums(t *testing.T) {
	numbers := []int64{-128, -127, -64, -3, -1, 0, 1, 2, 63, 126, 127}
	var a, b []int64
	for _, x := range numbers {
		for _, y := range numbers {
			a, b = append(a, x), append(b, y)
		}
	}
	n := int64(len(a))
	for _, s := range []struct{ a, b, out float32 }{{0.1, 0.1, 0.2}, {0.03, 0.2, 0.21}, {1, 0.004, 0.9}} {
		for _, code := range []string{"ADD", "SUB", "MUL"} {
			const za, zb, zo = 3, -5, 7
			twice := 2 * max(float64(s.a), float64(s.b))
			var want []int64
			for i := range a {
				x, y := int32(a[i]-za), int32(b[i]-zb)
				var sum int64
				if code == "MUL" {
					sum = multiply(x*y, float64(s.a)*float64(s.b)/float64(s.out))
				} else {
					p, q := multiply(x<<20, float64(s.a)/twice), multiply(y<<20, float64(s.b)/twice)
					if code == "SUB" {
						q = -q
					}
					sum = multiply(int32(p+q), twice/(float64(1<<20)*float64(s.out)))
				}
				want = append(want, clamped(sum+zo, -128, 127))
			}
			file := single(code, nil, with(tensor(model.Int8, n), s.out, zo), with(tensor(model.Int8, n), s.a, za), with(tensor(model.Int8, n), s.b, zb))
			list := func(l []int64) string { return "[" + strings.ReplaceAll(joined(l), " ", ",") + "]" }
			if got := execute(t, file, list(a), list(b)); got[0] != joined(want) {
				t.Errorf("%s with %v:\ngot  %s\nwant %s", code, s, got[0], joined(want))
			}
		}
	}
}

// Functions by tables and fixed-point arithmetic are as near to the functions as 8 and 16 bits allow.
func TestScaledFunctions(t *testing.T) {
	sigmoid := func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
	swish := func(x float64) float64 { return x * min(max(x+3, 0), 6) / 6 }
	for _, tt := range []struct {
		code     string
		typ      model.Type
		in       float32
		out      float32
		zero     int64
		fn       func(float64) float64
		nearness float64 // in steps of the output
	}{
		{"LOGISTIC", model.Int8, 0.05, 1.0 / 256, -128, sigmoid, 1},
		{"LOGISTIC", model.Int16, 1.0 / 4096, 1.0 / 32768, 0, sigmoid, 6},
		{"LOGISTIC", model.Int16, 0.0003, 1.0 / 32768, 0, sigmoid, 6},
		{"TANH", model.Int8, 0.03, 1.0 / 128, 0, math.Tanh, 1},
		{"TANH", model.Int16, 1.0 / 4096, 1.0 / 32768, 0, math.Tanh, 12},
		{"TANH", model.Int16, 0.00021, 1.0 / 32768, 0, math.Tanh, 12},
		{"HARD_SWISH", model.Int8, 0.05, 0.04, -10, swish, 1.5},
		{"ELU", model.Int8, 0.05, 0.05, 0, func(x float64) float64 {
			if x < 0 {
				return math.Expm1(x)
			}
			return x
		}, 1},
		{"GELU", model.Int8, 0.03, 0.03, 10, func(x float64) float64 { return x * (1 + math.Erf(x/math.Sqrt2)) / 2 }, 0.51},
		{"RSQRT", model.Int8, 0.05, 0.04, -128, func(x float64) float64 { return 1 / math.Sqrt(max(x, 0)) }, 0.51},
		{"RSQRT", model.Int8, 3, 0.01, 0, func(x float64) float64 { return 1 / math.Sqrt(max(x, 0)) }, 0.51},
		{"ABS", model.Int8, 0.05, 0.07, -100, math.Abs, 0.51},
		{"ABS", model.Int16, 0.0005, 0.0007, 0, math.Abs, 0.51},
		{"EXP", model.Int8, 0.02, 0.1, -128, math.Exp, 1},
		{"EXP", model.Int16, 0.0001, 0.001, 0, math.Exp, 4},
	} {
		low, high, step := int64(-128), int64(127), int64(1)
		if tt.typ == model.Int16 {
			low, high, step = math.MinInt16, math.MaxInt16, 97
		}
		var list []int64
		for x := low; x <= high; x += step {
			list = append(list, x)
		}
		n := int64(len(list))
		file := single(tt.code, nil, with(tensor(tt.typ, n), tt.out, tt.zero), with(tensor(tt.typ, n), tt.in, 0))
		got := strings.Fields(execute(t, file, "["+strings.ReplaceAll(joined(list), " ", ",")+"]")[0])
		for i, x := range list {
			want := tt.fn(float64(x)*float64(tt.in))/float64(tt.out) + float64(tt.zero)
			want = min(max(want, float64(low)), float64(high))
			var y float64
			fmt.Sscan(got[i], &y)
			if math.Abs(y-want) > tt.nearness {
				t.Errorf("%s of %d in %s, scale %g, is %g, and %.2f by definition", tt.code, x, tt.typ, tt.in, y, want)
			}
		}
	}
}

// The rows of a softmax of scaled numbers are as near to the function as the output's steps.
func TestScaledSoftmax(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	for _, tt := range []struct {
		in, out         model.Type
		scale, outScale float32
		zero            int64
		nearness        float64
	}{
		{model.Int8, model.Int8, 0.1, 1.0 / 256, -128, 1},
		{model.Int8, model.Int16, 0.05, 1.0 / 65536, -32768, 4},
		{model.Int16, model.Int16, 0.0003, 1.0 / 32768, 0, 12},
		{model.Int8, model.Int8, 2, 1.0 / 256, -128, 1},
	} {
		const rows, depth = 4, 7
		var data []int64
		for range rows * depth {
			n := rnd.Int64N(256) - 128
			if tt.in == model.Int16 {
				n = rnd.Int64N(65536) - 32768
			}
			data = append(data, n)
		}
		file := single("SOFTMAX", []tflitegen.Option{{Field: 0, Value: float32(1)}}, with(tensor(tt.out, 1, rows, 1, depth), tt.outScale, tt.zero), with(tensor(tt.in, 1, rows, 1, depth), tt.scale, 3))
		got := strings.Fields(execute(t, file, image{1, rows, 1, depth, data}.text())[0])
		for r := range rows {
			row, sum := data[r*depth:][:depth], 0.0
			for _, x := range row {
				sum += math.Exp(float64(x) * float64(tt.scale))
			}
			for c, x := range row {
				want := math.Exp(float64(x)*float64(tt.scale))/sum/float64(tt.outScale) + float64(tt.zero)
				var y float64
				fmt.Sscan(got[r*depth+c], &y)
				if math.Abs(y-want) > tt.nearness && !(y == 127 || y == 32767) {
					t.Errorf("softmax from %s to %s: element %d of row %d is %g, and %.2f by definition", tt.in, tt.out, c, r, y, want)
				}
			}
		}
	}
}

// Rows of scaled numbers, normalized, are as near to the function as the steps of the output.
func TestScaledNorm(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	for _, depth := range []int64{1, 2, 17, 300} {
		const rows, zero = 4, -7
		var data []int64
		for i := range rows * depth {
			most := int64(1)<<(2*(i/depth)+1) + 1
			data = append(data, max(min(rnd.Int64N(2*most)-most+zero, 127), -128))
		}
		file := single("L2_NORMALIZATION", nil, with(tensor(model.Int8, 1, rows, 1, depth), 1.0/128, 0), with(tensor(model.Int8, 1, rows, 1, depth), 0.3, zero))
		got := strings.Fields(execute(t, file, image{1, rows, 1, depth, data}.text())[0])
		for r := range int64(rows) {
			sum := 0.0
			for _, x := range data[r*depth:][:depth] {
				sum += float64((x - zero) * (x - zero))
			}
			for i := range depth {
				var y float64
				fmt.Sscan(got[r*depth+i], &y)
				want := min(float64(data[r*depth+i]-zero)/math.Sqrt(max(sum, 1))*128, 127)
				if math.Abs(y-want) > 0.51 {
					t.Errorf("%d elements: element %d of row %d is %g, and %.2f by definition", depth, i, r, y, want)
				}
			}
		}
	}
}

// Quotients of scaled numbers are as near to those of the numbers as the steps of the output.
func TestScaledQuotient(t *testing.T) {
	const za, zb, zo = 3, -5, 7
	var a, b []int64
	for x := int64(-128); x < 128; x += 15 {
		for y := int64(-128); y < 128; y += 3 {
			a, b = append(a, x), append(b, y)
		}
	}
	n := int64(len(a))
	list := func(l []int64) string { return "[" + strings.ReplaceAll(joined(l), " ", ",") + "]" }
	for _, s := range []struct{ a, b, out float32 }{{0.1, 0.1, 0.2}, {0.03, 0.2, 0.01}, {1, 0.004, 9}} {
		file := single("DIV", nil, with(tensor(model.Int8, n), s.out, zo), with(tensor(model.Int8, n), s.a, za), with(tensor(model.Int8, n), s.b, zb))
		for i, text := range strings.Fields(execute(t, file, list(a), list(b))[0]) {
			want := float64(s.a) * float64(a[i]-za) / (float64(s.b) * float64(b[i]-zb)) / float64(s.out)
			if b[i] == zb {
				want = 0
			}
			want = min(max(want+zo, -128), 127)
			var y float64
			if fmt.Sscan(text, &y); math.Abs(y-want) > 0.51 {
				t.Errorf("%d by %d with %v is %g, and %.2f by definition", a[i], b[i], s, y, want)
			}
		}
	}
}
