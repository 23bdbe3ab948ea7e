// Package asm reads and writes programs in MLIR's textual format: a lexer, a
// parser, a printer, and the engine that interprets the declarative assembly
// formats of operation definitions.
package asm
