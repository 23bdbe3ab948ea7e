package vhlo

import (
	"fmt"
	"strconv"
	"strings"

	"freehold/dialect/quant"
	"freehold/dialect/stablehlo"
	"freehold/ir"
)

// scalarTypes are the types that have no parameters, besides integers.
var scalarTypes = map[string]ir.Type{"bool_v1": ir.I1, "index_v1": ir.Index, "none_v1": ir.None, "tf31_v1": floatType("tf32")}

func floatType(name string) ir.Type {
	for _, f := range ir.FloatTypes() {
		if strings.EqualFold(f.Name, name) {
			return f
		}
	}
	return nil
}

// plainType returns the type that one of the dialect stands for. Others stand for themselves.
func plainType(c *ir.Context, t ir.Type) (ir.Type, error) {
	d, ok := t.(*ir.DialectType)
	if !ok || d.Dialect.Name != dialectName {
		return t, nil
	}
	base := strings.TrimSuffix(d.Mnemonic, "_v1")
	if s := scalarTypes[d.Mnemonic]; s != nil {
		return s, nil
	}
	if f := floatType(base); f != nil {
		return f, nil
	}
	if digits, unsigned := strings.CutPrefix(base, "u"); strings.HasPrefix(digits, "i") {
		if n, err := strconv.Atoi(digits[1:]); err == nil && n > 0 && n <= 64 {
			if unsigned {
				return c.IntegerOf(n, ir.Unsigned), nil
			}
			return c.Integer(n), nil
		}
	}
	one := func(i int) (ir.Type, error) { return plainType(c, d.Params[i].(*ir.TypeAttr).Type) }
	switch base {
	case "complex":
		e, err := one(0)
		if err != nil {
			return nil, err
		}
		if !ir.IsFloat(e) {
			return nil, fmt.Errorf("complex numbers have parts of type %s", e)
		}
		return c.Complex(e), nil
	case "tensor", "tensor_with_encoding":
		return plainTensor(c, d)
	case "buffer":
		return plainBuffer(c, d)
	case "unranked_tensor":
		e, err := one(0)
		if err != nil || !ir.ValidTensorElement(e) {
			return nil, fmt.Errorf("a tensor has elements of type %s", d.Params[0])
		}
		return c.UnrankedTensor(e), nil
	case "func":
		in, err := plainTypes(c, d.Params[0])
		if err != nil {
			return nil, err
		}
		out, err := plainTypes(c, d.Params[1])
		return c.Function(in, out), err
	case "tuple":
		list, err := plainTypes(c, d.Params[0])
		return c.Tuple(list...), err
	case "future":
		list, err := plainTypes(c, d.Params[0])
		params := make([]ir.Attribute, len(list))
		for i, t := range list {
			params[i] = c.TypeAttr(t)
		}
		return c.DialectTypeOf(stablehlo.Dialect, "future", params...), err
	case "token":
		return stablehlo.Token(c), nil
	case "quant", "quant_per_axis":
		return plainQuantized(c, d.Params)
	}
	return nil, fmt.Errorf("the type !vhlo.%s has no counterpart", d.Mnemonic)
}

func plainTensor(c *ir.Context, d *ir.DialectType) (ir.Type, error) {
	e, err := plainType(c, d.Params[1].(*ir.TypeAttr).Type)
	if err != nil {
		return nil, err
	}
	shape := d.Params[0].(*ir.DenseArrayAttr).Ints()
	for _, n := range shape {
		if n < 0 && n != ir.Dynamic {
			return nil, fmt.Errorf("a dimension has the size %d", n)
		}
	}
	if !ir.ValidTensorElement(e) {
		return nil, fmt.Errorf("a tensor has elements of type %s", e)
	}
	var encoding ir.Attribute
	if len(d.Params) > 2 {
		if encoding, err = plainAttr(c, d.Params[2]); err != nil {
			return nil, err
		}
	}
	return c.RankedTensorOf(shape, e, encoding), nil
}

func plainBuffer(c *ir.Context, d *ir.DialectType) (ir.Type, error) {
	t, err := plainTensor(c, d)
	if err != nil {
		return nil, err
	}
	r := t.(*ir.RankedTensorType)
	return c.MemRef(r.Shape, r.Elem), nil
}

func plainTypes(c *ir.Context, a ir.Attribute) ([]ir.Type, error) {
	list := a.(*ir.ArrayAttr).Elems
	out := make([]ir.Type, len(list))
	for i, e := range list {
		t, err := plainType(c, e.(*ir.TypeAttr).Type)
		if err != nil {
			return nil, err
		}
		out[i] = t
	}
	return out, nil
}

// plainQuantized is the quantized type with these parameters.
func plainQuantized(c *ir.Context, p []ir.Attribute) (ir.Type, error) {
	storage, err := plainType(c, p[1].(*ir.TypeAttr).Type)
	if err != nil {
		return nil, err
	}
	expressed, err := plainType(c, p[2].(*ir.TypeAttr).Type)
	if err != nil {
		return nil, err
	}
	number := func(i int) int64 { return p[i].(*ir.IntegerAttr).Value }
	scales, zeros := p[4].(*ir.ArrayAttr).Elems, p[5].(*ir.DenseArrayAttr).Ints()
	of, ok := storage.(*ir.IntegerType)
	by, also := expressed.(*ir.FloatType)
	if !ok || !also || len(scales) == 0 || len(scales) != len(zeros) {
		return nil, fmt.Errorf("a quantized type has %d scales and %d zero points of types %s and %s", len(scales), len(zeros), storage, expressed)
	}
	q := quant.Uniform{Width: of.Width, Signed: number(0)&1 != 0, Min: number(6), Max: number(7), Expressed: by, Axis: int(number(3)), ZeroPoints: zeros}
	for _, s := range scales {
		q.Scales = append(q.Scales, s.(*ir.FloatAttr).Float64())
	}
	return q.Type(c), nil
}

