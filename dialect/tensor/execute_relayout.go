package tensor

import (
	"slices"

	"freehold/exec"
	"freehold/ir"
)

// gathered compiles visiting the slices of a tensor at the positions that an
// index tensor lists: for each element of the slices, fn gets its position among
// the slices and in the tensor. No position may be listed twice if the operation
// says so.
func gathered(op *ir.Op, dims []int64, at func(f *exec.Frame) (tensor, indices *exec.Tensor)) func(f *exec.Frame, fn func(i, j int64)) error {
	unique := op.Attr("unique") != nil
	return func(f *exec.Frame, fn func(i, j int64)) error {
		t, indices := at(f)
		rank := len(indices.Sizes) - 1
		// Nothing says that the last dimension of the indices has as many elements as dimensions are indexed.
		each := indices.Sizes[rank]
		if indices.Elements() > 0 && each < int64(len(dims)) {
			return exec.Findf(exec.OutOfBounds, op, "%d dimensions are indexed by positions of size %d", len(dims), each)
		}
		list, err := indices.Integers(op)
		if err != nil {
			return err
		}
		// The dimensions that are not indexed are taken whole.
		sizes := append([]int64(nil), indices.Sizes[:rank]...)
		var rest []int64
		for d, n := range t.Sizes {
			if !slices.Contains(dims, int64(d)) {
				sizes = append(sizes, n)
				rest = append(rest, int64(d))
			}
		}
		position := make([]int64, len(t.Sizes))
		taken := map[int64]bool{}
		return exec.Each(sizes, func(i int64, idx []int64) error {
			batch := int64(0)
			for d := range rank {
				batch = batch*indices.Sizes[d] + idx[d]
			}
			for k, d := range dims {
				position[d] = list[batch*each+int64(k)]
			}
			for k, d := range rest {
				position[d] = idx[rank+k]
			}
			j, err := t.Index(op, position)
			if err != nil {
				return err
			}
			if unique {
				if taken[j] {
					return exec.Findf(exec.Undefined, op, "positions that are said to be unique are not")
				}
				taken[j] = true
			}
			fn(i, j)
			return nil
		})
	}
}

func executeGather(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	o := GatherOp{op}
	src, idx := c.Object(o.Source()), c.Object(o.Indices())
	visit := gathered(op, o.Dims(), func(f *exec.Frame) (*exec.Tensor, *exec.Tensor) {
		return f.O[src].(*exec.Tensor), f.O[idx].(*exec.Tensor)
	})
	shape := ranked(op.Result(0).Type()).Shape
	full := len(shape) == len(ranked(o.Source().Type()).Shape)+len(ranked(o.Indices().Type()).Shape)-1
	return fresh(c, op, func(f *exec.Frame) []int64 {
		s, x := f.O[src].(*exec.Tensor), f.O[idx].(*exec.Tensor)
		sizes := append([]int64(nil), x.Sizes[:len(x.Sizes)-1]...)
		for d, n := range s.Sizes {
			if !slices.Contains(o.Dims(), int64(d)) {
				sizes = append(sizes, n)
			} else if full {
				sizes = append(sizes, 1)
			}
		}
		return sizes
	}, func(f *exec.Frame, t *exec.Tensor) error {
		s := f.O[src].(*exec.Tensor)
		return visit(f, func(i, j int64) { t.CopyElement(i, s, j) })
	}), nil
}

func executeScatter(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	o := ScatterOp{op}
	src, idx, d := c.Object(ScatterOp{op}.Source()), c.Object(ScatterOp{op}.Indices()), c.Object(op.Result(0))
	take := c.Take(op.OperandUse(1))
	visit := gathered(op, o.Dims(), func(f *exec.Frame) (*exec.Tensor, *exec.Tensor) {
		return f.O[d].(*exec.Tensor), f.O[idx].(*exec.Tensor)
	})
	return func(f *exec.Frame) error {
		t := take(f)
		f.O[d] = t
		s := f.O[src].(*exec.Tensor)
		return visit(f, func(i, j int64) { t.CopyElement(j, s, i) })
	}, nil
}

// relayout is what tensor.pack and tensor.unpack know when they are compiled.
type relayout struct {
	op    *ir.Op
	pos   []int64
	perm  []int64
	tiles func(f *exec.Frame) []int64
	rank  int
	// exact says that there are no more tiles than needed; full, that all of them are full.
	exact, full bool
}

