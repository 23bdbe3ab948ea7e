package compile

import (
	"cmp"
	"fmt"
	"strings"

	"freehold/transform/memory/reuse"
)

// Deallocation is a way to insert frees.
type Deallocation string

// The ways to insert frees. The empty one is Ownership for steps, and lets a [Compiler] take the one that makes the most of the program.
const (
	// Ownership frees by who owns a buffer, which is a value of the program where it isn't known, and is what
	// freehold recommends.
	Ownership Deallocation = "ownership"
	// HLO frees and reuses as MLIR-HLO does.
	HLO Deallocation = "hlo"
	// Clone copies where control flow meets, so that each block frees what it allocates.
	Clone Deallocation = "clone"
	// MLIR is the pipeline that MLIR's documents recommend, with nothing of freehold's own: to compare with.
	MLIR Deallocation = "mlir"
)

// Deallocations returns all ways to insert frees, the recommended one first.
func Deallocations() []Deallocation { return []Deallocation{Ownership, HLO, Clone, MLIR} }

// Arena is where the memory of arenas comes from.
type Arena string

// The places that arenas can be in. The empty one is AllocatedArena.
const (
	AllocatedArena Arena = "alloc"
	ArgumentArena  Arena = "argument"
	GlobalArena    Arena = "global"
	// NoArena keeps every buffer apart.
	NoArena Arena = "none"
)

// Arenas returns all values of Arena.
func Arenas() []Arena { return []Arena{AllocatedArena, ArgumentArena, GlobalArena, NoArena} }

// Arguments is what functions that others may call do with tensors that they are given.
type Arguments string

// What may be done with arguments of which the program doesn't say it. The empty one is KeepArguments.
const (
	// KeepArguments leaves them as they are: who calls a function doesn't expect what it passes to be gone.
	KeepArguments Arguments = "keep"
	// OverwriteArguments works in their buffers where that spares memory.
	OverwriteArguments Arguments = "overwrite"
)

// Results is where the results of functions go.
type Results string

// Where results go. The empty one is ReturnedResults.
const (
	ReturnedResults Results = "return"
	// ResultArguments are written to buffers that callers pass as further arguments.
	ResultArguments Results = "arguments"
)

// Options choose among the steps.
type Options struct {
	// Deallocation is how frees are inserted; empty, a [Compiler] takes the best.
	Deallocation Deallocation
	// Arena is where the memory of arenas comes from.
	Arena Arena
	// StackBelow puts buffers of known size of at most so many bytes on the stack.
	StackBelow int
	// Arguments is what functions that others may call do with tensors that they are given, unless the program says it.
	Arguments Arguments
	// Results is where the results of functions go.
	Results Results
	// Memories are those that there are, of which each buffer goes to one, the first that has room of those that cost least; none is one without a limit for each memory space.
	// The program is refused if it needs more.
	Memories []Memory
	// KeepOrder leaves operations in the order in which they are written.
	KeepOrder bool
	// MaxMemory is how many bytes buffers may need at a time, beside arguments and constants: what is needed for that is computed in tiles, and again. 0 is no
	// limit, LeastMemory as little as possible.
	MaxMemory int64
	// ExtraWork is how many operations on numbers may be executed again for that, as a share of those of the program.
	ExtraWork float64
	// fitting is how memory is saved; of the zero value, by order alone.
	fitting fitting
	// unscheduled leaves out the step that orders operations for memory alone.
	unscheduled bool
	// near leaves copies for later for which buffers would be there earlier.
	near bool
	// DropEquivalentResults lets functions return no arguments of theirs.
	DropEquivalentResults bool
}

// LeastMemory stands for as little memory as possible.
const LeastMemory int64 = -1

func (o Options) withDefaults() Options {
	o.Deallocation = cmp.Or(o.Deallocation, Ownership)
	o.Arena = cmp.Or(o.Arena, AllocatedArena)
	o.Arguments = cmp.Or(o.Arguments, KeepArguments)
	o.Results = cmp.Or(o.Results, ReturnedResults)
	if o.Deallocation == MLIR {
		o.Arena = NoArena
	}
	return o
}

// arenaOptions returns the options of the pass that makes arenas, with braces around them if there are any.
func (o Options) arenaOptions() string {
	var out []string
	if o.Arena != AllocatedArena {
		out = append(out, "arena="+string(o.Arena))
	}
	if o.StackBelow > 0 {
		out = append(out, fmt.Sprintf("stack-below=%d", o.StackBelow))
	}
	if len(o.Memories) > 0 {
		out = append(out, "memories="+reuse.MemoryOption(o.Memories))
	}
	if len(out) == 0 {
		return ""
	}
	return "{" + strings.Join(out, " ") + "}"
}

// Pipeline returns the textual pipeline of the options' steps.
func (o Options) Pipeline() string { return pipeline(o.Steps()) }

// Bufferization returns the textual pipeline of the recommended steps up to where tensors have become buffers.
func Bufferization() string {
	return pipeline(selected("lower-stablehlo", "prepare", "bufferize"))
}

// selected returns the steps of these names, in their order.
func selected(names ...string) []Step {
	var out []Step
	for _, s := range steps {
		for _, n := range names {
			if s.Name == n {
				out = append(out, s)
			}
		}
	}
	return out
}
