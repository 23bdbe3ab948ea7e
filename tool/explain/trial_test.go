package explain_test

import (
	"fmt"
	"slices"
	"strings"

	"freehold/dialect/arith"
	"freehold/dialect/bufferization"
	"freehold/dialect/memref"
	"freehold/dialect/scf"
	"freehold/dialect/tensor"
	"freehold/driver"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/interfaces"
	"freehold/ir/shapes"
	"freehold/tool/explain"
	"freehold/transform/bufferize/oneshot"
)

// trial puts what explain says about a program to the test: a program in which what is named
// as the cause of a copy is changed has the copy no more.
type trial struct {
	name     string
	src      []byte
	pipeline string
	items    []*explain.Item
}

// newTrial explains a program; nil if the pipeline refuses it.
func newTrial(name string, src []byte, pipeline string) *trial {
	t := &trial{name: name, src: src, pipeline: pipeline}
	t.items = t.explained(pipeline, nil)
	if t.items == nil {
		return nil
	}
	return t
}

// explained returns what explain says about the program after a change, which tells whether it found what
// to change; nil if it didn't, or if there is no such program.
func (t *trial) explained(pipeline string, change func(*patient) bool) []*explain.Item {
	session := driver.Freehold().NewSession()
	session.Context.AllowUnregistered = true
	m, err := session.Passes.ParsePipeline(pipeline)
	if err != nil {
		return nil
	}
	program, err := session.Parse(t.src, t.name)
	if err != nil {
		return nil
	}
	source := func(string) []byte { return t.src }
	if change != nil {
		p := &patient{module: program.Module, names: asm.NewSourceNames(source)}
		if !change(p) || ir.Verify(program.Module) != nil {
			return nil
		}
	}
	e, err := explain.Module(program.Module, m, explain.Options{Source: source})
	if err != nil {
		return nil
	}
	return append([]*explain.Item{}, e.Items...)
}

// confirmed tells whether the copy, or the allocation, of an item is gone without its cause.
func (t *trial) confirmed(i *explain.Item) bool {
	if i.Cause == explain.Given {
		// Nothing made it: that's all there is to tell.
		given := false
		t.explained(t.pipeline, func(p *patient) bool {
			given = slices.ContainsFunc(p.at(i.At), func(op *ir.Op) bool { return op.Name() == i.Op })
			return false
		})
		return given
	}
	return t.goneWithout(i, false) || i.Copies > 0 && t.goneWithout(i, true) ||
		slices.ContainsFunc(i.Advice, func(a explain.Advice) bool { return t.helps(i, a) })
}

// goneWithout tells whether the copy, or the allocation, is gone once its cause is. What is removed
// may let another operation work in place, which has the same copy for a reason of its own: then
// that reason goes, too.
func (t *trial) goneWithout(i *explain.Item, other bool) bool {
	removed := []*explain.Item{i}
	for range 3 {
		after := t.explained(t.pipeline, func(p *patient) bool {
			p.other = other
			for _, x := range removed {
				if !p.remove(x) {
					return false
				}
			}
			return true
		})
		if t.gone(i, after) {
			return true
		}
		n := slices.IndexFunc(after, func(x *explain.Item) bool {
			return x.Remains() && x.Cause == i.Cause && place(x) == place(i) && bufferizeRule(x.Cause) != oneshot.NoConflict
		})
		if n < 0 {
			return false
		}
		removed = append(removed, after[n])
	}
	return false
}

// helps tells whether the option or the pass that an advice names removes the copy.
func (t *trial) helps(i *explain.Item, a explain.Advice) bool {
	p := withAdvice(t.pipeline, a)
	return p != "" && t.gone(i, t.explained(p, nil))
}

// withAdvice returns the pipeline that follows an advice, with its option, or with its pass
// before or after bufferization; "" if there is none.
func withAdvice(pipeline string, a explain.Advice) string {
	start := strings.Index(pipeline, oneshot.Pass.Name)
	if start < 0 {
		return ""
	}
	end := start + len(oneshot.Pass.Name)
	options := ""
	if strings.HasPrefix(pipeline[end:], "{") {
		n := strings.IndexByte(pipeline[end:], '}')
		options = pipeline[end+1 : end+n]
		end += n + 1
	}
	before, after := pipeline[:start], pipeline[end:]
	this := oneshot.Pass.Name + "{" + options + "}"
	switch {
	case a.Kind == "option":
		name, _, _ := strings.Cut(a.Name, "=")
		kept := slices.DeleteFunc(strings.Fields(options), func(o string) bool {
			n, _, _ := strings.Cut(o, "=")
			return n == name
		})
		return before + oneshot.Pass.Name + "{" + strings.Join(append(kept, a.Name), " ") + "}" + after
	case a.Kind == "pass":
		if a.After {
			return before + this + "," + a.Name + after
		}
		return before + a.Name + "," + this + after
	}
	return ""
}

