package affine

import (
	"freehold/exec"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/constraint"
	"freehold/ir/interfaces"
)

// Names of the attributes of a transfer.
const (
	SrcMapAttr = "src_map"
	DstMapAttr = "dst_map"
	TagMapAttr = "tag_map"
)

// DmaStart starts a transfer between two memory spaces. Its operands are the
// source and the operands of its map, the target and the operands of its map, the
// tag and the operands of its map, the number of elements, and optionally a stride
// with the number of elements per stride.
var DmaStart = ir.NewOpID("affine.dma_start")

func dmaStartDef() *ir.OpDef {
	return &ir.OpDef{
		ID:       DmaStart,
		Operands: []ir.OperandDef{{Name: "operands", Type: constraint.AnyType, Arity: ir.Variadic}},
		Verify:   verifyDmaStart,
		Models: []ir.Model{
			asm.Assembly.Model(asm.OpAssembly{Parse: parseDmaStart, Print: printDmaStart}),
			interfaces.MemoryEffects.Model(startEffects),
			interfaces.LocalMemory.Model(interfaces.UntilWait),
			interfaces.Addresses(interfaces.Linearly),
			exec.Executable.Model(executeDMA),
		},
		Fold: foldAccessCasts,
	}
}

// DmaWait waits for a transfer. Its operands are the tag, the operands of its map,
// and the number of elements.
var DmaWait = ir.NewOpID("affine.dma_wait")

func dmaWaitDef() *ir.OpDef {
	return &ir.OpDef{
		ID:       DmaWait,
		Operands: []ir.OperandDef{{Name: "operands", Type: constraint.AnyType, Arity: ir.Variadic}},
		Verify:   verifyDmaWait,
		Models: []ir.Model{
			asm.Assembly.Model(asm.OpAssembly{Parse: parseDmaWait, Print: printDmaWait}),
			interfaces.LocalMemory.Model(interfaces.AtWait),
			interfaces.Addresses(interfaces.ByPosition),
			exec.Executable.Model(executeDMAWait),
		},
		Fold: foldAccessCasts,
	}
}

// startEffects are those of dma_start. MLIR declares none of dma_wait and of both operations of memref.
func startEffects(op *ir.Op) []interfaces.Effect {
	sides, rest, ok := DmaSides(op, SrcMapAttr, DstMapAttr, TagMapAttr)
	if !ok {
		return nil
	}
	dst := 1 + len(sides[0].Operands)
	tag := op.NumOperands() - len(rest) - 1 - len(sides[2].Operands)
	return []interfaces.Effect{interfaces.OnOperand(interfaces.Read, 0), interfaces.OnOperand(interfaces.Write, dst), interfaces.OnOperand(interfaces.Read, tag)}
}

// DmaSide is a buffer of a transfer with the map of its indices.
type DmaSide struct {
	MemRef   *ir.Value
	Map      *ir.AffineMap
	Operands ir.Operands
}

// DmaSides splits the operands of a transfer; rest are those behind the buffers.
func DmaSides(op *ir.Op, attrs ...string) (sides []DmaSide, rest ir.Operands, ok bool) {
	rest = op.Operands()
	for _, a := range attrs {
		m := mapOf(op, a)
		if m == nil || len(rest) < 1+m.Dims+m.Syms {
			return nil, nil, false
		}
		n := 1 + m.Dims + m.Syms
		sides = append(sides, DmaSide{rest.At(0), m, rest[1:n]})
		rest = rest[n:]
	}
	return sides, rest, true
}

// SetDmaSide replaces the map and its operands of a buffer of a transfer, whose map is in the attribute.
func SetDmaSide(op *ir.Op, attr string, m *ir.AffineMap, operands []*ir.Value) {
	attrs := []string{SrcMapAttr, DstMapAttr, TagMapAttr}
	if op.Is(DmaWait) {
		attrs = attrs[2:]
	}
	sides, rest, _ := DmaSides(op, attrs...)
	var list []*ir.Value
	for i, s := range sides {
		list = append(list, s.MemRef)
		if attrs[i] == attr {
			list = append(list, operands...)
		} else {
			list = append(list, s.Operands.Values()...)
		}
	}
	op.SetOperands(append(list, rest.Values()...))
	op.SetAttr(attr, op.Context().AffineMapAttr(m))
}

func verifyDmaStart(op *ir.Op) error {
	at := 0
	for _, x := range []struct{ attr, name string }{{SrcMapAttr, "source"}, {DstMapAttr, "destination"}, {TagMapAttr, "tag"}} {
		if m := mapOf(op, x.attr); m == nil || at >= op.NumOperands() {
			return op.Errorf("incorrect number of operands")
		} else if !ir.IsMemRef(op.Operand(at).Type()) {
			return op.Errorf("expected DMA %s to be of memref type", x.name)
		} else {
			at += 1 + m.Dims + m.Syms
		}
	}
	sides, rest, ok := DmaSides(op, SrcMapAttr, DstMapAttr, TagMapAttr)
	if !ok || len(rest) != 1 && len(rest) != 3 {
		return op.Errorf("incorrect number of operands")
	}
	for i, name := range []string{"src", "dst", "tag"} {
		if err := verifyDmaIndices(op, sides[i].Operands, name+" index", "dma_start"); err != nil {
			return err
		}
	}
	return verifyDmaCounts(op, rest)
}

