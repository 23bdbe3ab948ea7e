package lsp

import (
	"fmt"
	"strings"

	"freehold/ir"
	"freehold/ir/asm"
	"freehold/memory/footprint"
)

// codeLens is a line above a function.
type codeLens struct {
	Range   span    `json:"range"`
	Command command `json:"command"`
}

// need is how much memory a function needs.
type need struct {
	peak                footprint.Sizes
	allocations, copies int
}

// needs returns what the functions of a module need, by their names, in the names that the source gives to values.
func needs(module *ir.Op, names *asm.SourceNames) map[string]need {
	out := map[string]need{}
	for _, f := range footprint.Analyze(module).Functions {
		named := f.Named(names.Value)
		peak := f.PeakSizes().Each(func(s footprint.Size) footprint.Size { return s.Rename(named) })
		out[strings.TrimPrefix(f.Name, "@")] = need{peak, f.Allocations, f.Copies}
	}
	return out
}

// lenses says above each function how much memory it needs; of a function on tensors, once it is compiled, which a click shows.
func (s *Server) lenses(d *document) []codeLens {
	out := []codeLens{}
	for _, p := range d.pieces {
		if p.program == nil {
			continue
		}
		title, name := "", ""
		var of map[string]need
		if hasTensors(p.program.Module) {
			s.explained(d, p)
			title, name, of = "compiled: ", bufferizedCommand, p.reasons.needs
		} else {
			of = needs(p.program.Module, d.names(p))
		}
		for _, f := range d.symbolsOf(p) {
			n, ok := of[strings.Trim(f.Name, `@"`)]
			if f.Kind != symbolFunction || !ok {
				continue
			}
			text := fmt.Sprintf("%speak %s, %s, %s", title, n.peak, count(n.allocations, "allocation", "allocations"), count(n.copies, "copy", "copies"))
			c := command{Title: text, Command: name, Arguments: []any{d.uri, fmt.Sprint(f.Range.Start.Line)}}
			if name == "" {
				c.Arguments = []any{}
			}
			out = append(out, codeLens{f.SelectionRange, c})
		}
	}
	return out
}

// count is a number of things in words.
func count(n int, one, many string) string {
	switch n {
	case 0:
		return "no " + many
	case 1:
		return "1 " + one
	}
	return fmt.Sprint(n, " ", many)
}
