// Package planted switches on one of the bugs that the program plant builds into
// the passes. Nothing of freehold imports it: calls of it are inserted into copies
// of the sources.
package planted

import (
	"fmt"
	"os"
	"strconv"
	"sync/atomic"
)

// Environment variables: Variable has the number of the bug, and without it there is
// none. Reached names a file to which the numbers of the bugs are added whose place the
// program comes to.
const (
	Variable = "FREEHOLD_PLANTED"
	Reached  = "FREEHOLD_PLANTED_REACHED"
)

var chosen = func() int {
	n, err := strconv.Atoi(os.Getenv(Variable))
	if err != nil {
		return -1
	}
	return n
}()

// file gets the numbers of what is reached; nil if that isn't asked for.
var file = func() *os.File {
	path := os.Getenv(Reached)
	if path == "" {
		return nil
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return nil
	}
	return f
}()

// seen marks what was reached since [Take], if recording is on.
var (
	recording = file != nil
	seen      [1 << 13]atomic.Bool
)

// Record starts to remember which bugs' places the program comes to.
func Record() { recording = true }

// Take returns the bugs whose places the program came to since it was called before.
func Take() []int {
	var list []int
	for n := range seen {
		if seen[n].Swap(false) {
			list = append(list, n)
		}
	}
	return list
}

// Is tells whether bug n is switched on.
func Is(n int) bool {
	if recording && !seen[n].Swap(true) && file != nil {
		fmt.Fprintln(file, n)
	}
	return n == chosen
}

// One returns 1 if bug n is switched on, and else 0.
func One(n int) int {
	if Is(n) {
		return 1
	}
	return 0
}

// Either returns wrong if bug n is switched on, and else right.
func Either[T any](n int, right, wrong T) T {
	if Is(n) {
		return wrong
	}
	return right
}

// None returns the zero value if bug n is switched on, and else v.
func None[T any](n int, v T) T {
	var zero T
	return Either(n, v, zero)
}

// Rest returns list without its last element if bug n is switched on.
func Rest[S ~[]E, E any](n int, list S) S {
	if Is(n) && len(list) > 0 {
		return list[:len(list)-1]
	}
	return list
}
