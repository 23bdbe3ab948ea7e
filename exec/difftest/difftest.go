// Package difftest compares what a program does before and after it was
// transformed, by executing both in checked memory on the same made-up inputs.
//
// A transformation may make a program more defined, not less: what a function does
// on an input for which it is undefined before counts for nothing. Results, the
// contents of the buffers among the arguments, and the calls of external functions
// and printed lines, in order, must be the same, also of a second call in the memory that the first one leaves, where
// the contents of arguments are renewed that may be overwritten; and what is executed afterwards
// must not do anything wrong with memory.
package difftest

import (
	"fmt"
	"slices"

	"freehold/exec"
	"freehold/exec/interp"
	"freehold/exec/native"
	"freehold/ir"
	"freehold/ir/analysis"
	"freehold/ir/interfaces"
)

// Options say how to compare.
type Options struct {
	// Inputs is how many inputs a function is executed on; 0 stands for 8. One that takes numbers, and takes few operations, gets
	// more: special numbers.
	Inputs int
	// Seed makes the inputs.
	Seed uint64
	// MaxSteps and MaxBytes limit each execution; 0 stands for 50 million operations
	// and 1 GiB. A function gets fewer inputs when its executions come to twice as many
	// operations.
	MaxSteps, MaxBytes int64
	// Leaks tells that memory which is not freed afterwards is a finding.
	Leaks bool
	// Tolerance says how far floating-point numbers may be apart.
	Tolerance interp.Tolerance
	// Sizes gives the sizes of the dynamic dimensions of arguments; nil makes them up.
	Sizes func(t ir.Type) []int64
	// Resources and Elided give constants without contents in the program some; see
	// [interp.Options].
	Resources map[string][]byte
	Elided    *uint64
	// Native, if it isn't nil, executes the transformed program as C code as well, on a few inputs of each function that it can be executed on, and the
	// results are compared with those in checked memory.
	Native *native.Options
	// Only lists the functions to compare; nil stands for all.
	Only []string
	// Interrupt ends the comparison soon after it is closed: the report has what was found until
	// then. May be nil.
	Interrupt <-chan struct{}
}

// Function is what was found out about a function.
type Function struct {
	Name string
	Loc  ir.Location
	// Skipped tells why the function was not compared, or is nil.
	Skipped error
	// Inputs is the number of inputs that it was compared on, Undefined the number of
	// those left out because the function is undefined for them.
	Inputs, Undefined int
	// Native is the number of inputs that it was executed on as C code, too, and NotNative tells why it was not on one.
	Native    int
	NotNative error
	// Mismatches and Findings are what is wrong; at most one of each for a function
	// and input.
	Mismatches []Mismatch
	Findings   []Finding
	// Stats sums up what the executions of the transformed function did; PeakBytes is
	// the most that one had allocated.
	Stats exec.Stats
}

// Mismatch is a difference in what a function computes.
type Mismatch struct {
	// Input numbers the input, from 0.
	Input int
	// What tells what differs, such as "result 0".
	What string
	// Difference tells how.
	Difference string
	// Loc is the place that it is about.
	Loc ir.Location
}

// Finding is something that the transformed program does wrong.
type Finding struct {
	Input int
	*exec.Finding
}

// Report is what was found out about a program.
type Report struct {
	Functions []Function
	// Executed and Skipped count functions, Mismatches and Findings what was found.
	Executed, Skipped, Mismatches, Findings int
	// Interrupted tells that there are functions that were not compared, or on fewer inputs.
	Interrupted bool
}

// Run compares the functions of two verified modules: those at the top of before,
// with the functions of the same names in after.
func Run(before, after *ir.Op, o Options) *Report {
	return NewReference(before, o).Compare(after, o.Leaks)
}

// Reference is a program to compare others with. It remembers what its functions did, so
// that each is executed once on each input. It is for one goroutine.
type Reference struct {
	o         Options
	module    *ir.Op
	contracts *analysis.Contracts
	runs      map[*ir.Op]*runs
}

// runs are the executions of a function: those on inputs of all kinds, and those on special numbers.
type runs struct {
	contract     analysis.Contract
	all, numbers []execution
}

