package ir

import (
	"encoding/binary"
	"fmt"
	"iter"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
)

// Attribute is constant data on an operation or in a type. Attributes are
// immutable and uniqued per context, so == compares them.
type Attribute interface {
	uniqued
	isAttr()
	String() string
}

type attrBase struct{ uniq }

func (*attrBase) isAttr() {}

func attrFlags(f uniqFlags) attrBase { return attrBase{uniq{flags: f}} }

// NamedAttr is an attribute under a name.
type NamedAttr struct {
	Name  string
	Value Attribute
}

// UnitAttr is the attribute unit, whose presence is all it says.
type UnitAttr struct{ attrBase }

// Unit is the unit attribute of all contexts.
var Unit = &UnitAttr{attrBase{uniq{id: 32}}}

// IntegerAttr is an integer of an integer type or index; booleans are integers
// of type i1. Value holds the number sign-extended from the type's width (zero-
// extended for unsigned types and for i1 true, which is 1); where that needs more
// than 64 bits, Big holds it and Value is 0.
type IntegerAttr struct {
	attrBase
	Type  Type
	Value int64
	Big   *big.Int
}

// FloatAttr is a number of a floating-point type, as the type's own bits.
type FloatAttr struct {
	attrBase
	Type   *FloatType
	Lo, Hi uint64
}

// StringAttr is a string; Type is nil unless the string carries a type.
type StringAttr struct {
	attrBase
	Value string
	Type  Type
}

// ArrayAttr is a list of attributes.
type ArrayAttr struct {
	attrBase
	Elems []Attribute
}

// DictAttr maps names to attributes; Entries are sorted by name.
type DictAttr struct {
	attrBase
	Entries []NamedAttr
}

// TypeAttr is a type as an attribute.
type TypeAttr struct {
	attrBase
	Type Type
}

// SymbolRefAttr is @Root::@Nested...
type SymbolRefAttr struct {
	attrBase
	Root   string
	Nested []string
}

// AffineMapAttr is affine_map<...>.
type AffineMapAttr struct {
	attrBase
	Map *AffineMap
}

// IntegerSetAttr is affine_set<...>.
type IntegerSetAttr struct {
	attrBase
	Set *IntegerSet
}

// DenseElementsAttr is dense<...> : Type for integer, index, float and complex
// elements. Data holds the elements in row-major order, each in the fewest whole
// bytes of its width, little-endian; i1 takes a byte. A splat holds one element.
type DenseElementsAttr struct {
	attrBase
	Type  Type // *RankedTensorType or *VectorType
	Data  string
	Splat bool
}

// DenseStringElementsAttr is dense<...> with strings as elements.
type DenseStringElementsAttr struct {
	attrBase
	Type  Type
	Elems []string
	Splat bool
}

// SparseElementsAttr is sparse<Indices, Values> : Type.
type SparseElementsAttr struct {
	attrBase
	Type    Type
	Indices *DenseElementsAttr
	Values  Attribute // *DenseElementsAttr or *DenseStringElementsAttr
}

// DenseArrayAttr is array<Elem: ...>. Data holds the elements as in
// [DenseElementsAttr].
type DenseArrayAttr struct {
	attrBase
	Elem Type
	Data string

	sums atomic.Pointer[[]int64] // see PrefixSum
}

// DenseResourceAttr is dense_resource<Key> : Type. Its data is in the module's
// resources.
type DenseResourceAttr struct {
	attrBase
	Type Type
	Key  string
}

// StridedLayoutAttr is strided<Strides, offset: Offset>.
type StridedLayoutAttr struct {
	attrBase
	Offset  int64
	Strides []int64
}

// OpaqueAttr is an attribute #Dialect<Data> : Type of a dialect that is not
// registered; Type may be nil.
type OpaqueAttr struct {
	attrBase
	Dialect, Data string
	Type          Type
}

// DialectAttr is an attribute that a registered dialect defines,
// #Dialect.Mnemonic with parameters. The dialect's hooks in package asm parse and
// print it.
type DialectAttr struct {
	attrBase
	Dialect  *Dialect
	Mnemonic string
	Params   []Attribute
	// Type is the type that the attribute carries, or nil.
	Type Type
}

