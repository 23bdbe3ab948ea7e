package transform_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"freehold/exec/difftest"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/transform/memory/tile"
)

// image is a tensor of a random network.
type image struct {
	name  string
	shape []int
}

func (i image) typ() string { return typeOf(i.shape) }

func typeOf(shape []int) string {
	return "tensor<" + strings.Trim(strings.ReplaceAll(fmt.Sprint(shape), " ", "x"), "[]") + "xf32>"
}

// network writes random networks of operations that compute row by row, on images of batch, height, width and channels.
type network struct {
	strings.Builder
	rnd       *rand.Rand
	last      int
	arguments []string
}

func (n *network) name() string { n.last++; return fmt.Sprintf("%%v%d", n.last) }

func (n *network) argument(shape ...int) image {
	i := image{fmt.Sprintf("%%a%d", len(n.arguments)), shape}
	n.arguments = append(n.arguments, i.name+": "+i.typ())
	return i
}

// line writes an operation with a result of a shape: %s in the format stands for its name and then for args.
func (n *network) line(shape []int, format string, args ...any) image {
	i := image{n.name(), shape}
	fmt.Fprintf(n, "  %s = %s\n", i.name, fmt.Sprintf(format, args...))
	return i
}

func (n *network) filled(shape []int) image {
	e := n.line(shape, "tensor.empty() : %s", typeOf(shape))
	return n.line(shape, "linalg.fill ins(%%zero : f32) outs(%s : %s) -> %s", e.name, e.typ(), e.typ())
}

// window is a convolution or a pool with random strides, dilations and borders.
func (n *network) window(x image) image {
	k, stride, dilation := 1+n.rnd.IntN(3), 1+n.rnd.IntN(2), 1+n.rnd.IntN(2)
	low, high := n.rnd.IntN(4), n.rnd.IntN(3)
	padded := slices.Clone(x.shape)
	if low+high > 0 {
		padded = []int{1, x.shape[1] + low + high, x.shape[2] + 1, x.shape[3]}
	}
	reach := (k-1)*dilation + 1
	if padded[1] < reach || padded[2] < reach {
		return x
	}
	if low+high > 0 {
		p := n.line(padded, "tensor.pad %s low[0, %d, 1, 0] high[0, %d, 0, 0] {\n  ^bb0(%%i: index, %%j: index, %%k: index, %%l: index):\n    tensor.yield %%zero : f32\n  } : %s to %s",
			x.name, low, high, x.typ(), typeOf(padded))
		x = p
	}
	out := []int{1, (x.shape[1]-reach)/stride + 1, (x.shape[2]-reach)/stride + 1, x.shape[3]}
	attributes := fmt.Sprintf("{dilations = dense<%d> : tensor<2xi64>, strides = dense<%d> : tensor<2xi64>}", dilation, stride)
	if n.rnd.IntN(3) == 0 {
		z := n.filled(out)
		w := n.line([]int{k, k}, "tensor.empty() : %s", typeOf([]int{k, k}))
		return n.line(out, "linalg.pooling_nhwc_max %s ins(%s, %s : %s, %s) outs(%s : %s) -> %s", attributes, x.name, w.name, x.typ(), w.typ(), z.name, z.typ(), z.typ())
	}
	out[3] = 1 + n.rnd.IntN(6)
	f := n.argument(k, k, x.shape[3], out[3])
	z := n.filled(out)
	return n.line(out, "linalg.conv_2d_nhwc_hwcf %s ins(%s, %s : %s, %s) outs(%s : %s) -> %s", attributes, x.name, f.name, x.typ(), f.typ(), z.name, z.typ(), z.typ())
}

// elements applies a function to elements, of one or two images.
func (n *network) elements(all ...image) image {
	e := n.line(all[0].shape, "tensor.empty() : %s", all[0].typ())
	if len(all) == 1 {
		return n.line(all[0].shape, "linalg.exp ins(%s : %s) outs(%s : %s) -> %s", all[0].name, all[0].typ(), e.name, e.typ(), e.typ())
	}
	return n.line(all[0].shape, "linalg.add ins(%s, %s : %s, %s) outs(%s : %s) -> %s", all[0].name, all[1].name, e.typ(), e.typ(), e.name, e.typ(), e.typ())
}

