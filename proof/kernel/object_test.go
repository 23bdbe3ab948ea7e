package kernel

import "testing"

// What is made again gets another name, of a length that doesn't grow with how often that is.
func TestNamesOfObjects(t *testing.T) {
	m := NewMachine(NewFormulas(), &Models{})
	for range 3 {
		m.NewObject("new1", Object{})
	}
	for name, number := range map[string]int{"new1": 0, "new1+1": 1, "new1+2": 2} {
		if n, ok := m.Named[name]; !ok || n != number {
			t.Errorf("%s is object %d, %v", name, n, ok)
		}
	}
}
