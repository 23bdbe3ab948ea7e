package exec

import (
	"freehold/ir"
	"freehold/ir/interfaces"
)

// nestState is the loop nest whose body is being compiled.
type nestState struct {
	outer *nestState
	index []Reg
}

// IterationIndex returns the word register of the index of a dimension in the
// innermost loop nest around the operation being compiled, which has it.
func (c *Compiler) IterationIndex(dim int) Reg {
	return c.nest.index[dim]
}

// linearExpr is a sum of multiples of dimensions and a constant.
type linearExpr struct {
	coef   []int64
	konst  int64
	linear bool
	dim    int // the expression is just this dimension, or -1
}

func linearOf(e *ir.AffineExpr, dims int) linearExpr {
	l := linearExpr{coef: make([]int64, dims), linear: true, dim: -1}
	var add func(e *ir.AffineExpr, k int64) bool
	add = func(e *ir.AffineExpr, k int64) bool {
		switch e.Kind {
		case ir.AffineConst:
			l.konst += k * e.Value
		case ir.AffineDim:
			l.coef[e.Value] += k
		case ir.AffineAdd:
			return add(e.LHS, k) && add(e.RHS, k)
		case ir.AffineMul:
			// Of what isn't constant, maps of structured operations have no products.
			return add(e.LHS, k*e.RHS.Value)
		default:
			return false
		}
		return true
	}
	l.linear = add(e, 1)
	if e.Kind == ir.AffineDim {
		l.dim = int(e.Value)
	}
	return l
}

// nestOperand is an operand of a loop nest as it was compiled.
type nestOperand struct {
	reg    Reg
	elem   *Elem
	shaped bool
	tensor bool
	exprs  []linearExpr
	linear bool
	amap   *ir.AffineMap
	arg    Reg  // of the body's block argument, if it has one for the operand
	read   bool // the body computes with the element
	copied bool // the body yields the element
}

// nest is a compiled structured operation.
type nest struct {
	op       *ir.Op
	dims     int
	iters    []interfaces.Iterator
	operands []nestOperand
	inits    int // position of the first init
	results  []Reg
	take     []func(f *Frame) *Tensor
	reuse    []bool
	from     [][2]int // for each dimension an operand and the position of its size
	body     []Step
	yields   []Reg
	copyOf   []int // for each yielded value the operand that is copied, or -1
	effects  bool  // the body may write to buffers
	index    []Reg
	cost     int64
	onto     []bool // the init's map reaches each of its elements once
	lanes    *laneProgram
}

// scalar returns the type of what an iteration gets of the operand, v: an element, or all of it.
func (o *nestOperand) scalar(v *ir.Value) ir.Type {
	if o.shaped {
		return ir.ElementType(v.Type())
	}
	return v.Type()
}

// structured compiles an operation that implements interfaces.Structured.
func (c *Compiler) structured(op *ir.Op) (Step, error) {
	maps, iters := interfaces.IndexingMaps(op), interfaces.Iterators(op)
	inits := interfaces.DpsInits(op)
	body := op.BodyBlock(0)
	n := &nest{op: op, dims: len(iters), iters: iters, inits: op.NumOperands() - len(inits), results: c.Regs(op.Results().Values())}
	state := &nestState{outer: c.nest}
	for range iters {
		state.index = append(state.index, c.NewWord())
	}
	n.index = state.index
	c.nest = state
	code, err := c.Region(op.RegionAt(0), nil)
	c.nest = state.outer
	if err != nil {
		return nil, err
	}
	n.body = code.blocks[0].steps
	n.cost = int64(len(n.body)) + 1
	term := body.Terminator()
	for i := range op.NumOperands() {
		v := op.Operand(i)
		o := nestOperand{reg: c.Reg(v), elem: ElemOf(ir.ElementType(v.Type())), shaped: ir.IsTensor(v.Type()) || ir.IsMemRef(v.Type()),
			tensor: holdsTensor(v.Type()), amap: maps[i], linear: true}
		for _, e := range maps[i].Results {
			l := linearOf(e, n.dims)
			o.linear = o.linear && l.linear
			o.exprs = append(o.exprs, l)
		}
		if i < len(body.Args()) {
			arg := body.Args()[i]
			if arg.Type() != o.scalar(v) {
				return nil, Unsupported(op, "its body has other elements")
			}
			o.arg = c.Reg(arg)
			for u := arg.FirstUse(); u != nil; u = u.Next() {
				if u.Owner() == term && o.shaped {
					o.copied = true
				} else {
					o.read = true
				}
			}
		}
		n.operands = append(n.operands, o)
	}
	for i := range term.NumOperands() {
		v := term.Operand(i)
		k := -1
		if v.ArgOwner() == body && n.operands[v.Index()].shaped {
			k = v.Index()
		}
		n.copyOf = append(n.copyOf, k)
		n.yields = append(n.yields, c.Reg(v))
	}
	if len(n.yields) != len(inits) {
		return nil, Unsupported(op, "its structure is not supported")
	}
	for i := range inits {
		// Words of another size would be written outside of the memory.
		if k := inits[i].Index(); term.Operand(i).Type() != n.operands[k].scalar(inits[i].Value()) {
			return nil, Unsupported(op, "its body has other elements")
		}
	}
	n.from = make([][2]int, n.dims)
	for d := range n.from {
		n.from[d] = [2]int{-1, 0}
		for k := len(n.operands) - 1; k >= 0; k-- {
			for r, e := range n.operands[k].exprs {
				if e.dim == d {
					n.from[d] = [2]int{k, r}
				}
			}
		}
		if n.from[d][0] < 0 {
			return nil, Unsupported(op, "the extent of an iteration dimension is unknown")
		}
	}
	for i := range inits {
		o := &n.operands[n.inits+i]
		n.onto = append(n.onto, oneToOne(o))
		n.take = append(n.take, c.Take(&inits[i]))
		n.reuse = append(n.reuse, c.LastUse(&inits[i]))
	}
	for op := range body.Ops() {
		n.effects = n.effects || op != term && !interfaces.IsMemoryEffectFree(op)
	}
	n.lanes = c.laneProgram(n, body)
	return n.run, nil
}

