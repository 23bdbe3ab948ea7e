package ir

import "math"

// ShapeOf returns the dimensions of a ranked tensor, memref or vector type, and
// whether the type has a rank. The slice must not be changed.
func ShapeOf(t Type) ([]int64, bool) {
	switch t := t.(type) {
	case *RankedTensorType:
		return t.Shape, true
	case *MemRefType:
		return t.Shape, true
	case *VectorType:
		return t.Shape, true
	}
	return nil, false
}

// ElementType returns the element type of a shaped or complex type, or the type
// itself.
func ElementType(t Type) Type {
	switch t := t.(type) {
	case *RankedTensorType:
		return t.Elem
	case *UnrankedTensorType:
		return t.Elem
	case *MemRefType:
		return t.Elem
	case *UnrankedMemRefType:
		return t.Elem
	case *VectorType:
		return t.Elem
	}
	return t
}

// IsShaped tells whether the type is a tensor, memref or vector.
func IsShaped(t Type) bool { return IsTensor(t) || IsMemRef(t) || IsVector(t) }

// IsTensor tells whether the type is a tensor, ranked or not.
func IsTensor(t Type) bool {
	switch t.(type) {
	case *RankedTensorType, *UnrankedTensorType:
		return true
	}
	return false
}

// IsMemRef tells whether the type is a memref, ranked or not.
func IsMemRef(t Type) bool {
	switch t.(type) {
	case *MemRefType, *UnrankedMemRefType:
		return true
	}
	return false
}

// IsVector tells whether the type is a vector.
func IsVector(t Type) bool { _, ok := t.(*VectorType); return ok }

// IsFloat tells whether the type is a floating-point type.
func IsFloat(t Type) bool { _, ok := t.(*FloatType); return ok }

// IsInteger tells whether the type is an integer type (index is not).
func IsInteger(t Type) bool { _, ok := t.(*IntegerType); return ok }

// IsSignlessInteger tells whether the type is a signless integer type.
func IsSignlessInteger(t Type) bool {
	i, ok := t.(*IntegerType)
	return ok && i.Signedness == Signless
}

// IsIntOrIndex tells whether the type is an integer of any signedness or index.
func IsIntOrIndex(t Type) bool { return t == Type(Index) || IsInteger(t) }

// IsStaticShape tells whether no dimension is dynamic.
func IsStaticShape(shape []int64) bool {
	for _, d := range shape {
		if d == Dynamic {
			return false
		}
	}
	return true
}

// NumElements returns the product of the dimensions, which must be static, and
// whether it fits an int64.
func NumElements(shape []int64) (int64, bool) {
	n := int64(1)
	for _, d := range shape {
		if d == 0 {
			return 0, true
		}
	}
	for _, d := range shape {
		if d < 0 || n > (1<<62)/d {
			return 0, false
		}
		n *= d
	}
	return n, true
}

// NumElementsOf is [NumElements] of the shape of a type; not known for one without a rank.
func NumElementsOf(t Type) (int64, bool) {
	shape, ok := ShapeOf(t)
	if !ok {
		return 0, false
	}
	return NumElements(shape)
}

// ElementCount is [NumElements], the greatest int64 where the product doesn't fit.
func ElementCount(shape []int64) int64 {
	if n, ok := NumElements(shape); ok {
		return n
	}
	return math.MaxInt64
}

// NumDynamic returns the number of dynamic dimensions.
func NumDynamic(shape []int64) int {
	n := 0
	for _, d := range shape {
		if d == Dynamic {
			n++
		}
	}
	return n
}

// WithShape returns a type like t, which must be a ranked tensor, memref or
// vector, with another shape. Encodings and memory spaces stay; a memref's
// layout becomes the identity.
func (c *Context) WithShape(t Type, shape []int64) Type {
	switch t := t.(type) {
	case *RankedTensorType:
		return c.RankedTensorOf(shape, t.Elem, t.Encoding)
	case *MemRefType:
		return c.MemRefOf(shape, t.Elem, nil, t.Space)
	case *VectorType:
		return c.Vector(shape, nil, t.Elem)
	}
	return t
}

// WithElementType returns a type like t with another element type; for a type
// without elements, elem itself.
func (c *Context) WithElementType(t Type, elem Type) Type {
	switch t := t.(type) {
	case *RankedTensorType:
		return c.RankedTensorOf(t.Shape, elem, t.Encoding)
	case *UnrankedTensorType:
		return c.UnrankedTensor(elem)
	case *MemRefType:
		return c.MemRefOf(t.Shape, elem, t.Layout, t.Space)
	case *UnrankedMemRefType:
		return c.UnrankedMemRef(elem, t.Space)
	case *VectorType:
		return c.Vector(t.Shape, t.Scalable, elem)
	}
	return elem
}

// MemorySpaceOf returns the memory space of a memref type; nil is the default
// one.
func MemorySpaceOf(t Type) Attribute {
	switch t := t.(type) {
	case *MemRefType:
		return t.Space
	case *UnrankedMemRefType:
		return t.Space
	}
	return nil
}

// IdentityStrides returns the strides of a row-major layout of the shape;
// a stride left of a dimension that is dynamic or has no elements is Dynamic.
func IdentityStrides(shape []int64) []int64 {
	s := make([]int64, len(shape))
	n := int64(1)
	for i := len(shape) - 1; i >= 0; i-- {
		s[i] = n
		if n == Dynamic || shape[i] == Dynamic || shape[i] == 0 {
			n = Dynamic
		} else {
			n *= shape[i]
		}
	}
	return s
}

// HasIdentityLayout tells whether a memref type has the layout of one without a layout: it has none, or one
// dimension whose strided layout says the same.
func (t *MemRefType) HasIdentityLayout() bool {
	l, ok := t.Layout.(*StridedLayoutAttr)
	return t.Layout == nil || ok && l.Offset == 0 && len(l.Strides) == 1 && l.Strides[0] == 1
}

// StridesAndOffset returns the strides and the offset of a memref type, with
// Dynamic for what is not a constant, and whether the layout is strided at all. The strides
// are a part of the type, and must not be changed.
func (t *MemRefType) StridesAndOffset() (strides []int64, offset int64, ok bool) {
	switch l := t.Layout.(type) {
	case nil:
		return IdentityStrides(t.Shape), 0, true
	case *StridedLayoutAttr:
		return l.Strides, l.Offset, true
	case *AffineMapAttr:
		return l.Map.strided(t.Shape)
	}
	return nil, 0, false
}

// SameSize tells whether two sizes, or offsets or strides, are the same as far as they are known.
func SameSize(a, b int64) bool { return a == b || a == Dynamic || b == Dynamic }
