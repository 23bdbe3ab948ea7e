package engine

// Text is the program at a stage.
type Text struct {
	Title string `json:"title"`
	Text  string `json:"text"`
	// Hunks are where it differs from the stage before.
	Hunks []Hunk `json:"hunks,omitempty"`
}

// Stage returns the text of a stage, which must exist, with what its pass changed.
func (e *Engine) Stage(n int) *Text {
	s := e.stages[n]
	out := &Text{Title: s.title, Text: string(s.text)}
	if n > 0 {
		out.Hunks = hunks(e.before(n), s.text)
	}
	return out
}

// before returns the text that stage n is compared with.
func (e *Engine) before(n int) []byte {
	if n == 1 {
		return e.printed
	}
	return e.stages[n-1].text
}
