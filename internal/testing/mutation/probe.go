package main

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"freehold/internal/testing/campaign"
	"freehold/internal/testing/irgen"
	"freehold/internal/testing/mutation/planted"
	"freehold/internal/testing/twin"
	"freehold/pass"
	"freehold/transform"
)

// A probe is a process of this program, built with the bugs, one of which the
// environment switches on. It reads a task and writes an answer, as JSON.

// task says which runs of the campaign to try.
type task struct {
	// First is the number of the first program of each generator, Programs how many there
	// are; idle times as many of those that aren't executed.
	First, Programs uint64
	// Generators lists the only generators, all if it is empty.
	Generators string
	// Peer is an mlir-opt, whose answers are kept in Answers; empty for none.
	Peer, Answers string
	// Runs are those to try, and what they are without the bug; nil stands for all, which
	// are recorded.
	Runs []run
	// Known are failures that are there without the bug.
	Known []campaign.Failure
	// Twins tells to try the twins of programs, too. Judges tells that the bug is in what judges programs, so that what is printed as without
	// it must be judged again.
	Twins, Judges bool
}

// run is a run of the campaign, without a bug.
type run struct {
	Case   campaign.Case
	Digest uint64
	// Measures are nil if the program can't be executed. Failure is what mlir-opt does otherwise, if anything.
	Measures *campaign.Measures `json:",omitempty"`
	Failure  *campaign.Failure  `json:",omitempty"`
	// Reached has the bugs whose place it comes to.
	Reached []int `json:",omitempty"`
	Time    time.Duration
}

// answer is what came of a task.
type answer struct {
	// Failure is the first failure that isn't there without the bug; Programs is how many programs it took to find it.
	Failure  *campaign.Failure
	Programs int
	// Known are the failures without a bug, where runs are recorded.
	Known []campaign.Failure
	// Differs tells that something is printed that isn't without the bug.
	Differs bool
	// Runs are recorded.
	Runs []run
}

// probe does a task.
func probe(in io.Reader, out io.Writer) error {
	var t task
	if err := json.NewDecoder(in).Decode(&t); err != nil {
		return err
	}
	r := &pass.Registry{}
	transform.Register(r)
	o := campaign.Options{Registry: r, Trials: campaign.Trials(r), Programs: 1, Size: 25, Inputs: 3, Jobs: 1,
		Peer: t.Peer, PeerEvery: 1, PeerExact: true, PeerAnswers: t.Answers}
	if t.Twins {
		o.Twins = twin.All()
	}
	a := t.record(o)
	if t.Runs != nil {
		a = t.compare(o)
	}
	return json.NewEncoder(out).Encode(a)
}

// idle is how many programs that aren't executed, or have small parts, cost about as much as others.
const idle = 4

// programs calls try for each program, generators in turn, until it returns false.
func (t *task) programs(try func(g irgen.Generator, seed uint64) bool) {
	for i := range idle * t.Programs {
		for _, g := range irgen.Generators {
			chosen := t.Generators == "" || slices.Contains(strings.Split(t.Generators, ","), g.Name)
			if chosen && (g.Idle || g.Odd || i < t.Programs) && !try(g, t.First+i) {
				return
			}
		}
	}
}

// record tries all programs.
func (t *task) record(o campaign.Options) (a answer) {
	if t.Runs != nil {
		return a
	}
	planted.Record()
	last := time.Now()
	var report campaign.Report
	index := map[campaign.Case]int{}
	o.Measure, o.Done = true, report.Add
	o.Ran = func(c campaign.Case, digest uint64) {
		now := time.Now()
		index[c] = len(a.Runs)
		a.Runs = append(a.Runs, run{Case: c, Digest: digest, Reached: planted.Take(), Time: now.Sub(last)})
		last = now
	}
	t.programs(func(g irgen.Generator, seed uint64) bool {
		o.Generators, o.Seed = []irgen.Generator{g}, seed
		campaign.Run(context.Background(), o)
		return true
	})
	for _, f := range report.Failures {
		f.Program = ""
		if i, ok := index[campaign.Case{Generator: f.Generator, Seed: f.Seed, Pipeline: f.Pipeline}]; ok {
			a.Runs[i].Failure = &f
		}
		if f.Kind != "peer" {
			a.Known = append(a.Known, f)
		}
	}
	for c, m := range report.Measures {
		a.Runs[index[c]].Measures = &m
	}
	return a
}

// compare tries runs until one fails that doesn't without the bug.
func (t *task) compare(o campaign.Options) (a answer) {
	type program struct {
		generator string
		seed      uint64
	}
	runs, programs := map[campaign.Case]*run{}, map[program]bool{}
	known := campaign.Report{Failures: t.Known}
	o.Baseline = map[campaign.Case]campaign.Measures{}
	for i := range t.Runs {
		r := &t.Runs[i]
		runs[r.Case], programs[program{r.Case.Generator, r.Case.Seed}] = r, true
		if r.Measures != nil {
			o.Baseline[r.Case] = *r.Measures
		}
		if r.Failure != nil {
			known.Failures = append(known.Failures, *r.Failure)
		}
	}
	o.FailFast, o.Known = true, known.Known()
	o.Skip = func(c campaign.Case) bool { return runs[c] == nil }
	o.Unchanged = func(c campaign.Case, digest uint64) bool { return !t.Judges && runs[c].Digest == digest }
	o.Ran = func(c campaign.Case, digest uint64) { a.Differs = a.Differs || runs[c].Digest != digest }
	o.Done = func(out campaign.Outcome) {
		a.Programs++
		if len(out.Failures) > 0 {
			a.Failure = &out.Failures[0]
		}
	}
	t.programs(func(g irgen.Generator, seed uint64) bool {
		if programs[program{g.Name, seed}] {
			o.Generators, o.Seed = []irgen.Generator{g}, seed
			campaign.Run(context.Background(), o)
		}
		return a.Failure == nil
	})
	return a
}

// probeFile does the task in a file.
func probeFile(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	return probe(f, os.Stdout)
}

// reaching returns the runs that come to the place of a bug.
func reaching(all []run, n int) (list []run, expected time.Duration) {
	for _, r := range all {
		if slices.Contains(r.Reached, n) {
			expected += r.Time
			r.Reached = nil
			list = append(list, r)
		}
	}
	return list, expected
}
