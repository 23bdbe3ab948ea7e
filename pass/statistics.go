package pass

import (
	"fmt"
	"slices"
	"sort"
	"strings"
	"sync/atomic"
)

// Statistic describes a counter of a pass.
type Statistic struct{ Name, Help string }

// Counter is a statistic of a pass at one place of a pipeline, summed over all
// operations. A counter that isn't declared counts nothing.
type Counter struct{ n *atomic.Int64 }

// Add adds to the counter. It may be called by concurrent runs.
func (c Counter) Add(n int) {
	if c.n != nil {
		c.n.Add(int64(n))
	}
}

// statistic is a declared counter.
type statistic struct {
	Statistic
	counter *Counter
	n       *atomic.Int64 // what the counter points to
}

// Counter declares a statistic.
func (d *Decl) Counter(field *Counter, name, help string) {
	field.n = new(atomic.Int64)
	d.counters = append(d.counters, statistic{Statistic{name, help}, field, field.n})
}

// StatisticsReport returns the statistics of all passes of the manager, as a tree
// like the manager's, or as a list where passes of the same name are summed.
// Passes without statistics are left out.
func (m *OpPassManager) StatisticsReport(tree bool) string {
	var b strings.Builder
	bar := "===" + strings.Repeat("-", 73) + "===\n"
	b.WriteString(bar + "                         ... Pass statistics report ...\n" + bar)
	if tree {
		m.statisticsTree(&b, 0)
	} else {
		m.statisticsList(&b)
	}
	b.WriteByte('\n')
	return b.String()
}

func (m *OpPassManager) statisticsTree(b *strings.Builder, indent int) {
	pad := strings.Repeat(" ", indent)
	for _, it := range m.items {
		if it.inst != nil && len(it.inst.decl.counters) > 0 {
			b.WriteString(pad + it.inst.Pass.title() + "\n")
			writeStatistics(b, pad, it.inst)
		}
		for _, n := range it.nested {
			var inner strings.Builder
			n.statisticsTree(&inner, indent+2)
			if inner.Len() > 0 {
				b.WriteString(pad + "'" + n.anchor + "' Pipeline\n" + inner.String())
			}
		}
	}
}

func (m *OpPassManager) statisticsList(b *strings.Builder) {
	sums := map[*Pass]*Instance{}
	var order []*Instance
	m.each(func(i *Instance) {
		if len(i.decl.counters) == 0 {
			return
		}
		sum := sums[i.Pass]
		if sum == nil {
			sum = i.Pass.Instance()
			sums[i.Pass] = sum
			order = append(order, sum)
		}
		for k, c := range i.decl.counters {
			sum.decl.counters[k].n.Add(c.n.Load())
		}
	})
	sort.SliceStable(order, func(i, j int) bool { return order[i].Pass.title() < order[j].Pass.title() })
	for _, i := range order {
		b.WriteString(i.Pass.title() + "\n")
		writeStatistics(b, "", i)
	}
}

func writeStatistics(b *strings.Builder, pad string, i *Instance) {
	order := slices.Clone(i.decl.counters)
	width, digits := 0, 0
	for _, c := range order {
		width = max(width, len(c.Name))
		digits = max(digits, len(fmt.Sprint(c.n.Load())))
	}
	sort.Slice(order, func(i, j int) bool { return order[i].Name < order[j].Name })
	for _, c := range order {
		fmt.Fprintf(b, "%s  (S) %*d %-*s - %s\n", pad, digits, c.n.Load(), width, c.Name, c.Help)
	}
}