// execution is what a function did on an input, or why it could not be executed.
type execution struct {
	*input
	want *interp.Result
	err  error
}

// NewReference returns a verified module to compare others with. Whether leaks count is
// said for each of these.
func NewReference(module *ir.Op, o Options) *Reference {
	if o.Inputs == 0 {
		o.Inputs = 8
	}
	if o.MaxSteps == 0 {
		o.MaxSteps = 50_000_000
	}
	if o.MaxBytes == 0 {
		o.MaxBytes = 1 << 30
	}
	return &Reference{o: o, module: module, contracts: analysis.NewContracts(module), runs: map[*ir.Op]*runs{}}
}

// Compare compares the functions at the top of the reference with the functions of the
// same names in a verified module. leaks tells that memory which is not freed afterwards is
// a finding.
func (r *Reference) Compare(after *ir.Op, leaks bool) *Report {
	report := &Report{}
	own, other := functions(r.module), functions(after)
	contracts := analysis.NewContracts(after)
	for op := range r.module.BodyBlock(0).Ops() {
		name, ok := functionName(op)
		if !ok || r.o.Only != nil && !slices.Contains(r.o.Only, name) {
			continue
		}
		if report.Interrupted = r.interrupted(); report.Interrupted {
			return report
		}
		fn := Function{Name: name, Loc: op.Loc()}
		t := tester{Reference: r, leaks: leaks, after: after, contracts: contracts, fn: &fn, functions: [2]map[string]*ir.Op{own, other}}
		t.compare(op, other[name])
		if report.Interrupted = r.interrupted(); report.Interrupted && fn.Inputs == 0 {
			return report
		}
		if fn.Skipped != nil {
			report.Skipped++
		} else {
			report.Executed++
		}
		report.Mismatches += len(fn.Mismatches)
		report.Findings += len(fn.Findings)
		report.Functions = append(report.Functions, fn)
	}
	return report
}

// interrupted tells whether somebody wants the comparison to end.
func (r *Reference) interrupted() bool {
	select {
	case <-r.o.Interrupt:
		return true
	default:
		return false
	}
}

// runs returns the executions of a function of the reference so far.
func (r *Reference) runsOf(fn *ir.Op) *runs {
	if r.runs[fn] == nil {
		r.runs[fn] = &runs{contract: r.contracts.Of(fn)}
	}
	return r.runs[fn]
}

// execution returns what a function of the reference does on input k, of those of all kinds or of those with special numbers. Inputs
// are asked for in order.
func (r *Reference) execution(fn *ir.Op, k int, numbers bool) *execution {
	known := r.runsOf(fn)
	list, g := &known.all, generator(r.o.Seed, k)
	if numbers {
		list, g = &known.numbers, number(r.o.Seed, k)
	}
	if k == len(*list) {
		x := execution{}
		if x.input, x.err = r.input(fn, known.contract, k, g); x.err == nil {
			x.want, x.err = interp.Run(r.module, fn, x.args, r.options(fn, x.input, r.contracts))
		}
		*list = append(*list, x)
	}
	return &(*list)[k]
}

// options say how to execute a function on an input, before and after.
func (r *Reference) options(fn *ir.Op, x *input, contracts *analysis.Contracts) interp.Options {
	out := interp.Options{MaxSteps: x.steps, MaxBytes: r.o.MaxBytes, Places: x.places, Contracts: contracts, Otherwise: interp.Arbitrary(x.seed),
		Resources: r.o.Resources, Elided: r.o.Elided, Interrupt: r.o.Interrupt, Twice: true, Restore: make([]bool, len(x.args))}
	for i := range x.args {
		out.Restore[i] = r.mayOverwrite(fn, i)
	}
	if x.reuse {
		out.ReuseAddress = func(n int) int { return max(n-1, 0) }
	}
	return out
}

func functions(module *ir.Op) map[string]*ir.Op {
	out := map[string]*ir.Op{}
	for op := range module.BodyBlock(0).Ops() {
		if name, ok := functionName(op); ok {
			out[name] = op
		}
	}
	return out
}

// functionName returns the name of an operation that is a function.
func functionName(op *ir.Op) (string, bool) {
	if !interfaces.Function.Has(op) {
		return "", false
	}
	return ir.SymbolName(op)
}

