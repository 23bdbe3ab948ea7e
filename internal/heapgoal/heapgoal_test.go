package heapgoal

import (
	"runtime"
	"runtime/debug"
	"testing"
)

// What isn't collected yet doesn't make the heap look larger: its goal would grow without
// end.
func TestLiveHeap(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	runtime.GC()
	before, rest := liveHeap()
	for range 100 {
		garbage = make([]byte, 1<<20)
	}
	garbage = nil
	if rest <= 0 {
		t.Errorf("what isn't the heap's takes %d bytes", rest)
	}
	if after, _ := liveHeap(); after-before > 10<<20 {
		t.Errorf("100 MB of garbage make the live heap %d MB larger", (after-before)>>20)
	}
}

var garbage []byte
