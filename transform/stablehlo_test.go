package transform_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"freehold/dialect"
	"freehold/exec/interp"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/transform/lower/stablehlo"
)

// grid is a tensor of integers, as simple as can be: what operations do is written down below as the specification's formulas say it, element by element.
type grid struct {
	shape []int
	at    func(i []int) int32
}

// materialize computes each element once.
func (g grid) materialize() grid {
	known := map[string]int32{}
	each(g.shape, func(i []int) { known[fmt.Sprint(i)] = g.at(i) })
	return grid{g.shape, func(i []int) int32 { return known[fmt.Sprint(i)] }}
}

// each visits all indices, in order.
func each(shape []int, visit func(i []int)) {
	var walk func(i []int)
	walk = func(i []int) {
		if len(i) == len(shape) {
			visit(i)
			return
		}
		for n := range shape[len(i)] {
			walk(append(slices.Clone(i), n))
		}
	}
	walk(nil)
}

func (g grid) inside(i []int) bool {
	for d, n := range i {
		if n < 0 || n >= g.shape[d] {
			return false
		}
	}
	return true
}

func (g grid) typ() string {
	var b strings.Builder
	b.WriteString("tensor<")
	for _, n := range g.shape {
		fmt.Fprintf(&b, "%dx", n)
	}
	return b.String() + "i32>"
}

