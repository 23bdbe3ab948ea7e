package testd

import (
	"freehold/exec"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/constraint"
	"freehold/ir/rewrite"
)

// Operations with regions that nothing is known about.
var (
	OneRegion   = ir.NewOpID("test.one_region_op")
	TwoRegion   = ir.NewOpID("test.two_region_op")
	SizedRegion = ir.NewOpID("test.sized_region_op")
	// SSACFGRegion is a region with dominance.
	SSACFGRegion  = ir.NewOpID("test.ssacfg_region")
	MergeBlocks   = ir.NewOpID("test.merge_blocks")
	RegionPattern = ir.NewOpID("test.op_with_region_pattern")
	// SingleBlockImplicitTerminator has a terminator that needn't be written.
	SingleBlockImplicitTerminator = ir.NewOpID("test.SingleBlockImplicitTerminator")
)

func oneRegionDef() *ir.OpDef {
	return &ir.OpDef{ID: OneRegion, Regions: []ir.RegionDef{{}}}
}

func twoRegionDef() *ir.OpDef {
	return &ir.OpDef{ID: TwoRegion, Regions: []ir.RegionDef{{}, {}}}
}

func sizedRegionDef() *ir.OpDef {
	return &ir.OpDef{ID: SizedRegion, Regions: []ir.RegionDef{{Name: "my_region", Sized: 2}, {Sized: 1}}}
}

func ssacfgRegionDef() *ir.OpDef {
	return &ir.OpDef{ID: SSACFGRegion, Regions: []ir.RegionDef{{Name: "region"}}, Traits: ir.TraitNoTerminator}
}

func mergeBlocksDef() *ir.OpDef {
	return &ir.OpDef{ID: MergeBlocks, Results: []ir.ResultDef{ir.VariadicResult("result", constraint.AnyType)}, Regions: []ir.RegionDef{{Name: "body"}}}
}

func regionPatternDef() *ir.OpDef {
	return &ir.OpDef{ID: RegionPattern, Regions: []ir.RegionDef{{Name: "region", Sized: 1}},
		Models: []ir.Model{rewrite.Canonicalization.Model([]rewrite.Pattern{{Name: "TestRemoveOpWithInnerOps", Rewrite: func(r *rewrite.Rewriter, op *ir.Op) bool {
			r.Erase(op)
			return true
		}}})}}
}

func singleBlockImplicitTerminatorDef() *ir.OpDef {
	return &ir.OpDef{
		ID: SingleBlockImplicitTerminator, Regions: []ir.RegionDef{{Name: "region", Sized: 1}},
		Traits: ir.TraitSingleBlock, ImplicitTerminator: Finish,
	}
}

// IsolatedRegion gives its operand as the argument of its region, under the same
// name.
var IsolatedRegion = ir.NewOpID("test.isolated_region")

func isolatedRegionDef() *ir.OpDef {
	return &ir.OpDef{
		ID:       IsolatedRegion,
		Operands: []ir.OperandDef{ir.Operand("", constraint.Index)},
		Regions:  []ir.RegionDef{{Name: "region", Sized: 1}},
		Traits:   ir.TraitIsolatedFromAbove,
		Models: []ir.Model{asm.Assembly.Model(asm.OpAssembly{
			Parse: func(p *asm.Parser, s *ir.OpState) error {
				arg, err := p.Argument(false, false)
				if err != nil {
					return err
				}
				arg.Type = ir.Index
				if err := p.ResolveInto(s, ir.Index, arg.Unresolved); err != nil {
					return err
				}
				return p.ShadowingRegion(s.AddRegion(), []asm.Argument{arg})
			},
			Print: func(p *asm.Printer, op *ir.Op) {
				p.Text(" ")
				p.Operand(op.Operand(0))
				if b := op.BodyBlock(0); b != nil && b.NumArgs() == 1 {
					p.ShadowNames(op.RegionAt(0), op.Operands().Values())
				}
				p.Text(" ")
				p.Region(op.RegionAt(0), false, true, false)
			},
		})},
	}
}

// IsolatedRegions has any number of isolated regions.
var IsolatedRegions = ir.NewOpID("test.isolated_regions")

func isolatedRegionsDef() *ir.OpDef {
	return &ir.OpDef{
		ID:      IsolatedRegions,
		Regions: []ir.RegionDef{{Name: "regions", Variadic: true}},
		Traits:  ir.TraitIsolatedFromAbove,
		Format:  "attr-dict-with-keyword $regions",
	}
}

