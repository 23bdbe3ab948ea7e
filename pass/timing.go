package pass

import (
	"fmt"
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

// Report returns a table of the times: as a tree, or as a list in order of times.
// total is the time of the whole run.
func (t *Timer) Report(total time.Duration, tree bool) string {
	var b strings.Builder
	bar := "===" + strings.Repeat("-", 73) + "===\n"
	b.WriteString(bar + "                         ... Execution time report ...\n" + bar)
	fmt.Fprintf(&b, "  Total Execution Time: %.4f seconds\n\n", total.Seconds())
	b.WriteString("  ----User Time----  ----Wall Time----  ----Name----\n")
	var user, wall time.Duration
	for _, c := range t.children {
		user += c.user
		wall += c.wall
	}
	rest := max(total-wall, 0)
	user += rest
	line := func(indent int, name string, u, w time.Duration) {
		fmt.Fprintf(&b, "  %8.4f (%5.1f%%)  %8.4f (%5.1f%%)  %s%s\n",
			u.Seconds(), percent(u, user), w.Seconds(), percent(w, total), strings.Repeat(" ", indent), name)
	}
	if tree {
		var walk func(t *Timer, indent int)
		walk = func(t *Timer, indent int) {
			for _, c := range t.children {
				line(indent, c.name, c.user, c.wall)
				walk(c, indent+2)
			}
		}
		walk(t, 0)
	} else {
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
		for _, c := range flat {
			line(0, c.name, c.user, c.wall)
		}
	}
	line(0, "Rest", rest, rest)
	line(0, "Total", user, total)
	return b.String()
}

func percent(part, whole time.Duration) float64 {
	if whole <= 0 {
		return 0
	}
	return 100 * float64(part) / float64(whole)
}
