package tile

// span are the rows of a tensor from lo up to, but without, hi.
type span struct{ lo, hi int64 }

func (s span) size() int64 { return max(s.hi-s.lo, 0) }

func (s span) empty() bool { return s.hi <= s.lo }

// hull returns the smallest span that has both.
func (s span) hull(o span) span {
	switch {
	case s.empty():
		return o
	case o.empty():
		return s
	}
	return span{min(s.lo, o.lo), max(s.hi, o.hi)}
}

// within returns the rows that a tensor of n rows has.
func (s span) within(n int64) span {
	lo := min(max(s.lo, 0), n)
	return span{lo, max(min(s.hi, n), lo)}
}

// access tells which rows of a tensor an operation reads for rows of its result: row (scale·r + first) / div, rounded down, up to row (scale·r + last) / div
// for row r.
type access struct {
	dim                     int // of the tensor that is read; -1 if all of it is read
	scale, first, last, div int64
}

// same reads the row that is computed.
func same(dim int) access { return access{dim: dim, scale: 1, div: 1} }

// of returns the rows that are read for some rows, which must not be none. They may be outside of a tensor that is padded.
func (a access) of(s span) span {
	return span{floorDiv(a.scale*s.lo+a.first, a.div), floorDiv(a.scale*(s.hi-1)+a.last, a.div) + 1}
}

func floorDiv(x, y int64) int64 {
	q := x / y
	if x%y != 0 && (x < 0) != (y < 0) {
		q--
	}
	return q
}
