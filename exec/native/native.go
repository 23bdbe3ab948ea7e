package native

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"freehold/exec/interp"
	"freehold/ir"
	"freehold/ir/analysis"
	"freehold/transform/emit/emitc"
)

// Options say how to compile and run.
type Options struct {
	// Compiler is the command of the compiler with its flags, divided by spaces; the empty one stands for "cc -O2".
	Compiler string
	// Sanitize has the compiler add checks of every access to memory and of undefined behavior.
	Sanitize bool
	// Leaks tells that memory which nobody frees is an error; it needs Sanitize. Results that the function doesn't say are borrowed are freed
	// by who calls it.
	Leaks bool
	// Emit are the options of the C code; Name, Only and Weights are set by Run.
	Emit emitc.Options
	// Places say how the elements of the buffers of the arguments lie in memory; nil stands for row-major order. No two may share memory.
	Places []interp.Place
	// Twice calls the function a second time in the same memory, with the contents of the arguments that Restore lists renewed; see
	// [interp.Options].
	Twice   bool
	Restore []bool
	// Timeout limits the execution; 0 stands for no limit.
	Timeout time.Duration
}

// Result is what an execution gave.
type Result struct {
	// Values are the results, and Buffers the contents of the memrefs among the arguments, as in [interp.Result].
	Values, Buffers []interp.Value
	// Output is what was printed, by all calls.
	Output string
	// Again is what a second call gave, if there was one.
	Again *Result
	// arenas tells which arguments are memory for the function to work in, whose contents mean nothing.
	arenas []bool
	// Inexact tells that functions such as exp are C's, whose results may differ in the last place from those of package exec.
	Inexact bool
	// Compilation and Execution are how long these took.
	Compilation, Execution time.Duration
}

// NoCompilerError is the error that there is no C compiler.
type NoCompilerError struct{ Command string }

func (e *NoCompilerError) Error() string {
	return fmt.Sprintf("there is no C compiler: the command %s is not found", e.Command)
}

// CompileError is the error that the compiler didn't take the C code.
type CompileError struct{ Command, Output string }

func (e *CompileError) Error() string {
	return fmt.Sprintf("the C code is not accepted by %s:\n%s", e.Command, e.Output)
}

// CrashError is the error that the program ended before it was done: Output is what was said about it.
type CrashError struct{ State, Output string }

func (e *CrashError) Error() string {
	text := "the native program ended early: " + e.State
	if e.Output != "" {
		text += "\n" + e.Output
	}
	return text
}

// Job is a function of a verified module on buffers, and what it is called with.
type Job struct {
	Module, Function *ir.Op
	Args             []interp.Value
}

// Outcome is what came of a job: a result, or the error that there is none.
type Outcome struct {
	Result *Result
	Err    error
}

// Run executes a function of a verified module on buffers. The error is an *ir.Diagnostic, or several, if the program can't be written in C, and
// else a *[NoCompilerError], a *[CompileError] or a *[CrashError].
func Run(ctx context.Context, module, fn *ir.Op, args []interp.Value, o Options) (*Result, error) {
	out := RunAll(ctx, []Job{{module, fn, args}}, o)[0]
	return out.Result, out.Err
}

// RunAll executes several functions as [Run] does, in one program, so that it takes the compiler about as long to start as for one. If that isn't accepted,
// or ends early, each is executed in a program of its own.
func RunAll(ctx context.Context, jobs []Job, o Options) []Outcome {
	out := make([]Outcome, len(jobs))
	var calls []*call
	for i, job := range jobs {
		c, err := prepare(job, i, len(jobs), o)
		if err != nil {
			out[i].Err = err
			continue
		}
		calls = append(calls, c)
	}
	if len(calls) == 0 {
		return out
	}
	results, err := runCalls(ctx, calls, o)
	for i, c := range calls {
		switch {
		case err == nil:
			out[c.place].Result = results[i]
		case len(calls) == 1:
			out[c.place].Err = err
		default:
			out[c.place] = RunAll(ctx, jobs[c.place:c.place+1], o)[0]
		}
	}
	return out
}

// prepare makes a job ready to be written, as one of several in a program.
func prepare(job Job, place, jobs int, o Options) (*call, error) {
	name, _ := ir.SymbolName(job.Function)
	o.Emit.Name, o.Emit.Only, o.Emit.Weights = fmt.Sprintf("model%d", place), []string{name}, largeConstant
	if jobs > 1 {
		o.Emit.Suffix = fmt.Sprintf("_%d", place)
	}
	unit, err := emitc.Prepare(job.Module, o.Emit)
	if err != nil {
		return nil, err
	}
	c, err := newCall(unit, job.Function, job.Args, o)
	if err == nil {
		c.place = place
	}
	return c, err
}

