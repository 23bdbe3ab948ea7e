package engine

import (
	"fmt"
	"strings"

	"freehold/compile"
	"freehold/pass"
)

// Catalog is what the page offers.
type Catalog struct {
	// Passes are all passes, and named pipelines of them, each in order of their names.
	Passes []Pass `json:"passes"`
	// Presets are pipelines to start with, the recommended one first.
	Presets []Preset `json:"presets"`
}

// Pass describes a pass, or a named pipeline.
type Pass struct {
	Name        string `json:"name"`
	Summary     string `json:"summary"`
	Description string `json:"description,omitempty"`
	// On names the operations that it runs on; empty for any.
	On       string   `json:"on,omitempty"`
	Pipeline bool     `json:"pipeline,omitempty"`
	Options  []Option `json:"options,omitempty"`
}

// Option describes an option.
type Option struct {
	Name    string `json:"name"`
	Help    string `json:"help"`
	Kind    string `json:"kind"`
	Default string `json:"default,omitempty"`
	// Cases are the words that it may be.
	Cases []Case `json:"cases,omitempty"`
}

// Case is a word that an option may be.
type Case struct {
	Name string `json:"name"`
	Help string `json:"help,omitempty"`
}

// Preset is a pipeline with a name.
type Preset struct {
	Name string `json:"name"`
	Help string `json:"help"`
	// Passes are its elements.
	Passes []string `json:"passes"`
}

// Catalog lists all passes.
func (e *Engine) Catalog() *Catalog {
	c := &Catalog{Presets: e.presets()}
	for _, p := range e.passes.Passes() {
		c.Passes = append(c.Passes, describe(p.Info, p.Options(), false))
	}
	for _, p := range e.passes.Pipelines() {
		c.Passes = append(c.Passes, describe(p.Info, p.Options(), true))
	}
	return c
}

func describe(i pass.Info, options []*pass.Option, pipeline bool) Pass {
	out := Pass{Name: i.Name, Summary: i.Summary, Description: i.Description, On: i.On, Pipeline: pipeline}
	for _, o := range options {
		x := Option{Name: o.Name, Help: o.Help, Kind: o.Kind.String(), Default: o.Default}
		for _, c := range o.Cases {
			x.Cases = append(x.Cases, Case(c))
		}
		out.Options = append(out.Options, x)
	}
	return out
}

// presets are the pipelines of compile, and what to see less with.
func (e *Engine) presets() []Preset {
	out := []Preset{
		{Name: "recommended", Help: "What freehold compile does: bufferize, free after the last use, remove copies, share memory"},
		{Name: "bufferize only", Help: "Tensors become buffers; nothing frees them yet"},
		{Name: "like mlir-opt", Help: "What MLIR's own passes do"},
		{Name: "no arena", Help: "What freehold compile --arena none does: each buffer is an allocation of its own"},
		{Name: "no passes", Help: "Look at the program as it is"},
	}
	texts := []string{compile.Options{}.Pipeline(), compile.Bufferization(), compile.Options{Deallocation: compile.MLIR}.Pipeline(), compile.Options{Arena: compile.NoArena}.Pipeline(), pass.Module + "()"}
	for i, text := range texts {
		out[i].Passes = split(strings.TrimSuffix(strings.TrimPrefix(text, pass.Module+"("), ")"))
	}
	return out
}

// Elements is a pipeline in parts.
type Elements struct {
	Passes []string `json:"passes"`
}

// Elements takes a pipeline apart. The text of a named pipeline is that of its passes.
func (e *Engine) Elements(text string) (*Elements, error) {
	text = strings.TrimSpace(text)
	if pl := e.passes.Pipeline(headOf(text)); pl != nil {
		m := pass.NewManager(pass.Module)
		if err := e.add(m, text); err != nil {
			return nil, err
		}
		text = m.String()
	}
	inner, ok := strings.CutPrefix(text, pass.Module+"(")
	if ok {
		text = strings.TrimSuffix(inner, ")")
	}
	out := &Elements{Passes: split(text)}
	for _, x := range out.Passes {
		if err := e.add(pass.NewManager(pass.Module), x); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// add adds an element to a pipeline: a pass or named pipeline, nested as it needs to be, or
// a nested pipeline.
func (e *Engine) add(m *pass.OpPassManager, element string) error {
	name, options := headOf(element), ""
	if rest := strings.TrimSpace(element)[len(name):]; strings.HasPrefix(rest, "{") {
		options = strings.TrimSuffix(rest[1:], "}")
	} else if strings.TrimSpace(rest) != "" {
		return e.passes.ParsePasses(m, element)
	}
	if e.passes.Has(name) {
		return e.passes.AddFlag(m, name, options)
	}
	if like := e.passes.Suggest(name); like != "" {
		return fmt.Errorf("there is no pass %q; did you mean %s?", name, like)
	}
	return fmt.Errorf("there is no pass %q", name)
}

// headOf returns the name at the start of an element.
func headOf(element string) string {
	element = strings.TrimSpace(element)
	if i := strings.IndexAny(element, "{( \t\n"); i >= 0 {
		return element[:i]
	}
	return element
}

// split returns the elements of a list that commas separate, but for those in parentheses,
// braces and quotes.
func split(text string) []string {
	out := []string{}
	depth, start := 0, 0
	var quote byte
	add := func(end int) {
		if x := strings.TrimSpace(text[start:end]); x != "" {
			out = append(out, x)
		}
	}
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '(' || c == '{' || c == '[':
			depth++
		case c == ')' || c == '}' || c == ']':
			depth--
		case c == ',' && depth == 0:
			add(i)
			start = i + 1
		}
	}
	add(len(text))
	return out
}
