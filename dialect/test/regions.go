package testd

import (
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/constraint"
	"freehold/ir/rewrite"
)

// Operations with regions that nothing is known about.
var (
	OneRegion   = &ir.OpDef{Name: "test.one_region_op", Regions: []ir.RegionDef{{}}}
	TwoRegion   = &ir.OpDef{Name: "test.two_region_op", Regions: []ir.RegionDef{{}, {}}}
	SizedRegion = &ir.OpDef{Name: "test.sized_region_op", Regions: []ir.RegionDef{{Name: "my_region", Sized: 2}, {Sized: 1}}}
	// SSACFGRegion is a region with dominance.
	SSACFGRegion = &ir.OpDef{Name: "test.ssacfg_region", Regions: []ir.RegionDef{{Name: "region"}}, Traits: ir.TraitNoTerminator}
	MergeBlocks  = &ir.OpDef{Name: "test.merge_blocks", Results: []ir.ResultDef{results("result", constraint.AnyType)}, Regions: []ir.RegionDef{{Name: "body"}}}
	// RegionTerminator ends a RegionPattern.
	RegionTerminator = &ir.OpDef{Name: "test.op_with_region_terminator", Traits: ir.TraitTerminator}
	RegionPattern    = &ir.OpDef{Name: "test.op_with_region_pattern", Regions: []ir.RegionDef{{Name: "region", Sized: 1}},
		Models: []ir.Model{rewrite.Canonicalization.Model([]rewrite.Pattern{{Name: "TestRemoveOpWithInnerOps", Rewrite: func(r *rewrite.Rewriter, op *ir.Op) bool {
			r.Erase(op)
			return true
		}}})}}
	// SingleBlockImplicitTerminator has a terminator that needn't be written.
	SingleBlockImplicitTerminator = &ir.OpDef{
		Name: "test.SingleBlockImplicitTerminator", Regions: []ir.RegionDef{{Name: "region", Sized: 1}},
		Traits: ir.TraitSingleBlock, ImplicitTerminator: "test.finish",
	}
)

// IsolatedRegion gives its operand as the argument of its region, under the same
// name.
var IsolatedRegion = &ir.OpDef{
	Name:     "test.isolated_region",
	Operands: []ir.OperandDef{operand("", constraint.Index)},
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

// IsolatedRegions has any number of isolated regions.
var IsolatedRegions = &ir.OpDef{
	Name:    "test.isolated_regions",
	Regions: []ir.RegionDef{{Name: "regions", Variadic: true}},
	Traits:  ir.TraitIsolatedFromAbove,
	Format:  "attr-dict-with-keyword $regions",
}

// GraphRegion is a region without dominance.
var GraphRegion = &ir.OpDef{
	Name:    "test.graph_region",
	Regions: []ir.RegionDef{{Name: "region"}},
	Traits:  ir.TraitGraphRegion | ir.TraitNoTerminator,
	Format:  "attr-dict-with-keyword $region",
}

// AffineScope is the scope of affine symbols.
var AffineScope = &ir.OpDef{
	Name:    "test.affine_scope",
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

func parseBody(p *asm.Parser, s *ir.OpState) error { return p.Region(s.AddRegion(), nil) }

// Operations whose blocks have no terminators.
var (
	SingleNoTerminator = &ir.OpDef{
		Name: "test.single_no_terminator_op", Regions: []ir.RegionDef{{Name: "my_region", Sized: 1}},
		Traits: ir.TraitSingleBlock | ir.TraitNoTerminator | ir.TraitGraphRegion, Format: "attr-dict `:` $my_region",
	}
	VariadicNoTerminator = &ir.OpDef{
		Name: "test.variadic_no_terminator_op", Regions: []ir.RegionDef{{Name: "my_regions", Variadic: true, Sized: 1}},
		Traits: ir.TraitSingleBlock | ir.TraitNoTerminator | ir.TraitGraphRegion, Format: "attr-dict `:` $my_regions",
	}
	SingleNoTerminatorCustom = &ir.OpDef{
		Name: "test.single_no_terminator_custom_asm_op", Regions: []ir.RegionDef{{Sized: 1}},
		Traits: ir.TraitSingleBlock | ir.TraitNoTerminator,
		Models: []ir.Model{asm.Assembly.Model(asm.OpAssembly{
			Parse: parseBody,
			// The parser needs no space before the region, and none is written.
			Print: func(p *asm.Printer, op *ir.Op) { p.Region(op.RegionAt(0), true, false, false) },
		})},
	}
)

// Symbol is a symbol and nothing else.
var Symbol = &ir.OpDef{
	Name: "test.symbol",
	Attrs: []ir.AttrDef{{Name: "sym_name", Type: constraint.StrAttr},
		{Name: "sym_visibility", Type: constraint.StrAttr, Optional: true}},
	Traits: ir.TraitSymbol | ir.TraitNoMemoryEffect,
}

var scopeRegion = []ir.RegionDef{{Name: "region", Sized: 1}}

// Scopes of symbols.
var (
	SymbolScope = &ir.OpDef{
		Name: "test.symbol_scope", Regions: scopeRegion, Traits: ir.TraitSymbolTable | ir.TraitSingleBlock,
		ImplicitTerminator: "test.finish",
	}
	SymbolScopeIsolated = &ir.OpDef{
		Name: "test.symbol_scope_isolated", Regions: scopeRegion,
		Traits: ir.TraitSymbolTable | ir.TraitSingleBlock | ir.TraitIsolatedFromAbove, ImplicitTerminator: "test.finish",
	}
)
