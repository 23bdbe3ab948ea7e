package gpu

import (
	"slices"

	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/constraint"
	"freehold/ir/interfaces"
)

const (
	dialectName    = "gpu"
	tokenMnemonic  = "async.token"
	matrixMnemonic = "mma_matrix"
)

// types are the mnemonics of the dialect's types.
var types = []string{tokenMnemonic, matrixMnemonic, "sparse.dntensor_handle", "sparse.spmat_handle", "sparse.spgemmop_handle"}

// tokenType constrains tokens, which stand for work that a device does until somebody waits for it.
var tokenType = constraint.DialectType("async token type", dialectName, tokenMnemonic)

// parseType reads the types without parameters. Those of !gpu.mma_matrix are not looked at.
func parseType(p *asm.Parser, mnemonic string) (ir.Type, error) {
	switch {
	case mnemonic == matrixMnemonic:
		return nil, nil
	case slices.Contains(types, mnemonic):
		return p.Context().DialectTypeOf(p.Context().Dialect(dialectName), mnemonic), nil
	}
	return nil, p.Errorf(p.SymbolPos(), "unknown gpu type: %s", mnemonic)
}

// dependencies and token are what operations of AsyncOpInterface have: they begin when what they depend on has ended, and are
// asynchronous if they have a token.
var (
	dependencies = ir.OperandDef{Name: "asyncDependencies", Type: tokenType, Arity: ir.Variadic}
	token        = ir.ResultDef{Name: "asyncToken", Type: tokenType, Arity: ir.Optional}
)

const asyncFormat = "custom<AsyncDependencies>(type($asyncToken), $asyncDependencies)"

// async is how operations of AsyncOpInterface are asynchronous.
type async struct{}

func (async) Token(op *ir.Op) *ir.Value             { return AsyncOp{op}.Token() }
func (async) Dependencies(op *ir.Op) (start, n int) { return op.OperandGroupRange(0) }

var asyncModel = interfaces.Asynchronous.Model(async{})

// AsyncOp is an operation that may depend on others, and may be asynchronous itself.
type AsyncOp struct{ *ir.Op }

// Dependencies returns the tokens that the operation waits for.
func (o AsyncOp) Dependencies() ir.Operands { return o.OperandGroup(0) }

// Token returns the token of an asynchronous operation, or nil.
func (o AsyncOp) Token() *ir.Value {
	if n := o.NumResults(); n > 0 && tokenType.Match(o.Result(n-1).Type()) {
		return o.Result(n - 1)
	}
	return nil
}

// asyncDependencies is async [%a, %b]: the word if the operation has a token, and what it depends on.
var asyncDependencies = asm.Directive{Parse: parseDependencies, Print: printDependencies}

func parseDependencies(p *asm.Parser, s *asm.FormatState, args []asm.DirectiveArg) error {
	pos := p.Pos()
	if p.OptionalKeyword("async") {
		if len(p.ResultNames()) == 0 {
			return p.Errorf(pos, "needs to be named when marked 'async'")
		}
		s.SetTypes(args[0].Name, []ir.Type{tokenType.Buildable(p.Context())})
	} else {
		s.SetTypes(args[0].Name, nil)
	}
	tokens, err := p.Operands(asm.OptionalSquare)
	s.SetOperands(args[1].Name, tokens)
	return err
}

func printDependencies(p *asm.Printer, op *ir.Op, _ []asm.DirectiveArg) {
	o := AsyncOp{op}
	async := o.Token() != nil
	if async {
		p.Text("async")
	}
	if tokens := o.Dependencies().Values(); len(tokens) > 0 {
		if async {
			p.Text(" ")
		}
		p.Text("[")
		p.Operands(tokens)
		p.Text("]")
	}
}