func relayoutOf(c *exec.Compiler, op *ir.Op) relayout {
	o := RelayoutOp{op}
	r := relayout{op: op, pos: o.InnerDimsPos(), perm: o.OuterDimsPerm(), tiles: c.Sizes(o.InnerTiles()), rank: len(o.Unpacked().Shape)}
	r.full = op.Is(Pack) && o.Padding() == nil
	r.exact = r.full || op.Context().LLVM() >= exactTilesSince
	if len(r.perm) == 0 {
		for i := range r.rank {
			r.perm = append(r.perm, int64(i))
		}
	}
	return r
}

// check returns the sizes of the tiles, if the packed tensor is one that the other one can be packed to, which is undefined behavior otherwise. It is what
// the verifier asks of sizes that it knows.
func (r relayout) check(f *exec.Frame, unpacked, packed []int64) ([]int64, error) {
	tiles := r.tiles(f)
	outer := slices.Clone(unpacked)
	for k, p := range r.pos {
		n := tiles[k]
		switch {
		case n < 1:
			return nil, exec.Findf(exec.DivisionByZero, r.op, "a tile has the size %d", n)
		case packed[r.rank+k] != n:
			return nil, exec.Findf(exec.SizeMismatch, r.op, "a tile has the size %d, and %d in the packed tensor", n, packed[r.rank+k])
		case r.full && outer[p]%n != 0:
			return nil, exec.Findf(exec.SizeMismatch, r.op, "tiles of size %d don't divide dimension %d of size %d, and there is no padding value", n, p, outer[p])
		}
		outer[p] = (outer[p]-1)/n + 1
		if unpacked[p] == 0 {
			outer[p] = 0
		}
	}
	for i, p := range r.perm {
		if d := outer[p]; packed[i] < d || packed[i] > d && r.exact {
			return nil, exec.Findf(exec.SizeMismatch, r.op, "dimension %d of size %d is packed to %d, where the packed tensor has %d", p, unpacked[p], d, packed[i])
		}
	}
	return tiles, nil
}

func executePack(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	r := relayoutOf(c, op)
	src, take, d := c.Object(PackOp{op}.Source()), c.Take(op.OperandUse(1)), c.Object(op.Result(0))
	padding := exec.Discard
	if p := (RelayoutOp{op}).Padding(); p != nil {
		padding = c.Reg(p)
	}
	return func(f *exec.Frame) error {
		s, t := f.O[src].(*exec.Tensor), take(f)
		f.O[d] = t
		tiles, err := r.check(f, s.Sizes, t.Sizes)
		if err != nil {
			return err
		}
		position := make([]int64, r.rank)
		return exec.Each(t.Sizes, func(i int64, idx []int64) error {
			for k, p := range r.perm {
				position[p] = idx[k]
			}
			for k, p := range r.pos {
				position[p] = position[p]*tiles[k] + idx[r.rank+k]
			}
			for k, x := range position {
				if x >= s.Sizes[k] && padding != exec.Discard {
					t.Set(f, i, padding)
					return nil
				}
			}
			j, err := s.Index(op, position)
			if err == nil {
				t.CopyElement(i, s, j)
			}
			return err
		})
	}, nil
}

func executeUnpack(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	r := relayoutOf(c, op)
	src, take, d := c.Object(UnpackOp{op}.Source()), c.Take(op.OperandUse(1)), c.Object(op.Result(0))
	return func(f *exec.Frame) error {
		s, t := f.O[src].(*exec.Tensor), take(f)
		f.O[d] = t
		tiles, err := r.check(f, t.Sizes, s.Sizes)
		if err != nil {
			return err
		}
		position := make([]int64, r.rank+len(tiles))
		outer := make([]int64, r.rank)
		return exec.Each(t.Sizes, func(i int64, idx []int64) error {
			copy(outer, idx)
			for k, p := range r.pos {
				position[r.rank+k] = outer[p] % tiles[k]
				outer[p] /= tiles[k]
			}
			for k, p := range r.perm {
				position[k] = outer[p]
			}
			j, err := s.Index(op, position)
			if err == nil {
				t.CopyElement(i, s, j)
			}
			return err
		})
	}, nil
}
