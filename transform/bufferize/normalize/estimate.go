package normalize

import (
	"freehold/dialect/linalg"
	"freehold/ir"
	"freehold/ir/interfaces"
)

// estimate returns about how much memory the tensors of a block take at a time, if its operations come in an order: each tensor has a buffer
// from the operation that makes it to its last use, views, what is only moved, and destinations share theirs with what they are made of, and an elementwise operation
// writes over an operand that it is the last one to need. What is made again for each use doesn't count. Near-linear time.
func estimate(order []*ir.Op) (peak int64) {
	e := &estimator{root: map[*ir.Value]*ir.Value{}, last: map[*ir.Value]int{}, size: map[*ir.Value]int64{}}
	live := e.arguments(order[0].Block())
	for _, op := range order {
		for _, v := range op.Results().Values() {
			e.root[v] = e.shared(op, v)
		}
		e.insertion(op)
	}
	for i, op := range order {
		e.use(op, i)
	}
	ends := make([][]*ir.Value, len(order))
	for v, i := range e.last {
		ends[i] = append(ends[i], v)
	}
	for i, op := range order {
		for _, v := range op.Results().Values() {
			r := e.rootOf(v)
			if _, there := e.size[r]; there || isFree(v) || op.Has(ir.TraitConstantLike) {
				continue
			}
			e.size[r] = bytesOf(r.Type())
			if over := e.overwritten(op, v, i); over != nil {
				e.size[over] = 0
			} else {
				live += e.size[r]
			}
		}
		peak = max(peak, live)
		for _, v := range ends[i] {
			live -= e.size[v]
		}
	}
	return peak
}

// estimator knows which tensors share a buffer.
type estimator struct {
	root map[*ir.Value]*ir.Value // what a tensor shares its buffer with
	last map[*ir.Value]int       // of a root, the last operation that uses it
	size map[*ir.Value]int64     // of a root that is there
}

// arguments adds those of a block, but for functions, whose arguments are the callers', and returns how many bytes they take.
func (e *estimator) arguments(b *ir.Block) (live int64) {
	if interfaces.Function.Has(b.ParentOp()) {
		return 0
	}
	for _, v := range b.Args() {
		e.root[v], e.size[v] = v, bytesOf(v.Type())
		live += e.size[v]
	}
	return live
}

func (e *estimator) rootOf(v *ir.Value) *ir.Value {
	for e.root[v] != nil && e.root[v] != v {
		v = e.root[v]
	}
	return v
}

// insertion lets what is inserted, and not used otherwise, share the buffer that it is inserted into: it can be computed there.
func (e *estimator) insertion(op *ir.Op) {
	m, ok := interfaces.SubsetInsertion.Of(op)
	if !ok || op.NumResults() != 1 {
		return
	}
	source := m.Source(op).Value()
	if r := e.rootOf(source); ir.IsTensor(source.Type()) && source.HasOneUse() && e.root[r] == r && r.DefiningOp() != nil && !r.DefiningOp().Has(ir.TraitConstantLike) {
		e.root[r] = e.rootOf(op.Result(0))
	}
}

// shared returns the root of what a result shares its buffer with, or itself.
func (e *estimator) shared(op *ir.Op, v *ir.Value) *ir.Value {
	if s := seen(op); s != nil {
		return e.rootOf(s)
	}
	if u := interfaces.TiedInit(v); u != nil {
		if isFree(u.Value()) {
			return v
		}
		return e.rootOf(u.Value())
	}
	if l, ok := interfaces.LoopLike.Of(op); ok {
		if start, n := l.Inits(op); v.Index() < n && len(l.Results(op)) == n {
			return e.rootOf(op.Operand(start + v.Index()))
		}
	}
	return v
}

// seen returns the tensor whose buffer an operation needs instead of one of its own: that of a view, or what it only moves, in another order of
// dimensions.
func seen(op *ir.Op) *ir.Value {
	if v := viewed(op); v != nil {
		return v
	}
	maps := interfaces.IndexingMaps(op)
	input, init, ok := linalg.InputAndInit(op)
	if !ok || len(maps) != 2 || op.NumRegions() != 1 || !maps[0].IsPermutation() || !maps[1].IsPermutation() || !isFree(init) {
		return nil
	}
	if body := op.BodyBlock(0); body == nil || body.First() != body.Last() || body.Last().OnlyOperand() != body.Arg(0) {
		return nil
	}
	return input
}

// isFree tells whether a tensor is made again for each use.
func isFree(v *ir.Value) bool {
	def := v.DefiningOp()
	if def == nil {
		return false
	}
	c, cheap := CostOf(def)
	return cheap && len(c.Sources) == 0
}

// use notes that an operation, or one in it, uses tensors.
func (e *estimator) use(op *ir.Op, i int) {
	op.Walk(func(x *ir.Op) bool {
		for _, v := range x.Operands().Values() {
			if r := e.rootOf(v); ir.IsTensor(v.Type()) && e.root[r] != nil {
				e.last[r] = i
			}
		}
		return true
	})
	for _, v := range op.Results().Values() {
		e.last[e.rootOf(v)] = i
	}
}

// overwritten returns the operand that an elementwise operation can write its result over.
func (e *estimator) overwritten(op *ir.Op, v *ir.Value, i int) *ir.Value {
	maps := interfaces.IndexingMaps(op)
	init := interfaces.TiedInit(v)
	if init == nil || len(maps) != op.NumOperands() {
		return nil
	}
	for k, x := range interfaces.DpsInputs(op).Values() {
		r := e.rootOf(x)
		if isSameElement(maps[k], maps[init.Index()], x.Type()) && e.size[r] > 0 && e.last[r] == i && e.size[r] >= bytesOf(v.Type()) {
			return r
		}
	}
	return nil
}

// isSameElement tells whether two maps give the same element of a tensor; in a dimension of size 1 there is only one.
func isSameElement(m, of *ir.AffineMap, t ir.Type) bool {
	shape, _ := ir.ShapeOf(t)
	if len(m.Results) != len(of.Results) || len(m.Results) != len(shape) || !of.IsPermutation() {
		return false
	}
	for i, r := range m.Results {
		if r != of.Results[i] && !(shape[i] == 1 && r.IsConst(0)) {
			return false
		}
	}
	return true
}
