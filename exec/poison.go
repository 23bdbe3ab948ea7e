package exec

import (
	"freehold/ir"
	"freehold/ir/interfaces"
)

// A poison value is allowed to exist, and what is computed from it is poison too.
// Frame.P tells for each word register whether it holds poison; an object register
// holds a value of type poison then, and an element of a tensor, vector or buffer
// is undefined. To do anything else with poison than to compute with it, to pass
// it on, or to store it, is a finding.
//
// Which values can be poison is found out before a function is compiled, so that
// the others cost nothing.

// poison is what an object register holds in place of a value.
type poison struct{}

// PoisonValue is what stands for poison, and for undefined elements, where values
// of any kind are passed: see [Frame.Get], [Tensor.At] and [Scalar.Apply].
var PoisonValue any = poison{}

// MakesPoison is implemented by operations, other than elementwise ones, whose results
// can be undefined although no operand is.
var MakesPoison = ir.NewInterface[struct{}]("ExecutableMakesPoison")

// possiblePoison returns the values in a function that can be poison: those that
// operations make, and what is computed from them. Where values are passed to
// blocks, regions and results it doesn't tell one from another. Linear.
func possiblePoison(fn *ir.Op) map[*ir.Value]bool {
	found := map[*ir.Value]bool{}
	var work []*ir.Value
	add := func(v *ir.Value) {
		if !ir.IsShaped(v.Type()) && !found[v] {
			found[v] = true
			work = append(work, v)
		}
	}
	addBlock := func(b *ir.Block) {
		for _, a := range b.Args() {
			add(a)
		}
	}
	fn.Walk(func(op *ir.Op) bool {
		if op.NumResults() == 0 {
			return true
		}
		if makesPoison(op) {
			for _, r := range op.Results().Values() {
				add(r)
			}
		}
		return true
	})
	for len(work) > 0 {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		for u := v.FirstUse(); u != nil; u = u.Next() {
			op := u.Owner()
			if _, ok := Elementwise.Of(op); ok {
				add(op.Result(0))
				continue
			}
			for i := range op.NumSuccessors() {
				addBlock(op.Successor(i))
			}
			around := op
			if op.NumSuccessors() == 0 && interfaces.IsRegionTerminator(op) {
				if around = op.Parent(); around == fn {
					continue
				}
			}
			if !interfaces.RegionBranch.Has(around) {
				continue
			}
			for _, r := range around.Results().Values() {
				add(r)
			}
			for _, r := range around.Regions() {
				for b := range r.Blocks() {
					addBlock(b)
				}
			}
		}
	}
	return found
}

// makesPoison tells whether results of the operation can be poison although no
// operand is.
func makesPoison(op *ir.Op) bool {
	if m, ok := Elementwise.Of(op); ok {
		s, _ := scalarOf(op, m)
		return s.Poison != nil
	}
	if _, ok := MakesPoison.Of(op); ok {
		return true
	}
	// Undefined memory may be read in order to be written elsewhere.
	return op.NumResults() == 1 && onlyCopied(op.Result(0))
}

// MayBePoison tells whether the value can be poison.
func (c *Compiler) MayBePoison(v *ir.Value) bool { return c.poisonable[v] }

// canPoison tells whether the register can hold poison.
func (c *Compiler) canPoison(r Reg) bool { return c.poisonRegs[r] }

// checked adds to the step of an operation the finding that an operand is poison
// which the operation does something else with than to pass it on.
func (c *Compiler) checked(op *ir.Op, step Step) Step {
	if step == nil || len(c.poisonable) == 0 {
		return step
	}
	var check []int
	for i := range op.NumOperands() {
		if c.poisonable[op.Operand(i)] && !passesOn(op, i) {
			check = append(check, i)
		}
	}
	if len(check) == 0 {
		return step
	}
	regs := make([]Reg, len(check))
	for k, i := range check {
		regs[k] = c.Reg(op.Operand(i))
	}
	return func(f *Frame) error {
		for k, r := range regs {
			if f.IsPoison(r) {
				return Findf(PoisonUse, op, "operand #%d is poison", check[k])
			}
		}
		return step(f)
	}
}

// IsPoison tells whether a register holds poison.
func (f *Frame) IsPoison(r Reg) bool {
	if r.IsWord() {
		return f.P[r.Word()]
	}
	_, is := f.O[r.Object()].(poison)
	return is
}

// SetPoison makes a register hold poison.
func (f *Frame) SetPoison(r Reg) {
	if r.IsWord() {
		f.P[r.Word()] = true
	} else {
		f.O[r.Object()] = poison{}
	}
}

// passesOn tells whether an operation only passes operand i on, to a block, a
// region, a result or memory, or computes elementwise with it.
func passesOn(op *ir.Op, i int) bool {
	if _, ok := Elementwise.Of(op); ok || stores(op, i) {
		return true
	}
	within := func(start, n int) bool { return i >= start && i < start+n }
	if m, ok := interfaces.Branch.Of(op); ok {
		for s := range op.NumSuccessors() {
			if start, n, _ := m.SuccessorOperands(op, s); within(start, n) {
				return true
			}
		}
		return false
	}
	if m, ok := interfaces.RegionBranch.Of(op); ok {
		for _, s := range m.Successors(op, interfaces.ParentPoint) {
			if within(m.EntryOperands(op, interfaces.RegionPoint{Region: s.Region})) {
				return true
			}
		}
		return false
	}
	around := op.Parent()
	if !interfaces.IsRegionTerminator(op) {
		return false
	}
	if interfaces.Structured.Has(around) {
		return true
	}
	if m, ok := interfaces.RegionBranch.Of(around); ok {
		for _, s := range m.Successors(around, interfaces.RegionPoint{Region: op.Region()}) {
			if within(interfaces.TerminatorOperands(op, interfaces.RegionPoint{Region: s.Region})) {
				return true
			}
		}
	}
	return false
}
