package stablehlo

import (
	"slices"

	"freehold/ir"
)

// Constraints of operations on several processes.

// replicas are the groups of processes that an operation names.
type replicas struct {
	ids []int64
	// size is how many a group has.
	size int64
}

// groupsOf reads and checks replica_groups: no process is there twice, and where all of them must be there, as most operations
// demand, they are numbered from 0 on. Smaller groups are filled with -1.
func groupsOf(op *ir.Op, all bool) (replicas, error) {
	d, ok := op.Attr("replica_groups").(*ir.DenseElementsAttr)
	if !ok {
		return replicas{}, nil
	}
	shape, _ := ir.ShapeOf(d.Type)
	if len(shape) != 2 {
		return replicas{}, op.Errorf("replica_groups must have two dimensions")
	}
	out := replicas{Ints(d), shape[1]}
	seen, count := map[int64]bool{}, int64(0)
	for _, id := range out.ids {
		if id == -1 && all {
			continue
		}
		if id < 0 {
			return out, op.Errorf("replica_groups has %d, which is no process", id)
		}
		if seen[id] {
			return out, op.Errorf("replica id #%d seen more than once", id)
		}
		seen[id] = true
		count++
	}
	for id := range seen {
		if all && id >= count {
			return out, op.Errorf("replica_groups has %d, but only %d processes", id, count)
		}
	}
	return out, globalIDs(op)
}

// globalIDs demands a channel where processes are numbered among all of them.
func globalIDs(op *ir.Op) error {
	if op.Attr("use_global_device_ids") == nil {
		return nil
	}
	handle, _ := Field(op.Attr("channel_handle"), "handle").(*ir.IntegerAttr)
	return failedUnless(op, handle != nil && handle.Value > 0, "channel_id must be positive when use_global_device_ids is set")
}

// multiple tells whether size may be a multiple of part, both of which may be unknown.
func multiple(size, part int64) bool {
	return size == ir.Dynamic || part == ir.Dynamic || part != 0 && size%part == 0 || size == part
}

// sameBut tells whether two tensors have the same type but for their sizes in some dimensions.
func sameBut(a, b ir.Type, dims ...int64) bool {
	x, y := rankedOf(a), rankedOf(b)
	if x == nil || y == nil || len(x.Shape) != len(y.Shape) || !sameElement(x.Elem, y.Elem) {
		return false
	}
	for i := range x.Shape {
		if !ir.SameSize(x.Shape[i], y.Shape[i]) && !slices.Contains(dims, int64(i)) {
			return false
		}
	}
	return true
}

// verifyEach checks each operand with its result.
func verifyEach(op *ir.Op, check func(x, r *ir.RankedTensorType) error) error {
	if op.NumOperands() != op.NumResults() {
		return op.Errorf("expected a result for each operand")
	}
	for i := range op.NumOperands() {
		r := rankedOf(op.Result(i).Type())
		if r == nil {
			return op.Errorf("result #%d must be a ranked tensor", i)
		}
		if err := check(tensorAt(op, i), r); err != nil {
			return err
		}
	}
	return nil
}

func verifyAllGather(op *ir.Op) error {
	if _, err := groupsOf(op, true); err != nil {
		return err
	}
	d := op.Attr("all_gather_dim").(*ir.IntegerAttr).Value
	return verifyEach(op, func(x, r *ir.RankedTensorType) error {
		if err := verifyDimension(op, "all_gather_dim", len(x.Shape)); err != nil {
			return err
		}
		return failedUnless(op, sameBut(x, r, d) && multiple(r.Shape[d], x.Shape[d]), "a result must have the type of the operand, but for a multiple of its size in all_gather_dim")
	})
}

func verifyAllReduce(op *ir.Op) error {
	if _, err := groupsOf(op, true); err != nil {
		return err
	}
	return verifyEach(op, func(x, r *ir.RankedTensorType) error {
		return failedUnless(op, sameShape(x.Shape, r.Shape), "a result must have the shape of the operand")
	})
}

// verifyAllReducer demands a computation on two elements of the results.
func verifyAllReducer(op *ir.Op) error {
	for i := range op.NumResults() {
		if err := combines(op.RegionAt(0), []ir.Type{op.Result(i).Type()}, []ir.Type{op.Operand(i).Type()}, nil); err != nil {
			return failed(op, err)
		}
	}
	return nil
}

