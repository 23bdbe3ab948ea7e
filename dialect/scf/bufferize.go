package scf

import (
	"slices"

	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/ir/shapes"
)

// yieldedType returns the type of the buffer of a yielded value, which may be
// bufferized already.
func yieldedType(v *ir.Value, t interfaces.BufferTyper) (ir.Type, error) {
	if interfaces.IsBufferLike(v.Type()) {
		return v.Type(), nil
	}
	return t.BufferType(v)
}

// joinTypes returns the common type of two buffers of the same tensor type: with a
// fully dynamic layout where they differ. message is the error for buffers in
// different memory spaces.
func joinTypes(op *ir.Op, tensor, a, b ir.Type, t interfaces.BufferTyper, message string) (ir.Type, error) {
	if a == b {
		return a, nil
	}
	if interfaces.MemorySpaceOf(a) != interfaces.MemorySpaceOf(b) {
		return nil, op.PlainErrorf("%s", message)
	}
	return t.DynamicType(tensor, interfaces.MemorySpaceOf(a)), nil
}

// castBuffer returns the buffer as one of type t.
func castBuffer(b interfaces.Bufferizer, v *ir.Value, t ir.Type) *ir.Value {
	if v.Type() == t {
		return v
	}
	return b.CastType(v, t)
}

// branchesBufferize is what operations have that execute one of several regions
// once: a result has the buffer that is yielded.
type branchesBufferize struct {
	interfaces.BufferizeDefaults
	message string
}

func yields(op *ir.Op) []*ir.Op {
	var out []*ir.Op
	for _, r := range op.Regions() {
		if !r.Empty() {
			out = append(out, yieldOf(r.Entry()))
		}
	}
	return out
}

func (branchesBufferize) AliasingOperands(v *ir.Value, _ interfaces.AnalysisState) []interfaces.AliasingOperand {
	if v.IsBlockArg() {
		return nil
	}
	var out []interfaces.AliasingOperand
	for _, y := range yields(v.DefiningOp()) {
		out = append(out, interfaces.AliasingOperand{Use: y.OperandUse(v.Index()), Relation: interfaces.Equivalent})
	}
	return out
}

func (m branchesBufferize) BufferType(v *ir.Value, t interfaces.BufferTyper) (ir.Type, error) {
	op := v.DefiningOp()
	if op == nil {
		return t.UnknownType(v) // an argument of a region, which gets no value
	}
	var found ir.Type
	var undetermined error
	for _, y := range yields(op) {
		yt, err := yieldedType(y.Operand(v.Index()), t)
		if interfaces.IsUndetermined(err) {
			undetermined = err
			continue
		} else if err != nil {
			return nil, err
		}
		if found == nil {
			found = yt
		} else if found, err = joinTypes(op, v.Type(), found, yt, t, m.message); err != nil {
			return nil, err
		}
	}
	if found == nil {
		return nil, undetermined
	}
	return found, nil
}

// Bufferize makes the same operation with buffers for results; what its regions
// yield was bufferized before.
func (branchesBufferize) Bufferize(op *ir.Op, b interfaces.Bufferizer) error {
	types, err := interfaces.ResultTypes(op, b)
	if err != nil {
		return err
	}
	n := b.Builder().Create(withTypes(op, types, op.Operands().Values()))
	b.Replace(op, n.Results().Values()...)
	return nil
}

// withTypes returns the state of a copy of the operation with other types and
// operands, to which the regions were moved.
func withTypes(op *ir.Op, types []ir.Type, operands []*ir.Value) ir.OpState {
	s := ir.OpState{Name: op.OpName(), Loc: op.Loc(), Operands: operands, Types: types,
		Props: append([]ir.Attribute(nil), op.Props()...), Attrs: append([]ir.NamedAttr(nil), op.DiscardableAttrs()...)}
	for _, r := range op.Regions() {
		s.AddRegion().TakeBody(r)
	}
	return s
}

// executeRegionBufferize is about regions with any control flow, of which one
// block yields.
type executeRegionBufferize struct{ interfaces.BlockArgBufferize }

