package ir

import (
	"math"
	"slices"
)

// Type is the type of a value. Types are immutable and uniqued per context, so
// == compares them. String gives the textual form where no alias and no dialect
// hook is involved; the printer in package asm gives the exact one.
type Type interface {
	uniqued
	isType()
	String() string
}

type typeBase struct{ uniq }

func (*typeBase) isType() {}

// Dynamic is the size of a dimension that is known only when the program runs,
// and likewise a dynamic stride or offset. It prints as ?.
const Dynamic int64 = math.MinInt64

// Signedness says how an integer type's values are meant.
type Signedness uint8

// Signless integers leave the meaning to the operations; signed and unsigned
// ones are written si8 and ui8.
const (
	Signless Signedness = iota
	Signed
	Unsigned
)

// IntegerType is the type of integers of Width bits, 0 to 1<<24-1.
type IntegerType struct {
	typeBase
	Width      int
	Signedness Signedness
}

// MaxIntegerWidth is the widest integer type there is.
const MaxIntegerWidth = 1<<24 - 1

// IndexType is the type index: integers as wide as a pointer.
type IndexType struct{ typeBase }

// NoneType is the unit type none.
type NoneType struct{ typeBase }

// FloatType is one of the floating-point types; all of them are package-level
// values such as [F32].
type FloatType struct {
	typeBase
	// Name is the keyword, such as "f32".
	Name string
	// Width is the size in bits.
	Width int
	// Format says how the bits are used.
	Format FloatFormat
}

// ComplexType is complex<Elem>.
type ComplexType struct {
	typeBase
	Elem Type
}

// TupleType is tuple<Types...>.
type TupleType struct {
	typeBase
	Types []Type
}

// FunctionType is (Inputs) -> (Results).
type FunctionType struct {
	typeBase
	Inputs, Results []Type
}

// VectorType is vector<Shape x Elem>; Scalable tells which dimensions are
// multiplied by the machine's vector scale, and is nil if none is.
type VectorType struct {
	typeBase
	Shape    []int64
	Scalable []bool
	Elem     Type
}

// RankedTensorType is tensor<Shape x Elem, Encoding>; Encoding may be nil.
type RankedTensorType struct {
	typeBase
	Shape    []int64
	Elem     Type
	Encoding Attribute
}

// UnrankedTensorType is tensor<* x Elem>.
type UnrankedTensorType struct {
	typeBase
	Elem Type
}

// MemRefType is memref<Shape x Elem, Layout, Space>. Layout is nil for the
// identity layout, else an *AffineMapAttr, a *StridedLayoutAttr or a dialect's
// layout; Space is nil for the default memory space.
type MemRefType struct {
	typeBase
	Shape  []int64
	Elem   Type
	Layout Attribute
	Space  Attribute
}

// UnrankedMemRefType is memref<* x Elem, Space>.
type UnrankedMemRefType struct {
	typeBase
	Elem  Type
	Space Attribute
}

// OpaqueType is a type !Dialect<Data> that no registered dialect knows.
type OpaqueType struct {
	typeBase
	Dialect, Data string
}

// DialectType is a type that a registered dialect defines, !Dialect.Mnemonic with
// parameters. The dialect's hooks in package asm parse and print it.
type DialectType struct {
	typeBase
	Dialect  *Dialect
	Mnemonic string
	Params   []Attribute
	name     *typeName
}

func singleton(id uint32) typeBase { return typeBase{uniq{id: id}} }

