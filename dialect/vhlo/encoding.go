package vhlo

import (
	"fmt"
	"math/big"

	"freehold/ir"
	"freehold/ir/bytecode"
)

// Attributes are, in memory, #vhlo.mnemonic with parameters that are builtin attributes, and types are !vhlo.mnemonic. The numbers are those
// of the format.

// attrCodes are the mnemonics of attributes by their numbers.
var attrCodes = []string{1: "array_v1", 2: "bool_v1", 3: "comparison_direction_v1", 4: "comparison_type_v1", 5: "api_version_v1", 6: "dict_v1", 7: "fft_type_v1",
	8: "float_v1", 9: "integer_v1", 10: "output_operand_alias_v1", 11: "precision_v1", 12: "rng_algorithm_v1", 13: "rng_distribution_v1", 14: "string_v1",
	15: "tensor_v1", 16: "transpose_v1", 17: "type_v1", 18: "type_extensions_v1", 19: "result_accuracy_mode_v1", 20: "result_accuracy_v1"}

// typeCodes are the mnemonics of types by their numbers.
var typeCodes = []string{0: "bool_v1", 1: "complex_v1", 2: "bf16_v1", 3: "f16_v1", 4: "f32_v1", 5: "f64_v1", 6: "f8E4M3FN_v1", 7: "f8E5M2_v1", 8: "func_v1",
	9: "index_v1", 10: "i4_v1", 11: "i8_v1", 12: "i16_v1", 13: "i32_v1", 14: "i64_v1", 15: "ui4_v1", 16: "ui8_v1", 17: "ui16_v1", 18: "ui32_v1", 19: "ui64_v1",
	20: "tensor_v1", 21: "tensor_with_encoding_v1", 22: "token_v1", 23: "tuple_v1", 24: "quant_v1", 25: "unranked_tensor_v1", 26: "witness_v1",
	27: "f8E4M3FNUZ_v1", 28: "f8E5M2FNUZ_v1", 29: "f8E4M3B11FNUZ_v1", 30: "quant_per_axis_v1", 31: "i2_v1", 32: "ui2_v1", 33: "none_v1",
	34: "tf31_v1", 35: "f8E4M3_v1", 36: "f8E3M4_v1", 37: "f4E2M1FN_v1", 38: "f6E2M3FN_v1", 39: "f6E3M2FN_v1", 40: "f8E8M0FNU_v1", 41: "buffer_v1", 42: "future_v1"}

func numbers(codes []string) map[string]uint64 {
	out := make(map[string]uint64, len(codes))
	for i, name := range codes {
		if name != "" {
			out[name] = uint64(i)
		}
	}
	return out
}

var attrNumbers, typeNumbers = numbers(attrCodes), numbers(typeCodes)

func code(codes []string, n uint64, what string) (string, error) {
	if n >= uint64(len(codes)) || codes[n] == "" {
		return "", fmt.Errorf("there is no %s of vhlo with the number %d", what, n)
	}
	return codes[n], nil
}

// readAttr reads an attribute.
func readAttr(r *bytecode.Reader) (ir.Attribute, error) {
	c := r.Context()
	name, err := code(attrCodes, r.Varint(), "attribute")
	if err != nil {
		return nil, err
	}
	var params []ir.Attribute
	switch name {
	case "array_v1":
		params = readAttrs(r, 1)
	case "dict_v1":
		params = readAttrs(r, 2)
	case "bool_v1":
		params = []ir.Attribute{c.Bool(r.Varint() != 0)}
	case "float_v1", "integer_v1":
		t := r.Type()
		if !r.OK() {
			return nil, nil
		}
		number, err := readNumber(r, t)
		if err != nil {
			return nil, err
		}
		params = []ir.Attribute{c.TypeAttr(t), number}
	case "string_v1":
		params = []ir.Attribute{c.StringAttr(r.String())}
	case "tensor_v1":
		t := r.Type()
		data := r.Blob()
		if !r.OK() {
			return nil, nil
		}
		params = []ir.Attribute{c.TypeAttr(t), c.StringAttr(string(data))}
	case "type_v1":
		t := r.Type()
		if !r.OK() {
			return nil, nil
		}
		params = []ir.Attribute{c.TypeAttr(t)}
	case "type_extensions_v1":
		params = []ir.Attribute{c.DenseI64Array(r.Ints()...)}
	case "output_operand_alias_v1":
		outputs := c.DenseI64Array(r.Ints()...)
		index := c.I64Attr(r.SignedVarint())
		params = []ir.Attribute{outputs, index, c.DenseI64Array(r.Ints()...)}
	case "result_accuracy_v1":
		for range 2 {
			bits := r.Int(64)
			params = append(params, c.FloatBits(ir.F64, bits.Uint64(), 0))
		}
		params = append(params, c.I64Attr(r.SignedVarint()), r.Attr())
	default:
		params = []ir.Attribute{c.I64Attr(int64(r.Varint()))}
	}
	if !r.OK() {
		return nil, nil
	}
	return attr(c, name, params...), nil
}

