package exhaustive_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"freehold/ir"
	"freehold/transform/generic/canonicalize"
)

// worlds are the types that operations are tried on together.
var worlds = []struct {
	name, types string
	small       bool
}{
	{name: "bits", types: "i1 i2 i4"},
	{name: "index", types: "i1 i8 index i64"},
	{name: "wide", types: "i64 i65 i128 index"},
	{name: "affine", types: "i1 index", small: true},
	{name: "sizes", types: "index !shape.size", small: true},
	{name: "f8E5M2", types: "i1 i3 f8E5M2 f16"},
	{name: "f8E4M3", types: "i4 f8E4M3 f32"},
	{name: "f8E4M3FN", types: "i4 f8E4M3FN bf16"},
	{name: "f8E5M2FNUZ", types: "i4 f8E5M2FNUZ f64"},
	{name: "f8E4M3FNUZ", types: "i4 f8E4M3FNUZ f16"},
	{name: "f8E4M3B11FNUZ", types: "i4 f8E4M3B11FNUZ f16"},
	{name: "f8E3M4", types: "i4 f8E3M4 f16"},
	{name: "f8E8M0FNU", types: "i4 f8E8M0FNU f32"},
	{name: "f4E2M1FN", types: "i2 i8 f4E2M1FN f6E3M2FN f6E2M3FN"},
	{name: "f32", types: "i1 i32 f32 f64"},
	{name: "f80", types: "i64 f64 f80 f128"},
	{name: "complex", types: "i1 f8E5M2 complex<f8E5M2>"},
	{name: "complex32", types: "f32 i64 complex<f32>"},
}

// shapedWorlds are those of vectors and tensors.
var shapedWorlds = []struct{ name, types string }{
	{"vectors of bits", "i1 vector<2xi1> vector<2xi3>"},
	{"tensors of bits", "tensor<2xi1> tensor<2xi4> tensor<2xindex>"},
	{"vectors of floats", "vector<2xi1> vector<2xi3> vector<2xf8E5M2>"},
	{"tensors of floats", "tensor<2xi1> tensor<2xi4> tensor<2xf8E4M3FNUZ>"},
	{"tensors of rank 0", "tensor<i1> tensor<i2> tensor<f16>"},
}

// loweredWorlds are those of tensors whose operations are executed as what they are lowered to.
var loweredWorlds = []struct{ name, types string }{
	{"tensors of integers", "tensor<2xi32>"},
	{"tensors of floats", "tensor<2xf16>"},
}

func canonicalizer(*world) func(module *ir.Op) error {
	o := canonicalize.DefaultOptions()
	return func(module *ir.Op) error {
		canonicalize.Run(module, o, 1)
		return nil
	}
}

func tryTrees(t *testing.T, w *world) {
	single, pair, link, twins, randomly := 2, 2000, 4, 1000, 1000
	if *all {
		twins, randomly = 200000, 200000
	}
	if *programs > 0 {
		pair, twins, randomly = *programs, *programs, *programs
	}
	b := newBatch(t, w, canonicalizer(w))
	r := rand.New(rand.NewPCG(*seed, 1))
	b.singles(r, single)
	b.pairs(r, pair)
	b.links(r, link)
	b.twins(r, twins)
	b.randoms(r, randomly)
	b.log()
}

// TestTrees canonicalizes functions of few operations, and compares what they compute before and after.
func TestTrees(t *testing.T) {
	for _, tt := range worlds {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(tt.types, tt.small)
			if tt.name == "affine" {
				// Others compute numbers for which maps overflow, which they mustn't.
				w.instances = slices.DeleteFunc(w.instances, func(x *instance) bool { return !strings.HasPrefix(x.name.String(), "affine.") })
			}
			tryTrees(t, w)
		})
	}
}

// TestVectors is TestTrees with vectors and tensors.
func TestVectors(t *testing.T) {
	for _, tt := range shapedWorlds {
		t.Run(strings.ReplaceAll(tt.name, " ", "_"), func(t *testing.T) { tryTrees(t, newWorld(tt.types, false)) })
	}
}

// TestLowered is TestTrees with operations that are executed as what they are lowered to.
func TestLowered(t *testing.T) {
	for _, tt := range loweredWorlds {
		t.Run(strings.ReplaceAll(tt.name, " ", "_"), func(t *testing.T) {
			w := newWorldOf(tt.types, false, true)
			b := newBatch(t, w, canonicalizer(w))
			b.runs = 100
			r := rand.New(rand.NewPCG(*seed, 1))
			b.singles(r, 1)
			b.randoms(r, max(*programs, 100))
			b.log()
		})
	}
}
