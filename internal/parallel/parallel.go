// Package parallel runs independent jobs on several processors.
package parallel

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// Panic is what a job panicked with on another goroutine. [For] panics with it in
// turn.
type Panic struct {
	// Value is what the job panicked with.
	Value any
	// Stack is where it did so.
	Stack []byte
	// Place is at what of its input, if [Locate] found out.
	Place any
}

func (p *Panic) Error() string { return fmt.Sprint(p.Value) }

// For runs jobs 0 to n-1 on up to the given number of threads; 0 stands for as
// many as there are processors. worker is called once for each thread and returns
// what runs a job there, so that jobs can reuse its state. For panics if a job
// did, with the first of those jobs, after the others.
func For(n, threads int, worker func() func(i int)) {
	if threads <= 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	threads = min(threads, n)
	if threads <= 1 {
		if n > 0 {
			run := worker()
			for i := range n {
				run(i)
			}
		}
		return
	}
	var (
		next   atomic.Int64
		wg     sync.WaitGroup
		mu     sync.Mutex
		failed = n
		first  *Panic
	)
	for range threads {
		wg.Add(1)
		go func() {
			defer wg.Done()
			run := worker()
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				if p := Attempt(func() { run(i) }); p != nil {
					mu.Lock()
					if i < failed {
						failed, first = i, p
					}
					mu.Unlock()
					run = worker()
				}
			}
		}()
	}
	wg.Wait()
	if first != nil {
		panic(first)
	}
}

// Locate is to be deferred: a panic goes on as a [Panic] with the place that the function
// returns, unless it has one.
func Locate(place func() any) {
	v := recover()
	if v == nil {
		return
	}
	p, ok := v.(*Panic)
	if !ok {
		p = &Panic{Value: v, Stack: debug.Stack()}
	}
	if p.Place == nil {
		p.Place = place()
	}
	panic(p)
}

// Attempt runs a job and returns its panic, or nil.
func Attempt(job func()) (p *Panic) {
	defer func() {
		if v := recover(); v != nil {
			if p, _ = v.(*Panic); p == nil {
				p = &Panic{Value: v, Stack: debug.Stack()}
			}
		}
	}()
	job()
	return nil
}
