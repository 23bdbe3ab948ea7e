package models

import (
	"fmt"
	"math/rand/v2"
)

// Wirings returns networks of more kinds of irregular wiring, with larger images than [Irregular] has.
func Wirings() []Model {
	return []Model{
		{"nasnet", nasnet},
		{"darts", darts},
		{"hrnet-large", highResolutionLarge},
		{"bifpn", weightedPyramid},
		{"dualpath", dualPath},
		{"shufflenet", shuffleNet},
		{"resnext", grouped},
		{"fractal", fractal},
		{"cspnet", crossStage},
		{"unet-full", fullScale},
		{"hourglass", hourglass},
		{"multiscale", multiScale},
		{"rungekutta", rungeKutta},
		{"parallel-transformer", parallelTransformer},
		{"conformer", conformer},
		{"tree-lstm", treeLSTM},
		{"training-conv", trainingConv},
		{"training-adam", trainingAdam},
		{"towers", towers},
		{"side-outputs", sideOutputs},
		{"residual-se", squeezeExcite},
		{"experts-top2", expertsTopTwo},
		{"image-decoder", imageDecoder},
		{"feature-pyramid", featurePyramid},
		{"conv-gru", recurrentConvolutions},
		{"experts-mixed", mixedExperts},
		{"shuffled-groups", groupedShuffles},
		{"multipath", multiPath},
	}
}

// separable is a convolution of each channel alone and one with a 1×1 filter, behind a rectifier.
func (l layout) separable(w *writer, x tensor, filters, window, stride int) tensor {
	size, c := l.of(x)
	name, shape := "depthwise_conv_2d_nhwc_hwc", []int{window, window, c}
	x = w.named(name, attributesOf(1, stride), w.zeros("f32", l.image((size-1)/stride+1, c)...), l.border(w, "0.0", w.relu(x), window/2), w.argument("f32", shape...))
	return l.norm(w, l.conv(w, x, filters, 1, 1))
}

func attributesOf(dilation, stride int) string {
	return fmt.Sprintf("{dilations = dense<%d> : tensor<2xi64>, strides = dense<%d> : tensor<2xi64>}", dilation, stride)
}

// dilated is a separable convolution with holes.
func (l layout) dilated(w *writer, x tensor, filters, window, hole int) tensor {
	_, c := l.of(x)
	x = w.named("depthwise_conv_2d_nhwc_hwc", attributesOf(hole, 1), w.zeros("f32", x.shape...), l.border(w, "0.0", w.relu(x), window/2*hole), w.argument("f32", window, window, c))
	return l.norm(w, l.conv(w, x, filters, 1, 1))
}

// mean is the average of windows.
func (l layout) mean(w *writer, x tensor, window, stride, border int) tensor {
	size, c := l.of(x)
	x = l.border(w, "0.0", x, border)
	name := "pooling_nhwc_sum"
	if l == nchw {
		name = "pooling_nchw_sum"
	}
	s := w.named(name, attributesOf(1, stride), w.zeros("f32", l.image((size+2*border-window)/stride+1, c)...), x, w.empty("f32", window, window))
	return w.each("f32", s.shape, "    %n = arith.constant 9.0 : f32\n    %r = arith.divf %a, %n : f32", s)
}

// nasnet has normal and reduction cells of NASNet-A.
func nasnet() string {
	w, l := &writer{}, nhwc
	image := w.argument("f32", l.image(32, 3)...)
	stem := l.norm(w, l.conv(w, image, 8, 3, 1))
	prev, cur := stem, stem
	normal := func(prev, cur tensor, f int) tensor {
		sp, _ := l.of(prev)
		sc, _ := l.of(cur)
		p := l.norm(w, l.conv(w, w.relu(prev), f, 1, sp/sc))
		h := l.norm(w, l.conv(w, w.relu(cur), f, 1, 1))
		x1 := w.add(l.separable(w, h, f, 5, 1), l.separable(w, p, f, 3, 1))
		x2 := w.add(l.separable(w, p, f, 5, 1), l.separable(w, p, f, 3, 1))
		x3 := w.add(l.mean(w, h, 3, 1, 1), p)
		x4 := w.add(l.mean(w, p, 3, 1, 1), l.mean(w, p, 3, 1, 1))
		x5 := w.add(l.separable(w, h, f, 3, 1), h)
		return w.concat(l.channel(), p, x1, x2, x3, x4, x5)
	}
	reduction := func(prev, cur tensor, f int) tensor {
		sp, _ := l.of(prev)
		sc, _ := l.of(cur)
		p := l.norm(w, l.conv(w, w.relu(prev), f, 1, sp/sc))
		h := l.norm(w, l.conv(w, w.relu(cur), f, 1, 1))
		x1 := w.add(l.separable(w, h, f, 5, 2), l.separable(w, p, f, 7, 2))
		x2 := w.add(l.pool(w, h, 3, 2, 1), l.separable(w, p, f, 7, 2))
		x3 := w.add(l.mean(w, h, 3, 2, 1), l.separable(w, p, f, 5, 2))
		x4 := w.add(l.mean(w, x1, 3, 1, 1), x2)
		x5 := w.add(l.separable(w, x1, f, 3, 1), l.pool(w, h, 3, 2, 1))
		return w.concat(l.channel(), x2, x3, x4, x5)
	}
	f := 8
	for stage := range 3 {
		for range 2 {
			prev, cur = cur, normal(prev, cur, f)
		}
		if stage < 2 {
			f *= 2
			prev, cur = cur, reduction(prev, cur, f)
		}
	}
	return w.function(l.classifier(w, w.relu(cur), 10))
}