// The types without parameters, and the common integers. They are shared by all
// contexts.
var (
	Index = &IndexType{singleton(1)}
	None  = &NoneType{singleton(2)}

	I1  = &IntegerType{singleton(3), 1, Signless}
	I8  = &IntegerType{singleton(4), 8, Signless}
	I16 = &IntegerType{singleton(5), 16, Signless}
	I32 = &IntegerType{singleton(6), 32, Signless}
	I64 = &IntegerType{singleton(7), 64, Signless}

	F16        = &FloatType{singleton(8), "f16", 16, FloatFormat{5, 10, 15, IEEE}}
	BF16       = &FloatType{singleton(9), "bf16", 16, FloatFormat{8, 7, 127, IEEE}}
	F32        = &FloatType{singleton(10), "f32", 32, FloatFormat{8, 23, 127, IEEE}}
	F64        = &FloatType{singleton(11), "f64", 64, FloatFormat{11, 52, 1023, IEEE}}
	TF32       = &FloatType{singleton(12), "tf32", 19, FloatFormat{8, 10, 127, IEEE}}
	F80        = &FloatType{singleton(13), "f80", 80, FloatFormat{15, 63, 16383, X87}}
	F128       = &FloatType{singleton(14), "f128", 128, FloatFormat{15, 112, 16383, IEEE}}
	F8E5M2     = &FloatType{singleton(15), "f8E5M2", 8, FloatFormat{5, 2, 15, IEEE}}
	F8E4M3     = &FloatType{singleton(16), "f8E4M3", 8, FloatFormat{4, 3, 7, IEEE}}
	F8E4M3FN   = &FloatType{singleton(17), "f8E4M3FN", 8, FloatFormat{4, 3, 7, FiniteNaNAllOnes}}
	F8E5M2FNUZ = &FloatType{singleton(18), "f8E5M2FNUZ", 8, FloatFormat{5, 2, 16, FiniteNaNNegZero}}
	F8E4M3FNUZ = &FloatType{singleton(19), "f8E4M3FNUZ", 8, FloatFormat{4, 3, 8, FiniteNaNNegZero}}
	F8E4M3B11  = &FloatType{singleton(20), "f8E4M3B11FNUZ", 8, FloatFormat{4, 3, 11, FiniteNaNNegZero}}
	F8E3M4     = &FloatType{singleton(21), "f8E3M4", 8, FloatFormat{3, 4, 3, IEEE}}
	F8E8M0FNU  = &FloatType{singleton(22), "f8E8M0FNU", 8, FloatFormat{8, 0, 127, PowersOfTwo}}
	F6E3M2FN   = &FloatType{singleton(23), "f6E3M2FN", 6, FloatFormat{3, 2, 3, FiniteOnly}}
	F6E2M3FN   = &FloatType{singleton(24), "f6E2M3FN", 6, FloatFormat{2, 3, 1, FiniteOnly}}
	F4E2M1FN   = &FloatType{singleton(25), "f4E2M1FN", 4, FloatFormat{2, 1, 1, FiniteOnly}}
)

// FloatTypes lists every floating-point type.
func FloatTypes() []*FloatType {
	return []*FloatType{F16, BF16, F32, F64, TF32, F80, F128, F8E5M2, F8E4M3, F8E4M3FN, F8E5M2FNUZ, F8E4M3FNUZ, F8E4M3B11,
		F8E3M4, F8E8M0FNU, F6E3M2FN, F6E2M3FN, F4E2M1FN}
}

// Since returns the first version of LLVM that has the type; 0 if that isn't later than 19.
func (t *FloatType) Since() int {
	switch t {
	case F8E3M4, F8E8M0FNU, F6E3M2FN, F6E2M3FN, F4E2M1FN:
		return 20
	}
	return 0
}

// Integer returns the signless integer type of the given width.
func (c *Context) Integer(width int) *IntegerType { return c.IntegerOf(width, Signless) }

// IntegerOf returns the integer type of the given width and signedness.
func (c *Context) IntegerOf(width int, s Signedness) *IntegerType {
	if s == Signless {
		switch width {
		case 1:
			return I1
		case 8:
			return I8
		case 16:
			return I16
		case 32:
			return I32
		case 64:
			return I64
		}
	}
	k := newKey(kInteger)
	k.uint(uint64(width))
	k.uint(uint64(s))
	return c.uniquer.get(k, func() uniqued { return &IntegerType{Width: width, Signedness: s} }).(*IntegerType)
}

func withFlags(f uniqFlags) typeBase { return typeBase{uniq{flags: f}} }

// Complex returns complex<elem>.
func (c *Context) Complex(elem Type) *ComplexType {
	k := newKey(kComplex)
	k.typ(elem)
	return c.uniquer.get(k, func() uniqued { return &ComplexType{withFlags(aliasFlags(elem)), elem} }).(*ComplexType)
}

