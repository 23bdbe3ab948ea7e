// Package explain tells why a program on tensors has the copies and the allocations that
// it has once it is bufferized: which read still needs what a write would destroy, which
// buffer may not be written, which layout a function demands, and what would change that.
//
// It decides nothing itself. Bufferization makes a plan with a reason for each decision
// ([oneshot.Plan]) and tells for what it makes each allocation and each copy
// ([oneshot.Origin]); both are put into words here, and followed through the passes that
// come afterwards, so that what one of them removes isn't blamed on the program.
package explain

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"freehold/ir"
	"freehold/memory/footprint"
	"freehold/pass"
	"freehold/transform/memory/schedule"
)

// Options of [Module].
type Options struct {
	// Source returns the text of a file by its name, from which values have their names; nil if
	// there is none. May be nil.
	Source func(file string) []byte
	// LLVM is the version of LLVM whose programs passes take; see [pass.Runner].
	LLVM int
}

// Explanation is what [Module] finds out.
type Explanation struct {
	// Items are in the order of their sizes, the largest first; those of the same size in the
	// order of the program. Those without a size that is known come first.
	Items []*Item
	// Module is the program after the pipeline.
	Module *ir.Op
	// Arenas counts the buffers that have others as parts.
	Arenas int
	// Ordered tells that an order of operations was looked for that needs less memory, and Reordered that there is one. OtherOrder is what the program needs in
	// the other order, in which it is written, or that was looked for when it was tried ([Compilation.Try]); nil if there is none, or it wasn't tried.
	Ordered, Reordered bool
	OtherOrder         *Measure
	// Ways are the flags of compile for less memory that were tried, also where they need no less.
	Ways []Way
	// Untried are the flags of compile that there was no time to try.
	Untried []string
	tags    map[ir.Attribute]*Item
}

// ItemOf returns what an operation of the program after the pipeline was made for, by its location; nil if it is none of the items.
func (e *Explanation) ItemOf(op *ir.Op) *Item { return tagged(e.tags, op.Loc()) }

// Item is a copy, or an allocation, or both, that bufferization made for one reason.
type Item struct {
	// Cause is the rule.
	Cause Cause
	// Function is the symbol of the function around it, or "".
	Function string
	// At is the operation in the source, and Op its name.
	At Place
	Op string
	// Type is the memref type of the buffer.
	Type string
	// Size is that of the buffer.
	Size footprint.Size
	// Loop is the innermost loop around the operation; a zero Place if there is none.
	Loop Place
	// Once tells that it happens once, outside of the loop: passes moved it there.
	Once bool
	// Title says in one line what happens and why; Notes show the places that it is about,
	// and Advice what would remove it, the best first.
	Title  string
	Notes  []Note
	Advice []Advice
	// Copies and Allocations count what is left of it after the pipeline, Made what
	// bufferization made of it.
	Copies, Allocations         int
	MadeCopies, MadeAllocations int
	// Parts counts those of the allocations that are parts of an arena, and so none when the program runs.
	Parts int
	// Removed names the pass that removed what isn't left, the last one if there are several.
	Removed  string
	order    int
	called   string // what the source calls the operation
	returned bool   // it is made for what a function returns
}

// commonTitle is the title with the operation's own name, as what has the same cause is one entry, whatever the source calls it.
func (i *Item) commonTitle() string { return strings.Replace(i.Title, i.called, i.Op, 1) }

// Remains tells whether the program has it after the pipeline.
func (i *Item) Remains() bool { return i.Copies+i.Allocations > 0 }

// IsCopy tells whether there is, or was, a copy, and not just an allocation.
func (i *Item) IsCopy() bool { return i.Copies > 0 || !i.Remains() && i.MadeCopies > 0 }

