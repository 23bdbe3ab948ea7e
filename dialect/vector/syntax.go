package vector

import (
	"slices"

	"freehold/dialect/gpu"
	"freehold/exec"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/constraint"
	"freehold/ir/interfaces"
	"freehold/ir/rewrite"
)

// Contract multiplies and adds vectors along dimensions that indexing maps and
// iterator types describe.
var Contract = ir.NewOpID("vector.contract")

func contractDef() *ir.OpDef {
	return &ir.OpDef{
		ID: Contract,
		Operands: []ir.OperandDef{ir.Operand("lhs", anyVector), ir.Operand("rhs", anyVector),
			ir.Operand("acc", constraint.AnyType)},
		Results: ir.SingleResult("", constraint.AnyType),
		Attrs: []ir.AttrDef{attr("indexing_maps", constraint.ArrayAttr), attr("iterator_types", iteratorArray),
			defaultKindAttr},
		Traits:  ir.TraitPure,
		Earlier: []ir.Spelling{maskedContract},
		TypeRules: []ir.TypeRule{
			{Summary: "lhs and rhs have same element type", Check: func(op *ir.Op) bool {
				return ir.ElementType(ContractOp{op}.LHS().Type()) == ir.ElementType(ContractOp{op}.RHS().Type())
			}},
			sameElement(2, "third operand acc and result have same element type")},
		Models: []ir.Model{
			asm.Assembly.Model(asm.OpAssembly{Parse: parseContract, Print: printContract}),
			exec.Executable.Model(executeContract),
			exec.MakesPoison.Model(struct{}{}),
		},
		Verify: verifyContract,
	}
}

func parseContract(p *asm.Parser, s *ir.OpState) error {
	pos := p.Pos()
	d, err := asm.AttrOf[*ir.DictAttr](p, nil)
	if err != nil {
		return err
	}
	var us [3]asm.Unresolved
	for i := range us {
		if i > 0 {
			if err := p.Expect(","); err != nil {
				return err
			}
		}
		if us[i], err = p.Operand(); err != nil {
			return err
		}
	}
	// The syntax has masks, which [maskedContract] takes.
	var masks []asm.Unresolved
	for p.Optional(",") {
		u, err := p.Operand()
		if err != nil {
			return err
		}
		masks = append(masks, u)
	}
	if err := p.OptionalAttrDict(s); err != nil {
		return err
	}
	types, err := p.ColonTypes()
	if err != nil {
		return err
	}
	if err := p.Keyword("into"); err != nil {
		return err
	}
	res, err := p.Type()
	if err != nil {
		return err
	}
	if len(types) < 2 {
		return p.Errorf(pos, "expected the types of two operands")
	}
	for i, t := range []ir.Type{types[0], types[1], res} {
		if err := p.ResolveInto(s, t, us[i]); err != nil {
			return err
		}
	}
	c := p.Context()
	if n := len(masks); n != 0 && n != 2 {
		return p.Errorf(p.NamePos(), "expected zero or exactly 2 vector mask operands")
	}
	for i, u := range masks {
		factor, ok := types[i].(*ir.VectorType)
		if !ok {
			return p.Errorf(p.NamePos(), "expected vectors as factors of a masked contraction")
		}
		if err := p.ResolveInto(s, c.Vector(factor.Shape, nil, ir.I1), u); err != nil {
			return err
		}
	}
	for _, e := range d.Entries {
		v := e.Value
		if arr, ok := v.(*ir.ArrayAttr); ok && e.Name == "iterator_types" {
			elems := make([]ir.Attribute, len(arr.Elems))
			for i, x := range arr.Elems {
				elems[i] = x
				if str, ok := x.(*ir.StringAttr); ok {
					n, ok := IteratorType.Parse(str.Value)
					if !ok {
						return p.Errorf(pos, "unexpected iterator_type (%s)", str.Value)
					}
					elems[i] = c.EnumAttr(IteratorType, n)
				}
			}
			v = c.ArrayAttr(elems...)
		}
		s.SetAttr(e.Name, v)
	}
	s.Types = []ir.Type{res}
	return nil
}

