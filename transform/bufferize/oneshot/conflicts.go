package oneshot

import (
	"iter"

	"freehold/ir"
	iranalysis "freehold/ir/analysis"
	"freehold/ir/interfaces"
)

// enclosing returns the closest region around r (r included) that the predicate accepts, or nil.
func enclosing(r *ir.Region, accept func(*ir.Region) bool) *ir.Region {
	for ; r != nil && r.Op() != nil; r = outer(r) {
		if accept(r) {
			return r
		}
	}
	return nil
}

// repetitive returns the closest region around r (r included) that may be executed several times each time its operation is, or nil.
func (s *state) repetitive(r *ir.Region) *ir.Region { return enclosing(r, s.repeats) }

// parallel returns the closest region around r (r included) that several threads may execute, or nil.
func (s *state) parallel(r *ir.Region) *ir.Region { return enclosing(r, s.hasThreads) }

// repeats tells whether a region may be executed several times each time its operation is. Of an operation that doesn't say where control goes, such as linalg.generic and tensor.generate, nothing else is
// known, unless it is there to hold something that is executed once; MLIR takes all of them for executed once, and overwrites what the next iteration reads.
func (s *state) repeats(r *ir.Region) bool {
	op := r.Op()
	m, ok := s.Model(op)
	switch {
	case ok && m.Repetitive(op, r.Index()):
		return true
	case interfaces.RegionBranch.Has(op):
		return !ok && interfaces.BufferizeDefaults{}.Repetitive(op, r.Index())
	}
	return !op.Has(ir.TraitIsolatedFromAbove) && !interfaces.ParallelCombining.Has(op) && !interfaces.IsMasking(op)
}

// hasThreads tells whether several threads may execute a region. MLIR asks only operations that it can bufferize, and so not scf.parallel.
func (s *state) hasThreads(r *ir.Region) bool {
	m, ok := s.Model(r.Op())
	return ok && m.Parallel(r.Op(), r.Index()) || !ok && r.Op().Has(ir.TraitParallelRegion)
}

func outer(r *ir.Region) *ir.Region {
	if r.Op() == nil {
		return nil
	}
	return r.Op().Region()
}

// loopAround returns a region, in a loop around the read, that the definition is not in,
// or nil. If there is one, the order of operations in the program rules out no conflict:
// the write also comes before the read.
func (s *state) loopAround(read, write *ir.Use, definitions []*ir.Value) *ir.Region {
	rRead := read.Owner().Region()
	for _, def := range definitions {
		if def.ParentRegion() == rRead {
			continue
		}
		rep := s.repetitive(rRead)
		repDef := s.repetitive(def.ParentRegion())
		if rep == repDef {
			continue
		}
		last := rep
		for rep != nil {
			next := s.repetitive(outer(rep))
			if next == repDef {
				break
			}
			last, rep = rep, next
		}
		// Operands of the loop itself are written in it, too.
		switch {
		case rep == nil && last == nil:
			return def.ParentRegion() // which the read has left
		case rep == nil:
			return last
		case rep.Op().IsAncestorOf(write.Owner()):
			return rep
		}
	}
	if write.Owner().Region() != rRead || rRead.NumBlocks() == 1 {
		return nil
	}
	rb, wb := read.Owner().Block(), write.Owner().Block()
	for _, def := range definitions {
		if s.paths.circle(rb, wb, def.ParentBlock()) {
			return rRead
		}
	}
	return nil
}

// isAfterLoops tells whether an operation, of which a write has to be in place, is executed once after all loops in which what it reads was made: such as where
// what a loop makes of an argument is to be in that argument. MLIR refuses that.
func (a *analysis) isAfterLoops(read, write *ir.Use, definitions []*ir.Value) bool {
	op := write.Owner()
	if m, ok := a.Model(op); !ok || !m.MustBeInPlace(write, a) || op.Region().NumBlocks() > 1 {
		return false
	}
	for i := range definitions {
		if loop := a.loopAround(read, write, definitions[i:i+1]); loop != nil && loop.IsAncestorOf(op.Region()) {
			return false
		}
	}
	return true
}

