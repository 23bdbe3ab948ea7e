// Package cse eliminates common subexpressions.
package cse

import (
	"slices"

	"freehold/internal/slab"
	"freehold/ir"
	"freehold/ir/interfaces"
)

// Stats counts what a run did.
type Stats struct {
	// CSE is the number of operations that were replaced by an equivalent one, DCE
	// that of dead operations that were erased.
	CSE, DCE int
}

// Run replaces, in op's regions, operations by equivalent ones that dominate
// them. Operations that read memory are replaced by one in the same block if
// nothing writes in between; operations with other effects stay. Operations that
// were dead before are erased. Near-linear time.
func Run(op *ir.Op) Stats {
	w := worker{arena: new(ir.Arena)}
	return w.run(op, ir.NewDominance())
}

// Parts lists the operations on each of which [Run] can be called instead of on op.
func Parts(op *ir.Op) []*ir.Op {
	return ir.Divide(op, func(o *ir.Op) bool {
		return (o.NumRegions() == 0 || separate(o)) && !interfaces.IsTriviallyDead(o) && !interfaces.IsMemoryEffectFree(o) && !onlyReads(o)
	})
}

// worker simplifies one operation after another.
type worker struct {
	arena *ir.Arena
	known *table
}

// run is [Run] with what is known of the dominance in op, which stays right.
func (w *worker) run(op *ir.Op, dom *ir.Dominance) Stats {
	if w.known == nil {
		w.known = newTable()
	}
	w.known.graph = hasGraphs(op)
	d := driver{dom: dom, arena: w.arena}
	for _, r := range op.Regions() {
		d.region(w.known, r)
	}
	d.erase()
	return d.stats
}

// hasGraphs tells whether, in a region of an operation, values may be used before they are defined.
func hasGraphs(op *ir.Op) bool {
	return slices.ContainsFunc(op.Regions(), func(r *ir.Region) bool { return !ir.HasSSADominance(r) })
}

// separate tells whether what is in an operation's regions has nothing to do with
// what is around it.
func separate(op *ir.Op) bool {
	return op.Registered() && op.Has(ir.TraitIsolatedFromAbove) && !op.Has(ir.TraitRecursiveMemoryEffects)
}

type driver struct {
	dom   *ir.Dominance
	arena *ir.Arena
	dead  []*ir.Op
	stats Stats
}

func (d *driver) erase() {
	for _, dead := range d.dead {
		d.arena.Erase(dead)
	}
	d.dead = d.dead[:0]
}

// region simplifies a region and returns whether something in it may write.
func (d *driver) region(known *table, r *ir.Region) (writes bool) {
	switch {
	case r.Empty():
		return false
	case r.NumBlocks() == 1:
		mark := known.mark()
		writes = d.block(known, r.Entry(), ir.HasSSADominance(r))
		known.release(mark)
		return writes
	case !ir.HasSSADominance(r):
		return true
	}
	// Values that a block defines are known in the blocks that it dominates.
	var marks []int
	d.dom.Tree(r).Walk(func(b *ir.Block) {
		marks = append(marks, known.mark())
		writes = d.block(known, b, true) || writes
	}, func(*ir.Block) {
		known.release(marks[len(marks)-1])
		marks = marks[:len(marks)-1]
	})
	return writes
}

// block simplifies a block. Reads are the same as long as the epoch is, the
// number of operations so far that may write.
func (d *driver) block(known *table, b *ir.Block, ssa bool) (writes bool) {
	epoch := 0
	for op := b.First(); op != nil; op = op.Next() {
		nested := false
		if op.NumRegions() > 0 {
			in := known
			if !op.Registered() || op.Has(ir.TraitIsolatedFromAbove) {
				in = newTable()
				in.graph = hasGraphs(op)
			}
			for _, r := range op.Regions() {
				nested = d.region(in, r) || nested
			}
		}
		d.op(known, op, epoch, ssa)
		if mayWrite(op, nested) {
			epoch++
		}
	}
	return epoch > 0
}

// mayWrite tells whether op may write memory; nested tells it of its regions.
func mayWrite(op *ir.Op, nested bool) bool {
	effects, ok := interfaces.EffectsOf(op)
	if !ok {
		return true
	}
	for _, e := range effects {
		if e.Kind == interfaces.Write {
			return true
		}
	}
	return nested && op.Has(ir.TraitRecursiveMemoryEffects)
}

