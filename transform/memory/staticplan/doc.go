// Package staticplan is the memory planner that LLVM's main branch has, with its options and messages: the pass
// static-memory-planner-analysis. Unlike there, the arena is freed, and what the planner can't move without changing what the
// program does stays as it is. Package reuse has a planner that takes control flow apart, shares more and never needs more than before.
package staticplan