// oneToOne tells whether the map reaches all elements of the operand: whether its
// results are different dimensions.
func oneToOne(o *nestOperand) bool {
	seen := map[int]bool{}
	for _, e := range o.exprs {
		if e.dim < 0 || seen[e.dim] {
			return false
		}
		seen[e.dim] = true
	}
	return true
}

// nestRun is one execution of a nest.
type nestRun struct {
	*nest
	f       *Frame
	views   []View
	sizes   []int64
	idx     []int64
	at      []int64   // position of each operand's current element
	strides [][]int64 // of each operand, per dimension, in bytes (or objects)
	copied  []element // of each yielded value that is copied, at the current point
}

func (n *nest) run(f *Frame) error {
	r := nestRun{nest: n, f: f, views: make([]View, len(n.operands))}
	var tensors []*Tensor
	for k := range n.operands {
		o := &n.operands[k]
		if !o.shaped {
			continue
		}
		if !o.tensor {
			m := f.O[o.reg.Object()].(*MemRef)
			check := m.Access
			if k >= n.inits {
				check = m.Writable
			}
			if err := check(n.op); err != nil {
				return err
			}
			r.views[k] = m.View()
			continue
		}
		t := f.O[o.reg.Object()].(*Tensor)
		if k >= n.inits {
			i := k - n.inits
			if o.read || o.copied || !n.onto[i] || n.reuse[i] && !t.shared {
				t = n.take[i](f)
			} else {
				t = NewTensor(t.Elem, t.Sizes, false)
			}
			tensors = append(tensors, t)
		}
		r.views[k] = t.View()
	}
	r.sizes = make([]int64, n.dims)
	points := int64(1)
	for d, from := range n.from {
		r.sizes[d] = r.views[from[0]].Sizes[from[1]]
		points *= r.sizes[d]
	}
	if err := f.M.Charge(n.op, points*n.cost); err != nil {
		return err
	}
	if err := r.place(points); err != nil {
		return err
	}
	if points == 0 {
		for i := range tensors {
			tensors[i] = n.take[i](f) // all of it stays: a reduction of nothing
		}
	} else if !r.runLanes() {
		r.idx, r.copied = make([]int64, n.dims), make([]element, len(n.yields))
		if err := r.loop(0); err != nil {
			return err
		}
	}
	for i, t := range tensors {
		f.O[n.results[i].Object()] = t
	}
	return nil
}

