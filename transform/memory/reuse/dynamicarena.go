package reuse

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"freehold/dialect/funcd"
	"freehold/internal/bitset"
	"freehold/ir"
	"freehold/ir/analysis"
	"freehold/memory/footprint"
	"freehold/memory/plan"
)

// A dynamic arena has parts whose sizes are known when the function begins, from those of its arguments. Their places can't be numbers, but which part lies
// above which can be decided before: as in a plan for sizes that stand for all. Each part then begins at the largest of the ends of those below it that are
// alive at the same time, whatever the sizes are.

// standIn is what each size that isn't known stands for in the plan that decides about the order. It is odd, so that what would have to be rounded up for the alignment of what
// lies above shows there, too.
const standIn = 127

// dynamicArena is what an arena has whose size is known when the function begins.
type dynamicArena struct {
	entry   *entrySizes
	bytes   *ir.Value
	offsets []*ir.Value
	// atMost are sizes of which the largest is that of the arena.
	atMost []footprint.Size
}

// planDynamic plans the buffers whose sizes are known when the function begins, with those of static size as parts of the same arena where that can be, and
// makes those that are planned no candidates for another arena. It tells whether all parts are planned that there are.
func (f *functionPlanner) planDynamic(kind ArenaKind) (bool, error) {
	if !f.allocatesDynamic() && !f.callsDynamic() {
		return false, nil
	}
	known := f.before.Of(f.fn)
	if known == nil {
		return false, nil
	}
	f.entry = newEntrySizes(f.fn, known.Numbers())
	if f.isAskedFor(kind) && !f.fn.Is(funcd.Func) {
		kind = ArenaAlloc
	}
	if f.isAskedFor(kind) || kind != ArenaArgument {
		done, err := f.planDynamicParts(kind, func(part) bool { return true })
		if done || err != nil {
			return done, err
		}
	}
	_, err := f.planDynamicParts(ArenaAlloc, func(x part) bool { return x.bytes != nil && x.call == nil })
	return false, err
}

// planDynamicParts plans those parts that are wanted, in all memory spaces.
func (f *functionPlanner) planDynamicParts(kind ArenaKind, wanted func(x part) bool) (bool, error) {
	f.alone = nil
	f.find(f.alive, func(v *ir.Value, l *analysis.Lifetime) bool {
		x := part{bytes: f.dynamicBytes(v, l)}
		return (x.bytes != nil || f.canPlan(v, l)) && wanted(x)
	})
	f.parts = slices.DeleteFunc(f.parts, func(x part) bool { return !wanted(x) })
	if !slices.ContainsFunc(f.parts, func(x part) bool { return x.bytes != nil }) {
		return false, nil
	}
	if kind == ArenaGlobal {
		kind = ArenaAlloc // a global's size is a number
	}
	var found []plannedArena
	all := f.parts
	for _, space := range spacesOf(all) {
		f.space = space
		parts := slices.DeleteFunc(slices.Clone(all), func(x part) bool { return x.space != space })
		a, err := f.dynamicArenaOf(parts, kind)
		if a == nil || err != nil {
			return false, err
		}
		found = append(found, *a)
	}
	f.planned = append(f.planned, found...)
	return true, nil
}

// dynamicBytes returns what a buffer takes, as is known when the function begins; nil if it isn't, or the buffer is of static size or can't become a part.
func (f *functionPlanner) dynamicBytes(v *ir.Value, l *analysis.Lifetime) *ir.Value {
	t := v.Type().(*ir.MemRefType)
	if ir.IsStaticShape(t.Shape) || !f.mayMove(t, l) || ir.StorageBytes(t.Elem) == 0 || isOfUnknownPadding(t.Elem) || slices.Contains(t.Shape, 0) {
		return nil
	}
	sizes := f.entry.sizes(v.DefiningOp())
	if sizes == nil {
		return nil
	}
	if bytes := f.entry.bytes(t, sizes); f.entry.standsFor(bytes) < largestPart && f.mayReserve(v.DefiningOp(), bytes) {
		return bytes
	}
	return nil
}

// standsFor returns what a number is if each size that isn't known is [standIn].
func (e *entrySizes) standsFor(v *ir.Value) (most int64) {
	for _, s := range e.numbers.Of(v) {
		most = max(most, s.Rename(func(string) string { return "n" }).Given(map[string]int64{"n": standIn}).Bytes)
	}
	return most
}

