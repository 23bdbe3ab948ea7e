package cli

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"freehold/compile"
	"freehold/exec"
	"freehold/exec/interp"
	"freehold/internal/fileio"
	"freehold/internal/terminal"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/interfaces"
	"freehold/memory/footprint"
	"freehold/pass"
	"freehold/proof/check"
	"freehold/proof/verify"
)

// compileOptions are the flags of compile.
type compileOptions struct {
	deallocation string
	arena        string
	stackBelow   int
	drop         bool
	arguments    string
	results      string
	json         bool
	quiet        bool
	output       string
	pipeline     string
	reading      reading
	run          bool
	noCheck      bool
	exec         runOptions // with run
}

func newCompileCommand(s Streams) *cobra.Command {
	var o compileOptions
	c := &cobra.Command{
		Use:   "compile [flags] FILE [ARGUMENT...]",
		Short: "Turn a program on tensors into one on buffers, every one freed",
		Long: `compile runs the recommended pipeline on a program: bufferization across
function boundaries, then the insertion of frees after last uses, then the
removal of copies and of buffers into which data is only moved, and then buffers
of known sizes become parts of one buffer, the arena, where that makes the peak
no larger. On standard error it says what that changed: of a program on tensors,
each tensor counts as an allocation.

Unless told not to, it then proves that every buffer is freed exactly once and
not used afterwards, as the command check does, and verifies the proof, as the
command verify-certificate does; and that no two parts of an arena overlap that
are needed at the same time. If a path is found on which that isn't so, or the
proof is wrong, nothing is written and the exit status is 1; what can't be
judged is a warning.

With --run it also executes the program before and after, in checked memory and
on the same arguments, and compares the results, what buffers among the
arguments hold, and what is printed, bit for bit; and then once more, in the
memory that the first execution has left, for what a program keeps in globals.
Arguments are written as for the command run; those that are not given are
random. If anything differs, or the compiled program does anything wrong (a
leak, a use after free), nothing is written and the exit status is 1.

The recommended pipeline is

  ` + strings.NewReplacer(" ", "\n    ", ",", ",\n    ").Replace(compile.Options{}.Pipeline()),
		Example: `  freehold compile model.mlir -o buffers.mlir
  freehold compile --run --entry forward --seed 7 model.mlir random:3x4`,
		Args: takes(1, true, "a FILE"),
		RunE: func(_ *cobra.Command, args []string) error { return runCompile(s, &o, args[0], args[1:]) },
	}
	f := c.Flags()
	f.StringVarP(&o.output, "output", "o", "-", "write the program to this `file`; - is standard output")
	f.StringVar(&o.pipeline, "pass-pipeline", "", "run these `passes` instead of the recommended ones")
	f.StringVar(&o.deallocation, "deallocation", "ownership", "`how` frees are inserted: by ownership, as MLIR-HLO does (hlo), or with copies where control flow meets (clone)")
	f.StringVar(&o.arena, "arena", "alloc", "`where` the memory of arenas comes from: alloc, argument or global; or none")
	f.IntVar(&o.stackBelow, "stack-below", 0, "put buffers of known size of at most so many bytes on the stack")
	f.BoolVar(&o.drop, "drop-equivalent-results", false, "let functions return no arguments of theirs, of which they return copies else, such as caches that they write to")
	f.StringVar(&o.arguments, "arguments", "overwrite", "`what` functions that others may call do with tensors that they are given, unless the program says it: overwrite them where that spares memory, or keep them")
	f.StringVar(&o.results, "results", "return", "`where` results go: return them, or write them to buffers that callers pass as further arguments")
	c.MarkFlagsMutuallyExclusive("pass-pipeline", "drop-equivalent-results")
	c.MarkFlagsMutuallyExclusive("pass-pipeline", "arguments")
	c.MarkFlagsMutuallyExclusive("pass-pipeline", "results")
	c.MarkFlagsMutuallyExclusive("pass-pipeline", "arena")
	c.MarkFlagsMutuallyExclusive("pass-pipeline", "stack-below")
	c.MarkFlagsMutuallyExclusive("pass-pipeline", "deallocation")
	o.reading.declare(f)
	f.BoolVar(&o.run, "run", false, "execute the program before and after, and compare")
	c.MarkFlagsMutuallyExclusive("run", "drop-equivalent-results")
	c.MarkFlagsMutuallyExclusive("run", "results")
	f.BoolVar(&o.json, "json", false, "print what changed as JSON; the program is written with -o only")
	f.BoolVar(&o.quiet, "quiet", false, "don't print what changed")
	f.BoolVar(&o.noCheck, "no-check", false, "don't prove that memory is handled right")
	f.StringVar(&o.exec.entry, "entry", "", "the `function` to execute; not needed if there is only one, or one called main")
	f.Uint64Var(&o.exec.seed, "seed", 1, "seed of random arguments")
	f.Int64Var(&o.exec.maxSteps, "max-steps", 0, "stop an execution after so many operations; 0 is no limit")
	addExecutionFlags(f, &o.exec)
	return c
}

