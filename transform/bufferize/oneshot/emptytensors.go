package oneshot

import (
	"slices"

	"freehold/dialect/bufferization"
	"freehold/dialect/builtin"
	"freehold/dialect/tensor"
	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/ir/rewrite"
	"freehold/pass"
)

// EliminateEmptyTensors lets what is computed into a tensor.empty and then inserted
// into a part of another tensor be computed in that part, where the insertion
// bufferizes in place. In a module, functions are analyzed with their calls. It decides as the version of LLVM does that the
// context is made for (see [emptiesByUse]).
func EliminateEmptyTensors(root *ir.Op) error {
	o := DefaultOptions()
	o.AllowReturnAllocsFromLoops = true
	o.BufferizeFunctionBoundaries = root.Is(builtin.Module)
	o.LLVM = uint32(root.Context().LLVM())
	o.Rules = o.LLVM
	p, err := Analyze(root, o)
	if err != nil {
		return err
	}
	eliminateIn(root, &state{opts: o, plan: p, functions: p.functions, calls: p.calls})
	return nil
}

// eliminateIn replaces the empty tensors in root.
func eliminateIn(root *ir.Op, s *state) {
	var insertions []*ir.Op
	root.WalkPostOrder(func(op *ir.Op) {
		if interfaces.SubsetInsertion.Has(op) {
			insertions = append(insertions, op)
		}
	})
	b, dom := ir.NewBuilder(root.Context()), ir.NewDominance()
	for _, op := range insertions {
		s.inserted(op, dom, func(e emptyTensor) {
			for _, m := range e.moved {
				m.MoveBefore(e.at)
			}
			b.SetBefore(e.at)
			b.Loc = e.value.DefiningOp().Loc()
			m, _ := interfaces.SubsetInsertion.Of(op)
			part := m.BuildExtraction(b, op)
			if part == nil {
				return
			}
			if part.Type() != e.value.Type() {
				b.SetAfterValue(part)
				part = tensor.NewCast(b, e.value.Type(), part)
			}
			e.replace(part)
		})
	}
}

// InsertsEmptyTensor tells whether [EliminateEmptyTensors] would let what an insertion inserts be
// computed where it belongs; p is a plan for the program that was made with the options.
func InsertsEmptyTensor(p *Plan, o *Options, insertion *ir.Op) bool {
	found := false
	s := &state{opts: o, plan: p, functions: p.functions, calls: p.calls}
	s.inserted(insertion, ir.NewDominance(), func(emptyTensor) { found = true })
	return found
}

// emptiesByUse is the version of LLVM since which an empty tensor is replaced in one use, that through which an insertion gets
// what is computed in it, and not in all; and since which operations that say which part it is move up to that use.
const emptiesByUse = 22

// emptyTensor is a tensor.empty in which is computed what an insertion inserts.
type emptyTensor struct {
	value *ir.Value
	use   *ir.Use  // the use that is replaced; nil: all
	at    *ir.Op   // before it, the part can be extracted that is overwritten,
	moved []*ir.Op // once these have moved there
}

// replace uses part in place of the empty tensor.
func (e emptyTensor) replace(part *ir.Value) {
	if e.use != nil {
		e.use.Set(part)
		return
	}
	e.value.ReplaceAllUsesWith(part)
	e.value.DefiningOp().Erase()
}

// inserted calls found for each tensor.empty in which is computed what an insertion inserts, and that can be replaced.
func (s *state) inserted(op *ir.Op, dom *ir.Dominance, found func(emptyTensor)) {
	m, ok := interfaces.SubsetInsertion.Of(op)
	if !ok {
		return
	}
	source := m.Source(op)
	if !ir.IsTensor(source.Value().Type()) || !s.IsInPlace(source) {
		return
	}
	isEmpty := func(v *ir.Value) bool { return v.DefiningOp() != nil && v.DefiningOp().Is(tensor.Empty) }
	follow := interfaces.TraversalConfig{EquivalentOnly: true, SameTypeOrCastsOnly: true, OmitLeaves: true}
	uses := map[*ir.Value]*ir.Use{source.Value(): source}
	empties := s.findInReverse(source.Value(), isEmpty, follow, func(u *ir.Use) { uses[u.Value()] = u })
	needed := m.ValuesNeeded(op)
	for _, v := range empties {
		e := emptyTensor{value: v}
		if s.opts.Rules >= emptiesByUse {
			e.use = uses[v]
			e.at, e.moved = placeForUse(dom, e.use, needed)
		} else if !slices.Contains(needed, v) { // else it would become a part of itself
			e.at = placeFor(dom, v, needed, func(at *ir.Op) bool { return dominatesUses(dom, at, v) })
		}
		if e.at != nil {
			found(e)
		}
	}
}