// EnumDef describes an enumeration of a dialect.
type EnumDef struct {
	// Dialect and Mnemonic name the attribute, #dialect.mnemonic<case>; they are
	// empty for an enumeration that is stored as an integer attribute.
	Dialect, Mnemonic string
	// Name is what messages call it.
	Name string
	// Attr is what messages call the attribute that holds a value of it; may be empty.
	Attr string
	// Param is what messages call the parameter that holds the value; empty for
	// "value".
	Param string
	// Int is the integer type that stores the value; nil if the attribute is an
	// EnumAttr.
	Int *IntegerType
	// Bit tells that the cases are bits that are joined by Separator.
	Bit       bool
	Separator string
	// Bare tells that the case is not enclosed in <>: assembly formats spell it as a
	// bare word, and the attribute is #dialect<mnemonic case>.
	Bare bool
	// Cases lists keyword and value.
	Cases []EnumCase
	// Earlier gives the keywords for those that LLVM had in their place up to version
	// Until.
	Earlier map[string]string
	Until   int
	// Later lists the keywords in the order in which LLVM 22 numbers them, if that is another one.
	Later []string
}

// laterOrder is the version of LLVM that the order in EnumDef.Later is from.
const laterOrder = 22

// EnumCase is one case of an enumeration.
type EnumCase struct {
	Keyword string
	Value   uint64
	// Since is the first version of LLVM with the case, if it is later than 19.
	Since int
}

// Keywords returns the keywords of the cases that a version of LLVM has, joined by ", ".
func (d *EnumDef) Keywords(llvm int) string {
	if llvm >= laterOrder && d.Later != nil {
		return strings.Join(d.Later, ", ")
	}
	var out []string
	for _, c := range d.Cases {
		if c.Since <= llvm {
			out = append(out, c.Keyword)
		}
	}
	return strings.Join(out, ", ")
}

// EnumAttr is a value of an enumeration, #dialect.mnemonic<case>.
type EnumAttr struct {
	attrBase
	Def   *EnumDef
	Value uint64
}

// Parse returns the value that a keyword (or keywords joined by the separator
// with any spacing) stands for.
func (d *EnumDef) Parse(keyword string) (uint64, bool) {
	for _, c := range d.Cases {
		if c.Keyword == keyword {
			return c.Value, true
		}
	}
	return 0, false
}

// Keyword returns the spelling of a value; bits are joined in the order of the
// cases. An unknown value has the spelling "".
func (d *EnumDef) Keyword(v uint64) string {
	for _, c := range d.Cases {
		if c.Value == v {
			return c.Keyword
		}
	}
	if !d.Bit {
		return ""
	}
	// A case of several bits stands for all of them.
	var out []byte
	rest := v
	cases := append([]EnumCase(nil), d.Cases...)
	slices.SortStableFunc(cases, func(a, b EnumCase) int { return bitCount(b.Value) - bitCount(a.Value) })
	used := map[string]bool{}
	for _, c := range cases {
		if c.Value != 0 && bitCount(c.Value) > 1 && rest&c.Value == c.Value {
			used[c.Keyword] = true
			rest &^= c.Value
		}
	}
	for _, c := range d.Cases {
		single := c.Value != 0 && bitCount(c.Value) == 1 && rest&c.Value == c.Value
		if single || used[c.Keyword] {
			if len(out) > 0 {
				out = append(out, d.Separator...)
			}
			out = append(out, c.Keyword...)
		}
	}
	return string(out)
}

func bitCount(v uint64) (n int) {
	for ; v != 0; v &= v - 1 {
		n++
	}
	return n
}

// Keyword returns the spelling of the attribute's value.
func (a *EnumAttr) Keyword() string { return a.Def.Keyword(a.Value) }

