package oneshot

import (
	"freehold/ir"
	"freehold/pass"
)

// Declare declares the options of one-shot-bufferize.
func (o *Options) Declare(d *pass.Decl) {
	o.declareShared(d)
	d.Bool(&o.AllowUnknownOps, "allow-unknown-ops", false, "Leave operations that can't be bufferized as they are, with conversions between tensors and buffers around them")
	d.Uint(&o.Seed, "analysis-fuzzer-seed", 0, "Chooses the order in which `analysis-heuristic=fuzzer` decides (for tests)")
	heuristic := pass.Words(d, &o.Heuristic, "analysis-heuristic", BottomUp, "The order in which operands are decided; the first have the best chances to do without a copy",
		pass.Choice[Heuristic]{Name: "bottom-up", Value: BottomUp, Help: "from the last operation to the first"},
		pass.Choice[Heuristic]{Name: "top-down", Value: TopDown, Help: "from the first operation to the last"},
		pass.Choice[Heuristic]{Name: "bottom-up-from-terminators", Value: BottomUpFromTerminators, Help: "first what makes the tensors that blocks pass on, then the rest bottom-up"},
		pass.Choice[Heuristic]{Name: "fuzzer", Value: Fuzzer, Help: "in random order"})
	d.Uint(&o.BufferAlignment, "buffer-alignment", 64, "The alignment of allocations and constants in bytes; 0 for none").Extension()
	d.Bool(&o.CheckParallelRegions, "check-parallel-regions", true, "Copy buffers from around a parallel loop that its iterations write to")
	d.Bool(&o.CopyBeforeWrite, "copy-before-write", false, "Don't analyze: copy each buffer before it is written to")
	d.Strings(&o.Dialects, "dialect-filter", "Only bufferize operations of these dialects")
	d.Bool(&o.DumpAliasSets, "dump-alias-sets", false, "With `test-analysis-only`, also annotate the values that may share a buffer")
	boundary := pass.Words(d, &o.FunctionBoundary, "function-boundary-type-conversion", InferLayout, "The layout of buffers in the types of functions", layouts...)
	d.Bool(&o.CreateDeallocs, "create-deallocs", false, "Free buffers at the end of the block that allocates them, unless they are passed on or used elsewhere; other frees are up to a later pass").Extension()
	d.Bool(&o.allowReturnAllocs, "allow-return-allocs", false, "The name of `allow-return-allocs-from-loops` in LLVM 16").Extension()
	d.Bool(&o.RecursiveFunctions, "recursive-functions", false, "Bufferize functions that call each other in cycles, too").Extension()
	d.Bool(&o.ExternalResults, "external-results", false, "Bufferize functions without a body that return tensors, too").Extension()
	d.Bool(&o.CopyAroundRegions, "copy-around-regions", false, "Copy before an operation such as `vector.mask` what the operation in its region may not write").Extension()
	d.Bool(&o.CarryThroughConditions, "carry-through-conditions", false, "Let `scf.condition` pass on what the loop carries without a copy if what the next iteration gets is new, and know the layout of what `tensor.empty` becomes").Extension()
	d.Bool(&o.EmptyParallelLoops, "empty-parallel-loops", false, "Keep the elements of a destination where parallel loops of unknown size, which may be empty, overwrite them").Extension()
	d.Uint(&o.LLVM, "mlir-version", 0, "Bufferize what this version of LLVM does and 19 refuses: functions as with `recursive-functions` and `external-results`, functions that return at several places, and "+
		"further operations; that of `--mlir-version` if it is later").Extension()
	d.Strings(&o.NoAnalysisFunctions, "no-analysis-func-filter", "Functions to bufferize as with `copy-before-write`, by their names")
	d.Bool(&o.PrintConflicts, "print-conflicts", false, "With `test-analysis-only`, also annotate which read, write and definition make a copy necessary")
	d.Bool(&o.TestAnalysisOnly, "test-analysis-only", false, "Annotate operations with what is decided, and rewrite nothing (for tests)")
	d.Bool(&o.UseEncodingForMemorySpace, "use-encoding-for-memory-space", false, "The encoding of a tensor's type is the memory space of its buffer where nothing else determines that").Extension()
	unknown := pass.Words(d, &o.UnknownType, "unknown-type-conversion", FullyDynamicLayout, "The layout of buffers for which nothing else determines one", layouts[1:]...)
	d.Counter(&o.Allocs, "num-buffer-alloc", "buffers that are allocated")
	d.Counter(&o.Copies, "num-buffer-copy", "copies from buffer to buffer")
	d.Counter(&o.InPlace, "num-tensor-in-place", "operands whose operations work in their buffers")
	d.Counter(&o.OutOfPlace, "num-tensor-out-of-place", "operands that are copied before, or get a new buffer")
	d.Check(func() error {
		if text, bad := boundary.Unknown(); bad && o.BufferizeFunctionBoundaries {
			return ir.Errorf(ir.Unknown, "Unknown option: \"%s\"", text)
		}
		if _, bad := unknown.Unknown(); bad || o.UnknownType == InferLayout {
			return ir.Errorf(ir.Unknown, "Invalid option: 'infer-layout-map' is not a valid value for 'unknown-type-conversion'")
		}
		if _, bad := heuristic.Unknown(); bad {
			return ir.Errorf(ir.Unknown, "Unsupported heuristic option")
		}
		switch {
		case o.TestAnalysisOnly && o.CopyBeforeWrite:
			return ir.Errorf(ir.Unknown, "Invalid option: 'copy-before-write' cannot be used with 'test-analysis-only'")
		case o.PrintConflicts && !o.TestAnalysisOnly:
			return ir.Errorf(ir.Unknown, "Invalid option: 'print-conflicts' requires 'test-analysis-only'")
		case o.DumpAliasSets && !o.TestAnalysisOnly:
			return ir.Errorf(ir.Unknown, "Invalid option: 'dump-alias-sets' requires 'test-analysis-only'")
		case o.MustInferMemorySpace && o.UseEncodingForMemorySpace:
			return ir.Errorf(ir.Unknown, "only one of 'must-infer-memory-space' and 'use-encoding-for-memory-space' are allowed in one-shot-bufferize")
		case o.NoAnalysisFunctions != nil && !o.BufferizeFunctionBoundaries:
			return ir.Errorf(ir.Unknown, "Invalid option: 'no-analysis-func-filter' requires 'bufferize-function-boundaries'")
		}
		return nil
	})
}

