package pass

import (
	"errors"
	"sort"
	"strings"
)

// Pipeline is a list of passes that is registered under a name.
type Pipeline struct {
	Name, Summary, Description string
	Options                    []Option
	// Build adds the passes to m.
	Build func(r *Registry, m *OpPassManager, o *Options) error
}

// Registry knows passes and pipelines by name. The zero value is empty and ready.
// It is not safe for concurrent registration; look-ups may be concurrent.
type Registry struct {
	passes    map[string]*Pass
	pipelines map[string]*Pipeline
	trials    []Trial
}

// Register adds passes. A name that is taken is an error of the program: it
// panics.
func (r *Registry) Register(passes ...*Pass) {
	if r.passes == nil {
		r.passes = make(map[string]*Pass)
	}
	for _, p := range passes {
		if r.passes[p.Name] != nil || r.pipelines[p.Name] != nil {
			panic("pass: " + p.Name + " is registered twice")
		}
		r.passes[p.Name] = p
	}
}

// RegisterPipelines adds pipelines, like Register.
func (r *Registry) RegisterPipelines(pipelines ...*Pipeline) {
	if r.pipelines == nil {
		r.pipelines = make(map[string]*Pipeline)
	}
	for _, p := range pipelines {
		if r.passes[p.Name] != nil || r.pipelines[p.Name] != nil {
			panic("pass: " + p.Name + " is registered twice")
		}
		r.pipelines[p.Name] = p
	}
}

// Pass returns the pass of that name, or nil.
func (r *Registry) Pass(name string) *Pass { return r.passes[name] }

// Pipeline returns the pipeline of that name, or nil.
func (r *Registry) Pipeline(name string) *Pipeline { return r.pipelines[name] }

// Has tells whether a pass or pipeline has that name.
func (r *Registry) Has(name string) bool {
	return r.passes[name] != nil || r.pipelines[name] != nil
}

// Passes returns all passes in order of their names.
func (r *Registry) Passes() []*Pass {
	out := make([]*Pass, 0, len(r.passes))
	for _, p := range r.passes {
		out = append(out, p)
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Name < out[j].Name })
	return out
}

// Pipelines returns all pipelines in order of their names.
func (r *Registry) Pipelines() []*Pipeline {
	out := make([]*Pipeline, 0, len(r.pipelines))
	for _, p := range r.pipelines {
		out = append(out, p)
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Name < out[j].Name })
	return out
}

// AddFlag adds the pass or pipeline of that name, with options as text, at the
// end of m. A pass on another kind of operation than m's is nested implicitly.
func (r *Registry) AddFlag(m *OpPassManager, name, options string) error {
	return r.add(m, name, options, true)
}

// Add is AddFlag with option text for use by the Build functions of pipelines.
// It panics if there is no pass of that name, which is an error of the program.
func (r *Registry) Add(m *OpPassManager, name, options string) error {
	if !r.Has(name) {
		panic("pass: no pass " + name)
	}
	return r.add(m, name, options, true)
}

// Step is a pass or pipeline in the definition of a pipeline, with its options as
// text.
type Step struct{ Name, Options string }

// AddAll is [Registry.Add] for several steps.
func (r *Registry) AddAll(m *OpPassManager, steps []Step) error {
	for _, s := range steps {
		if err := r.Add(m, s.Name, s.Options); err != nil {
			return err
		}
	}
	return nil
}

func (r *Registry) add(m *OpPassManager, name, options string, implicit bool) error {
	if pl := r.pipelines[name]; pl != nil {
		o := NewOptions(pl.Options)
		if err := o.Parse(options); err != nil {
			return err
		}
		return pl.Build(r, m, o)
	}
	p := r.passes[name]
	if p == nil {
		return errors.New("'" + name + "' does not refer to a registered pass or pass pipeline")
	}
	inst := New(p)
	if err := inst.Options.Parse(options); err != nil {
		return err
	}
	if implicit {
		m.AddNested(inst)
		return nil
	}
	return m.Add(inst)
}

// Nearest returns the candidate with the smallest edit distance to name, or "".
// Time is linear in the number of candidates.
func Nearest(name string, candidates []string) string {
	best, dist := "", len(name)+1
	for _, c := range candidates {
		if d := editDistance(name, c, dist); d < dist {
			best, dist = c, d
		}
	}
	return best
}

// editDistance returns the Levenshtein distance of a and b, or some number of at
// least limit if it is not below that.
func editDistance(a, b string, limit int) int {
	if d := len(a) - len(b); d >= limit || -d >= limit {
		return limit
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diag := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diag
			if a[i] != b[j] {
				cost++
			}
			diag = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

// names returns all names of passes and pipelines, sorted.
func (r *Registry) names() []string {
	out := make([]string, 0, len(r.passes)+len(r.pipelines))
	for n := range r.passes {
		out = append(out, n)
	}
	for n := range r.pipelines {
		out = append(out, n)
	}
	sort.Strings(out)
	return out
}

// Suggest returns the registered name that is closest to a misspelt one, or "".
func (r *Registry) Suggest(name string) string {
	return Nearest(strings.ToLower(name), r.names())
}
