package sparsetensor

import (
	"freehold/ir"
	"freehold/ir/constraint"
	"freehold/ir/interfaces"
)

func isEncoding(a ir.Attribute) bool { _, ok := EncodingOf(a); return ok }

func sparse(t ir.Type) bool { _, ok := TensorEncoding(t); return ok }

func rank1(t ir.Type) bool {
	shape, ok := ir.ShapeOf(t)
	m, isMemRef := t.(*ir.MemRefType)
	if !ok || !isMemRef || len(shape) != 1 {
		return false
	}
	_, _, ok = m.StridesAndOffset()
	return ok
}

// buffer accepts strided memrefs of one dimension.
func buffer(elem ir.TypeConstraint) ir.TypeConstraint {
	return ir.TypeConstraint{Summary: "strided memref of " + elem.Summary + " values of rank 1", Class: ir.MemRefClass,
		Match: func(t ir.Type) bool { return rank1(t) && elem.Match(ir.ElementType(t)) }}
}

// Constraints on the types of operands and results.
var (
	sparseTensor = ir.TypeConstraint{Summary: "sparse tensor of any type values", Match: sparse, Class: ir.TensorClass}
	sparseSlice  = ir.TypeConstraint{Summary: "sparse tensor slice of any type values", Class: ir.TensorClass, Match: func(t ir.Type) bool {
		e, ok := TensorEncoding(t)
		return ok && len(e.Slices()) > 0
	}}
	specifier = ir.TypeConstraint{Summary: "metadata", Match: func(t ir.Type) bool {
		return ir.IsDialectType(t, dialectName, specifierMnemonic)
	}}
	memRef = ir.TypeConstraint{Summary: "non-0-ranked.memref of any type values", Class: ir.MemRefClass, Match: func(t ir.Type) bool {
		shape, ok := ir.ShapeOf(t)
		return ok && ir.IsMemRef(t) && len(shape) > 0
	}}
	vectorBuffer = constraint.RankOf("1D", "memref", 1, constraint.AnyType)
	scalarLike   = ir.TypeConstraint{Summary: "scalar like", Match: func(t ir.Type) bool {
		_, complex := t.(*ir.ComplexType)
		return complex || ir.IsFloat(t) || ir.IsIntOrIndex(t)
	}}
	levelTensor = constraint.TensorOf(constraint.SignlessIntOrIndex)
	intOrIndex  = constraint.Or(constraint.AnyInteger, constraint.Index)
	levelAttr   = ir.AttrConstraint{Summary: "level attribute", Match: constraint.IndexAttr.Match, Class: constraint.IndexAttr.Class,
		ValueType: constraint.IndexAttr.ValueType}
	dimensionAttr = ir.AttrConstraint{Summary: "dimension attribute", Match: constraint.IndexAttr.Match, Class: constraint.IndexAttr.Class,
		ValueType: constraint.IndexAttr.ValueType}
	encodingAttr = ir.AttrConstraint{Match: isEncoding, Class: isEncoding}
)

func attr(name string, t ir.AttrConstraint) ir.AttrDef { return ir.AttrDef{Name: name, Type: t} }

func flag(name string) ir.AttrDef {
	return ir.AttrDef{Name: name, Type: constraint.UnitAttr, Optional: true}
}

func same(a, b string) ir.TypeRule {
	return ir.TypeRule{Same: []string{a, b}, Summary: "all of {" + a + ", " + b + "} have same type"}
}

const toFormat = "$tensor attr-dict `:` type($tensor) `to` type($result)"

