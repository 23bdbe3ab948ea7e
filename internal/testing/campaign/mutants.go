package campaign

import (
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"time"

	"freehold/driver"
	"freehold/internal/testing/irgen"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/pass"
)

// patience is how long a step may take with a mutant: reading, verifying and printing it,
// or one pipeline. On a machine that is busy with other work as well, it gets a multiple.
const patience, busyPatience = 10 * time.Second, 60 * time.Second

// mutant tries a program that may be invalid: it must be read or refused, and so must
// what pipelines make of it be; nothing may panic or hang. It goes through some of the
// trials, which depend on its number.
func (o *Options) mutant(g irgen.Generator, seed uint64) Outcome {
	src := g.Generate(chooser(seed), o.Size)
	out := Outcome{Seed: seed, Generator: g.Name, Runs: 1}
	ran, p := tryMutant(o.Registry, src, "")
	if p != nil {
		out.Failures = append(out.Failures, o.mutantFailure(g, seed, src, "", p))
	}
	if !ran || p != nil {
		out.Rejected++
		return out
	}
	choose := chooser(^seed)
	for range min(o.MutantRuns, len(o.Trials)) {
		t := o.Trials[choose(len(o.Trials))]
		if t.Vary != nil {
			t.Pipeline = t.Vary(choose)
		}
		out.Runs++
		ran, p := tryMutant(o.Registry, src, t.Pipeline)
		if !ran {
			out.Rejected++
		}
		if p != nil {
			out.Failures = append(out.Failures, o.mutantFailure(g, seed, src, t.Pipeline, p))
		}
	}
	return out
}

// tryMutant sends a program through a pipeline, or, if that is empty, just reads and
// prints it. It tells whether the program and what became of it is valid.
func tryMutant(registry *pass.Registry, src, pipeline string) (ran bool, p *problem) {
	type answer struct {
		ran bool
		p   *problem
	}
	answers := make(chan answer, 1)
	go func() {
		var a answer
		defer func() {
			if v := recover(); v != nil {
				a.p = problemf(kindPanic, "%v\n%s", v, debug.Stack())
			}
			answers <- a
		}()
		a.ran, a.p = runMutant(registry, []byte(src), pipeline)
	}()
	select {
	case a := <-answers:
		return a.ran, a.p
	case <-time.After(patience):
	}
	select {
	case a := <-answers:
		return a.ran, a.p
	case <-time.After(busyPatience - patience):
		return false, problemf(kindHang, "after %v, it isn't done", busyPatience)
	}
}

func runMutant(registry *pass.Registry, src []byte, pipeline string) (ran bool, p *problem) {
	ctx := driver.Freehold().NewContext()
	ctx.AllowUnregistered = true
	m, err := parseIn(ctx, src)
	if err != nil {
		asm.Render(nil, err, func(string) []byte { return src })
		return false, nil
	}
	if pipeline != "" {
		manager, err := registry.ParsePipeline(pipeline)
		if err != nil {
			return false, problemf(kindGenerator, "%v", err)
		}
		if err := (&pass.Runner{VerifyEach: true, Recycle: true, Threads: 1}).Run(manager, m); err != nil {
			var crash *ir.CrashError
			if errors.As(err, &crash) {
				return false, problemf(kindPanic, "%v\n%s", err, crash.Stack)
			}
			asm.Render(nil, err, func(string) []byte { return src })
			return false, nil
		}
	}
	_, p = readable(m)
	return true, p
}

// mutantFailure describes a failure of a mutant, and drops lines that have nothing to do
// with it, unless it hangs: nothing ends that but the end of the process.
func (o *Options) mutantFailure(g irgen.Generator, seed uint64, src, pipeline string, p *problem) Failure {
	tests := o.Shrink
	if p.kind == kindHang {
		tests = 0 // what hangs goes on, and may take ever more memory
	}
	lines := strings.SplitAfter(src, "\n")
	for n := len(lines) / 2; n > 0 && tests > 0; n /= 2 {
		for i := 0; i+n <= len(lines) && tests > 0; {
			less := append(append([]string(nil), lines[:i]...), lines[i+n:]...)
			tests--
			if _, q := tryMutant(o.Registry, strings.Join(less, ""), pipeline); q != nil && q.kind == p.kind && firstLine(q.message) == firstLine(p.message) {
				lines, p = less, q
			} else {
				i += n
			}
		}
	}
	command := "freehold opt FILE --allow-unregistered-dialect --verify-roundtrip"
	if pipeline != "" {
		command += fmt.Sprintf(" --pass-pipeline='%s'", pipeline)
	}
	return Failure{Seed: seed, Generator: g.Name, Pipeline: pipeline, Kind: p.kind, Message: p.message, Program: strings.Join(lines, ""), Command: command}
}

func firstLine(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	return s
}