func uniqueYield(op *ir.Op) *ir.Op {
	return interfaces.UniqueTerminator(op.RegionAt(0), func(t *ir.Op) bool { return t.Is(Yield) })
}

func (m executeRegionBufferize) AliasingOperands(v *ir.Value, s interfaces.AnalysisState) []interfaces.AliasingOperand {
	if v.IsBlockArg() {
		return m.BlockArgBufferize.AliasingOperands(v, s)
	}
	y := uniqueYield(v.DefiningOp())
	if y == nil {
		return nil
	}
	return []interfaces.AliasingOperand{{Use: y.OperandUse(v.Index()), Relation: interfaces.Equivalent, Definite: true}}
}

func (executeRegionBufferize) Verify(op *ir.Op, _ interfaces.AnalysisState) error {
	if uniqueYield(op) == nil {
		return op.Errorf("op without unique scf.yield is not supported")
	}
	return nil
}

func (m executeRegionBufferize) BufferType(v *ir.Value, t interfaces.BufferTyper) (ir.Type, error) {
	if y := uniqueYield(interfaces.OwnerOf(v)); y != nil && !v.IsBlockArg() {
		return yieldedType(y.Operand(v.Index()), t)
	}
	return m.BlockArgBufferize.BufferType(v, t)
}

func (executeRegionBufferize) Bufferize(op *ir.Op, b interfaces.Bufferizer) error {
	y := uniqueYield(op)
	if y == nil {
		return op.Errorf("op without unique scf.yield is not supported")
	}
	n := b.Builder().Create(withTypes(op, y.Operands().Types(), nil))
	if a := op.DiscardableAttr(noInline); a != nil {
		n.SetDiscardableAttr(noInline, a)
	}
	if err := interfaces.BufferizeBlocks(n, b); err != nil {
		return err
	}
	b.Replace(op, n.Results().Values()...)
	return nil
}

// yieldBufferize is about what regions yield; it stays where it is, so that no
// copy is made inside of the region.
type yieldBufferize struct{ interfaces.BufferizeDefaults }

func (yieldBufferize) Reads(*ir.Use, interfaces.AnalysisState) bool         { return true }
func (yieldBufferize) MustBeInPlace(*ir.Use, interfaces.AnalysisState) bool { return true }

func (yieldBufferize) AliasingValues(u *ir.Use, _ interfaces.AnalysisState) []interfaces.AliasingValue {
	parent := u.Owner().Parent()
	switch parent.ID() {
	case If, IndexSwitch:
		return []interfaces.AliasingValue{{Value: parent.Result(u.Index()), Relation: interfaces.Equivalent}}
	case ExecuteRegion:
		return []interfaces.AliasingValue{{Value: parent.Result(u.Index()), Relation: interfaces.Equivalent, Definite: true}}
	}
	return nil
}

func (yieldBufferize) Bufferize(op *ir.Op, b interfaces.Bufferizer) error {
	parent := op.Parent()
	target := func(i int) *ir.Value { return parent.Result(i) }
	switch parent.ID() {
	case If, IndexSwitch, For:
	case While:
		target = func(i int) *ir.Value { return WhileOp{parent}.Before().Arg(i) }
	case ExecuteRegion:
		target = nil
	default:
		return op.PlainErrorf("unsupported scf::YieldOp parent")
	}
	values := op.Operands().Values()
	for i, v := range values {
		if !interfaces.IsTensorLike(v.Type()) {
			continue
		}
		buffer, err := b.Buffer(v)
		if err != nil {
			return err
		}
		if target != nil {
			t, err := b.BufferType(target(i))
			if err != nil {
				return err
			}
			buffer = castBuffer(b, buffer, t)
		}
		values[i] = buffer
	}
	NewYield(b.Builder(), values...)
	b.Erase(op)
	return nil
}

// loopBufferize is what loops have in common: arguments of their bodies may be
// written, since each init is either in place or copied.
type loopBufferize struct{ interfaces.BufferizeDefaults }

func (loopBufferize) Writes(*ir.Use, interfaces.AnalysisState) bool       { return true }
func (loopBufferize) IsWritable(*ir.Value, interfaces.AnalysisState) bool { return true }

