package exec

import (
	"math/big"
	"slices"

	"freehold/ir"
)

// Scalar is what an elementwise operation computes from words. Exactly one of F1,
// F2 and F3 is set, by the number of operands, unless only Wide is.
type Scalar struct {
	F1 func(a uint64) uint64
	F2 func(a, b uint64) uint64
	F3 func(a, b, c uint64) uint64
	// Check returns what is wrong with the operands, or nil; it is for operations of
	// two operands and may be nil.
	Check func(a, b uint64) *Fault
	// Wide computes integers of any width, which are passed and returned as numbers
	// from 0 up to 2^width; it may be nil. A result that is too wide is cut.
	Wide func(args []*big.Int) (*big.Int, *Fault)
	// width is that of the result of Wide, where [Scalar.Apply] is to cut it.
	width int
	// Objects computes values some of which are objects other than integers; words
	// are passed and returned as uint64. It may be nil.
	Objects func(args []any) any
	// Poison tells whether a result r of defined operands (0 where there are fewer) is
	// poison. Of three, it is asked again with the third one as a. It may be nil.
	Poison func(a, b, r uint64) bool
	// WidePoison is Poison for integers of any width; r has not been cut yet.
	WidePoison func(args []*big.Int, r *big.Int) bool
	// Selects tells that the second operand is chosen if the first is 1, else the
	// third, so that it doesn't matter whether the other one is poison.
	Selects bool
	// wraps tells whether the exact result of an addition, subtraction or
	// multiplication doesn't fit as a signed, and as an unsigned, number.
	wraps func(a, b uint64, width int) (bySign, unsigned bool)
	// Emit returns a step that does the same as F1, F2 or F3 on words of the frame
	// without an indirect call. It may be nil.
	Emit func(dst int, args []int) Step
	// Run32 and Run64 compute runs of f32 or f64 elements, if operands and result all
	// have that type. They may be nil. The slices have equal lengths, and dst may be
	// one of the operands.
	Run32 func(dst []float32, args [][]float32)
	Run64 func(dst []float64, args [][]float64)
	// Fused tells which operation this is for kernels that join several.
	Fused Fused
}

// Fused names operations that loop kernels know how to join.
type Fused uint8

// The operations that kernels join.
const (
	_ Fused = iota // no operation
	FusedAdd
	FusedMul
)

// Fault is something that is wrong with the operands of a scalar operation.
type Fault struct {
	Kind    Kind
	Message string
}

// ScalarModel returns what an operation computes, given the element types of its
// operands and of its result; false if it can't be executed on them.
type ScalarModel func(op *ir.Op, in []ir.Type, out ir.Type) (Scalar, bool)

// Elementwise is implemented by operations of one result that compute each of
// its elements from one element of each operand.
var Elementwise = ir.NewInterface[ScalarModel]("ExecutableElementwise")

// scalarOf returns what an elementwise operation computes.
func scalarOf(op *ir.Op, m ScalarModel) (Scalar, bool) {
	in := make([]ir.Type, op.NumOperands())
	for i := range in {
		in[i] = ir.ElementType(op.Operand(i).Type())
	}
	return m(op, in, ir.ElementType(op.Result(0).Type()))
}

// Elementwise compiles an operation on elements with the given model.
func (c *Compiler) Elementwise(op *ir.Op, m ScalarModel) (Step, error) {
	s, ok := scalarOf(op, m)
	if !ok {
		return nil, Unsupported(op, "its types are not supported")
	}
	if ir.IsMemRef(op.Result(0).Type()) {
		return nil, Unsupported(op, "it is not supported on memrefs")
	}
	if ir.IsShaped(op.Result(0).Type()) {
		if !slices.ContainsFunc(op.Operands().Types(), ir.IsShaped) {
			return nil, Unsupported(op, "a number becomes several")
		}
		for _, v := range op.Operands().Values() {
			// Verifiers of some operations, such as the casts of llvm, let it pass.
			if ir.IsShaped(v.Type()) && !ir.CompatibleShapes(v.Type(), op.Result(0).Type()) {
				return nil, Unsupported(op, "its operands and its result have different numbers of elements")
			}
		}
		return c.mapElements(op, s)
	}
	if slices.ContainsFunc(op.Operands().Types(), ir.IsShaped) {
		return nil, Unsupported(op, "several numbers become one")
	}
	words := IsWord(op.Result(0).Type())
	for i := range op.NumOperands() {
		words = words && IsWord(op.Operand(i).Type())
	}
	if !words {
		return c.wide(op, s)
	}
	return c.scalarStep(op, s)
}

