// Package index defines the index dialect: arithmetic on values of type index that
// is valid whether they have 32 or 64 bits.
package index

import (
	"freehold/exec"
	"freehold/iface"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/constraint"
)

// Dialect is the index dialect.
var Dialect = &ir.Dialect{
	Name: "index",
	Ops: []*ir.OpDef{
		Add, And, BoolConstant, CastS, CastU, CeilDivS, CeilDivU, Cmp, Constant, DivS, DivU, FloorDivS, MaxS, MaxU,
		MinS, MinU, Mul, Or, RemS, RemU, Shl, ShrS, ShrU, SizeOf, Sub, XOr,
	},
	Models: []ir.Model{
		exec.DialectModels.Model(execute),
		exec.DialectElementwise.Model(elementwise),
		asm.Enums.Model([]*ir.EnumDef{CmpPredicate}),
		iface.ConstantMaterializer.Model(materialize),
		iface.Inliner.Model(inliner{}),
	},
}

// CmpPredicate is #index<cmp_predicate ...>, the predicate of index.cmp; the
// values are those of arith's.
var CmpPredicate = &ir.EnumDef{
	Dialect: "index", Mnemonic: "cmp_predicate", Name: "IndexCmpPredicate", Attr: "IndexCmpPredicateAttr", Bare: true,
	Cases: []ir.EnumCase{
		{Keyword: "eq", Value: 0}, {Keyword: "ne", Value: 1}, {Keyword: "slt", Value: 2}, {Keyword: "sle", Value: 3},
		{Keyword: "sgt", Value: 4}, {Keyword: "sge", Value: 5}, {Keyword: "ult", Value: 6}, {Keyword: "ule", Value: 7},
		{Keyword: "ugt", Value: 8}, {Keyword: "uge", Value: 9},
	},
}

func binary(name string, traits ir.Traits) *ir.OpDef {
	return &ir.OpDef{
		Name:     "index." + name,
		Operands: []ir.OperandDef{{Name: "lhs", Type: constraint.Index}, {Name: "rhs", Type: constraint.Index}},
		Results:  []ir.ResultDef{{Name: "result", Type: constraint.Index}},
		Traits:   traits,
		Format:   "$lhs `,` $rhs attr-dict",
		InferTypes: func(*ir.OpState) ([]ir.Type, error) {
			return []ir.Type{ir.Index}, nil
		},
	}
}

// Arithmetic. Divisions are undefined for some operands.
var (
	Add       = binary("add", ir.TraitPure|ir.TraitCommutative)
	Sub       = binary("sub", ir.TraitPure)
	Mul       = binary("mul", ir.TraitPure|ir.TraitCommutative)
	DivS      = binary("divs", ir.TraitNoMemoryEffect)
	DivU      = binary("divu", ir.TraitNoMemoryEffect)
	CeilDivS  = binary("ceildivs", ir.TraitNoMemoryEffect)
	CeilDivU  = binary("ceildivu", ir.TraitNoMemoryEffect)
	FloorDivS = binary("floordivs", ir.TraitNoMemoryEffect)
	RemS      = binary("rems", ir.TraitNoMemoryEffect)
	RemU      = binary("remu", ir.TraitNoMemoryEffect)
	MaxS      = binary("maxs", ir.TraitPure|ir.TraitCommutative)
	MaxU      = binary("maxu", ir.TraitPure|ir.TraitCommutative)
	MinS      = binary("mins", ir.TraitPure|ir.TraitCommutative)
	MinU      = binary("minu", ir.TraitPure|ir.TraitCommutative)
	Shl       = binary("shl", ir.TraitPure)
	ShrS      = binary("shrs", ir.TraitPure)
	ShrU      = binary("shru", ir.TraitPure)
	And       = binary("and", ir.TraitPure|ir.TraitCommutative)
	Or        = binary("or", ir.TraitPure|ir.TraitCommutative)
	XOr       = binary("xor", ir.TraitPure|ir.TraitCommutative)
)

var intOrIndex = constraint.Or(constraint.AnyInteger, constraint.Index)

