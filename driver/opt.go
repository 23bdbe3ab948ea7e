package driver

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"

	"strings"
	"time"

	"freehold/dialect/vhlo"
	"freehold/exec/interp"
	"freehold/internal/fileio"
	"freehold/internal/heapgoal"
	"freehold/internal/printable"
	"freehold/internal/terminal"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/bytecode"
	"freehold/pass"
	"freehold/transform/emit/emitc"
)

// Main is a drop-in for mlir-opt with the dialects and passes of a tool: it runs the
// command line, without the program's name, and returns the exit status.
func Main(t *Tool, args []string, s Streams) int {
	reg := t.Registry()
	flags := optFlags(reg)
	o := defaultOptOptions()
	if problems := parseFlags(t.Name, args, flags, reg, o); problems != nil {
		for _, p := range problems {
			fmt.Fprintln(s.Err, printable.Text(fmt.Sprint(p)))
		}
		return 1
	}
	given, err := o.givenVersion()
	if err != nil {
		fmt.Fprintln(s.Err, printable.Text(t.Name+": "+err.Error()))
		return 1
	}
	if tell := o.told(t, given, flags, reg); tell != nil {
		err := fileio.Stream("-", func(w io.Writer) error { tell(w); return nil }, s.Out)
		if err != nil {
			fmt.Fprintln(s.Err, printable.Text(err.Error()))
			return 1
		}
		return 0
	}
	if o.color != "" {
		s.Err = &terminal.Stream{Writer: s.Err, When: &o.color}
	}
	d := &optDriver{tool: t, optOptions: o, given: given, reg: reg, Reporter: Reporter{Err: s.Err, AttachOps: o.opOnDiagnostic && !o.verifyDiags}}
	d.take(given)
	if o.timing {
		d.timer = pass.NewTimer()
	}
	start := time.Now()
	status := d.run(s)
	if d.timer != nil {
		format := pass.TimingTable
		if o.timingFormat == "json" {
			format = pass.TimingJSON
		}
		io.WriteString(s.Err, d.timer.Report(time.Since(start), o.timingDisplay == "tree", format))
	}
	return status
}

// told returns what writes the text that the options ask for instead of a run, or nil.
func (o *optOptions) told(t *Tool, given Choice, flags map[string]*flag, reg *pass.Registry) func(w io.Writer) {
	switch {
	case o.help:
		return func(w io.Writer) { printOptHelp(w, t, flags, reg) }
	case o.version:
		return func(w io.Writer) { io.WriteString(w, t.Version+given.Sentence()) }
	case o.listPasses:
		return func(w io.Writer) { printPassList(w, reg) }
	case o.showDialects:
		return func(w io.Writer) { fmt.Fprintf(w, "Available Dialects: %s\n", strings.Join(t.dialectNames(), ",")) }
	}
	return nil
}

// optDriver is one run of opt.
type optDriver struct {
	// tool is the one for the version of LLVM of the piece at work, and given what the command line or the environment chooses.
	tool  *Tool
	given Choice
	*optOptions
	reg *pass.Registry
	Reporter
	timer *pass.Timer
	// contexts has the first context, which is made while the input is read.
	contexts chan *ir.Context
}

// newContext returns a context for one piece of the input.
func (d *optDriver) newContext(t *Tool) *ir.Context {
	c := <-d.contexts
	if c == nil || c.LLVM() != t.LLVM {
		c = t.NewContext()
	}
	c.AllowUnregistered = d.allowUnreg
	return c
}

// take makes what follows work as a version of LLVM does.
func (d *optDriver) take(c Choice) {
	d.llvm = cmp.Or(c.LLVM, ir.DefinedBy)
	d.tool = d.tool.For(d.llvm)
	d.reg.LLVM = d.llvm
	d.Shown = d.printOptions()
}

