package asm

import (
	"io"

	"freehold/internal/parallel"
	"freehold/ir"
)

// PrintOptions chooses between the textual forms of a program. The zero value is
// mlir-opt's default.
type PrintOptions struct {
	// Generic prints every operation in the generic form.
	Generic bool
	// LocalScope prints everything inline, without aliases, and numbers values from
	// the closest operation that is isolated from above.
	LocalScope bool
	// DebugInfo prints locations; PrettyDebugInfo prints them for people, in a form
	// that can't be read back.
	DebugInfo, PrettyDebugInfo bool
	// ElideElementsLargerThan, if positive, leaves out the elements of larger dense
	// attributes.
	ElideElementsLargerThan int
	// HexElementsLargerThan prints the elements of larger dense attributes in
	// hexadecimal; 0 means 100, and a negative number never.
	HexElementsLargerThan int
	// ElideResourcesLargerThan, if positive, leaves out longer resources.
	ElideResourcesLargerThan int
	// UniqueSSAIDs gives values of different regions different names.
	UniqueSSAIDs bool
	// SkipRegions prints {...} for regions.
	SkipRegions bool
	// ValueUsers prints the users of values as comments.
	ValueUsers bool
	// AssumeVerified says that the operation is known to be valid. Otherwise it is
	// verified, and printed in the generic form if that fails.
	AssumeVerified bool
	// Threads is the number of threads that print a whole program; 0 stands for as
	// many as there are processors. The text does not depend on it.
	Threads int
	// Version is the major version of LLVM whose spelling of operations is written; 0
	// stands for that of the definitions.
	Version int
	// Name, if not nil, suggests names of values, without the %, in place of those of their
	// operations; "" is none. Of the results of an operation it is asked about the first of each
	// group. Another number follows what is taken. Threads other than 1 call it at the same time.
	Name func(v *ir.Value) string
}

// DiagnosticOptions returns the options with which messages show operations.
func DiagnosticOptions() PrintOptions {
	return PrintOptions{Generic: true, LocalScope: true, ElideElementsLargerThan: 16}
}

// Print returns the textual form of an operation. That of an operation that is
// nested in another, or is printed with local scope, has neither aliases nor a
// line break at its end.
func Print(op *ir.Op, o PrintOptions) []byte { return AppendPrint(nil, op, o) }

// AppendPrint appends the textual form of an operation to b.
func AppendPrint(b []byte, op *ir.Op, o PrintOptions) []byte {
	defer parallel.Locate(printerCrash(op, o))
	return newPrinter(op, o).print(op, nil).appendTo(b)
}

// printerCrash returns what finds the operation whose printing panics.
func printerCrash(op *ir.Op, o PrintOptions) func() any {
	o.LocalScope, o.Threads = true, 1
	return func() any { return ir.CrashesAt(op, func(x *ir.Op) { newPrinter(x, o).print(x, nil) }) }
}

// PrintDocument returns the textual form of a module and its resources.
func PrintDocument(d *Document, o PrintOptions) []byte {
	defer parallel.Locate(printerCrash(d.Module, o))
	return newPrinter(d.Module, o).print(d.Module, d.Resources).appendTo(nil)
}

// WriteDocument writes what [PrintDocument] returns to w. Where nothing in the
// program has an alias, which could be defined only when all of the text is known,
// the text is written while it is made, and not kept.
func WriteDocument(w io.Writer, d *Document, o PrintOptions) error {
	defer parallel.Locate(printerCrash(d.Module, o))
	p := newPrinter(d.Module, o)
	if p.split != nil && p.aliases == nil {
		p.split.out = w
	}
	text := p.print(d.Module, d.Resources)
	if p.split != nil && p.split.err != nil {
		return p.split.err
	}
	return text.each(func(b []byte) error {
		_, err := w.Write(b)
		return err
	})
}

// Printer writes operations. Its methods are for hand-written syntax (see
// [OpAssembly]).
type Printer struct {
	w    *ir.Writer
	opts PrintOptions
	printerContext
	// numberer and spare are reused for isolated operations.
	numberer *numberer
	spare    *valueNames
	attrs    []ir.NamedAttr // of the operation whose attributes are being written
	aliases  *aliasTable    // nil if there are none
	// visiting is set while what is printed only serves to find aliases.
	visiting      bool
	usedResources map[string]bool
	// split cuts the text into parts for several threads; nil where one prints all.
	split *splitter
}

