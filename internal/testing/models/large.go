package models

import "fmt"

// Large returns networks at the sizes at which they are used, too large to be executed in tests.
func Large() []Model {
	return []Model{
		{"mobilenetv2", func() string { return mobilenetV2(floats{}) }},
		{"mobilenetv2-int8", func() string { return mobilenetV2(bytes{}) }},
		{"resnet50", resnet50},
		{"unet-256", largeUNet},
		{"bert-512", func() string { return encoderStack(2, 512, 12, 64) }},
		{"vww-int8", func() string { return mobilenetV1(bytes{}, 96, 8) }},
	}
}

// arithmetic is that of the layers of a network: with floating-point numbers, or with bytes that are scaled.
type arithmetic interface {
	// elem is the type of elements between layers.
	elem() string
	// end is what follows a convolution, whose sums it gets: channels are scaled and shifted, and bounded if bounded is set.
	end(w *writer, sums tensor, bounded bool) tensor
	// sums is the type of sums.
	sums() string
	// add adds two images.
	add(w *writer, a, b tensor) tensor
}

type floats struct{}

func (floats) elem() string { return "f32" }
func (floats) sums() string { return "f32" }

func (floats) end(w *writer, sums tensor, bounded bool) tensor {
	body := "    %r = arith.addf %a, %b : f32"
	if bounded {
		body = `    %s = arith.addf %a, %b : f32
    %z = arith.constant 0.0 : f32
    %m = arith.maximumf %s, %z : f32
    %t = arith.constant 6.0 : f32
    %r = arith.minimumf %m, %t : f32`
	}
	return w.each("f32", sums.shape, body, sums, along(w.argument("f32", sums.shape[3]), 3))
}

func (floats) add(w *writer, a, b tensor) tensor { return w.add(a, b) }

type bytes struct{}

func (bytes) elem() string { return "i8" }
func (bytes) sums() string { return "i32" }

func (bytes) end(w *writer, sums tensor, bounded bool) tensor {
	least := -128
	if bounded {
		least = -100
	}
	return w.each("i8", sums.shape, fmt.Sprintf(`    %%s = arith.addi %%a, %%b : i32
    %%w = arith.extsi %%s : i32 to i64
    %%f = arith.constant 1518500250 : i64
    %%p = arith.muli %%w, %%f : i64
    %%n = arith.constant 38 : i64
    %%q = arith.shrsi %%p, %%n : i64
    %%l = arith.constant %d : i64
    %%m = arith.maxsi %%q, %%l : i64
    %%h = arith.constant 127 : i64
    %%c = arith.minsi %%m, %%h : i64
    %%r = arith.trunci %%c : i64 to i8`, least), sums, along(w.argument("i32", sums.shape[3]), 3))
}

func (bytes) add(w *writer, a, b tensor) tensor {
	return w.each("i8", a.shape, `    %x = arith.extsi %a : i8 to i32
    %y = arith.extsi %b : i8 to i32
    %s = arith.addi %x, %y : i32
    %n = arith.constant 1 : i32
    %h = arith.shrsi %s, %n : i32
    %r = arith.trunci %h : i32 to i8`, a, b)
}

// layer is a convolution with an odd window, as a whole or of each channel alone (filters 0), and what follows it.
func layer(w *writer, with arithmetic, x tensor, filters, window, stride int, bounded bool) tensor {
	l := nhwc
	size, channels := l.of(x)
	padded := l.border(w, zeroOf(x.elem), x, window/2)
	attributes := fmt.Sprintf("{dilations = dense<1> : tensor<2xi64>, strides = dense<%d> : tensor<2xi64>}", stride)
	name, shape, out := "conv_2d_nhwc_hwcf", []int{window, window, channels, filters}, filters
	if filters == 0 {
		name, shape, out = "depthwise_conv_2d_nhwc_hwc", []int{window, window, channels}, channels
	}
	sums := w.named(name, attributes, w.zeros(with.sums(), l.image((size-1)/stride+1, out)...), padded, w.argument(with.elem(), shape...))
	return with.end(w, sums, bounded)
}

// sums are those of each channel, as one row.
func (l layout) sums(w *writer, x tensor, elem string) tensor {
	_, c := l.of(x)
	body := "    %r = arith.addf %o, %a : f32"
	if elem == "i32" {
		body = "    %x = arith.extsi %a : i8 to i32\n    %r = arith.addi %o, %x : i32"
	}
	return w.generic(w.zeros(elem, 1, c), 4, []int{1, 2}, body, x)
}