// zeroTrips tells whether a loop from lower to upper may have no iteration, given what says how far numbers are apart.
func zeroTrips(lower, upper shapes.OpFoldResult, distance func(lower, upper int64) uint64) bool {
	l, ok1 := lower.Int()
	u, ok2 := upper.Int()
	return !ok1 || !ok2 || distance(l, u) == 0
}

// iterArgType determines the type of the buffer of a loop-carried value from those
// of the initial and the yielded value.
func iterArgType(loop *ir.Op, arg, init, yielded *ir.Value, t interfaces.BufferTyper) (ir.Type, error) {
	it, err := t.BufferType(init)
	if interfaces.IsUndetermined(err) && !t.InProgress(arg) {
		return yieldedType(yielded, t)
	} else if err != nil {
		return nil, err
	}
	if t.InProgress(arg) {
		return it, nil // the yielded value depends on the argument
	}
	yt, err := yieldedType(yielded, t)
	if err != nil || it == yt {
		return it, err
	}
	if interfaces.MemorySpaceOf(it) != interfaces.MemorySpaceOf(yt) {
		return nil, loop.Errorf("init_arg and yielded value bufferize to inconsistent memory spaces")
	}
	return t.DynamicType(arg.Type(), interfaces.MemorySpaceOf(yt)), nil
}

// bufferInits returns the buffers of initial values, cast to the types of the
// buffers of the corresponding loop-carried values.
func bufferInits(inits []*ir.Value, carried func(i int) *ir.Value, b interfaces.Bufferizer) ([]*ir.Value, error) {
	out := append([]*ir.Value(nil), inits...)
	for i, v := range inits {
		if interfaces.IsTensorLike(v.Type()) {
			buffer, err := b.Buffer(v)
			if err != nil {
				return nil, err
			}
			out[i] = buffer
		}
	}
	for i, v := range inits {
		if !interfaces.IsTensorLike(v.Type()) {
			continue
		}
		t, err := b.BufferType(carried(i))
		if err != nil {
			return nil, err
		}
		out[i] = castBuffer(b, out[i], t)
	}
	return out, nil
}

// retype changes the tensor arguments of a block to the given types, and lets
// their users go on with tensors.
func retype(blk *ir.Block, first int, types []ir.Type, b interfaces.Bufferizer) {
	at := b.Builder().InsertionPoint()
	b.Builder().SetStart(blk)
	for i, t := range types {
		a := blk.Arg(first + i)
		tensor := a.Type()
		if !interfaces.IsTensorLike(tensor) {
			continue
		}
		uses := a.Uses()
		a.SetType(t)
		v := b.ToTensor(a, tensor)
		for _, u := range uses {
			u.Set(v)
		}
	}
	b.Builder().SetInsertionPoint(at)
}

// copyUnless plans copies of the tensors that a terminator passes on from operand first
// on, but for those that may go as they are. The others share their buffers with the
// value that mayGo returns, if it knows one.
func copyUnless(term *ir.Op, first int, mayGo func(i int) (ok bool, other *ir.Value), p interfaces.CopyPlanner) {
	for i := range term.NumOperands() - first {
		u := term.OperandUse(first + i)
		if !interfaces.IsTensorLike(u.Value().Type()) {
			continue
		}
		if ok, other := mayGo(i); !ok {
			p.CopyPassedOn(u, other)
		}
	}
}

type forBufferize struct{ loopBufferize }

func (forBufferize) Reads(u *ir.Use, s interfaces.AnalysisState) bool {
	o := ForOp{u.Owner()}
	if zeroTrips(shapes.SizeOf(o.LowerBound()), shapes.SizeOf(o.UpperBound()), o.distance) {
		return true // the result is the init
	}
	return s.IsValueRead(o.IterArgs()[u.Index()-forInits])
}

func (forBufferize) relation(op *ir.Op, i int, s interfaces.AnalysisState) interfaces.BufferRelation {
	if s.AreEquivalent(ForOp{op}.IterArgs()[i], ForOp{op}.Yield().Operand(i)) {
		return interfaces.Equivalent
	}
	return interfaces.UnknownRelation
}

