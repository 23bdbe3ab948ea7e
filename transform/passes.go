// Package transform lists the passes that freehold knows. Each family of passes is
// a package of its own.
package transform

import (
	"freehold/pass"
	"freehold/transform/canonicalize"
	"freehold/transform/cse"
)

// Register adds all passes and pipelines.
func Register(r *pass.Registry) {
	for _, register := range []func(*pass.Registry){
		canonicalize.Register,
		cse.Register,
	} {
		register(r)
	}
}
