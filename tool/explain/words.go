package explain

import (
	"fmt"

	"freehold/dialect/bufferization"
	"freehold/dialect/tensor"
	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/transform/bufferize/oneshot"
)

// words says why a decision demands a copy.
func (t *tracer) words(i *Item, d oneshot.Decision) {
	r := d.Reason
	val, who := t.place(d.Use.Value()).Name, t.called(d.Use.Owner())
	switch {
	case r.Rule == oneshot.ReadAfterWrite || r.Rule == oneshot.OutOfOrder:
		i.Title = t.conflictTitle(d, val)
	case r.Rule == oneshot.Parallel:
		i.Title = fmt.Sprintf("the threads of a parallel loop would all write the buffer of %s", t.place(r.Definition).Name)
	case r.Rule.NotWritable():
		what := t.place(r.Definition).Name
		switch {
		case interfaces.IsInit(d.Use):
			i.Title = fmt.Sprintf("%s would overwrite %s, %s", who, what, notWritable(r.Rule))
		default:
			i.Title = fmt.Sprintf("what %s makes of %s is overwritten later, and %s is %s", who, val, what, notWritable(r.Rule))
		}
	case r.Rule == oneshot.PassedOn:
		other := "another buffer that is passed on"
		if r.Definition != nil {
			other = "the buffer of " + t.place(r.Definition).Name
		}
		i.Title = fmt.Sprintf("%s would pass on %s, which may then be a second name for %s", who, val, other)
	case r.Rule == oneshot.NotAnalyzed:
		i.Title = fmt.Sprintf("%s may write %s, and nothing was analyzed", who, val)
	default:
		i.Title = fmt.Sprintf("the plan wants a copy of %s", val)
	}
	if d.Copy == oneshot.CopyNothing {
		i.Title += " (its contents aren't used, only the room)"
	}
	notes := notesOf(i)
	for n, reason := range append([]oneshot.Reason{r}, r.More...) {
		t.notes(notes, reason, n == 0)
		for _, a := range t.advice(d, reason) {
			notes.advise(a)
		}
	}
}

// conflictTitle says that a write would destroy what a read needs.
func (t *tracer) conflictTitle(d oneshot.Decision, val string) string {
	op, r := d.Use.Owner(), d.Reason
	who := t.called(op)
	switch {
	case r.Rule == oneshot.OutOfOrder && r.Write.Owner() == op:
		return fmt.Sprintf("%s would overwrite %s, which later iterations of the loop need as it was", who, val)
	case r.Write.Owner() == op && r.Read.Owner() == op && r.Read.Value() != d.Use.Value():
		return fmt.Sprintf("%s would overwrite %s, whose memory would be that of %s, which it still reads", who, val, t.place(r.Read.Value()).Name)
	case r.Write.Owner() == op && r.Read.Owner() == op && startsLoop(op):
		return fmt.Sprintf("%s starts with %s twice, and may write each of what it hands on", who, val)
	case r.Write.Owner() == op && r.Read.Owner() == op:
		return fmt.Sprintf("%s would overwrite %s while it still reads it in another order", who, val)
	case r.Write.Owner() == op:
		return fmt.Sprintf("%s would overwrite %s, whose old contents are still needed", who, val)
	case op.NumResults() > 0:
		result := t.place(op.Result(0)).Name
		return fmt.Sprintf("%s would share its memory with %s, and %s overwrites it while the old contents are still needed",
			result, val, t.called(r.Write.Owner()))
	}
	return fmt.Sprintf("%s would share the memory of %s, which %s overwrites while the old contents are still needed", who, val, t.called(r.Write.Owner()))
}

// startsLoop tells whether what an operation reads, and may write, is what a loop starts with.
func startsLoop(op *ir.Op) bool {
	return interfaces.LoopLike.Has(op)
}

func notWritable(r oneshot.Rule) string {
	switch r {
	case oneshot.Constant:
		return "a constant"
	case oneshot.ReadOnlyArgument:
		return "an argument that may not be written"
	case oneshot.ReadOnlyResult:
		return "the result of a call, which may be a constant"
	case oneshot.UnknownOp:
		return "of which nothing is known"
	}
	return "a buffer that may not be written"
}

