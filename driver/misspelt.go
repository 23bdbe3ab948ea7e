package driver

import (
	"bytes"
	"errors"
	"regexp"
	"slices"
	"strings"

	"freehold/internal/lazyregexp"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/pass"
)

// misspelt knows a text and what there is in its context. It is not in the parser, whose errors are those of mlir-opt.
type misspelt struct {
	context *ir.Context
	lines   *asm.SourceNames
	text    []byte
}

// Suggest says after errors about names that nothing has what they may be misspelt for: operations, types and values. The text src is what was read in
// the session's context, under a name. It takes time that is linear in the text for each error.
func Suggest(err error, context *ir.Context, src []byte, name string) {
	source := func(file string) []byte {
		if file != name {
			return nil
		}
		return src
	}
	(&misspelt{context, asm.NewSourceNames(source), src}).mend(err)
}

// mend adds to errors what may be meant.
func (m *misspelt) mend(err error) {
	var all ir.Diagnostics
	var one *ir.Diagnostic
	switch {
	case errors.As(err, &all):
	case errors.As(err, &one):
		all = ir.Diagnostics{one}
	}
	for _, d := range all {
		if meant := m.meant(d); meant != "" {
			d.Message = strings.TrimRight(d.Message, " ") + "; did you mean '" + meant + "'?"
		}
	}
}

var (
	unknownOp      = lazyregexp.New(`^custom op '([^']+)' is unknown(?: \(tried '([^']+)' as well\))?`)
	unknownDialect = lazyregexp.New("^Dialect `[^']*' not found for custom op '([^']+)'")
	nameOfValue    = lazyregexp.New(`%[A-Za-z_$.-][\w$.-]*`)
	unregisteredOp = lazyregexp.New(`^unregistered operation '([^']+)' found in dialect`)
	unknownCallee  = lazyregexp.New(`^'[\w.]+' op '([^']+)' does not reference a valid function`)
	nameOfSymbol   = lazyregexp.New(`@[A-Za-z_$.-][\w$.-]*`)
	letters        = lazyregexp.New(`^[a-z]+[0-9]*`)
	oneOf          = lazyregexp.New(`(?:enum values for attribute '[^']*' \[|to be one of: )([^\]]+)\]?$`)
	unknownAlias   = lazyregexp.New(`^undefined symbol alias id '([^']+)'`)
	alias          = lazyregexp.New(`(?m)^[#!][A-Za-z_$][\w$]*`)
	label          = lazyregexp.New(`(?m)^\s*\^[\w$.-]+`)
	quoted         = lazyregexp.New(`"([^"]+)"$`)
	unknownType    = lazyregexp.New(`^unknown .*type\b`)
	unknownPrefix  = lazyregexp.New("^`!\"([^\"]+)\"<\"([\\w.$]+).*type created with unregistered dialect")
	typePrefix     = lazyregexp.New(`!([\w$]+)[.<]$`)
	mnemonic       = lazyregexp.New(`^[\w.$]+`)
)

// shortestName is the length of names, with their sign, from which on others may be misspelt for them: below, all are alike.
const shortestName = 4

// builtinTypes are what the names of builtin types begin with.
var builtinTypes = []string{
	"tensor", "memref", "vector", "complex", "tuple", "index", "none", "i1", "i8", "i16", "i32", "i64", "f16", "bf16", "f32", "tf32", "f64", "f80", "f128",
}

