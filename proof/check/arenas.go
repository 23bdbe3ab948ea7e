package check

import (
	"freehold/dialect/memref"
	"freehold/dialect/scf"
	"freehold/dialect/ub"
	"freehold/ir"
	iranalysis "freehold/ir/analysis"
	"freehold/ir/interfaces"
	"freehold/ir/rewrite"
	"freehold/memory/footprint"
)

// arenaReport is what is said about the arenas of a program.
type arenaReport struct {
	found    []*footprint.Arena
	overlaps []*ir.Diagnostic
	findings []*Finding
	unjudged []*ir.Diagnostic
}

// judgeArenas judges the parts of arenas (memref.ArenaAttr), as functions see them. Two that
// overlap must not be alive at the same time: where one is read after the other was written, for
// certain, that is a finding, and otherwise it is not judged. Nor is what may make an arena another
// one's: what isn't known to see a part of it. It takes near-linear time where no
// parts overlap that are alive together; one walk if there are no arenas.
func (p *program) judgeArenas(root *ir.Op, g *iranalysis.CallGraph, valued map[*ir.Op]bool) (r arenaReport) {
	arenas := arenasIn(root)
	if len(arenas) == 0 {
		return r
	}
	seen := map[*ir.Op]bool{}
	for _, v := range arenas {
		r.unjudged = append(r.unjudged, unknownParts(v, seen)...)
	}
	r.unjudged = append(r.unjudged, p.broughtArenas(root, valued)...)
	r.unjudged = append(r.unjudged, p.sharedArenas(root, g, arenas, valued)...)
	r.found = footprint.Arenas(root)
	for _, a := range r.found {
		d := a.Check()
		if d == nil {
			continue
		}
		r.overlaps = append(r.overlaps, d)
		if read := readOfOverwritten(a); read != nil {
			r.findings = append(r.findings, &Finding{Kind: Overlap, Function: a.Function, Diagnostic: read})
			continue
		}
		open := *d
		open.Message = "can't be judged: " + d.Message + ", as far as can be seen"
		r.unjudged = append(r.unjudged, &open)
	}
	return r
}

// arenasIn returns the values that are arenas, as a whole.
func arenasIn(root *ir.Op) (out []*ir.Value) {
	visit := func(v *ir.Value) {
		if ir.IsMemRef(v.Type()) && memref.IsArena(v) {
			out = append(out, v)
		}
	}
	root.Walk(func(op *ir.Op) bool {
		if isFunction(op) && !op.RegionAt(0).Empty() {
			for _, v := range op.RegionAt(0).Entry().Args() {
				visit(v)
			}
		}
		for i := range op.NumResults() {
			visit(op.Result(i))
		}
		return true
	})
	return out
}

// span is a range of bytes, up to but not including the second.
type span struct{ from, to int64 }

func (s span) overlaps(t span) bool { return s.from < t.to && t.from < s.to }

// readOfOverwritten returns an operation that reads a part of an arena though another part that
// overlaps it was written since, in one block, with nothing between them that could write the part
// again, and the first one held something then: what was never defined may be read over and over, and
// is copied as it is. It returns nil if there is none.
func readOfOverwritten(a *footprint.Arena) *ir.Diagnostic {
	if a.IsDynamic() {
		return nil // where parts are isn't known
	}
	part := func(i int) span { return span{a.Offsets[i], a.Offsets[i] + a.Problem.Buffers[i].Size} }
	for i, p := range a.Parts {
		if hasOtherNames(p) {
			continue
		}
		for j, q := range a.Parts {
			if p == q || !part(i).overlaps(part(j)) {
				continue
			}
			for w := q.FirstUse(); w != nil; w = w.Next() {
				written, ok := accessed(w, part(j), true)
				if !ok || p.DefiningOp().Block() == w.Owner().Block() && !p.DefiningOp().IsBefore(w.Owner()) {
					continue
				}
				r := firstUseAfter(p, w.Owner())
				if r == nil || !isDefined(p, w.Owner(), maxWrites) {
					continue
				}
				if read, ok := accessed(r, part(i), false); ok && read.overlaps(written) {
					d := r.Owner().Errorf("a part of an arena is read after another part that overlaps it was written")
					return d.WithNote(p.DefiningOp().Loc(), "bytes %d to %d, of which it reads", part(i).from, part(i).to-1).
						WithNote(q.DefiningOp().Loc(), "bytes %d to %d", part(j).from, part(j).to-1).
						WithNote(w.Owner().Loc(), "of which are written here")
				}
			}
		}
	}
	return nil
}

// hasOtherNames tells whether a part may be written by another name: a view, or what it is passed as.
func hasOtherNames(part *ir.Value) bool {
	for u := part.FirstUse(); u != nil; u = u.Next() {
		op := u.Owner()
		_, view := interfaces.ViewLike.Of(op)
		if _, known := interfaces.EffectsOf(op); view || !known || op.Has(ir.TraitTerminator) {
			return true
		}
	}
	return false
}

// accessed returns the bytes that the user of a part of an arena certainly writes, or reads.
func accessed(u *ir.Use, part span, writes bool) (s span, ok bool) {
	op, i := u.Owner(), u.Index()
	switch {
	case op.Is(memref.Copy):
		return part, writes == (i == 1)
	case op.Is(memref.Load) && !writes:
		return element(memref.LoadOp{Op: op}.MemRef().Type(), op.Operands()[1:], part)
	case op.Is(memref.Store) && i == 1 && writes:
		return element(memref.StoreOp{Op: op}.MemRef().Type(), op.Operands()[2:], part)
	}
	// What structured operations map one to one to their iterations, they access as a whole.
	maps := interfaces.IndexingMaps(op)
	m, ok := interfaces.DestinationStyle.Of(op)
	if !ok || i >= len(maps) || !maps[i].IsPermutation() {
		return s, false
	}
	if start, _ := m(op); i >= start {
		return part, writes
	}
	return part, !writes && op.RegionAt(0).Entry().Arg(i).HasUses()
}

