package check

import (
	"fmt"

	"freehold/dialect/scf"
	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/proof/kernel"
)

// eventKind is what an event is.
type eventKind uint8

const (
	allocated eventKind = iota
	freed
	spared // not freed by an operation that frees it under other conditions
	branched
)

// event is a step of a path, which is on the path where cond holds.
type event struct {
	kind   eventKind
	op     *ir.Op
	object int
	cond   kernel.Lit
	// region is where control goes from an operation with regions, nil for what
	// follows it; choice is the number of the successor.
	region *ir.Region
	choice int
}

// maxFindings limits the violations shown for a function.
const maxFindings = 20

// findings returns the violations that can happen, each with a path, and each only
// once for an operation and an allocation; or one, if it depends on what is determined which of them happens. doubt is what determines a
// value on which one depends that isn't among them; nil if there is none.
func (a *analysis) findings() (out []finding, doubt *ir.Op) {
	type key struct {
		kind    Kind
		op, obj *ir.Op
		number  int
	}
	seen := map[key]bool{}
	var undecided []violation
	for _, v := range a.violations {
		x := a.Objects[v.object]
		k := key{v.kind, v.op, x.Op, x.Number}
		if v.kind == Leak && x.Op != nil {
			k.op = nil
		}
		if v.kind == ForeignFree || v.kind == HandedTwice || seen[k] || len(out) >= maxFindings {
			continue
		}
		m, by := a.witness(v.cond)
		if m == nil {
			if doubt == nil {
				doubt = by
			}
			undecided = append(undecided, v)
			continue
		}
		seen[k] = true
		out = append(out, a.finding(v, m))
	}
	if len(out) == 0 && len(undecided) > 1 {
		if f, ok := a.oneOf(undecided); ok {
			return []finding{f}, nil
		}
	}
	return out, doubt
}

// finding returns a violation that happens in a model.
func (a *analysis) finding(v violation, m model) finding {
	x, own := a.Objects[v.object], a.p.contracts[a.fn]
	f := finding{&Finding{Kind: v.kind, Function: a.fn, Allocation: x.Op, Result: x.Number, Diagnostic: a.path(v, m)}, a.by.Get(v.object), x.Kind == kernel.Argument}
	if f.argument && own.inside {
		f.by = own
	}
	return f
}

// oneOf returns one of the violations, if one of them happens whatever is determined.
func (a *analysis) oneOf(all []violation) (finding, bool) {
	any := kernel.No
	for _, v := range all {
		any = a.f.Or(any, v.cond)
	}
	if m, _ := a.witness(any); m != nil {
		for _, v := range all {
			if a.f.in(m).holds(v.cond) {
				return a.finding(v, m), true
			}
		}
	}
	return finding{}, false
}

