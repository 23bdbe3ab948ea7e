package naive

import (
	"fmt"
	"math/big"
	"slices"

	"freehold/dialect/tensor"
	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/ir/shapes"
)

func arithOperations() map[string]func(f *frame, op *ir.Op) {
	return map[string]func(f *frame, op *ir.Op){
		// A selection by one i1 is of whole values.
		"arith.select": func(f *frame, op *ir.Op) {
			if ir.IsShaped(op.Operand(0).Type()) {
				f.mapElements(op, integerFunctions()["arith.select"])
				return
			}
			c, ok := f.operand(op, 0).(*big.Int)
			switch {
			case !ok && ir.IsShaped(op.Result(0).Type()):
				f.wrong(op, Uninitialized, "an undefined condition")
			case !ok:
				f.set(op, 0, Undefined{})
			case c.Sign() != 0:
				f.set(op, 0, f.operand(op, 1))
			default:
				f.set(op, 0, f.operand(op, 2))
			}
		},
		"index.sizeof":     func(f *frame, op *ir.Op) { f.set(op, 0, big.NewInt(64)) },
		"complex.constant": func(f *frame, op *ir.Op) { f.set(op, 0, constant(op.Attr("value"))) },
	}
}

// reshaped gives the elements other sizes.
func (f *frame) reshaped(op *ir.Op, t *Tensor, sizes []int64) {
	if count(sizes) != int64(len(t.Elems)) {
		f.wrong(op, SizeMismatch, "another number of elements")
	}
	for i, n := range sizes {
		if shape, ok := ir.ShapeOf(op.Result(0).Type()); n < 0 || ok && shape[i] != ir.Dynamic && shape[i] != n {
			f.wrong(op, SizeMismatch, "another size")
		}
	}
	f.set(op, 0, &Tensor{t.Type, sizes, t.Elems})
}

// fitsType checks that sizes are those of the type of the result.
func (f *frame) fitsType(op *ir.Op, sizes []int64) {
	shape, ranked := ir.ShapeOf(op.Result(0).Type())
	for i, n := range sizes {
		if ranked && shape[i] != ir.Dynamic && shape[i] != n {
			f.wrong(op, SizeMismatch, "another size")
		}
	}
}

// inserted returns the tensor of operand 1 with operand 0 in a slice.
func (f *frame) inserted(op *ir.Op) *Tensor {
	src, dst := f.tensor(op, 0), f.tensor(op, 1)
	s := interfaces.SliceOf(op)
	offsets, sizes, strides := f.mixed(op, s.Offsets), f.mixed(op, s.Sizes), f.mixed(op, s.Strides)
	for i := range sizes {
		f.insideSlice(op, dst.Sizes[i], offsets[i], sizes[i], strides[i])
	}
	dropped := tensor.InsertSliceOp{Op: op}.DroppedDims()
	if !equal(drop(sizes, dropped), src.Sizes) {
		f.wrong(op, SizeMismatch, "a slice of another size")
	}
	return dst.with(func(set func(idx []int64, v any)) {
		points(sizes, func(idx []int64) {
			at := make([]int64, len(idx))
			for i := range idx {
				at[i] = offsets[i] + idx[i]*strides[i]
			}
			set(at, src.at(drop(idx, dropped)))
		})
	})
}

func (f *frame) inBounds(op *ir.Op, t *Tensor, idx []int64) []int64 {
	if !t.inside(idx) {
		f.wrong(op, OutOfBounds, "index %v is out of bounds %v", idx, t.Sizes)
	}
	return idx
}

// tiled returns the place in a packed tensor of an element of the unpacked one, or the
// other way round: outer indices and those in tiles.
func tiles(op *ir.Op, rank int) (dims, tile, perm []int64) {
	dims, tile = interfaces.StaticInts(op, "inner_dims_pos"), interfaces.StaticInts(op, "static_inner_tiles")
	if perm = interfaces.StaticInts(op, "outer_dims_perm"); len(perm) == 0 {
		for i := range rank {
			perm = append(perm, int64(i))
		}
	}
	return dims, tile, perm
}

