// Package campaign sends random programs through pipelines and checks that they
// mean the same afterwards, that nothing is wrong with memory, that the proof of
// the package check agrees, and that what is printed can be read.
package campaign

import (
	"context"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"

	"freehold/internal/testing/irgen"
	"freehold/internal/testing/twin"
	"freehold/ir"
	"freehold/pass"
)

// Options say which programs to send through which pipelines.
type Options struct {
	Registry *pass.Registry
	// Generators and Trials are what is combined.
	Generators []irgen.Generator
	Trials     []Trial
	// Twins are ways to write a program in another form, which must be judged the same; each program gets one of them.
	Twins []twin.Twin
	// Forms tells that a program and its twin must also need the same memory once they are compiled.
	Forms bool
	// Seed is the number of the first program, Programs how many there are. A program
	// depends on its number alone, so that a campaign can be split at any number.
	Seed, Programs uint64
	// Size is about how many operations a program has.
	Size int
	// MutantRuns is how many of the trials a mutant goes through, at most.
	MutantRuns int
	// Inputs is how many inputs a program is executed on.
	Inputs int
	// Jobs is how many programs are tried at the same time; 0 stands for as many as there are
	// processors.
	Jobs int
	// Peer is the path of an mlir-opt that must accept what the pipelines print, and
	// whose own results must mean the same; empty for none. Every PeerEvery-th program
	// is shown to it.
	Peer      string
	PeerEvery uint64
	// PeerExact tells that the peer must make the same of a program, but for names and the
	// order of pure operations, or refuse it for the same reason.
	PeerExact bool
	// PeerAnswers is a folder in which the peer's answers are kept, and found again; empty
	// for none.
	PeerAnswers string
	// PeerRun is the path of an mlir-cpu-runner. It runs what Peer made of the programs
	// that it is shown, and must compute the same; empty for none. PeerLibs are the
	// libraries of functions that the programs call.
	PeerRun  string
	PeerLibs []string
	// CC is the command of a C compiler, with flags: what pipelines make of every CCEvery-th program is executed as C code, too, and must
	// compute the same; empty for none.
	CC      string
	CCEvery uint64
	// Shrink limits the tests that make a failing program smaller; 0 leaves programs
	// as they are.
	Shrink int
	// Baseline has measures of runs with another version of the passes; a run whose
	// measures are worse is a failure. May be nil.
	Baseline map[Case]Measures
	// Known tells of a failure, whose program may be left out, that it doesn't count. May be
	// nil.
	Known func(Failure) bool
	// Unchanged tells that a run printed what it did with a version whose runs were
	// checked, by the digest, so that it need not be checked again. May be nil.
	Unchanged func(c Case, digest uint64) bool
	// Skip leaves a run out. May be nil.
	Skip func(Case) bool
	// FailFast stops at the first failure.
	FailFast bool
	// Measure keeps the measures of all runs in the outcomes.
	Measure bool
	// Ran is told of each run, by the goroutine that tried it: the digest of what was
	// printed, or of the error. May be nil.
	Ran func(c Case, digest uint64)
	// Done is told of each program, in any order, one at a time. May be nil.
	Done func(Outcome)
}

// Case is one program and one pipeline that it is sent through.
type Case struct {
	Generator string
	Seed      uint64
	Pipeline  string
}

// Outcome is what came of one program.
type Outcome struct {
	Seed      uint64
	Generator string
	// Runs is the number of pipelines, Rejected that of those that refused the program,
	// as they may.
	Runs, Rejected int
	// Native is the number of programs that were compiled and run.
	Native int
	// Digest is a hash of what the pipelines printed.
	Digest   uint64
	Failures []Failure
	// Twin has the measures of the program and its twin; nil if one of these isn't compiled.
	Twin *TwinMeasures
	// Measures are those of the runs whose programs could be executed, if they are asked for.
	Measures map[Case]Measures
}

// Failure is something that should not have happened.
type Failure struct {
	Seed      uint64 `json:"seed"`
	Generator string `json:"generator"`
	Pipeline  string `json:"pipeline"`
	// Kind is one of the Kinds.
	Kind string `json:"kind"`
	// Message tells what happened; First what happened with the program before it was made
	// smaller, if that is something else.
	Message string `json:"message"`
	First   string `json:"first,omitempty"`
	// Program is the program, as small as it could be made.
	Program string `json:"program"`
	// Command reproduces the failure for a program in FILE.
	Command string `json:"command"`
}

