package explain

import (
	"fmt"
	"slices"

	"freehold/dialect/bufferization"
	"freehold/dialect/linalg"
	"freehold/dialect/memref"
	"freehold/ir"
	"freehold/ir/analysis"
	"freehold/ir/asm"
	"freehold/ir/interfaces"
	"freehold/memory/footprint"
	"freehold/pass"
	"freehold/transform/bufferize/oneshot"
	"freehold/transform/bufferize/prepare"
)

// tracer follows allocations and copies through a pipeline. It knows them by their
// locations: what bufferization makes gets one with a tag, which passes keep.
type tracer struct {
	*asm.SourceNames
	module *ir.Op
	items  []*Item
	// keeps has the arguments of which the program says that they may not be written.
	keeps map[argument]bool
	// arenas counts the arenas that the last pass left.
	arenas int
	tags   map[ir.Attribute]*Item
	// decided has the items of decisions, and own those of operations that need a buffer or
	// make a copy themselves. layouts has those of layouts.
	decided map[*ir.Use]*Item
	own     map[*ir.Op]*Item
	layouts map[*ir.Op]*Item
	// before has what the operations were that are replaced.
	before map[*ir.Op]source
	untold map[ir.Location]*Item // of what later passes made, by where
	// returned has what functions return, by where they do.
	returned map[ir.Location][]returnedValue
	// buffers are what is known of the buffers of a function, for clones, until the next pass.
	buffers map[*ir.Op]*analysis.Buffers
}

// source is an operation of the program before it was bufferized.
type source struct {
	at Place
	// op is the operation's name, and called what the source calls it.
	op, called string
	function   string
	loop       Place
	reuses     bool // makes a tensor just as a place for others to write
	moves      string
	// kept names the argument that is copied since it may not be written, and argumentAdvice says what would let it.
	kept           string
	argumentAdvice []Advice
	// fromEmpty tells that what is moved is computed in a tensor.empty that could be the place
	// where it belongs.
	fromEmpty bool
	// What vacancies know of a tensor that is made as room: they searched for another buffer, found
	// one, which may be an argument's, and it is returned.
	searched, spareArgument, returned, static bool
	// whole tells that what is returned is the tensor with nothing but writes into it.
	whole     bool
	spare     string
	spareLoc  ir.Location
	spareRoom *ir.Op // makes the buffer of the other one, if it isn't an argument
	notes     []Note
}

// returnedValue is what a function returns.
type returnedValue struct {
	name string
	// argument tells that it may be, or be a part of, what the function got.
	argument bool
	// equivalent tells that, once it is a buffer, it is an argument.
	equivalent bool
}

func newTracer(module *ir.Op, o Options) *tracer {
	return &tracer{
		SourceNames: asm.NewSourceNames(o.Source),
		module:      module, tags: map[ir.Attribute]*Item{},
		keeps:  map[argument]bool{},
		untold: map[ir.Location]*Item{}, returned: map[ir.Location][]returnedValue{},
	}
}

// observe lets all that bufferizes in a pipeline tell its reasons.
func (t *tracer) observe(m *pass.OpPassManager) {
	for _, i := range m.Instances() {
		o := oneshot.Pass.OptionsOf(i)
		if o == nil || o.TestAnalysisOnly {
			continue
		}
		o.AllReasons = true
		o.Made = t.made
		analyze := o.Analysis
		if analyze == nil {
			analyze = oneshot.Analyze
			if o.CopyBeforeWrite {
				analyze = oneshot.CopyBeforeWrite
			}
		}
		o.Analysis = func(root *ir.Op, o *oneshot.Options) (*oneshot.Plan, error) {
			p, err := analyze(root, o)
			if err == nil {
				t.decide(root, p, o)
			}
			return p, err
		}
	}
}