// tester compares one function.
type tester struct {
	*Reference
	leaks     bool
	after     *ir.Op
	contracts *analysis.Contracts // after
	fn        *Function
	functions [2]map[string]*ir.Op // by name, before and after
	// undefined is why an input was left out, contract what is settled of the function before and after.
	undefined *exec.Finding
	contract  [2]analysis.Contract
}

func (t *tester) skip(format string, args ...any) { t.fn.Skipped = fmt.Errorf(format, args...) }

func (t *tester) compare(a, b *ir.Op) {
	switch {
	case a.BodyBlock(0) == nil:
		t.skip("it has no body")
		return
	case b == nil || b.BodyBlock(0) == nil:
		t.skip("it does not exist afterwards")
		return
	}
	t.contract = [2]analysis.Contract{t.runsOf(a).contract, t.contracts.Of(b)}
	steps := int64(0)
	for k := 0; k < attempts*t.o.Inputs && t.fn.Inputs < t.o.Inputs && steps < 2*t.o.MaxSteps; k++ {
		more, ok := t.one(a, b, t.execution(a, k, false), k)
		if steps += more; !ok {
			return
		}
	}
	if t.fn.Inputs == 0 {
		t.skip("it is undefined for all inputs that were tried: %w", t.undefined)
		return
	}
	if !takesNumbers(a) || len(t.fn.Mismatches)+len(t.fn.Findings) > 0 || steps > numberSteps*int64(t.fn.Inputs+t.fn.Undefined) {
		return
	}
	for k := range numberInputs {
		if _, ok := t.one(a, b, t.execution(a, k, true), t.o.Inputs*attempts+k); !ok {
			return
		}
	}
}

// one compares the functions on one input, whose number is k. It returns how many operations that took before, and whether to go on.
func (t *tester) one(a, b *ir.Op, x *execution, k int) (steps int64, ok bool) {
	if t.interrupted() {
		return 0, false
	}
	if x.err != nil {
		t.skip("%w", x.err)
		return 0, false
	}
	want := x.want
	// To make up an element and to keep it takes more than an operation.
	steps = want.Stats.Steps + 8*elements(x.args)
	if f := want.Stopped(); f != nil {
		t.fn.Undefined++
		t.undefined = f
		return steps, true
	}
	sig, err := pair(a, b, want)
	if err != nil {
		t.skip("%w", err)
		return steps, false
	}
	more, err := sig.added(b, x.args, t.o.MaxBytes)
	if err != nil {
		t.skip("%w", err)
		return steps, false
	}
	args := slices.Concat(x.args, more)
	run := t.options(a, x.input, t.contracts)
	if run.Places, ok = t.placesAfter(a, b, x.places, len(more)); !ok {
		t.fn.Undefined++
		return steps, true
	}
	run.Externals = standIns(t.functions[0], t.functions[1], x.seed)
	// What the transformation adds must not make it look like an endless loop.
	run.MaxSteps = 100*want.Stats.Steps + t.o.MaxSteps
	got, err := interp.Run(t.after, b, args, run)
	if err != nil {
		t.skip("afterwards: %w", err)
		return steps, false
	}
	if t.interrupted() {
		return steps, false
	}
	t.fn.Inputs++
	t.fn.Stats.Add(&got.Stats)
	t.judge(k, sig, a, x.args, want, got)
	if t.o.Native != nil && t.fn.Inputs <= nativeInputs && len(t.fn.Mismatches)+len(t.fn.Findings) == 0 {
		t.judgeNative(k, a, b, args, run, got)
	}
	return steps, true
}

// placesAfter returns where the buffers of the arguments of a function are afterwards, of which the last ones are new. It fails if
// what shares memory before has another type afterwards, and can't share it in the same way.
func (t *tester) placesAfter(a, b *ir.Op, before []interp.Place, added int) (places []interp.Place, ok bool) {
	places = append(slices.Clone(before), interp.OwnPlaces(len(before) + added)[len(before):]...)
	x, y := typeOf(a).Inputs, typeOf(b).Inputs
	for i, p := range before {
		j := p.In
		switch {
		case j == i:
		case x[i].String() != y[i].String() || x[j].String() != y[j].String():
			return nil, false
		case t.contract[1].Args[i].Owned || t.contract[1].Args[j].Owned:
			return nil, false
		}
	}
	return places, true
}

