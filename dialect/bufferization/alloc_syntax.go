package bufferization

import (
	"freehold/ir"
	"freehold/ir/asm"
)

var allocTensorSyntax = asm.Assembly.Model(asm.OpAssembly{Parse: parseAllocTensor, Print: printAllocTensor})

// parseAllocTensor reads (sizes) copy(tensor) size_hint=value {...} : type.
func parseAllocTensor(p *asm.Parser, s *ir.OpState) error {
	if err := p.Expect("("); err != nil {
		return err
	}
	sizes, err := p.Operands(asm.NoDelimiter)
	if err != nil {
		return err
	}
	if err := p.Expect(")"); err != nil {
		return err
	}
	var from, hint []asm.Unresolved
	if p.OptionalKeyword("copy") {
		if err := p.Expect("("); err != nil {
			return err
		}
		v, err := p.Operand()
		if err != nil {
			return err
		}
		from = append(from, v)
		if err := p.Expect(")"); err != nil {
			return err
		}
	}
	if p.OptionalKeyword("size_hint") {
		if err := p.Expect("="); err != nil {
			return err
		}
		v, err := p.Operand()
		if err != nil {
			return err
		}
		hint = append(hint, v)
	}
	if err := optionalProperties(p, s); err != nil {
		return err
	}
	if err := p.OptionalAttrDict(s); err != nil {
		return err
	}
	if err := p.Expect(":"); err != nil {
		return err
	}
	t, err := p.TypeOf(ir.TensorClass)
	if err != nil {
		return err
	}
	s.Types = []ir.Type{t}
	if err := p.ResolveInto(s, ir.Index, sizes...); err != nil {
		return err
	}
	if err := p.ResolveInto(s, t, from...); err != nil {
		return err
	}
	if err := p.ResolveInto(s, ir.Index, hint...); err != nil {
		return err
	}
	p.AddAttr(s, ir.OperandSegmentsAttr, p.Context().Segments(len(sizes), len(from), len(hint)))
	return nil
}

// optionalProperties reads <{...}>, as it is proposed for LLVM 24.
func optionalProperties(p *asm.Parser, s *ir.OpState) error {
	if !p.Optional("<") {
		return nil
	}
	pos := p.Pos()
	d, err := p.OptionalDictAttr()
	if err != nil {
		return err
	}
	if d != nil {
		for _, a := range d.Entries {
			p.AddAttr(s, a.Name, a.Value)
		}
	}
	if err := p.Expect(">"); err != nil {
		return err
	}
	return p.CheckInherent(s, pos)
}

func printAllocTensor(p *asm.Printer, op *ir.Op) {
	o := AllocTensorOp{op}
	p.Text("(")
	p.Operands(o.DynamicSizes().Values())
	p.Text(")")
	if v := o.CopyOf(); v != nil {
		p.Text(" copy(")
		p.Operand(v)
		p.Text(")")
	}
	if v := o.SizeHint(); v != nil {
		p.Text(" size_hint=")
		p.Operand(v)
	}
	p.OptionalAttrDict(p.AllAttrs(op), ir.OperandSegmentsAttr)
	p.Text(" : ")
	p.Type(op.Result(0).Type())
}
