package footprint

import (
	"fmt"
	"strings"

	"freehold/ir"
)

// Shapes compares the sizes of tensors and buffers of a function.
type Shapes struct{ symbols *symbols }

// NewShapes returns a comparison of sizes.
func NewShapes() *Shapes { return &Shapes{newSymbols()} }

// Of returns what tells the sizes of a tensor or buffer: where it is the same for two, they have the same sizes whenever both exist. It takes time linear in the steps to what
// they were made with.
func (s *Shapes) Of(v *ir.Value) string {
	shape, ranked := ir.ShapeOf(v.Type())
	if !ranked {
		return fmt.Sprintf("%p", v)
	}
	var out strings.Builder
	for i := range shape {
		if f := s.symbols.atom(SourceOfDim(v, i)); f.name != "" {
			fmt.Fprintf(&out, "%s,", f.name)
		} else {
			fmt.Fprintf(&out, "%d,", f.number)
		}
	}
	return out.String()
}
