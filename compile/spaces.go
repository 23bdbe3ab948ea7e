package compile

import (
	"fmt"

	"freehold/dialect/bufferization"
	"freehold/ir"
)

// leftOnTensors is the error about an operation on tensors that is left after bufferization.
func leftOnTensors(op *ir.Op) *ir.Diagnostic {
	if op.Is(bufferization.ToTensor) {
		if d := betweenSpaces(bufferization.ToTensorOp{Op: op}); d != nil {
			return d
		}
	}
	return op.Errorf("is left as one on tensors: bufferization doesn't know how to make a buffer of it").
		WithNote(op.Loc(), "it helps to put it in terms of buffers, or of other operations, before")
}

// betweenSpaces is the error about a tensor whose buffer is in one memory space, and needed in another; nil if it isn't. Operations that
// bufferization has put there stand for tensors of the program.
func betweenSpaces(op bufferization.ToTensorOp) *ir.Diagnostic {
	from, ok := op.MemRef().Type().(*ir.MemRefType)
	if !ok {
		return nil
	}
	for u := op.Result(0).FirstUse(); u != nil; u = u.Next() {
		user := u.Owner()
		if !user.Is(bufferization.ToMemref) {
			continue
		}
		if to, ok := user.Result(0).Type().(*ir.MemRefType); ok && to.Space != from.Space {
			return op.PlainErrorf("the buffer of this tensor is in %s, and needed in %s", space(from), space(to)).
				WithNote(user.Loc(), "it is needed here; a copy helps, by bufferization.alloc_tensor() copy(...) with the memory_space, of which 0 is the default one")
		}
	}
	return nil
}

func space(t *ir.MemRefType) string {
	if t.Space == nil {
		return "the default memory space"
	}
	if n, ok := t.Space.(*ir.IntegerAttr); ok {
		return fmt.Sprintf("memory space %d", n.Value)
	}
	return "memory space " + t.Space.String()
}