// placeFor returns an operation before which all needed values are defined and that is early enough, or nil:
// that which defines v, or the first after the definition of one of the values.
func placeFor(dom *ir.Dominance, v *ir.Value, needed []*ir.Value, early func(at *ir.Op) bool) *ir.Op {
	candidates := []*ir.Op{v.DefiningOp()}
	for _, n := range needed {
		if n.IsBlockArg() {
			candidates = append(candidates, n.ArgOwner().First())
		} else {
			candidates = append(candidates, n.DefiningOp().Next())
		}
	}
	for _, at := range candidates {
		if at != nil && inScope(dom, at, needed) && early(at) {
			return at
		}
	}
	return nil
}

// placeForUse is placeFor for one use; where there is no such place, it may be the use's operation, if others can move
// before it, which are returned, too.
func placeForUse(dom *ir.Dominance, u *ir.Use, needed []*ir.Value) (at *ir.Op, moved []*ir.Op) {
	at = placeFor(dom, u.Value(), needed, func(at *ir.Op) bool { return dom.Dominates(at, u.Owner()) })
	if at != nil {
		return at, nil
	}
	later := laterThan{dom: dom, at: u.Owner(), seen: map[*ir.Op]bool{}}
	for _, v := range needed {
		if !later.collect(v) {
			return nil, nil
		}
	}
	slices.SortFunc(later.ops, ir.ComparePlaces)
	return later.at, later.ops
}

// laterThan collects the operations of a block, without effects on memory, that come after one of it and that values depend on.
type laterThan struct {
	dom  *ir.Dominance
	at   *ir.Op
	ops  []*ir.Op
	seen map[*ir.Op]bool
}

// collect adds what v depends on, and tells whether all of it can be moved before the operation.
func (l *laterThan) collect(v *ir.Value) bool {
	if inScope(l.dom, l.at, []*ir.Value{v}) {
		return true
	}
	op := v.DefiningOp()
	switch {
	case op == nil || op == l.at || op.Block() != l.at.Block() || !interfaces.IsMemoryEffectFree(op):
		return false
	case l.seen[op]:
		return true
	}
	l.seen[op] = true
	l.ops = append(l.ops, op)
	movable := true
	op.Walk(func(inner *ir.Op) bool {
		for _, x := range inner.Operands().Values() {
			movable = movable && (op.IsAncestorOf(x.ParentBlock().ParentOp()) || l.collect(x))
		}
		return movable
	})
	return movable
}

func inScope(dom *ir.Dominance, at *ir.Op, values []*ir.Value) bool {
	for _, v := range values {
		if v.IsBlockArg() {
			if v.ArgOwner().AncestorIn(at) == nil {
				return false
			}
		} else if !dom.ProperlyDominates(v.DefiningOp(), at) {
			return false
		}
	}
	return true
}

func dominatesUses(dom *ir.Dominance, at *ir.Op, v *ir.Value) bool {
	for u := v.FirstUse(); u != nil; u = u.Next() {
		if !dom.Dominates(at, u.Owner()) {
			return false
		}
	}
	return true
}

// EmptyTensorPatterns returns the pattern that makes tensor.empty an allocation.
func EmptyTensorPatterns() []rewrite.Pattern {
	return []rewrite.Pattern{{Name: "EmptyTensorLoweringPattern", Root: tensor.Empty, Rewrite: func(r *rewrite.Rewriter, op *ir.Op) bool {
		r.Loc = op.Loc()
		r.Replace(op, bufferization.NewAllocTensor(r.Builder, op.Result(0).Type(), op.Operands().Values(), nil, nil))
		return true
	}}}
}

// EliminateEmptyTensorsPass is --eliminate-empty-tensors.
var EliminateEmptyTensorsPass = pass.New(pass.Info{
	Name: "eliminate-empty-tensors", Title: "EmptyTensorElimination",
	Summary: "Compute tensors in the place where they are inserted",
	Description: `Replaces a ` + "`tensor.empty`" + ` from which a tensor is computed that is inserted into a part of another tensor by
that part, if One-Shot Bufferize would insert without a copy and everything in between works in the same buffer. Run it right
before ` + "`one-shot-bufferize`" + `: each success saves an allocation and a copy. It analyzes the program as bufferization does, which
takes as long.`,
}, nil, pass.OnModule(func(_ *pass.Context, _ *pass.None, op *ir.Op) error { return EliminateEmptyTensors(op) }))

// EmptyTensorToAllocTensorPass is --empty-tensor-to-alloc-tensor.
var EmptyTensorToAllocTensorPass = pass.New(pass.Info{
	Name: "empty-tensor-to-alloc-tensor", Title: "EmptyTensorToAllocTensor",
	Summary:     "Give each tensor.empty a buffer of its own",
	Description: "Replaces `tensor.empty` by `bufferization.alloc_tensor`, which becomes an allocation. Run it after `eliminate-empty-tensors` where `tensor.empty` is not to be left to bufferization. Linear time.",
}, nil, rewrite.GreedyBody(func(*ir.Context) []rewrite.Pattern { return EmptyTensorPatterns() }))
