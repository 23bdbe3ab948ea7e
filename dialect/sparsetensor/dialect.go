// Package sparsetensor is the sparse_tensor dialect: the encoding of sparse
// tensors in dense storage, and operations on them. Freehold does not lower them;
// it reads, verifies and writes programs that have them.
package sparsetensor

import (
	"freehold/dialect/arith"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/interfaces"
)

const dialectName = "sparse_tensor"

// Dialect is the sparse_tensor dialect. Its attributes refer to it, so its
// operations are attached when the package is initialised.
var Dialect = &ir.Dialect{Name: dialectName, Aliases: true,
	Ops: func() []*ir.OpDef {
		return []*ir.OpDef{assembleDef(), binaryDef(), compressDef(), concatenateDef(), convertDef(), coordinatesDef(), coordinatesBufferDef(), crdTranslateDef(),
			disassembleDef(), expandDef(), extractIterationSpaceDef(), extractValueDef(), foreachDef(), hasRuntimeLibraryDef(), coIterateDef(), iterateDef(), loadDef(), lvlDef(), newDef(), numberOfEntriesDef(), outDef(), positionsDef(), printDef(), pushBackDef(),
			reduceDef(), reinterpretMapDef(), reorderCOODef(), selectDef(), sliceOffsetDef(), sliceStrideDef(), sortDef(), specifierGetDef(), specifierInitDef(), specifierSetDef(),
			unaryDef(), valuesDef(), yieldDef()}
	},
	PrintAttr:      printAttr,
	PrintType:      printType,
	VerifyEncoding: verifyTensor,
	Types:          ir.PlainTypes(spaceMnemonic, iteratorMnemonic, specifierMnemonic),
	Models: []ir.Model{
		asm.AttrParser.Model(parseAttr),
		asm.TypeParser.Model(parseType),
		asm.Directives.Model(map[string]asm.Directive{"LevelRange": levelRangeDirective}),
		asm.Enums.Model([]*ir.EnumDef{SpecifierKind, SortKind, Direction}),
		asm.AliasNames.Model(func(x any) string {
			if _, ok := EncodingOf(x); ok {
				return "sparse"
			}
			return ""
		}),
		interfaces.ConstantMaterializer.Model(arith.Materialize),
	},
}

func enum(mnemonic, name string, keywords ...string) *ir.EnumDef {
	d := &ir.EnumDef{Dialect: dialectName, Mnemonic: mnemonic, Name: name, Bare: true}
	for i, k := range keywords {
		d.Cases = append(d.Cases, ir.EnumCase{Keyword: k, Value: uint64(i)})
	}
	return d
}

// The enumerations of the dialect.
var (
	// SpecifierKind is what a storage specifier tells.
	SpecifierKind = specifierKind()
	// SortKind is an algorithm of sorting.
	SortKind = enum("SparseTensorSortAlgorithm", "::mlir::sparse_tensor::SparseTensorSortKind",
		"hybrid_quick_sort", "insertion_sort_stable", "quick_sort", "heap_sort")
	// Direction is that of a translation of coordinates.
	Direction = enum("CrdTransDirection", "::mlir::sparse_tensor::CrdTransDirectionKind", "dim_to_lvl", "lvl_to_dim")
)

// specifierKind is an enumeration of which LLVM 16 calls cases otherwise.
func specifierKind() *ir.EnumDef {
	d := enum("kind", "::mlir::sparse_tensor::StorageSpecifierKind",
		"lvl_sz", "pos_mem_sz", "crd_mem_sz", "val_mem_sz", "dim_offset", "dim_stride")
	d.Earlier, d.Until = map[string]string{"dim_sz": "lvl_sz", "ptr_mem_sz": "pos_mem_sz", "idx_mem_sz": "crd_mem_sz"}, 16
	return d
}
