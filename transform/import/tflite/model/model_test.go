package model_test

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"

	"freehold/internal/testing/tflitegen"
	"freehold/transform/import/tflite/model"
)

// small is a model of two operators with all that tensors may have.
func small() []byte {
	weights := model.Tensor{Name: "weights", Type: model.Int8, Shape: []int64{2, 1, 1, 3}, Data: []byte{1, 2, 3, 4, 5, 6},
		Scale: []float32{0.5, 0.25}, ZeroPoint: []int64{0, 0}}
	image := model.Tensor{Name: "image", Type: model.Int8, Shape: []int64{1, 2, 2, 3}, Scale: []float32{1}, ZeroPoint: []int64{-3}}
	a := model.Tensor{Name: "a;b;c", Type: model.Int8, Shape: []int64{1, 2, 2, 2}, Scale: []float32{1}, ZeroPoint: []int64{0}}
	b := a
	b.Name = "out"
	return tflitegen.Model(tflitegen.Subgraph{Name: "main", Tensors: []model.Tensor{image, weights, a, b}, Inputs: []int32{0}, Outputs: []int32{3},
		Operators: []tflitegen.Operator{
			{Code: "CONV_2D", Inputs: []int32{0, 1, -1}, Outputs: []int32{2}, Options: []tflitegen.Option{{Field: 1, Value: int32(1)}, {Field: 2, Value: int32(1)}}},
			{Code: "RELU", Inputs: []int32{2}, Outputs: []int32{3}},
		}})
}

// What was written is read.
func TestRead(t *testing.T) {
	m, err := model.Read(small())
	if err != nil {
		t.Fatal(err)
	}
	g := m.Subgraphs[0]
	if g.Name != "main" || m.Description != "made for a test" || len(g.Tensors) != 4 || len(g.Operators) != 2 || !slices.Equal(g.Inputs, []int{0}) || !slices.Equal(g.Outputs, []int{3}) {
		t.Errorf("the model is %+v", *g)
	}
	w := g.Tensors[1]
	if w.Name != "weights" || w.Type != model.Int8 || !slices.Equal(w.Shape, []int64{2, 1, 1, 3}) || string(w.Data) != "\x01\x02\x03\x04\x05\x06" ||
		!slices.Equal(w.Scale, []float32{0.5, 0.25}) || !slices.Equal(w.ZeroPoint, []int64{0, 0}) {
		t.Errorf("the weights are %+v", *w)
	}
	o := g.Operators[0]
	if o.Code.String() != "CONV_2D" || !slices.Equal(o.Inputs, []int{0, 1, -1}) || o.Options.Int(1) != 1 || o.Options.IntOr(4, 1) != 1 || o.Options.Int(4) != 0 {
		t.Errorf("the operator is %+v", *o)
	}
}

// No file that is cut off, or in which a byte is another one, makes the reader fail in any way but with an error.
func TestDamaged(t *testing.T) {
	file := small()
	if _, err := model.Read(file[:len(file)-1]); err == nil {
		t.Log("the last byte isn't needed")
	}
	for n := range file {
		model.Read(file[:n])
		for _, x := range []byte{0, 1, 0x7f, 0x80, 0xff} {
			damaged := slices.Clone(file)
			damaged[n] = x
			if m, err := model.Read(damaged); err == nil {
				m.PlanArena()
				model.Listing(damaged)
			}
		}
	}
}

