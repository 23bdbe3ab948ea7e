package certificate

import (
	"fmt"

	"freehold/iface"
	"freehold/ir"
)

// maxDepth limits calls that are followed into bodies.
const maxDepth = 64

// call follows a call into the body of the function, if the certificate says so, or does what
// its rules allow it.
func (v *verifier) call(fr *frame, op *ir.Op, m iface.CallModel) {
	start, n := m.Args(op)
	args := v.getAll(fr, op.Operands()[start:start+n])
	var callee *ir.Op
	if ref, _ := m.Callee(op); ref != nil {
		callee = v.m.lookup(op, ref)
	}
	c := v.m.contracts[callee]
	if c == nil {
		c = &Function{Any: true}
	}
	if c.Followed || v.follows(fr, op) {
		v.follow(fr, op, callee, args)
		return
	}
	for i, x := range args {
		switch t := op.Operand(start + i).Type(); {
		case x.carries(t) || v.holdsAddresses(fr.st, x):
			v.refuse(op, "it passes an address to a function")
		case ir.IsMemRef(t):
			v.use(fr, op, x)
			v.written(fr, x)
		}
	}
	// The callee relies on it that the buffers it gets to own are none of the other arguments.
	for i, x := range args {
		handed := c.owns(i, args)
		for j, y := range args {
			if j != i && handed != no && x.kind == pointer && y.kind == pointer {
				v.require(fr, op, v.f.and(handed, v.equalObjects(x.tree, y.tree)), "it hands over argument %d, which may be argument %d", i, j)
			}
		}
	}
	for i, x := range args {
		if handed := c.owns(i, args); handed != no {
			for _, t := range v.targets(x) {
				g := v.f.and(handed, t.guard)
				v.free(fr, op, t.object, g, v.f.and(g, x.part))
			}
		}
	}
	v.returned(fr, op, args, c)
}

// follow executes the body of a function that is called.
func (v *verifier) follow(fr *frame, op, callee *ir.Op, args []value) {
	if fr.depth >= maxDepth || callee == nil || !isFunction(callee) || callee.RegionAt(0).Empty() || callee.RegionAt(0).Entry().NumArgs() != len(args) {
		v.refuse(op, "the call can't be followed")
		return
	}
	in := &frame{fn: callee, path: fmt.Sprintf("%s/", v.opName(fr, op)), depth: fr.depth + 1, values: map[*ir.Value]value{}, base: v.here(fr), cond: yes}
	out, any := v.merge(v.region(in, callee.RegionAt(0), edge{cond: yes, st: fr.st, values: args}))
	if !any || v.err != nil {
		fr.cond = no
		return
	}
	fr.st, fr.cond = out.st, v.f.and(fr.cond, out.cond)
	for i := range op.NumResults() {
		out.values[i].partial = true
		v.bind(fr, op.Result(i), out.values[i])
	}
	v.endFrame(fr, in)
}

// endFrame ends the objects on the stack of a function.
func (v *verifier) endFrame(fr, ended *frame) {
	for k, o := range v.sites {
		if k.path == ended.path && v.objects[o].kind == stack {
			fr.st.live = fr.st.live.set(o, no)
		}
	}
}

// returned gives the results of a call their values. A buffer is the same as an earlier one,
// if both may be the same, or the caller gets to own it: a new one, or one that it handed
// over; or, if a boolean tells so, it is one of the arguments that it didn't hand over.
func (v *verifier) returned(fr *frame, op *ir.Op, args []value, c *Function) {
	for i := range op.NumResults() {
		if r := op.Result(i); !ir.IsMemRef(r.Type()) {
			v.set(fr, r)
			if t, ok := c.Always[i]; ok && r.Type() == ir.Type(ir.I1) {
				fr.values[r] = truthOf(truth(t))
			}
		}
	}
	owned, back := make([]lit, op.NumResults()), make([]lit, len(args))
	for i := range op.NumResults() {
		r := op.Result(i)
		if !ir.IsMemRef(r.Type()) {
			continue
		}
		var borrowed value
		owned[i] = yes
		if by, ok := c.Gives[i]; ok {
			var any lit
			borrowed, any = v.borrowed(args, c)
			owned[i] = v.f.or(v.truth(fr, op.Result(by)), any.not())
		}
		same, mine := map[int]lit{}, owned[i] // mine: and it is none of the earlier results
		for j := range i {
			if ir.IsMemRef(op.Result(j).Type()) && (c.Any || c.Same[[2]int{j, i}]) {
				same[j] = v.f.and(v.f.variable(), v.f.iff(owned[i], owned[j]))
				mine = v.f.and(mine, same[j].not())
			}
		}
		o := v.newObject(v.objectName(fr, op, i), object{kind: heap, op: op, born: fr.st.live})
		x := v.pointTo(o)
		for k, y := range args {
			handed := c.owns(k, args)
			if y.kind != pointer || handed == no {
				continue
			}
			this := v.f.and(v.f.and(mine, v.f.variable()), v.f.and(handed, back[k].not()))
			back[k], mine = v.f.or(back[k], this), v.f.and(mine, this.not())
			for _, t := range v.targets(y) {
				fr.st.live = fr.st.live.set(t.object, v.f.or(fr.st.live.get(t.object), v.f.and(this, t.guard)))
			}
			x = v.choose(this, y, x)
		}
		fr.st.live = fr.st.live.set(o, mine)
		if owned[i] != yes {
			x = v.choose(owned[i], x, borrowed)
		}
		for j := range i {
			if l, ok := same[j]; ok {
				x = v.choose(l, fr.values[op.Result(j)], x)
			}
		}
		x.partial = true
		if c.Parts[i] {
			x.part = yes
		}
		if c.Shifted[i] {
			x.shift = anyShift
		}
		v.bind(fr, r, x)
	}
}