// place identifies what an item is about, also in another reading of the program.
func place(i *explain.Item) string {
	pos, ok := ir.SourcePos(located(i.At.Loc))
	if !ok {
		return i.Function + " " + i.Op
	}
	return fmt.Sprint(pos.Line, ":", pos.Col, " ", i.Op)
}

// gone tells whether there are fewer copies where an item is, and in all, where functions may
// still need some for what they return; if the item is just an
// allocation, whether there are fewer of them where it is: others may take its place.
func (t *trial) gone(i *explain.Item, after []*explain.Item) bool {
	if after == nil {
		return false
	}
	boundary := func(c explain.Cause) bool { return c == explain.Ownership || c == explain.Layout }
	count := func(items []*explain.Item) (here, all int) {
		for _, x := range items {
			n := x.Copies
			if i.Copies == 0 {
				n = x.Allocations
			}
			if place(x) == place(i) {
				here += n
			}
			if boundary(x.Cause) == boundary(i.Cause) {
				all += n
			}
		}
		return here, all
	}
	here, all := count(t.items)
	hereAfter, allAfter := count(after)
	return hereAfter < here && (i.Copies == 0 || allAfter < all)
}

// patient is a program before it is bufferized, in which something is changed.
type patient struct {
	module *ir.Op
	names  *asm.SourceNames
	// other chooses the other one of two ways to compute something elsewhere: in a part of a copy of
	// the destination, or on the heap.
	other bool
}

// remove takes the cause of an item away: the reads that need the old contents, what makes a
// buffer read-only, or what is moved; it tells whether it found that.
func (p *patient) remove(i *explain.Item) bool {
	found := false
	each := func(role explain.Role, change func(explain.Note) bool) {
		for _, n := range i.Notes {
			if n.Role == role && change(n) {
				found = true
			}
		}
	}
	switch rule := bufferizeRule(i.Cause); {
	case rule == oneshot.ReadAfterWrite || rule == oneshot.OutOfOrder || i.Cause == explain.Ownership:
		each(explain.TheRead, func(n explain.Note) bool { return p.dropRead(n, i) })
	case rule == oneshot.Parallel || rule.NotWritable():
		each(explain.TheDefinition, p.replaceDefinition)
	case rule == oneshot.PassedOn:
		for _, op := range p.at(i.At) {
			for _, r := range op.Parent().Regions() {
				found = passOnInPlace(r.Entry().Terminator()) || found
			}
		}
	case i.Cause == explain.Moves:
		for _, op := range p.at(i.At) {
			found = computeInPlace(op, p.other) || found
		}
	case i.Cause == explain.Shared:
		for _, op := range p.at(i.At) {
			op.SetAttr(bufferization.RestrictAttr, ir.Unit)
			found = true
		}
	case i.Cause == explain.Layout:
		each(explain.TheBuffer, p.replaceDefinition)
	case i.Cause == explain.Result:
		for _, op := range p.at(i.At) {
			found = withDestination(op, p.other) || found
		}
	}
	return found
}

// bufferizeRule returns the rule of the analysis that a cause is, or [oneshot.NoConflict].
func bufferizeRule(c explain.Cause) oneshot.Rule {
	for r := oneshot.ReadAfterWrite; r <= oneshot.UserForced; r++ {
		if explain.Cause(r.String()) == c {
			return r
		}
	}
	return oneshot.NoConflict
}

// at returns the operations at a place.
func (p *patient) at(at explain.Place) []*ir.Op {
	var found []*ir.Op
	p.module.Walk(func(op *ir.Op) bool {
		if samePlace(op.Loc(), at.Loc) {
			found = append(found, op)
		}
		return true
	})
	return found
}

func located(l ir.Location) ir.Location {
	if l == nil {
		return ir.Unknown
	}
	return l
}

func samePlace(a, b ir.Location) bool {
	x, ok := ir.SourcePos(located(a))
	y, ok2 := ir.SourcePos(located(b))
	return ok && ok2 && x.Line == y.Line && x.Col == y.Col
}

// named tells whether a value has the name that a note gives it.
func (p *patient) named(v *ir.Value, name string) bool {
	if n := p.names.Value(v); n != "" {
		return n == name
	}
	return v.DefiningOp() != nil && name == "the result of "+v.DefiningOp().Name() || v.IsBlockArg() && name == "a block's argument"
}

