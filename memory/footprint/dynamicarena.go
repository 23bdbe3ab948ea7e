package footprint

import (
	"freehold/dialect/memref"
	"freehold/ir"
	"freehold/ir/interfaces"
)

// dynamicParts are the parts of an arena where sizes or places aren't numbers: sums of which they are the largest.
type dynamicParts struct {
	numbers *Numbers
	bytes   []Size
	// sizes and offsets are by part.
	sizes, offsets [][]Size
}

// IsDynamic tells whether the arena, or the size or place of a part, isn't a number.
func (a *Arena) IsDynamic() bool { return a.dynamic != nil }

// isDynamic tells whether the arena, or the size or place of any of its parts, isn't known.
func (a *Arena) isDynamic() bool {
	if !a.Size.IsStatic() {
		return true
	}
	for i, v := range a.Parts {
		if _, known := ir.ConstantInt(memref.ViewOp{Op: v.DefiningOp()}.ByteShift()); !known || !a.Sizes[i].IsStatic() {
			return true
		}
	}
	return false
}

// makeDynamic finds the sums that tell where the parts are, and how large the arena is.
func (a *Arena) makeDynamic(numbers *Numbers) {
	d := &dynamicParts{numbers: numbers}
	for i, v := range a.Parts {
		d.offsets = append(d.offsets, numbers.Of(memref.ViewOp{Op: v.DefiningOp()}.ByteShift()))
		d.sizes = append(d.sizes, numbers.OfContents(v))
		a.Problem.Buffers[i].Size, a.Offsets[i] = 0, 0
	}
	d.bytes = []Size{a.Size}
	switch op := a.Buffer.DefiningOp(); {
	case op == nil:
		if size := numbers.sizeOfBrought(a); size != nil {
			d.bytes = size
		}
	case op.Is(memref.Alloc) && op.OnlyOperand() != nil:
		d.bytes = numbers.Of(op.OnlyOperand())
	}
	a.Size = Size{}
	for _, s := range d.bytes {
		a.Size = a.Size.Max(numbers.unrounded(s))
	}
	if !a.Size.IsStatic() {
		a.Bytes = 0
	}
	a.dynamic = d
}

// sizeOfBrought returns the sums that tell the size of an arena that callers bring: what the function returns that tells it, for the same arguments.
func (n *Numbers) sizeOfBrought(a *Arena) []Size {
	ref, ok := interfaces.ArgAttr(a.Function, a.Buffer.Index(), memref.ArenaSizeAttr).(*ir.SymbolRefAttr)
	if !ok {
		return nil
	}
	fn := ir.LookupSymbol(a.Function, ref)
	if fn == nil || !interfaces.Function.Has(fn) || fn.NumRegions() == 0 || fn.RegionAt(0).NumBlocks() != 1 {
		return nil
	}
	body := fn.BodyBlock(0)
	last := body.Last()
	if last == nil || last.OnlyOperand() == nil || last.OnlyOperand().Type() != ir.Type(ir.Index) {
		return nil
	}
	for i, arg := range body.Args() {
		if own := a.Function.BodyBlock(0); i < own.NumArgs() && own.Arg(i).Type() == arg.Type() {
			n.s.same[arg] = own.Arg(i)
		}
	}
	return n.Of(last.OnlyOperand())
}

// check looks for two parts of which it isn't known that they are apart, whatever the sizes are, while both are alive, and for parts that may end after the arena.
func (d *dynamicParts) check(a *Arena) *ir.Diagnostic {
	p := PlacedParts{Buffers: a.Problem.Buffers, Sizes: d.sizes, Offsets: d.offsets, Bytes: d.bytes}
	for i, end := range p.ends() {
		if !d.fixed(a, end) {
			return ir.Errorf(a.Buffer.Loc(), "where parts of the arena are may depend on what changes while the function is executed").WithNote(a.Parts[i].Loc(), "this part")
		}
	}
	switch x, y, problem := d.numbers.Check(p); problem {
	case MayOverlap:
		return ir.Errorf(a.Buffer.Loc(), "parts of the arena may overlap while both are alive").
			WithNote(a.Parts[x].Loc(), "this one").WithNote(a.Parts[y].Loc(), "and this one")
	case MayEndAfter:
		return ir.Errorf(a.Buffer.Loc(), "the arena may be smaller than what is in it").WithNote(a.Parts[x].Loc(), "this part")
	}
	return nil
}

// fixed tells whether all that sizes are made from stays the same as long as the function is executed: its arguments, and what its first block computes.
func (d *dynamicParts) fixed(a *Arena, sizes []Size) bool {
	entry := a.Function.BodyBlock(0)
	for _, s := range sizes {
		for _, t := range s.Terms {
			for _, name := range t.Sizes {
				if v := d.numbers.s.taken[name].value; v == nil || v.ParentBlock() != entry {
					return false
				}
			}
		}
	}
	return true
}