// printerContext is what the text of an operation depends on beside options.
type printerContext struct {
	names  *valueNames
	indent int
	// dialect is the one whose operations are written without prefix.
	dialect string
	// previsited is set inside of an operation whose aliases were all found before.
	previsited bool
}

func newPrinter(op *ir.Op, o PrintOptions) *Printer {
	if !o.AssumeVerified && !o.Generic {
		o.Generic = ir.Verify(op) != nil
	}
	w := ir.NewWriter()
	w.ElideLargerThan = o.ElideElementsLargerThan
	switch {
	case o.HexElementsLargerThan > 0:
		w.HexLargerThan = o.HexElementsLargerThan
	case o.HexElementsLargerThan < 0:
		w.HexLargerThan = -1
	}
	p := &Printer{w: w, opts: o, printerContext: printerContext{dialect: "builtin"}}
	scope := op
	for scope.Parent() != nil && !(o.LocalScope && scope.Has(ir.TraitIsolatedFromAbove)) {
		scope = scope.Parent()
	}
	p.names = numberValues(scope, &p.opts, scope != op)
	if op.Parent() == nil && !o.LocalScope {
		if o.DebugInfo || op.Context().HasAliases() {
			p.aliases = newAliasTable(w, o.PrettyDebugInfo)
		}
		p.split = newSplitter(o.Threads)
	}
	return p
}

// print writes the operation with the definitions of its aliases and returns the
// text, but for what was written already.
func (p *Printer) print(op *ir.Op, r *Resources) *printed {
	if p.opts.LocalScope {
		r = nil // Resources are written beside aliases, outside of any operation.
	}
	if r != nil {
		p.usedResources = map[string]bool{}
		op.Walk(func(o *ir.Op) bool {
			for _, a := range o.Props() {
				p.markResources(a)
			}
			for _, a := range o.DiscardableAttrs() {
				p.markResources(a.Value)
			}
			return true
		})
	}
	p.fullOp(op)
	p.trailingLocation(op)
	if p.opts.ValueUsers && op.Parent() != nil {
		p.resultUsers(op)
	}
	if op.Parent() == nil && !p.opts.LocalScope {
		p.w.Byte('\n')
	}
	text := &printed{}
	if p.split == nil || len(p.split.parts) == 0 {
		text = newPrinted([]*part{{text: p.w.Buf, aliases: p.aliases}})
	} else {
		p.closePart()
		p.split.finish()
		if p.split.out == nil {
			text = newPrinted(p.split.parts)
		}
	}
	if r != nil {
		p.w.Buf = nil
		p.printResources(r)
		text.end = p.w.Buf
	}
	return text
}

func (p *Printer) markResources(a ir.Attribute) {
	switch a := a.(type) {
	case *ir.DenseResourceAttr:
		p.usedResources[a.Key] = true
	case *ir.DialectAttr:
		for _, e := range a.Params {
			p.markResources(e)
		}
	case *ir.DistinctAttr:
		p.markResources(a.Referenced)
	case *ir.ArrayAttr:
		for _, e := range a.Elems {
			p.markResources(e)
		}
	case *ir.DictAttr:
		for _, e := range a.Entries {
			p.markResources(e.Value)
		}
	}
}

// Writer returns the writer that the printer appends to.
func (p *Printer) Writer() *ir.Writer { return p.w }

// Options returns what the printer was asked to do.
func (p *Printer) Options() PrintOptions { return p.opts }

// Text writes s as it is.
func (p *Printer) Text(s string) { p.w.Buf = append(p.w.Buf, s...) }

// Int writes a number in decimal.
func (p *Printer) Int(v int64) { p.w.Int(v) }

// Quoted writes s as a string literal.
func (p *Printer) Quoted(s string) { p.w.Quoted(s) }

// SymbolName writes @name, quoted where needed.
func (p *Printer) SymbolName(name string) { p.w.SymbolName(name) }

// Operand writes the value's name.
func (p *Printer) Operand(v *ir.Value) { p.w.Buf = p.names.append(p.w.Buf, v, true) }

// Version returns the major version of LLVM whose spelling is asked for; 0 is 19.
func (p *Printer) Version() int { return p.opts.Version }

// NameOf returns the value's name, as Operand writes it.
func (p *Printer) NameOf(v *ir.Value) string { return string(p.names.append(nil, v, true)) }

// Assignments writes (%a = %x, ...): names, and the values that they stand for.
func (p *Printer) Assignments(names, values []*ir.Value) {
	p.Text("(")
	for i, v := range names {
		if i > 0 {
			p.Text(", ")
		}
		p.Operand(v)
		p.Text(" = ")
		p.Operand(values[i])
	}
	p.Text(")")
}

