package ir

// Trail is of a walk from a value to the one that it is made of, and so on. In graphs, and in code
// that isn't reached, such a walk can lead back. The zero Trail is of a walk that begins.
type Trail struct {
	steps int
	mark  *Value
}

// Returns notes that the walk is at v, and tells whether it was there before: at the latest when it
// has made three times as many steps as there are values on its way (Brent's algorithm).
func (t *Trail) Returns(v *Value) bool {
	if v == t.mark {
		return true
	}
	if t.steps++; t.steps&(t.steps-1) == 0 {
		t.mark = v
	}
	return false
}
