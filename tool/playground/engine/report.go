package engine

import (
	"bytes"

	"freehold/tool/explain"
	"freehold/tool/report"
)

// Page is a page that draws the memory of a program.
type Page struct {
	HTML string `json:"html"`
}

// Report draws the memory of the program as it was given and, if that is another one, of a
// stage, with why it has its copies.
func (e *Engine) Report(n int) (*Page, error) {
	p, err := e.program(0)
	if err != nil {
		return nil, err
	}
	page := report.New(e.stages[0].name, e.sourceOf)
	page.Add("as written", p.Module)
	if n > 0 {
		x, err := e.explanation(n)
		if err != nil {
			return nil, err
		}
		passes := e.stages[n].title
		if n > 1 && n == len(e.stages)-1 {
			passes = "all passes"
		}
		page.Explain(page.Add("after "+passes, x.Module), x, explain.Groups(x.Items))
	}
	var b bytes.Buffer
	if err := page.Write(&b); err != nil {
		return nil, err
	}
	return &Page{b.String()}, nil
}
