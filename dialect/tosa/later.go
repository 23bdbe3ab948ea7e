package tosa

import (
	"errors"
	"math"
	"slices"

	"freehold/ir"
	"freehold/ir/constraint"
)

// LLVM 22 has shapes, zero points and shifts as operands, which become attributes where they are constants. Its
// shapes are of a type of their own, which is a tensor of numbers in a program of an earlier version.

// The names of attributes that LLVM 22 has, and some of their values.
const (
	valuesName   = "values"
	accTypeName  = "acc_type"
	nanModeName  = "nan_mode"
	permsName    = "perms"
	roundingName = "rounding_mode"
	minName      = "min_val"
	maxName      = "max_val"
	inputSign    = "input_unsigned"
	outputSign   = "output_unsigned"
	doubleRound  = "DOUBLE_ROUND"
	singleRound  = "SINGLE_ROUND"
	resizeModeOf = "resize_mode"
	shapeType    = "shape"
)

// later is a spelling of LLVM 22 with attributes that the definition doesn't have, of which only
// the treatment of NaN has a default.
func later(read func(b *ir.Builder, s *ir.OpState) error, printed func(b *ir.Builder, op *ir.Op), attrs ...string) []ir.Spelling {
	sp := ir.Spelling{Since: 22, Replace: printed, Discardable: attrs}
	if read != nil {
		sp.Upgrade = keeping(read)
	}
	for _, name := range attrs {
		sp.Attrs = append(sp.Attrs, ir.AttrDef{Name: name, Type: constraint.AnyAttr, Optional: name == nanModeName})
	}
	if slices.Contains(attrs, nanModeName) {
		sp.Spelled = func(op *ir.Op) []ir.NamedAttr {
			return []ir.NamedAttr{{Name: nanModeName, Value: wordAttr(op.Context(), nanModeName, "PROPAGATE")}}
		}
	}
	return []ir.Spelling{sp}
}

// without gives spellings inherent attributes of the definition that they don't have.
func without(list []ir.Spelling, names ...string) []ir.Spelling {
	for i := range list {
		list[i].Without = names
	}
	return list
}

// take returns an attribute that the definition doesn't have, and removes it.
func take(s *ir.OpState, name string) ir.Attribute {
	a := s.Attr(name)
	if a != nil {
		s.Attrs = slices.DeleteFunc(slices.Clone(s.Attrs), func(x ir.NamedAttr) bool { return x.Name == name })
	}
	return a
}

const errNotConstant = inexpressible("has an operand that must be a constant here: a shape, a shift, a multiplier or a zero point")

// notConstant returns the error for an operand that must be a constant. Of shapes that nothing of this dialect makes, LLVM 22 says so, too.
func notConstant(v *ir.Value) error {
	if isShape(v.Type()) {
		if madeHere(v) {
			return errNotConstant
		}
		return errors.New(errUnresolvable)
	}
	if t, ok := v.Type().(*ir.RankedTensorType); ok && len(t.Shape) == 1 && t.Elem == ir.Type(ir.I64) {
		return errors.New(errUnresolvable)
	}
	return errNotConstant
}

// constantOperand returns the elements of an operand that must be a constant.
func constantOperand(s *ir.OpState, i int) (*ir.DenseElementsAttr, error) {
	if d := ConstantOf(s.Operands[i]); d != nil && d.Len() > 0 {
		return d, nil
	}
	return nil, notConstant(s.Operands[i])
}

// intOperand returns the elements of an operand that must be a constant of integers.
func intOperand(s *ir.OpState, i int) ([]int64, error) {
	if d := ConstantOf(s.Operands[i]); d != nil && ir.IsInteger(ir.ElementType(d.Type)) {
		return Ints(d), nil
	}
	return nil, notConstant(s.Operands[i])
}

