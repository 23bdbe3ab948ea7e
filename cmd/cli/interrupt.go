package cli

import (
	"context"
	"os"
	"os/signal"
)

// statusInterrupted is the exit status of a command that the user interrupted, as shells have it:
// 128 and the number of the signal.
const statusInterrupted = 130

// interruptible returns a context that ends when the user interrupts the command, which then writes
// what it has found so far. A second interrupt ends the process.
func interruptible(parent context.Context) (ctx context.Context, stop func()) {
	if parent == nil {
		parent = context.Background()
	}
	ctx, stop = signal.NotifyContext(parent, os.Interrupt)
	context.AfterFunc(ctx, stop)
	return ctx, stop
}
