package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"freehold/internal/testing/mutation/planted"
)

// options are the flags.
type options struct {
	bugs, programs, first, jobs int
	seed                        uint64
	folder                      string
	// judge is where bugs are planted, if not in passes.
	judge *judge
	// places says that no bug is tried: all places are listed that no trial comes to.
	places bool
	// generators are the only ones whose programs are tried; all if it is empty.
	generators string
	// campaign leaves out tests that aren't the campaign of random programs, tests that.
	campaign, tests bool
	// peer is an mlir-opt to compare with; empty for none.
	peer string
	// again is a report of which only the survivors are tried.
	again string
	// done is called after each bug.
	done func([]result) error
}

// The outcomes of a bug.
const (
	caught     = "caught"     // the campaign fails
	survived   = "survived"   // it doesn't, but what is printed differs
	equivalent = "equivalent" // nothing differs: it isn't counted
	unreached  = "unreached"  // the campaign doesn't come to the place
)

// result is what came of a bug.
type result struct {
	File    string `json:"file"`
	Line    int    `json:"line"`
	Kind    string `json:"kind"`
	Code    string `json:"code"`
	Outcome string `json:"outcome"`
	// Oracle is the kind of the failure, such as mismatch or finding; or hang or crash. Of
	// a bug that survived, it is where the output differs: campaign or scripts.
	Oracle string `json:"oracle,omitempty"`
	// Pipeline is what the program was sent through that found it.
	Pipeline string `json:"pipeline,omitempty"`
	// Message is what was found, or the script that differs.
	Message string `json:"message,omitempty"`
	// Programs is how many programs it took, of those that come to the place.
	Programs int `json:"programs,omitempty"`
}

// spare is how many times as many bugs as are to be counted are built, since those
// that make no difference are not counted.
const spare = 4

// run tries bugs until enough of them count.
func (o *options) run() ([]result, error) {
	places, text := victims, exempt
	if o.judge != nil {
		places, text = o.judge.victims, o.judge.exempt
	}
	sources, err := load(places, text)
	if err != nil {
		return nil, err
	}
	var sites []site
	for _, s := range sources {
		sites = append(sites, find(s)...)
	}
	total := len(sites)
	sites = choose(sites, o.seed)
	remove, err := o.makeFolder()
	if err != nil {
		return nil, err
	}
	defer remove()
	if o.judge != nil {
		fmt.Fprintf(os.Stderr, "%d places in %d files\n", total, len(sources))
		if o.places {
			o.bugs = len(sites)
		}
		return o.judging(o.judge, sites[:min(len(sites), spare*o.bugs)])
	}
	var earlier []result
	if o.again != "" {
		if earlier, sites, err = resume(o.again, sites); err != nil {
			return nil, err
		}
	}
	sites = sites[:min(len(sites), spare*o.bugs)]
	fmt.Fprintf(os.Stderr, "%d places in %d files; building freehold with %d bugs\n", total, len(sources), len(sites))
	if err := build(o.folder, sites); err != nil {
		return nil, err
	}
	var without baseline
	if err := without.measure(o); err != nil {
		return nil, err
	}
	return o.each(earlier, sites, &without)
}

// makeFolder makes the folder for what is built, and returns what removes it if it is a temporary one.
func (o *options) makeFolder() (remove func(), err error) {
	if o.folder != "" {
		return func() {}, os.MkdirAll(o.folder, 0o777)
	}
	o.folder, err = os.MkdirTemp("", "plant")
	return func() { os.RemoveAll(o.folder) }, err
}

// resume splits a report into what is settled, and what is left: the bugs that survived,
// and then those of which it says nothing.
func resume(path string, sites []site) (settled []result, left []site, err error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, nil, err
	}
	var all []result
	if err := json.Unmarshal(data, &all); err != nil {
		return nil, nil, fmt.Errorf("%s: %v", path, err)
	}
	// Lines move when other things change.
	type key struct{ file, kind, code string }
	outcomes := map[key][]string{}
	for _, r := range all {
		k := key{r.File, r.Kind, r.Code}
		outcomes[k] = append(outcomes[k], r.Outcome)
		if r.Outcome != survived {
			settled = append(settled, r)
		}
	}
	var fresh []site
	for _, s := range sites {
		k := key{s.source.name, s.kind, s.what}
		known := outcomes[k]
		if len(known) == 0 {
			fresh = append(fresh, s)
			continue
		}
		if known[0] == survived {
			left = append(left, s)
		}
		outcomes[k] = known[1:]
	}
	return settled, append(left, fresh...), nil
}