// Operations on whole tensors.
var (
	// New reads a tensor from a source outside of the program.
	New = ir.NewOpID("sparse_tensor.new")
	// Out writes a tensor to a destination outside of the program.
	Out = ir.NewOpID("sparse_tensor.out")
	// Print writes the parts of a tensor to the standard output.
	Print = ir.NewOpID("sparse_tensor.print")
	// Assemble makes a tensor of its levels and values.
	Assemble = ir.NewOpID("sparse_tensor.assemble")
	// Disassemble writes the levels and values of a tensor to other tensors.
	Disassemble = ir.NewOpID("sparse_tensor.disassemble")
	// Convert changes the encoding of a tensor.
	Convert = ir.NewOpID("sparse_tensor.convert")
	// ReinterpretMap reads a tensor by other maps between dimensions and levels.
	ReinterpretMap = ir.NewOpID("sparse_tensor.reinterpret_map")
	// Concatenate joins tensors along a dimension.
	Concatenate = ir.NewOpID("sparse_tensor.concatenate")
	// Load makes the tensor of what was inserted.
	Load = ir.NewOpID("sparse_tensor.load")
	// ReorderCOO sorts coordinates in the order of another encoding.
	ReorderCOO = ir.NewOpID("sparse_tensor.reorder_coo")
)

func newDef() *ir.OpDef {
	return &ir.OpDef{ID: New, Traits: ir.TraitPure,
		Models:   []ir.Model{interfaces.Bufferizable.Model(readBufferize{})},
		Operands: []ir.OperandDef{ir.Operand("source", constraint.AnyType)}, Results: []ir.ResultDef{ir.Result("result", sparseTensor)},
		Format: "$source attr-dict `:` type($source) `to` type($result)"}
}

func outDef() *ir.OpDef {
	return &ir.OpDef{ID: Out,
		Operands: []ir.OperandDef{ir.Operand("tensor", sparseTensor), ir.Operand("dest", constraint.AnyType)},
		Format:   "$tensor `,` $dest attr-dict `:` type($tensor) `,` type($dest)"}
}

func printDef() *ir.OpDef {
	return &ir.OpDef{ID: Print, Operands: []ir.OperandDef{ir.Operand("tensor", sparseTensor)},
		Format: "$tensor attr-dict `:` type($tensor)"}
}

func assembleDef() *ir.OpDef {
	return &ir.OpDef{ID: Assemble, Traits: ir.TraitPure,
		Models:   []ir.Model{interfaces.Bufferizable.Model(sameBufferize{reads: true})},
		Operands: []ir.OperandDef{ir.VariadicOperand("levels", levelTensor), ir.Operand("values", constraint.AnyTensor)},
		Results:  []ir.ResultDef{ir.Result("result", sparseTensor)},
		Format:   "` ` `(` $levels `)` `,` $values attr-dict `:` `(` type($levels) `)` `,` type($values) `to` type($result)",
		Verify:   verifyAssemble}
}

func disassembleDef() *ir.OpDef {
	return &ir.OpDef{ID: Disassemble, Traits: ir.TraitPure,
		Models:   []ir.Model{interfaces.Bufferizable.Model(disassembleBufferize{})},
		Operands: []ir.OperandDef{ir.Operand("tensor", sparseTensor), ir.VariadicOperand("out_levels", levelTensor), ir.Operand("out_values", constraint.AnyTensor)},
		Results: []ir.ResultDef{ir.VariadicResult("ret_levels", levelTensor), ir.Result("ret_values", constraint.AnyTensor),
			ir.VariadicResult("lvl_lens", scalarLike), ir.Result("val_len", scalarLike)},
		Format: "$tensor attr-dict `:` type($tensor) `out_lvls` `(` $out_levels `:` type($out_levels) `)` " +
			"`out_vals` `(` $out_values `:` type($out_values) `)` `->` `(` type($ret_levels) `)` `,` type($ret_values) `,` " +
			"`(` type($lvl_lens) `)` `,` type($val_len)",
		Verify: verifyDisassemble}
}

func convertDef() *ir.OpDef {
	return &ir.OpDef{ID: Convert, Traits: ir.TraitPure,
		Models:   []ir.Model{interfaces.Bufferizable.Model(readBufferize{})},
		Operands: []ir.OperandDef{ir.Operand("source", constraint.AnyTensor)}, Results: []ir.ResultDef{ir.Result("dest", constraint.AnyTensor)},
		Format: "$source attr-dict `:` type($source) `to` type($dest)",
		Fold: func(op *ir.Op, _ []ir.Attribute) []ir.FoldResult {
			if (ConvertOp{op}).Source().Type() != op.Result(0).Type() {
				return nil
			}
			return ir.FoldValue(ConvertOp{op}.Source())
		},
		Verify: verifyConvert,
	}
}