// GraphRegion is a region without dominance.
var GraphRegion = ir.NewOpID("test.graph_region")

func graphRegionDef() *ir.OpDef {
	return &ir.OpDef{
		ID:      GraphRegion,
		Regions: []ir.RegionDef{{Name: "region"}},
		Traits:  ir.TraitGraphRegion,
		Format:  "attr-dict-with-keyword $region",
	}
}

// AffineScope is the scope of affine symbols.
var AffineScope = ir.NewOpID("test.affine_scope")

func affineScopeDef() *ir.OpDef {
	return &ir.OpDef{
		ID:      AffineScope,
		Regions: []ir.RegionDef{{Name: "region", Sized: 1}},
		Traits:  ir.TraitAffineScope,
		Models: []ir.Model{asm.Assembly.Model(asm.OpAssembly{
			Parse: parseBody,
			Print: func(p *asm.Printer, op *ir.Op) {
				p.Text(" ")
				p.Region(op.RegionAt(0), false, true, false)
			},
		})},
	}
}

func parseBody(p *asm.Parser, s *ir.OpState) error { return p.Region(s.AddRegion(), nil) }

// Operations whose blocks have no terminators.
var (
	SingleNoTerminator       = ir.NewOpID("test.single_no_terminator_op")
	VariadicNoTerminator     = ir.NewOpID("test.variadic_no_terminator_op")
	SingleNoTerminatorCustom = ir.NewOpID("test.single_no_terminator_custom_asm_op")
)

func singleNoTerminatorDef() *ir.OpDef {
	return &ir.OpDef{
		ID: SingleNoTerminator, Regions: []ir.RegionDef{{Name: "my_region", Sized: 1}},
		Traits: ir.TraitSingleBlock | ir.TraitNoTerminator | ir.TraitGraphRegion, Format: "attr-dict `:` $my_region",
	}
}

func variadicNoTerminatorDef() *ir.OpDef {
	return &ir.OpDef{
		ID: VariadicNoTerminator, Regions: []ir.RegionDef{{Name: "my_regions", Variadic: true, Sized: 1}},
		Traits: ir.TraitSingleBlock | ir.TraitNoTerminator | ir.TraitGraphRegion, Format: "attr-dict `:` $my_regions",
	}
}

func singleNoTerminatorCustomDef() *ir.OpDef {
	return &ir.OpDef{
		ID: SingleNoTerminatorCustom, Regions: []ir.RegionDef{{Sized: 1}},
		Traits: ir.TraitSingleBlock | ir.TraitNoTerminator,
		Models: []ir.Model{asm.Assembly.Model(asm.OpAssembly{
			Parse: parseBody,
			// The parser needs no space before the region, and none is written.
			Print: func(p *asm.Printer, op *ir.Op) { p.Region(op.RegionAt(0), true, false, false) },
		})},
	}
}

// Symbol is a symbol and nothing else.
var Symbol = ir.NewOpID("test.symbol")

func symbolDef() *ir.OpDef {
	return &ir.OpDef{
		ID: Symbol,
		Attrs: []ir.AttrDef{{Name: "sym_name", Type: constraint.StrAttr},
			{Name: "sym_visibility", Type: constraint.StrAttr, Optional: true}},
		Traits: ir.TraitSymbol | ir.TraitNoMemoryEffect,
		Models: []ir.Model{
			exec.Executable.Model(exec.Nothing),
		},
	}
}

var scopeRegion = []ir.RegionDef{{Name: "region", Sized: 1}}

// Scopes of symbols.
var (
	SymbolScope         = ir.NewOpID("test.symbol_scope")
	SymbolScopeIsolated = ir.NewOpID("test.symbol_scope_isolated")
)

func symbolScopeDef() *ir.OpDef {
	return &ir.OpDef{
		ID: SymbolScope, Regions: scopeRegion, Traits: ir.TraitSymbolTable | ir.TraitSingleBlock,
		ImplicitTerminator: Finish,
		Models: []ir.Model{
			exec.Executable.Model(exec.Nothing),
		},
	}
}

func symbolScopeIsolatedDef() *ir.OpDef {
	return &ir.OpDef{
		ID: SymbolScopeIsolated, Regions: scopeRegion,
		Traits: ir.TraitSymbolTable | ir.TraitSingleBlock | ir.TraitIsolatedFromAbove, ImplicitTerminator: Finish,
		Models: []ir.Model{
			exec.Executable.Model(exec.Nothing),
		},
	}
}