// elements returns how many elements values have.
func elements(values []interp.Value) int64 {
	n := int64(0)
	for _, v := range values {
		if v.Tensor != nil {
			n += v.Tensor.Elements()
		}
	}
	return n
}

// attempts is how often an input is made up, at most, for each that is needed.
const attempts = 4

// judge compares two executions on input k.
func (t *tester) judge(k int, sig *signature, a *ir.Op, args []interp.Value, want, got *interp.Result) {
	mismatch := func(loc ir.Location, what, difference string) {
		t.fn.Mismatches = append(t.fn.Mismatches, Mismatch{k, what, difference, loc})
	}
	if f := got.Stopped(); f != nil {
		t.fn.Findings = append(t.fn.Findings, Finding{k, f})
		return
	}
	if t.leaks && len(got.Findings) > 0 {
		t.fn.Findings = append(t.fn.Findings, Finding{k, got.Findings[0]})
	}
	if sig.dropped {
		if d := droppedDifference(want, got, args, t.o.Tolerance); d != "" {
			mismatch(a.Loc(), "the results", d)
			return
		}
	}
	for i, v := range want.Values {
		if sig.dropped {
			break
		}
		if t.handedOver(sig, i) {
			continue
		}
		if d := interp.Difference(v, sig.result(i, got), t.o.Tolerance); d != "" {
			mismatch(a.Loc(), fmt.Sprintf("result %d", i), d)
			return
		}
	}
	for i, v := range want.Buffers {
		// The buffer of what was a tensor may be overwritten, and so may one that the function owns.
		if v.Tensor == nil || i >= len(got.Buffers) || got.Buffers[i].Tensor == nil || t.owned(i) || t.mayOverwrite(a, i) {
			continue
		}
		if d := interp.Difference(v, got.Buffers[i], t.o.Tolerance); d != "" {
			mismatch(a.BodyBlock(0).Arg(i).Loc(), fmt.Sprintf("the buffer of argument %d", i), d)
			return
		}
	}
	if d, loc := interp.EffectDifference(want.Effects, got.Effects, t.o.Tolerance); d != "" {
		mismatch(loc, "the effects", d)
		return
	}
	t.judgeAgain(k, sig, a, want.Again, got.Again)
}

// mayOverwrite tells whether an argument's buffer may be overwritten though the function doesn't do that before it is transformed: that of a tensor, or one
// that the program gives up.
func (r *Reference) mayOverwrite(fn *ir.Op, i int) bool {
	return r.runsOf(fn).contract.Args[i].Overwritable
}

// judgeAgain compares second calls, in the memory that the first ones have left.
func (t *tester) judgeAgain(k int, sig *signature, a *ir.Op, want, got *interp.Result) {
	if want == nil || got == nil || want.Stopped() != nil || sig.dropped {
		return
	}
	if f := got.Stopped(); f != nil {
		t.fn.Findings = append(t.fn.Findings, Finding{k, f})
		return
	}
	for i, v := range want.Values {
		if t.handedOver(sig, i) {
			continue
		}
		if d := interp.Difference(v, sig.result(i, got), t.o.Tolerance); d != "" {
			t.fn.Mismatches = append(t.fn.Mismatches, Mismatch{k, fmt.Sprintf("result %d of a second call", i), d, a.Loc()})
			return
		}
	}
	if d, loc := interp.EffectDifference(want.Effects, got.Effects, t.o.Tolerance); d != "" {
		t.fn.Mismatches = append(t.fn.Mismatches, Mismatch{k, "the effects of a second call", d, loc})
	}
}

// handedOver tells whether result i goes to a buffer that callers hand over afterwards: nobody looks at it, and the function may free it.
func (t *tester) handedOver(sig *signature, i int) bool {
	k, ok := sig.argument(i)
	return ok && t.contract[1].Args[k].Owned
}

// owned tells whether the function owns the buffer of argument i, before or after.
func (t *tester) owned(i int) bool {
	return t.contract[0].Args[i].Owned || t.contract[1].Args[i].Owned
}