// run does everything from reading the input to writing the output.
func (d *optDriver) run(s Streams) int {
	fail := func(err error) int {
		fmt.Fprintln(d.Err, printable.Text(err.Error()))
		return 1
	}
	heapgoal.Wait()
	d.contexts = make(chan *ir.Context, 1)
	go func(t *Tool) {
		d.contexts <- t.NewContext()
		close(d.contexts)
	}(d.tool)
	src, name, err := fileio.Read(d.input, s.In, func(size int) { heapgoal.Set(size, d.hasPipeline || len(d.passes) > 0) })
	if err != nil {
		return fail(err)
	}
	if err := fileio.Check(d.output); err != nil {
		return fail(err)
	}
	if d.hasPipeline && len(d.passes) > 0 {
		d.Report(&ir.Diagnostic{Loc: ir.Unknown, Message: "'-pass-pipeline' option can't be used with individual pass options"})
		return 1
	}
	if d.moduleScope && !d.disableThreads {
		d.Report(&ir.Diagnostic{Loc: ir.Unknown, Message: "IR print for module scope can't be setup on a pass-manager without disabling multi-threading first.\n"})
		return 1
	}
	d.Start(src, name)
	if d.given.LLVM == 0 {
		if d.given, err = CommentedLLVM(src, name); err != nil {
			d.ReportAll(err)
			return 1
		}
	}
	pieces, warnings := splitInput(src, name, d.splitMarker, d.given.LLVM)
	for _, w := range warnings {
		d.Show(w)
	}
	var texts bytes.Buffer
	write := func(w io.Writer) error {
		_, err := texts.WriteTo(w)
		return err
	}
	var unprinted error
	ok := true
	for i, p := range pieces {
		doc, good := d.process(p.placed())
		ok = ok && good
		if len(pieces) == 1 {
			// The text is made while it is written.
			write = func(w io.Writer) error {
				unprinted = d.print(w, doc)
				return unprinted
			}
			break
		}
		if i > 0 {
			texts.WriteString(d.outputMarker)
			texts.WriteByte('\n')
		}
		d.timer.Measure("Output", func() { ok = d.print(&texts, doc) == nil && ok })
	}
	if !ok && d.output != "-" {
		// A file is written whole or not at all. Otherwise programs are shown that could
		// be transformed, though others could not, or diagnostics are not as expected.
		return 1
	}
	d.timer.Measure("Output", func() { err = fileio.Stream(d.output, write, s.Out) })
	var crash *ir.CrashError
	if errors.As(unprinted, &crash) {
		return 1 // as was reported
	}
	if err != nil {
		return fail(err)
	}
	if !ok {
		return 1
	}
	return 0
}

// process runs the passes on one piece of the input. It returns the result, or nil
// if there is none, and whether all went well.
func (d *optDriver) process(p piece) (*result, bool) {
	d.Start(p.src, p.name)
	d.expect = nil
	if d.verifyDiags {
		d.expect = parseExpectations(p, d.Show)
	}
	r, ok := d.transform(p)
	if d.expect != nil {
		ok = d.expect.finish(d.Show)
	}
	return r, ok
}

// pipelineMessage returns an error of the pipeline as mlir-opt words it, line breaks
// included. What mlir-opt writes without making it a part of the message, it writes.
func (d *optDriver) pipelineMessage(err error) string {
	switch e := err.(type) {
	case *pass.ValueError:
		fmt.Fprintf(d.Err, "%s: %v\n", d.tool.Name, e)
		return ""
	case *pass.ManagerError:
		io.WriteString(d.Err, d.pipelineMessage(e.Err))
		return ""
	case *pass.PipelineError, *pass.UnknownOptionError:
		return err.Error() + "\n"
	case *pass.AddError:
		why := d.pipelineMessage(e.Err)
		if !e.Inner {
			why += "\n"
		}
		return why + e.Summary() + "\n"
	}
	return err.Error()
}

// result is a program that is ready to be printed, after some text. verified says
// that the verifier has accepted it as it is.
type result struct {
	*asm.Document
	before   []byte
	verified bool
	// c is the program in C, if it is to be written so.
	c *emitc.Unit
}

