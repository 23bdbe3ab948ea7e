package difftest

import (
	"freehold/exec"
	"freehold/exec/interp"
	"freehold/ir"
	"freehold/ir/analysis"
	"freehold/ir/interfaces"
)

// inputKinds are the kinds of inputs that take turns. Sizes and indices differ in ways that make it likely that some of
// them fit each other. Ordinary numbers show what special ones hide: that a result is wrong, and not just a NaN.
var inputKinds = []interp.Generator{
	{},
	{Special: 1, Size: 4, Least: 1, Most: 4, Aliases: true},
	{Special: 4, Layouts: true},
	{Size: 16, Most: 1, Natural: true, Overlaps: true},
	{Special: 1, Size: 8, Least: 2, Most: 8},
	{Special: 2, Size: 1, Most: 1, Aliases: true, Layouts: true},
	{Special: 1, Size: 64, Least: 1, Most: 1, SpecialIndices: 1 << 63},
	{Size: 128, Least: 4, Most: 32, Aliases: true},
	{Special: 4, Size: -1},
	{Special: 1, Natural: true, Layouts: true, Overlaps: true},
	{Special: 2, Size: 3, SpecialIndices: 1 << 63},
}

// generator returns what makes input k.
func generator(seed uint64, k int) interp.Generator {
	g := inputKinds[k%len(inputKinds)]
	g.Seed, g.Turn = seed+uint64(k), k
	return g
}

// number returns what makes input k of those that have special numbers only.
func number(seed uint64, k int) interp.Generator {
	return interp.Generator{Seed: seed + uint64(k), Turn: k, Special: 1 + k%2, SpecialIndices: 1 << 63}
}

// numberInputs is how many inputs with special numbers a function gets that takes numbers, beyond the others: few arguments are few
// numbers. numberSteps limits the operations that an execution may take for that.
const (
	numberInputs = 24
	numberSteps  = 1000
)

// specialSteps limits the operations of an execution with special indices, which may be bounds of loops.
const specialSteps = 1_000_000

// takesNumbers tells whether a function has an argument that is a number.
func takesNumbers(fn *ir.Op) bool {
	for _, t := range typeOf(fn).Inputs {
		if t != ir.Type(ir.I1) && !ir.IsShaped(t) && exec.IsWord(t) {
			return true
		}
		if _, ok := t.(*ir.VectorType); ok {
			return true
		}
	}
	return false
}

// isOrdered tells whether what a function does with memory comes in an order that the program says, element by element: where
// buffers overlap in part, only then it is known what comes out.
func isOrdered(fn *ir.Op) bool {
	ordered := true
	fn.Walk(func(op *ir.Op) bool {
		if op == fn {
			return true
		}
		ordered = ordered && !interfaces.Call.Has(op) && !interfaces.Structured.Has(op) && !copies(op)
		if m, ok := interfaces.Bufferizable.Of(op); ok {
			for i := range op.NumRegions() {
				ordered = ordered && !m.Parallel(op, i)
			}
		}
		return ordered
	})
	return ordered
}

// affineIndices is the largest index that functions with affine maps are given: the arithmetic of maps is that of integers without
// limit, divided by positive ones only, and what exceeds 64 bits has no value.
const affineIndices = 1 << 16

// hasAffineMaps tells whether an operation computes with affine maps that aren't about elements of tensors and buffers.
func hasAffineMaps(fn *ir.Op) (found bool) {
	fn.Walk(func(op *ir.Op) bool {
		if interfaces.Structured.Has(op) {
			return false
		}
		for _, a := range op.AllAttrs() {
			switch a.Value.(type) {
			case *ir.AffineMapAttr, *ir.IntegerSetAttr:
				found = true
			}
		}
		return !found
	})
	return found
}

// copies tells whether an operation reads one buffer and writes another, or takes several in a way that nothing is known of.
func copies(op *ir.Op) bool {
	effects, known := interfaces.EffectsOf(op)
	if !known {
		return op.NumRegions() == 0
	}
	reads, writes := false, false
	for _, e := range effects {
		if v := e.Value(op); v != nil && ir.IsMemRef(v.Type()) {
			reads, writes = reads || e.Kind == interfaces.Read, writes || e.Kind == interfaces.Write
		}
	}
	return reads && writes
}

// input is what a function is executed on.
type input struct {
	seed   uint64
	reuse  bool
	args   []interp.Value
	places []interp.Place
	// steps limits the operations of an execution.
	steps int64
}

// input makes input k of a function; g is how.
func (r *Reference) input(fn *ir.Op, c analysis.Contract, k int, g interp.Generator) (*input, error) {
	g.Sizes = r.o.Sizes
	g.Overlaps = g.Overlaps && isOrdered(fn)
	if g.SpecialIndices > 0 && hasAffineMaps(fn) {
		g.SpecialIndices, g.Natural = affineIndices, true
	}
	// Each second time, new memory is where other memory ended last.
	x := &input{seed: g.Seed, reuse: k%2 == 1, steps: r.o.MaxSteps}
	if g.SpecialIndices > 0 {
		x.steps = min(x.steps, specialSteps)
	}
	var err error
	if x.args, x.places, err = g.Arguments(fn); err != nil {
		return nil, err
	}
	for i := range x.places {
		if j := x.places[i].In; j != i && (c.Args[i].Distinct || c.Args[j].Distinct) {
			x.places[i] = interp.Place{In: i}
		}
	}
	return x, nil
}