// isAllThere tells whether a tensor is in all of the buffer of another one, or else in one of its own, whatever is decided of how it is made: by operations whose
// results are in the buffer of one operand, and by loops and branches. It takes time linear in the number of those.
func (a *analysis) isAllThere(v, other *ir.Value) bool {
	sources := iranalysis.Sources(v, func(x *ir.Value) []*ir.Value {
		if x == other {
			return nil
		}
		if from, known := iranalysis.PassedTo(x); known {
			return from
		}
		if operands := a.AliasingOperands(x); len(operands) == 1 && operands[0].Relation == interfaces.Equivalent {
			return []*ir.Value{operands[0].Use.Value()}
		}
		return nil
	})
	return len(sources) == 1 && sources[0] == other
}

// happensBefore tells whether x, or an operation around it, comes before y on
// every path.
func (a *analysis) happensBefore(x, y *ir.Op) bool {
	if x.Block() == y.Block() {
		return a.dom.ProperlyDominates(x, y)
	}
	for ; x != nil; x = x.Parent() {
		if x.IsProperAncestorOf(y) {
			return false
		}
		if a.dom.ProperlyDominates(x, y) {
			return true
		}
	}
	return false
}

// readsBefore tells whether r has read when the writer comes, on every path. In a region in which the order says nothing, such as that of
// scf.forall.in_parallel, all insertions are of what there was before; but they become copies in their order, so that it matters which one comes
// first. MLIR takes each for the first.
func (a *analysis) readsBefore(r *ir.Use, writer *ir.Op) bool {
	reader := r.Owner()
	if l, ok := a.lastingOf(reader); ok && !a.isOver(l, reader, writer) {
		return false
	}
	if reader.Block() != writer.Block() || ir.HasSSADominance(reader.Region()) {
		return a.happensBefore(reader, writer)
	}
	m, ok := interfaces.SubsetInsertion.Of(reader)
	return !ok || r != m.Source(reader) || reader != writer && reader.IsBefore(writer)
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
	m, ok := interfaces.RegionBranch.Of(x)
	if !ok {
		return false
	}
	ra, rb := regionOf(x, a), regionOf(x, b)
	return ra != nil && rb != nil && ra != rb && !regionReaches(m, x, ra, rb) && !regionReaches(m, x, rb, ra)
}

// regionOf returns the region of an operation that another one is in, or nil. It goes up from that one: there may be many regions.
func regionOf(op, inner *ir.Op) *ir.Region {
	r := inner.Region()
	for r != nil && r.Op() != op {
		r = outer(r)
	}
	return r
}

