package bytecode

import "freehold/ir"

// Encoding is how a dialect encodes its attributes and types. What the writing functions
// return false for, having written nothing, is written as text, as is all of a dialect that
// has no encoding. A function that is nil encodes nothing.
//
// The reading functions return an error for what means nothing; where the bytes end too
// early, or refer to what isn't there, the [Reader] notices itself.
type Encoding struct {
	WriteAttr func(w *Writer, a ir.Attribute) bool
	WriteType func(w *Writer, t ir.Type) bool
	ReadAttr  func(r *Reader) (ir.Attribute, error)
	ReadType  func(r *Reader) (ir.Type, error)
}

// Encoded is implemented by dialects with an encoding of their own.
var Encoded = ir.NewInterface[*Encoding]("BytecodeEncoding")

// Stored is implemented by dialects that are there in files only: the model makes operations, types and attributes of other
// dialects of theirs, in a program that was read. What is wrong is the program's fault.
var Stored = ir.NewInterface[func(module *ir.Op) error]("StoredDialect")

// builtinDialect is the dialect of what package ir defines.
const builtinDialect = "builtin"

// encodingOf returns the encoding of a dialect, or nil.
func encodingOf(c *ir.Context, dialect string) *Encoding {
	if dialect == builtinDialect {
		return builtinEncoding()
	}
	e, _ := Encoded.OfDialect(c.Dialect(dialect))
	return e
}

// dialectOfAttr names the dialect whose encoding an attribute has.
func dialectOfAttr(a ir.Attribute) string {
	switch a := a.(type) {
	case *ir.DialectAttr:
		return a.Dialect.Name
	case *ir.EnumAttr:
		return a.Def.Dialect
	case *ir.OpaqueAttr:
		return a.Dialect
	}
	return builtinDialect
}

// dialectOfType names the dialect whose encoding a type has.
func dialectOfType(t ir.Type) string {
	switch t := t.(type) {
	case *ir.DialectType:
		return t.Dialect.Name
	case *ir.OpaqueType:
		return t.Dialect
	}
	return builtinDialect
}
