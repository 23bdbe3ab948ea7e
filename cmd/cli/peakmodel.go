package cli

import (
	"context"
	"fmt"
	"io"

	"freehold/compile"
	"freehold/memory/footprint"
	"freehold/memory/plan"
	"freehold/pass"
	"freehold/transform/import/tflite/model"
)

// modelMemory is what peak says of a model of TensorFlow Lite beside the peak of its function.
type modelMemory struct {
	model *model.Model
	// arena is how many bytes one arena needs for all buffers of the compiled function.
	arena int64
	// micro is what TensorFlow Lite Micro's planner makes of the tensors; nil if there are too many.
	micro *model.Arena
}

// microAlignment is the alignment of buffers in an arena that is compared with that of TensorFlow Lite Micro.
const microAlignment = 16

// arenaTries is how many placings peak tries to find the smallest arena.
const arenaTries = 1 << 20

// compileModel compiles the program of a model without an arena, so that each buffer is seen.
func compileModel(in *input) error {
	m, err := in.session.Passes.ParsePipeline(compile.Options{Arena: compile.NoArena}.Pipeline())
	if err != nil {
		return err
	}
	r := &pass.Runner{LLVM: in.session.LLVM, Sink: in.Report}
	if r.Run(m, in.module) != nil {
		return exitStatus(1)
	}
	return nil
}

// newModelMemory finds out how large an arena has to be for a function of a model.
func newModelMemory(in *input, f *footprint.Function) (*modelMemory, error) {
	m, err := model.Read(in.src)
	if err != nil {
		return nil, err
	}
	p := &plan.Problem{}
	for _, row := range f.Rows() {
		b := plan.Buffer{Size: row.Size.Bytes, Alignment: microAlignment}
		for _, s := range row.Spans {
			b.Live = append(b.Live, plan.Interval{Lower: s.Lower, Upper: s.Upper})
		}
		p.Buffers = append(p.Buffers, b)
	}
	found, err := plan.Solve(context.Background(), p, plan.Options{NodeLimit: arenaTries})
	if err != nil {
		return nil, err
	}
	return &modelMemory{m, found.Peak, m.PlanArena()}, nil
}

// print says how large the arena has to be, and what TensorFlow Lite Micro's planner makes of the tensors.
func (m *modelMemory) print(w io.Writer, f *footprint.Function, rows int) {
	fmt.Fprintf(w, "%-10s %d bytes for all buffers, and %s for arguments\n", "arena", m.arena, f.Arguments)
	if m.micro == nil {
		fmt.Fprintf(w, "\nTensorFlow Lite Micro's planner\n%-10s not computed, for more than %d tensors\n", "arena", model.MaxPlanned)
		return
	}
	if m.micro.Variables > 0 {
		fmt.Fprintf(w, "%-10s %d bytes, which are kept between executions\n", "variables", m.micro.Variables)
	}
	fmt.Fprintf(w, "\nTensorFlow Lite Micro's planner\n%-10s %d bytes for tensors, arguments among them\n", "arena", m.micro.Size)
	if m.micro.Variables > 0 {
		fmt.Fprintf(w, "%-10s %d bytes\n", "variables", m.micro.Variables)
	}
	items := m.micro.AtPeak()
	shown := items
	if rows > 0 && len(items) > rows {
		shown = items[:rows]
	}
	fmt.Fprintf(w, "%10s %6s  %s\n", "bytes", "offset", "what")
	for _, t := range shown {
		fmt.Fprintf(w, "%10d %6d  %s\n", t.Size, t.Offset, m.model.Subgraphs[t.Subgraph].ShortName(t.Tensor))
	}
	if more := len(items) - len(shown); more > 0 {
		fmt.Fprintf(w, "%10s %6s  %d more\n", "", "", more)
	}
}

// The types of the JSON report on a model.
type (
	jsonModel struct {
		Arena int64      `json:"arena"`
		Micro *jsonMicro `json:"tensorflowLiteMicro,omitempty"`
	}
	jsonMicro struct {
		Arena     int64        `json:"arena"`
		Variables int64        `json:"variables"`
		Tensors   []jsonPlaced `json:"tensors"`
	}
	jsonPlaced struct {
		Name   string `json:"name"`
		Bytes  int64  `json:"bytes"`
		Offset int64  `json:"offset"`
		First  int    `json:"first"`
		Last   int    `json:"last"`
	}
)

func (m *modelMemory) json() *jsonModel {
	if m == nil {
		return nil
	}
	out := &jsonModel{Arena: m.arena}
	if m.micro == nil {
		return out
	}
	out.Micro = &jsonMicro{m.micro.Size, m.micro.Variables, []jsonPlaced{}}
	for _, t := range m.micro.Tensors {
		out.Micro.Tensors = append(out.Micro.Tensors, jsonPlaced{m.model.Subgraphs[t.Subgraph].Tensors[t.Tensor].Name, t.Size, t.Offset, t.First, t.Last})
	}
	return out
}
