package affine

import (
	"math"

	"freehold/dialect/arith"
	"freehold/exec"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/constraint"
)

// DelinearizeIndex splits a number into digits of a mixed radix.
var DelinearizeIndex = ir.NewOpID("affine.delinearize_index")

var delinearizeIndexDef = &ir.OpDef{
	ID:       DelinearizeIndex,
	Operands: []ir.OperandDef{{Name: "linear_index", Type: constraint.Index}, indices("basis")},
	Results:  []ir.ResultDef{{Name: "multi_index", Type: constraint.Index, Arity: ir.Variadic}},
	Traits:   ir.TraitPure,
	Format:   "$linear_index `into` ` ` `(` $basis `)` attr-dict `:` type($multi_index)",
	Later: []ir.Spelling{{Since: 20,
		Format:      "$linear_index `into` custom<Basis>($basis, $static_basis) attr-dict `:` type($multi_index)",
		Attrs:       []ir.AttrDef{{Name: staticBasis, Type: constraint.DenseI64Array}},
		Discardable: []string{staticBasis},
		Spelled: func(op *ir.Op) []ir.NamedAttr {
			static := make([]int64, op.NumOperands()-1)
			for i := range static {
				static[i] = ir.Dynamic
			}
			return []ir.NamedAttr{{Name: staticBasis, Value: op.Context().DenseI64Array(static...)}}
		},
		Upgrade: materializeBasis}},
	InferTypes: func(s *ir.OpState) ([]ir.Type, error) {
		types := make([]ir.Type, len(s.Operands)-1)
		for i := range types {
			types[i] = ir.Index
		}
		return types, nil
	},
	Verify: func(op *ir.Op) error {
		n := op.NumOperands() - 1
		if n == 0 {
			return op.Errorf("basis should not be empty")
		}
		if op.NumResults() != n {
			return op.Errorf("should return an index for each basis element")
		}
		return nil
	},
	Models: []ir.Model{
		exec.Executable.Model(executeDelinearize),
	},
}

// staticBasis has the constants among the elements of the basis from LLVM 20 on.
const staticBasis = "static_basis"

// materializeBasis makes operands of the constants of a basis, and of the element that it may
// leave out: the first one, which no digit depends on.
func materializeBasis(b *ir.Builder, s *ir.OpState) error {
	static, ok := s.Attr(staticBasis).(*ir.DenseArrayAttr)
	if !ok || len(s.Operands) != 1+ir.NumDynamic(static.Ints()) {
		return nil
	}
	for i, a := range s.Attrs {
		if a.Name == staticBasis {
			s.Attrs = append(s.Attrs[:i:i], s.Attrs[i+1:]...)
			break
		}
	}
	operands, dynamic := s.Operands[:1:1], s.Operands[1:]
	if len(s.Types) == static.Len()+1 {
		operands = append(operands, arith.ConstantIndex(b, math.MaxInt64))
	}
	for _, n := range static.Ints() {
		if n != ir.Dynamic {
			operands = append(operands, arith.ConstantIndex(b, n))
			continue
		}
		operands = append(operands, dynamic[0])
		dynamic = dynamic[1:]
	}
	s.Operands = operands
	return nil
}

// basis is (4, %n): numbers and operands.
var basis = asm.Directive{
	Parse: func(p *asm.Parser, s *asm.FormatState, args []asm.DirectiveArg) error {
		l, err := p.IndexList(asm.Paren)
		if err != nil {
			return err
		}
		s.SetOperands(args[0].Name, l.Dynamic)
		s.SetAttr(args[1].Name, p.Context().DenseI64Array(l.Static...))
		return nil
	},
	Print: func(p *asm.Printer, op *ir.Op, _ []asm.DirectiveArg) {
		p.Text("(")
		p.Operands(op.Operands()[1:].Values())
		p.Text(")")
	},
}
