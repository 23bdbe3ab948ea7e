package naive

import (
	"fmt"
	"math/big"

	"freehold/ir"
	"freehold/ir/interfaces"
)

// Scalable vectors have a scale of 1.

func vectorType(t ir.Type) *ir.VectorType {
	v, _ := t.(*ir.VectorType)
	return v
}

// made sets the result to a vector whose elements fn computes.
func (f *frame) made(op *ir.Op, r int, fn func(idx []int64) any) {
	t := vectorType(op.Result(r).Type())
	f.set(op, r, build(t.Elem, t.Shape, fn))
}

func attrInts(op *ir.Op, name string) []int64 {
	switch a := op.Attr(name).(type) {
	case *ir.ArrayAttr:
		var out []int64
		for _, e := range a.Elems {
			out = append(out, e.(*ir.IntegerAttr).Value)
		}
		return out
	case *ir.DenseArrayAttr:
		return a.Ints()
	}
	return nil
}

// position returns the indices of an extraction or insertion, that come after operand k.
func (f *frame) position(op *ir.Op, k int) []int64 {
	if op.Def().AttrIndex("static_position") >= 0 {
		return f.mixed(op, interfaces.MixedList(op, k+1, "static_position"))
	}
	var out []int64
	for _, u := range op.Operands()[k+1:] {
		out = append(out, f.defined(op, f.get(u.Value())).Int64())
	}
	return out
}

// reduce combines elements as the attribute kind says.
func reduce(op *ir.Op, t ir.Type, a, b any) any {
	if a == (Undefined{}) || b == (Undefined{}) {
		return Undefined{}
	}
	kind := op.Attr("kind").(*ir.EnumAttr).Value
	_, isFloat := t.(*ir.FloatType)
	name := map[uint64]string{1: "addi", 2: "muli", 4: "minui", 8: "minsi", 16: "minnumf", 32: "maxui", 64: "maxsi", 128: "maxnumf", 256: "andi",
		512: "ori", 1024: "xori", 2048: "minimumf", 4096: "maximumf"}[kind]
	if isFloat {
		if other := map[uint64]string{1: "addf", 2: "mulf"}[kind]; other != "" {
			name = other
		}
	}
	fn := elementwise["arith."+name]
	if fn == nil {
		panic(fmt.Errorf("kind %d: %w", kind, ErrUnknown))
	}
	return fn(op, []ir.Type{t, t}, t, []any{a, b})
}

// product multiplies in the type of the result.
func product(op *ir.Op, a, b any) any {
	if a == (Undefined{}) || b == (Undefined{}) {
		return Undefined{}
	}
	to := ir.ElementType(op.Result(0).Type())
	if _, ok := to.(*ir.FloatType); ok {
		return round(float(to), multiply(a.(Number), b.(Number)), nearestEven)
	}
	w := width(ir.ElementType(op.Operand(0).Type()))
	return wrap(new(big.Int).Mul(signed(a.(*big.Int), w), signed(b.(*big.Int), w)), width(to))
}

// masked returns the mask of the vector.mask around an operation, or nil.
func (f *frame) masked(op *ir.Op) *Tensor {
	if p := op.Parent(); p != nil && p.Name() == "vector.mask" {
		return f.get(p.Operand(0)).(*Tensor)
	}
	return nil
}

func enabled(mask *Tensor, idx []int64) bool {
	if mask == nil {
		return true
	}
	v, ok := mask.at(idx).(*big.Int)
	return ok && v.Sign() != 0
}

// join returns the bits of elements, the first the lowest.
func join(t ir.Type, elems []any) *big.Int {
	all := new(big.Int)
	for i, v := range elems {
		all.Or(all, new(big.Int).Lsh(Bits(t, v), uint(i*width(t))))
	}
	return all
}

func maskBelow(idx, bounds []int64) any {
	on := true
	for i, x := range idx {
		on = on && x < bounds[i]
	}
	if len(idx) == 0 && len(bounds) == 1 {
		on = bounds[0] > 0
	}
	return truth(on)
}