// dynamicArenaOf returns the arena of parts; nil if it isn't seen to be right, whatever sizes are, or if with it the function may need more than without, and none
// is asked for.
func (f *functionPlanner) dynamicArenaOf(parts []part, kind ArenaKind) (*plannedArena, error) {
	f.parts = parts
	alignments := f.alignmentsOfDynamic()
	a := f.problem(alignments)
	a.Problem.Capacity = 0
	solution, err := plan.Solve(context.Background(), a.Problem, f.options.solve())
	if err != nil {
		return nil, f.fn.PlainErrorf("no plan for the memory: %v", err)
	}
	a.Solution = solution
	d := f.stack(a.Problem, solution, alignments)
	a.dynamic = d
	if !f.isSeenToBeRight(d, a.Problem) {
		return nil, nil
	}
	if !f.isAskedFor(kind) && (!f.isMore(kind, solution.Peak) || !f.neverMore(d)) {
		return nil, nil
	}
	x := &plannedArena{Arena: a, kind: kind, parts: parts}
	x.first, x.last = f.firstAndLast()
	return x, nil
}

// alignmentsOfDynamic returns the alignments of the parts: what they ask for if all sizes are multiples of that, so that nothing is lost by it, and else what they need.
func (f *functionPlanner) alignmentsOfDynamic() []int64 {
	asked, needed := f.alignments(asAsked), f.alignments(asNeeded)
	most := slices.Max(asked)
	for i := range f.parts {
		if !f.entry.isMultiple(f.bytesOfPart(i), most) {
			return needed
		}
	}
	return asked
}

// bytesOfPart returns what a part takes, when the function begins.
func (f *functionPlanner) bytesOfPart(i int) *ir.Value {
	if x := &f.parts[i]; x.bytes != nil {
		return x.bytes
	}
	return f.entry.constant(f.parts[i].size)
}

// stack gives each part its place: above those that are below it in a plan, and alive at the same time. It takes the square of the number of parts.
func (f *functionPlanner) stack(p *plan.Problem, s *plan.Solution, alignments []int64) *dynamicArena {
	n := len(f.parts)
	d := &dynamicArena{entry: f.entry, offsets: make([]*ir.Value, n)}
	order, ends := make([]int, n), make([]*ir.Value, n)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(s.Offsets[i], s.Offsets[j]) })
	under := make([]bitset.Set, n) // all that is under a part, directly or not
	for k, i := range order {
		under[i] = bitset.New(n)
		var below []*ir.Value
		for _, j := range slices.Backward(order[:k]) {
			if s.Offsets[j] < s.Offsets[i] && !under[i].Has(j) && together(&p.Buffers[i], &p.Buffers[j]) {
				below = append(below, ends[j])
				under[i].Add(j)
				under[i].Union(under[j])
			}
		}
		d.offsets[i] = f.entry.largest(below)
		if !f.entry.isMultiple(d.offsets[i], alignments[i]) {
			d.offsets[i] = f.entry.multiple(d.offsets[i], alignments[i])
		}
		ends[i] = f.entry.plus(d.offsets[i], f.bytesOfPart(i))
	}
	d.bytes = f.entry.largest(ends)
	d.atMost = f.entry.numbers.Of(d.bytes)
	return d
}

// isSeenToBeRight tells whether who looks at the arena afterwards sees that its parts are apart and within it, whatever sizes are: each buffer takes what its
// dimensions say, and not what was computed as its size.
func (f *functionPlanner) isSeenToBeRight(d *dynamicArena, p *plan.Problem) bool {
	numbers := f.entry.numbers
	placed := footprint.PlacedParts{Buffers: p.Buffers, Bytes: d.atMost}
	for i := range f.parts {
		size := numbers.Of(f.bytesOfPart(i))
		if x := &f.parts[i]; x.alloc != nil {
			size = numbers.OfContents(x.alloc.Result(0))
		}
		placed.Sizes = append(placed.Sizes, size)
		placed.Offsets = append(placed.Offsets, numbers.Of(d.offsets[i]))
	}
	_, _, problem := numbers.Check(placed)
	return problem == footprint.AllApart
}

// together tells whether two buffers are alive at the same time.
func together(a, b *plan.Buffer) bool {
	return slices.ContainsFunc(a.Live, func(x plan.Interval) bool {
		return slices.ContainsFunc(b.Live, func(y plan.Interval) bool { return x.Lower < y.Upper && y.Lower < x.Upper })
	})
}

