package bytecode

import (
	"math/big"

	"freehold/ir"
)

// writeBuiltinType writes a type that package ir defines.
func writeBuiltinType(w *Writer, t ir.Type) bool {
	switch t := t.(type) {
	case *ir.IntegerType:
		w.Varint(integerTypeCode)
		w.Varint(uint64(t.Width)<<2 | uint64(t.Signedness))
	case *ir.IndexType:
		w.Varint(indexTypeCode)
	case *ir.NoneType:
		w.Varint(noneTypeCode)
	case *ir.FloatType:
		for code, f := range floatCodes {
			if f == t {
				w.Varint(code)
				return true
			}
		}
		return false
	case *ir.FunctionType:
		w.Varint(functionTypeCode)
		w.Types(t.Inputs)
		w.Types(t.Results)
	case *ir.TupleType:
		w.Varint(tupleTypeCode)
		w.Types(t.Types)
	case *ir.ComplexType:
		w.Varint(complexTypeCode)
		w.Type(t.Elem)
	case *ir.MemRefType:
		writeSpace(w, t.Space, memrefCode, memrefSpaceCode)
		w.Ints(t.Shape)
		w.Type(t.Elem)
		layout := t.Layout
		if layout == nil {
			layout = w.n.ctx.AffineMapAttr(w.n.ctx.IdentityMap(len(t.Shape)))
		}
		w.Attr(layout)
	case *ir.UnrankedMemRefType:
		writeSpace(w, t.Space, unrankedMemrefCode, unrankedMemrefSpaceCode)
		w.Type(t.Elem)
	case *ir.RankedTensorType:
		writeSpace(w, t.Encoding, tensorCode, tensorEncodingCode)
		w.Ints(t.Shape)
		w.Type(t.Elem)
	case *ir.UnrankedTensorType:
		w.Varint(unrankedTensorCode)
		w.Type(t.Elem)
	case *ir.VectorType:
		if t.Scalable == nil {
			w.Varint(vectorCode)
		} else {
			w.Varint(scalableVectorCode)
			w.Len(len(t.Scalable))
			for _, s := range t.Scalable {
				w.Byte(byte(bit(s)))
			}
		}
		w.Ints(t.Shape)
		w.Type(t.Elem)
	default:
		return false
	}
	return true
}

// writeSpace writes the code of a type that has an attribute, and this one, or that of a
// type that has none.
func writeSpace(w *Writer, a ir.Attribute, without, with uint64) {
	if a == nil {
		w.Varint(without)
		return
	}
	w.Varint(with)
	w.Attr(a)
}

// writeBuiltinAttr writes an attribute that package ir defines.
func writeBuiltinAttr(w *Writer, a ir.Attribute) bool {
	switch a := a.(type) {
	case *ir.ArrayAttr:
		w.Varint(arrayCode)
		w.Len(len(a.Elems))
		for _, e := range a.Elems {
			w.Attr(e)
		}
	case *ir.DictAttr:
		w.Varint(dictCode)
		w.Len(len(a.Entries))
		for _, e := range a.Entries {
			w.stringAttr(e.Name)
			w.Attr(e.Value)
		}
	case *ir.StringAttr:
		if a.Type == nil {
			w.Varint(stringCode)
			w.String(a.Value)
		} else {
			w.Varint(typedStringCode)
			w.String(a.Value)
			w.Type(a.Type)
		}
	case *ir.SymbolRefAttr:
		if len(a.Nested) == 0 {
			w.Varint(flatSymbolCode)
			w.stringAttr(a.Root)
			return true
		}
		w.Varint(symbolCode)
		w.stringAttr(a.Root)
		w.Len(len(a.Nested))
		for _, n := range a.Nested {
			w.Attr(w.n.ctx.SymbolRef(n))
		}
	case *ir.TypeAttr:
		w.Varint(typeCode)
		w.Type(a.Type)
	case *ir.UnitAttr:
		w.Varint(unitCode)
	case *ir.IntegerAttr:
		w.Varint(integerCode)
		w.Type(a.Type)
		width := 64
		if it, ok := a.Type.(*ir.IntegerType); ok {
			width = it.Width
		}
		w.Int(a.BigInt(), width)
	case *ir.FloatAttr:
		w.Varint(floatCode)
		w.Type(a.Type)
		bits := new(big.Int).SetUint64(a.Hi)
		w.Int(bits.Or(bits.Lsh(bits, 64), new(big.Int).SetUint64(a.Lo)), a.Type.Width)
	case *ir.DenseResourceAttr:
		w.Varint(denseResourceCode)
		w.Type(a.Type)
		w.resource(builtinDialect, a.Key)
	case *ir.DenseArrayAttr:
		w.Varint(denseArrayCode)
		w.Type(a.Elem)
		w.Len(a.Len())
		if ir.ElementBytes(a.Elem) == 0 {
			w.Blob("")
		} else {
			w.Blob(a.Data)
		}
	case *ir.DenseElementsAttr:
		w.Varint(denseCode)
		w.Type(a.Type)
		w.Blob(packed(a))
	case *ir.DenseStringElementsAttr:
		w.Varint(denseStringCode)
		w.Type(a.Type)
		w.Varint(bit(a.Splat))
		for _, e := range a.Elems {
			w.String(e)
		}
	case *ir.SparseElementsAttr:
		w.Varint(sparseCode)
		w.Type(a.Type)
		w.Attr(a.Indices)
		w.Attr(a.Values)
	case *ir.DistinctAttr:
		w.Varint(distinctCode)
		w.Attr(a.Referenced)
	case ir.Location:
		return writeLocation(w, a)
	default:
		return false
	}
	return true
}

// packed returns the bytes of elements, in which bits have no bytes of their own.
func packed(a *ir.DenseElementsAttr) string {
	if ir.ElementType(a.Type) != ir.Type(ir.I1) {
		return a.Data
	}
	if a.Splat {
		return string([]byte{-(a.Data[0] & 1)})
	}
	out := make([]byte, (len(a.Data)+7)/8)
	for i := range a.Data {
		out[i/8] |= a.Data[i] & 1 << (i % 8)
	}
	return string(out)
}

// writeLocation writes a location.
func writeLocation(w *Writer, l ir.Location) bool {
	switch l := l.(type) {
	case *ir.CallSiteLoc:
		w.Varint(callSiteCode)
		w.Attr(l.Callee)
		w.Attr(l.Caller)
	case *ir.FileLineColLoc:
		w.Varint(fileLineColCode)
		w.Attr(w.n.fileOf(l))
		w.Varint(uint64(l.Line))
		w.Varint(uint64(l.Col))
	case *ir.FusedLoc:
		if l.Metadata == nil {
			w.Varint(fusedCode)
		} else {
			w.Varint(fusedMetadataCode)
		}
		w.Len(len(l.Locs))
		for _, x := range l.Locs {
			w.Attr(x)
		}
		if l.Metadata != nil {
			w.Attr(l.Metadata)
		}
	case *ir.NameLoc:
		w.Varint(nameCode)
		w.stringAttr(l.Name)
		w.Attr(l.Child)
	case *ir.UnknownLoc:
		w.Varint(unknownCode)
	default:
		return false
	}
	return true
}
