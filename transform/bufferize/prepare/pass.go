package prepare

import (
	"freehold/ir"
	"freehold/ir/rewrite"
	"freehold/pass"
	"freehold/transform/generic/linalg"
	"freehold/transform/lower/core"
	"freehold/transform/lower/quant"
	"freehold/transform/lower/shape"
	"freehold/transform/lower/tosa"
)

// The passes.
var (
	// ReturnsPass is --join-returns.
	ReturnsPass = pass.New(pass.Info{
		Name: "join-returns", Title: "JoinReturns",
		Summary: "Give functions a single return",
		Description: "Replaces the returns of a function that has several, and likewise what an `scf.execute_region` yields, by branches to a new last block, " +
			"which returns its arguments. A function that never returns gets a return that is never reached. `one-shot-bufferize` takes only such functions. " +
			"Linear time.",
	}, nil, counting(JoinReturns))
	// StructurePass is --structure-control-flow.
	StructurePass = pass.New(pass.Info{
		Name: "structure-control-flow", Title: "StructureControlFlow",
		Summary: "Replace branches between blocks by scf.if and scf.while",
		Description: "Replaces branches between the blocks of functions that have tensors or buffers by `scf.if`, `scf.index_switch` and `scf.while`, from the inside out, as far as there is a conditional, or a loop that is left at one place. The rest stays. " +
			"Bufferization, and what follows, know more of structured control flow: what is the same in all iterations, and that one side of a condition isn't executed with the other. Near-linear time.",
	}, nil, counting(StructureControlFlow))
	// FoldPass is --fold-tensor-operations.
	FoldPass = pass.New(pass.Info{
		Name: "fold-tensor-operations", Title: "FoldTensorOperations",
		Summary: "Fold operations on tensors that bufferization has no rule for",
		Description: "Applies the canonicalization patterns of `tensor.pack`, `tensor.unpack`, `tensor.concat`, `tensor.gather`, `tensor.scatter` and `tensor.bitcast`, before these become other operations of which less is known: " +
			"a tensor that is packed and unpacked again is what it was. So is one that `linalg.copy` copies to an empty tensor. Linear time.",
	}, nil, rewrite.NeededGreedyBody(FoldPatterns))
	// TensorsPass is --decompose-tensor-operations.
	TensorsPass = pass.New(pass.Info{
		Name: "decompose-tensor-operations", Title: "DecomposeTensorOperations",
		Summary: "Replace operations on tensors that bufferization has no rule for",
		Description: "Replaces `tensor.concat` by insertions into an empty tensor, `tensor.pack`, `tensor.unpack`, `tensor.gather` and `tensor.bitcast` by `linalg.generic`, `tensor.reshape` whose types tell the shapes by a collapse or an expansion, or both, " +
			"`tensor.scatter` and `linalg.winograd_filter_transform`, `winograd_input_transform` and `winograd_output_transform` by loops, and `ub.poison`, if it is a tensor, by `tensor.empty`. What the body of `memref.generic_atomic_rmw` computes with tensors, but without the element, comes before it. " +
			"What is materialized in a new tensor is taken as it is. What `bufferization.to_memref` needs in another memory space is copied, and what is cast to a tensor of unknown rank for a function that may write to it, unless nothing else needs it. Witnesses of conditions on tensors of extents become such that `require` the " +
			"computed condition. No copy of a tensor is made that wasn't there. " +
			"Signed and unsigned integers are cast to signless ones by `builtin.unrealized_conversion_cast`. Linear time.",
	}, nil, rewrite.NeededGreedyBody(func(*ir.Context) []rewrite.Pattern { return TensorPatterns() }))
	// ControlFlowPass is --lower-tensor-control-flow.
	ControlFlowPass = pass.New(pass.Info{
		Name: "lower-tensor-control-flow", Title: "LowerTensorControlFlow",
		Summary: "Replace control flow on tensors that bufferization has no rule for",
		Description: "Replaces `scf.parallel`, where it reduces tensors, by loops, and `cf.switch`, where it passes tensors on, by conditional branches; " +
			"and `affine.if` on a set without variables by the branch that is taken. Linear time.",
	}, nil, rewrite.NeededGreedyBody(func(*ir.Context) []rewrite.Pattern { return ControlFlowPatterns() }))
	// AffinePass is --lower-affine-on-tensors.
	AffinePass = pass.New(pass.Info{
		Name: "lower-affine-on-tensors", Title: "LowerAffineOnTensors",
		Summary: "Replace affine loops and conditionals that carry tensors",
		Description: "Replaces `affine.for` and `affine.if`, where their results are tensors, by `scf.for` and `scf.if`, with all operations of affine that are in them. " +
			"Linear time.",
	}, nil, pass.Prepared(func(c *ir.Context, _ *pass.None) func(*pass.Context, *ir.Op) error {
		set := rewrite.NewPatternSet(c, core.AffinePatterns())
		return func(c *pass.Context, op *ir.Op) error {
			changed, err := LowerAffineOnTensors(op, set, c.Emit)
			if !changed {
				c.Unchanged()
			}
			return err
		}
	}))
	// DistinctPass is --mark-distinct-arguments.
	DistinctPass = pass.New(pass.Info{
		Name: "mark-distinct-arguments", Title: "MarkDistinctArguments",
		Summary: "Mark arguments whose buffers are no other arguments' buffers",
		Description: "Marks the tensor arguments of functions by `freehold.distinct`, in programs without buffers. `one-shot-bufferize` takes such arguments to have " +
			"different buffers, as far as one of them is written; with the mark, passes on buffers know it, too. Only functions with a body that nothing in the " +
			"program refers to: calls may pass what is only read, and freed, several times. With `calls`, in programs on buffers, it marks the arguments of private functions that get " +
			"buffers, in all calls, that the caller has allocated, or gets as marked arguments, and passes as no other argument. Linear time.",
	}, (*distinct).declare, pass.OnModule(func(c *pass.Context, o *distinct, op *ir.Op) error {
		change := MarkDistinctArguments
		switch {
		case o.remove:
			change = UnmarkDistinctArguments
		case o.calls:
			change = MarkDistinctByCalls
		}
		change(op)
		c.Unchanged() // marks are nothing to verify, and no analysis that is kept depends on them
		return nil
	}))
	// WritablePass is --mark-writable-arguments.
	WritablePass = pass.New(pass.Info{
		Name: "mark-writable-arguments", Title: "MarkWritableArguments",
		Summary: "Say which arguments may be overwritten",
		Description: "Marks tensor arguments of public functions by `bufferization.writable`, where the program doesn't: arguments with `tf.aliasing_output`, `iree.abi.output` or `jax.buffer_donor` may be written, and, with " +
			"`keep`, no others. The result that the first two of these name is computed into the argument, and returned as that; for the last one it is the first result that can be computed there without a copy, and gets `tf.aliasing_output`: callers get the buffer that they gave, which isn't theirs to free twice. An argument that is kept, and that branches make a result of, " +
			"each in another way or not at all, is copied before them; operations that change one element by element read it, and make a new tensor. A warning tells of an argument that is donated without effect. Functions need a single return. Linear time.",
	}, (*writable).declare, pass.OnModule(func(c *pass.Context, o *writable, op *ir.Op) error {
		n, warnings := MarkWritableArguments(op, o.keep)
		for _, d := range warnings {
			c.Emit(d)
		}
		if n == 0 {
			c.Unchanged()
		}
		return nil
	}))
	// ReadPass is --mark-read-arguments.
	ReadPass = pass.New(pass.Info{
		Name: "mark-read-arguments", Title: "MarkReadArguments",
		Summary: "Say what functions of the runner utilities only read",
		Description: "Marks the tensors that declared functions of MLIR's runner utilities (`printMemrefF32`, ...) take by `bufferization.access = \"read\"`, where the program doesn't say how they " +
			"are accessed. `one-shot-bufferize` takes functions without a body to write to what they are passed. Linear time.",
	}, nil, counting(MarkReadArguments))
	// EmptiesPass is --own-empty-tensors.
	EmptiesPass = pass.New(pass.Info{
		Name: "own-empty-tensors", Title: "OwnEmptyTensors",
		Summary: "Let loops and branches compute into empty tensors of their own",
		Description: "Gives an operation in a loop that computes what the loop hands on into a `tensor.empty` from before the loop one of its own, so that it gets a new buffer " +
			"in each iteration. Otherwise the buffer would be that of all iterations, and what is handed on would have to be copied out of it. An operation in a branch gets one of its own, too, so that other branches " +
			"have no buffer for it. Linear time.",
	}, nil, counting(OwnEmptyTensors))
	// SlicesPass is --take-slices.
	SlicesPass = pass.New(pass.Info{
		Name: "take-slices", Title: "TakeSlices",
		Summary: "Let private functions take slices where they are",
		Description: "Gives an argument of a private function a `bufferization.buffer_layout` with strides that aren't known, if all calls pass slices for it, and the function only " +
			"reads elements and slices of it. Else its buffer would be dense under `function-boundary-type-conversion=identity-layout-map`, and each call had to copy its slice. Linear time.",
	}, nil, counting(TakeSlices))
	// InsertionsPass is --sink-insertions.
	InsertionsPass = pass.New(pass.Info{
		Name: "sink-insertions", Title: "SinkInsertions",
		Summary: "Let branches put slices of tensors back themselves",
		Description: "Moves an insertion of what branches hand on to the ends of the branches, if one of them hands on the slice that is there anyway: it hands on the whole " +
			"tensor then. So nothing is copied where nothing changes, and what is new is computed where it goes. Linear time.",
	}, nil, counting(SinkInsertions))
	// SnapshotsPass is --snapshot-buffers.
	SnapshotsPass = pass.New(pass.Info{
		Name: "snapshot-buffers", Title: "SnapshotBuffers",
		Summary: "Let tensors that may share their buffer with others have a copy",
		Description: "Copies the buffer of each `bufferization.to_tensor` that isn't `restrict`, since `one-shot-bufferize` can't know who else reads and writes the buffer. " +
			"Unranked buffers stay. Linear time.",
	}, nil, counting(SnapshotBuffers))
)

