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
	"time"

	"freehold/internal/plant/planted"
)

// judge is a part of freehold that judges programs, with the campaigns that should find bugs in
// it: tests that make up programs, and compare what it says of them with something else.
type judge struct {
	name    string
	victims *regexp.Regexp
	exempt  *regexp.Regexp // matches what the code is for, where that is only text
	trials  []trial
}

// trial runs tests of a package.
type trial struct {
	pkg  string // its folder
	args []string
}

// judges are the parts that -in names.
var judges = []judge{
	{
		name: "check", victims: regexp.MustCompile(`^freehold/check/[a-z]+\.go$`),
		exempt: regexp.MustCompile(`^freehold/check/path\.go$`),
		trials: []trial{
			{"check", []string{"-rapid.seed=1", "-test.run", "FreesAnywhere|ArenasAnywhere|BeyondIsNotJudged|DeallocatedProgramsAreSafe|PlantedBugsAreFound", "-programs", "60"}},
			{"check", []string{"-rapid.seed=1", "-test.run", "OwnersAreSafe|WrongOwners|LoweredOwners", "-programs", "30"}},
			{"check", []string{"-rapid.seed=1", "-test.run", "AreCertified", "-programs", "60"}},
			{"check", []string{"-rapid.seed=1", "-test.run", "Chains|Bounds|Rules|InProportion|Comparisons"}},
		},
	},
	{
		name: "certificate", victims: regexp.MustCompile(`^freehold/certificate/(logic|symbolic|verify)/[a-z]+\.go$`),
		trials: []trial{
			{"check", []string{"-rapid.seed=1", "-test.run", "AreCertified|OwnersAreSafe|BeyondIsNotJudged|Comparisons", "-programs", "60"}},
			{"check", []string{"-rapid.seed=1", "-test.run", "NotCertified|SayNoMore", "-programs", "200"}},
			{"certificate/verify", []string{"-test.run", "Forged|Documentation"}},
		},
	},
	{
		name: "exec", victims: regexp.MustCompile(`^freehold/(exec|interp)/[a-z]+\.go$`),
		trials: []trial{
			{"internal/naive", []string{"-test.run", "Programs|Elementwise|Operations|ControlFlow|AllOperations|Literals|Arrays|Differences|MadeUpArguments"}},
			{"check", []string{"-rapid.seed=1", "-test.run", "FreesAnywhere|ArenasAnywhere|RulesAgreeWithExecution", "-programs", "30"}},
			{"interp", []string{"-rapid.seed=1", "-test.run", "Yields|NestsInRuns"}},
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
	for _, t := range j.trials {
		if _, err := os.Stat(o.binary(t.pkg)); err == nil {
			continue
		}
		if out, err := exec.Command("go", "test", "-vet=off", "-c", "-overlay", overlay, "-o", o.binary(t.pkg), "./"+t.pkg).CombinedOutput(); err != nil {
			return fmt.Errorf("go test %s: %v\n%s", t.pkg, err, out)
		}
	}
	return nil
}

// judging tries bugs in a judge until enough of them count: those whose places no trial comes to
// are listed as such, since nothing can find them.
func (o *options) judging(j *judge, sites []site) ([]result, error) {
	overlay, err := writeOverlay(o.folder, sites, false)
	if err != nil {
		return nil, err
	}
	if err := o.buildTrials(overlay, j); err != nil {
		return nil, err
	}
	reached := make([]map[int]bool, len(j.trials))
	took := make([]time.Duration, len(j.trials))
	usual := make([][]byte, len(j.trials)) // what is printed without a bug
	for i, t := range j.trials {
		path := filepath.Join(o.folder, fmt.Sprintf("reached%d", i))
		start := time.Now()
		out, err := o.attempt(t, -1, path, 10*time.Minute)
		if err != nil {
			return nil, fmt.Errorf("%s %v without a bug: %v\n%s", t.pkg, t.args, err, out)
		}
		usual[i] = out
		took[i] = time.Since(start)
		if reached[i], err = numbers(path); err != nil {
			return nil, err
		}
	}
	var results []result
	counted := 0
	for n := 0; n < len(sites) && counted < o.bugs; n++ {
		s := &sites[n]
		r := result{File: s.source.name, Line: s.pos.Line, Kind: s.kind, Code: s.what, Outcome: unreached}
		for i, t := range j.trials {
			if !reached[i][n] {
				continue
			}
			if r.Outcome == unreached {
				r.Outcome = equivalent
			}
			if out, err := o.attempt(t, n, "", 4*took[i]+20*time.Second); err != nil {
				r.Outcome, r.Oracle, r.Message = caught, t.pkg, firstLine(string(bytes.TrimSpace(out)))
				break
			} else if !bytes.Equal(out, usual[i]) {
				// Something else is found or proved than without the bug.
				r.Outcome, r.Oracle = caught, "worse"
			}
		}
		if r.Outcome != equivalent {
			counted++
		}
		results = append(results, r)
		fmt.Fprintf(os.Stderr, "%d: %s:%d: %s: %s: %s %s\n", counted, r.File, r.Line, r.Kind, r.Code, r.Outcome, r.Oracle)
		if err := o.done(results); err != nil {
			return nil, err
		}
	}
	return results, nil
}

// attempt runs a trial with bug n. An error says that it fails, or doesn't end.
func (o *options) attempt(t trial, n int, reached string, limit time.Duration) ([]byte, error) {
	ctx, stop := context.WithTimeout(context.Background(), limit)
	defer stop()
	if reached != "" {
		var err error
		if reached, err = filepath.Abs(reached); err != nil {
			return nil, err
		}
	}
	c := exec.CommandContext(ctx, o.binary(t.pkg), append([]string{"-test.failfast", "-test.v"}, t.args...)...)
	c.Dir = t.pkg
	c.Env = append(os.Environ(), fmt.Sprintf("%s=%d", planted.Variable, n), planted.Reached+"="+reached)
	c.WaitDelay = time.Second
	out, err := c.CombinedOutput()
	if ctx.Err() != nil {
		return []byte("it doesn't end"), errors.New("hang")
	}
	return durations.ReplaceAll(out, nil), err
}

// durations matches what tests print about time.
var durations = regexp.MustCompile(`\(?[0-9.]+(m?s|m[0-9.]+s)\)?`)
