package models

import (
	"slices"
	"strings"
	"testing"

	"freehold/dialect"
	"freehold/ir"
	"freehold/ir/asm"
)

// Each network is a valid program with a function @main, has a name of its own, and is the same each time.
func TestModels(t *testing.T) {
	names := map[string]bool{}
	for _, m := range slices.Concat(All(), Irregular(), Wirings()) {
		if names[m.Name] {
			t.Errorf("two networks are called %s", m.Name)
		}
		names[m.Name] = true
		src := m.Source()
		if src != m.Source() {
			t.Errorf("%s: another program each time", m.Name)
		}
		module, err := asm.Parse(ir.NewContext(dialect.All()...), []byte(src), m.Name+".mlir", asm.ParseOptions{})
		if err != nil {
			t.Errorf("%s: %v", m.Name, err)
			continue
		}
		if err := ir.Verify(module); err != nil {
			t.Errorf("%s: %v", m.Name, err)
		}
		if !strings.Contains(src, "@main(") {
			t.Errorf("%s: there is no @main", m.Name)
		}
	}
}
