package schedule

import (
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"freehold/ir"
	"freehold/memory/footprint"
	"freehold/pass"
)

// options are those of the pass as they are written, and what it counts.
type options struct {
	limit           string
	steps           int
	report          bool
	moved           pass.Counter
	blocks, optimal pass.Counter
	reordered       atomic.Bool
	memo            *Memo
}

// Remember lets the pass, at this place of a pipeline, take orders that were found in another copy of the program, and keep those that it finds.
func (p *options) Remember(m *Memo) { p.memo = m }

// Reordered tells whether the pass has changed the order of any block, at this place of a pipeline.
func (p *options) Reordered() bool { return p.reordered.Load() }

func (p *options) declare(d *pass.Decl) {
	d.String(&p.limit, "time-limit", "", "End the search for a better order of a block after this time, such as `5s`; then orders may differ from run to run")
	d.Int(&p.steps, "search-steps", 2000000, "End the search for a better order of a block after about so many steps; 0 is never")
	d.Bool(&p.report, "report", false, "Print to the error stream what was found for each block")
	d.Check(func() error {
		_, err := p.options()
		return err
	})
	d.Counter(&p.moved, "num-moved", "operations that follow another one than before")
	d.Counter(&p.blocks, "num-blocks", "blocks that need memory")
	d.Counter(&p.optimal, "num-optimal", "blocks whose order is proved to be the best")
}

func (p *options) options() (o Options, err error) {
	if p.steps < 0 {
		return o, fmt.Errorf("search-steps can't be below zero")
	}
	o.StepLimit, o.Memo = int64(p.steps), p.memo
	if p.limit != "" {
		if o.TimeLimit, err = time.ParseDuration(p.limit); err != nil || o.TimeLimit <= 0 {
			return o, fmt.Errorf("the time limit %q is no time above zero, such as 500ms", p.limit)
		}
	}
	return o, nil
}

// Pass is --schedule-for-memory.
var Pass = pass.New(pass.Info{
	Name: "schedule-for-memory", Title: "ScheduleForMemory",
	Summary: "Put operations on tensors into the order that needs the least memory",
	Description: `Reorders the operations of each block so that the peak gets smaller that bufferization will make of it: results take the place of
operands that die, views take none, arguments and constants none of the block's. Data dependences and the order of effects stay,
and an operation with regions, such as a loop, moves as a whole; its own blocks are ordered before. The order is proved to be the best where the search through all sets of operations that can be
done at a time ends, else it is the best that was found. A block in which nothing is gained stays as it is. Tensors of unknown sizes count as if each unknown size were 128. Run it right before bufferization.
This pass is freehold's own.`,
}, (*options).declare, pass.OnModule(func(c *pass.Context, p *options, op *ir.Op) error {
	o, err := p.options()
	if err != nil {
		return op.PlainErrorf("%v", err)
	}
	results, err := Run(op, o)
	if err != nil {
		return err
	}
	moved := 0
	for i := range results {
		r := &results[i]
		moved += r.Moved
		p.blocks.Add(1)
		if r.After == r.Bound {
			p.optimal.Add(1)
		}
	}
	p.moved.Add(moved)
	if p.report {
		c.Print([]byte(report(results)))
	}
	if moved == 0 {
		c.Unchanged()
	} else {
		p.reordered.Store(true)
	}
	return nil
}))

// report says what was found for each block.
func report(results []Result) string {
	var b strings.Builder
	for i := range results {
		r := &results[i]
		owner := r.Block.ParentOp()
		name, _ := ir.SymbolName(owner)
		if name != "" {
			name = " @" + name
		}
		fmt.Fprintf(&b, "%s%s: %s, was %s; ", owner.Name(), name, footprint.Bytes(r.After), footprint.Bytes(r.Before))
		if r.After == r.Bound {
			b.WriteString("optimal\n")
		} else {
			fmt.Fprintf(&b, "no order is below %s\n", footprint.Bytes(r.Bound))
		}
	}
	return b.String()
}

// Register adds the pass.
func Register(r *pass.Registry) { r.Register(Pass) }
