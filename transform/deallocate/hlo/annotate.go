package hlo

import (
	"cmp"
	"slices"
	"strings"

	"freehold/dialect/deallocation"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/interfaces"
)

// Annotate is the pass hlo-deallocation-annotation: it writes down, as attributes, which
// memory may back the results of operations and the arguments of their regions, by the names
// that the values have when the module is printed. The time is that of computing the sets,
// which may be as large as the number of values times that of allocations.
func Annotate(module *ir.Op) {
	a := &backing{of: map[*ir.Value]map[int]bool{}, next: map[*ir.Value][]*ir.Value{}}
	a.region(module)
	a.propagate()
	names := asm.NewNames(module)
	c := module.Context()
	text := func(v *ir.Value) ir.Attribute {
		var list []string
		for _, i := range a.sorted(v) {
			list = append(list, names.Of(a.memory[i].value))
		}
		return c.StringAttr(strings.Join(list, ", "))
	}
	type change struct {
		op   *ir.Op
		attr ir.NamedAttr
	}
	var changes []change
	module.Walk(func(op *ir.Op) bool {
		var results, regions []ir.Attribute
		for _, v := range op.Results().Values() {
			results = append(results, text(v))
		}
		for _, r := range op.Regions() {
			var args []ir.Attribute
			if !r.Empty() {
				for _, v := range r.Entry().Args() {
					args = append(args, text(v))
				}
			}
			regions = append(regions, c.ArrayAttr(args...))
		}
		if len(results) > 0 {
			changes = append(changes, change{op, ir.NamedAttr{Name: deallocation.ResultBackingAttr, Value: c.ArrayAttr(results...)}})
		}
		if len(regions) > 0 {
			changes = append(changes, change{op, ir.NamedAttr{Name: deallocation.RegionArgsBackingAttr, Value: c.ArrayAttr(regions...)}})
		}
		return true
	})
	for _, ch := range changes {
		ch.op.SetDiscardableAttr(ch.attr.Name, ch.attr.Value)
	}
}

// backing is the memory that may back values, by its number.
type backing struct {
	memory []memory
	of     map[*ir.Value]map[int]bool
	next   map[*ir.Value][]*ir.Value // what may be the same buffer as a value
	work   []*ir.Value
	time   int // the number of regions and operations that were visited
}

// memory is a value that is memory of its own.
type memory struct {
	value *ir.Value
	// when is when the operation with this result, or the region with this argument, was visited.
	when int
}

// compare orders memory: arguments of regions come before results, and among them those of the same number
// together.
func (m memory) compare(n memory) int {
	arg, other := m.value.IsBlockArg(), n.value.IsBlockArg()
	switch {
	case arg && !other:
		return -1
	case !arg && other:
		return 1
	case arg:
		return cmp.Or(cmp.Compare(m.value.Index(), n.value.Index()), cmp.Compare(m.when, n.when))
	}
	return cmp.Or(cmp.Compare(m.when, n.when), cmp.Compare(m.value.Index(), n.value.Index()))
}

func (a *backing) sorted(v *ir.Value) (out []int) {
	for i := range a.of[v] {
		out = append(out, i)
	}
	slices.SortFunc(out, func(i, j int) int { return cmp.Or(a.memory[i].compare(a.memory[j]), cmp.Compare(i, j)) })
	return out
}

// itself makes a value memory of its own.
func (a *backing) itself(v *ir.Value) {
	a.memory = append(a.memory, memory{v, a.time})
	a.put(v, len(a.memory)-1)
}

func (a *backing) put(v *ir.Value, i int) {
	if a.of[v] == nil {
		a.of[v] = map[int]bool{}
	}
	if !a.of[v][i] {
		a.of[v][i] = true
		a.work = append(a.work, v)
	}
}

// passes notes that v may be backed by what backs w.
func (a *backing) passes(w, v *ir.Value) { a.next[w] = append(a.next[w], v) }

// region notes where the buffers in the regions of an operation come from.
func (a *backing) region(op *ir.Op) {
	for _, r := range op.Regions() {
		a.time++
		first := len(a.memory)
		for b := range r.Blocks() {
			for _, v := range memrefs(b.Args()) {
				a.itself(v)
			}
		}
		if interfaces.Function.Has(op) && !r.Empty() {
			a.arguments(memrefs(r.Entry().Args()), first)
		}
		for b := range r.Blocks() {
			for o := range b.Ops() {
				a.op(o)
				a.region(o)
			}
		}
	}
}

// arguments notes that each argument of a function, which are memory from number first on, may be any one of its
// element type, unless it is restrict.
func (a *backing) arguments(args []*ir.Value, first int) {
	for _, v := range args {
		for j, w := range args {
			if !isRestrict(v) && ir.ElementType(v.Type()) == ir.ElementType(w.Type()) {
				a.put(v, first+j)
			}
		}
	}
}

// op notes where the buffers come from that an operation defines or hands on.
func (a *backing) op(op *ir.Op) {
	a.time++
	pass := func(operands ir.Operands, inputs []*ir.Value) {
		for i := range min(len(operands), len(inputs)) {
			if isMemRef(inputs[i]) {
				a.passes(operands.At(i), inputs[i])
			}
		}
	}
	if m, ok := interfaces.RegionBranch.Of(op); ok {
		interfaces.ForEachRegionEdge(op, m, pass)
	}
	if m, ok := interfaces.Branch.Of(op); ok {
		for i := range op.NumSuccessors() {
			start, n, produced := m.SuccessorOperands(op, i)
			pass(op.Operands()[start:start+n], op.Successor(i).Args()[produced:])
		}
	}
	for _, v := range memrefs(op.Results().Values()) {
		if interfaces.HasEffect(op, interfaces.Allocate, v) {
			a.itself(v)
		}
		for _, w := range memrefs(op.Operands().Values()) {
			if ir.ElementType(v.Type()) == ir.ElementType(w.Type()) {
				a.passes(w, v)
			}
		}
	}
}

func (a *backing) propagate() {
	for len(a.work) > 0 {
		v := a.work[len(a.work)-1]
		a.work = a.work[:len(a.work)-1]
		for _, w := range a.next[v] {
			for i := range a.of[v] {
				a.put(w, i)
			}
		}
	}
}
