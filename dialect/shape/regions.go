package shape

import (
	"encoding/binary"

	"freehold/exec"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/constraint"
	"freehold/ir/fold"
	"freehold/ir/interfaces"
	"freehold/ir/rewrite"
)

const yieldFormat = "attr-dict ($operands^ `:` type($operands))?"

// Operations with regions, and their terminators.
var (
	// Assuming executes its body under the condition of a witness.
	Assuming = ir.NewOpID("shape.assuming")
	// AssumingYield ends the body of shape.assuming.
	AssumingYield = ir.NewOpID("shape.assuming_yield")
	// Reduce folds the extents of a shape.
	Reduce = ir.NewOpID("shape.reduce")
	// Yield ends the body of shape.reduce.
	Yield = ir.NewOpID("shape.yield")
)

func assumingDef() *ir.OpDef {
	return &ir.OpDef{ID: Assuming,
		Operands:           []ir.OperandDef{ir.Operand("witness", witnessType)},
		Results:            []ir.ResultDef{{Name: "results", Type: constraint.AnyType, Arity: ir.Variadic}},
		Regions:            []ir.RegionDef{{Name: "doRegion", Sized: 1}},
		Traits:             ir.TraitSingleBlock | ir.TraitRecursiveMemoryEffects,
		ImplicitTerminator: AssumingYield,
		Models: []ir.Model{
			asm.Assembly.Model(asm.OpAssembly{Parse: parseAssuming, Print: printAssuming, Says: hasNoArguments}),
			interfaces.RegionBranch.Model(interfaces.RegionBranchModel(assumingBranch{})),
			interfaces.Bufferizable.Model(interfaces.BufferizableModel(assumingBufferize{})),
			rewrite.Patterns(
				rewrite.Pattern{Name: "AssumingOpRemoveUnusedResults", Rewrite: removeUnusedResults},
				rewrite.Pattern{Name: "AssumingWithTrue", Rewrite: inlineAssumingTrue},
			),
			exec.Executable.Model(executeAssuming),
		}}
}

func assumingYieldDef() *ir.OpDef {
	return &ir.OpDef{ID: AssumingYield, Traits: ir.TraitPure | ir.TraitReturnLike | ir.TraitTerminator,
		Operands: variadic("operands", constraint.AnyType), Parents: []*ir.OpID{Assuming}, Format: yieldFormat,
		Models: []ir.Model{
			interfaces.Bufferizable.Model(interfaces.BufferizableModel(yieldBufferize{})),
		},
	}
}

func reduceDef() *ir.OpDef {
	return &ir.OpDef{ID: Reduce,
		Operands: []ir.OperandDef{ir.Operand("shape", anyShape), {Name: "initVals", Type: constraint.AnyType, Arity: ir.Variadic}},
		Results:  []ir.ResultDef{{Name: "result", Type: constraint.AnyType, Arity: ir.Variadic}},
		Regions:  []ir.RegionDef{{Name: "region", Sized: 1}}, Traits: ir.TraitSingleBlock,
		ImplicitTerminator: Yield,
		Models: []ir.Model{
			asm.Assembly.Model(asm.OpAssembly{Parse: parseReduce, Print: printReduce}),
			exec.Executable.Model(executeReduce),
		},
		Verify: verifyReduce,
	}
}

func yieldDef() *ir.OpDef {
	return &ir.OpDef{ID: Yield, Traits: ir.TraitPure | ir.TraitReturnLike | ir.TraitTerminator,
		Operands: variadic("operands", constraint.AnyType), Parents: []*ir.OpID{Reduce, FunctionLibrary}, Format: yieldFormat,
		Verify: verifyYield,
	}
}

// assumingBranch says that the body of shape.assuming is executed once.
type assumingBranch struct{}

// Successors implements interfaces.RegionBranchModel.
func (assumingBranch) Successors(op *ir.Op, from interfaces.RegionPoint) []interfaces.RegionSuccessor {
	if from == interfaces.ParentPoint {
		return []interfaces.RegionSuccessor{{Region: op.RegionAt(0)}}
	}
	return []interfaces.RegionSuccessor{{Inputs: op.Results().Values()}}
}

// EntryOperands implements interfaces.RegionBranchModel.
func (assumingBranch) EntryOperands(op *ir.Op, _ interfaces.RegionPoint) (start, n int) {
	return op.NumOperands(), 0
}

