package asm

import "freehold/ir"

// Printer writes operations. Its methods are for hand-written syntax (see
// [OpAssembly]).
type Printer struct {
	w *ir.Writer
}

// Text writes s as it is.
func (p *Printer) Text(s string) { panic("asm") }

// Int writes a number in decimal.
func (p *Printer) Int(v int64) { panic("asm") }

// Quoted writes s as a string literal.
func (p *Printer) Quoted(s string) { panic("asm") }

// KeywordOrString writes s bare if it is a valid bare word, else quoted.
func (p *Printer) KeywordOrString(s string) { panic("asm") }

// SymbolName writes @name, quoted where needed.
func (p *Printer) SymbolName(name string) { panic("asm") }

// Operand writes the value's name.
func (p *Printer) Operand(v *ir.Value) { panic("asm") }

// Operands writes the values' names, separated by ", ".
func (p *Printer) Operands(vs []*ir.Value) { panic("asm") }

// Type writes a type.
func (p *Printer) Type(t ir.Type) { panic("asm") }

// Types writes types, separated by ", ".
func (p *Printer) Types(ts []ir.Type) { panic("asm") }

// ArrowTypes writes " -> t" or " -> (t, u)", and nothing for no types.
func (p *Printer) ArrowTypes(ts []ir.Type) { panic("asm") }

// FunctionalType writes (operand types) -> result types.
func (p *Printer) FunctionalType(operands, results []ir.Type) { panic("asm") }

// Attr writes an attribute with its type.
func (p *Printer) Attr(a ir.Attribute) { panic("asm") }

// AttrWithoutType writes an attribute without its type.
func (p *Printer) AttrWithoutType(a ir.Attribute) { panic("asm") }

// OptionalAttrDict writes " {...}" with all attributes but the elided ones, and
// nothing if none is left.
func (p *Printer) OptionalAttrDict(attrs []ir.NamedAttr, elided ...string) { panic("asm") }

// OptionalAttrDictWithKeyword writes " attributes {...}" likewise.
func (p *Printer) OptionalAttrDictWithKeyword(attrs []ir.NamedAttr, elided ...string) { panic("asm") }

// Region writes a region in braces (without a leading space). The entry block's
// arguments and the block terminators are left out unless asked for; an empty
// region is written {} with an empty block only if emptyBlock is set.
func (p *Printer) Region(r *ir.Region, entryArgs, terminators, emptyBlock bool) { panic("asm") }

// Argument writes a region's argument: name, ": type", attributes (may be nil),
// and location where debug info is printed.
func (p *Printer) Argument(v *ir.Value, attrs *ir.DictAttr, omitType bool) { panic("asm") }

// ShadowNames makes the arguments of a region print with the names of the given
// values, as scf.while's region isolated forms do.
func (p *Printer) ShadowNames(r *ir.Region, values []*ir.Value) { panic("asm") }

// Successor writes ^label.
func (p *Printer) Successor(b *ir.Block) { panic("asm") }

// SuccessorAndOperands writes ^label(%a, %b : t, u).
func (p *Printer) SuccessorAndOperands(b *ir.Block, operands []*ir.Value) { panic("asm") }

// AffineMapOfSSAIds writes the results of the map with operands for dimensions and
// symbol(%s) for symbols.
func (p *Printer) AffineMapOfSSAIds(m *ir.AffineMap, operands []*ir.Value) { panic("asm") }

// Newline writes a line break and the current indentation.
func (p *Printer) Newline() { panic("asm") }

// Indent and Unindent change the indentation.
func (p *Printer) Indent()   { panic("asm") }
func (p *Printer) Unindent() { panic("asm") }

// ImplicitTerminatorOmitted tells whether the block's terminator is the implicit
// one, without operands and attributes, and so need not be written.
func (p *Printer) ImplicitTerminatorOmitted(b *ir.Block) bool { panic("asm") }
