package campaign

import (
	"encoding/binary"
	"fmt"
	"hash"
	"hash/fnv"
	"slices"
	"strings"

	"freehold/ir"
	"freehold/ir/interfaces"
)

// difference tells what the first program has that the second one has not, or the other
// way round; empty if they are the same but for names and, in a block, the order of pure
// operations. Terminators and other operations with effects keep their order.
func difference(a, b *ir.Op) string {
	if d := effectDifference(a, b); d != "" {
		return d
	}
	x, y := newFingerprint(a), newFingerprint(b)
	switch {
	case x.whole != y.whole:
		return "operations with the same effects, otherwise"
	case x.pure != y.pure:
		return "pure operations"
	case x.places != y.places:
		return "places of pure operations"
	}
	return ""
}

// effectDifference tells of which operations with effects the first program has more
// than the second one, or fewer; empty if of none.
func effectDifference(a, b *ir.Op) string {
	counts := map[string]int{}
	count := func(m *ir.Op, n int) {
		m.Walk(func(op *ir.Op) bool {
			if !interfaces.IsPure(op) {
				counts[op.Name()] += n
			}
			return true
		})
	}
	count(a, 1)
	count(b, -1)
	var list []string
	for name, n := range counts {
		if n != 0 {
			list = append(list, fmt.Sprintf("%+d %s", n, name))
		}
	}
	slices.Sort(list)
	return strings.Join(list, ", ")
}

// fingerprint is a hash of a program without names: of all but pure operations that
// nothing with effects needs, of all pure operations, and of the blocks that these are in.
type fingerprint struct{ whole, pure, places uint64 }

func newFingerprint(m *ir.Op) fingerprint {
	f := fingerprinter{values: map[*ir.Value]uint64{}}
	f.whole = f.op(m, 0)
	return f.fingerprint
}

// fingerprinter hashes values as what computes them.
type fingerprinter struct {
	fingerprint
	values map[*ir.Value]uint64
	// blocks counts blocks, so that their arguments differ.
	blocks uint64
}

func put(h hash.Hash64, n uint64) {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], n)
	h.Write(b[:])
}

// op hashes an operation and gives its results their hashes. place tells operations with
// effects apart.
func (f *fingerprinter) op(op *ir.Op, place uint64) uint64 {
	h := fnv.New64a()
	put(h, place)
	fmt.Fprintf(h, "%s ", op.Name())
	for _, a := range op.AllAttrs() {
		fmt.Fprintf(h, "%s=%v ", a.Name, a.Value)
	}
	for i := range op.NumOperands() {
		put(h, f.values[op.Operand(i)]) // 0 for what is defined in a later block
	}
	for i := range op.NumResults() {
		fmt.Fprintf(h, "%v ", op.Result(i).Type())
	}
	for i := range op.NumSuccessors() {
		s := op.Successor(i)
		put(h, uint64(slices.Index(slices.Collect(s.Region().Blocks()), s)))
	}
	for _, r := range op.Regions() {
		first := f.blocks
		for b := range r.Blocks() {
			f.blocks++
			for i, v := range b.Args() {
				f.values[v] = f.blocks<<16 + uint64(i)
				fmt.Fprintf(h, "%v ", v.Type())
			}
		}
		number := first
		for b := range r.Blocks() {
			number++
			put(h, f.block(b, number))
		}
	}
	sum := h.Sum64()
	for i := range op.NumResults() {
		f.values[op.Result(i)] = sum + uint64(i)
	}
	return sum
}

// block hashes what has effects, in order, and adds the rest to the sums of pure
// operations.
func (f *fingerprinter) block(b *ir.Block, number uint64) uint64 {
	h := fnv.New64a()
	place := uint64(0)
	for op := range b.Ops() {
		if op.NumRegions() == 0 && op.NumResults() > 0 && interfaces.IsPure(op) {
			sum := f.op(op, 0)
			f.pure += sum
			f.places += sum * (2*number + 1)
			continue
		}
		place++
		put(h, f.op(op, place))
	}
	return h.Sum64()
}
