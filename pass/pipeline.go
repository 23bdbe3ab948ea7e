package pass

import (
	"errors"
	"fmt"
	"strings"
)

// element is a pass, pipeline or nested manager in a textual pipeline.
type element struct {
	name    string
	pos     int // of the name, in the parsed text
	options string
	nested  bool
	inner   []element
}

// ParsePipeline returns the manager that text describes, for example
// "builtin.module(func.func(cse,canonicalize{max-iterations=3}),inline)".
func (r *Registry) ParsePipeline(text string) (*OpPassManager, error) {
	text = strings.TrimSpace(text)
	open := strings.IndexByte(text, '(')
	if open <= 0 || !strings.HasSuffix(text, ")") {
		return nil, &AnchorError{Text: text}
	}
	m := NewManager(strings.TrimSpace(text[:open]))
	if err := r.ParsePasses(m, text[open+1:len(text)-1]); err != nil {
		return nil, err
	}
	return m, nil
}

// ParsePasses adds the passes that text lists, without an anchor around them, to
// m.
func (r *Registry) ParsePasses(m *OpPassManager, text string) error {
	elems, err := parseElements(text)
	if err != nil {
		return err
	}
	if err := r.check(text, elems); err != nil {
		return err
	}
	return r.build(m, elems)
}

// AnchorError is about a textual pipeline that has no anchor around it.
type AnchorError struct{ Text string }

// Error returns what is missing.
func (e *AnchorError) Error() string {
	return "expected pass pipeline to be wrapped with the anchor operation type, e.g. 'builtin.module(...)'"
}

// Wrapped returns the pipeline in the anchor that is meant, "" if something else is wrong with it: there is no name, or its parentheses aren't closed.
func (e *AnchorError) Wrapped() string {
	if e.Text == "" || strings.HasPrefix(e.Text, "builtin.module(") || strings.Count(e.Text, "(") != strings.Count(e.Text, ")") {
		return ""
	}
	return "builtin.module(" + e.Text + ")"
}

// PipelineError is about a place in a textual pipeline.
type PipelineError struct {
	// Text is the pipeline, without the anchor around it.
	Text string
	// Pos is the place, in bytes.
	Pos     int
	Problem string
	// Similar is a registered name that a name which isn't may be misspelt for, or "".
	Similar string
}

// Error returns the problem with the line of the pipeline and a caret below it.
func (e *PipelineError) Error() string {
	lineStart := strings.LastIndexByte(e.Text[:e.Pos], '\n') + 1
	line := e.Text[lineStart:]
	if i := strings.IndexByte(line, '\n'); i >= 0 {
		line = line[:i]
	}
	col := e.Pos - lineStart
	return fmt.Sprintf("MLIR Textual PassPipeline Parser:%d:%d: error: %s\n%s\n%s^",
		strings.Count(e.Text[:e.Pos], "\n")+1, col+1, e.Problem, line, strings.Repeat(" ", col))
}

// MeantBy returns what may be meant in a pipeline that an error is about: a pass, an option, or the pipeline in an anchor; "" if nothing is similar.
func MeantBy(err error) string {
	var pipeline *PipelineError
	var option *UnknownOptionError
	var anchor *AnchorError
	switch {
	case errors.As(err, &anchor):
		return anchor.Wrapped()
	case errors.As(err, &pipeline):
		return pipeline.Similar
	case errors.As(err, &option):
		return option.Similar
	}
	return ""
}

// AddError says that an element of a textual pipeline can't be added to it.
type AddError struct {
	Err           error
	Name, Options string
	// Inner tells that the element is a manager of passes, not a pass.
	Inner bool
}

func (e *AddError) Error() string { return e.Err.Error() + "\n" + e.Summary() }

// Summary returns what the error says beyond what it wraps.
func (e *AddError) Summary() string {
	s := fmt.Sprintf("failed to add `%s` with options `%s`", e.Name, e.Options)
	if e.Inner {
		s += " to inner pipeline"
	}
	return s
}

// Unwrap returns why the element can't be added.
func (e *AddError) Unwrap() error { return e.Err }

func parseElements(text string) ([]element, error) {
	// levels[i] is the list that is being read at nesting depth i; the last element
	// of levels[i] owns levels[i+1].
	levels := [][]element{nil}
	pos := 0
	if strings.TrimSpace(text) == "" {
		return nil, nil
	}
	for {
		end := strings.IndexAny(text[pos:], ",{()")
		stop := len(text)
		if end >= 0 {
			stop = pos + end
		}
		name := strings.TrimSpace(text[pos:stop])
		namePos := pos + len(text[pos:stop]) - len(strings.TrimLeft(text[pos:stop], " \t\n\r"))
		top := &levels[len(levels)-1]
		*top = append(*top, element{name: name, pos: namePos})
		cur := &(*top)[len(*top)-1]
		pos = stop
		if pos == len(text) {
			break
		}
		switch text[pos] {
		case ',':
			pos++
			continue
		case '(':
			pos++
			cur.nested = true
			levels = append(levels, nil)
			continue
		case '{':
			n := closingBrace(text[pos:])
			if n < 0 {
				return nil, &PipelineError{Text: text, Pos: pos, Problem: "missing closing '}' while processing pass options"}
			}
			cur.options = text[pos+1 : pos+n]
			pos += n + 1
		}
		for pos < len(text) {
			pos = len(text) - len(strings.TrimLeft(text[pos:], " \t\n\r"))
			if pos >= len(text) || text[pos] != ')' {
				break
			}
			if len(levels) == 1 {
				return nil, &PipelineError{Text: text, Pos: pos, Problem: "encountered extra closing ')' creating unbalanced parentheses while parsing pipeline"}
			}
			done := levels[len(levels)-1]
			levels = levels[:len(levels)-1]
			up := levels[len(levels)-1]
			up[len(up)-1].inner = done
			pos++
		}
		if pos >= len(text) {
			break
		}
		if text[pos] != ',' {
			return nil, &PipelineError{Text: text, Pos: pos, Problem: "expected ',' after parsing pipeline"}
		}
		pos++
	}
	if len(levels) > 1 {
		deepest := levels[len(levels)-1]
		at := max(len(text)-1, 0)
		if len(deepest) > 0 {
			at = deepest[len(deepest)-1].pos
		}
		return nil, &PipelineError{Text: text, Pos: at, Problem: "encountered unbalanced parentheses while parsing pipeline"}
	}
	return levels[0], nil
}

// closingBrace returns the position of the brace that closes the one that the text
// starts with, or -1.
func closingBrace(text string) int {
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// check finds names that aren't registered before anything is built, so that the
// message can point at them.
func (r *Registry) check(text string, elems []element) error {
	for i := range elems {
		e := &elems[i]
		if e.nested {
			if err := r.check(text, e.inner); err != nil {
				return err
			}
		} else if !r.Has(e.name) {
			return &PipelineError{Text: text, Pos: e.pos, Problem: "'" + e.name + "' does not refer to a registered pass or pass pipeline", Similar: Similar(e.name, r.names())}
		}
	}
	return nil
}

func (r *Registry) build(m *OpPassManager, elems []element) error {
	for i := range elems {
		e := &elems[i]
		if e.nested {
			if err := r.build(m.Nest(e.name), e.inner); err != nil {
				return &AddError{Err: err, Name: e.name, Inner: true}
			}
		} else if err := r.add(m, e.name, e.options, false); err != nil {
			return &AddError{Err: err, Name: e.name, Options: e.options}
		}
	}
	return nil
}
