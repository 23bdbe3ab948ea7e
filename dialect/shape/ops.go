package shape

import (
	"math/big"

	"freehold/dialect/tensor"
	"freehold/exec"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/constraint"
	"freehold/ir/interfaces"
	"freehold/ir/rewrite"
)

// own accepts the dialect's type of that mnemonic. The types have no summary, so
// that messages about them have a gap.
func own(mnemonic string) ir.TypeConstraint {
	return ir.TypeConstraint{
		Match:     func(t ir.Type) bool { return isType(t, mnemonic) },
		Buildable: func(c *ir.Context) ir.Type { return c.DialectTypeOf(c.Dialect(dialectName), mnemonic) }}
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

func variadic(name string, t ir.TypeConstraint) []ir.OperandDef {
	return []ir.OperandDef{{Name: name, Type: t, Arity: ir.Variadic}}
}

// pairwise is an operation on two values, whose types are all spelled.
func pairwise(id *ir.OpID, traits ir.Traits, t, res ir.TypeConstraint) *ir.OpDef {
	return &ir.OpDef{ID: id, Traits: traits,
		Operands: []ir.OperandDef{ir.Operand("lhs", t), ir.Operand("rhs", t)},
		Results:  ir.SingleResult("result", res),
		Format:   "$lhs `,` $rhs attr-dict `:` type($lhs) `,` type($rhs) `->` type($result)"}
}

// conditions takes shapes and returns a truth or a witness.
func conditions(id *ir.OpID, traits ir.Traits, res ir.TypeConstraint) *ir.OpDef {
	return &ir.OpDef{ID: id, Traits: traits, Operands: variadic("shapes", anyShape), Results: ir.SingleResult("result", res),
		Format: "$shapes attr-dict `:` type($shapes)"}
}

// Operations on sizes and shapes.
var (
	Add = ir.NewOpID("shape.add")
	Div = ir.NewOpID("shape.div")
	Mul = ir.NewOpID("shape.mul")
	Max = ir.NewOpID("shape.max")
	Min = ir.NewOpID("shape.min")
	// Concat appends the extents of one shape to another.
	Concat = ir.NewOpID("shape.concat")
	// Meet is the least general shape or size that both are.
	Meet = ir.NewOpID("shape.meet")
	// Broadcast is the shape that the shapes broadcast to.
	Broadcast = ir.NewOpID("shape.broadcast")
	// Any is one of the shapes, no matter which.
	Any = ir.NewOpID("shape.any")
	// SplitAt divides a shape in two.
	SplitAt = ir.NewOpID("shape.split_at")
	// Rank is the number of extents.
	Rank = ir.NewOpID("shape.rank")
	// NumElements is the product of the extents.
	NumElements = ir.NewOpID("shape.num_elements")
	// GetExtent is one extent of a shape.
	GetExtent = ir.NewOpID("shape.get_extent")
	// Dim is one extent of a shaped value.
	Dim = ir.NewOpID("shape.dim")
	// ShapeOf is the shape of a shaped value.
	ShapeOf = ir.NewOpID("shape.shape_of")
	// ValueOf is the value of a value with a shape.
	ValueOf = ir.NewOpID("shape.value_of")
	// ValueAsShape reads a tensor of extents as a shape.
	ValueAsShape = ir.NewOpID("shape.value_as_shape")
	// WithShape gives a value a shape.
	WithShape = ir.NewOpID("shape.with_shape")
	// DebugPrint prints a shape or size and passes it on.
	DebugPrint = ir.NewOpID("shape.debug_print")
)

func addDef() *ir.OpDef {
	return pairwise(Add, ir.TraitCommutative|ir.TraitPure, sizeOrIndex, sizeOrIndex).With(ir.OpDef{
		Fold:   foldAdd,
		Verify: verifyPropagates("size"),
		Models: []ir.Model{
			exec.Executable.Model(sizes(exec.Add(64))),
		},
		InferTypes:      inferSize(isSize),
		CompatibleTypes: pairs(isSizeOrIndex),
	})
}

func divDef() *ir.OpDef {
	return pairwise(Div, ir.TraitPure, sizeOrIndex, sizeOrIndex).With(ir.OpDef{
		Fold:   foldNumbers(floorDiv),
		Verify: verifyPropagates("size"),
		Models: []ir.Model{
			exec.Executable.Model(sizes(exec.FloorDivS(64))),
		},
		InferTypes:      inferSize(isSize),
		CompatibleTypes: pairs(isSizeOrIndex),
	})
}

func mulDef() *ir.OpDef {
	return pairwise(Mul, ir.TraitCommutative|ir.TraitPure, sizeOrIndex, sizeOrIndex).With(ir.OpDef{
		Fold:   foldNumbers(func(z, a, b *big.Int) bool { z.Mul(a, b); return true }),
		Verify: verifyPropagates("size"),
		Models: []ir.Model{
			exec.Executable.Model(sizes(exec.Mul(64))),
		},
		InferTypes:      inferSize(isSize),
		CompatibleTypes: pairs(isSizeOrIndex),
	})
}

func maxDef() *ir.OpDef {
	return pairwise(Max, ir.TraitCommutative|ir.TraitPure, shapeOrSize, shapeOrSize).With(ir.OpDef{
		Fold:       foldSameOperands,
		InferTypes: inferExtremum,
		CompatibleTypes: pairs(func(inferred, actual ir.Type) bool {
			return isShape(inferred) && isShape(actual) || isSize(inferred) && isSize(actual)
		}),
		Models: []ir.Model{
			exec.Executable.Model(shapesOrSizes(exec.MaxS(64))),
		},
	})
}

func minDef() *ir.OpDef {
	return pairwise(Min, ir.TraitCommutative|ir.TraitPure, shapeOrSize, shapeOrSize).With(ir.OpDef{
		Fold:       foldSameOperands,
		InferTypes: inferExtremum,
		CompatibleTypes: pairs(func(inferred, actual ir.Type) bool {
			return isShape(inferred) && isShape(actual) || isSize(inferred) && isSize(actual)
		}),
		Models: []ir.Model{
			exec.Executable.Model(shapesOrSizes(exec.MinS(64))),
		},
	})
}

func concatDef() *ir.OpDef {
	return pairwise(Concat, ir.TraitPure, anyShape, anyShape).With(ir.OpDef{
		Fold: foldConcat,
		Models: []ir.Model{
			exec.Executable.Model(executeConcat),
		},
	})
}

func meetDef() *ir.OpDef {
	return &ir.OpDef{ID: Meet, Traits: ir.TraitCommutative,
		Operands: []ir.OperandDef{ir.Operand("arg0", anyOfThem), ir.Operand("arg1", anyOfThem)},
		Results:  ir.SingleResult("result", anyOfThem), Attrs: []ir.AttrDef{errorAttr},
		Format:          "$arg0 `,` $arg1 (`,` `error` `=` $error^)? attr-dict `:` type($arg0) `,` type($arg1) `->` type($result)",
		InferTypes:      inferMeet,
		CompatibleTypes: pairs(meetCompatible),
		Models: []ir.Model{
			interfaces.LocalMemory.Model(interfaces.WhileExecuted),
			exec.Executable.Model(executeMeet),
		},
	}
}

func broadcastDef() *ir.OpDef {
	return &ir.OpDef{ID: Broadcast, Traits: ir.TraitCommutative | ir.TraitPure,
		Operands: variadic("shapes", anyShape), Results: ir.SingleResult("result", anyShape), Attrs: []ir.AttrDef{errorAttr},
		Format: "$shapes attr-dict `:` type($shapes) `->` type($result)",
		Fold:   foldBroadcast,
		Verify: verifyPropagates("shape"),
		Models: []ir.Model{
			rewrite.Patterns(
				rewrite.Pattern{Name: "BroadcastConcretizeResultTypePattern", Rewrite: concretizeBroadcast},
				rewrite.Pattern{Name: "BroadcastFoldConstantOperandsPattern", Rewrite: foldConstantShapes},
				rewrite.Pattern{Name: "BroadcastForwardSingleOperandPattern", Rewrite: forwardSingleShape},
				forwardCasts,
				removeDuplicates,
				removeEmpty,
			),
			exec.Executable.Model(executeBroadcast),
		},
	}
}

func anyDef() *ir.OpDef {
	return &ir.OpDef{ID: Any, Traits: ir.TraitCommutative | ir.TraitPure,
		Operands: variadic("inputs", anyShape), Results: ir.SingleResult("result", anyShape),
		Format: "$inputs attr-dict `:` type($inputs) `->` type($result)",
		Fold:   foldAny,
		Models: []ir.Model{
			exec.Executable.Model(executeAny),
		},
	}
}

func splitAtDef() *ir.OpDef {
	return &ir.OpDef{ID: SplitAt, Traits: ir.TraitPure,
		Operands: []ir.OperandDef{ir.Operand("operand", anyShape), ir.Operand("index", sizeOrIndex)},
		Results:  []ir.ResultDef{{Name: "head", Type: anyShape}, {Name: "tail", Type: anyShape}},
		Fold:     foldSplitAt,
		Models: []ir.Model{
			exec.Executable.Model(executeSplit),
		},
	}
}

func rankDef() *ir.OpDef {
	return &ir.OpDef{ID: Rank, Traits: ir.TraitPure,
		Operands: []ir.OperandDef{ir.Operand("shape", anyShape)}, Results: ir.SingleResult("rank", sizeOrIndex),
		Format: "$shape attr-dict `:` type($shape) `->` type($rank)",
		Fold:   foldRank,
		Verify: verifyPropagates("size"),
		Models: []ir.Model{
			rewrite.Patterns(rewrite.Pattern{Name: "RankShapeOfCanonicalizationPattern", Rewrite: rankOfShapeOf}),
			exec.Executable.Model(values(func(_ *ir.Op, args []any) (any, error) { return uint64(len(extentsOf(args[0]))), nil })),
		},
		InferTypes:      inferSize(isShape),
		CompatibleTypes: pairs(isSizeOrIndex),
	}
}

func numElementsDef() *ir.OpDef {
	return &ir.OpDef{ID: NumElements, Traits: ir.TraitPure,
		Operands: []ir.OperandDef{ir.Operand("shape", anyShape)}, Results: ir.SingleResult("result", sizeOrIndex),
		Format: "$shape attr-dict `:` type($shape) `->` type($result)",
		Fold:   foldNumElements,
		Verify: verifyPropagates("size"),
		Models: []ir.Model{
			exec.Executable.Model(executeNumElements),
		},
		InferTypes:      inferSize(isShape),
		CompatibleTypes: pairs(isSizeOrIndex),
	}
}

func getExtentDef() *ir.OpDef {
	return &ir.OpDef{ID: GetExtent, Traits: ir.TraitPure,
		Operands: []ir.OperandDef{ir.Operand("shape", anyShape), ir.Operand("dim", sizeOrIndex)}, Results: ir.SingleResult("extent", sizeOrIndex),
		Format: "$shape `,` $dim attr-dict `:` type($shape) `,` type($dim) `->` type($extent)",
		Fold:   foldGetExtent,
		Verify: verifyPropagates("size"),
		Models: []ir.Model{
			exec.Executable.Model(values(func(op *ir.Op, args []any) (any, error) { return extent(op, extentsOf(args[0]), args[1]) })),
		},
		InferTypes:      inferSize(noType),
		CompatibleTypes: pairs(isSizeOrIndex),
	}
}

func dimDef() *ir.OpDef {
	return &ir.OpDef{ID: Dim, Traits: ir.TraitPure,
		Operands: []ir.OperandDef{ir.Operand("value", constraint.AnyShaped), ir.Operand("index", sizeOrIndex)},
		Results:  ir.SingleResult("extent", sizeOrIndex),
		Format:   "$value `,` $index attr-dict `:` type($value) `,` type($index) `->` type($extent)",
		Fold:     foldDim,
		Models: []ir.Model{
			interfaces.Addresses(interfaces.ByPosition),
			interfaces.ShapeOnly.Model(struct{}{}),
			exec.Executable.Model(values(func(op *ir.Op, args []any) (any, error) { return extent(op, sizesOf(args[0]), args[1]) })),
		},
		InferTypes:      inferSize(noType),
		CompatibleTypes: pairs(isSizeOrIndex),
	}
}

func shapeOfDef() *ir.OpDef {
	return &ir.OpDef{ID: ShapeOf, Traits: ir.TraitPure,
		Operands: []ir.OperandDef{ir.Operand("arg", shapedOrOwn)}, Results: ir.SingleResult("result", anyShape),
		Format:     "$arg attr-dict `:` type($arg) `->` type($result)",
		InferTypes: inferShapeOf,
		CompatibleTypes: pairs(func(inferred, actual ir.Type) bool {
			return oneIsShape(inferred, actual) || tensor.CastCompatible(inferred, actual)
		}),
		Verify: verifyPropagates("shape"),
		Models: []ir.Model{
			interfaces.Addresses(interfaces.ByPosition),
			interfaces.ShapeOnly.Model(struct{}{}),
			rewrite.Patterns(
				rewrite.Pattern{Name: "ShapeOfOpToConstShapeOp", Rewrite: constantShapeOf},
				rewrite.Pattern{Name: "ShapeOfFromReshape", Rewrite: shapeOfReshape},
			),
			exec.Executable.Model(values(func(_ *ir.Op, args []any) (any, error) { return newShape(sizesOf(args[0])), nil })),
		},
	}
}

func valueOfDef() *ir.OpDef {
	return &ir.OpDef{ID: ValueOf, Traits: ir.TraitPure,
		Operands: []ir.OperandDef{ir.Operand("arg", valueShape)}, Results: ir.SingleResult("result", constraint.AnyShaped),
		Format: "$arg attr-dict `:` type($result)",
		Models: []ir.Model{
			exec.Executable.Model(values(func(_ *ir.Op, args []any) (any, error) { return args[0], nil })),
		},
	}
}

func valueAsShapeDef() *ir.OpDef {
	return &ir.OpDef{ID: ValueAsShape, Traits: ir.TraitPure,
		Operands: []ir.OperandDef{ir.Operand("arg", extentsOrOwn)}, Results: ir.SingleResult("result", anyShape),
		Format: "$arg attr-dict `:` type($arg) `->` type($result)",
		Models: []ir.Model{
			exec.Executable.Model(values(func(_ *ir.Op, args []any) (any, error) { return args[0], nil })),
		},
	}
}

func withShapeDef() *ir.OpDef {
	return &ir.OpDef{ID: WithShape, Traits: ir.TraitPure,
		Operands: []ir.OperandDef{ir.Operand("operand", shapedOrOwn), ir.Operand("shape", anyShape)}, Results: ir.SingleResult("result", valueShape),
		Format: "$operand `,` $shape attr-dict `:` type($operand) `,` type($shape)",
		Models: []ir.Model{
			interfaces.Addresses(interfaces.ByPosition),
			exec.Executable.Model(executeWithShape),
		},
	}
}

func debugPrintDef() *ir.OpDef {
	return &ir.OpDef{ID: DebugPrint,
		Operands: []ir.OperandDef{ir.Operand("input", shapeOrSize)}, Results: ir.SingleResult("output", shapeOrSize),
		Models: []ir.Model{
			interfaces.LocalMemory.Model(interfaces.WhileExecuted),
			exec.Executable.Model(executeDebugPrint),
		},
	}
}

// Conversions and constants.
var (
	// FromExtents is the shape of the given extents.
	FromExtents = ir.NewOpID("shape.from_extents")
	// FromExtentTensor is the shape whose extents a tensor holds.
	FromExtentTensor = ir.NewOpID("shape.from_extent_tensor")
	// ToExtentTensor is the tensor of a shape's extents.
	ToExtentTensor = ir.NewOpID("shape.to_extent_tensor")
	// IndexToSize converts a number to a size.
	IndexToSize = ir.NewOpID("shape.index_to_size")
	// SizeToIndex converts a size to a number.
	SizeToIndex = ir.NewOpID("shape.size_to_index")
	// ConstShape is a shape of constant extents.
	ConstShape = ir.NewOpID("shape.const_shape")
	// ConstSize is a constant size.
	ConstSize = ir.NewOpID("shape.const_size")
)

func fromExtentsDef() *ir.OpDef {
	return &ir.OpDef{ID: FromExtents, Traits: ir.TraitPure,
		Operands: variadic("extents", sizeOrIndex), Results: ir.SingleResult("shape", shapeType),
		Format: "$extents attr-dict `:` type($extents)",
		Fold:   foldFromExtents,
		Models: []ir.Model{
			exec.Executable.Model(executeFromExtents),
		},
	}
}

func fromExtentTensorDef() *ir.OpDef {
	return &ir.OpDef{ID: FromExtentTensor, Traits: ir.TraitPure,
		Operands: []ir.OperandDef{ir.Operand("input", extentTensor)}, Results: ir.SingleResult("result", shapeType),
		Format: "$input attr-dict `:` type($input)",
		Models: []ir.Model{
			exec.Executable.Model(values(func(_ *ir.Op, args []any) (any, error) { return args[0], nil })),
		},
	}
}

func toExtentTensorDef() *ir.OpDef {
	return &ir.OpDef{ID: ToExtentTensor, Traits: ir.TraitPure,
		Operands: []ir.OperandDef{ir.Operand("input", anyShape)}, Results: ir.SingleResult("result", indexTensor),
		Format: "$input attr-dict `:` type($input) `->` type($result)",
		Fold:   foldToExtentTensor,
		Models: []ir.Model{
			exec.Executable.Model(values(func(_ *ir.Op, args []any) (any, error) { return args[0], nil })),
		},
	}
}

func indexToSizeDef() *ir.OpDef {
	return &ir.OpDef{ID: IndexToSize, Traits: ir.TraitPure,
		Operands: []ir.OperandDef{ir.Operand("arg", constraint.Index)}, Results: ir.SingleResult("result", sizeType),
		Format: "$arg attr-dict",
		Fold:   foldConversion,
		Models: []ir.Model{
			rewrite.Patterns(rewrite.Pattern{Name: "SizeToIndexToSizeCanonicalization", Rewrite: undoConversion(SizeToIndex)}),
			exec.Executable.Model(values(func(_ *ir.Op, args []any) (any, error) { return args[0], nil })),
		},
	}
}

func sizeToIndexDef() *ir.OpDef {
	return &ir.OpDef{ID: SizeToIndex, Traits: ir.TraitPure,
		Operands: []ir.OperandDef{ir.Operand("arg", sizeOrIndex)}, Results: ir.SingleResult("result", constraint.Index),
		Format: "$arg attr-dict `:` type($arg)",
		Fold:   foldConversion,
		Models: []ir.Model{
			rewrite.Patterns(rewrite.Pattern{Name: "IndexToSizeToIndexCanonicalization", Rewrite: undoConversion(IndexToSize)}),
			exec.Executable.Model(values(func(_ *ir.Op, args []any) (any, error) { return args[0], nil })),
		},
	}
}

func constShapeDef() *ir.OpDef {
	return &ir.OpDef{ID: ConstShape, Traits: ir.TraitPure | ir.TraitConstantLike,
		Results: ir.SingleResult("result", anyShape),
		Attrs: []ir.AttrDef{{Name: "shape", Type: constraint.Elements("index elements attribute", func(t ir.Type) bool {
			return ir.ElementType(t) == ir.Type(ir.Index)
		})}},
		Models:          []ir.Model{asm.Assembly.Model(asm.OpAssembly{Parse: parseConstShape, Print: printConstShape})},
		InferTypes:      inferConstShape,
		Verify:          verifyConstShape,
		CompatibleTypes: pairs(oneIsShape),
	}
}

func constSizeDef() *ir.OpDef {
	return &ir.OpDef{ID: ConstSize, Traits: ir.TraitPure | ir.TraitConstantLike,
		Results: ir.SingleResult("result", sizeType), Attrs: []ir.AttrDef{{Name: "value", Type: constraint.IndexAttr}},
		Format: "$value attr-dict",
		Models: []ir.Model{asm.ResultNames.Model(func(op *ir.Op, name func(*ir.Value, string)) {
			if a, ok := op.Attr("value").(*ir.IntegerAttr); ok {
				name(op.Result(0), "c"+a.BigInt().String())
			}
		})}}
}

// Conditions.
var (
	ShapeEq         = ir.NewOpID("shape.shape_eq")
	IsBroadcastable = ir.NewOpID("shape.is_broadcastable")
	// CstrBroadcastable and its relatives are witnesses of a condition.
	CstrBroadcastable = ir.NewOpID("shape.cstr_broadcastable")
	CstrEq            = ir.NewOpID("shape.cstr_eq")
	CstrRequire       = ir.NewOpID("shape.cstr_require")
	// ConstWitness is a witness of a condition that is known.
	ConstWitness = ir.NewOpID("shape.const_witness")
	// AssumingAll is a witness of all the conditions.
	AssumingAll = ir.NewOpID("shape.assuming_all")
)

func shapeEqDef() *ir.OpDef {
	return conditions(ShapeEq, ir.TraitPure|ir.TraitCommutative, constraint.I1).With(ir.OpDef{
		Fold: foldShapeEq,
		Models: []ir.Model{
			exec.Executable.Model(executeShapeEq),
		},
	})
}

func isBroadcastableDef() *ir.OpDef {
	return conditions(IsBroadcastable, ir.TraitCommutative, constraint.I1).With(ir.OpDef{
		Fold: foldIsBroadcastable,
		Models: []ir.Model{
			interfaces.LocalMemory.Model(interfaces.WhileExecuted),
			rewrite.Patterns(removeDuplicates),
			exec.Executable.Model(executeIsBroadcastable),
		},
	})
}

func cstrBroadcastableDef() *ir.OpDef {
	return conditions(CstrBroadcastable, ir.TraitCommutative, witnessType).With(ir.OpDef{
		Fold:   foldCstrBroadcastable,
		Verify: verifyCstrBroadcastable,
		Models: []ir.Model{
			rewrite.Patterns(
				forwardCasts,
				rewrite.Pattern{Name: "CstrBroadcastableEqOps", Rewrite: sameShapesHold},
				removeDuplicates,
				removeEmpty,
			),
			interfaces.LocalMemory.Model(interfaces.WhileExecuted),
			exec.Executable.Model(executeIsBroadcastable),
		},
	})
}

func cstrEqDef() *ir.OpDef {
	return conditions(CstrEq, ir.TraitCommutative, witnessType).With(ir.OpDef{
		Fold: foldCstrEq,
		Models: []ir.Model{
			interfaces.LocalMemory.Model(interfaces.WhileExecuted),
			rewrite.Patterns(rewrite.Pattern{Name: "CstrEqEqOps", Rewrite: sameShapesHold}),
			exec.Executable.Model(executeShapeEq),
		},
	})
}

func cstrRequireDef() *ir.OpDef {
	return &ir.OpDef{ID: CstrRequire,
		Operands: []ir.OperandDef{ir.Operand("pred", constraint.I1)}, Results: ir.SingleResult("result", witnessType),
		Attrs: []ir.AttrDef{{Name: "msg", Type: constraint.StrAttr}}, Format: "$pred `,` $msg attr-dict",
		Fold: func(_ *ir.Op, operands []ir.Attribute) []ir.FoldResult {
			if operands[0] == nil {
				return nil
			}
			return ir.FoldAttr(operands[0])
		},
		Models: []ir.Model{
			interfaces.LocalMemory.Model(interfaces.WhileExecuted),
			exec.Executable.Model(values(func(_ *ir.Op, args []any) (any, error) { return args[0], nil })),
		},
	}
}

func constWitnessDef() *ir.OpDef {
	return &ir.OpDef{ID: ConstWitness, Traits: ir.TraitPure | ir.TraitConstantLike,
		Results: ir.SingleResult("result", witnessType), Attrs: []ir.AttrDef{{Name: "passing", Type: constraint.BoolAttr}},
		Format: "$passing attr-dict"}
}

func assumingAllDef() *ir.OpDef {
	return &ir.OpDef{ID: AssumingAll, Traits: ir.TraitPure | ir.TraitCommutative,
		Operands: variadic("inputs", witnessType), Results: ir.SingleResult("result", witnessType), Format: "$inputs attr-dict",
		Fold:   foldAssumingAll,
		Verify: verifyAssumingAll,
		Models: []ir.Model{
			rewrite.Patterns(
				rewrite.Pattern{Name: "MergeAssumingAllOps", Rewrite: mergeAssumingAll},
				rewrite.Pattern{Name: "AssumingAllOneOp", Rewrite: forwardSingleWitness},
				rewrite.Pattern{Name: "AssumingAllOfCstrBroadcastable", Rewrite: dropImpliedWitnesses},
				rewrite.Pattern{Name: "AssumingAllToCstrEqCanonicalization", Rewrite: assumingAllToCstrEq},
				removeDuplicates,
			),
			exec.Executable.Model(executeAssumingAll),
		},
	}
}
