package compile

import (
	"slices"
	"strings"
)

// Step is one step of the way from tensors to buffers.
type Step struct {
	// Name is how constraints and other steps mean it.
	Name string
	// Passes is what it runs, in the syntax of textual pipelines, without an anchor around it.
	Passes string
	// Why says in a sentence what would be wrong without it.
	Why string
	// in tells for which options it runs; nil stands for all.
	in func(*Options) bool
}

// Constraint says that a step must come before another one, wherever a pipeline has both.
type Constraint struct {
	// First and Then are names of steps.
	First, Then string
	// Why says in a sentence what would be wrong the other way round.
	Why string
}

// Selections of steps.
var (
	byFreehold = func(o *Options) bool { return o.Deallocation != MLIR }
	byMLIR     = with(MLIR)
)

// with returns the selection of steps that belong to one of several ways to insert frees.
func with(ways ...Deallocation) func(*Options) bool {
	return func(o *Options) bool {
		for _, w := range ways {
			if o.Deallocation == w {
				return true
			}
		}
		return false
	}
}

// fitted returns the selection of steps that save memory.
func fitted(by func(f fitting) bool) func(*Options) bool {
	return func(o *Options) bool { return o.Deallocation == Ownership && by(o.fitting) }
}

// steps are those of all pipelines, in the order in which they run. Bufferization stands in it twice, by freehold and as
// MLIR's documents recommend it, and so does canonicalization, which is what makes the next step see plain programs.
var steps = []Step{
	{
		Name: "lower-stablehlo", Passes: "stablehlo-to-linalg", in: byFreehold,
		Why: "StableHLO's operations take whole tensors and have no destinations; in linalg and scf, they say what they may overwrite. Programs without StableHLO are left alone.",
	},
	{
		Name: "structure", Passes: "join-returns,structure-control-flow", in: byFreehold,
		Why: "How much memory a program needs shouldn't depend on whether its loops and conditions are written as such, or as branches between blocks; and functions with several blocks aren't inlined.",
	},
	{
		Name: "mark-identity", Passes: "mark-buffer-identity", in: byFreehold,
		Why: "If the program itself has a buffer, it matters which buffer that is, since everybody who has it sees what is written to it. Of a tensor, only the contents matter.",
	},
	{
		Name: "inline", Passes: "inline-private-functions", in: byFreehold,
		Why: "Buffers of a private function can't share memory with its callers' buffers, and what is passed to it has to be kept until it returns.",
	},
	{
		Name: "prepare", Passes: "prepare-bufferization", in: byFreehold,
		Why: "One-Shot Bufferize refuses functions with several returns, arithmetic on whole tensors and much more; these are rewritten to something that it takes.",
	},
	{
		Name: "normalize", Passes: "normalize-tensors", in: byFreehold,
		Why: "How much memory a program needs should depend on what it computes, not on whether equal tensors were merged or on what was written first.",
	},
	{
		Name: "split-alloc-tensors", Passes: "func.func(hlo-split-alloc-tensors)", in: with(HLO),
		Why: "MLIR-HLO gives each use of an empty tensor a buffer of its own, so that none is used for two things.",
	},
	{
		Name: "mark-writable", Passes: "mark-writable-arguments", in: byFreehold,
		Why: "Whether a function may overwrite its arguments is up to its callers: the program says so, or the user does with `--arguments`.",
	},
	{
		Name: "mark-distinct", Passes: "mark-distinct-arguments", in: with(Ownership),
		Why: "Bufferization assumes that tensor arguments that are written have buffers of their own; passes on buffers know that only if it is marked.",
	},
	{
		Name: "schedule", Passes: "schedule-for-memory",
		in:  func(o *Options) bool { return o.Deallocation == Ownership && !o.KeepOrder && !o.unscheduled },
		Why: "How much is alive at a time depends on the order of the operations, which is changed where that lowers the peak.",
	},
	{
		Name: "split-accumulators", Passes: "split-accumulators", in: fitted(func(f fitting) bool { return f.tiles }),
		Why: "With `--max-memory` only. Loops in a body read all of a tensor at once; a reduction goes through it row by row.",
	},
	{
		Name: "rematerialize", Passes: "rematerialize", in: fitted(func(f fitting) bool { return f.share > 0 && !f.tilesFirst }),
		Why: "With `--max-memory` only. What is kept for a long time can be computed again instead, as far as `--extra-work` allows.",
	},
	{
		Name: "tile", Passes: "tile-for-memory", in: fitted(func(f fitting) bool { return f.tiles }),
		Why: "With `--max-memory` only. Tensors between operations needn't exist as a whole if the operations are computed tile by tile.",
	},
	{
		Name: "tile-again", Passes: "tile-for-memory", in: fitted(func(f fitting) bool { return f.again }),
		Why: "With `--max-memory` only, if tiles don't do. What a step computes can be computed in tiles in turn, such as the elements of a line one after the other.",
	},
	{
		Name: "rematerialize-tiled", Passes: "rematerialize", in: fitted(func(f fitting) bool { return f.share > 0 && f.tilesFirst }),
		Why: "With `--max-memory` only, instead of the one before tiles. What is alive at the peak depends on what is computed in tiles.",
	},
	{
		Name: "fuse-accumulators", Passes: "fuse-accumulators", in: fitted(func(f fitting) bool { return f.tiles }),
		Why: "With `--max-memory` only. Where that isn't computed in tiles, accumulators needn't be an array.",
	},
	{
		Name: "schedule-tiles", Passes: "schedule-for-memory{search-steps=100000}",
		in:  func(o *Options) bool { return o.Deallocation == Ownership && o.fitting != fitting{} && !o.KeepOrder },
		Why: "With `--max-memory` only. The operations that were added have to be put into a good order, too.",
	},
	{
		Name: "bufferize", in: byFreehold,
		Passes: "one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map allow-return-allocs-from-loops " +
			"mlir-version=22 copy-around-regions carry-through-conditions empty-parallel-loops}",
		Why: "Tensors become buffers. Which operations may work in the buffer of an operand is decided for whole functions at once.",
	},
	{
		Name: "fills", Passes: "specialize-fills", in: byFreehold,
		Why: "Padding becomes an operation whose body returns the same number each time; what comes next knows fills by their name.",
	},
	{
		Name: "bufferize-as-mlir", in: byMLIR,
		Passes: "one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map allow-return-allocs-from-loops}",
		Why:    "The same, with what MLIR 19 can do, for comparison.",
	},
	{
		Name: "drop-equivalent", Passes: "drop-equivalent-buffer-results",
		in:  func(o *Options) bool { return o.DropEquivalentResults },
		Why: "A public function that writes to an argument and returns it, such as a cache, would return a copy of it.",
	},
	{
		Name: "drop-equivalent-private", Passes: "drop-equivalent-buffer-results{modify-public-functions=false duplicates}", in: with(Ownership),
		Why: "If a result is always an argument or an earlier result, whoever frees it would have to find that out at run time. All callers of private functions are known, so it can be dropped.",
	},
	{
		Name: "results-to-arguments", Passes: "buffer-results-to-out-params{modify-public-functions hoist-static-allocs keep-unknown}",
		in:  func(o *Options) bool { return o.Results == ResultArguments && o.Deallocation == Ownership },
		Why: "With `--results=arguments` only. Callers that have memory for what a function returns pass it as arguments.",
	},
	{
		Name: "copy-returned-parts-of-arguments", Passes: "copy-returned-parts{arguments}", in: with(Ownership),
		Why: "A caller that gets a part of a buffer can't free it. And a caller may hand the whole buffer over to the function, which then has to free it.",
	},
	{
		Name: "copy-returned-parts", Passes: "copy-returned-parts", in: with(HLO, Clone),
		Why: "A caller that gets a part of a buffer can't free it.",
	},
	{
		Name: "expand-realloc", Passes: "expand-realloc{emit-deallocs=false fold-sizes copy-arguments}", in: with(Ownership, Clone),
		Why: "Whether memref.realloc frees its buffer is known only at run time. As an allocation and a copy it frees nothing, and it makes a new buffer even if it gets one of the caller's.",
	},
	{
		Name: "raise-deallocations", Passes: "raise-deallocations", in: with(Ownership),
		Why: "A program that was compiled stores addresses to compare them when it frees; what is stored seems to be kept.",
	},
	{
		Name: "mark-borrowed", Passes: "mark-borrowed-buffers", in: with(Ownership, Clone),
		Why: "Buffers that may still be reached when a function returns, or that belong to somebody else, must not be freed by anybody who gets them.",
	},
	{
		Name: "mark-borrowed-dynamic", Passes: "mark-borrowed-buffers{dynamic}", in: with(HLO),
		Why: "The same. Who owns a result may be known only at run time; MLIR-HLO's owners tell.",
	},
	{
		Name: "canonicalize-buffers", Passes: "cse,canonicalize", in: with(HLO, Clone),
		Why: "Casts, conversions and equal views that bufferization has left would be further names of buffers, which these passes would have to follow; and a part that is copied to itself is seen only if it has one name.",
	},
	{
		Name: "deallocate-by-ownership", Passes: "complete-buffer-deallocation-pipeline", in: with(Ownership),
		Why: "Every buffer is freed where it is no longer needed, whatever the control flow. If it isn't known who owns it, the program computes that.",
	},
	{
		Name: "deallocate-as-hlo", Passes: "hlo-deallocation-pipeline{replace-deallocs}", in: with(HLO),
		Why: "Every buffer is freed, and used again, as MLIR-HLO does it.",
	},
	{
		Name: "deallocate-by-copies", Passes: "func.func(buffer-hoisting,buffer-loop-hoisting,buffer-deallocation{function-boundaries})", in: with(Clone),
		Why: "Every buffer is freed in the block that allocates it; where control flow meets, buffers are copied for that.",
	},
	{
		Name: "deallocate-as-mlir", Passes: "buffer-deallocation-pipeline", in: byMLIR,
		Why: "Every buffer is freed as MLIR 19 does it.",
	},
	{
		Name: "fold-constant-arguments", Passes: "fold-constant-arguments", in: with(Ownership),
		Why: "If all callers of a private function give a buffer away, or none does, the function needn't ask whether to free it.",
	},
	{
		Name: "exchange-buffers", Passes: "exchange-carried-buffers", in: with(Ownership),
		Why: "If a loop passes a buffer on in another place than it got it, bufferization copies it; instead, the buffers can change places.",
	},
	{
		Name: "mark-distinct-calls", Passes: "mark-distinct-arguments{calls}", in: with(Ownership),
		Why: "If all callers are known to pass different buffers, a function may read and write them in any order.",
	},
	{
		Name: "elide-copies", Passes: "elide-copies", in: with(Ownership),
		Why: "A result that is computed, copied and then freed can be computed right where it is copied to. Where less is needed then, and with `--max-memory`, only the second run of the pass does so if other buffers are allocated meanwhile.",
	},
	{
		Name: "views-for-moves", Passes: "views-for-moves", in: with(Ownership),
		Why: "Data that is moved or transposed only to be read can be read where it is.",
	},
	{
		Name: "reuse-in-place", Passes: "reuse-buffers{static=false}", in: with(Ownership),
		Why: "An operation can overwrite an operand that dies there, and a loop can use the buffer of the iteration before.",
	},
	{
		Name: "elide-more-copies", Passes: "elide-copies", in: with(Ownership),
		Why: "Now that operations overwrite their operands, what is copied may be computed in several steps, all of which can be done right where it is copied to.",
	},
	{
		Name: "free-early", Passes: "free-after-last-use", in: with(Ownership),
		Why: "The steps before have moved uses, so buffers can be freed earlier; where they are freed tells the next step which of them can share memory.",
	},
	{
		Name: "fold-passed-conditions", Passes: "fold-passed-conditions", in: with(Ownership),
		Why: "Who owns a buffer is passed on beside it; a program that has been compiled passes that already, and needs it once.",
	},
	{
		Name: "remove-marks", Passes: "mark-distinct-arguments{remove}", in: with(Ownership),
		Why: "The marks are promises between these steps, and mean nothing to others.",
	},
	{
		Name: "plan-memory", Passes: "plan-memory", in: func(o *Options) bool { return o.Arena != NoArena },
		Why: "Buffers that are never alive together get the same place in one arena.",
	},
	{
		Name: "unmark-borrowed", Passes: "mark-borrowed-buffers{remove owned}", in: with(Ownership, Clone),
		Why: "These marks are promises between steps, too. If a value tells whether a result is a copy, callers free the result in either case; that is noted, so that the program can be compiled again.",
	},
	{
		Name: "unmark-borrowed-dynamic", Passes: "mark-borrowed-buffers{remove}", in: with(HLO),
		Why: "The same marks are removed.",
	},
	{
		Name: "canonicalize", Passes: "canonicalize",
		Why: "Constants that the steps have made are put together, and what nobody uses is removed.",
	},
	{
		Name: "erase-unused-globals", Passes: "erase-unused-globals", in: byFreehold,
		Why: "Constants that nothing reads any more would be stored with the program otherwise.",
	},
}

