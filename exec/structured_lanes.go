package exec

import (
	"slices"

	"freehold/ir"
	"freehold/ir/interfaces"
)

// A loop nest whose body consists of elementwise operations on words is executed
// a run of elements at a time: along a parallel dimension, each operation of the
// body is one loop over the run. Every element of the result still sees its
// reduction steps in their order, so results are the same bit for bit.
type laneProgram struct {
	elems    []*Elem // of each lane
	instrs   []laneInstr
	arg      []int // lane of each operand's block argument
	consts   []laneConst
	captured []laneCapture
	indexes  []laneIndex
	yields   []int
	fused    *fusedBody
}

type laneInstr struct {
	lane *laneOp
	dst  int
	args []int
}

type laneConst struct {
	lane int
	word uint64
}

type laneCapture struct{ lane, reg int }

type laneIndex struct{ lane, dim int }

// fusedBody is the body acc + x*y of f32 or f64 elements; x, y and acc are
// operands.
type fusedBody struct {
	x, y, acc int
	f64       bool
}

// laneProgram returns the body as operations on lanes, or nil if it isn't made of
// such.
func (c *Compiler) laneProgram(n *nest, body *ir.Block) *laneProgram {
	p := &laneProgram{}
	lanes := map[*ir.Value]int{}
	add := func(v *ir.Value) int {
		lanes[v] = len(p.elems)
		p.elems = append(p.elems, ElemOf(v.Type()))
		return lanes[v]
	}
	for i, a := range body.Args() {
		o := &n.operands[i]
		if !o.linear || o.elem.Size == 0 || !o.shaped && !o.reg.IsWord() {
			return nil
		}
		p.arg = append(p.arg, add(a))
	}
	use := func(v *ir.Value) (int, bool) {
		if l, ok := lanes[v]; ok {
			return l, true
		}
		if !IsWord(v.Type()) || c.poisonable[v] {
			return 0, false
		}
		l := add(v)
		p.captured = append(p.captured, laneCapture{l, c.Word(v)})
		return l, true
	}
	term := body.Terminator()
	var scalars []Scalar
	for op := body.First(); op != term; op = op.Next() {
		if op.NumResults() != 1 || !IsWord(op.Result(0).Type()) || c.poisonable[op.Result(0)] {
			return nil
		}
		if dim, ok := interfaces.IterationIndex.Of(op); ok {
			p.indexes = append(p.indexes, laneIndex{add(op.Result(0)), dim(op)})
			continue
		}
		if a := ir.ConstantOf(op.Result(0)); a != nil {
			w, ok := WordOf(a)
			if !ok {
				return nil
			}
			p.consts = append(p.consts, laneConst{add(op.Result(0)), w})
			continue
		}
		m, _ := Elementwise.Of(op)
		if m == nil {
			return nil
		}
		s, ok := scalarOf(op, m)
		if !ok || !s.words() {
			return nil
		}
		in := laneInstr{}
		var elems []*Elem
		for i := range op.NumOperands() {
			l, ok := use(op.Operand(i))
			if !ok {
				return nil
			}
			in.args = append(in.args, l)
			elems = append(elems, p.elems[l])
		}
		in.dst = add(op.Result(0))
		in.lane = newLaneOp(s, elems, p.elems[in.dst])
		p.instrs = append(p.instrs, in)
		scalars = append(scalars, s)
	}
	for i := range term.NumOperands() {
		l, ok := use(term.Operand(i))
		if !ok {
			return nil
		}
		p.yields = append(p.yields, l)
	}
	p.fused = p.fuse(n, scalars)
	return p
}