func (m forBufferize) AliasingValues(u *ir.Use, s interfaces.AnalysisState) []interfaces.AliasingValue {
	i := u.Index() - forInits
	if i < 0 {
		return nil
	}
	r := m.relation(u.Owner(), i, s)
	return []interfaces.AliasingValue{{Value: u.Owner().Result(i), Relation: r, Definite: r == interfaces.Equivalent}}
}

// AliasingOperands is the inverse of AliasingValues.
func (forBufferize) AliasingOperands(v *ir.Value, s interfaces.AnalysisState) []interfaces.AliasingOperand {
	return aliasingInit(v, forInits, s)
}

// aliasingInit returns the operand that a loop's result comes from, of those from a number on, as far as its AliasingValues say it: without a look at the others, of which there may be many.
func aliasingInit(v *ir.Value, first int, s interfaces.AnalysisState) (out []interfaces.AliasingOperand) {
	op, i := interfaces.OwnerOf(v), first+v.Index()
	if v.IsBlockArg() || i >= op.NumOperands() || !interfaces.IsTensorLike(op.Operand(i).Type()) {
		return nil
	}
	u := op.OperandUse(i)
	for _, a := range s.AliasingValues(u) {
		if a.Value == v {
			out = append(out, interfaces.AliasingOperand{Use: u, Relation: a.Relation, Definite: a.Definite})
		}
	}
	return out
}

// PlanCopies also copies what is yielded where its buffer may have another name in the
// next iteration, or may not be written there: if it aliases anything outside of the
// loop but its own loop-carried argument, another yielded value, or something
// read-only. New buffers are yielded as they are.
//
// mlir-opt of LLVM 19 does not look at other yielded values and at constants, and
// so miscompiles loops that write such buffers.
func (forBufferize) PlanCopies(op *ir.Op, s interfaces.AnalysisState, p interfaces.CopyPlanner) {
	p.CopyOperands(op)
	o := ForOp{op}
	mayYield := yieldable(o.Yield().Operands(), op.RegionAt(0), s)
	copyUnless(o.Yield(), 0, func(i int) (bool, *ir.Value) { return mayYield(i, o.IterArgs()[i]) }, p)
}

// yieldable returns a function that tells whether a value may be yielded from a
// loop's region without a copy: if it aliases nothing outside of the region but
// own, no value that may be yielded already, and nothing read-only. If not, it returns
// what it aliases.
func yieldable(yielded ir.Operands, body *ir.Region, s interfaces.AnalysisState) func(i int, own *ir.Value) (bool, *ir.Value) {
	taken := map[*ir.Value]bool{} // aliases of the values that are yielded without a copy
	return func(i int, own *ir.Value) (bool, *ir.Value) {
		aliases, known := s.Aliases(yielded.At(i))
		if !known {
			return true, nil
		}
		for _, v := range aliases {
			if taken[v] || v != own && (!isInside(v, body) || !isWritable(v, s)) {
				return false, v
			}
		}
		for _, v := range aliases {
			taken[v] = true
		}
		return true, nil
	}
}

// isInside tells whether a value is computed in the region, whose loop-carried
// arguments are not.
func isInside(v *ir.Value, r *ir.Region) bool {
	if v.IsBlockArg() && v.ParentRegion() == r {
		return false
	}
	return r.IsAncestorOf(v.ParentRegion())
}

func isWritable(v *ir.Value, s interfaces.AnalysisState) bool {
	m, ok := s.Model(interfaces.OwnerOf(v))
	return ok && m.IsWritable(v, s)
}

func (m forBufferize) Verify(op *ir.Op, s interfaces.AnalysisState) error {
	if s.AllowReturnAllocsFromLoops() {
		return nil
	}
	for i := range op.NumResults() {
		if interfaces.IsTensorLike(op.Result(i).Type()) && m.relation(op, i, s) != interfaces.Equivalent {
			return ForOp{op}.Yield().PlainErrorf("Yield operand #%d is not equivalent to the corresponding iter bbArg", i)
		}
	}
	return nil
}

