package engine

import (
	"cmp"

	"freehold/compile"
	"freehold/ir"
	"freehold/memory/footprint"
	"freehold/proof/check"
)

// Peaks says how much memory each function of a program needs at most.
type Peaks struct {
	Functions []Peak `json:"functions"`
}

// Peak is where a function needs most. Sizes are in words, such as "4.0 KiB" or "4*%n".
type Peak struct {
	Function string `json:"function"`
	// Before is what the function of this name needs in the program as it was given, "" if that is
	// the program asked about.
	Before    string `json:"before,omitempty"`
	Size      string `json:"size"`
	Arguments string `json:"arguments"`
	Constants string `json:"constants"`
	// More tells that what calls itself, or isn't known, adds to it.
	More bool `json:"more,omitempty"`
	// Place and Op are of the operation at which it happens, and Alive is what is alive there.
	Place
	Op    string  `json:"op,omitempty"`
	Alive []Alive `json:"alive"`
	// Rest counts what else is alive.
	Rest int `json:"rest,omitempty"`
}

// Alive is a buffer, a tensor or a call that has memory.
type Alive struct {
	Place
	Size string `json:"size"`
	// Name is what the program calls it, "" if it has no name there.
	Name   string `json:"name,omitempty"`
	What   string `json:"what"`
	Type   string `json:"type,omitempty"`
	Leaked bool   `json:"leaked,omitempty"`
}

// mostAlive is how much is listed of what is alive at a peak.
const mostAlive = 50

// Peak tells how much memory the functions need at a stage, and before. Places are those of the program
// as it was given.
func (e *Engine) Peak(n int) (*Peaks, error) {
	p, err := e.program(0)
	if err != nil {
		return nil, err
	}
	before := map[string]string{}
	if n > 0 {
		for _, f := range check.Footprint(p.Module, 1).Functions {
			before[f.Name] = f.PeakSizes().String()
		}
		m, err := e.manager(n)
		if err != nil {
			return nil, err
		}
		if err := p.RunManager(m); err != nil {
			return nil, err
		}
	}
	places, nameOf := newPlaces(e.stages[0].text), e.nameOf()
	out := &Peaks{Functions: []Peak{}}
	for _, f := range check.Footprint(p.Module, 1).Functions {
		peak := Peak{
			Function: f.Name, Before: before[f.Name], Size: f.PeakSizes().String(),
			Arguments: f.Arguments.String(), Constants: f.Constants.String(), More: f.Unknown, Alive: []Alive{},
		}
		if len(f.Peaks) > 0 {
			top := f.Peaks[0]
			items := f.At(top.Time)
			if top.Op != nil && len(items) > 0 {
				peak.Place, peak.Op = places.of(top.Op.Loc(), 0), top.Op.Name()
			}
			peak.Rest = max(len(items)-mostAlive, 0)
			for _, x := range items[:len(items)-peak.Rest] {
				peak.Alive = append(peak.Alive, alive(places, nameOf, x))
			}
		}
		out.Functions = append(out.Functions, peak)
	}
	return out, nil
}

func alive(places *places, nameOf func(v *ir.Value) string, x footprint.Item) Alive {
	a := Alive{Size: x.Size.String(), Leaked: x.Leaked}
	var loc ir.Location
	if x.Op != nil {
		loc, a.What = x.Op.Loc(), x.Op.Name()
	}
	if x.Copy {
		a.What = "copy for " + a.What
	}
	if x.Callee != "" {
		a.What = "call of @" + x.Callee
	}
	if x.Value != nil {
		a.Type = x.Value.Type().String()
		if name := nameOf(x.Value); name != "" {
			a.Name = "%" + name
		}
	}
	a.Place = places.of(loc, 0)
	return a
}

// Comparison says what each pipeline of freehold compile makes of the program, first the program itself.
type Comparison struct {
	Pipelines []PipelineSummary `json:"pipelines"`
}

// PipelineSummary is what a pipeline makes of a program.
type PipelineSummary struct {
	Name        string `json:"name"`
	Allocations int    `json:"allocations"`
	Copies      int    `json:"copies"`
	Conditional int    `json:"conditional"`
	Copied      string `json:"copied"`
	Peak        string `json:"peak"`
	Arena       string `json:"arena"`
	// Error says why the pipeline doesn't take the program.
	Error string `json:"error,omitempty"`
}

// Compare compiles the program as it was given by each pipeline.
func (e *Engine) Compare() (*Comparison, error) {
	rows, err := compile.Compare(e.passes, func() (*ir.Op, error) {
		p, err := e.program(0)
		if err != nil {
			return nil, err
		}
		return p.Module, nil
	})
	if err != nil {
		return nil, err
	}
	out := &Comparison{}
	for _, x := range rows {
		r := PipelineSummary{
			Name: cmp.Or(string(x.Deallocation), "the program"), Allocations: x.Allocations, Copies: x.Copies, Conditional: x.ConditionalFrees,
			Copied: x.Copied.String(), Peak: x.Peaks.String(), Error: x.Refused,
		}
		if x.Arenas > 0 {
			r.Arena = x.ArenaSize.String()
		}
		out.Pipelines = append(out.Pipelines, r)
	}
	return out, nil
}
