package oneshot

import "freehold/ir"

// since is what is quickly said of all operations that may have written what a value contains ([state.findDefinitions]). Of a value that may be one of
// several, it is made of what is said of these, so that a chain of them takes linear time.
type since struct {
	state sinceState
	any   bool  // there is such an operation
	from  int32 // the least of their positions, or noPosition
	// around is the loop that is around all of them; mixed tells that it isn't the same one.
	around *ir.Region
	mixed  bool
}

// sinceState tells whether something is known.
type sinceState uint8

const (
	sinceUnknown sinceState = iota
	sinceAsked
	sinceKnown
)

// join adds what is said of another value.
func (s *since) join(other *since) {
	switch {
	case !other.any:
	case !s.any:
		s.any, s.from, s.around, s.mixed = true, other.from, other.around, other.mixed
	default:
		s.from = min(s.from, other.from)
		if s.mixed = s.mixed || other.mixed || s.around != other.around; s.mixed {
			s.around = nil
		}
	}
}

// written is what is said of a value that its own operation may have written.
func (g *groups) written(v *ir.Value) since {
	out := since{state: sinceKnown, any: true, from: noPosition, around: g.repetitive(v.ParentRegion())}
	if op := v.DefiningOp(); op != nil {
		out.from = g.order.extentOf(op).from
	}
	return out
}

// since returns where it is noted what is known of a value.
func (g *groups) since(v *ir.Value) *since {
	i := g.plan.values.number(v)
	g.sinces = grow(g.sinces, i, cap(g.plan.values.values))
	return &g.sinces[i]
}

// sinceOf tells where what a value contains may have been written. It takes time linear in the values that it may be and that weren't asked about before.
func (g *groups) sinceOf(v *ir.Value) since {
	work := []*ir.Value{v}
	for len(work) > 0 {
		at := work[len(work)-1]
		s := g.since(at)
		if s.state == sinceKnown {
			work = work[:len(work)-1]
			continue
		}
		if g.WritesResult(at) {
			*s = g.written(at)
			continue
		}
		sum, waits := since{state: sinceKnown}, false
		for _, a := range g.AliasingOperands(at) {
			switch from := g.since(a.Use.Value()); {
			case from.state == sinceKnown:
				sum.join(from)
			case from.state == sinceAsked:
				return g.sinceInCycle(v, work)
			default:
				work, waits = append(work, a.Use.Value()), true
			}
		}
		if s = g.since(at); waits {
			s.state = sinceAsked
		} else {
			*s = sum
		}
	}
	return *g.since(v)
}

// sinceInCycle is sinceOf for a value that may be made of itself, in what isn't reached: of that, nothing is kept.
func (g *groups) sinceInCycle(v *ir.Value, asked []*ir.Value) (sum since) {
	for _, w := range asked {
		if s := g.since(w); s.state == sinceAsked {
			s.state = sinceUnknown
		}
	}
	for _, def := range g.findDefinitions(v) {
		one := g.written(def)
		sum.join(&one)
	}
	return sum
}
