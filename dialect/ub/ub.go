// Package ub defines the ub dialect: values of undefined behaviour.
package ub

import (
	"freehold/exec"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/constraint"
	"freehold/ir/interfaces"
)

// Dialect is the ub dialect.
var Dialect = &ir.Dialect{
	Name: "ub",
	Ops: func() []*ir.OpDef {
		return []*ir.OpDef{poisonDef(), unreachableDef()}
	},
	Models: []ir.Model{
		interfaces.ConstantMaterializer.Model(materialize),
		interfaces.Inliner.Model(interfaces.InlineAnywhere{}),
		asm.AttrParser.Model(
			func(p *asm.Parser, mnemonic string, _ ir.Type) (ir.Attribute, error) {
				if mnemonic != poisonMnemonic {
					return nil, nil
				}
				return PoisonAttr(p.Context()), nil
			}),
	},
}

// Unreachable is ub.unreachable, which ends a block that is never left.
var Unreachable = ir.NewOpID("ub.unreachable")

func unreachableDef() *ir.OpDef {
	return &ir.OpDef{ID: Unreachable, Traits: ir.TraitTerminator, Format: "attr-dict",
		Models: []ir.Model{interfaces.FixedEffects(), exec.Executable.Model(executeUnreachable)}}
}

// Poison is ub.poison, a value that stands for deferred undefined behaviour.
var Poison = ir.NewOpID("ub.poison")

func poisonDef() *ir.OpDef {
	return &ir.OpDef{
		ID:      Poison,
		Results: []ir.ResultDef{{Name: "result", Type: constraint.AnyType}},
		Attrs:   []ir.AttrDef{{Name: "value", Type: poisonAttr, Default: PoisonAttr}},
		Traits:  ir.TraitPure | ir.TraitConstantLike,
		Format:  "attr-dict (`<` $value^ `>`)? `:` type($result)",
		Models: []ir.Model{
			exec.Executable.Model(executePoison),
			exec.MakesPoison.Model(struct{}{}),
		},
	}
}

var poisonAttr = ir.AttrConstraint{Summary: "PoisonAttrInterface instance", Match: IsPoison, Class: IsPoison}

const poisonMnemonic = "poison"

// PoisonAttr returns #ub.poison. The ub dialect must be registered in the
// context.
func PoisonAttr(c *ir.Context) ir.Attribute { return c.DialectAttrOf(c.Dialect("ub"), poisonMnemonic) }

// IsPoison tells whether the attribute is #ub.poison.
func IsPoison(a ir.Attribute) bool {
	d, ok := a.(*ir.DialectAttr)
	return ok && d.Dialect.Name == "ub" && d.Mnemonic == poisonMnemonic
}

func materialize(b *ir.Builder, value ir.Attribute, t ir.Type) *ir.Op {
	if !IsPoison(value) {
		return nil
	}
	return b.CreateOp(Poison, []ir.Type{t}, nil, ir.NamedAttr{Name: "value", Value: value})
}
