package pass_test

import (
	"testing"

	"freehold/ir"
	"freehold/pass"
)

// The verifier runs after passes that may have changed something.
func TestUnchanged(t *testing.T) {
	spoil := func(unchanged bool) *pass.Pass {
		return simple(pass.Info{Name: "spoil"}, func(c *pass.Context, op *ir.Op) error {
			op.BodyBlock(0).First().SetAttr(ir.SymbolNameAttr, nil)
			if unchanged {
				c.Unchanged()
			}
			return nil
		})
	}
	for _, unchanged := range []bool{false, true} {
		m := pass.NewManager("builtin.module")
		m.Add(spoil(unchanged).Instance())
		err := (&pass.Runner{VerifyEach: true}).Run(m, program(1))
		if (err != nil) == unchanged {
			t.Errorf("unchanged = %v: error %v", unchanged, err)
		}
	}
}
