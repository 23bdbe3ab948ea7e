package campaign

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"sort"
)

// Report sums up a campaign, or a part of one. Reports of parts can be merged.
type Report struct {
	// Ranges lists the numbers of the programs that were tried.
	Ranges []Range `json:"ranges"`
	// Generators counts by generator.
	Generators map[string]*Count `json:"generators"`
	Failures   []Failure         `json:"failures"`
	// Digest is the sum of the programs' digests: versions with the same digest make the
	// same of all programs.
	Digest uint64 `json:"digest,string"`
	// Measures are those of the runs, if they were asked for.
	Measures map[Case]Measures `json:"measures,omitempty"`
	// Forms counts, for each way to write programs in another form, those that need the same memory as before.
	Forms map[string]*FormCount `json:"forms,omitempty"`
	// Seconds is how long it took.
	Seconds float64 `json:"seconds"`
}

// FormCount counts programs that were compiled in two forms: those that need the same memory, and those of which the other form needs less, or more.
type FormCount struct {
	Programs int `json:"programs"`
	Same     int `json:"same"`
	Less     int `json:"less"`
	More     int `json:"more"`
}

func (c *FormCount) add(d FormCount) {
	c.Programs += d.Programs
	c.Same += d.Same
	c.Less += d.Less
	c.More += d.More
}

// form returns the count of a way to write programs.
func (r *Report) form(name string) *FormCount {
	if r.Forms == nil {
		r.Forms = map[string]*FormCount{}
	}
	if r.Forms[name] == nil {
		r.Forms[name] = &FormCount{}
	}
	return r.Forms[name]
}

// formed counts a program and its twin.
func (r *Report) formed(m *TwinMeasures) {
	if m == nil {
		return
	}
	c := FormCount{Programs: 1}
	switch p, q := m.Program, m.Other; {
	case m.differ() == "":
		c.Same = 1
	case q.PeakBytes < p.PeakBytes || q.PeakBytes == p.PeakBytes && q.Copies < p.Copies:
		c.Less = 1
	default:
		c.More = 1
	}
	r.form(m.Twin).add(c)
}

// Range is a range of program numbers.
type Range struct {
	Seed     uint64 `json:"seed"`
	Programs uint64 `json:"programs"`
}

// Count counts programs, their runs through pipelines, those that were refused,
// and failures.
type Count struct {
	Programs int `json:"programs"`
	Runs     int `json:"runs"`
	Refused  int `json:"refused"`
	Native   int `json:"native,omitempty"`
	Failures int `json:"failures"`
}

// Add counts the outcome of a program, without its number.
func (r *Report) Add(o Outcome) {
	r.count(o.Generator).add(Count{1, o.Runs, o.Rejected, o.Native, len(o.Failures)})
	r.Failures = append(r.Failures, o.Failures...)
	r.Digest += o.Digest
	r.measured(o.Measures)
	r.formed(o.Twin)
}

func (r *Report) measured(all map[Case]Measures) {
	if r.Measures == nil && len(all) > 0 {
		r.Measures = map[Case]Measures{}
	}
	maps.Copy(r.Measures, all)
}

// Known returns a function that tells whether a failure is in the report, of the same
// case and with the same message.
func (r *Report) Known() func(Failure) bool {
	type key struct {
		c             Case
		kind, message string
	}
	known := map[key]bool{}
	for _, f := range r.Failures {
		known[key{Case{f.Generator, f.Seed, f.Pipeline}, f.Kind, cmp.Or(f.First, f.Message)}] = true
	}
	return func(f Failure) bool {
		return known[key{Case{f.Generator, f.Seed, f.Pipeline}, f.Kind, f.Message}]
	}
}

func (r *Report) count(generator string) *Count {
	if r.Generators == nil {
		r.Generators = map[string]*Count{}
	}
	if r.Generators[generator] == nil {
		r.Generators[generator] = &Count{}
	}
	return r.Generators[generator]
}

func (c *Count) add(d Count) {
	c.Programs += d.Programs
	c.Runs += d.Runs
	c.Refused += d.Refused
	c.Native += d.Native
	c.Failures += d.Failures
}

// Merge adds another report. It is an error if both tried the same programs.
func (r *Report) Merge(o *Report) error {
	for _, x := range o.Ranges {
		if err := r.Extend(x); err != nil {
			return err
		}
	}
	for g, c := range o.Generators {
		r.count(g).add(*c)
	}
	for name, c := range o.Forms {
		r.form(name).add(*c)
	}
	r.Failures = append(r.Failures, o.Failures...)
	r.Digest += o.Digest
	r.measured(o.Measures)
	sort.SliceStable(r.Failures, func(i, j int) bool { return r.Failures[i].Seed < r.Failures[j].Seed })
	r.Seconds += o.Seconds
	return nil
}

// Extend adds a range, joined with those that it touches. It is an error if a
// program is in one already.
func (r *Report) Extend(x Range) error {
	for _, y := range r.Ranges {
		if x.Seed < y.Seed+y.Programs && y.Seed < x.Seed+x.Programs {
			return fmt.Errorf("program %d counts twice", max(x.Seed, y.Seed))
		}
	}
	r.Ranges = append(r.Ranges, x)
	sort.Slice(r.Ranges, func(i, j int) bool { return r.Ranges[i].Seed < r.Ranges[j].Seed })
	out := r.Ranges[:1]
	for _, y := range r.Ranges[1:] {
		if last := &out[len(out)-1]; last.Seed+last.Programs >= y.Seed {
			last.Programs = y.Seed + y.Programs - last.Seed
		} else {
			out = append(out, y)
		}
	}
	r.Ranges = out
	return nil
}

// Programs returns how many programs were tried.
func (r *Report) Programs() (n int) {
	for _, c := range r.Generators {
		n += c.Programs
	}
	return n
}

// Runs returns how often a program was sent through a pipeline, whether or not that took it.
func (r *Report) Runs() (n int) {
	for _, c := range r.Generators {
		n += c.Runs + c.Refused
	}
	return n
}

// Print writes a table, whose last line is "N programs, M failures".
func (r *Report) Print(w io.Writer) {
	names := make([]string, 0, len(r.Generators))
	for n := range r.Generators {
		names = append(names, n)
	}
	sort.Strings(names)
	fmt.Fprintf(w, "%-12s %10s %12s %12s %10s %10s\n", "generator", "programs", "runs", "refused", "compiled", "failures")
	for _, n := range names {
		c := r.Generators[n]
		fmt.Fprintf(w, "%-12s %10d %12d %12d %10d %10d\n", n, c.Programs, c.Runs, c.Refused, c.Native, c.Failures)
	}
	r.printForms(w)
	fmt.Fprintf(w, "%d programs, %d failures\n", r.Programs(), len(r.Failures))
}

// printForms writes a table of the ways to write programs in other forms, if there were any.
func (r *Report) printForms(w io.Writer) {
	if len(r.Forms) == 0 {
		return
	}
	fmt.Fprintf(w, "%-15s %7s %12s %12s %10s\n", "form", "programs", "same memory", "less", "more")
	for _, n := range slices.Sorted(maps.Keys(r.Forms)) {
		c := r.Forms[n]
		fmt.Fprintf(w, "%-15s %7d %12d %12d %10d\n", n, c.Programs, c.Same, c.Less, c.More)
	}
}
