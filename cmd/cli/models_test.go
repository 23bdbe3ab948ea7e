package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"freehold/driver"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/interfaces"
)

// TestModels looks at what users of compile look at: the peak of memory and the copies in
// what it makes of real models. The ceilings may only fall.
func TestModels(t *testing.T) {
	for _, m := range []struct {
		file   string
		peak   int64 // bytes
		copies int
	}{
		{"bert.mlir", 1_293_200, 0},
		{"llama2_decoder.mlir", 5_776_000, 64},
	} {
		t.Run(m.file, func(t *testing.T) {
			path := filepath.Join("..", "..", "..", "shared", "models", m.file)
			if _, err := os.Stat(path); err != nil {
				t.Skip("the model isn't there")
			}
			out := filepath.Join(t.TempDir(), "out.mlir")
			var errs bytes.Buffer
			if status := Main(driver.Freehold(), []string{"freehold", "compile", path, "-o", out}, driver.Streams{In: strings.NewReader(""), Out: &errs, Err: &errs}); status != 0 {
				t.Fatalf("status %d: %s", status, errs.String())
			}
			src, err := os.ReadFile(out)
			if err != nil {
				t.Fatal(err)
			}
			module, err := asm.Parse(driver.Freehold().NewContext(), src, out, asm.ParseOptions{})
			if err != nil {
				t.Fatal(err)
			}
			peak, copies := memoryOf(module)
			t.Logf("peak %d bytes, %d copies", peak, copies)
			if peak > m.peak || peak == 0 {
				t.Errorf("the peak is %d bytes, more than %d", peak, m.peak)
			}
			if n := bytes.Count(src, []byte("freehold.arena}")); n != 1 {
				t.Errorf("%d arenas", n)
			}
			if copies > m.copies {
				t.Errorf("%d copies, more than %d", copies, m.copies)
			}
		})
	}
}

// memoryOf counts the bytes of buffers of static sizes that are live at the same time when
// the operations are executed once and one after the other, and copies.
func memoryOf(root *ir.Op) (peak int64, copies int) {
	var live int64
	root.Walk(func(op *ir.Op) bool {
		if interfaces.Copy.Has(op) {
			copies++
		}
		effects, _ := interfaces.EffectsOf(op)
		for _, e := range effects {
			v := e.Value(op)
			if v == nil {
				continue
			}
			m, ok := v.Type().(*ir.MemRefType)
			if !ok {
				continue
			}
			n, _ := ir.NumElements(m.Shape)
			switch bytes := n * int64(ir.ElementBytes(m.Elem)); e.Kind {
			case interfaces.Allocate:
				live += bytes
			case interfaces.Free:
				live -= bytes
			}
		}
		peak = max(peak, live)
		return true
	})
	return peak, copies
}