// each tries the bugs in order, several at the same time. It returns what came of them,
// after what came of earlier ones.
func (o *options) each(earlier []result, sites []site, without *baseline) ([]result, error) {
	var (
		mu      sync.Mutex
		wg      sync.WaitGroup
		next    int
		failure error
	)
	results := make([]result, len(sites))
	all := func() []result {
		return slices.DeleteFunc(slices.Concat(earlier, results), func(r result) bool { return r.Outcome == "" })
	}
	counted := func() (n int) {
		for _, r := range all() {
			if r.Outcome != equivalent {
				n++
			}
		}
		return n
	}
	for range max(1, o.jobs) {
		wg.Go(func() {
			mu.Lock()
			defer mu.Unlock()
			for next < len(sites) && failure == nil && counted() < o.bugs {
				n := next
				next++
				mu.Unlock()
				r, err := o.try(n, &sites[n], without)
				mu.Lock()
				results[n] = r
				if err == nil {
					err = o.done(all())
				}
				if err != nil && failure == nil {
					failure = err
				}
				fmt.Fprintf(os.Stderr, "%d: %s:%d: %s: %s: %s %s %d\n", counted(), r.File, r.Line, r.Kind, r.Code, r.Outcome, r.Oracle, r.Programs)
			}
		})
	}
	wg.Wait()
	return all(), failure
}

// try switches bug n on.
func (o *options) try(n int, s *site, without *baseline) (result, error) {
	r := result{File: s.source.name, Line: s.pos.Line, Kind: s.kind, Code: s.what, Outcome: caught}
	runs, expected := reaching(without.runs, n)
	if len(runs) == 0 {
		err := o.onlyScripts(n, without, &r)
		return r, err
	}
	a, ended, err := o.probe(n, expected+20*time.Second, &task{Runs: runs})
	if err != nil {
		return r, err
	}
	switch {
	case a == nil:
		r.Oracle = ended
	case a.Failure != nil:
		r.Oracle, r.Pipeline, r.Programs, r.Message = a.Failure.Kind, a.Failure.Pipeline, a.Programs, firstLine(a.Failure.Message)
	case a.Differs:
		r.Outcome, r.Oracle = survived, "campaign"
	default:
		err = o.onlyScripts(n, without, &r)
	}
	return r, err
}

func firstLine(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	return s
}

// onlyScripts decides about a bug that makes no difference in the campaign.
func (o *options) onlyScripts(n int, without *baseline, r *result) error {
	r.Outcome = equivalent
	for _, s := range without.scripts {
		if !s.reached[n] {
			continue
		}
		fails, err := o.script(n, s.path, "")
		if err != nil {
			return err
		}
		if fails {
			r.Outcome, r.Oracle, r.Message = survived, "scripts", s.path
			return nil
		}
	}
	return nil
}

// baseline is what happens without a bug.
type baseline struct {
	// runs are those of the campaign. Where passes mean to differ from the peer, there are
	// failures.
	runs    []run
	scripts []script
}

// script is a script test, and the bugs whose place it comes to.
type script struct {
	path    string
	reached map[int]bool
}

// measure runs the campaign and the scripts.
func (b *baseline) measure(o *options) error {
	a, ended, err := o.probe(-1, 0, &task{})
	if err != nil {
		return err
	}
	if a == nil {
		return fmt.Errorf("the campaign ends without a bug: %s", ended)
	}
	b.runs = a.Runs
	for _, r := range a.Runs {
		if f := r.Failure; f != nil && f.Kind != "peer" {
			return fmt.Errorf("%s %d, %s fails without a bug: %s: %s", f.Generator, f.Seed, f.Pipeline, f.Kind, f.Message)
		}
	}
	for _, place := range []string{"dialect/*", "transform/*/*"} {
		paths, err := filepath.Glob(place + "/testdata/script/*.txtar")
		if err != nil {
			return err
		}
		for _, p := range paths {
			list := filepath.Join(o.folder, "reached", strings.ReplaceAll(p, "/", "_"))
			if err := os.MkdirAll(filepath.Dir(list), 0o777); err != nil {
				return err
			}
			fails, err := o.script(-1, p, list)
			if err != nil {
				return err
			}
			if fails {
				return fmt.Errorf("%s fails without a bug", p)
			}
			found, err := numbers(list)
			if err != nil {
				return err
			}
			b.scripts = append(b.scripts, script{p, found})
		}
	}
	return nil
}

