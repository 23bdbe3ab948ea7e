package irgen

import (
	"slices"
	"testing"
)

// Operations are left out whose positions are bits, of which true is -1: they are undefined on nearly all tensors. Others that take
// positions stay.
func TestAlgebraForms(t *testing.T) {
	positions := 0
	for _, forms := range algebraForms() {
		for _, f := range forms {
			if f.op.String() != "tensor.gather" {
				continue
			}
			positions++
			if f.in[1] == "tensor<4x4xi1>" {
				t.Errorf("%s is undefined on all values", f.text(slices.Repeat([]string{"%x"}, len(f.in))))
			}
		}
	}
	if positions == 0 {
		t.Error("there is no tensor.gather")
	}
}
