// Package check is the dialect of operations that compare what a program computes with what was expected, as programs have them
// that test StableHLO. They take tensors or, when these have become buffers, memrefs; where a program is executed, it fails at
// the first element that differs.
package check

import (
	"freehold/exec"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/constraint"
	"freehold/ir/interfaces"
)

// The comparisons.
var (
	// ExpectEq wants the same elements; NaN is the same as NaN, and -0 as 0.
	ExpectEq = ir.NewOpID("check.expect_eq")
	// ExpectAlmostEq wants elements at a distance of at most a tolerance.
	ExpectAlmostEq = ir.NewOpID("check.expect_almost_eq")
	// ExpectClose wants elements between which there are no more than some numbers of their type.
	ExpectClose = ir.NewOpID("check.expect_close")

	// Those with an expectation that is a constant of the operation become one of the above.
	ExpectEqConst       = ir.NewOpID("check.expect_eq_const")
	ExpectAlmostEqConst = ir.NewOpID("check.expect_almost_eq_const")
)

// The attributes that say how exact a result has to be.
const (
	ToleranceAttr = "tolerance"
	MinULPAttr    = "min_ulp_difference"
	MaxULPAttr    = "max_ulp_difference"
)

// Dialect is the check dialect.
var Dialect = &ir.Dialect{
	Name: "check",
	Ops: func() []*ir.OpDef {
		return []*ir.OpDef{
			comparison(ExpectEq),
			comparison(ExpectAlmostEq, tolerance),
			comparison(ExpectClose, ulps(MinULPAttr), ulps(MaxULPAttr)),
			withConstant(ExpectEqConst),
			withConstant(ExpectAlmostEqConst, tolerance),
		}
	},
	Models: []ir.Model{
		asm.Directives.Model(map[string]asm.Directive{"Types": {Parse: parseTypes, Print: printTypes}}),
		interfaces.Inliner.Model(interfaces.InlineAnywhere{}),
	},
}

var tolerance = ir.AttrDef{Name: ToleranceAttr, Type: constraint.AnyAttr, Optional: true}

func ulps(name string) ir.AttrDef {
	return ir.AttrDef{Name: name, Type: constraint.Integer("64-bit integer attribute", ir.I64, nil), Optional: true}
}

// outcome is what a comparison changes: whether the program has failed.
var outcome = &interfaces.Resource{Name: "outcome of checks"}

var compared = constraint.Or(constraint.AnyRankedTensor, constraint.AnyMemRef)

func comparison(id *ir.OpID, attrs ...ir.AttrDef) *ir.OpDef {
	return &ir.OpDef{
		ID:       id,
		Operands: []ir.OperandDef{ir.Operand("actual", compared), ir.Operand("expected", compared)},
		Attrs:    attrs,
		Format:   "$actual `,` $expected attr-dict `:` custom<Types>(type($actual), type($expected))",
		Verify:   verifyComparison, VerifyAlone: true,
		Models: []ir.Model{
			interfaces.MemoryEffects.Model(effects),
			interfaces.Addresses(interfaces.ByPosition),
			interfaces.Bufferizable.Model(bufferize{}),
			exec.Executable.Model(execute),
		},
	}
}

// effects are those of a comparison: it reads buffers.
func effects(op *ir.Op) []interfaces.Effect {
	out := []interfaces.Effect{interfaces.Effect{Kind: interfaces.Write}.In(outcome)}
	for i, v := range op.Operands().Values() {
		if ir.IsMemRef(v.Type()) {
			out = append(out, interfaces.OnOperand(interfaces.Read, i))
		}
	}
	return out
}

func verifyComparison(op *ir.Op) error {
	a, b := ComparisonOp{op}.Actual().Type(), ComparisonOp{op}.Expected().Type()
	x, _ := ir.ShapeOf(a)
	y, _ := ir.ShapeOf(b)
	same := len(x) == len(y)
	for i := range min(len(x), len(y)) {
		same = same && (x[i] == y[i] || x[i] == ir.Dynamic || y[i] == ir.Dynamic)
	}
	if !same || ir.ElementType(a) != ir.ElementType(b) {
		return op.Errorf("compares values of the types %s and %s", a, b)
	}
	return nil
}

// withConstant declares a comparison whose expectation is an attribute, which is made a constant before it is executed.
func withConstant(id *ir.OpID, attrs ...ir.AttrDef) *ir.OpDef {
	return &ir.OpDef{
		ID:       id,
		Operands: []ir.OperandDef{ir.Operand("actual", constraint.AnyRankedTensor)},
		Attrs:    append(attrs, ir.AttrDef{Name: "value", Type: constraint.TypedAttr}),
		Format:   "$actual `,` $value attr-dict",
		TypeRules: []ir.TypeRule{{From: "value", To: "actual", Transform: func(t ir.Type) ir.Type { return t },
			Summary: "all of {actual, value} have same type"}},
		Models: []ir.Model{interfaces.MemoryEffects.Model(effects)},
	}
}

type bufferize struct{ interfaces.BufferizeDefaults }

func (bufferize) Reads(*ir.Use, interfaces.AnalysisState) bool { return true }

// Bufferize makes the comparison one of buffers.
func (bufferize) Bufferize(op *ir.Op, b interfaces.Bufferizer) error {
	s := b.Builder().State(op.ID())
	s.Operands = make([]*ir.Value, op.NumOperands())
	for i, v := range op.Operands().Values() {
		buffer := v
		if ir.IsTensor(v.Type()) {
			var err error
			if buffer, err = b.Buffer(v); err != nil {
				return err
			}
		}
		s.Operands[i] = buffer
	}
	s.Attrs = op.AllAttrs()
	b.Builder().Create(s)
	b.Replace(op)
	return nil
}

// parseTypes reads the type of both operands, or those of each.
func parseTypes(p *asm.Parser, s *asm.FormatState, args []asm.DirectiveArg) error {
	t, err := p.Type()
	if err != nil {
		return err
	}
	s.SetTypes(args[0].Name, []ir.Type{t})
	if p.Optional(",") {
		if t, err = p.Type(); err != nil {
			return err
		}
	}
	s.SetTypes(args[1].Name, []ir.Type{t})
	return nil
}

func printTypes(p *asm.Printer, op *ir.Op, _ []asm.DirectiveArg) {
	types := op.Operands().Types()
	if types[0] == types[1] {
		types = types[:1]
	}
	p.Types(types)
}