// mobilenetV2 is MobileNetV2 at 224×224, with batch normalization folded into weights.
func mobilenetV2(with arithmetic) string {
	w := &writer{}
	x := layer(w, with, w.argument(with.elem(), 1, 224, 224, 3), 32, 3, 2, true)
	for _, b := range []struct{ widen, filters, times, stride int }{{1, 16, 1, 1}, {6, 24, 2, 2}, {6, 32, 3, 2}, {6, 64, 4, 2}, {6, 96, 3, 1}, {6, 160, 3, 2}, {6, 320, 1, 1}} {
		for i := range b.times {
			y, stride := x, 1
			if i == 0 {
				stride = b.stride
			}
			if b.widen > 1 {
				y = layer(w, with, y, b.widen*x.shape[3], 1, 1, true)
			}
			y = layer(w, with, layer(w, with, y, 0, 3, stride, true), b.filters, 1, 1, false)
			if i > 0 {
				y = with.add(w, x, y)
			}
			x = y
		}
	}
	x = layer(w, with, x, 1280, 1, 1, true)
	return w.function(nhwc.sums(w, x, with.sums()))
}

// mobilenetV1 is MobileNet, from an image of some size and with some filters in the first layer.
func mobilenetV1(with arithmetic, size, filters int) string {
	w := &writer{}
	x := layer(w, with, w.argument(with.elem(), 1, size, size, 3), filters, 3, 2, true)
	for _, b := range []struct{ factor, stride int }{{2, 1}, {4, 2}, {4, 1}, {8, 2}, {8, 1}, {16, 2}, {16, 1}, {16, 1}, {16, 1}, {16, 1}, {16, 1}, {32, 2}, {32, 1}} {
		x = layer(w, with, layer(w, with, x, 0, 3, b.stride, true), b.factor*filters, 1, 1, true)
	}
	return w.function(nhwc.sums(w, x, with.sums()))
}

// resnet50 is ResNet-50 at 224×224.
func resnet50() string {
	w, l, with := &writer{}, nhwc, floats{}
	x := w.relu(layer(w, with, w.argument("f32", 1, 224, 224, 3), 64, 7, 2, false))
	x = l.pool(w, x, 3, 2, 1)
	for stage, blocks := range []int{3, 4, 6, 3} {
		for block := range blocks {
			filters, stride := 64<<stage, 1
			if stage > 0 && block == 0 {
				stride = 2
			}
			y := w.relu(layer(w, with, x, filters, 1, 1, false))
			y = layer(w, with, w.relu(layer(w, with, y, filters, 3, stride, false)), 4*filters, 1, 1, false)
			if block == 0 {
				x = layer(w, with, x, 4*filters, 1, stride, false)
			}
			x = w.relu(w.add(y, x))
		}
	}
	return w.function(l.classifier(w, x, 1000))
}

// largeUNet is a U-Net of four levels at 256×256.
func largeUNet() string {
	w, l := &writer{}, nhwc
	x := w.argument("f32", l.image(256, 3)...)
	double := func(x tensor, filters int) tensor {
		return w.relu(l.conv(w, w.relu(l.conv(w, x, filters, 3, 1)), filters, 3, 1))
	}
	var skipped []tensor
	for level := range 4 {
		x = double(x, 32<<level)
		skipped = append(skipped, x)
		x = l.pool(w, x, 2, 2, 0)
	}
	x = double(x, 512)
	for level := 3; level >= 0; level-- {
		x = double(w.concat(l.channel(), skipped[level], l.doubled(w, x)), 32<<level)
	}
	return w.function(l.conv(w, x, 2, 1, 1))
}

// encoderStack is BERT after its embeddings: layers of attention with several heads, and of two products with a nonlinearity between them.
func encoderStack(layers, length, heads, wide int) string {
	w := &writer{}
	model := heads * wide
	x := w.argument("f32", length, model)
	dense := func(x tensor, to int) tensor {
		return w.add(w.matmul(x, w.argument("f32", x.shape[1], to)), along(w.argument("f32", to), 1))
	}
	for range layers {
		split := func() tensor {
			return w.permuted(w.reshape(dense(x, model), "[[0], [1, 2]]", length, heads, wide), 1, 0, 2)
		}
		q, k, v := split(), split(), split()
		scores := w.matmul(q, w.permuted(k, 0, 2, 1))
		scores = w.each("f32", scores.shape, "    %s = arith.constant 0.125 : f32\n    %m = arith.mulf %a, %s : f32\n    %r = arith.addf %m, %b : f32", scores, along(w.argument("f32", length), 2))
		o := w.permuted(w.matmul(w.softmax(scores), v), 1, 0, 2)
		x = w.rmsNorm(w.add(x, dense(w.reshape(o, "[[0], [1, 2]]", length, model), model)), w.argument("f32", model))
		x = w.rmsNorm(w.add(x, dense(w.unary("math.tanh", dense(x, 4*model)), model)), w.argument("f32", model))
	}
	return w.function(x)
}
