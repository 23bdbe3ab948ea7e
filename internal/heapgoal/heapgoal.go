// Package heapgoal directs the garbage collector of commands.
package heapgoal

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// Sizes of the heap, in bytes, up to which nothing is collected. Fresh memory costs
// about as much as collecting a small heap, and much less than a large one.
const (
	smallHeap = 192 << 20
	// moderateHeap is the size up to which a heap may be three times as large as what a
	// collection left.
	moderateHeap = 448 << 20
	// mostGrowth is by how much a heap may grow between two collections, however large it is.
	mostGrowth = 1 << 30
	// passesHeap is the size up to which nothing is collected while passes run.
	passesHeap = 512 << 20
	// heapPerInput is what a program takes in memory, for each byte of its text, with
	// some room, and passesPerInput what it takes while passes run: less than mlir-opt
	// needs (which takes 18 bytes for each byte of a long function on tensors).
	heapPerInput   = 8
	passesPerInput = 18
)

// Wait makes the garbage collector wait for a small heap while an input is read whose size
// isn't known yet. Set then says how long it is to wait.
func Wait() {
	if given() {
		return
	}
	debug.SetGCPercent(-1)
	debug.SetMemoryLimit(smallHeap)
}

// ForTests makes the garbage collector of a package's tests wait until the heap is five times as large as what a
// collection left: most heaps of tests are small, and collecting them takes a third of the time.
func ForTests() {
	if !given() {
		debug.SetGCPercent(400)
	}
}

// given says whether the user directs the garbage collector.
func given() bool {
	return os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != ""
}

// Set makes the garbage collector wait until the heap has the size that is to be
// expected for an input of the given size, in bytes, and is twice as large as what it
// left the last time, or three times as large while the heap is moderate, and less while it is very large. passes says that
// the input is not only read and printed. The user's GOGC and GOMEMLIMIT have precedence.
func Set(input int, passes bool) {
	if given() {
		return
	}
	expected := max(smallHeap, heapPerInput*int64(input))
	if passes {
		expected = max(passesHeap, passesPerInput*int64(input))
	}
	debug.SetGCPercent(-1)
	debug.SetMemoryLimit(expected)
	watchGC(expected)
}

// sentinel is collected in each cycle, and its finalizer then looks at the heap.
type sentinel struct{ _ [16]byte }

func watchGC(expected int64) {
	runtime.SetFinalizer(&sentinel{}, func(*sentinel) {
		live, rest := liveHeap()
		debug.SetMemoryLimit(max(expected, live+min(live, mostGrowth), min(live*3, moderateHeap)) + rest)
		watchGC(expected)
	})
}

// liveHeap returns how much memory the last collection left, in bytes, and how much takes
// from a limit without being the heap's: stacks, and the collector's own tables. What was
// allocated since, until the finalizer runs, and what isn't swept yet, doesn't count: else
// each goal would be twice the one before.
func liveHeap() (live, rest int64) {
	m := []metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/memory/classes/total:bytes"},
		{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/memory/classes/heap/free:bytes"},
		{Name: "/memory/classes/heap/released:bytes"}, {Name: "/memory/classes/heap/unused:bytes"}}
	metrics.Read(m)
	rest = int64(m[1].Value.Uint64())
	for _, heap := range m[2:] {
		rest -= int64(heap.Value.Uint64())
	}
	return int64(m[0].Value.Uint64()), rest
}
