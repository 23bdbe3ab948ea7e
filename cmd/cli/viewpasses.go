package cli

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"freehold/compile"
)

// viewPasses are the flags for the passes by which views of a program compile it.
type viewPasses struct{ passes, arguments string }

func (v *viewPasses) declare(c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&v.passes, "pass-pipeline", "", "compile by these `passes` instead of the recommended ones")
	f.StringVar(&v.arguments, "arguments", string(compile.KeepArguments), argumentsUsage)
	c.MarkFlagsMutuallyExclusive("pass-pipeline", "arguments")
}

// options returns the options of compile, and the passes that are asked for instead, "" if there are none.
func (v *viewPasses) options(o compile.Options) (compile.Options, string, error) {
	var err error
	o.Arguments, err = argumentsOf(v.arguments)
	return o, v.passes, err
}

// argumentsUsage describes the flag --arguments.
const argumentsUsage = "`what` functions that others may call do with tensors that they are given, unless the program says it: keep them, or overwrite them where that spares memory"

// argumentsOf returns what the flag --arguments asks for.
func argumentsOf(flag string) (compile.Arguments, error) {
	a := compile.Arguments(flag)
	if a != compile.KeepArguments && a != compile.OverwriteArguments {
		return "", fmt.Errorf("--arguments is keep or overwrite, not %q", flag)
	}
	return a, nil
}

// deallocationOf returns what the flag --deallocation of compile asks for.
func deallocationOf(flag string) (compile.Deallocation, error) {
	way := compile.Deallocation(flag)
	switch {
	case flag == "best":
		return "", nil
	case !slices.Contains(compile.Deallocations(), way) || way == compile.MLIR:
		return "", fmt.Errorf("--deallocation is best, ownership, hlo or clone, not %q", flag)
	}
	return way, nil
}