func (c *Compiler) scalarStep(op *ir.Op, s Scalar) (Step, error) {
	d, args := c.Word(op.Result(0)), c.Words(op.Operands())
	if !s.words() {
		return nil, Unsupported(op, "its types are not supported")
	}
	if c.poisonable[op.Result(0)] {
		return poisonStep(op, s, d, args), nil
	}
	if s.Emit != nil {
		return s.Emit(d, args), nil
	}
	switch {
	case s.F1 != nil:
		fn, a := s.F1, args[0]
		return func(f *Frame) error {
			f.W[d] = fn(f.W[a])
			return nil
		}, nil
	case s.F2 != nil && s.Check != nil:
		fn, check, a, b := s.F2, s.Check, args[0], args[1]
		return func(f *Frame) error {
			x, y := f.W[a], f.W[b]
			if wrong := check(x, y); wrong != nil {
				return Findf(wrong.Kind, op, "%s", wrong.Message)
			}
			f.W[d] = fn(x, y)
			return nil
		}, nil
	case s.F2 != nil:
		fn, a, b := s.F2, args[0], args[1]
		return func(f *Frame) error {
			f.W[d] = fn(f.W[a], f.W[b])
			return nil
		}, nil
	}
	fn, a, b, x := s.F3, args[0], args[1], args[2]
	return func(f *Frame) error {
		f.W[d] = fn(f.W[a], f.W[b], f.W[x])
		return nil
	}, nil
}

// poisonStep is the step of an operation on words whose result can be poison.
func poisonStep(op *ir.Op, s Scalar, d int, args []int) Step {
	words := make([]uint64, len(args))
	return func(f *Frame) error {
		for i, a := range args {
			words[i] = f.W[a]
		}
		w, bad, wrong := s.compute(words, func(i int) bool { return f.P[args[i]] })
		if wrong != nil {
			return Findf(wrong.Kind, op, "%s", wrong.Message)
		}
		f.W[d], f.P[d] = w, bad
		return nil
	}
}

// compute applies the operation to words, of which some may be poison, and tells
// whether the result is.
func (s *Scalar) compute(args []uint64, bad func(i int) bool) (w uint64, isPoison bool, wrong *Fault) {
	if s.Selects {
		k := 2 - int(args[0]&1)
		return args[k], bad(0) || bad(k), nil
	}
	for i := range args {
		if bad(i) {
			if s.Check != nil && i == 1 {
				return 0, false, byPoison
			}
			isPoison = true
		}
	}
	if isPoison {
		if s.Check != nil && s.byZero(args[1]) {
			return 0, false, byZero
		}
		return 0, true, nil
	}
	if w, wrong = s.apply(args); wrong != nil || s.Poison == nil {
		return w, false, wrong
	}
	a, b := args[0], uint64(0)
	if len(args) > 1 {
		b = args[1]
	}
	return w, s.Poison(a, b, w) || len(args) > 2 && s.Poison(args[2], b, w), nil
}

func (s *Scalar) apply(args []uint64) (uint64, *Fault) {
	switch {
	case s.F1 != nil:
		return s.F1(args[0]), nil
	case s.F2 != nil:
		if s.Check != nil {
			if wrong := s.Check(args[0], args[1]); wrong != nil {
				return 0, wrong
			}
		}
		return s.F2(args[0], args[1]), nil
	}
	return s.F3(args[0], args[1], args[2]), nil
}