// IntegerAttr returns v as an attribute of the given integer or index type,
// wrapped to the type's width.
func (c *Context) IntegerAttr(t Type, v int64) *IntegerAttr {
	w := 64
	if it, ok := t.(*IntegerType); ok {
		w = it.Width
		if w > 64 {
			return c.BigIntegerAttr(t, big.NewInt(v))
		}
		v = wrapInt(v, it)
	}
	k := newKey(kIntegerAttr)
	k.typ(t)
	k.int(v)
	return c.uniquer.get(k, func() uniqued { return &IntegerAttr{Type: t, Value: v} }).(*IntegerAttr)
}

func wrapInt(v int64, t *IntegerType) int64 {
	w := t.Width
	if w == 0 {
		return 0
	}
	if w >= 64 {
		return v
	}
	if t.Signedness == Unsigned || w == 1 && t.Signedness == Signless {
		return v & (1<<w - 1)
	}
	return v << (64 - w) >> (64 - w)
}

// BigIntegerAttr is IntegerAttr for numbers of any size.
func (c *Context) BigIntegerAttr(t Type, v *big.Int) *IntegerAttr {
	w, unsigned := 64, false
	if it, ok := t.(*IntegerType); ok {
		w, unsigned = it.Width, it.Signedness == Unsigned || it.Width == 1 && it.Signedness == Signless
	}
	m := new(big.Int)
	if bits := v.BitLen(); bits < w && (v.Sign() >= 0 || !unsigned) {
		m.Set(v) // without numbers as wide as the type
	} else {
		one := big.NewInt(1)
		m.And(v, new(big.Int).Sub(new(big.Int).Lsh(one, uint(w)), one))
		if !unsigned && w > 0 && m.Bit(w-1) == 1 {
			m.Sub(m, new(big.Int).Lsh(one, uint(w)))
		}
	}
	if w <= 64 {
		return c.IntegerAttr(t, int64(low64(m)))
	}
	k := newKey(kIntegerAttr)
	k.typ(t)
	k.bool(m.Sign() < 0)
	k.str(string(m.Bytes()))
	return c.uniquer.get(k, func() uniqued { return &IntegerAttr{Type: t, Big: m} }).(*IntegerAttr)
}

func low64(m *big.Int) uint64 {
	t := new(big.Int).And(m, new(big.Int).SetUint64(1<<64-1))
	return t.Uint64()
}

// BigInt returns the attribute's number.
func (a *IntegerAttr) BigInt() *big.Int {
	if a.Big != nil {
		return a.Big
	}
	if it, ok := a.Type.(*IntegerType); ok && it.Signedness == Unsigned {
		return new(big.Int).SetUint64(uint64(a.Value))
	}
	return big.NewInt(a.Value)
}

// IndexAttr returns v : index.
func (c *Context) IndexAttr(v int64) *IntegerAttr { return c.IntegerAttr(Index, v) }

// I64Attr returns v : i64.
func (c *Context) I64Attr(v int64) *IntegerAttr { return c.IntegerAttr(I64, v) }

// I32Attr returns v : i32.
func (c *Context) I32Attr(v int64) *IntegerAttr { return c.IntegerAttr(I32, v) }

// Bool returns true or false.
func (c *Context) Bool(v bool) *IntegerAttr {
	if v {
		return c.IntegerAttr(I1, 1)
	}
	return c.IntegerAttr(I1, 0)
}

// FloatAttr returns x rounded to the type.
func (c *Context) FloatAttr(t *FloatType, x float64) *FloatAttr {
	if t.Width > 64 {
		lo, hi := t.Format.NaNBits()
		if x == x {
			lo, hi = t.Format.FromBig(new(big.Float).SetFloat64(x))
		}
		return c.FloatBits(t, lo, hi)
	}
	b, _ := t.Format.FromFloat64(x)
	return c.FloatBits(t, b, 0)
}

// FloatBits returns the attribute with the given bits.
func (c *Context) FloatBits(t *FloatType, lo, hi uint64) *FloatAttr {
	k := newKey(kFloatAttr)
	k.typ(t)
	k.uint(lo)
	k.uint(hi)
	return c.uniquer.get(k, func() uniqued { return &FloatAttr{Type: t, Lo: lo, Hi: hi} }).(*FloatAttr)
}