// constraints are what is known about the order of steps.
var constraints = []Constraint{
	{"lower-stablehlo", "structure", "it makes loops and conditions, too"},
	{"structure", "inline", "functions with several blocks aren't inlined"},
	{"mark-identity", "prepare", "what is on tensors may become a buffer there, of which nobody knows yet"},
	{"mark-identity", "inline", "whose buffer it is that a function gets is known from its signature"},
	{"inline", "normalize", "what functions compute is merged and ordered with what their callers do"},
	{"prepare", "bufferize", "it is there to make programs that bufferization takes"},
	{"prepare", "normalize", "what it makes of operations on tensors is folded, merged and ordered as the rest is"},
	{"normalize", "bufferize", "tensors that are made again get buffers of their own"},
	{"prepare", "mark-writable", "the result that a donated argument is the buffer of is returned in one place"},
	{"normalize", "mark-writable", "what is computed into an argument is found at the return"},
	{"mark-writable", "bufferize", "it decides what is written in place"},
	{"split-alloc-tensors", "bufferize", "afterwards there are no empty tensors"},
	{"bufferize", "fills", "it writes padding as an operation with a body"},
	{"mark-distinct", "bufferize", "what may be marked is decided on tensors"},
	{"prepare", "schedule", "what becomes several operations has an order only then"},
	{"mark-distinct", "schedule", "the order depends on what may be written in place"},
	{"schedule", "rematerialize", "what is alive at the peak depends on the order"},
	{"split-alloc-tensors", "mark-writable", "copies of arguments that something is computed into are made before that"},
	{"schedule", "tile", "tiles are made of operations that follow each other"},
	{"rematerialize", "tile", "what is computed again may be computed in tiles"},
	{"tile", "tile-again", "it makes tiles of steps"},
	{"split-accumulators", "rematerialize", "it looks at what tiles leave"},
	{"split-accumulators", "tile", "loops in bodies aren't divided"},
	{"tile-again", "fuse-accumulators", "what is in tiles stays as it is"},
	{"fuse-accumulators", "schedule-tiles", "the order depends on what arrays there are"},
	{"tile-again", "schedule-tiles", "it orders tiles"},
	{"schedule-tiles", "bufferize", "only tensors are never overwritten"},
	{"tile", "bufferize", "tiles are slices of tensors, which become views"},
	{"schedule", "bufferize", "only tensors are never overwritten, so that data dependences are all that an order has to keep"},
	{"deallocate-by-ownership", "exchange-buffers", "what an iteration frees is its own"},
	{"exchange-buffers", "elide-copies", "it needs the copies as bufferization makes them"},
	{"bufferize", "drop-equivalent", "which buffer is an argument is known once there are buffers"},
	{"bufferize", "drop-equivalent-private", "which buffer is an argument is known once there are buffers"},
	{"bufferize", "copy-returned-parts", "tensors have no parts that share memory"},
	{"bufferize", "copy-returned-parts-of-arguments", "tensors have no parts that share memory"},
	{"drop-equivalent", "drop-equivalent-private", "it takes private functions as well, and leaves only duplicates"},
	{"drop-equivalent-private", "copy-returned-parts-of-arguments", "results that go needn't be copied"},
	{"copy-returned-parts-of-arguments", "deallocate-by-ownership", "only whole buffers can be handed over to who frees them"},
	{"copy-returned-parts", "deallocate-as-hlo", "only whole buffers can be handed over to who frees them"},
	{"copy-returned-parts", "deallocate-by-copies", "only whole buffers can be handed over to who frees them"},
	{"copy-returned-parts-of-arguments", "mark-borrowed", "what is copied is the caller's own"},
	{"copy-returned-parts", "mark-borrowed", "what is copied is the caller's own"},
	{"copy-returned-parts", "mark-borrowed-dynamic", "what is copied is the caller's own"},
	{"expand-realloc", "mark-borrowed", "what is allocated again is another buffer"},
	{"raise-deallocations", "mark-borrowed", "an address that is stored may be kept"},
	{"mark-borrowed", "deallocate-by-ownership", "it says what must not be freed"},
	{"mark-borrowed", "deallocate-by-copies", "it says what must not be freed"},
	{"mark-borrowed-dynamic", "deallocate-as-hlo", "it says what must not be freed"},
	{"plan-memory", "unmark-borrowed", "what is borrowed must stay out of arenas"},
	{"plan-memory", "unmark-borrowed-dynamic", "what is borrowed must stay out of arenas"},
	{"deallocate-by-ownership", "fold-passed-conditions", "who owns a buffer is such a condition"},
	{"exchange-buffers", "fold-passed-conditions", "each buffer that a loop carries has a condition of its own there"},
	{"reuse-in-place", "fold-passed-conditions", "a loop that frees a buffer knows it by its condition"},
	{"deallocate-by-ownership", "fold-constant-arguments", "the conditions under which functions free are its arguments"},
	{"deallocate-by-ownership", "mark-distinct-calls", "what callers allocate and free tells that it is different"},
	{"deallocate-by-ownership", "elide-copies", "it needs the life of each buffer, which frees end"},
	{"deallocate-by-ownership", "views-for-moves", "it needs the life of each buffer, which frees end"},
	{"deallocate-by-ownership", "reuse-in-place", "it needs the life of each buffer, which frees end"},
	{"mark-distinct-calls", "elide-copies", "marks let it move accesses past writes to other arguments"},
	{"elide-copies", "views-for-moves", "a copy that needn't be made is better than one that is read through a view"},
	{"views-for-moves", "reuse-in-place", "a buffer that became a view can't be written over"},
	{"reuse-in-place", "elide-more-copies", "it joins what was computed in several buffers"},
	{"elide-more-copies", "free-early", "it changes what uses a buffer last"},
	{"reuse-in-place", "free-early", "it changes what uses a buffer last"},
	{"free-early", "plan-memory", "the shorter the lives, the more buffers share memory"},
	{"free-early", "remove-marks", "frees move past accesses to other arguments"},
	{"deallocate-by-ownership", "plan-memory", "the life of a buffer is written in the program by its free"},
	{"deallocate-as-hlo", "plan-memory", "the life of a buffer is written in the program by its free"},
	{"deallocate-by-copies", "plan-memory", "the life of a buffer is written in the program by its free"},
	{"plan-memory", "canonicalize", "it makes a constant for each place in the arena"},
	{"canonicalize", "erase-unused-globals", "it drops what reads a constant for nobody"},
}

