package report_test

import (
	"strings"
	"testing"

	"freehold/driver"
	"freehold/internal/testing/tflitegen"
	"freehold/tool/explain"
	"freehold/tool/report"
	"freehold/transform/import/tflite/model"
)

// A model that is no text has operators and names of tensors, and no lines.
func TestModelIsNoText(t *testing.T) {
	tensor := func(name string) model.Tensor { return model.Tensor{Name: name, Shape: []int64{1, 64}} }
	data := tflitegen.Model(tflitegen.Subgraph{
		Name: "main", Tensors: []model.Tensor{tensor("in"), tensor("layer/Relu;layer/Bias"), tensor("out")}, Inputs: []int32{0}, Outputs: []int32{2},
		Operators: []tflitegen.Operator{{Code: "RELU", Inputs: []int32{0}, Outputs: []int32{1}}, {Code: "EXP", Inputs: []int32{1}, Outputs: []int32{2}}},
	})
	m, err := driver.Freehold().NewSession().Parse(data, "net.tflite")
	if err != nil {
		t.Fatal(err)
	}
	p := report.New("net.tflite", func(string) []byte { return driver.SourceText(data) })
	f := p.Add("as it is", m.Module).Functions[0]
	if got := p.Answer(); !strings.Contains(got, " at operator 2: ") || !strings.HasSuffix(got, " is layer/Relu, the result of RELU.") {
		t.Error(got)
	}
	if name := p.Strings[f.Always[0].Name]; name != "in" {
		t.Errorf("the argument is called %q", name)
	}
}

// Lines are read as programs are written: with names or without, in the generic form, cut where they are long.
func TestWhatALineDefines(t *testing.T) {
	src := `func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %plain = math.exp %x : tensor<4xf32>
  %generic = "math.exp"(%plain) : (tensor<4xf32>) -> tensor<4xf32>
  %two, %other = scf.execute_region -> (tensor<4xf32>, tensor<4xf32>) {
    scf.yield %x, %generic : tensor<4xf32>, tensor<4xf32>
  }
  %called = call @f(%other) : (tensor<4xf32>) -> tensor<4xf32>
  return %called : tensor<4xf32>
}`
	m, err := driver.Freehold().NewSession().Parse([]byte(src), "program.mlir")
	if err != nil {
		t.Fatal(err)
	}
	p := report.New("program.mlir", func(string) []byte { return []byte(src) })
	p.Add("as it is", m.Module)
	want := map[uint32]string{2: "%plain math.exp", 3: "%generic math.exp", 4: "%two scf.execute_region", 7: "%called "}
	for _, x := range p.Places[1:] {
		if got := p.Strings[x.Name] + " " + p.Strings[x.Op]; want[x.Line] != "" && got != want[x.Line] {
			t.Errorf("line %d defines %q, not %q", x.Line, got, want[x.Line])
		}
		if x.String() == "" || strings.HasPrefix(x.String(), "operator") {
			t.Errorf("line %d is called %q", x.Line, x)
		}
		delete(want, x.Line)
	}
	if len(want) > 0 {
		t.Errorf("there are no places for %v", want)
	}
}

// Causes of a model's buffers are named by its operators, and what isn't in the model isn't pointed at.
func TestCausesOfAModelAreOperators(t *testing.T) {
	tensor := func(name string) model.Tensor { return model.Tensor{Name: name, Shape: []int64{1, 64}} }
	data := tflitegen.Model(tflitegen.Subgraph{
		Name: "main", Tensors: []model.Tensor{tensor("in"), tensor("out")}, Inputs: []int32{0}, Outputs: []int32{1},
		Operators: []tflitegen.Operator{{Code: "EXP", Inputs: []int32{0}, Outputs: []int32{1}}},
	})
	session := driver.Freehold().NewSession()
	m, err := session.Parse(data, "net.tflite")
	if err != nil {
		t.Fatal(err)
	}
	source := func(string) []byte { return driver.SourceText(data) }
	e, err := (&explain.Compilation{Registry: session.Passes, Source: source}).Explain(m.Module)
	if err != nil {
		t.Fatal(err)
	}
	if len(e.Items) != 1 || e.Items[0].Title != "EXP makes what the function returns: callers get a buffer of their own" {
		t.Errorf("%+v", e.Items)
	}
}
