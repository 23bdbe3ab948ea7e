package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"freehold/internal/campaign"
	"freehold/internal/plant/planted"
)

// options are the flags.
type options struct {
	bugs, programs, first, jobs int
	seed                        uint64
	folder                      string
	// peer is an mlir-opt to compare with, on so many programs; empty for none.
	peer         string
	peerPrograms int
	// again is a report of which only the survivors are tried.
	again string
	// done is called after each bug.
	done func([]result) error
}

// The outcomes of a bug.
const (
	caught     = "caught"     // the campaign fails, or the peer does otherwise
	survived   = "survived"   // it doesn't, but what is printed differs
	equivalent = "equivalent" // nothing differs: it isn't counted
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
	// Programs is how many programs it took.
	Programs int `json:"programs,omitempty"`
}

// spare is how many times as many bugs as are to be counted are built, since those
// that make no difference are not counted.
const spare = 4

// run tries bugs until enough of them count.
func (o *options) run() ([]result, error) {
	sources, err := load()
	if err != nil {
		return nil, err
	}
	var sites []site
	for _, s := range sources {
		sites = append(sites, find(s)...)
	}
	total := len(sites)
	sites = choose(sites, o.seed)
	if o.folder == "" {
		if o.folder, err = os.MkdirTemp("", "plant"); err != nil {
			return nil, err
		}
		defer os.RemoveAll(o.folder)
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
	if o.peer != "" {
		if without.peer, err = o.campaign(-1, 0, o.withPeer()...); err != nil {
			return nil, err
		}
		if without.peer.report == nil {
			return nil, fmt.Errorf("the campaign with %s fails without a bug", o.peer)
		}
	}
	return o.each(earlier, sites, &without)
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
	if !without.reached[n] {
		err := o.onlyScripts(n, without, &r)
		return r, err
	}
	t, err := o.campaign(n, 4*without.cpu+20*time.Second, o.alone()...)
	if err != nil {
		return r, err
	}
	switch {
	case t.report == nil:
		r.Oracle = t.ended
	case len(t.report.Failures) > 0:
		f := t.report.Failures[0]
		r.Oracle, r.Pipeline, r.Programs = f.Kind, f.Pipeline, t.report.Programs()
	case t.report.Digest != without.report.Digest:
		f, err := o.otherThanPeer(n, without)
		if err != nil {
			return r, err
		}
		if r.Outcome, r.Oracle = survived, "campaign"; f != nil {
			r.Outcome, r.Oracle, r.Pipeline, r.Programs = caught, f.Kind, f.Pipeline, int(f.Seed)-o.first+1
		}
	default:
		err = o.onlyScripts(n, without, &r)
	}
	return r, err
}

// onlyScripts decides about a bug that makes no difference in the campaign.
func (o *options) onlyScripts(n int, without *baseline, r *result) error {
	r.Outcome = equivalent
	for folder, reached := range without.scripts {
		if !reached[n] {
			continue
		}
		fails, err := o.scripts(n, folder, "")
		if err != nil {
			return err
		}
		if fails {
			r.Outcome, r.Oracle = survived, "scripts"
			return nil
		}
	}
	return nil
}

// otherThanPeer returns the first failure of the campaign in which the peer does
// otherwise that is not there without the bug; nil if there is none.
func (o *options) otherThanPeer(n int, without *baseline) (*campaign.Failure, error) {
	if o.peer == "" {
		return nil, nil
	}
	t, err := o.campaign(n, 4*without.peer.cpu+20*time.Second, o.withPeer()...)
	if err != nil {
		return nil, err
	}
	if t.report == nil {
		return &campaign.Failure{Kind: t.ended, Seed: uint64(o.first)}, nil
	}
	same := func(a, b campaign.Failure) bool {
		return a.Seed == b.Seed && a.Pipeline == b.Pipeline && a.Message == b.Message
	}
	for _, f := range t.report.Failures {
		if !slices.ContainsFunc(without.peer.report.Failures, func(g campaign.Failure) bool { return same(f, g) }) {
			return &f, nil
		}
	}
	return nil, nil
}

// baseline is what happens without a bug. Where passes mean to differ from the peer, its
// campaign has failures.
type baseline struct {
	*tried
	peer *tried
	// reached has the bugs whose place the campaign comes to; scripts those for each
	// folder of script tests.
	reached map[int]bool
	scripts map[string]map[int]bool
}

// measure runs the campaign and the scripts.
func (b *baseline) measure(o *options) (err error) {
	path := filepath.Join(o.folder, "reached")
	if b.tried, err = o.campaignTo(path, -1, 0, o.alone()...); err != nil {
		return err
	}
	if r := b.report; r == nil || len(r.Failures) > 0 {
		return fmt.Errorf("the campaign fails without a bug")
	}
	if b.reached, err = numbers(path); err != nil {
		return err
	}
	var folders []string
	for _, place := range []string{"dialect", "transform"} {
		found, err := filepath.Glob(place + "/*/testdata/script")
		if err != nil {
			return err
		}
		folders = append(folders, found...)
	}
	b.scripts = map[string]map[int]bool{}
	for _, f := range folders {
		path := filepath.Join(o.folder, "reached"+strings.ReplaceAll(f, "/", "_"))
		fails, err := o.scripts(-1, f, path)
		if err != nil {
			return err
		}
		if fails {
			return fmt.Errorf("the scripts in %s fail without a bug", f)
		}
		if b.scripts[f], err = numbers(path); err != nil {
			return err
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

// alone and withPeer are the flags of the campaigns.
func (o *options) alone() []string {
	return []string{"--fail-fast", "--programs", fmt.Sprint(o.programs)}
}

func (o *options) withPeer() []string {
	return []string{"--programs", fmt.Sprint(o.peerPrograms), "--peer", o.peer, "--peer-every", "1", "--peer-exact",
		"--peer-answers", filepath.Join(o.folder, "answers")}
}

// tried is a run of the campaign.
type tried struct {
	// report is nil if the process was killed, or crashed; ended tells which.
	report *campaign.Report
	ended  string
	cpu    time.Duration
}

// memory limits the address space of a process, in KiB.
const memory = 12 << 20

// campaign runs a campaign with bug n. limit is on CPU time.
func (o *options) campaign(n int, limit time.Duration, flags ...string) (*tried, error) {
	return o.campaignTo("", n, limit, flags...)
}

// campaignTo also writes the numbers of the bugs that are reached to a file.
func (o *options) campaignTo(reached string, n int, limit time.Duration, flags ...string) (*tried, error) {
	folder, err := os.MkdirTemp(o.folder, "run")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	report := filepath.Join(folder, "report.json")
	limits := fmt.Sprintf("ulimit -v %d; ", memory)
	if limit > 0 {
		limits += fmt.Sprintf("ulimit -t %d; ", int(limit.Seconds()))
	}
	binary, err := filepath.Abs(filepath.Join(o.folder, "freehold"))
	if err != nil {
		return nil, err
	}
	args := append([]string{"-c", limits + `exec "$0" "$@"`, binary, "fuzz", "--shrink", "0", "--jobs", "1",
		"--seed", fmt.Sprint(o.first), "--report", report, "--out", filepath.Join(folder, "failures")}, flags...)
	c := exec.Command("sh", args...)
	c.Env = append(environment(n, reached), "GOMAXPROCS=1")
	err = c.Run()
	t := &tried{ended: "crash"}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return nil, err
	}
	t.cpu = c.ProcessState.UserTime() + c.ProcessState.SystemTime()
	if limit > 0 && t.cpu >= limit-time.Second {
		t.ended = "hang"
		return t, nil
	}
	data, err := os.ReadFile(report)
	if c.ProcessState.ExitCode() > 1 || c.ProcessState.ExitCode() < 0 || err != nil {
		return t, nil
	}
	t.report = &campaign.Report{}
	return t, json.Unmarshal(data, t.report)
}

func environment(n int, reached string) []string {
	return append(os.Environ(), fmt.Sprintf("%s=%d", planted.Variable, n), planted.Reached+"="+reached)
}

// scripts tells whether a script test in a folder fails with bug n.
func (o *options) scripts(n int, folder, reached string) (bool, error) {
	binary, err := filepath.Abs(filepath.Join(o.folder, "scripts"))
	if err != nil {
		return false, err
	}
	ctx, stop := context.WithTimeout(context.Background(), 3*time.Minute)
	defer stop()
	c := exec.CommandContext(ctx, binary, "-test.run", "^TestScripts$", "-test.failfast", "-test.parallel", "2")
	c.Dir = filepath.Dir(filepath.Dir(folder))
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
	for _, o := range []string{"generator", "panic", "rejected", "unreadable", "mismatch", "finding", "check", "peer", "hang", "crash"} {
		if by[o] > 0 {
			fmt.Fprintf(w, "%-12s %4d\n", o, by[o])
		}
	}
	for _, r := range results {
		if r.Outcome == survived {
			fmt.Fprintf(w, "survived: %s:%d: %s: %s (differs in the %s)\n", r.File, r.Line, r.Kind, r.Code, r.Oracle)
		}
	}
}