// text is the elements as a constant has them.
func (g grid) text() string {
	var write func(i []int) string
	write = func(i []int) string {
		if len(i) == len(g.shape) {
			return fmt.Sprint(g.at(i))
		}
		parts := make([]string, g.shape[len(i)])
		for n := range parts {
			parts[n] = write(append(slices.Clone(i), n))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	for _, n := range g.shape {
		if n == 0 {
			return "dense<> : " + g.typ()
		}
	}
	return "dense<" + write(nil) + "> : " + g.typ()
}

// trial is a random program of one operation, and what it must compute.
type trial struct {
	*rand.Rand
	inputs []grid
}

func (t *trial) between(low, high int) int { return low + t.IntN(high-low+1) }

func (t *trial) shape(rank int) []int {
	out := make([]int, rank)
	for i := range out {
		out[i] = t.between(1, 4)
	}
	return out
}

// input is a tensor of random numbers.
func (t *trial) input(shape []int, low, high int) (grid, string) {
	numbers := map[string]int32{}
	each(shape, func(i []int) { numbers[fmt.Sprint(i)] = int32(t.between(low, high)) })
	g := grid{shape, func(i []int) int32 { return numbers[fmt.Sprint(i)] }}
	t.inputs = append(t.inputs, g)
	return g, fmt.Sprintf("%%in%d", len(t.inputs)-1)
}

func list[T any](v []T) string { return strings.ReplaceAll(fmt.Sprint(v), " ", ", ") }

// formulas are the operations: each returns the text of one with its operands and types, without the result's, and the result.
var formulas = map[string]func(t *trial) (op string, result grid){
	"pad": func(t *trial) (string, grid) {
		x, name := t.input(t.shape(t.between(0, 3)), -9, 9)
		v, fill := t.input(nil, -9, 9)
		low, high, inner, shape := []int{}, []int{}, []int{}, []int{}
		for _, n := range x.shape {
			l, i := t.between(-2, 2), t.between(0, 2)
			h := t.between(-2, 2)
			h = max(h, -(l + n + (n-1)*i))
			low, high, inner, shape = append(low, l), append(high, h), append(inner, i), append(shape, l+h+n+(n-1)*i)
		}
		return fmt.Sprintf("stablehlo.pad %s, %s, low = %s, high = %s, interior = %s : (%s, tensor<i32>)", name, fill, list(low), list(high), list(inner), x.typ()),
			grid{shape, func(i []int) int32 {
				from := make([]int, len(i))
				for d := range i {
					if (i[d]-low[d])%(inner[d]+1) != 0 {
						return v.at(nil)
					}
					from[d] = (i[d] - low[d]) / (inner[d] + 1)
				}
				if !x.inside(from) {
					return v.at(nil)
				}
				return x.at(from)
			}}
	},
	"transpose": func(t *trial) (string, grid) {
		x, name := t.input(t.shape(t.between(1, 4)), -9, 9)
		perm := t.Perm(len(x.shape))
		shape := make([]int, len(perm))
		for d, p := range perm {
			shape[d] = x.shape[p]
		}
		return fmt.Sprintf("stablehlo.transpose %s, dims = %s : (%s)", name, list(perm), x.typ()), grid{shape, func(i []int) int32 {
			from := make([]int, len(i))
			for d, p := range perm {
				from[p] = i[d]
			}
			return x.at(from)
		}}
	},
	"slice": func(t *trial) (string, grid) {
		x, name := t.input(t.shape(t.between(1, 3)), -9, 9)
		start, step, shape, ranges := []int{}, []int{}, []int{}, []string{}
		for _, n := range x.shape {
			s, k := t.between(0, n), t.between(1, 3)
			l := t.between(s, n)
			start, step, shape = append(start, s), append(step, k), append(shape, (l-s+k-1)/k)
			ranges = append(ranges, fmt.Sprintf("%d:%d:%d", s, l, k))
		}
		return fmt.Sprintf("stablehlo.slice %s [%s] : (%s)", name, strings.Join(ranges, ", "), x.typ()), grid{shape, func(i []int) int32 {
			from := make([]int, len(i))
			for d := range i {
				from[d] = start[d] + i[d]*step[d]
			}
			return x.at(from)
		}}
	},
	"dynamic_update_slice": func(t *trial) (string, grid) {
		x, name := t.input(t.shape(2), -9, 9)
		u, update := t.input([]int{t.between(0, x.shape[0]), t.between(0, x.shape[1])}, 10, 19)
		r, row := t.input(nil, -3, 6)
		c, column := t.input(nil, -3, 6)
		at := []int{min(max(int(r.at(nil)), 0), x.shape[0]-u.shape[0]), min(max(int(c.at(nil)), 0), x.shape[1]-u.shape[1])}
		return fmt.Sprintf("stablehlo.dynamic_update_slice %s, %s, %s, %s : (%s, %s, tensor<i32>, tensor<i32>)", name, update, row, column, x.typ(), u.typ()),
			grid{x.shape, func(i []int) int32 {
				if in := []int{i[0] - at[0], i[1] - at[1]}; u.inside(in) {
					return u.at(in)
				}
				return x.at(i)
			}}
	},
	"reduce_window": func(t *trial) (string, grid) {
		x, name := t.input(t.shape(2), -9, 9)
		v, init := t.input(nil, -3, 3)
		var size, step, base, dilation, pads, shape []int
		for _, n := range x.shape {
			k, s, b, d, l, h := t.between(1, 3), t.between(1, 2), t.between(1, 2), t.between(1, 2), t.between(-1, 2), t.between(-1, 2)
			padded := (n-1)*b + 1 + l + h
			places := 0
			if span := (k-1)*d + 1; padded >= span {
				places = (padded-span)/s + 1
			}
			size, step, base, dilation = append(size, k), append(step, s), append(base, b), append(dilation, d)
			pads, shape = append(pads, l, h), append(shape, places)
		}
		return fmt.Sprintf("\"stablehlo.reduce_window\"(%s, %s) ({\n^bb0(%%a: tensor<i32>, %%b: tensor<i32>):\n  %%s = stablehlo.add %%a, %%b : tensor<i32>\n  stablehlo.return %%s : tensor<i32>\n}) "+
				"{window_dimensions = array<i64: %s>, window_strides = array<i64: %s>, base_dilations = array<i64: %s>, window_dilations = array<i64: %s>, padding = dense<[[%d, %d], [%d, %d]]> : tensor<2x2xi64>} : (%s, tensor<i32>)",
				name, init, bare(size), bare(step), bare(base), bare(dilation), pads[0], pads[1], pads[2], pads[3], x.typ()),
			grid{shape, func(i []int) int32 {
				sum := v.at(nil)
				each(size, func(k []int) {
					from := make([]int, 2)
					for d := range from {
						p := i[d]*step[d] + k[d]*dilation[d] - pads[2*d]
						if p%base[d] != 0 {
							sum += v.at(nil)
							return
						}
						from[d] = p / base[d]
					}
					if x.inside(from) {
						sum += x.at(from)
					} else {
						sum += v.at(nil)
					}
				})
				return sum
			}}
	},
	"gather": func(t *trial) (string, grid) {
		x, name := t.input(t.shape(2), -9, 9)
		at, indices := t.input([]int{t.between(0, 3), 2}, -2, 5)
		size := []int{t.between(0, x.shape[0]), t.between(0, x.shape[1])}
		return fmt.Sprintf("\"stablehlo.gather\"(%s, %s) {dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], start_index_map = [1, 0], index_vector_dim = 1>, slice_sizes = array<i64: %s>} : (%s, %s)",
				name, indices, bare(size), x.typ(), at.typ()),
			grid{[]int{at.shape[0], size[0], size[1]}, func(i []int) int32 {
				from := make([]int, 2)
				for d := range from {
					start := int(at.at([]int{i[0], 1 - d}))
					from[d] = min(max(start, 0), x.shape[d]-size[d]) + i[d+1]
				}
				return x.at(from)
			}}
	},
	"scatter": func(t *trial) (string, grid) {
		x, name := t.input(t.shape(2), -9, 9)
		at, indices := t.input([]int{t.between(0, 4), 1}, -2, 5)
		u, updates := t.input([]int{at.shape[0], t.between(0, x.shape[1])}, 10, 19)
		return fmt.Sprintf("\"stablehlo.scatter\"(%s, %s, %s) ({\n^bb0(%%a: tensor<i32>, %%b: tensor<i32>):\n  %%two = stablehlo.constant dense<2> : tensor<i32>\n  %%d = stablehlo.multiply %%a, %%two : tensor<i32>\n  %%s = stablehlo.add %%d, %%b : tensor<i32>\n  stablehlo.return %%s : tensor<i32>\n}) "+
				"{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (%s, %s, %s)",
				name, indices, updates, x.typ(), at.typ(), u.typ()),
			grid{x.shape, func(i []int) int32 {
				v := x.at(i)
				for k := range at.shape[0] {
					if int(at.at([]int{k, 0})) == i[0] && i[1] < u.shape[1] {
						v = 2*v + u.at([]int{k, i[1]})
					}
				}
				return v
			}}
	},
	"dot_general": func(t *trial) (string, grid) {
		b, m, k, n := t.between(1, 2), t.between(0, 3), t.between(0, 3), t.between(0, 3)
		x, left := t.input([]int{m, b, k}, -9, 9)
		y, right := t.input([]int{k, n, b}, -9, 9)
		return fmt.Sprintf("stablehlo.dot_general %s, %s, batching_dims = [1] x [2], contracting_dims = [2] x [0] : (%s, %s)", left, right, x.typ(), y.typ()),
			grid{[]int{b, m, n}, func(i []int) int32 {
				sum := int32(0)
				for j := range k {
					sum += x.at([]int{i[1], i[0], j}) * y.at([]int{j, i[2], i[0]})
				}
				return sum
			}}
	},
	"convolution": func(t *trial) (string, grid) {
		batch, in, out, n, k := t.between(1, 2), t.between(1, 2), t.between(1, 2), t.between(1, 5), t.between(1, 3)
		groups := t.between(1, 2)
		s, b, d, l, h := t.between(1, 2), t.between(1, 2), t.between(1, 2), t.between(-1, 2), t.between(-1, 2)
		reversed := t.IntN(2) == 1
		x, image := t.input([]int{n, batch, in * groups}, -9, 9)
		w, kernel := t.input([]int{out * groups, k, in}, -9, 9)
		places := 0
		if padded, span := (n-1)*b+1+l+h, (k-1)*d+1; padded >= span {
			places = (padded-span)/s + 1
		}
		return fmt.Sprintf("stablehlo.convolution(%s, %s) dim_numbers = [0, b, f]x[o, 0, i]->[b, f, 0], window = {stride = [%d], pad = [[%d, %d]], lhs_dilate = [%d], rhs_dilate = [%d], reverse = [%v]} "+
				"{batch_group_count = 1 : i64, feature_group_count = %d : i64} : (%s, %s)", image, kernel, s, l, h, b, d, reversed, groups, x.typ(), w.typ()),
			grid{[]int{batch, out * groups, places}, func(i []int) int32 {
				sum := int32(0)
				for j := range k {
					p := i[2]*s + j*d - l
					if p%b != 0 || p < 0 || p/b >= n {
						continue
					}
					at := j
					if reversed {
						at = k - 1 - j
					}
					for c := range in {
						sum += x.at([]int{p / b, i[0], i[1]/out*in + c}) * w.at([]int{i[1], at, c})
					}
				}
				return sum
			}}
	},
	"sort": func(t *trial) (string, grid) {
		x, name := t.input([]int{t.between(0, 9), t.between(1, 3)}, -5, 5)
		return fmt.Sprintf("\"stablehlo.sort\"(%s) ({\n^bb0(%%a: tensor<i32>, %%b: tensor<i32>):\n  %%c = stablehlo.compare LT, %%a, %%b, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>\n  stablehlo.return %%c : tensor<i1>\n}) {dimension = 0 : i64} : (%s)", name, x.typ()),
			grid{x.shape, func(i []int) int32 {
				line := make([]int32, x.shape[0])
				for k := range line {
					line[k] = x.at([]int{k, i[1]})
				}
				slices.Sort(line)
				return line[i[0]]
			}}
	},
	"broadcast_in_dim": func(t *trial) (string, grid) {
		shape := t.shape(3)
		dims := t.Perm(3)[:t.between(0, 3)]
		from := make([]int, len(dims))
		for k, d := range dims {
			if from[k] = shape[d]; t.IntN(3) == 0 {
				from[k] = 1
			}
		}
		x, name := t.input(from, -9, 9)
		return fmt.Sprintf("stablehlo.broadcast_in_dim %s, dims = %s : (%s)", name, list(dims), x.typ()), grid{shape, func(i []int) int32 {
			at := make([]int, len(dims))
			for k, d := range dims {
				if x.shape[k] > 1 {
					at[k] = i[d]
				}
			}
			return x.at(at)
		}}
	},
	"select_and_scatter": func(t *trial) (string, grid) {
		n, k, s, l := t.between(2, 6), t.between(1, 3), t.between(1, 2), t.between(0, 1)
		k = min(k, n)
		places := (n+l-k)/s + 1
		x, name := t.input([]int{n}, -9, 9)
		u, source := t.input([]int{places}, 10, 19)
		v, init := t.input(nil, -3, 3)
		return fmt.Sprintf("\"stablehlo.select_and_scatter\"(%s, %s, %s) ({\n^bb0(%%a: tensor<i32>, %%b: tensor<i32>):\n  %%c = stablehlo.compare GE, %%a, %%b, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>\n  stablehlo.return %%c : tensor<i1>\n}, {\n^bb0(%%a: tensor<i32>, %%b: tensor<i32>):\n  %%c = stablehlo.add %%a, %%b : tensor<i32>\n  stablehlo.return %%c : tensor<i32>\n}) "+
				"{window_dimensions = array<i64: %d>, window_strides = array<i64: %d>, padding = dense<[[%d, 0]]> : tensor<1x2xi64>} : (%s, %s, tensor<i32>)", name, source, init, k, s, l, x.typ(), u.typ()),
			grid{x.shape, func(i []int) int32 {
				sum := v.at(nil)
				for p := range places {
					best := -1
					for j := range k {
						if at := p*s + j - l; at >= 0 && at < n && (best < 0 || x.at([]int{best}) < x.at([]int{at})) {
							best = at
						}
					}
					if best == i[0] {
						sum += u.at([]int{p})
					}
				}
				return sum
			}}
	},
}

func bare(v []int) string { return strings.Trim(list(v), "[]") }

// Programs of one operation compute what the specification's formulas say.
func TestStableHLOFormulas(t *testing.T) {
	names := make([]string, 0, len(formulas))
	for name := range formulas {
		names = append(names, name)
	}
	slices.Sort(names)
	for seed := range *programs * 4 {
		for k, name := range names {
			tr := &trial{Rand: rand.New(rand.NewPCG(seed, uint64(k)))}
			op, result := formulas[name](tr)
			result = result.materialize()
			var b strings.Builder
			b.WriteString("func.func @main() {\n")
			for i, in := range tr.inputs {
				fmt.Fprintf(&b, "  %%in%d = stablehlo.constant %s\n", i, in.text())
			}
			fmt.Fprintf(&b, "  %%r = %s -> %s\n  check.expect_eq_const %%r, %s\n  return\n}\n", op, result.typ(), result.text())
			if wrong := executes(b.String()); wrong != nil {
				t.Fatalf("%s, seed %d: %v\n%s", name, seed, wrong, b.String())
			}
		}
	}
}

// executes lowers and executes a program without arguments, and returns what is wrong.
func executes(text string) error {
	c := ir.NewContext(dialect.All()...)
	module, err := asm.Parse(c, []byte(text), "p.mlir", asm.ParseOptions{})
	if err != nil {
		return err
	}
	if err := ir.Verify(module); err != nil {
		return err
	}
	if _, err := stablehlo.Lower(module); err != nil {
		return err
	}
	if err := ir.Verify(module); err != nil {
		return err
	}
	entry, err := interp.Entry(module, "main")
	if err != nil {
		return err
	}
	result, err := interp.Run(module, entry, nil, interp.Options{})
	if err != nil {
		return err
	}
	for _, f := range result.Findings {
		return f
	}
	return nil
}
