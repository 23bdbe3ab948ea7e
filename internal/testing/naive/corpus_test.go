package naive_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"freehold/internal/testing/naive"
	"freehold/ir"
	"freehold/ir/analysis"
	"freehold/ir/asm"
	"freehold/ir/interfaces"
)

// TestCorpus compares executions of the functions of programs that others wrote, where
// these are there: as many of them as -every says.
func TestCorpus(t *testing.T) {
	root := filepath.Join("..", "..", "..", "..", "shared", "corpus")
	if _, err := os.Stat(root); err != nil {
		t.Skip("there is no corpus")
	}
	files, executed := 0, 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".mlir" {
			return err
		}
		if files++; files%*every != 0 {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, part := range strings.Split(string(text), "\n// -----") {
			m, err := asm.Parse(context(), []byte(part), "corpus.mlir", asm.ParseOptions{})
			if err != nil || ir.Verify(m) != nil || m.BodyBlock(0) == nil {
				continue
			}
			for op := range m.BodyBlock(0).Ops() {
				if interfaces.Function.Has(op) && op.BodyBlock(0) != nil {
					executed += compareFunction(t, path, m, op)
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d executions are compared", executed)
	if executed < 20 {
		t.Errorf("only %d executions are compared", executed)
	}
}

// overlapsItself tells whether a buffer has elements in one place, so that writing one changes another.
func overlapsItself(t ir.Type) bool {
	m, ok := t.(*ir.MemRefType)
	if !ok || m.HasIdentityLayout() || !ir.IsStaticShape(m.Shape) {
		return false
	}
	strides, _, ok := m.StridesAndOffset()
	if !ok || !ir.IsStaticShape(strides) {
		return false
	}
	places := []int64{0}
	seen := map[int64]bool{}
	for i, n := range m.Shape {
		var next []int64
		for _, p := range places {
			for k := range n {
				next = append(next, p+k*strides[i])
			}
		}
		places = next
	}
	for _, p := range places {
		if seen[p] {
			return true
		}
		seen[p] = true
	}
	return false
}

// compareFunction compares executions of a function, and returns how many.
func compareFunction(t *testing.T, path string, m, fn *ir.Op) (executed int) {
	name, _ := ir.SymbolName(fn)
	contracts := analysis.NewContracts(m)
	for seed := range uint64(4) {
		args, err := inputs(fn, seed, nil)
		if err != nil {
			return executed
		}
		elements := int64(0)
		for _, a := range args {
			if a.Tensor != nil {
				elements += a.Tensor.Elements()
			}
		}
		if elements > 2000 {
			return executed // which would take long
		}
		if slices.ContainsFunc(ir.TypesOf(fn.BodyBlock(0).Args()), overlapsItself) {
			return executed // no value says what it holds
		}
		if slices.ContainsFunc(contracts.Of(fn).Args, func(a analysis.ArgContract) bool { return a.Owned }) {
			return executed // which frees what callers hand over; here, nobody does
		}
		want := naive.Execute(m, fn, args, 20_000)
		if want.Unknown || want.Unended {
			return executed
		}
		for _, oneByOne := range []bool{false, true} {
			got := naive.ExecuteChecked(m, fn, args, oneByOne)
			if got.Unknown {
				return executed
			}
			// What is undefined may be noticed where it is made, or where it is used.
			unsure := got.Kind == naive.Uninitialized || want.Kind == naive.Uninitialized && got.Wrong != ""
			if want.Kind == naive.SizeMismatch && got.Kind == naive.OutOfBounds {
				want.Kind = got.Kind // where sizes don't fit, an index is
			}
			if d := naive.Differ(want, got); d != "" && !unsure {
				t.Errorf("%s: @%s, one by one %v: %s", path, name, oneByOne, d)
				return executed
			}
		}
		executed++
	}
	return executed
}