// pointOperands returns the zero points that operands from the i-th on are, and drops these.
func pointOperands(b *ir.Builder, s *ir.OpState, i int) ([]int64, error) {
	var out []int64
	for k := i; k < len(s.Operands); k++ {
		d, err := constantOperand(s, k)
		if err != nil {
			return nil, err
		}
		n := int64(0)
		switch x := d.Elem(b.Context(), 0).(type) {
		case *ir.IntegerAttr:
			n = Ints(d)[0]
		case *ir.FloatAttr:
			if x.Float64() != 0 {
				return nil, inexpressible("has a zero point of floating-point numbers that isn't zero")
			}
		}
		out = append(out, n)
	}
	s.Operands = s.Operands[:i]
	return out, nil
}

// readPoints makes zero points of the operands behind the first n, of which there are as many
// as the attribute has.
func readPoints(mnemonic string, n int) func(b *ir.Builder, s *ir.OpState) error {
	z, _ := zeroPointsOf(mnemonic)
	return func(b *ir.Builder, s *ir.OpState) error {
		if acc, ok := s.Attr(accTypeName).(*ir.TypeAttr); mnemonic == convQuant && ok && len(s.Operands) > 0 {
			take(s, accTypeName)
			if err := checkAccumulator(ir.ElementType(s.Operands[0].Type()), acc.Type); err != nil {
				return err
			}
		}
		if len(s.Operands) != n+len(z.params) {
			return nil
		}
		points, err := pointOperands(b, s, n)
		if err != nil {
			return err
		}
		needed := mnemonic == convQuant && ir.IsInteger(ir.ElementType(s.Operands[0].Type()))
		params := make([]ir.Attribute, len(points))
		for i, p := range points {
			needed = needed || p != 0
			params[i] = b.Context().I64Attr(p)
		}
		if needed {
			s.SetAttr(quantName, b.Context().DialectAttrOf(b.Context().Dialect(dialectName), mnemonic, params...))
		}
		return nil
	}
}

// readTransposeConv also finds the shape of the result, which LLVM 22 has in its type only.
func readTransposeConv(b *ir.Builder, s *ir.OpState) error {
	if s.Attr("out_shape") == nil && len(s.Types) == 1 {
		if shape, ok := ir.ShapeOf(s.Types[0]); ok {
			out := slices.Clone(shape)
			for i, d := range out {
				if d == ir.Dynamic {
					out[i] = -1
				}
			}
			s.SetAttr("out_shape", b.Context().DenseI64Array(out...))
		}
	}
	return readPoints(convQuant, 3)(b, s)
}

// readMul makes the shift an attribute.
func readMul(b *ir.Builder, s *ir.OpState) error {
	if len(s.Operands) != 3 {
		return nil
	}
	shift, err := intOperand(s, 2)
	if err != nil || len(shift) != 1 {
		return errors.Join(err, lengthError(shift, 1))
	}
	s.SetAttr("shift", b.Context().IntegerAttr(ir.I8, shift[0]))
	s.Operands = s.Operands[:2]
	return nil
}

func lengthError(list []int64, n int) error {
	if len(list) == n {
		return nil
	}
	return errors.New("has an operand of another length than it needs")
}

// readShapes makes lists of numbers of the operands behind the first one.
func readShapes(names ...string) func(b *ir.Builder, s *ir.OpState) error {
	return func(b *ir.Builder, s *ir.OpState) error {
		if len(s.Operands) != 1+len(names) {
			return nil
		}
		for i, name := range names {
			list, err := intOperand(s, i+1)
			if err != nil {
				return err
			}
			s.SetAttr(name, b.Context().DenseI64Array(list...))
		}
		s.Operands = s.Operands[:1]
		return nil
	}
}

