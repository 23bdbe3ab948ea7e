package bufferize

import (
	"freehold/ir"
	"freehold/pass"
)

// Pass is --one-shot-bufferize.
var Pass = &pass.Pass{
	Name: "one-shot-bufferize", Title: "OneShotBufferize",
	Summary: "One-Shot Bufferize",
	Description: `Replaces tensors by buffers. An analysis decides for each operand whether its operation may work
in the operand's own buffer, or needs a copy because something still reads what would be overwritten.`,
	On: "builtin.module",
	Options: []pass.Option{
		pass.Bool("allow-return-allocs-from-loops", false, "Allows returning/yielding new allocations from a loop."),
		pass.Bool("allow-unknown-ops", false, "Allows unknown (not bufferizable) ops in the input IR."),
		pass.Int("analysis-fuzzer-seed", 0, "Test only: Analyze ops in random order with a given seed (fuzzer)"),
		pass.String("analysis-heuristic", "bottom-up", "Heuristic that control the IR traversal during analysis").
			Among("bottom-up", "top-down", "bottom-up-from-terminators", "fuzzer", "none"),
		pass.Bool("bufferize-function-boundaries", false, "Bufferize function boundaries (experimental)."),
		pass.Bool("check-parallel-regions", true, "Account for parallel regions in RaW analysis."),
		pass.Bool("copy-before-write", false, "Skip the analysis. Make a buffer copy on every write."),
		pass.List("dialect-filter", "Restrict bufferization to ops from these dialects."),
		pass.Bool("dump-alias-sets", false, "Test only: Annotate tensor IR with alias sets"),
		pass.String("function-boundary-type-conversion", "infer-layout-map", "Controls layout maps when bufferizing function signatures.").
			Among("infer-layout-map", "identity-layout-map", "fully-dynamic-layout-map", "none"),
		pass.Bool("must-infer-memory-space", false, "The memory space of an memref types must always be inferred. If unset, a default memory space of 0 is used otherwise."),
		pass.List("no-analysis-func-filter", "Skip analysis of functions with these symbol names.Set copyBeforeWrite to true when bufferizing them."),
		pass.Bool("print-conflicts", false, "Test only: Annotate IR with RaW conflicts. Requires test-analysis-only."),
		pass.Bool("test-analysis-only", false, "Test only: Only run inplaceability analysis and annotate IR"),
		pass.String("unknown-type-conversion", "fully-dynamic-layout-map", "Controls layout maps for non-inferrable memref types.").
			Among("infer-layout-map", "identity-layout-map", "fully-dynamic-layout-map", "none"),
	},
	Run: func(c *pass.Context, op *ir.Op) error {
		o, err := options(c)
		if err != nil {
			return err
		}
		return Run(op, o)
	},
}

var layouts = map[string]LayoutConversion{
	"infer-layout-map":         InferLayout,
	"fully-dynamic-layout-map": FullyDynamicLayout,
	"identity-layout-map":      IdentityLayout,
}

var heuristics = map[string]Heuristic{
	"bottom-up":                  BottomUp,
	"top-down":                   TopDown,
	"bottom-up-from-terminators": BottomUpFromTerminators,
	"fuzzer":                     Fuzzer,
}

func options(c *pass.Context) (*Options, error) {
	o := DefaultOptions()
	o.AllowReturnAllocsFromLoops = c.Bool("allow-return-allocs-from-loops")
	o.AllowUnknownOps = c.Bool("allow-unknown-ops")
	o.BufferizeFunctionBoundaries = c.Bool("bufferize-function-boundaries")
	o.CheckParallelRegions = c.Bool("check-parallel-regions")
	o.CopyBeforeWrite = c.Bool("copy-before-write")
	o.Dialects = c.Strings("dialect-filter")
	o.NoAnalysisFunctions = c.Strings("no-analysis-func-filter")
	o.MustInferMemorySpace = c.Bool("must-infer-memory-space")
	o.Seed = uint64(c.Int("analysis-fuzzer-seed"))
	o.TestAnalysisOnly = c.Bool("test-analysis-only")
	o.DumpAliasSets = c.Bool("dump-alias-sets")
	o.PrintConflicts = c.Bool("print-conflicts")
	var ok bool
	if o.FunctionBoundary, ok = layouts[c.String("function-boundary-type-conversion")]; !ok && o.BufferizeFunctionBoundaries {
		return nil, ir.Errorf(ir.Unknown, "Unknown option: \"%s\"", c.String("function-boundary-type-conversion"))
	}
	if o.UnknownType, ok = layouts[c.String("unknown-type-conversion")]; !ok || o.UnknownType == InferLayout {
		return nil, ir.Errorf(ir.Unknown, "Invalid option: 'infer-layout-map' is not a valid value for 'unknown-type-conversion'")
	}
	if o.Heuristic, ok = heuristics[c.String("analysis-heuristic")]; !ok {
		return nil, ir.Errorf(ir.Unknown, "Unsupported heuristic option")
	}
	switch {
	case o.TestAnalysisOnly && o.CopyBeforeWrite:
		return nil, ir.Errorf(ir.Unknown, "Invalid option: 'copy-before-write' cannot be used with 'test-analysis-only'")
	case o.PrintConflicts && !o.TestAnalysisOnly:
		return nil, ir.Errorf(ir.Unknown, "Invalid option: 'print-conflicts' requires 'test-analysis-only'")
	case o.DumpAliasSets && !o.TestAnalysisOnly:
		return nil, ir.Errorf(ir.Unknown, "Invalid option: 'dump-alias-sets' requires 'test-analysis-only'")
	case o.NoAnalysisFunctions != nil && !o.BufferizeFunctionBoundaries:
		return nil, ir.Errorf(ir.Unknown, "Invalid option: 'no-analysis-func-filter' requires 'bufferize-function-boundaries'")
	}
	return o, nil
}

// Register adds the passes.
func Register(r *pass.Registry) {
	r.Register(Pass, EliminateEmptyTensorsPass, EmptyTensorToAllocTensorPass, TestCopiesPass)
}
