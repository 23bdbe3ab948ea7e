package kernel

import (
	"slices"

	"freehold/ir"
	"freehold/proof/certificate"
)

// Owns returns the condition under which a function owns argument i.
func Owns(c *certificate.Function, i int, args []Value) Lit {
	switch by, ok := c.Owns[i]; {
	case !ok || args[i].Kind != Pointer:
		return No
	case by < 0:
		return Yes
	default:
		return args[by].Truth
	}
}

// HandOver takes the buffers that a callee owns from the caller. The callee relies on their being none of the other arguments: twice
// is called with the conditions under which argument i, which is handed over, is argument j.
func (v *Machine) HandOver(fr *Frame, op *ir.Op, args []Value, c *certificate.Function, twice func(i, j int, bad Lit)) {
	for i, x := range args {
		handed := Owns(c, i, args)
		for j, y := range args {
			if j != i && handed != No && y.Kind == Pointer {
				twice(i, j, v.F.And(handed, v.EqualObjects(x, y)))
			}
		}
	}
	for i, x := range args {
		if handed := Owns(c, i, args); handed != No {
			v.FreeTargets(fr, op, x, handed)
		}
	}
}

// ReturnBuffers gives those results of a call their values that are buffers or owners; the others have theirs. A buffer is the same as
// an earlier one, if both may be the same, or the caller gets to own it: a new one, or one that it handed
// over; or, if a boolean tells so, it is one of the arguments that it didn't hand over.
func (v *Machine) ReturnBuffers(fr *Frame, op *ir.Op, args []Value, c *certificate.Function) {
	if slices.ContainsFunc(op.Results().Types(), v.Models.IsOwner) {
		v.ownedResults(fr, op, args, c)
		return
	}
	r := &returning{v, fr, op, args, c, make([]Lit, op.NumResults()), make([]Lit, len(args))}
	var made []int
	for i := range op.NumResults() {
		if ir.IsMemRef(op.Result(i).Type()) {
			made = append(made, r.buffer(i))
		}
	}
	for _, o := range made {
		v.Objects[o].Born = fr.St.Live // with what comes back
	}
}

// returning is a call that returns buffers.
type returning struct {
	*Machine
	fr   *Frame
	op   *ir.Op
	args []Value
	c    *certificate.Function
	// owned are the conditions under which the caller gets to own results, and back those under which it gets arguments back.
	owned, back []Lit
}

// buffer makes result i, a buffer, and returns the object that it may be if it is a new one.
func (r *returning) buffer(i int) int {
	v, fr, c := r.Machine, r.fr, r.c
	var borrowed Value
	r.owned[i] = Yes
	if by, ok := c.Gives[i]; ok {
		one := oneOf{v, v.PointTo(v.Nothing()), No}
		for k, y := range r.args {
			if y.Kind == Pointer {
				one.add(Owns(c, k, r.args).Not(), y)
			}
		}
		borrowed, r.owned[i] = one.x, v.F.Or(v.Truth(fr, r.op.Result(by)), one.any.Not())
	}
	same, mine := map[int]Lit{}, r.owned[i] // mine: and it is none of the earlier results
	for j := range i {
		if ir.IsMemRef(r.op.Result(j).Type()) && (c.Any || c.Same[[2]int{j, i}]) {
			same[j] = v.F.And(v.F.Variable(), v.F.Iff(r.owned[i], r.owned[j]))
			mine = v.F.And(mine, same[j].Not())
		}
	}
	o := v.newResult(fr, r.op, i, Object{Kind: Heap})
	x, mine := r.handedBack(v.PointTo(o), mine)
	v.begin(fr, o, mine)
	if r.owned[i] != Yes {
		x = v.Choose(r.owned[i], x, borrowed)
	}
	for j := range i {
		if l, ok := same[j]; ok {
			x = v.Choose(l, v.Get(fr, r.op.Result(j)), x)
		}
	}
	v.Bind(fr, r.op.Result(i), v.seen(c, i, x))
	return o
}

// handedBack returns a buffer that is one of the arguments that were handed over, or else x, if it is new and none of the results
// before, as mine says; and the condition under which it is x.
func (r *returning) handedBack(x Value, mine Lit) (Value, Lit) {
	v, fr := r.Machine, r.fr
	for k, y := range r.args {
		handed := Owns(r.c, k, r.args)
		if handed == No {
			continue
		}
		this := v.F.And(v.F.And(mine, v.F.Variable()), v.F.And(handed, r.back[k].Not()))
		r.back[k], mine = v.F.Or(r.back[k], this), v.F.And(mine, this.Not())
		for _, t := range v.Targets(y) {
			fr.St.Live = fr.St.Live.Set(t.Object, v.F.Or(fr.St.Live.Get(t.Object), v.F.And(this, t.Guard)))
		}
		x = v.Choose(this, y, x)
	}
	return x, mine
}

// oneOf is a pointer that is one of several whose conditions hold, no matter which; any tells that there is such a one.
type oneOf struct {
	*Machine
	x   Value
	any Lit
}

func (o *oneOf) add(c Lit, y Value) {
	if o.any == No {
		o.x, o.any = y, c // where that isn't so, it is none
		return
	}
	c = o.F.And(c, o.F.Or(o.any.Not(), o.F.Variable()))
	o.x, o.any = o.Choose(c, y, o.x), o.F.Or(o.any, c)
}

// ownedResults gives those results of a call their values that are owners, and the buffers
// beside them: an owner is null, or owns a new buffer; a buffer is one of those that the rules
// of the function list.
func (v *Machine) ownedResults(fr *Frame, op *ir.Op, args []Value, c *certificate.Function) {
	lives, made := map[int]Lit{}, map[int]Value{}
	for j := range op.NumResults() {
		if r := op.Result(j); v.Models.IsOwner(r.Type()) {
			o := v.newResult(fr, op, j, Object{Kind: Heap, Born: fr.St.Live})
			lives[j], made[j] = v.F.Variable(), v.PointTo(o)
			for i := range op.NumResults() {
				if c.Backed[certificate.Backing{Result: i, Owner: j + 1}] && c.Backings(i) == 1 {
					lives[j] = Yes // some buffer must be result i
				}
			}
			v.begin(fr, o, lives[j])
			v.Assign(fr, r, v.Choose(lives[j], OwnerOf(made[j]), v.Null()))
		}
	}
	for i := range op.NumResults() {
		r := op.Result(i)
		if !ir.IsMemRef(r.Type()) {
			continue
		}
		one := oneOf{v, v.PointTo(v.Nothing()), No}
		for k, y := range args {
			if c.Backed[certificate.Backing{Result: i, Argument: k + 1}] && y.Kind == Pointer {
				one.add(Yes, y)
			}
		}
		if c.Backed[certificate.Backing{Result: i}] {
			one.add(Yes, v.PointTo(v.newResult(fr, op, i, Object{Kind: Foreign})))
		}
		for j := range op.NumResults() {
			if c.Backed[certificate.Backing{Result: i, Owner: j + 1}] {
				one.add(lives[j], made[j])
			}
		}
		fr.Cond = v.F.And(fr.Cond, one.any)
		v.Bind(fr, r, v.seen(c, i, one.x))
	}
}

// seen returns what a call's result i is seen as, given where it points to.
func (v *Machine) seen(c *certificate.Function, i int, x Value) Value {
	x = v.AnyShape(x)
	x.Window = nil
	if c.Parts[i] {
		x.Part = Yes
	}
	if c.Shifted[i] {
		x.Shift = AnyShift
	}
	return x
}
