// Package compile has the pipelines from programs on tensors to programs on buffers in which
// every buffer is freed: what compile, and all that shows what compile does, runs.
package compile

import (
	"fmt"
	"strings"
)

const (
	plainBufferization = "one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map allow-return-allocs-from-loops}"
	// Bufferization is the pass that makes buffers of tensors.
	Bufferization = "one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map allow-return-allocs-from-loops " +
		"mlir-version=22 copy-around-regions carry-through-conditions}"

	// Bufferized is the recommended pipeline up to where tensors have become buffers.
	Bufferized = "builtin.module(prepare-bufferization," + Bufferization + ")"

	// Apart is the recommended pipeline up to where arenas are made: it keeps every buffer apart.
	Apart = "builtin.module(" + apart + "," + unmark + ",canonicalize)"

	apart = identity + ",prepare-bufferization,mark-distinct-arguments," + Bufferization + "," + dropPrivate + "," + copyParts + "{arguments},expand-realloc{emit-deallocs=false}," + borrowed + ",complete-buffer-deallocation-pipeline,fold-constant-arguments,mark-distinct-arguments{calls}," +
		"elide-copies,views-for-moves,reuse-buffers{static=false},free-after-last-use,mark-distinct-arguments{remove}"
)

// What leaves out results that are arguments, or one buffer: of functions all of whose callers are known, or of all; and what copies parts of buffers that are
// returned.
const (
	dropPrivate = drop + "{modify-public-functions=false duplicates}"
	drop        = "drop-equivalent-buffer-results"
	copyParts   = "copy-returned-parts"
)

// What finds buffers that must not be freed, or copied.
const (
	identity = "mark-buffer-identity"
	borrowed = "mark-borrowed-buffers"
	unmark   = borrowed + "{remove}"
)

// Road is a way on which compile can go.
type Road struct {
	Name string
	// passes are those up to where arenas are made.
	passes string
	// Arenas tells whether it goes on with arenas; else it is as others do it.
	Arenas bool
}

// All returns all roads, the recommended one first.
func All() []Road {
	return []Road{
		{"ownership", apart, true},
		{"hlo", identity + ",prepare-bufferization,func.func(hlo-split-alloc-tensors)," + Bufferization + "," + copyParts + "," + borrowed + "{dynamic},canonicalize,hlo-deallocation-pipeline", true},
		{"clone", identity + ",prepare-bufferization," + Bufferization + "," + copyParts + "," + borrowed + ",canonicalize,func.func(buffer-hoisting,buffer-loop-hoisting,buffer-deallocation{function-boundaries})", true},
		{"mlir", plainBufferization + ",buffer-deallocation-pipeline", false},
	}
}

// Named returns the road of a name, and whether there is one.
func Named(name string) (r Road, ok bool) {
	for _, r := range All() {
		if r.Name == name {
			return r, true
		}
	}
	return Road{}, false
}

// Recommended returns the road that compile takes unless it is told otherwise.
func Recommended() Road { return All()[0] }

// ArenaKinds returns what the argument of Pipeline may be.
func ArenaKinds() []string { return []string{"alloc", "argument", "global", "none"} }

// WithoutEquivalentResults returns the road on which functions don't return their arguments.
func (r Road) WithoutEquivalentResults() Road {
	if strings.Contains(r.passes, dropPrivate) {
		r.passes = strings.Replace(r.passes, dropPrivate, drop+","+dropPrivate, 1)
		return r
	}
	for _, b := range []string{plainBufferization, Bufferization} {
		r.passes = strings.Replace(r.passes, b, b+","+drop, 1)
	}
	return r
}

// Pipeline returns the passes, with arenas of a kind, and buffers of at most so many bytes on
// the stack.
func (r Road) Pipeline(arena string, stackBelow int) string {
	var options []string
	if arena != "alloc" {
		options = append(options, "arena="+arena)
	}
	if stackBelow > 0 {
		options = append(options, fmt.Sprintf("stack-below=%d", stackBelow))
	}
	passes := r.passes
	if arena != "none" {
		passes += ",plan-memory"
		if len(options) > 0 {
			passes += "{" + strings.Join(options, " ") + "}"
		}
	}
	if strings.Contains(passes, identity) {
		passes += "," + unmark
	}
	return "builtin.module(" + passes + ",canonicalize)"
}
