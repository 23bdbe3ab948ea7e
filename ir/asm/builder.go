package asm

import "freehold/ir"

// Builder returns the parser's builder, with which hand-written syntax creates
// operations that are implied by what is written, such as hidden regions. Its
// insertion point must be restored.
func (p *Parser) Builder() *ir.Builder { return p.builder }

// InlineOp writes an operation without its results, for syntax that holds
// operations in other places than regions in braces.
func (p *Printer) InlineOp(op *ir.Op) { p.customOrGenericOp(op) }
