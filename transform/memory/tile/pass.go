package tile

import (
	"fmt"
	"strings"
	"sync/atomic"

	"freehold/ir"
	"freehold/memory/footprint"
	"freehold/pass"
)

// options are those of the pass as they are written, and what it counts.
type options struct {
	limit, search int
	margin        int
	report        bool
	groups, tiled pass.Counter
	after         atomic.Int64
	memo          *Memo
	same          *Limits
}

// Remember lets the pass, at this place of a pipeline, take groups that were chosen in another copy of the program, and keep those that it chooses.
func (p *options) Remember(m *Memo) { p.memo = m }

// Narrow lets the pass, at this place of a pipeline, narrow limits to those for which it would have done the same.
func (p *options) Narrow(l *Limits) { p.same = l }

// After returns what the blocks in which something was computed in tiles, at this place of a pipeline, need at most, as far as can be estimated.
func (p *options) After() int64 { return p.after.Load() }

func (p *options) declare(d *pass.Decl) {
	d.Int(&p.limit, "limit", 0, "Compute no more in tiles than is needed for a block to need at most so many bytes; 0 is as little as possible")
	d.Int(&p.search, "search", DefaultSearch, "How many operations there may be from the first one of a group to the last, times those of the block, where these are many")
	d.Int(&p.margin, "margin", 0, "By how many percent of the peak most places should be below it, in tiles where that takes them, since what is needed is an estimate")
	d.Bool(&p.report, "report", false, "Print to the error stream what was done in each block")
	d.Counter(&p.groups, "num-groups", "groups of operations that are computed tile by tile")
	d.Counter(&p.tiled, "num-tiled", "operations in them")
}

// Pass is --tile-for-memory.
var Pass = pass.New(pass.Info{
	Name: "tile-for-memory", Title: "TileForMemory",
	Summary: "Compute chains of operations on tensors tile by tile, where that lowers the peak",
	Description: `Computes groups of operations some rows of their result at a time, so that what is between them exists for a few rows only. Rows are the slices along
one dimension; it may be any in which each operation of the group can compute a row alone: convolutions and pools with their padding, operations on elements, products of matrices and attention
over rows that are kept, broadcasts, transpositions, concatenation and slices of other dimensions, reshapes. A reduction of rows adds them up in the same order, and others aren't divided, so that
results stay the same bit for bit; and no row is computed twice: rows that the next tile needs as well, such as those under the border of a convolution, are
kept. Steps in the middle become a loop, and results are put together in place.
Groups are ranges of the order of a block, chosen so that its peak gets as low as possible, or as the limit asks for, with as few operations in groups as that takes; tiles are as large as the peak allows.
Where it isn't known how many rows there are, each operation must make a row of the rows with the same number, and a loop goes through as many as there are; sizes that aren't known count as 128. Run it on ordered operations, right before bufferization. This pass is freehold's own.`,
}, (*options).declare, pass.OnModule(func(c *pass.Context, p *options, op *ir.Op) error {
	results, err := Run(op, Options{Limit: int64(p.limit), Search: p.search, Margin: p.margin, Memo: p.memo, Same: p.same})
	if err != nil {
		return err
	}
	var after int64
	for _, r := range results {
		after = max(after, r.After)
		p.groups.Add(r.Groups)
		p.tiled.Add(r.Operations)
	}
	p.after.Store(after)
	if p.report {
		c.Print([]byte(report(results)))
	}
	if len(results) == 0 {
		c.Unchanged()
	}
	return nil
}))

// report says what was done in each block.
func report(results []Result) string {
	var b strings.Builder
	for i := range results {
		r := &results[i]
		owner := r.Block.ParentOp()
		name, _ := ir.SymbolName(owner)
		if name != "" {
			name = " @" + name
		}
		fmt.Fprintf(&b, "%s%s: %s, was %s; %d operations in %d groups\n", owner.Name(), name, footprint.Bytes(r.After), footprint.Bytes(r.Before), r.Operations, r.Groups)
	}
	return b.String()
}

// Register adds the pass.
func Register(r *pass.Registry) { r.Register(Pass) }
