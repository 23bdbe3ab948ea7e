package tile

import (
	"freehold/dialect/linalg"
	"freehold/dialect/tensor"
	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/memory/order"
	"freehold/transform/memory/schedule"
)

// block is what is known about a block of operations, by their places.
type block struct {
	*schedule.Graph
	at map[*ir.Op]int
	// made are the buffers that an operation makes, last is where a buffer is used last: behind all operations if it is kept.
	made [][]int
	last []int
	// profile is what is alive at each operation as they stand.
	profile []int64
	// peak is the largest of profile.
	peak int64
	// across is what was made before an operation, and is used at it or behind it.
	across []int64
	// place tells of an operation that it makes a destination, which each tile has for itself.
	place []bool
	// buffer are the numbers of buffers by the tensors that they are made for.
	buffer map[*ir.Value]int
	// nodes are those that are known, by the place and by the dimension, behind the one for a reduction.
	nodes [][]knownNode
	// search is the number of the last search through nodes.
	search int
}

// knownNode is how an operation computes rows, or nil, once that is known.
type knownNode struct {
	*node
	known bool
}

func newBlock(g *schedule.Graph) (*block, error) {
	n := len(g.Ops)
	b := &block{Graph: g, at: map[*ir.Op]int{}, made: make([][]int, n), last: make([]int, len(g.Buffers)), across: make([]int64, n+1), place: make([]bool, n), nodes: make([][]knownNode, n), buffer: map[*ir.Value]int{}}
	inOrder := make([]int, len(g.Steps))
	for i := range inOrder {
		inOrder[i] = i
	}
	var err error
	if b.profile, err = g.Profile(inOrder); err != nil {
		return nil, err
	}
	for _, p := range b.profile {
		b.peak = max(b.peak, p)
	}
	for i, op := range g.Ops {
		b.at[op] = i
		b.place[i] = op.Is(tensor.Empty) || op.Is(linalg.Fill) && op.NumResults() == 1 && isPlace(op.Result(0))
	}
	for k := range g.Buffers {
		x := &g.Buffers[k]
		b.buffer[g.Tensors[k]] = k
		b.made[x.Maker] = append(b.made[x.Maker], k)
		b.last[k] = lastUse(x, n)
		if !b.place[x.Maker] {
			for i := x.Maker + 1; i <= min(b.last[k], n); i++ {
				b.across[i] += x.Size
			}
		}
	}
	return b, nil
}

// lastUse returns the last step that uses a buffer.
func lastUse(x *order.Buffer, n int) int {
	last := x.Maker
	if x.Kept {
		return n
	}
	for _, u := range x.Users {
		last = max(last, u)
	}
	return last
}

// node returns how an operation computes rows, or nil.
func (b *block) node(at, dim int) *node {
	k := dim - reduced
	for len(b.nodes[at]) <= k {
		b.nodes[at] = append(b.nodes[at], knownNode{})
	}
	x := &b.nodes[at][k]
	if !x.known {
		n := nodeOf(b.Ops[at], dim)
		if n != nil {
			for i := range n.reads {
				n.reads[i].maker = b.maker(n.reads[i].value)
			}
		}
		*x = knownNode{n, true}
	}
	return x.node
}

// result returns what the result of a node takes if it is put together from rows: also where it is a view of something else as the program stands.
func (b *block) result(n *node) (bytes int64) {
	at := b.at[n.op]
	for _, k := range b.made[at] {
		bytes += b.Buffers[k].Size
	}
	if len(b.made[at]) == 0 {
		bytes = schedule.SizeOfRow(n.op.Result(0).Type().(*ir.RankedTensorType), -1)
	}
	return bytes
}

// place returns the place of the operation in the block that defines a value; -1 if none does.
func (b *block) maker(v *ir.Value) int {
	if op := v.DefiningOp(); op != nil {
		if i, here := b.at[op]; here {
			return i
		}
	}
	return -1
}

// isUsedAfter tells whether a result of an operation is used behind another one, by one of those that are late, by what ends the block, or somewhere that isn't in
// it.
func (b *block) isUsedAfter(at, last int, late []bool) bool {
	return !b.isUsedOnly(b.Ops[at], func(user int) bool { return user <= last && !late[user] })
}

// isUsedOnly tells whether all operations that use results of an operation are such as asked for. The end of the block is behind all others, as is what isn't in it.
func (b *block) isUsedOnly(op *ir.Op, is func(user int) bool) bool {
	for _, r := range op.Results().Values() {
		for u := r.FirstUse(); u != nil; u = u.Next() {
			at := len(b.Ops)
			if user := b.Block.AncestorIn(u.Owner()); user != nil {
				if i, here := b.at[user]; here {
					at = i
				}
			}
			if !is(at) {
				return false
			}
		}
	}
	return true
}

// isMovable tells whether an operation may be executed earlier than others.
func isMovable(op *ir.Op) bool {
	if !interfaces.IsMemoryEffectFree(op) {
		return false
	}
	for _, v := range op.Operands().Values() {
		if interfaces.IsBufferLike(v.Type()) {
			return false
		}
	}
	for _, v := range op.Results().Values() {
		if interfaces.IsBufferLike(v.Type()) {
			return false
		}
	}
	return true
}

// needs calls visit with all values from outside that an operation, or one in it, uses.
func needs(op *ir.Op, visit func(v *ir.Value)) {
	op.Walk(func(x *ir.Op) bool {
		for _, v := range x.Operands().Values() {
			if !isInside(op, v) {
				visit(v)
			}
		}
		return true
	})
}
