// Package cli is the command line of freehold: one file a subcommand, and what
// they share.
package cli

import (
	"cmp"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"freehold/driver"
	"freehold/internal/lazyregexp"
	"freehold/internal/terminal"
	"freehold/pass"
)

// exitStatus is the error of a command that has reported what went wrong.
type exitStatus int

func (e exitStatus) Error() string { return fmt.Sprintf("exit status %d", int(e)) }

// Main runs the command line of a tool, with all commands of freehold for its dialects and passes, and returns the exit status. The tool's
// name is that of its command opt, such as "mytool opt", and its version what --version prints, "" for that of freehold. args starts
// with the program's name.
func Main(tool *driver.Tool, args []string, streams driver.Streams) int {
	s := invocation{streams, tool}
	if len(args) > 1 && args[1] == "opt" {
		// opt has a flag grammar of its own, and is run so often, on small inputs, that
		// even building the other commands would be felt.
		return opt(args[2:], s)
	}
	color := terminal.Auto
	out := &terminal.Stream{Writer: s.Out, When: &color}
	s.Out, s.Err = out, &terminal.Stream{Writer: s.Err, When: &color}
	root := newRoot(s, &color)
	root.SetArgs(args[1:])
	err := root.Execute()
	if err != nil {
		if _, rest, unknown := root.Find(args[1:]); unknown != nil && len(rest) > 0 {
			err = noCommand(root, rest[0])
		}
	}
	if lost := out.Lost(); lost != nil && !errors.Is(err, lost) {
		// Many a command writes line by line, and asks here whether all of them arrived.
		err = lost
	}
	return statusOf(err, s)
}

// newRoot returns the command with all subcommands, and a flag that sets color.
func newRoot(s invocation, color *terminal.When) *cobra.Command {
	root := &cobra.Command{
		Use:   "freehold",
		Short: "The memory of tensor programs: bufferize, deallocate, check and run MLIR",
		Long: `freehold turns MLIR programs on tensors into programs on buffers that are
allocated once, shared where it is safe, and freed exactly once. It reads and
writes MLIR's textual format and bytecode.

The FILE that a command reads may be -, which is standard input.

The exit status of all commands but opt, which has those of mlir-opt, is 0 for
what is fine or done; 1 for what is wrong; 2 for what nothing can be said about,
as there is nothing to look at, or it can't be judged; 3 for files, programs and
command lines that can't be read or aren't understood; and 130 for a command
that is interrupted (Ctrl-C), of which what it found or made is kept.`,
		SilenceErrors: true,
		SilenceUsage:  true,
		Version:       s.version(),
	}
	root.SetIn(s.In)
	root.SetOut(s.Out)
	root.SetErr(s.Err)
	root.SetVersionTemplate(s.versionText() + environmentSentence())
	// One long name doesn't move the summaries of all commands to the right.
	root.SetUsageTemplate(strings.NewReplacer(".LocalFlags.FlagUsages", fmt.Sprintf(".LocalFlags.FlagUsagesWrapped %d", terminal.PlainWidth),
		".InheritedFlags.FlagUsages", fmt.Sprintf(".InheritedFlags.FlagUsagesWrapped %d", terminal.PlainWidth),
		"rpad .Name .NamePadding", "rpad .Name 10").Replace(root.UsageTemplate()))
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error { return misuse(c, flagText(err)+likeFlag(c, err)) })
	root.PersistentPreRunE = func(c *cobra.Command, _ []string) error {
		return cmp.Or(refuseNegative(c), refuseTogether(c), refuseAlone(c))
	}
	root.AddCommand(newOptCommand(s))
	for _, add := range subcommands {
		root.AddCommand(add(s))
	}
	if name := s.command(); name != root.Name() {
		rename(root, name)
	}
	root.PersistentFlags().Var(color, "color", "use colours: auto, always or never; auto is on terminals, unless NO_COLOR is set")
	s.addCompletions(root)
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		switch c.Name() {
		case "help":
			c.Run = nil
			c.RunE = func(_ *cobra.Command, args []string) error { return s.help(root, args) }
		case "completion":
			c.Args = cobra.ArbitraryArgs
			c.RunE = func(c *cobra.Command, args []string) error {
				if len(args) == 0 {
					return c.Help()
				}
				var shells []string
				for _, shell := range c.Commands() {
					shells = append(shells, shell.Name())
				}
				return misuse(c, fmt.Sprintf("there is no completion for a shell %q, but for %s", args[0], strings.Join(shells, ", ")))
			}
		}
	}
	return root
}

