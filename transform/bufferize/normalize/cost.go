package normalize

import (
	"freehold/dialect/linalg"
	"freehold/dialect/tensor"
	"freehold/ir"
	"freehold/ir/interfaces"
)

// CostModel is the name of the model by which tensors are made again: one that takes no more than a stream, which writes each element
// once, needs no other buffer, and reads nothing but numbers and tensors that are kept anyway.
const CostModel = "stream"

// MostOperations is how many scalar operations an element may take in that model, if they are on numbers and indices: about what loading it
// from memory takes, so that making a tensor again costs no more than reading it. What is read from other tensors may only be cast.
const MostOperations = 4

// Cost is what making a tensor again takes.
type Cost struct {
	// Operations counts scalar operations for each element.
	Operations int
	// Sources are the tensors whose elements are read.
	Sources []*ir.Value
}

// CostOf returns what the result of an operation costs by the model; false if it is dearer than the model allows. Linear in the size of the
// operation.
func CostOf(op *ir.Op) (Cost, bool) {
	if op.NumResults() != 1 || !ir.IsTensor(op.Result(0).Type()) || op.Has(ir.TraitConstantLike) || !interfaces.IsMemoryEffectFree(op) {
		return Cost{}, false
	}
	if viewed(op) != nil {
		// It costs nothing, where what is seen is made again as well: else views are apart already.
		if op = beyondViews(op); op == nil {
			return Cost{}, false
		}
		return CostOf(op)
	}
	switch {
	case op.Is(tensor.Empty), op.Is(tensor.Splat):
		return Cost{}, true
	case op.Is(tensor.Generate):
		n, ok := scalarOperations(op.RegionAt(0))
		return Cost{Operations: n}, ok && n <= MostOperations
	}
	return costOfStructured(op)
}

// viewed returns the tensor that an operation takes a part of, or sees with another shape or type; else nil.
func viewed(op *ir.Op) *ir.Value {
	if op.NumResults() != 1 || op.NumOperands() == 0 || !ir.IsTensor(op.Result(0).Type()) || !ir.IsTensor(op.Operand(0).Type()) {
		return nil
	}
	if interfaces.IsCast(op) || interfaces.SubsetExtraction.Has(op) || op.Attr(interfaces.ReassociationAttr) != nil {
		return op.Operand(0)
	}
	return nil
}

// rootOf returns what a value is a view of; itself if it is none. Where views see each other, as they may in code that isn't reached, it is one of them.
func rootOf(v *ir.Value) *ir.Value {
	var t ir.Trail
	for def := v.DefiningOp(); def != nil && viewed(def) != nil && !t.Returns(v); def = v.DefiningOp() {
		v = viewed(def)
	}
	return v
}

// beyondViews follows views to the operation that makes what an operation sees; nil if none does, or if views see each other.
func beyondViews(op *ir.Op) *ir.Op {
	if v := viewed(op); v != nil {
		op = rootOf(v).DefiningOp()
	}
	if op == nil || viewed(op) != nil {
		return nil
	}
	return op
}

// costOfStructured is about operations that compute each element of a new tensor once.
func costOfStructured(op *ir.Op) (Cost, bool) {
	inits := interfaces.DpsInits(op)
	if len(inits) != 1 || !interfaces.Structured.Has(op) || op.NumRegions() != 1 || !interfaces.AllParallel(op) {
		return Cost{}, false
	}
	if dest := inits.At(0).DefiningOp(); dest == nil || !isUnwritten(dest) {
		return Cost{}, false
	}
	n, ok := scalarOperations(op.RegionAt(0))
	c, most := Cost{Operations: n}, MostOperations
	for _, v := range interfaces.DpsInputs(op).Values() {
		if ir.IsTensor(v.Type()) {
			c.Sources = append(c.Sources, v)
			most = 0
		}
	}
	if n == 1 && interfaces.IsCast(op.BodyBlock(0).First()) {
		most = 1
	}
	return c, ok && n <= most
}

// isUnwritten tells whether an operation makes an empty tensor, or a view of one.
func isUnwritten(op *ir.Op) bool {
	op = beyondViews(op)
	return op != nil && op.Is(tensor.Empty)
}

// scalarOperations counts the operations of a body; false if one works on more than numbers.
func scalarOperations(r *ir.Region) (n int, ok bool) {
	if r.NumBlocks() != 1 {
		return 0, false
	}
	for op := range r.Entry().Ops() {
		if op.NumRegions() > 0 || interfaces.HasTensorTypes(op) {
			return 0, false
		}
		if op.Has(ir.TraitTerminator) || op.Has(ir.TraitConstantLike) || op.Is(linalg.Index) {
			continue
		}
		n++
	}
	return n, true
}