// Every complaint about a file.
func TestReadErrors(t *testing.T) {
	x := func(change func(t *model.Tensor)) []byte {
		tensor := model.Tensor{Name: "x", Type: model.Float32, Shape: []int64{2}}
		change(&tensor)
		return tflitegen.Model(tflitegen.Subgraph{Tensors: []model.Tensor{tensor}})
	}
	version := small()
	binary.LittleEndian.PutUint32(version[rootField(version, 0):], 9)
	for _, tt := range []struct {
		file []byte
		want string
	}{
		{[]byte("TFL3TFL2"), "it doesn't begin with the identifier TFL3"},
		{[]byte("\x00\x00\x00\x00TFL3"), "the offset at byte 0 leads nowhere"},
		{[]byte("\x09\x00\x00\x00TFL3"), "the file ends before what byte 9 refers to"},
		{[]byte("\x08\x00\x00\x00TFL3\x04\x00\x00\x00\x08\x00\x08\x00"), "the description of the table at byte 8 ends behind the file"},
		{[]byte("\x08\x00\x00\x00TFL3\x40\x00\x00\x00"), "the table at byte 8 has no description"},
		{version, "its schema has version 9, and only 3 is known"},
		{tflitegen.Model(), "it has no subgraph"},
		{x(func(t *model.Tensor) { t.Shape = []int64{-2} }), `tensor "x" has a size of -2`},
		{x(func(t *model.Tensor) { t.Shape = []int64{1 << 30, 2, 2} }), `tensor "x" has more than 2147483647 elements`},
		{x(func(t *model.Tensor) { t.Shape = make([]int64, 17) }), `tensor "x" has 17 dimensions, more than 16`},
		{x(func(t *model.Tensor) { t.Data = []byte{1, 2} }), `the contents of tensor "x" have 2 bytes, and its type needs 8`},
		{x(func(t *model.Tensor) { t.Scale, t.ZeroPoint = []float32{1, 2, 3}, []int64{1, 2, 3} }), `tensor "x" has 3 scales along dimension 0, which it has not`},
		{x(func(t *model.Tensor) { t.Scale, t.ZeroPoint = []float32{1}, []int64{1, 2} }), `tensor "x" has 1 scales and 2 zero points`},
		{tflitegen.Model(tflitegen.Subgraph{Name: "g", Inputs: []int32{1}}), `an input of subgraph "g" is tensor 1, of 0`},
		{tflitegen.Model(tflitegen.Subgraph{Name: "g", Outputs: []int32{-1}}), `an output of subgraph "g" is tensor -1, of 0`},
		{tflitegen.Model(tflitegen.Subgraph{Name: "g", Operators: []tflitegen.Operator{{Code: "ADD", Inputs: []int32{-2}}}}), `an input of an operator of subgraph "g" is tensor -2, of 0`},
		{shared(), "tables are referred to more often than there is room for them in the file"},
	} {
		if _, err := model.Read(tt.file); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("the error is %v, and should be %s", err, tt.want)
		}
	}
}

// shared is a file of some thousand bytes in which many subgraphs are one table with many tensors that are one table.
func shared() []byte {
	const n = 400
	file := tflitegen.Model(tflitegen.Subgraph{Name: "sharedgraph", Tensors: make([]model.Tensor, n)})
	return multiply(file, n)
}

// rootField returns where a field of the root table is.
func rootField(file []byte, n uint32) uint32 {
	root := binary.LittleEndian.Uint32(file)
	vtable := root - binary.LittleEndian.Uint32(file[root:])
	return root + uint32(binary.LittleEndian.Uint16(file[vtable+4+2*n:]))
}

// multiply makes the list of subgraphs of a file, which has one, longer: a list of n offsets to one table stands at the end of the file,
// and behind it, since offsets lead forwards, a copy of the table.
func multiply(file []byte, n int) []byte {
	field := rootField(file, 2)
	list := field + binary.LittleEndian.Uint32(file[field:])
	graph := list + 4 + binary.LittleEndian.Uint32(file[list+4:])
	out := slices.Clone(file)
	for len(out)%4 != 0 {
		out = append(out, 0)
	}
	start := uint32(len(out))
	binary.LittleEndian.PutUint32(out[field:], start-field)
	out = binary.LittleEndian.AppendUint32(out, uint32(n))
	behind := start + 4 + 4*uint32(n)
	// The rest of the file from the subgraph on is copied: what it refers to lies behind it, and its description before it.
	for i := range uint32(n) {
		out = binary.LittleEndian.AppendUint32(out, behind-(start+4+4*i))
	}
	tail := slices.Clone(file[graph:])
	description := graph - binary.LittleEndian.Uint32(file[graph:])
	binary.LittleEndian.PutUint32(tail, behind-description)
	return append(out, tail...)
}

// The greedy plan of three tensors in a chain: the last one takes the place of the first one.
func TestPlanArena(t *testing.T) {
	tensor := func(n int64) model.Tensor {
		return model.Tensor{Name: fmt.Sprint(n), Type: model.Int8, Shape: []int64{n}}
	}
	state := tensor(20)
	state.Variable = true
	m, err := model.Read(tflitegen.Model(tflitegen.Subgraph{Name: "main", Tensors: []model.Tensor{tensor(100), tensor(50), tensor(90), state}, Inputs: []int32{0}, Outputs: []int32{2},
		Operators: []tflitegen.Operator{{Code: "RELU", Inputs: []int32{0}, Outputs: []int32{1}}, {Code: "RELU", Inputs: []int32{1}, Outputs: []int32{2}}}}))
	if err != nil {
		t.Fatal(err)
	}
	a := m.PlanArena()
	var offsets []int64
	for _, p := range a.Tensors {
		offsets = append(offsets, p.Offset)
	}
	if a.Size != 176 || a.Variables != 32 || !slices.Equal(offsets, []int64{0, 112, 0}) {
		t.Errorf("%d bytes, %d of variables, offsets %v", a.Size, a.Variables, offsets)
	}
	if peak := a.AtPeak(); len(peak) != 2 || peak[0].Tensor != 0 || peak[1].Tensor != 1 {
		t.Errorf("at the peak there are %v", peak)
	}
}

