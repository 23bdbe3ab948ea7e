package hlo

import (
	"freehold/dialect/deallocation"
	"freehold/ir"
	"freehold/ir/interfaces"
)

// nullness is an element of the lattice of what is known about an owner: which of the
// two it may be. That of a value that nothing reaches is empty.
type nullness uint8

const (
	mayBeNull nullness = 1 << iota
	mayOwn
)

// source is where an edge of control flow takes a value from.
type source struct {
	edge int
	from *ir.Value
}

// ownerFlow is what is known about the owners in a function.
type ownerFlow struct {
	null map[*ir.Value]nullness
	// into lists for each value that edges between regions pass, memrefs too, where it
	// comes from, in the order of edges.
	into map[*ir.Value][]source
	// beside has the pairs of an owner and a buffer that are known to belong together.
	beside map[[2]*ir.Value]bool
}

// analyzeOwners determines which owners in op may be null. Linear. If trusting is set, what is retained of any
// owners is taken to have one.
func analyzeOwners(op *ir.Op, trusting bool) *ownerFlow {
	f := &ownerFlow{null: map[*ir.Value]nullness{}, into: map[*ir.Value][]source{}, beside: map[[2]*ir.Value]bool{}}
	next := map[*ir.Value][]*ir.Value{} // who depends on an owner
	var work, owners []*ir.Value
	raise := func(v *ir.Value, n nullness) {
		if f.null[v]|n != f.null[v] {
			f.null[v] |= n
			work = append(work, v)
		}
	}
	structured := map[*ir.Value]bool{}
	edge := 0
	var visit func(op *ir.Op)
	visit = func(op *ir.Op) {
		if m, ok := interfaces.RegionBranch.Of(op); ok {
			interfaces.ForEachRegionEdge(op, m, func(operands ir.Operands, inputs []*ir.Value) {
				edge++
				for i := range min(len(operands), len(inputs)) {
					structured[inputs[i]] = true
					f.into[inputs[i]] = append(f.into[inputs[i]], source{edge, operands.At(i)})
					if deallocation.IsOwnership(inputs[i].Type()) {
						next[operands.At(i)] = append(next[operands.At(i)], inputs[i])
					}
				}
			})
		}
		for i := range op.NumResults() {
			if v := op.Result(i); deallocation.IsOwnership(v.Type()) {
				owners = append(owners, v)
			}
		}
		for _, r := range op.Regions() {
			for b := range r.Blocks() {
				for _, a := range b.Args() {
					if deallocation.IsOwnership(a.Type()) {
						owners = append(owners, a)
					}
				}
				for o := range b.Ops() {
					visit(o)
				}
			}
		}
	}
	visit(op)
	for _, v := range owners {
		def := v.DefiningOp()
		switch {
		case structured[v]:
		case def != nil && def.Is(deallocation.Own):
			raise(v, mayOwn)
		case def != nil && def.Is(deallocation.Null):
			raise(v, mayBeNull)
		case def != nil && def.Is(deallocation.Retain):
			from := (deallocation.RetainOp{Op: def}).Owners().Values()
			if len(from) == 0 || !trusting {
				// The buffer may be none of the owners'.
				raise(v, mayBeNull)
			}
			for _, o := range from {
				next[o] = append(next[o], v)
			}
		default:
			raise(v, mayBeNull|mayOwn)
		}
	}
	for len(work) > 0 {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		for _, w := range next[v] {
			raise(w, f.null[v])
		}
	}
	return f
}

// bufferOf returns a buffer whose allocation the owner owns, if it isn't null; nil if none
// is known. It is defined where the owner is, or before.
func (f *ownerFlow) bufferOf(o *ir.Value) *ir.Value {
	if def := o.DefiningOp(); def != nil && def.Is(deallocation.Own) {
		return deallocation.OwnOp{Op: def}.MemRef()
	}
	if len(f.into[o]) == 0 {
		return nil
	}
	list := siblings(o)
	// The passes of this family keep the order of buffers and their owners.
	at, buffers := 0, memrefs(list)
	for _, v := range list {
		if v == o {
			break
		}
		if deallocation.IsOwnership(v.Type()) {
			at++
		}
	}
	for i := range buffers {
		if m := buffers[(at+i)%len(buffers)]; f.together(o, m) {
			return m
		}
	}
	return nil
}

// siblings returns the values that are defined together with v.
func siblings(v *ir.Value) []*ir.Value {
	if v.IsBlockArg() {
		return v.ArgOwner().Args()
	}
	return v.DefiningOp().Results().Values()
}

// together tells whether the owner is known to own the buffer's allocation, if it isn't
// null, wherever the two come from.
func (f *ownerFlow) together(o, m *ir.Value) bool {
	seen := map[[2]*ir.Value]bool{}
	if !f.follow(o, m, seen) {
		return false
	}
	for p := range seen {
		f.beside[p] = true
	}
	return true
}

func (f *ownerFlow) follow(o, m *ir.Value, seen map[[2]*ir.Value]bool) bool {
	pair := [2]*ir.Value{o, m}
	if seen[pair] || f.beside[pair] || f.null[o] == mayBeNull {
		return true
	}
	seen[pair] = true
	if def := o.DefiningOp(); def != nil && def.Is(deallocation.Own) {
		return deallocation.OwnOp{Op: def}.MemRef() == m
	} else if def != nil && def.Is(deallocation.Retain) {
		return deallocation.RetainOp{Op: def}.Retained().At(o.Index()) == m
	}
	from, with := f.into[o], f.into[m]
	if len(from) == 0 || len(from) != len(with) {
		return false
	}
	for i := range from {
		if from[i].edge != with[i].edge || !f.follow(from[i].from, with[i].from, seen) {
			return false
		}
	}
	return true
}
