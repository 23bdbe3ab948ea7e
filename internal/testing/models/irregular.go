package models

import (
	"fmt"
	"math/rand/v2"
)

// Irregular returns networks whose order of operations matters for memory: cells that are wired at random, as neural
// architecture search finds them, and those that keep much for later, such as training steps. They are written in the
// order in which front ends write them: node by node, level by level, all updates last.
func Irregular() (out []Model) {
	add := func(name string, source func() string) { out = append(out, Model{name, source}) }
	for seed := range uint64(10) {
		add(fmt.Sprintf("randwire-%d", seed), func() string { return randomlyWired(seed, 10+2*int(seed), 8) })
	}
	for seed := range uint64(8) {
		add(fmt.Sprintf("cells-%d", seed), func() string { return searchedCells(seed, 3) })
	}
	for seed := range uint64(8) {
		add(fmt.Sprintf("widths-%d", seed), func() string { return mixedWidths(seed, 14+3*int(seed)) })
	}
	add("densenet", func() string { return denseNet(6) })
	add("densenet-deep", func() string { return denseNet(10) })
	add("unet-nested", nestedUNet)
	add("unet-deep", deepUNet)
	add("inception", func() string { return inception(3) })
	add("inception-deep", func() string { return inception(6) })
	add("hrnet", highResolution)
	add("experts-all", expertsOfAll)
	add("training-deep", func() string { return trainingDense(8) })
	add("training-wide", trainingWide)
	add("training-residual", trainingResidual)
	add("training-attention", trainingAttention)
	add("training-branches", trainingBranches)
	return out
}

// sum adds up tensors of one shape, from the left.
func (w *writer) sum(all []tensor) tensor {
	out := all[0]
	for _, t := range all[1:] {
		out = w.add(out, t)
	}
	return out
}

// randomlyWired is a stage of RandWire: nodes whose inputs are earlier ones, near or far, each a sum, a rectifier and a convolution.
func randomlyWired(seed uint64, nodes, channels int) string {
	w, l, rng := &writer{}, nhwc, rand.New(rand.NewPCG(seed, 1))
	x := l.conv(w, w.argument("f32", l.image(8, 3)...), channels, 1, 1)
	var all []tensor
	used := make([]bool, nodes)
	for i := range nodes {
		var inputs []tensor
		for _, j := range randomInputs(rng, i, 4) {
			inputs, used[j] = append(inputs, all[j]), true
		}
		if len(inputs) == 0 {
			inputs = []tensor{x}
		}
		all = append(all, l.norm(w, l.conv(w, w.relu(w.sum(inputs)), channels, 3, 1)))
	}
	var ends []tensor
	for i, t := range all {
		if !used[i] {
			ends = append(ends, t)
		}
	}
	return w.function(l.classifier(w, w.sum(ends), 5))
}

// randomInputs chooses up to most numbers below i: the one before or others; none for the first few.
func randomInputs(rng *rand.Rand, i, most int) (out []int) {
	if i < 3 {
		return nil
	}
	seen := map[int]bool{}
	for range 1 + rng.IntN(most-1) {
		if j := max(i-1-rng.IntN(i), 0); !seen[j] {
			seen[j], out = true, append(out, j)
		}
	}
	return out
}

// searchedCells is a network of cells as NASNet has them: blocks that add what two operations make of two earlier tensors; what no
// block reads is concatenated.
func searchedCells(seed uint64, cells int) string {
	w, l, rng := &writer{}, nhwc, rand.New(rand.NewPCG(seed, 2))
	before := l.conv(w, w.argument("f32", l.image(8, 3)...), 8, 1, 1)
	last := l.conv(w, before, 8, 3, 1)
	for range cells {
		states := []tensor{l.conv(w, before, 8, 1, 1), l.conv(w, last, 8, 1, 1)}
		used := make([]bool, 7)
		for range 5 {
			var parts []tensor
			for range 2 {
				k := rng.IntN(len(states))
				used[k] = true
				switch rng.IntN(4) {
				case 0:
					parts = append(parts, states[k])
				case 1:
					parts = append(parts, l.pool(w, states[k], 3, 1, 1))
				case 2:
					parts = append(parts, l.conv(w, w.relu(states[k]), 8, 3, 1))
				default:
					parts = append(parts, l.conv(w, w.relu(l.conv(w, states[k], 12, 1, 1)), 8, 3, 1))
				}
			}
			states = append(states, w.add(parts[0], parts[1]))
		}
		var ends []tensor
		for i, t := range states {
			if !used[i] {
				ends = append(ends, t)
			}
		}
		before, last = last, w.concat(l.channel(), ends...)
	}
	return w.function(l.classifier(w, last, 5))
}

// mixedWidths is a random graph of convolutions with 1×1 filters of different widths, whose inputs are concatenated.
func mixedWidths(seed uint64, nodes int) string {
	w, l, rng := &writer{}, nhwc, rand.New(rand.NewPCG(seed, 3))
	x := w.argument("f32", l.image(8, 4)...)
	var all []tensor
	used := make([]bool, nodes)
	for i := range nodes {
		input := x
		var inputs []tensor
		for _, j := range randomInputs(rng, i, 3) {
			inputs, used[j] = append(inputs, all[j]), true
		}
		switch {
		case len(inputs) == 1:
			input = inputs[0]
		case len(inputs) > 1:
			input = w.concat(l.channel(), inputs...)
		}
		all = append(all, w.relu(l.conv(w, input, 2<<rng.IntN(5), 1, 1)))
	}
	var ends []tensor
	for i, t := range all {
		if !used[i] {
			ends = append(ends, l.classifier(w, t, 5))
		}
	}
	return w.function(w.sum(ends))
}

