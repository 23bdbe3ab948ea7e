package llvm

import (
	"freehold/ir"
	"freehold/ir/asm"
)

// The mnemonics of types with parameters.
const (
	pointer     = "ptr"
	array       = "array"
	vectorOf    = "vec"
	function    = "func"
	structure   = "struct"
	target      = "target"
	opaqueBody  = "opaque"
	packedWord  = "packed"
	ellipsis    = "..."
	voidType    = "void"
	quadPPC     = "ppc_fp128"
	scalableDim = "?"
)

// plain are the types without parameters.
var plain = []string{voidType, quadPPC, "token", "label", "metadata", "x86_mmx"}

var mnemonics = append([]string{pointer, array, vectorOf, function, structure, target}, plain...)

// is returns t as a type of the dialect with the mnemonic.
func is(t ir.Type, mnemonic string) (*ir.DialectType, bool) {
	d, ok := t.(*ir.DialectType)
	return d, ok && d.Dialect.Name == dialectName && d.Mnemonic == mnemonic
}

// also returns an error followed by the one of what it is a part of.
func also(part, whole error) error {
	return ir.Diagnostics{part.(*ir.Diagnostic), whole.(*ir.Diagnostic)}
}

// Pointer returns !llvm.ptr.
func Pointer(c *ir.Context) ir.Type { return c.DialectTypeOf(c.Dialect(dialectName), pointer) }

// pointerIn returns the type of a pointer to an address space.
func pointerIn(c *ir.Context, space int64) ir.Type {
	if space == 0 {
		return Pointer(c)
	}
	return c.DialectTypeOf(c.Dialect(dialectName), pointer, c.I64Attr(space))
}

// Void returns !llvm.void.
func Void(c *ir.Context) ir.Type { return c.DialectTypeOf(c.Dialect(dialectName), voidType) }

// Array returns !llvm.array<n x elem>.
func Array(c *ir.Context, n int64, elem ir.Type) ir.Type {
	return c.DialectTypeOf(c.Dialect(dialectName), array, c.I64Attr(n), c.TypeAttr(elem))
}

// Struct returns the literal structure of the fields.
func Struct(c *ir.Context, fields ...ir.Type) ir.Type {
	return c.DialectTypeOf(c.Dialect(dialectName), structure, ir.Unit, c.Bool(false), types(c, fields))
}

// Function returns !llvm.func<result (params)>.
func Function(c *ir.Context, result ir.Type, params []ir.Type, variadic bool) ir.Type {
	return c.DialectTypeOf(c.Dialect(dialectName), function, c.TypeAttr(result), types(c, params), c.Bool(variadic))
}

func types(c *ir.Context, list []ir.Type) *ir.ArrayAttr {
	elems := make([]ir.Attribute, len(list))
	for i, t := range list {
		elems[i] = c.TypeAttr(t)
	}
	return c.ArrayAttr(elems...)
}

func typesOf(a ir.Attribute) []ir.Type {
	arr, ok := a.(*ir.ArrayAttr)
	if !ok {
		return nil
	}
	list := make([]ir.Type, len(arr.Elems))
	for i, e := range arr.Elems {
		list[i] = e.(*ir.TypeAttr).Type
	}
	return list
}

// signature returns the parts of a function type.
func signature(t ir.Type) (result ir.Type, params []ir.Type, variadic, ok bool) {
	d, ok := is(t, function)
	if !ok {
		return nil, nil, false, false
	}
	return d.Params[0].(*ir.TypeAttr).Type, typesOf(d.Params[1]), d.Params[2].(*ir.IntegerAttr).Value != 0, true
}

// elementAt returns the type of a part of an aggregate, or nil.
func elementAt(t ir.Type, i int64) ir.Type {
	if d, ok := is(t, array); ok {
		if i < 0 || i >= d.Params[0].(*ir.IntegerAttr).Value {
			return nil
		}
		return d.Params[1].(*ir.TypeAttr).Type
	}
	if d, ok := is(t, structure); ok && len(d.Params) == 3 {
		if fields := typesOf(d.Params[2]); i >= 0 && i < int64(len(fields)) {
			return fields[i]
		}
	}
	return nil
}

