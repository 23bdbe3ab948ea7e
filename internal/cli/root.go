// Package cli is the command line of freehold: one file a subcommand, and what
// they share.
package cli

import (
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"freehold/driver"
)

// exitStatus is the error of a command that has reported what went wrong.
type exitStatus int

func (e exitStatus) Error() string { return fmt.Sprintf("exit status %d", int(e)) }

// Main runs the command line and returns the exit status. args starts with the
// program's name.
func Main(args []string, s Streams) int {
	if len(args) > 1 && args[1] == "opt" {
		// opt has a flag grammar of its own, and is run so often, on small inputs, that
		// even building the other commands would be felt.
		return opt(args[2:], s)
	}
	root := newRoot(s)
	root.SetArgs(args[1:])
	return statusOf(root.Execute(), s)
}

// newRoot returns the command with all subcommands.
func newRoot(s Streams) *cobra.Command {
	root := &cobra.Command{
		Use:   "freehold",
		Short: "The memory of tensor programs: bufferize, deallocate, check and run MLIR",
		Long: `freehold turns MLIR programs on tensors into programs on buffers that are
allocated once, shared where it is safe, and freed exactly once. It reads and
writes MLIR's textual format.`,
		SilenceErrors: true,
		SilenceUsage:  true,
		Version:       version(),
	}
	root.SetIn(s.In)
	root.SetOut(s.Out)
	root.SetErr(s.Err)
	root.SetVersionTemplate(versionText())
	root.SetUsageTemplate(strings.Replace(root.UsageTemplate(), ".LocalFlags.FlagUsages", ".LocalFlags.FlagUsagesWrapped 80", 1))
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error { return misuse(c, err.Error()) })
	root.CompletionOptions.HiddenDefaultCmd = true
	root.AddCommand(newOptCommand(s))
	for _, add := range subcommands {
		root.AddCommand(add(s))
	}
	return root
}

// misuse returns the error for a command line that is not as the command's help
// text demands.
func misuse(c *cobra.Command, problem string) error {
	return fmt.Errorf("%s; see '%s --help'", problem, c.CommandPath())
}

// takes returns the check that a command gets at least as many arguments as it has
// to, and, unless more is set, not more than these. what names them.
func takes(least int, more bool, what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		switch {
		case len(args) < least:
			return misuse(c, fmt.Sprintf("%s needs %s", c.Name(), what))
		case len(args) > least && !more:
			return misuse(c, fmt.Sprintf("%s takes %s and nothing else: unexpected argument %q", c.Name(), what, args[least]))
		}
		return nil
	}
}

// opt is the subcommand opt: mlir-opt's command line.
func opt(args []string, s Streams) int {
	t := *tool
	t.Version = versionText()
	return driver.Main(&t, args, s)
}

// newOptCommand describes opt for the help text; Main runs it.
func newOptCommand(s Streams) *cobra.Command {
	c := &cobra.Command{
		Use:                "opt [options] [input file]",
		Short:              "Parse, transform and print a program, with mlir-opt's flags",
		DisableFlagParsing: true,
		RunE: func(_ *cobra.Command, args []string) error {
			if status := opt(args, s); status != 0 {
				return exitStatus(status)
			}
			return nil
		},
	}
	c.SetHelpFunc(func(*cobra.Command, []string) { opt([]string{"--help"}, s) })
	return c
}

// version returns the version of the module that the program was built from.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "development version"
}

func versionText() string {
	return "freehold " + version() + "\n  MLIR textual format of LLVM 19.\n"
}