// Apply applies an operation of numbers that has no faults to words (uint64) or
// objects, of which some may be [PoisonValue].
func (s *Scalar) Apply(args ...any) any {
	for _, a := range args {
		if a == PoisonValue {
			return a
		}
	}
	if s.Wide != nil && !s.words() {
		ints := make([]*big.Int, len(args))
		for i, a := range args {
			ints[i] = a.(*big.Int)
		}
		v, _ := s.Wide(ints)
		return v.Mod(v, new(big.Int).Lsh(big.NewInt(1), uint(s.width)))
	}
	if s.words() {
		words := make([]uint64, len(args))
		for i, a := range args {
			words[i] = a.(uint64)
		}
		w, isPoison, _ := s.compute(words, func(int) bool { return false })
		if isPoison {
			return PoisonValue
		}
		return w
	}
	return s.Objects(args)
}

func (s *Scalar) words() bool { return s.F1 != nil || s.F2 != nil || s.F3 != nil }

// wide compiles an operation some of whose values are objects.
func (c *Compiler) wide(op *ir.Op, s Scalar) (Step, error) {
	if s.Wide == nil && s.Objects == nil {
		return nil, Unsupported(op, "its types are not supported")
	}
	regs := c.Regs(op.Operands().Values())
	d := c.Reg(op.Result(0))
	kind := newObjectOp(s, op.Result(0).Type())
	args := make([]any, len(regs))
	return func(f *Frame) error {
		for i, r := range regs {
			args[i] = f.Get(r)
		}
		v, wrong := kind.compute(args)
		if wrong != nil {
			return Findf(wrong.Kind, op, "%s", wrong.Message)
		}
		f.Set(d, v)
		return nil
	}, nil
}

// objectOp computes a scalar operation on values some of which are objects.
type objectOp struct {
	s     Scalar
	limit *big.Int // the number of values of the result's type, if it is an integer
	word  bool
	wide  bool // the operation is on integers
}

func newObjectOp(s Scalar, out ir.Type) *objectOp {
	o := &objectOp{s: s, word: IsWord(out), wide: s.Wide != nil}
	if ir.IsIntOrIndex(out) {
		o.limit = new(big.Int).Lsh(big.NewInt(1), uint(Width(out)))
	}
	return o
}

// byZero tells whether an operation divides by zero, whatever the dividend is.
func (s *Scalar) byZero(divisor any) bool {
	switch b := divisor.(type) {
	case uint64:
		return s.Check(0, b) == byZero
	case *big.Int:
		_, wrong := s.Wide([]*big.Int{new(big.Int), b})
		return wrong == byZero
	}
	return false
}

// compute applies the operation to words (as uint64) and objects; a poison value
// stands for itself.
func (o *objectOp) compute(args []any) (any, *Fault) {
	isPoison := func(v any) bool { _, is := v.(poison); return is }
	if o.s.Selects {
		k := 2
		if isPoison(args[0]) {
			k = 0
		} else if args[0].(uint64) != 0 {
			k = 1
		}
		return args[k], nil
	}
	if divides := o.s.Check != nil; divides && isPoison(args[1]) {
		return nil, byPoison
	} else if divides && isPoison(args[0]) && o.s.byZero(args[1]) {
		return nil, byZero
	}
	for _, a := range args {
		if isPoison(a) {
			return a, nil
		}
	}
	if !o.wide {
		return o.s.Objects(args), nil
	}
	ints, i := integers(args)
	if i < len(args) {
		return o.s.Objects(args), nil
	}
	v, wrong := o.s.Wide(ints)
	if wrong != nil {
		return nil, wrong
	}
	if o.s.WidePoison != nil && o.s.WidePoison(ints, v) {
		return poison{}, nil
	}
	v.Mod(v, o.limit)
	if o.word {
		return v.Uint64(), nil
	}
	return v, nil
}

