package asm

import (
	"cmp"
	"slices"
	"strings"

	"freehold/ir"
)

// fullOp writes an operation with its results, but without location.
func (p *Printer) fullOp(op *ir.Op) {
	if p.aliases != nil && p.opts.DebugInfo && !p.previsited {
		p.aliases.visit(p.w, op.Loc(), true)
	}
	// Appending grows a long text by a quarter, which copies it many times. What is
	// made with room is not touched until it is used.
	if n := len(p.w.Buf); n > 1<<16 && cap(p.w.Buf)-n < 1<<12 {
		longer := make([]byte, n, 2*n+1<<13)
		copy(longer, p.w.Buf)
		p.w.Buf = longer
	}
	if n := op.NumResults(); n > 0 {
		p.resultNames(op, n)
		p.Text(" = ")
	}
	if p.names.start != nil && op.NumRegions() > 0 {
		if inner := p.numberNested(op); inner != nil {
			jobs := p.split.numJobs()
			p.withNames(inner, op)
			// Jobs may still be using the names.
			if p.split.numJobs() == jobs {
				p.release(inner)
			}
			return
		}
	}
	p.withNames(p.names, op)
}

// withNames writes an operation, which may change the names inside of it.
func (p *Printer) withNames(n *valueNames, op *ir.Op) {
	outer := p.names
	p.names = n
	p.customOrGenericOp(op)
	p.names = outer
}

func (p *Printer) resultNames(op *ir.Op, n int) {
	groups := p.names.groups[op]
	if groups == nil {
		p.resultGroup(op, 0, n)
		return
	}
	for i, start := range groups {
		if i > 0 {
			p.Text(", ")
		}
		end := n
		if i+1 < len(groups) {
			end = groups[i+1]
		}
		p.resultGroup(op, start, end-start)
	}
}

func (p *Printer) resultGroup(op *ir.Op, start, count int) {
	p.w.Buf = p.names.append(p.w.Buf, op.Result(start), false)
	if count > 1 {
		p.w.Byte(':')
		p.w.Int(int64(count))
	}
}

func (p *Printer) customOrGenericOp(op *ir.Op) {
	if !p.opts.Generic {
		f := formatOf(op.OpName().In(p.opts.Version))
		switch {
		case f.assembly != nil:
			if f.assembly.Says != nil && !f.assembly.Says(op) {
				break
			}
			p.opName(op)
			f.assembly.Print(p, op)
			return
		case f.elems != nil && p.allPresent(op, f.lists) && f.says(op):
			start := len(p.w.Buf)
			p.opName(op)
			end := len(p.w.Buf)
			p.elements(op, f, f.elems, nil)
			if !f.mayBeBare || len(p.w.Buf) > end || op.Next() == nil || op.Next().NumResults() == 0 {
				return
			}
			p.w.Buf = p.w.Buf[:start]
		}
	}
	p.GenericOp(op)
}

// allPresent tells whether none of the groups is empty.
func (p *Printer) allPresent(op *ir.Op, groups []*element) bool {
	for _, g := range groups {
		if !p.present(op, g) {
			return false
		}
	}
	return true
}

// opName writes the operation's name, without the default dialect's prefix.
func (p *Printer) opName(op *ir.Op) {
	name := op.OpName().In(p.opts.Version).String()
	if d := len(p.dialect); d > 0 && len(name) > d && name[d] == '.' && name[:d] == p.dialect && strings.IndexByte(name[d+1:], '.') < 0 {
		name = name[d+1:]
	}
	p.Text(name)
}

// GenericOp writes an operation in the generic form, without its results.
func (p *Printer) GenericOp(op *ir.Op) {
	if p.aliases != nil && !p.previsited {
		p.previsit(op)
		if p.visiting {
			return
		}
		p.previsited = true
		defer func() { p.previsited = false }()
	}
	p.w.Quoted(op.OpName().In(p.opts.Version).String())
	p.GenericOpBody(op)
}

