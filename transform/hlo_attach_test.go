package transform_test

import (
	"strings"
	"testing"

	"freehold/dialect"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/pass"
	"freehold/transform"
	"freehold/transform/deallocate/hlo"
)

// Passes whose family attaches models to operations of others don't run where it hasn't: the program would become another one.
func TestPassesNeedTheirModels(t *testing.T) {
	const program = `func.func @f(%c: i1) {
  %a = memref.alloc() : memref<4xf32>
  scf.if %c {
    memref.dealloc %a : memref<4xf32>
  }
  return
}
`
	for _, attached := range []bool{false, true} {
		c := ir.NewContext(dialect.All()...)
		if attached {
			transform.Attach(c)
		}
		var passes pass.Registry
		transform.Register(&passes)
		for _, p := range passes.Passes() {
			if strings.HasPrefix(p.Name, "hlo-") && p.Needs != nil && (p.Needs(c) == nil) != attached {
				t.Errorf("%s, attached %v: %v", p.Name, attached, p.Needs(c))
			}
		}
		module, err := asm.Parse(c, []byte(program), "f.mlir", asm.ParseOptions{})
		if err != nil {
			t.Fatal(err)
		}
		const want = "the models of package transform/deallocate/hlo are not attached to the context: call transform.Attach"
		m, err := passes.ParsePipeline("builtin.module(hlo-deallocation-pipeline)")
		if err != nil {
			t.Fatal(err)
		}
		before := string(asm.Print(module, asm.PrintOptions{}))
		err = (&pass.Runner{}).Run(m, module)
		if !attached && (err == nil || !strings.Contains(err.Error(), want) || string(asm.Print(module, asm.PrintOptions{})) != before) {
			t.Errorf("the pipeline: %v", err)
		}
		if err != nil && attached && strings.Contains(err.Error(), want) {
			t.Errorf("the pipeline, attached: %v", err)
		}
		if err := hlo.Deallocate(module, hlo.DeallocateOptions{}); !attached && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("Deallocate: %v", err)
		}
	}
}