// decide puts a plan into words, while the program is still the one that it is about.
func (t *tracer) decide(root *ir.Op, p *oneshot.Plan, o *oneshot.Options) {
	t.decided, t.own, t.layouts = map[*ir.Use]*Item{}, map[*ir.Op]*Item{}, map[*ir.Op]*Item{}
	t.before = map[*ir.Op]source{}
	root.Walk(func(op *ir.Op) bool {
		t.returns(op, func(v *ir.Value) bool {
			return ir.IsTensor(v.Type()) && slices.ContainsFunc(p.Aliases(v), isArgument)
		})
		if interfaces.HasTensorTypes(op) {
			s := t.source(op)
			s.fromEmpty = s.moves != "" && oneshot.InsertsEmptyTensor(p, o, op) && onlyInserted(op)
			t.before[op] = s
		}
		return true
	})
	t.vacancies(root, p, o)
	for d := range p.OutOfPlace() {
		if d.Copy == oneshot.NoCopy {
			continue
		}
		i := t.item(t.source(d.Use.Owner()))
		i.Cause = ruleCause(d.Reason.Rule)
		t.words(i, d)
		t.decided[d.Use] = i
	}
}

// isArgument tells whether a value is an argument of a function.
func isArgument(v *ir.Value) bool {
	block := v.ArgOwner()
	if block == nil || !block.IsEntry() {
		return false
	}
	return interfaces.Function.Has(block.ParentOp())
}

// returns notes what a function returns, if the operation is its return; argument tells what
// may be something that the function got.
func (t *tracer) returns(op *ir.Op, argument func(v *ir.Value) bool) {
	if !isReturn(op) || op.Parent() == nil {
		return
	}
	if !interfaces.Function.Has(op.Parent()) {
		return
	}
	values, list := op.Operands().Values(), t.returned[t.unique(op.Loc())]
	if len(list) != len(values) {
		// The first to ask sees the names of the source.
		list = make([]returnedValue, len(values))
		for i, v := range values {
			list[i].name = t.place(v).Name
		}
		t.returned[t.unique(op.Loc())] = list
	}
	for i, v := range values {
		list[i].argument = argument(v)
	}
}

// unique returns the location that stands for all that are equal to it.
func (t *tracer) unique(l ir.Location) ir.Location { return t.module.Context().UniqueLocation(l) }

// equivalents notes which results of functions are arguments, right after bufferization.
func (t *tracer) equivalents() {
	t.module.Walk(func(op *ir.Op) bool {
		if list := t.returned[t.unique(op.Loc())]; isReturn(op) && len(list) == op.NumOperands() {
			for i := range list {
				list[i].equivalent = isArgument(withoutCasts(op.Operand(i)))
			}
		}
		return true
	})
}

// onlyInserted tells whether what an insertion inserts is computed for it alone, where nothing
// chooses between tensors: else there would be a copy all the same, of the part to itself, or one
// for the other reader.
func onlyInserted(op *ir.Op) bool {
	m, ok := interfaces.SubsetInsertion.Of(op)
	return ok && writtenInto(m.Source(op).Value(), (*ir.Value).HasOneUse) != nil
}

// source describes an operation.
func (t *tracer) source(op *ir.Op) source {
	s := source{at: Place{Loc: placeOfRoom(op)}, op: op.Name()}
	s.called = calledAt(t.SourceNames, s.op, s.at.Loc)
	if op.NumResults() > 0 {
		s.at.Name = t.Value(op.Result(0))
	}
	for p := op.Parent(); p != nil; p = p.Parent() {
		if interfaces.LoopLike.Has(p) && !s.loop.Known() {
			s.loop = Place{p.Loc(), p.Name()}
		}
		if name, ok := ir.SymbolName(p); ok && s.function == "" {
			if interfaces.Function.Has(p) {
				s.function = name
			}
		}
	}
	s.reuses = op.NumOperands() == 0 || isEmpty(op)
	if m, ok := interfaces.SubsetInsertion.Of(op); ok {
		s.moves = t.place(m.Source(op).Value()).Name + " into its part of " + t.place(m.Destination(op).Value()).Name
	}
	if op.Is(bufferization.AllocTensor) {
		if arg := (bufferization.AllocTensorOp{Op: op}).CopyOf(); arg != nil && isArgument(arg) && isFalse(interfaces.ArgAttr(interfaces.OwnerOf(arg), arg.Index(), bufferization.WritableAttr)) {
			s.kept, s.argumentAdvice = t.place(arg).Name, t.argumentAdvice(arg)
		}
	}
	return s
}

