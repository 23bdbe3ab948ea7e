package report

import (
	"maps"
	"slices"

	"freehold/ir"
)

// Repeat tells that the same operations are there again and again, such as those of the layers of a network.
type Repeat struct {
	// Starts are the steps at which each time begins, and the one at which the last ends.
	Starts []int `json:"starts"`
	// Operations is how many they are, and From and To are the lines of the first time.
	Operations int    `json:"operations"`
	From       uint32 `json:"from"`
	To         uint32 `json:"to"`
}

// repeat is where operations are there again, in lines of the source: where each time begins, and where the last ends.
type repeat struct {
	lines      []uint32
	operations int
}

// fewestTimes is how often something has to be there to be shown as repeated, shortest how many operations it has at least.
const fewestTimes, shortest = 3, 8

// mostDistances is how many distances are tried, the most frequent first.
const mostDistances = 16

// mostSteps is how many steps are looked at to place what is repeated, in all.
const mostSteps = 50_000_000

// repeat finds what is repeated in a function of the program as it is written, which views that come later show, too: passes may order and
// unite operations. It takes linear time.
func (p *Page) repeat(fn *ir.Op, f *Function) *Repeat {
	key := f.Name
	if pos, ok := ir.SourcePos(fn.Loc()); ok {
		key += " in " + pos.File()
	}
	found, ok := p.repeats[key]
	if !ok {
		found = findRepeat(fn)
		p.repeats[key] = found
	}
	if len(found.lines) == 0 || len(f.Steps) == 0 || len(found.lines)*len(f.Steps) > mostSteps {
		return nil
	}
	out := &Repeat{Operations: found.operations, From: found.lines[0], To: found.lines[1] - 1}
	for _, line := range found.lines {
		out.Starts = append(out.Starts, p.startOf(f, line))
	}
	return out
}

// startOf returns the step before which lines are mostly above one, and after which they are mostly not: passes move operations. Linear.
func (p *Page) startOf(f *Function, line uint32) (best int) {
	wrong := 0 // of the steps before are behind the line, and of those after in front of it, if it begins at a step
	for _, s := range f.Steps {
		if s[1] > 0 && p.Places[s[1]].Line < line {
			wrong++
		}
	}
	least := wrong
	for i, s := range f.Steps {
		switch {
		case s[1] == 0:
		case p.Places[s[1]].Line < line:
			wrong--
		default:
			wrong++
		}
		if wrong < least {
			best, least = i+1, wrong
		}
	}
	return min(best, len(f.Steps)-1)
}

// findRepeat looks for the distance at which most operations of a function's first block are the same again, and for the longest run at it.
func findRepeat(fn *ir.Op) (out repeat) {
	type kind struct {
		name   string
		result ir.Type
	}
	var kinds []kind
	var lines []uint32
	last, distances := map[kind]int{}, map[int]int{}
	for op := range fn.BodyBlock(0).Ops() {
		pos, ok := ir.SourcePos(op.Loc())
		if !ok || op.Has(ir.TraitConstantLike) {
			continue
		}
		k := kind{name: op.Name()}
		if op.NumResults() > 0 {
			k.result = op.Result(0).Type()
		}
		if before, ok := last[k]; ok {
			distances[len(kinds)-before]++
		}
		last[k] = len(kinds)
		kinds, lines = append(kinds, k), append(lines, pos.Line)
	}
	// What is once in a layer comes again at the distance of a layer; what is more often, at sums that make one.
	candidates := slices.DeleteFunc(slices.Sorted(maps.Keys(distances)), func(d int) bool { return d < shortest })
	slices.SortStableFunc(candidates, func(a, b int) int { return distances[b] - distances[a] })
	best, run := 0, run{}
	for _, d := range candidates[:min(len(candidates), mostDistances)] {
		if r := runAt(kinds, d); r.length > run.length {
			best, run = d, r
		}
	}
	if best == 0 {
		return repeat{}
	}
	times := run.length/best + 1
	if times < fewestTimes || !slices.IsSorted(lines) {
		return repeat{}
	}
	out.operations = best
	for i := range times {
		out.lines = append(out.lines, lines[run.start+i*best])
	}
	if end := run.start + times*best; end < len(lines) {
		return repeat{append(out.lines, lines[end]), best}
	}
	return repeat{append(out.lines, lines[len(lines)-1]+1), best}
}

type run struct{ start, length int }

// runAt returns the longest run of operations that are the same again at a distance.
func runAt[K comparable](kinds []K, distance int) (best run) {
	start := 0
	for i := 0; i+distance < len(kinds); i++ {
		if kinds[i] != kinds[i+distance] {
			start = i + 1
			continue
		}
		if n := i + 1 - start; n > best.length {
			best = run{start, n}
		}
	}
	return best
}
