// Package placement moves allocations to where they are better made: before branches, before loops, on the stack. Its
// passes are the first half of MLIR's older pipeline for buffers that are freed, before ownership
// (documents "Buffer Deallocation - Internals" and "Bufferization").
package placement
