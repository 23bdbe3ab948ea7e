package tflite_test

import (
	"fmt"
	"testing"

	"freehold/driver"
	"freehold/exec/interp"
	"freehold/internal/testing/tflitegen"
	"freehold/transform/import/tflite/model"
)

// A branch and a loop call other subgraphs.
func TestControlFlow(t *testing.T) {
	number, truth := tensor(model.Int32, 1), tensor(model.Bool, 1)
	limit := constant(tensor(model.Int32, 1), int32s(100))
	double := tflitegen.Subgraph{Name: "double", Tensors: []model.Tensor{number, number}, Inputs: []int32{0}, Outputs: []int32{1},
		Operators: []tflitegen.Operator{{Code: "ADD", Inputs: []int32{0, 0}, Outputs: []int32{1}}}}
	negate := tflitegen.Subgraph{Name: "negate", Tensors: []model.Tensor{number, number}, Inputs: []int32{0}, Outputs: []int32{1},
		Operators: []tflitegen.Operator{{Code: "NEG", Inputs: []int32{0}, Outputs: []int32{1}}}}
	small := tflitegen.Subgraph{Name: "small", Tensors: []model.Tensor{number, limit, truth}, Inputs: []int32{0}, Outputs: []int32{2},
		Operators: []tflitegen.Operator{{Code: "LESS", Inputs: []int32{0, 1}, Outputs: []int32{2}}}}
	main := tflitegen.Subgraph{Name: "main", Tensors: []model.Tensor{truth, number, number, number}, Inputs: []int32{0, 1}, Outputs: []int32{3},
		Operators: []tflitegen.Operator{
			{Code: "IF", Inputs: []int32{0, 1}, Outputs: []int32{2}, Options: []tflitegen.Option{{Field: 0, Value: int32(1)}, {Field: 1, Value: int32(2)}}},
			{Code: "WHILE", Inputs: []int32{2}, Outputs: []int32{3}, Options: []tflitegen.Option{{Field: 0, Value: int32(3)}, {Field: 1, Value: int32(1)}}},
		}}
	file := tflitegen.Model(main, double, negate, small)
	for _, tt := range []struct{ cond, x, want string }{{"[true]", "[3]", "192"}, {"[false]", "[-7]", "112"}, {"[false]", "[-200]", "200"}} {
		if got := execute(t, file, tt.cond, tt.x); got[0] != tt.want {
			t.Errorf("of %s and %s it makes %s, not %s", tt.cond, tt.x, got[0], tt.want)
		}
	}
}

// An operation with a name is the subgraph that defines it.
func TestComposite(t *testing.T) {
	number := tensor(model.Float32, 2)
	norm := tflitegen.Subgraph{Name: "norm", Tensors: []model.Tensor{number, number, number}, Inputs: []int32{0, 1}, Outputs: []int32{2},
		Operators: []tflitegen.Operator{{Code: "MUL", Inputs: []int32{0, 1}, Outputs: []int32{2}}}}
	main := tflitegen.Subgraph{Name: "main", Tensors: []model.Tensor{number, constant(number, floats(3, 4)), number}, Inputs: []int32{0}, Outputs: []int32{2},
		Operators: []tflitegen.Operator{{Code: "STABLEHLO_COMPOSITE", Inputs: []int32{0, 1}, Outputs: []int32{2},
			Options: []tflitegen.Option{{Field: 0, Value: "odml.rms_norm"}, {Field: 1, Value: int32(1)}}}}}
	if got := execute(t, tflitegen.Model(main, norm), "[1,2]")[0]; got != "3 8" {
		t.Errorf("it is %s", got)
	}
}

// choice is a model that multiplies by 2, 3 or 5, of which branches are chosen by a number.
func choice(branches []int32) []byte {
	number := tensor(model.Int32, 1)
	by := func(n int64) tflitegen.Subgraph {
		return tflitegen.Subgraph{Name: fmt.Sprintf("by%d", n), Tensors: []model.Tensor{number, constant(number, int32s(n)), number}, Inputs: []int32{0}, Outputs: []int32{2},
			Operators: []tflitegen.Operator{{Code: "MUL", Inputs: []int32{0, 1}, Outputs: []int32{2}}}}
	}
	main := tflitegen.Subgraph{Name: "main", Tensors: []model.Tensor{tensor(model.Int32), number, number}, Inputs: []int32{0, 1}, Outputs: []int32{2},
		Operators: []tflitegen.Operator{{Code: "STABLEHLO_CASE", Inputs: []int32{0, 1}, Outputs: []int32{2}, Options: []tflitegen.Option{{Field: 0, Value: branches}}}}}
	return tflitegen.Model(main, by(2), by(3), by(5))
}