func (forBufferize) BufferType(v *ir.Value, t interfaces.BufferTyper) (ir.Type, error) {
	o := ForOp{interfaces.OwnerOf(v)}
	if !v.IsBlockArg() {
		return t.BufferType(o.IterArgs()[v.Index()])
	}
	i := v.Index() - 1
	return iterArgType(o.Op, v, o.Inits().At(i), o.Yield().Operand(i), t)
}

func (forBufferize) Bufferize(op *ir.Op, b interfaces.Bufferizer) error {
	o := ForOp{op}
	inits, err := bufferInits(o.Inits().Values(), func(i int) *ir.Value { return op.Result(i) }, b)
	if err != nil {
		return err
	}
	operands := append(op.Operands().Values()[:forInits:forInits], inits...)
	n := ForOp{b.Builder().Create(withTypes(op, ir.TypesOf(inits), operands))}
	retype(n.Body(), 1, ir.TypesOf(inits), b)
	b.Replace(op, n.Results().Values()...)
	return nil
}

type whileBufferize struct{ loopBufferize }

func (whileBufferize) Reads(*ir.Use, interfaces.AnalysisState) bool { return true }

func (m whileBufferize) AliasingValues(u *ir.Use, s interfaces.AnalysisState) []interfaces.AliasingValue {
	op, i := u.Owner(), u.Index()
	// Inits and results need not correspond.
	if i >= op.NumResults() || u.Value().Type() != op.Result(i).Type() {
		return nil
	}
	r := m.relation(op, i, s)
	return []interfaces.AliasingValue{{Value: op.Result(i), Relation: r, Definite: r == interfaces.Equivalent}}
}

// AliasingOperands is the inverse of AliasingValues.
func (whileBufferize) AliasingOperands(v *ir.Value, s interfaces.AnalysisState) []interfaces.AliasingOperand {
	return aliasingInit(v, 0, s)
}

func (whileBufferize) relation(op *ir.Op, i int, s interfaces.AnalysisState) interfaces.BufferRelation {
	o := WhileOp{op}
	if i >= o.Before().NumArgs() || op.Result(i).Type() != o.Before().Arg(i).Type() || i >= o.Yield().NumOperands() {
		return interfaces.UnknownRelation
	}
	if s.AreEquivalent(o.Before().Arg(i), o.Condition().Args().At(i)) && s.AreEquivalent(o.After().Arg(i), o.Yield().Operand(i)) {
		return interfaces.Equivalent
	}
	return interfaces.UnknownRelation
}

// conditionsUncopied is the version of LLVM since which what a condition passes on isn't copied without analysis, where
// what writes copies before.
const conditionsUncopied = 22

// PlanCopies also copies what the condition passes on unless it stays the loop-carried
// argument, or is that and the next one is new (if that is asked for), so that a result
// aliases no other init than its own; and what goes into the next iteration if it is written
// there but may not be, which mlir-opt of LLVM 19 does not see.
func (whileBufferize) PlanCopies(op *ir.Op, s interfaces.AnalysisState, p interfaces.CopyPlanner) {
	p.CopyOperands(op)
	o := WhileOp{op}
	same := func(blk *ir.Block, values ir.Operands, i int) bool {
		return i < blk.NumArgs() && i < len(values) && s.AreEquivalent(blk.Arg(i), values.At(i))
	}
	isNew := func(int) bool { return false }
	if s.CarryThroughConditions() {
		next := yieldable(o.Yield().Operands(), op.RegionAt(1), s)
		isNew = func(i int) bool {
			if i >= o.Yield().NumOperands() {
				return false
			}
			ok, _ := next(i, nil)
			return ok
		}
	}
	copyUnless(o.Condition().Op, 1, func(i int) (bool, *ir.Value) {
		if _, analyzed := s.Aliases(o.Condition().Args().At(i)); !analyzed && s.LLVM() >= conditionsUncopied {
			return true, nil
		}
		return same(o.Before(), o.Condition().Args(), i) && (same(o.After(), o.Yield().Operands(), i) || isNew(i)), nil
	}, p)
	mayYield := yieldable(o.Yield().Operands(), op.RegionAt(1), s)
	written := writtenWith(o, s)
	copyUnless(o.Yield(), 0, func(i int) (bool, *ir.Value) {
		if same(o.After(), o.Yield().Operands(), i) || !written(i) {
			return true, nil
		}
		return mayYield(i, nil)
	}, p)
}