// help says what a command does; unlike that of the library, it fails if there is no such command.
func (s invocation) help(root *cobra.Command, args []string) error {
	c, rest, err := root.Find(args)
	if err != nil || c == nil || len(rest) > 0 && c == root {
		return noCommand(root, args[0])
	}
	c.InitDefaultHelpFlag()
	return c.Help()
}

// noCommand is the error that there is no command of that name.
func noCommand(root *cobra.Command, name string) error {
	var names []string
	for _, c := range root.Commands() {
		names = append(names, c.Name())
	}
	return misuse(root, fmt.Sprintf("there is no command %q%s", name, pass.Meant("", name, names)))
}

// likeFlag suggests a flag for one that the command doesn't have.
func likeFlag(c *cobra.Command, err error) string {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return ""
	}
	if short := unknown.GetSpecifiedShortnames(); short != "" && (short[0] >= '0' && short[0] <= '9' || short[0] == '.') && strings.Contains(c.Use, "ARGUMENT") {
		return "; put -- before arguments that start with a minus sign"
	}
	var names []string
	c.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	// Who writes -run means --run.
	name := cmp.Or(unknown.GetSpecifiedShortnames(), unknown.GetSpecifiedName())
	if len(name) <= 1 {
		return ""
	}
	return pass.Meant("--", name, names)
}

// misuse returns the error for a command line that is not as the command's help
// text demands.
func misuse(c *cobra.Command, problem string) error {
	return fmt.Errorf("%s; see '%s --help'", problem, c.CommandPath())
}

// refuseNegative returns an error for a number below zero that is given with a flag: no command
// has a use for one.
func refuseNegative(c *cobra.Command) error {
	var err error
	c.Flags().Visit(func(f *pflag.Flag) {
		if t := f.Value.Type(); slices.Contains([]string{"int", "int64", "duration"}, t) && strings.HasPrefix(f.Value.String(), "-") && err == nil {
			err = misuse(c, "--"+f.Name+" can't be below zero")
		}
	})
	return err
}

// refuseTogether returns an error for two flags that exclude each other.
func refuseTogether(c *cobra.Command) error {
	if c.ValidateFlagGroups() == nil {
		return nil
	}
	var err error
	c.Flags().Visit(func(f *pflag.Flag) {
		for _, group := range f.Annotations["cobra_annotation_mutually_exclusive"] {
			one, other, _ := strings.Cut(group, " ")
			if c.Flags().Changed(one) && c.Flags().Changed(other) {
				err = misuse(c, fmt.Sprintf("--%s and --%s can't be given together", one, other))
			}
		}
	})
	return err
}

// neededFlag annotates a flag that changes nothing without another one, with the name of that.
const neededFlag = "freehold_needs"

// needs says that a flag changes nothing without another one.
func needs(f *pflag.FlagSet, flag, other string) {
	f.SetAnnotation(flag, neededFlag, []string{other}) // the flag is there
}

// refuseAlone returns an error for a flag that is given without the one without which it changes nothing.
func refuseAlone(c *cobra.Command) error {
	var err error
	c.Flags().Visit(func(f *pflag.Flag) {
		for _, other := range f.Annotations[neededFlag] {
			if !c.Flags().Changed(other) && err == nil {
				err = misuse(c, fmt.Sprintf("--%s changes nothing without --%s", f.Name, other))
			}
		}
	})
	return err
}

