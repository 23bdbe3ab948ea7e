package tflitegen

import (
	"testing"

	"freehold/transform/import/tflite/model"
)

// Operators and their options are read as they were given, those of others by their names; subgraphs don't share theirs.
func TestOperators(t *testing.T) {
	data := Model(
		Subgraph{Name: "main", Operators: []Operator{
			{Code: "CUSTOM", Custom: "Mine"},
			{Code: "SOFTMAX", Options: []Option{{Field: 0, Value: float32(0.5)}}},
		}},
		Subgraph{Name: "other", Operators: []Operator{{Code: "SOFTMAX"}, {Code: "CUSTOM", Custom: "Theirs"}}},
	)
	m, err := model.Read(data)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, g := range m.Subgraphs {
		for _, o := range g.Operators {
			names = append(names, g.Name+"/"+o.Code.String()+o.Custom)
		}
	}
	want := []string{"main/CUSTOMMine", "main/SOFTMAX", "other/SOFTMAX", "other/CUSTOMTheirs"}
	if len(names) != len(want) {
		t.Fatal(names)
	}
	for i := range want {
		if names[i] != want[i] {
			t.Errorf("operator %d is %s, not %s", i, names[i], want[i])
		}
	}
	if got := m.Subgraphs[0].Operators[1].Options.Float(0); got != 0.5 {
		t.Errorf("the option is %v", got)
	}
}

// A name that the schema hasn't is a mistake in a test.
func TestUnknownOperator(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("there is an operator NONE")
		}
	}()
	Model(Subgraph{Operators: []Operator{{Code: "NONE"}}})
}