// writtenWith returns a function that tells whether the first region of a loop writes the buffer that is yielded at a
// place, by the argument for that place or for another one at which the same buffer may be yielded.
func writtenWith(o WhileOp, s interfaces.AnalysisState) func(i int) bool {
	yielded := o.Yield().Operands()
	var places []int // that are written
	for i, v := range yielded.Values() {
		if interfaces.IsTensorLike(v.Type()) && isWritten(o.Before().Arg(i), s) {
			places = append(places, i)
		}
	}
	return func(i int) bool {
		if len(places) == 0 {
			return false
		}
		aliases, known := s.Aliases(yielded.At(i))
		return slices.ContainsFunc(places, func(j int) bool {
			return i == j || !known || slices.Contains(aliases, yielded.At(j))
		})
	}
}

// isWritten tells whether an operation writes the buffer of v in place.
func isWritten(v *ir.Value, s interfaces.AnalysisState) bool {
	aliases, _ := s.Aliases(v)
	for _, a := range aliases {
		for u := a.FirstUse(); u != nil; u = u.Next() {
			if s.IsInPlace(u) && s.Writes(u) {
				return true
			}
		}
	}
	return false
}

func (whileBufferize) Verify(op *ir.Op, s interfaces.AnalysisState) error {
	if s.AllowReturnAllocsFromLoops() {
		return nil
	}
	o := WhileOp{op}
	check := func(term *ir.Op, args ir.Operands, blk *ir.Block, what string) error {
		for i := range args {
			v := args.At(i)
			if interfaces.IsTensorLike(v.Type()) && (i >= blk.NumArgs() || !s.AreEquivalent(v, blk.Arg(i))) {
				return term.PlainErrorf("%s #%d is not equivalent to the corresponding iter bbArg", what, i)
			}
		}
		return nil
	}
	if err := check(o.Condition().Op, o.Condition().Args(), o.Before(), "Condition arg"); err != nil {
		return err
	}
	return check(o.Yield(), o.Yield().Operands(), o.After(), "Yield operand")
}

func (whileBufferize) BufferType(v *ir.Value, t interfaces.BufferTyper) (ir.Type, error) {
	o := WhileOp{interfaces.OwnerOf(v)}
	if v.IsBlockArg() && v.ArgOwner() == o.Before() {
		return iterArgType(o.Op, v, o.Inits().At(v.Index()), o.Yield().Operand(v.Index()), t)
	}
	// Results and arguments of the second region are what the condition passes on.
	return yieldedType(o.Condition().Args().At(v.Index()), t)
}

func (whileBufferize) Bufferize(op *ir.Op, b interfaces.Bufferizer) error {
	o := WhileOp{op}
	inits, err := bufferInits(o.Inits().Values(), func(i int) *ir.Value { return o.Before().Arg(i) }, b)
	if err != nil {
		return err
	}
	after := ir.TypesOf(o.After().Args())
	for i, a := range o.After().Args() {
		if interfaces.IsTensorLike(a.Type()) {
			if after[i], err = b.BufferType(a); err != nil {
				return err
			}
		}
	}
	n := WhileOp{b.Builder().Create(withTypes(op, after, inits))}
	retype(n.Before(), 0, ir.TypesOf(inits), b)
	retype(n.After(), 0, after, b)
	b.Replace(op, n.Results().Values()...)
	return nil
}

// conditionBufferize is about what a while loop passes on to its body and results;
// like what is yielded, it stays where it is.
type conditionBufferize struct{ interfaces.BufferizeDefaults }

func (conditionBufferize) Reads(*ir.Use, interfaces.AnalysisState) bool         { return true }
func (conditionBufferize) MustBeInPlace(*ir.Use, interfaces.AnalysisState) bool { return true }

