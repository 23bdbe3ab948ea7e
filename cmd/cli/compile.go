package cli

import (
	"errors"
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
	"freehold/memory/footprint"
	"freehold/pass"
)

// compileOptions are the flags of compile.
type compileOptions struct {
	deallocation string
	arena        string
	stackBelow   int
	drop         bool
	arguments    string
	results      string
	keepOrder    bool
	memory       memoryLimit
	memories     memoryList
	json         bool
	quiet        bool
	output       string
	pipeline     string
	sizes        sizeFlags
	reading      reading
	run          bool
	noCheck      bool
	exec         runOptions // with run
	emit         emitOptions
}

func newCompileCommand(s invocation) *cobra.Command {
	var o compileOptions
	c := &cobra.Command{
		Use:   "compile [flags] FILE [ARGUMENT...]",
		Short: "Turn a program on tensors into one on buffers, every one freed",
		Long: `compile runs the recommended pipeline on a program. It puts operations into the
order that needs the least memory, if that is less than in the order in which
they are written; bufferizes across functions; frees buffers after their last
use; removes copies, and buffers into which data is only moved; and makes
buffers parts of one buffer, the arena, if that doesn't raise the peak. On
standard error it says what it made of the program, and what MLIR's own passes
would: buffer-deallocation-pipeline after one-shot-bufferize.

With --max-memory, a program that needs more than that is compiled in other
ways until it fits: operations are computed tile by tile, first without extra
work, and then some of them are computed twice, as few as possible and no more
than --extra-work allows. If nothing helps, the error says how much is needed at
least, where, and for what.

With --memory, given once for each memory, every buffer goes to one of them: to
the cheapest that has room, and among equally cheap ones to the first. The
buffer's type then has its memory space. Buffers that the program itself puts
into a memory space stay there, but what is read often is copied to a cheaper
memory if that pays. Each memory has an arena of its own. What is needed in it,
apart from arguments and constants, has to fit into its size, or the program is
refused: the error says which memory is too small, by how much, and what is
alive there.

Unless --no-check is given, it then proves that every buffer is freed exactly
once and not used afterwards, as the command check does, and that no two parts
of an arena overlap that are needed at the same time; and it verifies the proof,
as the command verify-certificate does. If there is a path on which that isn't
so, or the proof is wrong, nothing is written and the exit status is 1. What
can't be judged is a warning. If no function has a body, there is nothing to
compile (exit status 2).

With --run it also executes the program before and after, in checked memory and
on the same arguments. It compares, bit for bit, the results, the contents of
the buffers that are arguments, and what is printed. It does so a second time in
the memory that the first execution has left, since a program may keep something
in globals. Arguments are written as for the command run; those that are not
given are random. If anything differs, or the compiled program does anything
wrong (a leak, a use after free), nothing is written and the exit status is 1.

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
	f.StringVar(&o.deallocation, "deallocation", "best", "`how` frees are inserted: by ownership, as MLIR-HLO does (hlo), with copies where control flow meets (clone), or by that of these which needs the least memory (best)")
	f.StringVar(&o.arena, "arena", "alloc", "`where` the memory of arenas comes from: alloc, argument or global; or none")
	f.IntVar(&o.stackBelow, "stack-below", 0, "put buffers of known size of at most so many bytes on the stack")
	f.BoolVar(&o.drop, "drop-equivalent-results", false, "let functions return no arguments of theirs, of which they return copies else, such as caches that they write to")
	f.StringVar(&o.arguments, "arguments", string(compile.KeepArguments), argumentsUsage)
	f.StringVar(&o.results, "results", "return", "`where` results go: return them, or write them to buffers that callers pass as further arguments")
	c.MarkFlagsMutuallyExclusive("pass-pipeline", "drop-equivalent-results")
	c.MarkFlagsMutuallyExclusive("pass-pipeline", "arguments")
	c.MarkFlagsMutuallyExclusive("pass-pipeline", "results")
	f.BoolVar(&o.keepOrder, "keep-order", false, "leave operations in the order in which they are written, also where another one needs less memory")
	c.MarkFlagsMutuallyExclusive("pass-pipeline", "keep-order")
	o.memory.declare(c)
	f.Var(&o.memories, "memory", "one of several memories, as `NAME=SIZE,space=N`, with ,cost=N for each byte that is read or written, such as fast=256KiB,space=1,cost=1")
	c.MarkFlagsMutuallyExclusive("pass-pipeline", "memory")
	c.MarkFlagsMutuallyExclusive("pass-pipeline", "arena")
	c.MarkFlagsMutuallyExclusive("pass-pipeline", "stack-below")
	c.MarkFlagsMutuallyExclusive("pass-pipeline", "deallocation")
	o.sizes.declare(f)
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
	o.exec.native.declare(f, "with --run, execute the compiled program as C code as well, and compare")
	o.emit.declare(f)
	for _, flag := range []string{"entry", "max-steps", "native"} {
		needs(f, flag, "run")
	}
	return c
}

func runCompile(s invocation, o *compileOptions, path string, texts []string) error {
	c := compile.Compiler{Passes: o.pipeline}
	if o.pipeline == "" {
		way, err := deallocationOf(o.deallocation)
		if err != nil {
			return err
		}
		arena := compile.Arena(o.arena)
		if kinds := compile.Arenas(); !slices.Contains(kinds, arena) {
			return fmt.Errorf("--arena is %s, not %q", joined(kinds), o.arena)
		}
		arguments, err := argumentsOf(o.arguments)
		if err != nil {
			return err
		}
		results := compile.Results(o.results)
		if results != compile.ReturnedResults && results != compile.ResultArguments {
			return fmt.Errorf("--results is return or arguments, not %q", o.results)
		}
		if results == compile.ResultArguments && way != "" && way != compile.Ownership {
			return fmt.Errorf("--results arguments needs --deallocation ownership")
		}
		c.Options = compile.Options{Deallocation: way, Arena: arena, StackBelow: o.stackBelow, DropEquivalentResults: o.drop, Arguments: arguments, Results: results,
			KeepOrder: o.keepOrder}
		if err := o.memory.set(&c.Options); err != nil {
			return err
		}
		if err := o.memories.set(&c.Options); err != nil {
			return err
		}
		o.pipeline = c.Options.Pipeline()
	}
	if err := o.emit.check(o.output); err != nil {
		return err
	}
	if len(texts) > 0 && !o.run {
		return fmt.Errorf("compile takes one FILE; what follows, here %q, are arguments of the program, which need --run", texts[0])
	}
	if err := fileio.Check(o.output); err != nil {
		return err
	}
	in, err := readModule(s, path, o.reading)
	if err != nil {
		return err
	}
	in.warnOfIndex()
	m, err := in.session.Passes.ParsePipeline(o.pipeline)
	if err != nil {
		return err
	}
	names, err := o.sizes.names(in)
	if err != nil {
		return err
	}
	r, doc := in.reporter, in.doc
	compiled := hasBody(doc.Module)
	if !compiled && o.run && o.exec.entry == "" {
		return noBody(in.name, "execute")
	}
	r.AttachOps = !o.run
	p := newProgress(s.Err, len(m.Instances()))
	c.Sizes = names.in
	c.Registry, c.Unchecked, c.Unmeasured = in.session.Passes, o.noCheck, o.quiet
	c.Runner = &pass.Runner{LLVM: in.session.LLVM, Sink: r.Report, Annotate: r.attachAdvice, Text: func(b []byte) { s.Err.Write(b) }, Started: p.passProgress()}
	c.Again = func() (*ir.Op, error) {
		again, err := in.session.Parse(in.src, in.name)
		if err != nil {
			return nil, err
		}
		return again.Module, nil
	}
	if o.run {
		if _, err := interp.Entry(doc.Module, o.exec.entry); err != nil {
			return failure{statusNotUnderstood, withFlag(err)}
		}
		c.Execution = o.exec.execution(doc, texts)
	}
	var text []byte
	var unprinted error
	if o.writesText() {
		// While the program is proved: a fortieth of the time that Llama takes.
		c.Compiled = func(*ir.Op) { text, unprinted = in.session.Print(doc, asm.PrintOptions{AssumeVerified: true}) }
	}
	res, err := c.Compile(doc.Module)
	p.finish()
	if err != nil {
		return r.reportFailure(err)
	}
	if err := r.reportResult(s.Err, res); err != nil {
		return err
	}
	if o.run && o.exec.native.on {
		if err := compareNative(s, &o.exec, in, doc, res.Runs, c.Execution); err != nil {
			return err
		}
	}
	if !o.quiet && (compiled || o.json) {
		names.result(res)
		if err := printChange(s, o, res); err != nil {
			return err
		}
	}
	if o.run {
		if !o.quiet && !o.json {
			printRuns(s.Err, res.Runs)
		}
		leak := "no leak"
		if res.Runs.Left > 0 {
			leak = "no leak but those that are told above"
		}
		fmt.Fprintln(s.Err, terminal.StyleOf(s.Err).Good("same results, bit for bit")+"; "+leak+", and every access to memory was valid")
	}
	if unprinted != nil {
		return unprinted
	}
	if err := writeCompiled(s, o, in, text); err != nil || compiled {
		return err
	}
	return noBody(in.name, "compile") // what is declared may have other types now, and is written
}

// writesText tells whether the program that compile makes is written as text.
func (o *compileOptions) writesText() bool {
	return o.emit.language != "c" && (!o.json || o.output != "-")
}

// writeCompiled writes the program that compile has made of another one: text, or as C.
func writeCompiled(s invocation, o *compileOptions, in *input, text []byte) error {
	switch {
	case o.writesText():
		return fileio.Write(o.output, text, s.Out)
	case o.emit.language == "c":
		return emitC(s, in.reporter, in.doc, &o.emit, o.exec.options(in.doc), o.output)
	}
	return nil
}

// joined lists words, of which one is meant.
func joined[W ~string](words []W) string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = string(w)
	}
	last := len(out) - 1
	return strings.Join(out[:last], ", ") + " or " + out[last]
}

// reportFailure reports why a program isn't compiled, or couldn't be executed.
func (r *reporter) reportFailure(err error) error {
	var refused *compile.RefusedError
	var executed *compile.ExecutionError
	var unexecuted *compile.UnexecutedError
	var arguments *compile.ArgumentsError
	switch {
	case errors.As(err, &refused): // by the sink of the passes
	case errors.As(err, &unexecuted):
		r.ReportAll(withFlag(err))
		return statusOfRun(err)
	case errors.As(err, &arguments):
		r.ReportAll(withFlag(err))
		return exitStatus(statusNotUnderstood)
	case errors.As(err, &executed):
		r.reportFindings(executed.Findings, "before compilation, ")
	default:
		r.ReportAll(withFlag(err))
	}
	return exitStatus(1)
}

// reportResult reports what is wrong with a compiled program, and what couldn't be judged as warnings.
func (r *reporter) reportResult(w io.Writer, res *compile.Result) error {
	if runs := res.Runs; runs != nil {
		if err := r.reportRuns(w, runs); err != nil {
			return err
		}
	}
	if res.Check != nil {
		for _, f := range res.Findings() {
			r.Report(f.Diagnostic)
		}
		for _, f := range res.Left() {
			r.Report(warning(f.Diagnostic))
		}
		for _, d := range res.Check.Unjudged {
			r.Report(warning(d))
		}
		var d *ir.Diagnostic
		if res.Check.Safe() && errors.As(res.Uncertified, &d) {
			r.Report(warning(d))
		}
	}
	if res.Unverified != nil {
		r.ReportAll(res.Unverified)
	}
	for _, d := range res.Overlaps {
		r.Report(d)
	}
	if res.Wrong() {
		return exitStatus(1)
	}
	return nil
}

// reportRuns reports what the compiled program did wrong, or computed otherwise.
func (r *reporter) reportRuns(w io.Writer, runs *compile.Runs) error {
	after := runs.After
	if len(after.Findings) > 0 {
		r.reportFindings(after.Findings, "after compilation, ")
		return exitStatus(1)
	}
	for _, d := range runs.Differences {
		when := ""
		if d.Again {
			when = " of a second call"
		}
		if d.Effect != "" {
			fmt.Fprintf(w, "%s%s differs: %s\n", d.What, when, d.Effect)
			continue
		}
		fmt.Fprintf(w, "%s%s differs\n  before: %s\n  after:  %s\n", d.What, when, d.Before, d.After)
	}
	if len(runs.Differences) > 0 {
		return failure{statusWrong, fmt.Errorf("the compiled program computes something else")}
	}
	if runs.FailsAgain() {
		r.reportFindings(after.Again.Findings, "after compilation, in a second call, ")
		return exitStatus(1)
	}
	return nil
}

// execution says how to execute a document, with the arguments of the command line, and random ones for the others.
func (o *runOptions) execution(doc *asm.Document, texts []string) *compile.Execution {
	withRandom := *o
	withRandom.random = true
	return &compile.Execution{
		Entry: o.entry, Options: o.options(doc), Lower: compile.Executable,
		Arguments: func(fn *ir.Op) ([]interp.Value, error) { return runArguments(fn, &withRandom, texts) },
	}
}

// printRuns says what the runs did with memory. Programs on tensors have no buffers.
func printRuns(w io.Writer, runs *compile.Runs) {
	fmt.Fprintln(w, terminal.StyleOf(w).Heading("executed: "+nameOf(runs.After.Function)))
	fmt.Fprintln(w, terminal.StyleOf(w).Aside(fmt.Sprintf("%-13s %20s %20s", "", "before", "after")))
	b, a := runs.Before.Stats, runs.After.Stats
	count := func(what string, was, is int64) {
		changeRow(w, what, strconv.FormatInt(was, 10), strconv.FormatInt(is, 10), "")
	}
	size := func(what string, was, is int64) { changeRow(w, what, footprint.Bytes(was), footprint.Bytes(is), "") }
	if runs.Before.OnTensors {
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

// reportFindings reports what an execution found; when says which one it was.
func (r *reporter) reportFindings(findings []*exec.Finding, when string) {
	for _, f := range findings {
		d := *withFlag(f).(*ir.Diagnostic)
		d.Message = when + d.Message
		r.Report(&d)
	}
}
