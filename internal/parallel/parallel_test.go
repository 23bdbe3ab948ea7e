package parallel

import (
	"sync/atomic"
	"testing"
)

func TestFor(t *testing.T) {
	for _, threads := range []int{0, 1, 3, 100} {
		var sum, workers atomic.Int64
		For(50, threads, func() func(int) {
			workers.Add(1)
			return func(i int) { sum.Add(int64(i)) }
		})
		if sum.Load() != 49*25 || threads > 0 && workers.Load() > int64(threads) {
			t.Errorf("%d threads: sum %d, %d workers", threads, sum.Load(), workers.Load())
		}
	}
	For(0, 2, func() func(int) { t.Error("a worker without a job"); return nil })
}

// The panic is that of the first job, and the other jobs run all the same.
func TestForPanics(t *testing.T) {
	var done atomic.Int64
	defer func() {
		p, ok := recover().(*Panic)
		if !ok || p.Value != 3 || len(p.Stack) == 0 || done.Load() != 18 {
			t.Errorf("panic %v after %d jobs", p, done.Load())
		}
	}()
	For(20, 2, func() func(int) {
		return func(i int) {
			if i == 3 || i == 7 {
				panic(i)
			}
			done.Add(1)
		}
	})
}
