package interfaces

import (
	"slices"

	"freehold/ir"
)

// Iterator is the kind of a dimension of an iteration space.
type Iterator uint8

// The kinds of iteration dimensions.
const (
	Parallel Iterator = iota
	Reduction
)

func (i Iterator) String() string { return [...]string{"parallel", "reduction"}[i] }

// StructuredModel describes operations on a perfect loop nest: for every point of
// the iteration space, the body is given the element of each operand at the
// position that the operand's indexing map says, and yields the new elements of
// the inits. The inits come last among the operands (see [DestinationStyle]); the
// body is the entry block of the operation's only region, with one argument for
// each operand.
type StructuredModel interface {
	// IndexingMaps returns a map per operand, from the iteration space to the
	// operand's dimensions.
	IndexingMaps(op *ir.Op) []*ir.AffineMap
	// Iterators returns the kinds of the dimensions of the iteration space.
	Iterators(op *ir.Op) []Iterator
}

// Structured is implemented by operations on tensors or memrefs that are defined
// by indexing maps, iterator types and a scalar body.
var Structured = ir.NewInterface[StructuredModel]("LinalgStructuredInterface")

// IterationIndex is implemented by the operation that stands for the index of a dimension of the iteration that the structured operation around
// it is at; the model returns the dimension. Equal ones in the bodies of others are something else.
var IterationIndex = ir.NewInterface[func(op *ir.Op) int]("IterationIndex")

// IndexingMaps returns the indexing maps of a structured operation.
func IndexingMaps(op *ir.Op) []*ir.AffineMap {
	if m, ok := Structured.Of(op); ok {
		return m.IndexingMaps(op)
	}
	return nil
}

// Iterators returns the kinds of the dimensions of a structured operation's
// iteration space.
func Iterators(op *ir.Op) []Iterator {
	if m, ok := Structured.Of(op); ok {
		return m.Iterators(op)
	}
	return nil
}

// AllParallel tells whether a structured operation, or any other, has no dimension along which it reduces.
func AllParallel(op *ir.Op) bool {
	return !slices.ContainsFunc(Iterators(op), func(i Iterator) bool { return i != Parallel })
}

// DpsInputs returns the operands of a destination style operation that come
// before its inits.
func DpsInputs(op *ir.Op) ir.Operands {
	m, ok := DestinationStyle.Of(op)
	if !ok {
		return nil
	}
	start, _ := m(op)
	return op.Operands()[:start]
}

// HasTensorSemantics tells whether no operand is a memref and at least one is a
// tensor.
func HasTensorSemantics(op *ir.Op) bool { return onlyOf(op, ir.IsTensor, ir.IsMemRef) }

// HasBufferSemantics tells whether no operand is a tensor and at least one is a
// memref.
func HasBufferSemantics(op *ir.Op) bool { return onlyOf(op, ir.IsMemRef, ir.IsTensor) }

func onlyOf(op *ir.Op, want, never func(ir.Type) bool) bool {
	found := false
	for i := range op.NumOperands() {
		t := op.Operand(i).Type()
		if never(t) {
			return false
		}
		found = found || want(t)
	}
	return found
}

// VerifyDestinationStyle checks that the destinations are tensors or memrefs, and
// that there is a result of the same type for each that is a tensor.
func VerifyDestinationStyle(op *ir.Op) error {
	inits, tensors := DpsInits(op), 0
	for i := range inits {
		t := inits.At(i).Type()
		switch {
		case ir.IsTensor(t):
			tensors++
		case !ir.IsMemRef(t):
			return op.Errorf("expected that operand #%d is a tensor or a memref", inits[i].Index())
		}
	}
	if op.NumResults() != tensors {
		return op.Errorf("expected the number of tensor results (%d) to be equal to the number of output tensors (%d)", op.NumResults(), tensors)
	}
	for i := range inits {
		r := TiedResult(&inits[i])
		if r != nil && r.Type() != inits.At(i).Type() {
			return op.Errorf("expected type of operand #%d ('%s') to match type of corresponding result ('%s')", inits[i].Index(),
				inits.At(i).Type(), r.Type())
		}
	}
	return nil
}
