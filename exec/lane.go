package exec

import "freehold/ir"

// laneLen is how many elements of a run are computed at once.
const laneLen = 512

// Lane is a run of elements of one value. By the element type they are f32, f64,
// or words.
type Lane struct {
	f32 []float32
	f64 []float64
	w   []uint64
	// own keeps the lane's memory while f32 or f64 stand for memory of a store.
	own32 []float32
	own64 []float64
}

// newLane returns a lane for runs of at most n elements.
func newLane(e *Elem, n int64) Lane {
	switch e.Type {
	case ir.Type(ir.F32):
		s := make([]float32, n)
		return Lane{f32: s, own32: s}
	case ir.Type(ir.F64):
		s := make([]float64, n)
		return Lane{f64: s, own64: s}
	}
	return Lane{w: make([]uint64, n)}
}

// fill sets n elements to a word.
func (l *Lane) fill(w uint64, n int64) {
	switch {
	case l.own32 != nil:
		l.f32 = l.own32[:n]
		x := wordTo32(w)
		for i := range l.f32 {
			l.f32[i] = x
		}
	case l.own64 != nil:
		l.f64 = l.own64[:n]
		x := wordTo64(w)
		for i := range l.f64 {
			l.f64[i] = x
		}
	default:
		d := l.w[:n]
		for i := range d {
			d[i] = w
		}
	}
}

// load sets n elements to those at byte p and every stride bytes from there.
// Contiguous floats are not copied.
func (l *Lane) load(s *Store, e *Elem, p, stride, n int64) {
	switch {
	case stride == 0:
		l.fill(s.load(p, e.Size), n)
	case l.own32 != nil:
		if stride == 4 {
			l.f32 = s.floats32(p, n)
			return
		}
		l.f32 = l.own32[:n]
		for i := range l.f32 {
			l.f32[i] = wordTo32(s.load(p, 4))
			p += stride
		}
	case l.own64 != nil:
		if stride == 8 {
			l.f64 = s.floats64(p, n)
			return
		}
		l.f64 = l.own64[:n]
		for i := range l.f64 {
			l.f64[i] = wordTo64(s.load(p, 8))
			p += stride
		}
	default:
		d := l.w[:n]
		for i := range d {
			d[i] = s.load(p, e.Size)
			p += stride
		}
	}
}

// detach makes the lane keep its elements in memory of its own, so that they stay as
// they are when the store they were loaded from is written.
func (l *Lane) detach() {
	switch {
	case l.own32 != nil:
		n := copy(l.own32, l.f32)
		l.f32 = l.own32[:n]
	case l.own64 != nil:
		n := copy(l.own64, l.f64)
		l.f64 = l.own64[:n]
	}
}

// store writes n elements to byte p and every stride bytes from there. It doesn't
// note that they were written.
func (l *Lane) store(s *Store, e *Elem, p, stride, n int64) {
	switch {
	case l.own32 != nil:
		if stride == 4 {
			copy(s.floats32(p, n), l.f32[:n])
			return
		}
		for _, x := range l.f32[:n] {
			s.store(p, 4, wordOf32(x))
			p += stride
		}
	case l.own64 != nil:
		if stride == 8 {
			copy(s.floats64(p, n), l.f64[:n])
			return
		}
		for _, x := range l.f64[:n] {
			s.store(p, 8, wordOf64(x))
			p += stride
		}
	default:
		for _, x := range l.w[:n] {
			s.store(p, e.Size, x)
			p += stride
		}
	}
}

// reset makes the lane use its own memory for n elements.
func (l *Lane) reset(n int) {
	if l.own32 != nil {
		l.f32 = l.own32[:n]
	} else if l.own64 != nil {
		l.f64 = l.own64[:n]
	}
}

// at returns element i as a word.
func (l *Lane) at(i int) uint64 {
	switch {
	case l.own32 != nil:
		return wordOf32(l.f32[i])
	case l.own64 != nil:
		return wordOf64(l.f64[i])
	}
	return l.w[i]
}

func (l *Lane) set(i int, w uint64) {
	switch {
	case l.own32 != nil:
		l.f32[i] = wordTo32(w)
	case l.own64 != nil:
		l.f64[i] = wordTo64(w)
	default:
		l.w[i] = w
	}
}

// laneOp computes a scalar operation on lanes.
type laneOp struct {
	s        Scalar
	all32    bool
	all64    bool
	allWords bool
	args32   [][]float32
	args64   [][]float64
	words    []uint64
}

func newLaneOp(s Scalar, in []*Elem, out *Elem) *laneOp {
	o := &laneOp{s: s, words: make([]uint64, len(in))}
	// Who brings these has operands and a result of f32, or of f64.
	o.all32, o.all64 = s.Run32 != nil, s.Run64 != nil
	o.allWords = out.Type != ir.Type(ir.F32) && out.Type != ir.Type(ir.F64)
	for _, e := range in {
		o.allWords = o.allWords && e.Type != ir.Type(ir.F32) && e.Type != ir.Type(ir.F64)
	}
	o.args32, o.args64 = make([][]float32, len(in)), make([][]float64, len(in))
	return o
}

// run computes n elements.
func (o *laneOp) run(n int, dst *Lane, args []Lane) *Fault {
	switch {
	case o.all32:
		for i := range args {
			o.args32[i] = args[i].f32[:n]
		}
		o.s.Run32(dst.f32[:n], o.args32)
		return nil
	case o.all64:
		for i := range args {
			o.args64[i] = args[i].f64[:n]
		}
		o.s.Run64(dst.f64[:n], o.args64)
		return nil
	case o.allWords && o.s.F1 != nil:
		d, a, fn := dst.w[:n], args[0].w[:n], o.s.F1
		for i := range d {
			d[i] = fn(a[i])
		}
		return nil
	case o.allWords && o.s.F2 != nil && o.s.Check == nil:
		d, a, b, fn := dst.w[:n], args[0].w[:n], args[1].w[:n], o.s.F2
		for i := range d {
			d[i] = fn(a[i], b[i])
		}
		return nil
	}
	for i := range n {
		for j := range args {
			o.words[j] = args[j].at(i)
		}
		w, wrong := o.s.apply(o.words)
		if wrong != nil {
			return wrong
		}
		dst.set(i, w)
	}
	return nil
}
