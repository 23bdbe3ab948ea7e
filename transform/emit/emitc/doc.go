// Package emitc writes programs on buffers as C99: one source file, one header, and, if asked for, the data of large constants in a
// file beside them.
//
// A program is prepared as a whole, by [Prepare], which finds out all that can't be expressed in C and says so with its position;
// only then is anything written. What an operation becomes is in one table per dialect, one file each: arith.go, memref.go, and so on.
// Operations on a loop nest (linalg) are written by their indexing maps and bodies, whatever they are called.
//
// What the C code computes is what package exec computes: the same order of additions, the same rounding, the same results where
// MLIR leaves a choice. It must be compiled without contraction of floating-point expressions (-ffp-contract=off), and, as the parts of
// an arena hold elements of several types one after the other, without conclusions from types (-fno-strict-aliasing). What is undefined
// for package exec is undefined for C.
//
// Integers are kept in unsigned C types of the next size, index in a signed one; numbers of less than 32 bits as their bits. A memref
// whose shape and layout are static is a plain pointer, any other a descriptor as MLIR's own C interface has it.
package emitc
