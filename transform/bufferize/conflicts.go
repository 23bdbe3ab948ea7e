package bufferize

import (
	"slices"

	"freehold/iface"
	"freehold/ir"
)

// region returns the closest region around the one that starts at r (r included)
// that the predicate accepts, or nil.
func (s *state) enclosing(r *ir.Region, accept func(m iface.BufferizableModel, op *ir.Op, i int) bool) *ir.Region {
	for r != nil && r.Op() != nil {
		if m, ok := s.Model(r.Op()); ok && accept(m, r.Op(), r.Index()) {
			return r
		}
		r = r.Op().Region()
	}
	return nil
}

func (s *state) repetitive(r *ir.Region) *ir.Region {
	return s.enclosing(r, func(m iface.BufferizableModel, op *ir.Op, i int) bool { return m.Repetitive(op, i) })
}

func (s *state) parallel(r *ir.Region) *ir.Region {
	return s.enclosing(r, func(m iface.BufferizableModel, op *ir.Op, i int) bool { return m.Parallel(op, i) })
}

func outer(r *ir.Region) *ir.Region {
	if r.Op() == nil {
		return nil
	}
	return r.Op().Region()
}

// orderMatters tells whether the order of operations in the program can be used
// to rule out a conflict: it can't if read and write are in a loop that the
// definition is not in, since then the write also comes before the read.
func (s *state) orderMatters(read, write *ir.Use, definitions []*ir.Value) bool {
	rRead := read.Owner().Region()
	for _, def := range definitions {
		rep := s.repetitive(rRead)
		repDef := s.repetitive(def.ParentRegion())
		if rep == repDef {
			continue
		}
		for rep != nil {
			next := s.repetitive(outer(rep))
			if next == repDef {
				break
			}
			rep = next
		}
		// Operands of the loop itself are written in it, too.
		if rep == nil || rep.Op().IsAncestorOf(write.Owner()) {
			return false
		}
	}
	if write.Owner().Region() != rRead || rRead.NumBlocks() == 1 {
		return true
	}
	rb, wb := read.Owner().Block(), write.Owner().Block()
	for _, def := range definitions {
		if s.paths.circle(rb, wb, def.ParentBlock()) {
			return false
		}
	}
	return true
}

// happensBefore tells whether a, or an operation around it, comes before b on
// every path.
func (s *analysis) happensBefore(a, b *ir.Op) bool {
	for ; a != nil; a = a.Parent() {
		if a.IsProperAncestorOf(b) {
			return false
		}
		if s.dom.ProperlyDominates(a, b) {
			return true
		}
	}
	return false
}

// mutuallyExclusive tells whether a and b are in regions of an operation of which
// one execution enters at most one.
func mutuallyExclusive(a, b *ir.Op) bool {
	common := a.Region()
	for common != nil && !common.IsAncestorOf(b.Region()) {
		common = outer(common)
	}
	// op is the operation in the common region that holds both, if one does.
	if common == nil {
		return false
	}
	x, y := common.AncestorIn(a), common.AncestorIn(b)
	if x != y || x == nil {
		return false
	}
	m, ok := iface.RegionBranch.Of(x)
	if !ok {
		return false
	}
	ra, rb := regionOf(x, a), regionOf(x, b)
	return ra != nil && rb != nil && ra != rb && !regionReaches(m, x, ra, rb) && !regionReaches(m, x, rb, ra)
}

func regionOf(op, inner *ir.Op) *ir.Region {
	for _, r := range op.Regions() {
		if r.IsAncestorOf(inner.Region()) {
			return r
		}
	}
	return nil
}

func regionReaches(m iface.RegionBranchModel, op *ir.Op, from, to *ir.Region) bool {
	seen := map[*ir.Region]bool{}
	work := []*ir.Region{from}
	for len(work) > 0 {
		r := work[len(work)-1]
		work = work[:len(work)-1]
		for _, n := range m.Successors(op, iface.RegionPoint{Region: r}) {
			if n.Region == to {
				return true
			}
			if n.Region != nil && !seen[n.Region] {
				seen[n.Region] = true
				work = append(work, n.Region)
			}
		}
	}
	return false
}

