package elementary

// Tables are the numbers from which functions are computed, for the same functions in other languages. Numbers of twice the precision are two.
type Tables struct {
	Powers      [][2]float64 // of two, to i/128
	Logarithms  [][3]float64 // a number near the inverse of those of an interval, and the logarithm of its own inverse
	Sines       [][4]float64 // sine and cosine of i/64
	Arctangents [][2]float64 // of i/64
	Turns       []uint64     // the bits of 2/π, after 64 zeros
}

// TablesOf returns a copy of the tables.
func TablesOf() (t Tables) {
	for _, x := range powers {
		t.Powers = append(t.Powers, [2]float64{x.h, x.l})
	}
	for _, x := range logarithms {
		t.Logarithms = append(t.Logarithms, [3]float64{x.inverse, x.logarithm.h, x.logarithm.l})
	}
	for _, x := range sines {
		t.Sines = append(t.Sines, [4]float64{x.sin.h, x.sin.l, x.cos.h, x.cos.l})
	}
	for _, x := range arctangents {
		t.Arctangents = append(t.Arctangents, [2]float64{x.h, x.l})
	}
	t.Turns = append(t.Turns, turns[:]...)
	return t
}
