package arith

// Inverted returns the predicate that holds where p doesn't.
func (p IntPredicate) Inverted() IntPredicate { return inverted(p) }
