package licm

import (
	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/pass"
)

// HoistSubsets makes loops in op carry, besides a tensor, the parts of it that each
// iteration first reads and then overwrites, if they are the same in each iteration:
// the extraction moves before the loop, and the insertion behind it. Inner loops
// come first. Quadratic in the number of operations on parts of one tensor in a
// loop.
func HoistSubsets(op *ir.Op) {
	var loops []*ir.Op
	op.WalkPostOrder(func(o *ir.Op) {
		if interfaces.LoopLike.Has(o) {
			loops = append(loops, o)
		}
	})
	b := ir.NewBuilder(op.Context())
	for _, loop := range loops {
		m, _ := interfaces.LoopLike.Of(loop)
		for i := 0; i < len(m.IterArgs(loop)); i++ {
			loop = hoistSubsetsOf(b, m, loop, i)
		}
	}
}

// subsets are the operations on parts of a tensor that a loop carries.
type subsets struct {
	all   []*ir.Op
	pairs []subsetPair
}

// subsetPair is an extraction and an insertion of the same part; either may be nil.
type subsetPair struct{ extraction, insertion *ir.Op }

// anyTensor takes all tensors for equivalent: the search follows insertions only
// from the tensor to the updated tensor.
func anyTensor(*ir.Value, *ir.Value) bool { return true }

// add adds an operation; if it may be hoisted, it is paired with one on the same
// part.
func (s *subsets) add(op *ir.Op, hoistable bool) {
	s.all = append(s.all, op)
	if !hoistable {
		return
	}
	if interfaces.SubsetExtraction.Has(op) {
		for i, p := range s.pairs {
			if p.insertion != nil && samePart(p.insertion, op) {
				s.pairs[i].extraction = op
				return
			}
		}
		s.pairs = append(s.pairs, subsetPair{extraction: op})
	}
	if interfaces.SubsetInsertion.Has(op) {
		for i, p := range s.pairs {
			if p.extraction != nil && samePart(op, p.extraction) {
				s.pairs[i].insertion = op
				return
			}
		}
		s.pairs = append(s.pairs, subsetPair{insertion: op})
	}
}

func samePart(insertion, extraction *ir.Op) bool {
	m, _ := interfaces.SubsetInsertion.Of(insertion)
	return m.EquivalentSubset(insertion, extraction.Result(0), anyTensor)
}

// disjoint tells whether no other operation works on the part of the pair.
func (s *subsets) disjoint(p subsetPair) bool {
	for _, op := range s.all {
		if op != p.extraction && op != p.insertion &&
			!(interfaces.DisjointSubsets(op, p.extraction, anyTensor) && interfaces.DisjointSubsets(op, p.insertion, anyTensor)) {
			return false
		}
	}
	return true
}

// mayBeExecuted tells whether the operations of a pair may be executed once for a loop: it has an iteration, in which they are, or they are known to be within
// bounds.
func (p subsetPair) mayBeExecuted(loop *ir.Op) bool {
	if count, ok := interfaces.TripCount.Of(loop); ok {
		if n, known := count(loop); known && n > 0 {
			return true
		}
	}
	return isWithinBounds(p.extraction) && isWithinBounds(p.insertion)
}

// isWithinBounds tells whether the part that an operation works on is known to be one.
func isWithinBounds(op *ir.Op) bool {
	if m, ok := interfaces.ConditionallySpeculatable.Of(op); ok {
		return m(op) == interfaces.AlwaysSpeculatable
	}
	m, _ := interfaces.Subset.Of(op)
	s, known := m.Accessed(op)
	shape, ranked := ir.ShapeOf(m.Container(op).Value().Type())
	return known && ranked && len(shape) == len(s.Sizes) && s.KnownWithin(shape)
}

// collect adds the operations on parts of what iteration argument i of a loop
// becomes in an iteration. It returns false if the tensor is used in another way, or
// is not what the loop yields for the argument.
func (s *subsets) collect(m interfaces.LoopModel, loop *ir.Op, i int, hoistable bool) bool {
	v := m.IterArgs(loop)[i]
	for {
		if u := v.FirstUse(); u != nil && u.Next() == nil && u.Owner().Has(ir.TraitTerminator) {
			yielded := m.Yielded(loop)
			return i < len(yielded) && u == &yielded[i]
		}
		var next *ir.Value
		for u := v.FirstUse(); u != nil; u = u.Next() {
			op := u.Owner()
			if inner, ok := interfaces.LoopLike.Of(op); ok {
				j, ok := initIndex(inner, u)
				if !ok || !s.collect(inner, op, j, false) {
					return false
				}
				results := inner.Results(op)
				if j >= len(results) {
					return false
				}
				next = results.At(j)
				continue
			}
			if !interfaces.Subset.Has(op) {
				return false
			}
			s.add(op, hoistable)
			if ins, ok := interfaces.SubsetInsertion.Of(op); ok {
				// A tensor that is inserted is read as a whole; and there may be one path only.
				updated := interfaces.TiedResult(ins.Destination(op))
				if updated == nil || u != ins.Destination(op) || next != nil {
					return false
				}
				next = updated
			}
		}
		if next == nil {
			return false
		}
		v = next
	}
}

