package tflite_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"freehold/compile"
	"freehold/driver"
	"freehold/exec/interp"
	"freehold/internal/testing/tflitegen"
	"freehold/ir"
	"freehold/transform/import/tflite/model"
)

// execute reads a model and executes its first function, as it is and compiled, and returns the results. Both have to
// be the same, and right in what they do with memory.
func execute(t *testing.T, file []byte, args ...string) []string {
	t.Helper()
	p, err := driver.Freehold().NewSession().Parse(file, "model.tflite")
	if err != nil {
		t.Fatal(err)
	}
	before := run(t, p, args)
	if err := p.Run((compile.Options{}).Pipeline()); err != nil {
		t.Fatal(err)
	}
	after := run(t, p, args)
	if fmt.Sprint(before) != fmt.Sprint(after) {
		t.Errorf("compiled, it computes %s, and before %s", after, before)
	}
	return before
}

func run(t *testing.T, p *driver.Program, args []string) []string {
	t.Helper()
	fn, err := interp.Entry(p.Module, "main")
	if err != nil {
		t.Fatal(err)
	}
	values, err := interp.Texts{Values: args}.Arguments(fn)
	if err != nil {
		t.Fatal(err)
	}
	res, err := interp.Run(p.Module, fn, values, interp.Options{Resources: interp.Resources(p.Document), TakeArguments: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range res.Findings {
		t.Errorf("%v", f)
	}
	return texts(res.Values)
}

// texts are the elements of values. Long values are not shortened.
func texts(values []interp.Value) []string {
	var out []string
	for _, v := range values {
		var w strings.Builder
		for i := range v.Tensor.Elements() {
			if i > 0 {
				w.WriteByte(' ')
			}
			w.WriteString(interp.ElementText(v.Tensor, i))
		}
		out = append(out, w.String())
	}
	return out
}

// int8s is the contents of a constant.
func int8s(list ...int64) []byte {
	out := make([]byte, len(list))
	for i, n := range list {
		out[i] = byte(n)
	}
	return out
}

func int32s(list ...int64) (out []byte) {
	for _, n := range list {
		out = binary.LittleEndian.AppendUint32(out, uint32(n))
	}
	return out
}

func int64s(list ...int64) (out []byte) {
	for _, n := range list {
		out = binary.LittleEndian.AppendUint64(out, uint64(n))
	}
	return out
}

func floats(list ...float32) (out []byte) {
	for _, x := range list {
		out = binary.LittleEndian.AppendUint32(out, math.Float32bits(x))
	}
	return out
}

// tensor is a tensor that is computed.
func tensor(t model.Type, shape ...int64) model.Tensor { return model.Tensor{Type: t, Shape: shape} }

// with gives a tensor a scale and a zero point.
func with(t model.Tensor, scale float32, zero int64) model.Tensor {
	t.Scale, t.ZeroPoint = []float32{scale}, []int64{zero}
	return t
}

// constant gives a tensor contents.
func constant(t model.Tensor, data []byte) model.Tensor {
	t.Data = data
	return t
}

// single is a model of one operator: inputs without contents are arguments, and there is one output.
func single(code string, options []tflitegen.Option, output model.Tensor, inputs ...model.Tensor) []byte {
	g := tflitegen.Subgraph{Name: "main", Tensors: append(inputs, output), Outputs: []int32{int32(len(inputs))}}
	o := tflitegen.Operator{Code: code, Outputs: g.Outputs, Options: options}
	for i := range g.Tensors {
		if g.Tensors[i].Name == "" {
			g.Tensors[i].Name = fmt.Sprintf("t%d", i)
		}
	}
	for i := range inputs {
		o.Inputs = append(o.Inputs, int32(i))
		if inputs[i].Data == nil {
			g.Inputs = append(g.Inputs, int32(i))
		}
	}
	g.Operators = []tflitegen.Operator{o}
	return tflitegen.Model(g)
}

// message returns the error of a model that is refused.
func message(t *testing.T, file []byte) string {
	t.Helper()
	_, err := driver.Freehold().NewSession().Parse(file, "model.tflite")
	var ds ir.Diagnostics
	if !errors.As(err, &ds) {
		t.Fatalf("the error is %v", err)
	}
	return ds[0].Message
}