// Steps returns the steps for the options, in order; if memory is limited, those of what is tried in the end.
func (o Options) Steps() []Step {
	o = o.withDefaults()
	if o.MaxMemory != 0 && o.fitting == (fitting{}) {
		o.fitting = fitting{tiles: true, again: true, share: o.ExtraWork}
	}
	var out []Step
	for _, s := range steps {
		if s.in == nil || s.in(&o) {
			switch {
			case s.Name == "plan-memory":
				s.Passes += o.arenaOptions()
			case s.Name == "lower-stablehlo" && o.fitting.tiles:
				s.Passes += "{whole-padding}"
			case s.Name == "normalize":
				s.Passes += o.normalizing()
			case s.Passes == "tile-for-memory":
				s.Passes += o.fitting.tiling(s.Name == "tile-again")
			case s.Passes == "rematerialize":
				s.Passes += o.fitting.rematerializing()
			case s.Name == "elide-copies" && (o.near || o.fitting != fitting{} && !o.fitting.early):
				s.Passes += "{near}"
			case s.Name == "mark-writable" && o.Arguments == KeepArguments:
				s.Passes += "{keep}"
			}
			out = append(out, s)
		}
	}
	return out
}

// normalizing returns the options of the pass that normalizes tensors, with braces around them if there are any.
func (o *Options) normalizing() string {
	var options []string
	if o.KeepOrder {
		options = append(options, "keep-order")
	}
	if o.fitting.tiles {
		options = append(options, "keep-enlarged")
	}
	if len(options) == 0 {
		return ""
	}
	return "{" + strings.Join(options, " ") + "}"
}

// splitSteps returns the steps that are the same for all ways to insert frees and to save memory, which a program goes through once, and those after them.
func (o Options) splitSteps() (shared, own []Step) {
	all := o.Steps()
	n := 1 + slices.IndexFunc(all, func(s Step) bool { return s.Name == "normalize" })
	return all[:n], all[n:]
}

// Constraints returns what is known about the order of the steps of all pipelines.
func Constraints() []Constraint { return append([]Constraint(nil), constraints...) }

// pipeline returns the textual pipeline of steps.
func pipeline(steps []Step) string {
	passes := make([]string, len(steps))
	for i, s := range steps {
		passes[i] = s.Passes
	}
	return "builtin.module(" + strings.Join(passes, ",") + ")"
}
