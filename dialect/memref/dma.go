package memref

import (
	"freehold/exec"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/constraint"
	"freehold/ir/interfaces"
)

// DmaStart starts a transfer between two memory spaces. Its operands are a source
// with indices, a target with indices, the number of elements, a tag with indices,
// and optionally a stride with the number of elements per stride.
var DmaStart = ir.NewOpID("memref.dma_start")

func dmaStartDef() *ir.OpDef {
	return &ir.OpDef{
		ID:       DmaStart,
		Operands: []ir.OperandDef{{Name: "operands", Type: constraint.AnyType, Arity: ir.Variadic}},
		Verify:   verifyDmaStart,
		Models: []ir.Model{
			asm.Assembly.Model(asm.OpAssembly{Parse: parseDmaStart, Print: printDmaStart}),
			interfaces.LocalMemory.Model(interfaces.UntilWait),
			interfaces.Addresses(interfaces.Linearly),
			exec.Executable.Model(executeDMA),
		},
		Fold: foldCastOperands,
	}
}

// DmaWait waits for a transfer.
var DmaWait = ir.NewOpID("memref.dma_wait")

func dmaWaitDef() *ir.OpDef {
	return &ir.OpDef{
		ID: DmaWait,
		Operands: []ir.OperandDef{ir.Operand("tagMemRef", constraint.AnyMemRef), indices("tagIndices"),
			ir.Operand("numElements", constraint.Index)},
		Format: "$tagMemRef `[` $tagIndices `]` `,` $numElements attr-dict `:` type($tagMemRef)",
		Verify: func(op *ir.Op) error {
			n, rank := len(op.OperandGroup(1)), len(memrefOf(DmaWaitOp{op}.TagMemRef().Type()).Shape)
			if n != rank {
				return op.Errorf("expected tagIndices to have the same number of elements as the tagMemRef rank, expected %d, but got %d", rank, n)
			}
			return nil
		},
		Fold: foldCastOperands,
		Models: []ir.Model{
			interfaces.LocalMemory.Model(interfaces.AtWait),
			interfaces.Addresses(interfaces.ByPosition),
			exec.Executable.Model(executeDMAWait),
		},
	}
}

// dmaParts are the positions of the memrefs among the operands of a DmaStart.
type dmaParts struct{ src, dst, count, tag, stride int }

// dmaLayout finds the parts of a DmaStart; what names the part that is missing.
func dmaLayout(op *ir.Op) (parts dmaParts, err error) {
	at := 0
	buffer := func(what string) (pos int) {
		pos = at
		if err != nil {
			return
		}
		if at >= op.NumOperands() {
			err = op.Errorf("expected at least 4 operands")
			return
		}
		m := memrefOf(op.Operand(at).Type())
		if m == nil {
			err = op.Errorf("expected %s to be of memref type", what)
			return
		}
		if at+1+len(m.Shape) > op.NumOperands() {
			err = op.Errorf("expected at least %d operands", at+1+len(m.Shape))
			return
		}
		for i := range len(m.Shape) {
			if op.Operand(at+1+i).Type() != ir.Type(ir.Index) {
				err = op.Errorf("expected %s indices to be of index type", what)
				return
			}
		}
		at += 1 + len(m.Shape)
		return
	}
	if op.NumOperands() < 4 {
		return parts, op.Errorf("expected at least 4 operands")
	}
	parts.src = buffer("source")
	parts.dst = buffer("destination")
	parts.count = at
	if err == nil && (at >= op.NumOperands() || op.Operand(at).Type() != ir.Type(ir.Index)) {
		err = op.Errorf("expected num elements to be of index type")
	}
	at++
	parts.tag = buffer("tag")
	parts.stride = at
	if err == nil && at != op.NumOperands() && at+2 != op.NumOperands() {
		err = op.Errorf("incorrect number of operands")
	}
	return parts, err
}

func verifyDmaStart(op *ir.Op) error {
	parts, err := dmaLayout(op)
	if err != nil {
		return err
	}
	for i := parts.stride; i < op.NumOperands(); i++ {
		if op.Operand(i).Type() != ir.Type(ir.Index) {
			return op.Errorf("expected stride and num elements per stride to be of type index")
		}
	}
	return nil
}

func parseDmaStart(p *asm.Parser, s *ir.OpState) error {
	var memrefs, counts []asm.Unresolved
	var lists [3][]asm.Unresolved
	buffer := func(i int) error {
		m, err := p.Operand()
		if err != nil {
			return err
		}
		memrefs = append(memrefs, m)
		lists[i], err = p.Operands(asm.Square)
		return err
	}
	scalar := func() error {
		if err := p.Expect(","); err != nil {
			return err
		}
		v, err := p.Operand()
		counts = append(counts, v)
		return err
	}
	if err := buffer(0); err != nil {
		return err
	}
	if err := p.Expect(","); err != nil {
		return err
	}
	if err := buffer(1); err != nil {
		return err
	}
	if err := scalar(); err != nil {
		return err
	}
	if err := p.Expect(","); err != nil {
		return err
	}
	if err := buffer(2); err != nil {
		return err
	}
	for p.Optional(",") {
		v, err := p.Operand()
		if err != nil {
			return err
		}
		counts = append(counts, v)
	}
	pos := p.Pos()
	if len(counts) != 1 && len(counts) != 3 {
		return p.Errorf(pos, "expected two stride related operands")
	}
	types, err := p.ColonTypes()
	if err != nil {
		return err
	}
	if len(types) != 3 {
		return p.Errorf(pos, "fewer/more types expected")
	}
	for i, m := range memrefs {
		if err := p.ResolveInto(s, types[i], m); err != nil {
			return err
		}
		if err := p.ResolveInto(s, ir.Index, lists[i]...); err != nil {
			return err
		}
		if i == 1 {
			if err := p.ResolveInto(s, ir.Index, counts[0]); err != nil {
				return err
			}
		}
	}
	return p.ResolveInto(s, ir.Index, counts[1:]...)
}

func printDmaStart(p *asm.Printer, op *ir.Op) {
	parts, err := dmaLayout(op)
	if err != nil {
		parts = dmaParts{}
	}
	buffer := func(from, to int) {
		p.Operand(op.Operand(from))
		p.Text("[")
		p.Operands(op.Operands()[from+1 : to].Values())
		p.Text("]")
	}
	p.Text(" ")
	buffer(parts.src, parts.dst)
	p.Text(", ")
	buffer(parts.dst, parts.count)
	p.Text(", ")
	p.Operand(op.Operand(parts.count))
	p.Text(", ")
	buffer(parts.tag, parts.stride)
	for i := parts.stride; i < op.NumOperands(); i++ {
		p.Text(", ")
		p.Operand(op.Operand(i))
	}
	p.OptionalAttrDict(op.DiscardableAttrs())
	p.Text(" : ")
	p.Types([]ir.Type{op.Operand(parts.src).Type(), op.Operand(parts.dst).Type(), op.Operand(parts.tag).Type()})
}
