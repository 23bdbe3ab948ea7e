package pass

// Trial says that random programs of some kinds must mean the same after a
// pipeline as before. Families of passes register theirs beside the passes, so that
// campaigns of random programs find them.
type Trial struct {
	// Pipeline is the textual pipeline.
	Pipeline string
	// Programs names the generators of the programs; none stands for all.
	Programs []string
	// Frees tells that no memory is left over afterwards.
	Frees bool
	// MayReject tells that the pipeline may fail with an error.
	MayReject bool
}

// RegisterTrials adds trials.
func (r *Registry) RegisterTrials(trials ...Trial) { r.trials = append(r.trials, trials...) }

// Trials returns the registered trials, and for each pass one of the pass alone,
// which may reject programs.
func (r *Registry) Trials() []Trial {
	out := append([]Trial(nil), r.trials...)
	for _, p := range r.Passes() {
		op := p.On
		if op == "" || op == "builtin.module" {
			out = append(out, Trial{Pipeline: "builtin.module(" + p.Name + ")", MayReject: true})
		} else {
			out = append(out, Trial{Pipeline: "builtin.module(" + op + "(" + p.Name + "))", MayReject: true})
		}
	}
	return out
}