// useSet is a set of uses in the order they were added.
type useSet struct {
	list []*ir.Use
	in   map[*ir.Use]struct{} // once the list is long
}

func (s *useSet) add(u *ir.Use) {
	if len(s.list) < 16 {
		if !slices.Contains(s.list, u) {
			s.list = append(s.list, u)
		}
		return
	}
	if s.in == nil {
		s.in = map[*ir.Use]struct{}{}
		for _, old := range s.list {
			s.in[old] = struct{}{}
		}
	}
	if _, ok := s.in[u]; !ok {
		s.in[u] = struct{}{}
		s.list = append(s.list, u)
	}
}

// aliasingReads adds the uses through which the buffer of root is read.
func (s *analysis) aliasingReads(set *useSet, root *ir.Value) {
	s.aliases.each(root, func(v *ir.Value) {
		for u := v.FirstUse(); u != nil; u = u.Next() {
			if s.Reads(u) {
				set.add(u)
				continue
			}
			if s.Writes(u) {
				continue // the contents are overwritten, nothing flows on
			}
			for _, a := range s.AliasingValues(u) {
				if s.IsValueRead(a.Value) {
					set.add(u)
					break
				}
			}
		}
	})
}

// aliasingWrites adds the uses through which the buffer of root is written in
// place.
func (s *analysis) aliasingWrites(set *useSet, root *ir.Value) {
	s.aliases.each(root, func(v *ir.Value) {
		for u := v.FirstUse(); u != nil; u = u.Next() {
			if s.IsInPlace(u) && s.Writes(u) {
				set.add(u)
			}
		}
	})
}

// writesReadOnly tells whether bufferizing the operand in place would write a
// buffer that must not be written.
func (s *analysis) writesReadOnly(u *ir.Use, checkOnly bool) bool {
	values := s.AliasingValues(u)
	if checkOnly || !s.Writes(u) {
		var writes useSet
		s.aliasingWrites(&writes, u.Value())
		for _, a := range values {
			s.aliasingWrites(&writes, a.Value)
		}
		if len(writes.list) == 0 {
			return false
		}
	}
	found := false
	check := func(v *ir.Value) {
		if !s.isWritable(v) {
			found = true
			if s.opts.PrintConflicts {
				s.notes.notWritable(v)
			}
		}
	}
	s.aliases.each(u.Value(), check)
	for _, a := range values {
		s.aliases.each(a.Value, check)
	}
	return found
}

func (s *state) isWritable(v *ir.Value) bool {
	if m, ok := s.Model(iface.OwnerOf(v)); ok {
		return m.IsWritable(v, s)
	}
	return false
}

// readsAfterWrite tells whether bufferizing the operand in place would let a read
// see a write that it must not see.
func (s *analysis) readsAfterWrite(u *ir.Use, checkOnly bool) bool {
	var reads, writes useSet
	s.aliasingReads(&reads, u.Value())
	s.aliasingWrites(&writes, u.Value())
	for _, a := range s.AliasingValues(u) {
		s.aliasingReads(&reads, a.Value)
		s.aliasingWrites(&writes, a.Value)
	}
	if !checkOnly && s.Writes(u) {
		writes.add(u)
	}
	return s.interferes(reads.list, writes.list)
}

// interferes looks for a read whose definition may be overwritten before it by one
// of the writes. O(reads * writes).
func (s *analysis) interferes(reads, writes []*ir.Use) bool {
	if s.opts.CheckParallelRegions && len(reads) > 0 {
		for _, w := range writes {
			// A write in a parallel region to a buffer from outside needs a private copy.
			for _, def := range s.FindInReverse(w.Value(), s.WritesResult, iface.TraversalConfig{}) {
				if s.parallel(def.ParentRegion()) != s.parallel(w.Owner().Region()) {
					return true
				}
			}
		}
	}
	for _, r := range reads {
		definitions := s.findDefinitions(r.Value())
		if len(definitions) == 0 {
			continue
		}
		for _, w := range writes {
			if s.conflict(r, w, definitions) {
				return true
			}
		}
	}
	return false
}