// MaxInlineTuple is the number of elements beyond which a tuple type is printed
// by alias.
const MaxInlineTuple = 16

// Tuple returns tuple<types...>.
func (c *Context) Tuple(types ...Type) *TupleType {
	k := newKey(kTuple)
	k.types(types)
	return c.uniquer.get(k, func() uniqued {
		f := aliasFlags(types...)
		if len(types) > MaxInlineTuple {
			f |= mayAlias
		}
		return &TupleType{withFlags(f), append([]Type(nil), types...)}
	}).(*TupleType)
}

// Function returns (inputs) -> (results).
func (c *Context) Function(inputs, results []Type) *FunctionType {
	k := newKey(kFunction)
	k.types(inputs)
	k.types(results)
	return c.uniquer.get(k, func() uniqued {
		return &FunctionType{withFlags(aliasFlags(inputs...) | aliasFlags(results...)),
			append([]Type(nil), inputs...), append([]Type(nil), results...)}
	}).(*FunctionType)
}

// Vector returns vector<shape x elem>. scalable is nil or one flag a dimension.
func (c *Context) Vector(shape []int64, scalable []bool, elem Type) *VectorType {
	anyScalable := false
	for _, s := range scalable {
		anyScalable = anyScalable || s
	}
	if !anyScalable {
		scalable = nil
	}
	k := newKey(kVector)
	k.ints(shape)
	for _, s := range scalable {
		k.bool(s)
	}
	k.typ(elem)
	return c.uniquer.get(k, func() uniqued {
		return &VectorType{withFlags(aliasFlags(elem) | malformedIf(slices.ContainsFunc(shape, func(d int64) bool { return d < 1 }))), append([]int64(nil), shape...), append([]bool(nil), scalable...), elem}
	}).(*VectorType)
}

// RankedTensor returns tensor<shape x elem>.
func (c *Context) RankedTensor(shape []int64, elem Type) *RankedTensorType {
	return c.RankedTensorOf(shape, elem, nil)
}

// RankedTensorOf returns tensor<shape x elem, encoding>; encoding may be nil.
func (c *Context) RankedTensorOf(shape []int64, elem Type, encoding Attribute) *RankedTensorType {
	k := newKey(kRankedTensor)
	k.ints(shape)
	k.typ(elem)
	k.attr(encoding)
	return c.uniquer.get(k, func() uniqued {
		return &RankedTensorType{withFlags(aliasFlags(elem) | aliasFlags(encoding) | malformedIf(!validShape(shape) || !ValidTensorElement(elem))), append([]int64(nil), shape...), elem, encoding}
	}).(*RankedTensorType)
}

// UnrankedTensor returns tensor<* x elem>.
func (c *Context) UnrankedTensor(elem Type) *UnrankedTensorType {
	k := newKey(kUnrankedTensor)
	k.typ(elem)
	return c.uniquer.get(k, func() uniqued {
		return &UnrankedTensorType{withFlags(aliasFlags(elem) | malformedIf(!ValidTensorElement(elem))), elem}
	}).(*UnrankedTensorType)
}

// MemRef returns memref<shape x elem> with the identity layout in the default
// memory space.
func (c *Context) MemRef(shape []int64, elem Type) *MemRefType {
	return c.MemRefOf(shape, elem, nil, nil)
}

// MemRefOf returns memref<shape x elem, layout, space>. An identity affine map
// as layout is the same as none, and so is the integer 0 as space.
func (c *Context) MemRefOf(shape []int64, elem Type, layout, space Attribute) *MemRefType {
	if m, ok := layout.(*AffineMapAttr); ok && m.Map.IsIdentity() {
		layout = nil
	}
	space = normalSpace(space)
	k := newKey(kMemRef)
	k.ints(shape)
	k.typ(elem)
	k.attr(layout)
	k.attr(space)
	return c.uniquer.get(k, func() uniqued {
		wrong := !validShape(shape) || !ValidMemRefElement(elem) || !validLayout(layout, len(shape), c.LLVM() >= ZeroStrides) || !ValidMemorySpace(space)
		return &MemRefType{withFlags(aliasFlags(elem) | aliasFlags(layout, space) | malformedIf(wrong)), append([]int64(nil), shape...), elem, layout, space}
	}).(*MemRefType)
}

