package explain

import "freehold/transform/bufferize/oneshot"

// Cause is the rule by which there is a copy or an allocation. Where the analysis of
// bufferization decided, it is the name of its rule ([oneshot.Rule.String]).
type Cause string

// The causes beside the rules of the analysis.
const (
	// Layout: a function, or what a block passes on, needs a buffer with another layout.
	Layout Cause = "layout"
	// Result: the operation makes its result in a new buffer.
	Result Cause = "result of an operation"
	// Moves: copying is what the operation does.
	Moves Cause = "moves data"
	// Given: it stands in the program.
	Given Cause = "written in the program"
	// Ownership: what is returned or passed on must be freed by whoever gets it, and so must be
	// a buffer of its own.
	Ownership Cause = "ownership"
	// Shared: a tensor is made of a buffer that others may write, so it is a copy.
	Shared Cause = "shared buffer"
	// LaterPass: a pass after bufferization made it, such as one that makes buffers owned.
	LaterPass Cause = "made by a pass"
)

// Meaning says in a sentence what the cause is, for somebody who doesn't know
// bufferization.
func (c Cause) Meaning() string { return meanings[c] }

var meanings = map[Cause]string{
	ruleCause(oneshot.ReadAfterWrite):   "the old contents are still read after the write that would destroy them",
	ruleCause(oneshot.OutOfOrder):       "the old contents are read again in a later iteration of a loop, after the write",
	ruleCause(oneshot.Parallel):         "each thread of a parallel loop would write the same buffer",
	ruleCause(oneshot.Constant):         "a constant would be overwritten",
	ruleCause(oneshot.ReadOnlyArgument): "an argument that may not be written would be overwritten",
	ruleCause(oneshot.ReadOnlyBuffer):   "a buffer that may not be written would be overwritten",
	ruleCause(oneshot.ReadOnlyResult):   "the result of a call would be overwritten, which may be a constant",
	ruleCause(oneshot.UnknownOp):        "the buffer comes from an operation that nothing is known about",
	ruleCause(oneshot.PassedOn):         "a loop would pass on one buffer under two names",
	ruleCause(oneshot.NotAnalyzed):      "nothing was analyzed: every buffer is copied before it is written",
	ruleCause(oneshot.UserForced):       "the plan was told to copy",
	Layout:                              "a buffer is needed with another layout in memory",
	Result:                              "an operation makes its result in a new buffer",
	Moves:                               "an operation moves data from one place to another",
	Given:                               "it stands in the program",
	Ownership:                           "a buffer is returned or passed on that belongs to somebody else",
	Shared:                              "a tensor is made of a buffer that others may write",
	LaterPass:                           "a pass after bufferization needs a buffer of its own",
}

func ruleCause(r oneshot.Rule) Cause { return Cause(r.String()) }
