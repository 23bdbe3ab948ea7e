package ir

// TypeClass is a kind of types. Assembly formats reject a type of another class
// than its constraint is about right where it is spelled; the rest of the
// constraint is left to the verifier.
type TypeClass uint8

// The classes of types.
const (
	AnyClass TypeClass = iota
	IntegerClass
	FloatClass
	IndexClass
	ComplexClass
	FunctionClass
	ShapedClass
	VectorClass
	TensorClass
	RankedTensorClass
	UnrankedTensorClass
	BaseMemRefClass
	MemRefClass
	UnrankedMemRefClass
)

// Has tells whether the type is of the class.
func (k TypeClass) Has(t Type) bool {
	switch t.(type) {
	case *IntegerType:
		return k == AnyClass || k == IntegerClass
	case *FloatType:
		return k == AnyClass || k == FloatClass
	case *IndexType:
		return k == AnyClass || k == IndexClass
	case *ComplexType:
		return k == AnyClass || k == ComplexClass
	case *FunctionType:
		return k == AnyClass || k == FunctionClass
	case *VectorType:
		return k == AnyClass || k == ShapedClass || k == VectorClass
	case *RankedTensorType:
		return k == AnyClass || k == ShapedClass || k == TensorClass || k == RankedTensorClass
	case *UnrankedTensorType:
		return k == AnyClass || k == ShapedClass || k == TensorClass || k == UnrankedTensorClass
	case *MemRefType:
		return k == AnyClass || k == ShapedClass || k == BaseMemRefClass || k == MemRefClass
	case *UnrankedMemRefType:
		return k == AnyClass || k == ShapedClass || k == BaseMemRefClass || k == UnrankedMemRefClass
	}
	return k == AnyClass
}