// denseNet has layers that read all earlier ones, concatenated, and halves the image between blocks of them.
func denseNet(layers int) string {
	w, l := &writer{}, nhwc
	x := l.conv(w, w.argument("f32", l.image(16, 3)...), 8, 3, 1)
	for range 2 {
		all := []tensor{x}
		for range layers {
			in := all[0]
			if len(all) > 1 {
				in = w.concat(l.channel(), all...)
			}
			all = append(all, l.conv(w, w.relu(l.norm(w, l.conv(w, w.relu(l.norm(w, in)), 16, 1, 1))), 4, 3, 1))
		}
		x = l.pool(w, l.conv(w, w.concat(l.channel(), all...), 8, 1, 1), 2, 2, 0)
	}
	return w.function(l.classifier(w, x, 5))
}

// nestedUNet is U-Net++ with three levels: each node reads all of its level and the one below, and levels are written one after the other.
func nestedUNet() string {
	w, l := &writer{}, nhwc
	const levels = 4
	var nodes [levels][levels]tensor
	x := w.argument("f32", l.image(16, 3)...)
	for i := range levels {
		if i > 0 {
			x = l.pool(w, nodes[i-1][0], 2, 2, 0)
		}
		nodes[i][0] = w.relu(l.conv(w, x, 4<<i, 3, 1))
	}
	for j := 1; j < levels; j++ {
		for i := range levels - j {
			parts := append([]tensor{}, nodes[i][:j]...)
			nodes[i][j] = w.relu(l.conv(w, w.concat(l.channel(), append(parts, l.doubled(w, nodes[i+1][j-1]))...), 4<<i, 3, 1))
		}
	}
	return w.function(l.conv(w, nodes[0][levels-1], 1, 1, 1))
}

// deepUNet is a U-Net with auxiliary outputs at each level of the way up, which are made at the end.
func deepUNet() string {
	w, l := &writer{}, nhwc
	x := w.argument("f32", l.image(32, 3)...)
	var kept, ups []tensor
	for i := range 4 {
		x = w.relu(l.conv(w, w.relu(l.conv(w, x, 4<<i, 3, 1)), 4<<i, 3, 1))
		kept = append(kept, x)
		x = l.pool(w, x, 2, 2, 0)
	}
	for i := 3; i >= 0; i-- {
		x = w.relu(l.conv(w, w.concat(l.channel(), kept[i], l.doubled(w, x)), 4<<i, 3, 1))
		ups = append(ups, x)
	}
	var results []tensor
	for _, u := range ups {
		results = append(results, l.classifier(w, u, 3))
	}
	return w.function(results...)
}

// inception has modules of four branches of different depth, written level by level, which are concatenated.
func inception(modules int) string {
	w, l := &writer{}, nhwc
	x := l.conv(w, w.argument("f32", l.image(8, 3)...), 16, 3, 1)
	for range modules {
		reduced, wide, deep := w.relu(l.conv(w, x, 12, 1, 1)), w.relu(l.conv(w, x, 20, 1, 1)), w.relu(l.conv(w, x, 24, 1, 1))
		pooled := l.pool(w, x, 3, 1, 1)
		second, third := w.relu(l.conv(w, wide, 4, 3, 1)), w.relu(l.conv(w, deep, 28, 3, 1))
		fourth := w.relu(l.conv(w, pooled, 4, 1, 1))
		third = w.relu(l.conv(w, third, 4, 3, 1))
		x = w.concat(l.channel(), l.conv(w, reduced, 4, 1, 1), second, third, fourth)
	}
	return w.function(l.classifier(w, x, 5))
}

// highResolution is HRNet: branches of several sizes of the image, which exchange what they have.
func highResolution() string {
	w, l := &writer{}, nhwc
	x := l.conv(w, w.argument("f32", l.image(16, 3)...), 4, 3, 1)
	streams := []tensor{x, l.conv(w, x, 8, 3, 2), l.conv(w, l.conv(w, x, 8, 3, 2), 16, 3, 2)}
	for range 2 {
		for i, s := range streams {
			streams[i] = w.relu(w.add(l.conv(w, w.relu(l.conv(w, s, 4<<i, 3, 1)), 4<<i, 3, 1), s))
		}
		var moved [3][3]tensor
		for from := range streams {
			for to := range streams {
				t := streams[from]
				for i := from; i < to; i++ {
					t = l.conv(w, t, 4<<(i+1), 3, 2)
				}
				for i := from; i > to; i-- {
					t = l.doubled(w, l.conv(w, t, 4<<(i-1), 1, 1))
				}
				moved[from][to] = t
			}
		}
		for to := range streams {
			streams[to] = w.relu(w.sum([]tensor{moved[0][to], moved[1][to], moved[2][to]}))
		}
	}
	var results []tensor
	for _, s := range streams {
		results = append(results, l.classifier(w, s, 4))
	}
	return w.function(w.sum(results))
}

// expertsOfAll is a mixture in which all experts see all tokens, weighted by a gate; layer by layer for all of them.
func expertsOfAll() string {
	w := &writer{}
	const tokens, model, hidden, count = 16, 16, 48, 6
	x := w.argument("f32", tokens, model)
	gate := w.softmax(w.matmul(x, w.argument("f32", model, count)))
	var inner, outer []tensor
	for range count {
		inner = append(inner, w.relu(w.matmul(x, w.argument("f32", model, hidden))))
	}
	for i := range inner {
		outer = append(outer, w.matmul(inner[i], w.argument("f32", hidden, model)))
	}
	for i := range outer {
		share := w.slice(gate, []any{0, i}, []int{tokens, 1}, tokens)
		outer[i] = w.mul(outer[i], rows(share))
	}
	return w.function(w.sum(outer))
}
