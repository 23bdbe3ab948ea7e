package lsp

import (
	"fmt"
	"strconv"
	"strings"

	"freehold/internal/lazyregexp"
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
	peak                footprint.Size
	allocations, copies int
}

// needs returns what the functions of a program need, by their names.
func needs(p *footprint.Program) map[string]need {
	out := map[string]need{}
	for _, f := range p.Functions {
		out[strings.TrimPrefix(f.Name, "@")] = need{f.Peak(), f.Allocations, f.Copies}
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
		names := asm.NewSourceNames(func(string) []byte { return []byte(d.src[p.start:p.end]) })
		title, name := "", ""
		var of map[string]need
		if hasTensors(p.program.Module) {
			s.explained(d, p)
			title, name, of = "compiled: ", bufferizedCommand, p.reasons.needs
		} else {
			of = needs(footprint.Analyze(p.program.Module))
		}
		for _, f := range d.symbolsOf(p) {
			n, ok := of[strings.Trim(f.Name, `@"`)]
			if f.Kind != symbolFunction || !ok {
				continue
			}
			peak := n.peak.Rename(func(size string) string { return ofArgument(names, f.op, size) })
			text := fmt.Sprintf("%speak %s, %s, %s", title, peak, count(n.allocations, "allocation", "allocations"), count(n.copies, "copy", "copies"))
			c := command{Title: text, Command: name, Arguments: []any{d.uri, fmt.Sprint(f.Range.Start.Line)}}
			if name == "" {
				c.Arguments = []any{}
			}
			out = append(out, codeLens{f.SelectionRange, c})
		}
	}
	return out
}

// argument matches an argument at the start of the name of a size.
var argument = lazyregexp.New(`^arg(\d+)`)

// ofArgument returns the name of a size with the name that the program gives to the argument of the function that it is of.
func ofArgument(names *asm.SourceNames, function *ir.Op, size string) string {
	return argument().ReplaceAllStringFunc(size, func(text string) string {
		n, err := strconv.Atoi(text[len("arg"):])
		if err != nil || function.NumRegions() == 0 || function.RegionAt(0).Empty() || n >= function.RegionAt(0).Entry().NumArgs() {
			return text
		}
		return names.Value(function.RegionAt(0).Entry().Arg(n))
	})
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