// mapElements compiles an elementwise operation on tensors or vectors, all of whose operands are such.
func (c *Compiler) mapElements(op *ir.Op, s Scalar) (Step, error) {
	out := ElemOf(ir.ElementType(op.Result(0).Type()))
	regs := c.Regs(op.Operands().Values())
	elems := make([]*Elem, len(regs))
	objects := out.Size == 0
	for i := range regs {
		elems[i] = ElemOf(ir.ElementType(op.Operand(i).Type()))
		objects = objects || elems[i].Size == 0
	}
	if !objects && !s.words() || objects && s.Wide == nil && s.Objects == nil {
		return nil, Unsupported(op, "its types are not supported")
	}
	d := c.Object(op.Result(0))
	var lane *laneOp
	if !objects {
		lane = newLaneOp(s, elems, out)
	}
	kind := newObjectOp(s, out.Type)
	isVector := ir.IsVector(op.Result(0).Type())
	return func(f *Frame) error {
		in := make([]*Tensor, len(regs))
		defined := s.Poison == nil && !objects
		for i, r := range regs {
			t := f.O[r.Object()].(*Tensor)
			if in[i] = t; !slices.Equal(in[0].Sizes, t.Sizes) {
				return Findf(SizeMismatch, op, "operands have different sizes, %s and %s", shape(in[0].Sizes), shape(t.Sizes))
			}
			if !t.Store.Initialized() {
				// What a vector doesn't define is poison; a tensor has not been written.
				if !isVector {
					return Findf(Uninitialized, op, "undefined elements of a tensor are read")
				}
				defined = false
			}
		}
		n := in[0].Elements()
		if err := f.M.Charge(op, n); err != nil {
			return err
		}
		res := NewTensor(out, in[0].Sizes, defined)
		f.O[d] = res
		if !defined {
			if objects {
				return mapObjects(op, kind, res, in)
			}
			return mapWords(op, &s, res, in)
		}
		args, run := make([]Lane, len(regs)), min(laneLen, n)
		for i, e := range elems {
			args[i] = newLane(e, run)
		}
		dst := newLane(out, run)
		for p := int64(0); p < n; p += laneLen {
			k := min(laneLen, n-p)
			for i, e := range elems {
				args[i].load(in[i].Store, e, p*e.Size, e.Size, k)
			}
			if wrong := lane.run(int(k), &dst, args); wrong != nil {
				return Findf(wrong.Kind, op, "%s", wrong.Message)
			}
			dst.store(res.Store, out, p*out.Size, out.Size, k)
		}
		return nil
	}, nil
}

// mapWords computes elements that are words, one after the other, of which some
// may be poison.
func mapWords(op *ir.Op, s *Scalar, res *Tensor, in []*Tensor) error {
	words, bad := make([]uint64, len(in)), make([]bool, len(in))
	for k := range res.Elements() {
		for i, t := range in {
			w, ok := t.Word(k)
			words[i], bad[i] = w, !ok
		}
		w, isPoison, wrong := s.compute(words, func(i int) bool { return bad[i] })
		if wrong != nil {
			return Findf(wrong.Kind, op, "%s", wrong.Message)
		}
		if !isPoison {
			res.SetWord(k, w)
		}
	}
	return nil
}

// mapObjects computes elements some of which are objects.
func mapObjects(op *ir.Op, kind *objectOp, res *Tensor, in []*Tensor) error {
	args := make([]any, len(in))
	for k := range res.Elements() {
		for i, t := range in {
			args[i] = t.At(k)
		}
		v, wrong := kind.compute(args)
		if wrong != nil {
			return Findf(wrong.Kind, op, "%s", wrong.Message)
		}
		res.SetAt(k, v)
	}
	return nil
}

// objectOfRaw returns the value of a dense element that is not a word, from its
// bytes, the lowest first; nil if there are no such values.
func objectOfRaw(t ir.Type, raw string) any {
	if ct, ok := t.(*ir.ComplexType); ok {
		h := len(raw) / 2
		return Complex{objectOfRaw(ct.Elem, raw[:h]), objectOfRaw(ct.Elem, raw[h:])}
	}
	be := make([]byte, len(raw))
	for i := range be {
		be[i] = raw[len(raw)-1-i]
	}
	// The bits of the last byte that don't belong to a number of an odd width are those of its sign.
	bits := new(big.Int).SetBytes(be)
	limit := new(big.Int).Lsh(big.NewInt(1), uint(Width(t)))
	return FromBits(t, bits.And(bits, limit.Sub(limit, big.NewInt(1))))
}

// Complex is a complex number. Its parts are words (uint64) or objects, as values
// of its element type are.
type Complex struct{ Re, Im any }
