// Package debugging has passes that show a program in other ways than its text.
// They write to the error stream, and change nothing.
package debugging

import "freehold/pass"

// Register adds the passes.
func Register(r *pass.Registry) { r.Register(OpStats, OpGraph, Dominance, Liveness) }
