package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"freehold/internal/fileio"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/tool/reduce"
)

// reduceOptions are the flags of reduce.
type reduceOptions struct {
	output   string
	match    string
	maxTests int
	reading  reading
}

func newReduceCommand(s invocation) *cobra.Command {
	var o reduceOptions
	c := &cobra.Command{
		Use:   "reduce [flags] FILE -- COMMAND [ARGUMENT...]",
		Short: "Shrink a program while a command keeps failing on it",
		Long: `reduce looks for a smaller program on which a command fails in the same way:
with the same exit status and, with --match, the same kind of output. It
removes and simplifies operations, regions, functions, operands and attributes,
and checks that what is left is valid.

The command gets the program's file in the place of {} among its arguments, or
as its last argument if there is no {}.

If the command does not fail on the program that is given, or prints something
else, the exit status is 2. Interrupted (Ctrl-C), reduce writes the smallest
program found so far.`,
		Example: `  freehold reduce bug.mlir -o small.mlir -- freehold opt --cse
  freehold reduce bug.mlir --match 'assert' -- mlir-opt-19 {} --cse`,
		Args: takes(2, true, "a FILE and a COMMAND"),
		RunE: func(c *cobra.Command, args []string) error {
			return runReduce(c.Context(), s, &o, args[0], args[1:])
		},
	}
	f := c.Flags()
	f.StringVarP(&o.output, "output", "o", "-", "write the program to this `file`; - is standard output")
	f.StringVar(&o.match, "match", "", "what the command prints must match this regular `expression`")
	f.IntVar(&o.maxTests, "max-tests", 0, "run the command at most so many times; 0 is no limit")
	o.reading.declare(f)
	return c
}

func runReduce(ctx context.Context, s invocation, o *reduceOptions, path string, command []string) error {
	if err := fileio.Check(o.output); err != nil {
		return err
	}
	match, err := regexp.Compile(o.match)
	if err != nil {
		return fmt.Errorf("--match: %v", err)
	}
	in, err := readModule(s, path, o.reading)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "freehold-reduce")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	ctx, stop := interruptible(ctx)
	defer stop()
	print := func(m *ir.Op) ([]byte, error) {
		return in.session.Print(&asm.Document{Module: m}, asm.PrintOptions{})
	}
	t := &failing{command: command, print: print, file: filepath.Join(dir, "input.mlir")}
	status, out, err := t.run(in.module)
	switch {
	case err != nil:
		return err
	case status == 0:
		return nothing("the command does not fail on %s (its exit status is 0): there is nothing to look for in smaller programs", in.name)
	case !match.Match(out):
		return nothing("the command fails on %s with exit status %d, but what it prints does not match %q:\n%s", in.name, status, o.match, out)
	}
	shown := 0
	res := reduce.Run(in.module, reduce.Options{MaxTests: o.maxTests, Context: ctx,
		Interesting: func(m *ir.Op) bool {
			again, out, err := t.run(m)
			return err == nil && again == status && match.Match(out)
		},
		Smaller: func(n int) {
			if n != shown {
				fmt.Fprintf(s.Err, "%d operations\n", n)
			}
			shown = n
		},
	})
	if res.Interrupted {
		fmt.Fprintln(s.Err, "interrupted; this is the smallest program so far")
	}
	fmt.Fprintf(s.Err, "%s tried\n", counted(res.Tests, "program", "programs"))
	text, err := print(res.Module)
	if err != nil {
		return err
	}
	if err := fileio.Write(o.output, text, s.Out); err != nil {
		return err
	}
	if res.Interrupted {
		return exitStatus(statusInterrupted)
	}
	return nil
}

// failing runs a command on programs.
type failing struct {
	command []string
	file    string
	print   func(m *ir.Op) ([]byte, error)
}

// run returns the command's exit status and what it printed.
func (t *failing) run(m *ir.Op) (status int, out []byte, err error) {
	text, err := t.print(m)
	if err != nil {
		return 0, nil, err
	}
	if err := os.WriteFile(t.file, text, 0o600); err != nil {
		return 0, nil, err
	}
	args, placed := make([]string, len(t.command)), false
	for i, a := range t.command {
		args[i] = strings.ReplaceAll(a, "{}", t.file)
		placed = placed || args[i] != a
	}
	if !placed {
		args = append(args, t.file)
	}
	var printed bytes.Buffer
	c := exec.Command(args[0], args[1:]...)
	c.Stdout, c.Stderr = &printed, &printed
	var exit *exec.ExitError
	if err := c.Run(); err != nil && !errors.As(err, &exit) {
		return 0, nil, err
	}
	return c.ProcessState.ExitCode(), printed.Bytes(), nil
}
