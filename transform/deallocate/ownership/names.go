package ownership

import (
	"slices"

	"freehold/ir"
	"freehold/ir/analysis"
)

// freeNames are the buffers that a block may have to free, where it was asked which of them another one may be.
type freeNames struct {
	table  *analysis.AliasTable
	values []*ir.Value // by number in the table; nil if it isn't the block's to free any more
	at     map[*ir.Value]int
	known  int // of the block's list, how many are in the table
}

// freeNames returns those of a block.
func (d *deallocation) freeNames(b *ir.Block) *freeNames {
	n := d.names[b]
	if n == nil {
		n = &freeNames{table: d.buffers.NewAliasTable(), at: map[*ir.Value]int{}}
		d.names[b] = n
	}
	for _, v := range d.free[b][n.known:] {
		n.at[v] = len(n.values)
		n.values = append(n.values, v)
		n.table.Add(d.original(v))
	}
	n.known = len(d.free[b])
	return n
}

// mayFree makes the block responsible for freeing v if it owns it.
func (d *deallocation) mayFree(v *ir.Value, b *ir.Block) { d.free[b] = append(d.free[b], v) }

// freesNoMore takes number i off the list of what a block may have to free.
func (d *deallocation) freesNoMore(b *ir.Block, i int) {
	if n := d.names[b]; n != nil && i < n.known {
		n.known--
		v := d.free[b][i]
		n.values[n.at[v]] = nil
		delete(n.at, v)
	}
	d.free[b] = slices.Delete(d.free[b], i, i+1)
}

// freesNothing empties the list of what a block may have to free.
func (d *deallocation) freesNothing(b *ir.Block) {
	d.free[b] = d.free[b][:0]
	delete(d.names, b)
}