// numbers reads a file of numbers, which need not exist.
func numbers(path string) (map[int]bool, error) {
	data, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	out := map[int]bool{}
	for _, word := range strings.Fields(string(data)) {
		n, err := strconv.Atoi(word)
		if err != nil {
			return nil, err
		}
		out[n] = true
	}
	return out, nil
}

// memory limits the address space of a process, in KiB.
const memory = 12 << 20

// probe does a task with bug n. limit is on CPU time; 0 stands for none. If the process
// hangs or crashes there is no answer, and ended tells which.
func (o *options) probe(n int, limit time.Duration, t *task) (a *answer, ended string, err error) {
	t.First, t.Programs, t.Peer, t.Generators, t.Answers = uint64(o.first), uint64(o.programs), o.peer, o.generators, filepath.Join(o.folder, "answers")
	file, err := os.CreateTemp(o.folder, "task")
	if err != nil {
		return nil, "", err
	}
	defer os.Remove(file.Name())
	if err := errors.Join(json.NewEncoder(file).Encode(t), file.Close()); err != nil {
		return nil, "", err
	}
	limits := fmt.Sprintf("ulimit -v %d; ", memory)
	if limit > 0 {
		limits += fmt.Sprintf("ulimit -t %d; ", int(limit.Seconds()))
	}
	binary, err := filepath.Abs(filepath.Join(o.folder, "probe"))
	if err != nil {
		return nil, "", err
	}
	c := exec.Command("sh", "-c", limits+`exec "$0" "$@"`, binary, "-probe", file.Name())
	c.Env = append(environment(n, ""), "GOMAXPROCS=1")
	var out bytes.Buffer
	c.Stdout = &out
	err = c.Run()
	var exit *exec.ExitError
	switch cpu := c.ProcessState.UserTime() + c.ProcessState.SystemTime(); {
	case err == nil:
		a = &answer{}
		return a, "", json.Unmarshal(out.Bytes(), a)
	case !errors.As(err, &exit):
		return nil, "", err
	case limit > 0 && cpu >= limit-time.Second:
		return nil, "hang", nil
	}
	return nil, "crash", nil
}

func environment(n int, reached string) []string {
	return append(os.Environ(), fmt.Sprintf("%s=%d", planted.Variable, n), planted.Reached+"="+reached)
}

// script tells whether a script test fails with bug n.
func (o *options) script(n int, path, reached string) (bool, error) {
	binary, err := filepath.Abs(filepath.Join(o.folder, "scripts"))
	if err != nil {
		return false, err
	}
	if reached != "" {
		if reached, err = filepath.Abs(reached); err != nil {
			return false, err
		}
	}
	ctx, stop := context.WithTimeout(context.Background(), time.Minute)
	defer stop()
	// The names of tests are those of packages, and of the scripts in them.
	name := strings.Replace(strings.TrimSuffix(filepath.ToSlash(path), ".txtar"), "/testdata/script/", "/", 1)
	name = strings.ReplaceAll(regexp.QuoteMeta(name), "/", "$/^")
	c := exec.CommandContext(ctx, binary, "-test.run", "^TestScripts$/^"+name+"$")
	c.Dir = "internal/testing/scripts"
	c.Env = environment(n, reached)
	err = c.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return true, nil
	}
	return false, err
}

// summarize writes a table of what the bugs were caught by, and the survivors.
func summarize(w io.Writer, results []result) {
	by := map[string]int{}
	programs, counted := 0, 0
	for _, r := range results {
		by[r.Outcome]++
		if r.Outcome == caught {
			by[r.Oracle]++
			programs = max(programs, r.Programs)
		}
		if r.Outcome != equivalent {
			counted++
		}
	}
	fmt.Fprintf(w, "%d of %d bugs are caught, after %d programs at most; %d changes make no difference\n", by[caught], counted, programs, by[equivalent])
	for _, o := range slices.Sorted(maps.Keys(by)) {
		if o != caught && o != survived && o != equivalent {
			fmt.Fprintf(w, "%-12s %4d\n", o, by[o])
		}
	}
	for _, r := range results {
		if r.Outcome == unreached {
			fmt.Fprintf(w, "unreached: %s:%d: %s: %s\n", r.File, r.Line, r.Kind, r.Code)
		}
		if r.Outcome == survived {
			fmt.Fprintf(w, "survived: %s:%d: %s: %s (differs in the %s)\n", r.File, r.Line, r.Kind, r.Code, r.Oracle)
		}
	}
}
