package compile

import (
	"fmt"
	"slices"
	"strconv"

	"freehold/exec"
	"freehold/exec/interp"
	"freehold/ir"
	"freehold/ir/analysis"
	"freehold/ir/interfaces"
)

// Execution says how a program is executed before it is compiled and after.
type Execution struct {
	// Entry is the name of the function; "" is the one that [interp.Entry] finds.
	Entry string
	// Arguments makes the arguments of a function. They must be the same each time.
	Arguments func(fn *ir.Op) ([]interp.Value, error)
	// Options are those of the interpreter. How often the function is called is said here.
	Options interp.Options
	// Lower returns what computes the same as a module with operations that can be executed: itself or a changed copy. Nil stands
	// for the module.
	Lower func(module *ir.Op) (*ir.Op, error)
}

// Run is one execution of a function, with a second call in the memory that the first one has left.
type Run struct {
	Function *ir.Op
	*interp.Result
	// OnTensors tells that the function is one on tensors, which have no buffers to count.
	OnTensors bool
	// Overwritable tells which arguments the function may overwrite.
	Overwritable []bool
}

// Runs are the executions of a program.
type Runs struct {
	Before, After *Run
	// Left counts the buffers that the second one leaves, of which it is said that they are freed by other means.
	Left int
	// Differences are between what they computed.
	Differences []Difference
}

// Difference is something that a program computes before it is compiled and not afterwards.
type Difference struct {
	// What names it, such as "result 0".
	What string
	// Again tells that it is in the second call.
	Again bool
	// Before and After are the values as text.
	Before, After string
	// Effect tells how what was printed or called differs, if it is that.
	Effect string
}

// ExecutionError is the error about a program that does something wrong before it is compiled; leaks aside, since frees are what is added.
type ExecutionError struct{ Findings []*exec.Finding }

func (e *ExecutionError) Error() string { return e.Findings[0].Error() }

// Unwrap returns the first finding.
func (e *ExecutionError) Unwrap() error { return e.Findings[0] }

// ArgumentsError is the error that a function can't be given the arguments that it should get.
type ArgumentsError struct{ Err error }

func (e *ArgumentsError) Error() string { return e.Err.Error() }

// Unwrap returns the reason.
func (e *ArgumentsError) Unwrap() error { return e.Err }

// UnexecutedError is the error of a program that can't be executed, so that nothing can be compared.
type UnexecutedError struct{ Err error }

func (e *UnexecutedError) Error() string { return e.Err.Error() }

// Unwrap returns the reason.
func (e *UnexecutedError) Unwrap() error { return e.Err }

// before executes the program that is to be compiled. It tells which arguments of the function may be overwritten.
func (x *Execution) before(module *ir.Op) (*Runs, error) {
	run, err := x.run(module, nil)
	if err != nil {
		return nil, err
	}
	run.Findings = slices.DeleteFunc(run.Findings, func(f *exec.Finding) bool { return f.Kind == exec.Leak })
	if len(run.Findings) > 0 {
		return nil, &ExecutionError{run.Findings}
	}
	return &Runs{Before: run}, nil
}

// after executes the compiled program, and compares. Leaks of buffers of which it is said that they are freed by other means don't count.
func (x *Execution) after(module *ir.Op, runs *Runs) (err error) {
	if runs.After, err = x.run(module, runs.Before); err != nil {
		return err
	}
	places := map[ir.Location]bool{}
	for m := range findLeft(module) {
		places[m.op.Loc()] = true
	}
	all := len(runs.After.Findings)
	runs.After.Findings = slices.DeleteFunc(runs.After.Findings, func(f *exec.Finding) bool { return f.Kind == exec.Leak && places[f.Loc] })
	runs.Left = all - len(runs.After.Findings)
	runs.compare()
	return nil
}

// run executes the function of a module. Which arguments may be overwritten is settled by the execution before, if this is not that one.
func (x *Execution) run(module *ir.Op, before *Run) (*Run, error) {
	if x.Lower != nil {
		var err error
		if module, err = x.Lower(module); err != nil {
			return nil, err
		}
	}
	fn, err := interp.Entry(module, x.Entry)
	if err != nil {
		return nil, err
	}
	args, err := x.Arguments(fn)
	if err != nil {
		return nil, &ArgumentsError{err}
	}
	out := &Run{Function: fn}
	if before != nil {
		out.Overwritable = before.Overwritable
	} else {
		for _, a := range analysis.NewContracts(module).Of(fn).Args {
			out.Overwritable = append(out.Overwritable, a.Overwritable)
		}
	}
	fn.Walk(func(op *ir.Op) bool {
		out.OnTensors = out.OnTensors || interfaces.HasTensorTypes(op)
		return !out.OnTensors
	})
	o := x.Options
	o.Twice, o.Restore = true, out.Overwritable
	if out.Result, err = interp.Run(module, fn, args, o); err != nil {
		return nil, &UnexecutedError{err}
	}
	return out, nil
}

// compare notes the differences between the two executions, in the second call only if there is none in the first.
func (r *Runs) compare() {
	b, a := r.Before.Result, r.After.Result
	if len(a.Findings) > 0 {
		return
	}
	r.compareCalls(b, a, false)
	if len(r.Differences) == 0 && b.Again != nil && b.Again.Stopped() == nil && a.Again != nil && a.Again.Stopped() == nil {
		r.compareCalls(b.Again, a.Again, true)
	}
}

// compareCalls compares what a call had as results, left in buffers, and did to the outside.
func (r *Runs) compareCalls(before, after *interp.Result, again bool) {
	values := func(what string, i int, b, a interp.Value) {
		// A NaN has no bits that a program could rely on: which of two it takes its own from is open.
		if interp.Difference(b, a, interp.Tolerance{}) != "" {
			r.Differences = append(r.Differences, Difference{What: fmt.Sprintf("%s %d", what, i), Again: again, Before: b.Text(), After: a.Text()})
		}
	}
	if n, m := len(before.Values), len(after.Values); n != m {
		r.Differences = append(r.Differences, Difference{What: "the number of results", Again: again, Before: strconv.Itoa(n), After: strconv.Itoa(m)})
		return
	}
	for i := range before.Values {
		values("result", i, before.Values[i], after.Values[i])
	}
	for i, v := range before.Buffers {
		if v.Tensor != nil && i < len(after.Buffers) && !(i < len(r.Before.Overwritable) && r.Before.Overwritable[i]) {
			values("argument", i, v, after.Buffers[i])
		}
	}
	if d, _ := interp.EffectDifference(before.Effects, after.Effects, interp.Tolerance{}); d != "" {
		r.Differences = append(r.Differences, Difference{What: "what is printed, or called,", Again: again, Effect: d})
	}
}

// wrong tells whether the compiled program did something wrong, or computed something else.
func (r *Runs) wrong() bool {
	return len(r.After.Findings) > 0 || len(r.Differences) > 0 || r.FailsAgain()
}

// FailsAgain tells whether the second call of the compiled program is stopped by something wrong, and that before wasn't.
func (r *Runs) FailsAgain() bool {
	b, a := r.Before.Again, r.After.Again
	return a != nil && a.Stopped() != nil && b != nil && b.Stopped() == nil
}