// placeOfRoom returns the location of an operation, or, of room that comes from several places, such as from constants that are one now, that of what is
// computed in it first.
func placeOfRoom(op *ir.Op) ir.Location {
	at := op.Loc()
	for next := op; isEmpty(op) && next != nil && next.NumResults() > 0; {
		if _, ok := ir.SourcePos(orUnknown(at)); ok {
			return at
		}
		u := next.Result(0).FirstUse()
		if u == nil {
			break
		}
		next = u.Owner()
		at = next.Loc()
	}
	return op.Loc()
}

// item makes an item of an operation.
func (t *tracer) item(s source) *Item {
	i := &Item{At: s.at, Op: s.op, called: s.called, Function: s.function, Loop: s.loop, order: len(t.items)}
	t.items = append(t.items, i)
	return i
}

// made gives what bufferization makes the tag of the item that it belongs to.
func (t *tracer) made(op *ir.Op, o oneshot.Origin) {
	i := t.decided[o.Use]
	switch {
	case o.Use != nil && i != nil:
	case o.Layout:
		i = t.layouts[o.Op]
		if i == nil {
			i = t.item(t.sourceOf(o.Op))
			i.Cause = Layout
			t.layouts[o.Op] = i
		}
		if op.Is(memref.Copy) {
			t.layoutWords(i, o.Op, op)
		}
	default:
		i = t.own[o.Op]
		if i == nil {
			i = t.item(t.sourceOf(o.Op))
			t.own[o.Op] = i
		}
	}
	t.mark(op, i)
	count(op, &i.MadeCopies, &i.MadeAllocations)
	if i.Cause == "" || i.Cause == Result || i.Cause == Moves {
		t.ownWords(i, o.Op)
	}
}

func (t *tracer) sourceOf(op *ir.Op) source {
	if s, ok := t.before[op]; ok {
		return s
	}
	return t.source(op)
}

// mark makes the item known by the operation's location.
func (t *tracer) mark(op *ir.Op, i *Item) {
	c := op.Context()
	tag := c.StringAttr(fmt.Sprintf("freehold.explain %d", i.order))
	t.tags[tag] = i
	op.SetLoc(c.FusedLoc([]ir.Location{op.Loc()}, tag))
	if i.Type == "" || isCopy(op) {
		t.measure(op, i)
	}
}

// measure sets the size of the item's buffer.
func (t *tracer) measure(op *ir.Op, i *Item) {
	sizes := op.NumOperands()
	typ := bufferOf(op)
	i.Type = typ.String()
	i.Size = footprint.SizeOfType(typ, func(k int) string {
		if isCopy(op) || k >= sizes {
			return ""
		}
		return t.Value(op.Operand(k))
	})
}

// given marks what stands in the program.
func (t *tracer) given() {
	t.module.Walk(func(op *ir.Op) bool {
		t.returns(op, isArgument)
		t.keepsInSource(op)
		if oneshot.MakesBuffer(op) || isCopy(op) {
			i := t.item(t.source(op))
			i.Cause = Given
			i.Title = i.Op + " stands in the program"
			count(op, &i.MadeCopies, &i.MadeAllocations)
			t.mark(op, i)
		}
		return true
	})
}

// count counts an operation; a clone both allocates and copies.
func count(op *ir.Op, copies, allocations *int) {
	if isCopy(op) {
		*copies++
	}
	if oneshot.MakesBuffer(op) {
		*allocations++
	}
}