// UnrankedMemRef returns memref<* x elem, space>; space may be nil.
func (c *Context) UnrankedMemRef(elem Type, space Attribute) *UnrankedMemRefType {
	space = normalSpace(space)
	k := newKey(kUnrankedMemRef)
	k.typ(elem)
	k.attr(space)
	return c.uniquer.get(k, func() uniqued {
		return &UnrankedMemRefType{withFlags(aliasFlags(elem) | aliasFlags(space) | malformedIf(!ValidMemRefElement(elem) || !ValidMemorySpace(space))), elem, space}
	}).(*UnrankedMemRefType)
}

// ValidMemorySpace tells whether an attribute may stand for a memory space; nil stands for
// the default one.
func ValidMemorySpace(space Attribute) bool {
	switch space.(type) {
	case nil, *IntegerAttr, *StringAttr, *DictAttr, *DialectAttr, *EnumAttr:
		return true
	}
	return false
}

func validShape(shape []int64) bool {
	return !slices.ContainsFunc(shape, func(d int64) bool { return d < 0 && d != Dynamic })
}

// ZeroStrides is the version of LLVM since which strides of layouts may be zero, so that elements share their place.
const ZeroStrides = 22

// validLayout tells whether an attribute may be the layout of a buffer of the given rank; zero says whether strides may be zero.
func validLayout(layout Attribute, rank int, zero bool) bool {
	switch l := layout.(type) {
	case *AffineMapAttr:
		return l.Map.Dims == rank
	case *StridedLayoutAttr:
		return len(l.Strides) == rank && (zero || !slices.Contains(l.Strides, 0))
	}
	return true
}

// ValidTensorElement tells whether tensors may hold elements of the type.
func ValidTensorElement(t Type) bool {
	switch t.(type) {
	case *ComplexType, *FloatType, *IntegerType, *IndexType, *VectorType, *OpaqueType, *DialectType:
		return true
	}
	return false
}

// ValidMemRefElement tells whether memrefs may hold elements of the type. Types of
// dialects may be held only if these say so.
func ValidMemRefElement(t Type) bool {
	switch t := t.(type) {
	case *OpaqueType:
		return false
	case *DialectType:
		_, ok := MemRefElement.OfType(t)
		return ok
	}
	return ValidTensorElement(t) || IsMemRef(t)
}

// normalSpace drops the explicit spelling of the default memory space.
func normalSpace(space Attribute) Attribute {
	if i, ok := space.(*IntegerAttr); ok && i.Value == 0 && (i.Big == nil || i.Big.Sign() == 0) {
		return nil
	}
	return space
}

// OpaqueTypeOf returns !dialect<data> of a dialect that is not registered.
func (c *Context) OpaqueTypeOf(dialect, data string) *OpaqueType {
	k := newKey(kOpaqueType)
	k.str(dialect)
	k.str(data)
	return c.uniquer.get(k, func() uniqued { return &OpaqueType{Dialect: dialect, Data: data} }).(*OpaqueType)
}

// IsDialectType tells whether t is a type !dialect.mnemonic, whatever its parameters.
func IsDialectType(t Type, dialect, mnemonic string) bool {
	d, ok := t.(*DialectType)
	return ok && d.Dialect.Name == dialect && d.Mnemonic == mnemonic
}

// DialectTypeOf returns the type !dialect.mnemonic with the given parameters.
func (c *Context) DialectTypeOf(dialect *Dialect, mnemonic string, params ...Attribute) *DialectType {
	k := newKey(kDialectType)
	k.str(dialect.Name)
	k.str(mnemonic)
	k.attrs(params)
	return c.uniquer.get(k, func() uniqued {
		n := c.typeName(dialect.Name, mnemonic)
		n.used.Store(true)
		return &DialectType{withFlags(dialect.aliasFlags() | aliasFlags(params...)), dialect, mnemonic, append([]Attribute(nil), params...), n}
	}).(*DialectType)
}
