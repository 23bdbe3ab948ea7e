package exec

import (
	"math/big"

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
	NotFused Fused = iota
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

// DialectElementwise is implemented by dialects that keep the elementwise models
// of their operations in one place: it returns the model for the operation of
// that name, or nil.
var DialectElementwise = ir.NewInterface[func(op string) ScalarModel]("ExecutableElementwiseDialect")

func scalarModelOf(op *ir.Op) ScalarModel {
	if m, ok := Elementwise.Of(op); ok {
		return m
	}
	if table, ok := DialectElementwise.OfDialect(op.Dialect()); ok {
		return table(op.Name())
	}
	return nil
}

// scalarOf returns what an elementwise operation computes.
func scalarOf(op *ir.Op, m ScalarModel) (Scalar, bool) {
	if op.NumResults() != 1 {
		return Scalar{}, false
	}
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
		return c.mapElements(op, s)
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
	if s.Emit != nil && s.Check == nil {
		return s.Emit(d, args), nil
	}
	switch {
	case s.F1 != nil && len(args) == 1:
		fn, a := s.F1, args[0]
		return func(f *Frame) error {
			f.W[d] = fn(f.W[a])
			return nil
		}, nil
	case s.F2 != nil && s.Check != nil && len(args) == 2:
		fn, check, a, b := s.F2, s.Check, args[0], args[1]
		return func(f *Frame) error {
			x, y := f.W[a], f.W[b]
			if wrong := check(x, y); wrong != nil {
				return Findf(wrong.Kind, op, "%s", wrong.Message)
			}
			f.W[d] = fn(x, y)
			return nil
		}, nil
	case s.F2 != nil && len(args) == 2:
		fn, a, b := s.F2, args[0], args[1]
		return func(f *Frame) error {
			f.W[d] = fn(f.W[a], f.W[b])
			return nil
		}, nil
	case s.F3 != nil && len(args) == 3:
		fn, a, b, x := s.F3, args[0], args[1], args[2]
		return func(f *Frame) error {
			f.W[d] = fn(f.W[a], f.W[b], f.W[x])
			return nil
		}, nil
	}
	return nil, Unsupported(op, "its types are not supported")
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

func (s *Scalar) words() bool { return s.F1 != nil || s.F2 != nil || s.F3 != nil }

// wide compiles an operation some of whose values are wider than a word.
func (c *Compiler) wide(op *ir.Op, s Scalar) (Step, error) {
	if s.Wide == nil {
		return nil, Unsupported(op, "its types are not supported")
	}
	regs := c.Regs(op.Operands().Values())
	d := c.Reg(op.Result(0))
	limit := new(big.Int).Lsh(big.NewInt(1), uint(Width(op.Result(0).Type())))
	return func(f *Frame) error {
		args := make([]*big.Int, len(regs))
		for i, r := range regs {
			if r.IsWord() {
				args[i] = new(big.Int).SetUint64(f.W[r.Word()])
			} else {
				args[i] = f.O[r.Object()].(*big.Int)
			}
		}
		v, wrong := s.Wide(args)
		if wrong != nil {
			return Findf(wrong.Kind, op, "%s", wrong.Message)
		}
		v.Mod(v, limit)
		if d.IsWord() {
			f.W[d.Word()] = v.Uint64()
		} else {
			f.O[d.Object()] = v
		}
		return nil
	}, nil
}

// mapElements compiles an elementwise operation on tensors or vectors. Operands
// that are not shaped are the same for every element.
func (c *Compiler) mapElements(op *ir.Op, s Scalar) (Step, error) {
	out := ElemOf(ir.ElementType(op.Result(0).Type()))
	regs := c.Regs(op.Operands().Values())
	elems := make([]*Elem, len(regs))
	shaped := make([]bool, len(regs))
	for i := range regs {
		t := op.Operand(i).Type()
		elems[i], shaped[i] = ElemOf(ir.ElementType(t)), ir.IsShaped(t)
		if elems[i].Size == 0 || out.Size == 0 {
			return nil, Unsupported(op, "elements of this type are not supported")
		}
	}
	if !s.words() {
		return nil, Unsupported(op, "its types are not supported")
	}
	d := c.Object(op.Result(0))
	lane := newLaneOp(s, elems, out)
	return func(f *Frame) error {
		var sizes []int64
		in := make([]View, len(regs))
		for i, r := range regs {
			if !shaped[i] {
				continue
			}
			t := f.O[r.Object()].(*Tensor)
			if sizes == nil {
				sizes = t.Sizes
			} else if !sameSizes(sizes, t.Sizes) {
				return Findf(SizeMismatch, op, "operands have different sizes, %s and %s", shape(sizes), shape(t.Sizes))
			}
			if !t.Store.Initialized() {
				return Findf(Uninitialized, op, "undefined elements of a tensor are read")
			}
			in[i] = View{Store: t.Store, Elem: t.Elem}
		}
		res := NewTensor(out, sizes, true)
		n := res.Elements()
		if err := f.M.Charge(op, n); err != nil {
			return err
		}
		args := make([]Lane, len(regs))
		for i, r := range regs {
			args[i] = newLane(elems[i])
			if !shaped[i] {
				args[i].fill(f.W[r.Word()], laneLen)
			}
		}
		dst := newLane(out)
		for p := int64(0); p < n; p += laneLen {
			k := min(laneLen, n-p)
			for i := range regs {
				if shaped[i] {
					args[i].load(in[i].Store, elems[i], p*elems[i].Size, elems[i].Size, k)
				}
			}
			if wrong := lane.run(int(k), &dst, args); wrong != nil {
				return Findf(wrong.Kind, op, "%s", wrong.Message)
			}
			dst.store(res.Store, out, p*out.Size, out.Size, k)
		}
		f.O[d] = res
		return nil
	}, nil
}

func sameSizes(a, b []int64) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// objectOfRaw returns the object for the bytes of a dense element that is not a
// word: an integer wider than a word, or the two words of a complex number.
func objectOfRaw(t ir.Type, raw string) any {
	if ct, ok := t.(*ir.ComplexType); ok && IsWord(ct.Elem) {
		h := len(raw) / 2
		return Complex{wordOfRaw(raw[:h]), wordOfRaw(raw[h:])}
	}
	be := make([]byte, len(raw))
	for i := range be {
		be[i] = raw[len(raw)-1-i]
	}
	return new(big.Int).SetBytes(be)
}

// Complex is a complex number whose parts are words.
type Complex struct{ Re, Im uint64 }