// Float64 returns the number, rounded to 64 bits for wider formats.
func (a *FloatAttr) Float64() float64 {
	if a.Type.Width <= 64 {
		return a.Type.Format.ToFloat64(a.Lo)
	}
	return wideToFloat64(a.Type.Format, a.Lo, a.Hi)
}

// Is tells whether the number is exactly x, with the sign that x has if it is zero.
func (a *FloatAttr) Is(x float64) bool {
	if v := a.Float64(); v != x || math.Signbit(v) != math.Signbit(x) {
		return false
	}
	// Of a wider format, the number may only be close.
	v, finite := a.Type.Format.ToBig(a.Lo, a.Hi)
	return !finite || v.Cmp(big.NewFloat(x)) == 0
}

// StringAttr returns the string s.
func (c *Context) StringAttr(s string) *StringAttr { return c.TypedStringAttr(s, nil) }

// TypedStringAttr returns the string s with a type.
func (c *Context) TypedStringAttr(s string, t Type) *StringAttr {
	k := newKey(kStringAttr)
	k.str(s)
	k.typ(t)
	return c.uniquer.get(k, func() uniqued { return &StringAttr{Value: s, Type: t} }).(*StringAttr)
}

// ArrayAttr returns [elems...].
func (c *Context) ArrayAttr(elems ...Attribute) *ArrayAttr {
	k := newKey(kArrayAttr)
	k.attrs(elems)
	return c.uniquer.get(k, func() uniqued {
		return &ArrayAttr{attrFlags(aliasFlags(elems...)), append([]Attribute(nil), elems...)}
	}).(*ArrayAttr)
}

// DictAttr returns {entries...}, sorted by name. Names must be different.
func (c *Context) DictAttr(entries ...NamedAttr) *DictAttr {
	byName := func(a, b NamedAttr) int { return strings.Compare(a.Name, b.Name) }
	es := entries
	if !slices.IsSortedFunc(es, byName) {
		es = slices.SortedFunc(slices.Values(entries), byName)
	}
	k := newKey(kDictAttr)
	var f uniqFlags
	for _, e := range es {
		k.str(e.Name)
		k.attr(e.Value)
		f |= aliasFlags(e.Value)
	}
	return c.uniquer.get(k, func() uniqued { return &DictAttr{attrFlags(f), slices.Clone(es)} }).(*DictAttr)
}

// Get returns the entry of that name, or nil. It is safe on a nil DictAttr.
func (d *DictAttr) Get(name string) Attribute {
	if d == nil {
		return nil
	}
	for i := range d.Entries {
		if d.Entries[i].Name == name {
			return d.Entries[i].Value
		}
	}
	return nil
}

// TypeAttr returns the type as an attribute.
func (c *Context) TypeAttr(t Type) *TypeAttr {
	k := newKey(kTypeAttr)
	k.typ(t)
	return c.uniquer.get(k, func() uniqued { return &TypeAttr{attrFlags(aliasFlags(t)), t} }).(*TypeAttr)
}

// SymbolRef returns @root::@nested...
func (c *Context) SymbolRef(root string, nested ...string) *SymbolRefAttr {
	k := newKey(kSymbolRef)
	k.str(root)
	for _, n := range nested {
		k.str(n)
	}
	return c.uniquer.get(k, func() uniqued {
		return &SymbolRefAttr{Root: root, Nested: append([]string(nil), nested...)}
	}).(*SymbolRefAttr)
}

// Leaf returns the innermost name of the reference.
func (s *SymbolRefAttr) Leaf() string {
	if len(s.Nested) == 0 {
		return s.Root
	}
	return s.Nested[len(s.Nested)-1]
}

// AffineMapAttr returns the map as an attribute.
func (c *Context) AffineMapAttr(m *AffineMap) *AffineMapAttr {
	k := newKey(kAffineMapAttr)
	k.ref(m)
	return c.uniquer.get(k, func() uniqued { return &AffineMapAttr{attrFlags(mayAlias), m} }).(*AffineMapAttr)
}