func printContract(p *asm.Printer, op *ir.Op) {
	c := op.Context()
	var trait, rest []ir.NamedAttr
	for _, a := range op.AllAttrs() {
		switch a.Name {
		case "iterator_types":
			var words []ir.Attribute
			for _, e := range a.Value.(*ir.ArrayAttr).Elems {
				if x, ok := e.(*ir.EnumAttr); ok {
					words = append(words, c.StringAttr(x.Keyword()))
				}
			}
			trait = append(trait, ir.NamedAttr{Name: a.Name, Value: c.ArrayAttr(words...)})
		case "indexing_maps", "kind":
			trait = append(trait, a)
		default:
			rest = append(rest, a)
		}
	}
	p.OptionalAttrDict(trait)
	p.Text(" ")
	p.Operands(op.Operands().Values())
	p.OptionalAttrDict(rest)
	p.Text(" : ")
	p.Types([]ir.Type{ProductOp{op}.LHS().Type(), ProductOp{op}.RHS().Type()})
	p.Text(" into ")
	p.Type(op.Result(0).Type())
}

// OuterProduct multiplies all elements of two vectors, or a vector and a scalar,
// and may add the products to a vector.
var OuterProduct = ir.NewOpID("vector.outerproduct")

func outerProductDef() *ir.OpDef {
	return &ir.OpDef{
		ID: OuterProduct,
		Operands: []ir.OperandDef{ir.Operand("lhs", anyVector), ir.Operand("rhs", constraint.AnyType),
			ir.OptionalOperand("acc", anyVector)},
		Results: ir.SingleResult("", anyVector),
		Attrs:   []ir.AttrDef{defaultKindAttr},
		Traits:  ir.TraitPure,
		TypeRules: []ir.TypeRule{sameElement(0, "lhs operand and result have same element type"),
			sameElement(1, "rhs operand and result have same element type")},
		Models: []ir.Model{
			asm.Assembly.Model(asm.OpAssembly{Parse: parseOuterProduct, Print: printOuterProduct}),
			exec.Executable.Model(executeOuterProduct),
		},
		Verify: verifyOuterProduct,
	}
}

func parseOuterProduct(p *asm.Parser, s *ir.OpState) error {
	us, err := p.Operands(asm.NoDelimiter)
	if err != nil {
		return err
	}
	if err := p.OptionalAttrDict(s); err != nil {
		return err
	}
	if err := p.Expect(":"); err != nil {
		return err
	}
	lhs, err := p.Type()
	if err != nil {
		return err
	}
	if err := p.Expect(","); err != nil {
		return err
	}
	rhs, err := p.Type()
	if err != nil {
		return err
	}
	if len(us) < 2 {
		return p.Errorf(p.NamePos(), "expected at least 2 operands")
	}
	l, r := vec(lhs), vec(rhs)
	if l == nil || len(l.Shape) == 0 {
		return p.Errorf(p.NamePos(), "expected vector type for operand #1")
	}
	shape, scalable := []int64{l.Shape[0]}, []bool{scalableDim(l, 0)}
	if r != nil && len(r.Shape) > 0 {
		shape, scalable = append(shape, r.Shape[0]), append(scalable, scalableDim(r, 0))
	}
	res := p.Context().Vector(shape, scalable, l.Elem)
	for i, t := range []ir.Type{lhs, rhs, res} {
		if i < len(us) {
			if err := p.ResolveInto(s, t, us[i]); err != nil {
				return err
			}
		}
	}
	if len(us) > 3 {
		return p.Errorf(us[3].Pos, "expected at most 3 operands")
	}
	s.Types = []ir.Type{res}
	return nil
}

func printOuterProduct(p *asm.Printer, op *ir.Op) {
	p.Text(" ")
	p.Operands(op.Operands().Values())
	if op.NumOperands() > 2 {
		p.OptionalAttrDict(p.AllAttrs(op))
	}
	p.Text(" : ")
	p.Types([]ir.Type{ProductOp{op}.LHS().Type(), ProductOp{op}.RHS().Type()})
}