func parseType(p *asm.Parser, mnemonic string) (ir.Type, error) {
	c := p.Context()
	switch mnemonic {
	case pointer:
		if !p.Optional("<") {
			return Pointer(c), nil
		}
		pos := p.Pos()
		m, number, err := p.OptionalInteger()
		if !number && err == nil && p.Reads(typedPointersUntil) {
			return parseTypedPointer(p)
		}
		if !number && err == nil {
			_, err = p.Integer()
		}
		if err != nil {
			return nil, also(err, p.Errorf(pos, "failed to parse LLVMPointerType parameter 'addressSpace' which is to be a `unsigned`"))
		}
		return pointerIn(c, int64(uint32(m))), p.Expect(">") // The bits count.
	case array, vectorOf:
		return parseSequence(p, mnemonic)
	case function:
		return parseFunctionType(p)
	case structure:
		return parseStruct(p)
	case target:
		return parseTarget(p)
	}
	for _, m := range plain {
		if m == mnemonic {
			return c.DialectTypeOf(c.Dialect(dialectName), mnemonic), nil
		}
	}
	return nil, p.Errorf(p.SymbolPos(), "unknown LLVM type: %s", mnemonic)
}

// typedPointersUntil is the last version of LLVM with pointers to values of a type.
const typedPointersUntil = 17

// parseTypedPointer reads type> or type, 3> with an address space, as pointers were before LLVM 18, and drops the type.
func parseTypedPointer(p *asm.Parser) (ir.Type, error) {
	if _, err := nested(p); err != nil {
		return nil, err
	}
	if !p.Optional(",") {
		return Pointer(p.Context()), p.Expect(">")
	}
	n, err := p.Integer()
	if err != nil {
		return nil, err
	}
	return pointerIn(p.Context(), n), p.Expect(">")
}

// nested reads a type inside of another one, where the dialect's own types have no
// prefix.
func nested(p *asm.Parser) (ir.Type, error) {
	if m, ok := p.OptionalAnyKeyword(mnemonics...); ok {
		var t ir.Type
		err := p.Nested(func() (err error) {
			t, err = parseType(p, m)
			return err
		})
		return t, err
	}
	return p.Type()
}

// parseSequence reads <n x type>, or <? x n x type> for a scalable vector.
func parseSequence(p *asm.Parser, mnemonic string) (ir.Type, error) {
	c := p.Context()
	if err := p.Expect("<"); err != nil {
		return nil, err
	}
	pos := p.Pos()
	dims, err := p.DimensionList(mnemonic == vectorOf, true)
	if err != nil {
		return nil, err
	}
	t, err := nested(p)
	if err != nil {
		return nil, err
	}
	switch {
	case len(dims) == 1 && dims[0] != ir.Dynamic:
		return c.DialectTypeOf(c.Dialect(dialectName), mnemonic, c.I64Attr(dims[0]), c.TypeAttr(t)), p.Expect(">")
	case len(dims) == 2 && dims[0] == ir.Dynamic && dims[1] != ir.Dynamic:
		return c.DialectTypeOf(c.Dialect(dialectName), mnemonic, c.I64Attr(dims[1]), c.TypeAttr(t), ir.Unit), p.Expect(">")
	case mnemonic == vectorOf:
		return nil, p.Errorf(pos, "expected '? x <integer> x <type>' or '<integer> x <type>'")
	}
	return nil, p.Errorf(pos, "expected ? x <type>")
}

// parseFunctionType reads <result (params, ...)>.
func parseFunctionType(p *asm.Parser) (ir.Type, error) {
	c := p.Context()
	if err := p.Expect("<"); err != nil {
		return nil, err
	}
	result, err := nested(p)
	if err != nil {
		return nil, err
	}
	var params []ir.Type
	variadic := false
	err = p.List(asm.Paren, func() error {
		if p.Optional(ellipsis) {
			variadic = true
			return nil
		}
		t, err := nested(p)
		params = append(params, t)
		return err
	})
	if err != nil {
		return nil, err
	}
	return Function(c, result, params, variadic), p.Expect(">")
}

