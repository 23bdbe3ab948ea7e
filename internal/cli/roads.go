package cli

import (
	"fmt"
	"strings"
)

// pipelines from programs on tensors to programs on buffers in which every buffer is freed.
const (
	plainBufferization = "one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map allow-return-allocs-from-loops}"
	fullBufferization  = "one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map allow-return-allocs-from-loops " +
		"recursive-functions external-results copy-around-regions}"

	// recommendedPipeline keeps every buffer apart.
	recommendedPipeline = "builtin.module(prepare-bufferization," + fullBufferization + ",complete-buffer-deallocation-pipeline," +
		"elide-copies,views-for-moves,reuse-buffers{static=false},free-after-last-use,canonicalize)"
)

// compileRoad is a way on which compile can go.
type compileRoad struct {
	name string
	// passes are those up to where arenas are made.
	passes string
	// arenas tells whether it goes on with arenas; else it is as others do it.
	arenas bool
}

// compileRoads are all of them, the recommended one first.
var compileRoads = []compileRoad{
	{"ownership", "prepare-bufferization," + fullBufferization + ",complete-buffer-deallocation-pipeline,elide-copies,views-for-moves,reuse-buffers{static=false},free-after-last-use", true},
	{"hlo", "prepare-bufferization,func.func(hlo-split-alloc-tensors)," + fullBufferization + ",canonicalize,hlo-deallocation-pipeline", true},
	{"clone", "prepare-bufferization," + fullBufferization + ",canonicalize,func.func(buffer-hoisting,buffer-loop-hoisting,buffer-deallocation{function-boundaries})", true},
	{"mlir", plainBufferization + ",buffer-deallocation-pipeline", false},
}

func road(name string) compileRoad {
	for _, r := range compileRoads {
		if r.name == name {
			return r
		}
	}
	return compileRoads[0]
}

// arenaKinds are what --arena may be.
var arenaKinds = []string{"alloc", "argument", "global", "none"}

// withoutEquivalentResults returns the road on which functions don't return their arguments.
func (r compileRoad) withoutEquivalentResults() compileRoad {
	for _, b := range []string{plainBufferization, fullBufferization} {
		r.passes = strings.Replace(r.passes, b, b+",drop-equivalent-buffer-results", 1)
	}
	return r
}

// pipeline returns the passes, with arenas of a kind.
func (r compileRoad) pipeline(arena string, stackBelow int) string {
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
	return "builtin.module(" + passes + ",canonicalize)"
}
