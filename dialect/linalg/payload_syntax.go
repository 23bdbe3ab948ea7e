package linalg

import (
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/interfaces"
)

// parsePayload reads the short form { op {attributes} } of a body with just one
// operation and a yield. It returns nil if it isn't there.
func parsePayload(p *asm.Parser) (*ir.OpState, error) {
	if !p.Optional("{") {
		return nil, nil
	}
	name, err := p.OpName()
	if err != nil {
		return nil, err
	}
	payload := &ir.OpState{Name: name}
	if err := p.OptionalAttrDict(payload); err != nil {
		return nil, err
	}
	return payload, p.Expect("}")
}

// fillPayload adds a body that applies the payload to its arguments; with
// initFirst the last argument is the first operand.
func fillPayload(p *asm.Parser, s, payload *ir.OpState, operands []*ir.Value, initFirst bool) {
	b := p.Builder()
	ip, loc := b.InsertionPoint(), b.Loc
	b.Loc = s.Loc
	body := newArgs(b, s.AddRegion(), operands)
	b.SetEnd(body)
	args := body.Args()
	st := *payload
	st.Loc = s.Loc
	st.Operands = append([]*ir.Value(nil), args...)
	if n := len(args); initFirst && n > 0 {
		st.Operands = append([]*ir.Value{args[n-1]}, args[:n-1]...)
	}
	if n := len(operands); n > 0 {
		st.Types = []ir.Type{bodyType(s.Operands[len(s.Operands)-1].Type())}
	}
	op := b.Create(st)
	NewYield(b, op.Results().Values()...)
	b.SetInsertionPoint(ip)
	b.Loc = loc
}

// payloadOf returns the operation of a body with arguments that the short form can spell, or
// nil.
func payloadOf(body *ir.Block, args []*ir.Value, initFirst bool) *ir.Op {
	op := body.First()
	if op == nil || op.Next() == nil || op.Next() != body.Last() || op.NumResults() == 0 {
		return nil
	}
	n := len(args)
	if op.NumOperands() == 0 || op.NumOperands() != n || op.NumRegions() > 0 {
		return nil
	}
	for i := range n {
		want := args[i]
		if initFirst {
			want = args[(i+n-1)%n]
		}
		if op.Operand(i) != want {
			return nil
		}
	}
	// The short form yields the operation's results, and nothing else.
	y := body.Last()
	if y.NumOperands() != op.NumResults() {
		return nil
	}
	for i := range y.NumOperands() {
		if y.Operand(i) != op.Result(i) {
			return nil
		}
	}
	return op
}

func printPayload(p *asm.Printer, op *ir.Op) {
	p.Text(" { ")
	p.Text(op.Name())
	var attrs []ir.NamedAttr
	for _, a := range op.AllAttrs() {
		if e, ok := a.Value.(*ir.EnumAttr); ok && e.Def.Mnemonic == "fastmath" && e.Value == 0 {
			continue
		}
		attrs = append(attrs, a)
	}
	p.OptionalAttrDict(attrs)
	p.Text(" }")
}

// parseBody reads a body with its arguments.
func parseBody(p *asm.Parser, s *ir.OpState) error {
	args, err := p.Arguments(asm.Paren, true, false)
	if err != nil {
		return err
	}
	return p.Region(s.AddRegion(), args)
}

// printBody writes what parseBody reads, with further arguments for the elements of
// tensors or buffers of the given types, which nothing uses.
func printBody(p *asm.Printer, op *ir.Op) {
	p.Indent()
	p.Newline()
	p.Text("(")
	for i, a := range op.BodyBlock(0).Args() {
		if i > 0 {
			p.Text(", ")
		}
		p.Argument(a, nil, false)
	}
	p.Text(") ")
	p.Region(op.RegionAt(0), false, true, false)
	p.Unindent()
}

// tensorsOf returns the types of ranked tensors in the list: the types of the results.
func tensorsOf(types []ir.Type) []ir.Type {
	var out []ir.Type
	for _, t := range types {
		if _, ranked := t.(*ir.RankedTensorType); ranked {
			out = append(out, t)
		}
	}
	return out
}

