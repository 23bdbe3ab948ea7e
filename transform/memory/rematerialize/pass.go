package rematerialize

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"sync/atomic"

	"freehold/ir"
	"freehold/memory/footprint"
	"freehold/pass"
)

// options are those of the pass as they are written, and what it counts.
type options struct {
	extraWork  string
	limit      int
	tiled      bool
	report     bool
	operations pass.Counter
	extra      atomic.Uint64
}

// Extra returns what the pass has computed again, at this place of a pipeline, as a share of the program's work.
func (p *options) Extra() float64 { return math.Float64frombits(p.extra.Load()) }

func (p *options) declare(d *pass.Decl) {
	d.String(&p.extraWork, "extra-work", "10%", "How many operations on numbers may be executed again, as a share of those of the program: `10%` or `0.1`")
	d.Int(&p.limit, "limit", 0, "Compute no more again than is needed for a block to need at most so many bytes; 0 is as little as possible")
	d.Bool(&p.tiled, "tiled", false, "Look at what is alive if operations are computed in tiles, as --tile-for-memory does")
	d.Bool(&p.report, "report", false, "Print to the error stream what was done in each block")
	d.Check(func() error {
		_, err := ParseShare(p.extraWork)
		return err
	})
	d.Counter(&p.operations, "num-operations", "operations that are executed again")
}

// ParseShare reads a share of something: a percentage, or a number.
func ParseShare(text string) (float64, error) {
	number, percent := strings.CutSuffix(text, "%")
	x, err := strconv.ParseFloat(number, 64)
	if err != nil || !(x >= 0) || x > 1e6 {
		return 0, fmt.Errorf("%q is no share of the work, such as 10%% or 0.1", text)
	}
	if percent {
		x /= 100
	}
	return x, nil
}

// Pass is --rematerialize.
var Pass = pass.New(pass.Info{
	Name: "rematerialize", Title: "Rematerialize",
	Summary: "Compute tensors again that would be kept for long, where that lowers the peak",
	Description: `Looks at what is alive at the peak of each block and isn't used there. What lowers the peak the most for the operations on numbers that it takes is freed
before, and computed again right before its next use, with what it is computed from, if that isn't alive; then the same for the peak that there is then,
as long as the extra work keeps within a share of the program's. Operations that have effects, call functions or draw random numbers are never executed again, so that results stay the
same bit for bit. With tiled, the peak is that which --tile-for-memory leaves, which should run next, and what groups of operations read by rows there may be computed again for those rows. What costs nothing to make again has been duplicated by --duplicate-cheap-tensors before. Run it on ordered operations, right before bufferization. This pass is freehold's own.`,
}, (*options).declare, pass.OnModule(func(c *pass.Context, p *options, op *ir.Op) error {
	share, err := ParseShare(p.extraWork)
	if err != nil {
		return op.PlainErrorf("%v", err)
	}
	result, err := Run(op, Options{ExtraWork: share, Limit: int64(p.limit), Tiled: p.tiled})
	if err != nil {
		return err
	}
	p.extra.Store(math.Float64bits(float64(result.Extra) / float64(max(result.Work, 1))))
	for _, b := range result.Blocks {
		p.operations.Add(b.Again)
	}
	if p.report {
		c.Print([]byte(result.report()))
	}
	if len(result.Blocks) == 0 {
		c.Unchanged()
	}
	return nil
}))

// report says what was done in each block, and what it costs.
func (r *Result) report() string {
	var b strings.Builder
	for i := range r.Blocks {
		x := &r.Blocks[i]
		owner := x.ParentOp()
		name, _ := ir.SymbolName(owner)
		if name != "" {
			name = " @" + name
		}
		fmt.Fprintf(&b, "%s%s: %s, was %s; %d operations are executed again\n", owner.Name(), name, footprint.Bytes(x.After), footprint.Bytes(x.Before), x.Again)
	}
	if len(r.Blocks) > 0 {
		fmt.Fprintf(&b, "extra work: %d operations on numbers, %.2f%% of %d\n", r.Extra, 100*float64(r.Extra)/float64(max(r.Work, 1)), r.Work)
	}
	return b.String()
}

// Register adds the pass.
func Register(r *pass.Registry) { r.Register(Pass) }
