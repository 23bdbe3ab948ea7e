// Package ir holds programs: operations, blocks, regions, values and their
// uses, types, attributes, locations and symbols, with a builder and a
// verifier.
//
// An operation ([Op]) lives in a block, takes values as operands and defines
// values as results; it may hold regions, which hold blocks. What an operation
// means is data in its definition ([OpDef]), which a [Dialect] lists and a
// [Context] registers. Further promises of an operation to analyses and passes
// are interfaces ([Interface]), attached to its definition as models.
//
// Types and attributes are immutable and uniqued per context, so that == is
// equality. Uniquing is safe under concurrent use; the IR itself may be changed
// by one goroutine per isolated operation (see [TraitIsolatedFromAbove]).
package ir
