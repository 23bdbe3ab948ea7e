package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"freehold/internal/testing/mutation/planted"
)

// judge is a part of freehold that judges programs, with the campaigns that should find bugs in
// it: tests that make up programs, and compare what it says of them with something else.
type judge struct {
	name    string
	victims *regexp.Regexp
	exempt  *regexp.Regexp // matches what the code is for, where that is only text
	trials  []trial
	// witnesses are other tests, which tell whether a bug that no trial finds makes a difference.
	witnesses []trial
}

// trial runs tests of a package: those whose names tests matches, or all others.
type trial struct {
	pkg   string // its folder
	tests string
	other bool
	args  []string
	// name is the test that is run, where the trial was split into its tests.
	name string
}

const (
	checkCampaigns = "FreesAnywhere|ReservedAnywhere|LimitsAnywhere|Judged|ArenasAnywhere|BeyondIsNotJudged|DeallocatedProgramsAreSafe|PlantedBugsAreFound|OwnersAreSafe|WrongOwners|LoweredOwners|" +
		"ChangedProgramsAnywhere|WrittenProgramsChanged|AreCertified|NotCertified|SayNoMore|Chains|Bounds|Rules|InProportion|Comparisons|Impossible|Satisfy"
	naiveCampaigns = "Programs|Elementwise|Operations|ControlFlow|AllOperations|Literals|Arrays|Differences|Arguments|PoisonVectors|SpecialNumbers|EqualValues|SumsOfStatistics|Entries|Texts|IndexingMaps|ViewsOfViews"
)

// judges are the parts that -in names.
var judges = []judge{
	{
		name: "check", victims: regexp.MustCompile(`^freehold/proof/check/[a-z_]+\.go$`),
		exempt: regexp.MustCompile(`^freehold/proof/check/(describe|path)\.go$`),
		trials: []trial{
			{pkg: "proof/check", tests: "Chains|Bounds|Rules|InProportion|Comparisons|Impossible|Satisfy", args: []string{"-rapid.seed=1"}},
			{pkg: "proof/check", tests: "FreesAnywhere|ReservedAnywhere|ArenasAnywhere|LimitsAnywhere|Judged|BeyondIsNotJudged|DeallocatedProgramsAreSafe|PlantedBugsAreFound|ChangedProgramsAnywhere", args: []string{"-rapid.seed=1", "-programs", "200"}},
			{pkg: "proof/check", tests: "WrittenProgramsChanged", args: []string{"-rapid.seed=1", "-programs", "120"}},
			{pkg: "proof/check", tests: "OwnersAreSafe|WrongOwners|LoweredOwners", args: []string{"-rapid.seed=1", "-programs", "60"}},
			{pkg: "proof/check", tests: "AreCertified", args: []string{"-rapid.seed=1", "-programs", "300"}},
			{pkg: "memory/footprint", tests: "PeakIsBound"},
		},
		witnesses: []trial{
			{pkg: "proof/check", tests: checkCampaigns, other: true, args: []string{"-rapid.seed=1"}},
			{pkg: "internal/testing/scripts", tests: "^TestScripts$/^proof$"},
		},
	},
	{
		name: "certificate", victims: regexp.MustCompile(`^freehold/proof/(kernel|models|verify)/[a-z_]+\.go$`),
		trials: []trial{
			{pkg: "proof/check", tests: "AreCertified|OwnersAreSafe|BeyondIsNotJudged|Comparisons", args: []string{"-rapid.seed=1", "-programs", "60"}},
			{pkg: "proof/check", tests: "NotCertified|SayNoMore", args: []string{"-rapid.seed=1", "-programs", "200"}},
			{pkg: "proof/verify", tests: "Forged|Documentation"},
		},
		witnesses: []trial{
			{pkg: "proof/verify", tests: "Forged|Documentation", other: true},
			{pkg: "proof/kernel", tests: "."},
			{pkg: "proof/models", tests: "."},
			{pkg: "internal/testing/scripts", tests: "^TestScripts$/^proof$"},
		},
	},
	{
		name: "exec", victims: regexp.MustCompile(`^freehold/exec/(interp/)?[a-z_]+\.go$`),
		trials: []trial{
			{pkg: "internal/testing/naive", tests: naiveCampaigns},
			{pkg: "proof/check", tests: "FreesAnywhere|ReservedAnywhere|ArenasAnywhere|RulesAgreeWithExecution|OwnersAreSafe|WrongOwners|ChangedProgramsAnywhere", args: []string{"-rapid.seed=1", "-programs", "30"}},
			{pkg: "exec/interp", tests: "Yields|Coverage|PlacesOfFindings|GrowingIsLinear", args: []string{"-rapid.seed=1"}},
			{pkg: "exec/interp", tests: "NestsInRuns", args: []string{"-rapid.seed=1", "-rapid.checks=1000"}},
			{pkg: "exec/difftest", tests: "FuzzPipelines"},
			{pkg: "exec", tests: "AgainstBig|MulHigh|NarrowFloats|RoundedOnce|Store|CopyView", args: []string{"-rapid.seed=1"}},
		},
		witnesses: []trial{
			{pkg: "exec", tests: "AgainstBig|MulHigh|NarrowFloats|RoundedOnce|Store|CopyView", other: true},
			{pkg: "exec/interp", tests: "Yields|NestsInRuns|Coverage|PlacesOfFindings|GrowingIsLinear", other: true, args: []string{"-rapid.seed=1"}},
			{pkg: "exec/difftest", tests: "FuzzPipelines", other: true},
			{pkg: "internal/testing/scripts", tests: "^TestScripts$/^(dialect|internal)$"},
		},
	},
}