// darts has cells of four nodes, each of which adds two of what was before; all are concatenated.
func darts() string {
	w, l, rng := &writer{}, nhwc, rand.New(rand.NewPCG(5, 5))
	prev := l.conv(w, w.argument("f32", l.image(24, 3)...), 12, 3, 1)
	cur := prev
	for range 4 {
		states := []tensor{l.norm(w, l.conv(w, w.relu(prev), 12, 1, 1)), l.norm(w, l.conv(w, w.relu(cur), 12, 1, 1))}
		for range 4 {
			var parts []tensor
			for range 2 {
				x := states[rng.IntN(len(states))]
				switch rng.IntN(5) {
				case 0:
					parts = append(parts, x)
				case 1:
					parts = append(parts, l.separable(w, l.separable(w, x, 12, 3, 1), 12, 3, 1))
				case 2:
					parts = append(parts, l.separable(w, l.separable(w, x, 12, 5, 1), 12, 5, 1))
				case 3:
					parts = append(parts, l.dilated(w, x, 12, 3, 2))
				default:
					parts = append(parts, l.pool(w, x, 3, 1, 1))
				}
			}
			states = append(states, w.add(parts[0], parts[1]))
		}
		prev, cur = cur, w.concat(l.channel(), states[2:]...)
	}
	return w.function(l.classifier(w, cur, 10))
}

// highResolutionLarge is HRNet with four streams whose maps come out.
func highResolutionLarge() string {
	w, l := &writer{}, nhwc
	x := w.relu(l.norm(w, l.conv(w, w.argument("f32", l.image(64, 3)...), 8, 3, 2)))
	x = w.relu(l.norm(w, l.conv(w, x, 8, 3, 1)))
	streams := []tensor{x}
	for stage := 1; stage < 4; stage++ {
		streams = append(streams, w.relu(l.norm(w, l.conv(w, streams[stage-1], 8<<stage, 3, 2))))
		for i := range streams {
			for range 2 {
				s := streams[i]
				streams[i] = w.relu(w.add(l.norm(w, l.conv(w, w.relu(l.norm(w, l.conv(w, s, 8<<i, 3, 1))), 8<<i, 3, 1)), s))
			}
		}
		fused := make([]tensor, len(streams))
		for to := range streams {
			var all []tensor
			for from := range streams {
				t := streams[from]
				for i := from; i < to; i++ {
					t = l.norm(w, l.conv(w, t, 8<<(i+1), 3, 2))
				}
				if from > to {
					t = l.norm(w, l.conv(w, t, 8<<to, 1, 1))
					for i := from; i > to; i-- {
						t = l.doubled(w, t)
					}
				}
				all = append(all, t)
			}
			fused[to] = w.relu(w.sum(all))
		}
		streams = fused
	}
	all := []tensor{streams[0]}
	for i, s := range streams[1:] {
		for range i + 1 {
			s = l.doubled(w, s)
		}
		all = append(all, s)
	}
	return w.function(l.conv(w, w.relu(l.conv(w, w.concat(l.channel(), all...), 16, 1, 1)), 4, 1, 1))
}

