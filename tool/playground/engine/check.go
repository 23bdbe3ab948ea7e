package engine

import (
	"freehold/ir/asm"
	"freehold/proof/check"
)

// Verdict is the answer of the check.
type Verdict struct {
	// Verdict is "safe", "unsafe", "not judged" or "nothing to prove".
	Verdict string `json:"verdict"`
	// Functions counts those that were checked.
	Functions int `json:"functions"`
	// Findings are what is wrong, each with the path to it as its notes.
	Findings []FindingInFunction `json:"findings"`
	// Unjudged says what can't be judged.
	Unjudged []Diagnostic `json:"unjudged"`
}

// FindingInFunction is a violation.
type FindingInFunction struct {
	Diagnostic
	Function string `json:"function"`
}

// Check proves that every buffer of a stage is freed once and not used afterwards. Places are
// those of the stage's text.
func (e *Engine) Check(n int) (*Verdict, error) {
	p, err := e.program(n)
	if err != nil {
		return nil, err
	}
	r := check.Module(p.Module, check.Options{Name: asm.NewSourceNames(e.sourceOf).Value})
	out := &Verdict{Verdict: "safe", Functions: r.Functions, Findings: []FindingInFunction{}, Unjudged: []Diagnostic{}}
	places := newPlaces(e.stages[n].text)
	for _, f := range r.Findings {
		d := places.diagnostic(f.Diagnostic)
		d.Kind = f.Kind.String()
		out.Findings = append(out.Findings, FindingInFunction{d, symbol(f.Function)})
	}
	out.Unjudged = append(out.Unjudged, places.diagnostics(r.Unjudged)...)
	switch {
	case len(out.Findings) > 0:
		out.Verdict = "unsafe"
	case len(out.Unjudged) > 0:
		out.Verdict = "not judged"
	case r.Functions == 0:
		out.Verdict = "nothing to prove"
	}
	return out, nil
}
