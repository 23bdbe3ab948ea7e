package debugging

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"freehold/ir"
	"freehold/pass"
)

// statsOptions are the options of print-op-stats.
type statsOptions struct{ json bool }

// OpStats is --print-op-stats.
var OpStats = pass.New(pass.Info{
	Name: "print-op-stats", Title: "PrintOpStats",
	Summary: "Count the operations of each kind",
	Description: `Prints how often each kind of operation occurs, in order of the names: as a table, or with
` + "`json`" + ` as an object.`,
}, func(o *statsOptions, d *pass.Decl) {
	d.Bool(&o.json, "json", false, "Print an object in JSON, not a table")
}, pass.OnModule(func(c *pass.Context, o *statsOptions, op *ir.Op) error {
	counts := map[string]int{}
	op.Walk(func(o *ir.Op) bool {
		counts[o.Name()]++
		return true
	})
	names := slices.Sorted(maps.Keys(counts))
	if o.json {
		c.Print(statsJSON(names, counts))
	} else {
		c.Print(statsTable(names, counts))
	}
	c.Unchanged()
	return nil
}))

func statsJSON(names []string, counts map[string]int) []byte {
	lines := make([]string, len(names))
	for i, n := range names {
		lines[i] = fmt.Sprintf("  %q : %d", n, counts[n])
	}
	return []byte("{\n" + strings.Join(lines, ",\n") + "\n}\n")
}

// statsTable aligns the names at the dot after the dialect.
func statsTable(names []string, counts map[string]int) []byte {
	split := func(name string) (dialect, op string) {
		dialect, op, found := strings.Cut(name, ".")
		if !found {
			return "", name
		}
		return dialect, op
	}
	before, after := 0, 0
	for _, n := range names {
		dialect, op := split(n)
		before, after = max(before, len(dialect)), max(after, len(op))
	}
	text := []byte("Operations encountered:\n-----------------------\n")
	for _, n := range names {
		dialect, op := split(n)
		if dialect == "" {
			text = fmt.Appendf(text, "%*s", before+3, "")
		} else {
			text = fmt.Appendf(text, "%*s.", before+2, dialect)
		}
		text = fmt.Appendf(text, "%-*s , %d\n", after, op, counts[n])
	}
	return text
}