func reinterpretMapDef() *ir.OpDef {
	return &ir.OpDef{ID: ReinterpretMap, Traits: ir.TraitNoMemoryEffect,
		Operands: []ir.OperandDef{ir.Operand("source", sparseTensor)}, Results: []ir.ResultDef{ir.Result("dest", sparseTensor)},
		Format: "$source attr-dict `:` type($source) `to` type($dest)",
		Fold:   foldReinterpretMap,
	}
}

func concatenateDef() *ir.OpDef {
	return &ir.OpDef{ID: Concatenate, Traits: ir.TraitPure,
		Models:   []ir.Model{interfaces.Bufferizable.Model(readBufferize{})},
		Operands: []ir.OperandDef{ir.VariadicOperand("inputs", constraint.AnyRankedTensor)}, Attrs: []ir.AttrDef{attr("dimension", dimensionAttr)},
		Results: []ir.ResultDef{ir.Result("result", constraint.AnyRankedTensor)},
		Format:  "$inputs attr-dict `:` type($inputs) `to` type($result)",
		Verify:  verifyConcatenate,
	}
}

func loadDef() *ir.OpDef {
	return &ir.OpDef{ID: Load, Traits: ir.TraitSameOperandsAndResultType,
		Models:   []ir.Model{interfaces.Bufferizable.Model(sameBufferize{})},
		Operands: []ir.OperandDef{ir.Operand("tensor", sparseTensor)}, Attrs: []ir.AttrDef{flag("hasInserts")},
		Results: []ir.ResultDef{ir.Result("result", constraint.AnyTensor)},
		Format:  "$tensor (`hasInserts` $hasInserts^)? attr-dict `:` type($tensor)"}
}

func reorderCOODef() *ir.OpDef {
	return &ir.OpDef{ID: ReorderCOO, Traits: ir.TraitPure,
		Operands: []ir.OperandDef{ir.Operand("input_coo", sparseTensor)}, Results: []ir.ResultDef{ir.Result("result_coo", sparseTensor)},
		Attrs:  []ir.AttrDef{attr("algorithm", constraint.Enum("sparse tensor sort algorithm", SortKind))},
		Format: "$algorithm $input_coo attr-dict `:` type($input_coo) `to` type($result_coo)",
		Fold: func(op *ir.Op, _ []ir.Attribute) []ir.FoldResult {
			if from, _ := TensorEncoding(ReorderCOOOp{op}.InputCoo().Type()); from.DialectAttr == encodingOfResult(op) {
				return ir.FoldValue(ReorderCOOOp{op}.InputCoo())
			}
			return nil
		}}
}

func encodingOfResult(op *ir.Op) *ir.DialectAttr {
	e, _ := TensorEncoding(op.Result(0).Type())
	return e.DialectAttr
}

// Operations on how a tensor is stored.
var (
	// Positions is the array of positions of a level.
	Positions = ir.NewOpID("sparse_tensor.positions")
	// Coordinates is the array of coordinates of a level.
	Coordinates = ir.NewOpID("sparse_tensor.coordinates")
	// CoordinatesBuffer is the array of coordinates of several levels.
	CoordinatesBuffer = ir.NewOpID("sparse_tensor.coordinates_buffer")
	// Values is the array of the values that are stored.
	Values = ir.NewOpID("sparse_tensor.values")
	// NumberOfEntries is how many values are stored.
	NumberOfEntries = ir.NewOpID("sparse_tensor.number_of_entries")
	// Lvl is the size of a level.
	Lvl = ir.NewOpID("sparse_tensor.lvl")
	// SliceOffset is where a slice starts.
	SliceOffset = ir.NewOpID("sparse_tensor.slice.offset")
	// SliceStride is the distance of a slice's elements.
	SliceStride = ir.NewOpID("sparse_tensor.slice.stride")
	// CrdTranslate translates coordinates between dimensions and levels.
	CrdTranslate = ir.NewOpID("sparse_tensor.crd_translate")
	// SpecifierInit makes the metadata of a tensor's storage.
	SpecifierInit = ir.NewOpID("sparse_tensor.storage_specifier.init")
	// SpecifierGet reads a part of the metadata.
	SpecifierGet = ir.NewOpID("sparse_tensor.storage_specifier.get")
	// SpecifierSet changes a part of the metadata.
	SpecifierSet = ir.NewOpID("sparse_tensor.storage_specifier.set")
	// HasRuntimeLibrary tells whether a runtime library is used.
	HasRuntimeLibrary = ir.NewOpID("sparse_tensor.has_runtime_library")
)

