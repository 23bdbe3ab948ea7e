// Package exec is what operations need to be executed: values, checked memory,
// and a compiler that turns a function into closures.
//
// An operation says how it executes by a model of [Executable], which is asked
// once, when its function is compiled, for a [Step]: a closure that reads the
// registers of its operands from a [Frame] and writes those of its results.
// Operations on single numbers implement [Elementwise] instead, and so also work
// element by element on tensors and vectors, and in the bodies of structured
// operations, where whole runs of elements are computed at once.
//
// Registers are words or objects. A word holds an integer of up to 64 bits
// (zero-extended from its width), an index, or the bits of a floating-point
// number. Objects are *[MemRef], *[Tensor] (vectors too), *big.Int for wider
// integers, [WideFloat] for wider floating-point numbers, [Complex], and *[Function];
// types of dialects may have objects of their own.
//
// A value may be poison, and an element undefined. Both may be passed on, stored
// and computed with; to depend on them otherwise is a finding.
//
// Every access to memory is checked. What is wrong with a program is a *[Finding],
// an error that tells where the access, the allocation and the release of the
// memory are.
//
// What a program does outside of itself goes through functions of its [Program]
// and [Machine]: calls of declared functions and unknown operations ([External]),
// what it prints, and the traces of operations and of memory.
package exec
