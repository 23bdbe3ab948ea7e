package shape

import (
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/constraint"
)

// own accepts the dialect's type of that mnemonic. The types have no summary, so
// that messages about them have a gap.
func own(mnemonic string) ir.TypeConstraint {
	return ir.TypeConstraint{
		Match:     func(t ir.Type) bool { return isType(t, mnemonic) },
		Buildable: func(c *ir.Context) ir.Type { return c.DialectTypeOf(Dialect, mnemonic) }}
}

func either(summary string, cs ...ir.TypeConstraint) ir.TypeConstraint {
	return ir.TypeConstraint{Summary: summary, Match: func(t ir.Type) bool {
		for _, c := range cs {
			if c.Match(t) {
				return true
			}
		}
		return false
	}}
}

var (
	shapeType    = own("shape")
	sizeType     = own("size")
	valueShape   = own("value_shape")
	witnessType  = own("witness")
	extentTensor = ir.TypeConstraint{Summary: "1D tensor of index values", Match: isExtentTensor}
	indexTensor  = constraint.TensorOf(constraint.Index)
	shapeOrSize  = either("shape or size", sizeType, shapeType)
	anyShape     = either("shape or extent tensor", shapeType, extentTensor)
	sizeOrIndex  = either("size or index", sizeType, constraint.Index)
	anyOfThem    = either("any shape or size", sizeOrIndex, anyShape)
	shapedOrOwn  = constraint.Or(constraint.AnyShaped, valueShape)
	extentsOrOwn = constraint.Or(constraint.RankOf("1D", "tensor", 1, constraint.Or(constraint.AnyInteger, constraint.Index)), valueShape)
)

var errorAttr = ir.AttrDef{Name: "error", Type: constraint.StrAttr, Optional: true}

func operand(name string, t ir.TypeConstraint) ir.OperandDef {
	return ir.OperandDef{Name: name, Type: t}
}

func variadic(name string, t ir.TypeConstraint) []ir.OperandDef {
	return []ir.OperandDef{{Name: name, Type: t, Arity: ir.Variadic}}
}

func result(name string, t ir.TypeConstraint) []ir.ResultDef {
	return []ir.ResultDef{{Name: name, Type: t}}
}

// pairwise is an operation on two values, whose types are all spelled.
func pairwise(name string, traits ir.Traits, t, res ir.TypeConstraint) *ir.OpDef {
	return &ir.OpDef{Name: name, Traits: traits,
		Operands: []ir.OperandDef{operand("lhs", t), operand("rhs", t)},
		Results:  result("result", res),
		Format:   "$lhs `,` $rhs attr-dict `:` type($lhs) `,` type($rhs) `->` type($result)"}
}

// conditions takes shapes and returns a truth or a witness.
func conditions(name string, traits ir.Traits, res ir.TypeConstraint) *ir.OpDef {
	return &ir.OpDef{Name: name, Traits: traits, Operands: variadic("shapes", anyShape), Results: result("result", res),
		Format: "$shapes attr-dict `:` type($shapes)"}
}

