package mlprogram

import (
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/constraint"
	"freehold/ir/interfaces"
)

const tokenMnemonic = "token"

// tokenType constrains tokens, by which operations of a graph are ordered.
var tokenType = constraint.DialectType("Token for establishing execution ordering in a graph", dialectName, tokenMnemonic)

// parseType reads !ml_program.token.
func parseType(p *asm.Parser, mnemonic string) (ir.Type, error) {
	if mnemonic != tokenMnemonic {
		return nil, nil
	}
	return tokenType.Buildable(p.Context()), nil
}

// Operations of graphs.
var (
	// Token is ml_program.token, a token that nothing comes before.
	Token = ir.NewOpID("ml_program.token")
	// GlobalLoadGraph is ml_program.global_load_graph, which reads a variable after what has made the tokens.
	GlobalLoadGraph = ir.NewOpID("ml_program.global_load_graph")
	// GlobalStoreGraph is ml_program.global_store_graph, which writes a variable after what has made the tokens.
	GlobalStoreGraph = ir.NewOpID("ml_program.global_store_graph")
)

func tokenDef() *ir.OpDef {
	return &ir.OpDef{
		ID:      Token,
		Results: ir.SingleResult("token", tokenType),
		Traits:  ir.TraitPure,
		Format:  "attr-dict",
	}
}

var (
	consumed = ir.OperandDef{Name: "consumeTokens", Type: tokenType, Arity: ir.Variadic}
	produced = ir.ResultDef{Name: "produceToken", Type: tokenType}
)

func globalLoadGraphDef() *ir.OpDef {
	return &ir.OpDef{
		ID:               GlobalLoadGraph,
		Operands:         []ir.OperandDef{consumed},
		Results:          []ir.ResultDef{{Name: "result", Type: constraint.AnyType}, produced},
		Attrs:            []ir.AttrDef{{Name: globalAttr, Type: constraint.SymbolRef}},
		Format:           "$global `` custom<TokenOrdering>($consumeTokens, type($produceToken)) `:` type($result) attr-dict",
		VerifySymbolUses: verifyLoad,
		Models: []ir.Model{
			asm.ResultNames.Model(func(op *ir.Op, name func(*ir.Value, string)) {
				name(op.Result(0), "result")
				name(op.Result(1), "produceToken")
			}),
			interfaces.FixedEffects(interfaces.Effect{Kind: interfaces.Read}),
		},
	}
}

// A store whose token isn't used needn't happen: its effect is what orders it, not that it writes.
func globalStoreGraphDef() *ir.OpDef {
	return &ir.OpDef{
		ID:               GlobalStoreGraph,
		Operands:         []ir.OperandDef{ir.Operand("value", constraint.AnyType), consumed},
		Results:          []ir.ResultDef{produced},
		Attrs:            []ir.AttrDef{{Name: globalAttr, Type: constraint.SymbolRef}},
		Format:           "$global `=` $value `` custom<TokenOrdering>($consumeTokens, type($produceToken)) `:` type($value) attr-dict",
		VerifySymbolUses: verifyStore,
		Models:           []ir.Model{interfaces.FixedEffects(interfaces.Effect{Kind: interfaces.Read})},
	}
}

// tokenOrdering is ordering(%a, %b -> !ml_program.token), with () if there are no tokens before the arrow. Its arguments are these tokens,
// and the type of the new one.
var tokenOrdering = asm.Directive{Parse: parseOrdering, Print: printOrdering}

func parseOrdering(p *asm.Parser, s *asm.FormatState, args []asm.DirectiveArg) error {
	if !p.OptionalKeyword("ordering") {
		return nil
	}
	if err := p.Expect("("); err != nil {
		return err
	}
	var tokens []asm.Unresolved
	if p.Optional("(") {
		if err := p.Expect(")"); err != nil {
			return err
		}
	} else {
		var err error
		if tokens, err = p.Operands(asm.NoDelimiter); err != nil {
			return err
		}
	}
	s.SetOperands(args[0].Name, tokens)
	if err := p.Expect("->"); err != nil {
		return err
	}
	t, err := p.Type()
	if err != nil {
		return err
	}
	s.SetTypes(args[1].Name, []ir.Type{t})
	return p.Expect(")")
}

func printOrdering(p *asm.Printer, op *ir.Op, args []asm.DirectiveArg) {
	p.Text(" ordering(")
	tokens := op.Operands().Values()
	if op.Is(GlobalStoreGraph) {
		tokens = tokens[1:]
	}
	if len(tokens) == 0 {
		p.Text("()")
	}
	p.Operands(tokens)
	p.Text(" -> ")
	p.Type(op.Result(op.NumResults() - 1).Type())
	p.Text(")")
}
