//go:build unix

package bench

import (
	"syscall"
	"time"
)

// cpuTime is what this process has taken of the processor: unlike the time of the clock, it doesn't depend on what else the machine does.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