// Run tries the programs until ctx is cancelled.
func Run(ctx context.Context, o Options) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	next := make(chan uint64)
	var wg sync.WaitGroup
	var mu sync.Mutex
	jobs := o.Jobs
	if jobs <= 0 {
		jobs = runtime.GOMAXPROCS(0)
	}
	for range jobs {
		wg.Go(func() {
			for seed := range next {
				out := o.program(seed)
				mu.Lock()
				if o.Done != nil {
					o.Done(out)
				}
				mu.Unlock()
				if o.FailFast && len(out.Failures) > 0 {
					stop()
				}
			}
		})
	}
	defer wg.Wait()
	defer close(next)
	for i := range o.Programs {
		select {
		case next <- o.Seed + i:
		case <-ctx.Done():
			return
		}
	}
}

// chooser makes the choices of program number seed.
func chooser(seed uint64) irgen.Chooser {
	rnd := rand.New(rand.NewPCG(seed, 0x66726565686f6c64))
	return func(n int) int { return rnd.IntN(n) }
}

// program tries one program.
func (o *Options) program(seed uint64) Outcome {
	g := o.Generators[seed%uint64(len(o.Generators))]
	if g.Mutants {
		return o.mutant(g, seed)
	}
	out := Outcome{Seed: seed, Generator: g.Name}
	src := g.Generate(chooser(seed), o.Size)
	module, err := parse([]byte(src))
	var sent *program
	if err == nil {
		if sent = o.newProgram(g, seed, module); sent == nil {
			return out
		}
	}
	if x := o.twinOf(g, seed); x != nil && sent != nil {
		out.Runs++
		problem := x.try(sent)
		if out.Twin = x.measures; problem != nil && (o.Known == nil || !o.Known(x.describe(src, problem))) {
			out.Failures = append(out.Failures, x.failure(src, module, problem))
			if o.FailFast {
				return out
			}
		}
	}
	var batch []compiledJob
	for i, t := range o.Trials {
		if t.Vary != nil {
			t.Pipeline = t.Vary(chooser(seed ^ uint64(i)<<48))
		}
		x := trial{o: o, t: t, g: g, seed: seed, batch: &batch}
		c := x.testcase()
		if !meant(t, g) || o.Skip != nil && o.Skip(c) {
			continue
		}
		out.Runs++
		problem := problemf(kindGenerator, "%v", err)
		if err == nil {
			problem = x.try(sent)
		}
		digest := x.digest()
		out.Digest += digest
		if x.ran {
			out.Native++
		}
		var failure *Failure
		switch {
		case problem == nil:
		case problem.kind == kindRefused:
			out.Rejected++
		case o.Known != nil && o.Known(x.describe(src, problem)):
		default:
			x.batch = nil
			f := x.failure(src, module, problem)
			failure = &f
			out.Failures = append(out.Failures, f)
		}
		if o.Ran != nil {
			o.Ran(c, digest)
		}
		if o.Measure && x.measures != nil {
			if out.Measures == nil {
				out.Measures = map[Case]Measures{}
			}
			out.Measures[c] = *x.measures
		}
		if o.FailFast && failure != nil {
			return out
		}
	}
	o.finish(&out, batch, src, module)
	return out
}

// finish executes what was put off for one program, whose text and module are given.
func (o *Options) finish(out *Outcome, batch []compiledJob, src string, module *ir.Op) {
	if len(batch) == 0 {
		return
	}
	ran, problems := o.execute(batch)
	out.Native += ran
	for i, p := range problems {
		x := batch[i].x
		if x.batch = nil; x.unknown(p) != nil {
			out.Failures = append(out.Failures, x.failure(src, module, p))
			if o.FailFast {
				return
			}
		}
	}
}

// meant tells whether a trial is for the programs of a generator.
func meant(t Trial, g irgen.Generator) bool {
	return len(t.Programs) == 0 && !g.Named && !slices.Contains(t.Except, g.Name) || slices.Contains(t.Programs, g.Name)
}
