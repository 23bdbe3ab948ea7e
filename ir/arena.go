package ir

import (
	"unsafe"

	"freehold/internal/slab"
)

// Arena is the memory from which builders cut operations: slabs, so that the garbage
// collector sees few objects, and what erased operations have left. Builders that work on
// one goroutine may share an arena. The zero value is ready.
type Arena struct {
	// Recycles makes the arena remember what is erased through it, for Recycle.
	Recycles bool

	ops        slab.Pool[Op]
	uses       slab.Pool[Use]
	results    slab.Pool[Value]
	attrs      slab.Pool[Attribute]
	args       slab.Pool[*Value]
	regions    slab.Pool[*Region]
	blocks     slab.Pool[Block]
	successors slab.Pool[BlockUse]
	blockArgs  slab.Pool[blockArg]
	exts       slab.Pool[opExt]

	erased []*Op
	// What can be used again: operations, linked by next, and lists of operands and of
	// results by their length, linked by next and owner of their first elements.
	oldOps     *Op
	oldUses    [longestRecycled + 1]*Use
	oldResults [longestRecycled + 1]*Value
}

const (
	// longestRecycled is the length of the longest lists that are used again.
	longestRecycled = 8
	// mostErased is how many erased operations an arena remembers: they are kept from the
	// garbage collector.
	mostErased = 4096
)

// Erase is [Op.Erase] for an operation that nobody will look at after the next Recycle.
// What is nested in it is left to the garbage collector.
func (a *Arena) Erase(o *Op) {
	o.Erase()
	if a.Recycles && len(a.erased) < mostErased {
		a.erased = append(a.erased, o)
	}
}

// Recycle makes what was erased through the arena memory of operations to come, and tells
// whether there was anything. Nothing may refer to what was erased any more, not even as a
// key of a map: new operations and values will be in the same places.
func (a *Arena) Recycle() bool {
	for _, o := range a.erased {
		// Whoever erased it twice, or put it somewhere again, keeps it.
		if o.name != nil && o.block == nil && !o.hasUses() {
			a.recycle(o)
		}
	}
	any := len(a.erased) > 0
	a.Forget()
	return any
}

// Forget leaves to the garbage collector what was erased through the arena.
func (a *Arena) Forget() {
	clear(a.erased)
	a.erased = a.erased[:0]
}

func (o *Op) hasUses() bool {
	for i := range o.Results() {
		if o.Results()[i].uses != nil {
			return true
		}
	}
	return false
}

func (a *Arena) recycle(o *Op) {
	if n := o.numOperands; 0 < n && n <= longestRecycled {
		clear(o.Operands())
		o.firstOperand.next, a.oldUses[n] = a.oldUses[n], o.firstOperand
	}
	if n := o.numResults; 0 < n && n <= longestRecycled {
		clear(o.Results())
		o.firstResult.owner, a.oldResults[n] = unsafe.Pointer(a.oldResults[n]), o.firstResult
	}
	*o = Op{next: a.oldOps}
	a.oldOps = o
}

// op returns an operation without anything.
func (a *Arena) op() *Op {
	o := a.oldOps
	if o == nil {
		return &a.ops.Take(1)[0]
	}
	a.oldOps, o.next = o.next, nil
	return o
}

// operands returns n uses of nothing.
func (a *Arena) operands(n int) []Use {
	if n <= longestRecycled {
		if u := a.oldUses[n]; u != nil {
			a.oldUses[n], u.next = u.next, nil
			return unsafe.Slice(u, n)
		}
	}
	return a.uses.Take(n)
}

// values returns n values of no type.
func (a *Arena) values(n int) []Value {
	if n <= longestRecycled {
		if v := a.oldResults[n]; v != nil {
			a.oldResults[n], v.owner = (*Value)(v.owner), nil
			return unsafe.Slice(v, n)
		}
	}
	return a.results.Take(n)
}

// extra returns what few operations have, made if need be.
func (a *Arena) extra(o *Op) *opExt {
	if o.ext == nil {
		o.ext = &a.exts.Take(1)[0]
	}
	return o.ext
}

func (a *Arena) create(s *OpState) *Op {
	FillDefaults(s)
	o := a.op()
	o.name, o.loc = s.Name, s.Loc
	if o.loc == nil {
		o.loc = Unknown
	}
	operands := a.operands(len(s.Operands))
	o.setOperands(operands)
	for i, v := range s.Operands {
		u := &operands[i]
		u.owner, u.index = o, int32(i)
		u.link(v)
	}
	results := a.values(len(s.Types))
	o.setResults(results)
	for i, t := range s.Types {
		r := &results[i]
		r.typ = t
		r.setResult(o, i)
	}
	if len(s.Props) > 0 {
		props := a.attrs.Take(len(s.Name.def.Attrs))
		copy(props, s.Props)
		o.setProps(props)
	}
	for _, n := range s.Attrs {
		o.SetAttr(n.Name, n.Value)
	}
	if len(s.Regions) > 0 {
		x := a.extra(o)
		x.regions = a.regions.Take(len(s.Regions))
		copy(x.regions, s.Regions)
		for i, r := range s.Regions {
			r.op, r.index = o, i
		}
	}
	if len(s.Successors) > 0 {
		x := a.extra(o)
		x.succs = a.successors.Take(len(s.Successors))
		for i, b := range s.Successors {
			u := &x.succs[i]
			u.owner, u.index = o, int32(i)
			u.link(b)
		}
	}
	if s.Properties != nil {
		o.extra().propsOf = s.Properties
	}
	return o
}