func positionsDef() *ir.OpDef {
	return storage(Positions, attr("level", levelAttr)).With(ir.OpDef{
		Earlier: []ir.Spelling{arrayOfDimension("sparse_tensor.pointers")},
		Verify:  verifyStorage("positions", posWidthParam),
	})
}

func coordinatesDef() *ir.OpDef {
	return storage(Coordinates, attr("level", levelAttr)).With(ir.OpDef{
		Earlier: []ir.Spelling{arrayOfDimension("sparse_tensor.indices")},
		Verify:  verifyStorage("coordinates", crdWidthParam),
	})
}

func coordinatesBufferDef() *ir.OpDef {
	return storage(CoordinatesBuffer).With(ir.OpDef{
		Earlier: []ir.Spelling{{Until: 16, Name: "sparse_tensor.indices_buffer"}},
		Verify:  verifyCoordinatesBuffer,
	})
}

func valuesDef() *ir.OpDef {
	return storage(Values).With(ir.OpDef{
		Verify: verifyValues,
	})
}

func numberOfEntriesDef() *ir.OpDef {
	return &ir.OpDef{ID: NumberOfEntries, Traits: ir.TraitPure,
		Models:   []ir.Model{interfaces.Bufferizable.Model(readBufferize{})},
		Operands: []ir.OperandDef{ir.Operand("tensor", sparseTensor)}, Results: []ir.ResultDef{ir.Result("result", constraint.Index)},
		Format: "$tensor attr-dict `:` type($tensor)"}
}

func lvlDef() *ir.OpDef {
	return &ir.OpDef{ID: Lvl, Traits: ir.TraitNoMemoryEffect,
		Operands: []ir.OperandDef{ir.Operand("source", sparseTensor), ir.Operand("index", constraint.Index)},
		Results:  []ir.ResultDef{ir.Result("result", constraint.Index)},
		Format:   "attr-dict $source `,` $index `:` type($source)",
		Fold:     foldLvl,
		Verify:   verifyLvl,
	}
}

func sliceOffsetDef() *ir.OpDef {
	return sliceOp(SliceOffset, "offset").With(ir.OpDef{
		Verify: verifySlice,
	})
}

func sliceStrideDef() *ir.OpDef {
	return sliceOp(SliceStride, "stride").With(ir.OpDef{
		Verify: verifySlice,
	})
}

func crdTranslateDef() *ir.OpDef {
	return &ir.OpDef{ID: CrdTranslate, Traits: ir.TraitPure,
		Operands: []ir.OperandDef{ir.VariadicOperand("in_crds", constraint.Index)}, Results: []ir.ResultDef{ir.VariadicResult("out_crds", constraint.Index)},
		Attrs: []ir.AttrDef{attr("direction", constraint.Enum("sparse tensor coordinate translation direction", Direction)),
			attr("encoder", encodingAttr)},
		Format: "$direction `[` $in_crds `]` `as` $encoder attr-dict `:` type($out_crds)",
		Verify: verifyCrdTranslate,
		Fold:   foldCrdTranslate,
	}
}

func specifierInitDef() *ir.OpDef {
	return &ir.OpDef{ID: SpecifierInit, Traits: ir.TraitPure,
		Operands: []ir.OperandDef{ir.OptionalOperand("source", specifier)}, Results: []ir.ResultDef{ir.Result("result", specifier)},
		Format: "attr-dict (`with` $source^)? `:` (`from` qualified(type($source))^ `to`)? qualified(type($result))"}
}

