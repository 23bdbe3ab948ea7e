package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"time"

	"github.com/spf13/pflag"

	"freehold/exec/interp"
	"freehold/exec/native"
	"freehold/internal/terminal"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/transform/emit/emitc"
)

// nativeOptions are the flags of commands that execute programs as C code.
type nativeOptions struct {
	on, sanitize bool
	compiler     string
}

func (o *nativeOptions) declare(f *pflag.FlagSet, usage string) {
	f.BoolVar(&o.on, "native", false, usage)
	f.BoolVar(&o.sanitize, "sanitize", false, "with --native, check accesses to memory and undefined behavior by the sanitizers of the compiler")
	f.StringVar(&o.compiler, "cc", "cc -O2", "with --native, the `command` of the C compiler, with flags")
}

// options say how to execute a function of a document.
func (o *runOptions) nativeOptions(doc *asm.Document) native.Options {
	contents := o.options(doc)
	return native.Options{Compiler: o.native.compiler, Sanitize: o.native.sanitize, Emit: emitc.Options{Contents: contents.Contents}}
}

// runNative executes a function as C code and prints what run prints, but for what only checked memory knows.
func runNative(s Streams, o *runOptions, in *input, module, fn *ir.Op, args []interp.Value) error {
	ctx, stop := interruptible(context.Background())
	defer stop()
	res, err := native.Run(ctx, module, fn, args, o.nativeOptions(in.doc))
	if err != nil {
		return nativeFailure(in.reporter, err)
	}
	printValues(s.Out, res.Output, res.Values, res.Buffers)
	fmt.Fprintf(s.Err, "compiled in %s, executed in %s\n", res.Compilation.Round(time.Millisecond), res.Execution.Round(time.Millisecond))
	return saveResults(s.Err, o.save, res.Values)
}

// nativeFailure reports why a program was not executed as C code, and returns the exit status.
func nativeFailure(r *reporter, err error) error {
	var d *ir.Diagnostic
	var ds ir.Diagnostics
	var crash *native.CrashError
	switch {
	case errors.As(err, &ds), errors.As(err, &d):
		r.ReportAll(withFlag(err))
		return exitStatus(statusNotJudged)
	case errors.As(err, &crash):
		return failure{statusWrong, err}
	}
	return failure{statusNotJudged, err}
}

// compareNative executes a compiled program as C code, and compares what it does with what it did in checked memory.
func compareNative(s Streams, o *runOptions, in *input, doc *asm.Document, after *execution, texts []string, may map[string][]bool) error {
	withRandom := *o
	withRandom.random = true
	args, err := runArguments(after.fn, &withRandom, texts)
	if err != nil {
		return err
	}
	ctx, stop := interruptible(context.Background())
	defer stop()
	name, _ := ir.SymbolName(after.fn)
	options := o.nativeOptions(doc)
	options.Twice, options.Restore, options.Leaks = after.result.Again != nil, may[name], o.native.sanitize
	res, err := native.Run(ctx, doc.Module, after.fn, args, options)
	if err != nil {
		return nativeFailure(in.reporter, err)
	}
	c := nativeComparison{w: s.Err, inexact: res.Inexact}
	c.compare(after.result, res, "")
	if again := after.result.Again; again != nil && res.Again != nil && again.Stopped() == nil {
		c.compare(again, res.Again, " of a second call")
	}
	output := after.result.Output()
	if after.result.Again != nil {
		output += after.result.Again.Output()
	}
	if withoutAddresses(output) != withoutAddresses(res.Output) && !c.inexact {
		c.differs("what is printed", fmt.Sprintf("%q should be %q", res.Output, output))
	}
	if c.different > 0 {
		return failure{statusWrong, fmt.Errorf("the native program computes something else")}
	}
	style := terminal.StyleOf(s.Err)
	if c.close {
		fmt.Fprintf(s.Err, "%s: functions such as exp are those of the C library\n", style.Good(fmt.Sprintf("natively the same results within %d units in the last place", ulps)))
		return nil
	}
	fmt.Fprintln(s.Err, style.Good("natively the same results, bit for bit"))
	return nil
}

// withoutAddresses returns what a program printed, without the addresses of buffers.
func withoutAddresses(text string) string { return address.ReplaceAllString(text, "base@ =") }

var address = regexp.MustCompile(`base@ = 0x[0-9a-f]+`)

// ulps is how many units in the last place results may be off where functions of the C library are called that are not exact.
const ulps = 4

// nativeComparison compares an execution in checked memory with one as C code.
type nativeComparison struct {
	w       io.Writer
	inexact bool
	// different counts differences, and close tells that there were some that are allowed.
	different int
	close     bool
}

func (c *nativeComparison) differs(what, how string) {
	c.different++
	fmt.Fprintf(c.w, "%s differs natively: %s\n", what, how)
}

func (c *nativeComparison) compare(want *interp.Result, got *native.Result, when string) {
	list := func(what string, want, got []interp.Value) {
		for i, w := range want {
			if i >= len(got) || (w.Tensor == nil) != (got[i].Tensor == nil) {
				continue
			}
			d := interp.Difference(w, got[i], interp.Tolerance{})
			if d != "" && c.inexact {
				if near := interp.Difference(w, got[i], toleranceOf(w.Type)); near == "" {
					c.close = true
					continue
				}
			}
			if d != "" {
				c.differs(fmt.Sprintf("%s %d%s", what, i, when), d)
			}
		}
	}
	list("result", want.Values, got.Values)
	list("argument", want.Buffers, got.Buffers)
}

// toleranceOf allows numbers of a type to be some units in the last place off.
func toleranceOf(t ir.Type) interp.Tolerance {
	elem := ir.ElementType(t)
	if c, ok := elem.(*ir.ComplexType); ok {
		elem = c.Elem
	}
	f, ok := elem.(*ir.FloatType)
	if !ok {
		return interp.Tolerance{}
	}
	unit := math.Ldexp(1, -f.Format.MantBits)
	return interp.Tolerance{Relative: ulps * unit, Absolute: ulps * unit * math.Ldexp(1, 1-f.Format.Bias)}
}