// readPad makes pairs of the paddings, and a tensor without dimensions of the padded element.
func readPad(b *ir.Builder, s *ir.OpState) error {
	if len(s.Operands) != 3 {
		return nil
	}
	c := b.Context()
	t := tensorType(s.Operands[2])
	if t == nil || len(t.Shape) == 0 {
		return nil
	}
	d := ConstantOf(s.Operands[1])
	if d == nil {
		if pairs := tensorType(s.Operands[1]); pairs != nil && len(pairs.Shape) != 1 {
			return nil
		}
		return notConstant(s.Operands[1])
	}
	pairs, ok := d.Type.(*ir.RankedTensorType)
	if !ok || len(pairs.Shape) != 1 || pairs.Shape[0]%2 != 0 {
		return nil
	}
	s.Operands[1] = NewConst(b, c.DenseElements(c.RankedTensor([]int64{pairs.Shape[0] / 2, 2}, pairs.Elem), []byte(d.Data)))
	scalar := c.RankedTensor(nil, t.Elem)
	if d := ConstantOf(s.Operands[2]); d != nil && d.Len() == 1 {
		s.Operands[2] = NewConst(b, c.DenseElements(scalar, []byte(d.Raw(0))))
		return nil
	}
	s.Operands[2] = b.CreateOp(Reshape, []ir.Type{scalar}, s.Operands[2:], ir.NamedAttr{Name: "new_shape", Value: c.DenseI64Array()}).Result(0)
	return nil
}

// readTranspose makes a constant of the order of the dimensions.
func readTranspose(b *ir.Builder, s *ir.OpState) error {
	perms, ok := take(s, permsName).(*ir.DenseArrayAttr)
	if !ok || len(s.Operands) != 1 || perms.Elem != ir.Type(ir.I32) {
		return nil
	}
	c := b.Context()
	s.Operands = append(slices.Clone(s.Operands), NewConst(b, c.DenseElements(c.RankedTensor([]int64{int64(perms.Len())}, ir.I32), []byte(perms.Data))))
	return nil
}

// readClamp makes limits of integers and of floating-point numbers of the two limits.
func readClamp(b *ir.Builder, s *ir.OpState) error {
	if err := readNaN(b, s); err != nil {
		return err
	}
	low, high := take(s, minName), take(s, maxName)
	if low == nil || high == nil || len(s.Operands) == 0 {
		return nil
	}
	if elem := ir.ElementType(s.Operands[0].Type()); (ir.IsInteger(elem) || ir.IsFloat(elem)) && (ir.TypeOfAttr(low) != elem || ir.TypeOfAttr(high) != elem) {
		return errLimits
	}
	c := b.Context()
	for _, limit := range []struct {
		name string
		a    ir.Attribute
	}{{"min", low}, {"max", high}} {
		switch a := limit.a.(type) {
		case *ir.IntegerAttr:
			s.SetAttr(limit.name+"_int", c.I64Attr(a.Value))
			s.SetAttr(limit.name+"_fp", c.FloatAttr(ir.F32, float64(a.Value)))
		case *ir.FloatAttr:
			n := int64(math.MaxInt64)
			switch x := a.Float64(); {
			case x <= math.MinInt64:
				n = math.MinInt64
			case x < math.MaxInt64:
				n = int64(x)
			}
			s.SetAttr(limit.name+"_int", c.I64Attr(n))
			s.SetAttr(limit.name+"_fp", a)
		}
	}
	return nil
}

// readNaN drops how numbers that are none are treated, which can't be said here.
func readNaN(_ *ir.Builder, s *ir.OpState) error {
	if word(take(s, nanModeName)) == "IGNORE" {
		return inexpressible("ignores NaN, for which LLVM 19 has no attribute")
	}
	return nil
}

// readRescale makes attributes of the operands.
func readRescale(b *ir.Builder, s *ir.OpState) error {
	mode, in, out := word(take(s, roundingName)), take(s, inputSign), take(s, outputSign)
	if len(s.Operands) != 5 {
		return nil
	}
	c := b.Context()
	if in == ir.Attribute(c.Bool(true)) || out == ir.Attribute(c.Bool(true)) {
		return inexpressible("rescales unsigned numbers whose type doesn't say so")
	}
	multiplier, err := intOperand(s, 1)
	shift, wrong := intOperand(s, 2)
	if err = errors.Join(err, wrong); err != nil {
		return err
	}
	numbers, shifts := make([]int32, len(multiplier)), make([]byte, len(shift))
	for i, n := range multiplier {
		numbers[i] = int32(n)
	}
	for i, n := range shift {
		shifts[i] = byte(n)
	}
	points, err := pointOperands(b, s, 3)
	if err != nil {
		return err
	}
	s.Operands = s.Operands[:1]
	s.SetAttr("input_zp", c.I32Attr(points[0]))
	s.SetAttr("output_zp", c.I32Attr(points[1]))
	s.SetAttr("multiplier", c.DenseI32Array(numbers...))
	s.SetAttr("shift", c.DenseArray(ir.I8, shifts))
	return setRounding(c, s, mode)
}