// maxWrites is how many writes are followed to where elements come from.
const maxWrites = 16

// isDefined tells whether a buffer certainly has defined elements before op: what wrote it last in the block of op, or before the branches around it, wrote such. It takes
// time in the product of the uses and what is left to follow.
func isDefined(buffer *ir.Value, op *ir.Op, left int) bool {
	def := buffer.DefiningOp()
	given := isGiven(buffer)
	if left == 0 || !given && (def == nil || !def.Is(memref.View) && !def.Is(memref.Alloc)) {
		return false
	}
	var last *ir.Use
	var at *ir.Op
	names := []*ir.Value{buffer}
	for i := 0; i < len(names); i++ {
		for u := names[i].FirstUse(); u != nil; u = u.Next() {
			if _, view := interfaces.ViewLike.Of(u.Owner()); view {
				names = append(names, u.Owner().Results().Values()...)
				continue
			}
			if u.Owner().Has(ir.TraitTerminator) {
				return false // others may have it
			}
			x := op.Block().AncestorIn(u.Owner())
			if x != nil && x != op && x.IsBefore(op) && mayWrite(u) && (at == nil || at == x && last.Owner() != x || at.IsBefore(x)) {
				last, at = u, x
			}
		}
	}
	if around := op.Parent(); last == nil && around.Is(scf.If) && op.Block() != buffer.ParentBlock() {
		return isDefined(buffer, around, left-1)
	}
	if last == nil && given && op.Block() == buffer.ParentBlock() {
		return true
	}
	if last == nil || last.Owner() != at || last.Value() != buffer { // nothing, or something that isn't looked at
		return false
	}
	w := at
	switch {
	case w.Is(memref.Store):
		return isComputed(memref.StoreOp{Op: w}.Value(), left)
	case w.Is(memref.Copy):
		from := memref.CopyOp{Op: w}.Source()
		return !sameArena(from, memref.CopyOp{Op: w}.Target()) && isDefined(from, w, left-1)
	}
	// A structured operation that only writes its result, of what is given to it.
	if _, all := accessed(last, span{}, true); !all || w.RegionAt(0).Entry().Arg(last.Index()).HasUses() {
		return false
	}
	for i, v := range w.Operands().Values() {
		switch {
		case i == last.Index():
		case ir.IsMemRef(v.Type()):
			if sameArena(v, buffer) || !isDefined(v, w, left-1) {
				return false
			}
		case !isComputed(v, left):
			return false
		}
	}
	return true
}

// isGiven tells whether a buffer is one that a function gets from callers that aren't known: what they pass is defined.
func isGiven(buffer *ir.Value) bool {
	if buffer.DefiningOp() != nil || !buffer.ArgOwner().IsEntry() {
		return false
	}
	fn := buffer.ArgOwner().ParentOp()
	return isFunction(fn) && ir.IsPublic(fn)
}

// mayWrite tells whether the user of a buffer may write it: what is known only to read, to free or to ask doesn't.
func mayWrite(u *ir.Use) bool {
	effects, known := interfaces.EffectsOf(u.Owner())
	if !known {
		return true
	}
	for _, e := range effects {
		if e.Kind == interfaces.Write && (!e.IsOnOperand() || e.Value(u.Owner()) == u.Value()) {
			return true
		}
	}
	return false
}

// isComputed tells whether a number comes from constants and arguments of the function alone, so that it is defined.
func isComputed(v *ir.Value, left int) bool {
	op := v.DefiningOp()
	switch {
	case op == nil:
		return isFunction(v.ArgOwner().ParentOp())
	case rewrite.ConstantValue(op) != nil:
		return !op.Is(ub.Poison)
	case left == 0 || !interfaces.IsPure(op) || op.NumRegions() > 0 || op.NumOperands() == 0:
		return false
	}
	for _, w := range op.Operands().Values() {
		if ir.IsMemRef(w.Type()) || !isComputed(w, left-1) {
			return false
		}
	}
	return true
}

// sameArena tells whether two buffers may be parts of one arena.
func sameArena(v, w *ir.Value) bool {
	x, y := v.DefinedBy(memref.View), w.DefinedBy(memref.View)
	return x != nil && y != nil
}

// element returns the bytes of an element of a part, if its indices are known.
func element(t ir.Type, indices ir.Operands, part span) (span, bool) {
	shape, _ := ir.ShapeOf(t)
	n, ok := ir.NumElementsOf(t)
	if !ok || n == 0 {
		return span{}, false
	}
	at := int64(0)
	for i, size := range shape {
		k, known := ir.ConstantInt(indices.At(i))
		if !known || uint64(k) >= uint64(size) {
			return span{}, false
		}
		at = at*size + k
	}
	size := (part.to - part.from) / n
	return span{part.from + at*size, part.from + (at+1)*size}, true
}

// firstUseAfter returns the first use of a value in the block of op after it; nil if there is none,
// or if it is in a region. It takes time linear in the uses.
func firstUseAfter(v *ir.Value, op *ir.Op) (first *ir.Use) {
	var at *ir.Op
	for u := v.FirstUse(); u != nil; u = u.Next() {
		x := op.Block().AncestorIn(u.Owner())
		if x != nil && x != op && op.IsBefore(x) && (at == nil || x.IsBefore(at) || x == at && u.Owner() == x) {
			first, at = u, x
		}
	}
	if first == nil || first.Owner() != at {
		return nil
	}
	return first
}
