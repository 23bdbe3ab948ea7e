package lsp

import (
	"strings"

	"freehold/internal/lazyregexp"
	"freehold/ir"
)

// signatureHelp is how the operation around the cursor is written.
type signatureHelp struct {
	Signatures      []signature `json:"signatures"`
	ActiveSignature int         `json:"activeSignature"`
	ActiveParameter int         `json:"activeParameter"`
}

type signature struct {
	Label      string      `json:"label"`
	Docs       string      `json:"documentation,omitempty"`
	Parameters []parameter `json:"parameters"`
}

// parameter is a part of a signature, by its text.
type parameter struct {
	Label string `json:"label"`
	Docs  string `json:"documentation,omitempty"`
}

// signature says what the operation around a position takes, and which of it stands at the position; nil where there is none.
func (d *document) signature(at position) *signatureHelp {
	offset := d.offset(at)
	p, _ := d.at(offset)
	s, ok := d.statementAt(p, offset)
	if b := s.innermost(); !ok || strings.Contains(s.text, "\n") && (b.kind == 0 || b.kind == '{' && !s.isDictionary(b)) {
		return nil
	}
	out := signature{Label: s.name + " " + notation(s.def)}
	docs := map[string]string{}
	for _, o := range s.def.Operands {
		docs[o.Name] = o.Type.Summary + arity(o.Arity)
	}
	var order []string // of the operands, as they are written
	for _, m := range parameterName().FindAllString(out.Label, -1) {
		if text, ok := docs[m[1:]]; ok {
			out.Parameters = append(out.Parameters, parameter{m, text})
			order = append(order, m[1:])
		}
	}
	if len(order) == 0 {
		return nil
	}
	var results []string
	for _, r := range s.def.Results {
		results = append(results, r.Type.Summary+arity(r.Arity))
	}
	if len(results) > 0 {
		out.Docs = "Results: " + strings.Join(results, "; ")
	}
	active := strings.Count(s.text, "%")
	if active > 0 && valueAtEnd().MatchString(s.text) {
		active--
	}
	for i, name := range order { // all further values are those of the first group that has any number
		if i < active && s.operand(name).Arity != ir.One {
			active = i
			break
		}
	}
	return &signatureHelp{Signatures: []signature{out}, ActiveParameter: min(active, len(order)-1)}
}

// operand returns the declaration of an operand, which there is.
func (s *statement) operand(name string) ir.OperandDef {
	for _, o := range s.def.Operands {
		if o.Name == name {
			return o
		}
	}
	return ir.OperandDef{}
}

// parameterName matches the name of an operand or attribute in an assembly format.
var parameterName = lazyregexp.New(`\$\w+`)

// valueAtEnd matches a value whose name is being written.
var valueAtEnd = lazyregexp.New(`%[\w$.#-]*$`)

var (
	types = lazyregexp.New(`(?:type|qualified|ref)\((\$\w+|\w+)\)`)
	space = lazyregexp.New(`\s+`)
	quote = lazyregexp.New("`([^`]*)`")
)

// notation is the assembly format of an operation for people; where there is none, its operands in parentheses.
func notation(def *ir.OpDef) string {
	if def.Format == "" {
		var names []string
		for _, o := range def.Operands {
			names = append(names, "$"+o.Name)
		}
		return "(" + strings.Join(names, ", ") + ")"
	}
	text := types().ReplaceAllStringFunc(def.Format, func(m string) string {
		return "type of " + strings.TrimPrefix(types().FindStringSubmatch(m)[1], "$")
	})
	text = quote().ReplaceAllString(text, "$1")
	text = strings.NewReplacer("attr-dict-with-keyword", "attributes {…}", "attr-dict", "{…}", "^", "", " ,", ",").Replace(text)
	return strings.TrimSpace(space().ReplaceAllString(text, " "))
}

// arity says how many there may be, if that isn't one.
func arity(a ir.Arity) string {
	switch a {
	case ir.One:
		return ""
	case ir.Optional:
		return " (optional)"
	}
	return " (any number)"
}
