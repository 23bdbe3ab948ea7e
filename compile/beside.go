package compile

import "freehold/internal/parallel"

// beside runs a job on another thread. The function that it returns waits until it is done, and panics if the job did; it may be called again.
func beside(job func()) (wait func()) {
	var failed *parallel.Panic
	done := make(chan struct{})
	go func() {
		defer close(done)
		failed = parallel.Attempt(job)
	}()
	return func() {
		<-done
		if failed != nil {
			panic(failed)
		}
	}
}
