package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"freehold/compile"
	"freehold/exec/difftest"
	"freehold/exec/interp"
	"freehold/exec/native"
	"freehold/internal/printable"
	"freehold/ir"
	"freehold/pass"
)

// difftestOptions are the flags of difftest.
type difftestOptions struct {
	pipeline  string
	entry     string
	leaks     string
	json      bool
	reading   reading
	constants bool
	native    nativeOptions
	library   difftest.Options
}

// insertsFrees is the pass after which all memory must be freed.
const insertsFrees = "ownership-based-buffer-deallocation"

func newDifftestCommand(s invocation) *cobra.Command {
	var o difftestOptions
	c := &cobra.Command{
		Use:   "difftest [flags] FILE",
		Short: "Check that a pipeline doesn't change what a program computes",
		Long: `difftest executes each function of a program before and after a pipeline, in
checked memory, on inputs that it makes up, and compares results, the contents
of the buffers that are passed in, and side effects in their order: calls of
functions that are only declared, and what is printed. Functions that are only
declared, and operations of unknown dialects, return made-up values, the same
ones before and after. What has operations of stablehlo or tosa, or quantized
numbers, is lowered to be executed.

A function may be undefined for an input before the pipeline, for example where
it accesses an element that doesn't exist; such inputs are left out. Functions
that can't be executed are listed with the reason. The exit status is 1 if
anything differs, or if the program does anything wrong after the pipeline: a
use after free, a double free, a leak, a use of poison. It is 2 if the pipeline
fails, or if no function could be compared, and 3 if the program, the pipeline
or the command line can't be read.

The pipeline is written as for opt's --pass-pipeline, or as opt's flags for
passes.`,
		Example: `  freehold difftest model.mlir
  freehold difftest model.mlir --pipeline 'builtin.module(func.func(cse))'
  freehold difftest model.mlir --pipeline '--canonicalize --cse' --inputs 20`,
		Args: takes(1, false, "a FILE"),
		RunE: func(_ *cobra.Command, args []string) error { return runDifftest(s, &o, args[0]) },
	}
	f := c.Flags()
	f.StringVar(&o.pipeline, "pipeline", compile.Options{}.Pipeline(), "the `passes`; by default those of compile")
	f.Lookup("pipeline").DefValue = "" // the help text of compile shows it
	f.StringVar(&o.entry, "entry", "", "compare only this `function`")
	f.IntVar(&o.library.Inputs, "inputs", 8, "number of inputs for each function")
	f.Uint64Var(&o.library.Seed, "seed", 1, "seed of the inputs")
	f.Float64Var(&o.library.Tolerance.Relative, "relative", 0, "relative difference that is allowed between floating-point numbers")
	f.Float64Var(&o.library.Tolerance.Absolute, "absolute", 0, "absolute difference that is allowed between floating-point numbers")
	f.Int64Var(&o.library.MaxSteps, "max-steps", 0, "stop an execution after so many operations; 0 is 50 million")
	f.Int64Var(&o.library.MaxBytes, "max-bytes", 0, "limit of the memory in use, tensors and arguments too; 0 is 1 GiB")
	f.BoolVar(&o.constants, randomConstants, false, "make up random contents for constants without contents, such as dense_resource<__elided__>")
	f.StringVar(&o.leaks, "leaks", "auto", "`whether` memory that is never freed is a finding: yes, no, or auto, which is yes if "+insertsFrees+" runs")
	f.BoolVar(&o.json, "json", false, "print the report as JSON")
	o.native.declare(f, "execute what the pipeline makes of the functions as C code, too, on some of the inputs, and compare that as well")
	o.reading.declare(f)
	return c
}

func runDifftest(s invocation, o *difftestOptions, path string) error {
	if !slices.Contains([]string{"auto", "yes", "no"}, o.leaks) {
		return fmt.Errorf("--leaks is yes, no or auto, not %q", o.leaks)
	}
	if o.library.Inputs < 1 {
		return fmt.Errorf("--inputs must be positive")
	}
	if o.native.on {
		o.library.Native = &native.Options{Compiler: o.native.compiler, Sanitize: o.native.sanitize}
	}
	in, err := readModule(s, path, o.reading)
	if err != nil {
		return err
	}
	in.warnOfIndex()
	before := in.module
	o.library.Resources = interp.Resources(in.doc)
	if o.constants {
		o.library.Elided = &o.library.Seed
	}
	m, err := parseAnyPipeline(in.session.Passes, o.pipeline, before.Name())
	if err != nil {
		return err
	}
	o.library.Leaks = o.leaks == "yes" || o.leaks == "auto" && slices.ContainsFunc(m.Instances(), func(i *pass.Instance) bool {
		return i.Pass.Name == insertsFrees
	})
	if o.entry != "" {
		o.library.Only = []string{o.entry}
	}
	after := ir.CloneDetached(before)
	run := &pass.Runner{VerifyEach: true, LLVM: in.session.LLVM, Sink: in.Report}
	if err := run.Run(m, after); err != nil {
		return exitStatus(statusNotJudged)
	}
	ctx, stop := interruptible(context.Background())
	defer stop()
	o.library.Interrupt = ctx.Done()
	report := difftest.Run(executable(before), executable(after), o.library)
	if o.entry != "" && len(report.Functions) == 0 && !report.Interrupted {
		return noFunction(in.name, before, o.entry)
	}
	if o.json {
		err = printDifftestJSON(s, report)
	} else {
		printDifftest(s, in.reporter, report)
	}
	switch {
	case err != nil:
		return err
	case report.Interrupted:
		fmt.Fprintln(s.Err, "interrupted; what was compared so far is reported")
		return exitStatus(statusInterrupted)
	case report.Mismatches+report.Findings > 0:
		return exitStatus(statusWrong)
	case report.Executed == 0:
		return nothing("%s: no function could be executed: nothing was compared", in.name)
	}
	return nil
}