// relayout says what is wrong with the sizes of a packed tensor: it must have an element for each of the other one, and with full tiles, or since LLVM 22, no
// more of them than tiles need.
func (f *frame) relayout(op *ir.Op, unpacked, packed []int64, full bool) {
	rank := len(unpacked)
	dims, tile, perm := tiles(op, rank)
	for k, n := range tile {
		if packed[rank+k] != n {
			f.wrong(op, SizeMismatch, "a tile of another size")
		}
	}
	for i, d := range perm {
		each := int64(1)
		for k, p := range dims {
			if p == d {
				each = tile[k]
			}
		}
		has := packed[i] * each
		fits := has >= unpacked[d]
		if op.Context().LLVM() >= 22 {
			fits = fits && has < unpacked[d]+each
		}
		if full {
			fits = has == unpacked[d]
		}
		if !fits {
			f.wrong(op, SizeMismatch, "tiles that do not fit")
		}
	}
}

// unpackedIndex returns the indices of the element that a packed tensor has at idx.
func unpackedIndex(idx, dims, tile, perm []int64) []int64 {
	rank := len(idx) - len(dims)
	out := make([]int64, rank)
	for i, p := range perm {
		out[p] = idx[i]
	}
	for k, d := range dims {
		out[d] = out[d]*tile[k] + idx[rank+k]
	}
	return out
}