// spread is an image whose lines are put between others that are all the same, as before a transposed convolution, behind a border or not.
func (n *network) spread(x image) image {
	step, first := 1+n.rnd.IntN(3), n.rnd.IntN(3)
	out := slices.Clone(x.shape)
	out[1] = first + (x.shape[1]-1)*step + 1 + n.rnd.IntN(3)
	z := n.filled(out)
	return n.line(out, "tensor.insert_slice %s into %s[0, %d, 0, 0] [1, %d, %d, %d] [1, %d, 1, 1] : %s into %s",
		x.name, z.name, first, x.shape[1], x.shape[2], x.shape[3], step, x.typ(), z.typ())
}

// doubled has each line and column twice: read by index, or broadcast and collapsed.
func (n *network) doubled(x image) image {
	out := []int{1, 2 * x.shape[1], 2 * x.shape[2], x.shape[3]}
	if n.rnd.IntN(2) == 0 {
		e := n.line(out, "tensor.empty() : %s", typeOf(out))
		return n.line(out, `linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%s : %s) {
  ^bb0(%%o: f32):
    %%a = linalg.index 0 : index
    %%b = linalg.index 1 : index
    %%c = linalg.index 2 : index
    %%d = linalg.index 3 : index
    %%two = arith.constant 2 : index
    %%y = arith.divui %%b, %%two : index
    %%x = arith.divui %%c, %%two : index
    %%e = tensor.extract %s[%%a, %%y, %%x, %%d] : %s
    %%i = arith.index_cast %%b : index to i32
    %%f = arith.sitofp %%i : i32 to f32
    %%r = arith.addf %%e, %%f : f32
    linalg.yield %%r : f32
  } -> %s`, e.name, e.typ(), x.name, x.typ(), e.typ())
	}
	wide := []int{1, x.shape[1], 2, x.shape[2], 2, x.shape[3]}
	e := n.line(wide, "tensor.empty() : %s", typeOf(wide))
	y := n.line(wide, "linalg.broadcast ins(%s : %s) outs(%s : %s) dimensions = [2, 4]", x.name, x.typ(), e.name, e.typ())
	return n.line(out, "tensor.collapse_shape %s [[0], [1, 2], [3, 4], [5]] : %s into %s", y.name, y.typ(), typeOf(out))
}

// joined has the channels of two images.
func (n *network) joined(x, y image) image {
	out := slices.Clone(x.shape)
	out[3] += y.shape[3]
	return n.line(out, "tensor.concat dim(3) %s, %s : (%s, %s) -> %s", x.name, y.name, x.typ(), y.typ(), typeOf(out))
}

// part leaves lines and channels out.
func (n *network) part(x image) image {
	from, stride := n.rnd.IntN(min(3, x.shape[1])), 1+n.rnd.IntN(2)
	out := []int{1, (x.shape[1] - from + stride - 1) / stride, x.shape[2], x.shape[3]}
	return n.line(out, "tensor.extract_slice %s[0, %d, 0, 0] [1, %d, %d, %d] [1, %d, 1, 1] : %s to %s", x.name, from, out[1], out[2], out[3], stride, x.typ(), typeOf(out))
}

// transposed is an image with rows and columns exchanged.
func (n *network) transposed(x image) image {
	out := []int{1, x.shape[2], x.shape[1], x.shape[3]}
	e := n.line(out, "tensor.empty() : %s", typeOf(out))
	return n.line(out, "linalg.transpose ins(%s : %s) outs(%s : %s) permutation = [0, 2, 1, 3]", x.name, x.typ(), e.name, e.typ())
}

