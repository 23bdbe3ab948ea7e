package interfaces

import "freehold/ir"

// ConstantMaterializer is implemented by dialects that can create a constant
// operation for a folded attribute; it returns nil if it can't.
var ConstantMaterializer = ir.NewInterface[func(b *ir.Builder, value ir.Attribute, t ir.Type) *ir.Op]("materializeConstant")

// InlinerModel tells what may be inlined into what.
type InlinerModel interface {
	// LegalCall tells whether the callee may be inlined at the call.
	LegalCall(call, callee *ir.Op) bool
	// LegalOp tells whether the operation may be moved into dest.
	LegalOp(op *ir.Op, dest *ir.Region) bool
	// Terminator replaces a terminator of the inlined body: by a branch to dest, or,
	// where dest is nil, by replacing the values with the terminator's operands.
	Terminator(b *ir.Builder, op *ir.Op, dest *ir.Block, values []*ir.Value)
}

// InlineAnywhere is the model of dialects all of whose operations may be inlined, and
// whose terminators stay as they are. Others embed it.
type InlineAnywhere struct{}

// LegalCall implements [InlinerModel].
func (InlineAnywhere) LegalCall(call, callee *ir.Op) bool { return true }

// LegalOp implements [InlinerModel].
func (InlineAnywhere) LegalOp(op *ir.Op, dest *ir.Region) bool { return true }

// Terminator implements [InlinerModel].
func (InlineAnywhere) Terminator(*ir.Builder, *ir.Op, *ir.Block, []*ir.Value) {}

// Inliner is implemented by dialects whose operations may be inlined.
var Inliner = ir.NewInterface[InlinerModel]("DialectInlinerInterface")

// InlinerIntoRegion is implemented by dialects that want to be asked whether a body may
// be inlined at a call that is right in a region of one of their operations. Others
// accept any.
var InlinerIntoRegion = ir.NewInterface[func(call *ir.Op, body *ir.Region) bool]("DialectInlinerInterface (region)")

// FoldToRegionEntry is implemented by dialects whose operations want constants to
// be materialised at the entry of their own regions rather than of the enclosing
// isolated operation.
var FoldToRegionEntry = ir.NewInterface[func(r *ir.Region) bool]("DialectFoldInterface")