// borrowed returns any of the arguments that are not handed over, and the condition that
// there is one.
func (v *verifier) borrowed(args []value, c *Function) (x value, any lit) {
	for _, chosen := range []bool{false, true} {
		for i, y := range args {
			if y.kind != pointer {
				continue
			}
			kept := c.owns(i, args).not()
			any = v.f.or(any, kept)
			if chosen {
				kept = v.f.and(kept, v.f.variable())
			}
			if x.kind != pointer {
				x = y
			}
			x = v.choose(kept, y, x)
		}
	}
	return x, any
}

func truth(b bool) lit {
	if b {
		return yes
	}
	return no
}

// owns returns the condition under which a function owns argument i.
func (c *Function) owns(i int, args []value) lit {
	switch by, ok := c.Owns[i]; {
	case !ok || args[i].kind != pointer:
		return no
	case by < 0:
		return yes
	default:
		return args[by].truth
	}
}

// function verifies a function, from its arguments to its returns.
func (v *verifier) function() {
	fr := &frame{fn: v.fn, values: map[*ir.Value]value{}, base: yes, cond: yes}
	entry := v.fn.RegionAt(0).Entry()
	if !v.inScope(v.fn) {
		return
	}
	args := make([]value, entry.NumArgs())
	for i, x := range entry.Args() {
		if ir.IsMemRef(x.Type()) {
			args[i] = v.pointTo(v.newObject(fmt.Sprint("arg", i), object{kind: argument, number: i}))
			args[i].partial = true
			continue
		}
		v.set(fr, x)
		args[i] = fr.values[x]
	}
	for i := range args {
		if handed := v.c.owns(i, args); handed != no {
			o := v.newObject(fmt.Sprint("given", i), object{kind: heap, born: fr.st.live})
			fr.st.live = fr.st.live.set(o, handed)
			args[i] = v.choose(handed, v.pointTo(o), args[i])
			args[i].partial = true
		}
	}
	for _, e := range v.region(fr, v.fn.RegionAt(0), edge{cond: yes, st: fr.st, values: args}) {
		if fr.st, fr.cond = e.st, e.cond; e.cond != no && v.err == nil {
			v.endFrame(fr, fr)
			v.returns(fr, e)
		}
	}
}

// returns checks that a function leaves no object behind but those that it returns, which its
// caller may free, and that its results are what its rules say.
func (v *verifier) returns(fr *frame, e edge) {
	op := e.from
	if op == nil || !op.Has(ir.TraitReturnLike) {
		v.refuse(v.fn, "it doesn't end with a return")
		return
	}
	given := map[int]lit{}
	for i, x := range e.values {
		t := op.Operand(i).Type()
		switch {
		case x.carries(t) || v.holdsAddresses(fr.st, x):
			v.refuse(op, "it returns an address")
			return
		case x.kind == boolean:
			if always, ok := v.c.Always[i]; ok {
				v.require(fr, op, v.f.iff(x.truth, truth(always)).not(), "result %d differs", i)
			}
		}
		if !ir.IsMemRef(t) {
			continue
		}
		if !v.c.Parts[i] {
			v.require(fr, op, x.part, "result %d may be a part", i)
		}
		if !v.c.Shifted[i] && x.shift != 0 {
			v.refuse(op, "the base address of result %d is shifted", i)
		}
		owned := yes
		if by, ok := v.c.Gives[i]; ok {
			owned = e.values[by].truth
		}
		for _, t := range v.targets(x) {
			switch v.objects[t.object].kind {
			case heap:
				v.require(fr, op, v.f.and(t.guard, fr.st.live.get(t.object).not()), "it returns a buffer that was freed")
				v.require(fr, op, v.f.and(t.guard, owned.not()), "it returns a buffer that nobody owns")
				given[t.object] = v.f.or(given[t.object], t.guard)
			case argument:
				v.require(fr, op, v.f.and(t.guard, owned), "it returns a buffer of its caller")
			default:
				v.require(fr, op, t.guard, "it returns a buffer that its caller must not free")
			}
		}
		for j, y := range e.values[:i] {
			if y.kind == pointer && !v.c.Same[[2]int{j, i}] {
				v.require(fr, op, v.equalObjects(y.tree, x.tree), "results %d and %d may be the same", j, i)
			}
		}
	}
	fr.st.live.compare(table[lit]{}, func(o int, live, _ lit) {
		if v.objects[o].kind == heap {
			v.require(fr, op, v.f.and(live, given[o].not()), "it leaves a buffer behind")
		}
	})
}
