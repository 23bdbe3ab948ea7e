package linalg

import (
	"slices"
	"strconv"
	"strings"
	"sync"

	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/constraint"
	"freehold/ir/interfaces"
)

// StructuredOp is an operation of the dialect that is defined by indexing maps,
// iterator types and a body.
type StructuredOp struct{ *ir.Op }

// AsStructured returns op as a structured operation, and whether it is one.
func AsStructured(op *ir.Op) (StructuredOp, bool) {
	_, ok := interfaces.Structured.Of(op)
	return StructuredOp{op}, ok
}

// IndexingMaps returns a map per operand.
func (o StructuredOp) IndexingMaps() []*ir.AffineMap { return interfaces.IndexingMaps(o.Op) }

// Iterators returns the kinds of the dimensions of the iteration space.
func (o StructuredOp) Iterators() []interfaces.Iterator { return interfaces.Iterators(o.Op) }

// NumLoops returns the number of dimensions of the iteration space.
func (o StructuredOp) NumLoops() int { return len(o.Iterators()) }

// Inputs returns the operands that are only read.
func (o StructuredOp) Inputs() ir.Operands { return interfaces.DpsInputs(o.Op) }

// Inits returns the destinations.
func (o StructuredOp) Inits() ir.Operands { return interfaces.DpsInits(o.Op) }

// Body returns the block that computes one point.
func (o StructuredOp) Body() *ir.Block { return o.BodyBlock(0) }

// Yielded returns the operands of the body's terminator.
func (o StructuredOp) Yielded() ir.Operands {
	if t := o.Body().Terminator(); t != nil {
		return t.Operands()
	}
	return nil
}

// BodyArg returns the argument of the body that is the element of the operand, or
// nil if the body doesn't get it, as that of the init of linalg.map.
func (o StructuredOp) BodyArg(u *ir.Use) *ir.Value {
	b := o.Body()
	if b == nil || u.Index() >= b.NumArgs() {
		return nil
	}
	return b.Arg(u.Index())
}

// ReadsInit tells whether results depend on what is in a destination: the body uses its elements, or not all of them are overwritten.
func (o StructuredOp) ReadsInit(u *ir.Use) bool { return o.uses(u) || !o.overwrites(u, true) }

// uses tells whether the body uses the elements of an operand.
func (o StructuredOp) uses(u *ir.Use) bool {
	a := o.BodyArg(u)
	return a != nil && a.HasUses()
}

// overwrites tells whether all elements of a destination are written: the map reaches them, and no loop that it doesn't depend on is empty. Whether
// parallel loops of unknown size may be is up to mayBeEmpty; those that reduce may.
func (o StructuredOp) overwrites(init *ir.Use, mayBeEmpty bool) bool {
	if o.Is(Generic) {
		// As in most; no list of all maps is made for it.
		if a, ok := o.Attr(indexingMapsAttr).(*ir.ArrayAttr); ok && len(a.Elems) == o.NumOperands() {
			if m, ok := a.Elems[init.Index()].(*ir.AffineMapAttr); ok && m.Map.IsPermutation() {
				return true
			}
		}
	}
	maps := o.IndexingMaps()
	if len(maps) != o.NumOperands() {
		return true
	}
	m := maps[init.Index()]
	if m.IsPermutation() {
		return true
	}
	shape, _ := ir.ShapeOf(init.Value().Type())
	ranges, _ := o.loopRanges(maps)
	reached := make([]bool, len(ranges))
	for i, e := range m.Results {
		switch {
		case e.Kind == ir.AffineDim && (!reached[e.Value] || ranges[e.Value] == 1):
			reached[e.Value] = true
		case !e.IsConst(0) || i >= len(shape) || shape[i] != 1:
			return false
		}
	}
	for d, kind := range o.Iterators() {
		if d < len(ranges) && !reached[d] && (ranges[d] == 0 || ranges[d] < 0 && (mayBeEmpty || kind == interfaces.Reduction)) {
			return false
		}
	}
	return true
}

// StaticLoopRanges returns the sizes of the iteration space, ir.Dynamic where
// they are not known, and false if the shapes don't determine them.
func (o StructuredOp) StaticLoopRanges() ([]int64, bool) {
	return o.loopRanges(o.IndexingMaps())
}

// loopRanges is StaticLoopRanges with the indexing maps, of which there is one for each
// operand. The first map that has a dimension as a result says which size it has.
func (o StructuredOp) loopRanges(maps []*ir.AffineMap) ([]int64, bool) {
	if len(maps) == 0 {
		return []int64{}, true
	}
	const unknown = -1
	out := make([]int64, maps[0].Dims)
	for i := range out {
		out[i] = unknown
	}
	for i, m := range maps[:min(len(maps), o.NumOperands())] {
		shape, _ := ir.ShapeOf(o.Operand(i).Type())
		for j, r := range m.Results {
			if r.Kind != ir.AffineDim || int(r.Value) >= len(out) || out[r.Value] != unknown {
				continue
			}
			out[r.Value] = ir.Dynamic
			if j < len(shape) {
				out[r.Value] = shape[j]
			}
		}
	}
	return out, !slices.Contains(out, unknown)
}

