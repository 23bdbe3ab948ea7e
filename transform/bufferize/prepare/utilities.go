package prepare

import (
	"freehold/dialect/bufferization"
	"freehold/exec"
	"freehold/ir"
	"freehold/ir/interfaces"
)

// MarkReadArguments says of the tensor arguments of functions of MLIR's runner utilities, which op declares, that they are
// only read, where the program says nothing: bufferization takes functions without a body to write to them. It returns how
// many it marked. Linear time.
func MarkReadArguments(op *ir.Op) (n int) {
	op.Walk(func(fn *ir.Op) bool {
		m, _ := interfaces.Function.Of(fn)
		if m == nil || !exec.IsRunnerFunction(fn) {
			return true
		}
		inputs := m.Type(fn).Inputs
		interfaces.EditArgAttrs(fn, func(i int, attrs []ir.NamedAttr) []ir.NamedAttr {
			if !ir.IsTensor(inputs[i]) || interfaces.ArgAttr(fn, i, bufferization.AccessAttr) != nil {
				return attrs
			}
			n++
			return append(attrs[:len(attrs):len(attrs)], ir.NamedAttr{Name: bufferization.AccessAttr, Value: op.Context().StringAttr("read")})
		})
		return false
	})
	return n
}