// fuse recognises the body acc + x*y by its structure.
func (p *laneProgram) fuse(n *nest, s []Scalar) *fusedBody {
	if len(p.instrs) != 2 || len(p.yields) != 1 || s[0].Fused != FusedMul || s[1].Fused != FusedAdd ||
		len(p.consts)+len(p.captured)+len(p.indexes) > 0 {
		return nil
	}
	mul, sum := p.instrs[0], p.instrs[1]
	acc := -1
	switch mul.dst {
	case sum.args[0]:
		acc = sum.args[1]
	case sum.args[1]:
		acc = sum.args[0]
	}
	if len(p.arg) != len(n.operands) {
		return nil
	}
	out := p.arg[n.inits]
	if acc != out || p.yields[0] != sum.dst || mul.args[0] == out || mul.args[1] == out {
		return nil
	}
	t := p.elems[sum.dst].Type
	for _, l := range []int{mul.args[0], mul.args[1], acc} {
		if !n.operands[l].shaped {
			return nil
		}
	}
	if t != ir.Type(ir.F32) && t != ir.Type(ir.F64) {
		return nil
	}
	return &fusedBody{mul.args[0], mul.args[1], n.inits, t == ir.Type(ir.F64)}
}

// runLanes executes the nest in runs if that is possible and worth while, and
// tells whether it did.
func (r *nestRun) runLanes() bool {
	p := r.lanes
	if p == nil || r.dims == 0 || r.f.M.OneByOne {
		return false
	}
	for k := range r.operands {
		o := &r.operands[k]
		if !o.shaped {
			continue
		}
		if k >= r.inits && !r.onto[k-r.inits] {
			return false
		}
		if (o.read || r.moved(k)) && !r.views[k].written() {
			return false
		}
	}
	if r.overlaps() {
		return false
	}
	if p.fused != nil && r.runFused() {
		return true
	}
	d := r.laneDim()
	if d < 0 {
		return false
	}
	start := append([]int64(nil), r.at...)
	if wrong := r.sweep(d); wrong != nil {
		copy(r.at, start)
		return false // element by element the fault is found again, with its place
	}
	r.finish()
	return true
}

// moved tells whether the elements of operand k are yielded for another one.
func (r *nestRun) moved(k int) bool {
	for j, from := range r.copyOf {
		if from == k && r.inits+j != k {
			return true
		}
	}
	return false
}

// overlaps tells whether an init shares memory with another operand in a way that
// makes the order of the elements matter.
func (r *nestRun) overlaps() bool {
	for k := r.inits; k < len(r.operands); k++ {
		for j := range r.operands {
			o := &r.operands[j]
			if j == k || !o.shaped || !o.read && !o.copied && j < r.inits || r.views[j].Store != r.views[k].Store {
				continue
			}
			if r.at[j] != r.at[k] || !slices.Equal(r.strides[j], r.strides[k]) {
				return true
			}
			if j >= r.inits || len(r.yields) > 1 {
				return true
			}
		}
	}
	return false
}

// laneDim chooses the dimension for runs: a parallel one that moves every init,
// best with all operands contiguous. -1 if there is none that is long enough.
func (r *nestRun) laneDim() int {
	best, score := -1, int64(0)
	for d, it := range r.iters {
		if it != interfaces.Parallel || r.sizes[d] < 4 {
			continue
		}
		s := min(r.sizes[d], 64)
		usable := true
		for k := range r.operands {
			o := &r.operands[k]
			if !o.shaped {
				continue
			}
			st := r.strides[k][d]
			if k >= r.inits && st == 0 {
				usable = false
			}
			if (o.read || o.copied || k >= r.inits) && st != 0 && st != o.elem.Size {
				s /= 3
			}
		}
		if usable && s >= score && s > 0 {
			best, score = d, s
		}
	}
	return best
}

// finish notes that the inits were written, but for those that keep their elements.
func (r *nestRun) finish() {
	for j, from := range r.copyOf {
		if k := r.inits + j; from != k {
			r.views[k].wrote()
		}
	}
}

