package compile

import (
	"time"

	"freehold/ir"
	"freehold/memory/footprint"
	"freehold/proof/certificate"
	"freehold/proof/check"
	"freehold/transform/memory/schedule"
	"freehold/transform/memory/tile"
)

// Result is what became of a program.
type Result struct {
	// Before is what the program is as it was given, each tensor that is computed counting as an allocation; After what was made of it.
	Before, After footprint.Summary
	// Reference is what the pipeline that MLIR's documents recommend makes of it, to compare with.
	Reference Comparison
	// Deallocation is the way by which frees were inserted, and Others are what other ways that were tried made of the program. It is
	// empty if the passes were chosen by hand.
	Deallocation Deallocation
	Others       []Comparison
	measured     *footprint.Summary // After, if the choice of a way needed it
	// Time is what the passes took.
	Time time.Duration
	// Attempts are the ways that were tried to need no more memory than allowed, in order, if there is a limit.
	Attempts []Attempt
	// Memories are how much is needed of each memory, if there are several.
	Memories []MemoryUse
	// Fitted are the options that fit the program into limited memory, if there is a limit: those of the compiler with what they leave open.
	Fitted Options
	// Arenas are the buffers that have others as parts, Overlaps the errors about parts of them that are alive at the same time and overlap, and about memories of which more is needed than there is.
	Arenas   []*footprint.Arena
	Overlaps []*ir.Diagnostic
	// Check says whether each buffer is freed exactly once and not used afterwards; nil if that wasn't asked for.
	Check *check.Report
	// Certificate is the proof of it, if there is one, and Uncertified says why there is none of a program that is safe. Unverified is
	// the error of the verifier of certificates. What binds the certificate to the program, verify.Digest, isn't in it yet, as the whole program is printed for that.
	Certificate *certificate.Certificate
	Uncertified error
	Unverified  error
	left        left
	orders      schedule.Memo // of operations, which all attempts share
	groups      tile.Memo     // of operations in tiles, which they share as well
	// Runs are the executions, if they were asked for.
	Runs *Runs
	// Overwritten are the tensors among the arguments of public functions that these write to.
	Overwritten []Argument
	// CopiedArguments counts the results of functions that are copies of arguments, and CopiedBytes adds up their sizes.
	CopiedArguments int
	CopiedBytes     footprint.Size
}

// Argument is one of a public function.
type Argument struct {
	Function string `json:"function"`
	Number   int    `json:"argument"`
}

// Wrong tells whether the compiled program computes something else than the program that was given, or does something wrong, or
// whether its proof isn't one.
func (r *Result) Wrong() bool {
	return r.Runs != nil && r.Runs.After != nil && r.Runs.wrong() || len(r.Findings()) > 0 || r.Unverified != nil || len(r.Overlaps) > 0
}

// Findings are what the check has found, without the leaks of buffers that the program, or a step that has warned of it, says
// are freed by other means.
func (r *Result) Findings() []*check.Finding { return r.found(false) }

// Left are the leaks that [Result.Findings] leaves out.
func (r *Result) Left() []*check.Finding { return r.found(true) }

func (r *Result) found(left bool) (out []*check.Finding) {
	if r.Check == nil {
		return nil
	}
	for _, f := range r.Check.Findings {
		if (f.Kind == check.Leak && r.left[madeBy{f.Allocation, f.Result}]) == left {
			out = append(out, f)
		}
	}
	return out
}
