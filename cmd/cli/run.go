package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"freehold/compile"
	"freehold/exec"
	"freehold/exec/interp"
	"freehold/internal/fileio"
	"freehold/internal/printable"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/memory/trace"
)

// runOptions are the flags of run.
type runOptions struct {
	entry     string
	seed      uint64
	maxSteps  int64
	maxBytes  int64
	random    bool
	json      bool
	save      string
	reading   reading
	trace     bool
	memory    string
	format    string
	constants bool
	native    nativeOptions
}

func newRunCommand(s invocation) *cobra.Command {
	var o runOptions
	c := &cobra.Command{
		Use:   "run [flags] FILE [ARGUMENT...]",
		Short: "Execute a function with checked memory",
		Long: `run executes a function, on tensors or on buffers, and checks every access to
memory: use after free, double free, accesses out of bounds, reads of what was
never written, leaks, division by zero. It prints the results, what went wrong
(then the exit status is 1), and what the function did with memory. The exit
status is 2 for what can't be executed, and 3 for programs, arguments and
command lines that can't be read or aren't understood.

An argument is a number (3, 2.5, true, 1+2i), the elements of a tensor or buffer
([[1, 2], [3, 4]] or dense<...>), random or zeros, with sizes where the type has
dynamic ones (random:4x8), @file.npy, or @file.csv, which has the numbers of any
shape in order. Put -- before arguments that start with a minus sign.

A model of TensorFlow Lite (model.tflite) is executed with the numbers of its
reference kernels.`,
		Example: `  freehold run --random model.mlir
  freehold run --entry add example.mlir 1 2
  freehold run sum.mlir '[1, 2, 3]' random:3 @weights.npy
  freehold run model.tflite @image.csv`,
		Args: takes(1, true, "a FILE"),
		RunE: func(_ *cobra.Command, args []string) error { return run(s, &o, args[0], args[1:]) },
	}
	f := c.Flags()
	f.StringVar(&o.entry, "entry", "", "the `function` to execute; not needed if there is only one, or one called main")
	f.Uint64Var(&o.seed, "seed", 1, "seed of random arguments")
	f.BoolVar(&o.random, "random", false, "make up random values for arguments that are not given")
	f.Int64Var(&o.maxSteps, "max-steps", 0, "stop after so many operations; 0 is no limit")
	addExecutionFlags(f, &o)
	f.BoolVar(&o.json, "json", false, "print everything as JSON")
	f.StringVar(&o.save, "save", "", "write result i to the file PREFIXi.npy, for this `prefix`")
	f.BoolVar(&o.trace, "trace", false, "write each operation with its values to standard error")
	f.StringVar(&o.memory, "memory-trace", "", "write each allocation, free and copy to this `file`")
	f.StringVar(&o.format, "trace-format", "json", "`format` of the memory trace: json, or one for other viewers: chrome, pytorch or pprof")
	o.native.declare(f, "execute the function as C code, without any checks")
	o.reading.declare(f)
	return c
}

func run(s invocation, o *runOptions, path string, texts []string) error {
	if o.native.on && (o.json || o.trace || o.memory != "" || o.maxSteps != 0) {
		return fmt.Errorf("--json, --trace, --memory-trace and --max-steps need checked memory: they don't go with --native")
	}
	in, err := readModule(s, path, o.reading)
	if err != nil {
		return err
	}
	in.warnOfIndex()
	if o.entry == "" && !hasBody(in.module) {
		return noBody(in.name, "execute")
	}
	fail := func(status exitStatus, err error) error {
		in.ReportAll(withFlag(err))
		return status
	}
	module, err := compile.Executable(in.module)
	if err != nil {
		return fail(statusNotJudged, err)
	}
	fn, err := interp.Entry(module, o.entry)
	if err != nil {
		return fail(statusNotUnderstood, err)
	}
	args, err := runArguments(fn, o, texts)
	if err != nil {
		return fail(statusNotUnderstood, err)
	}
	if o.native.on {
		return runNative(s, o, in, module, fn, args)
	}
	options := o.options(in.doc)
	if o.trace {
		w := bufio.NewWriter(s.Err)
		defer w.Flush()
		options.Trace = interp.Trace(w)
	}
	if o.memory != "" {
		if o.format != "json" {
			if _, err := trace.ParseFormat(o.format); err != nil {
				return err
			}
		}
		if err := fileio.Check(o.memory); err != nil {
			return err
		}
		options.Memory = &interp.MemoryTrace{}
	}
	ctx, stop := interruptible(context.Background())
	defer stop()
	options.Interrupt = ctx.Done()
	res, err := interp.Run(module, fn, args, options)
	if err != nil {
		return fail(statusOfRun(err), err)
	}
	if o.memory != "" {
		err := writeMemoryTrace(o, options.Memory)
		if err != nil {
			return err
		}
	}
	if o.json {
		err = printRunJSON(s.Out, fn, res)
	} else {
		printRun(s.Out, res)
	}
	if err != nil {
		return err
	}
	io.WriteString(s.Err, res.ErrorOutput())
	lost := saveResults(s.Err, o.save, res.Values)
	if len(res.Findings) == 0 {
		return lost
	}
	if !o.json {
		for _, f := range res.Findings {
			in.Report(withFlag(f).(*ir.Diagnostic))
		}
	}
	if ctx.Err() != nil {
		return exitStatus(statusInterrupted)
	}
	return exitStatus(statusWrong)
}

