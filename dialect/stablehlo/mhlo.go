package stablehlo

import (
	"strings"

	"freehold/ir"
	"freehold/ir/asm"
)

// mhloName is the prefix of the dialect from which StableHLO was made.
const mhloName = "mhlo"

// MHLO is the dialect mhlo, as far as it means the same: its operations are those of stablehlo in another spelling, and
// so are its attributes.
var MHLO = &ir.Dialect{
	Name:  mhloName,
	Types: ir.PlainTypes(tokenName, futureName),
	Models: []ir.Model{
		asm.AttrParser.Model(parseAttr),
		asm.TypeParser.Model(parseType),
		asm.Enums.Model(enums),
		asm.Partial.Model("operations that StableHLO has, which are read as such"),
	},
}

// spelledAsMHLO gives all operations the spellings that they have in mhlo.
func spelledAsMHLO(ops []*ir.OpDef) []*ir.OpDef {
	more := onlyInMHLO()
	for i, def := range ops {
		ops[i] = def.With(ir.OpDef{Earlier: append([]ir.Spelling{{Name: mhloName + strings.TrimPrefix(def.ID.String(), dialectName)}}, more[def.ID]...)})
	}
	return ops
}

// onlyInMHLO are operations of mhlo that others of StableHLO, which have other names, mean as well: a copy is a conversion to the type that there is, and random
// numbers had an operation for each distribution up to 2022.
func onlyInMHLO() map[*ir.OpID][]ir.Spelling {
	distribution := func(value uint64) func(c *ir.Context) []ir.NamedAttr {
		return func(c *ir.Context) []ir.NamedAttr {
			return []ir.NamedAttr{{Name: "rng_distribution", Value: c.EnumAttr(RNGDistribution, value)}}
		}
	}
	return map[*ir.OpID][]ir.Spelling{
		Convert: {{Name: "mhlo.copy"}},
		RNG:     {{Name: "mhlo.rng_uniform", Implied: distribution(Uniform)}, {Name: "mhlo.rng_normal", Implied: distribution(Normal)}},
	}
}
