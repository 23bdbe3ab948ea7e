package sparsetensor

import (
	"strconv"

	"freehold/ir"
)

func printType(w *ir.Writer, t *ir.DialectType) bool {
	w.Text(t.Mnemonic)
	w.Byte('<')
	if t.Mnemonic == specifierMnemonic {
		w.Attr(t.Params[0])
	} else {
		printLevelRange(w, levelRange{t})
	}
	w.Byte('>')
	return true
}

func printAttr(w *ir.Writer, a *ir.DialectAttr) bool {
	if e, ok := EncodingOf(a); ok {
		printEncoding(w, e)
		return true
	}
	// A slice is spelled #sparse_tensor<slice(...)>.
	w.Buf[len(w.Buf)-1] = '<'
	w.Text(sliceMnemonic)
	w.Byte('(')
	for i, v := range a.Params[0].(*ir.DenseArrayAttr).Ints() {
		if i > 0 {
			w.Text(", ")
		}
		if v == ir.Dynamic {
			w.Byte('?')
		} else {
			w.Int(v)
		}
	}
	w.Text(")>")
	return true
}

func printEncoding(w *ir.Writer, e Encoding) {
	w.Text(encodingMnemonic + "<{ map = ")
	m := e.DimToLvl()
	if m != nil && m.Syms > 0 {
		printList(w, '[', ']', m.Syms, func(i int) { w.Text("s" + strconv.Itoa(i)) })
	}
	slices := e.Slices()
	printList(w, '(', ')', e.DimRank(), func(i int) {
		w.Text("d" + strconv.Itoa(i))
		if len(slices) > 0 {
			w.Text(" : ")
			w.Attr(slices[i])
		}
	})
	w.Text(" -> ")
	levels := e.Levels()
	printList(w, '(', ')', len(levels), func(i int) {
		if m == nil {
			w.Text("d" + strconv.Itoa(i))
		} else {
			w.AffineExpr(m.Results[i], nil)
		}
		w.Text(" : " + string(levels[i]))
	})
	for _, f := range []struct {
		name  string
		param int
	}{{"posWidth", posWidthParam}, {"crdWidth", crdWidthParam}} {
		if n := e.width(f.param); n != 0 {
			w.Text(", " + f.name + " = ")
			w.Int(n)
		}
	}
	for _, f := range []struct {
		name  string
		param int
	}{{"explicitVal", explicitParam}, {"implicitVal", implicitParam}} {
		if v := e.value(f.param); v != nil {
			w.Text(", " + f.name + " = ")
			w.Attr(v)
		}
	}
	w.Text(" }>")
}

// value returns an explicit or implicit value, or nil.
func (e Encoding) value(param int) ir.Attribute {
	if _, none := e.Params[param].(*ir.UnitAttr); none {
		return nil
	}
	return e.Params[param]
}

func printList(w *ir.Writer, open, end byte, n int, elem func(i int)) {
	w.Byte(open)
	for i := range n {
		if i > 0 {
			w.Text(", ")
		}
		elem(i)
	}
	w.Byte(end)
}
