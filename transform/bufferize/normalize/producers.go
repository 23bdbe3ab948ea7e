package normalize

import (
	"slices"

	"freehold/dialect/linalg"
	"freehold/ir"
	"freehold/ir/interfaces"
)

// FuseProducers computes elements in the operation that reads them, where less memory is needed then: of a product that is only summed up in rows, no element has to be kept. An operation
// is moved into its only reader if that reads each element at most once, so that nothing is computed again, or if it only widens elements, which takes less than what a reduction does with them; and if what it reads itself takes less than its result, as arguments do,
// which are there anyway. What could be computed in place of something else stays. It returns how many operations it moved. Linear time.
func FuseProducers(fn *ir.Op) (n int) {
	if hasBuffers(fn) {
		return 0
	}
	b := ir.NewBuilder(fn.Context())
	for _, op := range structuredIn(fn) {
		if !canTake(op) {
			continue
		}
		for i := 0; i < len(interfaces.DpsInputs(op)); i++ {
			t := &producerTree{consumer: op, root: reading{op.Operand(i), interfaces.IndexingMaps(op)[i]}}
			if t.grow(b.Context()); len(t.nodes) > 0 {
				op = t.fuse(b)
				n += len(t.nodes)
			}
		}
	}
	return n
}

// canTake tells whether the body of an operation may compute elements of its operands: those of named operations are given by their names, but for operations on elements and reductions of what
// is there.
func canTake(op *ir.Op) bool {
	return len(interfaces.IndexingMaps(op)) == op.NumOperands() && op.NumRegions() == 1 && op.NumResults() > 0 && interfaces.HasTensorSemantics(op) && !hasMeaning(op) &&
		(op.Is(linalg.Generic) || op.Is(linalg.Reduce) || isElementwise(op))
}

// hasMeaning tells whether attributes say more of an operation than what it computes.
func hasMeaning(op *ir.Op) bool {
	return len(linalg.OwnAttrs(op)) > 0 || op.Attr("library_call") != nil
}

// mostProducers is how many operations one takes, so that all of it stays linear.
const mostProducers = 32

// producerTree is what computes an operand of an operation: its producer, those of what that reads, and so on, each with one reader.
type producerTree struct {
	consumer *ir.Op
	root     reading     // the operand; if there are several such operands, all of them
	nodes    []*producer // each one after its reader
}

// producer is an operation of a tree.
type producer struct {
	linalg.StructuredOp
	// at is, for each of its dimensions, what that is in the consumer, which has so many.
	at   []*ir.AffineExpr
	dims int
}

// reading is what an operation reads: a value, and where, in the dimensions of the consumer.
type reading struct {
	value *ir.Value
	at    *ir.AffineMap
}

// grow finds the tree with which the least memory is needed at the consumer; it has no operations if that isn't less than without them.
func (t *producerTree) grow(c *ir.Context) {
	leaves := []reading{t.root}
	best, least := 0, t.needs(leaves)
	before := least
	for i := 0; i < len(leaves) && len(t.nodes) < mostProducers; i++ {
		p := t.producerOf(leaves[i])
		if p == nil {
			continue
		}
		t.nodes = append(t.nodes, p)
		leaves = slices.DeleteFunc(leaves, func(r reading) bool { return r.value == p.Result(0) })
		leaves = append(leaves, p.reads(c)...)
		i--
		before = max(before, t.needsAt(p))
		if !t.isCovered(leaves) {
			continue
		}
		if n := t.needs(leaves); n < before && (n < least || best == 0) {
			best, least = len(t.nodes), n
		}
	}
	t.nodes = t.nodes[:best]
}

// producerOf returns the operation that computes what is read, if the consumer can do so instead.
func (t *producerTree) producerOf(r reading) *producer {
	def := r.value.DefiningOp()
	if def == nil || !hasOneReading(r.value) || def.Block() != t.consumer.Block() || def.NumResults() != 1 || hasMeaning(def) || !interfaces.IsMemoryEffectFree(def) {
		return nil
	}
	o, ok := linalg.AsStructured(def)
	maps := interfaces.IndexingMaps(def)
	if !ok || def.NumRegions() != 1 || len(maps) != def.NumOperands() || !interfaces.AllParallel(def) || !interfaces.HasTensorSemantics(def) || len(interfaces.DpsInputs(def)) == 0 && !isFree(interfaces.DpsInits(def).At(0)) {
		return nil
	}
	if _, ok := scalarOperations(def.RegionAt(0)); !ok {
		return nil // it reads more than its operands, or has loops
	}
	init := &interfaces.DpsInits(def)[0]
	if to := maps[init.Index()]; !to.IsPermutation() || o.ReadsInit(init) || !readsEachOnce(r.at) && !isWidening(def) {
		return nil
	}
	p := &producer{o, make([]*ir.AffineExpr, len(o.Iterators())), r.at.Dims}
	for i, e := range maps[init.Index()].Results {
		p.at[e.Value] = r.at.Results[i]
	}
	return p
}

