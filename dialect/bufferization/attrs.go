package bufferization

import (
	"fmt"
	"slices"

	"freehold/ir"
	"freehold/ir/interfaces"
)

// verifyOpAttr accepts the attribute that marks allocations which are freed by
// hand.
func verifyOpAttr(op *ir.Op, a ir.NamedAttr) error {
	if a.Name != ManualDeallocationAttr {
		return op.PlainErrorf("attribute '\"%s\"' not supported as an op attribute by the bufferization dialect", a.Name)
	}
	effects, _ := interfaces.EffectsOf(op)
	for _, e := range effects {
		if e.Kind == interfaces.Allocate || e.Kind == interfaces.Free {
			return nil
		}
	}
	return op.Errorf("attribute '%s' can be used only on ops that have an allocation and/or free side effect", a.Name)
}

// escaping is the spelling up to LLVM 17, which has operations say of which results the buffers must not be freed:
// no buffer is freed here that anything else may use.
var escaping = []ir.Spelling{{Until: 17, Upgrade: func(_ *ir.Builder, s *ir.OpState) error {
	list, ok := s.Attr(EscapeAttr).(*ir.ArrayAttr)
	if !ok {
		return nil
	}
	if len(list.Elems) != len(s.Types) {
		return fmt.Errorf("has '%s' with wrong number of elements, expected %d, got %d", EscapeAttr, len(s.Types), len(list.Elems))
	}
	s.Attrs = slices.DeleteFunc(slices.Clone(s.Attrs), func(a ir.NamedAttr) bool { return a.Name == EscapeAttr })
	return nil
}}}

// verifyArgAttr checks what is said about the buffer of a function's argument.
func verifyArgAttr(op *ir.Op, region, arg int, a ir.NamedAttr) error {
	switch a.Name {
	case WritableAttr:
		if i, ok := a.Value.(*ir.IntegerAttr); !ok || i.Type != ir.Type(ir.I1) {
			return op.PlainErrorf("'%s' is expected to be a boolean attribute", a.Name)
		}
	case AccessAttr:
		s, ok := a.Value.(*ir.StringAttr)
		if !ok {
			return op.PlainErrorf("'%s' is expected to be a string attribute", a.Name)
		}
		switch s.Value {
		case "none", "read", "write", "read-write":
		default:
			return op.PlainErrorf("invalid value for '%s'", a.Name)
		}
	case BufferLayoutAttr:
		switch a.Value.(type) {
		case *ir.AffineMapAttr, *ir.StridedLayoutAttr: // the latter from LLVM 21 on
		default:
			return op.PlainErrorf("'%s' is expected to be a affine map attribute", a.Name)
		}
	default:
		// The reference names this attribute whatever the attribute is.
		return op.PlainErrorf("attribute '%s' not supported as a region arg attribute by the bufferization dialect", BufferLayoutAttr)
	}
	if !interfaces.Function.Has(op) {
		return op.PlainErrorf("expected '%s' to be used on function-like operations", a.Name)
	}
	if a.Name == WritableAttr && op.RegionAt(0).Empty() {
		return op.PlainErrorf("'%s' is invalid on external functions", a.Name)
	}
	return nil
}
