package models

// step is a training step under construction: updates are written when the whole backward pass is.
type step struct {
	*writer
	weights, slopes []tensor
}

// weight declares a weight.
func (s *step) weight(shape ...int) tensor { return s.argument("f32", shape...) }

// update notes the slope of a weight.
func (s *step) update(weight, slope tensor) {
	s.weights, s.slopes = append(s.weights, weight), append(s.slopes, slope)
}

// returned writes the updates, and returns the program.
func (s *step) returned() string {
	var results []tensor
	for i, old := range s.weights {
		results = append(results, s.generic(old, len(old.shape), nil,
			"    %l = arith.constant 0.01 : f32\n    %d = arith.mulf %l, %a : f32\n    %r = arith.subf %o, %d : f32", s.slopes[i]))
	}
	return s.function(results...)
}

// masked is a slope where what a rectifier has returned is above zero.
func (w *writer) masked(slope, y tensor) tensor {
	return w.each("f32", slope.shape, "    %z = arith.constant 0.0 : f32\n    %p = arith.cmpf ogt, %b, %z : f32\n    %r = arith.select %p, %a, %z : f32", slope, y)
}

// dense writes a layer with a rectifier, and what goes back through it: it notes the update, and returns the slope of the input.
func (s *step) dense(x tensor, out int) (y tensor, back func(slope tensor) tensor) {
	weight := s.weight(x.shape[1], out)
	y = s.relu(s.matmul(x, weight))
	return y, func(slope tensor) tensor {
		slope = s.masked(slope, y)
		s.update(weight, s.matmul(s.permuted(x, 1, 0), slope))
		return s.matmul(slope, s.permuted(weight, 1, 0))
	}
}

// trainingDense is a step of a deep perceptron.
func trainingDense(layers int) string {
	s := &step{writer: &writer{}}
	x := s.weight(16, 24)
	var backs []func(tensor) tensor
	for range layers {
		y, back := s.dense(x, 24)
		x, backs = y, append(backs, back)
	}
	slope := s.sub(s.softmax(x), s.weight(16, 24))
	for i := len(backs) - 1; i >= 0; i-- {
		slope = backs[i](slope)
	}
	return s.returned()
}

// trainingWide is a step of a perceptron whose layers differ in width.
func trainingWide() string {
	s := &step{writer: &writer{}}
	x := s.weight(8, 32)
	var backs []func(tensor) tensor
	for _, n := range []int{64, 16, 96, 24, 48} {
		y, back := s.dense(x, n)
		x, backs = y, append(backs, back)
	}
	slope := s.sub(x, s.weight(8, 48))
	for i := len(backs) - 1; i >= 0; i-- {
		slope = backs[i](slope)
	}
	return s.returned()
}

// trainingResidual is a step of a network whose layers are added to what they read.
func trainingResidual() string {
	s := &step{writer: &writer{}}
	x := s.weight(16, 32)
	var backs []func(tensor) tensor
	for range 5 {
		hidden, first := s.dense(x, 48)
		out, second := s.dense(hidden, 32)
		x = s.add(x, out)
		backs = append(backs, func(slope tensor) tensor { return s.add(slope, first(second(slope))) })
	}
	slope := s.sub(x, s.weight(16, 32))
	for i := len(backs) - 1; i >= 0; i-- {
		slope = backs[i](slope)
	}
	return s.returned()
}

// trainingAttention is a step of two layers of attention with one head.
func trainingAttention() string {
	s := &step{writer: &writer{}}
	const tokens, model = 24, 16
	x := s.weight(tokens, model)
	var backs []func(tensor) tensor
	for range 2 {
		wq, wk, wv := s.weight(model, model), s.weight(model, model), s.weight(model, model)
		q, k, v := s.matmul(x, wq), s.matmul(x, wk), s.matmul(x, wv)
		in, p := x, s.softmax(s.matmul(q, s.permuted(k, 1, 0)))
		x = s.add(x, s.matmul(p, v))
		backs = append(backs, func(slope tensor) tensor {
			dp, dv := s.matmul(slope, s.permuted(v, 1, 0)), s.matmul(s.permuted(p, 1, 0), slope)
			weighted := s.mul(dp, p)
			scores := s.mul(p, s.sub(dp, rows(s.reduce("arith.addf", "0.0", weighted))))
			dq, dk := s.matmul(scores, k), s.matmul(s.permuted(scores, 1, 0), q)
			flipped := s.permuted(in, 1, 0)
			for _, pair := range [][2]tensor{{wq, dq}, {wk, dk}, {wv, dv}} {
				s.update(pair[0], s.matmul(flipped, pair[1]))
			}
			back := slope
			for _, pair := range [][2]tensor{{wq, dq}, {wk, dk}, {wv, dv}} {
				back = s.add(back, s.matmul(pair[1], s.permuted(pair[0], 1, 0)))
			}
			return back
		})
	}
	slope := s.sub(x, s.weight(tokens, model))
	for i := len(backs) - 1; i >= 0; i-- {
		slope = backs[i](slope)
	}
	return s.returned()
}

// trainingBranches is a step of a network with three branches of several layers, written layer by layer.
func trainingBranches() string {
	s := &step{writer: &writer{}}
	x := s.weight(16, 24)
	var heads []tensor
	var backs [3][]func(tensor) tensor
	for range 3 {
		heads = append(heads, x)
	}
	for _, n := range []int{40, 56, 24} {
		for b := range heads {
			y, back := s.dense(heads[b], n)
			heads[b], backs[b] = y, append(backs[b], back)
		}
	}
	slope := s.sub(s.sum(heads), s.weight(16, 24))
	slopes := []tensor{slope, slope, slope}
	for i := 2; i >= 0; i-- {
		for b := range slopes {
			slopes[b] = backs[b][i](slopes[b])
		}
	}
	return s.returned()
}
