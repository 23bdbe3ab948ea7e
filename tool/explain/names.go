package explain

import (
	"strings"

	"freehold/internal/lazyregexp"
	"freehold/ir"
	"freehold/ir/asm"
)

// place returns where a value is made.
func (t *tracer) place(v *ir.Value) Place { return placeOf(t.SourceNames, v) }

// placeOf returns where a value is made, with its name in the source, or else words for it.
func placeOf(names *asm.SourceNames, v *ir.Value) Place {
	p := Place{Loc: v.Loc(), Name: names.Value(v)}
	if p.Name == "" {
		switch {
		case v.DefiningOp() != nil:
			p.Name = "the result of " + called(names, v.DefiningOp())
		default:
			p.Name = "a block's argument"
		}
	}
	return p
}

// called returns what an operation is called.
func (t *tracer) called(op *ir.Op) string { return called(t.SourceNames, op) }

// called returns what the source calls an operation that has come from another one, as the operators of a model of TensorFlow Lite become several; else
// it is the operation's own name.
func called(names *asm.SourceNames, op *ir.Op) string {
	return calledAt(names, op.Name(), op.Loc())
}

// calledAt returns what the source calls an operation that is made at a place, or else its name.
func calledAt(names *asm.SourceNames, name string, at ir.Location) string {
	pos, ok := ir.SourcePos(orUnknown(at))
	if !ok {
		return name
	}
	line, from := names.Line(pos.File(), pos.Line), int(pos.Col)-1
	if from < 0 || from > len(line) {
		return name
	}
	if _, written, _ := Definition(line[from:]); written != "" {
		return written
	}
	return name
}

var (
	// programLine is a line that may define values, by an operation that may have the name of a dialect before its own; operatorLine is one of the listing of a
	// model.
	programLine  = lazyregexp.New(`^(?:(%[\w$.-]+)[^=]* = )?(?:"?([a-zA-Z_]\w*\.[\w.]+))?`)
	operatorLine = lazyregexp.New(`^(\S.*?) [A-Z]+[0-9]*\[[^\]]*\].* = (\w+)[ (]`)
)

// Definition returns what a line of a source defines, the first of several values, and by which operation, each "" if that isn't in the line, and whether it
// is a line of a model's listing, which has an operator a line.
func Definition(line string) (name, op string, listed bool) {
	line = strings.TrimSpace(line)
	if m := programLine().FindStringSubmatch(line); m[1]+m[2] != "" {
		return m[1], m[2], false
	}
	if m := operatorLine().FindStringSubmatch(line); m != nil {
		return m[1], m[2], true
	}
	return "", "", false
}
