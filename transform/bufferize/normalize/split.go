package normalize

import (
	"slices"

	"freehold/dialect/linalg"
	"freehold/dialect/scf"
	"freehold/dialect/tensor"
	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/ir/shapes"
)

// SplitAccumulators does the reverse of [FuseAccumulators] for few sums of much, such as the means at the end of a network of bytes: loops in the body of an operation on elements, which reduce what they read
// of a tensor, become a reduction of its own, whose accumulators are an array that is small beside that tensor. A reduction can go through the rows of the tensor as soon as they are there; a loop in a body needs
// all of them at once. Each element is reduced in the same order. It returns how many operations it divided. Linear time.
func SplitAccumulators(fn *ir.Op) (n int) {
	b := ir.NewBuilder(fn.Context())
	for _, op := range structuredIn(fn) {
		if s := splitOf(op); s != nil {
			s.rewrite(b)
			n++
		}
	}
	return n
}

// leastShare is how many times as large as the accumulators a tensor has to be that they are sums of.
const leastShare = 8

// split is an operation on elements whose body reduces in loops.
type split struct {
	linalg.StructuredOp
	loops []scf.ForOp // the innermost one last
	sizes []int64     // how often each one is executed
	// before are the operations in front of the loops that these need, in order.
	before []*ir.Op
	// counters are the dimensions of the reduction, and those of the operation, by the values that stand for them in the body.
	counters map[*ir.Value]int
	// reads are the extractions whose tensors become operands, with the maps by which they are read.
	reads []extraction
}

// extraction is an element that is read in a loop.
type extraction struct {
	op *ir.Op
	by *ir.AffineMap
}

// splitOf returns how the reduction in the body of an operation becomes one of its own; nil if it can't, or isn't worth it.
func splitOf(op *ir.Op) *split {
	o, ok := linalg.AsStructured(op)
	if !ok || !op.Is(linalg.Generic) || op.NumResults() != 1 || !interfaces.HasTensorSemantics(op) || !interfaces.AllParallel(op) || hasMeaning(op) {
		return nil
	}
	result := o.IndexingMaps()[o.Inits()[0].Index()]
	if !result.IsPermutation() || !isStatic(op.Result(0)) || o.Body().Arg(o.Inits()[0].Index()).HasUses() {
		return nil
	}
	s := &split{StructuredOp: o, counters: map[*ir.Value]int{}}
	if !s.findLoops() || !s.findBefore() {
		return nil
	}
	s.findReads()
	if !s.pays() {
		return nil
	}
	return s
}

// isStatic tells whether a value has a known size.
func isStatic(v *ir.Value) bool {
	shape, ranked := ir.ShapeOf(v.Type())
	return ranked && ir.IsStaticShape(shape)
}

// findLoops finds the only operation with a region in the body, a loop that sums up and starts with a number from outside, and those which are all that the one around them does.
func (s *split) findLoops() bool {
	var outermost *ir.Op
	for x := range s.Body().Ops() {
		if x.NumRegions() == 0 {
			if x.Is(linalg.Index) {
				s.counters[x.Result(0)] = int(linalg.IndexOp{Op: x}.Dim())
			}
			continue
		}
		if outermost != nil {
			return false
		}
		outermost = x
	}
	for next := outermost; next != nil && next.Is(scf.For); {
		f := scf.ForOp{Op: next}
		size, ok := countedFromZero(f)
		if !ok || len(f.IterArgs()) != 1 || !isScalar(f.Result(0).Type()) {
			break
		}
		s.counters[f.InductionVar()] = s.iterators() + len(s.loops)
		s.loops, s.sizes = append(s.loops, f), append(s.sizes, size)
		inner := f.Body().First()
		if inner == nil || !inner.Is(scf.For) || inner.Next() != f.Yield() || f.Yield().OnlyOperand() != inner.Result(0) || (scf.ForOp{Op: inner}).Inits().At(0) != f.IterArgs()[0] {
			break
		}
		next = inner
	}
	if len(s.loops) == 0 {
		return false
	}
	start := s.loops[0].Inits().At(0)
	return !s.isInside(start)
}

// countedFromZero returns how often a loop is executed that counts from zero by one.
func countedFromZero(f scf.ForOp) (int64, bool) {
	n, ok := f.TripCount()
	lower, _ := ir.ConstantInt(f.LowerBound())
	step, _ := ir.ConstantInt(f.Step())
	return n, ok && n > 0 && lower == 0 && step == 1 && !f.Unsigned() && f.InductionVar().Type() == ir.Index
}

