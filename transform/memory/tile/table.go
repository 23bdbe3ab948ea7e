package tile

import (
	"freehold/dialect/linalg"
	"freehold/ir"
	"freehold/ir/interfaces"
)

// mostRows and mostIndexOperations bound for how many rows, and by how many operations, an index is computed to see which rows are read.
const mostRows, mostIndexOperations = 4096, 64

// indexOf is how the body of a structured operation computes an index from constants and the indices of its iteration space.
type indexOf struct {
	op  *ir.Op
	ops []*ir.Op // in order
	// dims are the dimensions whose indices are used.
	dims map[int]bool
}

// indexOfValue returns how an index is computed; nil if something else is needed for it.
func indexOfValue(op *ir.Op, v *ir.Value) *indexOf {
	x := &indexOf{op: op, dims: map[int]bool{}}
	if !x.visit(v, map[*ir.Value]bool{}) {
		return nil
	}
	return x
}

func (x *indexOf) visit(v *ir.Value, seen map[*ir.Value]bool) bool {
	def := v.DefiningOp()
	if seen[v] || ir.ConstantOf(v) != nil {
		return true
	}
	if seen[v] = true; def == nil || def.NumResults() != 1 || def.NumRegions() > 0 || len(x.ops) >= mostIndexOperations || !isInside(x.op, v) {
		return false
	}
	if def.Is(linalg.Index) {
		x.dims[int(linalg.IndexOp{Op: def}.Dim())] = true
		return true
	}
	if def.NumOperands() == 0 || !interfaces.IsMemoryEffectFree(def) || interfaces.HasTensorTypes(def) {
		return false
	}
	for _, o := range def.Operands().Values() {
		if !x.visit(o, seen) {
			return false
		}
	}
	x.ops = append(x.ops, def)
	return true
}

// table returns the index for each row, where it depends on that alone; nil if it isn't known.
func (x *indexOf) table(v *ir.Value, loop int, rows int64) []int64 {
	if rows < 0 || rows > mostRows || len(x.dims) != 1 || !x.dims[loop] {
		return nil
	}
	out := make([]int64, rows)
	known := map[*ir.Value]ir.Attribute{}
	for r := range out {
		clear(known)
		index := x.op.Context().IndexAttr(int64(r))
		of := func(v *ir.Value) ir.Attribute {
			if a := ir.ConstantOf(v); a != nil {
				return a
			}
			if a := known[v]; a != nil {
				return a
			}
			return index // of the only dimension
		}
		for _, op := range x.ops {
			operands := make([]ir.Attribute, op.NumOperands())
			for i, o := range op.Operands().Values() {
				operands[i] = of(o)
			}
			results := ir.Evaluate(op, operands)
			if len(results) != 1 || results[0] == nil {
				return nil
			}
			known[op.Result(0)] = results[0]
		}
		a, ok := of(v).(*ir.IntegerAttr)
		if !ok || a.Big != nil {
			return nil
		}
		out[r] = a.Value
	}
	return out
}

// mostPeriod bounds by how many rows an index repeats itself further on.
const mostPeriod = 16

// accessOfTable returns the access that reads at least the rows of a table, and the fewest others; false if there is none that goes on with the rows.
func accessOfTable(table []int64) (best access, ok bool) {
	n := int64(len(table))
	for period := int64(1); period <= min(mostPeriod, n-1); period++ {
		middle := (n - period) / 2
		by := table[middle+period] - table[middle]
		if by <= 0 {
			continue
		}
		a := access{scale: by, div: period, first: table[0] * period, last: table[0] * period}
		for r, x := range table {
			off := x*period - by*int64(r)
			a.first, a.last = min(a.first, off), max(a.last, off)
		}
		if !ok || (a.last-a.first)*best.div < (best.last-best.first)*a.div {
			best, ok = a, true
		}
	}
	return best, ok && (best.last-best.first)/best.div < max(n/4, 1)
}
