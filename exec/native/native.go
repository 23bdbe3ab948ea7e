package native

import (
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

// Run executes a function of a verified module on buffers. The error is an *ir.Diagnostic, or several, if the program can't be written in C, and
// else a *[NoCompilerError], a *[CompileError] or a *[CrashError].
func Run(ctx context.Context, module, fn *ir.Op, args []interp.Value, o Options) (*Result, error) {
	command := strings.Fields(o.Compiler)
	if len(command) == 0 {
		command = []string{"cc", "-O2"}
	}
	if _, err := exec.LookPath(command[0]); err != nil {
		return nil, &NoCompilerError{command[0]}
	}
	name, _ := ir.SymbolName(fn)
	o.Emit.Name, o.Emit.Only, o.Emit.Weights = "model", []string{name}, largeConstant
	unit, err := emitc.Prepare(module, o.Emit)
	if err != nil {
		return nil, err
	}
	c, err := newCall(unit, fn, args, o)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "freehold-native-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	if err := writeFiles(dir, unit, c); err != nil {
		return nil, err
	}
	start := time.Now()
	if err := compile(ctx, dir, command, o); err != nil {
		return nil, err
	}
	took := time.Since(start)
	start = time.Now()
	output, err := execute(ctx, dir, o)
	if err != nil {
		return nil, err
	}
	res, err := c.read(filepath.Join(dir, "out"))
	if err != nil {
		return nil, err
	}
	res.Inexact = unit.UsesLibrary()
	if res.Again != nil {
		res.Again.Inexact = res.Inexact
	}
	res.Output, res.Compilation, res.Execution = output, took, time.Since(start)
	return res, nil
}

// largeConstant is from how many bytes on constants are not part of the C code.
const largeConstant = 1 << 14

// writeFiles writes what is compiled, and what the program reads.
func writeFiles(dir string, unit *emitc.Unit, c *call) error {
	write := func(name string, fill func(f *os.File) error) error {
		f, err := os.Create(filepath.Join(dir, name))
		if err != nil {
			return err
		}
		return errors.Join(fill(f), f.Close())
	}
	return errors.Join(
		write("model.c", func(f *os.File) error { return unit.WriteSource(f) }),
		write("model.h", func(f *os.File) error { return unit.WriteHeader(f) }),
		write("weights", func(f *os.File) error { return unit.WriteWeights(f) }),
		write("main.c", func(f *os.File) error { _, err := f.WriteString(c.harness()); return err }),
		write("test.h", func(f *os.File) error { _, err := f.WriteString(c.header()); return err }),
		write("in", c.write),
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

// execute runs the program and returns what it printed.
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