// readApplyScale makes a flag of how numbers are rounded.
func readApplyScale(b *ir.Builder, s *ir.OpState) error {
	return setRounding(b.Context(), s, word(take(s, roundingName)))
}

func setRounding(c *ir.Context, s *ir.OpState, mode string) error {
	switch mode {
	case doubleRound, singleRound:
		s.SetAttr("double_round", c.Bool(mode == doubleRound))
	case "":
	default:
		return inexpressible("rounds in a way for which LLVM 19 has no attribute")
	}
	return nil
}

// readConst makes a tensor of 64-bit integers of a constant shape.
func readConst(b *ir.Builder, s *ir.OpState) error {
	d, ok := s.Attr("value").(*ir.DenseElementsAttr)
	a := take(s, valuesName)
	switch of22 := b.Context().LLVM() >= 22; {
	case a == nil && of22 && s.Attr("value") == nil:
		return errors.New("requires attribute 'values'")
	case a == nil:
	case of22 && !elementsAttr.Match(a):
		return errors.New("attribute 'values' failed to satisfy constraint: " + elementsAttr.Summary)
	default:
		s.SetAttr("value", a)
		d, ok = a.(*ir.DenseElementsAttr)
	}
	if ok && ir.ElementType(d.Type) == ir.Type(ir.Index) {
		s.SetAttr("value", asNumbers(b.Context(), d))
	}
	return nil
}

// asNumbers returns the sizes of a shape as integers.
func asNumbers(c *ir.Context, d *ir.DenseElementsAttr) *ir.DenseElementsAttr {
	shape, _ := ir.ShapeOf(d.Type)
	return c.DenseElements(c.RankedTensor(shape, ir.I64), []byte(d.Data))
}

// word returns what an attribute with one of several words says; "" if it is no such.
func word(a ir.Attribute) string {
	d, ok := a.(*ir.DialectAttr)
	if !ok || d.Dialect.Name != dialectName || len(d.Params) != 1 {
		return ""
	}
	w, ok := d.Params[0].(*ir.StringAttr)
	if !ok {
		return ""
	}
	return w.Value
}

// wordAttr is the attribute that says one of several words.
func wordAttr(c *ir.Context, mnemonic, w string) ir.Attribute {
	return c.DialectAttrOf(c.Dialect(dialectName), mnemonic, c.StringAttr(w))
}

// isWord tells whether an attribute of the mnemonic says one of several words.
func isWord(mnemonic string) bool {
	return mnemonic == roundingName || mnemonic == nanModeName || mnemonic == resizeModeOf || mnemonic == blockSizeName
}

// laterMode is how LLVM 22 spells the mode of tosa.resize.
var laterMode = ir.AttrDef{Name: "mode", Type: ir.AttrConstraint{
	Summary: "resize mode", Kind: ir.DialectAttrKind, Attribute: dialectName + "." + resizeModeOf,
	Match: func(a ir.Attribute) bool { return quantOf(a, resizeModeOf) != nil },
	Class: func(a ir.Attribute) bool { return quantOf(a, resizeModeOf) != nil },
}}

// laterResize is tosa.resize in LLVM 22.
var laterResize = []ir.Spelling{{Since: 22, Format: words, Attrs: []ir.AttrDef{laterMode}, Without: []string{"scale", "offset", "border"},
	Upgrade: keeping(readShapes("scale", "offset", "border")), Replace: printResize}}

// respellMode returns the mode of tosa.resize of that of LLVM 22; nil if it is none.
func respellMode(c *ir.Context, a ir.Attribute) ir.Attribute {
	if w := word(a); w != "" {
		return c.StringAttr(w)
	}
	return nil
}
