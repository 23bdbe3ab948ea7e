// Package compile is freehold's main job as a library: a program on tensors becomes one on buffers, in which every
// buffer is freed exactly once and small memory is shared.
//
// A [Compiler] does it, and returns a [Result]: what the program was and what it became, its arenas, the proof, and,
// if they are asked for, executions before and after. [Compare] has the figures of all ways to insert frees.
//
// The pipeline is data. [Options.Steps] returns it as a list of steps, each with its passes and the reason why it is there;
// what [Options] say filters that list, and [Constraints] say which step must come before which other one, and why.
// The texts of commands and pages are made from it.
package compile
