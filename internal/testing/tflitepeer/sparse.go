package main

import (
	"freehold/internal/testing/tflitegen"
	"freehold/transform/import/tflite/model"
)

// densified is DENSIFY of a random matrix: rows, or columns, are all there, of their elements, or blocks of these, some.
func densified(g *generator) *single {
	t := pick(g, model.Float32, model.Int8)
	block, outer := g.between(1, 3), g.IntN(2)
	inner := 1 - outer
	blocked := pick(g, outer, inner)
	count := []int64{g.between(1, 4), g.between(1, 4)} // of blocks along each dimension
	shape := []int64{count[0], count[1]}
	s := tflitegen.Sparsity{Order: []int32{int32(outer), int32(inner)}}
	if block > 1 {
		s.Order, s.Blocks = append(s.Order, 2), []int32{int32(blocked)}
		shape[blocked] *= block
	}
	segments, indices := []int32{0}, []int32{}
	stored := []byte{}
	for range count[outer] {
		for i := range count[inner] {
			if g.chance(2) {
				continue
			}
			indices = append(indices, int32(i))
			stored = append(stored, g.data(plain(t, block))...)
		}
		segments = append(segments, int32(len(indices)))
	}
	s.Dimensions = []tflitegen.Dimension{{Size: int32(count[outer])}, {Segments: segments, Indices: indices}}
	if block > 1 {
		s.Dimensions = append(s.Dimensions, tflitegen.Dimension{Size: int32(block)})
	}
	in := plain(t, shape...)
	in.Data = stored
	if t == model.Int8 {
		in = scaled(in, 0.5, 0)
	}
	c := of(like(in, shape...), in)
	c.sparsity = map[int]tflitegen.Sparsity{0: s}
	return c.copied()
}