// declareShared declares what test-tensor-copy-insertion takes, too, and sets what has no
// option.
func (o *Options) declareShared(d *pass.Decl) {
	o.BufferAlignment = 64
	o.CheckParallelRegions = true
	o.UnknownType = FullyDynamicLayout
	d.Bool(&o.AllowReturnAllocsFromLoops, "allow-return-allocs-from-loops", false, "Let loops yield buffers that they allocate in each iteration")
	d.Bool(&o.BufferizeFunctionBoundaries, "bufferize-function-boundaries", false, "Also bufferize the arguments and results of functions, and calls")
	d.Bool(&o.MustInferMemorySpace, "must-infer-memory-space", false, "Make it an error if nothing determines the memory space of a buffer; else it is the default one")
}

// layouts are the layouts of function boundaries; the first is none for other buffers.
var layouts = []pass.Choice[LayoutConversion]{
	{Name: "infer-layout-map", Value: InferLayout, Help: "of arguments any, of results that of what is returned"},
	{Name: "identity-layout-map", Value: IdentityLayout, Help: "dense, row by row"},
	{Name: "fully-dynamic-layout-map", Value: FullyDynamicLayout, Help: "any offset and strides"},
}

// modulesLeft is the first version of LLVM that leaves modules in a module alone.
const modulesLeft = 20

// Pass is --one-shot-bufferize.
var Pass = pass.New(pass.Info{
	Name: "one-shot-bufferize", Title: "OneShotBufferize",
	Summary: "Turn programs on tensors into programs on buffers, with few copies",
	Description: `Replaces tensors by buffers. An analysis decides for each operand whether its operation may work
in the operand's own buffer, or needs a copy because something still reads what would be overwritten. Nothing is freed:
run ` + "`buffer-deallocation-pipeline`" + ` or ` + "`complete-buffer-deallocation-pipeline`" + ` afterwards. Operations without a rule for
it are an error, unless ` + "`allow-unknown-ops`" + ` is given.`,
	On: pass.Module,
}, (*Options).Declare, pass.OnModule(func(c *pass.Context, o *Options, op *ir.Op) error {
	mine := *o
	mine.LLVM = max(o.LLVM, uint32(c.LLVM()))
	mine.Rules = uint32(c.LLVM())
	mine.LeaveModules = o.LLVM == 0 && mine.Rules >= modulesLeft
	return Run(op, &mine)
}))

// Register adds the passes.
func Register(r *pass.Registry) {
	r.Register(Pass, EliminateEmptyTensorsPass, EmptyTensorToAllocTensorPass, TestCopiesPass)
}
