package linalg

import (
	"freehold/dialect/affine"
	"freehold/dialect/arith"
	"freehold/dialect/linalg"
	"freehold/dialect/memref"
	"freehold/dialect/scf"
	"freehold/dialect/tensor"
	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/ir/rewrite"
	"freehold/ir/shapes"
)

// LoopKind says what loops and accesses replace a structured operation.
type LoopKind uint8

// The kinds of loops.
const (
	// SCFLoops is a nest of scf.for.
	SCFLoops LoopKind = iota
	// AffineLoops is a nest of affine.for, with affine.load and affine.store. That
	// sizes and positions are valid in the affine dialect is up to the program.
	AffineLoops
	// ParallelLoops joins neighbouring parallel dimensions to one scf.parallel; the
	// other dimensions are scf.for.
	ParallelLoops
)

// LoopPatterns returns the patterns that replace structured operations on memrefs by
// loops, and those that simplify the sizes and positions that this computes.
func LoopPatterns(c *ir.Context, kind LoopKind) []rewrite.Pattern {
	list := []rewrite.Pattern{{Name: "LinalgRewritePattern", Applies: isStructured, Rewrite: func(r *rewrite.Rewriter, op *ir.Op) bool {
		return toLoops(r, op, kind)
	}}}
	for _, id := range []*ir.OpID{memref.Dim, tensor.Dim, affine.Apply} {
		list = append(list, rewrite.CanonicalizationOf(c.OpNameOf(id))...)
	}
	return list
}

// toLoops replaces a structured operation on memrefs by a loop nest over its
// iteration space.
func toLoops(r *rewrite.Rewriter, op *ir.Op, kind LoopKind) bool {
	o, ok := linalg.AsStructured(op)
	if !ok || !interfaces.HasBufferSemantics(op) {
		return false
	}
	r.Loc = op.Loc()
	n := nest{b: r.Builder, op: o, kind: kind}
	n.ranges()
	n.build(0)
	r.Erase(op)
	return true
}

// nest is a loop nest that is being built.
type nest struct {
	b    *ir.Builder
	op   linalg.StructuredOp
	kind LoopKind
	// lower, upper and step are the bounds of the dimensions of the iteration space.
	lower, upper, step []*ir.Value
	ivs                []*ir.Value
}

// ranges computes the bounds of the loops, from the first operand in which a
// dimension is a position by itself.
func (n *nest) ranges() {
	var sizes []shapes.OpFoldResult
	loops := make([]int, n.op.NumLoops())
	for i := range loops {
		loops[i] = -1
	}
	for i, m := range n.op.IndexingMaps() {
		for j, e := range m.Results {
			if e.Kind == ir.AffineDim && loops[e.Value] < 0 {
				loops[e.Value] = len(sizes)
			}
			sizes = append(sizes, memref.SizeOf(n.b, n.op.Operand(i), j))
		}
	}
	for _, at := range loops {
		n.lower = append(n.lower, arith.ConstantIndex(n.b, 0))
		n.upper = append(n.upper, arith.ValueOf(n.b, sizes[at]))
		n.step = append(n.step, arith.ConstantIndex(n.b, 1))
	}
}

// build creates the loops from dimension d on.
func (n *nest) build(d int) {
	iterators := n.op.Iterators()
	if d == len(iterators) {
		n.body()
		return
	}
	inner := func(_ *ir.Builder, iv *ir.Value, _ []*ir.Value) []*ir.Value {
		n.ivs = append(n.ivs, iv)
		n.build(d + 1)
		return nil
	}
	switch {
	case n.kind == AffineLoops:
		n.affineFor(d, inner)
	case n.kind == ParallelLoops && iterators[d] == interfaces.Parallel:
		end := d
		for end < len(iterators) && iterators[end] == interfaces.Parallel {
			end++
		}
		scf.NewParallel(n.b, n.lower[d:end], n.upper[d:end], n.step[d:end], func(_ *ir.Builder, ivs []*ir.Value) {
			n.ivs = append(n.ivs, ivs...)
			n.build(end)
		})
	default:
		scf.NewFor(n.b, n.lower[d], n.upper[d], n.step[d], nil, inner)
	}
}

// affineFor creates a loop whose bounds are constants if both are known.
func (n *nest) affineFor(d int, body func(b *ir.Builder, iv *ir.Value, args []*ir.Value) []*ir.Value) {
	c := n.b.Context()
	if size, ok := ir.ConstantInt(n.upper[d]); ok {
		affine.NewFor(n.b, c.ConstantMap(0), nil, c.ConstantMap(size), nil, 1, nil, body)
		return
	}
	id := c.IdentityMap(1)
	affine.NewFor(n.b, id, n.lower[d:d+1], id, n.upper[d:d+1], 1, nil, body)
}

// body computes one point: it loads the elements of the operands, does what the
// operation's body does, and stores what that yields.
func (n *nest) body() {
	maps, inits := n.op.IndexingMaps(), n.op.Inits()
	m := ir.NewMapping()
	for i := range n.op.NumOperands() {
		v := n.op.Operand(i)
		if ir.IsMemRef(v.Type()) {
			v = n.load(v, n.positions(maps[i]))
		}
		if arg := n.op.BodyArg(n.op.OperandUse(i)); arg != nil {
			m.Map(arg, v)
		}
	}
	positions := make([][]*ir.Value, len(inits))
	for i := range inits {
		positions[i] = n.positions(maps[inits[i].Index()])
	}
	body := n.op.Body()
	for op := body.First(); op != body.Last(); op = op.Next() {
		if op.Is(linalg.Index) {
			m.Map(op.Result(0), n.ivs[linalg.IndexOp{Op: op}.Dim()])
			continue
		}
		n.b.Clone(op, m)
	}
	for i, v := range n.op.Yielded().Values() {
		n.store(m.Value(v), inits.At(i), positions[i])
	}
}

// positions computes the results of an indexing map for the loops' counters.
func (n *nest) positions(m *ir.AffineMap) []*ir.Value {
	c := n.b.Context()
	out := make([]*ir.Value, len(m.Results))
	for i, e := range m.Results {
		one, operands := affine.CanonicalOperands(c, c.AffineMap(m.Dims, m.Syms, e), n.ivs)
		out[i] = n.apply(one, operands)
	}
	return out
}

// apply is the value of a map with one result, which may be one of its operands
// or constant.
func (n *nest) apply(m *ir.AffineMap, operands []*ir.Value) *ir.Value {
	switch e := m.Results[0]; {
	case e.Kind == ir.AffineConst && len(operands) == 0:
		return arith.ConstantIndex(n.b, e.Value)
	case e.Kind == ir.AffineDim || e.Kind == ir.AffineSymbol:
		return operands[0]
	}
	return affine.NewApply(n.b, m, operands...)
}

func (n *nest) load(v *ir.Value, positions []*ir.Value) *ir.Value {
	if n.kind == AffineLoops {
		return affine.NewLoad(n.b, v, n.b.Context().IdentityMap(len(positions)), positions...)
	}
	return memref.NewLoad(n.b, v, positions...)
}

func (n *nest) store(value, v *ir.Value, positions []*ir.Value) {
	if n.kind == AffineLoops {
		affine.NewStore(n.b, value, v, n.b.Context().IdentityMap(len(positions)), positions...)
		return
	}
	memref.NewStore(n.b, value, v, positions...)
}