// IntegerSetAttr returns the set as an attribute.
func (c *Context) IntegerSetAttr(s *IntegerSet) *IntegerSetAttr {
	k := newKey(kIntegerSetAttr)
	k.ref(s)
	return c.uniquer.get(k, func() uniqued { return &IntegerSetAttr{attrFlags(mayAlias), s} }).(*IntegerSetAttr)
}

// ElementBytes returns the number of bytes that an element of the type takes in
// the data of a dense attribute, 0 for types that can't be stored so.
func ElementBytes(t Type) int {
	switch t := t.(type) {
	case *IntegerType:
		return (t.Width + 7) / 8
	case *IndexType:
		return 8
	case *FloatType:
		return (t.Width + 7) / 8
	case *ComplexType:
		return 2 * ElementBytes(t.Elem)
	}
	return 0
}

// DenseElements returns the attribute of a statically shaped tensor or vector
// type. data holds one element, for a splat, or all of them, in the layout
// described at [DenseElementsAttr]; all elements equal make a splat.
func (c *Context) DenseElements(t Type, data []byte) *DenseElementsAttr {
	size := ElementBytes(ElementType(t))
	splat := len(data) == size && size > 0
	if !splat && size > 0 && len(data) > size {
		splat = true
		for i := size; i < len(data) && splat; i += size {
			splat = string(data[i:i+size]) == string(data[:size])
		}
		if splat {
			data = data[:size]
		}
	}
	k := newKey(kDense)
	k.typ(t)
	k.bool(splat)
	k.str(string(data))
	return c.uniquer.get(k, func() uniqued {
		return &DenseElementsAttr{attrFlags(aliasFlags(t)), t, string(data), splat}
	}).(*DenseElementsAttr)
}

// Raw returns the bytes of element i, in row-major order.
func (a *DenseElementsAttr) Raw(i int64) string {
	size := int64(ElementBytes(ElementType(a.Type)))
	if a.Splat {
		return a.Data
	}
	return a.Data[i*size : (i+1)*size]
}

// Elem returns element i, in row-major order, as an attribute: an integer, a
// float, or an array of two for a complex number.
func (a *DenseElementsAttr) Elem(c *Context, i int64) Attribute {
	return c.attrOfBytes(ElementType(a.Type), a.Raw(i))
}

// Elem returns element i, in row-major order, as an attribute: that of the first index
// in the list that says i, or else zero; nil if the elements are strings. It takes time
// linear in the number of indices.
func (a *SparseElementsAttr) Elem(c *Context, i int64) Attribute {
	values, ok := a.Values.(*DenseElementsAttr)
	if !ok {
		return nil
	}
	for k, flat := range a.positions() {
		if flat == i {
			return values.Elem(c, k)
		}
	}
	elem := ElementType(a.Type)
	return c.attrOfBytes(elem, string(make([]byte, ElementBytes(elem))))
}

// Dense returns the constant with all elements, also those that are zero. It returns
// nil if the elements are strings or more than max.
func (a *SparseElementsAttr) Dense(c *Context, max int64) *DenseElementsAttr {
	values, ok := a.Values.(*DenseElementsAttr)
	shape, _ := ShapeOf(a.Type)
	n, counted := NumElements(shape)
	if !ok || !counted || n > max {
		return nil
	}
	size := int64(ElementBytes(ElementType(a.Type)))
	data := make([]byte, n*size)
	done := make([]bool, n)
	for k, flat := range a.positions() {
		if !done[flat] {
			done[flat] = true
			copy(data[flat*size:], values.Raw(k))
		}
	}
	return c.DenseElements(a.Type, data)
}

// positions yields the number of each index in the list, and the number that the
// element there has in row-major order.
func (a *SparseElementsAttr) positions() iter.Seq2[int64, int64] {
	return func(yield func(int64, int64) bool) {
		shape, _ := ShapeOf(a.Type)
		rank, flat := int64(len(shape)), int64(0)
		if rank == 0 {
			return
		}
		for i := range a.Indices.Len() {
			flat = flat*shape[i%rank] + int64(word(a.Indices.Raw(i)))
			if i%rank == rank-1 {
				if !yield(i/rank, flat) {
					return
				}
				flat = 0
			}
		}
	}
}