// weightedPyramid is BiFPN: levels are merged up and down again, several times; each level has a head.
func weightedPyramid() string {
	w, l := &writer{}, nhwc
	x := w.relu(l.conv(w, w.argument("f32", l.image(64, 3)...), 8, 3, 2))
	var levels []tensor
	for i := range 4 {
		x = w.relu(l.norm(w, l.conv(w, x, 12+4*i, 3, 1)))
		levels = append(levels, l.conv(w, x, 12, 1, 1))
		x = l.pool(w, x, 2, 2, 0)
	}
	for range 2 {
		tops := append([]tensor{}, levels...)
		for i := 2; i >= 0; i-- {
			tops[i] = l.separable(w, w.add(levels[i], l.doubled(w, tops[i+1])), 12, 3, 1)
		}
		outs := append([]tensor{}, tops...)
		for i := 1; i < 4; i++ {
			outs[i] = l.separable(w, w.add(w.add(levels[i], tops[i]), l.pool(w, outs[i-1], 2, 2, 0)), 12, 3, 1)
		}
		levels = outs
	}
	var results []tensor
	for _, t := range levels {
		results = append(results, l.conv(w, l.separable(w, t, 12, 3, 1), 3, 1, 1))
	}
	return w.function(results...)
}

// dualPath is DPN: a part of each block's result is added, the rest concatenated.
func dualPath() string {
	w, l := &writer{}, nhwc
	x := w.relu(l.conv(w, w.argument("f32", l.image(16, 3)...), 24, 3, 1))
	res, dense := 16, 8
	cut := func(x tensor, from, n int) tensor {
		size, _ := l.of(x)
		return w.slice(x, []any{0, 0, 0, from}, l.image(size, n), l.image(size, n)...)
	}
	a, d := cut(x, 0, res), cut(x, res, dense)
	for range 5 {
		in := w.concat(l.channel(), a, d)
		y := w.relu(l.norm(w, l.conv(w, in, 16, 1, 1)))
		y = l.norm(w, l.conv(w, w.relu(l.norm(w, l.conv(w, y, 16, 3, 1))), res+dense, 1, 1))
		a = w.add(a, cut(y, 0, res))
		d = w.concat(l.channel(), d, cut(y, res, dense))
	}
	return w.function(l.classifier(w, w.relu(w.concat(l.channel(), a, d)), 10))
}

// shuffleNet is ShuffleNetV2: half of the channels go by, and then all are shuffled.
func shuffleNet() string {
	w, l := &writer{}, nhwc
	x := w.relu(l.conv(w, w.argument("f32", l.image(32, 3)...), 16, 3, 2))
	for stage := range 2 {
		for block := range 3 {
			size, c := l.of(x)
			var left, right tensor
			if block == 0 && stage > 0 {
				left, right = w.relu(l.separable(w, x, c, 3, 2)), w.relu(l.separable(w, w.relu(l.norm(w, l.conv(w, x, c, 1, 1))), c, 3, 2))
				size /= 2
				c *= 2
			} else {
				left = w.slice(x, []any{0, 0, 0, 0}, l.image(size, c/2), l.image(size, c/2)...)
				right = w.slice(x, []any{0, 0, 0, c / 2}, l.image(size, c/2), l.image(size, c/2)...)
				right = w.relu(l.separable(w, w.relu(l.norm(w, l.conv(w, right, c/2, 1, 1))), c/2, 3, 1))
			}
			x = w.concat(l.channel(), left, right)
			y := w.reshape(x, "[[0], [1], [2], [3, 4]]", 1, size, size, 2, c/2)
			x = w.reshape(w.permuted(y, 0, 1, 2, 4, 3), "[[0], [1], [2], [3, 4]]", 1, size, size, c)
		}
	}
	return w.function(l.classifier(w, x, 10))
}

// grouped is ResNeXt written with slices: each group of channels is convolved alone.
func grouped() string {
	w, l := &writer{}, nhwc
	x := w.relu(l.conv(w, w.argument("f32", l.image(24, 3)...), 16, 3, 1))
	for range 3 {
		y := w.relu(l.norm(w, l.conv(w, x, 16, 1, 1)))
		size, _ := l.of(y)
		var parts []tensor
		for g := range 4 {
			parts = append(parts, w.slice(y, []any{0, 0, 0, 4 * g}, l.image(size, 4), l.image(size, 4)...))
		}
		for g := range parts {
			parts[g] = l.conv(w, parts[g], 4, 3, 1)
		}
		y = w.relu(l.norm(w, w.concat(l.channel(), parts...)))
		x = w.relu(w.add(x, l.norm(w, l.conv(w, y, 16, 1, 1))))
	}
	return w.function(l.classifier(w, x, 10))
}

