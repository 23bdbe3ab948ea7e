// Package schedule orders operations on tensors for little memory: what bufferization will make of a block is put as a
// problem of package [freehold/memory/order], and solved.
//
// Each tensor that an operation computes is taken to be a buffer, from there to the last operation that uses it or a view of
// it. An operation in the style of destinations may compute in the place of its destination, and a structured one that reads
// an operand element by element in the place of that, if these die there; what is padded, concatenated or inserted may be
// computed where it is going. Arguments, constants and what comes from outside of the block take no memory of the block.
//
// Operations with effects keep their order, among them those that see a tensor which is in a buffer of the program.
package schedule