// hasOneReading tells whether one operation reads a value, and always the same element of it together.
func hasOneReading(v *ir.Value) bool {
	first := v.FirstUse()
	if first == nil {
		return false
	}
	reader := first.Owner()
	maps := interfaces.IndexingMaps(reader)
	for u := first; u != nil; u = u.Next() {
		if u.Owner() != reader || interfaces.IsInit(u) || u != first && (len(maps) != reader.NumOperands() || maps[u.Index()] != maps[first.Index()]) {
			return false
		}
	}
	return true
}

// readsEachOnce tells whether each point reads another element: all dimensions are among the results of the map.
func readsEachOnce(m *ir.AffineMap) bool {
	return m.Syms == 0 && coverDims([]*ir.AffineMap{m}, m.Dims)
}

// reads returns what the consumer reads for the producer.
func (p *producer) reads(c *ir.Context) (out []reading) {
	maps := p.IndexingMaps()
	for i, v := range p.Inputs().Values() {
		out = append(out, reading{v, c.AffineMap(p.dims, 0, resultsOf(c, maps[i], p.at)...)})
	}
	return out
}

// others returns what the consumer reads besides the root.
func (t *producerTree) others() (out []reading) {
	maps := interfaces.IndexingMaps(t.consumer)
	for i, v := range interfaces.DpsInputs(t.consumer).Values() {
		if v != t.root.value {
			out = append(out, reading{v, maps[i]})
		}
	}
	return out
}

// needs returns how many bytes the consumer takes for what it reads, as far as that isn't there anyway, and for its results, as far as they aren't computed in place of something that it reads.
func (t *producerTree) needs(leaves []reading) (n int64) {
	op := t.consumer
	maps := interfaces.IndexingMaps(op)
	reads := append(slices.Clone(leaves), t.others()...)
	n = bytesFreed(op, leaves)
	inits := interfaces.DpsInits(op)
	for i := range inits {
		if init := &inits[i]; !fitsInPlace(op, init, maps[init.Index()], reads) {
			n += bytesOf(init.Value().Type())
		}
	}
	return n
}

// needsAt is that of a producer where it is.
func (t *producerTree) needsAt(p *producer) (n int64) {
	maps := p.IndexingMaps()
	var reads []reading
	for i, v := range p.Inputs().Values() {
		reads = append(reads, reading{v, maps[i]})
	}
	n = bytesFreed(p.Op, reads)
	if init := &p.Inits()[0]; !fitsInPlace(p.Op, init, maps[init.Index()], reads) {
		n += bytesOf(init.Value().Type())
	}
	return n
}

// bytesFreed returns how many bytes of what an operation reads nobody needs after it.
func bytesFreed(op *ir.Op, reads []reading) (n int64) {
	var seen []*ir.Value
	for _, r := range reads {
		if v := rootOf(r.value); !slices.Contains(seen, v) && diesAt(v, op) {
			seen = append(seen, v)
			n += bytesOf(v.Type())
		}
	}
	return n
}

// fitsInPlace tells whether a result needs no buffer of its own: it has that of what is there before, or of something that is read there for the last time.
func fitsInPlace(op *ir.Op, init *ir.Use, at *ir.AffineMap, reads []reading) bool {
	if !isFree(init.Value()) {
		return true
	}
	return slices.ContainsFunc(reads, func(r reading) bool {
		return r.at == at && r.value.Type() == init.Value().Type() && rootOf(r.value) == r.value && diesAt(r.value, op)
	})
}

// diesAt tells whether nothing needs a tensor after an operation that reads it: arguments of functions, constants, and what loops around need again, are kept.
func diesAt(v *ir.Value, op *ir.Op) bool {
	if def := v.DefiningOp(); def != nil && def.Has(ir.TraitConstantLike) || !ir.IsTensor(v.Type()) {
		return false
	}
	block := v.ParentBlock()
	if v.IsBlockArg() && block.ParentOp().Has(ir.TraitIsolatedFromAbove) {
		return false
	}
	at := op
	for ; at != nil && at.Block() != block; at = at.Parent() {
		if interfaces.LoopLike.Has(at) {
			return false
		}
	}
	if at == nil {
		return false
	}
	for u := v.FirstUse(); u != nil; u = u.Next() {
		if x := block.AncestorIn(u.Owner()); x == nil || at.IsBefore(x) {
			return false
		}
	}
	return true
}

// isCovered tells whether all dimensions of the consumer are known from its operands, if it reads these instead.
func (t *producerTree) isCovered(leaves []reading) bool {
	maps := slices.Clone(interfaces.IndexingMaps(t.consumer)[len(interfaces.DpsInputs(t.consumer)):])
	for _, r := range append(t.others(), leaves...) {
		if ir.IsTensor(r.value.Type()) {
			maps = append(maps, r.at)
		}
	}
	return coverDims(maps, len(interfaces.Iterators(t.consumer)))
}

