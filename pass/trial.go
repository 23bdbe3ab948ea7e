package pass

import (
	"slices"
	"strings"
)

// Trial says that random programs of some kinds must mean the same after a
// pipeline as before. Families of passes register theirs beside the passes, so that
// campaigns of random programs find them.
type Trial struct {
	// Pipeline is the textual pipeline.
	Pipeline string
	// Vary, if there is one, returns the pipeline for a program instead. choose makes
	// choices: it returns a number in [0, n).
	Vary func(choose func(n int) int) string
	// Programs names the generators of the programs; none stands for all.
	Programs []string
	// Frees tells that no memory is left over afterwards.
	Frees bool
	// MayReject tells that the pipeline may fail with an error.
	MayReject bool
}

// RegisterTrials adds trials.
func (r *Registry) RegisterTrials(trials ...Trial) { r.trials = append(r.trials, trials...) }

// Trials returns the registered trials, and for each pass one of the pass alone, and one
// with some other options, and on functions if it isn't bound to an operation; these may
// reject programs.
func (r *Registry) Trials() []Trial {
	out := append([]Trial(nil), r.trials...)
	for _, p := range r.Passes() {
		alone := func(on, options string) string {
			if on != "" && on != Module {
				return Module + "(" + on + "(" + p.Name + options + "))"
			}
			return "builtin.module(" + p.Name + options + ")"
		}
		out = append(out, Trial{Pipeline: alone(p.On, ""), MayReject: true})
		varied := slices.ContainsFunc(p.Options(), func(o *Option) bool { return len(o.others()) > 0 })
		if !varied && p.On != "" {
			continue
		}
		out = append(out, Trial{MayReject: true, Vary: func(choose func(n int) int) string {
			on, options := p.On, ""
			if on == "" && (!varied || choose(3) == 2) {
				on = Function
			}
			if varied {
				options = vary(p.Options(), choose)
			}
			return alone(on, options)
		}})
	}
	return out
}

// vary gives one to three options other values than they have by default.
func vary(options []*Option, choose func(n int) int) string {
	var words []string
	left := slices.DeleteFunc(slices.Clone(options), func(o *Option) bool { return len(o.others()) == 0 })
	for range min(len(left), 1+choose(3)) {
		i := choose(len(left))
		values := left[i].others()
		words = append(words, left[i].Name+"="+values[choose(len(values))])
		left = slices.Delete(left, i, i+1)
	}
	return "{" + strings.Join(words, " ") + "}"
}

// others returns values that an option may have, besides its default, as far as its kind
// tells.
func (o *Option) others() (list []string) {
	switch o.Kind {
	case BoolKind:
		list = []string{"false", "true"}
	case IntKind, UintKind:
		list = []string{"0", "1", "2"}
	case ListKind:
		list = []string{"main", "f1,main", "tensor", "tensor,bufferization,linalg"} // names of functions and dialects
	case EnumKind, StringKind:
		for _, c := range o.Cases {
			list = append(list, c.Name)
		}
	}
	return slices.DeleteFunc(list, func(v string) bool { return v == o.Default })
}