func specifierGetDef() *ir.OpDef {
	return &ir.OpDef{ID: SpecifierGet, Traits: ir.TraitPure,
		Operands: []ir.OperandDef{ir.Operand("specifier", specifier)}, Results: []ir.ResultDef{ir.Result("result", constraint.Index)},
		Attrs:   specifierAttrs,
		Format:  "$specifier $specifierKind (`at` $level^)? attr-dict `:` qualified(type($specifier))",
		Earlier: []ir.Spelling{getOfInteger},
		Fold:    foldSpecifierGet,
		Verify:  verifySpecifier,
	}
}

func specifierSetDef() *ir.OpDef {
	return &ir.OpDef{ID: SpecifierSet, Traits: ir.TraitPure,
		Operands:  []ir.OperandDef{ir.Operand("specifier", specifier), ir.Operand("value", constraint.Index)},
		Results:   []ir.ResultDef{ir.Result("result", specifier)},
		Attrs:     specifierAttrs,
		TypeRules: []ir.TypeRule{same("result", "specifier")},
		Format:    "$specifier $specifierKind (`at` $level^)? `with` $value attr-dict `:` qualified(type($result))",
		Earlier:   []ir.Spelling{setToInteger},
		Verify:    verifySpecifier,
	}
}

func hasRuntimeLibraryDef() *ir.OpDef {
	return &ir.OpDef{ID: HasRuntimeLibrary,
		Results: []ir.ResultDef{ir.Result("result", constraint.I1)}, Format: "attr-dict"}
}

var specifierAttrs = []ir.AttrDef{attr("specifierKind", constraint.Enum("sparse tensor storage specifier kind", SpecifierKind)),
	{Name: "level", Type: levelAttr, Optional: true}}

// storage is an operation that reads an array of a tensor's storage.
func storage(id *ir.OpID, attrs ...ir.AttrDef) *ir.OpDef {
	return &ir.OpDef{ID: id, Traits: ir.TraitPure, Attrs: attrs, Format: toFormat, Models: []ir.Model{interfaces.Bufferizable.Model(readBufferize{})},
		Operands: []ir.OperandDef{ir.Operand("tensor", sparseTensor)}, Results: []ir.ResultDef{ir.Result("result", memRef)}}
}

func sliceOp(id *ir.OpID, res string) *ir.OpDef {
	return &ir.OpDef{ID: id, Traits: ir.TraitPure, Attrs: []ir.AttrDef{attr("dim", constraint.IndexAttr)},
		Operands: []ir.OperandDef{ir.Operand("slice", sparseSlice)}, Results: []ir.ResultDef{ir.Result(res, constraint.Index)},
		Format: "$slice `at` $dim attr-dict `:` type($slice)"}
}

// Operations on buffers.
var (
	// PushBack appends a value to a buffer, which grows if need be.
	PushBack = ir.NewOpID("sparse_tensor.push_back")
	// Expand makes arrays that take insertions at the innermost level.
	Expand = ir.NewOpID("sparse_tensor.expand")
	// Compress moves what was inserted into the arrays of Expand to a tensor.
	Compress = ir.NewOpID("sparse_tensor.compress")
	// Sort sorts buffers by the numbers in one of them.
	Sort = ir.NewOpID("sparse_tensor.sort")
)

func pushBackDef() *ir.OpDef {
	return &ir.OpDef{ID: PushBack,
		Operands: []ir.OperandDef{ir.Operand("curSize", constraint.Index), ir.Operand("inBuffer", vectorBuffer),
			ir.Operand("value", constraint.AnyType), ir.OptionalOperand("n", constraint.Index)},
		Attrs:   []ir.AttrDef{flag("inbounds")},
		Results: []ir.ResultDef{ir.Result("outBuffer", vectorBuffer), ir.Result("newSize", constraint.Index)},
		TypeRules: []ir.TypeRule{{From: "inBuffer", To: "value", Transform: ir.ElementType, Summary: "value type matches element type of inBuffer"},
			same("inBuffer", "outBuffer")},
		Format: "(`inbounds` $inbounds^)? $curSize `,` $inBuffer `,` $value (`,` $n^ )? attr-dict `:` type($curSize) `,`" +
			" type($inBuffer) `,` type($value) (`,` type($n)^ )?",
		Verify: verifyPushBack,
		Models: []ir.Model{interfaces.Addresses(interfaces.AsLaidOut)},
	}
}

