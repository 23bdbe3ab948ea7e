package models

import (
	"fmt"
	"slices"
)

// layout is the order of the dimensions of images.
type layout int

const (
	nhwc layout = iota
	nchw
)

// image returns the shape of one image.
func (l layout) image(size, channels int) []int {
	if l == nchw {
		return []int{1, channels, size, size}
	}
	return []int{1, size, size, channels}
}

// of returns the size and the channels of an image.
func (l layout) of(t tensor) (size, channels int) {
	if l == nchw {
		return t.shape[2], t.shape[1]
	}
	return t.shape[1], t.shape[3]
}

// channel is the dimension of the channels.
func (l layout) channel() int {
	if l == nchw {
		return 1
	}
	return 3
}

// border pads an image on both sides.
func (l layout) border(w *writer, value string, x tensor, n int) tensor {
	if n == 0 {
		return x
	}
	around := []int{0, n, n, 0}
	if l == nchw {
		around = []int{0, 0, n, n}
	}
	return w.pad(value, x, around, around)
}

// conv is a convolution with an odd filter, of which the border is padded with zeros.
func (l layout) conv(w *writer, x tensor, filters, window, stride int) tensor {
	size, channels := l.of(x)
	x = l.border(w, "0.0", x, window/2)
	name, shape := "conv_2d_nhwc_hwcf", []int{window, window, channels, filters}
	if l == nchw {
		name, shape = "conv_2d_nchw_fchw", []int{filters, channels, window, window}
	}
	return w.named(name, fmt.Sprintf("{dilations = dense<1> : tensor<2xi64>, strides = dense<%d> : tensor<2xi64>}", stride),
		w.zeros("f32", l.image((size-1)/stride+1, filters)...), x, w.argument("f32", shape...))
}

// norm scales and shifts channels.
func (l layout) norm(w *writer, x tensor) tensor {
	_, c := l.of(x)
	return w.each("f32", x.shape, `    %t = arith.subf %a, %b : f32
    %v = math.rsqrt %c : f32
    %w = arith.mulf %t, %v : f32
    %s = arith.mulf %w, %d : f32
    %r = arith.addf %s, %e : f32`, x, along(w.argument("f32", c), l.channel()), along(w.argument("f32", c), l.channel()),
		along(w.argument("f32", c), l.channel()), along(w.argument("f32", c), l.channel()))
}

// pool is the maximum of windows.
func (l layout) pool(w *writer, x tensor, window, stride, border int) tensor {
	size, c := l.of(x)
	x = l.border(w, "0xFF800000", x, border)
	name := "pooling_nhwc_max"
	if l == nchw {
		name = "pooling_nchw_max"
	}
	return w.named(name, fmt.Sprintf("{dilations = dense<1> : tensor<2xi64>, strides = dense<%d> : tensor<2xi64>}", stride),
		w.filled("0xFF800000", "f32", l.image((size+2*border-window)/stride+1, c)...), x, w.empty("f32", window, window))
}

// classifier multiplies the mean of each channel with a matrix.
func (l layout) classifier(w *writer, x tensor, classes int) tensor {
	size, c := l.of(x)
	reduced := []int{1, 2}
	if l == nchw {
		reduced = []int{2, 3}
	}
	sum := w.generic(w.zeros("f32", 1, c), 4, reduced, "    %r = arith.addf %o, %a : f32", x)
	mean := w.each("f32", sum.shape, fmt.Sprintf("    %%n = arith.constant %d.0 : f32\n    %%r = arith.divf %%a, %%n : f32", size*size), sum)
	y := w.matmul(mean, w.argument("f32", c, classes))
	return w.add(y, along(w.argument("f32", classes), 1))
}

// resnet is ResNet-18.
func resnet(l layout) string {
	w := &writer{}
	x := w.argument("f32", l.image(32, 3)...)
	x = w.relu(l.norm(w, l.conv(w, x, 8, 7, 2)))
	x = l.pool(w, x, 3, 2, 1)
	for stage := range 4 {
		for block := range 2 {
			filters, stride := 8<<stage, 1
			if stage > 0 && block == 0 {
				stride = 2
			}
			y := w.relu(l.norm(w, l.conv(w, x, filters, 3, stride)))
			y = l.norm(w, l.conv(w, y, filters, 3, 1))
			if stride > 1 {
				x = l.norm(w, l.conv(w, x, filters, 1, stride))
			}
			x = w.relu(w.add(y, x))
		}
	}
	return w.function(l.classifier(w, x, 10))
}