// distinct is the options of mark-distinct-arguments.
type distinct struct{ remove, calls bool }

func (o *distinct) declare(d *pass.Decl) {
	d.Bool(&o.remove, "remove", false, "Take the marks away instead")
	d.Bool(&o.calls, "calls", false, "Mark the buffers that private functions get instead, where all calls pass different ones")
}

// writable is the options of mark-writable-arguments.
type writable struct{ keep bool }

func (o *writable) declare(d *pass.Decl) {
	d.Bool(&o.keep, "keep", false, "Arguments of which nothing is said may not be written")
}

// counting is the body of a pass that returns how much it changed.
func counting(change func(op *ir.Op) int) pass.Body[pass.None] {
	return pass.OnModule(func(c *pass.Context, _ *pass.None, op *ir.Op) error {
		if change(op) == 0 {
			c.Unchanged()
		}
		return nil
	})
}

// Pipeline is --prepare-bufferization.
var Pipeline = pass.NewPipeline(pass.Info{
	Name:    "prepare-bufferization",
	Summary: "Replace what one-shot-bufferize refuses by what it takes",
	Description: "Gives functions a single return, and replaces operations and control flow on tensors that `one-shot-bufferize` has no rule for by others that compute the " +
		"same, loops and branches empty tensors of their own, branches that hand on slices the insertion of these, and private functions that take slices a layout for them. Run it before `one-shot-bufferize`.",
}, nil, func(m *pass.OpPassManager, _ *pass.None) {
	m.AddNested(
		ReadPass.Instance(),
		quant.Pass.Instance(),
		tosa.LowerPass.Instance(),
		AffinePass.Instance(),
		ControlFlowPass.Instance(),
		FoldPass.Instance(),
		TensorsPass.Instance(),
		shape.StdPass.Instance(),
		linalg.ElementwisePass.Instance(),
		SnapshotsPass.Instance(),
		InsertionsPass.Instance(),
		EmptiesPass.Instance(),
		SlicesPass.Instance(),
		ReturnsPass.Instance(),
	)
})

// Register adds the passes and the pipeline.
func Register(r *pass.Registry) {
	r.Register(ReturnsPass, StructurePass, FoldPass, TensorsPass, EmptiesPass, InsertionsPass, SlicesPass, ControlFlowPass, AffinePass, SnapshotsPass, DistinctPass, ReadPass, WritablePass, Pipeline)
}