// initIndex returns which initial value of a loop an operand is.
func initIndex(m interfaces.LoopModel, u *ir.Use) (int, bool) {
	start, n := m.Inits(u.Owner())
	i := u.Index() - start
	return i, i >= 0 && i < n && i < len(m.IterArgs(u.Owner()))
}

// hoistSubsetsOf hoists the operations on parts of what iteration argument i
// carries, and returns the loop or what has replaced it.
func hoistSubsetsOf(b *ir.Builder, m interfaces.LoopModel, loop *ir.Op, i int) *ir.Op {
	var s subsets
	if !s.collect(m, loop, i, true) {
		return loop
	}
	for _, p := range s.pairs {
		if p.extraction == nil || p.insertion == nil || !s.disjoint(p) {
			continue
		}
		read, _ := interfaces.Subset.Of(p.extraction)
		write, _ := interfaces.SubsetInsertion.Of(p.insertion)
		source, dest, from := write.Source(p.insertion), write.Destination(p.insertion), read.Container(p.extraction)
		if !p.mayBeExecuted(loop) || !movable(p.extraction, loop, from) || !movable(p.insertion, loop, source, dest) {
			continue
		}
		part := p.extraction.Result(0)
		var arg *ir.Value
		n := m.AddInits(b, loop, []*ir.Value{part}, func(_ *ir.Builder, args []*ir.Value) []*ir.Value {
			arg = args[0]
			return []*ir.Value{source.Value()}
		})
		if n == nil {
			return loop
		}
		loop = n
		replaceUsesIn(part, arg, loop)
		start, _ := m.Inits(loop)
		results, updated := m.Results(loop), interfaces.TiedResult(dest)
		p.extraction.MoveBefore(loop)
		p.insertion.MoveAfter(loop)
		updated.ReplaceAllUsesWith(dest.Value())
		from.Set(loop.Operand(start + i))
		results.At(i).ReplaceAllUsesWith(updated)
		source.Set(results.At(len(results) - 1))
		dest.Set(results.At(i))
	}
	return loop
}

// replaceUsesIn replaces the uses of v that are nested in op.
func replaceUsesIn(v, w *ir.Value, op *ir.Op) {
	for u := v.FirstUse(); u != nil; {
		next := u.Next()
		if u.Owner() != op && op.IsAncestorOf(u.Owner()) {
			u.Set(w)
		}
		u = next
	}
}

// movable tells whether op and what is nested in it use, except for the given
// operands, only values from outside of the loop or from op itself.
func movable(op, loop *ir.Op, except ...*ir.Use) bool {
	if op.Has(ir.TraitTerminator) {
		return false
	}
	ok := true
	op.Walk(func(o *ir.Op) bool {
		for i := range o.NumOperands() {
			u := o.OperandUse(i)
			if outside := !definedIn(u.Value(), loop); !outside && (o == op || !definedIn(u.Value(), op)) && !contains(except, u) {
				ok = false
			}
		}
		return ok
	})
	return ok
}

func contains(list []*ir.Use, u *ir.Use) bool {
	for _, x := range list {
		if x == u {
			return true
		}
	}
	return false
}

// SubsetPass is --loop-invariant-subset-hoisting.
var SubsetPass = pass.New(pass.Info{
	Name: "loop-invariant-subset-hoisting", Title: "LoopInvariantSubsetHoisting",
	Summary: "Let loops carry the part of a tensor that they update, not take it out and put it back",
	Description: `Where each iteration of a loop extracts the same part of a tensor that the loop carries and inserts
a new value for it, the loop carries that value as well: it is extracted before the loop and inserted after it. All other
uses of the tensor in the loop must be operations on parts that are known not to overlap. Unlike mlir-opt-19, the pass
keeps transfers of vectors whose permutation maps or masks differ apart, and what may be out of bounds in loops that may have no iteration. Run it before bufferization, after tiling or
vectorization, which make such loops. Quadratic in the number of operations on parts of one tensor in a loop.`,
}, nil, pass.OnModule(func(_ *pass.Context, _ *pass.None, op *ir.Op) error {
	HoistSubsets(op)
	return nil
}))