func regionReaches(m interfaces.RegionBranchModel, op *ir.Op, from, to *ir.Region) bool {
	seen := map[*ir.Region]bool{}
	work := []*ir.Region{from}
	for len(work) > 0 {
		r := work[len(work)-1]
		work = work[:len(work)-1]
		for _, n := range m.Successors(op, interfaces.RegionPoint{Region: r}) {
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

// aliasingReads adds the uses through which the buffer of root is read.
func (a *analysis) aliasingReads(set *orderedSet[*ir.Use], root *ir.Value) {
	a.plan.aliases.each(root, func(v *ir.Value) {
		for u := v.FirstUse(); u != nil; u = u.Next() {
			if a.leadsToRead(u) {
				set.add(u)
			}
		}
	})
}

// leadsToRead tells whether the use or one of what may share its buffer reads.
func (a *analysis) leadsToRead(u *ir.Use) bool {
	switch {
	case a.Reads(u):
		return true
	case a.Writes(u):
		return false // the contents are overwritten, nothing flows on
	}
	for _, alias := range a.AliasingValues(u) {
		if a.IsValueRead(alias.Value) {
			return true
		}
	}
	return false
}

// aliasingWrites adds the uses through which the buffer of root is written in
// place.
func (a *analysis) aliasingWrites(set *orderedSet[*ir.Use], root *ir.Value) {
	a.plan.aliases.each(root, func(v *ir.Value) {
		for u := v.FirstUse(); u != nil; u = u.Next() {
			if a.IsInPlace(u) && a.Writes(u) {
				set.add(u)
			}
		}
	})
}

// writesReadOnly tells whether bufferizing the operand in place would write a
// buffer that must not be written, and which.
func (a *analysis) writesReadOnly(u *ir.Use, checkOnly bool) (Reason, bool) {
	values := a.AliasingValues(u)
	if checkOnly || !a.Writes(u) {
		var writes orderedSet[*ir.Use]
		a.aliasingWrites(&writes, u.Value())
		for _, alias := range values {
			a.aliasingWrites(&writes, alias.Value)
		}
		if len(writes.list) == 0 {
			return Reason{}, false
		}
	}
	var found Reason
	check := func(v *ir.Value) {
		switch {
		case (found.Definition == nil || a.collectsAll()) && a.isWritable(v):
		case found.Definition == nil:
			found = Reason{Rule: a.whyReadOnly(v), Write: u, Definition: v}
		case a.collectsAll():
			found.Others = append(found.Others, v)
		}
	}
	a.plan.aliases.each(u.Value(), check)
	for _, alias := range values {
		a.plan.aliases.each(alias.Value, check)
	}
	return found, found.Definition != nil
}

// collectsAll tells whether all values that may not be written are asked for.
func (s *state) collectsAll() bool { return s.opts.PrintConflicts || s.opts.AllReasons }

func (s *state) isWritable(v *ir.Value) bool {
	if m, ok := s.Model(interfaces.OwnerOf(v)); ok {
		return m.IsWritable(v, s)
	}
	return false
}

// whyReadOnly returns the rule by which a value may not be written.
func (s *state) whyReadOnly(v *ir.Value) Rule {
	op := interfaces.OwnerOf(v)
	_, known := s.Model(op)
	_, call := interfaces.Call.Of(op)
	switch {
	case !known:
		return UnknownOp
	case v.IsBlockArg():
		return ReadOnlyArgument
	case op.Has(ir.TraitConstantLike):
		return Constant
	case call:
		return ReadOnlyResult
	}
	return ReadOnlyBuffer
}

// readsAfterWrite tells whether bufferizing the operand in place would let a read
// see a write that it must not see, and which. With checkOnly, it asks about what is
// in place already.
func (a *analysis) readsAfterWrite(u *ir.Use, checkOnly bool) (Reason, bool) {
	for reason := range a.conflictsOf(u, checkOnly) {
		return reason, true
	}
	return Reason{}, false
}

// conflictsOf returns the conflicts between reads and writes that bufferizing the operand
// in place would make; see readsAfterWrite.
func (a *analysis) conflictsOf(u *ir.Use, checkOnly bool) iter.Seq[Reason] {
	return func(yield func(Reason) bool) {
		var reads, writes orderedSet[*ir.Use]
		values := a.AliasingValues(u)
		a.aliasingWrites(&writes, u.Value())
		for _, alias := range values {
			a.aliasingWrites(&writes, alias.Value)
		}
		if !checkOnly && a.Writes(u) {
			writes.add(u)
		}
		if len(writes.list) == 0 {
			return
		}
		a.aliasingReads(&reads, u.Value())
		for _, alias := range values {
			a.aliasingReads(&reads, alias.Value)
		}
		if len(reads.list) > 0 {
			for _, w := range writes.list {
				if reason, ok := a.writesOfThreads(w); ok && !yield(reason) {
					return
				}
			}
		}
		for _, r := range reads.list {
			for _, w := range writes.list {
				// In a set of aliases, nothing conflicts.
				if w != u && !checkOnly && a.plan.aliases.same(r.Value(), w.Value()) {
					continue
				}
				if reason, ok := a.conflict(r, w); ok && !yield(reason) {
					return
				}
			}
		}
	}
}

// otherReasons returns the reasons against bufferizing the operand in place that come
// after the first.
func (a *analysis) otherReasons(u *ir.Use, first Reason) []Reason {
	var all []Reason
	if first.Rule.NotWritable() {
		for _, v := range first.Others {
			all = append(all, Reason{Rule: a.whyReadOnly(v), Write: u, Definition: v})
		}
	}
	for reason := range a.conflictsOf(u, false) {
		all = append(all, reason)
	}
	if !first.Rule.NotWritable() && len(all) > 0 {
		all = all[1:] // the first itself
	}
	return all
}

// writesOfThreads tells whether a write, in a parallel region, is to a buffer from
// outside, so that it needs a private copy.
func (a *analysis) writesOfThreads(w *ir.Use) (Reason, bool) {
	if !a.opts.CheckParallelRegions || !a.threads {
		return Reason{}, false
	}
	inner := a.parallel(w.Owner().Region())
	for _, def := range a.FindInReverse(w.Value(), a.WritesResult, interfaces.TraversalConfig{}) {
		if outer := a.parallel(def.ParentRegion()); inner != outer {
			if inner == nil {
				inner = outer
			}
			return Reason{Rule: Parallel, Write: w, Definition: def, Region: inner}, true
		}
	}
	return Reason{}, false
}

// conflict tells whether what r must read may be overwritten before by w, if their
// buffers overlap. The answer doesn't depend on decisions.
func (a *analysis) conflict(r, w *ir.Use) (Reason, bool) {
	definitions := a.findDefinitions(r.Value())
	if len(definitions) == 0 {
		return Reason{}, false
	}
	reader, writer := r.Owner(), w.Owner()
	loop := a.loopAround(r, w, definitions)
	if loop == nil {
		if r == w || a.readsBefore(r, writer) {
			return Reason{}, false
		}
	}
	def := a.overwritten(r, w, definitions)
	if def == nil {
		return Reason{}, false
	}
	if loop == nil && mutuallyExclusive(reader, writer) {
		return Reason{}, false
	}
	rm, rok := a.Model(reader)
	if reader == writer && rok && rm.ElementwiseAccess(reader, a, []*ir.Use{r, w}) {
		// Where the operation is executed again, it also reads what it wrote before.
		if loop == nil && (a.mayComeFrom(r.Value(), w.Value()) && a.equivalentInReverse(r.Value(), w.Value()) ||
			a.mayComeFrom(w.Value(), r.Value()) && a.equivalentInReverse(w.Value(), r.Value())) {
			return Reason{}, false
		}
		if a.isAfterLoops(r, w, definitions) && a.isAllThere(r.Value(), w.Value()) {
			return Reason{}, false
		}
	}
	if a.disjointSubsets(r, w) {
		return Reason{}, false
	}
	if rok && rm.NotConflicting(reader, r, w, a) {
		return Reason{}, false
	}
	if reader != writer {
		if wm, ok := a.Model(writer); ok && wm.NotConflicting(writer, r, w, a) {
			return Reason{}, false
		}
	}
	reason := Reason{Rule: ReadAfterWrite, Read: r, Write: w, Definition: def}
	// In a loop the order may be right, too.
	if loop != nil && (r == w || a.happensBefore(reader, writer) || mutuallyExclusive(reader, writer)) {
		reason.Rule, reason.Region = OutOfOrder, loop
	}
	return reason, true
}

// overwritten returns the first of the definitions of what r reads that w may overwrite,
// or nil.
func (a *analysis) overwritten(r, w *ir.Use, definitions []*ir.Value) *ir.Value {
	writer := w.Owner()
	for _, def := range definitions {
		if op := def.DefiningOp(); op != nil {
			if a.happensBefore(writer, op) || op.IsProperAncestorOf(writer) {
				continue
			}
		} else if !a.overwrites(def.ArgOwner(), writer, r.Owner()) {
			continue
		}
		// A write that makes the definition is no conflict with it.
		if made := a.AliasingValues(w); len(made) == 1 && made[0].Value == def {
			continue
		}
		return def
	}
	return nil
}

// overwrites tells whether what writer writes may be read by reader instead of an
// argument of block b that is alive there. MLIR looks only at writers inside of b, and
// misses those in blocks that follow it.
func (a *analysis) overwrites(b *ir.Block, writer, reader *ir.Op) bool {
	if b.AncestorIn(writer) != nil {
		return true
	}
	w, r := b.Region().AncestorIn(writer), b.Region().AncestorIn(reader)
	// Whoever enters b again gets another argument.
	if w == nil || r == nil || r.Block() == b || !a.dom.BlockDominates(b, w.Block()) {
		return false
	}
	return w.Block() == r.Block() || a.paths.lead(a.dom, w.Block(), r.Block(), b)
}

// equivalentInReverse tells whether following only equivalent aliases backwards
// from v leads to other.
func (s *state) equivalentInReverse(v, other *ir.Value) bool {
	found := s.FindInReverse(v, func(x *ir.Value) bool { return x == other },
		interfaces.TraversalConfig{EquivalentOnly: true, OmitLeaves: true})
	return len(found) > 0
}

// disjointSubsets tells whether a read and a write go to different parts of a
// buffer, because one of the operations inserts a subset that the other one works
// on.
func (s *state) disjointSubsets(r, w *ir.Use) bool {
	if m, ok := interfaces.SubsetInsertion.Of(r.Owner()); ok {
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
	if m, ok := interfaces.SubsetInsertion.Of(w.Owner()); ok {
		op := w.Owner()
		// The insertion writes what is already there.
		src := m.Source(op)
		if w == m.Destination(op) && s.AreEquivalent(r.Value(), src.Value()) && s.insertsSubsetOf(src.Value(), op, m) {
			return true
		}
	}
	return false
}
