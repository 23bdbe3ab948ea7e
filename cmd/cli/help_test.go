package cli

import (
	"bytes"
	"strings"
	"testing"

	"freehold/driver"
)

// The help texts fit terminals of 80 columns, and have examples. That of opt has the
// form of mlir-opt's.
func TestHelpWidth(t *testing.T) {
	commands := [][]string{{"--help"}}
	for _, add := range subcommands {
		commands = append(commands, []string{add(invocation{tool: driver.Freehold()}).Name(), "--help"})
	}
	for _, args := range commands {
		var out bytes.Buffer
		if status := Main(driver.Freehold(), append([]string{"freehold"}, args...), driver.Streams{In: strings.NewReader(""), Out: &out, Err: &out}); status != 0 {
			t.Errorf("%v: exit status %d", args, status)
		}
		for line := range strings.Lines(out.String()) {
			if len(strings.TrimSuffix(line, "\n")) > 80 {
				t.Errorf("%v: a line of %d columns: %s", args, len(line)-1, line)
			}
		}
		if len(args) == 2 && !strings.Contains(out.String(), "Examples:\n  freehold "+args[0]) {
			t.Errorf("%v: no example", args)
		}
	}
}
