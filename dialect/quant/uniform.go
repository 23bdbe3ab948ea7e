package quant

import "freehold/ir"

// Uniform is a type of elements that stand for real numbers: the stored integer n stands for (n-ZeroPoint)*Scale.
type Uniform struct {
	// Width is that of the stored integers, and Signed says whether they have a sign.
	Width  int
	Signed bool
	// Min and Max are the least and the largest integer that is stored.
	Min, Max int64
	// Expressed is the type of the numbers.
	Expressed *ir.FloatType
	// Axis is the dimension along which scales and zero points differ, or -1 if there is one of each.
	Axis       int
	Scales     []float64
	ZeroPoints []int64
}

// The mnemonics of the types.
const (
	anyMnemonic        = "any"
	uniformMnemonic    = "uniform"
	calibratedMnemonic = "calibrated"
)

// The parameters of the types: those of all, and then those of uniform ones.
const (
	paramStorage = iota // an integer type, without a sign if it has one, unsigned if it has none
	paramMin
	paramMax
	paramExpressed
	paramAxis
	paramScales
	paramZeroPoints
	// Those of types whose scales differ by blocks: the dimensions that are divided, how large blocks are along each of them, and
	// how many scales there are along each dimension.
	paramBlockDims
	paramBlockSizes
	paramScaleShape
)

// Of returns what a type !quant.uniform<...> says, or nil for other types, and for those whose scales differ by blocks.
func Of(t ir.Type) *Uniform {
	if d, ok := t.(*ir.DialectType); ok && hasBlocks(d) {
		return nil
	}
	return uniformOf(t)
}

// hasBlocks tells whether the scales of a uniform type differ by blocks.
func hasBlocks(d *ir.DialectType) bool {
	return ir.IsDialectType(d, dialectName, uniformMnemonic) && len(d.Params) > paramBlockDims
}

// uniformOf is Of also where scales differ by blocks: they are listed in row-major order then, and there is no axis.
func uniformOf(t ir.Type) *Uniform {
	d, ok := t.(*ir.DialectType)
	if !ok || !ir.IsDialectType(t, dialectName, uniformMnemonic) {
		return nil
	}
	storage := d.Params[paramStorage].(*ir.TypeAttr).Type.(*ir.IntegerType)
	q := &Uniform{
		Width: storage.Width, Signed: storage.Signedness != ir.Unsigned, Min: number(d, paramMin), Max: number(d, paramMax),
		Expressed: d.Params[paramExpressed].(*ir.TypeAttr).Type.(*ir.FloatType), Axis: int(number(d, paramAxis)),
	}
	for i, s := range d.Params[paramScales].(*ir.ArrayAttr).Elems {
		q.Scales = append(q.Scales, s.(*ir.FloatAttr).Float64())
		q.ZeroPoints = append(q.ZeroPoints, d.Params[paramZeroPoints].(*ir.ArrayAttr).Elems[i].(*ir.IntegerAttr).Value)
	}
	return q
}

// Type returns the type !quant.uniform<...> that says this. It is the inverse of [Of].
func (q *Uniform) Type(c *ir.Context) *ir.DialectType {
	var scales, points []ir.Attribute
	for i, s := range q.Scales {
		scales, points = append(scales, c.FloatAttr(ir.F64, s)), append(points, c.I64Attr(q.ZeroPoints[i]))
	}
	return c.DialectTypeOf(Dialect, uniformMnemonic, c.TypeAttr(q.Storage(c)), c.I64Attr(q.Min), c.I64Attr(q.Max), c.TypeAttr(q.Expressed),
		c.I64Attr(int64(q.Axis)), c.ArrayAttr(scales...), c.ArrayAttr(points...))
}

// OfElements is [Of] for the elements of a shaped type, or a type itself.
func OfElements(t ir.Type) *Uniform { return Of(ir.ElementType(t)) }

// Storage returns the type of the stored integers: without a sign where they have one, as the operations on them take it.
func (q *Uniform) Storage(c *ir.Context) *ir.IntegerType {
	if q.Signed {
		return c.Integer(q.Width)
	}
	return c.IntegerOf(q.Width, ir.Unsigned)
}

// StorageOf returns the type of what numbers of a type of the dialect are stored as: integers, or the numbers themselves if
// only their range is known; nil for other types.
func StorageOf(t ir.Type) ir.Type {
	d, ok := t.(*ir.DialectType)
	if !ok || d.Dialect.Name != dialectName {
		return nil
	}
	return d.Params[paramStorage].(*ir.TypeAttr).Type
}

func number(d *ir.DialectType, i int) int64 { return d.Params[i].(*ir.IntegerAttr).Value }

// limits returns the least and the largest integer of a type.
func limits(t *ir.IntegerType) (low, high int64) {
	if t.Signedness == ir.Unsigned {
		return 0, 1<<t.Width - 1
	}
	return -1 << (t.Width - 1), 1<<(t.Width-1) - 1
}
