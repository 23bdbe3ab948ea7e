package parallel

// Beside runs a job on another goroutine. The function that it returns waits until it is done, and panics with a [Panic] if the job did; it may be called again.
func Beside(job func()) (wait func()) {
	var failed *Panic
	done := make(chan struct{})
	go func() {
		defer close(done)
		failed = Attempt(job)
	}()
	return func() {
		<-done
		if failed != nil {
			panic(failed)
		}
	}
}