// neverMore tells whether the function needs no more with an arena than it needed at its peak, whatever sizes are: if for each size that the arena may have, and
// all that is alive beside it at a time, there is a peak that is as large.
func (f *functionPlanner) neverMore(d *dynamicArena) bool {
	beside, ok := f.aliveBeside()
	peaks := f.before.Of(f.fn).Peaks
	for _, arena := range d.atMost {
		for _, rest := range beside {
			sum := arena.Plus(rest)
			ok = ok && slices.ContainsFunc(peaks, func(p footprint.Peak) bool { return p.Size.AtLeast(sum) })
		}
	}
	return ok
}

// aliveBeside returns the sums of the sizes of what is alive beside the parts, for the times at which that changes while their arena is there. It is false if that isn't
// known.
func (f *functionPlanner) aliveBeside() (sums []footprint.Size, ok bool) {
	in := map[*ir.Value]bool{}
	for _, x := range f.parts {
		if x.alloc != nil {
			in[x.alloc.Result(0)] = true
		}
	}
	type change struct {
		time  int64
		size  footprint.Size
		comes bool
	}
	from, to := f.range_()
	var changes []change
	for i := range f.alive.Buffers {
		l := &f.alive.Buffers[i]
		if in[l.Value] {
			continue
		}
		if l.Overlaps {
			return nil, false
		}
		size := f.before.Of(f.fn).SizeOf(l.Value)
		for _, s := range l.Spans {
			if s.Lower < to && from < s.Upper {
				changes = append(changes, change{max(s.Lower, from), size, true}, change{s.Upper, size, false})
			}
		}
	}
	for _, call := range f.calling {
		if n := f.needs[f.callee(call)]; n == nil || len(n.others) > 0 || n.dynamic || len(n.arenas) > 0 {
			if t, _ := f.times.Of(call); from <= t && t < to {
				return nil, false
			}
		}
	}
	slices.SortStableFunc(changes, func(a, b change) int { return cmp.Compare(a.time, b.time) })
	now := footprint.Size{}
	sums = append(sums, now)
	for i, c := range changes {
		if c.time >= to {
			break
		}
		if c.comes {
			now = now.Plus(c.size)
		} else {
			now = now.Minus(c.size)
		}
		if i+1 == len(changes) || changes[i+1].time != c.time {
			sums = append(sums, now)
		}
	}
	return sums, true
}

// isDynamic tells whether the function, or what it calls, allocates what isn't of static size.
func (f *functionPlanner) isDynamic() bool {
	return f.allocatesDynamic() || slices.ContainsFunc(f.calling, func(call *ir.Op) bool {
		n := f.needs[f.callee(call)]
		return n == nil || n.dynamic
	})
}

// allocatesDynamic tells whether the function allocates what isn't of static size and might become a part.
func (f *functionPlanner) allocatesDynamic() bool {
	return slices.ContainsFunc(f.sequential, func(op *ir.Op) bool { return !ir.IsStaticShape(op.Result(0).Type().(*ir.MemRefType).Shape) })
}

// callsDynamic tells whether the function calls what needs an arena whose size isn't a number.
func (f *functionPlanner) callsDynamic() bool {
	return slices.ContainsFunc(f.calling, func(call *ir.Op) bool {
		n := f.needs[f.callee(call)]
		return n != nil && slices.ContainsFunc(n.arenas, func(a broughtArena) bool { return a.sizeFunction != nil })
	})
}

// reportOfDynamic tells how large an arena is, and what is where, in the order of a plan for sizes of [standIn].
func (a *Arena) reportOfDynamic(name string, order []int) []byte {
	out := fmt.Appendf(nil, "@%s: an arena of %s, known when it begins\n", name, formulas(a.dynamic.atMost))
	for _, i := range order {
		what := "what a call needs"
		if v := a.Parts[i]; v != nil {
			what = v.Type().String()
		}
		out = fmt.Appendf(out, "  from %s: %s\n", formulas(a.dynamic.entry.numbers.Of(a.dynamic.offsets[i])), what)
	}
	return out
}

// formulas writes the largest of sizes.
func formulas(sizes []footprint.Size) string {
	text := ""
	for i, s := range sizes {
		if i > 0 {
			text += " or "
		}
		text += s.String()
	}
	return text
}
