package testd

import (
	"freehold/ir"
	"freehold/ir/asm"
)

// The mnemonics of types and attributes that nest others.
const (
	compound        = "cmpnd_a"
	nestedInner     = "cmpnd_inner"
	nestedInnerAttr = "cmpnd_nested_inner"
	nestedOuter     = "cmpnd_nested_outer"
	nestedOuterQual = "cmpnd_nested_outer_qual"
	dynamicCustom   = "dynamic_custom_assembly_format"
	blobElements    = "e1di64_elements"
	withTypeBuilder = "attr_with_type_builder"
)

func parseType(p *asm.Parser, mnemonic string) (ir.Type, error) {
	c, pos := p.Context(), p.Pos()
	var params []ir.Attribute
	var err error
	switch mnemonic {
	case "smpla", "test_type", "test_type_with_trait", memrefElement:
	case compound:
		params, err = parseCompound(p)
	case nestedInner:
		params, err = parseInner(p, func(params []ir.Attribute) ir.Attribute {
			return c.TypeAttr(c.DialectTypeOf(c.Dialect(dialectName), compound, params...))
		})
	case nestedOuter, nestedOuterQual:
		params, err = parseOuter(p, func() (ir.Attribute, error) {
			t, err := p.Type()
			return c.TypeAttr(t), err
		}, func() (ir.Attribute, error) {
			t, err := parseType(p, nestedInner)
			return c.TypeAttr(t), err
		}, "!")
	case testTensor, testMemref:
		params, err = parseShaped(p)
	case "int":
		params, err = parseInt(p)
	case "struct":
		params, err = parseStruct(p)
	case "test_rec":
		params, err = parseRecursive(p)
	case "dynamic_singleton", "dynamic_pair", dynamicCustom:
		params, err = parseDynamic(p, mnemonic, "type", pos)
	default:
		return nil, p.Errorf(p.SymbolPos(), "unknown type!")
	}
	if err != nil {
		return nil, err
	}
	return c.DialectTypeOf(c.Dialect(dialectName), mnemonic, params...), nil
}

