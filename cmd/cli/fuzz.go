package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"freehold/internal/fileio"
	"freehold/internal/heapgoal"
	"freehold/internal/testing/campaign"
	"freehold/internal/testing/irgen"
	"freehold/internal/testing/twin"
	"freehold/pass"
	"freehold/transform"
)

// fuzzOptions are the flags of fuzz.
type fuzzOptions struct {
	library    campaign.Options
	pipelines  []string
	generators []string
	mutate     []string
	out        string
	report     string
	resume     bool
	merge      bool
	// baseline and known are paths of reports.
	baseline, known string
}

func newFuzzCommand(s invocation) *cobra.Command {
	var o fuzzOptions
	c := &cobra.Command{
		Use:   "fuzz [flags] | fuzz --merge REPORT...",
		Short: "Send random programs through pipelines and look for failures",
		Long: `fuzz makes random programs, runs them, sends them through pipelines, and checks
that each still computes the same, that nothing is wrong with memory, that the
proof of check agrees with the execution, and that what is printed can be read.

Each failure is made smaller and saved as a .mlir file that starts with the
command that reproduces it. The exit status is 1 if there is any, and 2 if no
program was sent through a pipeline.

With --mutate, it makes mutants of given programs: their texts with a few
changes. They may be invalid. Nothing may panic or hang for them, and what is
printed must be read again.

Programs are numbered from --seed on, and a program depends on its number alone:
a campaign is split by giving parts different ranges, and the reports of the
parts are merged with --merge.`,
		Example: `  freehold fuzz --programs 10000
  freehold fuzz --programs 1000 --pipeline 'builtin.module(canonicalize,cse)'
  freehold fuzz --seed 50000 --programs 50000 --report part2.json
  freehold fuzz --mutate testdata --programs 20000
  freehold fuzz --merge part1.json part2.json`,
		RunE: func(c *cobra.Command, args []string) error {
			switch {
			case o.merge && len(args) == 0:
				return misuse(c, "--merge needs a REPORT")
			case o.merge:
				return mergeReports(s, args)
			case len(args) > 0:
				return misuse(c, fmt.Sprintf("unexpected argument %q", args[0]))
			}
			return runFuzz(s, &o)
		},
	}
	f := c.Flags()
	f.Uint64Var(&o.library.Programs, "programs", 1000, "how many programs to try")
	f.Uint64Var(&o.library.Seed, "seed", 1, "the number of the first program")
	f.StringArrayVar(&o.pipelines, "pipeline", nil, "a textual `pipeline` to try, instead of all that the passes register; may be given several times")
	f.StringSliceVar(&o.generators, "generator", nil, "`kinds` of programs: "+strings.Join(generatorNames(), ", ")+" (default all)")
	f.StringArrayVar(&o.mutate, "mutate", nil, "make mutants of the programs in this .mlir or .txtar `file`, or in those of this folder; may be given several times")
	f.IntVar(&o.library.MutantRuns, "mutant-runs", 6, "how many pipelines each mutant goes through")
	f.IntVar(&o.library.Size, "size", 25, "about how many operations a program has")
	f.IntVar(&o.library.Inputs, "inputs", 3, "how many inputs each program is executed on")
	f.IntVar(&o.library.Jobs, "jobs", 0, "how many programs to try at the same time; 0 is as many as there are processors")
	f.StringVar(&o.library.Peer, "peer", "", "an `mlir-opt` that must read what is printed, and agree")
	f.Uint64Var(&o.library.PeerEvery, "peer-every", 20, "show the peer one program in so many")
	f.StringVar(&o.library.PeerRun, "peer-run", "", "an `mlir-cpu-runner` that must compute the same; needs --peer")
	f.StringSliceVar(&o.library.PeerLibs, "peer-lib", nil, "`libraries` for it, such as libmlir_c_runner_utils")
	f.StringVar(&o.library.CC, "cc", "", "the `command` of a C compiler, with flags: what pipelines make is executed as C code, and must compute the same")
	f.Uint64Var(&o.library.CCEvery, "cc-every", 5, "execute what becomes of one program in so many as C code")
	f.BoolVar(&o.library.PeerExact, "peer-exact", false, "the peer must make the same of programs, or refuse them for the same reason")
	f.StringVar(&o.library.PeerAnswers, "peer-answers", "", "keep the peer's answers in this `folder`, and use those that are there")
	f.BoolVar(&o.library.Measure, "measure", false, "write measures of all runs into the report")
	f.StringVar(&o.baseline, "baseline", "", "the `report` of an earlier version, with measures; programs must not become worse")
	f.StringVar(&o.known, "known", "", "a `report` whose failures don't count again")
	f.IntVar(&o.library.Shrink, "shrink", 1000, "how often to try to make a failing program smaller; 0 leaves it as it is")
	f.BoolVar(&o.library.Forms, "forms", false, "programs and other forms of them must need the same memory once they are compiled; nothing else is tried")
	f.BoolVar(&o.library.FailFast, "fail-fast", false, "stop at the first failure")
	f.StringVar(&o.out, "out", "fuzz-failures", "the `folder` for the programs that fail")
	f.StringVar(&o.report, "report", "", "write a report to this JSON `file`, now and then and at the end")
	f.BoolVar(&o.resume, "resume", false, "go on where the report ends")
	f.BoolVar(&o.merge, "merge", false, "merge reports, print their table, and try nothing")
	c.MarkFlagsMutuallyExclusive("forms", "pipeline")
	return c
}