func runCompile(s Streams, o *compileOptions, path string, texts []string) error {
	recommended := o.pipeline == ""
	if recommended {
		way := compile.Deallocation(o.deallocation)
		if !slices.Contains(compile.Deallocations(), way) || way == compile.MLIR {
			return fmt.Errorf("--deallocation is ownership, hlo or clone, not %q", o.deallocation)
		}
		arena := compile.Arena(o.arena)
		if kinds := compile.Arenas(); !slices.Contains(kinds, arena) {
			return fmt.Errorf("--arena is %s, not %q", joined(kinds), o.arena)
		}
		arguments, results := compile.Arguments(o.arguments), compile.Results(o.results)
		if arguments != compile.KeepArguments && arguments != compile.OverwriteArguments {
			return fmt.Errorf("--arguments is keep or overwrite, not %q", o.arguments)
		}
		if results != compile.ReturnedResults && results != compile.ResultArguments {
			return fmt.Errorf("--results is return or arguments, not %q", o.results)
		}
		if results == compile.ResultArguments && way != compile.Ownership {
			return fmt.Errorf("--results arguments needs --deallocation ownership")
		}
		o.pipeline = compile.Options{Deallocation: way, Arena: arena, StackBelow: o.stackBelow, DropEquivalentResults: o.drop, Arguments: arguments, Results: results}.Pipeline()
	}
	if len(texts) > 0 && !o.run {
		return fmt.Errorf("arguments of the program make sense only with --run")
	}
	if err := fileio.Check(o.output); err != nil {
		return err
	}
	in, err := readModule(s, path, o.reading)
	if err != nil {
		return err
	}
	m, err := in.session.Passes.ParsePipeline(o.pipeline)
	if err != nil {
		return err
	}
	r, doc := in.reporter, in.doc
	if !hasBody(doc.Module) {
		fmt.Fprintf(s.Err, "%s: no function has a body: there is nothing to compile\n", in.name)
	}
	r.AttachOps = !o.run
	var before *execution
	var may map[string][]bool
	if o.run {
		may = overwritable(doc.Module)
		if before, err = execute(doc, &o.exec, texts, may); err != nil {
			r.ReportAll(withFlag(err))
			return exitStatus(1)
		}
		if before.result.Findings = withoutLeaks(before.result.Findings); len(before.result.Findings) > 0 {
			r.reportFindings(before.result, "before compilation, ")
			return exitStatus(1)
		}
	}
	var sum footprint.Summary
	var values map[string][]bool
	if !o.quiet {
		values = tensorArguments(doc.Module)
		sum = check.Footprint(doc.Module, 0).Summarize()
	}
	p := newProgress(s.Err, len(m.Instances()))
	tensors := hasTensors(doc.Module) != nil
	run := &pass.Runner{VerifyEach: true, LLVM: in.session.LLVM, Sink: r.Report, Annotate: r.attachAdvice,
		Text: func(b []byte) { s.Err.Write(b) }, Started: p.passProgress()}
	err = run.Run(m, doc.Module)
	p.finish()
	if err != nil {
		return exitStatus(1)
	}
	if left := hasTensors(doc.Module); tensors && left != nil && recommended {
		r.Report(left.Errorf("is left as one on tensors: bufferization doesn't know how to make a buffer of it").
			WithNote(left.Loc(), "it helps to put it in terms of buffers, or of other operations, before"))
		return exitStatus(1)
	}
	var after *execution
	if o.run {
		if after, err = execute(doc, &o.exec, texts, may); err != nil {
			r.ReportAll(withFlag(err))
			return exitStatus(1)
		}
		if err := compareRuns(s.Err, r, before, after, may); err != nil {
			return err
		}
	}
	arenas := footprint.Arenas(doc.Module)
	if !o.noCheck {
		if err := prove(r, doc.Module); err != nil {
			return err
		}
		if err := checkArenas(r, arenas); err != nil {
			return err
		}
	}
	if !o.quiet {
		lost := findOverwritten(doc.Module, values)
		if err := printChange(s, o, sum, footprint.Analyze(doc.Module).Summarize().WithArenas(arenas), lost); err != nil {
			return err
		}
		if n, size := copiedArguments(doc.Module); n > 0 && !o.json {
			fmt.Fprintf(s.Err, "%s, %s;\n--drop-equivalent-results leaves such results out\n", counted(n, "result is a copy of an argument", "results are copies of arguments"), size)
		}
		if !o.json {
			printOverwritten(s.Err, lost)
		}
	}
	if o.run {
		if !o.quiet && !o.json {
			printRuns(s.Err, before, after)
		}
		fmt.Fprintln(s.Err, terminal.StyleOf(s.Err).Good("same results, bit for bit")+"; no leak, and every access to memory was valid")
	}
	if o.json && o.output == "-" {
		return nil
	}
	text, err := in.session.Print(doc, asm.PrintOptions{AssumeVerified: true})
	if err != nil {
		return err
	}
	return fileio.Write(o.output, text, s.Out)
}

