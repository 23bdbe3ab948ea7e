package tensor

import (
	"freehold/exec"
	"freehold/ir"
	"freehold/ir/constraint"
	"freehold/ir/interfaces"
	"freehold/ir/rewrite"
	"freehold/ir/shapes"
)

// Empty is a tensor of the given shape with unspecified contents.
var Empty = ir.NewOpID("tensor.empty")

func emptyDef() *ir.OpDef {
	return &ir.OpDef{
		ID:       Empty,
		Operands: []ir.OperandDef{indices("dynamicSizes")},
		Results:  ir.SingleResult("result", constraint.AnyRankedTensor),
		Traits:   ir.TraitPure,
		Format:   "`(`$dynamicSizes`)` attr-dict `:` type($result)",
		Earlier: []ir.Spelling{{Until: 15, Name: "linalg.init_tensor",
			Format: "custom<DynamicIndexList>($dynamicSizes, $static_sizes) attr-dict `:` type($result)",
			Attrs:  []ir.AttrDef{i64Sizes(interfaces.StaticSizes)}}},
		Verify: func(op *ir.Op) error {
			return verifyDynamicSizes(op, len(EmptyOp{op}.DynamicSizes()))
		},
		VerifyAlone: true,
		Models: []ir.Model{
			interfaces.Bufferizable.Model(emptyBufferize{}),
			interfaces.ReifyShapes.Model(func(_ *ir.Builder, op *ir.Op) [][]shapes.OpFoldResult {
				return [][]shapes.OpFoldResult{EmptyOp{op}.MixedSizes()}
			}),
			rewrite.Patterns(emptyPatterns()...),
			exec.Executable.Model(executeEmpty),
		},
	}
}

// EmptyOp is a tensor.empty.
type EmptyOp struct{ *ir.Op }

// Type returns the type of the result.
func (o EmptyOp) Type() *ir.RankedTensorType { return ranked(o.Result(0).Type()) }

// DynamicSizes returns the sizes of the dynamic dimensions.
func (o EmptyOp) DynamicSizes() ir.Operands { return o.Operands() }

// MixedSizes returns the sizes of all dimensions.
func (o EmptyOp) MixedSizes() []shapes.OpFoldResult {
	return shapes.Mixed(o.Type().Shape, o.DynamicSizes().Values())
}

func verifyDynamicSizes(op *ir.Op, n int) error {
	want := ir.NumDynamic(ranked(op.Result(0).Type()).Shape)
	if n != want {
		return op.Errorf("incorrect number of dynamic sizes, has %d, expected %d", n, want)
	}
	return nil
}

// NewEmpty creates an empty tensor of the given sizes; encoding may be nil.
func NewEmpty(b *ir.Builder, sizes []shapes.OpFoldResult, elem ir.Type, encoding ir.Attribute) *ir.Value {
	static, dynamic := shapes.SplitMixed(sizes)
	return NewEmptyOf(b, b.Context().RankedTensorOf(static, elem, encoding), dynamic)
}

// NewEmptyOf creates an empty tensor of type t with the given dynamic sizes.
func NewEmptyOf(b *ir.Builder, t ir.Type, dynamicSizes []*ir.Value) *ir.Value {
	return b.CreateOp(Empty, []ir.Type{t}, dynamicSizes).Result(0)
}

// FromElements is a tensor of the given elements, in row-major order.
var FromElements = ir.NewOpID("tensor.from_elements")

func fromElementsDef() *ir.OpDef {
	return &ir.OpDef{
		ID:       FromElements,
		Operands: []ir.OperandDef{{Name: "elements", Type: constraint.AnyType, Arity: ir.Variadic}},
		Results:  ir.SingleResult("result", staticTensor),
		Traits:   ir.TraitPure,
		TypeRules: []ir.TypeRule{{From: "result", To: "elements", Summary: "operand types match result element type",
			Repeat: func(t ir.Type) (ir.Type, int64) {
				return ranked(t).Elem, ir.ElementCount(ranked(t).Shape)
			}}},
		Format: "$elements attr-dict `:` type($result)",
		Models: []ir.Model{
			interfaces.Bufferizable.Model(fromElementsBufferize{}),
			named("from_elements"),
			rewrite.Patterns(fromElementsPatterns()...),
			exec.Executable.Model(executeFromElements),
			exec.StoredOperands.Model(exec.EachOperand),
		},
		Fold: foldFromElements,
	}
}

// NewFromElements creates a tensor of type t from its elements.
func NewFromElements(b *ir.Builder, t ir.Type, elements ...*ir.Value) *ir.Value {
	return b.CreateOp(FromElements, []ir.Type{t}, elements).Result(0)
}

// Splat is a tensor whose elements are all the same.
var Splat = ir.NewOpID("tensor.splat")

func splatDef() *ir.OpDef {
	return &ir.OpDef{
		ID:        Splat,
		Operands:  []ir.OperandDef{ir.Operand("input", splatElement), indices("dynamicSizes")},
		Results:   ir.SingleResult("aggregate", constraint.AnyRankedTensor),
		Traits:    ir.TraitPure,
		TypeRules: []ir.TypeRule{elementOf("aggregate", "input", "operand type matches element type of result")},
		Format:    "$input (`[` $dynamicSizes^ `]`)? attr-dict `:` type($aggregate)",
		Verify:    func(op *ir.Op) error { return verifyDynamicSizes(op, len(SplatOp{op}.DynamicSizes())) },
		Models: []ir.Model{
			interfaces.Bufferizable.Model(splatBufferize{}),
			named("splat"),
			interfaces.ReifyShapes.Model(func(_ *ir.Builder, op *ir.Op) [][]shapes.OpFoldResult {
				o := SplatOp{op}
				return [][]shapes.OpFoldResult{shapes.Mixed(ranked(op.Result(0).Type()).Shape, o.DynamicSizes().Values())}
			}),
			exec.Executable.Model(executeSplat),
			exec.StoredOperands.Model(exec.FirstOperand),
		},
		Fold: foldSplat,
	}
}