func readAttrs(r *bytecode.Reader, each int) []ir.Attribute {
	n := r.Len()
	var out []ir.Attribute
	for i := 0; i < n*each && r.OK(); i++ {
		out = append(out, r.Attr())
	}
	return out
}

// readNumber reads a number of a type of the dialect.
func readNumber(r *bytecode.Reader, t ir.Type) (ir.Attribute, error) {
	c := r.Context()
	plain, err := plainType(c, t)
	if err != nil {
		return nil, err
	}
	switch p := plain.(type) {
	case *ir.FloatType:
		bits := r.Int(p.Width)
		return c.FloatBits(p, low(bits), 0), nil
	case *ir.IntegerType:
		return c.BigIntegerAttr(p, r.Int(p.Width)), nil
	case *ir.IndexType:
		return c.BigIntegerAttr(p, r.Int(64)), nil
	}
	return nil, fmt.Errorf("a number has the type %s", t)
}

func low(n *big.Int) uint64 {
	return new(big.Int).And(n, new(big.Int).SetUint64(1<<64-1)).Uint64()
}

// writeAttr writes an attribute; false if it is one of another dialect.
func writeAttr(w *bytecode.Writer, a ir.Attribute) bool {
	d, ok := isOurs(a)
	if !ok {
		return false
	}
	n, ok := attrNumbers[d.Mnemonic]
	if !ok {
		return false
	}
	w.Varint(n)
	switch d.Mnemonic {
	case "array_v1":
		w.Len(len(d.Params))
		writeAttrs(w, d.Params)
	case "dict_v1":
		w.Len(len(d.Params) / 2)
		writeAttrs(w, d.Params)
	case "float_v1", "integer_v1":
		w.Type(d.Params[0].(*ir.TypeAttr).Type)
		writeNumber(w, d.Params[1])
	case "string_v1":
		w.String(d.Params[0].(*ir.StringAttr).Value)
	case "tensor_v1":
		w.Type(d.Params[0].(*ir.TypeAttr).Type)
		w.Blob(d.Params[1].(*ir.StringAttr).Value)
	case "type_v1":
		w.Type(d.Params[0].(*ir.TypeAttr).Type)
	case "type_extensions_v1":
		w.Ints(d.Params[0].(*ir.DenseArrayAttr).Ints())
	case "output_operand_alias_v1":
		w.Ints(d.Params[0].(*ir.DenseArrayAttr).Ints())
		w.SignedVarint(d.Params[1].(*ir.IntegerAttr).Value)
		w.Ints(d.Params[2].(*ir.DenseArrayAttr).Ints())
	case "result_accuracy_v1":
		for _, p := range d.Params[:2] {
			w.Int(new(big.Int).SetUint64(p.(*ir.FloatAttr).Lo), 64)
		}
		w.SignedVarint(d.Params[2].(*ir.IntegerAttr).Value)
		w.Attr(d.Params[3])
	default:
		w.Varint(uint64(d.Params[0].(*ir.IntegerAttr).Value))
	}
	return true
}

func writeAttrs(w *bytecode.Writer, list []ir.Attribute) {
	for _, a := range list {
		w.Attr(a)
	}
}

func writeNumber(w *bytecode.Writer, a ir.Attribute) {
	switch a := a.(type) {
	case *ir.FloatAttr:
		w.Int(new(big.Int).SetUint64(a.Lo), a.Type.Width)
	case *ir.IntegerAttr:
		width := 64
		if t, ok := a.Type.(*ir.IntegerType); ok {
			width = t.Width
		}
		w.Int(a.BigInt(), width)
	}
}

