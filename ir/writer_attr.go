package ir

// typeElision says what to do with the type that follows an attribute.
type typeElision uint8

const (
	neverElideType typeElision = iota
	// mayElideType leaves out i64 and f64, which are what a bare number has inside
	// of other attributes.
	mayElideType
	mustElideType
)

// Attr appends an attribute with its type, where it has one that is not implied.
func (w *Writer) Attr(a Attribute) { w.attr(a, neverElideType) }

// AttrWithoutType appends an attribute without its type.
func (w *Writer) AttrWithoutType(a Attribute) { w.attr(a, mustElideType) }

func (w *Writer) attr(a Attribute, elide typeElision) {
	if a == nil {
		w.Text("<<NULL ATTRIBUTE>>")
		return
	}
	if w.aliased(a) {
		return
	}
	switch a := a.(type) {
	case *UnitAttr:
		w.Text("unit")
	case *IntegerAttr:
		if !w.integer(a) || elide == mayElideType && a.Type == Type(I64) {
			return
		}
	case *FloatAttr:
		if hex := w.float(a); elide == mayElideType && a.Type == F64 && !hex {
			return
		}
	case *StringAttr:
		w.Quoted(a.Value)
	case *ArrayAttr:
		w.Byte('[')
		for i, e := range a.Elems {
			if i > 0 {
				w.Text(", ")
			}
			w.attr(e, mayElideType)
		}
		w.Byte(']')
	case *DictAttr:
		w.Byte('{')
		w.NamedAttrs(a.Entries)
		w.Byte('}')
	case *TypeAttr:
		w.Type(a.Type)
	case *SymbolRefAttr:
		w.SymbolName(a.Root)
		for _, n := range a.Nested {
			w.Text("::")
			w.SymbolName(n)
		}
	case *AffineMapAttr:
		w.Text("affine_map<")
		w.AffineMap(a.Map)
		w.Byte('>')
	case *IntegerSetAttr:
		w.Text("affine_set<")
		w.IntegerSet(a.Set)
		w.Byte('>')
	case *DenseElementsAttr:
		w.dense(a, true)
	case *DenseStringElementsAttr:
		w.denseStrings(a)
	case *SparseElementsAttr:
		if w.elided(a.Type, false) {
			break
		}
		w.Text("sparse<")
		if a.Indices.Len() != 0 {
			w.denseBody(a.Indices, false)
			w.Text(", ")
			switch v := a.Values.(type) {
			case *DenseElementsAttr:
				w.denseBody(v, true)
			case *DenseStringElementsAttr:
				w.denseStringsBody(v)
			}
		}
		w.Byte('>')
	case *DenseArrayAttr:
		w.Text("array<")
		w.Type(a.Elem)
		if a.Len() > 0 {
			w.Text(": ")
			w.denseArrayElems(a)
		}
		w.Byte('>')
	case *DenseResourceAttr:
		w.Text("dense_resource<")
		w.KeywordOrString(a.Key)
		w.Byte('>')
	case *DistinctAttr:
		w.distinct(a)
	case *StridedLayoutAttr:
		w.Text("strided<[")
		for i, s := range a.Strides {
			if i > 0 {
				w.Text(", ")
			}
			w.Dimension(s)
		}
		w.Byte(']')
		if a.Offset != 0 {
			w.Text(", offset: ")
			w.Dimension(a.Offset)
		}
		w.Byte('>')
	case *OpaqueAttr:
		w.dialectSymbol('#', a.Dialect, a.Data)
	case *DialectAttr:
		w.Byte('#')
		w.Text(a.Dialect.Name)
		w.Byte('.')
		if a.Dialect.PrintAttr == nil || !a.Dialect.PrintAttr(w, a) {
			w.structural(a.Mnemonic, a.Params)
		}
	case *EnumAttr:
		w.Byte('#')
		w.Text(a.Def.Dialect)
		if a.Def.Bare {
			w.Byte('<')
			w.Text(a.Def.Mnemonic)
			w.Byte(' ')
			w.Text(a.Keyword())
			w.Byte('>')
			break
		}
		w.Byte('.')
		w.Text(a.Def.Mnemonic)
		w.Byte('<')
		w.Text(a.Keyword())
		w.Byte('>')
	case Location:
		w.Text("loc(")
		w.Location(a)
		w.Byte(')')
	}
	if elide == mustElideType {
		return
	}
	if t := TypeOfAttr(a); t != nil && t != Type(None) {
		w.Text(" : ")
		w.Type(t)
	}
}

// NamedAttr appends name = attribute, or the name alone for a unit attribute.
func (w *Writer) NamedAttr(a NamedAttr) {
	w.KeywordOrString(a.Name)
	if a.Value == Attribute(Unit) {
		return
	}
	w.Text(" = ")
	w.Attr(a.Value)
}

// NamedAttrs appends named attributes, separated by ", ".
func (w *Writer) NamedAttrs(attrs []NamedAttr) {
	for i := range attrs {
		if i > 0 {
			w.Text(", ")
		}
		w.NamedAttr(attrs[i])
	}
}

// integer writes the number and reports whether its type has to follow; that of
// a boolean is implied.
func (w *Writer) integer(a *IntegerAttr) bool {
	if a.Type == Type(I1) {
		if a.Value != 0 {
			w.Text("true")
		} else {
			w.Text("false")
		}
		return false
	}
	w.integerValue(a)
	return true
}

func (w *Writer) integerValue(a *IntegerAttr) {
	if a.Big != nil {
		w.Buf = a.Big.Append(w.Buf, 10)
		return
	}
	if t, ok := a.Type.(*IntegerType); ok && t.Signedness == Unsigned {
		w.unsigned(uint64(a.Value))
		return
	}
	w.Int(a.Value)
}