// mobilenet is MobileNet-V2: blocks that widen, convolve each channel alone, and narrow.
func mobilenet() string {
	w, l := &writer{}, nhwc
	x := w.argument("f32", l.image(32, 3)...)
	relu6 := func(x tensor) tensor {
		return w.each("f32", x.shape, "    %z = arith.constant 0.0 : f32\n    %s = arith.constant 6.0 : f32\n    %m = arith.maximumf %a, %z : f32\n    %r = arith.minimumf %m, %s : f32", x)
	}
	x = relu6(l.norm(w, l.conv(w, x, 8, 3, 2)))
	for _, b := range []struct{ widen, filters, stride int }{{1, 8, 1}, {6, 8, 2}, {6, 8, 1}, {6, 16, 2}, {6, 16, 1}, {6, 16, 1}, {6, 32, 2}, {6, 32, 1}} {
		size, c := l.of(x)
		y, wide := x, c*b.widen
		if b.widen > 1 {
			y = relu6(l.norm(w, l.conv(w, y, wide, 1, 1)))
		}
		y = w.named("depthwise_conv_2d_nhwc_hwc", fmt.Sprintf("{dilations = dense<1> : tensor<2xi64>, strides = dense<%d> : tensor<2xi64>}", b.stride),
			w.zeros("f32", l.image((size-1)/b.stride+1, wide)...), l.border(w, "0.0", y, 1), w.argument("f32", 3, 3, wide))
		y = l.norm(w, l.conv(w, relu6(l.norm(w, y)), b.filters, 1, 1))
		if b.stride == 1 && c == b.filters {
			y = w.add(x, y)
		}
		x = y
	}
	return w.function(l.classifier(w, x, 10))
}

// unet goes down to small images and up again, and joins each size with what it was on the
// way down, with an operation for that, or with two insertions.
func unet(concat bool) string {
	w, l := &writer{}, nchw
	x := w.argument("f32", l.image(32, 2)...)
	double := func(x tensor, filters int) tensor {
		return w.relu(l.conv(w, w.relu(l.conv(w, x, filters, 3, 1)), filters, 3, 1))
	}
	join := func(a, b tensor) tensor {
		if concat {
			return w.concat(1, a, b)
		}
		size, c := l.of(a)
		_, d := l.of(b)
		e := w.empty("f32", l.image(size, c+d)...)
		e = w.inserted(a, e, []any{0, 0, 0, 0}, a.shape...)
		return w.inserted(b, e, []any{0, c, 0, 0}, b.shape...)
	}
	var skipped []tensor
	for level := range 3 {
		x = double(x, 4<<level)
		skipped = append(skipped, x)
		x = l.pool(w, x, 2, 2, 0)
	}
	x = double(x, 32)
	slices.Reverse(skipped)
	for _, s := range skipped {
		size, c := l.of(x)
		wide := w.empty("f32", 1, c, size, 2, size, 2)
		up := tensor{w.name(), "f32", wide.shape}
		w.line("  %s = linalg.broadcast ins(%s : %s) outs(%s : %s) dimensions = [3, 5]", up, x, x.typ(), wide, wide.typ())
		_, filters := l.of(s)
		x = double(join(s, w.reshape(up, "[[0], [1], [2, 3], [4, 5]]", l.image(2*size, c)...)), filters)
	}
	return w.function(l.conv(w, x, 2, 1, 1))
}

// wavenet convolves in one dimension, with growing holes, and sums what its layers say.
func wavenet() string {
	w := &writer{}
	const length, channels = 128, 16
	x := w.argument("f32", 1, channels, length)
	skip := w.zeros("f32", 1, channels, length)
	conv := func(x tensor, filters, window, hole int) tensor {
		return w.named("conv_1d_ncw_fcw", fmt.Sprintf("{dilations = dense<%d> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>}", hole),
			w.zeros("f32", 1, filters, x.shape[2]-(window-1)*hole), x, w.argument("f32", filters, channels, window))
	}
	for layer := range 6 {
		hole := 1 << layer
		padded := w.pad("0.0", x, []int{0, 0, hole}, []int{0, 0, 0})
		y := conv(padded, 2*channels, 2, hole)
		a := w.slice(y, []any{0, 0, 0}, []int{1, channels, length}, 1, channels, length)
		b := w.slice(y, []any{0, channels, 0}, []int{1, channels, length}, 1, channels, length)
		z := w.mul(w.unary("math.tanh", a), w.sigmoid(b))
		skip = w.add(skip, conv(z, channels, 1, 1))
		x = w.add(x, conv(z, channels, 1, 1))
	}
	return w.function(w.relu(skip))
}