// The effects of operations that read as many memrefs as the index, and write the next, or
// update it.
var writing, updating = func() (writing, updating [4][]interfaces.Effect) {
	for n := range writing {
		var reads []interfaces.Effect
		for i := range n {
			reads = append(reads, interfaces.OnOperand(interfaces.Read, i))
		}
		writing[n] = append(slices.Clip(reads), interfaces.OnOperand(interfaces.Write, n))
		updating[n] = append(slices.Clip(reads), interfaces.OnOperand(interfaces.Read, n), interfaces.OnOperand(interfaces.Write, n))
	}
	return writing, updating
}()

func allMemRefs(op *ir.Op) bool {
	for i := range op.NumOperands() {
		if _, ok := op.Operand(i).Type().(*ir.MemRefType); !ok {
			return false
		}
	}
	return true
}

// effects are reads of memrefs and writes to inits.
func effects(op *ir.Op) []interfaces.Effect {
	m, _ := interfaces.DestinationStyle.Of(op)
	start, n := m(op)
	if n == 1 && start < len(writing) && op.NumOperands() == start+1 && allMemRefs(op) {
		if (StructuredOp{op}).ReadsInit(op.OperandUse(start)) {
			return updating[start]
		}
		return writing[start]
	}
	var out []interfaces.Effect
	for i := range op.NumOperands() {
		if _, ok := op.Operand(i).Type().(*ir.MemRefType); !ok {
			continue
		}
		if out == nil {
			out = make([]interfaces.Effect, 0, op.NumOperands()-i+n)
		}
		init := i >= start && i < start+n
		if !init || (StructuredOp{op}).ReadsInit(op.OperandUse(i)) {
			out = append(out, interfaces.OnOperand(interfaces.Read, i))
		}
		if init {
			out = append(out, interfaces.OnOperand(interfaces.Write, i))
		}
	}
	return out
}

// secondGroup is the destinations of operations of the form inputs, outputs.
func secondGroup(op *ir.Op) (start, n int) { return op.OperandGroupRange(1) }

// groupTypes are the constraints of inputs and outputs of named and generic
// operations.
var groups = []ir.OperandDef{
	{Name: "inputs", Type: constraint.AnyType, Arity: ir.Variadic},
	{Name: "outputs", Type: constraint.AnyShaped, Arity: ir.Variadic},
}

var resultTensors = []ir.ResultDef{{Name: "result_tensors", Type: constraint.AnyRankedTensor, Arity: ir.Variadic}}

// memoizedMaps is the discardable attribute in which the verifier keeps the
// indexing maps of named operations.
const memoizedMaps = "linalg.memoized_indexing_maps"

// OwnAttrs returns the discardable attributes of an operation that its program gave it: all but the one in which the verifier keeps what it has computed.
func OwnAttrs(op *ir.Op) []ir.NamedAttr {
	return slices.DeleteFunc(slices.Clone(op.DiscardableAttrs()), func(a ir.NamedAttr) bool { return a.Name == memoizedMaps })
}

// IndexingMaps implements interfaces.StructuredModel.
func (s *spec) IndexingMaps(op *ir.Op) []*ir.AffineMap {
	if m := mapsOf(s.memoized(op)); m != nil {
		return m
	}
	return s.computeMaps(op)
}

// memoized returns the attribute that has the maps; nil if it isn't there.
func (s *spec) memoized(op *ir.Op) ir.Attribute {
	if s.chosen {
		return op.Attr(indexingMapsAttr)
	}
	return op.DiscardableAttr(memoizedMaps)
}

func (s *spec) computeMaps(op *ir.Op) []*ir.AffineMap {
	c := op.Context()
	if s.elementwise() {
		dims := s.rank(op)
		out := make([]*ir.AffineMap, op.NumOperands())
		for i := range out {
			out[i] = elementwiseMap(c, dims, op.Operand(i).Type())
		}
		return out
	}
	strides, dilations := windowParams(op.Attr("strides"), s.windows), windowParams(op.Attr("dilations"), s.windows)
	out := make([]*ir.AffineMap, len(s.compiled()))
	for i, m := range s.compiled() {
		out[i] = indexingMap(c, len(s.iterators), m, strides, dilations)
	}
	return out
}

func (s *spec) elementwise() bool { return s.maps == "" }

// rank returns the number of loops of an elementwise operation.
func (s *spec) rank(op *ir.Op) int {
	if inits := interfaces.DpsInits(op); len(inits) > 0 {
		return rankOf(inits.At(0).Type())
	}
	return 0
}