// after looks at what a pass left. A buffer that has become a part of an arena is still one of the program's.
func (t *tracer) after(name string) {
	t.buffers, t.arenas = nil, 0
	if name == oneshot.Pass.Name {
		t.equivalents()
	}
	left := make([]kept, len(t.items))
	t.module.Walk(func(op *ir.Op) bool {
		switch {
		case oneshot.MakesBuffer(op) && op.NumResults() > 0 && memref.IsArena(op.Result(0)):
			t.arenas++
			return true
		case !oneshot.MakesBuffer(op) && !isCopy(op) && !op.Is(memref.View):
			return true
		}
		i := t.tagged(op.Loc())
		switch {
		case i == nil && op.Is(memref.View):
			return true
		case i == nil:
			i = t.unexplained(op, name)
			for len(left) < len(t.items) {
				left = append(left, kept{})
			}
		}
		left[i.order].add(op)
		return true
	})
	for k, i := range t.items {
		l := left[k]
		if l.copies < i.Copies || l.allocations < i.Allocations ||
			!t.seen(i) && (l.copies < i.MadeCopies || l.allocations < i.MadeAllocations) {
			i.Removed = name
		}
		if i.MadeCopies+i.MadeAllocations > 0 {
			i.Copies, i.Allocations, i.Parts = l.copies, l.allocations, l.parts
		}
		i.Once = i.Loop.Known() && !l.again
	}
}

// kept is what a pass left of an item.
type kept struct {
	copies, allocations, parts int
	again                      bool // in a loop
}

// add counts an operation.
func (k *kept) add(op *ir.Op) {
	count(op, &k.copies, &k.allocations)
	if op.Is(memref.View) {
		k.allocations++
		k.parts++
	}
	k.again = k.again || interfaces.InLoop(op)
}

// seen tells whether a pass before has left anything of the item.
func (t *tracer) seen(i *Item) bool { return i.Copies+i.Allocations > 0 || i.Removed != "" }

// tagged returns the item that a location belongs to, or nil.
func (t *tracer) tagged(l ir.Location) *Item { return tagged(t.tags, l) }

func tagged(tags map[ir.Attribute]*Item, l ir.Location) *Item {
	var found *Item
	ir.WalkLocation(l, func(l ir.Location) bool {
		if f, ok := l.(*ir.FusedLoc); ok && f.Metadata != nil {
			found = tags[f.Metadata]
		}
		return found == nil
	})
	return found
}

// unexplained makes an item of what a pass after bufferization made.
func (t *tracer) unexplained(op *ir.Op, name string) *Item {
	at := op.Loc()
	i := t.untold[at]
	if i == nil {
		i = t.item(t.source(op))
		if name == prepare.SnapshotsPass.Name {
			i.Cause, i.Title = Shared, "this tensor is a copy of its buffer, which others may write"
			i.Advice = []Advice{{Kind: "attribute", Text: "say `restrict` on the bufferization.to_tensor, if nothing else reads or writes the buffer", change: change{kind: markRestrict, op: at}}}
		} else {
			i.Cause, i.Title = LaterPass, name+" makes "+i.Op+" here"
		}
		t.untold[at] = i
	}
	if op.Is(bufferization.Clone) {
		t.ownershipWords(i, op)
	}
	count(op, &i.MadeCopies, &i.MadeAllocations)
	t.mark(op, i)
	return i
}

// finish returns the items of which there ever was anything.
func (t *tracer) finish() []*Item {
	for op, i := range t.own {
		// A buffer that is gone, or used for something else, is no spare one.
		if s := t.before[op]; s.spareRoom != nil && i.Cause == Result {
			if other := t.own[s.spareRoom]; other == nil || !other.Remains() {
				s.spare, s.spareRoom = "", nil
				s.notes = slices.DeleteFunc(slices.Clone(s.notes), func(n Note) bool { return n.Role == TheSpare })
				i.Title, i.Notes, i.Advice = vacancyTitle(s), s.notes, vacancyAdvice(s)
			}
		}
	}
	return slices.DeleteFunc(t.items, func(i *Item) bool { return i.MadeCopies+i.MadeAllocations == 0 })
}

func isCopy(op *ir.Op) bool {
	return op.Is(memref.Copy) || op.Is(linalg.Copy) || op.Is(bufferization.Clone)
}

// bufferOf returns the type of what is allocated, or of what is copied.
func bufferOf(op *ir.Op) ir.Type {
	if op.NumResults() > 0 {
		return op.Result(0).Type()
	}
	return op.Operand(0).Type()
}