func (s *analysis) conflict(r, w *ir.Use, definitions []*ir.Value) bool {
	reader, writer := r.Owner(), w.Owner()
	rm, rok := s.Model(reader)
	if s.orderMatters(r, w, definitions) {
		if r == w || s.happensBefore(reader, writer) || mutuallyExclusive(reader, writer) {
			return false
		}
		// Where the operation is executed again, it also reads what it wrote before.
		if reader == writer && rok && rm.ElementwiseAccess(reader, s, []*ir.Use{r, w}) &&
			(s.equivalentInReverse(r.Value(), w.Value()) || s.equivalentInReverse(w.Value(), r.Value())) {
			return false
		}
	}
	if s.disjointSubsets(r, w) {
		return false
	}
	if rok && rm.NotConflicting(reader, r, w, s) {
		return false
	}
	if reader != writer {
		if wm, ok := s.Model(writer); ok && wm.NotConflicting(writer, r, w, s) {
			return false
		}
	}
	for _, def := range definitions {
		if op := def.DefiningOp(); op != nil {
			if s.happensBefore(writer, op) || op.IsProperAncestorOf(writer) {
				continue
			}
		} else if !s.overwrites(def.ArgOwner(), writer, reader) {
			continue
		}
		// A write that makes the definition is no conflict with it.
		if a := s.AliasingValues(w); len(a) == 1 && a[0].Value == def {
			continue
		}
		if s.opts.PrintConflicts {
			s.notes.conflict(r, w, def)
		}
		return true
	}
	return false
}

// overwrites tells whether what writer writes may be read by reader instead of an
// argument of block b that is alive there. MLIR looks only at writers inside of b, and
// misses those in blocks that follow it.
func (s *analysis) overwrites(b *ir.Block, writer, reader *ir.Op) bool {
	if b.AncestorIn(writer) != nil {
		return true
	}
	w, r := b.Region().AncestorIn(writer), b.Region().AncestorIn(reader)
	// Whoever enters b again gets another argument.
	if w == nil || r == nil || r.Block() == b || !s.dom.BlockDominates(b, w.Block()) {
		return false
	}
	return w.Block() == r.Block() || s.paths.lead(s.dom, w.Block(), r.Block(), b)
}

// equivalentInReverse tells whether following only equivalent aliases backwards
// from v leads to other.
func (s *state) equivalentInReverse(v, other *ir.Value) bool {
	found := s.FindInReverse(v, func(x *ir.Value) bool { return x == other },
		iface.TraversalConfig{EquivalentOnly: true, OmitLeaves: true})
	return len(found) > 0
}

// disjointSubsets tells whether a read and a write go to different parts of a
// buffer, because one of the operations inserts a subset that the other one works
// on.
func (s *state) disjointSubsets(r, w *ir.Use) bool {
	if m, ok := iface.SubsetInsertion.Of(r.Owner()); ok {
		op := r.Owner()
		// An insertion doesn't read the part of the destination that it overwrites.
		if r == m.Destination(op) && s.insertsSubsetOf(w.Value(), op, m) {
			return true
		}
		// The source, read as part of the destination, is what the insertion writes.
		if r == m.Source(op) && w == m.Destination(op) && s.insertsSubsetOf(r.Value(), op, m) {
			return true
		}
	}
	if m, ok := iface.SubsetInsertion.Of(w.Owner()); ok {
		op := w.Owner()
		// The insertion writes what is already there.
		src := m.Source(op)
		if w == m.Destination(op) && s.AreEquivalent(r.Value(), src.Value()) && s.insertsSubsetOf(src.Value(), op, m) {
			return true
		}
	}
	return false
}

// insertsSubsetOf tells whether v, wherever it comes from, is just the subset of
// the destination that the insertion overwrites.
func (s *state) insertsSubsetOf(v *ir.Value, op *ir.Op, m iface.SubsetInsertionModel) bool {
	matches := func(x *ir.Value) bool {
		return !x.IsBlockArg() && m.EquivalentSubset(op, x, s.AreEquivalent)
	}
	for _, x := range s.FindInReverse(v, matches, iface.TraversalConfig{}) {
		if !matches(x) {
			return false
		}
	}
	return true
}