// path describes a violation that happens in the model, and how control gets there.
func (a *analysis) path(v violation, m model) *ir.Diagnostic {
	x := a.Objects[v.object]
	where := "the buffer allocated here"
	d := &ir.Diagnostic{Loc: v.op.Loc()}
	switch {
	case x.Given:
		where = fmt.Sprintf("argument #%d, which the caller hands over,", x.Number)
	case x.Kind == kernel.Argument:
		where = fmt.Sprintf("argument #%d, which belongs to the caller", x.Number)
	case x.Kind == kernel.Static:
		where = "a global buffer"
	case x.Kind == kernel.Stack:
		where = "a buffer on the stack"
	case x.Kind == kernel.Foreign:
		where = "a buffer of unknown origin"
	case x.Kind == kernel.NullObject:
		where = "nothing: the owner is null"
	}
	last := ""
	switch v.kind {
	case Leak:
		d.Loc = x.Loc
		d.Message = "leak: " + where + " is not freed"
		last = "the function ends here, and nothing frees the buffer"
	case DoubleFree:
		d.Message = "double free: the buffer was freed before"
		last = freedText(v.op) + " again here"
	case UseAfterFree:
		d.Message = "use after free: the buffer was freed before"
		last = "used here"
	case InvalidFree:
		d.Message = "invalid free of " + where
		last = freedText(v.op) + " here"
	case PartialFree:
		d.Message = "invalid free of a view, which may be a part of its buffer only"
		last = freedText(v.op) + " here"
	case BorrowedReturn:
		d.Message = "double free: the caller frees what is returned, but that is " + where
		last = "returned here"
	}
	if x.Kind == kernel.Stack {
		switch v.kind {
		case UseAfterFree:
			d.Message = "use after free: the buffer on the stack ended with its scope"
		case BorrowedReturn:
			d.Message = "use after free: the buffer that is returned is on the stack, and ends with the function"
		}
	} else if v.kind == UseAfterFree && v.op.Has(ir.TraitReturnLike) {
		d.Message = "use after free: the buffer that is returned was freed before"
		last = "returned here"
	} else if v.kind == DoubleFree && v.op.Has(ir.TraitReturnLike) {
		d.Message = "double free: two of the owners that are returned own the buffer, and the caller frees what each owns"
		last = "returned here"
	}
	e := a.f.in(m)
	var branches []event // since the last note
	for _, ev := range a.events[:v.events] {
		if !e.holds(ev.cond) {
			continue
		}
		if ev.kind == branched {
			branches = append(branches, ev)
			continue
		}
		if ev.object != v.object {
			continue
		}
		branches = a.noteBranches(d, branches)
		switch ev.kind {
		case allocated:
			d.WithNote(ev.op.Loc(), "allocated here")
		case freed:
			d.WithNote(ev.op.Loc(), "%s here", freedText(ev.op))
		case spared:
			d.WithNote(ev.op.Loc(), "not freed here: the condition doesn't hold, or the buffer is retained")
		}
	}
	a.noteBranches(d, branches)
	d.WithNote(v.op.Loc(), "%s", last)
	if x.Kind == kernel.Argument {
		d.WithNote(x.Loc, "this argument stays the caller's, who frees it after the call; only a private function may have other rules, if all mentions of it are calls")
	}
	return d
}

// shownBranches is how many branches are shown at each end of a longer row of them.
const shownBranches = 5

// noteBranches adds notes on a row of branches, in which a reader finds the ends, and
// returns the empty row.
func (a *analysis) noteBranches(d *ir.Diagnostic, branches []event) []event {
	hidden := len(branches) - 2*shownBranches
	for i, ev := range branches {
		switch {
		case hidden <= 1 || i < shownBranches || i >= shownBranches+hidden:
			d.WithNote(ev.op.Loc(), "%s", a.branchText(ev))
		case i == shownBranches:
			d.WithNote(ev.op.Loc(), "%d more branches from here on, not shown", hidden)
		}
	}
	return branches[:0]
}

// freedText says what an operation does that ends a buffer: it may be a call of a
// function that owns its argument.
func freedText(op *ir.Op) string {
	if interfaces.Call.Has(op) {
		return "handed over"
	}
	return "freed"
}

// branchText describes the way that control takes.
func (a *analysis) branchText(ev event) string {
	condition := "the condition"
	if ev.op.NumOperands() > 0 {
		if name := a.p.name(ev.op.Operand(0)); name != "" {
			condition += " " + name
		}
	}
	truth := [...]string{condition + " holds", condition + " doesn't hold"}
	_, loop := interfaces.LoopLike.Of(ev.op)
	switch {
	case ev.op.NumSuccessors() == 2:
		return truth[ev.choice] + ": control goes to the " + [...]string{"first", "second"}[ev.choice] + " successor"
	case ev.op.NumSuccessors() > 0:
		return fmt.Sprintf("control goes to successor #%d", ev.choice)
	case ev.op.Is(scf.If):
		if ev.region == ev.op.RegionAt(0) {
			return truth[0]
		}
		return truth[1]
	case loop && ev.region == nil:
		return "the loop ends"
	case loop:
		return "an iteration of the loop starts"
	case ev.region == nil:
		return "control leaves the operation"
	}
	return fmt.Sprintf("control enters region #%d", ev.region.Index())
}