// dropRead lets an operation read another tensor than the one named. What is both read and
// overwritten by the item's own operation stays what it is.
func (p *patient) dropRead(n explain.Note, i *explain.Item) bool {
	found, own := false, samePlace(n.Loc, i.At.Loc)
	for _, op := range p.at(n.Place) {
		var tensors []*ir.Use
		named := false
		for k := range op.NumOperands() {
			u := op.OperandUse(k)
			if ir.IsTensor(u.Value().Type()) {
				tensors = append(tensors, u)
			}
			if p.named(u.Value(), n.Value) && !(own && interfaces.IsInit(u)) {
				named = true
				found = replaceUse(u) || found
			}
		}
		// Where a loop was folded away, its result has the name of what it started from; a single tensor is meant, whatever it is called.
		if !named && !own && len(tensors) == 1 {
			found = replaceUse(tensors[0]) || found
		}
	}
	return found
}

func replaceUse(u *ir.Use) bool {
	b := ir.NewBuilder(u.Owner().Context())
	b.SetBefore(u.Owner())
	v := fresh(b, u.Value())
	if v == nil {
		return false
	}
	u.Set(v)
	return true
}

// replaceDefinition lets everybody use another tensor than the one named; an argument of a
// function may be written.
func (p *patient) replaceDefinition(n explain.Note) bool {
	values := p.values(n)
	if len(values) == 0 {
		return false
	}
	v := values[0]
	if !v.IsBlockArg() {
		b := ir.NewBuilder(v.DefiningOp().Context())
		b.SetAfter(v.DefiningOp())
		return replaceAll(b, v)
	}
	fn := v.ParentBlock().ParentOp()
	if interfaces.Function.Has(fn) && v.ParentBlock().IsEntry() {
		interfaces.EditArgAttrs(fn, func(i int, attrs []ir.NamedAttr) []ir.NamedAttr {
			if i != v.Index() {
				return attrs
			}
			return []ir.NamedAttr{{Name: bufferization.WritableAttr, Value: fn.Context().Bool(true)}}
		})
		return true
	}
	b := ir.NewBuilder(fn.Context())
	b.SetStart(v.ParentBlock())
	return replaceAll(b, v)
}

// values returns those that a note names.
func (p *patient) values(n explain.Note) []*ir.Value {
	var found []*ir.Value
	take := func(v *ir.Value) {
		if samePlace(v.Loc(), n.Loc) && p.named(v, n.Value) {
			found = append(found, v)
		}
	}
	p.module.Walk(func(op *ir.Op) bool {
		for i := range op.NumResults() {
			take(op.Result(i))
		}
		for _, r := range op.Regions() {
			for b := range r.Blocks() {
				for _, a := range b.Args() {
					take(a)
				}
			}
		}
		return true
	})
	return found
}

// replaceAll puts a tensor that the builder makes in a value's place.
func replaceAll(b *ir.Builder, v *ir.Value) bool {
	w := fresh(b, v)
	if w == nil {
		return false
	}
	moveUses(v, w)
	return true
}

// moveUses lets those who use the contents of one value use another one; sizes stay those of
// the first.
func moveUses(v, w *ir.Value) {
	var uses []*ir.Use
	for u := v.FirstUse(); u != nil; u = u.Next() {
		if op := u.Owner(); !op.Is(tensor.Dim) && !op.Is(memref.Dim) && op != w.DefiningOp() {
			uses = append(uses, u)
		}
	}
	for _, u := range uses {
		u.Set(w)
	}
}

// fresh makes a tensor or a buffer of a value's type, nil if that is no ranked one.
func fresh(b *ir.Builder, v *ir.Value) *ir.Value {
	switch t := v.Type().(type) {
	case *ir.RankedTensorType:
		return bufferization.NewAllocTensor(b, t, dynamicSizes(b, v), nil, nil)
	case *ir.MemRefType:
		return ownBuffer(b, t, dynamicSizes(b, v))
	}
	return nil
}

// ownBuffer allocates a buffer, with steps and an offset of 1 where its type doesn't tell them.
func ownBuffer(b *ir.Builder, t *ir.MemRefType, dynamicSizes []*ir.Value) *ir.Value {
	dense := memref.NewAlloc(b, b.Context().MemRefOf(t.Shape, t.Elem, nil, t.Space), dynamicSizes, 0)
	if t.Layout == nil {
		return dense
	}
	strides, offset, ok := t.StridesAndOffset()
	if !ok {
		return nil
	}
	known := func(n int64) shapes.OpFoldResult {
		if n == ir.Dynamic {
			return shapes.SizeOf(arith.ConstantIndex(b, 1))
		}
		return shapes.ConstSize(n)
	}
	view := shapes.Slice{Offsets: []shapes.OpFoldResult{known(offset)}, Sizes: shapes.Mixed(t.Shape, dynamicSizes)}
	for _, n := range strides {
		view.Strides = append(view.Strides, known(n))
	}
	return memref.NewReinterpretCast(b, t, dense, view)
}