// CheckSparseIndices returns an error if one of the indices of sparse elements is not in
// the shape of their type.
func CheckSparseIndices(t Type, indices *DenseElementsAttr) error {
	shape, _ := ShapeOf(t)
	if len(shape) == 0 {
		return nil
	}
	at := make([]string, len(shape))
	outside := false
	for i := range indices.Len() {
		d := int(i) % len(shape)
		x := word(indices.Raw(i))
		at[d] = strconv.FormatUint(x, 10)
		outside = outside || x >= uint64(shape[d])
		if outside && d+1 == len(shape) {
			return fmt.Errorf("sparse index #%d is not contained within the value shape, with index=[%s], and type='%s'",
				int(i)/len(shape), strings.Join(at, ", "), t)
		}
	}
	return nil
}

// Len returns the number of elements of the attribute's type.
func (a *DenseElementsAttr) Len() int64 {
	shape, _ := ShapeOf(a.Type)
	n, _ := NumElements(shape)
	return n
}

func (c *Context) attrOfBytes(t Type, b string) Attribute {
	var lo, hi uint64
	for i := len(b) - 1; i >= 0; i-- {
		if i >= 8 {
			hi = hi<<8 | uint64(b[i])
		} else {
			lo = lo<<8 | uint64(b[i])
		}
	}
	switch t := t.(type) {
	case *FloatType:
		return c.FloatBits(t, lo, hi)
	case *ComplexType:
		h := len(b) / 2
		return c.ArrayAttr(c.attrOfBytes(t.Elem, b[:h]), c.attrOfBytes(t.Elem, b[h:]))
	case *IntegerType:
		if t.Width > 64 {
			be := make([]byte, len(b))
			for i := range be {
				be[i] = b[len(b)-1-i]
			}
			return c.BigIntegerAttr(t, new(big.Int).SetBytes(be))
		}
	}
	return c.IntegerAttr(t, int64(lo))
}

// AppendElement appends the bytes of an element (an integer, a float, or an array
// of two for a complex number) in the layout of dense data.
func AppendElement(b []byte, a Attribute) []byte {
	switch a := a.(type) {
	case *IntegerAttr:
		size := ElementBytes(a.Type)
		if a.Big == nil {
			var w [8]byte
			binary.LittleEndian.PutUint64(w[:], uint64(a.Value))
			for i := range size {
				if i < 8 {
					b = append(b, w[i])
				} else {
					b = append(b, byte(a.Value>>63))
				}
			}
			return b
		}
		m := new(big.Int).And(a.Big, new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), uint(size*8)), big.NewInt(1)))
		be := m.FillBytes(make([]byte, size))
		for i := size - 1; i >= 0; i-- {
			b = append(b, be[i])
		}
		return b
	case *FloatAttr:
		var w [16]byte
		binary.LittleEndian.PutUint64(w[:], a.Lo)
		binary.LittleEndian.PutUint64(w[8:], a.Hi)
		return append(b, w[:ElementBytes(a.Type)]...)
	case *ArrayAttr:
		for _, e := range a.Elems {
			b = AppendElement(b, e)
		}
	}
	return b
}

// DenseStringElements returns dense<...> with strings. One string, or the same string
// for all elements, is a splat.
func (c *Context) DenseStringElements(t Type, elems []string) *DenseStringElementsAttr {
	if len(elems) > 0 && !slices.ContainsFunc(elems, func(e string) bool { return e != elems[0] }) {
		elems = elems[:1]
	}
	k := newKey(kDenseString)
	k.typ(t)
	for _, e := range elems {
		k.str(e)
	}
	return c.uniquer.get(k, func() uniqued {
		return &DenseStringElementsAttr{attrFlags(aliasFlags(t)), t, append([]string(nil), elems...), len(elems) == 1}
	}).(*DenseStringElementsAttr)
}