// Operands writes the values' names, separated by ", ".
func (p *Printer) Operands(vs []*ir.Value) {
	for i, v := range vs {
		if i > 0 {
			p.Text(", ")
		}
		p.Operand(v)
	}
}

// Type writes a type.
func (p *Printer) Type(t ir.Type) { p.w.Type(t) }

// Types writes types, separated by ", ".
func (p *Printer) Types(ts []ir.Type) { p.w.Types(ts) }

// ArrowTypes writes " -> t" or " -> (t, u)", and nothing for no types.
func (p *Printer) ArrowTypes(ts []ir.Type) {
	if len(ts) > 0 {
		p.Text(" -> ")
		p.w.ResultTypes(ts)
	}
}

// FunctionalType writes (operand types) -> result types.
func (p *Printer) FunctionalType(operands, results []ir.Type) {
	p.w.Byte('(')
	p.w.Types(operands)
	p.Text(") -> ")
	p.w.ResultTypes(results)
}

// Attr writes an attribute with its type.
func (p *Printer) Attr(a ir.Attribute) { p.w.Attr(a) }

// AttrWithoutType writes an attribute without its type.
func (p *Printer) AttrWithoutType(a ir.Attribute) { p.w.AttrWithoutType(a) }

// AllAttrs returns what [ir.Op.AllAttrs] does. The slice is valid until the next call,
// or until another operation is printed.
func (p *Printer) AllAttrs(op *ir.Op) []ir.NamedAttr {
	p.attrs = op.AppendAttrs(p.attrs[:0])
	return p.attrs
}

// OptionalAttrDict writes " {...}" with all attributes but the elided ones, and
// nothing if none is left.
func (p *Printer) OptionalAttrDict(attrs []ir.NamedAttr, elided ...string) {
	p.attrDict(" {", attrs, elided)
}

// OptionalAttrDictWithKeyword writes " attributes {...}" likewise.
func (p *Printer) OptionalAttrDictWithKeyword(attrs []ir.NamedAttr, elided ...string) {
	p.attrDict(" attributes {", attrs, elided)
}

func (p *Printer) attrDict(open string, attrs []ir.NamedAttr, elided []string) {
	any := false
next:
	for i := range attrs {
		for _, e := range elided {
			if e == attrs[i].Name {
				continue next
			}
		}
		if any {
			p.Text(", ")
		} else {
			p.Text(open)
			any = true
		}
		p.w.NamedAttr(attrs[i])
	}
	if any {
		p.w.Byte('}')
	}
}

// ShadowNames makes the arguments of a region print with the names of the given
// values, as scf.while's region isolated forms do.
func (p *Printer) ShadowNames(r *ir.Region, values []*ir.Value) {
	b := r.Entry()
	if b == nil {
		return
	}
	for i, v := range values {
		if i < b.NumArgs() {
			p.shadow(b.Arg(i), v)
		}
	}
}

// Newline writes a line break and the current indentation.
func (p *Printer) Newline() {
	p.w.Byte('\n')
	p.indentation()
}

// Indent makes the lines that follow start further right; Unindent undoes it.
func (p *Printer) Indent() { p.indent += indentWidth }

// Unindent undoes one Indent.
func (p *Printer) Unindent() { p.indent -= indentWidth }

const indentWidth = 2

const blanks = "                                                                "

func (p *Printer) indentation() {
	n := p.indent
	for ; n > len(blanks); n -= len(blanks) {
		p.Text(blanks)
	}
	p.Text(blanks[:n])
}

// AffineMapOfSSAIds writes the results of the map with operands for dimensions and
// symbol(%s) for symbols.
func (p *Printer) AffineMapOfSSAIds(m *ir.AffineMap, operands []*ir.Value) {
	for i, r := range m.Results {
		if i > 0 {
			p.Text(", ")
		}
		p.AffineExprOfSSAIds(r, m.Dims, operands)
	}
}

// AffineExprOfSSAIds writes an affine expression with operands for dimensions, of
// which there are dims, and symbol(%s) for symbols.
func (p *Printer) AffineExprOfSSAIds(e *ir.AffineExpr, dims int, operands []*ir.Value) {
	p.w.AffineExpr(e, func(w *ir.Writer, pos int, symbol bool) {
		if !symbol {
			p.Operand(operands[pos])
			return
		}
		p.Text("symbol(")
		p.Operand(operands[dims+pos])
		p.Text(")")
	})
}