func (conditionBufferize) Bufferize(op *ir.Op, b interfaces.Bufferizer) error {
	o, loop := ConditionOp{op}, WhileOp{op.Parent()}
	args := o.Args().Values()
	for i, v := range args {
		if !interfaces.IsTensorLike(v.Type()) {
			continue
		}
		buffer, err := b.Buffer(v)
		if err != nil {
			return err
		}
		t, err := b.BufferType(loop.After().Arg(i))
		if err != nil {
			return err
		}
		args[i] = castBuffer(b, buffer, t)
	}
	NewCondition(b.Builder(), o.Condition(), args...)
	b.Erase(op)
	return nil
}

type forallBufferize struct{ loopBufferize }

// zeroTrips tells whether there may be no iteration.
func (forallBufferize) zeroTrips(o ForallOp) bool {
	lower, upper := o.LowerBounds(), o.UpperBounds()
	for i := range lower {
		if zeroTrips(lower[i], upper[i], distance) {
			return true
		}
	}
	return false
}

func outputArg(o ForallOp, u *ir.Use) *ir.Value {
	start, _ := o.OperandGroupRange(forallOutputs)
	return o.OutputArgs()[u.Index()-start]
}

func (m forallBufferize) Reads(u *ir.Use, s interfaces.AnalysisState) bool {
	o := ForallOp{u.Owner()}
	return m.zeroTrips(o) || s.IsValueRead(outputArg(o, u))
}

func (forallBufferize) AliasingValues(u *ir.Use, _ interfaces.AnalysisState) []interfaces.AliasingValue {
	start, _ := u.Owner().OperandGroupRange(forallOutputs)
	return []interfaces.AliasingValue{{Value: u.Owner().Result(u.Index() - start), Relation: interfaces.Equivalent, Definite: true}}
}

// AliasingOperands is the inverse of AliasingValues.
func (forallBufferize) AliasingOperands(v *ir.Value, s interfaces.AnalysisState) []interfaces.AliasingOperand {
	start, _ := interfaces.OwnerOf(v).OperandGroupRange(forallOutputs)
	return aliasingInit(v, start, s)
}

// Repetitive tells whether there may be more than one iteration.
func (forallBufferize) Repetitive(op *ir.Op, _ int) bool {
	o := ForallOp{op}
	lower, upper, steps := o.LowerBounds(), o.UpperBounds(), o.Steps()
	for i := range lower {
		l, ok1 := lower[i].Int()
		u, ok2 := upper[i].Int()
		s, ok3 := steps[i].Int()
		if !ok1 || !ok2 || !ok3 || l+s < u {
			return true
		}
	}
	return false
}

func (m forallBufferize) Parallel(op *ir.Op, region int) bool { return m.Repetitive(op, region) }

func (forallBufferize) BufferType(v *ir.Value, t interfaces.BufferTyper) (ir.Type, error) {
	o := ForallOp{interfaces.OwnerOf(v)}
	i := v.Index()
	if v.IsBlockArg() {
		i -= o.Rank()
	}
	return t.BufferType(o.Outputs().At(i))
}

func (forallBufferize) Bufferize(op *ir.Op, b interfaces.Bufferizer) error {
	o := ForallOp{op}
	buffers := make([]*ir.Value, len(o.Outputs()))
	for i, v := range o.Outputs().Values() {
		var err error
		if buffers[i], err = b.Buffer(v); err != nil {
			return err
		}
	}
	at := b.Builder().InsertionPoint()
	b.Builder().SetStart(o.Body())
	for i, a := range o.OutputArgs() {
		a.ReplaceAllUsesWith(b.ToTensor(buffers[i], a.Type()))
	}
	b.Builder().SetInsertionPoint(at)
	n := NewForall(b.Builder(), o.LowerBounds(), o.UpperBounds(), o.Steps(), nil, o.Mapping())
	for _, a := range op.DiscardableAttrs() {
		n.SetAttr(a.Name, a.Value)
	}
	for i, iv := range o.InductionVars() {
		iv.ReplaceAllUsesWith(n.InductionVars()[i])
	}
	if t := n.Body().Last(); t != nil {
		t.Erase()
	}
	n.Body().TakeOps(o.Body(), o.Body().First())
	b.Replace(op, buffers...)
	return nil
}