// transform parses a piece and runs the pipeline.
func (d *optDriver) transform(p piece) (*result, bool) {
	var doc *asm.Document
	var c Choice
	var err error
	d.take(Choice{})
	d.timer.Measure("Parser", func() { doc, c, err = d.tool.read(p, d.given, d.parseOptions(), d.newContext) })
	d.take(c)
	if d.verbose {
		d.Show(c.Note())
	}
	if err != nil {
		d.ReportAll(err)
		d.crashed(err, p.src)
		return nil, false
	}
	module := doc.Module
	if d.verifyRoundtrip && !d.roundtrip(doc) {
		return nil, false
	}
	verifyEach := d.verifyEach
	m, err := d.manager(module)
	if d.runReproducer && err == nil {
		m, verifyEach, err = d.reproduced(doc, m)
	}
	if err != nil {
		d.Report(&ir.Diagnostic{Loc: ir.Unknown, Message: d.pipelineMessage(err)})
		if meant := pass.MeantBy(err); meant != "" {
			fmt.Fprintf(d.Err, "%s: Did you mean '%s'?\n", d.tool.Name, meant)
		}
		return nil, false
	}
	if d.dumpPipeline {
		fmt.Fprintf(d.Err, "Pass Manager with %d passes:\n%s\n\n", m.Len(), m)
	}
	var repro bytes.Buffer // what goes to standard output, before the program
	if d.generateRepro != "" {
		text := reproducerText(doc, m.String(), d.disableThreads, verifyEach)
		if err := fileio.Write(d.generateRepro, text, &repro); err != nil {
			fmt.Fprintln(d.Err, printable.Text(err.Error()))
			return nil, false
		}
	}
	r := d.runner(doc, verifyEach)
	err = r.Run(m, module)
	if r.IR != nil && r.IR.Err() != nil {
		d.Report(&ir.Diagnostic{Loc: ir.Unknown, Message: "can't print to files: " + r.IR.Err().Error()})
		return nil, false
	}
	if d.statistics {
		io.WriteString(d.Err, m.StatisticsReport(d.statisticsDisplay == "pipeline"))
	}
	if err != nil {
		var crash *ir.CrashError
		if errors.As(err, &crash) {
			d.saveCrash(crash, m.String(), p)
		}
		return nil, false
	}
	out := &result{Document: doc, before: repro.Bytes(), verified: m.Len() == 0 || verifyEach}
	if d.emitC {
		contents := interp.Options{Resources: interp.Resources(doc)}
		if out.c, err = emitc.Prepare(module, emitc.Options{Contents: contents.Contents}); err != nil {
			d.ReportAll(err)
			return nil, false
		}
	}
	return out, true
}

func (d *optDriver) parseOptions() asm.ParseOptions {
	return asm.ParseOptions{NoImplicitModule: d.noImplicit, Threads: d.threads(), Version: d.llvm}
}

// threads returns the number of threads to use, or 0 for as many as there are
// processors.
func (o *optOptions) threads() int {
	if o.disableThreads {
		return 1
	}
	return 0
}

// manager builds the pipeline that the flags ask for.
func (d *optDriver) manager(module *ir.Op) (*pass.OpPassManager, error) {
	if d.hasPipeline {
		return d.reg.ParsePipeline(d.pipeline)
	}
	m := pass.NewManager(module.Name())
	for _, p := range d.passes {
		if err := d.reg.AddFlag(m, p.name, p.options); err != nil {
			return nil, err
		}
	}
	return m, nil
}

func (d *optDriver) printsIR() bool {
	return d.beforeAll || d.afterAll || d.afterFailure || d.before != nil || d.after != nil
}

// runner configures the execution of the passes.
func (d *optDriver) runner(doc *asm.Document, verifyEach bool) *pass.Runner {
	flags := d.printOptions()
	r := &pass.Runner{
		VerifyEach: verifyEach,
		Recycle:    true,
		Sink:       d.Report,
		Text:       func(b []byte) { d.Err.Write(b) },
		Print: func(op *ir.Op) []byte {
			shown := ir.ReplacedFor(op, flags.Version)
			if op == doc.Module {
				return textOf(&asm.Document{Module: shown, Resources: doc.Resources}, flags)
			}
			// Other operations may be changing meanwhile.
			local := flags
			local.LocalScope = true
			return textOf(&asm.Document{Module: shown}, local)
		},
		LLVM:    d.llvm,
		Timing:  d.timer,
		Threads: d.threads(),
	}
	if d.AttachOps {
		r.Annotate = d.AttachOp
	}
	if d.printsIR() {
		p := pass.NewIRPrinting()
		p.OnlyChange, p.OnlyFailure, p.ModuleScope = d.afterChange, d.afterFailure, d.moduleScope
		p.Before = func(n string) bool { return d.beforeAll || d.before[n] }
		p.After = func(n string) bool { return d.afterAll || d.after[n] }
		p.TreeDir = d.treeDir
		r.IR = p
	}
	if d.reproducer != "" {
		r.Reproducer = &pass.Reproducer{Path: d.reproducer, Local: d.localReproducer, Text: func(pipeline string, disableThreading, verifyEach bool) []byte {
			return reproducerText(doc, pipeline, disableThreading, verifyEach)
		}}
	}
	return r
}

// givenVersion returns the choice that a flag or the environment makes.
func (o *optOptions) givenVersion() (Choice, error) {
	if o.mlirVersion != "" {
		n, err := ParseLLVMVersion(o.mlirVersion)
		return Choice{n, "--mlir-version says so", ir.Unknown}, err
	}
	return EnvironmentLLVM()
}