// summed is the sum of all lines and columns of each channel, added to something that the function is given or to zero; or that of all lines, each weighed by
// its number.
func (n *network) summed(x image) image {
	if n.rnd.IntN(2) == 0 {
		out := []int{1, x.shape[2], x.shape[3]}
		z := n.filled(out)
		return n.line(out, `linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, c, d)>], iterator_types = ["parallel", "reduction", "parallel", "parallel"]} ins(%s : %s) outs(%s : %s) {
  ^bb0(%%e: f32, %%o: f32):
    %%b = linalg.index 1 : index
    %%i = arith.index_cast %%b : index to i32
    %%f = arith.sitofp %%i : i32 to f32
    %%p = arith.mulf %%e, %%f : f32
    %%r = arith.addf %%o, %%p : f32
    linalg.yield %%r : f32
  } -> %s`, x.name, x.typ(), z.name, z.typ(), z.typ())
	}
	out := []int{1, x.shape[3]}
	z := n.argument(out...)
	if n.rnd.IntN(2) == 0 {
		z = n.filled(out)
	}
	return n.line(out, "linalg.reduce ins(%s : %s) outs(%s : %s) dimensions = [1, 2]\n  (%%e: f32, %%o: f32) {\n    %%r = arith.addf %%e, %%o : f32\n    linalg.yield %%r : f32\n  }",
		x.name, x.typ(), z.name, z.typ())
}

// weighed multiplies each channel by what a function makes of the sum of an image, which all of it is needed for.
func (n *network) weighed(x image) image {
	z := n.filled([]int{1, x.shape[3]})
	sum := n.line(z.shape, "linalg.reduce ins(%s : %s) outs(%s : %s) dimensions = [1, 2]\n  (%%e: f32, %%o: f32) {\n    %%r = arith.addf %%e, %%o : f32\n    linalg.yield %%r : f32\n  }",
		x.name, x.typ(), z.name, z.typ())
	e := n.line(x.shape, "tensor.empty() : %s", x.typ())
	s := n.elements(sum)
	y := n.line(x.shape, "linalg.broadcast ins(%s : %s) outs(%s : %s) dimensions = [1, 2]", s.name, s.typ(), e.name, e.typ())
	return n.elements(x, y)
}

// whole is a pool whose window is the whole image, and a convolution whose filter is.
func (n *network) whole(x image) image {
	out := []int{1, 1, 1, x.shape[3]}
	if n.rnd.IntN(2) == 0 {
		z, w := n.filled(out), n.line(x.shape[1:3], "tensor.empty() : %s", typeOf(x.shape[1:3]))
		return n.line(out, "linalg.pooling_nhwc_sum ins(%s, %s : %s, %s) outs(%s : %s) -> %s", x.name, w.name, x.typ(), w.typ(), z.name, z.typ(), z.typ())
	}
	out[3] = 2
	z, f := n.filled(out), n.argument(x.shape[1], x.shape[2], x.shape[3], 2)
	return n.line(out, "linalg.conv_2d_nhwc_hwcf ins(%s, %s : %s, %s) outs(%s : %s) -> %s", x.name, f.name, x.typ(), f.typ(), z.name, z.typ(), z.typ())
}

// write writes a network.
func (n *network) write(operations int) string {
	all := []image{n.argument(1, 8+n.rnd.IntN(9), 4+n.rnd.IntN(3), 1+n.rnd.IntN(3))}
	var results []image
	for range operations {
		x := all[len(all)-1-n.rnd.IntN(min(2, len(all)))]
		var same []image
		for _, y := range all {
			if slices.Equal(y.shape[:3], x.shape[:3]) {
				same = append(same, y)
			}
		}
		y := same[n.rnd.IntN(len(same))]
		switch n.rnd.IntN(16) {
		case 0, 1:
			all = append(all, n.elements(x))
		case 2:
			if slices.Equal(x.shape, y.shape) {
				all = append(all, n.elements(x, y))
			}
		case 3:
			all = append(all, n.joined(x, y))
		case 4:
			if x.shape[1] < 16 {
				all = append(all, n.doubled(x))
			}
		case 9:
			if x.shape[1] < 12 {
				all = append(all, n.spread(x))
			}
		case 5:
			all = append(all, n.part(x))
		case 6:
			all = append(all, n.transposed(x))
		case 7:
			all = append(all, n.weighed(x))
		case 8:
			results = append(results, n.elements(n.summed(x)))
		default:
			all = append(all, n.window(x))
		}
	}
	results = append(results, all[len(all)-1])
	for range n.rnd.IntN(4) {
		x := all[n.rnd.IntN(len(all))]
		switch n.rnd.IntN(4) {
		case 0:
		case 1:
			x = n.elements(n.summed(x))
		case 2:
			x = n.whole(x)
		default:
			x = n.summed(x)
		}
		results = append(results, x)
	}
	n.rnd.Shuffle(len(results), func(i, j int) { results[i], results[j] = results[j], results[i] })
	var names, types []string
	for _, r := range results {
		names, types = append(names, r.name), append(types, r.typ())
	}
	return fmt.Sprintf("func.func @main(%s) -> (%s) {\n  %%zero = arith.constant 0.0 : f32\n%s  return %s : %s\n}\n",
		strings.Join(n.arguments, ", "), strings.Join(types, ", "), n.String(), strings.Join(names, ", "), strings.Join(types, ", "))
}