func parseAssuming(p *asm.Parser, s *ir.OpState) error {
	w, err := p.Operand()
	if err != nil {
		return err
	}
	if err := p.ResolveInto(s, p.Context().DialectTypeOf(p.Context().Dialect(dialectName), "witness"), w); err != nil {
		return err
	}
	if s.Types, err = p.OptionalArrowTypes(); err != nil {
		return err
	}
	if err := p.TerminatedRegion(s, nil); err != nil {
		return err
	}
	return p.OptionalAttrDict(s)
}

func printAssuming(p *asm.Printer, op *ir.Op) {
	p.Text(" ")
	p.Operand(AssumingOp{op}.Witness())
	if op.NumResults() > 0 {
		p.Text(" -> (")
		p.Types(op.Results().Types())
		p.Text(")")
	}
	p.Text(" ")
	p.Region(op.RegionAt(0), false, op.NumResults() > 0, false)
	p.OptionalAttrDict(p.AllAttrs(op))
}

func parseReduce(p *asm.Parser, s *ir.OpState) error {
	pos := p.Pos()
	us, err := p.Operands(asm.Paren)
	if err != nil {
		return err
	}
	t, err := p.ColonType()
	if err != nil {
		return err
	}
	if s.Types, err = p.OptionalArrowTypes(); err != nil {
		return err
	}
	if s.Operands, err = p.ResolveAll(us, append([]ir.Type{t}, s.Types...), pos); err != nil {
		return err
	}
	if err := p.TerminatedRegion(s, nil); err != nil {
		return err
	}
	return p.OptionalAttrDict(s)
}

func printReduce(p *asm.Printer, op *ir.Op) {
	p.Text("(")
	p.Operands(op.Operands().Values())
	p.Text(") : ")
	p.Type(ReduceOp{op}.Shape().Type())
	p.ArrowTypes(op.Results().Types())
	p.Text(" ")
	p.Region(op.RegionAt(0), true, true, false)
	p.OptionalAttrDict(p.AllAttrs(op))
}

func parseConstShape(p *asm.Parser, s *ir.OpState) error {
	if err := p.OptionalAttrDict(s); err != nil {
		return err
	}
	pos := p.Pos()
	list, err := p.Attr(ir.None)
	if err != nil {
		return err
	}
	extents, ok := list.(*ir.ArrayAttr)
	if !ok {
		return p.Errorf(pos, "expected array of integers")
	}
	var data []byte
	for _, e := range extents.Elems {
		v, ok := e.(*ir.IntegerAttr)
		if !ok {
			return p.Errorf(pos, "expected integer value")
		}
		data = binary.LittleEndian.AppendUint64(data, uint64(fold.Signed(v).Int64()))
	}
	t, err := p.ColonType()
	if err != nil {
		return err
	}
	c := p.Context()
	s.SetAttr("shape", c.DenseElements(c.RankedTensor([]int64{int64(len(extents.Elems))}, ir.Index), data))
	s.Types = []ir.Type{t}
	return nil
}

// maxRank is how many extents a constant shape may have: they are written out, also where
// they are all the same.
const maxRank = 1 << 20

func verifyConstShape(op *ir.Op) error {
	shape, _ := ir.ShapeOf(ir.TypeOfAttr(op.Attr("shape")))
	if n, ok := ir.NumElements(shape); !ok || n > maxRank {
		return op.Errorf("has more than %d extents", maxRank)
	}
	return nil
}

func printConstShape(p *asm.Printer, op *ir.Op) {
	p.Text(" ")
	p.OptionalAttrDict(p.AllAttrs(op), "shape")
	p.Text("[")
	if d, ok := op.Attr("shape").(*ir.DenseElementsAttr); ok {
		for i := range d.Len() {
			if i > 0 {
				p.Text(", ")
			}
			p.Int(int64(binary.LittleEndian.Uint64([]byte(d.Raw(i)))))
		}
	}
	p.Text("] : ")
	p.Type(op.Result(0).Type())
}

// hasNoArguments tells whether the body of a shape.assuming has no arguments, which the custom form leaves out.
func hasNoArguments(op *ir.Op) bool {
	body := op.BodyBlock(0)
	return body == nil || body.NumArgs() == 0
}
