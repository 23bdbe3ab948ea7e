package cli

import (
	"os"
	"runtime"
	"runtime/debug"
)

// tuneGC makes the garbage collector lazy while the heap is small, and thrifty
// when it is large, so that short runs hardly collect and huge inputs stay
// bounded. The user's GOGC and GOMEMLIMIT have precedence.
func tuneGC() {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	debug.SetGCPercent(3200)
	watchGC()
}

// sentinel is collected in each cycle, and its finalizer then looks at the heap.
type sentinel struct{ _ [16]byte }

func watchGC() {
	runtime.SetFinalizer(&sentinel{}, func(*sentinel) {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		switch live := m.HeapAlloc; {
		case live > 1<<30:
			debug.SetGCPercent(80)
		case live > 256<<20:
			debug.SetGCPercent(150)
		default:
			debug.SetGCPercent(400)
		}
		watchGC()
	})
}