func parseMap(p *asm.Parser, s *ir.OpState) error {
	payload, err := parsePayload(p)
	if err != nil {
		return err
	}
	ins, outs, err := parseCommon(p, s, false)
	if err != nil {
		return err
	}
	s.Types = tensorsOf(outs)
	if err := p.OptionalAttrDict(s); err != nil {
		return err
	}
	if payload != nil {
		fillPayload(p, s, payload, s.Operands[:len(ins)], false)
		if p.Context().LLVM() >= initPassed {
			s.Regions[0].Entry().AddArg(bodyType(s.Operands[len(ins)].Type()), s.Loc)
		}
		return nil
	}
	if err := parseBody(p, s); err != nil {
		return err
	}
	if body := s.Regions[0]; !body.Empty() && body.Entry().NumArgs() == len(ins) {
		p.Until(initPassed - 1)
	}
	return nil
}

func printMap(p *asm.Printer, op *ir.Op) {
	body := op.BodyBlock(0)
	args := body.Args()
	if n := op.NumOperands() - 1; len(args) > n && !args[n].HasUses() {
		args = args[:n] // that of the init, in LLVM 22
	}
	payload := payloadOf(body, args, false)
	if payload != nil {
		printPayload(p, payload)
	}
	printCommon(p, op)
	p.OptionalAttrDict(p.AllAttrs(op))
	if payload == nil {
		printBody(p, op)
	}
}

func parseReduce(p *asm.Parser, s *ir.OpState) error {
	payload, err := parsePayload(p)
	if err != nil {
		return err
	}
	_, outs, err := parseCommon(p, s, false)
	if err != nil {
		return err
	}
	s.Types = tensorsOf(outs)
	if err := parseI64s(p, s, dimensionsAttr); err != nil {
		return err
	}
	if err := p.OptionalAttrDict(s); err != nil {
		return err
	}
	if payload != nil {
		fillPayload(p, s, payload, s.Operands, true)
		return nil
	}
	return parseBody(p, s)
}

func printReduce(p *asm.Printer, op *ir.Op) {
	payload := payloadOf(op.BodyBlock(0), op.BodyBlock(0).Args(), true)
	if payload != nil {
		printPayload(p, payload)
	}
	printCommon(p, op)
	printI64s(p, op, dimensionsAttr)
	p.OptionalAttrDict(p.AllAttrs(op), dimensionsAttr)
	if payload == nil {
		printBody(p, op)
	}
}

func parseCopying(p *asm.Parser, s *ir.OpState, attr string) error {
	_, outs, err := parseCommon(p, s, false)
	if err != nil {
		return err
	}
	s.Types = tensorsOf(outs)
	if err := parseI64s(p, s, attr); err != nil {
		return err
	}
	if err := p.OptionalAttrDict(s); err != nil {
		return err
	}
	b := p.Builder()
	loc := b.Loc
	b.Loc = s.Loc
	newBody(b, s, s.Operands, func(_ *ir.Builder, args []*ir.Value) []*ir.Value { return args[:min(1, len(args))] })
	b.Loc = loc
	return nil
}

func printCopying(p *asm.Printer, op *ir.Op, attr string) {
	printCommon(p, op)
	printI64s(p, op, attr)
	p.OptionalAttrDict(p.AllAttrs(op), attr)
}

// parseI64s reads name = [1, 2].
func parseI64s(p *asm.Parser, s *ir.OpState, name string) error {
	if err := p.Keyword(name); err != nil {
		return err
	}
	if err := p.Expect("="); err != nil {
		return err
	}
	var list []int64
	err := p.List(asm.Square, func() error {
		v, err := p.Integer()
		list = append(list, v)
		return err
	})
	if err != nil {
		return err
	}
	s.SetAttr(name, p.Context().DenseI64Array(list...))
	return nil
}

func printI64s(p *asm.Printer, op *ir.Op, name string) {
	p.Text(" " + name + " = [")
	for i, v := range interfaces.StaticInts(op, name) {
		if i > 0 {
			p.Text(", ")
		}
		p.Int(v)
	}
	p.Text("] ")
}
