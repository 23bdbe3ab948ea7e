package dialect_test

import (
	"strings"
	"testing"

	"freehold/dialect"
	"freehold/ir"
	"freehold/ir/asm"
)

// Numbers of elements that can't be counted, or not be written out, are errors.
func TestHugeTypes(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{`%0 = "tensor.from_elements"() : () -> tensor<9223372036854775807xf32>`, "operand types match result element type"},
		{`%0 = tensor.from_elements : tensor<9223372036854775807xf32>`, "0 operands present, but expected 9223372036854775807"},
		{`%0 = "shape.const_shape"() <{shape = dense<1> : vector<2147483647xindex>}> : () -> !shape.shape`, "has more than 1048576 extents"},
	} {
		m, err := asm.Parse(ir.NewContext(dialect.All()...), []byte(c.src), "f", asm.ParseOptions{})
		if err == nil {
			err = ir.Verify(m)
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.src, err)
		}
	}
}
