// Package index defines the index dialect: arithmetic on values of type index that
// is valid whether they have 32 or 64 bits.
package index

import (
	"freehold/exec"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/constraint"
	"freehold/ir/interfaces"
	"freehold/ir/rewrite"
)

// Dialect is the index dialect.
var Dialect = &ir.Dialect{
	Name: "index",
	Ops: func() []*ir.OpDef {
		return []*ir.OpDef{
			addDef(), andDef(), boolConstantDef(), castSDef(), castUDef(), ceilDivSDef(), ceilDivUDef(), cmpDef(), constantDef(), divSDef(), divUDef(), floorDivSDef(), maxSDef(), maxUDef(),
			minSDef(), minUDef(), mulDef(), orDef(), remSDef(), remUDef(), shlDef(), shrSDef(), shrUDef(), sizeOfDef(), subDef(), xOrDef(),
		}
	},
	Models: []ir.Model{
		asm.Enums.Model([]*ir.EnumDef{CmpPredicate}),
		interfaces.ConstantMaterializer.Model(materialize),
		interfaces.Inliner.Model(interfaces.InlineAnywhere{}),
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

func binary(id *ir.OpID, traits ir.Traits) *ir.OpDef {
	return &ir.OpDef{
		ID:       id,
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
	Add       = ir.NewOpID("index.add")
	Sub       = ir.NewOpID("index.sub")
	Mul       = ir.NewOpID("index.mul")
	DivS      = ir.NewOpID("index.divs")
	DivU      = ir.NewOpID("index.divu")
	CeilDivS  = ir.NewOpID("index.ceildivs")
	CeilDivU  = ir.NewOpID("index.ceildivu")
	FloorDivS = ir.NewOpID("index.floordivs")
	RemS      = ir.NewOpID("index.rems")
	RemU      = ir.NewOpID("index.remu")
	MaxS      = ir.NewOpID("index.maxs")
	MaxU      = ir.NewOpID("index.maxu")
	MinS      = ir.NewOpID("index.mins")
	MinU      = ir.NewOpID("index.minu")
	Shl       = ir.NewOpID("index.shl")
	ShrS      = ir.NewOpID("index.shrs")
	ShrU      = ir.NewOpID("index.shru")
	And       = ir.NewOpID("index.and")
	Or        = ir.NewOpID("index.or")
	XOr       = ir.NewOpID("index.xor")
)

func addDef() *ir.OpDef {
	return binary(Add, ir.TraitPure|ir.TraitCommutative).With(ir.OpDef{
		// What the low 32 bits of the result are depends on no higher bits of these.
		Fold: folder(false, func(x, y int64, _ int) (int64, bool) { return x + y, true }, 0),
		Models: []ir.Model{
			associative,
			exec.Elementwise.Model(always(exec.Add(64))),
		},
	})
}

func subDef() *ir.OpDef {
	return binary(Sub, ir.TraitPure).With(ir.OpDef{
		Fold: folder(false, func(x, y int64, _ int) (int64, bool) { return x - y, true }, 0),
		Models: []ir.Model{
			exec.Elementwise.Model(always(exec.Sub(64))),
		},
	})
}

func mulDef() *ir.OpDef {
	return binary(Mul, ir.TraitPure|ir.TraitCommutative).With(ir.OpDef{
		Fold: foldMul,
		Models: []ir.Model{
			associative,
			exec.Elementwise.Model(always(exec.Mul(64))),
		},
	})
}

func divSDef() *ir.OpDef {
	return binary(DivS, ir.TraitNoMemoryEffect).With(ir.OpDef{
		// These are folded where the results for 32 and 64 bits agree.
		Fold: folder(true, divS, none),
		Models: []ir.Model{
			exec.Elementwise.Model(always(exec.DivS(64))),
		},
	})
}

func divUDef() *ir.OpDef {
	return binary(DivU, ir.TraitNoMemoryEffect).With(ir.OpDef{
		Fold: folder(true, func(x, y int64, w int) (int64, bool) {
			if y == 0 {
				return 0, false
			}
			return int64(unsigned(x, w) / unsigned(y, w)), true
		}, none),
		Models: []ir.Model{
			exec.Elementwise.Model(always(exec.DivU(64))),
		},
	})
}

func ceilDivSDef() *ir.OpDef {
	return binary(CeilDivS, ir.TraitNoMemoryEffect).With(ir.OpDef{
		Fold: folder(true, func(x, y int64, w int) (int64, bool) {
			q, ok := divS(x, y, w)
			if ok && x%y != 0 && (x < 0) == (y < 0) {
				q++
			}
			return q, ok
		}, none),
		Models: []ir.Model{
			exec.Elementwise.Model(always(exec.CeilDivS(64))),
		},
	})
}

func ceilDivUDef() *ir.OpDef {
	return binary(CeilDivU, ir.TraitNoMemoryEffect).With(ir.OpDef{
		Fold: folder(true, func(x, y int64, w int) (int64, bool) {
			n, m := unsigned(x, w), unsigned(y, w)
			if m == 0 {
				return 0, false
			}
			q := n / m
			if n%m != 0 {
				q++
			}
			return int64(q), true
		}, none),
		Models: []ir.Model{
			exec.Elementwise.Model(always(exec.CeilDivU(64))),
		},
	})
}

func floorDivSDef() *ir.OpDef {
	return binary(FloorDivS, ir.TraitNoMemoryEffect).With(ir.OpDef{
		Fold: folder(true, func(x, y int64, w int) (int64, bool) {
			q, ok := divS(x, y, w)
			if ok && x%y != 0 && (x < 0) != (y < 0) {
				q--
			}
			return q, ok
		}, none),
		Models: []ir.Model{
			exec.Elementwise.Model(always(exec.FloorDivS(64))),
		},
	})
}

func remSDef() *ir.OpDef {
	return binary(RemS, ir.TraitNoMemoryEffect).With(ir.OpDef{
		Fold: folder(true, func(x, y int64, _ int) (int64, bool) {
			switch y {
			case 0:
				return 0, false
			case -1:
				return 0, true
			}
			return x % y, true
		}, none),
		Models: []ir.Model{
			exec.Elementwise.Model(always(exec.RemS(64))),
		},
	})
}

func remUDef() *ir.OpDef {
	return binary(RemU, ir.TraitNoMemoryEffect).With(ir.OpDef{
		Fold: folder(true, func(x, y int64, w int) (int64, bool) {
			if y == 0 {
				return 0, false
			}
			return int64(unsigned(x, w) % unsigned(y, w)), true
		}, none),
		Models: []ir.Model{
			exec.Elementwise.Model(always(exec.RemU(64))),
		},
	})
}

func maxSDef() *ir.OpDef {
	return binary(MaxS, ir.TraitPure|ir.TraitCommutative).With(ir.OpDef{
		Fold: folder(true, func(x, y int64, _ int) (int64, bool) { return max(x, y), true }, none),
		Models: []ir.Model{
			associative,
			exec.Elementwise.Model(always(exec.MaxS(64))),
		},
	})
}

func maxUDef() *ir.OpDef {
	return binary(MaxU, ir.TraitPure|ir.TraitCommutative).With(ir.OpDef{
		Fold: folder(true, func(x, y int64, w int) (int64, bool) { return int64(max(unsigned(x, w), unsigned(y, w))), true }, none),
		Models: []ir.Model{
			associative,
			exec.Elementwise.Model(always(exec.MaxU(64))),
		},
	})
}

func minSDef() *ir.OpDef {
	return binary(MinS, ir.TraitPure|ir.TraitCommutative).With(ir.OpDef{
		Fold: folder(true, func(x, y int64, _ int) (int64, bool) { return min(x, y), true }, none),
		Models: []ir.Model{
			associative,
			exec.Elementwise.Model(always(exec.MinS(64))),
		},
	})
}

func minUDef() *ir.OpDef {
	return binary(MinU, ir.TraitPure|ir.TraitCommutative).With(ir.OpDef{
		Fold: folder(true, func(x, y int64, w int) (int64, bool) { return int64(min(unsigned(x, w), unsigned(y, w))), true }, none),
		Models: []ir.Model{
			associative,
			exec.Elementwise.Model(always(exec.MinU(64))),
		},
	})
}

func shlDef() *ir.OpDef {
	return binary(Shl, ir.TraitPure).With(ir.OpDef{
		Fold: folder(false, func(x, y int64, _ int) (int64, bool) { return x << uint(y&63), y >= 0 && y < 32 }, none),
		Models: []ir.Model{
			exec.Elementwise.Model(always(exec.Shl(64))),
		},
	})
}

func shrSDef() *ir.OpDef {
	return binary(ShrS, ir.TraitPure).With(ir.OpDef{
		Fold: folder(true, func(x, y int64, _ int) (int64, bool) { return x >> uint(y&63), y >= 0 && y < 32 }, none),
		Models: []ir.Model{
			exec.Elementwise.Model(always(exec.ShrS(64))),
		},
	})
}

func shrUDef() *ir.OpDef {
	return binary(ShrU, ir.TraitPure).With(ir.OpDef{
		Fold: folder(true, func(x, y int64, w int) (int64, bool) {
			return int64(unsigned(x, w) >> uint(y&63)), y >= 0 && y < 32
		}, none),
		Models: []ir.Model{
			exec.Elementwise.Model(always(exec.ShrU(64))),
		},
	})
}

func andDef() *ir.OpDef {
	return binary(And, ir.TraitPure|ir.TraitCommutative).With(ir.OpDef{
		Fold: folder(false, func(x, y int64, _ int) (int64, bool) { return x & y, true }, none),
		Models: []ir.Model{
			associative,
			exec.Elementwise.Model(always(exec.And(64))),
		},
	})
}

func orDef() *ir.OpDef {
	return binary(Or, ir.TraitPure|ir.TraitCommutative).With(ir.OpDef{
		Fold: folder(false, func(x, y int64, _ int) (int64, bool) { return x | y, true }, none),
		Models: []ir.Model{
			associative,
			exec.Elementwise.Model(always(exec.Or(64))),
		},
	})
}

func xOrDef() *ir.OpDef {
	return binary(XOr, ir.TraitPure|ir.TraitCommutative).With(ir.OpDef{
		Fold: folder(false, func(x, y int64, _ int) (int64, bool) { return x ^ y, true }, none),
		Models: []ir.Model{
			associative,
			exec.Elementwise.Model(always(exec.Xor(64))),
		},
	})
}

var intOrIndex = constraint.Or(constraint.AnyInteger, constraint.Index)

func cast(id *ir.OpID) *ir.OpDef {
	return &ir.OpDef{
		ID:       id,
		Operands: []ir.OperandDef{{Name: "input", Type: intOrIndex}},
		Results:  []ir.ResultDef{{Name: "output", Type: intOrIndex}},
		Traits:   ir.TraitPure,
		Format:   "$input attr-dict `:` type($input) `to` type($output)",
		Verify: func(op *ir.Op) error {
			in, out := op.OnlyOperand().Type(), op.Result(0).Type()
			if (in == ir.Type(ir.Index)) == (out == ir.Type(ir.Index)) {
				return op.Errorf("operand type '%s' and result type '%s' are cast incompatible", in, out)
			}
			return nil
		},
		Models: []ir.Model{interfaces.Cast.Model(struct{}{})},
	}
}

// Casts between index and integers.
var (
	CastS = ir.NewOpID("index.casts")
	CastU = ir.NewOpID("index.castu")
)

func castSDef() *ir.OpDef {
	return cast(CastS).With(ir.OpDef{
		Fold: func(op *ir.Op, operands []ir.Attribute) []ir.FoldResult { return foldCast(op, operands, true) },
		Models: []ir.Model{
			exec.Elementwise.Model(resize(true)),
		},
	})
}

func castUDef() *ir.OpDef {
	return cast(CastU).With(ir.OpDef{
		Fold: func(op *ir.Op, operands []ir.Attribute) []ir.FoldResult { return foldCast(op, operands, false) },
		Models: []ir.Model{
			exec.Elementwise.Model(resize(false)),
		},
	})
}

// Cmp is index.cmp, a comparison.
var Cmp = ir.NewOpID("index.cmp")

func cmpDef() *ir.OpDef {
	return &ir.OpDef{
		ID:         Cmp,
		Operands:   []ir.OperandDef{{Name: "lhs", Type: constraint.Index}, {Name: "rhs", Type: constraint.Index}},
		Results:    []ir.ResultDef{{Name: "result", Type: constraint.I1}},
		Attrs:      []ir.AttrDef{{Name: "pred", Type: constraint.Enum("index comparison predicate kind", CmpPredicate)}},
		Traits:     ir.TraitPure,
		Format:     "`` $pred `(` $lhs `,` $rhs `)` attr-dict",
		InferTypes: func(*ir.OpState) ([]ir.Type, error) { return []ir.Type{ir.I1}, nil },
		Fold:       foldCmp,
		Models: []ir.Model{
			exec.Elementwise.Model(computeCmp),
			rewrite.Canonicalization.Model([]rewrite.Pattern{{Name: "CmpOp", Rewrite: cmpOfSub}}),
		},
	}
}

// SizeOf is index.sizeof, the width of index in bits.
var SizeOf = ir.NewOpID("index.sizeof")

func sizeOfDef() *ir.OpDef {
	return &ir.OpDef{
		ID:         SizeOf,
		Results:    []ir.ResultDef{{Name: "result", Type: constraint.Index}},
		Traits:     ir.TraitPure,
		Format:     "attr-dict",
		InferTypes: func(*ir.OpState) ([]ir.Type, error) { return []ir.Type{ir.Index}, nil },
		Models: []ir.Model{
			exec.Executable.Model(executeSizeOf),
		},
	}
}

func constant(id *ir.OpID, result ir.TypeConstraint, attr ir.AttrConstraint, t ir.Type, resultName func(*ir.IntegerAttr) string) *ir.OpDef {
	return &ir.OpDef{
		ID:         id,
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
var Constant = ir.NewOpID("index.constant")

func constantDef() *ir.OpDef {
	return constant(Constant, constraint.Index, constraint.IndexAttr, ir.Index, func(a *ir.IntegerAttr) string {
		return "idx" + a.BigInt().String()
	})
}

// BoolConstant is index.bool.constant.
var BoolConstant = ir.NewOpID("index.bool.constant")

func boolConstantDef() *ir.OpDef {
	return constant(BoolConstant, constraint.I1, constraint.BoolAttr, ir.I1, func(a *ir.IntegerAttr) string {
		if a.Value != 0 {
			return "true"
		}
		return "false"
	})
}

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
