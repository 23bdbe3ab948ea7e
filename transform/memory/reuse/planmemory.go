package reuse

import (
	"time"

	"freehold/ir"
	"freehold/ir/analysis"
	"freehold/memory/footprint"
	"freehold/memory/plan"
)

// ArenaKind says where the memory of an arena comes from.
type ArenaKind string

// The kinds of arenas.
const (
	// ArenaAlloc is allocated and freed by the function that needs it, unless all its
	// callers are known: these bring it then.
	ArenaAlloc ArenaKind = "alloc"
	// ArenaArgument is the last argument of each function that needs one; callers bring it.
	ArenaArgument ArenaKind = "argument"
	// ArenaGlobal is a global of the module. Functions that may be active several times
	// at once allocate theirs.
	ArenaGlobal ArenaKind = "global"
)

// PlanOptions say how [PlanMemory] makes arenas.
type PlanOptions struct {
	Arena ArenaKind
	// Alignment is what the offsets of buffers are multiples of whose allocation asks for
	// none, and that of the arena if no buffer needs more: a power of two, in bytes. Where the peak would get larger by
	// it, or by what allocations ask for, parts lie closer to each other.
	Alignment int64
	Solver    plan.Solver
	// TimeLimit ends the search for a better plan; 0 is never. NodeLimit ends it after about
	// so many steps, whatever the machine.
	TimeLimit time.Duration
	NodeLimit int64
	// Capacity is what an arena must not exceed, in bytes; 0 is no limit.
	Capacity int64
	// Memories are those that there are; none is one without a limit for each memory space. Each buffer goes to one of them, and what is needed in it, arguments and constants aside,
	// keeps within its capacity.
	Memories []Memory
	// Space limits planning to the buffers of a memory space, as it is spelled; "default" is
	// that without a name, and no text is all.
	Space string
	// StackBelow puts buffers of the default space of at most so many bytes on the stack
	// instead.
	StackBelow int64
}

// solve says how a plan is found.
func (o *PlanOptions) solve() plan.Options {
	return plan.Options{Solver: o.Solver, TimeLimit: o.TimeLimit, NodeLimit: o.NodeLimit, Threads: 1}
}

// Arena is what [PlanMemory] did for a memory space of a function.
type Arena struct {
	Function *ir.Op
	// Space is the memory space, or nil.
	Space ir.Attribute
	// Solution is the plan for Problem, whose buffers are those of Parts.
	Problem  *plan.Problem
	Solution *plan.Solution
	// Parts are the values that are views of the arena now.
	Parts []*ir.Value
	// Alignment is that of the arena.
	Alignment int64
	// dynamic is set if sizes are known only when the function begins: Problem and Solution are for sizes that stand in for all, then.
	dynamic *dynamicArena
}

// Planned is what [PlanMemory] did.
type Planned struct {
	Arenas []Arena
	// Promoted is the number of buffers on the stack.
	Promoted int
}

// PlanMemory makes the buffers that functions allocate and free, wherever in
// their control flow, views of one buffer for each memory space, the arena: the
// pass plan-memory. Buffers of static size are at offsets that are numbers. Those whose sizes can be computed when the function begins are at offsets that are
// computed then, and so is the size of the arena. Buffers that are never alive at the same time may share; so do those of which branches of scf.if and
// scf.index_switch each pass on another one. What a function
// calls that all callers are known of, or with [ArenaArgument] any, gets its arena from its
// caller's.
//
// Buffers stay as they are that are returned, whose address leaves what can be seen, that
// are passed to functions that may free them, that several iterations of a loop hold at the
// same time, or that are in bodies whose executions may overlap in time; and a few large ones, or all of a function,
// where its peak would else get larger, since the arena lives longer than what is in it. What stays apart for that may have
// an arena of its own.
//
// The error tells that there is no plan within the capacity. It takes what
// [analysis.Lifetimes] and [plan.Solve] take, for each function once.
func PlanMemory(root *ir.Op, o PlanOptions) (*Planned, error) {
	p := &memoryPlanner{
		options: o, root: root, tables: ir.NewSymbolTables(), before: footprint.Analyze(root),
		freed: map[*ir.Op][]bool{}, needs: map[*ir.Op]*callNeeds{}, known: map[*ir.Op]bool{}, concurrent: map[*ir.Op]bool{},
		callers: map[*ir.Op][]*ir.Op{}, comesBack: map[*ir.Op]bool{}, inGlobals: map[ir.Attribute]int64{}, most: map[ir.Attribute]int64{},
	}
	if root.Has(ir.TraitSymbolTable) {
		p.calls = analysis.NewCallSummaries(root)
		p.findCallers()
	}
	groups := analysis.NewCallGraph(root).BottomUp()
	if len(o.Memories) > 0 {
		p.reserve(groups)
	}
	for _, group := range groups {
		for _, fn := range group {
			if !hasBody(fn) {
				continue
			}
			recursive := p.isRecursive(group)
			p.comesBack[fn] = recursive || p.mayComeBack(fn)
			joinArms(fn, p.calls)
			f := p.function(fn, recursive)
			if err := f.plan(); err != nil {
				return nil, err
			}
		}
	}
	if err := p.checkGlobals(); err != nil {
		return nil, err
	}
	return &p.out, nil
}

// memoryPlanner plans a module, callees first.
type memoryPlanner struct {
	options PlanOptions
	root    *ir.Op
	tables  *ir.SymbolTables
	calls   *analysis.CallSummaries
	before  *footprint.Program
	out     Planned

	callers map[*ir.Op][]*ir.Op // the calls of a function
	known   map[*ir.Op]bool     // functions all of whose callers are known
	// concurrent are functions that are called where executions may overlap.
	concurrent map[*ir.Op]bool
	// comesBack are functions that may be called again while they are active: directly, or by
	// what they call and nobody sees.
	comesBack map[*ir.Op]bool
	freed     map[*ir.Op][]bool     // which arguments functions may free; all, if there is no list
	needs     map[*ir.Op]*callNeeds // of functions that are planned
	// With several memories, by their spaces: inGlobals is what arenas in globals take, and most the most that a function needs beside.
	inGlobals, most map[ir.Attribute]int64
	// reserves is what the callers of a function need of memory spaces themselves.
	reserves map[*ir.Op][]spaceBytes
}

func hasBody(fn *ir.Op) bool { return fn.NumRegions() > 0 && !fn.RegionAt(0).Empty() }