// executable returns a module with operations that can be executed, as the command run executes it. What can't be lowered stays, and is
// left out with its reason where it is compared.
func executable(module *ir.Op) *ir.Op {
	lowered, err := compile.Executable(module)
	if err != nil {
		return module
	}
	return lowered
}

// parseAnyPipeline reads a textual pipeline, or a list of flags of passes such as
// "--canonicalize --cse".
func parseAnyPipeline(reg *pass.Registry, text, anchor string) (*pass.OpPassManager, error) {
	if !strings.HasPrefix(strings.TrimSpace(text), "-") {
		return reg.ParsePipeline(text)
	}
	m := pass.NewManager(anchor)
	for _, f := range splitFlags(text) {
		name, options, _ := strings.Cut(strings.TrimLeft(f, "-"), "=")
		if !reg.Has(name) {
			return nil, fmt.Errorf("%s is not the flag of a pass; did you mean --%s?", f, reg.Suggest(name))
		}
		if err := reg.AddFlag(m, name, options); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// splitFlags splits at spaces that are not inside quotes, which it removes.
func splitFlags(text string) []string {
	var out []string
	var b strings.Builder
	quote := rune(0)
	for _, r := range text + " " {
		switch {
		case r == quote:
			quote = 0
		case quote == 0 && (r == '"' || r == '\''):
			quote = r
		case quote == 0 && r == ' ':
			if b.Len() > 0 {
				out = append(out, b.String())
			}
			b.Reset()
		default:
			b.WriteRune(r)
		}
	}
	return out
}

func printDifftest(s invocation, r *reporter, report *difftest.Report) {
	for _, fn := range report.Functions {
		if fn.Skipped != nil {
			fmt.Fprintf(s.Out, "%s is skipped: %s\n", shownName(fn.Name), printable.Text(skipText(withFlag(fn.Skipped))))
			continue
		}
		fmt.Fprintf(s.Out, "%s is compared on %s", shownName(fn.Name), counted(fn.Inputs, "input", "inputs"))
		if fn.Undefined > 0 {
			fmt.Fprintf(s.Out, ", undefined for %d", fn.Undefined)
		}
		if fn.Native > 0 {
			fmt.Fprintf(s.Out, ", on %d natively", fn.Native)
		} else if fn.NotNative != nil {
			fmt.Fprintf(s.Out, ", not natively: %s", printable.Text(skipText(fn.NotNative)))
		}
		if n := len(fn.Mismatches); n > 0 {
			fmt.Fprintf(s.Out, ", %s", counted(n, "mismatch", "mismatches"))
		}
		if n := len(fn.Findings); n > 0 {
			fmt.Fprintf(s.Out, ", %s", counted(n, "finding", "findings"))
		}
		fmt.Fprintln(s.Out)
		for _, x := range fn.Mismatches {
			r.Report(ir.Errorf(x.Loc, "@%s, input %d: %s differs: %s", fn.Name, x.Input, x.What, x.Difference))
		}
		for _, x := range fn.Findings {
			d := *x.Diagnostic
			d.Message = fmt.Sprintf("@%s, input %d: %s", fn.Name, x.Input, d.Message)
			r.Report(&d)
		}
	}
	fmt.Fprintf(s.Out, "%s, %d executed, %d skipped, %s, %s\n", counted(len(report.Functions), "function", "functions"),
		report.Executed, report.Skipped, counted(report.Mismatches, "mismatch", "mismatches"), counted(report.Findings, "finding", "findings"))
}

// skipText returns the message of an error, with the place that it is about.
func skipText(err error) string {
	var d *ir.Diagnostic
	if errors.As(err, &d) {
		if p, ok := ir.SourcePos(d.Loc); ok {
			return fmt.Sprintf("%s (line %d)", err.Error(), p.Line)
		}
	}
	return err.Error()
}

// jsonDifftest is the JSON report.
type jsonDifftest struct {
	Functions  int                `json:"functions"`
	Executed   int                `json:"executed"`
	Skipped    int                `json:"skipped"`
	Mismatches int                `json:"mismatches"`
	Findings   int                `json:"findings"`
	List       []jsonDifftestItem `json:"list"`
}

// jsonDifftestItem is a function that was skipped, a mismatch, or a finding.
type jsonDifftestItem struct {
	Function string `json:"function"`
	What     string `json:"what"`
	Input    *int   `json:"input,omitempty"`
	jsonFinding
}

func printDifftestJSON(s invocation, report *difftest.Report) error {
	out := jsonDifftest{len(report.Functions), report.Executed, report.Skipped, report.Mismatches, report.Findings, []jsonDifftestItem{}}
	add := func(fn, what string, input *int, f jsonFinding) {
		out.List = append(out.List, jsonDifftestItem{fn, what, input, f})
	}
	for _, fn := range report.Functions {
		if fn.Skipped != nil {
			d := ir.Errorf(fn.Loc, "%s", fn.Skipped.Error())
			var at *ir.Diagnostic
			if errors.As(fn.Skipped, &at) {
				d.Loc = at.Loc
			}
			f := diagnosticJSON(d)
			f.Kind = ""
			add(fn.Name, "skipped", nil, f)
		}
		for _, x := range fn.Mismatches {
			f := diagnosticJSON(ir.Errorf(x.Loc, "%s differs: %s", x.What, x.Difference))
			f.Kind = x.What
			add(fn.Name, "mismatch", &x.Input, f)
		}
		for _, x := range fn.Findings {
			add(fn.Name, "finding", &x.Input, findingJSON(x.Finding))
		}
	}
	e := json.NewEncoder(s.Out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(out)
}
