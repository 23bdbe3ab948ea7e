// Package hlo is MLIR-HLO's deallocation and reuse of buffers. Each buffer has an owner, a
// pointer that is handed from block to block beside it, and is null where the buffer is
// somebody else's.
//
// The document is "MLIR-HLO deallocation and buffer reuse passes".
//
// What the passes make of many shapes of programs, operation by operation, is in the scripts
// of testdata.
package hlo
