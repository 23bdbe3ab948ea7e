package lsp

import (
	"fmt"
	"iter"
	"strings"

	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/interfaces"
	"freehold/memory/footprint"
)

// hover says what is known about the name at a position.
func (d *document) hover(at position) *hover {
	p, t := d.token(at)
	if t == nil {
		return nil
	}
	says := ""
	switch t.Kind {
	case asm.OpToken:
		if t.Op != nil {
			says = describeOp(t.Op)
		}
	case asm.ValueToken:
		if t.Value != nil {
			says = describeValue(d.tokenText(p, t), t.Value, uses(t.Value, nil))
		}
	case asm.BlockToken:
		if t.Block != nil {
			says = describeBlock(t.Block)
		}
	case asm.SymbolToken:
		if op := d.symbolOp(p, d.tokenText(p, t)); op != nil {
			says = describeSymbol(d.tokenText(p, t), op)
		}
	}
	if says == "" {
		return nil
	}
	return &hover{markup{"markdown", says}, d.tokenSpan(p, t)}
}

// describeOp says what an operation is.
func describeOp(op *ir.Op) string {
	var b strings.Builder
	fmt.Fprintf(&b, "`%s`", op.Name())
	if !op.Registered() {
		b.WriteString(", which isn't registered")
	}
	if op.NumResults() > 0 {
		var types []string
		for _, x := range op.Results().Values() {
			types = append(types, "`"+x.Type().String()+"`"+size(x.Type()))
		}
		b.WriteString("\n\nResults: " + strings.Join(types, ", "))
	}
	// Of what is on tensors, bufferization decides.
	if effects, ok := interfaces.EffectsOf(op); ok && len(effects) == 0 && !interfaces.HasTensorTypes(op) {
		b.WriteString("\n\nIt touches no memory.")
	}
	return b.String()
}

// describeValue says what a value is; how often it is used only if that is known, and not negative.
func describeValue(name string, v *ir.Value, uses int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "`%s : %s`%s", name, v.Type(), size(v.Type()))
	if op := v.DefiningOp(); op != nil {
		fmt.Fprintf(&b, "\n\nResult %d of `%s`", v.Index(), op.Name())
	} else {
		fmt.Fprintf(&b, "\n\nArgument %d of a block", v.Index())
		if op := interfaces.OwnerOf(v); op != nil {
			fmt.Fprintf(&b, " of `%s`", op.Name())
		}
	}
	if uses >= 0 {
		fmt.Fprintf(&b, ", used %s", times(uses))
	}
	return b.String()
}

// uses counts the uses of a value, but for those by some operations.
func uses(v *ir.Value, without map[*ir.Op]bool) int {
	n := 0
	for u := v.FirstUse(); u != nil; u = u.Next() {
		if !without[u.Owner()] {
			n++
		}
	}
	return n
}

// describeBlock says what a block is.
func describeBlock(b *ir.Block) string {
	preds := 0
	for u := b.FirstPred(); u != nil; u = u.NextPred() {
		preds++
	}
	return fmt.Sprintf("Block with %d arguments, entered from %s", b.NumArgs(), places(preds))
}

// describeSymbol says what the operation is that defines a symbol.
func describeSymbol(name string, op *ir.Op) string {
	says := fmt.Sprintf("`%s %s`", op.Name(), name)
	if f, ok := interfaces.Function.Of(op); ok {
		says += fmt.Sprintf("\n\n`%s`", f.Type(op))
	}
	return says
}

// symbolOp returns the operation that defines a symbol.
func (d *document) symbolOp(p *piece, name string) *ir.Op {
	for i := range p.tokens {
		if x := &p.tokens[i]; x.Kind == asm.SymbolToken && x.Def && x.Op != nil && d.tokenText(p, x) == name {
			return x.Op
		}
	}
	return nil
}

// size returns how much memory a tensor or buffer takes, in words, or "".
func size(t ir.Type) string {
	if !ir.IsTensor(t) && !ir.IsMemRef(t) {
		return ""
	}
	if n, ok := footprint.StaticSize(t); ok {
		return ", " + footprint.Bytes(n)
	}
	return ", of dynamic size"
}

