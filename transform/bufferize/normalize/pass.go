package normalize

import (
	"freehold/ir"
	"freehold/pass"
	"freehold/transform/bufferize/prepare"
	"freehold/transform/generic/canonicalize"
)

// The passes.
var (
	// InlinePass is --inline-private-functions.
	InlinePass = pass.New(pass.Info{
		Name: "inline-private-functions", Title: "InlinePrivateFunctions",
		Summary: "Replace calls of private functions on arrays, or without effects, by what these do",
		Description: "Replaces calls of private functions with a single block that get or return tensors or buffers, or only compute numbers, and that are not recursive, by their bodies, so that their buffers are planned with those of their callers. What nobody needs of these functions isn't copied. " +
			"What is called once moves; of the rest, so much is copied that the program has at most four times as many operations, or 1024 more, and that regions are nested at most 32 deep because of it. Functions with the attribute `no_inline`, and those with buffers on the stack, stay; those that nothing refers to any more are erased. Near-linear time.",
	}, nil, pass.OnModule(func(c *pass.Context, _ *pass.None, op *ir.Op) error {
		if !op.Has(ir.TraitSymbolTable) || !Inline(op) {
			c.Unchanged()
		}
		return nil
	}))
	// DuplicatePass is --duplicate-cheap-tensors.
	DuplicatePass = pass.New(pass.Info{
		Name: "duplicate-cheap-tensors", Title: "DuplicateCheapTensors",
		Summary: "Duplicate cheap tensors for their uses instead of keeping them",
		Description: "Makes tensors that are cheaper to make again than to keep again at each use that may write into them, or that reads all of them, right before it: " +
			"`tensor.empty`, `linalg.fill`, `tensor.splat`, and elementwise operations of at most four scalar operations an element on numbers, indices, constants, arguments and tensors that are alive there anyway, such as " +
			"broadcasts and casts. By this cost model, called `stream`, making a tensor takes no other buffer and no more time than reading it. What writes into a constant whose elements are all the same gets a filled tensor, or an empty one. " +
			"What takes work to compute again is left to `rematerialize`, which looks at the peak. Near-linear time.",
	}, nil, onFunction(DuplicateCheap))
	// OrderPass is --order-by-need.
	OrderPass = pass.New(pass.Info{
		Name: "order-by-need", Title: "OrderByNeed",
		Summary: "Compute tensors where they are needed",
		Description: "Moves operations without effects to where their results are needed, depth first, and of the operands of an operation first what takes the most memory beyond its result. So the order " +
			"depends on what a program computes, and not on how it is written. Where the order that is there is estimated to need less memory, it stays. Near-linear time.",
	}, nil, onFunction(OrderByNeed))
	// PartsPass is --read-parts.
	PartsPass = pass.New(pass.Info{
		Name: "read-parts", Title: "ReadParts",
		Summary: "Read the parts of joined tensors where they are",
		Description: "Divides elementwise operations that read a tensor which insertions put together for them, side by side in one dimension, into one for each part, if a part isn't computed for this alone, as in the rotation of " +
			"halves: then it needn't be moved. Sizes must be known, and bodies mustn't use indices. Linear time.",
	}, nil, onFunction(ReadParts))
	// WhilesPass is --uplift-while-to-for.
	WhilesPass = pass.New(pass.Info{
		Name: "uplift-while-to-for", Title: "UpliftWhileToFor",
		Summary: "Write loops that count as scf.for",
		Description: "Replaces `scf.while`, where its condition does nothing but to compare a counter with a number that stays the same, and its body counts up by a constant, by `scf.for`, of which more is known, such as " +
			"how often it runs. Steps of more than one need a last number that is known, and is far enough from the end of the type. Linear time.",
	}, nil, onFunction(UpliftWhiles))
	// FillsPass is --specialize-fills.
	FillsPass = pass.New(pass.Info{
		Name: "specialize-fills", Title: "SpecializeFills",
		Summary: "Write operations that fill as linalg.fill",
		Description: "Replaces `linalg.generic`, and other structured operations on tensors or buffers, where they give all elements the same number, by `linalg.fill`, which other passes know by its name. " +
			"Linear time.",
	}, nil, onFunction(SpecializeFills))
	// HandedPass is --remake-handed-tensors.
	HandedPass = pass.New(pass.Info{
		Name: "remake-handed-tensors", Title: "RemakeHandedTensors",
		Summary: "Make empty and filled tensors again instead of handing them on in loops",
		Description: "Makes `tensor.empty`, and what is filled with a number from before a loop, again in the body and behind the loop, where the condition of `scf.while` hands it on, or where `scf.for` begins with the same " +
			"as each iteration yields. Linear time.",
	}, nil, onFunction(RemakeHanded))
	// BroadcastsPass is --fold-broadcasts.
	BroadcastsPass = pass.New(pass.Info{
		Name: "fold-broadcasts", Title: "FoldBroadcasts",
		Summary: "Read what is broadcast where it comes from",
		Description: "Lets `linalg.generic`, and named operations on elements, which become that, read the source of a broadcast or the number of a fill instead of the larger tensor, by another indexing map. " +
			"Operations that have a name of their own, such as products of matrices, stay. Where elements are repeated side by side, as in an image that is enlarged, what computes the same for each of them, such as a convolution with windows of one " +
			"element, does so before they are repeated, and operations on elements read what is repeated where it comes from. Linear time.",
	}, (*broadcastOptions).declare, pass.OnFunction(func(c *pass.Context, o *broadcastOptions, fn *ir.Op) error {
		if FoldBroadcasts(fn, o.keepEnlarged) == 0 {
			c.Unchanged()
		}
		return nil
	}))
	// AccumulatorsPass is --fuse-accumulators.
	AccumulatorsPass = pass.New(pass.Info{
		Name: "fuse-accumulators", Title: "FuseAccumulators",
		Summary: "Reduce where the converted element is written",
		Description: "Puts reductions and contractions whose result is only converted to smaller elements, such as a convolution of bytes and its requantization, into the body of what converts them, as loops " +
			"with a scalar as accumulator: the larger elements needn't be an array. Each element is reduced in the same order. What is reduced must have known sizes. Linear time.",
	}, nil, onFunction(FuseAccumulators))
	// SplitPass is --split-accumulators.
	SplitPass = pass.New(pass.Info{
		Name: "split-accumulators", Title: "SplitAccumulators",
		Summary: "Reduce apart from where the converted element is written, for few sums of much",
		Description: "Does the reverse of `fuse-accumulators` where the accumulators are at most an eighth as large as a tensor that they are sums of, such as the means at the end of a network of bytes: loops in the body of " +
			"`linalg.generic` become a reduction of its own, which `tile-for-memory` can let go through the rows of the tensor as soon as they are there. Each element is reduced in the same order. Linear time.",
	}, nil, onFunction(SplitAccumulators))
	// ProducersPass is --fuse-producers.
	ProducersPass = pass.New(pass.Info{
		Name: "fuse-producers", Title: "FuseProducers",
		Summary: "Compute elements where they are read, if less memory is needed then",
		Description: "Moves elementwise operations into the body of the only operation that reads their result, and reads each element at most once, such as a product that is summed up in rows: then " +
			"no element is kept. What only widens elements may be read several times. What is moved must read less than it makes, as far as that isn't kept anyway, so that the peak falls; what can be computed in place of something else stays. Each element is " +
			"computed once, and reductions keep their order. Linear time.",
	}, nil, onFunction(FuseProducers))
	// NarrowPass is --read-narrow.
	NarrowPass = pass.New(pass.Info{
		Name: "read-narrow", Title: "ReadNarrow",
		Summary: "Let operations widen the elements that they read themselves",
		Description: "Lets named operations of linalg that reduce, such as products of matrices, read a tensor before its elements are widened for them, where they are defined to widen them in the same way: weights " +
			"in half precision needn't be there in single precision as well. Linear time.",
	}, nil, onFunction(ReadNarrow))
	// EmptyPartsPass is --shrink-empty-tensors.
	EmptyPartsPass = pass.New(pass.Info{
		Name: "shrink-empty-tensors", Title: "ShrinkEmptyTensors",
		Summary:     "Make no more of an empty tensor than what is used",
		Description: "Replaces slices and reshapes of `tensor.empty`, where nothing else of it is used and nothing is inserted into it, by empty tensors of their size. Linear time.",
	}, nil, onFunction(shrinkEmpties))
	// MergePass is --merge-equal-tensors.
	MergePass = pass.New(pass.Info{
		Name: "merge-equal-tensors", Title: "MergeEqualTensors",
		Summary: "Merge equal tensors, order them, and make the cheap ones again",
		Description: "Does what `cse`, `order-by-need` and `duplicate-cheap-tensors` do, one after another, and lets tensors that are merged for a while only keep the locations that they had, so that what is " +
			"said about them is said at the right place. Near-linear time.",
	}, (*orderOptions).declare, pass.OnFunction(func(c *pass.Context, o *orderOptions, fn *ir.Op) error {
		if Merge(fn, o.keepOrder) == 0 {
			c.Unchanged()
		}
		return nil
	}))
)

