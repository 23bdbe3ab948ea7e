package quant

import (
	"fmt"

	"freehold/ir"
	"freehold/ir/bytecode"
)

// The types in bytecode (mlir/lib/Dialect/Quant/IR/QuantDialectBytecode.td), by their numbers. They are written as text, which every version reads.
const (
	codeAny = iota + 1
	codeAnyExpressed
	codeCalibrated
	codeUniform
	codePerAxis
)

// readType reads a type. Those whose scales differ by blocks aren't known here.
func readType(r *bytecode.Reader) (ir.Type, error) {
	c := r.Context()
	double := func() ir.Attribute { return c.FloatBits(ir.F64, uint64(r.SignedVarint()), 0) }
	code := r.Varint()
	if code == codeCalibrated {
		expressed := r.Type()
		low, high := double(), double()
		if !r.OK() {
			return nil, nil
		}
		if _, ok := expressed.(*ir.FloatType); !ok {
			return nil, fmt.Errorf("numbers are expressed as %s", expressed)
		}
		return c.DialectTypeOf(c.Dialect(dialectName), calibratedMnemonic, c.TypeAttr(expressed), low, high), nil
	}
	if code < codeAny || code > codePerAxis {
		return nil, fmt.Errorf("unknown number of a type: %d", code)
	}
	flags, storage := r.Varint(), r.Type()
	var expressed ir.Type
	if code != codeAny {
		expressed = r.Type()
	}
	axis := int64(-1)
	var least, most int64
	var scales []ir.Attribute
	var zeros []int64
	limits := func() { least, most = r.SignedVarint(), r.SignedVarint() }
	switch code {
	case codeUniform:
		scales = append(scales, double())
		zeros = append(zeros, r.SignedVarint())
		limits()
	case codePerAxis:
		axis = int64(r.Varint())
		limits()
		for n := r.Len(); n > 0 && r.OK(); n-- {
			scales = append(scales, double())
		}
		zeros = r.Ints()
	default:
		limits()
	}
	if !r.OK() {
		return nil, nil
	}
	stored, err := storageType(c, storage, flags, least, most)
	if err != nil {
		return nil, err
	}
	params := []ir.Attribute{c.TypeAttr(stored), c.I64Attr(least), c.I64Attr(most)}
	if code == codeAny {
		return c.DialectTypeOf(c.Dialect(dialectName), anyMnemonic, params...), nil
	}
	if _, ok := expressed.(*ir.FloatType); !ok {
		return nil, fmt.Errorf("numbers are expressed as %s", expressed)
	}
	params = append(params, c.TypeAttr(expressed))
	if code == codeAnyExpressed {
		return c.DialectTypeOf(c.Dialect(dialectName), anyMnemonic, params...), nil
	}
	if len(scales) != len(zeros) || axis > maxAxis {
		return nil, fmt.Errorf("%d scales and %d zero points along dimension %d", len(scales), len(zeros), axis)
	}
	points := make([]ir.Attribute, len(zeros))
	for i, z := range zeros {
		if x := scales[i].(*ir.FloatAttr).Float64(); !(x > 0) || x > maxScale {
			return nil, fmt.Errorf("illegal scale: %s", spell(x))
		}
		points[i] = c.I64Attr(z)
	}
	return c.DialectTypeOf(c.Dialect(dialectName), uniformMnemonic, append(params, c.I64Attr(axis), c.ArrayAttr(scales...), c.ArrayAttr(points...))...), nil
}

// storageType returns the type of the stored integers, whose sign is the lowest flag.
func storageType(c *ir.Context, t ir.Type, flags uint64, least, most int64) (*ir.IntegerType, error) {
	i, ok := t.(*ir.IntegerType)
	if !ok || i.Width < 1 || i.Width > maxStorage {
		return nil, fmt.Errorf("numbers are stored as %s", t)
	}
	signedness := ir.Unsigned
	if flags&1 != 0 {
		signedness = ir.Signless
	}
	i = c.IntegerOf(i.Width, signedness)
	if low, high := limits(i); least < low || most > high || least >= most {
		return nil, fmt.Errorf("illegal storage min and storage max: (%d:%d)", least, most)
	}
	return i, nil
}
