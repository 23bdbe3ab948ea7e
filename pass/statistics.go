package pass

import (
	"fmt"
	"sort"
	"strings"
	"sync/atomic"
)

type counter struct{ atomic.Int64 }

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
		if it.inst != nil && it.inst.counts != nil {
			b.WriteString(pad + it.inst.Pass.title() + "\n")
			values := make([]int64, len(it.inst.counts))
			for i := range values {
				values[i] = it.inst.counts[i].Load()
			}
			writeStatistics(b, pad, it.inst.Pass, values)
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
	sums := map[*Pass][]int64{}
	var order []*Pass
	m.each(func(i *Instance) {
		if i.counts == nil {
			return
		}
		if sums[i.Pass] == nil {
			sums[i.Pass] = make([]int64, len(i.counts))
			order = append(order, i.Pass)
		}
		for k := range i.counts {
			sums[i.Pass][k] += i.counts[k].Load()
		}
	})
	sort.SliceStable(order, func(i, j int) bool { return order[i].title() < order[j].title() })
	for _, p := range order {
		b.WriteString(p.title() + "\n")
		writeStatistics(b, "", p, sums[p])
	}
}

func writeStatistics(b *strings.Builder, pad string, p *Pass, values []int64) {
	order := make([]int, len(values))
	width, digits := 0, 0
	for i := range order {
		order[i] = i
		width = max(width, len(p.Statistics[i].Name))
		digits = max(digits, len(fmt.Sprint(values[i])))
	}
	sort.Slice(order, func(i, j int) bool { return p.Statistics[order[i]].Name < p.Statistics[order[j]].Name })
	for _, i := range order {
		fmt.Fprintf(b, "%s  (S) %*d %-*s - %s\n", pad, digits, values[i], width, p.Statistics[i].Name, p.Statistics[i].Help)
	}
}