// outer calls fn at every point of the dimensions other than skip, in order, with
// r.at placed.
func (r *nestRun) outer(skip int, fn func() *Fault) *Fault {
	var walk func(d int) *Fault
	walk = func(d int) *Fault {
		if d == skip {
			d++
		}
		if d >= r.dims {
			return fn()
		}
		n := r.sizes[d]
		for i := int64(0); i < n; i++ {
			if r.idx != nil {
				r.idx[d] = i
			}
			if wrong := walk(d + 1); wrong != nil {
				return wrong
			}
			for k := range r.strides {
				if s := r.strides[k]; s != nil {
					r.at[k] += s[d]
				}
			}
		}
		for k := range r.strides {
			if s := r.strides[k]; s != nil {
				r.at[k] -= s[d] * n
			}
		}
		return nil
	}
	return walk(0)
}

// sweep executes the nest in runs along dimension dim. After a fault the inits
// are as they were only if the body doesn't read them; sweep then refuses.
func (r *nestRun) sweep(dim int) *Fault {
	p := r.lanes
	for _, in := range p.instrs {
		if in.lane.s.Check == nil {
			continue
		}
		for k := range r.operands {
			for j := r.inits; j < len(r.operands); j++ {
				if r.operands[k].shaped && (r.operands[k].read || r.operands[k].copied) && r.views[k].Store == r.views[j].Store {
					return &Fault{}
				}
			}
		}
	}
	r.idx = make([]int64, r.dims)
	n := r.sizes[dim]
	lanes := make([]Lane, len(p.elems))
	fill := min(n, laneLen)
	for i, e := range p.elems {
		lanes[i] = newLane(e, fill)
	}
	for _, k := range p.consts {
		lanes[k.lane].fill(k.word, fill)
	}
	for _, k := range p.captured {
		lanes[k.lane].fill(r.f.W[k.reg], fill)
	}
	for k := range r.operands {
		if o := &r.operands[k]; !o.shaped && o.read {
			lanes[p.arg[k]].fill(r.f.W[o.reg.Word()], fill)
		}
	}
	args := make([][]Lane, len(p.instrs))
	for i := range p.instrs {
		args[i] = make([]Lane, len(p.instrs[i].args))
	}
	return r.outer(dim, func() *Fault {
		for i := int64(0); i < n; i += laneLen {
			m := min(n-i, laneLen)
			for k := range r.operands {
				if o := &r.operands[k]; o.shaped && (o.read || o.copied) {
					st := r.strides[k][dim]
					lanes[p.arg[k]].load(r.views[k].Store, o.elem, r.at[k]+i*st, st, m)
					if k >= r.inits && r.moved(k) {
						lanes[p.arg[k]].detach()
					}
				}
			}
			for _, x := range p.indexes {
				l := lanes[x.lane].w[:m]
				if x.dim == dim {
					for j := range l {
						l[j] = uint64(i + int64(j))
					}
				} else {
					for j := range l {
						l[j] = uint64(r.idx[x.dim])
					}
				}
			}
			for j := range p.instrs {
				in := &p.instrs[j]
				for a, l := range in.args {
					args[j][a] = lanes[l]
				}
				lanes[in.dst].reset(int(m))
				if wrong := in.lane.run(int(m), &lanes[in.dst], args[j]); wrong != nil {
					return wrong
				}
			}
			for j, y := range p.yields {
				k := r.inits + j
				if r.copyOf[j] == k {
					continue
				}
				st := r.strides[k][dim]
				lanes[y].store(r.views[k].Store, r.operands[k].elem, r.at[k]+i*st, st, m)
			}
		}
		return nil
	})
}