// Operations on sizes and shapes.
var (
	Add = pairwise("shape.add", ir.TraitCommutative|ir.TraitPure, sizeOrIndex, sizeOrIndex)
	Div = pairwise("shape.div", ir.TraitPure, sizeOrIndex, sizeOrIndex)
	Mul = pairwise("shape.mul", ir.TraitCommutative|ir.TraitPure, sizeOrIndex, sizeOrIndex)
	Max = pairwise("shape.max", ir.TraitCommutative|ir.TraitPure, shapeOrSize, shapeOrSize)
	Min = pairwise("shape.min", ir.TraitCommutative|ir.TraitPure, shapeOrSize, shapeOrSize)
	// Concat appends the extents of one shape to another.
	Concat = pairwise("shape.concat", ir.TraitPure, anyShape, anyShape)
	// Meet is the least general shape or size that both are.
	Meet = &ir.OpDef{Name: "shape.meet", Traits: ir.TraitCommutative,
		Operands: []ir.OperandDef{operand("arg0", anyOfThem), operand("arg1", anyOfThem)},
		Results:  result("result", anyOfThem), Attrs: []ir.AttrDef{errorAttr},
		Format: "$arg0 `,` $arg1 (`,` `error` `=` $error^)? attr-dict `:` type($arg0) `,` type($arg1) `->` type($result)"}
	// Broadcast is the shape that the shapes broadcast to.
	Broadcast = &ir.OpDef{Name: "shape.broadcast", Traits: ir.TraitCommutative | ir.TraitPure,
		Operands: variadic("shapes", anyShape), Results: result("result", anyShape), Attrs: []ir.AttrDef{errorAttr},
		Format: "$shapes attr-dict `:` type($shapes) `->` type($result)"}
	// Any is one of the shapes, no matter which.
	Any = &ir.OpDef{Name: "shape.any", Traits: ir.TraitCommutative | ir.TraitPure,
		Operands: variadic("inputs", anyShape), Results: result("result", anyShape),
		Format: "$inputs attr-dict `:` type($inputs) `->` type($result)"}
	// SplitAt divides a shape in two.
	SplitAt = &ir.OpDef{Name: "shape.split_at", Traits: ir.TraitPure,
		Operands: []ir.OperandDef{operand("operand", anyShape), operand("index", sizeOrIndex)},
		Results:  []ir.ResultDef{{Name: "head", Type: anyShape}, {Name: "tail", Type: anyShape}}}
	// Rank is the number of extents.
	Rank = &ir.OpDef{Name: "shape.rank", Traits: ir.TraitPure,
		Operands: []ir.OperandDef{operand("shape", anyShape)}, Results: result("rank", sizeOrIndex),
		Format: "$shape attr-dict `:` type($shape) `->` type($rank)"}
	// NumElements is the product of the extents.
	NumElements = &ir.OpDef{Name: "shape.num_elements", Traits: ir.TraitPure,
		Operands: []ir.OperandDef{operand("shape", anyShape)}, Results: result("result", sizeOrIndex),
		Format: "$shape attr-dict `:` type($shape) `->` type($result)"}
	// GetExtent is one extent of a shape.
	GetExtent = &ir.OpDef{Name: "shape.get_extent", Traits: ir.TraitPure,
		Operands: []ir.OperandDef{operand("shape", anyShape), operand("dim", sizeOrIndex)}, Results: result("extent", sizeOrIndex),
		Format: "$shape `,` $dim attr-dict `:` type($shape) `,` type($dim) `->` type($extent)"}
	// Dim is one extent of a shaped value.
	Dim = &ir.OpDef{Name: "shape.dim", Traits: ir.TraitPure,
		Operands: []ir.OperandDef{operand("value", constraint.AnyShaped), operand("index", sizeOrIndex)},
		Results:  result("extent", sizeOrIndex),
		Format:   "$value `,` $index attr-dict `:` type($value) `,` type($index) `->` type($extent)"}
	// ShapeOf is the shape of a shaped value.
	ShapeOf = &ir.OpDef{Name: "shape.shape_of", Traits: ir.TraitPure,
		Operands: []ir.OperandDef{operand("arg", shapedOrOwn)}, Results: result("result", anyShape),
		Format: "$arg attr-dict `:` type($arg) `->` type($result)"}
	// ValueOf is the value of a value with a shape.
	ValueOf = &ir.OpDef{Name: "shape.value_of", Traits: ir.TraitPure,
		Operands: []ir.OperandDef{operand("arg", valueShape)}, Results: result("result", constraint.AnyShaped),
		Format: "$arg attr-dict `:` type($result)"}
	// ValueAsShape reads a tensor of extents as a shape.
	ValueAsShape = &ir.OpDef{Name: "shape.value_as_shape", Traits: ir.TraitPure,
		Operands: []ir.OperandDef{operand("arg", extentsOrOwn)}, Results: result("result", anyShape),
		Format: "$arg attr-dict `:` type($arg) `->` type($result)"}
	// WithShape gives a value a shape.
	WithShape = &ir.OpDef{Name: "shape.with_shape", Traits: ir.TraitPure,
		Operands: []ir.OperandDef{operand("operand", shapedOrOwn), operand("shape", anyShape)}, Results: result("result", valueShape),
		Format: "operands attr-dict `:` type($operand) `,` type($shape)"}
	// DebugPrint prints a shape or size and passes it on.
	DebugPrint = &ir.OpDef{Name: "shape.debug_print",
		Operands: []ir.OperandDef{operand("input", shapeOrSize)}, Results: result("output", shapeOrSize)}
)