// statusOfRun is the status of an execution that can't be: an argument that the function doesn't take is misuse.
func statusOfRun(err error) exitStatus {
	var bad *interp.BadArgumentError
	if errors.As(err, &bad) {
		return statusNotUnderstood
	}
	return statusNotJudged
}

// saveResults writes the results to files whose names have a prefix, if there is one. Those that can't be written are
// named in the error; the others are there.
func saveResults(w io.Writer, prefix string, values []interp.Value) error {
	if prefix == "" {
		return nil
	}
	var lost []error
	for i, v := range values {
		name := prefix + strconv.Itoa(i) + ".npy"
		data, err := interp.WriteNpy(v)
		if err == nil {
			err = fileio.Write(name, data, io.Discard)
		}
		if err != nil {
			lost = append(lost, fmt.Errorf("result %d is not saved: %w", i, err))
			continue
		}
		if n := interp.Undefined(v); n > 0 {
			fmt.Fprintf(w, "%s: %s of result %d %s undefined, and NaN or 0 in the file\n", printable.Name(name), counted(int(n), "element", "elements"), i, isOrAre(int(n)))
		}
	}
	return errors.Join(lost...)
}

func isOrAre(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

// writeMemoryTrace writes what happened to memory to the file that the flags name.
func writeMemoryTrace(o *runOptions, m *interp.MemoryTrace) error {
	if o.format != "json" {
		return writeTrace(o.memory, traceOfRun(m), trace.Format(o.format))
	}
	data, err := m.JSON()
	if err == nil {
		err = fileio.Write(o.memory, data, io.Discard)
	}
	return err
}

// runArguments makes the values of the function's arguments.
func runArguments(fn *ir.Op, o *runOptions, texts []string) ([]interp.Value, error) {
	return interp.Texts{Values: texts, Random: o.random, Seed: o.seed, Limit: o.limit()}.Arguments(fn)
}

func printRun(w io.Writer, res *interp.Result) {
	printValues(w, res.Output(), res.Values, res.Buffers)
	st := res.Stats
	fmt.Fprintf(w, "\n%11s %9s %9s %14s %14s %14s\n%11d %9d %9d %14d %14d %14d\n",
		"allocations", "frees", "copies", "bytes copied", "peak bytes", "steps",
		st.Allocations, st.Frees, st.Copies, st.BytesCopied, st.PeakBytes, st.Steps)
}

// printValues prints what a program printed, its results, and its arguments that are buffers.
func printValues(w io.Writer, output string, results, buffers []interp.Value) {
	show := func(what string, i int, v interp.Value) {
		fmt.Fprintf(w, "%s %d : %s", what, i, v.Type)
		if shape, ranked := ir.ShapeOf(v.Type); ir.IsShaped(v.Type) && (!ranked || !ir.IsStaticShape(shape)) {
			fmt.Fprintf(w, " (size %s)", v.Shape())
		}
		sep := " = "
		if text := v.Text(); strings.Contains(text, "\n") || len(text) > 60 {
			sep = "\n"
		}
		fmt.Fprintf(w, "%s%s\n", sep, v.Text())
	}
	io.WriteString(w, output)
	for i, v := range results {
		show("result", i, v)
	}
	for i, v := range buffers {
		if v.Tensor != nil {
			show("argument", i, v)
		}
	}
}

// The types of the JSON report.
type (
	jsonRun struct {
		Function  string        `json:"function"`
		Output    string        `json:"output,omitempty"`
		Results   []jsonValue   `json:"results"`
		Arguments []jsonValue   `json:"arguments,omitempty"`
		Findings  []jsonFinding `json:"findings"`
		Stats     jsonStats     `json:"stats"`
	}
	jsonValue struct {
		Index int     `json:"index"`
		Type  string  `json:"type"`
		Sizes []int64 `json:"sizes,omitempty"`
		Data  any     `json:"data"`
	}
	jsonFinding struct {
		Kind    string `json:"kind"`
		Message string `json:"message"`
		File    string `json:"file,omitempty"`
		Line    uint32 `json:"line,omitempty"`
		Column  uint32 `json:"column,omitempty"`
		// Function and Source, the line, are only told by check.
		Function string        `json:"function,omitempty"`
		Source   string        `json:"source,omitempty"`
		Notes    []jsonFinding `json:"notes,omitempty"`
	}
	jsonStats struct {
		Allocations      int64 `json:"allocations"`
		StackAllocations int64 `json:"stackAllocations"`
		Frees            int64 `json:"frees"`
		Copies           int64 `json:"copies"`
		BytesAllocated   int64 `json:"bytesAllocated"`
		BytesCopied      int64 `json:"bytesCopied"`
		PeakBytes        int64 `json:"peakBytes"`
		Steps            int64 `json:"steps"`
	}
)

func printRunJSON(w io.Writer, fn *ir.Op, res *interp.Result) error {
	name, _ := ir.SymbolName(fn)
	out := jsonRun{Function: name, Output: res.Output(), Results: []jsonValue{}, Findings: []jsonFinding{}}
	for i, v := range res.Values {
		out.Results = append(out.Results, valueJSON(i, v))
	}
	for i, v := range res.Buffers {
		if v.Tensor != nil {
			out.Arguments = append(out.Arguments, valueJSON(i, v))
		}
	}
	for _, f := range res.Findings {
		out.Findings = append(out.Findings, findingJSON(f))
	}
	st := res.Stats
	out.Stats = jsonStats{st.Allocations, st.StackAllocations, st.Frees, st.Copies, st.BytesAllocated, st.BytesCopied, st.PeakBytes, st.Steps}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(out)
}

func valueJSON(i int, v interp.Value) jsonValue {
	out := jsonValue{Index: i, Type: v.Type.String()}
	if v.Tensor == nil {
		out.Data = numberJSON(v.Text())
		return out
	}
	out.Sizes = v.Tensor.Sizes
	data := make([]any, 0, v.Tensor.Elements())
	for k := range v.Tensor.Elements() {
		data = append(data, numberJSON(interp.ElementText(v.Tensor, k)))
	}
	out.Data = data
	return out
}

// numberJSON returns a number as JSON; what JSON has no number for, as a string,
// and undefined as null.
func numberJSON(text string) any {
	switch text {
	case "?":
		return nil
	case "true", "false":
		return text == "true"
	}
	if _, err := strconv.ParseFloat(text, 64); err != nil || strings.ContainsAny(text, "IN") {
		return text
	}
	return json.Number(text)
}

func findingJSON(f *exec.Finding) jsonFinding {
	out := diagnosticJSON(f.Diagnostic)
	out.Kind = f.Kind.String()
	return out
}

// addSource adds the lines of the source.
func (f *jsonFinding) addSource(names *asm.SourceNames) {
	f.Source = names.Line(f.File, f.Line)
	for i := range f.Notes {
		f.Notes[i].addSource(names)
	}
}

func diagnosticJSON(d *ir.Diagnostic) jsonFinding {
	out := jsonFinding{Kind: d.Severity.String(), Message: d.Message}
	if p, ok := ir.SourcePos(d.Loc); ok {
		out.File, out.Line, out.Column = p.File(), p.Line, p.Col
	}
	for _, n := range d.Notes {
		out.Notes = append(out.Notes, diagnosticJSON(n))
	}
	return out
}