// Random networks compute the same in tiles, with tiles as small and as large as limits ask for, and in tiles of what the steps of tiles compute.
func TestTiledNetworks(t *testing.T) {
	groups, inner, executed, alike := 0, 0, 0, 0
	var memo tile.Memo
	for seed := range *programs * 2 {
		rnd := rand.New(rand.NewPCG(seed, 41))
		src := (&network{rnd: rnd}).write(3 + rnd.IntN(12))
		m := parse(t, src)
		var limit int64
		for range 3 {
			after := parse(t, src)
			same := tile.AnyLimit()
			results, err := tile.Run(after, tile.Options{Limit: limit, Same: &same})
			if err == nil {
				err = ir.Verify(after)
			}
			if err != nil {
				t.Fatalf("seed %d, limit %d: %v\n%s\n%s", seed, limit, err, src, asm.Print(after, asm.PrintOptions{}))
			}
			if len(results) == 0 {
				break
			}
			groups += results[0].Groups
			if !same.Have(limit) {
				t.Fatalf("seed %d: limit %d isn't among those of which it is said that they do the same, from %d to %d\n%s", seed, limit, same.Least, same.Most, src)
			}
			for _, as := range []int64{same.Least, same.Most, same.Least + rnd.Int64N(max(same.Most-same.Least, 1))} {
				other := parse(t, src)
				if _, err := tile.Run(other, tile.Options{Limit: as}); err != nil || string(asm.Print(other, asm.PrintOptions{})) != string(asm.Print(after, asm.PrintOptions{})) {
					t.Fatalf("seed %d: %v, or limits %d and %d do the same, it is said, but don't\n%s", seed, err, limit, as, src)
				}
				if as != limit {
					alike++
				}
			}
			for range 2 { // the second one takes what the first one chose
				again := parse(t, src)
				if _, err := tile.Run(again, tile.Options{Limit: limit, Memo: &memo}); err != nil || string(asm.Print(again, asm.PrintOptions{})) != string(asm.Print(after, asm.PrintOptions{})) {
					t.Fatalf("seed %d, limit %d: %v, or it is another program with what was chosen before\n%s", seed, limit, err, src)
				}
			}
			if rnd.IntN(2) == 0 {
				of, err := tile.Run(after, tile.Options{Limit: limit})
				if err == nil {
					err = ir.Verify(after)
				}
				if err != nil {
					t.Fatalf("seed %d, limit %d, again: %v\n%s\n%s", seed, limit, err, src, asm.Print(after, asm.PrintOptions{}))
				}
				inner += len(of)
			}
			report := difftest.Run(m, after, difftest.Options{Inputs: 2, Seed: seed})
			for _, f := range report.Functions {
				if f.Skipped != nil || len(f.Mismatches)+len(f.Findings) > 0 {
					t.Fatalf("seed %d, limit %d: %v %v %v\n%s\n%s", seed, limit, f.Skipped, f.Mismatches, f.Findings, src, asm.Print(after, asm.PrintOptions{}))
				}
				executed += f.Inputs - f.Undefined
			}
			limit = results[0].After + (results[0].Before-results[0].After)*int64(1+rnd.IntN(3))/4
		}
	}
	if groups < 10 || inner < 5 || executed < 10 || alike < 10 {
		t.Errorf("only %d groups in tiles, %d blocks again, %d executions, %d limits that do the same", groups, inner, executed, alike)
	}
}
