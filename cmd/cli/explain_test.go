package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"freehold/driver"
	"freehold/internal/testing/tflitegen"
	"freehold/transform/import/tflite/model"
)

// A model of TensorFlow Lite has operators and no lines, in what explain and peak say, and its function has no place in it.
func TestPlacesOfModel(t *testing.T) {
	tensor := func(name string, columns int64) model.Tensor {
		return model.Tensor{Name: name, Shape: []int64{1, columns}}
	}
	constant := func(name string, columns int64) model.Tensor {
		w := tensor(name, columns)
		w.Shape[0], w.Data = 8, make([]byte, 4*8*columns)
		return w
	}
	data := tflitegen.Model(tflitegen.Subgraph{
		Name: "main", Tensors: []model.Tensor{tensor("in", 8), constant("w1", 8), tensor("one", 8), constant("w2", 8), tensor("two", 8), constant("w3", 8), tensor("out", 8)},
		Inputs: []int32{0}, Outputs: []int32{6},
		Operators: []tflitegen.Operator{
			{Code: "FULLY_CONNECTED", Inputs: []int32{0, 1}, Outputs: []int32{2}},
			{Code: "FULLY_CONNECTED", Inputs: []int32{2, 3}, Outputs: []int32{4}},
			{Code: "FULLY_CONNECTED", Inputs: []int32{4, 5}, Outputs: []int32{6}},
		},
	})
	path := filepath.Join(t.TempDir(), "net.tflite")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	if status := Main(driver.Freehold(), []string{"freehold", "explain", "--no-try", path}, driver.Streams{In: strings.NewReader(""), Out: &out, Err: &errs}); status != 0 {
		t.Fatalf("status %d: %s", status, errs.String())
	}
	explained := out.String()
	out.Reset()
	if status := Main(driver.Freehold(), []string{"freehold", "peak", path}, driver.Streams{In: strings.NewReader(""), Out: &out, Err: &errs}); status != 0 {
		t.Fatalf("status %d: %s", status, errs.String())
	}
	if peak := out.String(); !strings.Contains(peak, "64 B, at operator 2\n") || !strings.Contains(peak, "   op  what\n") || strings.Contains(peak, "line") {
		t.Errorf("the peak is\n%s", peak)
	}
	for _, want := range []string{"net.tflite:1:1: remark: ", ": FULLY_CONNECTED makes a new tensor", "1 more like this, all together 64 B: operator 2\n"} {
		if !strings.Contains(explained, want) {
			t.Errorf("there is no %q in\n%s", want, explained)
		}
	}
	for _, never := range []string{"<unknown>", "tensor.empty", "linalg."} {
		if strings.Contains(explained, never) {
			t.Errorf("there is %q in\n%s", never, explained)
		}
	}
}