// Conversions and constants.
var (
	// FromExtents is the shape of the given extents.
	FromExtents = &ir.OpDef{Name: "shape.from_extents", Traits: ir.TraitPure,
		Operands: variadic("extents", sizeOrIndex), Results: result("shape", shapeType),
		Format: "$extents attr-dict `:` type($extents)"}
	// FromExtentTensor is the shape whose extents a tensor holds.
	FromExtentTensor = &ir.OpDef{Name: "shape.from_extent_tensor", Traits: ir.TraitPure,
		Operands: []ir.OperandDef{operand("input", extentTensor)}, Results: result("result", shapeType),
		Format: "$input attr-dict `:` type($input)"}
	// ToExtentTensor is the tensor of a shape's extents.
	ToExtentTensor = &ir.OpDef{Name: "shape.to_extent_tensor", Traits: ir.TraitPure,
		Operands: []ir.OperandDef{operand("input", anyShape)}, Results: result("result", indexTensor),
		Format: "$input attr-dict `:` type($input) `->` type($result)"}
	// IndexToSize converts a number to a size.
	IndexToSize = &ir.OpDef{Name: "shape.index_to_size", Traits: ir.TraitPure,
		Operands: []ir.OperandDef{operand("arg", constraint.Index)}, Results: result("result", sizeType),
		Format: "$arg attr-dict"}
	// SizeToIndex converts a size to a number.
	SizeToIndex = &ir.OpDef{Name: "shape.size_to_index", Traits: ir.TraitPure,
		Operands: []ir.OperandDef{operand("arg", sizeOrIndex)}, Results: result("result", constraint.Index),
		Format: "$arg attr-dict `:` type($arg)"}
	// ConstShape is a shape of constant extents.
	ConstShape = &ir.OpDef{Name: "shape.const_shape", Traits: ir.TraitPure | ir.TraitConstantLike,
		Results: result("result", anyShape),
		Attrs: []ir.AttrDef{{Name: "shape", Type: constraint.Elements("index elements attribute", func(t ir.Type) bool {
			return ir.ElementType(t) == ir.Type(ir.Index)
		})}},
		Models: []ir.Model{asm.Assembly.Model(asm.OpAssembly{Parse: parseConstShape, Print: printConstShape})}}
	// ConstSize is a constant size.
	ConstSize = &ir.OpDef{Name: "shape.const_size", Traits: ir.TraitPure | ir.TraitConstantLike,
		Results: result("result", sizeType), Attrs: []ir.AttrDef{{Name: "value", Type: constraint.IndexAttr}},
		Format: "$value attr-dict",
		Models: []ir.Model{asm.ResultNames.Model(func(op *ir.Op, name func(*ir.Value, string)) {
			if a, ok := op.Attr("value").(*ir.IntegerAttr); ok {
				name(op.Result(0), "c"+a.BigInt().String())
			}
		})}}
)

// Conditions.
var (
	ShapeEq         = conditions("shape.shape_eq", ir.TraitPure|ir.TraitCommutative, constraint.I1)
	IsBroadcastable = conditions("shape.is_broadcastable", ir.TraitCommutative, constraint.I1)
	// CstrBroadcastable and its relatives are witnesses of a condition.
	CstrBroadcastable = conditions("shape.cstr_broadcastable", ir.TraitCommutative, witnessType)
	CstrEq            = conditions("shape.cstr_eq", ir.TraitCommutative, witnessType)
	CstrRequire       = &ir.OpDef{Name: "shape.cstr_require",
		Operands: []ir.OperandDef{operand("pred", constraint.I1)}, Results: result("result", witnessType),
		Attrs: []ir.AttrDef{{Name: "msg", Type: constraint.StrAttr}}, Format: "$pred `,` $msg attr-dict"}
	// ConstWitness is a witness of a condition that is known.
	ConstWitness = &ir.OpDef{Name: "shape.const_witness", Traits: ir.TraitPure | ir.TraitConstantLike,
		Results: result("result", witnessType), Attrs: []ir.AttrDef{{Name: "passing", Type: constraint.BoolAttr}},
		Format: "$passing attr-dict"}
	// AssumingAll is a witness of all the conditions.
	AssumingAll = &ir.OpDef{Name: "shape.assuming_all", Traits: ir.TraitPure | ir.TraitCommutative,
		Operands: variadic("inputs", witnessType), Results: result("result", witnessType), Format: "$inputs attr-dict"}
)