// enumerations are those of stablehlo by the mnemonic here.
var enumerations = map[string]*ir.EnumDef{
	"comparison_direction_v1": stablehlo.ComparisonDirection, "comparison_type_v1": stablehlo.ComparisonType, "fft_type_v1": stablehlo.FFTType,
	"precision_v1": stablehlo.Precision, "rng_algorithm_v1": stablehlo.RNGAlgorithm, "rng_distribution_v1": stablehlo.RNGDistribution, "transpose_v1": stablehlo.TransposeKind,
}

// plainAttr returns the attribute that one of the dialect stands for. Others stand for themselves.
func plainAttr(c *ir.Context, a ir.Attribute) (ir.Attribute, error) {
	d, ok := isOurs(a)
	if !ok {
		return a, nil
	}
	number := func() int64 { return d.Params[0].(*ir.IntegerAttr).Value }
	if def := enumerations[d.Mnemonic]; def != nil {
		if def.Keyword(uint64(number())) == "" {
			return nil, fmt.Errorf("%s has no value %d", d.Mnemonic, number())
		}
		return c.EnumAttr(def, uint64(number())), nil
	}
	switch d.Mnemonic {
	case "array_v1":
		list, err := plainAttrs(c, d.Params)
		return c.ArrayAttr(list...), err
	case "dict_v1":
		return plainDict(c, d.Params)
	case "bool_v1", "string_v1":
		return d.Params[0], nil
	case "float_v1", "integer_v1":
		return d.Params[1], nil
	case "api_version_v1":
		return c.I32Attr(number()), nil
	case "tensor_v1":
		return plainElements(c, d)
	case "type_v1":
		t, err := plainType(c, d.Params[0].(*ir.TypeAttr).Type)
		if err != nil {
			return nil, err
		}
		return c.TypeAttr(t), nil
	case "type_extensions_v1":
		return stablehlo.Bounds(c, d.Params[0].(*ir.DenseArrayAttr).Ints()), nil
	case "output_operand_alias_v1":
		return stablehlo.Struct(c, "output_operand_alias", d.Params...), nil
	case "result_accuracy_mode_v1":
		words := []string{"DEFAULT", "HIGHEST", "TOLERANCE"}
		if n := number(); n >= 0 && n < int64(len(words)) {
			return stablehlo.Struct(c, "result_accuracy_mode", c.StringAttr(words[n])), nil
		}
	case "result_accuracy_v1":
		mode, err := plainAttr(c, d.Params[3])
		if err != nil {
			return nil, err
		}
		return stablehlo.Struct(c, "result_accuracy", d.Params[0], d.Params[1], d.Params[2], mode), nil
	}
	return nil, fmt.Errorf("the attribute #vhlo.%s has no counterpart", d.Mnemonic)
}

func plainAttrs(c *ir.Context, list []ir.Attribute) ([]ir.Attribute, error) {
	out := make([]ir.Attribute, len(list))
	for i, a := range list {
		p, err := plainAttr(c, a)
		if err != nil {
			return nil, err
		}
		out[i] = p
	}
	return out, nil
}

func plainDict(c *ir.Context, params []ir.Attribute) (ir.Attribute, error) {
	list, err := plainAttrs(c, params)
	if err != nil {
		return nil, err
	}
	var entries []ir.NamedAttr
	seen := map[string]bool{}
	for i := 0; i+1 < len(list); i += 2 {
		name, ok := list[i].(*ir.StringAttr)
		if !ok || name.Value == "" || seen[name.Value] {
			return nil, fmt.Errorf("a dictionary has a name that is none, or that is there twice")
		}
		seen[name.Value] = true
		entries = append(entries, ir.NamedAttr{Name: name.Value, Value: list[i+1]})
	}
	return c.DictAttr(entries...), nil
}

// plainElements are the elements of a constant, of which booleans are bits.
func plainElements(c *ir.Context, d *ir.DialectAttr) (ir.Attribute, error) {
	t, err := plainType(c, d.Params[0].(*ir.TypeAttr).Type)
	if err != nil {
		return nil, err
	}
	data := []byte(d.Params[1].(*ir.StringAttr).Value)
	r, ok := t.(*ir.RankedTensorType)
	if !ok || !ir.IsStaticShape(r.Shape) {
		return nil, fmt.Errorf("a constant has the type %s", t)
	}
	if q := quant.Of(r.Elem); q != nil {
		r = c.RankedTensor(r.Shape, q.Storage(c))
	}
	n, ok := ir.NumElements(r.Shape)
	size := int64(ir.ElementBytes(r.Elem))
	if !ok || size == 0 {
		return nil, fmt.Errorf("a constant has the type %s", t)
	}
	have := int64(len(data))
	if r.Elem == ir.Type(ir.I1) {
		bits := (n + 7) / 8
		switch {
		case have == 1 && n > 8 || have == 1 && (data[0] == 0xff || data[0] == 0):
			return c.DenseElements(r, []byte{data[0] & 1}), nil
		case have == bits:
			return c.DenseElements(r, unpacked(data, n)), nil
		case have != n:
			return nil, fmt.Errorf("%d booleans have %d bytes", n, have)
		}
		return c.DenseElements(r, data), nil
	}
	if have != size && (n == 0 && have != 0 || n > 0 && (have%n != 0 || have/n != size)) {
		return nil, fmt.Errorf("a constant of type %s has %d bytes", t, have)
	}
	return c.DenseElements(r, data), nil
}

func unpacked(data []byte, n int64) []byte {
	out := make([]byte, n)
	for i := range out {
		out[i] = data[i/8] >> (i % 8) & 1
	}
	return out
}