func tensorOperations() map[string]func(f *frame, op *ir.Op) {
	return map[string]func(f *frame, op *ir.Op){
		"tensor.empty": func(f *frame, op *ir.Op) {
			shape, _ := ir.ShapeOf(op.Result(0).Type())
			sizes := f.mixed(op, shapes.Mixed(shape, op.Operands().Values()))
			for _, n := range sizes {
				if n < 0 {
					f.wrong(op, SizeMismatch, "a negative size")
				}
			}
			f.set(op, 0, undefined(ir.ElementType(op.Result(0).Type()), sizes))
		},
		"tensor.cast": func(f *frame, op *ir.Op) {
			t := f.tensor(op, 0)
			if shape, ok := ir.ShapeOf(op.Result(0).Type()); ok {
				for i, n := range shape {
					if n != ir.Dynamic && n != t.Sizes[i] {
						f.wrong(op, SizeMismatch, "another size")
					}
				}
			}
			f.set(op, 0, t)
		},
		"tensor.bitcast": func(f *frame, op *ir.Op) {
			t, out := f.tensor(op, 0), ir.ElementType(op.Result(0).Type())
			f.set(op, 0, build(out, t.Sizes, func(idx []int64) any {
				if v := t.at(idx); v != (Undefined{}) {
					return FromBits(out, Bits(t.Type, v))
				}
				return Undefined{}
			}))
		},
		"tensor.dim":  func(f *frame, op *ir.Op) { f.dimension(op, f.tensor(op, 0).Sizes) },
		"tensor.rank": func(f *frame, op *ir.Op) { f.set(op, 0, big.NewInt(int64(len(f.tensor(op, 0).Sizes)))) },
		"tensor.extract": func(f *frame, op *ir.Op) {
			t := f.tensor(op, 0)
			f.set(op, 0, t.at(f.inBounds(op, t, f.numbers(op, op.OperandGroup(1).Values()))))
		},
		"tensor.insert": func(f *frame, op *ir.Op) {
			t := f.tensor(op, 1)
			idx := f.inBounds(op, t, f.numbers(op, op.OperandGroup(2).Values()))
			f.set(op, 0, t.with(func(set func([]int64, any)) { set(idx, f.operand(op, 0)) }))
		},
		"tensor.extract_slice": func(f *frame, op *ir.Op) {
			t, s := f.tensor(op, 0), interfaces.SliceOf(op)
			offsets, sizes, strides := f.mixed(op, s.Offsets), f.mixed(op, s.Sizes), f.mixed(op, s.Strides)
			for i := range sizes {
				f.insideSlice(op, t.Sizes[i], offsets[i], sizes[i], strides[i])
			}
			full := build(t.Type, sizes, func(idx []int64) any {
				for i := range idx {
					idx[i] = offsets[i] + idx[i]*strides[i]
				}
				return t.at(idx)
			})
			f.set(op, 0, &Tensor{t.Type, drop(sizes, tensor.ExtractSliceOp{Op: op}.DroppedDims()), full.Elems})
		},
		"tensor.insert_slice": func(f *frame, op *ir.Op) { f.set(op, 0, f.inserted(op)) },
		"tensor.from_elements": func(f *frame, op *ir.Op) {
			shape, _ := ir.ShapeOf(op.Result(0).Type())
			f.set(op, 0, &Tensor{ir.ElementType(op.Result(0).Type()), shape, f.all(op)})
		},
		"tensor.splat": func(f *frame, op *ir.Op) {
			shape, _ := ir.ShapeOf(op.Result(0).Type())
			v := f.operand(op, 0)
			f.set(op, 0, build(op.Operand(0).Type(), f.mixed(op, shapes.Mixed(shape, op.OperandGroup(1).Values())), func([]int64) any { return v }))
		},
		"tensor.generate": func(f *frame, op *ir.Op) {
			shape, _ := ir.ShapeOf(op.Result(0).Type())
			sizes := f.mixed(op, shapes.Mixed(shape, op.Operands().Values()))
			if slices.ContainsFunc(sizes, func(n int64) bool { return n < 0 }) {
				f.wrong(op, SizeMismatch, "a negative size")
			}
			f.set(op, 0, build(ir.ElementType(op.Result(0).Type()), sizes, func(idx []int64) any { return f.element(op, idx) }))
		},
		"tensor.pad": func(f *frame, op *ir.Op) {
			t := f.tensor(op, 0)
			low, high := f.mixed(op, interfaces.MixedList(op, 1, "static_low")), f.mixed(op, interfaces.MixedList(op, 2, "static_high"))
			sizes := make([]int64, len(low))
			shape, _ := ir.ShapeOf(op.Result(0).Type())
			for i := range sizes {
				if sizes[i] = t.Sizes[i] + low[i] + high[i]; sizes[i] < 0 || shape[i] != ir.Dynamic && shape[i] != sizes[i] {
					f.wrong(op, SizeMismatch, "another size")
				}
				if low[i] < 0 || high[i] < 0 {
					f.wrong(op, SizeMismatch, "a negative padding")
				}
			}
			f.set(op, 0, build(t.Type, sizes, func(idx []int64) any {
				at := make([]int64, len(idx))
				for i := range idx {
					at[i] = idx[i] - low[i]
				}
				if t.inside(at) {
					return t.at(at)
				}
				return f.element(op, idx)
			}))
		},
		"tensor.reshape": func(f *frame, op *ir.Op) {
			shape := f.tensor(op, 1)
			sizes := []int64{}
			for _, x := range shape.Elems {
				sizes = append(sizes, signed(f.defined(op, x), width(shape.Type)).Int64())
			}
			f.reshaped(op, f.tensor(op, 0), sizes)
		},
		"tensor.expand_shape": func(f *frame, op *ir.Op) {
			t, sizes := f.tensor(op, 0), f.mixed(op, interfaces.MixedList(op, 1, "static_output_shape"))
			for d, g := range groupsOf(op.Attr("reassociation")) {
				n := int64(1)
				for _, k := range g {
					n *= sizes[k]
				}
				if n != t.Sizes[d] {
					f.wrong(op, SizeMismatch, "a dimension is split into another number")
				}
			}
			f.reshaped(op, t, sizes)
		},
		"tensor.collapse_shape": func(f *frame, op *ir.Op) {
			t := f.tensor(op, 0)
			sizes := []int64{}
			for _, g := range groupsOf(op.Attr("reassociation")) {
				n := int64(1)
				for _, d := range g {
					n *= t.Sizes[d]
				}
				sizes = append(sizes, n)
			}
			f.reshaped(op, t, sizes)
		},
		"tensor.concat": func(f *frame, op *ir.Op) {
			dim := attrInt(op, "dim")
			sizes := append([]int64(nil), f.tensor(op, 0).Sizes...)
			sizes[dim] = 0
			for i := range op.NumOperands() {
				for d, n := range f.tensor(op, i).Sizes {
					if int64(d) == dim {
						sizes[d] += n
					} else if n != sizes[d] {
						f.wrong(op, SizeMismatch, "tensors of other sizes")
					}
				}
			}
			f.fitsType(op, sizes)
			f.set(op, 0, build(f.tensor(op, 0).Type, sizes, func(idx []int64) any {
				for i := range op.NumOperands() {
					t := f.tensor(op, i)
					if idx[dim] < t.Sizes[dim] {
						return t.at(f.inBounds(op, t, idx))
					}
					idx[dim] -= t.Sizes[dim]
				}
				return nil
			}))
		},
		"tensor.gather": func(f *frame, op *ir.Op) {
			t, at := f.tensor(op, 0), f.tensor(op, 1)
			dims := interfaces.StaticInts(op, "gather_dims")
			shape, _ := ir.ShapeOf(op.Result(0).Type())
			sizes := append([]int64(nil), shape...)
			batch := len(at.Sizes) - 1
			copy(sizes, at.Sizes[:batch])
			slice := append([]int64(nil), t.Sizes...)
			for _, d := range dims {
				slice[d] = 1
			}
			var out []any
			seen := map[string]bool{}
			points(at.Sizes[:batch], func(b []int64) {
				var place []int64
				for k := range dims {
					listed := f.inBounds(op, at, append(append([]int64(nil), b...), int64(k)))
					place = append(place, signed(f.defined(op, at.at(listed)), width(at.Type)).Int64())
				}
				if key := fmt.Sprint(place); op.Attr("unique") != nil && seen[key] {
					f.wrong(op, Unspecified, "a place that is gathered twice")
				} else {
					seen[key] = true
				}
				points(slice, func(idx []int64) {
					for k, d := range dims {
						idx[d] = place[k]
					}
					out = append(out, t.at(f.inBounds(op, t, idx)))
				})
			})
			rest := shape[batch:]
			if len(rest) == len(slice) {
				rest = slice
			}
			f.set(op, 0, &Tensor{t.Type, append(append([]int64(nil), at.Sizes[:batch]...), rest...), out})
		},
		"tensor.pack": func(f *frame, op *ir.Op) {
			src, dst := f.tensor(op, 0), f.tensor(op, 1)
			dims, tile, perm := tiles(op, len(src.Sizes))
			var padding any
			if g := op.OperandGroup(2); len(g) > 0 {
				padding = f.get(g[0].Value())
			}
			for _, n := range tile {
				if n == ir.Dynamic {
					panic(ErrUnknown)
				}
			}
			f.relayout(op, src.Sizes, dst.Sizes, padding == nil)
			f.set(op, 0, build(src.Type, dst.Sizes, func(idx []int64) any {
				at := unpackedIndex(idx, dims, tile, perm)
				if !src.inside(at) {
					return padding
				}
				return src.at(at)
			}))
		},
		"tensor.unpack": func(f *frame, op *ir.Op) {
			src, dst := f.tensor(op, 0), f.tensor(op, 1)
			dims, tile, perm := tiles(op, len(dst.Sizes))
			for _, n := range tile {
				if n == ir.Dynamic {
					panic(ErrUnknown)
				}
			}
			f.relayout(op, dst.Sizes, src.Sizes, false)
			f.set(op, 0, dst.with(func(set func([]int64, any)) {
				points(src.Sizes, func(idx []int64) {
					if at := unpackedIndex(idx, dims, tile, perm); dst.inside(at) {
						set(at, src.at(idx))
					}
				})
			}))
		},
	}
}

// element executes a region that yields the element with given indices.
func (f *frame) element(op *ir.Op, idx []int64) any {
	args := make([]any, len(idx))
	for i, x := range idx {
		args[i] = big.NewInt(x)
	}
	return f.region(op.RegionAt(0), args)[0]
}