// readType reads a type.
func readType(r *bytecode.Reader) (ir.Type, error) {
	c := r.Context()
	name, err := code(typeCodes, r.Varint(), "type")
	if err != nil {
		return nil, err
	}
	var params []ir.Attribute
	types := func(list []ir.Type) ir.Attribute {
		out := make([]ir.Attribute, len(list))
		for i, t := range list {
			if t == nil {
				return nil
			}
			out[i] = c.TypeAttr(t)
		}
		return c.ArrayAttr(out...)
	}
	switch name {
	case "complex_v1", "unranked_tensor_v1":
		params = []ir.Attribute{typeAttr(c, r.Type())}
	case "func_v1":
		in := types(r.Types())
		params = []ir.Attribute{in, types(r.Types())}
	case "tensor_v1", "buffer_v1":
		shape := c.DenseI64Array(r.Ints()...)
		params = []ir.Attribute{shape, typeAttr(c, r.Type())}
	case "tensor_with_encoding_v1":
		encoding := r.Attr()
		shape := c.DenseI64Array(r.Ints()...)
		params = []ir.Attribute{shape, typeAttr(c, r.Type()), encoding}
	case "tuple_v1", "future_v1":
		params = []ir.Attribute{types(r.Types())}
	case "quant_v1":
		params = readQuantized(r, false)
	case "quant_per_axis_v1":
		params = readQuantized(r, true)
	}
	if !r.OK() {
		return nil, nil
	}
	for _, p := range params {
		if p == nil {
			return nil, fmt.Errorf("a type of vhlo lacks a part")
		}
	}
	return typ(c, name, params...), nil
}

func typeAttr(c *ir.Context, t ir.Type) ir.Attribute {
	if t == nil {
		return nil
	}
	return c.TypeAttr(t)
}

// readQuantized reads flags, storage, expressed type, scales, zero points and limits, of which the limits come first along an axis.
func readQuantized(r *bytecode.Reader, perAxis bool) []ir.Attribute {
	c := r.Context()
	flags := c.I64Attr(int64(r.Varint()))
	storage, expressed := r.Type(), r.Type()
	if !r.OK() {
		return nil
	}
	axis := int64(-1)
	scales, zeros := []ir.Attribute{}, []int64{}
	scale := func() { scales = append(scales, c.FloatBits(ir.F64, low(r.Int(64)), 0)) }
	var least, most int64
	limits := func() { least, most = r.SignedVarint(), r.SignedVarint() }
	if perAxis {
		axis = int64(r.Varint())
		limits()
		for n := r.Len(); n > 0 && r.OK(); n-- {
			scale()
		}
		zeros = r.Ints()
	} else {
		scale()
		zeros = append(zeros, r.SignedVarint())
		limits()
	}
	return []ir.Attribute{flags, typeAttr(c, storage), typeAttr(c, expressed), c.I64Attr(axis), c.ArrayAttr(scales...), c.DenseI64Array(zeros...), c.I64Attr(least), c.I64Attr(most)}
}

// writeType writes a type; false if it is one of another dialect.
func writeType(w *bytecode.Writer, t ir.Type) bool {
	d, ok := t.(*ir.DialectType)
	if !ok || d.Dialect.Name != dialectName {
		return false
	}
	n, ok := typeNumbers[d.Mnemonic]
	if !ok {
		return false
	}
	w.Varint(n)
	types := func(a ir.Attribute) {
		list := a.(*ir.ArrayAttr).Elems
		w.Len(len(list))
		for _, e := range list {
			w.Type(e.(*ir.TypeAttr).Type)
		}
	}
	switch d.Mnemonic {
	case "complex_v1", "unranked_tensor_v1":
		w.Type(d.Params[0].(*ir.TypeAttr).Type)
	case "func_v1":
		types(d.Params[0])
		types(d.Params[1])
	case "tensor_v1", "buffer_v1":
		w.Ints(d.Params[0].(*ir.DenseArrayAttr).Ints())
		w.Type(d.Params[1].(*ir.TypeAttr).Type)
	case "tensor_with_encoding_v1":
		w.Attr(d.Params[2])
		w.Ints(d.Params[0].(*ir.DenseArrayAttr).Ints())
		w.Type(d.Params[1].(*ir.TypeAttr).Type)
	case "tuple_v1", "future_v1":
		types(d.Params[0])
	case "quant_v1", "quant_per_axis_v1":
		writeQuantized(w, d.Params)
	}
	return true
}

func writeQuantized(w *bytecode.Writer, p []ir.Attribute) {
	number := func(i int) int64 { return p[i].(*ir.IntegerAttr).Value }
	w.Varint(uint64(number(0)))
	w.Type(p[1].(*ir.TypeAttr).Type)
	w.Type(p[2].(*ir.TypeAttr).Type)
	scales, zeros := p[4].(*ir.ArrayAttr).Elems, p[5].(*ir.DenseArrayAttr).Ints()
	limits := func() {
		w.SignedVarint(number(6))
		w.SignedVarint(number(7))
	}
	if number(3) >= 0 {
		w.Varint(uint64(number(3)))
		limits()
		w.Len(len(scales))
		writeScales(w, scales)
		w.Ints(zeros)
	} else {
		writeScales(w, scales)
		w.SignedVarint(zeros[0])
		limits()
	}
}

func writeScales(w *bytecode.Writer, scales []ir.Attribute) {
	for _, s := range scales {
		writeNumber(w, s)
	}
}
