package cli

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"freehold/compile"
	"freehold/ir"
	"freehold/pass"
	"freehold/tool/explain"
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

// fittingPasses are the flags of views that show what compile makes of a program, also where it has to fit into limited memory.
type fittingPasses struct {
	viewPasses
	limit memoryLimit
}

func (v *fittingPasses) declare(c *cobra.Command) {
	v.viewPasses.declare(c)
	v.limit.declare(c)
}

// compilation returns how an input is compiled to be explained: with options, which a limit may change. If it doesn't fit into the memory that is allowed, that is reported, as compile does.
func (v *fittingPasses) compilation(in *input, o compile.Options) (*explain.Compilation, error) {
	o, passes, err := v.options(o)
	if err != nil {
		return nil, err
	}
	if err := v.limit.set(&o); err != nil {
		return nil, err
	}
	if o.MaxMemory != 0 {
		o.KeepOrder = false
		compiler := &compile.Compiler{Options: o, Registry: in.session.Passes, Runner: &pass.Runner{LLVM: in.session.LLVM, Sink: func(*ir.Diagnostic) {}}, Unchecked: true, Unmeasured: true}
		result, err := compiler.Compile(ir.CloneDetached(in.module))
		if err != nil {
			in.ReportAll(err)
			return nil, exitStatus(statusWrong)
		}
		o = result.Fitted
	}
	return &explain.Compilation{Options: o, Passes: passes, Registry: in.session.Passes, Source: sourceOf(in.name, in.text()), LLVM: in.session.LLVM}, nil
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