// fractal is FractalNet: of each two columns, one is half as deep as the other; they are averaged.
func fractal() string {
	w, l := &writer{}, nhwc
	var columns func(x tensor, depth int) []tensor
	join := func(all []tensor) tensor {
		if len(all) == 1 {
			return all[0]
		}
		s := w.sum(all)
		return w.each("f32", s.shape, "    %n = arith.constant 0.5 : f32\n    %r = arith.mulf %a, %n : f32", s)
	}
	columns = func(x tensor, depth int) []tensor {
		out := []tensor{w.relu(l.norm(w, l.conv(w, x, 8, 3, 1)))}
		if depth > 1 {
			out = append(out, columns(join(columns(x, depth-1)), depth-1)...)
		}
		return out
	}
	x := l.conv(w, w.argument("f32", l.image(32, 3)...), 8, 3, 1)
	for range 2 {
		x = l.pool(w, join(columns(x, 4)), 2, 2, 0)
	}
	return w.function(l.classifier(w, x, 10))
}

// crossStage is a detector of the kind of YOLOv5: stages whose halves go different ways, pools that are concatenated, and paths up and down.
func crossStage() string {
	w, l := &writer{}, nhwc
	silu := func(x tensor) tensor { return w.mul(x, w.sigmoid(x)) }
	cbs := func(x tensor, f, window, stride int) tensor { return silu(l.norm(w, l.conv(w, x, f, window, stride))) }
	c3 := func(x tensor, f, n int, shortcut bool) tensor {
		a, b := cbs(x, f/2, 1, 1), cbs(x, f/2, 1, 1)
		for range n {
			y := cbs(cbs(a, f/2, 1, 1), f/2, 3, 1)
			if shortcut {
				y = w.add(y, a)
			}
			a = y
		}
		return cbs(w.concat(l.channel(), a, b), f, 1, 1)
	}
	x := cbs(w.argument("f32", l.image(64, 3)...), 8, 3, 2)
	x = c3(cbs(x, 8, 3, 2), 8, 1, true)
	p3 := c3(x, 16, 2, true)
	p4 := c3(cbs(p3, 24, 3, 2), 24, 2, true)
	p5 := c3(cbs(p4, 32, 3, 2), 32, 1, true)
	y := cbs(p5, 16, 1, 1)
	y1 := l.pool(w, y, 5, 1, 2)
	y2 := l.pool(w, y1, 5, 1, 2)
	p5 = cbs(w.concat(l.channel(), y, y1, y2, l.pool(w, y2, 5, 1, 2)), 32, 1, 1)
	h5 := cbs(p5, 24, 1, 1)
	n4 := c3(w.concat(l.channel(), l.doubled(w, h5), p4), 24, 1, false)
	h4 := cbs(n4, 16, 1, 1)
	o3 := c3(w.concat(l.channel(), l.doubled(w, h4), p3), 16, 1, false)
	o4 := c3(w.concat(l.channel(), cbs(o3, 16, 3, 2), h4), 24, 1, false)
	o5 := c3(w.concat(l.channel(), cbs(o4, 24, 3, 2), h5), 32, 1, false)
	return w.function(l.conv(w, o3, 18, 1, 1), l.conv(w, o4, 18, 1, 1), l.conv(w, o5, 18, 1, 1))
}

// fullScale is U-Net 3+: each level on the way up reads all levels, in its size.
func fullScale() string {
	w, l := &writer{}, nhwc
	const levels = 4
	x := w.argument("f32", l.image(32, 3)...)
	var down []tensor
	for i := range levels {
		if i > 0 {
			x = l.pool(w, x, 2, 2, 0)
		}
		x = w.relu(l.conv(w, w.relu(l.conv(w, x, 8<<i, 3, 1)), 8<<i, 3, 1))
		down = append(down, x)
	}
	up := append([]tensor{}, down...)
	for i := levels - 2; i >= 0; i-- {
		var all []tensor
		for j := range levels {
			t := down[j]
			if j > i {
				t = up[j]
			}
			for k := j; k < i; k++ {
				t = l.pool(w, t, 2, 2, 0)
			}
			t = w.relu(l.conv(w, t, 8, 3, 1))
			for k := j; k > i; k-- {
				t = l.doubled(w, t)
			}
			all = append(all, t)
		}
		up[i] = w.relu(l.norm(w, l.conv(w, w.concat(l.channel(), all...), 16, 3, 1)))
	}
	return w.function(l.conv(w, up[0], 2, 1, 1))
}