// binary is where the tests of a package are built.
func (o *options) binary(pkg string) string {
	path, err := filepath.Abs(filepath.Join(o.folder, filepath.Base(pkg)+".test"))
	if err != nil {
		return ""
	}
	return path
}

// buildTrials builds the tests of a judge with the bugs of an overlay.
func (o *options) buildTrials(overlay string, j *judge) error {
	for _, t := range slices.Concat(j.trials, j.witnesses) {
		if _, err := os.Stat(o.binary(t.pkg)); err == nil {
			continue
		}
		if out, err := exec.Command("go", "test", "-vet=off", "-c", "-overlay", overlay, "-o", o.binary(t.pkg), "./"+t.pkg).CombinedOutput(); err != nil {
			return fmt.Errorf("go test %s: %v\n%s", t.pkg, err, out)
		}
	}
	return nil
}

// usual is what a trial does without a bug.
type usual struct {
	trial
	reached map[int]bool  // the bugs whose places it comes to
	took    time.Duration // of CPU time
	printed []byte
}

// measure splits trials into their tests, the fastest first, and runs them without a bug.
func (o *options) measure(trials []trial) ([]usual, error) {
	var list []usual
	for _, t := range trials {
		tests, err := o.split(t)
		if err != nil {
			return nil, err
		}
		for _, t := range tests {
			path := filepath.Join(o.folder, fmt.Sprintf("reached_%s_%s", filepath.Base(t.pkg), regexp.MustCompile(`\W+`).ReplaceAllString(t.name, "_")))
			if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
				return nil, err
			}
			u := usual{trial: t}
			if u.printed, u.took, err = o.attempt(t, -1, path, 10*time.Minute); err != nil {
				return nil, fmt.Errorf("%s %s without a bug: %v\n%s", t.pkg, t.name, err, u.printed)
			}
			if u.reached, err = numbers(path); err != nil {
				return nil, err
			}
			list = append(list, u)
		}
	}
	slices.SortStableFunc(list, func(a, b usual) int { return int(a.took - b.took) })
	return list, nil
}

// split returns a trial for each of the tests that a trial runs.
func (o *options) split(t trial) ([]trial, error) {
	tests, part, parts := strings.Cut(t.tests, "/")
	if t.other {
		tests = "."
	}
	c := exec.Command(o.binary(t.pkg), "-test.list", tests)
	c.Dir = t.pkg
	out, err := c.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %v", t.pkg, err)
	}
	excluded := regexp.MustCompile(t.tests)
	var list []trial
	for name := range strings.FieldsSeq(string(out)) {
		if t.other && excluded.MatchString(name) || strings.HasPrefix(name, "Benchmark") {
			continue
		}
		t.name = "^" + name + "$"
		if parts {
			t.name += "/" + part
		}
		list = append(list, t)
	}
	return list, nil
}

// judging tries bugs in a judge until enough of them count: those whose places no trial comes to
// are listed as such, since nothing can find them. A bug that no trial finds survives if a
// witness does, and else makes no difference, as far as anybody knows.
func (o *options) judging(j *judge, sites []site) ([]result, error) {
	overlay, err := writeOverlay(o.folder, sites, slices.ContainsFunc(j.witnesses, func(t trial) bool { return t.pkg == "internal/testing/scripts" }))
	if err != nil {
		return nil, err
	}
	if err := o.buildTrials(overlay, j); err != nil {
		return nil, err
	}
	trials, err := o.measure(j.trials)
	if err != nil {
		return nil, err
	}
	var witnesses []usual
	if !o.places {
		if witnesses, err = o.measure(j.witnesses); err != nil {
			return nil, err
		}
	}
	return o.inOrder(sites, func(n int) result { return o.judged(trials, witnesses, n, &sites[n]) })
}