// SparseElements returns sparse<indices, values> : t. The values are a
// *DenseElementsAttr or a *DenseStringElementsAttr.
func (c *Context) SparseElements(t Type, indices *DenseElementsAttr, values Attribute) *SparseElementsAttr {
	k := newKey(kSparse)
	k.typ(t)
	k.attr(indices)
	k.attr(values)
	return c.uniquer.get(k, func() uniqued {
		return &SparseElementsAttr{attrFlags(aliasFlags(t)), t, indices, values}
	}).(*SparseElementsAttr)
}

// DenseArray returns array<elem: ...> with the given data. An integer of no bits is a byte of zero.
func (c *Context) DenseArray(elem Type, data []byte) *DenseArrayAttr {
	k := newKey(kDenseArray)
	k.typ(elem)
	k.str(string(data))
	return c.uniquer.get(k, func() uniqued { return &DenseArrayAttr{Elem: elem, Data: string(data)} }).(*DenseArrayAttr)
}

// DenseI64Array returns array<i64: v...>.
func (c *Context) DenseI64Array(v ...int64) *DenseArrayAttr {
	b := make([]byte, 0, 8*len(v))
	for _, x := range v {
		b = binary.LittleEndian.AppendUint64(b, uint64(x))
	}
	return c.DenseArray(I64, b)
}

// Segments returns the sizes of groups of operands or results, as
// [OperandSegmentsAttr] has them.
func (c *Context) Segments(sizes ...int) *DenseArrayAttr {
	v := make([]int32, len(sizes))
	for i, n := range sizes {
		v[i] = int32(n)
	}
	return c.DenseI32Array(v...)
}

// DenseI32Array returns array<i32: v...>.
func (c *Context) DenseI32Array(v ...int32) *DenseArrayAttr {
	b := make([]byte, 0, 4*len(v))
	for _, x := range v {
		b = binary.LittleEndian.AppendUint32(b, uint32(x))
	}
	return c.DenseArray(I32, b)
}

// DenseBoolArray returns array<i1: v...>.
func (c *Context) DenseBoolArray(v ...bool) *DenseArrayAttr {
	b := make([]byte, 0, len(v))
	for _, x := range v {
		if x {
			b = append(b, 1)
		} else {
			b = append(b, 0)
		}
	}
	return c.DenseArray(I1, b)
}

// Len returns the number of elements. It is 0 on a nil attribute.
func (a *DenseArrayAttr) Len() int {
	if a == nil {
		return 0
	}
	return len(a.Data) / max(ElementBytes(a.Elem), 1)
}

// Int returns element i of an array of integers.
func (a *DenseArrayAttr) Int(i int) int64 {
	if a.Elem == Type(I32) { // group sizes
		d := a.Data[4*i : 4*i+4]
		return int64(int32(uint32(d[0]) | uint32(d[1])<<8 | uint32(d[2])<<16 | uint32(d[3])<<24))
	}
	if a.Elem == Type(I64) {
		d := a.Data[8*i : 8*i+8]
		return int64(uint64(d[0]) | uint64(d[1])<<8 | uint64(d[2])<<16 | uint64(d[3])<<24 |
			uint64(d[4])<<32 | uint64(d[5])<<40 | uint64(d[6])<<48 | uint64(d[7])<<56)
	}
	size := ElementBytes(a.Elem)
	var v uint64
	for j := size - 1; j >= 0; j-- {
		v = v<<8 | uint64(a.Data[i*size+j])
	}
	if size < 8 {
		shift := 64 - 8*size
		return int64(v) << shift >> shift
	}
	return int64(v)
}

// Ints returns the elements of an array of integers. There are none of a nil attribute.
func (a *DenseArrayAttr) Ints() []int64 {
	out := make([]int64, a.Len())
	for i := range out {
		out[i] = a.Int(i)
	}
	return out
}