// Mask applies a mask to the operation in its region.
var Mask = ir.NewOpID("vector.mask")

func maskDef() *ir.OpDef {
	return &ir.OpDef{
		ID:                 Mask,
		Operands:           []ir.OperandDef{ir.Operand("mask", bits), ir.OptionalOperand("passthru", constraint.AnyType)},
		Results:            []ir.ResultDef{{Name: "results", Type: constraint.AnyType, Arity: ir.Variadic}},
		Regions:            []ir.RegionDef{{Name: "maskRegion", Sized: 1}},
		Traits:             ir.TraitSingleBlock | ir.TraitRecursiveMemoryEffects | ir.TraitNoRegionArguments,
		ImplicitTerminator: Yield,
		Fold:               foldAllTrueMask,
		Revisions:          []ir.Revision{{Since: 22, Fold: foldLaterMask, Models: []ir.Model{exec.Executable.Model(executeLaterMask)}}},
		Models: []ir.Model{
			asm.Assembly.Model(asm.OpAssembly{Parse: parseMask, Print: printMask, Says: saysMask}),
			interfaces.Masking.Model(struct{}{}),
			interfaces.Bufferizable.Model(maskBufferize{}),
			exec.Executable.Model(executeMask),
			rewrite.Patterns(maskPatterns()...),
			exec.MakesPoison.Model(struct{}{}),
		},
		Verify: verifyMask,
	}
}

func parseMask(p *asm.Parser, s *ir.OpState) error {
	mask, err := p.Operand()
	if err != nil {
		return err
	}
	var passthru *asm.Unresolved
	pos := p.Pos()
	if p.Optional(",") {
		u, err := p.Operand()
		if err != nil {
			return err
		}
		passthru = &u
	}
	r := s.AddRegion()
	if err := p.Region(r, nil); err != nil {
		return err
	}
	endMaskRegion(p, s, r)
	if err := p.OptionalAttrDict(s); err != nil {
		return err
	}
	t, err := p.ColonType()
	if err != nil {
		return err
	}
	if s.Types, err = p.OptionalArrowTypes(); err != nil {
		return err
	}
	if err := p.ResolveInto(s, t, mask); err != nil {
		return err
	}
	if passthru != nil {
		if len(s.Types) == 0 {
			return p.Errorf(pos, "expects a result if passthru operand is provided")
		}
		return p.ResolveInto(s, s.Types[0], *passthru)
	}
	return nil
}

// endMaskRegion adds the terminator, which yields the results of the masked
// operation.
func endMaskRegion(p *asm.Parser, s *ir.OpState, r *ir.Region) {
	if r.Empty() {
		r.AddBlock()
	}
	body := r.Entry()
	last := body.Last()
	if last != nil && last.Is(Yield) {
		return
	}
	b := p.Builder()
	ip, loc := b.InsertionPoint(), b.Loc
	b.SetEnd(body)
	b.Loc = s.Loc
	var values []*ir.Value
	if last != nil {
		values = last.Results().Values()
	}
	b.CreateOp(Yield, nil, values)
	b.SetInsertionPoint(ip)
	b.Loc = loc
}

// saysMask tells whether the terminator, which isn't printed, yields the results of the masked
// operation and has no attributes, and whether what results where the mask is off has the type
// of the result, which it is read with.
func saysMask(op *ir.Op) bool {
	if v := op.OptionalOperand(1); v != nil && (op.NumResults() == 0 || v.Type() != op.Result(0).Type()) {
		return false
	}
	body := op.BodyBlock(0)
	if body == nil || body.Empty() || body.First() == body.Last() {
		return true
	}
	return len(body.Last().DiscardableAttrs()) == 0 &&
		slices.Equal(body.Last().Operands().Values(), body.First().Results().Values())
}

func printMask(p *asm.Printer, op *ir.Op) {
	p.Text(" ")
	p.Operands(op.Operands().Values())
	p.Text(" { ")
	if body := op.BodyBlock(0); body != nil && !body.Empty() {
		p.InlineOp(body.First())
	}
	p.Text(" }")
	p.OptionalAttrDict(p.AllAttrs(op))
	p.Text(" : ")
	p.Type(MaskOp{op}.Mask().Type())
	p.ArrowTypes(op.Results().Types())
}