func parseAttr(p *asm.Parser, mnemonic string, t ir.Type) (ir.Attribute, error) {
	c, pos := p.Context(), p.Pos()
	var params []ir.Attribute
	var err error
	switch mnemonic {
	case "attr_with_trait":
	case "attr_with_self_type_param":
		return c.TypedDialectAttr(c.Dialect(dialectName), mnemonic, t), nil
	case "override_builder":
		if err := p.Expect("<"); err != nil {
			return nil, err
		}
		v, err := p.Integer()
		if err != nil {
			return nil, err
		}
		return c.IntegerAttr(ir.Index, v), p.Expect(">")
	case "i64_elements":
		return parseElements(p, t, pos)
	case blobElements:
		return parseBlob(p, t)
	case withTypeBuilder:
		v, err := p.Attr(nil)
		if err != nil {
			return nil, err
		}
		return c.TypedDialectAttr(c.Dialect(dialectName), mnemonic, ir.TypeOfAttr(v), v), nil
	case compound:
		params, err = parseCompound(p)
	case nestedInnerAttr:
		params, err = parseInner(p, func(params []ir.Attribute) ir.Attribute {
			return c.DialectAttrOf(c.Dialect(dialectName), compound, params...)
		})
	case nestedOuter, nestedOuterQual:
		params, err = parseOuter(p, func() (ir.Attribute, error) { return p.Attr(nil) },
			func() (ir.Attribute, error) { return parseAttr(p, nestedInnerAttr, nil) }, "#")
	case "dynamic_singleton", "dynamic_pair", dynamicCustom:
		params, err = parseDynamic(p, mnemonic, "attribute", pos)
	default:
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return c.DialectAttrOf(c.Dialect(dialectName), mnemonic, params...), nil
}

// parseCompound reads <1, !type, [5, 6]>.
func parseCompound(p *asm.Parser) ([]ir.Attribute, error) {
	c := p.Context()
	if err := p.Expect("<"); err != nil {
		return nil, err
	}
	n, err := p.Integer()
	if err != nil {
		return nil, err
	}
	if err := p.Expect(","); err != nil {
		return nil, err
	}
	t, err := p.Type()
	if err != nil {
		return nil, err
	}
	if err := p.Expect(","); err != nil {
		return nil, err
	}
	list, err := parseIntegers(p)
	if err != nil {
		return nil, err
	}
	return []ir.Attribute{c.I64Attr(n), c.TypeAttr(t), c.DenseI64Array(list...)}, p.Expect(">")
}

func parseIntegers(p *asm.Parser) (list []int64, err error) {
	err = p.List(asm.Square, func() error {
		v, err := p.Integer()
		list = append(list, v)
		return err
	})
	return list, err
}

// parseInner reads <42 <compound>>.
func parseInner(p *asm.Parser, wrap func([]ir.Attribute) ir.Attribute) ([]ir.Attribute, error) {
	if err := p.Expect("<"); err != nil {
		return nil, err
	}
	n, err := p.Integer()
	if err != nil {
		return nil, err
	}
	params, err := parseCompound(p)
	if err != nil {
		return nil, err
	}
	return []ir.Attribute{p.Context().I64Attr(n), wrap(params)}, p.Expect(">")
}

// parseOuter reads <i inner>, where inner may have its dialect's prefix.
func parseOuter(p *asm.Parser, qualified, bare func() (ir.Attribute, error), prefix string) ([]ir.Attribute, error) {
	if err := p.Expect("<"); err != nil {
		return nil, err
	}
	if err := p.Keyword("i"); err != nil {
		return nil, err
	}
	parse := qualified
	if p.At("<") {
		parse = bare
	}
	inner, err := parse()
	if err != nil {
		return nil, err
	}
	return []ir.Attribute{inner}, p.Expect(">")
}

// parseInt reads <signed, 8>.
func parseInt(p *asm.Parser) ([]ir.Attribute, error) {
	c := p.Context()
	if err := p.Expect("<"); err != nil {
		return nil, err
	}
	pos := p.Pos()
	word, err := p.AnyKeyword()
	if err != nil {
		return nil, err
	}
	switch word {
	case "s", "signed":
		word = "signed"
	case "u", "unsigned":
		word = "unsigned"
	case "n", "none":
		word = "none"
	default:
		return nil, p.Errorf(pos, "expected signed, unsigned, or none")
	}
	if err := p.Expect(","); err != nil {
		return nil, err
	}
	pos = p.Pos()
	width, err := p.Integer()
	if err == nil && width != int64(int32(width)) {
		err = p.Errorf(pos, "integer value too large")
	}
	if err != nil {
		return nil, err
	}
	return []ir.Attribute{c.StringAttr(word), c.I64Attr(width)}, p.Expect(">")
}

// parseStruct reads <{name, type}, ...>.
func parseStruct(p *asm.Parser) (fields []ir.Attribute, err error) {
	c := p.Context()
	if err := p.Expect("<"); err != nil {
		return nil, err
	}
	for p.Optional("{") {
		name, err := p.AnyKeyword()
		if err != nil {
			return nil, err
		}
		if err := p.Expect(","); err != nil {
			return nil, err
		}
		t, err := p.Type()
		if err != nil {
			return nil, err
		}
		fields = append(fields, c.StringAttr(name), c.TypeAttr(t))
		if err := p.Expect("}"); err != nil {
			return nil, err
		}
		if !p.Optional(",") {
			break
		}
	}
	return fields, p.Expect(">")
}

// parseRecursive reads <name, type>, where the type is one of the dialect without
// its prefix, or <name> where the type of that name encloses this one.
func parseRecursive(p *asm.Parser) ([]ir.Attribute, error) {
	c := p.Context()
	if err := p.Expect("<"); err != nil {
		return nil, err
	}
	name, err := p.AnyKeyword()
	if err != nil {
		return nil, err
	}
	params := []ir.Attribute{c.StringAttr(name)}
	if !p.Optional(">") {
		if err := p.Expect(","); err != nil {
			return nil, err
		}
		mnemonic, err := p.AnyKeyword()
		if err != nil {
			return nil, err
		}
		t, err := parseType(p, mnemonic)
		if err != nil {
			return nil, err
		}
		return append(params, c.TypeAttr(t)), p.Expect(">")
	}
	return params, nil
}

// parseDynamic reads the parameters of a type or attribute that upstream defines
// at run time.
func parseDynamic(p *asm.Parser, mnemonic, what string, pos asm.Pos) (params []ir.Attribute, err error) {
	if mnemonic == dynamicCustom {
		for _, tok := range []string{"<", ":"} {
			if err := p.Expect(tok); err != nil {
				return nil, err
			}
			a, err := p.Attr(nil)
			if err != nil {
				return nil, err
			}
			params = append(params, a)
		}
		return params, p.Expect(">")
	}
	err = p.List(asm.OptionalLessGreater, func() error {
		a, err := p.Attr(nil)
		params = append(params, a)
		return err
	})
	if err != nil {
		return nil, err
	}
	want := 0
	if mnemonic == "dynamic_pair" {
		want = 2
	}
	if len(params) != want {
		return nil, p.Errorf(pos, "expected %d %s arguments, but had %d", want, what, len(params))
	}
	return params, nil
}

// parseElements reads <[1, 2, 3]>, the elements of a tensor of type t.
func parseElements(p *asm.Parser, t ir.Type, pos asm.Pos) (ir.Attribute, error) {
	c := p.Context()
	if err := p.Expect("<"); err != nil {
		return nil, err
	}
	list, err := parseIntegers(p)
	if err != nil {
		return nil, err
	}
	if shape, ok := ir.ShapeOf(t); ok {
		if n, ok := ir.NumElements(shape); ok && n != int64(len(list)) {
			return nil, p.Errorf(pos, "number of elements does not match the provided shape type, got: %d, but expected: %d", len(list), n)
		}
	}
	return c.TypedDialectAttr(c.Dialect(dialectName), "i64_elements", t, c.DenseI64Array(list...)), p.Expect(">")
}

// parseBlob reads <key>, the name of a resource with the elements of a tensor of
// type t.
func parseBlob(p *asm.Parser, t ir.Type) (ir.Attribute, error) {
	c := p.Context()
	if err := p.Expect("<"); err != nil {
		return nil, err
	}
	key, err := p.KeywordOrString()
	if err != nil {
		return nil, err
	}
	if err := p.Expect(">"); err != nil {
		return nil, err
	}
	return c.TypedDialectAttr(c.Dialect(dialectName), blobElements, t, c.DenseResource(t, key)), nil
}