// orderOptions are those of what orders operations among other things.
type orderOptions struct{ keepOrder bool }

func (o *orderOptions) declare(d *pass.Decl) {
	d.Bool(&o.keepOrder, "keep-order", false, "Leave operations in the order in which they are written")
}

// broadcastOptions are those of what folds broadcasts.
type broadcastOptions struct{ keepEnlarged bool }

func (o *broadcastOptions) declare(d *pass.Decl) {
	d.Bool(&o.keepEnlarged, "keep-enlarged", false, "Leave what is repeated side by side, as in an image that is enlarged, for passes that make tiles of it")
}

// normalizeOptions are those of the pipeline.
type normalizeOptions struct {
	orderOptions
	broadcastOptions
}

func (o *normalizeOptions) declare(d *pass.Decl) {
	o.orderOptions.declare(d)
	o.broadcastOptions.declare(d)
}

// onFunction is the body of a pass that returns how much it changed.
func onFunction(change func(fn *ir.Op) int) pass.Body[pass.None] {
	return pass.OnFunction(func(c *pass.Context, _ *pass.None, fn *ir.Op) error {
		if change(fn) == 0 {
			c.Unchanged()
		}
		return nil
	})
}

// Pipeline is --normalize-tensors.
var Pipeline = pass.NewPipeline(pass.Info{
	Name:    "normalize-tensors",
	Summary: "Write programs on tensors in the form that bufferization makes the least of",
	Description: "Folds and merges what is equal, drops what nobody needs, computes tensors where they are needed, and makes those again that are cheap to make. So that what " +
		"bufferization makes of a program depends on what it computes, and not on how it is written. Run it right before `one-shot-bufferize`.",
}, (*normalizeOptions).declare, func(m *pass.OpPassManager, o *normalizeOptions) {
	m.AddNested(
		WhilesPass.Instance(),
		FillsPass.Instance(),
		HandedPass.Instance(),
		canonicalize.Pass.With(func(o *canonicalize.Options) { o.LLVM = prepare.FoldsOf }),
		HandedPass.Instance(), // once more, where loops of one iteration are gone
		EmptyPartsPass.Instance(),
		prepare.ReturnsPass.Instance(),    // that of a function that never returns is gone, as nothing reaches it
		prepare.InsertionsPass.Instance(), // once more, where uses are gone that nobody needs
		BroadcastsPass.With(func(b *broadcastOptions) { *b = o.broadcastOptions }),
		AccumulatorsPass.Instance(),
		PartsPass.Instance(),
		MergePass.With(func(m *orderOptions) { *m = o.orderOptions }),
		NarrowPass.Instance(),
		ProducersPass.Instance(), // once cheap tensors have one reader each
	)
})

// Register adds the passes and the pipeline.
func Register(r *pass.Registry) {
	r.Register(InlinePass, WhilesPass, FillsPass, HandedPass, EmptyPartsPass, BroadcastsPass, AccumulatorsPass, SplitPass, NarrowPass, ProducersPass, PartsPass, DuplicatePass, OrderPass, MergePass, Pipeline)
}
