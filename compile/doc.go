// Package compile is freehold's main job as a library: a program on tensors becomes one on buffers, in which every
// buffer is freed exactly once and small memory is shared.
//
// The pipeline is data. [Steps] returns it as a list of steps, each with its passes and the reason why it is there;
// what [Options] say filters that list, and [Constraints] say which step must come before which other one, and why.
// The texts of commands and pages are made from it.
package compile
