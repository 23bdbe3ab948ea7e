package normalize

import (
	"slices"

	"freehold/ir"
	"freehold/ir/interfaces"
)

// node is an operation in the graph of what needs what.
type node struct {
	op *ir.Op
	// needs is what should come before the operation: from, what computes its operands, in the best order, and what reads what it writes over.
	needs []*node
	// from is the last operation through which everything that the operation is computed from goes, its immediate dominator in the graph; nil if there
	// is none. What is needed for this operation alone, and for much else as well, is left aside there: a weight, a mask.
	from  *node
	depth int // the number of operations on the way to it by from
	// kept is how many bytes the results take, and most how many it takes to compute them once from is there.
	kept, most int64
	// private tells that the operation needs nothing but values from outside of the block and such operations, and that only one other
	// needs it, or that it is made again for each.
	private, done bool
}

// weigh finds out what an operation needs, after those before it.
func (o *ordering) weigh(op *ir.Op) {
	n := &node{op: op, private: true}
	o.nodes[op] = n
	add := func(v *ir.Value) {
		def := v.DefiningOp()
		if def != nil && def.Block() == o.block && def != op && !def.Has(ir.TraitConstantLike) && !slices.Contains(n.needs, o.nodes[def]) {
			n.needs = append(n.needs, o.nodes[def])
		}
	}
	for _, v := range op.Operands().Values() {
		add(v)
	}
	if op.NumRegions() > 0 {
		op.Walk(func(x *ir.Op) bool {
			for _, v := range x.Operands().Values() {
				add(v)
			}
			return true
		})
	}
	n.kept = o.keeps(op)
	for _, x := range n.needs {
		n.private = n.private && x.private
	}
	n.private = n.private && (hasOneUser(op) || op.NumResults() == 1 && isFree(op.Result(0)))
	n.from = n.origin()
	if n.from != nil {
		n.depth = n.from.depth + 1
	}
	n.sort()
	var held int64
	for _, x := range n.needs {
		n.most = max(n.most, held+n.cost(x))
		if x != n.from && !n.isAside(x) {
			held += x.kept
		}
	}
	n.most = max(n.most, held+n.kept)
	if n.from != nil { // it comes before all of these
		n.needs = slices.Insert(n.needs, 0, n.from)
	}
	n.needs = append(n.needs, o.readers(op)...)
}

// sort puts what takes the most memory beyond its result first; where that makes no difference, the order of the operands stays.
func (n *node) sort() {
	for i := range n.needs {
		for k := i; k > 0; k-- {
			x, y := n.needs[k-1], n.needs[k]
			before, after := max(n.cost(x), x.kept+n.cost(y)), max(n.cost(y), y.kept+n.cost(x))
			if after >= before {
				break
			}
			n.needs[k-1], n.needs[k] = y, x
		}
	}
}

// hasOneUser tells whether only one operation uses the results of another.
func hasOneUser(op *ir.Op) bool {
	var user *ir.Op
	for _, v := range op.Results().Values() {
		for u := v.FirstUse(); u != nil; u = u.Next() {
			if user != nil && u.Owner() != user {
				return false
			}
			user = u.Owner()
		}
	}
	return true
}

// isAside tells whether what an operation needs is left aside: it depends on nothing in the block, and is needed by others as well.
func (n *node) isAside(x *node) bool {
	return x.from == nil && !x.private && n.from != nil && n.from != x
}

// origin finds the node that everything goes through.
func (n *node) origin() (from *node) {
	var list []*node
	deep := false
	for _, x := range n.needs {
		if !x.private {
			list = append(list, x)
			deep = deep || x.from != nil
		}
	}
	if deep {
		list = slices.DeleteFunc(list, func(x *node) bool { return x.from == nil })
	}
	for i, x := range list {
		if i == 0 {
			from = x
		}
		for from != x && from != nil && x != nil {
			if from.depth >= x.depth {
				from = from.from
			} else {
				x = x.from
			}
		}
		if x == nil {
			return nil
		}
	}
	return from
}

// cost returns how much memory it takes to compute what an operation needs, once what both are computed from is there.
func (n *node) cost(x *node) (most int64) {
	if n.isAside(x) {
		return 0
	}
	for ; x != n.from && x != nil; x = x.from {
		most = max(most, x.most)
	}
	return most
}

// readers returns the operations before one that read what it computes into: it can do so in place then.
func (o *ordering) readers(op *ir.Op) (list []*node) {
	seen := map[*node]bool{nil: true}
	for _, v := range interfaces.DpsInits(op).Values() {
		if !ir.IsTensor(v.Type()) || isFree(v) || o.isContested(v) {
			continue
		}
		for u := v.FirstUse(); u != nil; u = u.Next() {
			if x := o.block.AncestorIn(u.Owner()); x != nil && x != op && !seen[o.nodes[x]] {
				seen[o.nodes[x]] = true
				list = append(list, o.nodes[x])
			}
		}
	}
	return list
}

// mostPairs limits how many operations that read a tensor are put before how many that compute into it.
const mostPairs = 1 << 12

// isContested tells whether so many operations compute into a tensor that many read that at most one of them can do so in place, whatever comes first.
func (o *ordering) isContested(v *ir.Value) bool {
	contested, known := o.contested[v]
	if !known {
		uses, inits := 0, 0
		for u := v.FirstUse(); u != nil; u = u.Next() {
			if uses++; interfaces.IsInit(u) {
				inits++
			}
		}
		contested = inits > 1 && uses > mostPairs/inits
		o.contested[v] = contested
	}
	return contested
}

// keeps returns how many bytes the results of an operation take; those of a view are those of what it views.
func (o *ordering) keeps(op *ir.Op) (n int64) {
	if v := seen(op); v != nil {
		if def := v.DefiningOp(); def != nil && o.nodes[def] != nil {
			return o.nodes[def].kept
		}
		return 0
	}
	if op.Has(ir.TraitConstantLike) || op.NumResults() == 1 && isFree(op.Result(0)) {
		return 0
	}
	for _, t := range op.Results().Types() {
		n += bytesOf(t)
	}
	return n
}

// unknownSize is what a size counts as that is known at run time only, and mostBytes bounds sizes, so that sums of them can't wrap around.
const unknownSize, mostBytes = 64, 1 << 40

// bytesOf estimates the size of a tensor.
func bytesOf(t ir.Type) int64 {
	shape, ranked := ir.ShapeOf(t)
	if !ranked || !ir.IsTensor(t) {
		return 0
	}
	n := max(1, ir.StorageBytes(ir.ElementType(t)))
	for _, d := range shape {
		if d == ir.Dynamic {
			d = unknownSize
		}
		if d > 0 && n > mostBytes/d {
			return mostBytes
		}
		n *= d
	}
	return n
}
