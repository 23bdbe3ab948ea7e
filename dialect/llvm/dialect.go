// Package llvm is the llvm dialect, as far as programs on memory need it: its
// types, functions, memory, arithmetic, aggregates and branches.
package llvm

import (
	"slices"

	"freehold/exec"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/interfaces"
)

const dialectName = "llvm"

// Dialect is the llvm dialect. What it doesn't define is kept as it is written.
var Dialect = &ir.Dialect{Name: dialectName, AllowUnknownOps: true, AllowUnknownTypes: true,
	Ops: func() []*ir.OpDef {
		return slices.Concat([]*ir.OpDef{addressOfDef(), allocaDef(), brDef(), callDef(), condBrDef(), constantDef(), extractElementDef(), extractValueDef(), fCmpDef(), fNegDef(), freezeDef(),
			funcDef(), getElementPtrDef(), globalDef(), iCmpDef(), insertElementDef(), insertValueDef(), loadDef(), moduleFlagsDef(), poisonDef(), returnDef(), selectDef(), storeDef(), switchDef(), undefDef(),
			unreachableDef(), zeroDef()}, arithmeticDefs(), castDefs(), intrinsicDefs(), memoryIntrinsics())
	},
	PrintType: printType,
	Types:     ir.PlainTypes(mnemonics...),
	Models: []ir.Model{
		asm.TypeParser.Model(parseType),
		exec.Library.Model(library),
		asm.Enums.Model([]*ir.EnumDef{Linkage, CConv, FastMath, Overflow, TailCall}),
		asm.Directives.Model(map[string]asm.Directive{"LLVMSwitchCases": switchCases, "OpAttrs": opAttrs, "Overflow": overflow, "PartType": partType, "Predicate": cmpPredicate, "CmpType": cmpType, "TypedPointer": typedPointer}),
		interfaces.ConstantMaterializer.Model(materialize),
	},
}

func enum(mnemonic, name string, first int, keywords ...string) *ir.EnumDef {
	d := &ir.EnumDef{Dialect: dialectName, Mnemonic: mnemonic, Name: name}
	for i, k := range keywords {
		d.Cases = append(d.Cases, ir.EnumCase{Keyword: k, Value: uint64(first + i)})
	}
	return d
}

// flags is an enumeration of bits; none stands for no bit.
func flags(mnemonic, name string, keywords ...string) *ir.EnumDef {
	d := &ir.EnumDef{Dialect: dialectName, Mnemonic: mnemonic, Name: name, Bit: true, Separator: ", ",
		Cases: []ir.EnumCase{{Keyword: "none"}}}
	for i, k := range keywords {
		d.Cases = append(d.Cases, ir.EnumCase{Keyword: k, Value: 1 << i})
	}
	return d
}

// The enumerations of the dialect.
var (
	// Linkage tells where a symbol is visible.
	Linkage = enum("linkage", "::mlir::LLVM::linkage::Linkage", 0, "private", "internal", "available_externally", "linkonce", "weak",
		"common", "appending", "extern_weak", "linkonce_odr", "weak_odr", "external")
	// CConv is a calling convention.
	CConv = &ir.EnumDef{Dialect: dialectName, Mnemonic: "cconv", Name: "::mlir::LLVM::cconv::CConv", Cases: []ir.EnumCase{
		{Keyword: "ccc"}, {Keyword: "fastcc", Value: 8}, {Keyword: "coldcc", Value: 9}, {Keyword: "cc_10", Value: 10},
		{Keyword: "cc_11", Value: 11}, {Keyword: "anyregcc", Value: 13}, {Keyword: "preserve_mostcc", Value: 14},
		{Keyword: "preserve_allcc", Value: 15}, {Keyword: "swiftcc", Value: 16}, {Keyword: "cxx_fast_tlscc", Value: 17},
		{Keyword: "tailcc", Value: 18}}}
	// TailCall tells whether a call may or must reuse the caller's frame.
	TailCall = enum("tailcallkind", "::mlir::LLVM::tailcallkind::TailCallKind", 0, "none", "tail", "musttail", "notail")
	// FastMath are the liberties that floating-point operations may take.
	FastMath = func() *ir.EnumDef {
		d := flags("fastmath", "::mlir::LLVM::FastmathFlags", "nnan", "ninf", "nsz", "arcp", "contract", "afn", "reassoc")
		d.Cases = append(d.Cases, ir.EnumCase{Keyword: "fast", Value: 127})
		return d
	}()
	// Overflow tells which overflows of integers don't happen.
	Overflow = flags("overflow", "::mlir::LLVM::IntegerOverflowFlags", "nsw", "nuw")
)

// materialize makes constants of integers and floats, addresses, and what has no number.
func materialize(b *ir.Builder, value ir.Attribute, t ir.Type) *ir.Op {
	switch a := value.(type) {
	case *ir.DialectAttr:
		for _, id := range []*ir.OpID{Undef, Poison, Zero} {
			if a.Dialect.Name == "llvm" && a.Mnemonic == mnemonic(id) && anyLLVM.Match(t) {
				return b.CreateOp(id, []ir.Type{t}, nil)
			}
		}
		return nil
	case *ir.SymbolRefAttr:
		if anyPointer.Match(t) {
			return b.CreateOp(AddressOf, []ir.Type{t}, nil, ir.NamedAttr{Name: "global_name", Value: value})
		}
		return nil
	}
	if !loadable.Match(t) {
		return nil
	}
	switch value.(type) {
	case *ir.IntegerAttr, *ir.FloatAttr, *ir.DenseElementsAttr:
		return b.CreateOp(Constant, []ir.Type{t}, nil, ir.NamedAttr{Name: "value", Value: value})
	}
	return nil
}
