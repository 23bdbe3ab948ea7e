package naive

import (
	"regexp"
	"sync"
)

// pattern returns a regular expression that is compiled when it is first asked for: the start of a command, which may never do so, doesn't wait.
func pattern(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
