package tflite_test

import (
	"strings"
	"testing"

	"freehold/internal/testing/tflitegen"
	"freehold/transform/import/tflite/model"
)

// pools is a model of a custom operator whose options are a structure of numbers.
func pools(name string, options []int64, outputs []model.Tensor, inputs ...model.Tensor) []byte {
	g := tflitegen.Subgraph{Name: "main", Tensors: append(inputs, outputs...)}
	o := tflitegen.Operator{Code: "CUSTOM", Custom: name, CustomOptions: int32s(options...)}
	for i := range inputs {
		o.Inputs = append(o.Inputs, int32(i))
	}
	for i := range outputs {
		o.Outputs = append(o.Outputs, int32(len(inputs)+i))
	}
	for i := range g.Tensors {
		g.Tensors[i].Name = "t" + string(rune('0'+i))
	}
	g.Inputs, g.Outputs, g.Operators = o.Inputs, o.Outputs, []tflitegen.Operator{o}
	return tflitegen.Model(g)
}

// A pool tells where in its windows the largest elements are, and another one puts them back there.
func TestPoolsOfMediaPipe(t *testing.T) {
	f := func(shape ...int64) model.Tensor { return tensor(model.Float32, shape...) }
	const same, valid = 1, 2
	image := "[[[[1],[5],[2]],[[7],[3],[2.5]]]]"
	outs := func(shape ...int64) []model.Tensor { return []model.Tensor{f(shape...), f(shape...)} }
	for _, tt := range []struct {
		name string
		file []byte
		args []string
		want string
	}{
		{"windows within the image", pools("MaxPoolingWithArgmax2D", []int64{valid, 1, 2, 2, 2, 0}, outs(1, 1, 2, 1), f(1, 2, 3, 1)), []string{image}, "7 5|2.1 0.1"},
		{"windows over the border", pools("MaxPoolingWithArgmax2D", []int64{same, 2, 2, 2, 2, 0}, outs(1, 1, 2, 1), f(1, 2, 3, 1)), []string{image}, "7 2.5|2.1 2.1"},
		{"with an activation", pools("MaxPoolingWithArgmax2D", []int64{valid, 3, 2, 3, 2, 3}, outs(1, 1, 1, 1), f(1, 2, 3, 1)), []string{image}, "6|3.1"},
		{"back", pools("MaxUnpooling2D", []int64{same, 2, 2, 2, 2, 0}, []model.Tensor{f(1, 2, 4, 1)}, f(1, 1, 2, 1), f(1, 1, 2, 1)),
			[]string{"[[[[7],[2.5]]]]", "[[[[2.1],[1.1]]]]"}, "0 0 0 2.5 7 0 0 0"},
		{"places that aren't there", pools("MaxUnpooling2D", []int64{same, 2, 2, 2, 2, 0}, []model.Tensor{f(1, 2, 4, 1)}, f(1, 1, 2, 1), f(1, 1, 2, 1)),
			[]string{"[[[[7],[2.5]]]]", "[[[[-9],[1e20]]]]"}, "0 0 0 0 0 0 0 0"},
	} {
		if got := strings.Join(execute(t, tt.file, tt.args...), "|"); got != tt.want {
			t.Errorf("%s: it is %s, and should be %s", tt.name, got, tt.want)
		}
	}
	for _, tt := range []struct {
		options []int64
		want    string
	}{
		{[]int64{1, 2, 2}, "the options of MaxUnpooling2D can't be read: they are 12 bytes, and not 24"},
		{[]int64{0, 2, 2, 2, 2, 0}, "MaxUnpooling2D has no padding that is known"},
		{[]int64{1, 2, 0, 2, 2, 0}, "the sizes of the tensors of MaxUnpooling2D don't go together"},
		{[]int64{1, 2, 2, 3, 2, 0}, "the sizes of the tensors of MaxUnpooling2D don't go together"},
	} {
		if got := message(t, pools("MaxUnpooling2D", tt.options, []model.Tensor{f(1, 2, 4, 1)}, f(1, 1, 2, 1), f(1, 1, 2, 1))); !strings.Contains(got, tt.want) {
			t.Errorf("it says %q, and should say %q", got, tt.want)
		}
	}
}