// isScalar tells whether a type is one that tensors have elements of.
func isScalar(t ir.Type) bool { return ir.StorageBytes(t) > 0 && !ir.IsTensor(t) && t != ir.Index }

func (s *split) iterators() int { return len(s.Iterators()) }

// isInside tells whether a value is defined in the body.
func (s *split) isInside(v *ir.Value) bool {
	return s.Op.IsAncestorOf(interfaces.OwnerOf(v)) && v.DefiningOp() != s.Op
}

// findBefore finds the operations in front of the loops that these need. It returns false if any has effects.
func (s *split) findBefore() bool {
	needed := map[*ir.Op]bool{}
	var need func(x *ir.Op)
	need = func(x *ir.Op) {
		x.Walk(func(y *ir.Op) bool {
			for _, v := range y.Operands().Values() {
				if def := v.DefiningOp(); def != nil && def.Block() == s.Body() && def != s.loops[0].Op && !needed[def] {
					needed[def] = true
					need(def)
				}
			}
			return true
		})
	}
	need(s.innermost().Op)
	for x := range s.Body().Ops() {
		if needed[x] {
			s.before = append(s.before, x)
		}
	}
	return interfaces.IsMemoryEffectFree(s.loops[0].Op) && !slices.ContainsFunc(s.before, func(x *ir.Op) bool { return !interfaces.IsMemoryEffectFree(x) })
}

func (s *split) innermost() scf.ForOp { return s.loops[len(s.loops)-1] }

// findReads finds what elements of tensors are read by the loops and by what dimensions.
func (s *split) findReads() {
	c := s.Context()
	for x := range s.innermost().Body().Ops() {
		read := tensor.ExtractOp{Op: x}
		if !x.Is(tensor.Extract) || s.isInside(read.Tensor()) || !isStatic(read.Tensor()) {
			continue
		}
		by := make([]*ir.AffineExpr, x.NumOperands()-1)
		shape, _ := ir.ShapeOf(read.Tensor().Type())
		for i, v := range read.Indices().Values() {
			d, counts := s.counters[v]
			n, constant := ir.ConstantInt(v)
			switch {
			case counts && shape[i] == s.size(d):
				by[i] = c.AffineDim(d)
			case constant && n == 0 && shape[i] == 1:
				by[i] = c.AffineConstant(0)
			}
		}
		if !slices.Contains(by, nil) {
			s.reads = append(s.reads, extraction{x, c.AffineMap(s.iterators()+len(s.loops), 0, by...)})
		}
	}
}

// size returns that of a dimension of the reduction.
func (s *split) size(d int) int64 {
	if d >= s.iterators() {
		return s.sizes[d-s.iterators()]
	}
	shape, _ := ir.ShapeOf(s.Result(0).Type())
	for i, e := range s.IndexingMaps()[s.Inits()[0].Index()].Results {
		if e.Value == int64(d) {
			return shape[i]
		}
	}
	return -1
}

// pays tells whether each loop goes through a dimension of a tensor that becomes an operand, and the outermost one through one beside which the accumulators are small.
func (s *split) pays() bool {
	accumulators := bytesOf(s.typeOfSums())
	for k := range s.loops {
		pays := false
		for _, r := range s.reads {
			v := tensor.ExtractOp{Op: r.op}.Tensor()
			large := k > 0 || bytesOf(v.Type()) >= leastShare*accumulators && ir.ConstantOf(v) == nil
			pays = pays || large && usesDim(r.by, s.iterators()+k)
		}
		if !pays {
			return false
		}
	}
	return true
}

// usesDim tells whether a result of a map is a dimension.
func usesDim(m *ir.AffineMap, d int) bool {
	return slices.ContainsFunc(m.Results, func(e *ir.AffineExpr) bool { return e.Kind == ir.AffineDim && e.Value == int64(d) })
}

// typeOfSums is the type of the accumulators.
func (s *split) typeOfSums() *ir.RankedTensorType {
	shape, _ := ir.ShapeOf(s.Result(0).Type())
	return s.Context().RankedTensorOf(shape, s.loops[0].Result(0).Type(), nil)
}

