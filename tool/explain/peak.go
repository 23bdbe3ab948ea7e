package explain

import (
	"freehold/ir"
	"freehold/memory/footprint"
)

// AtPeak returns those of the items whose buffers are alive at the peak of the function with the largest one, in the order of the items.
func (e *Explanation) AtPeak() (out []*Item) {
	f := footprint.Analyze(e.Module).Largest()
	if f == nil {
		return nil
	}
	arenas := footprint.Arenas(e.Module)
	alive := map[*Item]bool{}
	add := func(op *ir.Op) {
		if op != nil {
			alive[e.ItemOf(op)] = true
		}
	}
	for _, p := range f.Peaks {
		p = f.Fullest(p, arenas)
		for _, x := range f.At(p.Time) {
			if x.Value != nil {
				add(x.Op)
			}
		}
		for _, a := range arenas {
			if a.Function != f.Op {
				continue
			}
			for _, k := range a.At(p.Time) {
				add(a.Parts[k].DefiningOp())
			}
		}
	}
	for _, i := range e.Items {
		if alive[i] {
			out = append(out, i)
		}
	}
	return out
}