// PrefixSum returns the sum of the first i elements of an array of integers, such as
// sizes of segments. The first call takes time linear in the length, later ones are
// constant. It may be called by concurrent passes.
func (a *DenseArrayAttr) PrefixSum(i int) int64 {
	sums := a.sums.Load()
	if sums == nil {
		s := make([]int64, a.Len()+1)
		for j := range a.Len() {
			s[j+1] = s[j] + a.Int(j)
		}
		sums = &s
		a.sums.Store(sums)
	}
	return (*sums)[i]
}

// DenseResource returns dense_resource<key> : t.
func (c *Context) DenseResource(t Type, resource string) *DenseResourceAttr {
	k := newKey(kDenseResource)
	k.typ(t)
	k.str(resource)
	return c.uniquer.get(k, func() uniqued { return &DenseResourceAttr{attrFlags(aliasFlags(t)), t, resource} }).(*DenseResourceAttr)
}

// StridedLayout returns strided<strides, offset: offset>.
func (c *Context) StridedLayout(offset int64, strides []int64) *StridedLayoutAttr {
	k := newKey(kStrided)
	k.int(offset)
	k.ints(strides)
	return c.uniquer.get(k, func() uniqued {
		return &StridedLayoutAttr{Offset: offset, Strides: append([]int64(nil), strides...)}
	}).(*StridedLayoutAttr)
}

// OpaqueAttr returns #dialect<data> : t; t may be nil.
func (c *Context) OpaqueAttr(dialect, data string, t Type) *OpaqueAttr {
	k := newKey(kOpaqueAttr)
	k.str(dialect)
	k.str(data)
	k.typ(t)
	return c.uniquer.get(k, func() uniqued { return &OpaqueAttr{Dialect: dialect, Data: data, Type: t} }).(*OpaqueAttr)
}

// DialectAttrOf returns #dialect.mnemonic with the given parameters.
func (c *Context) DialectAttrOf(dialect *Dialect, mnemonic string, params ...Attribute) *DialectAttr {
	return c.TypedDialectAttr(dialect, mnemonic, nil, params...)
}

// TypedDialectAttr returns the attribute #dialect.mnemonic<params...> : t; t may
// be nil.
func (c *Context) TypedDialectAttr(dialect *Dialect, mnemonic string, t Type, params ...Attribute) *DialectAttr {
	k := newKey(kDialectAttr)
	k.str(dialect.Name)
	k.str(mnemonic)
	k.typ(t)
	k.attrs(params)
	return c.uniquer.get(k, func() uniqued {
		flags := dialect.aliasFlags() | aliasFlags(params...)
		if t != nil {
			flags |= aliasFlags(t)
		}
		return &DialectAttr{attrFlags(flags), dialect, mnemonic, append([]Attribute(nil), params...), t}
	}).(*DialectAttr)
}

// EnumAttr returns the attribute for a value of the enumeration: an integer
// attribute if the enumeration is stored as one.
func (c *Context) EnumAttr(def *EnumDef, v uint64) Attribute {
	if def.Int != nil {
		return c.IntegerAttr(def.Int, int64(v))
	}
	k := newKey(kEnumAttr)
	k.str(def.Dialect)
	k.str(def.Mnemonic)
	k.uint(v)
	return c.uniquer.get(k, func() uniqued { return &EnumAttr{Def: def, Value: v} }).(*EnumAttr)
}

// TypeOfAttr returns the type that an attribute carries, or nil. A string that
// carries none has the type none.
func TypeOfAttr(a Attribute) Type {
	switch a := a.(type) {
	case *IntegerAttr:
		return a.Type
	case *FloatAttr:
		return a.Type
	case *StringAttr:
		if a.Type == nil {
			return None
		}
		return a.Type
	case *DenseElementsAttr:
		return a.Type
	case *DenseStringElementsAttr:
		return a.Type
	case *SparseElementsAttr:
		return a.Type
	case *DenseResourceAttr:
		return a.Type
	case *OpaqueAttr:
		if a.Type == nil {
			return None
		}
		return a.Type
	case *DialectAttr:
		return a.Type
	}
	return nil
}