// Headline says what it is and how large: "copy of 4.0 KiB".
func (i *Item) Headline() string {
	what := kind(i.Copies, i.Allocations)
	inArena := i.Remains() && i.Copies == 0 && i.Parts == i.Allocations
	if !i.Remains() {
		what = "no " + kind(i.MadeCopies, i.MadeAllocations) + " any more (" + i.Removed + " removes it)"
	}
	times := ""
	if n := max(i.Copies, i.Allocations); n > 1 {
		times = strconv.Itoa(n) + " times "
	}
	if inArena {
		return times + sizeText(i.Size) + " in an arena"
	}
	return times + what + " of " + sizeText(i.Size)
}

// sizeText is a size in a sentence.
func sizeText(s footprint.Size) string {
	text := s.String()
	switch {
	case strings.Contains(text, "?"):
		return "a size known only at run time"
	case len(s.Terms) > 0 && s.Bytes == 0:
		return text + " bytes"
	}
	return text
}

func kind(copies, allocations int) string {
	switch {
	case copies > 0 && allocations > 0:
		return "copy to a new buffer"
	case copies > 0:
		return "copy"
	}
	return "allocation"
}

// Place is a place of the source.
type Place struct {
	Loc ir.Location
	// Name is what the place is about: "%x", or an operation's name.
	Name string
}

// Known tells whether there is such a place.
func (p Place) Known() bool { return p.Loc != nil }

// Role says what a note is about.
type Role string

// The roles.
const (
	// TheRead must see the old contents, TheWrite would destroy them, and TheDefinition is
	// where they come from, or what may not be written.
	TheRead       Role = "read"
	TheWrite      Role = "write"
	TheDefinition Role = "definition"
	// TheLoop is a loop in which, or a parallel region by which it happens.
	TheLoop Role = "loop"
	// TheEnd is where a new buffer is needed for the last time, TheSpare a tensor whose buffer could
	// be used instead.
	TheEnd   Role = "end"
	TheSpare Role = "spare"
	// TheRemake is a tensor that is made again for each use.
	TheRemake Role = "remake"
	// TheBuffer has the layout that isn't the one demanded.
	TheBuffer Role = "buffer"
)

// Note is a place that a cause is about.
type Note struct {
	Role Role
	Place
	// Value is the name of the tensor or buffer that is read, written or defined there, "" if the
	// note is about none.
	Value string
	Text  string
}

// Advice is something that would remove a copy or an allocation.
type Advice struct {
	// Kind is what to change: "reorder", "drop", "recompute", "destination", "attribute",
	// "option" or "pass", or "flag", one of the command compile.
	Kind string
	Text string
	// Name is the option, with its value, or the pass; "" for other kinds.
	Name string
	// After tells that the pass belongs right after bufferization, and not right before.
	After bool
	// Effect is what the program needs that follows it; nil if it wasn't tried ([Compilation.Try]).
	Effect *Effect
	change change
}

// Module bufferizes the module by a pipeline, and explains what the pipeline makes. The
// pipeline's one-shot-bufferize passes are told to give their reasons; the module is changed.
// The error is that of the pipeline.
func Module(module *ir.Op, pipeline *pass.OpPassManager, o Options) (*Explanation, error) {
	t := newTracer(module, o)
	t.observe(pipeline)
	t.given()
	stages := pipeline.Split()
	if len(stages) == 0 {
		t.after("the pipeline") // it leaves all that was given
	}
	for _, stage := range stages {
		name := "the pipeline"
		if list := stage.Instances(); len(list) > 0 {
			name = list[0].Pass.Name
		}
		if err := (&pass.Runner{LLVM: o.LLVM}).Run(stage, module); err != nil {
			return nil, err
		}
		t.after(name)
	}
	e := &Explanation{Items: t.finish(), Module: module, Arenas: t.arenas, tags: t.tags}
	for _, i := range pipeline.Instances() {
		if p := schedule.Pass.OptionsOf(i); p != nil {
			e.Ordered, e.Reordered = true, e.Reordered || p.Reordered()
		}
	}
	slices.SortStableFunc(e.Items, func(a, b *Item) int {
		return cmp.Or(compareSizes(b.Size, a.Size), cmp.Compare(a.order, b.order))
	})
	return e, nil
}