func times(n int) string {
	switch n {
	case 0:
		return "nowhere"
	case 1:
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

func places(n int) string {
	if n == 1 {
		return "1 place"
	}
	return fmt.Sprintf("%d places", n)
}

// symbols returns the outline: what has a name that others may refer to.
func (d *document) symbols() []documentSymbol {
	out := []documentSymbol{}
	for _, p := range d.pieces {
		out = append(out, d.symbolsOf(p)...)
	}
	return out
}

// symbolsOf returns the part of the outline that is about a piece.
func (d *document) symbolsOf(p *piece) (out []documentSymbol) {
	lines := braces(d.src[p.start:p.end])
	for i := range p.tokens {
		t := &p.tokens[i]
		if t.Kind != asm.SymbolToken || !t.Def || t.Op == nil {
			continue
		}
		kind := symbolVariable
		detail := t.Op.Name()
		if f, ok := interfaces.Function.Of(t.Op); ok {
			kind, detail = symbolFunction, f.Type(t.Op).String()
		} else if t.Op.NumRegions() > 0 {
			kind = symbolModule
		}
		name := d.tokenSpan(p, t)
		whole := name
		if end, ok := lines.after(t.End); ok {
			whole.End = d.position(p.start + end)
		}
		whole.Start.Character = 0
		out = append(out, documentSymbol{Name: d.tokenText(p, t), Detail: detail, Kind: kind, Range: whole, SelectionRange: name})
	}
	return out
}

// folding returns the ranges of lines that can be folded: those of braces.
func (d *document) folding() []foldingRange {
	out := []foldingRange{}
	for _, p := range d.pieces {
		for _, b := range braces(d.src[p.start:p.end]) {
			from, to := d.position(p.start+b.open).Line, d.position(p.start+b.close).Line
			if to > from+1 {
				out = append(out, foldingRange{from, to - 1})
			}
		}
	}
	return out
}

// brace is a pair of braces in a source.
type brace struct{ open, close int }

type bracePairs []brace

// braces finds the pairs of braces, in the order of their opening ones, outside of strings
// and comments.
func braces(src string) bracePairs {
	var out bracePairs
	var open []int
	for i := range bracesOf(src) {
		if src[i] == '{' {
			open = append(open, len(out))
			out = append(out, brace{i, -1})
		} else if n := len(open); n > 0 {
			out[open[n-1]].close = i
			open = open[:n-1]
		}
	}
	kept := out[:0]
	for _, b := range out {
		if b.close >= 0 {
			kept = append(kept, b)
		}
	}
	return kept
}

// bracesOf returns where braces are in a source, outside of strings and comments.
func bracesOf(src string) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := 0; i < len(src); i++ {
			switch src[i] {
			case '"':
				for i++; i < len(src) && src[i] != '"' && src[i] != '\n'; i++ {
					if src[i] == '\\' {
						i++
					}
				}
			case '/':
				if i+1 < len(src) && src[i+1] == '/' {
					for i < len(src) && src[i] != '\n' {
						i++
					}
				}
			case '{', '}':
				if !yield(i) {
					return
				}
			}
		}
	}
}

// after returns the end of the last of the pairs that open on the first line after an
// offset with one: that of a body, behind attributes.
func (bs bracePairs) after(offset int) (int, bool) {
	end, found := 0, false
	for _, b := range bs {
		if b.open < offset {
			continue
		}
		if found && b.open > end {
			// What follows attributes may be the body.
			if b.open-end > len(" attributes ") {
				break
			}
		} else if found {
			continue
		}
		end, found = b.close, true
	}
	return end + 1, found
}

// tokenTypes are the kinds of semantic tokens, in the order of their numbers.
var tokenTypes = []string{"function", "variable", "label", "macro", "property", "parameter"}

// semantic returns the names for colouring.
func (d *document) semantic() semanticTokens {
	out := semanticTokens{Data: []int{}}
	line, column := 0, 0
	for _, p := range d.pieces {
		for i := range p.tokens {
			t := &p.tokens[i]
			kind := 1
			switch t.Kind {
			case asm.OpToken:
				kind = 0
			case asm.BlockToken:
				kind = 2
			case asm.SymbolToken:
				kind = 3
			case asm.AttrToken:
				kind = 4
			case asm.ValueToken:
				if t.Value != nil && t.Value.IsBlockArg() {
					kind = 5
				}
			}
			at := d.tokenSpan(p, t)
			if at.Start.Line != at.End.Line {
				continue
			}
			delta := at.Start.Character
			if at.Start.Line == line {
				delta -= column
			}
			defined := 0
			if t.Def {
				defined = 1
			}
			out.Data = append(out.Data, at.Start.Line-line, delta, at.End.Character-at.Start.Character, kind, defined)
			line, column = at.Start.Line, at.Start.Character
		}
	}
	return out
}