// place computes where each operand starts and how far each dimension moves it,
// and checks that all accesses are in bounds.
func (r *nestRun) place(points int64) error {
	r.at, r.strides = make([]int64, len(r.operands)), make([][]int64, len(r.operands))
	for k := range r.operands {
		o, v := &r.operands[k], &r.views[k]
		if !o.shaped {
			continue
		}
		if len(o.exprs) != len(v.Sizes) {
			return Unsupported(r.op, "an indexing map does not fit its operand")
		}
		u := o.elem.unit()
		r.at[k], r.strides[k] = v.Start, make([]int64, r.dims)
		for i, e := range o.exprs {
			if !e.linear {
				continue
			}
			if e.dim >= 0 && v.Sizes[i] != r.sizes[e.dim] {
				return r.mismatch(k, i, e.dim)
			}
			lo, hi := e.konst, e.konst
			for d, x := range e.coef {
				if x > 0 {
					hi += x * (r.sizes[d] - 1)
				} else {
					lo += x * (r.sizes[d] - 1)
				}
				r.strides[k][d] += x * v.Strides[i] * u
			}
			r.at[k] += e.konst * v.Strides[i] * u
			if points > 0 && (lo < 0 || hi >= v.Sizes[i]) {
				bad := lo
				if lo >= 0 {
					bad = hi
				}
				return r.outside(k, i, bad)
			}
		}
		if points > 0 {
			if err := v.fits(r.op); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *nestRun) mismatch(k, i, d int) error {
	err := Findf(SizeMismatch, r.op, "dimension %d of operand #%d has size %d, where the loop has %d iterations",
		i, k, r.views[k].Sizes[i], r.sizes[d])
	if a := r.views[k].Alloc; a != nil {
		err.about(a)
	}
	return err
}

func (r *nestRun) outside(k, i int, index int64) error {
	err := Findf(OutOfBounds, r.op, "index %d is out of bounds of dimension %d of operand #%d, which has size %d",
		index, i, k, r.views[k].Sizes[i])
	if a := r.views[k].Alloc; a != nil {
		err.about(a)
	}
	return err
}

// uninitialized is the finding that an undefined element of operand k is read.
func (r *nestRun) uninitialized(k int) error {
	v := r.views[k]
	if v.Alloc == nil {
		return Findf(Uninitialized, r.op, "an undefined element of the tensor that is operand #%d is read", k)
	}
	return Findf(Uninitialized, r.op, "an uninitialized element of the memref that is operand #%d is read", k).about(v.Alloc)
}

// loop executes the dimensions from d on, element by element.
func (r *nestRun) loop(d int) error {
	if d == r.dims {
		return r.point()
	}
	n := r.sizes[d]
	w := &r.f.W[r.index[d].Word()]
	for i := int64(0); i < n; i++ {
		r.idx[d], *w = i, uint64(i)
		if err := r.loop(d + 1); err != nil {
			return err
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

// position returns where the current element of operand k is.
func (r *nestRun) position(k int) (int64, error) {
	o := &r.operands[k]
	if o.linear {
		return r.at[k], nil
	}
	v := &r.views[k]
	p, u := r.at[k], o.elem.unit()
	for i, e := range o.exprs {
		if e.linear {
			continue
		}
		x, ok := o.amap.Results[i].Eval(r.idx, nil)
		if !ok || uint64(x) >= uint64(v.Sizes[i]) {
			return 0, r.outside(k, i, x)
		}
		p += x * v.Strides[i] * u
	}
	return p, nil
}

func (r *nestRun) point() error {
	f := r.f
	for k := range r.operands {
		o := &r.operands[k]
		if !o.read {
			continue
		}
		if !o.shaped {
			if o.reg.IsWord() {
				f.W[o.arg.Word()] = f.W[o.reg.Word()]
			} else {
				f.O[o.arg.Object()] = f.O[o.reg.Object()]
			}
			continue
		}
		p, err := r.position(k)
		if err != nil {
			return err
		}
		s := r.views[k].Store
		if !s.has(p, o.elem.unit()) {
			return r.uninitialized(k)
		}
		if o.elem.Size == 0 {
			f.O[o.arg.Object()] = s.objs[p]
		} else {
			f.W[o.arg.Word()] = s.load(p, o.elem.Size)
		}
	}
	// What is yielded as it was read is read before anything is stored: the body
	// or an earlier result may replace it.
	for i, from := range r.copyOf {
		if from < 0 || r.keeps(i) {
			continue
		}
		q, err := r.position(from)
		if err != nil {
			return err
		}
		r.copied[i] = r.views[from].Store.element(q, r.operands[from].elem)
	}
	for _, s := range r.body {
		if err := s(f); err != nil {
			return err
		}
	}
	for i, y := range r.yields {
		if r.keeps(i) {
			continue
		}
		k := r.inits + i
		p, err := r.position(k)
		if err != nil {
			return err
		}
		e := r.operands[k].elem
		if r.copyOf[i] >= 0 {
			r.views[k].Store.setElement(p, e, r.copied[i])
		} else {
			r.views[k].Store.put(f, y, p, e.Size, e.unit())
		}
	}
	return nil
}

// keeps tells whether yielded value i leaves the element as it is: whether it is the
// element itself, which neither the body nor another result can have replaced.
func (r *nestRun) keeps(i int) bool {
	k := r.inits + i
	return r.copyOf[i] == k && (r.operands[k].tensor || len(r.yields) == 1 && !r.effects)
}