// hourglass has two hourglasses, whose maps come out and go on.
func hourglass() string {
	w, l := &writer{}, nhwc
	residual := func(x tensor, f int) tensor {
		_, c := l.of(x)
		y := l.conv(w, w.relu(l.norm(w, l.conv(w, w.relu(l.norm(w, x)), f/2, 1, 1))), f/2, 3, 1)
		y = l.conv(w, w.relu(l.norm(w, y)), f, 1, 1)
		if c != f {
			x = l.conv(w, x, f, 1, 1)
		}
		return w.add(x, y)
	}
	var glass func(x tensor, n int) tensor
	glass = func(x tensor, n int) tensor {
		up := residual(x, 16)
		low := residual(l.pool(w, x, 2, 2, 0), 16)
		if n > 1 {
			low = glass(low, n-1)
		} else {
			low = residual(low, 16)
		}
		return w.add(up, l.doubled(w, residual(low, 16)))
	}
	x := residual(w.relu(l.conv(w, w.argument("f32", l.image(32, 3)...), 8, 7, 1)), 16)
	var results []tensor
	for range 2 {
		y := w.relu(l.norm(w, l.conv(w, residual(glass(x, 3), 16), 16, 1, 1)))
		points := l.conv(w, y, 5, 1, 1)
		results = append(results, points)
		x = w.add(x, w.add(l.conv(w, y, 16, 1, 1), l.conv(w, points, 16, 1, 1)))
	}
	return w.function(results...)
}

// multiScale is MSDNet: layers at three sizes, each reads all earlier ones of its size and of that above.
func multiScale() string {
	w, l := &writer{}, nhwc
	x := w.relu(l.conv(w, w.argument("f32", l.image(32, 3)...), 6, 3, 1))
	var scales [3][]tensor
	for s := range 3 {
		if s > 0 {
			x = w.relu(l.conv(w, x, 6, 3, 2))
		}
		scales[s] = []tensor{x}
	}
	cat := func(all []tensor) tensor {
		if len(all) == 1 {
			return all[0]
		}
		return w.concat(l.channel(), all...)
	}
	var results []tensor
	for layer := range 5 {
		var next [3]tensor
		for s := range 3 {
			y := w.relu(l.norm(w, l.conv(w, cat(scales[s]), 4, 3, 1)))
			if s > 0 {
				y = w.concat(l.channel(), y, w.relu(l.norm(w, l.conv(w, cat(scales[s-1]), 4, 3, 2))))
			}
			next[s] = y
		}
		for s := range 3 {
			scales[s] = append(scales[s], next[s])
		}
		if layer%2 == 0 {
			results = append(results, l.classifier(w, cat(scales[2]), 10))
		}
	}
	return w.function(results...)
}

// rungeKutta integrates a network with four stages a step.
func rungeKutta() string {
	w, l := &writer{}, nhwc
	x := l.conv(w, w.argument("f32", l.image(16, 3)...), 8, 3, 1)
	f := func(x tensor) tensor { return l.conv(w, w.unary("math.tanh", l.conv(w, x, 16, 3, 1)), 8, 3, 1) }
	axpy := func(x, k tensor, by string) tensor {
		return w.each("f32", x.shape, "    %n = arith.constant "+by+" : f32\n    %m = arith.mulf %b, %n : f32\n    %r = arith.addf %a, %m : f32", x, k)
	}
	for range 3 {
		k1 := f(x)
		k2 := f(axpy(x, k1, "0.05"))
		k3 := f(axpy(x, k2, "0.05"))
		k4 := f(axpy(x, k3, "0.1"))
		x = axpy(x, w.add(w.add(k1, axpy(k4, k2, "2.0")), axpy(k3, k3, "1.0")), "0.0166")
	}
	return w.function(l.classifier(w, x, 10))
}

// heads splits the columns of a matrix into heads, and puts these first.
func (w *writer) heads(x tensor, n int) tensor {
	return w.permuted(w.reshape(x, "[[0], [1, 2]]", x.shape[0], n, x.shape[1]/n), 1, 0, 2)
}

func (w *writer) merged(x tensor) tensor {
	y := w.permuted(x, 1, 0, 2)
	return w.reshape(y, "[[0], [1, 2]]", y.shape[0], y.shape[1]*y.shape[2])
}