// A number chooses a subgraph, the last one if no other has it.
func TestCase(t *testing.T) {
	for branch, want := range map[string]string{"0": "14", "1": "21", "2": "35", "7": "35", "-1": "35"} {
		if got := execute(t, choice([]int32{1, 2, 3}), "dense<"+branch+">", "[7]")[0]; got != want {
			t.Errorf("of %s it is %s, and should be %s", branch, got, want)
		}
	}
	if got, want := message(t, choice([]int32{1, 7})), "STABLEHLO_CASE calls subgraph 7, of 4"; got != want {
		t.Errorf("it says %q", got)
	}
	if got, want := message(t, choice(make([]int32, 257))), "STABLEHLO_CASE of more than 256 subgraphs isn't supported"; got != want {
		t.Errorf("it says %q", got)
	}
}

// The function for the elements of a window is a subgraph's one operator. What is beside the elements is the number that windows begin with.
func TestWindowsOfSubgraph(t *testing.T) {
	number, list := tensor(model.Float32), tensor(model.Float32, 3)
	body := func(code string) tflitegen.Subgraph {
		return tflitegen.Subgraph{Name: "body", Tensors: []model.Tensor{number, number, number}, Inputs: []int32{0, 1}, Outputs: []int32{2},
			Operators: []tflitegen.Operator{{Code: code, Inputs: []int32{0, 1}, Outputs: []int32{2}}}}
	}
	// The elements are two places apart behind one, so that the windows are on 9 1 9 2 9 3, where 9 is what isn't there.
	main := tflitegen.Subgraph{Name: "main", Tensors: []model.Tensor{list, number, tensor(model.Float32, 2)}, Inputs: []int32{0, 1}, Outputs: []int32{2},
		Operators: []tflitegen.Operator{{Code: "STABLEHLO_REDUCE_WINDOW", Inputs: []int32{0, 1}, Outputs: []int32{2}, Options: []tflitegen.Option{
			{Field: 0, Value: []int64{2}}, {Field: 1, Value: []int64{3}}, {Field: 2, Value: []int64{2}}, {Field: 3, Value: []int64{2}}, {Field: 4, Value: []int64{1, 0}}, {Field: 5, Value: int32(1)}}}}}
	for code, want := range map[string]string{"ADD": "27 14", "STABLEHLO_MAXIMUM": "9 9", "STABLEHLO_MINIMUM": "9 2"} {
		if got := execute(t, tflitegen.Model(main, body(code)), "[1,2,3]", "dense<9.0>")[0]; got != want {
			t.Errorf("by %s it is %s, and should be %s", code, got, want)
		}
	}
	if got := message(t, tflitegen.Model(main, body("SUB"))); got != "STABLEHLO_REDUCE_WINDOW by SUB from FLOAT32 isn't supported" {
		t.Errorf("it says %q", got)
	}
}

// scattered is a model that scatters rows of two into three rows of three, by an operator or by none.
func scattered(code string) []byte {
	number := tensor(model.Float32)
	body := tflitegen.Subgraph{Name: "body", Tensors: []model.Tensor{number, number, number}, Inputs: []int32{0, 1}, Outputs: []int32{1}}
	if code != "" {
		body.Outputs = []int32{2}
		body.Operators = []tflitegen.Operator{{Code: code, Inputs: []int32{0, 1}, Outputs: []int32{2}}}
	}
	rows, places, updates := tensor(model.Float32, 3, 3), tensor(model.Int32, 2, 2), tensor(model.Float32, 2, 2)
	main := tflitegen.Subgraph{Name: "main", Tensors: []model.Tensor{rows, places, updates, rows}, Inputs: []int32{0, 1, 2}, Outputs: []int32{3},
		Operators: []tflitegen.Operator{{Code: "STABLEHLO_SCATTER", Inputs: []int32{0, 1, 2}, Outputs: []int32{3}, Options: []tflitegen.Option{
			{Field: 1, Value: []int64{1}}, {Field: 2, Value: []int64{0}}, {Field: 3, Value: []int64{0, 1}}, {Field: 4, Value: int64(1)}, {Field: 6, Value: int32(1)}}}}}
	return tflitegen.Model(main, body)
}

// Parts of a tensor are joined with others where they begin; what isn't within it is left out.
func TestScatter(t *testing.T) {
	for code, want := range map[string]string{"": "1 2 3 4 10 20 7 8 30", "STABLEHLO_ADD": "1 2 3 4 15 26 7 8 39", "STABLEHLO_MINIMUM": "1 2 3 4 5 6 7 8 9"} {
		if got := execute(t, scattered(code), "[[1,2,3],[4,5,6],[7,8,9]]", "[[1,1],[2,2]]", "[[10,20],[30,40]]")[0]; got != want {
			t.Errorf("by %q it is %s, and should be %s", code, got, want)
		}
	}
	if got, want := message(t, scattered("SUB")), "STABLEHLO_SCATTER by SUB from FLOAT32 isn't supported"; got != want {
		t.Errorf("it says %q", got)
	}
}

