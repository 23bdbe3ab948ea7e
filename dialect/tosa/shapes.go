package tosa

import (
	"freehold/ir"
	"freehold/ir/constraint"
)

// Operations of LLVM 22 on shapes, which are only looked at where the program is printed: nothing lowers them.
var (
	AddShape       = ir.NewOpID("tosa.add_shape")
	ConcatShape    = ir.NewOpID("tosa.concat_shape")
	Dim            = ir.NewOpID("tosa.dim")
	DivCeilShape   = ir.NewOpID("tosa.div_ceil_shape")
	DivFloorShape  = ir.NewOpID("tosa.div_floor_shape")
	Exp2Shape      = ir.NewOpID("tosa.exp2_shape")
	Log2CeilShape  = ir.NewOpID("tosa.log2_ceil_shape")
	Log2FloorShape = ir.NewOpID("tosa.log2_floor_shape")
	MaxShape       = ir.NewOpID("tosa.max_shape")
	MinShape       = ir.NewOpID("tosa.min_shape")
	ModShape       = ir.NewOpID("tosa.mod_shape")
	MulShape       = ir.NewOpID("tosa.mul_shape")
	SliceShape     = ir.NewOpID("tosa.slice_shape")
	SubShape       = ir.NewOpID("tosa.sub_shape")
)

// isShape tells whether a type is that of shapes.
func isShape(t ir.Type) bool { return ir.IsDialectType(t, dialectName, shapeType) }

var anyShape = ir.TypeConstraint{Summary: "shape with static rank", Match: isShape}

// rankOfShape returns how many sizes a shape has.
func rankOfShape(t ir.Type) int64 { return t.(*ir.DialectType).Params[0].(*ir.IntegerAttr).Value }

// sameRank tells whether the operands and the result of an operation are shapes of one rank that can be resolved.
func sameRank(op *ir.Op) error {
	rank := rankOfShape(op.Operand(0).Type())
	for _, v := range op.Operands().Values() {
		if rankOfShape(v.Type()) != rank {
			return op.Errorf("operands don't have matching ranks")
		}
	}
	if rankOfShape(op.Result(0).Type()) != rank {
		return op.Errorf("result shape has different rank than operands")
	}
	return resolvable(op)
}

const errUnresolvable = "shape operand is not compile time resolvable"

// resolvable tells whether operations of this dialect make the shapes among the operands, as LLVM 22 wants it.
func resolvable(op *ir.Op) error {
	for _, v := range op.Operands().Values() {
		if isShape(v.Type()) && !madeHere(v) {
			return op.Errorf(errUnresolvable)
		}
	}
	return nil
}

// madeHere tells whether a value is a result of an operation of this dialect.
func madeHere(v *ir.Value) bool {
	op := v.DefiningOp()
	return op != nil && op.Dialect() != nil && op.Dialect().Name == dialectName
}

func verifyConcatShape(op *ir.Op) error {
	if err := resolvable(op); err != nil {
		return err
	}
	sum := int64(0)
	for _, v := range op.Operands().Values() {
		sum += rankOfShape(v.Type())
	}
	if rank := rankOfShape(op.Result(0).Type()); rank != sum {
		return op.Errorf("requires output shape rank to be equal to the sum of the input shape ranks (%d), got %d", sum, rank)
	}
	return nil
}

func shapeOp(id *ir.OpID, operands ...string) *ir.OpDef {
	def := &ir.OpDef{ID: id, Since: 22, Results: ir.SingleResult("output", anyShape), Traits: ir.TraitPure, Format: functional}
	for _, name := range operands {
		def.Operands = append(def.Operands, ir.Operand(name, anyShape))
	}
	return def
}

func shapeDefs() []*ir.OpDef {
	var defs []*ir.OpDef
	for _, id := range []*ir.OpID{AddShape, DivCeilShape, DivFloorShape, MaxShape, MinShape, ModShape, MulShape, SubShape} {
		defs = append(defs, shapeOp(id, "input1", "input2").With(ir.OpDef{Verify: sameRank}))
	}
	for _, id := range []*ir.OpID{Exp2Shape, Log2CeilShape, Log2FloorShape} {
		defs = append(defs, shapeOp(id, "input").With(ir.OpDef{Verify: sameRank}))
	}
	return append(defs,
		shapeOp(ConcatShape).With(ir.OpDef{Operands: []ir.OperandDef{ir.VariadicOperand("input", anyShape)}, Verify: verifyConcatShape}),
		shapeOp(SliceShape).With(ir.OpDef{Operands: []ir.OperandDef{ir.Operand("input", anyShape), ir.Operand("start", i32Tensor), ir.Operand("size", i32Tensor)}, Verify: resolvable}),
		shapeOp(Dim).With(ir.OpDef{Operands: []ir.OperandDef{ir.Operand("input1", constraint.AnyTensor)}, Attrs: []ir.AttrDef{axisAttr}}))
}