// fuse lets the consumer compute what the tree does, and returns what took its place. Linear in what it is made of.
func (t *producerTree) fuse(b *ir.Builder) *ir.Op {
	f := &producerBody{made: map[*ir.Value]*producer{}, known: map[reading]*ir.Value{}}
	for _, p := range t.nodes {
		f.made[p.Result(0)] = p
	}
	op := t.consumer
	maps := interfaces.IndexingMaps(op)
	own := interfaces.DpsInputs(op).Values()
	f.inputs = t.others()
	f.find(b.Context(), t.root)
	var inputs []*ir.Value
	var at []*ir.AffineMap
	for _, r := range f.inputs {
		inputs, at = append(inputs, r.value), append(at, r.at)
	}
	inits := interfaces.DpsInits(op).Values()
	consumer, _ := linalg.AsStructured(op)
	b.SetBefore(op)
	b.Loc = op.Loc()
	made := linalg.NewGeneric(b, inputs, inits, append(at, maps[len(own):]...), interfaces.Iterators(op), func(b *ir.Builder, args []*ir.Value) []*ir.Value {
		element := f.element(b, args, t.root)
		m := ir.NewMapping()
		next := 0
		for i, v := range own {
			if v == t.root.value {
				m.Map(consumer.Body().Arg(i), element)
				continue
			}
			m.Map(consumer.Body().Arg(i), args[next])
			next++
		}
		for i, a := range args[len(inputs):] {
			m.Map(consumer.Body().Arg(len(own)+i), a)
		}
		return moveBody(b, consumer, m, nil)
	})
	op.ReplaceAllUsesWith(made.Results().Values())
	op.Erase()
	for _, p := range t.nodes {
		eraseComputed(p.Op)
	}
	return made
}

// eraseComputed erases an operation, and what it computes into, if nothing else needs it.
func eraseComputed(op *ir.Op) {
	inits := interfaces.DpsInits(op).Values()
	op.Erase()
	for _, v := range inits {
		if def := v.DefiningOp(); def != nil && !def.HasUses() && interfaces.IsMemoryEffectFree(def) {
			def.Erase()
		}
	}
}

// producerBody is the body of a consumer with its producers.
type producerBody struct {
	made   map[*ir.Value]*producer
	inputs []reading // of the consumer, without what is computed
	known  map[reading]*ir.Value
}

// find adds what the consumer reads to compute an element.
func (f *producerBody) find(c *ir.Context, r reading) {
	switch p := f.made[r.value]; {
	case p != nil:
		for _, x := range p.reads(c) {
			f.find(c, x)
		}
	case ir.IsTensor(r.value.Type()) && !slices.Contains(f.inputs, r):
		f.inputs = append(f.inputs, r)
	}
}

// element computes an element from those that are read, which are arguments of the body. Numbers are used as they are.
func (f *producerBody) element(b *ir.Builder, args []*ir.Value, r reading) *ir.Value {
	p := f.made[r.value]
	if p == nil {
		if i := slices.Index(f.inputs, r); i >= 0 {
			return args[i]
		}
		return r.value
	}
	if v := f.known[r]; v != nil {
		return v
	}
	m := ir.NewMapping()
	for i, x := range p.reads(b.Context()) {
		m.Map(p.Body().Arg(i), f.element(b, args, x))
	}
	asked := make([]*ir.AffineExpr, len(p.at))
	for op := range p.Body().Ops() {
		if op.Is(linalg.Index) {
			d := linalg.IndexOp{Op: op}.Dim()
			asked[d] = p.at[d]
		}
	}
	v := moveBody(b, p.StructuredOp, m, indicesOf(b, asked))[0]
	f.known[r] = v
	return v
}

// moveBody is [cloneBody] of an operation that will be erased, whose body goes: in a chain of operations that are fused one after the other, each is moved once more instead of being made anew (of 1,600
// sums, in a fifth of the time).
func moveBody(b *ir.Builder, o linalg.StructuredOp, m *ir.Mapping, point []*ir.Value) []*ir.Value {
	for i := range o.Body().NumArgs() {
		if a := o.Body().Arg(i); a.HasUses() {
			a.ReplaceAllUsesWith(m.Value(a))
		}
	}
	for op := o.Body().First(); op != o.Body().Last(); op = o.Body().First() {
		if op.Is(linalg.Index) && point != nil {
			op.Result(0).ReplaceAllUsesWith(point[linalg.IndexOp{Op: op}.Dim()])
			op.Erase()
			continue
		}
		op.Remove()
		b.Insert(op)
	}
	return o.Yielded().Values()
}
