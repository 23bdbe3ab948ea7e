package emitc

import (
	"fmt"
	"strings"

	"freehold/ir"
	"freehold/ir/analysis"
	"freehold/ir/interfaces"
)

// freed says of the results of a function who frees them, as part of what describes it. Results that are one buffer, or may be, are freed once.
func (m *module) freed(f *function) []string {
	words := make([]string, len(f.Results))
	d := m.deallocator()
	if d == "" || f.op.BodyBlock(0) == nil {
		return words
	}
	shared := m.sharedResults(f)
	for i, r := range f.Results {
		if !ir.IsMemRef(r.Type) {
			continue
		}
		var maybe []string
		same := -1
		for j := range i {
			switch shared.of(j, i) {
			case analysis.MustAlias:
				if same < 0 {
					same = j
				}
			case analysis.MayAlias:
				maybe = append(maybe, fmt.Sprintf("r%d", j))
			}
		}
		switch {
		case interfaces.LendsResult(f.op, i):
			words[i] = ", not to be freed, as it is part of something else"
		case same >= 0:
			words[i] = fmt.Sprintf(", the memory of r%d, which is freed once", same)
		case maybe != nil:
			words[i] = fmt.Sprintf(", to be freed by %s unless it is the memory of %s", d, strings.Join(maybe, " or "))
		default:
			words[i] = ", to be freed by " + d
		}
	}
	return words
}

// sharedResults tells of each two results of a function whether they are one buffer.
type sharedResults map[[2]int]analysis.Alias

// of returns what is known of results i and j, of which i comes first.
func (s sharedResults) of(i, j int) analysis.Alias { return s[[2]int{i, j}] }

// sharedResults compares the results of a function that the caller has to free. It takes time linear in the program, and in the pairs of results.
func (m *module) sharedResults(f *function) sharedResults {
	var freed []int
	for i, r := range f.Results {
		if ir.IsMemRef(r.Type) && !interfaces.LendsResult(f.op, i) {
			freed = append(freed, i)
		}
	}
	if len(freed) < 2 {
		return nil
	}
	if m.calls == nil {
		m.calls = analysis.NewCallSummaries(m.root)
	}
	origins := analysis.NewPreciseOrigins(f.op, m.calls)
	shared := sharedResults{}
	first := true
	for block := range f.op.RegionAt(0).Blocks() {
		t := block.Last()
		if t == nil || !interfaces.IsRegionTerminator(t) {
			continue
		}
		for k, j := range freed {
			for _, i := range freed[:k] {
				v, w := t.Operand(i), t.Operand(j)
				now := origins.Query(v, w)
				if now == analysis.MustAlias && analysis.ViewBase(v) != analysis.ViewBase(w) {
					now = analysis.MayAlias // one operation may have allocated both
				}
				if at := [2]int{i, j}; first || shared[at] == now {
					shared[at] = now
				} else {
					shared[at] = analysis.MayAlias
				}
			}
		}
		first = false
	}
	return shared
}