// attend is attention with all of its weights.
func (w *writer) attend(q, kv tensor, heads int) tensor {
	d := q.shape[1]
	a, b, c := w.heads(w.matmul(q, w.argument("f32", d, d)), heads), w.heads(w.matmul(kv, w.argument("f32", d, d)), heads), w.heads(w.matmul(kv, w.argument("f32", d, d)), heads)
	p := w.softmax(w.matmul(a, w.permuted(b, 0, 2, 1)))
	return w.matmul(w.merged(w.matmul(p, c)), w.argument("f32", d, d))
}

// parallelTransformer has layers whose attention and gated perceptron read the same.
func parallelTransformer() string {
	w := &writer{}
	x := w.argument("f32", 48, 32)
	for range 3 {
		h := w.rmsNorm(x, w.argument("f32", 32))
		gate, up := w.matmul(h, w.argument("f32", 32, 96)), w.matmul(h, w.argument("f32", 32, 96))
		mlp := w.matmul(w.mul(w.mul(gate, w.sigmoid(gate)), up), w.argument("f32", 96, 32))
		x = w.add(x, w.add(w.attend(h, h, 4), mlp))
	}
	return w.function(x)
}

// conformer has convolutions along the tokens between attention and perceptrons.
func conformer() string {
	w := &writer{}
	const n, d = 64, 24
	x := w.argument("f32", n, d)
	ff := func(x tensor) tensor {
		y := w.matmul(w.gelu(w.matmul(w.layerNorm(x), w.argument("f32", d, 4*d))), w.argument("f32", 4*d, d))
		return w.each("f32", x.shape, "    %n = arith.constant 0.5 : f32\n    %m = arith.mulf %b, %n : f32\n    %r = arith.addf %a, %m : f32", x, y)
	}
	for range 2 {
		x = ff(x)
		h := w.layerNorm(x)
		x = w.add(x, w.attend(h, h, 4))
		y := w.matmul(w.layerNorm(x), w.argument("f32", d, 2*d))
		a, b := w.slice(y, []any{0, 0}, []int{n, d}, n, d), w.slice(y, []any{0, d}, []int{n, d}, n, d)
		g := w.mul(a, w.sigmoid(b))
		g = w.pad("0.0", w.reshape(g, "[[0, 1], [2]]", 1, n, d), []int{0, 3, 0}, []int{0, 3, 0})
		c := w.named("depthwise_conv_1d_nwc_wc", "{dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>}", w.zeros("f32", 1, n, d), g, w.argument("f32", 7, d))
		c = w.reshape(c, "[[0, 1], [2]]", n, d)
		x = w.add(x, w.matmul(w.mul(c, w.sigmoid(c)), w.argument("f32", d, d)))
		x = w.layerNorm(ff(x))
	}
	return w.function(x)
}

// treeLSTM goes through a random tree, level by level from the leaves.
func treeLSTM() string {
	w, rng := &writer{}, rand.New(rand.NewPCG(7, 7))
	const batch, d = 8, 32
	u := w.argument("f32", 2*d, 5*d)
	type state struct{ h, c tensor }
	var all []state
	for range 12 {
		all = append(all, state{w.unary("math.tanh", w.matmul(w.argument("f32", batch, d), w.argument("f32", d, d))), w.zeros("f32", batch, d)})
	}
	for len(all) > 1 {
		var next []state
		for i := 0; i < len(all); i++ {
			if i+1 == len(all) || rng.IntN(4) == 0 && len(all) > 3 {
				next = append(next, all[i])
				continue
			}
			a, b := all[i], all[i+1]
			i++
			z := w.matmul(w.concat(1, a.h, b.h), u)
			part := func(k int) tensor { return w.slice(z, []any{0, k * d}, []int{batch, d}, batch, d) }
			c := w.add(w.add(w.mul(w.sigmoid(part(0)), a.c), w.mul(w.sigmoid(part(1)), b.c)), w.mul(w.sigmoid(part(2)), w.unary("math.tanh", part(3))))
			next = append(next, state{w.mul(w.sigmoid(part(4)), w.unary("math.tanh", c)), c})
		}
		all = next
	}
	return w.function(all[0].h)
}