// SplatOp is a tensor.splat.
type SplatOp struct{ *ir.Op }

// Input returns the element.
func (o SplatOp) Input() *ir.Value { return o.Operand(0) }

// DynamicSizes returns the sizes of the dynamic dimensions.
func (o SplatOp) DynamicSizes() ir.Operands { return o.OperandGroup(1) }

// Generate is a tensor whose elements its body computes from their indices.
var Generate = ir.NewOpID("tensor.generate")

func generateDef() *ir.OpDef {
	return &ir.OpDef{
		ID:                 Generate,
		Operands:           []ir.OperandDef{indices("dynamicExtents")},
		Results:            ir.SingleResult("result", constraint.AnyRankedTensor),
		Regions:            []ir.RegionDef{{Name: "body", Sized: 1}},
		Traits:             ir.TraitRecursiveMemoryEffects | ir.TraitSingleBlock,
		ImplicitTerminator: Yield,
		Format:             "$dynamicExtents $body attr-dict `:` type($result)",
		Verify: func(op *ir.Op) error {
			if op.NumOperands() != ir.NumDynamic(GenerateOp{op}.Type().Shape) {
				if op.Context().LLVM() >= 22 {
					return op.Errorf("incorrect number of dynamic sizes, has %d, expected %d", op.NumOperands(), ir.NumDynamic(GenerateOp{op}.Type().Shape))
				}
				return op.PlainErrorf("must have as many index operands as dynamic extents in the result type")
			}
			return nil
		},
		VerifyRegions: verifyGenerateRegions,
		Models: []ir.Model{
			interfaces.Bufferizable.Model(generateBufferize{}),
			named("generated"),
			interfaces.ReifyShapes.Model(func(_ *ir.Builder, op *ir.Op) [][]shapes.OpFoldResult {
				return [][]shapes.OpFoldResult{shapes.Mixed(GenerateOp{op}.Type().Shape, op.Operands().Values())}
			}),
			rewrite.Patterns(generatePatterns()...),
			exec.Executable.Model(executeGenerate),
		},
	}
}

// GenerateOp is a tensor.generate.
type GenerateOp struct{ *ir.Op }

// Type returns the type of the result.
func (o GenerateOp) Type() *ir.RankedTensorType { return ranked(o.Result(0).Type()) }

// DynamicExtents returns the sizes of the dynamic dimensions.
func (o GenerateOp) DynamicExtents() ir.Operands { return o.Operands() }

// Body returns the block that computes an element.
func (o GenerateOp) Body() *ir.Block { return o.BodyBlock(0) }

// NewGenerate creates a tensor of type t with the given dynamic sizes. body is given the
// indices of an element and returns the element.
func NewGenerate(b *ir.Builder, t *ir.RankedTensorType, sizes []*ir.Value, body func(b *ir.Builder, indices []*ir.Value) *ir.Value) *ir.Value {
	s := b.State(Generate)
	s.Operands, s.Types = sizes, []ir.Type{t}
	blk := s.AddRegion().AddBlock()
	for range t.Shape {
		blk.AddArg(ir.Index, b.Loc)
	}
	op := b.Create(s)
	ip := b.InsertionPoint()
	b.SetEnd(blk)
	NewYield(b, body(b, blk.Args()))
	b.SetInsertionPoint(ip)
	return op.Result(0)
}

func verifyGenerateRegions(op *ir.Op) error {
	o := GenerateOp{op}
	for _, a := range o.Body().Args() {
		if a.Type() != ir.Type(ir.Index) {
			return op.PlainErrorf("all body arguments must be index")
		}
	}
	if o.Body().NumArgs() != len(o.Type().Shape) {
		return op.PlainErrorf("must have one body argument per input dimension")
	}
	if y := YieldedValue(o.Body()); y == nil || y.Type() != o.Type().Elem {
		return op.Errorf("body must be terminated with a `yield` operation of the tensor element type")
	}
	return nil
}

// Yield ends the bodies of tensor.generate and tensor.pad.
var Yield = ir.NewOpID("tensor.yield")

func yieldDef() *ir.OpDef {
	return &ir.OpDef{
		ID:       Yield,
		Operands: []ir.OperandDef{ir.Operand("value", constraint.AnyType)},
		Traits:   ir.TraitPure | ir.TraitReturnLike | ir.TraitTerminator,
		Parents:  []*ir.OpID{Generate, Pad},
		Format:   "$value attr-dict `:` type($value)",
	}
}

// YieldedValue returns the value that the block's tensor.yield yields, or nil.
func YieldedValue(b *ir.Block) *ir.Value {
	t := b.Last()
	if t == nil || !t.Is(Yield) || t.NumOperands() != 1 {
		return nil
	}
	return t.OnlyOperand()
}

// NewYield ends a body with the given value.
func NewYield(b *ir.Builder, v *ir.Value) *ir.Op { return b.CreateOp(Yield, nil, []*ir.Value{v}) }