// WarpExecuteOnLane0 executes its body on the first thread of a warp only.
var WarpExecuteOnLane0 = ir.NewOpID("vector.warp_execute_on_lane_0")

func warpExecuteOnLane0Def() *ir.OpDef {
	return &ir.OpDef{
		ID: WarpExecuteOnLane0,
		Operands: []ir.OperandDef{ir.Operand("laneid", constraint.Index),
			{Name: "args", Type: constraint.AnyType, Arity: ir.Variadic}},
		Results:            []ir.ResultDef{{Name: "results", Type: constraint.AnyType, Arity: ir.Variadic}},
		Attrs:              []ir.AttrDef{attr("warp_size", constraint.I64Attr)},
		Regions:            []ir.RegionDef{{Name: "warpRegion", Sized: 1}},
		Traits:             ir.TraitSingleBlock | ir.TraitRecursiveMemoryEffects,
		ImplicitTerminator: Yield,
		Later: []ir.Spelling{{Since: 20, Name: "gpu.warp_execute_on_lane_0",
			Upgrade: func(b *ir.Builder, s *ir.OpState) error {
				if len(s.Regions) == 1 && s.Regions[0].NumBlocks() == 1 {
					renameYield(b, s.Regions[0].Entry().Last(), gpu.Yield, Yield)
				}
				return nil
			},
			Replace: func(b *ir.Builder, op *ir.Op) { renameYield(b, op.BodyBlock(0).Last(), Yield, gpu.Yield) }}},
		Models: []ir.Model{asm.Assembly.Model(asm.OpAssembly{Parse: parseWarp, Print: printWarp})},
		Verify: verifyWarp,
	}
}

func parseWarp(p *asm.Parser, s *ir.OpState) error {
	if err := p.Expect("("); err != nil {
		return err
	}
	lane, err := p.Operand()
	if err != nil {
		return err
	}
	if err := p.Expect(")"); err != nil {
		return err
	}
	if err := p.Expect("["); err != nil {
		return err
	}
	n, err := p.Integer()
	if err != nil {
		return err
	}
	if err := p.Expect("]"); err != nil {
		return err
	}
	s.SetAttr("warp_size", p.Context().I64Attr(n))
	if err := p.ResolveInto(s, ir.Index, lane); err != nil {
		return err
	}
	if p.OptionalKeyword("args") {
		if err := p.Expect("("); err != nil {
			return err
		}
		pos := p.Pos()
		us, err := p.Operands(asm.NoDelimiter)
		if err != nil {
			return err
		}
		types, err := p.ColonTypes()
		if err != nil {
			return err
		}
		if err := p.Expect(")"); err != nil {
			return err
		}
		vs, err := p.ResolveAll(us, types, pos)
		if err != nil {
			return err
		}
		s.Operands = append(s.Operands, vs...)
	}
	if s.Types, err = p.OptionalArrowTypes(); err != nil {
		return err
	}
	if err := p.TerminatedRegion(s, nil); err != nil {
		return err
	}
	return p.OptionalAttrDict(s)
}

func printWarp(p *asm.Printer, op *ir.Op) {
	p.Text("(")
	p.Operand(WarpExecuteOnLane0Op{op}.Laneid())
	p.Text(")[")
	if n, ok := op.Attr("warp_size").(*ir.IntegerAttr); ok {
		p.Int(n.Value)
	}
	p.Text("]")
	if args := op.Operands()[1:]; len(args) > 0 {
		p.Text(" args(")
		p.Operands(args.Values())
		p.Text(" : ")
		p.Types(args.Types())
		p.Text(")")
	}
	if op.NumResults() > 0 {
		p.Text(" -> (")
		p.Types(op.Results().Types())
		p.Text(")")
	}
	p.Text(" ")
	p.Region(op.RegionAt(0), true, op.NumResults() > 0, false)
	p.OptionalAttrDict(p.AllAttrs(op), "warp_size")
}