// counting is a model that adds its input to a variable, which starts with 10, and returns what it was before.
func counting() []byte {
	number, handle := tensor(model.Int32, 1), tensor(model.Resource)
	name := []tflitegen.Option{{Field: 1, Value: "counter"}}
	set := tflitegen.Subgraph{Name: "set", Tensors: []model.Tensor{handle, constant(tensor(model.Int32, 1), int32s(10))},
		Operators: []tflitegen.Operator{
			{Code: "VAR_HANDLE", Outputs: []int32{0}, Options: name},
			{Code: "ASSIGN_VARIABLE", Inputs: []int32{0, 1}},
		}}
	main := tflitegen.Subgraph{Name: "main", Tensors: []model.Tensor{number, handle, number, number}, Inputs: []int32{0}, Outputs: []int32{2},
		Operators: []tflitegen.Operator{
			{Code: "CALL_ONCE", Options: []tflitegen.Option{{Field: 0, Value: int32(1)}}},
			{Code: "VAR_HANDLE", Outputs: []int32{1}, Options: name},
			{Code: "READ_VARIABLE", Inputs: []int32{1}, Outputs: []int32{2}},
			{Code: "ADD", Inputs: []int32{0, 2}, Outputs: []int32{3}},
			{Code: "ASSIGN_VARIABLE", Inputs: []int32{1, 3}},
		}}
	return tflitegen.Model(main, set)
}

// Variables keep their contents from one execution to the next.
func TestVariables(t *testing.T) {
	if got := execute(t, counting(), "[5]"); got[0] != "10" {
		t.Errorf("it was %s before", got[0])
	}
	if got := twice(t, counting(), "[5]"); got != "15" {
		t.Errorf("it was %s before the second execution", got)
	}
}

// twice executes a model two times, in the same memory, and returns the first result of the second execution.
func twice(t *testing.T, file []byte, args ...string) string {
	t.Helper()
	_, again := both(t, file, args...)
	return again[0]
}

// both executes a model two times, in the same memory, and returns the results of both executions.
func both(t *testing.T, file []byte, args ...string) (first, again []string) {
	t.Helper()
	p, err := driver.Freehold().NewSession().Parse(file, "model.tflite")
	if err != nil {
		t.Fatal(err)
	}
	fn, err := interp.Entry(p.Module, "main")
	if err != nil {
		t.Fatal(err)
	}
	values, err := interp.Texts{Values: args}.Arguments(fn)
	if err != nil {
		t.Fatal(err)
	}
	res, err := interp.Run(p.Module, fn, values, interp.Options{Resources: interp.Resources(p.Document), Twice: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range res.Findings {
		t.Errorf("%v", f)
	}
	return texts(res.Values), texts(res.Again.Values)
}

// The memory of an SVDF moves on, of numbers and of scaled ones: two filters with two places each, of one number.
func TestSVDF(t *testing.T) {
	f := func(shape ...int64) model.Tensor { return tensor(model.Float32, shape...) }
	i8 := func(shape ...int64) model.Tensor { return with(tensor(model.Int8, shape...), 1, 0) }
	for _, tt := range []struct {
		tensors       []model.Tensor // input, features, weights, bias, memory, output
		first, second string
	}{
		{[]model.Tensor{f(1, 1), constant(f(2, 1), floats(1, 2)), constant(f(2, 2), floats(10, 1, 100, 1)), constant(f(2), floats(0.5, 0)), f(1, 4), f(1, 2)},
			"3.5 6", "33.5 606"},
		{[]model.Tensor{i8(1, 1), constant(i8(2, 1), int8s(1, 2)), constant(i8(2, 2), int8s(2, 1, 2, 1)),
			constant(with(tensor(model.Int32, 2), 1, 0), int32s(1, 0)), i8(1, 4), i8(1, 2)},
			"4 6", "10 18"},
	} {
		tt.tensors[4].Variable, tt.tensors[4].Name = true, "memory"
		file := tflitegen.Model(tflitegen.Subgraph{Name: "main", Tensors: tt.tensors, Inputs: []int32{0}, Outputs: []int32{5}, Operators: []tflitegen.Operator{
			{Code: "SVDF", Inputs: []int32{0, 1, 2, 3, 4}, Outputs: []int32{5}, Options: []tflitegen.Option{{Field: 0, Value: int32(1)}}}}})
		if got := execute(t, file, "[[3]]"); got[0] != tt.first {
			t.Errorf("the first output is %s, not %s", got[0], tt.first)
		}
		if got := twice(t, file, "[[3]]"); got != tt.second {
			t.Errorf("the second output is %s, not %s", got, tt.second)
		}
	}
}
