package pass

import (
	"errors"
	"sort"
	"strings"
)

// Pipeline is a list of passes that is registered under a name.
type Pipeline struct {
	Info
	make func(r *Registry) (*Decl, func(*OpPassManager))
}

// NewPipeline returns a pipeline. declare declares its options, as for [New], of which
// build makes passes that it adds to m.
func NewPipeline[O any](info Info, declare func(o *O, d *Decl), build func(m *OpPassManager, o *O)) *Pipeline {
	return &Pipeline{info, func(r *Registry) (*Decl, func(*OpPassManager)) {
		o, d := declared(r, declare)
		return d, func(m *OpPassManager) { build(m, o) }
	}}
}

// Options returns the options that the pipeline takes, in order of their names.
func (p *Pipeline) Options() []*Option {
	d, _ := p.make(nil)
	return d.sorted()
}

// AddTo adds the passes to m that the pipeline stands for with its default options.
func (p *Pipeline) AddTo(m *OpPassManager) {
	_, build := p.make(nil)
	build(m)
}

func (p *Pipeline) register(r *Registry) { r.pipelines[p.Name] = p }

// Registry knows passes and pipelines by name. The zero value is empty and ready.
// It is not safe for concurrent registration; look-ups may be concurrent.
type Registry struct {
	// LLVM is the version of LLVM whose defaults the options of passes have; 0 stands for 19. See [Option.Since].
	LLVM int

	passes    map[string]*Pass
	pipelines map[string]*Pipeline
}

// Named is a [Pass] (or [Typed]) or [Pipeline].
type Named interface {
	name() string
	register(*Registry)
}

func (p *Info) name() string { return p.Name }

// Register adds passes and pipelines. A name that is taken is an error of the program:
// it panics.
func (r *Registry) Register(list ...Named) {
	if r.passes == nil {
		r.passes, r.pipelines = map[string]*Pass{}, map[string]*Pipeline{}
	}
	for _, p := range list {
		if r.Has(p.name()) {
			panic("pass: " + p.name() + " is registered twice")
		}
		p.register(r)
	}
}

// Pass returns the pass of that name, or nil.
func (r *Registry) Pass(name string) *Pass { return r.passes[name] }

// Pipeline returns the pipeline of that name, or nil.
func (r *Registry) Pipeline(name string) *Pipeline { return r.pipelines[name] }

// Has tells whether a pass or pipeline has that name.
func (r *Registry) Has(name string) bool {
	return r != nil && (r.passes[name] != nil || r.pipelines[name] != nil)
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

func (r *Registry) add(m *OpPassManager, name, options string, implicit bool) error {
	if pl := r.pipelines[name]; pl != nil {
		d, build := pl.make(r)
		if err := d.parse(options); err != nil {
			return err
		}
		build(m)
		m.each(func(i *Instance) {
			if i.decl.registry == nil {
				i.decl.registry = r
			}
		})
		return nil
	}
	p := r.passes[name]
	if p == nil {
		return errors.New("'" + name + "' does not refer to a registered pass or pass pipeline")
	}
	inst := p.make(r)
	if err := inst.decl.parse(options); err != nil {
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

// Similar returns the candidate that name may be misspelt for: the first of those that are nearest, where letters that have changed places are one mistake, with at most
// one letter in three wrong, or two, but not all. If there is none, it is "". Time is linear in the number of candidates.
func Similar(name string, candidates []string) string {
	best, dist := "", max(len(name)/3, 2)+1
	for _, c := range candidates {
		if d := misspelling(name, c, dist); d < dist && d < max(len(name), len(c)) {
			best, dist = c, d
		}
	}
	return best
}

// NearlyEqual tells whether a name is another one but for one letter in three, or one, where letters that have changed places are one mistake.
func NearlyEqual(name, other string) bool {
	limit := max(len(name)/3, 1) + 1
	return misspelling(name, other, limit) < limit
}

// Meant asks, as the end of an error, whether the name is meant that another one is misspelt for ([Similar]), with what is written before names. If there is none, it is "".
func Meant(before, name string, candidates []string) string {
	if near := Similar(name, candidates); near != "" {
		return "; did you mean " + before + near + "?"
	}
	return ""
}

// editDistance returns the Levenshtein distance of a and b, or some number of at
// least limit if it is not below that.
func editDistance(a, b string, limit int) int { return distance(a, b, limit, false) }

// misspelling is editDistance with neighbours that change places as one step.
func misspelling(a, b string, limit int) int { return distance(a, b, limit, true) }

func distance(a, b string, limit int, swaps bool) int {
	if d := len(a) - len(b); d >= limit || -d >= limit {
		return limit
	}
	// before is the row of the table above the last one, row.
	before, row, next := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		next[0] = i + 1
		for j := range len(b) {
			cost := row[j]
			if a[i] != b[j] {
				cost++
			}
			next[j+1] = min(cost, next[j]+1, row[j+1]+1)
			if swaps && i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				next[j+1] = min(next[j+1], before[j-1]+1)
			}
		}
		before, row, next = row, next, before
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