// Iterators implements interfaces.StructuredModel.
func (s *spec) Iterators(op *ir.Op) []interfaces.Iterator {
	if s.elementwise() {
		return make([]interfaces.Iterator, s.rank(op))
	}
	out := make([]interfaces.Iterator, len(s.iterators))
	for i := range out {
		if s.iterators[i] == 'r' {
			out[i] = interfaces.Reduction
		}
	}
	return out
}

// numArgs returns how many arguments the body has.
func (s *spec) numArgs() int {
	if s.elementwise() {
		return s.inputs + 1
	}
	return len(s.compiled())
}

// fillBody adds the body of the operation to its region. op has the operation's
// attributes.
func (s *spec) fillBody(b *ir.Builder, r *ir.Region, operands []*ir.Value, op attributed) error {
	ip := b.InsertionPoint()
	defer b.SetInsertionPoint(ip)
	body := b.NewBlock(len(operands))
	r.Append(body)
	for _, v := range operands {
		b.AddArg(body, bodyType(v.Type()), nil)
	}
	b.SetEnd(body)
	w := scalarBuilder{ctx: b.Context(), args: body.Args(), op: op, b: b}
	v, err := w.build(s.body)
	if err != nil {
		return err
	}
	NewYield(b, v)
	return nil
}

// newArgs adds a block to a region with an argument for each operand.
func newArgs(b *ir.Builder, r *ir.Region, operands []*ir.Value) *ir.Block {
	body := b.NewBlock(len(operands))
	r.Append(body)
	for _, v := range operands {
		b.AddArg(body, bodyType(v.Type()), v.Loc())
	}
	return body
}

// bodyType returns the type of the body's argument for an operand.
func bodyType(t ir.Type) ir.Type {
	switch t.(type) {
	case *ir.MemRefType, *ir.RankedTensorType:
		return ir.ElementType(t)
	}
	return t
}

func enumAttr(d *ir.EnumDef) ir.AttrConstraint {
	var values strings.Builder
	for i, c := range d.Cases {
		if i > 0 {
			values.WriteString(", ")
		}
		values.WriteString(strconv.FormatUint(c.Value, 10))
	}
	return constraint.Enum("allowed 32-bit signless integer cases: "+values.String(), d)
}

// windowAttr declares strides or dilations.
func windowAttr(name string, n int) ir.AttrDef {
	return ir.AttrDef{Name: name, Optional: true, Type: constraint.Elements("64-bit signless int elements attribute of shape ["+string(rune('0'+n))+"]",
		func(t ir.Type) bool {
			shape, _ := ir.ShapeOf(t)
			return ir.ElementType(t) == ir.Type(ir.I64) && len(shape) == 1 && shape[0] == int64(n)
		})}
}

// define makes the definition of a named operation.
func (s *spec) define() *ir.OpDef {
	s.compiled = sync.OnceValue(func() [][]mapResult { return compileMaps(s.maps) })
	attrs := s.attrs
	if s.windows > 0 {
		attrs = append(append([]ir.AttrDef(nil), attrs...), windowAttr("strides", s.windows), windowAttr("dilations", s.windows))
	}
	attrs = append(append([]ir.AttrDef(nil), attrs...), segments)
	var revisions []ir.Revision
	if s.spelled {
		revisions = []ir.Revision{{Since: 22, Def: s.withMaps().define()}}
	}
	return &ir.OpDef{
		ID:                 s.id,
		Revisions:          revisions,
		Operands:           groups,
		Results:            resultTensors,
		Attrs:              attrs,
		Later:              s.later(),
		Earlier:            s.earlier,
		Regions:            []ir.RegionDef{{Name: "region"}},
		Traits:             ir.TraitAttrSizedOperandSegments | ir.TraitSingleBlock | ir.TraitRecursiveMemoryEffects,
		ImplicitTerminator: Yield,
		Verify:             s.verify,
		VerifyRegions:      inTurn(interfaces.VerifyDestinationStyle, verifySemantics, s.memoizeMaps, s.verifyShapes),
		VerifyAlone:        true,
		Fold:               foldMemRefCasts,
		Models: append([]ir.Model{
			interfaces.Structured.Model(s),
			interfaces.Addresses(interfaces.ByPosition),
			interfaces.DestinationStyle.Model(secondGroup),
			interfaces.Bufferizable.Model(structuredBufferize{}),
			interfaces.MemoryEffects.Model(effects),
			interfaces.AccessesOperands.Model(struct{}{}),
			interfaces.ReifyShapes.Model(reifyInits),
			asm.Assembly.Model(asm.OpAssembly{Parse: s.parse, Print: s.print, Says: s.implies}),
		}, s.models...),
	}
}

var segments = ir.AttrDef{Name: ir.OperandSegmentsAttr, Type: constraint.Segments, Derived: true}