// inOrder tries bugs in order, several at the same time, until enough of them count.
func (o *options) inOrder(sites []site, try func(n int) result) ([]result, error) {
	var (
		mu      sync.Mutex
		wg      sync.WaitGroup
		next    int
		failure error
	)
	list := make([]result, len(sites))
	// settled returns the results up to the last bug that counts, or to the first that isn't tried yet.
	settled := func() (out []result, counted int) {
		for _, r := range list {
			if r.Outcome == "" || counted == o.bugs {
				break
			}
			if out = append(out, r); r.Outcome != equivalent {
				counted++
			}
		}
		return out, counted
	}
	for range max(1, o.jobs) {
		wg.Go(func() {
			mu.Lock()
			defer mu.Unlock()
			for failure == nil && next < len(sites) {
				if _, counted := settled(); counted == o.bugs {
					return
				}
				n := next
				next++
				mu.Unlock()
				r := try(n)
				mu.Lock()
				list[n] = r
				results, counted := settled()
				fmt.Fprintf(os.Stderr, "%d: %s:%d: %s: %s: %s %s\n", counted, r.File, r.Line, r.Kind, r.Code, r.Outcome, r.Oracle)
				failure = o.done(results)
			}
		})
	}
	wg.Wait()
	results, _ := settled()
	return results, failure
}

// judged tries bug n.
func (o *options) judged(trials, witnesses []usual, n int, s *site) result {
	r := result{File: s.source.name, Line: s.pos.Line, Kind: s.kind, Code: s.what, Outcome: unreached}
	for _, t := range trials {
		if !t.reached[n] {
			continue
		}
		if r.Outcome = equivalent; o.places {
			break
		}
		if out, _, err := o.attempt(t.trial, n, "", patience(t)); err != nil {
			r.Outcome, r.Oracle, r.Message = caught, t.pkg+" "+t.name, reason(out)
			return r
		} else if !bytes.Equal(out, t.printed) {
			// Something else is found or proved than without the bug.
			r.Outcome, r.Oracle = caught, "worse"
			return r
		}
	}
	if !o.places {
		o.witness(witnesses, n, &r)
	}
	return r
}

// witness asks the witnesses about a bug that no trial finds.
func (o *options) witness(witnesses []usual, n int, r *result) {
	for _, t := range witnesses {
		if !t.reached[n] {
			continue
		}
		if out, _, err := o.attempt(t.trial, n, "", patience(t)); err != nil {
			r.Outcome, r.Oracle, r.Message = survived, t.pkg+" "+t.name, reason(out)
			return
		}
	}
}

// reason returns the line of what a test prints that says why it fails.
func reason(out []byte) string {
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	for _, l := range lines {
		if l = strings.TrimSpace(l); strings.HasPrefix(l, "panic:") || strings.Contains(l, ".go:") && !strings.HasPrefix(l, "/") {
			return l
		}
	}
	return lines[0]
}

// patience is the CPU time after which a trial counts as one that doesn't end.
func patience(t usual) time.Duration { return 4*t.took + 10*time.Second }

// attempt runs a trial with bug n, and returns what it prints and the CPU time it takes. An error says that it fails, or
// doesn't end: limit is on CPU time, so that a busy machine makes no difference.
func (o *options) attempt(t trial, n int, reached string, limit time.Duration) ([]byte, time.Duration, error) {
	ctx, stop := context.WithTimeout(context.Background(), 20*limit+time.Minute)
	defer stop()
	if reached != "" {
		var err error
		if reached, err = filepath.Abs(reached); err != nil {
			return nil, 0, err
		}
	}
	args := append([]string{"-c", fmt.Sprintf(`ulimit -v %d; ulimit -t %d; exec "$0" "$@"`, memory, int(limit.Seconds())+1), o.binary(t.pkg), "-test.failfast", "-test.v", "-test.run", t.name}, t.args...)
	c := exec.CommandContext(ctx, "sh", args...)
	c.Dir = t.pkg
	c.Env = append(os.Environ(), fmt.Sprintf("%s=%d", planted.Variable, n), planted.Reached+"="+reached)
	c.WaitDelay = time.Second
	out, err := c.CombinedOutput()
	took := c.ProcessState.UserTime() + c.ProcessState.SystemTime()
	if ctx.Err() != nil || err != nil && took >= limit {
		return []byte("it doesn't end"), took, errors.New("hang")
	}
	return durations.ReplaceAll(out, nil), took, err
}

// durations matches what tests print about time.
var durations = regexp.MustCompile(`\(?[0-9.]+(m?s|m[0-9.]+s)\)?`)
