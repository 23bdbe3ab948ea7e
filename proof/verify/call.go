package verify

import (
	"fmt"

	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/proof/certificate"
	"freehold/proof/kernel"
	"freehold/proof/models"
)

// maxDepth limits calls that are followed into bodies.
const maxDepth = 64

// call follows a call into the body of the function, if the certificate says so, or does what
// its rules allow it.
func (v *verifier) call(fr *kernel.Frame, op *ir.Op) {
	m, _ := interfaces.Call.Of(op)
	start, n := m.Args(op)
	args := v.GetAll(fr, op.Operands()[start:start+n])
	var callee *ir.Op
	if ref, _ := m.Callee(op); ref != nil {
		callee = v.m.lookup(op, ref)
	}
	c := v.m.contracts[callee]
	if c == nil {
		c = &certificate.Function{Any: true}
	}
	if c.Followed || len(v.c.Follow) > 0 && v.c.Follow[v.OpName(fr, op)] {
		v.follow(fr, op, callee, args)
		return
	}
	if callee != nil && (c.Any && interfaces.LendsResults(callee) || len(v.m.lent[callee]) > 0) {
		v.Refuse(op, "it gets a buffer that is lent, by what isn't followed")
		return
	}
	for i, x := range args {
		switch t := op.Operand(start + i).Type(); {
		case x.Carries(t) || v.HoldsAddresses(fr.St, x):
			v.Refuse(op, "it passes an address to a function")
		case ir.IsMemRef(t):
			v.Use(fr, op, x)
			v.Written(fr, x)
		}
	}
	v.HandOver(fr, op, args, c, func(i, j int, bad kernel.Lit) {
		v.require(fr, op, bad, "it hands over argument %d, which may be argument %d", i, j)
	})
	for i, r := range op.Results().Values() {
		if ir.IsMemRef(r.Type()) || models.IsOwner(r.Type()) {
			continue
		}
		is := v.Anything(fr, r)
		if t, ok := c.Always[i]; ok && is.Kind == kernel.Boolean {
			is.Truth = kernel.LitOf(t)
		}
		v.Assign(fr, r, is)
	}
	v.ReturnBuffers(fr, op, args, c)
}

// follow executes the body of a function that is called.
func (v *verifier) follow(fr *kernel.Frame, op, callee *ir.Op, args []kernel.Value) {
	if fr.Depth >= maxDepth || callee == nil || !models.IsFunction(callee) || callee.RegionAt(0).Empty() || callee.RegionAt(0).Entry().NumArgs() != len(args) {
		v.Refuse(op, "the call can't be followed")
		return
	}
	in := &kernel.Frame{Fn: callee, Path: fmt.Sprintf("%s/", v.OpName(fr, op)), Depth: fr.Depth + 1, Values: map[*ir.Value]kernel.Value{}, Base: v.Here(fr), Cond: kernel.Yes}
	out, any := v.Merge(v.region(in, callee.RegionAt(0), kernel.Edge{Cond: kernel.Yes, St: fr.St, Values: args}))
	if !any || v.Err != nil {
		fr.Cond = kernel.No
		return
	}
	fr.St, fr.Cond = out.St, v.F.And(fr.Cond, out.Cond)
	for i := range op.NumResults() {
		out.Values[i].Window = nil
		v.Bind(fr, op.Result(i), out.Values[i])
	}
	v.EndScope(fr, in.Path, callee)
}

// function verifies a function, from its arguments to its returns.
func (v *verifier) function() {
	fr := &kernel.Frame{Fn: v.fn, Values: map[*ir.Value]kernel.Value{}, Base: kernel.Yes, Cond: kernel.Yes}
	entry := v.fn.RegionAt(0).Entry()
	if !v.InScope(v.fn) {
		return
	}
	args := make([]kernel.Value, entry.NumArgs())
	for i, x := range entry.Args() {
		if ir.IsMemRef(x.Type()) {
			args[i] = v.AnyShape(v.PointTo(v.NewObject(fmt.Sprint("arg", i), kernel.Object{Kind: kernel.Argument, Number: i})))
			args[i].Window = nil
			continue
		}
		args[i] = v.Anything(fr, x)
	}
	for i := range args {
		if handed := kernel.Owns(v.c, i, args); handed != kernel.No {
			o := v.NewObject(fmt.Sprint("given", i), kernel.Object{Kind: kernel.Heap, Born: fr.St.Live})
			fr.St.Live = fr.St.Live.Set(o, handed)
			args[i] = v.AnyShape(v.Choose(handed, v.PointTo(o), args[i]))
			args[i].Window = nil
		}
	}
	for _, e := range v.region(fr, v.fn.RegionAt(0), kernel.Edge{Cond: kernel.Yes, St: fr.St, Values: args}) {
		if fr.St, fr.Cond = e.St, e.Cond; e.Cond != kernel.No && v.Err == nil {
			v.EndScope(fr, fr.Path, v.fn)
			v.returns(fr, e)
		}
	}
}
