package naive_test

import (
	"fmt"
	"testing"

	"freehold/dialect"
	"freehold/exec/interp"
	"freehold/internal/testing/naive"
	"freehold/ir"
	"freehold/ir/asm"
)

// A tensor is packed, and unpacked, where its size and the tiles fit, in all small sizes: without a padding value the tiles must divide it, and LLVM 22 has
// no more tiles than needed. Both interpreters say so of the same sizes.
func TestRelayoutSizes(t *testing.T) {
	for _, llvm := range []int{19, 22} {
		c := ir.NewContextFor(llvm, dialect.All()...)
		for tile := int64(1); tile <= 3; tile++ {
			for _, kind := range []string{"pack", "pack with padding", "unpack"} {
				name, padding, from, to := "pack", "", "%u", "%p"
				switch kind {
				case "pack with padding":
					padding = "padding_value(%v : i32) "
				case "unpack":
					name, from, to = "unpack", "%p", "%u"
				}
				packed := fmt.Sprintf("tensor<?x%dxi32>", tile)
				types, out := "tensor<?xi32> -> "+packed, packed
				if kind == "unpack" {
					types, out = packed+" -> tensor<?xi32>", "tensor<?xi32>"
				}
				dialect := "tensor"
				if llvm >= 22 {
					dialect = "linalg"
				}
				src := fmt.Sprintf("func.func @f(%%u: tensor<?xi32>, %%p: %s, %%v: i32) -> %s {\n  %%r = %s.%s %s %sinner_dims_pos = [0] inner_tiles = [%d] into %s : %s\n  return %%r : %s\n}",
					packed, out, dialect, name, from, padding, tile, to, types, out)
				m, err := asm.Parse(c, []byte(src), "test.mlir", asm.ParseOptions{})
				if err == nil {
					err = ir.Verify(m)
				}
				if err != nil {
					t.Fatalf("%v\n%s", err, src)
				}
				fn, err := interp.Entry(m, "f")
				if err != nil {
					t.Fatal(err)
				}
				for size := range int64(6) {
					for outer := range int64(5) {
						args, err := inputs(fn, 1, func(t ir.Type) []int64 {
							if shape, _ := ir.ShapeOf(t); len(shape) == 2 {
								return []int64{outer, tile}
							}
							return []int64{size}
						})
						if err != nil {
							t.Fatal(err)
						}
						needed := (size + tile - 1) / tile
						fits := outer == needed
						switch {
						case kind == "pack":
							fits = fits && size%tile == 0
						case llvm < 22:
							fits = outer >= needed
						}
						want, got := naive.Execute(m, fn, args, 1000), naive.ExecuteChecked(m, fn, args, false)
						if d := naive.Differ(want, got); d != "" || (want.Wrong == "") != fits || want.Wrong != "" && want.Kind != naive.SizeMismatch {
							t.Errorf("LLVM %d, %s, %d elements in %d tiles of %d: %q, %s", llvm, kind, size, outer, tile, want.Wrong, d)
						}
					}
				}
			}
		}
	}
}
