//go:build !unix

package bench

import "time"

var start = time.Now()

// cpuTime is the time of the clock, where there is no other.
func cpuTime() time.Duration { return time.Since(start) }