func cast(name string) *ir.OpDef {
	return &ir.OpDef{
		Name:     "index." + name,
		Operands: []ir.OperandDef{{Name: "input", Type: intOrIndex}},
		Results:  []ir.ResultDef{{Name: "output", Type: intOrIndex}},
		Traits:   ir.TraitPure,
		Format:   "$input attr-dict `:` type($input) `to` type($output)",
		Verify: func(op *ir.Op) error {
			in, out := op.Operand(0).Type(), op.Result(0).Type()
			if (in == ir.Type(ir.Index)) == (out == ir.Type(ir.Index)) {
				return op.Errorf("operand type '%s' and result type '%s' are cast incompatible", in, out)
			}
			return nil
		},
		Models: []ir.Model{iface.Cast.Model(struct{}{})},
	}
}

// Casts between index and integers.
var (
	CastS = cast("casts")
	CastU = cast("castu")
)

// Cmp is index.cmp, a comparison.
var Cmp = &ir.OpDef{
	Name:       "index.cmp",
	Operands:   []ir.OperandDef{{Name: "lhs", Type: constraint.Index}, {Name: "rhs", Type: constraint.Index}},
	Results:    []ir.ResultDef{{Name: "result", Type: constraint.I1}},
	Attrs:      []ir.AttrDef{{Name: "pred", Type: constraint.Enum("index comparison predicate kind", CmpPredicate)}},
	Traits:     ir.TraitPure,
	Format:     "`` $pred `(` $lhs `,` $rhs `)` attr-dict",
	InferTypes: func(*ir.OpState) ([]ir.Type, error) { return []ir.Type{ir.I1}, nil },
}

// SizeOf is index.sizeof, the width of index in bits.
var SizeOf = &ir.OpDef{
	Name:       "index.sizeof",
	Results:    []ir.ResultDef{{Name: "result", Type: constraint.Index}},
	Traits:     ir.TraitPure,
	Format:     "attr-dict",
	InferTypes: func(*ir.OpState) ([]ir.Type, error) { return []ir.Type{ir.Index}, nil },
}

func constant(name string, result ir.TypeConstraint, attr ir.AttrConstraint, t ir.Type, resultName func(*ir.IntegerAttr) string) *ir.OpDef {
	return &ir.OpDef{
		Name:       "index." + name,
		Results:    []ir.ResultDef{{Name: "result", Type: result}},
		Attrs:      []ir.AttrDef{{Name: "value", Type: attr}},
		Traits:     ir.TraitPure | ir.TraitConstantLike,
		Format:     "attr-dict $value",
		InferTypes: func(*ir.OpState) ([]ir.Type, error) { return []ir.Type{t}, nil },
		Models: []ir.Model{asm.ResultNames.Model(func(op *ir.Op, name func(*ir.Value, string)) {
			name(op.Result(0), resultName(op.Prop(0).(*ir.IntegerAttr)))
		})},
	}
}

// Constant is index.constant.
var Constant = constant("constant", constraint.Index, constraint.IndexAttr, ir.Index, func(a *ir.IntegerAttr) string {
	return "idx" + a.BigInt().String()
})

// BoolConstant is index.bool.constant.
var BoolConstant = constant("bool.constant", constraint.I1, constraint.BoolAttr, ir.I1, func(a *ir.IntegerAttr) string {
	if a.Value != 0 {
		return "true"
	}
	return "false"
})

// materialize creates the constant for a folded attribute.
func materialize(b *ir.Builder, value ir.Attribute, t ir.Type) *ir.Op {
	i, ok := value.(*ir.IntegerAttr)
	if !ok || i.Type != t {
		return nil
	}
	def := Constant
	switch t {
	case ir.Type(ir.Index):
	case ir.Type(ir.I1):
		def = BoolConstant
	default:
		return nil
	}
	return b.CreateOp(def, []ir.Type{t}, nil, ir.NamedAttr{Name: "value", Value: i})
}

type inliner struct{}

func (inliner) LegalCall(call, callee *ir.Op) bool                     { return true }
func (inliner) LegalOp(op *ir.Op, dest *ir.Region) bool                { return true }
func (inliner) Terminator(*ir.Builder, *ir.Op, *ir.Block, []*ir.Value) {}