// A subgraph that is called twice is planned for the second call, as are those that it calls; one that calls itself has an end. How often
// all are called in the end makes no difference for the time that it takes.
func TestPlanArenaOfCalls(t *testing.T) {
	const depth = 64
	byte8 := model.Tensor{Name: "x", Type: model.Int8, Shape: []int64{8}}
	calling := func(callee int) tflitegen.Operator {
		return tflitegen.Operator{Code: "IF", Inputs: []int32{0, 0}, Outputs: []int32{1}, Options: []tflitegen.Option{{Field: 0, Value: int32(callee)}, {Field: 1, Value: int32(callee)}}}
	}
	var graphs []tflitegen.Subgraph
	for i := range depth {
		graphs = append(graphs, tflitegen.Subgraph{Name: "g", Tensors: []model.Tensor{byte8, byte8}, Inputs: []int32{0}, Outputs: []int32{1}, Operators: []tflitegen.Operator{calling((i + 1) % depth)}})
	}
	m, err := model.Read(tflitegen.Model(graphs...))
	if err != nil {
		t.Fatal(err)
	}
	if a := m.PlanArena(); a.Size != 2*16*depth {
		t.Errorf("%d subgraphs that call each other need %d bytes", depth, a.Size)
	}
	graphs = graphs[:2]
	graphs[1].Operators = []tflitegen.Operator{{Code: "RELU", Inputs: []int32{0}, Outputs: []int32{1}}}
	if m, err = model.Read(tflitegen.Model(graphs...)); err != nil {
		t.Fatal(err)
	}
	var times []int
	for _, p := range m.PlanArena().Tensors {
		times = append(times, p.First, p.Last)
	}
	// The operator is time 1, its first call, of which nothing stays, 2, and its second one 3 and 4.
	if want := []int{0, 4, 1, 4, 3, 4, 4, 4}; !slices.Equal(times, want) {
		t.Errorf("the times are %v, and should be %v", times, want)
	}
}

// More tensors than any device has are not planned, which would take quadratic time.
func TestPlanArenaOfMany(t *testing.T) {
	many := make([]model.Tensor, model.MaxPlanned+1)
	for i := range many {
		many[i] = model.Tensor{Type: model.Int8, Shape: []int64{1}}
	}
	m, err := model.Read(tflitegen.Model(tflitegen.Subgraph{Name: "main", Tensors: many}))
	if err != nil {
		t.Fatal(err)
	}
	if a := m.PlanArena(); a != nil {
		t.Errorf("%d tensors need %d bytes", len(many), a.Size)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(small())
	f.Add(shared())
	f.Fuzz(func(t *testing.T, file []byte) {
		m, err := model.Read(file)
		if err != nil {
			return
		}
		listed := 0
		for _, g := range m.Subgraphs {
			listed += len(g.Tensors)
		}
		a := m.PlanArena()
		if a == nil {
			return
		}
		if len(a.Tensors) > listed {
			t.Errorf("of %d tensors, %d are placed", listed, len(a.Tensors))
		}
		for i, x := range a.Tensors {
			for _, y := range a.Tensors[:i] {
				if x.First <= y.Last && y.First <= x.Last && x.Offset < y.Offset+y.Size && y.Offset < x.Offset+x.Size {
					t.Fatalf("%v and %v share bytes", x, y)
				}
			}
			if x.Offset+x.Size > a.Size {
				t.Fatalf("%v is beyond %d bytes", x, a.Size)
			}
		}
		a.AtPeak()
		model.Listing(file)
	})
}

func ExampleListing() {
	fmt.Printf("%s", model.Listing(small()))
	// Output:
	// a INT8[1x2x2x2] = CONV_2D(image INT8[1x2x2x3], weights INT8[2x1x1x3], -)
	// out INT8[1x2x2x2] = RELU(a INT8[1x2x2x2])
}
