package testd

import "freehold/ir"

func printType(w *ir.Writer, t *ir.DialectType) bool { return printSymbol(w, t.Mnemonic, t.Params) }

func printAttr(w *ir.Writer, a *ir.DialectAttr) bool { return printSymbol(w, a.Mnemonic, a.Params) }

// printSymbol writes a type or attribute after the dialect's prefix.
func printSymbol(w *ir.Writer, mnemonic string, params []ir.Attribute) bool {
	if len(params) == 0 && mnemonic != "struct" { // which has its brackets also where nothing is in them
		return false
	}
	if mnemonic == withTypeBuilder {
		// It is spelled #test<mnemonic value>.
		w.Buf[len(w.Buf)-1] = '<'
		w.Text(mnemonic)
		w.Byte(' ')
		w.Attr(params[0])
		w.Byte('>')
		return true
	}
	w.Text(mnemonic)
	w.Byte('<')
	switch mnemonic {
	case blobElements:
		w.KeywordOrString(params[0].(*ir.DenseResourceAttr).Key)
	case compound:
		w.AttrWithoutType(params[0])
		w.Text(", ")
		w.Attr(params[1])
		w.Text(", ")
		w.DenseArrayBody(params[2].(*ir.DenseArrayAttr))
	case nestedInner, nestedInnerAttr:
		w.AttrWithoutType(params[0])
		w.Byte(' ')
		bare(w, params[1])
	case nestedOuter:
		w.Text("i ")
		bare(w, params[0])
	case nestedOuterQual:
		w.Text("i ")
		w.Attr(params[0])
	case testTensor, testMemref:
		printShaped(w, params)
	case "i64_elements":
		w.DenseArrayBody(params[0].(*ir.DenseArrayAttr))
	case "int":
		w.Text(params[0].(*ir.StringAttr).Value)
		w.Text(", ")
		w.AttrWithoutType(params[1])
	case "struct":
		for i := 0; i < len(params); i += 2 {
			if i > 0 {
				w.Text(", ")
			}
			w.Byte('{')
			w.Text(params[i].(*ir.StringAttr).Value)
			w.Byte(',')
			w.Attr(params[i+1])
			w.Byte('}')
		}
	case "test_rec":
		w.Text(params[0].(*ir.StringAttr).Value)
		if len(params) > 1 {
			w.Text(", ")
			if d := params[1].(*ir.TypeAttr).Type.(*ir.DialectType); !printSymbol(w, d.Mnemonic, d.Params) {
				w.Text(d.Mnemonic)
			}
		}
	default:
		separator := ", "
		if mnemonic == dynamicCustom {
			separator = ":"
		}
		for i, a := range params {
			if i > 0 {
				w.Text(separator)
			}
			w.Attr(a)
		}
	}
	w.Byte('>')
	return true
}

// bare writes the parameters of a nested type or attribute, without its mnemonic.
func bare(w *ir.Writer, a ir.Attribute) {
	mnemonic, params := "", []ir.Attribute(nil)
	switch a := a.(type) {
	case *ir.TypeAttr:
		d := a.Type.(*ir.DialectType)
		mnemonic, params = d.Mnemonic, d.Params
	case *ir.DialectAttr:
		mnemonic, params = a.Mnemonic, a.Params
	}
	start := len(w.Buf)
	printSymbol(w, mnemonic, params)
	w.Buf = append(w.Buf[:start], w.Buf[start+len(mnemonic):]...)
}

// aliasName suggests aliases for unsigned bytes and for recursive types of a
// certain name.
func aliasName(x any) string {
	t, ok := x.(*ir.DialectType)
	if !ok || len(t.Params) == 0 {
		return ""
	}
	name, ok := t.Params[0].(*ir.StringAttr)
	switch {
	case !ok:
	case t.Mnemonic == "test_rec" && name.Value == "type_to_alias":
		return "testrec"
	case t.Mnemonic == "int" && name.Value == "unsigned" && t.Params[1].(*ir.IntegerAttr).Value == 8:
		return "test_ui8"
	}
	return ""
}