func verifyAllToAll(op *ir.Op) error {
	g, err := groupsOf(op, true)
	if err != nil {
		return err
	}
	n := op.Attr("split_count").(*ir.IntegerAttr).Value
	if n < 1 {
		return op.Errorf("split_count must be positive, but is %d", n)
	}
	if len(g.ids) > 0 && g.size != n {
		return op.Errorf("groups have %d processes, but split_count is %d", g.size, n)
	}
	split, concat := op.Attr("split_dimension").(*ir.IntegerAttr).Value, op.Attr("concat_dimension").(*ir.IntegerAttr).Value
	return verifyEach(op, func(x, r *ir.RankedTensorType) error {
		for _, name := range []string{"split_dimension", "concat_dimension"} {
			if err := verifyDimension(op, name, len(x.Shape)); err != nil {
				return err
			}
		}
		if !multiple(x.Shape[split], n) {
			return op.Errorf("the size %d of split_dimension isn't a multiple of split_count %d", x.Shape[split], n)
		}
		parted := split != concat
		ok := sameBut(x, r, split, concat) && (parted || ir.SameSize(x.Shape[split], r.Shape[split]))
		if ok && parted && x.Shape[split] != ir.Dynamic {
			ok = ir.SameSize(x.Shape[split]/n, r.Shape[split])
		}
		if ok && parted && x.Shape[concat] != ir.Dynamic {
			ok = ir.SameSize(x.Shape[concat]*n, r.Shape[concat])
		}
		return failedUnless(op, ok, "a result must have the type of the operand, of which one dimension is split and one becomes longer")
	})
}

func verifyCollectiveBroadcast(op *ir.Op) error {
	_, err := groupsOf(op, false)
	return err
}

// verifyPairs demands pairs of processes, in which none is twice a source, or twice a target.
func verifyPairs(op *ir.Op) error {
	d, ok := op.Attr("source_target_pairs").(*ir.DenseElementsAttr)
	if !ok {
		return nil
	}
	if shape, _ := ir.ShapeOf(d.Type); len(shape) != 2 || shape[1] != 2 && shape[0] != 0 {
		return op.Errorf("source_target_pairs must be a list of pairs")
	}
	seen := [2]map[int64]bool{{}, {}}
	for i, id := range Ints(d) {
		if id < 0 {
			return op.Errorf("source_target_pairs has %d, which is no process", id)
		}
		if seen[i%2][id] {
			return op.Errorf("source_target_pairs has %d twice as a %s", id, []string{"source", "target"}[i%2])
		}
		seen[i%2][id] = true
	}
	return nil
}

func verifyReduceScatter(op *ir.Op) error {
	if _, err := groupsOf(op, true); err != nil {
		return err
	}
	x, r := tensorAt(op, 0), resultAt(op, 0)
	if err := verifyDimension(op, "scatter_dimension", len(x.Shape)); err != nil {
		return err
	}
	ok := len(x.Shape) == len(r.Shape)
	for i := range x.Shape {
		d := int64(i) == op.Attr("scatter_dimension").(*ir.IntegerAttr).Value
		ok = ok && (ir.SameSize(x.Shape[i], r.Shape[i]) || d && multiple(x.Shape[i], r.Shape[i]))
	}
	return failedUnless(op, ok, "the result must have the shape of the operand, but for a part of its size in scatter_dimension")
}

// The kinds of channels, as the attribute numbers them.
const (
	deviceToDevice = 1
	deviceToHost   = 2
	hostToDevice   = 3
)

// verifyTransfer demands a channel of the kind that is_host_transfer says, if it says something.
func verifyTransfer(op *ir.Op) error {
	if err := verifyPairs(op); err != nil {
		return err
	}
	kind, _ := Field(op.Attr("channel_handle"), "type").(*ir.IntegerAttr)
	host, _ := op.Attr("is_host_transfer").(*ir.IntegerAttr)
	switch {
	case kind == nil || host == nil:
		return nil
	case host.Value != 0:
		return failedUnless(op, kind.Value == deviceToHost || op.Is(Recv) && kind.Value == hostToDevice, "the channel of a transfer to or from the host must be of that kind")
	}
	return failedUnless(op, kind.Value == deviceToDevice, "the channel of a transfer between devices must be of that kind")
}

// verifyReceived demands results of which the last one is a token, and the others aren't.
func verifyReceived(op *ir.Op) error {
	n := op.NumResults()
	if n == 0 || !IsToken(op.Result(n-1).Type()) {
		return op.Errorf("the last result must be a token")
	}
	for i := range n - 1 {
		if t := op.Result(i).Type(); !ir.IsTensor(t) {
			return op.Errorf("result #%d must be a tensor, but is %s", i, t)
		}
	}
	if op.Is(Recv) {
		return verifyTransfer(op)
	}
	return nil
}