func (d *driver) op(known *table, op *ir.Op, epoch int, ssa bool) {
	if op.Has(ir.TraitTerminator) {
		return
	}
	if interfaces.IsTriviallyDead(op) {
		d.dead = append(d.dead, op)
		d.stats.DCE++
		return
	}
	for _, r := range op.Regions() {
		if r.NumBlocks() > 1 {
			return
		}
	}
	if m, ok := interfaces.OneOfEquals.Of(op); ok && m(op) {
		return
	}
	if p := op.Parent(); p != nil && interfaces.IsMasking(p) {
		return // it does less than an equal one without the mask
	}
	hash := known.hash(op)
	if interfaces.IsMemoryEffectFree(op) {
		if e := known.lookup(op, hash); e != nil && (e.op.Parent() == op.Parent() || !interfaces.IterationIndex.Has(op)) {
			d.replace(known, op, e.op, ssa)
			return
		}
	} else {
		if !onlyReads(op) {
			return
		}
		if e := known.lookup(op, hash); e != nil && e.op.Block() == op.Block() && e.epoch == epoch {
			d.replace(known, op, e.op, ssa)
			return
		}
	}
	known.insert(op, hash, epoch)
}

func onlyReads(op *ir.Op) bool {
	m, ok := interfaces.MemoryEffects.Of(op)
	if !ok {
		return false
	}
	effects := m(op)
	for _, e := range effects {
		if e.Kind != interfaces.Read {
			return false
		}
	}
	return len(effects) > 0
}

// replace replaces the uses of op by those of an equivalent operation.
func (d *driver) replace(known *table, op, by *ir.Op, ssa bool) {
	d.stats.CSE++
	if by.Loc() == ir.Location(ir.Unknown) {
		by.SetLoc(op.Loc())
	}
	if ssa {
		op.ReplaceAllUsesWith(by.Results().Values())
		d.dead = append(d.dead, op)
		return
	}
	// Uses that were visited before are in the table with op as operand, and must
	// stay as they are.
	for i := range op.NumResults() {
		op.Result(i).ReplaceUsesIf(by.Result(i), func(u *ir.Use) bool {
			return known.lookup(u.Owner(), known.hash(u.Owner())) == nil
		})
	}
	if !op.HasUses() {
		d.dead = append(d.dead, op)
	}
}

// table is a hash table of operations with scopes: release forgets what was
// inserted since mark.
type table struct {
	entries slab.List[entry] // in the order of insertion
	// heads holds, by the low bits of hashes, the number plus one of the entry that was
	// inserted last; 0 if there is none. The length is a power of two.
	heads []int32
	// graph tells that blocks of operations in the table may get to use other values, as they use some before these are looked at.
	graph bool
}

type entry struct {
	op    *ir.Op
	hash  uint64
	epoch int
	next  int32 // like heads
}

func newTable() *table { return &table{heads: make([]int32, 64)} }

// hash returns the hash by which an operation is found.
func (t *table) hash(op *ir.Op) uint64 {
	h := ir.OpHash(op)
	if !t.graph && op.NumRegions() > 0 {
		h += ir.CaptureHash(op)
	}
	return h
}

func (t *table) mark() int { return t.entries.Len() }

func (t *table) release(mark int) {
	for t.entries.Len() > mark {
		e := t.entries.Pop()
		*t.head(e.hash) = e.next
	}
}

func (t *table) head(hash uint64) *int32 { return &t.heads[hash&uint64(len(t.heads)-1)] }

func (t *table) insert(op *ir.Op, hash uint64, epoch int) {
	if t.entries.Len() == len(t.heads) {
		t.heads = make([]int32, 4*len(t.heads))
		for i := range t.entries.Len() {
			t.link(i)
		}
	}
	t.entries.Append(entry{op: op, hash: hash, epoch: epoch})
	t.link(t.entries.Len() - 1)
}

func (t *table) link(i int) {
	e := t.entries.At(i)
	h := t.head(e.hash)
	e.next = *h
	*h = int32(i + 1)
}

// lookup returns the entry that was inserted last with an operation equivalent to
// op. It is valid until the next insertion.
func (t *table) lookup(op *ir.Op, hash uint64) *entry {
	for i := *t.head(hash); i != 0; {
		e := t.entries.At(int(i - 1))
		if e.hash == hash && ir.EquivalentOps(e.op, op) {
			return e
		}
		i = e.next
	}
	return nil
}
