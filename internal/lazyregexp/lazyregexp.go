// Package lazyregexp has regular expressions that are compiled when they are first asked for, so that the start of a
// command that may never do so doesn't wait.
package lazyregexp

import (
	"regexp"
	"sync"
)

// New returns what returns the regular expression; it panics then if there is an error in it.
func New(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
