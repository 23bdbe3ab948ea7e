package asm

import (
	"strings"

	"freehold/ir"
)

// A later version of LLVM often extends the syntax of an operation by what may be left out: words that promise something, or
// attributes that were in a dictionary before. Whether a text is one for that version shows in whether it has any of that.

// at returns the place of the next token in the format.
func (c *formatCompiler) at() int { return len(c.def.Format) - len(c.src) - len(c.tok) }

// own tells whether the definition's format doesn't have the part of the format that starts at a place and ends before the next token.
func (c *formatCompiler) own(start int) bool {
	part := strings.TrimSpace(c.def.Format[start:c.at()])
	if c.base == c.def.Format || strings.Contains(c.base, part) {
		return false
	}
	c.owns = append(c.owns, part)
	return true
}

// extends tells whether the format is the definition's but for parts that may be left out.
func (c *formatCompiler) extends() bool {
	rest := c.def.Format
	for _, part := range c.owns {
		rest = strings.Replace(rest, part, "", 1)
	}
	return len(c.owns) > 0 && strings.Join(strings.Fields(rest), " ") == strings.Join(strings.Fields(c.base), " ")
}

// inherent returns an inherent attribute of an operation in the version that is printed, the i-th there, and its definition. The
// operation has those among the discardable ones that only that version has.
func (p *Printer) inherent(op *ir.Op, i int) (*ir.AttrDef, ir.Attribute) {
	if own := op.Def().Attrs; i < len(own) {
		return &own[i], op.Prop(i)
	}
	d := &op.OpName().In(p.opts.Version).Def().Attrs[i]
	if a := op.DiscardableAttr(d.Name); a != nil && d.Accepts(a) {
		return d, a
	}
	return d, nil
}

// attrPresent tells whether the i-th inherent attribute is there, and isn't what it is by default.
func (p *Printer) attrPresent(op *ir.Op, i int) bool {
	d, a := p.inherent(op, i)
	return a != nil && (d.Default == nil || a != d.Default(op.Context()))
}

// without returns the attributes that a format doesn't spell.
func (f *opFormat) without(attrs []ir.NamedAttr) []ir.NamedAttr {
	if len(f.further) == 0 || len(attrs) == 0 {
		return attrs
	}
	var rest []ir.NamedAttr
next:
	for _, a := range attrs {
		for _, d := range f.further {
			if a.Name == d.Name && d.Accepts(a.Value) {
				continue next
			}
		}
		rest = append(rest, a)
	}
	return rest
}
