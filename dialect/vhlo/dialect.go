// Package vhlo is the dialect in which StableHLO is stored for other versions of it: the portable artifacts that jax.export and
// torch_xla write, which are bytecode. Each of its operations, types and attributes has a version in its name. It is there in files only:
// what is read becomes stablehlo and func at once, and [FromStableHLO] makes it of these before a program is written.
package vhlo

import (
	"freehold/ir"
	"freehold/ir/bytecode"
)

const dialectName = "vhlo"

// Dialect is the vhlo dialect.
var Dialect = &ir.Dialect{
	Name: dialectName,
	Ops:  definitions,
	Models: []ir.Model{
		bytecode.Encoded.Model(&bytecode.Encoding{ReadAttr: readAttr, WriteAttr: writeAttr, ReadType: readType, WriteType: writeType}),
		bytecode.Stored.Model(ToStableHLO),
	},
}

func attr(c *ir.Context, mnemonic string, params ...ir.Attribute) *ir.DialectAttr {
	return c.DialectAttrOf(c.Dialect(dialectName), mnemonic, params...)
}

func typ(c *ir.Context, mnemonic string, params ...ir.Attribute) *ir.DialectType {
	return c.DialectTypeOf(c.Dialect(dialectName), mnemonic, params...)
}

// isOurs tells whether an attribute is one of the dialect.
func isOurs(a ir.Attribute) (*ir.DialectAttr, bool) {
	d, ok := a.(*ir.DialectAttr)
	return d, ok && d.Dialect.Name == dialectName
}