// runCalls compiles and executes a program that makes the calls.
func runCalls(ctx context.Context, calls []*call, o Options) ([]*Result, error) {
	command := strings.Fields(o.Compiler)
	if len(command) == 0 {
		command = []string{"cc", "-O2"}
	}
	if _, err := exec.LookPath(command[0]); err != nil {
		return nil, &NoCompilerError{command[0]}
	}
	dir, err := os.MkdirTemp("", "freehold-native-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	if err := writeFiles(dir, calls); err != nil {
		return nil, err
	}
	start := time.Now()
	if err := compile(ctx, dir, command, o); err != nil {
		return nil, err
	}
	took := time.Since(start)
	start = time.Now()
	output, err := execute(ctx, dir, o)
	if u, ok := err.(undefined); ok {
		return nil, calls[0].undefined(string(u))
	}
	if err != nil {
		return nil, err
	}
	printed := strings.Split(output, endOfCall)
	if len(printed) != len(calls)+1 {
		return nil, &CrashError{"it is not known which call printed what", ""}
	}
	results, err := readResults(filepath.Join(dir, "out"), calls)
	for i, res := range results {
		res.Output, res.Compilation, res.Execution = printed[i], took, time.Since(start)
	}
	return results, err
}

// readResults reads what the calls left.
func readResults(name string, calls []*call) ([]*Result, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r := bufio.NewReader(f)
	var out []*Result
	for _, c := range calls {
		res, err := c.read(r)
		if err != nil {
			return nil, err
		}
		out = append(out, res)
	}
	return out, nil
}

// largeConstant is from how many bytes on constants are not part of the C code.
const largeConstant = 1 << 14

// writeFiles writes what is compiled, and what the program reads.
func writeFiles(dir string, calls []*call) error {
	write := func(name string, fill func(w *bufio.Writer) error) error {
		f, err := os.Create(filepath.Join(dir, name))
		if err != nil {
			return err
		}
		w := bufio.NewWriter(f)
		return errors.Join(fill(w), w.Flush(), f.Close())
	}
	text := func(s string) func(w *bufio.Writer) error {
		return func(w *bufio.Writer) error { _, err := w.WriteString(s); return err }
	}
	for _, c := range calls {
		err := errors.Join(
			write(c.name()+".c", func(w *bufio.Writer) error { return c.unit.WriteSource(w) }),
			write(c.name()+".h", func(w *bufio.Writer) error { return c.unit.WriteHeader(w) }),
			write(c.weights(), func(w *bufio.Writer) error { return c.unit.WriteWeights(w) }),
		)
		if err != nil {
			return err
		}
	}
	return errors.Join(
		write("main.c", text(harness(calls))),
		write("test.h", text(header(calls))),
		write("in", func(w *bufio.Writer) error {
			for _, c := range calls {
				if err := c.write(w); err != nil {
					return err
				}
			}
			return nil
		}),
	)
}

func compile(ctx context.Context, dir string, command []string, o Options) error {
	args := append(command[1:len(command):len(command)], "-std=c99", "-ffp-contract=off", "-fno-strict-aliasing")
	if o.Sanitize {
		args = append(args, "-g", "-DFH_SANITIZE", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
	}
	args = append(args, "-o", "program", "main.c", "-lm")
	cmd := exec.CommandContext(ctx, command[0], args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		return &CompileError{strings.Join(append(command[:1:1], args...), " "), string(bytes.TrimSpace(out))}
	}
	return nil
}

// undefined is the error that a program called a function of which there is no native code: its name in C.
type undefined string

func (u undefined) Error() string { return "there is no native code of " + string(u) }

// execute runs the program and returns what it printed. The error is an undefined or a *[CrashError].
func execute(ctx context.Context, dir string, o Options) (string, error) {
	if o.Timeout > 0 {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeout(ctx, o.Timeout)
		defer stop()
	}
	cmd := exec.CommandContext(ctx, filepath.Join(dir, "program"))
	cmd.Dir = dir
	leaks := "0"
	if o.Leaks {
		leaks = "1"
	}
	cmd.Env = append(os.Environ(), "ASAN_OPTIONS=detect_leaks="+leaks)
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	if err := cmd.Run(); err != nil {
		if cmd.ProcessState != nil && cmd.ProcessState.ExitCode() == undefinedStatus {
			return "", undefined(said.String())
		}
		state := err.Error()
		if ctx.Err() != nil {
			state = ctx.Err().Error()
		}
		return "", &CrashError{state, strings.TrimSpace(said.String())}
	}
	return out.String(), nil
}

// ownedArguments tells which arguments a function frees.
func ownedArguments(module, fn *ir.Op) []bool {
	contract := analysis.NewContracts(module).Of(fn)
	owned := make([]bool, fn.BodyBlock(0).NumArgs())
	for i := range owned {
		owned[i] = i < len(contract.Args) && contract.Args[i].Owned
	}
	return owned
}
