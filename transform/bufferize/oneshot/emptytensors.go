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
// bufferizes in place. In a module, functions are analyzed with their calls.
func EliminateEmptyTensors(root *ir.Op) error {
	o := DefaultOptions()
	o.AllowReturnAllocsFromLoops = true
	o.BufferizeFunctionBoundaries = root.Is(builtin.Module)
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
		s.inserted(op, dom, func(v *ir.Value, at *ir.Op) {
			b.SetBefore(at)
			b.Loc = v.DefiningOp().Loc()
			m, _ := interfaces.SubsetInsertion.Of(op)
			part := m.BuildExtraction(b, op)
			if part == nil {
				return
			}
			if part.Type() != v.Type() {
				b.SetAfterValue(part)
				part = tensor.NewCast(b, v.Type(), part)
			}
			v.ReplaceAllUsesWith(part)
			v.DefiningOp().Erase()
		})
	}
}

// InsertsEmptyTensor tells whether [EliminateEmptyTensors] would let what an insertion inserts be
// computed where it belongs; p is a plan for the program that was made with the options.
func InsertsEmptyTensor(p *Plan, o *Options, insertion *ir.Op) bool {
	found := false
	s := &state{opts: o, plan: p, functions: p.functions, calls: p.calls}
	s.inserted(insertion, ir.NewDominance(), func(*ir.Value, *ir.Op) { found = true })
	return found
}

// inserted calls found for each tensor.empty in which is computed what an insertion inserts, with an
// operation before which the part can be extracted that is overwritten.
func (s *state) inserted(op *ir.Op, dom *ir.Dominance, found func(v *ir.Value, at *ir.Op)) {
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
	needed := m.ValuesNeeded(op)
	for _, v := range s.FindInReverse(source.Value(), isEmpty, follow) {
		if slices.Contains(needed, v) {
			continue // it would become a part of itself
		}
		if at := placeFor(dom, v, needed); at != nil {
			found(v, at)
		}
	}
}

// placeFor returns an operation before which all needed values are defined and that
// dominates all uses of v, or nil: that which defines v, or the first after the
// definition of one of the values.
func placeFor(dom *ir.Dominance, v *ir.Value, needed []*ir.Value) *ir.Op {
	candidates := []*ir.Op{v.DefiningOp()}
	for _, n := range needed {
		if n.IsBlockArg() {
			candidates = append(candidates, n.ArgOwner().First())
		} else {
			candidates = append(candidates, n.DefiningOp().Next())
		}
	}
	for _, at := range candidates {
		if at != nil && inScope(dom, at, needed) && dominatesUses(dom, at, v) {
			return at
		}
	}
	return nil
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