// GenericOpBody writes what follows the name in the generic form of an operation.
func (p *Printer) GenericOpBody(op *ir.Op) {
	w := p.w
	w.Byte('(')
	for i := range op.NumOperands() {
		if i > 0 {
			p.Text(", ")
		}
		p.Operand(op.Operand(i))
	}
	w.Byte(')')
	if n := op.NumSuccessors(); n > 0 {
		w.Byte('[')
		for i := range n {
			if i > 0 {
				p.Text(", ")
			}
			p.Successor(op.Successor(i))
		}
		w.Byte(']')
	}
	p.properties(op)
	if rs := op.Regions(); len(rs) > 0 {
		p.Text(" (")
		for i, r := range rs {
			if i > 0 {
				p.Text(", ")
			}
			p.Region(r, true, true, true)
		}
		w.Byte(')')
	}
	p.OptionalAttrDict(op.DiscardableIn(p.opts.Version))
	p.Text(" : (")
	for i := range op.NumOperands() {
		if i > 0 {
			p.Text(", ")
		}
		p.Type(op.Operand(i).Type())
	}
	p.Text(") -> ")
	if op.NumResults() == 0 && p.opts.Version > 0 {
		if types := op.ReturnedTypes(p.opts.Version); types != nil {
			w.ResultTypes(types)
			return
		}
	}
	if op.NumResults() == 1 {
		w.ResultTypes([]ir.Type{op.Result(0).Type()})
		return
	}
	w.Byte('(')
	for i := range op.NumResults() {
		if i > 0 {
			p.Text(", ")
		}
		p.Type(op.Result(i).Type())
	}
	w.Byte(')')
}

// properties writes " <{...}>" with the inherent attributes, if there are any.
func (p *Printer) properties(op *ir.Op) {
	if d := op.PropertiesDict(); d != nil {
		p.Text(" <")
		p.Attr(d)
		p.Text(">")
		return
	}
	attrs := op.InherentIn(p.opts.Version)
	if len(attrs) == 0 {
		return
	}
	p.Text(" <{")
	p.w.NamedAttrs(attrs)
	p.Text("}>")
}

// Region writes a region in braces (without a leading space). The entry block's
// arguments and the block terminators are left out unless asked for; an empty
// region is written {} with an empty block only if emptyBlock is set.
func (p *Printer) Region(r *ir.Region, entryArgs, terminators, emptyBlock bool) {
	if p.opts.SkipRegions {
		p.Text("{...}")
		return
	}
	p.Text("{\n")
	if entry := r.Entry(); entry != nil {
		outer := p.dialect
		p.dialect = ""
		if op := r.Op(); op != nil {
			p.dialect = formatOf(op.OpName()).defaultDialect(op)
		}
		header := emptyBlock && entry.Empty() || entryArgs && entry.NumArgs() > 0
		p.block(entry, header, terminators)
		if p.split != nil && !p.visiting {
			p.splitBlocks(entry.Next())
		} else {
			p.labelledBlocks(entry.Next(), nil)
		}
		p.dialect = outer
	}
	p.indentation()
	p.w.Byte('}')
}

func (p *Printer) labelledBlock(b *ir.Block) { p.block(b, true, true) }

// labelledBlocks writes the blocks from first up to end.
func (p *Printer) labelledBlocks(first, end *ir.Block) {
	for b := first; b != end; b = b.Next() {
		p.labelledBlock(b)
	}
}

func (p *Printer) block(b *ir.Block, header, terminator bool) {
	if header {
		p.blockHeader(b)
	}
	p.indent += indentWidth
	if p.opts.ValueUsers {
		for _, a := range b.Args() {
			p.argumentUsers(a)
		}
	}
	end := (*ir.Op)(nil)
	if !terminator {
		end = b.Terminator()
	}
	if p.split != nil && !p.visiting {
		p.splitOps(b.First(), end)
	} else {
		p.ops(b.First(), end)
	}
	p.indent -= indentWidth
}

// ops writes the operations from first up to end, each on lines of its own.
func (p *Printer) ops(first, end *ir.Op) {
	start := len(p.w.Buf)
	for op := first; op != end; op = op.Next() {
		if p.visiting {
			p.w.Buf = p.w.Buf[:start]
		}
		p.op(op)
	}
}

