package hlo

import (
	"slices"
	"strings"

	"freehold/dialect/deallocation"
	"freehold/iface"
	"freehold/ir"
	"freehold/ir/asm"
)

// Annotate is the pass hlo-deallocation-annotation: it writes down, as attributes, which
// memory may back the results of operations and the arguments of their regions, by the names
// that the values have when the module is printed. The time is that of computing the sets,
// which may be as large as the number of values times that of allocations.
func Annotate(module *ir.Op) {
	a := &backing{of: map[*ir.Value]map[int]bool{}, next: map[*ir.Value][]*ir.Value{}}
	for _, fn := range functionsIn(module) {
		a.arguments(fn)
	}
	module.Walk(func(op *ir.Op) bool {
		a.op(op)
		return true
	})
	a.propagate()
	names := asm.NewNames(module)
	c := module.Context()
	text := func(v *ir.Value) ir.Attribute {
		var list []string
		for _, i := range sorted(a.of[v]) {
			list = append(list, names.Of(a.memory[i]))
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
		if len(regions) > 0 && op != module {
			changes = append(changes, change{op, ir.NamedAttr{Name: deallocation.RegionArgsBackingAttr, Value: c.ArrayAttr(regions...)}})
		}
		return true
	})
	for _, ch := range changes {
		ch.op.SetDiscardableAttr(ch.attr.Name, ch.attr.Value)
	}
}

func sorted(set map[int]bool) (out []int) {
	for i := range set {
		out = append(out, i)
	}
	slices.Sort(out)
	return out
}

// backing is the memory that may back values, by its number.
type backing struct {
	memory []*ir.Value
	of     map[*ir.Value]map[int]bool
	next   map[*ir.Value][]*ir.Value // what may be the same buffer as a value
	work   []*ir.Value
}

// itself makes a value memory of its own.
func (a *backing) itself(v *ir.Value) {
	a.memory = append(a.memory, v)
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

// arguments makes the arguments of a function memory: each may be any other one of its
// element type, unless one of them is restrict.
func (a *backing) arguments(fn *ir.Op) {
	if fn.RegionAt(0).Empty() {
		return
	}
	args := memrefs(fn.BodyBlock(0).Args())
	for _, v := range args {
		a.itself(v)
	}
	first := len(a.memory) - len(args)
	for i, v := range args {
		for j, w := range args {
			if i != j && !isRestrict(v) && !isRestrict(w) && ir.ElementType(v.Type()) == ir.ElementType(w.Type()) {
				a.put(v, first+j)
			}
		}
	}
}

// op notes where the buffers come from that an operation defines.
func (a *backing) op(op *ir.Op) {
	if m, ok := iface.RegionBranch.Of(op); ok && op.NumRegions() > 0 {
		iface.ForEachRegionEdge(op, m, func(operands ir.Operands, inputs []*ir.Value) {
			for i := range min(len(operands), len(inputs)) {
				if isMemRef(inputs[i]) {
					a.next[operands.At(i)] = append(a.next[operands.At(i)], inputs[i])
				}
			}
		})
		return
	}
	for _, v := range memrefs(op.Results().Values()) {
		from := 0
		for _, w := range memrefs(op.Operands().Values()) {
			if ir.ElementType(v.Type()) == ir.ElementType(w.Type()) {
				a.next[w] = append(a.next[w], v)
				from++
			}
		}
		if from == 0 || iface.Call.Has(op) || iface.HasEffect(op, iface.Allocate, v) {
			a.itself(v)
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