// parseStruct reads <"name", packed (fields)>, <(fields)>, <"name", opaque> or
// <"name">.
func parseStruct(p *asm.Parser) (ir.Type, error) {
	c := p.Context()
	if err := p.Expect("<"); err != nil {
		return nil, err
	}
	var name ir.Attribute = ir.Unit
	if s, ok := p.OptionalString(); ok {
		name = c.StringAttr(s)
		if p.Optional(">") {
			return c.DialectTypeOf(c.Dialect(dialectName), structure, name), nil
		}
		if err := p.Expect(","); err != nil {
			return nil, err
		}
		if p.OptionalKeyword(opaqueBody) {
			return c.DialectTypeOf(c.Dialect(dialectName), structure, name, ir.Unit), p.Expect(">")
		}
	}
	packed := p.OptionalKeyword(packedWord)
	var fields []ir.Type
	err := p.List(asm.Paren, func() error {
		t, err := nested(p)
		fields = append(fields, t)
		return err
	})
	if err != nil {
		return nil, err
	}
	return c.DialectTypeOf(c.Dialect(dialectName), structure, name, c.Bool(packed), types(c, fields)), p.Expect(">")
}

// parseTarget reads <"name", types..., integers...>: a type that only one target
// knows.
func parseTarget(p *asm.Parser) (ir.Type, error) {
	c := p.Context()
	if err := p.Expect("<"); err != nil {
		return nil, err
	}
	name, err := p.String()
	if err != nil {
		return nil, err
	}
	params := []ir.Attribute{c.StringAttr(name)}
	integers := false
	for p.Optional(",") {
		pos := p.Pos()
		n, ok, err := p.OptionalInteger()
		switch {
		case err != nil:
			return nil, err
		case ok && n != int64(int32(n)) && n != int64(uint32(n)):
			return nil, p.Errorf(pos, "integer value too large")
		case ok:
			integers = true
			params = append(params, c.I64Attr(int64(uint32(n))))
			continue
		case integers:
			return nil, p.Errorf(pos, "failed to parse parameter list for target extension type")
		}
		t, err := nested(p)
		if err != nil {
			return nil, err
		}
		params = append(params, c.TypeAttr(t))
	}
	return c.DialectTypeOf(c.Dialect(dialectName), target, params...), p.Expect(">")
}

func printTarget(w *ir.Writer, d *ir.DialectType) {
	for i, a := range d.Params {
		if i > 0 {
			w.Text(", ")
		}
		switch a := a.(type) {
		case *ir.StringAttr:
			w.Quoted(a.Value)
		case *ir.IntegerAttr:
			w.Int(a.Value)
		case *ir.TypeAttr:
			w.Type(a.Type)
		}
	}
}

// writeNested writes a type inside of another one.
func writeNested(w *ir.Writer, t ir.Type) {
	if d, ok := t.(*ir.DialectType); ok && d.Dialect.Name == dialectName {
		printType(w, d)
		return
	}
	w.Type(t)
}

func writeList(w *ir.Writer, list []ir.Type, last string) {
	w.Byte('(')
	for i, t := range list {
		if i > 0 {
			w.Text(", ")
		}
		writeNested(w, t)
	}
	if last != "" && len(list) > 0 {
		w.Text(", ")
	}
	w.Text(last)
	w.Byte(')')
}

func printType(w *ir.Writer, d *ir.DialectType) bool {
	w.Text(d.Mnemonic)
	if len(d.Params) == 0 {
		return true
	}
	w.Byte('<')
	switch d.Mnemonic {
	case pointer:
		w.Int(d.Params[0].(*ir.IntegerAttr).Value)
	case array, vectorOf:
		sep := " x "
		if len(d.Params) == 3 {
			w.Text(scalableDim + " x ")
			sep = " x  "
		}
		w.Int(d.Params[0].(*ir.IntegerAttr).Value)
		w.Text(sep)
		writeNested(w, d.Params[1].(*ir.TypeAttr).Type)
	case function:
		result, params, variadic, _ := signature(d)
		writeNested(w, result)
		w.Byte(' ')
		last := ""
		if variadic {
			last = ellipsis
		}
		writeList(w, params, last)
	case structure:
		printStruct(w, d)
	case target:
		printTarget(w, d)
	}
	w.Byte('>')
	return true
}

func printStruct(w *ir.Writer, d *ir.DialectType) {
	if name, ok := d.Params[0].(*ir.StringAttr); ok {
		w.Quoted(name.Value)
		if len(d.Params) == 1 {
			return
		}
		w.Text(", ")
	}
	if len(d.Params) == 2 {
		w.Text(opaqueBody)
		return
	}
	if d.Params[1].(*ir.IntegerAttr).Value != 0 {
		w.Text(packedWord + " ")
	}
	writeList(w, typesOf(d.Params[2]), "")
}