func (p *Printer) op(op *ir.Op) {
	p.indentation()
	p.fullOp(op)
	p.trailingLocation(op)
	if p.opts.ValueUsers {
		p.resultUsers(op)
	}
	p.w.Byte('\n')
}

func (p *Printer) blockHeader(b *ir.Block) {
	p.indentation()
	p.Successor(b)
	if b.NumArgs() > 0 {
		p.w.Byte('(')
		for i, a := range b.Args() {
			if i > 0 {
				p.Text(", ")
			}
			p.Argument(a, nil, false)
		}
		p.w.Byte(')')
	}
	p.w.Byte(':')
	switch {
	case b.HasNoPreds():
		if !b.IsEntry() {
			p.Text("  // no predecessors")
		}
	case b.FirstPred().NextPred() == nil:
		p.Text("  // pred: ")
		p.Successor(b.FirstPred().Owner().Block())
	default:
		preds := b.Preds()
		slices.SortStableFunc(preds, func(a, b *ir.Block) int {
			return cmp.Compare(p.names.blockOrder(a), p.names.blockOrder(b))
		})
		p.Text("  // ")
		p.w.Int(int64(len(preds)))
		p.Text(" preds: ")
		for i, x := range preds {
			if i > 0 {
				p.Text(", ")
			}
			p.Successor(x)
		}
	}
	p.w.Byte('\n')
}

// Argument writes a region's argument: name, ": type", attributes (may be nil),
// and location where debug info is printed.
func (p *Printer) Argument(v *ir.Value, attrs *ir.DictAttr, omitType bool) {
	p.Operand(v)
	if !omitType {
		p.Text(": ")
		p.Type(v.Type())
	}
	if attrs != nil {
		if p.aliases != nil {
			p.aliases.weak = true
		}
		p.OptionalAttrDict(attrs.Entries)
		if p.aliases != nil {
			p.aliases.weak = false
		}
	}
	if !p.opts.DebugInfo {
		return
	}
	if p.aliases != nil {
		p.aliases.visit(p.w, v.Loc(), false)
	}
	p.w.Byte(' ')
	p.location(v.Loc())
}

// Successor writes ^label.
func (p *Printer) Successor(b *ir.Block) {
	i := p.names.blockNumbers.Block(b)
	if i < 0 {
		p.Text("INVALIDBLOCK")
		return
	}
	n := p.names.blocks[i]
	if n.label != 0 {
		p.w.Byte('^')
		p.Text(p.names.used.names[n.label-1])
		return
	}
	p.Text("^bb")
	p.w.Int(int64(n.order))
}

// SuccessorAndOperands writes ^label(%a, %b : t, u).
func (p *Printer) SuccessorAndOperands(b *ir.Block, operands []*ir.Value) {
	p.Successor(b)
	if len(operands) == 0 {
		return
	}
	p.w.Byte('(')
	p.Operands(operands)
	p.Text(" : ")
	for i, v := range operands {
		if i > 0 {
			p.Text(", ")
		}
		p.Type(v.Type())
	}
	p.w.Byte(')')
}

// bare tells whether an operation has neither operands, results nor attributes.
func bare(op *ir.Op) bool {
	if op.NumOperands() != 0 || op.NumResults() != 0 || len(op.DiscardableAttrs()) != 0 {
		return false
	}
	for _, a := range op.Props() {
		if a != nil {
			return false
		}
	}
	return true
}

// trailingLocation writes " loc(...)" after an operation.
func (p *Printer) trailingLocation(op *ir.Op) {
	if !p.opts.DebugInfo {
		return
	}
	p.w.Byte(' ')
	l := op.Loc()
	if p.opts.PrettyDebugInfo {
		if p.aliases != nil {
			p.aliases.deferrable = true
			defer func() { p.aliases.deferrable = false }()
		}
		p.w.PrettyLocation(l)
		return
	}
	p.Text("loc(")
	if p.aliases == nil || !p.aliases.use(p.w, l, true) {
		p.w.Location(l)
	}
	p.Text(")")
}

func (p *Printer) location(l ir.Location) {
	if p.opts.PrettyDebugInfo {
		p.w.PrettyLocation(l)
		return
	}
	p.Text("loc(")
	p.w.Location(l)
	p.Text(")")
}
