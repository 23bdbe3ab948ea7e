package ir

import "strconv"

// JoinInts returns numbers as "1, 2".
func JoinInts(list []int64) string {
	var b []byte
	for i, n := range list {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = strconv.AppendInt(b, n, 10)
	}
	return string(b)
}

// The String methods give the textual form without aliases.

func (t *IntegerType) String() string        { return typeString(t) }
func (t *IndexType) String() string          { return typeString(t) }
func (t *NoneType) String() string           { return typeString(t) }
func (t *FloatType) String() string          { return typeString(t) }
func (t *ComplexType) String() string        { return typeString(t) }
func (t *TupleType) String() string          { return typeString(t) }
func (t *FunctionType) String() string       { return typeString(t) }
func (t *VectorType) String() string         { return typeString(t) }
func (t *RankedTensorType) String() string   { return typeString(t) }
func (t *UnrankedTensorType) String() string { return typeString(t) }
func (t *MemRefType) String() string         { return typeString(t) }
func (t *UnrankedMemRefType) String() string { return typeString(t) }
func (t *OpaqueType) String() string         { return typeString(t) }
func (t *DialectType) String() string        { return typeString(t) }

func (a *UnitAttr) String() string                { return attrString(a) }
func (a *IntegerAttr) String() string             { return attrString(a) }
func (a *FloatAttr) String() string               { return attrString(a) }
func (a *StringAttr) String() string              { return attrString(a) }
func (a *ArrayAttr) String() string               { return attrString(a) }
func (a *DictAttr) String() string                { return attrString(a) }
func (a *TypeAttr) String() string                { return attrString(a) }
func (a *SymbolRefAttr) String() string           { return attrString(a) }
func (a *AffineMapAttr) String() string           { return attrString(a) }
func (a *IntegerSetAttr) String() string          { return attrString(a) }
func (a *DenseElementsAttr) String() string       { return attrString(a) }
func (a *DenseStringElementsAttr) String() string { return attrString(a) }
func (a *SparseElementsAttr) String() string      { return attrString(a) }
func (a *DenseArrayAttr) String() string          { return attrString(a) }
func (a *DenseResourceAttr) String() string       { return attrString(a) }
func (a *StridedLayoutAttr) String() string       { return attrString(a) }
func (a *OpaqueAttr) String() string              { return attrString(a) }
func (a *DialectAttr) String() string             { return attrString(a) }
func (a *EnumAttr) String() string                { return attrString(a) }

func (a *UnknownLoc) String() string     { return attrString(a) }
func (a *FileLineColLoc) String() string { return attrString(a) }
func (a *NameLoc) String() string        { return attrString(a) }
func (a *FusedLoc) String() string       { return attrString(a) }
func (a *CallSiteLoc) String() string    { return attrString(a) }