// meant returns what an error is about may be misspelt for; "" if it isn't about a name, or none is similar.
func (m *misspelt) meant(d *ir.Diagnostic) string {
	if x := unknownOp().FindStringSubmatch(d.Message); x != nil {
		return m.operation(x[1], x[2])
	}
	if x := unknownDialect().FindStringSubmatch(d.Message); x != nil {
		return m.operation(x[1], "")
	}
	if x := unregisteredOp().FindStringSubmatch(d.Message); x != nil {
		return m.operation(x[1], "")
	}
	before, word := m.around(d.Loc)
	if x := oneOf().FindStringSubmatch(d.Message); x != nil {
		return pass.Similar(letters().FindString(strings.TrimLeft(word, `<"`)), strings.Split(x[1], ", "))
	}
	if x := unknownAlias().FindStringSubmatch(d.Message); x != nil {
		sign := "#"
		if strings.HasSuffix(before, "!"+x[1]) {
			sign = "!"
		}
		return m.inText(sign+x[1], alias())
	}
	if x := unknownCallee().FindStringSubmatch(d.Message); x != nil {
		return m.inText("@"+x[1], nameOfSymbol())
	}
	if x := unknownPrefix().FindStringSubmatch(d.Message); x != nil {
		return m.foreignType(x[1], x[2])
	}
	if x := typePrefix().FindStringSubmatch(before); x != nil && unknownType().MatchString(d.Message) {
		return m.typeOf(x[1], mnemonic().FindString(word))
	}
	switch {
	case d.Message == "use of undeclared SSA value name":
		if name := nameOfValue().FindString(word); name != "" && strings.HasPrefix(word, name) {
			return m.inText(name, nameOfValue())
		}
	case d.Message == "expected non-function type":
		if name := letters().FindString(word); len(name) > 2 {
			return pass.Similar(name, builtinTypes)
		}
	case d.Message == "expected attribute value":
		if name := letters().FindString(word); len(name) >= shortestName {
			return pass.Similar(name, slices.Concat(asm.AttributeWords(), builtinTypes))
		}
	case d.Message == "reference to an undefined block":
		if name := label().FindString(word); name != "" {
			return m.inText(name, label())
		}
	case strings.HasPrefix(d.Message, "operation being parsed with an unregistered dialect"):
		if x := quoted().FindStringSubmatch(before); x != nil {
			return m.operation(x[1], "")
		}
	}
	return ""
}

// operation returns the operation that a name may be misspelt for, without the dialect if full is the name with the dialect that it may do
// without. In a dialect that there is, only the rest of the name may be; the name of another one must be nearly that of one that there is.
func (m *misspelt) operation(name, full string) string {
	prefix := ""
	if full == "" {
		full = name
		if dialect, _, _ := strings.Cut(name, "."); m.context.Dialect(dialect) != nil {
			prefix = dialect + "."
		}
	}
	dialect, rest, _ := strings.Cut(full, ".")
	var all, short []string
	for _, n := range m.context.OpNames() {
		all = append(all, n.String())
		if s, ok := strings.CutPrefix(n.String(), dialect+"."); ok {
			short = append(short, s)
		}
	}
	if len(short) == 0 {
		return pass.Similar(name, slices.DeleteFunc(all, func(n string) bool {
			near, _, _ := strings.Cut(n, ".")
			return !pass.NearlyEqual(dialect, near)
		}))
	}
	if near := pass.Similar(rest, short); near != "" {
		return prefix + near
	}
	return ""
}

// typeOf returns the type of a dialect, without that, that a name may be misspelt for.
func (m *misspelt) typeOf(dialect, name string) string {
	var names []string
	for _, n := range m.context.TypeNames() {
		if d, mnemonic, _ := strings.Cut(n, "."); d == dialect {
			names = append(names, mnemonic)
		}
	}
	return pass.Similar(name, names)
}

// foreignType returns the type with its dialect that one of a dialect which there isn't may be misspelt for.
func (m *misspelt) foreignType(dialect, name string) string {
	near := pass.Similar(dialect+"."+name, slices.DeleteFunc(m.context.TypeNames(), func(n string) bool {
		d, _, _ := strings.Cut(n, ".")
		return !pass.NearlyEqual(dialect, d)
	}))
	if near == "" {
		return ""
	}
	return "!" + near
}

// inText returns the word in the text of those that match that a name may be misspelt for.
func (m *misspelt) inText(name string, words *regexp.Regexp) string {
	var all []string
	for _, n := range words.FindAll(m.text, -1) {
		all = append(all, string(bytes.TrimSpace(n)))
	}
	slices.Sort(all)
	if len(name) < shortestName {
		return ""
	}
	return pass.Similar(name, slices.DeleteFunc(slices.Compact(all), func(n string) bool { return unnumbered(n) == unnumbered(name) }))
}

// unnumbered is a name without the number at its end: that names have other numbers is no misspelling.
func unnumbered(name string) string { return strings.TrimRight(name, "0123456789") }

// around returns the text of a line up to a place, and from it on.
func (m *misspelt) around(l ir.Location) (before, after string) {
	if l == nil {
		return "", ""
	}
	pos, ok := ir.SourcePos(l)
	if !ok || pos.Col == 0 {
		return "", ""
	}
	line := m.lines.Line(pos.File(), pos.Line)
	at := min(int(pos.Col)-1, len(line))
	return line[:at], strings.TrimLeft(line[at:], " \t")
}
