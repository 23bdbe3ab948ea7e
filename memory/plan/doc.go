// Package plan places buffers in memory: given when each is alive, it computes offsets such
// that buffers that are alive at the same time don't overlap, with a small peak.
//
// The problem is called dynamic storage allocation, or static memory planning; to find the
// smallest peak is NP-hard. [Solve] first runs heuristics that take n log n, or have limits:
// best-fit, as an allocator that knows no future; first-fit by falling sizes, lifetimes and
// areas; a skyline that grows from the bottom. If none meets the lower bound, the largest
// sum of what is alive at a time, a search goes on until it finds the best plan and proves
// it, or a limit stops it. The reason for the lower bound, and the plan, can be checked by
// [Verify], which shares nothing with the solver but how problems are read.
//
// The package depends on nothing but the standard library.
package plan
