package vector

import "freehold/ir"

// fillInBounds completes transfers that don't say which dimensions are in bounds: before
// LLVM 19, none of them were but those that are broadcast.
func fillInBounds(b *ir.Builder, s *ir.OpState) error {
	m, ok := s.Attr(permutationMap).(*ir.AffineMapAttr)
	if !ok || s.Attr(inBounds) != nil {
		return nil
	}
	elems := make([]ir.Attribute, len(m.Map.Results))
	for i, e := range m.Map.Results {
		elems[i] = b.Context().Bool(e.Kind == ir.AffineConst)
	}
	s.SetAttr(inBounds, b.Context().ArrayAttr(elems...))
	return nil
}
