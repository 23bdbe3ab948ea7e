package sdy

import (
	"fmt"
	"strconv"
	"strings"

	"freehold/ir"
	"freehold/ir/asm"
)

// Attributes are kept as the text that follows their mnemonic, in one spelling: nothing here computes with them.
var grammars = map[string]func(t *text) error{
	"mesh":               (*text).mesh,
	"sharding":           (*text).sharding,
	"sharding_per_value": func(t *text) error { return t.angle(func() error { return t.list("[", "]", t.sharding) }) },
	"manual_axes":        (*text).axes,
	"list_of_axis_ref_lists": func(t *text) error {
		return t.angle(func() error { return t.list("[", "]", t.axes) })
	},
}

// parseAttr reads what follows the mnemonic of an attribute.
func parseAttr(p *asm.Parser, mnemonic string, _ ir.Type) (ir.Attribute, error) {
	if grammars[mnemonic] == nil {
		return nil, nil
	}
	return read(p, mnemonic)
}

// read reads an attribute without its mnemonic, as operations have it.
func read(p *asm.Parser, mnemonic string) (ir.Attribute, error) {
	t := &text{p: p}
	if err := grammars[mnemonic](t); err != nil {
		return nil, err
	}
	c := p.Context()
	return c.DialectAttrOf(c.Dialect(dialectName), mnemonic, c.StringAttr(t.out.String())), nil
}

func printAttr(w *ir.Writer, a *ir.DialectAttr) bool {
	w.Text(a.Mnemonic)
	w.Text(textOf(a))
	return true
}

// textOf is what is written behind the mnemonic of an attribute.
func textOf(a ir.Attribute) string {
	if d, ok := a.(*ir.DialectAttr); ok && len(d.Params) == 1 {
		if s, ok := d.Params[0].(*ir.StringAttr); ok {
			return s.Value
		}
	}
	return ""
}

// is constrains attributes of a mnemonic.
func is(mnemonic string) ir.AttrConstraint {
	match := func(a ir.Attribute) bool {
		d, ok := a.(*ir.DialectAttr)
		return ok && d.Dialect.Name == dialectName && d.Mnemonic == mnemonic
	}
	return ir.AttrConstraint{Summary: "#sdy." + mnemonic + " attribute", Kind: ir.DialectAttrKind, Attribute: dialectName + "." + mnemonic, Match: match, Class: match}
}

// text reads tokens, and writes them as the dialect spells them.
type text struct {
	p   *asm.Parser
	out strings.Builder
}

func (t *text) write(s string) { t.out.WriteString(s) }

// expect reads punctuation.
func (t *text) expect(token string) error {
	t.write(token)
	return t.p.Expect(token)
}

func (t *text) angle(body func() error) error {
	if err := t.expect("<"); err != nil {
		return err
	}
	if err := body(); err != nil {
		return err
	}
	return t.expect(">")
}

// list reads elements between two tokens.
func (t *text) list(open, end string, elem func() error) error {
	if err := t.expect(open); err != nil {
		return err
	}
	for n := 0; !t.p.At(end); n++ {
		if n > 0 {
			if err := t.p.Expect(","); err != nil {
				return err
			}
			t.write(", ")
		}
		if err := elem(); err != nil {
			return err
		}
	}
	return t.expect(end)
}

func (t *text) integer() error {
	n, err := t.p.Integer()
	t.write(strconv.FormatInt(n, 10))
	return err
}

func (t *text) name() error {
	s, err := t.p.String()
	t.write(string(appendQuoted(s)))
	return err
}

func appendQuoted(s string) []byte {
	w := ir.Writer{}
	w.Quoted(s)
	return w.Buf
}

// axis is "x", or "x":(1)2, the part of it that comes after 1 and has 2.
func (t *text) axis() error {
	if err := t.name(); err != nil || !t.p.At(":") {
		return err
	}
	for _, step := range []func() error{func() error { return t.expect(":") }, func() error { return t.expect("(") }, t.integer,
		func() error { return t.expect(")") }, t.integer} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

func (t *text) axes() error { return t.list("{", "}", t.axis) }

// mesh is <["x"=2, "y"=4], device_ids=[1, 0]>.
func (t *text) mesh() error {
	return t.angle(func() error {
		err := t.list("[", "]", func() error {
			if err := t.name(); err != nil {
				return err
			}
			if err := t.expect("="); err != nil {
				return err
			}
			return t.integer()
		})
		if err != nil || !t.p.Optional(",") {
			return err
		}
		t.write(", ")
		if err := t.named("device_ids"); err != nil {
			return err
		}
		return t.list("[", "]", t.integer)
	})
}

// named reads word=.
func (t *text) named(word string) error {
	t.write(word)
	if err := t.p.Keyword(word); err != nil {
		return err
	}
	return t.expect("=")
}

// dimension is the axes along which a dimension is divided, ? where it may be divided further, and its priority, as in {"x", ?}p1.
func (t *text) dimension() error {
	err := t.list("{", "}", func() error {
		if t.p.At("?") {
			return t.expect("?")
		}
		return t.axis()
	})
	if err != nil || t.p.At(",") || t.p.At("]") {
		return err
	}
	pos := t.p.Pos()
	word, err := t.p.AnyKeyword()
	if err != nil {
		return err
	}
	if n, ok := strings.CutPrefix(word, "p"); !ok || !isNumber(n) {
		return t.p.Errorf(pos, "expected a priority, such as p1")
	}
	t.write(word)
	return nil
}

func isNumber(s string) bool { _, err := strconv.ParseUint(s, 10, 31); return err == nil }

// sharding is <@mesh, [{"x"}, {}], replicated={"y"}, unreduced={"z"}>; a mesh may be written out.
func (t *text) sharding() error {
	return t.angle(func() error {
		if err := t.meshOrName(); err != nil {
			return err
		}
		if err := t.p.Expect(","); err != nil {
			return err
		}
		t.write(", ")
		if err := t.list("[", "]", t.dimension); err != nil {
			return err
		}
		for t.p.Optional(",") {
			t.write(", ")
			word, ok := t.p.OptionalAnyKeyword("replicated", "unreduced")
			if !ok {
				return t.p.Errorf(t.p.Pos(), "expected replicated or unreduced axes")
			}
			t.write(word)
			if err := t.expect("="); err != nil {
				return err
			}
			if err := t.axes(); err != nil {
				return err
			}
		}
		return nil
	})
}

func (t *text) meshOrName() error {
	if t.p.OptionalKeyword("mesh") {
		t.write("mesh")
		return t.mesh()
	}
	name, err := t.p.SymbolName()
	w := ir.Writer{}
	w.SymbolName(name)
	t.write(string(w.Buf))
	return err
}

// devices is how many devices the axes of a mesh have together.
func devices(mesh ir.Attribute) (int64, error) {
	n := int64(1)
	axes, _, _ := strings.Cut(strings.TrimPrefix(textOf(mesh), "<["), "]")
	for axis := range strings.SplitSeq(axes, ", ") {
		if axis == "" {
			continue
		}
		size, err := strconv.ParseInt(axis[strings.LastIndex(axis, "=")+1:], 10, 64)
		if err != nil || size < 1 || size > 1<<31/n {
			return 0, fmt.Errorf("an axis has the size %s", axis)
		}
		n *= size
	}
	return n, nil
}
