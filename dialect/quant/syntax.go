package quant

import (
	"strconv"

	"freehold/ir"
	"freehold/ir/asm"
)

// parseType reads what follows the mnemonic of a type:
//
//	any<i8<-8:7>:f32>
//	uniform<i8:f32, 0.5:-3>
//	uniform<i8<-127:127>:f32:0, {0.5:-3, 0.25}>
//	uniform<i8:f32:{0:1, 1:2}, {{0.5:-3, 0.25}, {2.0, 1.0}}>
//	calibrated<f32<-1.0:1.0>>
func parseType(p *asm.Parser, mnemonic string) (ir.Type, error) {
	pos := p.Pos() - asm.Pos(len(mnemonic))
	switch mnemonic {
	case anyMnemonic, uniformMnemonic, calibratedMnemonic:
	default:
		return nil, p.Errorf(pos, "unknown quantized type %s", mnemonic)
	}
	if err := p.Expect("<"); err != nil {
		return nil, err
	}
	var params []ir.Attribute
	var err error
	if mnemonic == calibratedMnemonic {
		params, err = parseCalibrated(p, pos)
	} else {
		params, err = parseStorage(p, pos)
	}
	if err != nil {
		return nil, err
	}
	if mnemonic == uniformMnemonic || mnemonic == anyMnemonic && p.At(":") {
		if params, err = parseExpressed(p, params); err != nil {
			return nil, err
		}
	}
	if mnemonic == uniformMnemonic {
		if params, err = parseScales(p, pos, params); err != nil {
			return nil, err
		}
	}
	if err := p.Expect(">"); err != nil {
		return nil, err
	}
	return p.Context().DialectTypeOf(p.Context().Dialect(dialectName), mnemonic, params...), nil
}

// maxStorage is the width of the widest integers that numbers are stored as.
const maxStorage = 32

// parseStorage reads i8<-8:7> or u8.
func parseStorage(p *asm.Parser, start asm.Pos) ([]ir.Attribute, error) {
	pos := p.Pos()
	word, err := p.AnyKeyword()
	if err != nil {
		return nil, err
	}
	signedness := ir.Signless
	digits := word[1:]
	if word[0] == 'u' {
		signedness = ir.Unsigned
		if len(digits) > 1 && digits[0] == 'i' {
			digits = digits[1:]
		}
	}
	width, err := strconv.Atoi(digits)
	if word[0] != 'i' && word[0] != 'u' || err != nil {
		return nil, p.Errorf(pos, "illegal storage type prefix")
	}
	if width < 1 || width > maxStorage {
		return nil, p.Errorf(pos, "illegal storage type size: %d", width)
	}
	c := p.Context()
	t := c.IntegerOf(width, signedness)
	low, high := limits(t)
	least, most := low, high
	if p.Optional("<") {
		at := p.Pos()
		if low, err = p.Integer(); err != nil {
			return nil, err
		}
		if err := p.Expect(":"); err != nil {
			return nil, err
		}
		upper := p.Pos()
		if high, err = p.Integer(); err != nil {
			return nil, err
		}
		switch {
		case low < least:
			return nil, p.Errorf(at, "illegal storage type minimum: %d", low)
		case high > most:
			return nil, p.Errorf(upper, "illegal storage type maximum: %d", high)
		case low >= high:
			return nil, p.Errorf(start, "illegal storage min and storage max: (%d:%d)", low, high)
		}
		if err := p.Expect(">"); err != nil {
			return nil, err
		}
	}
	return []ir.Attribute{c.TypeAttr(t), c.I64Attr(low), c.I64Attr(high)}, nil
}

// parseExpressed reads :f32.
func parseExpressed(p *asm.Parser, params []ir.Attribute) ([]ir.Attribute, error) {
	if err := p.Expect(":"); err != nil {
		return nil, err
	}
	pos := p.Pos()
	t, err := p.Type()
	if err != nil {
		return nil, err
	}
	if _, ok := t.(*ir.FloatType); !ok {
		return nil, p.Errorf(pos, "invalid kind of type specified")
	}
	return append(params, p.Context().TypeAttr(t)), nil
}

// parseScales reads what is left of a uniform type: a dimension, if there are several scales, and scales with zero points.
func parseScales(p *asm.Parser, start asm.Pos, params []ir.Attribute) ([]ir.Attribute, error) {
	c := p.Context()
	axis := int64(-1)
	if p.Optional(":") {
		if p.At("{") {
			p.Later(20, "{")
			return parseBlocks(p, start, params)
		}
		pos := p.Pos()
		n, err := p.Integer()
		if err != nil {
			return nil, err
		}
		if n < 0 || n > maxAxis {
			return nil, p.Errorf(pos, "illegal quantized dimension: %d", n)
		}
		axis = n
	}
	if err := p.Expect(","); err != nil {
		return nil, err
	}
	var scales, points []ir.Attribute
	one := func() error {
		s, err := parseScale(p, start)
		if err != nil {
			return err
		}
		zero := int64(0)
		if p.Optional(":") {
			if zero, err = p.Integer(); err != nil {
				return err
			}
		}
		scales, points = append(scales, s), append(points, c.I64Attr(zero))
		return nil
	}
	if axis < 0 {
		if err := one(); err != nil {
			return nil, err
		}
	} else {
		if err := p.Expect("{"); err != nil {
			return nil, err
		}
		for more := true; more; more = p.Optional(",") {
			if err := one(); err != nil {
				return nil, err
			}
		}
		if err := p.Expect("}"); err != nil {
			return nil, err
		}
	}
	return append(params, c.I64Attr(axis), c.ArrayAttr(scales...), c.ArrayAttr(points...)), nil
}

