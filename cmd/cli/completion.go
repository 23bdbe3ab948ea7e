package cli

import (
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"freehold/driver"
	"freehold/internal/fileio"
	"freehold/internal/terminal"
	"freehold/ir"
	"freehold/ir/interfaces"
)

// completeOpt completes the flags of opt: its own, and the passes.
func (s invocation) completeOpt(_ *cobra.Command, _ []string, toComplete string) ([]string, cobra.ShellCompDirective) {
	if !strings.HasPrefix(toComplete, "-") {
		return nil, cobra.ShellCompDirectiveDefault // a file
	}
	var found []string
	for _, f := range driver.FlagNames(s.tool) {
		if strings.HasPrefix("--"+f, toComplete) {
			found = append(found, "--"+f)
		}
	}
	return found, cobra.ShellCompDirectiveNoFileComp
}

// completeFunction completes the name of a function of the program that is named on the
// command line.
func (s invocation) completeFunction(_ *cobra.Command, args []string, toComplete string) ([]string, cobra.ShellCompDirective) {
	const none = cobra.ShellCompDirectiveNoFileComp
	if len(args) == 0 {
		return nil, none
	}
	src, name, err := fileio.Read(args[0], nil, nil)
	if err != nil {
		return nil, none
	}
	program, err := s.tool.NewSession().Parse(src, name)
	if err != nil {
		return nil, none
	}
	var found []string
	program.Module.Walk(func(op *ir.Op) bool {
		sym, _ := ir.SymbolName(op)
		if interfaces.Function.Has(op) && op.BodyBlock(0) != nil && strings.HasPrefix(sym, toComplete) {
			found = append(found, sym)
		}
		return true
	})
	return found, none
}

// completePipeline completes the pass at the end of a pipeline's text.
func (s invocation) completePipeline(_ *cobra.Command, _ []string, toComplete string) ([]string, cobra.ShellCompDirective) {
	start := strings.LastIndexAny(toComplete, "(,") + 1
	var found []string
	r := s.tool.Registry()
	for _, p := range r.Passes() {
		found = append(found, p.Name)
	}
	for _, p := range r.Pipelines() {
		found = append(found, p.Name)
	}
	found = slices.DeleteFunc(found, func(n string) bool { return !strings.HasPrefix(n, toComplete[start:]) })
	for i, n := range found {
		found[i] = toComplete[:start] + n
	}
	return found, cobra.ShellCompDirectiveNoSpace | cobra.ShellCompDirectiveNoFileComp
}

// addCompletions lets the shell complete what flags of all commands take.
func (s invocation) addCompletions(root *cobra.Command) {
	for _, c := range root.Commands() {
		for name, complete := range map[string]cobra.CompletionFunc{"entry": s.completeFunction, "pass-pipeline": s.completePipeline} {
			if c.Flags().Lookup(name) != nil {
				// It fails only for flags that don't exist, or twice.
				_ = c.RegisterFlagCompletionFunc(name, complete)
			}
		}
	}
}

// Commands returns the command line of freehold, for what describes it.
func Commands() *cobra.Command {
	color := terminal.Auto
	root := newRoot(invocation{driver.Streams{Out: io.Discard, Err: io.Discard}, driver.Freehold()}, &color)
	root.InitDefaultCompletionCmd()
	return root
}