// hasTensors returns an operation in a function that has tensors; nil if there is none.
func hasTensors(module *ir.Op) (found *ir.Op) {
	module.Walk(func(op *ir.Op) bool {
		if found == nil && op.Parent() != nil && interfaces.HasTensorTypes(op) {
			found = op
		}
		return found == nil
	})
	return found
}

// joined lists words.
func joined[W ~string](words []W) string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = string(w)
	}
	return strings.Join(out, ", ")
}

// prove checks a compiled program, and verifies the proof if there is one. What isn't judged, or
// can't be certified, is a warning.
func prove(r *reporter, module *ir.Op) error {
	rep, proof, err := check.Certify(module, check.Options{})
	if r.reportCheck(rep); len(rep.Findings) > 0 {
		return exitStatus(1)
	}
	switch d, ok := err.(*ir.Diagnostic); {
	case !rep.Safe():
	case err == nil:
		if err = verify.Program(module, proof, 0); err != nil {
			r.ReportAll(err)
			return exitStatus(1)
		}
	case ok:
		shown := *d
		shown.Severity, shown.Op = ir.Warning, nil
		r.Report(&shown)
	}
	return nil
}

// execution is one run of a function.
type execution struct {
	fn     *ir.Op
	result *interp.Result
	// tensors tells that the function is one on tensors.
	tensors bool
}

// execute runs the entry function of a module.
func execute(doc *asm.Document, o *runOptions, texts []string, may map[string][]bool) (*execution, error) {
	module, err := executable(doc.Module)
	if err != nil {
		return nil, err
	}
	fn, err := interp.Entry(module, o.entry)
	if err != nil {
		return nil, err
	}
	withRandom := *o
	withRandom.random = true
	args, err := runArguments(fn, &withRandom, texts)
	if err != nil {
		return nil, err
	}
	tensors := false
	fn.Walk(func(op *ir.Op) bool {
		tensors = tensors || interfaces.HasTensorTypes(op)
		return !tensors
	})
	options := o.options(doc)
	name, _ := ir.SymbolName(fn)
	options.Twice, options.Restore = true, may[name]
	res, err := interp.Run(module, fn, args, options)
	return &execution{fn, res, tensors}, err
}

// printRuns says what the runs did with memory. Programs on tensors have no buffers.
func printRuns(w io.Writer, before, after *execution) {
	fmt.Fprintln(w, terminal.StyleOf(w).Heading("executed: "+nameOf(after.fn)))
	b, a := before.result.Stats, after.result.Stats
	count := func(what string, was, is int64) {
		changeRow(w, what, strconv.FormatInt(was, 10), strconv.FormatInt(is, 10), "")
	}
	size := func(what string, was, is int64) { changeRow(w, what, footprint.Bytes(was), footprint.Bytes(is), "") }
	if before.tensors {
		count = func(what string, _, is int64) { changeRow(w, what, "-", strconv.FormatInt(is, 10), "") }
		size = func(what string, _, is int64) { changeRow(w, what, "-", footprint.Bytes(is), "") }
	}
	count("allocations", b.Allocations, a.Allocations)
	count("frees", b.Frees, a.Frees)
	count("copies", b.Copies, a.Copies)
	size("bytes copied", b.BytesCopied, a.BytesCopied)
	size("peak", b.PeakBytes, a.PeakBytes)
	changeRow(w, "steps", strconv.FormatInt(b.Steps, 10), strconv.FormatInt(a.Steps, 10), "")
}

// withoutLeaks returns the findings that are not leaks: a program needs no frees
// before compilation.
func withoutLeaks(findings []*exec.Finding) []*exec.Finding {
	return slices.DeleteFunc(findings, func(f *exec.Finding) bool { return f.Kind == exec.Leak })
}

// reportFindings reports what an execution found; when says which one it was.
func (r *reporter) reportFindings(res *interp.Result, when string) {
	for _, f := range res.Findings {
		d := *withFlag(f).(*ir.Diagnostic)
		d.Message = when + d.Message
		r.Report(&d)
	}
}