// rewrite replaces the operation by a reduction and what is done with its result.
func (s *split) rewrite(b *ir.Builder) {
	b.SetBefore(s.Op)
	b.Loc = s.Loc()
	sums := s.reduction(b)
	inputs, maps := slices.Clone(s.Inputs().Values()), s.IndexingMaps()
	inits := s.Inits()[0].Index()
	op := linalg.NewGeneric(b, append(inputs, sums), s.Inits().Values(), slices.Insert(slices.Clone(maps), inits, maps[inits]), s.Iterators(), func(b *ir.Builder, args []*ir.Value) []*ir.Value {
		m := ir.NewMapping()
		for i, a := range args {
			if i != inits {
				m.Map(s.Body().Arg(i-min(1, i/(inits+1))), a)
			}
		}
		m.Map(s.loops[0].Result(0), args[inits])
		var out []*ir.Value
		for x := range s.Body().Ops() {
			switch {
			case x == s.Body().Last():
				for _, v := range x.Operands().Values() {
					out = append(out, m.Value(v))
				}
			case x != s.loops[0].Op:
				b.Clone(x, m)
			}
		}
		return out
	})
	dropUnused(op)
	s.ReplaceAllUsesWith(op.Results().Values())
	s.Erase()
}

// reduction writes the loops as an operation, which gets the inputs whose elements they use, and what they read.
func (s *split) reduction(b *ir.Builder) *ir.Value {
	c := b.Context()
	dims := s.iterators() + len(s.loops)
	var inputs []*ir.Value
	var maps []*ir.AffineMap
	var from []int // the inputs of the operation
	for i, v := range s.Inputs().Values() {
		if s.isUsedBefore(s.Body().Arg(i)) {
			inputs, maps, from = append(inputs, v), append(maps, c.AffineMap(dims, 0, s.IndexingMaps()[i].Results...)), append(from, i)
		}
	}
	for _, r := range s.reads {
		inputs, maps = append(inputs, tensor.ExtractOp{Op: r.op}.Tensor()), append(maps, r.by)
	}
	maps = append(maps, c.AffineMap(dims, 0, s.IndexingMaps()[s.Inits()[0].Index()].Results...))
	iterators := slices.Clone(s.Iterators())
	for range s.loops {
		iterators = append(iterators, interfaces.Reduction)
	}
	t := s.typeOfSums()
	sizes := make([]shapes.OpFoldResult, len(t.Shape))
	for i, d := range t.Shape {
		sizes[i] = shapes.ConstSize(d)
	}
	init := linalg.NewFill(b, s.loops[0].Inits().At(0), tensor.NewEmpty(b, sizes, t.Elem, nil)).Result(0)
	op := linalg.NewGeneric(b, inputs, []*ir.Value{init}, maps, iterators, func(b *ir.Builder, args []*ir.Value) []*ir.Value {
		m := ir.NewMapping()
		for k, i := range from {
			m.Map(s.Body().Arg(i), args[k])
		}
		for k, r := range s.reads {
			m.Map(r.op.Result(0), args[len(from)+k])
		}
		for k, f := range s.loops {
			m.Map(f.InductionVar(), linalg.NewIndex(b, s.iterators()+k))
		}
		inner := s.innermost()
		m.Map(inner.IterArgs()[0], args[len(args)-1])
		for _, x := range s.before {
			b.Clone(x, m)
		}
		for x := range inner.Body().Ops() {
			if x != inner.Yield() && !slices.ContainsFunc(s.reads, func(r extraction) bool { return r.op == x }) {
				b.Clone(x, m)
			}
		}
		return []*ir.Value{m.Value(inner.Yield().OnlyOperand())}
	})
	dropUnused(op)
	return op.Result(0)
}

// dropUnused drops what only the other half of a body needs.
func dropUnused(op *ir.Op) {
	for x := op.BodyBlock(0).Last().Prev(); x != nil; {
		before := x.Prev()
		if !x.HasUses() && interfaces.IsMemoryEffectFree(x) {
			x.Erase()
		}
		x = before
	}
}

// isUsedBefore tells whether what the loops need is made of an element.
func (s *split) isUsedBefore(arg *ir.Value) bool {
	for u := arg.FirstUse(); u != nil; u = u.Next() {
		if slices.Contains(s.before, u.Owner()) || s.loops[0].IsAncestorOf(u.Owner()) {
			return true
		}
	}
	return false
}