// notes shows the places that a reason is about.
func (t *tracer) notes(i *noteSet, r oneshot.Reason, first bool) {
	if r.Write != nil {
		t.note(i, TheWrite, r.Write, "this would overwrite the contents of %s")
	}
	if r.Read != nil {
		text := "the old contents of %s are read here"
		if isReturn(r.Read.Owner()) {
			text = "%s is passed on here with its old contents"
		}
		if r.Rule == oneshot.OutOfOrder {
			text += ", in a later iteration"
		}
		t.note(i, TheRead, r.Read, text)
	}
	if r.Region != nil && first && r.Region.Op() != nil {
		op := r.Region.Op()
		text := "this loop comes back to the read after the write"
		switch {
		case r.Rule == oneshot.Parallel:
			text = "this runs in parallel"
		case r.Rule == oneshot.PassedOn:
			text = "this loop carries both"
		}
		i.append(Note{TheLoop, Place{op.Loc(), op.Name()}, "", text})
	}
	if r.Definition != nil {
		p := t.place(r.Definition)
		text := "the contents come from here: " + p.Name
		if r.Rule.NotWritable() {
			text = p.Name + " is " + notWritable(r.Rule)
		}
		i.add(Note{TheDefinition, p, p.Name, text})
	}
}

func (t *tracer) note(i *noteSet, role Role, u *ir.Use, text string) {
	val := t.place(u.Value()).Name
	i.add(Note{role, Place{u.Owner().Loc(), u.Owner().Name()}, val, fmt.Sprintf(text, val)})
}

// noteSet adds notes to an item, of which some have thousands: reads of one tensor.
type noteSet struct {
	*Item
	known   map[noteKey]bool
	advised map[Advice]bool
}

// noteKey is what tells notes from each other.
type noteKey struct {
	role Role
	text string
	// loc is where it is, unless that is a position in a file.
	loc       ir.Location
	file      string
	line, col uint32
}

func keyOf(n Note) noteKey {
	k := noteKey{role: n.Role, text: n.Text, loc: n.Loc}
	if l, ok := n.Loc.(*ir.FileLineColLoc); ok {
		k.loc, k.file, k.line, k.col = nil, l.File(), l.Line, l.Col
	}
	return k
}

// notesOf returns the notes that an item has.
func notesOf(i *Item) *noteSet {
	s := &noteSet{i, map[noteKey]bool{}, map[Advice]bool{}}
	for _, a := range i.Advice {
		s.advised[a] = true
	}
	for _, n := range i.Notes {
		s.known[keyOf(n)] = true
	}
	return s
}

// advise adds advice unless it is there.
func (s *noteSet) advise(a Advice) {
	if !s.advised[a] {
		s.advised[a] = true
		s.Advice = append(s.Advice, a)
	}
}

// append adds a note.
func (s *noteSet) append(n Note) {
	s.known[keyOf(n)] = true
	s.Notes = append(s.Notes, n)
}

// add adds a note unless it is there.
func (s *noteSet) add(n Note) {
	if !s.known[keyOf(n)] {
		s.append(n)
	}
}

func addAdvice(i *Item, a Advice) {
	for _, o := range i.Advice {
		if o == a {
			return
		}
	}
	i.Advice = append(i.Advice, a)
}

// isReturn tells whether the operation ends a region, or a function.
func isReturn(op *ir.Op) bool { return op.Has(ir.TraitTerminator) }

func isEmpty(op *ir.Op) bool {
	return op.Is(tensor.Empty) || op.Is(bufferization.AllocTensor) && (bufferization.AllocTensorOp{Op: op}).CopyOf() == nil
}

