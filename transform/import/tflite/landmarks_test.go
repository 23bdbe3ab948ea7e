package tflite_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"freehold/internal/testing/tflitegen"
	"freehold/transform/import/tflite/model"
)

// Points are moved by a matrix, all but their third coordinate.
func TestTransformLandmarks(t *testing.T) {
	f := func(shape ...int64) model.Tensor { return tensor(model.Float32, shape...) }
	file := custom("TransformLandmarks", nil, []model.Tensor{f(1, 2, 3)}, f(1, 2, 3), f(1, 4, 4))
	matrix := "[[[2,10,100,1],[0,3,100,-1],[0,0,1,0],[0,0,0,1]]]"
	if got := execute(t, file, "[[[1,2,3],[4,5,6]]]", matrix)[0]; got != "23 5 3 59 14 6" {
		t.Errorf("it is %s", got)
	}
}

// An image of half the pixels, which lie between those of the other one, and one that lies partly beside it.
func TestTransformTensor(t *testing.T) {
	f := func(shape ...int64) model.Tensor { return tensor(model.Float32, shape...) }
	for _, tt := range []struct{ matrix, want string }{
		{"[[[1,0,0,0],[0,1,0,0],[0,0,1,0],[0,0,0,1]]]", "1 2"},
		{"[[[2,0,0,0],[0,2,0,0],[0,0,1,0],[0,0,0,1]]]", "3.5 5.5"},
		{"[[[1,0,0,-1],[0,1,0,1],[0,0,1,0],[0,0,0,1]]]", "0 5"},
		{"[[[1,0,0,2.5],[0,1,0,0],[0,0,1,0],[0,0,0,1]]]", "3.5 0"},
	} {
		file := custom("TransformTensorBilinear", nil, []model.Tensor{f(1, 1, 2, 1)}, f(1, 2, 4, 1), f(1, 4, 4))
		if got := execute(t, file, "[[[[1],[2],[3],[4]],[[5],[6],[7],[8]]]]", tt.matrix)[0]; got != tt.want {
			t.Errorf("by %s it is %s, and should be %s", tt.matrix, got, tt.want)
		}
	}
}

// landmarks is a model that makes a matrix of four points.
func landmarks(options map[string]float64, around []int64) []byte {
	lists := map[string][]int64{}
	if around != nil {
		lists["subset_idxs"] = around
	}
	points, matrix := tensor(model.Float32, 1, 4, 3), tensor(model.Float32, 1, 4, 4)
	return tflitegen.Model(tflitegen.Subgraph{Name: "main", Tensors: []model.Tensor{points, matrix}, Inputs: []int32{0}, Outputs: []int32{1},
		Operators: []tflitegen.Operator{{Code: "CUSTOM", Custom: "Landmarks2TransformMatrix", CustomOptions: tflitegen.FlexbufferWith(options, lists),
			Inputs: []int32{0}, Outputs: []int32{1}}}})
}

// The part around points, upright between two of them: the corners of the part are those of the image that the matrix makes of it.
func TestLandmarksMatrix(t *testing.T) {
	options := map[string]float64{"left_rotation_idx": 0, "right_rotation_idx": 1, "output_width": 8, "output_height": 4, "scale_x": 1.5, "scale_y": 2,
		"target_rotation_radians": 0}
	// A square that stands on a corner, with a side of 2√2: from the first point to the second one it goes down to the right.
	got := execute(t, landmarks(options, []int64{0, 1, 2, 3, 3}), "[[[2,0,9],[4,2,9],[2,4,9],[0,2,9]]]")[0]
	var m [16]float64
	for i, s := range strings.Fields(got) {
		fmt.Sscan(s, &m[i])
	}
	// The middle of the part is that of the square, and its width is along the first side.
	root := math.Sqrt2
	for _, p := range [][4]float64{{4, 2, 2, 2}, {8, 2, 2 + 1.5*root/root, 2 + 1.5*root/root}, {4, 4, 2 - 2*root/root, 2 + 2*root/root}} {
		x, y := m[0]*p[0]+m[1]*p[1]+m[3], m[4]*p[0]+m[5]*p[1]+m[7]
		if math.Abs(x-p[2]) > 1e-5 || math.Abs(y-p[3]) > 1e-5 {
			t.Errorf("(%g, %g) is (%g, %g), and should be (%g, %g)", p[0], p[1], x, y, p[2], p[3])
		}
	}
	if fmt.Sprint(m[8:]) != "[0 0 1 0 0 0 0 1]" {
		t.Errorf("the last rows are %v", m[8:])
	}
	for _, tt := range []struct {
		name   string
		value  float64
		around []int64
		want   string
	}{
		{"left_rotation_idx", 4, []int64{0}, `the option "left_rotation_idx" of Landmarks2TransformMatrix is 4, which is not an integer from 0 to 3`},
		{"scale_x", 0, []int64{0}, "Landmarks2TransformMatrix has options that its kernel doesn't take"},
		{"scale_x", 1, []int64{0, 4}, "Landmarks2TransformMatrix has options that its kernel doesn't take"},
		{"scale_x", 1, nil, "Landmarks2TransformMatrix has options that its kernel doesn't take"},
	} {
		changed := map[string]float64{}
		for name, x := range options {
			changed[name] = x
		}
		changed[tt.name] = tt.value
		if got := message(t, landmarks(changed, tt.around)); !strings.Contains(got, tt.want) {
			t.Errorf("it says %q, and should say %q", got, tt.want)
		}
	}
}
