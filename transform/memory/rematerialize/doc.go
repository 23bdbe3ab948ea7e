// Package rematerialize computes tensors again that are kept for long: what is alive at the peak of a block, but isn't used there, is freed after its
// last use before, and computed again right before the next one.
//
// Which tensors that pays for is found at the peak, by the graph that package [freehold/transform/memory/schedule] makes of the block, and what
// it takes is measured by package [freehold/transform/memory/work]. Only operations are executed again that have no effects, draw no random numbers,
// and compute the same bit for bit.
package rematerialize
