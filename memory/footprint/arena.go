package footprint

import (
	"cmp"
	"errors"
	"maps"
	"slices"

	"freehold/dialect/memref"
	"freehold/ir"
	"freehold/ir/analysis"
	"freehold/ir/interfaces"
	"freehold/memory/plan"
)

// Arena is a buffer of bytes that is marked as an arena (memref.ArenaAttr), with the parts that
// a function sees of it.
type Arena struct {
	Function *ir.Op
	Buffer   *ir.Value
	// Size is what it takes, and Bytes that if it is static.
	Size  Size
	Bytes int64
	// Problem has a buffer for each part, with when it is alive, and Offsets is where it is. Where the arena, or any part, is dynamic, these tell no
	// sizes and places: Sizes are those of the parts.
	Problem plan.Problem
	Offsets []int64
	Sizes   []Size
	Parts   []*ir.Value
	dynamic *dynamicParts // nil if all is static
	// Bound says below what no arena for these parts can be, in Bytes.
	Bound plan.Bound
}

// Arenas finds the arenas in root. It takes what [analysis.Lifetimes] takes.
func Arenas(root *ir.Op) (out []*Arena) {
	var calls *analysis.CallSummaries
	if root.Has(ir.TraitSymbolTable) {
		calls = analysis.NewCallSummaries(root)
	}
	root.Walk(func(fn *ir.Op) bool {
		if interfaces.Function.Has(fn) && fn.NumRegions() > 0 && !fn.RegionAt(0).Empty() {
			out = append(out, arenasOf(fn, calls)...)
		}
		return true
	})
	return out
}

func arenasOf(fn *ir.Op, calls *analysis.CallSummaries) (out []*Arena) {
	var views []*ir.Op
	fn.Walk(func(op *ir.Op) bool {
		if op.Is(memref.View) && memref.IsArena(memref.ViewOp{Op: op}.Source()) {
			views = append(views, op)
		}
		return true
	})
	if len(views) == 0 {
		return nil
	}
	b := analysis.NewBuffers(fn, analysis.BufferOptions{Calls: calls})
	l := analysis.NewLifetimes(fn)
	numbers := newNumbers(newSymbols())
	byBuffer := map[*ir.Value]*Arena{}
	reach := l.Reach(b, func(v *ir.Value) bool {
		op := v.DefiningOp()
		return op != nil && op.Is(memref.View) && memref.IsArena(memref.ViewOp{Op: op}.Source())
	})
	for _, op := range views {
		view := memref.ViewOp{Op: op}
		source := view.Source()
		a := byBuffer[source]
		if a == nil {
			a = &Arena{Function: fn, Buffer: source, Size: numbers.s.size(source)}
			a.Bytes = a.Size.Bytes
			byBuffer[source] = a
			out = append(out, a)
		}
		offset, _ := ir.ConstantInt(view.ByteShift())
		size := numbers.s.size(view.Op.Result(0))
		a.Sizes = append(a.Sizes, size)
		x := plan.Buffer{Size: size.Bytes, Alignment: 1}
		for _, s := range reach.Of(op.Result(0)) {
			x.Live = append(x.Live, plan.Interval{Lower: s.Lower, Upper: s.Upper})
		}
		a.Problem.Buffers = append(a.Problem.Buffers, x)
		a.Offsets = append(a.Offsets, offset)
		a.Parts = append(a.Parts, op.Result(0))
	}
	for _, a := range out {
		if a.isDynamic() {
			a.makeDynamic(numbers)
		}
		a.Bound = plan.LowerBound(&a.Problem)
	}
	return out
}

// Check looks for two parts that overlap, and are alive at the same time: by the values by which
// they can be reached, so that it is right for what was planned as it stands, and may find too
// much in programs in which views were moved since. It returns nil if there are none, in near
// linear time, or, if the arena is dynamic, the square of the number of parts that are alive together.
func (a *Arena) Check() *ir.Diagnostic {
	if a.dynamic != nil {
		return a.dynamic.check(a)
	}
	solution := &plan.Solution{Offsets: a.Offsets, Bound: a.Bound}
	solution.LowerBound = solution.Bound.Bytes
	for i := range a.Problem.Buffers {
		solution.Peak = max(solution.Peak, a.Offsets[i]+a.Problem.Buffers[i].Size)
	}
	err := plan.Verify(&a.Problem, solution)
	if err == nil && solution.Peak <= a.Bytes {
		return nil
	}
	if err == nil {
		return ir.Errorf(a.Buffer.Loc(), "the arena has %d bytes, but parts up to byte %d", a.Bytes, solution.Peak)
	}
	d := ir.Errorf(a.Buffer.Loc(), "parts of the arena overlap while both are alive")
	var o *plan.OverlapError
	if !errors.As(err, &o) {
		d.Message = "the arena is wrong: " + err.Error()
		return d
	}
	for _, i := range []int{o.First, o.Second} {
		d.WithNote(a.Parts[i].Loc(), "bytes %d to %d", a.Offsets[i], a.Offsets[i]+a.Problem.Buffers[i].Size-1)
	}
	return d
}

// At returns the numbers of the parts that are in use at a time, the largest first. Linear.
func (a *Arena) At(time int64) (parts []int) {
	for i, b := range a.Problem.Buffers {
		if slices.ContainsFunc(b.Live, func(l plan.Interval) bool { return l.Lower <= time && time < l.Upper }) {
			parts = append(parts, i)
		}
	}
	slices.SortStableFunc(parts, func(i, j int) int { return largerFirst(a.Sizes[i], a.Sizes[j]) })
	return parts
}

// mostFull is how many times are compared with a peak.
const mostFull = 64

// Fullest returns the peak at that time of those that need as much at which most of the parts of the function's arenas are in use: an arena is there
// from its first part to its last. Of very many times it looks at some. It takes near-linear time.
func (f *Function) Fullest(p Peak, arenas []*Arena) Peak {
	changes := map[int64]int64{}
	for _, a := range arenas {
		if a.Function != f.Op {
			continue
		}
		for _, b := range a.Problem.Buffers {
			for _, l := range b.Live {
				changes[l.Lower] += b.Size
				changes[l.Upper] -= b.Size
			}
		}
	}
	times := slices.Sorted(maps.Keys(changes))
	used, sum := map[int64]int64{}, int64(0)
	for _, t := range times {
		sum += changes[t]
		used[t] = sum
	}
	slices.SortStableFunc(times, func(a, b int64) int { return cmp.Compare(used[b], used[a]) })
	for _, t := range times[:min(len(times), mostFull)] {
		if _, size := f.timeline.at(t); used[t] > 0 && size.AtLeast(p.Size) && t < f.lifetimes.End() {
			return Peak{p.Size, t, f.lifetimes.At(t)}
		}
	}
	return p
}
