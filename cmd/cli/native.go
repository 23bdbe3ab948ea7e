package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/pflag"

	"freehold/compile"
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
	needs(f, "sanitize", "native")
	needs(f, "cc", "native")
}

// options say how to execute a function of a document.
func (o *runOptions) nativeOptions(doc *asm.Document) native.Options {
	contents := o.options(doc)
	return native.Options{Compiler: o.native.compiler, Sanitize: o.native.sanitize, Emit: emitc.Options{Contents: contents.Contents}}
}

// runNative executes a function as C code and prints what run prints, but for what only checked memory knows.
func runNative(s invocation, o *runOptions, in *input, module, fn *ir.Op, args []interp.Value) error {
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
func compareNative(s invocation, o *runOptions, in *input, doc *asm.Document, runs *compile.Runs, x *compile.Execution) error {
	after := runs.After
	args, err := x.Arguments(after.Function)
	if err != nil {
		return err
	}
	ctx, stop := interruptible(context.Background())
	defer stop()
	options := o.nativeOptions(doc)
	options.Twice, options.Restore = after.Again != nil, after.Overwritable
	// What leaks, as was told, can't be told natively from other leaks.
	options.Leaks = o.native.sanitize && runs.Left == 0
	res, err := native.Run(ctx, doc.Module, after.Function, args, options)
	if err != nil {
		return nativeFailure(in.reporter, err)
	}
	if what, d := native.Difference(after.Result, res); d != "" {
		fmt.Fprintf(s.Err, "%s differs natively: %s\n", what, d)
		return failure{statusWrong, fmt.Errorf("the native program computes something else")}
	}
	style := terminal.StyleOf(s.Err)
	if !native.Exact(after.Result, res) {
		fmt.Fprintf(s.Err, "%s: functions such as exp are those of the C library\n", style.Good(fmt.Sprintf("natively the same results within %d units in the last place", native.ULPs)))
		return nil
	}
	fmt.Fprintln(s.Err, style.Good("natively the same results, bit for bit"))
	return nil
}
