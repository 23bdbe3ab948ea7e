// Package dialect lists the dialects that freehold knows. Each dialect is a
// package of its own, which says all there is to say about its operations.
package dialect

import (
	"freehold/dialect/arith"
	"freehold/dialect/builtin"
	"freehold/dialect/cf"
	funcd "freehold/dialect/func"
	"freehold/dialect/index"
	"freehold/dialect/math"
	"freehold/dialect/memref"
	"freehold/dialect/scf"
	"freehold/dialect/ub"
	"freehold/ir"
)

// All returns all dialects, in order of their names.
func All() []*ir.Dialect {
	return []*ir.Dialect{
		arith.Dialect,
		builtin.Dialect,
		cf.Dialect,
		funcd.Dialect,
		index.Dialect,
		math.Dialect,
		memref.Dialect,
		scf.Dialect,
		ub.Dialect,
	}
}
