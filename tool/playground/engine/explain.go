package engine

import (
	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/tool/explain"
)

// Explanation says why a program has its copies and allocations.
type Explanation struct {
	Copies      int `json:"copies"`
	Allocations int `json:"allocations"`
	// Parts counts those of the allocations that are parts of the arenas, which are allocated instead.
	Parts   int      `json:"parts,omitempty"`
	Arenas  int      `json:"arenas,omitempty"`
	Reasons []Reason `json:"reasons"`
	// Undecided tells why there is nothing to explain: "tensors" where the passes leave the program on tensors,
	// of which none is copied yet, "functions" where no function has a body; else it is "".
	Undecided string `json:"undecided,omitempty"`
}

// Reason is why there is a copy, an allocation, or both.
type Reason struct {
	Place
	// Name is that of the value or operation; Headline says what there is, Title why.
	Name     string `json:"name,omitempty"`
	Headline string `json:"headline"`
	Title    string `json:"title"`
	Meaning  string `json:"meaning,omitempty"`
	Copy     bool   `json:"copy,omitempty"`
	// Removed tells that a later pass removes it.
	Removed bool         `json:"removed,omitempty"`
	Notes   []ReasonNote `json:"notes,omitempty"`
	Advice  []Advice     `json:"advice,omitempty"`
}

// ReasonNote is a place that a reason is about.
type ReasonNote struct {
	Place
	Role string `json:"role"`
	Text string `json:"text"`
}

// Advice is what would remove a copy or an allocation.
type Advice struct {
	Kind string `json:"kind"`
	Name string `json:"name,omitempty"`
	Text string `json:"text"`
}

// Explain says why the program has copies and allocations at a stage. Places are those of the
// program as it was given.
func (e *Engine) Explain(n int) (*Explanation, error) {
	x, err := e.explanation(n)
	if err != nil {
		return nil, err
	}
	places := newPlaces(e.stages[0].text)
	at := func(p explain.Place) Place {
		return places.named(p.Loc, p.Name)
	}
	out := &Explanation{Reasons: []Reason{}, Arenas: x.Arenas}
	for _, i := range x.Items {
		out.Copies += i.Copies
		out.Allocations += i.Allocations
		out.Parts += i.Parts
		r := Reason{
			Place: at(i.At), Name: i.At.Name, Headline: i.Headline(), Title: i.Title, Meaning: i.Cause.Meaning(),
			Copy: i.IsCopy(), Removed: !i.Remains(),
		}
		for _, note := range i.Notes {
			r.Notes = append(r.Notes, ReasonNote{at(note.Place), string(note.Role), note.Text})
		}
		if i.Loop.Known() {
			r.Notes = append(r.Notes, ReasonNote{at(i.Loop), string(explain.TheLoop), "it happens in each iteration of this loop"})
		}
		for _, a := range i.Advice {
			r.Advice = append(r.Advice, Advice{a.Kind, a.Name, a.Text})
		}
		out.Reasons = append(out.Reasons, r)
	}
	if len(x.Items) == 0 {
		out.Undecided = undecided(x.Module)
	}
	return out, nil
}

// undecided tells why nothing can be said about the copies of a program that has none; "" if it has none for good.
func undecided(module *ir.Op) string {
	bodies, tensors := false, false
	module.Walk(func(op *ir.Op) bool {
		bodies = bodies || interfaces.Function.Has(op) && op.BodyBlock(0) != nil
		tensors = tensors || interfaces.HasTensorTypes(op)
		return !tensors
	})
	switch {
	case tensors:
		return "tensors"
	case !bodies:
		return "functions"
	}
	return ""
}

// explanation compiles the program anew up to a stage, and explains it, unless that is the stage it explained last.
func (e *Engine) explanation(n int) (*explain.Explanation, error) {
	if e.explained != nil && e.explainedStage == n {
		return e.explained, nil
	}
	m, err := e.manager(n)
	if err != nil {
		return nil, err
	}
	p, err := e.program(0)
	if err != nil {
		return nil, err
	}
	x, err := explain.Module(p.Module, m, explain.Options{Source: e.sourceOf, LLVM: e.taken.LLVM})
	if err != nil {
		return nil, err
	}
	e.explained, e.explainedStage = x, n
	return x, nil
}
