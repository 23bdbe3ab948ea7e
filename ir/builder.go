package ir

import "slices"

// OpState is an operation that is about to be created.
type OpState struct {
	Name       *OpName
	Loc        Location
	Operands   []*Value
	Types      []Type      // of the results
	Props      []Attribute // inherent attributes, parallel to the definition's Attrs; may be empty
	Attrs      []NamedAttr // further attributes, inherent or discardable, in any order
	Regions    []*Region
	Successors []*Block
	// Properties is for unregistered operations.
	Properties *DictAttr
	// InPlace is set by an Upgrade of a spelling that changes a value in place: what follows the operation means the
	// result by it.
	InPlace *Value
	room    []Type
}

// TypeRoom returns an empty list with room for n types, in which InferTypes of a
// definition may return its answer: the list is only valid until the next operation's
// types are inferred.
func (s *OpState) TypeRoom(n int) []Type {
	s.room = slices.Grow(s.room[:0], n)
	return s.room
}

// Attr returns an attribute of the state, or nil.
func (s *OpState) Attr(name string) Attribute {
	if i := s.Name.def.AttrIndex(name); i >= 0 && i < len(s.Props) && s.Props[i] != nil {
		return s.Props[i]
	}
	for i := range s.Attrs {
		if s.Attrs[i].Name == name {
			return s.Attrs[i].Value
		}
	}
	return nil
}

// SetAttr sets an attribute of the state, inherent or discardable.
func (s *OpState) SetAttr(name string, a Attribute) {
	if i := s.Name.def.AttrIndex(name); i >= 0 {
		if len(s.Props) == 0 {
			s.Props = make([]Attribute, len(s.Name.def.Attrs))
		}
		s.Props[i] = a
		return
	}
	for i := range s.Attrs {
		if s.Attrs[i].Name == name {
			s.Attrs[i].Value = a
			return
		}
	}
	s.Attrs = append(s.Attrs, NamedAttr{name, a})
}

// AddRegion adds an empty region and returns it.
func (s *OpState) AddRegion() *Region {
	r := &Region{}
	s.Regions = append(s.Regions, r)
	return r
}

// OperandGroup returns the operands of declared group g, like [Op.OperandGroup].
func (s *OpState) OperandGroup(g int) []*Value {
	def := s.Name.def
	var start, n int
	if def.Traits.Has(TraitAttrSizedOperandSegments) {
		seg, _ := s.Attr(OperandSegmentsAttr).(*DenseArrayAttr)
		start, n = segment(seg, g, len(s.Operands))
	} else {
		variadic := -1
		for i := range def.Operands {
			if def.Operands[i].Arity != One {
				variadic = i
				break
			}
		}
		start, n = groupRange(g, variadic, len(def.Operands), len(s.Operands))
	}
	return s.Operands[start : start+n]
}

// Listener is told what a builder or rewriter does.
type Listener interface {
	// OpInserted is called after an operation was put into a block.
	OpInserted(o *Op)
}

// Builder creates operations at an insertion point. It must be used by one
// goroutine at a time.
type Builder struct {
	ctx      *Context
	block    *Block
	before   *Op // insert before this operation; nil: at the end of block
	Loc      Location
	Listener Listener
	arena    *Arena
	room     []Type  // see [OpState.TypeRoom]
	inferred OpState // what result types are inferred from; it keeps states off the heap
	// Scratch of CreateOp.
	types    []Type
	operands []*Value
	props    []Attribute
	upgraded upgradedState // scratch of Upgrade
}

// NewBuilder returns a builder without insertion point, whose location is
// Unknown.
func NewBuilder(c *Context) *Builder { return NewBuilderIn(c, nil) }

// NewBuilderIn returns a builder like [NewBuilder] that cuts operations from an arena; nil
// stands for a new one.
func NewBuilderIn(c *Context, a *Arena) *Builder {
	if a == nil {
		a = new(Arena)
	}
	return &Builder{ctx: c, Loc: Unknown, arena: a}
}

// Context returns the builder's context.
func (b *Builder) Context() *Context { return b.ctx }

// InsertionPoint is a place in a block.
type InsertionPoint struct {
	Block  *Block
	Before *Op // nil: at the end of the block
}

// InsertionPoint returns where the next operation will be put.
func (b *Builder) InsertionPoint() InsertionPoint { return InsertionPoint{b.block, b.before} }

// SetInsertionPoint sets where the next operation will be put.
func (b *Builder) SetInsertionPoint(p InsertionPoint) { b.block, b.before = p.Block, p.Before }

// SetBefore makes the builder insert before o.
func (b *Builder) SetBefore(o *Op) { b.block, b.before = o.block, o }