// flagText says what is wrong with a flag: of a number, without the function that reads it.
func flagText(err error) string {
	var value *pflag.InvalidValueError
	var number *strconv.NumError
	if !errors.As(err, &value) {
		return err.Error()
	}
	if value.GetFlag().Value.Type() == "duration" {
		return fmt.Sprintf("--%s is a duration, such as 500ms, 30s or 2m, not %q", value.GetFlag().Name, value.GetValue())
	}
	if !errors.As(err, &number) {
		return err.Error()
	}
	what := "a number"
	if strings.HasPrefix(value.GetFlag().Value.Type(), "uint") {
		what = "a number that isn't below zero"
	}
	return fmt.Sprintf("--%s is %s, not %q", value.GetFlag().Name, what, value.GetValue())
}

// takes returns the check that a command gets at least as many arguments as it has
// to, and, unless more is set, not more than these. what names them.
func takes(least int, more bool, what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		switch {
		case len(args) < least:
			return misuse(c, fmt.Sprintf("%s needs %s", c.Name(), what))
		case len(args) > least && least == 0 && !more:
			return misuse(c, fmt.Sprintf("%s takes %s: unexpected argument %q", c.Name(), what, args[0]))
		case len(args) > least && !more:
			return misuse(c, fmt.Sprintf("%s takes %s and nothing else: unexpected argument %q", c.Name(), what, args[least]))
		}
		return nil
	}
}

// opt is the subcommand opt: mlir-opt's command line.
func opt(args []string, s invocation) int {
	t := *s.tool
	t.Version = s.versionText()
	return driver.Main(&t, args, s.Streams)
}

// newOptCommand describes opt for the help text; Main runs it.
func newOptCommand(s invocation) *cobra.Command {
	c := &cobra.Command{
		Use:                "opt [options] [input file]",
		Short:              "Parse, transform and print a program, with mlir-opt's flags",
		DisableFlagParsing: true,
		ValidArgsFunction:  s.completeOpt,
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

// version returns the version of the program that is running.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return development
	}
	return versionOf(info)
}

const development = "development version"

// pseudoVersion matches the versions that Go makes of commits without a version of their own, which
// end with time and commit (https://go.dev/ref/mod#pseudo-versions).
var pseudoVersion = lazyregexp.New(`[-.](\d{4})(\d\d)(\d\d)\d{6}-([0-9a-f]{12})(\+dirty)?$`)

// versionOf returns the version of the module that a program was built from, and commit and day
// if the build knows them.
func versionOf(info *debug.BuildInfo) string {
	v := info.Main.Version
	pseudo := pseudoVersion().FindStringSubmatch(v)
	if v == "" || v == "(devel)" || pseudo != nil {
		v = development
	}
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	commit := settings["vcs.revision"]
	day, _, _ := strings.Cut(settings["vcs.time"], "T")
	if commit == "" && pseudo != nil {
		day, commit = pseudo[1]+"-"+pseudo[2]+"-"+pseudo[3], pseudo[4]
	}
	if commit == "" {
		return v
	}
	v += ", commit " + commit[:min(len(commit), 12)]
	if settings["vcs.modified"] == "true" {
		v += " with changes"
	}
	if day != "" {
		v += ", " + day
	}
	return v
}

// version is that of the tool in a line: its own, if it has one, or freehold's.
func (s invocation) version() string {
	if v, _, _ := strings.Cut(s.tool.Version, "\n"); v != "" {
		return v
	}
	return version()
}

// versionText is what --version prints.
func (s invocation) versionText() string {
	if s.tool.Version != "" {
		return s.tool.Version
	}
	return "freehold " + version() + "\n  reads and writes the textual format and the bytecode of LLVM 19's MLIR\n"
}

// environmentSentence says which version of LLVM programs are taken for as far as the environment chooses it.
func environmentSentence() string {
	c, err := driver.EnvironmentLLVM()
	if err != nil {
		return "  " + err.Error() + "\n"
	}
	return c.Sentence()
}

// rename calls a command line by another name, also in its texts.
func rename(root *cobra.Command, name string) {
	text := strings.NewReplacer("freehold ", name+" ")
	root.Use = name
	for _, c := range append(root.Commands(), root) {
		c.Long, c.Example = text.Replace(c.Long), text.Replace(c.Example)
	}
}
