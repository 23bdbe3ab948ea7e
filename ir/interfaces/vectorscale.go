package interfaces

import "freehold/ir"

// VectorScale is implemented by operations whose result is how many times larger
// scalable vectors are than their types say.
var VectorScale = ir.NewInterface[struct{}]("VectorScale")

// IsVectorScale tells whether the value is the result of such an operation.
func IsVectorScale(v *ir.Value) bool {
	op := v.DefiningOp()
	if op == nil {
		return false
	}
	_, ok := VectorScale.Of(op)
	return ok
}
