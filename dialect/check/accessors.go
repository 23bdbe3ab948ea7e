package check

import "freehold/ir"

// ComparisonOp is any of the operations that compare two tensors.
type ComparisonOp struct{ *ir.Op }

// Actual returns what has been computed.
func (o ComparisonOp) Actual() *ir.Value { return o.Operand(0) }

// Expected returns what it should be.
func (o ComparisonOp) Expected() *ir.Value { return o.Operand(1) }

// Tolerance returns at what distance elements may be by [ExpectAlmostEq].
func (o ComparisonOp) Tolerance() float64 {
	if a, ok := o.Attr(ToleranceAttr).(*ir.FloatAttr); ok {
		return a.Float64()
	}
	return defaultTolerance
}

// Steps returns how many numbers of their type elements have to be apart by [ExpectClose], and may be by that or by [ExpectAlmostEq].
func (o ComparisonOp) Steps() (least, most int64) {
	most = defaultULPs
	if a, ok := o.Attr(MinULPAttr).(*ir.IntegerAttr); ok {
		least = a.Value
	}
	if a, ok := o.Attr(MaxULPAttr).(*ir.IntegerAttr); ok {
		most = a.Value
	}
	return least, most
}
