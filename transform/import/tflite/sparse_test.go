package tflite_test

import (
	"strings"
	"testing"

	"freehold/internal/testing/tflitegen"
	"freehold/transform/import/tflite/model"
)

// sparse is a model that adds a number to the matrix that a sparse constant is, which has 2 rows of 4 elements in blocks of 2.
func sparse(t model.Type, data []byte, s tflitegen.Sparsity) []byte {
	m := func(name string) model.Tensor {
		return model.Tensor{Name: name, Type: t, Shape: []int64{2, 4}}
	}
	g := tflitegen.Subgraph{Name: "main", Inputs: []int32{2}, Outputs: []int32{3}, Sparse: map[int]tflitegen.Sparsity{0: s},
		Tensors: []model.Tensor{constant(m("stored"), data), m("dense"), {Name: "x", Type: t, Shape: []int64{1}}, m("sum")}}
	g.Operators = []tflitegen.Operator{{Code: "DENSIFY", Inputs: []int32{0}, Outputs: []int32{1}}, {Code: "ADD", Inputs: []int32{1, 2}, Outputs: []int32{3}}}
	return tflitegen.Model(g)
}

// rows is rows that are there, of blocks of 2 elements of which the first row has the second one, and the second row both.
func rows(segments, indices []int32) tflitegen.Sparsity {
	return tflitegen.Sparsity{Order: []int32{0, 1, 2}, Blocks: []int32{1},
		Dimensions: []tflitegen.Dimension{{Size: 2}, {Segments: segments, Indices: indices}, {Size: 2}}}
}

func TestSparse(t *testing.T) {
	const want = "10 10 11 12 13 14 15 16"
	good := rows([]int32{0, 1, 3}, []int32{1, 0, 1})
	if got := execute(t, sparse(model.Float32, floats(1, 2, 3, 4, 5, 6), good), "[10]")[0]; got != want {
		t.Errorf("it is %s", got)
	}
	columns := tflitegen.Sparsity{Order: []int32{1, 0}, Dimensions: []tflitegen.Dimension{{Size: 4}, {Segments: []int32{0, 1, 2, 4, 6}, Indices: []int32{1, 1, 0, 1, 0, 1}}}}
	if got := execute(t, sparse(model.Int32, int32s(3, 4, 1, 5, 2, 6), columns), "[10]")[0]; got != want {
		t.Errorf("by columns it is %s", got)
	}
	for _, tt := range []struct {
		name string
		s    tflitegen.Sparsity
		want string
	}{
		{"an element outside", rows([]int32{0, 1, 3}, []int32{2, 0, 1}), "the places of the elements"},
		{"too few elements", rows([]int32{0, 2, 4}, []int32{0, 1, 0, 1}), "the places of the elements"},
		{"rows that end too late", rows([]int32{0, 1, 4}, []int32{1, 0, 1}), "the places of the elements"},
		{"rows that go back", rows([]int32{0, 3, 1}, []int32{1, 0, 1}), "the places of the elements"},
		{"a row that isn't told of", rows([]int32{0, 1}, []int32{1}), "the places of the elements"},
		{"a dimension twice", tflitegen.Sparsity{Order: []int32{0, 0}, Dimensions: good.Dimensions[:2]}, "the dimensions of the sparse tensor"},
		{"a block of no dimension", tflitegen.Sparsity{Order: good.Order, Blocks: []int32{7}, Dimensions: good.Dimensions}, "the dimensions of the sparse tensor"},
		{"more dimensions than are told of", tflitegen.Sparsity{Order: good.Order, Blocks: good.Blocks, Dimensions: good.Dimensions[:2]}, "the dimensions of the sparse tensor"},
	} {
		if got := message(t, sparse(model.Float32, floats(1, 2, 3, 4, 5, 6), tt.s)); !strings.Contains(got, tt.want) {
			t.Errorf("of %s it says %q", tt.name, got)
		}
	}
}
