package conversion

import (
	"slices"

	"freehold/ir"
	"freehold/ir/rewrite"
)

// Rewriter is the rewriter of a conversion pattern. Besides what rewriters do it
// converts types and knows what values became.
type Rewriter struct {
	*rewrite.Rewriter
	state *state
}

// Of returns the conversion's view of a rewriter, for patterns that match elsewhere
// too; nil if no conversion is under way.
func Of(r *rewrite.Rewriter) *Rewriter {
	s := stateOf(r)
	if s == nil {
		return nil
	}
	return &Rewriter{r, s}
}

// Types returns the type converter of the pattern, or nil.
func (r *Rewriter) Types() *TypeConverter { return r.state.types }

// Report reports a diagnostic, such as why a pattern doesn't match. It is not taken
// back if the pattern is undone.
func (r *Rewriter) Report(d *ir.Diagnostic) {
	if r.state.emit != nil {
		r.state.emit(d)
	}
}

// ReplaceLists replaces each result of an operation by a list of values and erases the
// operation.
func (r *Rewriter) ReplaceLists(op *ir.Op, lists [][]*ir.Value) {
	for i, l := range lists {
		r.state.mapList(op.Result(i), l)
	}
	r.state.markErased(op)
}

// ConvertRegionTypes converts the arguments of all blocks of a region, now and when
// blocks are moved there. It returns false if a type can't be converted.
func (r *Rewriter) ConvertRegionTypes(reg *ir.Region, types *TypeConverter) bool {
	s := r.state
	if s.regions == nil {
		s.regions = map[*ir.Region]*TypeConverter{}
	}
	if s.regions[reg] != types {
		s.record(typed{reg, s.regions[reg]})
		s.regions[reg] = types
	}
	for b := reg.Entry(); b != nil; {
		next := b.Next()
		if !s.convertBlock(b, types) {
			return false
		}
		b = next
	}
	return true
}

// ConvertSignature replaces a block by one with other arguments, and returns it. Types
// is used for materializations where the arguments' old types are needed, and may be
// nil.
func (r *Rewriter) ConvertSignature(b *ir.Block, sig *Signature, types *TypeConverter) *ir.Block {
	return r.state.applySignature(b, sig, types)
}

func (s *state) convertBlock(b *ir.Block, types *TypeConverter) bool {
	old := ir.TypesOf(b.Args())
	sig, ok := types.ConvertSignature(old)
	if !ok {
		return false
	}
	if !slices.Equal(old, sig.types) {
		s.applySignature(b, sig, types)
	}
	return true
}

func (s *state) applySignature(b *ir.Block, sig *Signature, types *TypeConverter) *ir.Block {
	if b.NumArgs() == 0 && len(sig.types) == 0 {
		return b
	}
	n := s.rewriter.CreateBlock(b.Region(), b, sig.types...)
	for i, in := range sig.inputs {
		for j := range in.n {
			n.Arg(in.first + j).SetArgLoc(b.Arg(i).Loc())
		}
	}
	s.redirect(b, n)
	s.Merging(b)
	n.TakeOps(b, b.First())
	outer := s.types
	s.types = types
	for i, in := range sig.inputs {
		if in.replacement != nil {
			s.mapValue(b.Arg(i), in.replacement)
		} else {
			s.mapList(b.Arg(i), n.Args()[in.first:in.first+in.n])
		}
	}
	s.types = outer
	s.EraseBlock(b)
	return n
}

// redirect makes the branches to a block go to another one.
func (s *state) redirect(from, to *ir.Block) {
	if from.HasNoPreds() {
		return
	}
	c := &redirected{from: from}
	for p := from.FirstPred(); p != nil; p = p.NextPred() {
		c.branches = append(c.branches, branch{p.Owner(), p.Index()})
	}
	s.record(c)
	from.ReplaceAllUsesWith(to)
}
