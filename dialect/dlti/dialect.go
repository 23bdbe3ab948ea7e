// Package dlti is the dialect of descriptions of targets: data layouts, as front ends for C attach them to modules. They are read and printed; nothing here
// depends on them.
package dlti

import (
	"freehold/ir"
	"freehold/ir/asm"
)

// Dialect is the dlti dialect.
var Dialect = &ir.Dialect{
	Name:      "dlti",
	PrintAttr: printAttr,
	Models:    []ir.Model{asm.AttrParser.Model(parseAttr)},
}

const entryName = "dl_entry"

// separators are what is between the key and the value of an entry of an attribute that lists entries: up to LLVM 19, and since then.
var separators = map[string][]string{
	"dl_spec": {"="}, "map": {"="}, "target_device_spec": {"="}, "target_system_spec": {":", "="},
}

// parseAttr reads what follows the mnemonic of an attribute: entries, which are attributes themselves or a key and a value.
func parseAttr(p *asm.Parser, mnemonic string, _ ir.Type) (ir.Attribute, error) {
	c := p.Context()
	d := c.Dialect("dlti")
	between, ok := separators[mnemonic]
	if !ok && mnemonic != entryName {
		return nil, nil
	}
	if err := p.Expect("<"); err != nil {
		return nil, err
	}
	if mnemonic == entryName {
		key, err := parseKey(p)
		if err != nil {
			return nil, err
		}
		if err := p.Expect(","); err != nil {
			return nil, err
		}
		value, err := p.Attr(nil)
		if err != nil {
			return nil, err
		}
		return c.DialectAttrOf(d, mnemonic, key, value), p.Expect(">")
	}
	var entries []ir.Attribute
	for !p.At(">") {
		if len(entries) > 0 {
			if err := p.Expect(","); err != nil {
				return nil, err
			}
		}
		e, err := parseEntry(p, between)
		if err != nil {
			return nil, err
		}
		entries = append(entries, e)
	}
	return c.DialectAttrOf(d, mnemonic, entries...), p.Expect(">")
}

// parseKey reads a type or a string; as part of a list of entries, also an entry that is an attribute.
func parseKey(p *asm.Parser) (ir.Attribute, error) {
	if s, ok := p.OptionalString(); ok {
		return p.Context().StringAttr(s), nil
	}
	return p.Attr(nil)
}

// parseEntry reads an entry that is an attribute; or a key, one of some separators, and a value, as a list of the three.
func parseEntry(p *asm.Parser, between []string) (ir.Attribute, error) {
	key, err := parseKey(p)
	if err != nil {
		return nil, err
	}
	for _, token := range between {
		if p.Optional(token) {
			value, err := p.Attr(nil)
			if err != nil {
				return nil, err
			}
			return p.Context().ArrayAttr(key, p.Context().StringAttr(token), value), nil
		}
	}
	if _, ok := key.(*ir.DialectAttr); !ok {
		return nil, p.Errorf(p.Pos(), "expected '%s' between a key and its value", between[0])
	}
	return key, nil
}

func printAttr(w *ir.Writer, a *ir.DialectAttr) bool {
	w.Text(a.Mnemonic)
	w.Byte('<')
	for i, e := range a.Params {
		if i > 0 {
			w.Text(", ")
		}
		if parts, ok := e.(*ir.ArrayAttr); ok && a.Mnemonic != entryName && len(parts.Elems) == 3 {
			w.Attr(parts.Elems[0])
			w.Text(" " + parts.Elems[1].(*ir.StringAttr).Value + " ")
			e = parts.Elems[2]
		}
		w.Attr(e)
	}
	w.Byte('>')
	return true
}