// ownWords says what an operation needs a buffer or a copy for.
func (t *tracer) ownWords(i *Item, op *ir.Op) {
	s := t.sourceOf(op)
	switch {
	case i.MadeCopies == 0 && s.reuses:
		i.Cause, i.Title, i.Notes = Result, vacancyTitle(s), s.notes
	case i.MadeCopies == 0:
		i.Cause, i.Title = Result, fmt.Sprintf("%s makes its result in a new buffer", s.called)
	case s.moves != "":
		i.Cause, i.Title = Moves, fmt.Sprintf("%s moves %s", s.called, s.moves)
	case s.kept != "":
		i.Cause, i.Title = ruleCause(oneshot.ReadOnlyArgument), fmt.Sprintf("%s, %s, is copied for the result that branches make of it", s.kept, notWritable(oneshot.ReadOnlyArgument))
	case i.MadeAllocations > 0:
		i.Cause, i.Title = Result, fmt.Sprintf("%s copies what it gets to a new buffer", s.called)
	default:
		i.Cause, i.Title = Moves, fmt.Sprintf("%s moves data", s.called)
	}
	i.Advice, i.returned = ownAdvice(i, s), s.returned
}

// layoutWords says which layouts don't fit.
func (t *tracer) layoutWords(i *Item, op, made *ir.Op) {
	from, to := made.Operand(0), made.Operand(1)
	who := t.called(op)
	i.Title = fmt.Sprintf("%s needs a buffer with another layout", who)
	i.Notes = nil
	p := t.place(from)
	i.Notes = append(i.Notes,
		Note{TheBuffer, Place{from.Loc(), p.Name}, p.Name, "the buffer is " + from.Type().String()},
		Note{TheBuffer, Place{op.Loc(), who}, "", "needed is " + to.Type().String()})
	i.Advice = t.layoutAdvice(op)
}

// ownershipWords says who must own what; of several clones that are made in one place, the first is
// the one that the title is about.
func (t *tracer) ownershipWords(i *Item, clone *ir.Op) {
	val := t.place(bufferization.CloneOp{Op: clone}.Input())
	who := "whoever gets it"
	use := returned(clone.Result(0))
	if use != nil {
		who = "whoever calls the function"
		val.Name = t.returnWords(i, use, val.Name, t.Value(bufferization.CloneOp{Op: clone}.Input()) != "")
	}
	for _, a := range t.ownershipAdvice(clone, val.Name, use) {
		addAdvice(i, a)
	}
	if i.Cause == Ownership {
		return
	}
	i.Cause, i.At.Name = Ownership, val.Name
	i.Title = fmt.Sprintf("%s would free the buffer of %s, which isn't theirs: they get one of their own", who, val.Name)
}

// returnWords shows where a buffer is returned, which may be in several places that were joined. It
// returns the buffer's name, which, unless it is named in the source, is the first that is returned.
func (t *tracer) returnWords(i *Item, use *ir.Use, name string, named bool) string {
	ret, shown, notes := use.Owner(), name, notesOf(i)
	note := func(l ir.Location) {
		returned, text := name, "it is returned here"
		if list := t.returned[t.unique(l)]; use.Index() < len(list) && list[use.Index()].name != name {
			returned = list[use.Index()].name
			text += " as " + returned
			if !named {
				shown, named = returned, true
			}
		}
		notes.add(Note{TheRead, Place{l, ret.Name()}, returned, text})
	}
	if joined, ok := ret.Loc().(*ir.FusedLoc); ok && joined.Metadata == nil {
		for _, l := range joined.Locs {
			note(l)
		}
	} else {
		note(ret.Loc())
	}
	return shown
}

// returned returns the use that returns a buffer from its function, also under the
// names that it has as a result of operations with regions; nil if there is none.
func returned(v *ir.Value) *ir.Use {
	seen := map[*ir.Value]bool{v: true}
	for work := []*ir.Value{v}; len(work) > 0; {
		v, work = work[len(work)-1], work[:len(work)-1]
		for u := v.FirstUse(); u != nil; u = u.Next() {
			parent := u.Owner().Parent()
			if !isReturn(u.Owner()) || parent == nil {
				continue
			}
			if interfaces.Function.Has(parent) {
				return u
			}
			if u.Index() < parent.NumResults() && !seen[parent.Result(u.Index())] {
				seen[parent.Result(u.Index())] = true
				work = append(work, parent.Result(u.Index()))
			}
		}
	}
	return nil
}