func verifyDmaWait(op *ir.Op) error {
	if op.NumOperands() == 0 || !ir.IsMemRef(op.Operand(0).Type()) {
		return op.Errorf("expected DMA tag to be of memref type")
	}
	sides, rest, ok := DmaSides(op, TagMapAttr)
	if !ok {
		return op.Errorf("incorrect number of operands")
	}
	if err := verifyDmaIndices(op, sides[0].Operands, "index", "dma_wait"); err != nil {
		return err
	}
	if len(rest) != 1 {
		return op.Errorf("incorrect number of operands")
	}
	return verifyDmaCounts(op, rest)
}

// verifyDmaCounts checks the numbers of elements: how many, and between which.
func verifyDmaCounts(op *ir.Op, counts ir.Operands) error {
	for i := range counts {
		if v := counts.At(i); v.Type() != ir.Type(ir.Index) {
			return op.Errorf("numbers of elements must have 'index' type, but got '%s'", v.Type())
		}
	}
	return nil
}

// verifyDmaIndices checks the operands of the map of a buffer; what names them in
// messages.
func verifyDmaIndices(op *ir.Op, indices ir.Operands, what, mnemonic string) error {
	scope := Scope(op)
	for i := range indices {
		v := indices.At(i)
		if v.Type() != ir.Type(ir.Index) {
			return op.Errorf("%s to %s must have 'index' type", what, mnemonic)
		}
		if !IsValidDim(v, scope) && !IsValidSymbol(v, scope) {
			return op.Errorf("%s must be a valid dimension or symbol identifier", what)
		}
	}
	return nil
}

// parseDmaSide reads %memref[indices] and returns the operands.
func parseDmaSide(p *asm.Parser, s *ir.OpState, attr string) (m asm.Unresolved, operands []asm.Unresolved, err error) {
	if m, err = p.Operand(); err != nil {
		return m, nil, err
	}
	index, dims, syms, err := p.AffineMapOfSSAIds(asm.Square)
	if err != nil {
		return m, nil, err
	}
	s.SetAttr(attr, p.Context().AffineMapAttr(index))
	return m, append(dims, syms...), nil
}

func parseDmaStart(p *asm.Parser, s *ir.OpState) error {
	var memrefs [3]asm.Unresolved
	var operands [3][]asm.Unresolved
	for i, attr := range []string{SrcMapAttr, DstMapAttr, TagMapAttr} {
		if i > 0 {
			if err := p.Expect(","); err != nil {
				return err
			}
		}
		var err error
		if memrefs[i], operands[i], err = parseDmaSide(p, s, attr); err != nil {
			return err
		}
	}
	if err := p.Expect(","); err != nil {
		return err
	}
	size, err := p.Operand()
	if err != nil {
		return err
	}
	counts := []asm.Unresolved{size}
	if p.Optional(",") {
		strides, err := p.Operands(asm.NoDelimiter)
		if err != nil {
			return err
		}
		if len(strides) != 0 && len(strides) != 2 {
			return p.Errorf(p.NamePos(), "expected two stride related operands")
		}
		counts = append(counts, strides...)
	}
	types, err := p.ColonTypes()
	if err != nil {
		return err
	}
	if len(types) != 3 {
		return p.Errorf(p.NamePos(), "expected three types")
	}
	for i, m := range memrefs {
		if err := p.ResolveInto(s, types[i], m); err != nil {
			return err
		}
		if err := p.ResolveInto(s, ir.Index, operands[i]...); err != nil {
			return err
		}
	}
	return p.ResolveInto(s, ir.Index, counts...)
}

func printDmaSide(p *asm.Printer, s DmaSide) {
	p.Operand(s.MemRef)
	p.Text("[")
	p.AffineMapOfSSAIds(s.Map, s.Operands.Values())
	p.Text("]")
}

func printDmaStart(p *asm.Printer, op *ir.Op) {
	sides, rest, _ := DmaSides(op, SrcMapAttr, DstMapAttr, TagMapAttr)
	p.Text(" ")
	var types []ir.Type
	for _, s := range sides {
		printDmaSide(p, s)
		p.Text(", ")
		types = append(types, s.MemRef.Type())
	}
	p.Operands(rest.Values())
	p.Text(" : ")
	p.Types(types)
}

func parseDmaWait(p *asm.Parser, s *ir.OpState) error {
	m, operands, err := parseDmaSide(p, s, TagMapAttr)
	if err != nil {
		return err
	}
	if err := p.Expect(","); err != nil {
		return err
	}
	count, err := p.Operand()
	if err != nil {
		return err
	}
	t, err := p.ColonType()
	if err != nil {
		return err
	}
	if err := p.ResolveInto(s, t, m); err != nil {
		return err
	}
	if err := p.ResolveInto(s, ir.Index, operands...); err != nil {
		return err
	}
	return p.ResolveInto(s, ir.Index, count)
}

func printDmaWait(p *asm.Printer, op *ir.Op) {
	sides, rest, _ := DmaSides(op, TagMapAttr)
	p.Text(" ")
	for _, s := range sides {
		printDmaSide(p, s)
		p.Text(", ")
	}
	p.Operands(rest.Values())
	p.Text(" : ")
	p.Type(op.Operand(0).Type())
}
