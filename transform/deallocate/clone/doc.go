// Package clone frees what a program allocates, as MLIR did before ownership: where it depends on control flow which
// buffer a value is, every buffer that it may be is copied, so that the value is a buffer of its own, which is
// freed after its last use (document "Buffer Deallocation - Internals").
//
// A function is looked at in three steps. First, owners are found (owners.go): the allocations, and the block arguments and
// results of regions that other buffers may flow into than those that are there whenever they are. Then all that
// flows into the latter is copied (clones.go). In the end, each owner is freed after the last use of its names (frees.go).
//
// The copies are right for programs in which a buffer isn't written any more when it is passed on, such as those that
// bufferization makes.
package clone