// SetAfter makes the builder insert after o.
func (b *Builder) SetAfter(o *Op) { b.block, b.before = o.block, o.next }

// SetAfterValue makes the builder insert right after the value's definition.
func (b *Builder) SetAfterValue(v *Value) {
	if o := v.op(); o != nil {
		b.SetAfter(o)
	} else {
		b.SetStart(v.block())
	}
}

// SetStart makes the builder insert at the start of the block.
func (b *Builder) SetStart(blk *Block) { b.block, b.before = blk, blk.first }

// SetEnd makes the builder insert at the end of the block.
func (b *Builder) SetEnd(blk *Block) { b.block, b.before = blk, nil }

// Erase is [Arena.Erase] in the builder's arena.
func (b *Builder) Erase(o *Op) { b.arena.Erase(o) }

// Insert puts a detached operation at the insertion point.
func (b *Builder) Insert(o *Op) *Op {
	if b.block != nil {
		b.block.insert(o, b.before)
		if b.Listener != nil {
			b.Listener.OpInserted(o)
		}
	}
	return o
}

// State returns the state of an operation at the builder's location.
func (b *Builder) State(id *OpID) OpState {
	return OpState{Name: b.ctx.OpNameOf(id), Loc: b.Loc}
}

// Create creates the operation and puts it at the insertion point. Result types
// are inferred if Types is empty and the definition can infer them; default
// attributes are filled in. It panics if inference fails, which is an error of
// the program that creates the operation.
func (b *Builder) Create(s OpState) *Op { return b.Insert(b.CreateDetached(s)) }

// CreateDetached is Create without inserting the operation anywhere.
func (b *Builder) CreateDetached(s OpState) *Op {
	def := s.Name.def
	if len(s.Types) == 0 && def.InferTypes != nil {
		FillDefaults(&s)
		b.inferred = s
		b.inferred.room = b.room
		types, err := def.InferTypes(&b.inferred)
		if err != nil {
			panic("ir: cannot infer the result types of " + s.Name.name + ": " + err.Error())
		}
		b.room = b.inferred.room
		b.inferred = OpState{}
		s.Types = types
	}
	return b.arena.create(&s)
}

// CreateExact creates a detached operation with just the result types that the
// state says, as the parser does.
func (b *Builder) CreateExact(s *OpState) *Op { return b.arena.create(s) }

// NewBlock returns a detached block with room for n arguments. Blocks and
// arguments that a builder makes for many operations cost less than those that
// are made one by one.
func (b *Builder) NewBlock(n int) *Block {
	blk := &b.arena.blocks.Take(1)[0]
	blk.args = b.arena.args.Take(n)[:0]
	return blk
}

// ReserveArgs makes room for n arguments in a block that has none.
func (b *Builder) ReserveArgs(blk *Block, n int) {
	if cap(blk.args) < n {
		blk.args = b.arena.args.Take(n)[:0]
	}
}

// AddArg is [Block.AddArg].
func (b *Builder) AddArg(blk *Block, t Type, loc Location) *Value {
	a := &b.arena.blockArgs.Take(1)[0]
	v := &a.Value
	v.typ, a.loc = t, loc
	v.setArg(blk, len(blk.args))
	blk.args = append(blk.args, v)
	blk.changed()
	return v
}

// CreateOp creates an operation from its parts; attrs may be inherent or
// discardable. The lists are copied, so that those of callers need not be on the heap.
func (b *Builder) CreateOp(id *OpID, types []Type, operands []*Value, attrs ...NamedAttr) *Op {
	s := b.State(id)
	b.types, b.operands = append(b.types[:0], types...), append(b.operands[:0], operands...)
	s.Types, s.Operands = b.types, b.operands
	if n := len(s.Name.def.Attrs); n > 0 && len(attrs) > 0 {
		b.props = slices.Grow(b.props[:0], n)[:n]
		clear(b.props)
		s.Props = b.props
	}
	for _, a := range attrs {
		s.SetAttr(a.Name, a.Value)
	}
	return b.Create(s)
}

// FillDefaults sets absent attributes that have a default. Those that are also
// optional stay absent, which means the same.
func FillDefaults(s *OpState) {
	def := s.Name.def
	for i := range def.Attrs {
		d := &def.Attrs[i]
		if d.Default != nil && !d.Optional && (len(s.Props) == 0 || s.Props[i] == nil) {
			v := d.Default(s.Name.ctx)
			for j := range s.Attrs {
				if s.Attrs[j].Name == d.Name {
					v = nil
				}
			}
			if v != nil {
				s.SetAttr(d.Name, v)
			}
		}
	}
}