func vectorOperations() map[string]func(f *frame, op *ir.Op) {
	return map[string]func(f *frame, op *ir.Op){
		"vector.broadcast": func(f *frame, op *ir.Op) {
			v := f.operand(op, 0)
			t, ok := v.(*Tensor)
			f.made(op, 0, func(idx []int64) any {
				if !ok {
					return v
				}
				idx = idx[len(idx)-len(t.Sizes):]
				for i, n := range t.Sizes {
					if n == 1 {
						idx[i] = 0
					}
				}
				return t.at(idx)
			})
		},
		"vector.splat": func(f *frame, op *ir.Op) {
			v := f.operand(op, 0)
			f.made(op, 0, func([]int64) any { return v })
		},
		"vector.from_elements": func(f *frame, op *ir.Op) {
			k := -1
			f.made(op, 0, func([]int64) any { k++; return f.operand(op, k) })
		},
		"vector.to_elements": func(f *frame, op *ir.Op) {
			for i, v := range f.tensor(op, 0).Elems {
				f.set(op, i, v)
			}
		},
		"vector.transpose": func(f *frame, op *ir.Op) {
			t, perm := f.tensor(op, 0), interfaces.StaticInts(op, "permutation")
			f.made(op, 0, func(idx []int64) any {
				at := make([]int64, len(idx))
				for i, p := range perm {
					at[p] = idx[i]
				}
				return t.at(at)
			})
		},
		"vector.shape_cast": func(f *frame, op *ir.Op) {
			t, k := f.tensor(op, 0), -1
			f.made(op, 0, func([]int64) any { k++; return t.Elems[k] })
		},
		"vector.flat_transpose": func(f *frame, op *ir.Op) {
			t, rows, columns := f.tensor(op, 0), attrInt(op, "rows"), attrInt(op, "columns")
			_ = rows
			f.made(op, 0, func(idx []int64) any {
				// Matrices are column by column.
				i, j := idx[0]/columns, idx[0]%columns
				return t.Elems[j*rows+i]
			})
		},
		"vector.shuffle": func(f *frame, op *ir.Op) {
			a, b, mask := f.tensor(op, 0), f.tensor(op, 1), attrInts(op, "mask")
			f.made(op, 0, func(idx []int64) any {
				k := mask[idx[0]]
				if len(a.Sizes) == 0 {
					return []any{a.Elems[0], b.Elems[0]}[k]
				}
				if k < a.Sizes[0] {
					return a.at(append([]int64{k}, idx[1:]...))
				}
				return b.at(append([]int64{k - a.Sizes[0]}, idx[1:]...))
			})
		},
		"vector.interleave": func(f *frame, op *ir.Op) {
			a, b := f.tensor(op, 0), f.tensor(op, 1)
			f.made(op, 0, func(idx []int64) any {
				last := len(idx) - 1
				t := a
				if idx[last]%2 == 1 {
					t = b
				}
				idx[last] /= 2
				return t.at(idx[:len(t.Sizes)])
			})
		},
		"vector.deinterleave": func(f *frame, op *ir.Op) {
			t := f.tensor(op, 0)
			for r := range 2 {
				f.made(op, r, func(idx []int64) any {
					idx[len(idx)-1] = 2*idx[len(idx)-1] + int64(r)
					return t.at(idx)
				})
			}
		},
		"vector.extract_strided_slice": func(f *frame, op *ir.Op) {
			t, offsets, strides := f.tensor(op, 0), attrInts(op, "offsets"), attrInts(op, "strides")
			f.made(op, 0, func(idx []int64) any {
				for i := range offsets {
					idx[i] = offsets[i] + idx[i]*strides[i]
				}
				return t.at(idx)
			})
		},
		"vector.insert_strided_slice": func(f *frame, op *ir.Op) {
			src, dst, offsets, strides := f.tensor(op, 0), f.tensor(op, 1), attrInts(op, "offsets"), attrInts(op, "strides")
			f.set(op, 0, dst.with(func(set func([]int64, any)) {
				points(src.Sizes, func(idx []int64) {
					at := append([]int64(nil), offsets...)
					for i, x := range idx {
						at[len(at)-len(idx)+i] += x * strides[i]
					}
					set(at, src.at(idx))
				})
			}))
		},
		"vector.scalable.insert": func(f *frame, op *ir.Op) {
			src, dst, pos := f.tensor(op, 0), f.tensor(op, 1), attrInt(op, "pos")
			f.set(op, 0, dst.with(func(set func([]int64, any)) {
				for i, v := range src.Elems {
					set(f.inBounds(op, dst, []int64{pos + int64(i)}), v)
				}
			}))
		},
		"vector.scalable.extract": func(f *frame, op *ir.Op) {
			t, pos := f.tensor(op, 0), attrInt(op, "pos")
			f.made(op, 0, func(idx []int64) any { return t.at(f.inBounds(op, t, []int64{pos + idx[0]})) })
		},
		"vector.bitcast": func(f *frame, op *ir.Op) {
			t, to := f.tensor(op, 0), vectorType(op.Result(0).Type())
			from, last := t.Sizes, len(t.Sizes)-1
			if last < 0 {
				f.set(op, 0, &Tensor{to.Elem, to.Shape, []any{FromBits(to.Elem, Bits(t.Type, t.Elems[0]))}})
				return
			}
			f.made(op, 0, func(idx []int64) any {
				var row []any
				for k := range from[last] {
					row = append(row, t.at(append(append([]int64(nil), idx[:last]...), k)))
				}
				for _, v := range row {
					if v == (Undefined{}) {
						panic(ErrUnknown)
					}
				}
				return FromBits(to.Elem, new(big.Int).Rsh(join(t.Type, row), uint(int(idx[last])*width(to.Elem))))
			})
		},
		"vector.extract":        func(f *frame, op *ir.Op) { f.extract(op) },
		"vector.insert":         func(f *frame, op *ir.Op) { f.insert(op) },
		"vector.extractelement": func(f *frame, op *ir.Op) { f.extract(op) },
		"vector.insertelement":  func(f *frame, op *ir.Op) { f.insert(op) },
		"vector.vscale":         func(f *frame, op *ir.Op) { f.set(op, 0, big.NewInt(1)) },
		"vector.step":           func(f *frame, op *ir.Op) { f.made(op, 0, func(idx []int64) any { return big.NewInt(idx[0]) }) },
		"vector.constant_mask": func(f *frame, op *ir.Op) {
			bounds := attrInts(op, "mask_dim_sizes")
			f.made(op, 0, func(idx []int64) any { return maskBelow(idx, bounds) })
		},
		"vector.create_mask": func(f *frame, op *ir.Op) {
			bounds := f.numbers(op, op.Operands().Values())
			f.made(op, 0, func(idx []int64) any { return maskBelow(idx, bounds) })
		},
		"vector.reduction": func(f *frame, op *ir.Op) {
			t, mask := f.tensor(op, 0), f.masked(op)
			var total any
			if op.NumOperands() > 1 {
				total = f.operand(op, 1)
			}
			points(t.Sizes, func(idx []int64) {
				switch {
				case !enabled(mask, idx):
				case total == nil:
					total = t.at(idx)
				default:
					total = reduce(op, t.Type, total, t.at(idx))
				}
			})
			if total == nil {
				total = Undefined{}
			}
			f.set(op, 0, total)
		},
		"vector.multi_reduction": func(f *frame, op *ir.Op) {
			t, mask, acc := f.tensor(op, 0), f.masked(op), f.operand(op, 1)
			reduced := map[int64]bool{}
			for _, d := range attrInts(op, "reduction_dims") {
				reduced[d] = true
			}
			if len(reduced) == 0 && len(t.Sizes) == 1 {
				f.set(op, 0, t) // MLIR: nothing is reduced
				return
			}
			points(t.Sizes, func(idx []int64) {
				if !enabled(mask, idx) {
					return
				}
				var at []int64
				for d, x := range idx {
					if !reduced[int64(d)] {
						at = append(at, x)
					}
				}
				if v, ok := acc.(*Tensor); ok {
					acc = v.with(func(set func([]int64, any)) { set(at, reduce(op, t.Type, v.at(at), t.at(idx))) })
				} else {
					acc = reduce(op, t.Type, acc, t.at(idx))
				}
			})
			f.set(op, 0, acc)
		},
		"vector.contract": func(f *frame, op *ir.Op) {
			a, b, acc, mask := f.tensor(op, 0), f.tensor(op, 1), f.operand(op, 2), f.masked(op)
			var maps []*ir.AffineMap
			for _, m := range op.Attr("indexing_maps").(*ir.ArrayAttr).Elems {
				maps = append(maps, m.(*ir.AffineMapAttr).Map)
			}
			sizes := make([]int64, maps[0].Dims)
			for k, t := range []*Tensor{a, b} {
				for i, e := range maps[k].Results {
					sizes[e.Value] = t.Sizes[i]
				}
			}
			project := func(m *ir.AffineMap, idx []int64) []int64 {
				var out []int64
				for _, e := range m.Results {
					out = append(out, idx[e.Value])
				}
				return out
			}
			points(sizes, func(idx []int64) {
				if !enabled(mask, idx) {
					return
				}
				v := product(op, a.at(project(maps[0], idx)), b.at(project(maps[1], idx)))
				at := project(maps[2], idx)
				if t, ok := acc.(*Tensor); ok {
					acc = t.with(func(set func([]int64, any)) { set(at, reduce(op, t.Type, t.at(at), v)) })
				} else {
					acc = reduce(op, op.Result(0).Type(), acc, v)
				}
			})
			f.set(op, 0, acc)
		},
		"vector.outerproduct": func(f *frame, op *ir.Op) {
			a, rhs, mask := f.tensor(op, 0), f.operand(op, 1), f.masked(op)
			f.made(op, 0, func(idx []int64) any {
				var old any
				if op.NumOperands() > 2 {
					old = f.tensor(op, 2).at(idx)
				}
				if !enabled(mask, idx) {
					if old == nil {
						return Undefined{}
					}
					return old
				}
				v := rhs
				if b, ok := rhs.(*Tensor); ok {
					v = b.at(idx[1:])
				}
				v = product(op, a.at(idx[:1]), v)
				if old != nil {
					v = reduce(op, a.Type, old, v)
				}
				return v
			})
		},
		"vector.matrix_multiply": func(f *frame, op *ir.Op) {
			a, b := f.tensor(op, 0), f.tensor(op, 1)
			rows, inner := attrInt(op, "lhs_rows"), attrInt(op, "lhs_columns")
			t := ir.ElementType(op.Result(0).Type())
			f.made(op, 0, func(idx []int64) any {
				// Matrices are column by column.
				i, j := idx[0]%rows, idx[0]/rows
				var sum any
				for k := range inner {
					v := product(op, a.Elems[k*rows+i], b.Elems[j*inner+k])
					if sum == nil {
						sum = v
					} else if ft, ok := t.(*ir.FloatType); ok {
						sum = round(ft, add(sum.(Number), v.(Number)), nearestEven)
					} else {
						sum = wrap(new(big.Int).Add(sum.(*big.Int), v.(*big.Int)), width(t))
					}
				}
				return sum
			})
		},
		"vector.scan": func(f *frame, op *ir.Op) {
			t, first, dim := f.tensor(op, 0), f.tensor(op, 1), attrInt(op, "reduction_dim")
			inclusive := attrInt(op, "inclusive") != 0
			out := undefined(t.Type, t.Sizes)
			final := first
			rest := append(append([]int64(nil), t.Sizes[:dim]...), t.Sizes[dim+1:]...)
			points(rest, func(r []int64) {
				var acc any
				for k := range t.Sizes[dim] {
					idx := append(append(append([]int64(nil), r[:dim]...), k), r[dim:]...)
					switch {
					case k == 0 && inclusive:
						acc = t.at(idx)
					case k == 0:
						acc = first.at(r)
					case inclusive:
						acc = reduce(op, t.Type, acc, t.at(idx))
					default:
						before := append([]int64(nil), idx...)
						before[dim]--
						acc = reduce(op, t.Type, acc, t.at(before))
					}
					out = out.with(func(set func([]int64, any)) { set(idx, acc) })
				}
				final = final.with(func(set func([]int64, any)) { set(r, acc) })
			})
			f.set(op, 0, out)
			f.set(op, 1, final)
		},
		"vector.mask": func(f *frame, op *ir.Op) {
			results := f.region(op.RegionAt(0), nil)
			// Only what an operation that is masked computes is passed by.
			if op.NumOperands() > 1 && len(results) == 1 && op.BodyBlock(0).First() != op.BodyBlock(0).Terminator() {
				if out, ok := results[0].(*Tensor); ok {
					mask, pass := f.tensor(op, 0), f.tensor(op, 1)
					results[0] = build(out.Type, out.Sizes, func(idx []int64) any {
						if enabled(mask, idx) {
							return out.at(idx)
						}
						return pass.at(idx)
					})
				}
			}
			f.setAll(op, results)
		},
	}
}

func (f *frame) extract(op *ir.Op) {
	t, at := f.tensor(op, 0), f.position(op, 0)
	rt := vectorType(op.Result(0).Type())
	if rt == nil {
		f.set(op, 0, t.at(f.inBounds(op, t, at)))
		return
	}
	f.made(op, 0, func(idx []int64) any { return t.at(f.inBounds(op, t, append(append([]int64(nil), at...), idx...))) })
}

func (f *frame) insert(op *ir.Op) {
	v, t, at := f.operand(op, 0), f.tensor(op, 1), f.position(op, 1)
	f.set(op, 0, t.with(func(set func([]int64, any)) {
		src, ok := v.(*Tensor)
		if !ok {
			set(f.inBounds(op, t, at), v)
			return
		}
		if !equal(src.Sizes, t.Sizes[len(at):]) {
			panic(fmt.Errorf("a part of other sizes: %w", ErrUnknown))
		}
		points(src.Sizes, func(idx []int64) {
			set(f.inBounds(op, t, append(append([]int64(nil), at...), idx...)), src.at(idx))
		})
	}))
}
