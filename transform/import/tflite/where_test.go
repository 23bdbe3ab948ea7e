package tflite_test

import (
	"strings"
	"testing"

	"freehold/internal/testing/tflitegen"
	"freehold/transform/import/tflite/model"
)

// How many rows there are depends on the arguments; the sizes in the file don't matter.
func TestUnknownRows(t *testing.T) {
	f := func(shape ...int64) model.Tensor { return tensor(model.Float32, shape...) }
	truth := func(shape ...int64) model.Tensor { return tensor(model.Bool, shape...) }
	i64 := func(shape ...int64) model.Tensor { return tensor(model.Int64, shape...) }
	i32 := func(shape ...int64) model.Tensor { return tensor(model.Int32, shape...) }
	for _, tt := range []struct {
		code string
		in   model.Tensor
		out  []model.Tensor
		arg  string
		want string
	}{
		{"WHERE", truth(2, 3), []model.Tensor{i64(1, 2)}, "[[true,false,true],[false,false,true]]", "0 0 0 2 1 2"},
		{"WHERE", truth(2, 3), []model.Tensor{i64(1, 2)}, "[[false,false,false],[false,false,false]]", ""},
		{"WHERE", f(3), []model.Tensor{i64()}, "[0.5,0,-0.0]", "0"},
		{"UNIQUE", i32(5), []model.Tensor{i32(1), i32(5)}, "[7,3,7,9,3]", "7 3 9|0 1 0 2 1"},
		{"UNIQUE", f(2), []model.Tensor{f(), i64(2)}, "[1,1]", "1|0 0"},
	} {
		if got := strings.Join(execute(t, operator(tt.code, nil, tt.out, tt.in), tt.arg), "|"); got != tt.want {
			t.Errorf("%s of %s is %s, and should be %s", tt.code, tt.arg, got, tt.want)
		}
	}
	// What is more than a limit, and the rows that it is of.
	chosen := func(code string) []byte {
		g := tflitegen.Subgraph{Name: "main", Inputs: []int32{0}, Outputs: []int32{6}, Tensors: []model.Tensor{f(3, 2), constant(f(1), floats(2)), truth(3, 2), i64(1, 2), i32(1, 2), i32(1, 2), f(1)}}
		g.Operators = []tflitegen.Operator{{Code: "GREATER", Inputs: []int32{0, 1}, Outputs: []int32{2}}, {Code: "WHERE", Inputs: []int32{2}, Outputs: []int32{3}},
			{Code: "CAST", Inputs: []int32{3}, Outputs: []int32{4}}, {Code: code, Inputs: []int32{0, 4}, Outputs: []int32{6}}}
		return tflitegen.Model(g)
	}
	for _, tt := range []struct{ code, want string }{{"GATHER_ND", "3 5 4"}, {"GATHER", "0 3 5 4 5 4 0 3 5 4 5 4"}} {
		if got := execute(t, chosen(tt.code), "[[0,3],[5,4],[1,-1]]")[0]; got != tt.want {
			t.Errorf("%s is %s, and should be %s", tt.code, got, tt.want)
		}
	}
	if got, want := message(t, chosen("NEG")), "NEG has 2 inputs and 1 outputs"; got != want {
		t.Errorf("it says %q", got)
	}
	if got, want := message(t, chosen("ADD")), "ADD of rows whose number is known only at run time isn't supported"; got != want {
		t.Errorf("it says %q", got)
	}
}
