package main

import (
	"testing"

	"freehold/dialect/linalg"
	"freehold/ir"
)

// Models are valid programs, and each layer adds the same operations.
func TestBuild(t *testing.T) {
	var sizes []int
	for layers := int64(1); layers <= 3; layers++ {
		module := build(config{layers: layers, dim: 8, heads: 2, seq: 3, ffn: 5})
		if err := ir.Verify(module); err != nil {
			t.Fatal(err)
		}
		n, products := 0, int64(0)
		module.Walk(func(op *ir.Op) bool {
			n++
			if op.Is(linalg.Matmul) {
				products++
			}
			return true
		})
		if products%layers != 0 || products == 0 {
			t.Errorf("%d layers have %d products of matrices", layers, products)
		}
		sizes = append(sizes, n)
	}
	if sizes[2]-sizes[1] != sizes[1]-sizes[0] {
		t.Errorf("models of 1, 2 and 3 layers have %v operations", sizes)
	}
}

func TestCheck(t *testing.T) {
	for _, x := range []struct {
		c  config
		ok bool
	}{
		{config{2, 32, 4, 16, 64}, true},
		{config{0, 32, 4, 16, 64}, false},
		{config{2, 32, 5, 16, 64}, false}, // heads of different sizes
		{config{2, 12, 4, 16, 64}, false}, // of an odd size, which can't be rotated
	} {
		if err := x.c.check(); (err == nil) != x.ok {
			t.Errorf("%+v: %v", x.c, err)
		}
	}
}