// dynamicSizes returns the sizes of a tensor or a buffer that its type doesn't tell.
func dynamicSizes(b *ir.Builder, v *ir.Value) []*ir.Value {
	var sizes []*ir.Value
	shape, _ := ir.ShapeOf(v.Type())
	for i, d := range shape {
		switch {
		case d != ir.Dynamic:
		case ir.IsTensor(v.Type()):
			sizes = append(sizes, tensor.NewDim(b, v, int64(i)))
		default:
			sizes = append(sizes, memref.NewDim(b, v, i))
		}
	}
	return sizes
}

// withDestination lets an operation's results be what other memory has already, or removes
// an operation without results; that memory is on the stack, or on the heap.
func withDestination(op *ir.Op, heap bool) bool {
	if op.NumResults() == 0 {
		if op.Has(ir.TraitTerminator) {
			return false
		}
		op.Erase()
		return true
	}
	found := false
	for i := range op.NumResults() {
		v := op.Result(i)
		b := ir.NewBuilder(op.Context())
		b.SetAfter(op)
		shape, ok := ir.ShapeOf(v.Type())
		if !ok {
			continue
		}
		var sizes []*ir.Value
		for _, d := range shape {
			if d == ir.Dynamic {
				sizes = append(sizes, arith.ConstantIndex(b, 7))
			}
		}
		var space ir.Attribute
		if op.Is(bufferization.AllocTensor) {
			space = bufferization.AllocTensorOp{Op: op}.MemorySpace()
		}
		allocate := memref.NewAlloca
		if heap {
			allocate = memref.NewAlloc
		}
		buffer := allocate(b, op.Context().MemRefOf(shape, ir.ElementType(v.Type()), nil, space), sizes, 0)
		w := buffer
		if ir.IsTensor(v.Type()) {
			w = bufferization.NewToTensor(b, buffer, true, true)
		}
		if w.Type() != v.Type() {
			continue
		}
		v.ReplaceAllUsesWith(w)
		found = true
	}
	if !op.HasUses() {
		op.Erase()
	}
	return found
}

// passOnInPlace lets a terminator pass on what it got in the same place.
func passOnInPlace(op *ir.Op) bool {
	b, found, own := op.Block(), false, map[int]*ir.Value{}
	for k := range op.NumOperands() {
		i := k
		if op.Is(scf.Condition) {
			i--
		}
		if i < 0 || len(b.Args()) == 0 {
			continue
		}
		args := b.Args()[max(0, b.NumArgs()-op.NumOperands()+k-i):]
		if i >= len(args) || args[i].Type() != op.Operand(k).Type() {
			continue
		}
		v := args[i]
		for _, o := range op.Operands().Values() {
			if startsFrom(o, args[i]) {
				v = o
			}
		}
		own[k] = v
	}
	for k, v := range own {
		found = found || op.Operand(k) != v
		op.SetOperand(k, v)
	}
	return found
}

// startsFrom tells whether a tensor is made of another one by operations that overwrite it.
func startsFrom(v, start *ir.Value) bool {
	for v != start {
		if v.IsBlockArg() {
			return false
		}
		u := interfaces.TiedInit(v)
		if u == nil {
			return false
		}
		v = u.Value()
	}
	return true
}

// computeInPlace lets what is moved be where it belongs already: in the destination, or in a copy of
// it, if the insertion makes one anyway.
func computeInPlace(op *ir.Op, copied bool) bool {
	m, ok := interfaces.SubsetInsertion.Of(op)
	if !ok {
		return false
	}
	b := ir.NewBuilder(op.Context())
	b.SetBefore(op)
	if parent := op.Parent(); op.Has(ir.TraitTerminator) || parent.Has(ir.TraitTerminator) {
		b.SetBefore(parent)
	}
	if u := m.Destination(op); copied {
		u.Set(bufferization.NewAllocTensor(b, u.Value().Type(), nil, u.Value(), nil))
	}
	v := m.BuildExtraction(b, op)
	if v == nil || v.Type() != m.Source(op).Value().Type() {
		return false
	}
	m.Source(op).Set(v)
	return true
}
