package pass

import (
	"fmt"
	"slices"
	"sort"
	"strings"
	"sync"
	"time"
)

// Timer is a tree of times by name. A nil Timer measures nothing. It is safe for
// concurrent use.
type Timer struct {
	mu       sync.Mutex
	name     string
	user     time.Duration // summed over threads
	wall     time.Duration
	children []*Timer
	index    map[string]*Timer
}

// NewTimer returns the root of a tree.
func NewTimer() *Timer { return &Timer{name: "root"} }

// Measure adds the time that fn takes to the child of that name.
func (t *Timer) Measure(name string, fn func()) {
	s := t.start()
	fn()
	t.stop(name, s)
}

func (t *Timer) start() time.Time {
	if t == nil {
		return time.Time{}
	}
	return time.Now()
}

// stop adds the time since start to the child of that name.
func (t *Timer) stop(name string, start time.Time) {
	if t == nil {
		return
	}
	d := time.Since(start)
	c := t.child(name)
	c.mu.Lock()
	c.user += d
	c.wall += d
	c.mu.Unlock()
}

func (t *Timer) child(name string) *Timer {
	if t == nil {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	c := t.index[name]
	if c == nil {
		if t.index == nil {
			t.index = map[string]*Timer{}
		}
		c = &Timer{name: name}
		t.index[name] = c
		t.children = append(t.children, c)
	}
	return c
}

// finish closes a section whose children ran on several threads: the section's
// own time is what passed since start, and its children share it in proportion to
// the time they took.
func (t *Timer) finish(start time.Time, threads int) {
	if t == nil {
		return
	}
	d := time.Since(start)
	var sum time.Duration
	for _, c := range t.children {
		sum += c.user
	}
	t.wall += d
	t.user = max(sum, t.wall)
	if threads > 1 && sum > t.wall {
		scale := float64(t.wall) / float64(sum)
		for _, c := range t.children {
			c.wall = time.Duration(float64(c.user) * scale)
		}
	}
}

// TimingFormat is how a report of times is written.
type TimingFormat uint8

// The formats.
const (
	TimingTable TimingFormat = iota
	TimingJSON
)

// Report returns the times: as a tree, or as a list in order of times. total is the
// time of the whole run.
func (t *Timer) Report(total time.Duration, tree bool, f TimingFormat) string {
	rest := &Timer{name: "Rest"}
	all := &Timer{name: "Total", wall: total}
	for _, c := range t.children {
		all.user += c.user
		rest.wall += c.wall
	}
	rest.wall = max(total-rest.wall, 0)
	rest.user = rest.wall
	all.user += rest.user
	rows := t.children
	if !tree {
		rows = t.flat()
	}
	if f == TimingJSON {
		return reportJSON(rows, rest, all, tree)
	}
	return reportTable(rows, rest, all, tree)
}

// flat returns the sums of the times of the same name, largest first.
func (t *Timer) flat() []*Timer {
	sums := map[string]*Timer{}
	var flat []*Timer
	var walk func(t *Timer)
	walk = func(t *Timer) {
		for _, c := range t.children {
			s := sums[c.name]
			if s == nil {
				s = &Timer{name: c.name}
				sums[c.name] = s
				flat = append(flat, s)
			}
			s.user += c.user
			s.wall += c.wall
			walk(c)
		}
	}
	walk(t)
	sort.SliceStable(flat, func(i, j int) bool { return flat[i].wall > flat[j].wall })
	return flat
}

func reportTable(rows []*Timer, rest, all *Timer, tree bool) string {
	var b strings.Builder
	bar := "===" + strings.Repeat("-", 73) + "===\n"
	b.WriteString(bar + "                         ... Execution time report ...\n" + bar)
	fmt.Fprintf(&b, "  Total Execution Time: %.4f seconds\n\n", all.wall.Seconds())
	b.WriteString("  ----User Time----  ----Wall Time----  ----Name----\n")
	var write func(c *Timer, indent int)
	write = func(c *Timer, indent int) {
		fmt.Fprintf(&b, "  %8.4f (%5.1f%%)  %8.4f (%5.1f%%)  %s%s\n", c.user.Seconds(), percent(c.user, all.user),
			c.wall.Seconds(), percent(c.wall, all.wall), strings.Repeat(" ", indent), c.name)
		if tree {
			for _, n := range c.children {
				write(n, indent+2)
			}
		}
	}
	for _, c := range rows {
		write(c, 0)
	}
	write(rest, 0)
	write(all, 0)
	return b.String()
}

// reportJSON writes what MLIR writes: each list of "passes" ends with an empty
// object.
func reportJSON(rows []*Timer, rest, all *Timer, tree bool) string {
	var b strings.Builder
	var write func(c *Timer, indent string)
	write = func(c *Timer, indent string) {
		fmt.Fprintf(&b, `%s{"user": {"duration": %8.4f, "percentage": %5.1f}, "wall": {"duration": %8.4f, "percentage": %5.1f}, "name": %q`,
			indent, c.user.Seconds(), percent(c.user, all.user), c.wall.Seconds(), percent(c.wall, all.wall), c.name)
		if tree && c != rest && c != all {
			b.WriteString(", \"passes\": [\n")
			for _, n := range c.children {
				write(n, indent+"  ")
				b.WriteString(",\n")
			}
			b.WriteString(indent + "{}]")
		}
		b.WriteByte('}')
	}
	b.WriteString("[\n")
	for _, c := range append(slices.Clone(rows), rest) {
		write(c, "")
		b.WriteString(",\n")
	}
	write(all, "")
	b.WriteString("\n]\n")
	return b.String()
}

func percent(part, whole time.Duration) float64 {
	if whole <= 0 {
		return 0
	}
	return 100 * float64(part) / float64(whole)
}