func expandDef() *ir.OpDef {
	return &ir.OpDef{ID: Expand,
		Operands: []ir.OperandDef{ir.Operand("tensor", sparseTensor)},
		Results: []ir.ResultDef{ir.Result("values", buffer(constraint.AnyType)), ir.Result("filled", buffer(constraint.I1)),
			ir.Result("added", buffer(constraint.Index)), ir.Result("count", constraint.Index)},
		Format:  "$tensor attr-dict `:` type($tensor) `to` type($values) `,` type($filled) `,` type($added)",
		Earlier: []ir.Spelling{{Until: 15, Format: "$tensor attr-dict `:` type($tensor) `to` type($values) `,` type($filled) `,` type($added) `,` type($count)"}},
	}
}

func compressDef() *ir.OpDef {
	return &ir.OpDef{ID: Compress,
		Operands: []ir.OperandDef{ir.Operand("values", buffer(constraint.AnyType)), ir.Operand("filled", buffer(constraint.I1)),
			ir.Operand("added", buffer(constraint.Index)), ir.Operand("count", constraint.Index), ir.Operand("tensor", sparseTensor),
			ir.VariadicOperand("lvlCoords", constraint.Index)},
		Results:   []ir.ResultDef{ir.Result("result", sparseTensor)},
		TypeRules: []ir.TypeRule{same("tensor", "result")},
		Format: "$values `,` $filled `,` $added `,` $count `into` $tensor `[` $lvlCoords `]` attr-dict `:` type($values) `,`" +
			" type($filled) `,` type($added) `,` type($tensor)",
		Earlier: []ir.Spelling{compressInPlace},
		Verify:  verifyCompress,
		Models:  []ir.Model{interfaces.Addresses(interfaces.AsLaidOut)},
	}
}

func sortDef() *ir.OpDef {
	return &ir.OpDef{ID: Sort,
		Operands: []ir.OperandDef{ir.Operand("n", constraint.Index), ir.Operand("xy", buffer(intOrIndex)), ir.VariadicOperand("ys", buffer(constraint.AnyType))},
		Attrs: []ir.AttrDef{attr("perm_map", constraint.AffineMapAttr), {Name: "ny", Type: constraint.IndexAttr, Optional: true},
			attr("algorithm", constraint.Enum("sparse tensor sort algorithm", SortKind))},
		Format:  "$algorithm $n `,` $xy (`jointly` $ys^)? attr-dict `:` type($xy) (`jointly` type($ys)^)?",
		Earlier: []ir.Spelling{sortCOO, sortOne},
		Verify:  verifySort,
		Models:  []ir.Model{interfaces.Addresses(interfaces.AsLaidOut)},
	}
}

// Operations with regions.
var (
	// Binary combines values where both, or one, of two are stored.
	Binary = ir.NewOpID("sparse_tensor.binary")
	// Unary computes a value where one is stored, or none is.
	Unary = ir.NewOpID("sparse_tensor.unary")
	// Reduce is a reduction by its region.
	Reduce = ir.NewOpID("sparse_tensor.reduce")
	// Select keeps a value if its region says so.
	Select = ir.NewOpID("sparse_tensor.select")
	// Foreach executes its region for each element of a tensor.
	Foreach = ir.NewOpID("sparse_tensor.foreach")
	// Yield ends the regions of the dialect.
	Yield = ir.NewOpID("sparse_tensor.yield")
)

