package vhlo_test

import (
	"os"
	"strings"
	"testing"

	"freehold/dialect"
	"freehold/dialect/builtin"
	"freehold/dialect/funcd"
	"freehold/dialect/stablehlo"
	"freehold/dialect/vhlo"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/bytecode"
)

// everything reads the module that has all operations, with all types of elements.
func everything(t *testing.T, c *ir.Context) *ir.Op {
	t.Helper()
	text, err := os.ReadFile("testdata/everything.mlir")
	if err != nil {
		t.Fatal(err)
	}
	module, err := asm.Parse(c, text, "everything.mlir", asm.ParseOptions{})
	if err == nil {
		err = ir.Verify(module)
	}
	if err != nil {
		t.Fatal(err)
	}
	return module
}

// without removes the functions of a module that a version can't store, with their errors. Those that are called stay.
func without(t *testing.T, c *ir.Context, v vhlo.Version) (*ir.Op, map[string]string) {
	t.Helper()
	module := everything(t, c)
	refused := map[string]string{}
	for f := range module.RegionAt(0).Entry().Ops() {
		name, _ := ir.SymbolName(f)
		if !f.Is(funcd.Func) || name == "part" {
			continue
		}
		b := ir.NewBuilder(c)
		alone := builtin.NewModule(b)
		b.SetEnd(alone.RegionAt(0).Entry())
		b.Clone(f, ir.NewMapping())
		if err := vhlo.FromStableHLO(alone, v); err != nil {
			refused[name] = err.Error()
		}
	}
	for f := range module.RegionAt(0).Entry().Ops() {
		if name, _ := ir.SymbolName(f); refused[name] != "" {
			f.Erase()
		}
	}
	return module, refused
}

// All operations and types are stored for the current version, and what can be stored for an older one is read from there as it was.
func TestEveryOperationOfEveryVersion(t *testing.T) {
	c := ir.NewContext(dialect.All()...)
	have := map[*ir.OpID]bool{}
	everything(t, c).Walk(func(op *ir.Op) bool {
		have[op.ID()] = true
		return true
	})
	for _, def := range stablehlo.Dialect.OpDefs() {
		if !have[def.ID] {
			t.Errorf("everything.mlir has no %s", def.ID)
		}
	}
	before := 0
	for minor := 9; minor <= 20+22; minor++ {
		v := vhlo.Version{Minor: minor}
		if minor > 20 {
			v = vhlo.Version{Major: 1, Minor: minor - 21}
		}
		module, refused := without(t, c, v)
		want := string(asm.Print(module, asm.PrintOptions{}))
		doc, err := bytecode.Read(c, artifact(t, module, v), "a.mlirbc", asm.ParseOptions{})
		if err != nil {
			t.Fatal(v, err)
		}
		if got := string(asm.Print(doc.Module, asm.PrintOptions{})); got != want {
			t.Errorf("%s: %s\nwas\n%s", v, got, want)
		}
		stored := strings.Count(want, "func.func")
		if stored < before {
			t.Errorf("%s stores %d functions, and an earlier version %d", v, stored, before)
		}
		before = stored
		if v == vhlo.Current && len(refused) > 0 {
			t.Errorf("the current version refuses %v", refused)
		}
	}
}

// What came with a version isn't stored for the one before it.
func TestSince(t *testing.T) {
	c := ir.NewContext(dialect.All()...)
	for name, first := range map[string]vhlo.Version{
		"collective_broadcast": {Minor: 16}, "reduce_wider": {Minor: 17}, "quantized_axis": {Minor: 18}, "composite": {Minor: 19},
		"gather_batched": {Major: 1, Minor: 1}, "scatter_batched": {Major: 1, Minor: 1}, "convert_ui2": {Major: 1, Minor: 2}, "custom_call": {Major: 1, Minor: 3}, "tan": {Major: 1, Minor: 4},
		"all_gather_two": {Major: 1, Minor: 5}, "dot_general_algorithm": {Major: 1, Minor: 6}, "convert_f8E3M4": {Major: 1, Minor: 7}, "convert_f8E8M0FNU": {Major: 1, Minor: 8},
		"exponential_accurate": {Major: 1, Minor: 9}, "cbrt_accurate": {Major: 1, Minor: 10}, "send_pairs": {Major: 1, Minor: 12}, "custom_call_buffer": {Major: 1, Minor: 13},
		"async_start": {Major: 1, Minor: 15},
	} {
		earlier := first
		if earlier.Minor--; earlier.Major == 1 && first.Minor == 0 {
			earlier = vhlo.Version{Minor: 20}
		}
		if _, refused := without(t, c, first); refused[name] != "" {
			t.Errorf("%s: %s", name, refused[name])
		}
		if _, refused := without(t, c, earlier); !strings.HasSuffix(refused[name], "since "+first.String()) {
			t.Errorf("%s for %s: %q", name, earlier, refused[name])
		}
	}
}