func generatorNames() []string {
	names := make([]string, len(irgen.Generators))
	for i, g := range irgen.Generators {
		names[i] = g.Name
	}
	return names
}

func runFuzz(s invocation, o *fuzzOptions) error {
	heapgoal.Set(0, false)
	if o.library.Programs == 0 {
		return fmt.Errorf("--programs must be above zero: without programs, nothing is tried")
	}
	if err := o.choose(); err != nil {
		return err
	}
	var report campaign.Report
	if o.resume {
		if err := readReport(o.report, &report); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
		for _, r := range report.Ranges {
			if r.Seed <= o.library.Seed && o.library.Seed <= r.Seed+r.Programs {
				done := min(r.Seed+r.Programs-o.library.Seed, o.library.Programs)
				o.library.Seed += done
				o.library.Programs -= done
				break
			}
		}
	}
	ctx, stop := interruptible(context.Background())
	defer stop()
	p := newProgress(s.Err, int(o.library.Programs))
	t := &tally{o: o, report: &report, next: o.library.Seed, started: time.Now(), earlier: report.Seconds, waiting: map[uint64]campaign.Outcome{}}
	t.saved = t.started
	o.library.Done = func(out campaign.Outcome) {
		t.add(out)
		p.step(report.Programs(), fmt.Sprintf("%d failures", len(report.Failures)))
	}
	campaign.Run(ctx, o.library)
	p.finish()
	if err := t.save(); err != nil {
		return err
	}
	for _, f := range report.Failures {
		fmt.Fprintf(s.Err, "%s: %s: %s\n", fileOf(o.out, f), f.Kind, firstLine(f.Message))
	}
	report.Print(s.Out)
	if t.err != nil {
		return t.err
	}
	switch {
	case ctx.Err() != nil:
		return exitStatus(statusInterrupted)
	case len(report.Failures) > 0:
		return exitStatus(statusWrong)
	case report.Runs() == 0:
		return nothing("no program was sent through a pipeline: nothing was tried")
	}
	return nil
}

// choose finds generators, pipelines and the peer.
func (o *fuzzOptions) choose() error {
	o.library.Registry = &pass.Registry{}
	transform.Register(o.library.Registry)
	for _, g := range irgen.Generators {
		if len(o.generators) == 0 || slices.Contains(o.generators, g.Name) {
			o.library.Generators = append(o.library.Generators, g)
		}
	}
	if len(o.mutate) > 0 {
		programs, err := campaign.Programs(o.mutate...)
		if err != nil {
			return err
		}
		if len(o.generators) == 0 {
			o.library.Generators = nil
		}
		o.library.Generators = append(o.library.Generators, irgen.Mutants(programs))
	}
	for _, n := range o.generators {
		if !slices.Contains(generatorNames(), n) {
			return fmt.Errorf("there is no generator %q; there are %s", n, strings.Join(generatorNames(), ", "))
		}
	}
	if o.resume && o.report == "" {
		return fmt.Errorf("--resume needs --report")
	}
	o.library.Trials, o.library.Twins = campaign.Trials(o.library.Registry), twin.All()
	if o.library.Forms {
		o.library.Trials = nil
	}
	if len(o.pipelines) > 0 {
		o.library.Trials, o.library.Twins = nil, nil
		for _, p := range o.pipelines {
			m, err := o.library.Registry.ParsePipeline(p)
			if err != nil {
				return err
			}
			frees := slices.ContainsFunc(m.Instances(), func(i *pass.Instance) bool { return strings.Contains(i.Pass.Name, "lower-deallocations") })
			o.library.Trials = append(o.library.Trials, campaign.Trial{Pipeline: p, Frees: frees})
		}
	}
	if err := o.readEarlier(); err != nil {
		return err
	}
	if o.library.PeerRun != "" && o.library.Peer == "" {
		return fmt.Errorf("--peer-run needs --peer")
	}
	for _, tool := range []*string{&o.library.Peer, &o.library.PeerRun} {
		if *tool != "" {
			path, err := exec.LookPath(*tool)
			if err != nil {
				return err
			}
			*tool = path
		}
	}
	return nil
}