func binaryDef() *ir.OpDef {
	return &ir.OpDef{ID: Binary, Traits: ir.TraitPure,
		Operands: []ir.OperandDef{ir.Operand("x", constraint.AnyType), ir.Operand("y", constraint.AnyType)},
		Attrs:    []ir.AttrDef{flag("left_identity"), flag("right_identity")},
		Results:  []ir.ResultDef{ir.Result("output", constraint.AnyType)},
		Regions:  []ir.RegionDef{{Name: "overlapRegion"}, {Name: "leftRegion"}, {Name: "rightRegion"}},
		Format: "$x `,` $y `:` attr-dict type($x) `,` type($y) `to` type($output) `\\n` `overlap` `=` $overlapRegion `\\n`" +
			" `left` `=` (`identity` $left_identity^):($leftRegion)? `\\n` `right` `=` (`identity` $right_identity^):($rightRegion)?",
		VerifyRegions: verifyBinary,
	}
}

func unaryDef() *ir.OpDef {
	return &ir.OpDef{ID: Unary, Traits: ir.TraitPure,
		Operands: []ir.OperandDef{ir.Operand("x", constraint.AnyType)}, Results: []ir.ResultDef{ir.Result("output", constraint.AnyType)},
		Regions:       []ir.RegionDef{{Name: "presentRegion"}, {Name: "absentRegion"}},
		Format:        "$x attr-dict `:` type($x) `to` type($output) `\\n` `present` `=` $presentRegion `\\n` `absent` `=` $absentRegion",
		VerifyRegions: verifyUnary,
	}
}

func reduceDef() *ir.OpDef {
	return &ir.OpDef{ID: Reduce, Traits: ir.TraitPure | ir.TraitSameOperandsAndResultType,
		Operands: []ir.OperandDef{ir.Operand("x", constraint.AnyType), ir.Operand("y", constraint.AnyType), ir.Operand("identity", constraint.AnyType)},
		Results:  []ir.ResultDef{ir.Result("output", constraint.AnyType)}, Regions: []ir.RegionDef{{Name: "region", Sized: 1}},
		Format:        "$x `,` $y `,` $identity attr-dict `:` type($output) $region",
		VerifyRegions: verifyReduce,
	}
}

func selectDef() *ir.OpDef {
	return &ir.OpDef{ID: Select, Traits: ir.TraitPure | ir.TraitSameOperandsAndResultType,
		Operands: []ir.OperandDef{ir.Operand("x", constraint.AnyType)}, Results: []ir.ResultDef{ir.Result("output", constraint.AnyType)},
		Regions: []ir.RegionDef{{Name: "region", Sized: 1}}, Format: "$x attr-dict `:` type($x) $region",
		VerifyRegions: verifySelect,
	}
}

func foreachDef() *ir.OpDef {
	return &ir.OpDef{ID: Foreach, Traits: ir.TraitSingleBlock, ImplicitTerminator: Yield,
		Operands: []ir.OperandDef{ir.Operand("tensor", constraint.AnyTensor), ir.VariadicOperand("initArgs", constraint.AnyType)},
		Attrs:    []ir.AttrDef{{Name: "order", Type: constraint.AffineMapAttr, Optional: true}},
		Results:  []ir.ResultDef{ir.VariadicResult("results", constraint.AnyType)}, Regions: []ir.RegionDef{{Name: "region", Sized: 1}},
		Format: "`in` $tensor (`init` `` `(` $initArgs^ `)`)? attr-dict `:` type($tensor) (`,` type($initArgs)^)?" +
			" (`->` type($results)^)? `do` $region",
		VerifyRegions: verifyForeach,
		Models:        []ir.Model{interfaces.Bufferizable.Model(readBufferize{}), interfaces.AnalysisPrecondition.Model(noTensorResults)},
	}
}

func yieldDef() *ir.OpDef {
	parents := []*ir.OpID{Binary, Unary, Reduce, Select, Foreach, Iterate}
	return yield(parents, ir.Revision{Since: 20, Def: yield(append(parents[:len(parents):len(parents)], CoIterate))})
}

// yield is the definition with the operations whose regions it ends.
func yield(parents []*ir.OpID, revisions ...ir.Revision) *ir.OpDef {
	return &ir.OpDef{ID: Yield, Traits: ir.TraitPure | ir.TraitTerminator,
		Operands:  []ir.OperandDef{ir.VariadicOperand("results", constraint.AnyType)},
		Parents:   parents,
		Format:    "$results attr-dict `:` type($results)",
		Revisions: revisions,
	}
}