// parseScale reads a positive number.
func parseScale(p *asm.Parser, start asm.Pos) (ir.Attribute, error) {
	x, a, err := parseFloat(p)
	if err != nil {
		return nil, err
	}
	if !(x > 0) || x > maxScale {
		return nil, p.Errorf(start, "illegal scale: %s", spell(x))
	}
	return a, nil
}

// maxAxis is the largest number of a dimension.
const maxAxis = 1 << 31

// maxScale is the largest scale.
const maxScale = 1.7976931348623157e308

func parseFloat(p *asm.Parser) (float64, ir.Attribute, error) {
	pos := p.Pos()
	a, _, err := p.OptionalAttr(ir.F64)
	if err != nil {
		return 0, nil, err
	}
	f, ok := a.(*ir.FloatAttr)
	if !ok {
		return 0, nil, p.Errorf(pos, "expected floating point literal")
	}
	return f.Float64(), a, nil
}

// parseCalibrated reads f32<-1.0:1.0>.
func parseCalibrated(p *asm.Parser, start asm.Pos) ([]ir.Attribute, error) {
	pos := p.Pos()
	t, err := p.Type()
	if err != nil {
		return nil, err
	}
	if _, ok := t.(*ir.FloatType); !ok {
		return nil, p.Errorf(pos, "invalid kind of type specified")
	}
	if err := p.Expect("<"); err != nil {
		return nil, err
	}
	low, a, err := parseFloat(p)
	if err != nil {
		return nil, err
	}
	if err := p.Expect(":"); err != nil {
		return nil, err
	}
	high, b, err := parseFloat(p)
	if err != nil {
		return nil, err
	}
	if !(low < high) {
		return nil, p.Errorf(start, "illegal min and max: (%s:%s)", spell(low), spell(high))
	}
	return []ir.Attribute{p.Context().TypeAttr(t), a, b}, p.Expect(">")
}

// spell writes a number as messages have it.
func spell(x float64) string { return strconv.FormatFloat(x, 'e', 6, 64) }

// printType writes a type behind its prefix.
func printType(w *ir.Writer, t *ir.DialectType) bool {
	w.Text(t.Mnemonic)
	w.Byte('<')
	defer w.Byte('>')
	if t.Mnemonic == calibratedMnemonic {
		w.Type(t.Params[0].(*ir.TypeAttr).Type)
		w.Byte('<')
		w.AttrWithoutType(t.Params[1])
		w.Byte(':')
		w.AttrWithoutType(t.Params[2])
		w.Byte('>')
		return true
	}
	storage := t.Params[paramStorage].(*ir.TypeAttr).Type.(*ir.IntegerType)
	if storage.Signedness == ir.Unsigned {
		w.Byte('u')
	} else {
		w.Byte('i')
	}
	w.Int(int64(storage.Width))
	low, high := limits(storage)
	if least, most := number(t, paramMin), number(t, paramMax); least != low || most != high {
		w.Byte('<')
		w.Int(least)
		w.Byte(':')
		w.Int(most)
		w.Byte('>')
	}
	if len(t.Params) > paramExpressed {
		w.Byte(':')
		w.Type(t.Params[paramExpressed].(*ir.TypeAttr).Type)
	}
	if t.Mnemonic == uniformMnemonic {
		printScales(w, t)
	}
	return true
}

func printScales(w *ir.Writer, t *ir.DialectType) {
	if hasBlocks(t) {
		printBlocks(w, t)
		return
	}
	if axis := number(t, paramAxis); axis >= 0 {
		w.Byte(':')
		w.Int(axis)
		w.Text(", {")
		defer w.Byte('}')
	} else {
		w.Text(", ")
	}
	for i := range t.Params[paramScales].(*ir.ArrayAttr).Elems {
		if i > 0 {
			w.Byte(',')
		}
		printScale(w, t, i)
	}
}

// printScale writes the i-th scale, and its zero point if that isn't 0.
func printScale(w *ir.Writer, t *ir.DialectType, i int) {
	w.AttrWithoutType(t.Params[paramScales].(*ir.ArrayAttr).Elems[i])
	if z := t.Params[paramZeroPoints].(*ir.ArrayAttr).Elems[i].(*ir.IntegerAttr).Value; z != 0 {
		w.Byte(':')
		w.Int(z)
	}
}