// printOptions returns how the flags want programs to be printed.
func (d *optOptions) printOptions() asm.PrintOptions {
	return asm.PrintOptions{
		Threads: d.threads(),
		Version: d.llvm,
		Generic: d.generic, LocalScope: d.localScope,
		DebugInfo: d.debugInfo, PrettyDebugInfo: d.debugInfo && d.prettyDebugInfo,
		SkipRegions: d.skipRegions, ValueUsers: d.valueUsers,
		UniqueSSAIDs: d.uniqueIDs, AssumeVerified: d.assumeValid,
		ElideResourcesLargerThan: int(d.elideResources),
		ElideElementsLargerThan:  int(d.elideElements), HexElementsLargerThan: int(d.hexElements),
	}
}

// print writes a program, followed by an empty line as mlir-opt does, and reports crashes. r
// may be nil.
func (d *optDriver) print(w io.Writer, r *result) error {
	if r == nil {
		return nil
	}
	err := d.write(w, r)
	var crash *ir.CrashError
	if errors.As(err, &crash) {
		d.Show(crash.Diagnostic())
		d.crashed(err, d.piece.src)
	}
	return err
}

func (d *optDriver) write(w io.Writer, r *result) error {
	_, err := w.Write(r.before)
	if err == nil && d.llvm > 19 {
		err = ir.Guard(printerStage, r.Module.Loc(), func() error {
			ir.ReplaceFor(r.Module, d.llvm)
			return nil
		})
	}
	if err == nil && r.c != nil {
		return r.c.WriteWhole(w)
	}
	if err == nil && d.artifact != nil {
		return d.store(w, r.Document)
	}
	if err == nil && d.emitBytecode {
		return d.encode(w, r.Document)
	}
	o := d.printOptions()
	o.AssumeVerified = o.AssumeVerified || r.verified
	if err == nil {
		err = ir.Guard(printerStage, r.Module.Loc(), func() error { return asm.WriteDocument(w, r.Document, o) })
	}
	if err == nil {
		_, err = io.WriteString(w, "\n")
	}
	return err
}

// encode writes a program as bytecode.
func (d *optDriver) encode(w io.Writer, doc *asm.Document) error {
	o := bytecode.Options{Version: d.bytecodeVersion, LLVM: d.printOptions().Version, ElideResources: d.elideBytecode}
	return ir.Guard(printerStage, doc.Module.Loc(), func() error { return bytecode.Write(w, doc, o) })
}

// store writes a program in StableHLO as a portable artifact.
func (d *optDriver) store(w io.Writer, doc *asm.Document) error {
	return ir.Guard(printerStage, doc.Module.Loc(), func() error {
		stored := &asm.Document{Module: ir.CloneDetached(doc.Module), Resources: doc.Resources}
		if err := vhlo.FromStableHLO(stored.Module, *d.artifact); err != nil {
			return err
		}
		return bytecode.Write(w, stored, bytecode.Options{Version: d.artifact.Bytecode(), Producer: d.artifact.Producer(), ElideResources: d.elideBytecode})
	})
}

// roundtrip checks that the printed program reads back as the same program.
func (d *optDriver) roundtrip(doc *asm.Document) bool {
	text, err := printed(doc, asm.PrintOptions{DebugInfo: true})
	if err != nil {
		d.ReportAll(err)
		d.crashed(err, d.piece.src)
		return false
	}
	ctx := d.tool.NewContext()
	ctx.AllowUnregistered = d.allowUnreg
	again, err := asm.ParseDocument(ctx, text, "<roundtrip>", asm.ParseOptions{NoImplicitModule: d.noImplicit})
	if err != nil {
		d.Report(&ir.Diagnostic{Loc: doc.Module.Loc(), Message: "failed to read back the printed program: " + err.Error()})
		return false
	}
	if !bytes.Equal(textOf(again, asm.PrintOptions{DebugInfo: true}), text) {
		d.Report(&ir.Diagnostic{Loc: doc.Module.Loc(), Message: "the printed program reads back as a different program"})
		return false
	}
	return true
}

// saveCrash keeps what is needed to find out why a pass crashed, unless the user
// asked for a reproducer anyway.
func (d *optDriver) saveCrash(crash *ir.CrashError, pipeline string, p piece) {
	if d.reproducer != "" {
		return
	}
	ctx := d.tool.NewContext()
	ctx.AllowUnregistered = d.allowUnreg
	doc, err := parse(ctx, p, d.parseOptions())
	if err != nil {
		return
	}
	d.saveReproducer(crash, crash.Stack, reproducerText(doc, pipeline, d.disableThreads, d.verifyEach), "opt --run-reproducer")
}
