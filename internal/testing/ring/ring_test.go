package ring

import (
	"testing"

	"freehold/dialect/builtin"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/interfaces"
)

// The dialect is one that others would call sound: its operation says that it reads what it gets, and allocates what it returns.
func TestDialect(t *testing.T) {
	for _, err := range asm.CheckDialect(Dialect) {
		t.Error(err)
	}
	module, err := asm.Parse(ir.NewContext(builtin.Dialect, Dialect), []byte(`%b = "ring.turned"(%b) : (memref<4xf32>) -> memref<4xf32>`), "ring.mlir", asm.ParseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	module.Walk(func(op *ir.Op) bool {
		if op.Is(Turned) {
			found++
			if !interfaces.HasEffect(op, interfaces.Read, op.OnlyOperand()) || !interfaces.HasEffect(op, interfaces.Allocate, op.Result(0)) || interfaces.IsPure(op) {
				t.Error("it doesn't say what it does")
			}
		}
		return true
	})
	if found != 1 {
		t.Errorf("%d operations", found)
	}
}
