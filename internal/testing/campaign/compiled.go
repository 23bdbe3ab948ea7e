package campaign

import (
	"context"
	"errors"
	"time"

	"freehold/exec/interp"
	"freehold/exec/native"
	"freehold/ir"
)

// compiledJob is what a pipeline made of a program, to be executed as C code.
type compiledJob struct {
	x    *trial
	job  native.Job
	want *interp.Result
}

// compiles tells whether what becomes of the program is executed as C code.
func (x *trial) compiles() bool { return x.o.CC != "" && x.seed%max(1, x.o.CCEvery) == 0 }

// asC executes what a pipeline made of a program as C code, on one input, and compares with the interpreter. If the trial has a batch, that is put off.
func (x *trial) asC(src *program, after *ir.Op) *problem {
	text := "C: " + string(x.printed)
	if src.compiled[text] {
		return nil
	}
	src.compiled[text] = true
	fn, err := interp.Entry(after, "main")
	if err != nil || x.g.Idle || x.g.Lower != "" {
		return nil
	}
	args, _, err := x.generator().Arguments(fn)
	if err != nil {
		return nil // out-parameters of no known size
	}
	want, err := interp.Run(after, fn, args, interp.Options{MaxSteps: 2_000_000})
	if err != nil || want.Stopped() != nil {
		return nil // the comparison of before and after has judged this
	}
	j := compiledJob{x, native.Job{Module: after, Function: fn, Args: args}, want}
	if x.batch != nil {
		*x.batch = append(*x.batch, j)
		return nil
	}
	_, problems := x.o.execute([]compiledJob{j})
	return problems[0]
}

// execute executes programs as C code, all of them in one process; ran is how many could be written as C, and problems what is wrong with each.
func (o *Options) execute(batch []compiledJob) (ran int, problems []*problem) {
	jobs := make([]native.Job, len(batch))
	for i, j := range batch {
		jobs[i] = j.job
	}
	problems = make([]*problem, len(batch))
	for i, out := range native.RunAll(context.Background(), jobs, native.Options{Compiler: o.CC, Timeout: time.Minute}) {
		var several ir.Diagnostics
		var one *ir.Diagnostic
		switch {
		case errors.As(out.Err, &several), errors.As(out.Err, &one): // there is nothing for it in C
		case out.Err != nil:
			problems[i] = problemf(kindNative, "as C: %v", out.Err)
		default:
			ran++
			if what, d := native.Difference(batch[i].want, out.Result); d != "" {
				problems[i] = problemf(kindNative, "as C, it computes something else: %s: %s", what, d)
			}
		}
	}
	return ran, problems
}
