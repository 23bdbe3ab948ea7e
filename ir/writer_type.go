package ir

// Type appends a type.
func (w *Writer) Type(t Type) {
	if t == nil {
		w.Text("<<NULL TYPE>>")
		return
	}
	if w.aliased(t) {
		return
	}
	switch t := t.(type) {
	case *IntegerType:
		switch t.Signedness {
		case Signed:
			w.Byte('s')
		case Unsigned:
			w.Byte('u')
		}
		w.Byte('i')
		w.Int(int64(t.Width))
	case *IndexType:
		w.Text("index")
	case *NoneType:
		w.Text("none")
	case *FloatType:
		w.Text(t.Name)
	case *ComplexType:
		w.Text("complex<")
		w.Type(t.Elem)
		w.Byte('>')
	case *TupleType:
		w.Text("tuple<")
		w.Types(t.Types)
		w.Byte('>')
	case *FunctionType:
		w.Byte('(')
		w.Types(t.Inputs)
		w.Text(") -> ")
		w.ResultTypes(t.Results)
	case *VectorType:
		w.Text("vector<")
		for i, d := range t.Shape {
			if t.Scalable != nil && t.Scalable[i] {
				w.Byte('[')
				w.Int(d)
				w.Text("]x")
			} else {
				w.Int(d)
				w.Byte('x')
			}
		}
		w.Type(t.Elem)
		w.Byte('>')
	case *RankedTensorType:
		w.Text("tensor<")
		w.shape(t.Shape)
		w.Type(t.Elem)
		if t.Encoding != nil {
			w.Text(", ")
			w.Attr(t.Encoding)
		}
		w.Byte('>')
	case *UnrankedTensorType:
		w.Text("tensor<*x")
		w.Type(t.Elem)
		w.Byte('>')
	case *MemRefType:
		w.Text("memref<")
		w.shape(t.Shape)
		w.Type(t.Elem)
		if t.Layout != nil {
			w.Text(", ")
			w.attr(t.Layout, mayElideType)
		}
		w.space(t.Space)
		w.Byte('>')
	case *UnrankedMemRefType:
		w.Text("memref<*x")
		w.Type(t.Elem)
		w.space(t.Space)
		w.Byte('>')
	case *OpaqueType:
		w.dialectSymbol('!', t.Dialect, t.Data)
	case *DialectType:
		w.Byte('!')
		w.Text(t.Dialect.Name)
		w.Byte('.')
		if t.Dialect.PrintType == nil || !t.Dialect.PrintType(w, t) {
			w.structural(t.Mnemonic, t.Params)
		}
	}
}

// Types appends types, separated by ", ".
func (w *Writer) Types(ts []Type) {
	for i, t := range ts {
		if i > 0 {
			w.Text(", ")
		}
		w.Type(t)
	}
}

// ResultTypes appends the types after the arrow of a function type: a single
// type bare unless it is a function type, others in parentheses.
func (w *Writer) ResultTypes(ts []Type) {
	if len(ts) == 1 {
		if _, fn := ts[0].(*FunctionType); !fn {
			w.Type(ts[0])
			return
		}
	}
	w.Byte('(')
	w.Types(ts)
	w.Byte(')')
}

// Dimension appends a size, or ? if it is dynamic.
func (w *Writer) Dimension(d int64) {
	if d == Dynamic {
		w.Byte('?')
	} else {
		w.Int(d)
	}
}

func (w *Writer) shape(shape []int64) {
	for _, d := range shape {
		w.Dimension(d)
		w.Byte('x')
	}
}

func (w *Writer) space(space Attribute) {
	if space != nil {
		w.Text(", ")
		w.attr(space, mayElideType)
	}
}

// structural writes mnemonic<param, ...>.
func (w *Writer) structural(mnemonic string, params []Attribute) {
	w.Text(mnemonic)
	if len(params) == 0 {
		return
	}
	w.Byte('<')
	for i, p := range params {
		if i > 0 {
			w.Text(", ")
		}
		if e, ok := p.(*EnumAttr); ok {
			w.Text(e.Keyword())
		} else {
			w.attr(p, mustElideType)
		}
	}
	w.Byte('>')
}