// readEarlier reads the reports to compare with.
func (o *fuzzOptions) readEarlier() error {
	if o.baseline != "" {
		var r campaign.Report
		if err := readReport(o.baseline, &r); err != nil {
			return err
		}
		if o.library.Baseline = r.Measures; len(r.Measures) == 0 {
			return fmt.Errorf("%s has no measures; make it with --measure", o.baseline)
		}
	}
	if o.known != "" {
		var r campaign.Report
		if err := readReport(o.known, &r); err != nil {
			return err
		}
		o.library.Known = r.Known()
	}
	return nil
}

// tally counts outcomes in order of their numbers, so that what is saved is always
// a range.
type tally struct {
	o       *fuzzOptions
	report  *campaign.Report
	next    uint64
	waiting map[uint64]campaign.Outcome
	started time.Time
	saved   time.Time
	earlier float64
	err     error
}

func (t *tally) add(out campaign.Outcome) {
	t.waiting[out.Seed] = out
	for {
		out, ok := t.waiting[t.next]
		if !ok {
			break
		}
		delete(t.waiting, t.next)
		t.report.Add(out)
		if err := t.report.Extend(campaign.Range{Seed: t.next, Programs: 1}); err != nil && t.err == nil {
			t.err = err
		}
		t.next++
		for _, f := range out.Failures {
			if err := saveFailure(t.o.out, f); err != nil && t.err == nil {
				t.err = err
			}
		}
	}
	if time.Since(t.saved) > 10*time.Second {
		if err := t.save(); err != nil && t.err == nil {
			t.err = err
		}
	}
}

func (t *tally) save() error {
	t.saved = time.Now()
	t.report.Seconds = t.earlier + time.Since(t.started).Seconds()
	if t.o.report == "" {
		return nil
	}
	data, err := json.MarshalIndent(t.report, "", " ")
	if err != nil {
		return err
	}
	return fileio.Replace(t.o.report, append(data, '\n'))
}

func readReport(path string, r *campaign.Report) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(data, r); err != nil {
		return fmt.Errorf("%s: %v", path, err)
	}
	return nil
}

func mergeReports(s invocation, paths []string) error {
	var all campaign.Report
	for _, p := range paths {
		var r campaign.Report
		if err := readReport(p, &r); err != nil {
			return err
		}
		if err := all.Merge(&r); err != nil {
			return fmt.Errorf("%s: %v", p, err)
		}
	}
	for _, f := range all.Failures {
		fmt.Fprintf(s.Err, "program %d, %s: %s\n", f.Seed, f.Kind, firstLine(f.Message))
	}
	all.Print(s.Out)
	if len(all.Failures) > 0 {
		return exitStatus(1)
	}
	return nil
}

// fileOf returns the file in which a failure is saved.
func fileOf(dir string, f campaign.Failure) string {
	var words []string
	for _, w := range strings.FieldsFunc(f.Pipeline, func(r rune) bool { return !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9') }) {
		if w != "builtin" && w != "module" {
			words = append(words, w)
		}
	}
	name := strings.Join(words, "-")
	if len(name) > 50 {
		h := fnv.New32()
		h.Write([]byte(name))
		name = fmt.Sprintf("%s-%08x", name[:41], h.Sum32())
	}
	return filepath.Join(dir, fmt.Sprintf("%s-%d-%s-%s.mlir", f.Generator, f.Seed, f.Kind, name))
}

func saveFailure(dir string, f campaign.Failure) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	path := fileOf(dir, f)
	var b strings.Builder
	fmt.Fprintf(&b, "// %s\n", strings.ReplaceAll(f.Command, "FILE", filepath.Base(path)))
	for line := range strings.Lines(f.Message) {
		fmt.Fprintf(&b, "// %s\n", strings.TrimRight(line, "\n"))
	}
	b.WriteString(f.Program)
	return fileio.Replace(path, []byte(b.String()))
}

func firstLine(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	return s
}