// trainingConv is a step of a small convolutional network; slopes of filters and images are convolutions written out.
func trainingConv() string {
	s, l := &step{writer: &writer{}}, nhwc
	x := s.weight(1, 16, 16, 4)
	var backs []func(tensor) tensor
	for _, f := range []int{8, 8, 16} {
		in := x
		_, c := l.of(in)
		weight := s.weight(3, 3, c, f)
		padded := l.border(s.writer, "0.0", in, 1)
		y := s.relu(s.named("conv_2d_nhwc_hwcf", attributesOf(1, 1), s.zeros("f32", 1, 16, 16, f), padded, weight))
		backs = append(backs, func(slope tensor) tensor {
			slope = s.masked(slope, y)
			dw := s.zeros("f32", 3, 3, c, f)
			t := tensor{s.name(), "f32", dw.shape}
			s.line(`  %s = linalg.generic {indexing_maps = [affine_map<(a,b,c,d,n,h,w) -> (n, h + a, w + b, c)>, affine_map<(a,b,c,d,n,h,w) -> (n, h, w, d)>, affine_map<(a,b,c,d,n,h,w) -> (a,b,c,d)>], iterator_types = ["parallel","parallel","parallel","parallel","reduction","reduction","reduction"]} ins(%s, %s : %s, %s) outs(%s : %s) {
  ^bb0(%%a: f32, %%b: f32, %%o: f32):
    %%m = arith.mulf %%a, %%b : f32
    %%r = arith.addf %%o, %%m : f32
    linalg.yield %%r : f32
  } -> %s`, t, padded, slope, padded.typ(), slope.typ(), dw, dw.typ(), t.typ())
			s.update(weight, t)
			wide := l.border(s.writer, "0.0", slope, 1)
			dx := s.zeros("f32", in.shape...)
			u := tensor{s.name(), "f32", in.shape}
			s.line(`  %s = linalg.generic {indexing_maps = [affine_map<(n,h,w,c,a,b,d) -> (n, h + a, w + b, d)>, affine_map<(n,h,w,c,a,b,d) -> (a, b, c, d)>, affine_map<(n,h,w,c,a,b,d) -> (n,h,w,c)>], iterator_types = ["parallel","parallel","parallel","parallel","reduction","reduction","reduction"]} ins(%s, %s : %s, %s) outs(%s : %s) {
  ^bb0(%%a: f32, %%b: f32, %%o: f32):
    %%m = arith.mulf %%a, %%b : f32
    %%r = arith.addf %%o, %%m : f32
    linalg.yield %%r : f32
  } -> %s`, u, wide, weight, wide.typ(), weight.typ(), dx, dx.typ(), u.typ())
			return u
		})
		x = y
	}
	slope := s.sub(x, s.weight(1, 16, 16, 16))
	for i := len(backs) - 1; i >= 0; i-- {
		slope = backs[i](slope)
	}
	return s.returned()
}

// trainingAdam is a step of a perceptron whose weights have two moments each; all norms of slopes limit all updates.
func trainingAdam() string {
	s := &step{writer: &writer{}}
	x := s.weight(16, 32)
	var backs []func(tensor) tensor
	for _, n := range []int{48, 64, 32} {
		y, back := s.dense(x, n)
		x, backs = y, append(backs, back)
	}
	slope := s.sub(x, s.weight(16, 32))
	for i := len(backs) - 1; i >= 0; i-- {
		slope = backs[i](slope)
	}
	var results []tensor
	for i, old := range s.weights {
		m, v := s.weight(old.shape...), s.weight(old.shape...)
		g := s.slopes[i]
		mix := func(a, b tensor, keep, take string) tensor {
			return s.each("f32", a.shape, "    %k = arith.constant "+keep+" : f32\n    %t = arith.constant "+take+" : f32\n    %x = arith.mulf %a, %k : f32\n    %y = arith.mulf %b, %t : f32\n    %r = arith.addf %x, %y : f32", a, b)
		}
		m2, v2 := mix(m, g, "0.9", "0.1"), mix(v, s.mul(g, g), "0.999", "0.001")
		d := s.each("f32", old.shape, "    %e = arith.constant 1.0e-8 : f32\n    %s = math.sqrt %b : f32\n    %t = arith.addf %s, %e : f32\n    %r = arith.divf %a, %t : f32", m2, v2)
		results = append(results, mix(old, d, "1.0", "-0.001"), m2, v2)
	}
	return s.function(results...)
}

