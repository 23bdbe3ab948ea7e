package engine

import "freehold/internal/linediff"

// Text is the program at a stage.
type Text struct {
	Title string `json:"title"`
	Text  string `json:"text"`
	// Hunks are where it differs from the stage that it is compared with.
	Hunks []linediff.Hunk `json:"hunks,omitempty"`
}

// Stage returns the text of a stage, with what differs from an earlier one. Both must exist.
func (e *Engine) Stage(n, from int) *Text {
	s := e.stages[n]
	out := &Text{Title: s.title, Text: string(s.text)}
	if n > 0 {
		before := e.printed
		if from > 0 {
			before = e.stages[from].text
		}
		out.Hunks = linediff.Hunks(before, s.text)
	}
	return out
}