// runFused executes acc + x*y with a kernel, if a dimension suits one.
func (r *nestRun) runFused() bool {
	b := r.lanes.fused
	size := int64(4)
	if b.f64 {
		size = 8
	}
	sx, sy, sa := r.strides[b.x], r.strides[b.y], r.strides[b.acc]
	if r.views[b.x].Store == r.views[b.acc].Store || r.views[b.y].Store == r.views[b.acc].Store {
		return false
	}
	lastReduction := -1
	for d, it := range r.iters {
		if it != interfaces.Parallel {
			lastReduction = d
		}
	}
	best, score, dot := -1, int64(0), false
	for d, it := range r.iters {
		var s int64
		isDot := false
		switch {
		case it == interfaces.Parallel && sa[d] == size && (sx[d] == 0 && sy[d] == size || sy[d] == 0 && sx[d] == size || sx[d] == size && sy[d] == size):
			s = 4 * min(r.sizes[d], 64)
		case d == lastReduction && sa[d] == 0 && sx[d] == size && sy[d] == size:
			s, isDot = 2*min(r.sizes[d], 64), true
		case d == lastReduction && sa[d] == 0:
			s, isDot = min(r.sizes[d], 16), true
		}
		if s > score {
			best, score, dot = d, s, isDot
		}
	}
	if best < 0 || r.sizes[best] < 4 {
		return false
	}
	x, y, acc := r.views[b.x].Store, r.views[b.y].Store, r.views[b.acc].Store
	n := r.sizes[best]
	dx, dy := sx[best], sy[best]
	var kernel func() *Fault
	switch {
	case dot && !b.f64:
		kernel = func() *Fault {
			p := r.at[b.acc]
			s := wordTo32(acc.load(p, 4))
			if dx == 4 && dy == 4 {
				s = dot32(s, x.floats32(r.at[b.x], n), y.floats32(r.at[b.y], n))
			} else {
				px, py := r.at[b.x], r.at[b.y]
				for range n {
					s += float32(wordTo32(x.load(px, 4)) * wordTo32(y.load(py, 4)))
					px, py = px+dx, py+dy
				}
			}
			acc.store(p, 4, wordOf32(s))
			return nil
		}
	case dot:
		kernel = func() *Fault {
			p := r.at[b.acc]
			s := wordTo64(acc.load(p, 8))
			px, py := r.at[b.x], r.at[b.y]
			for range n {
				s += float64(wordTo64(x.load(px, 8)) * wordTo64(y.load(py, 8)))
				px, py = px+dx, py+dy
			}
			acc.store(p, 8, wordOf64(s))
			return nil
		}
	case !b.f64:
		kernel = func() *Fault {
			a := acc.floats32(r.at[b.acc], n)
			switch {
			case dx == 0:
				axpy(a, wordTo32(x.load(r.at[b.x], 4)), y.floats32(r.at[b.y], n))
			case dy == 0:
				axpy(a, wordTo32(y.load(r.at[b.y], 4)), x.floats32(r.at[b.x], n))
			default:
				mulAdd(a, x.floats32(r.at[b.x], n), y.floats32(r.at[b.y], n))
			}
			return nil
		}
	default:
		kernel = func() *Fault {
			a := acc.floats64(r.at[b.acc], n)
			switch {
			case dx == 0:
				axpy(a, wordTo64(x.load(r.at[b.x], 8)), y.floats64(r.at[b.y], n))
			case dy == 0:
				axpy(a, wordTo64(y.load(r.at[b.y], 8)), x.floats64(r.at[b.x], n))
			default:
				mulAdd(a, x.floats64(r.at[b.x], n), y.floats64(r.at[b.y], n))
			}
			return nil
		}
	}
	r.outer(best, kernel)
	r.finish()
	return true
}

// The conversions of products keep the compiler from joining multiplication and
// addition to one operation with a single rounding.

func axpy[F float32 | float64](acc []F, x F, y []F) {
	if len(y) > len(acc) {
		return
	}
	acc = acc[:len(y)]
	for i, v := range y {
		acc[i] += F(x * v)
	}
}

func mulAdd[F float32 | float64](acc, x, y []F) {
	x, y = x[:len(acc)], y[:len(acc)]
	for i := range acc {
		acc[i] += F(x[i] * y[i])
	}
}

func dot32(s float32, x, y []float32) float32 {
	y = y[:len(x)]
	for i, v := range x {
		s += float32(v * y[i])
	}
	return s
}