// towers is a network for two kinds of inputs that look at each other.
func towers() string {
	w, l := &writer{}, nhwc
	x := w.relu(l.conv(w, w.argument("f32", l.image(32, 3)...), 8, 3, 2))
	x = w.relu(l.conv(w, x, 24, 3, 2))
	image := w.reshape(x, "[[0, 1, 2], [3]]", 64, 24)
	text := w.argument("f32", 40, 24)
	for range 2 {
		i, t := w.layerNorm(image), w.layerNorm(text)
		image, text = w.add(image, w.attend(i, t, 3)), w.add(text, w.attend(t, i, 3))
		image = w.add(image, w.matmul(w.gelu(w.matmul(w.layerNorm(image), w.argument("f32", 24, 96))), w.argument("f32", 96, 24)))
		text = w.add(text, w.matmul(w.gelu(w.matmul(w.layerNorm(text), w.argument("f32", 24, 96))), w.argument("f32", 96, 24)))
	}
	return w.function(image, text)
}

// sideOutputs finds edges: a chain of convolutions whose levels are enlarged, all returned and merged.
func sideOutputs() string {
	w, l := &writer{}, nhwc
	x := w.argument("f32", l.image(32, 3)...)
	var sides []tensor
	for i := range 4 {
		if i > 0 {
			x = l.pool(w, x, 2, 2, 0)
		}
		x = w.relu(l.conv(w, w.relu(l.conv(w, x, 8<<i, 3, 1)), 8<<i, 3, 1))
		s := l.conv(w, x, 1, 1, 1)
		for range i {
			s = l.doubled(w, s)
		}
		sides = append(sides, s)
	}
	merged := w.sigmoid(l.conv(w, w.concat(l.channel(), sides...), 1, 1, 1))
	for i := range sides {
		sides[i] = w.sigmoid(sides[i])
	}
	return w.function(append(sides, merged)...)
}

// squeezeExcite has residual blocks whose channels are scaled by a perceptron of their means.
func squeezeExcite() string {
	w, l := &writer{}, nhwc
	x := w.relu(l.conv(w, w.argument("f32", l.image(32, 3)...), 8, 3, 2))
	for block := range 4 {
		_, c := l.of(x)
		stride, f := 1, c
		if block == 2 {
			stride, f = 2, 2*c
		}
		size, _ := l.of(x)
		y := w.relu(l.norm(w, l.conv(w, x, 4*c, 1, 1)))
		y = w.named("depthwise_conv_2d_nhwc_hwc", attributesOf(1, stride), w.zeros("f32", l.image(size/stride, 4*c)...), l.border(w, "0.0", y, 1), w.argument("f32", 3, 3, 4*c))
		y = w.relu(l.norm(w, y))
		s := w.sigmoid(w.matmul(w.relu(l.classifier(w, y, c)), w.argument("f32", c, 4*c)))
		y = l.norm(w, l.conv(w, w.mul(y, along(s, 0, 3)), f, 1, 1))
		if stride == 1 {
			y = w.add(x, y)
		}
		x = y
	}
	return w.function(l.classifier(w, x, 10))
}

// expertsTopTwo weights all experts by masks that let two be; gates and experts are two layers deep.
func expertsTopTwo() string {
	w := &writer{}
	const tokens, model, hidden, count = 24, 16, 64, 4
	x := w.argument("f32", tokens, model)
	for range 2 {
		h := w.rmsNorm(x, w.argument("f32", model))
		scores := w.softmax(w.matmul(h, w.argument("f32", model, count)))
		top := w.reduce("arith.maximumf", "0xFF800000", scores)
		rest := w.each("f32", scores.shape, "    %z = arith.constant 0.0 : f32\n    %p = arith.cmpf oeq, %a, %b : f32\n    %r = arith.select %p, %z, %a : f32", scores, rows(top))
		second := w.reduce("arith.maximumf", "0xFF800000", rest)
		gate := w.each("f32", scores.shape, "    %z = arith.constant 0.0 : f32\n    %p = arith.cmpf oge, %a, %b : f32\n    %r = arith.select %p, %a, %z : f32", scores, rows(second))
		var ups, gates, outs []tensor
		for range count {
			ups = append(ups, w.matmul(h, w.argument("f32", model, hidden)))
			gates = append(gates, w.matmul(h, w.argument("f32", model, hidden)))
		}
		for i := range ups {
			ups[i] = w.mul(ups[i], w.mul(gates[i], w.sigmoid(gates[i])))
		}
		for i := range ups {
			y := w.matmul(ups[i], w.argument("f32", hidden, model))
			outs = append(outs, w.mul(y, rows(w.slice(gate, []any{0, i}, []int{tokens, 1}, tokens))))
		}
		x = w.add(x, w.sum(outs))
	}
	return w.function(x)
}
