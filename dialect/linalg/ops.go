package linalg

import (
	"freehold/exec"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/constraint"
	"freehold/ir/interfaces"
)

// Yield ends the body of a structured operation.
var Yield = ir.NewOpID("linalg.yield")

func yieldDef() *ir.OpDef {
	return &ir.OpDef{
		ID:       Yield,
		Operands: []ir.OperandDef{{Name: "values", Type: constraint.AnyType, Arity: ir.Variadic}},
		Traits:   ir.TraitPure | ir.TraitReturnLike | ir.TraitTerminator,
		Verify:   verifyYield,
		Models:   []ir.Model{asm.Assembly.Model(asm.OpAssembly{Parse: parseYield, Print: printYield})},
	}
}

// NewYield ends a body.
func NewYield(b *ir.Builder, values ...*ir.Value) *ir.Op { return b.CreateOp(Yield, nil, values) }

func parseYield(p *asm.Parser, s *ir.OpState) error {
	pos := p.Pos()
	us, err := p.Operands(asm.NoDelimiter)
	if err != nil {
		return err
	}
	if err := p.OptionalAttrDict(s); err != nil {
		return err
	}
	if len(us) == 0 {
		return nil
	}
	types, err := p.ColonTypes()
	if err != nil {
		return err
	}
	s.Operands, err = p.ResolveAll(us, types, pos)
	return err
}

func printYield(p *asm.Printer, op *ir.Op) {
	if op.NumOperands() > 0 {
		p.Text(" ")
		p.Operands(op.Operands().Values())
	}
	p.OptionalAttrDict(p.AllAttrs(op))
	if op.NumOperands() > 0 {
		p.Text(" : ")
		p.Types(op.Operands().Types())
	}
}

// Index is the position in a dimension of the iteration space.
var Index = ir.NewOpID("linalg.index")

func indexDef() *ir.OpDef {
	return &ir.OpDef{
		ID: Index,
		Attrs: []ir.AttrDef{{Name: "dim", Type: constraint.Integer("64-bit signless integer attribute whose minimum value is 0",
			ir.I64, func(v int64) bool { return v >= 0 })}},
		Results:    []ir.ResultDef{{Name: "result", Type: constraint.Index}},
		Traits:     ir.TraitPure,
		Format:     "$dim attr-dict `:` type($result)",
		InferTypes: func(*ir.OpState) ([]ir.Type, error) { return []ir.Type{ir.Index}, nil },
		Verify:     verifyIndex,
		Revisions:  []ir.Revision{{Since: 22, Fold: foldIndex}},
		Models: []ir.Model{
			interfaces.IterationIndex.Model(iterationIndex),
			exec.Executable.Model(executeIndex),
		},
	}
}

// NewIndex returns the position of the current point in a dimension of the iteration
// space. It belongs into the body of a structured operation.
func NewIndex(b *ir.Builder, dim int) *ir.Value {
	return b.CreateOp(Index, []ir.Type{ir.Index}, nil, ir.NamedAttr{Name: "dim", Value: b.Context().I64Attr(int64(dim))}).Result(0)
}

// IndexOp is a linalg.index.
type IndexOp struct{ *ir.Op }

// Dim returns the dimension.
func (o IndexOp) Dim() int64 { return o.Attr("dim").(*ir.IntegerAttr).Value }

// SetDim replaces the dimension.
func (o IndexOp) SetDim(d int64) { o.SetAttr("dim", o.Context().I64Attr(d)) }

// Softmax computes the softmax function along a dimension.
var Softmax = ir.NewOpID("linalg.softmax")

func softmaxDef() *ir.OpDef {
	return &ir.OpDef{
		ID: Softmax,
		Operands: []ir.OperandDef{{Name: "input", Type: constraint.AnyShaped},
			{Name: "output", Type: constraint.AnyShaped}},
		Results: []ir.ResultDef{{Name: "result", Type: constraint.AnyRankedTensor, Arity: ir.Variadic}},
		Attrs:   []ir.AttrDef{{Name: "dimension", Type: constraint.I64Attr}},
		TypeRules: []ir.TypeRule{{Summary: "input and output have same element type", Check: func(op *ir.Op) bool {
			return ir.ElementType(SoftmaxOp{op}.Input().Type()) == ir.ElementType(SoftmaxOp{op}.Output().Type())
		}}},
		Format: "attr-dict `dimension` `(` $dimension `)` `ins` `(` $input `:` type($input) `)`" +
			" `outs` `(` $output `:` type($output) `)` (`->` type($result)^)?",
		Verify: verifySoftmax,
		Models: []ir.Model{
			interfaces.Addresses(interfaces.ByPosition),
			interfaces.Bufferizable.Model(softmaxBufferize{}),
			interfaces.DestinationStyle.Model(lastOperand),
			interfaces.MemoryEffects.Model(softmaxEffects),
			interfaces.ReifyShapes.Model(reifyInits),
			exec.Executable.Model(executeSoftmax),
		},
		VerifyRegions: interfaces.VerifyDestinationStyle,
		Fold:          foldMemRefCasts,
	}
}

// SoftmaxOp is a linalg.softmax.
type SoftmaxOp struct{ *ir.Op }

// Input returns the operand that is read.
func (o SoftmaxOp) Input() *ir.Value { return o.Operand(0) }

// Output returns the destination.
func (o SoftmaxOp) Output() *ir.Value { return o.Operand(1) }

// Dimension returns the dimension along which the elements add up to one.
func (o SoftmaxOp) Dimension() int64 { return o.Attr("dimension").(*ir.IntegerAttr).Value }

// softmaxEffects are a read of the input, and a read and a write of the output.
func softmaxEffects(op *ir.Op) []interfaces.Effect {
	var out []interfaces.Effect
	for i := range op.NumOperands() {
		if !ir.IsMemRef(op.Operand(i).Type()) {
			continue
		}
		out = append(out, interfaces.OnOperand(interfaces.Read, i))
		if i == 1 {
			out = append(out, interfaces.OnOperand(interfaces.Write, i))
		}
	}
	return out
}

func verifySoftmax(op *ir.Op) error {
	o := SoftmaxOp{op}
	in, _ := ir.ShapeOf(o.Input().Type())
	out, _ := ir.ShapeOf(o.Output().Type())
	if !compatible(in, out) {
		return op.Errorf("incompatible output shape")
	}
	if d := o.Dimension(); d < 0 || d >= int64(len(in)) {
		return op.Errorf("incorrect dimension specified")
	}
	return nil
}

// compatible tells whether two shapes have no two different static sizes.
func compatible(a, b []int64) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] && a[i] != ir.Dynamic && b[i] != ir.Dynamic {
			return false
		}
	}
	return true
}
