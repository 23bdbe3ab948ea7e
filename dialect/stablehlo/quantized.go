package stablehlo

import (
	"math/big"
	"strconv"
	"strings"

	"freehold/ir"
)

// Quantized is a type of elements that stand for real numbers: the stored integer n stands for (n - ZeroPoint) * Scale.
type Quantized struct {
	// Width is that of the storage, and Unsigned tells whether it has no sign.
	Width    int
	Unsigned bool
	// Min and Max are the least and the largest number that is stored.
	Min, Max int64
	// Expressed is the type of the numbers that are stood for.
	Expressed *ir.FloatType
	// Axis is the dimension along which scales and zero points differ, or -1 if there is one of each.
	Axis int
	// Scales are kept as they are spelled, so that they can be had in any precision.
	Scales     []*big.Float
	ZeroPoints []int64
}

// Storage is the type of the stored integers.
func (q *Quantized) Storage(c *ir.Context) *ir.IntegerType {
	if q.Unsigned {
		return c.IntegerOf(q.Width, ir.Unsigned)
	}
	return c.Integer(q.Width)
}

// QuantizedOf reads a type !quant.uniform<...>; nil if it is none. Linear in its text.
func QuantizedOf(t ir.Type) *Quantized {
	switch x := t.(type) {
	case *ir.OpaqueType:
		if x.Dialect != "quant" {
			return nil
		}
	case *ir.DialectType:
		if x.Dialect.Name != "quant" {
			return nil
		}
	default:
		return nil
	}
	text := strings.ReplaceAll(t.String(), " ", "")
	text, ok := strings.CutPrefix(text, "!quant.uniform<")
	if !ok || !strings.HasSuffix(text, ">") {
		return nil
	}
	types, parameters, ok := strings.Cut(text[:len(text)-1], ",")
	if !ok {
		return nil
	}
	q := &Quantized{Axis: -1}
	if !q.readTypes(types) || !q.readParameters(parameters) || q.Axis < 0 && len(q.Scales) != 1 {
		return nil
	}
	return q
}

// readTypes reads storage<min:max>:expressed:axis.
func (q *Quantized) readTypes(s string) bool {
	storage, rest, ok := strings.Cut(s, ":")
	limits := ""
	if before, after, limited := strings.Cut(storage, "<"); limited {
		low, more, closed := strings.Cut(s[len(before)+1:], ">")
		storage, limits = before, low
		rest, ok = strings.CutPrefix(more, ":")
		_, _ = after, closed
	}
	if !ok {
		return false
	}
	switch {
	case strings.HasPrefix(storage, "ui"), strings.HasPrefix(storage, "u"):
		q.Unsigned, storage = true, strings.TrimPrefix(strings.TrimPrefix(storage, "u"), "i")
	case strings.HasPrefix(storage, "si"):
		storage = storage[2:]
	case strings.HasPrefix(storage, "i"):
		storage = storage[1:]
	default:
		return false
	}
	width, err := strconv.Atoi(storage)
	if err != nil || width < 1 || width > 32 {
		return false
	}
	q.Width = width
	if q.Unsigned {
		q.Max = 1<<width - 1
	} else {
		q.Min, q.Max = -1<<(width-1), 1<<(width-1)-1
	}
	if limits != "" && !readPair(limits, &q.Min, &q.Max) {
		return false
	}
	expressed, axis, perAxis := strings.Cut(rest, ":")
	for _, f := range ir.FloatTypes() {
		if f.Name == expressed {
			q.Expressed = f
		}
	}
	if perAxis {
		q.Axis, err = strconv.Atoi(axis)
	}
	return q.Expressed != nil && err == nil && (!perAxis || q.Axis >= 0)
}

func readPair(s string, low, high *int64) bool {
	a, b, ok := strings.Cut(s, ":")
	x, err1 := strconv.ParseInt(a, 10, 64)
	y, err2 := strconv.ParseInt(b, 10, 64)
	*low, *high = x, y
	return ok && err1 == nil && err2 == nil && x < y
}

// readParameters reads scale:zero, or {scale:zero,...}.
func (q *Quantized) readParameters(s string) bool {
	if inner, ok := strings.CutPrefix(s, "{"); ok {
		s = strings.TrimSuffix(inner, "}")
	}
	for _, one := range strings.Split(s, ",") {
		scale, zero, offset := strings.Cut(one, ":")
		f, _, err := big.ParseFloat(scale, 10, 256, big.ToNearestEven)
		if err != nil || f.Sign() <= 0 {
			return false
		}
		n := int64(0)
		if offset {
			if n, err = strconv.ParseInt(zero, 10, 64); err != nil {
				return false
			}
		}
		q.Scales, q.ZeroPoints = append(q.Scales, f), append(q.ZeroPoints, n)
	}
	return true
}
