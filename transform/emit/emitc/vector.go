package emitc

import (
	"freehold/ir"
)

var vectorEmitters = map[*ir.OpID]emitter{}
var vectorMemoryEmitters = map[*ir.OpID]emitter{}
var vectorReduceEmitters = map[*ir.OpID]emitter{}

// vectorAccess copies between a vector and the elements of a buffer from a position on, in its last dimensions.
func (f *function) vectorAccess(op *ir.Op, buffer *ir.Value, idx []string, v *ir.Value, store bool) {
	t := v.Type().(*ir.VectorType)
	r := f.memref(buffer)
	name := ""
	if store {
		name = f.value(v)
	} else {
		name = f.newVector(op, v)
	}
	at := idx
	linear := "0"
	first := len(idx) - len(t.Shape)
	at = append([]string(nil), idx...)
	for d, n := range t.Shape {
		i := f.count(constant(n))
		linear = sum(mul(linear, constant(n)), i)
		at[first+d] = sum(at[first+d], i)
	}
	e := name + ".e[" + linear + "]"
	if store {
		f.linef("%s = %s;", r.element(at), e)
	} else {
		f.linef("%s = %s;", e, r.element(at))
	}
	f.closeAll(len(t.Shape))
}
