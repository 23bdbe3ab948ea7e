// Package naive executes programs as slowly and simply as can be: it walks operations,
// keeps values in maps, and computes with integers and fractions of any size. It is there
// to be compared with the execution by package exec, with which it shares no code: nothing
// is compiled, no run of elements is computed at once, no number has a word of its own.
//
// It knows the operations of the dialects arith, math, index, complex, vector, memref,
// tensor, linalg, scf, cf, affine, func and ub by their names, and says so of any other. It
// stops where a program does something undefined, without telling how to mend it.
package naive

import (
	"errors"
	"fmt"
	"math/big"
	"sync"

	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/ir/shapes"
)

// A value is one of
//
//	*big.Int   an integer or index, from 0 up to 2^width
//	Number     a floating-point number
//	Complex    a complex number
//	*Tensor    a tensor or vector
//	*MemRef    a memref
//	Undefined  what is undefined, or poison

// Complex is a complex number.
type Complex struct{ Re, Im any }

// Undefined is an undefined element or poison.
type Undefined struct{}

// Tensor is a tensor or a vector. It is never changed.
type Tensor struct {
	Type  ir.Type // of the elements
	Sizes []int64
	Elems []any // in row-major order
}

// ErrUnknown is the error for operations that the package doesn't know.
var ErrUnknown = errors.New("the operation is not known")

// ErrSteps is the error for programs that take too long.
var ErrSteps = errors.New("it takes too long")

// Wrong is the error of programs that do something undefined.
type Wrong struct {
	Op   *ir.Op // nil where the contents of a result are wrong
	Kind Kind
	What string
}

// Kind classifies what programs do wrong.
type Kind string

// The kinds.
const (
	UseAfterFree   Kind = "use after free"
	InvalidFree    Kind = "invalid free" // or a second one
	OutOfBounds    Kind = "out of bounds"
	Uninitialized  Kind = "uninitialized"
	DivisionByZero Kind = "division by zero"
	SizeMismatch   Kind = "size mismatch"
	Assertion      Kind = "assertion"
	Unspecified    Kind = "undefined behavior"
)

func (w *Wrong) Error() string {
	if w.Op == nil {
		return "a result: " + w.What // whose contents are asked for
	}
	return fmt.Sprintf("%s: %s", w.Op.Name(), w.What)
}

// Run executes a function of a verified module and returns its results. steps limits the
// number of operations.
func Run(module, fn *ir.Op, args []any, steps int) (results []any, err error) {
	return (&Machine{Steps: steps}).Run(module, fn, args)
}

// Machine says how to execute a function, and counts what it does. It is for one execution.
type Machine struct {
	// Steps limits the number of operations.
	Steps int
	// Trace is told of each operation that was executed, but terminators, and its results. It may be nil.
	Trace func(op *ir.Op, results []any)
	// External is what a declared function does. It may be nil.
	External func(name string, args []any) []any
	// Allocations and Frees count those of heap memory.
	Allocations, Frees int64
	// TensorBytes is how many bytes tensors need that are in use at the same time, at most. It is
	// found out if CountTensors is set.
	CountTensors bool
	TensorBytes  int64
}

// Run executes a function of a verified module and returns its results.
func (m *Machine) Run(module, fn *ir.Op, args []any) (results []any, err error) {
	filling.Do(fill)
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *Wrong:
			err = r
		case error:
			if errors.Is(r, ErrUnknown) || errors.Is(r, ErrSteps) {
				err = r
				return
			}
			panic(r)
		default:
			panic(r)
		}
	}()
	p := &program{Machine: m, globals: map[*ir.Op]*MemRef{}, constants: map[*ir.Op]any{}, steps: m.Steps}
	p.given = args
	results = p.call(fn, args)
	for _, v := range results {
		if v == (Undefined{}) {
			return nil, &Wrong{fn, Uninitialized, "a result is undefined"}
		}
	}
	return results, nil
}

type program struct {
	*Machine
	globals   map[*ir.Op]*MemRef
	steps     int
	depth     int
	addresses int64
	stack     []*Memory // of the scopes that aren't left yet
	frames    []*frame  // of the functions that are being executed
	given     []any     // the arguments, which the caller keeps
	constants map[*ir.Op]any
}

// frame is an activation of a function.
type frame struct {
	*program
	values map[*ir.Value]any
	index  [][]int64 // of the iterations of structured operations around the operation
	fn     *ir.Op
	inUse  map[*ir.Value]bool // the tensors that are in use; see countTensors
}

func (p *program) call(fn *ir.Op, args []any) []any {
	if fn.BodyBlock(0) == nil && p.External != nil {
		name, _ := ir.SymbolName(fn)
		return p.External(name, args)
	}
	if fn.BodyBlock(0) == nil {
		panic(fmt.Errorf("a declared function: %w", ErrUnknown))
	}
	if p.depth++; p.depth > 1000 {
		panic(ErrSteps)
	}
	defer func() { p.depth-- }()
	f := &frame{program: p, values: map[*ir.Value]any{}, fn: fn, inUse: map[*ir.Value]bool{}}
	p.frames = append(p.frames, f)
	results := f.region(fn.RegionAt(0), args)
	p.frames = p.frames[:len(p.frames)-1]
	if m, ok := interfaces.Function.Of(fn); ok && len(m.Type(fn).Results) != len(results) {
		panic(fmt.Errorf("what ends the function: %w", ErrUnknown))
	}
	return results
}

// region executes a region with the given arguments of its entry block, and returns the
// operands of the operation that leaves it.
func (f *frame) region(r *ir.Region, args []any) []any {
	if r.Op().Has(ir.TraitAutomaticAllocationScope) {
		mark := len(f.stack)
		defer func() {
			for _, m := range f.stack[mark:] {
				m.freed = true
			}
			f.stack = f.stack[:mark]
		}()
	}
	b := r.Entry()
	for {
		for i, a := range b.Args() {
			if i < len(args) {
				f.values[a] = args[i]
				f.inUse[a] = true
			}
		}
		var last *ir.Op
		for op := range b.Ops() {
			if f.steps--; f.steps < 0 {
				panic(ErrSteps)
			}
			last = op
			if op == b.Last() && op.Has(ir.TraitTerminator) {
				break
			}
			f.execute(op)
			if f.CountTensors {
				f.account(op)
			}
			if f.Trace != nil {
				var results []any
				for _, v := range op.Results().Values() {
					results = append(results, f.values[v])
				}
				f.Trace(op, results)
			}
			last = nil
		}
		if last == nil {
			return nil // a block without terminator
		}
		if last.NumSuccessors() == 0 {
			if _, ok := operations[last.Name()]; ok {
				f.execute(last) // such as the reductions of a loop
			}
			return f.all(last)
		}
		b, args = f.branch(last)
	}
}

// branch returns the block to which a terminator goes, with its arguments.
func (f *frame) branch(op *ir.Op) (*ir.Block, []any) {
	k := 0
	switch op.Name() {
	case "cf.br":
	case "cf.cond_br":
		if f.integer(op, 0).Sign() == 0 {
			k = 1
		}
	case "cf.switch":
		flag := f.integer(op, 0)
		if cases, ok := op.Attr("case_values").(*ir.DenseElementsAttr); ok {
			t := tensorOf(cases)
			for i, v := range t.Elems {
				if v.(*big.Int).Cmp(flag) == 0 {
					k = i + 1
					break
				}
			}
		}
	default:
		panic(fmt.Errorf("%s: %w", op.Name(), ErrUnknown))
	}
	m, _ := interfaces.Branch.Of(op)
	start, n, _ := m.SuccessorOperands(op, k)
	var args []any
	for i := range n {
		args = append(args, f.get(op.Operand(start+i)))
	}
	return op.Successor(k), args
}

func (f *frame) execute(op *ir.Op) {
	if fn, ok := operations[op.Name()]; ok {
		fn(f, op)
		return
	}
	if fn, ok := elementwise[op.Name()]; ok {
		f.mapElements(op, fn)
		return
	}
	if op.Has(ir.TraitConstantLike) && op.NumResults() == 1 {
		if v := f.constantOf(op); v != nil {
			f.set(op, 0, v)
			return
		}
	}
	if interfaces.Structured.Has(op) {
		f.structured(op)
		return
	}
	panic(fmt.Errorf("%s: %w", op.Name(), ErrUnknown))
}

// constantOf returns what a constant operation makes, each time the same value; nil if that isn't known.
func (p *program) constantOf(op *ir.Op) any {
	v, ok := p.constants[op]
	if !ok {
		v = constant(ir.ConstantOf(op.Result(0)))
		p.constants[op] = v
	}
	return v
}

// operations has what is done for operations that are not elementwise. It is filled by
// the files of the dialects.
var operations = map[string]func(f *frame, op *ir.Op){}

// elementwise has the operations that compute a result from one element of each operand,
// none of which is undefined.
var elementwise = map[string]func(op *ir.Op, in []ir.Type, out ir.Type, args []any) any{}

// filling is done before the first program is executed.
var filling sync.Once

// fill makes the tables of operations.
func fill() {
	fillIntegers()
	for _, list := range []map[string]func(f *frame, op *ir.Op){
		arithOperations(), memrefOperations(), tensorOperations(), loopOperations(), affineOperations(), vectorOperations(), vectorMemory(), programOperations(), bufferOperations(), transferOperations(),
	} {
		for name, fn := range list {
			operations[name] = fn
		}
	}
	for _, list := range []map[string]func(op *ir.Op, in []ir.Type, out ir.Type, args []any) any{
		integerFunctions(), floatFunctions(), mathFunctions(), complexFunctions(),
	} {
		for name, fn := range list {
			elementwise[name] = fn
		}
	}
}

func (f *frame) wrong(op *ir.Op, kind Kind, format string, args ...any) {
	panic(&Wrong{op, kind, fmt.Sprintf(format, args...)})
}

func (f *frame) get(v *ir.Value) any {
	x, ok := f.values[v]
	if !ok {
		panic(fmt.Errorf("a value of type %s: %w", v.Type(), ErrUnknown))
	}
	return x
}

func (f *frame) operand(op *ir.Op, i int) any { return f.get(op.Operand(i)) }

func (f *frame) all(op *ir.Op) []any {
	out := make([]any, op.NumOperands())
	for i := range out {
		out[i] = f.operand(op, i)
	}
	return out
}

func (f *frame) set(op *ir.Op, i int, v any) { f.values[op.Result(i)] = v }

func (f *frame) setAll(op *ir.Op, vs []any) {
	for i := range op.NumResults() {
		f.set(op, i, vs[i])
	}
}

// integer returns an operand that something depends on, which may not be undefined.
func (f *frame) integer(op *ir.Op, i int) *big.Int { return f.defined(op, f.operand(op, i)) }

func (f *frame) defined(op *ir.Op, v any) *big.Int {
	if v, ok := v.(*big.Int); ok {
		return v
	}
	f.wrong(op, Uninitialized, "an undefined number is used")
	return nil
}

// number returns a value of type index, or another integer, as a signed number.
func (f *frame) number(op *ir.Op, v *ir.Value) int64 {
	return signed(f.defined(op, f.get(v)), width(v.Type())).Int64()
}

func (f *frame) numbers(op *ir.Op, vs []*ir.Value) []int64 {
	out := make([]int64, len(vs))
	for i, v := range vs {
		out[i] = f.number(op, v)
	}
	return out
}

func (f *frame) mixed(op *ir.Op, list []shapes.OpFoldResult) []int64 {
	out := make([]int64, len(list))
	for i, r := range list {
		if out[i] = r.Const; r.Value != nil {
			out[i] = f.number(op, r.Value)
		}
	}
	return out
}

func (f *frame) tensor(op *ir.Op, i int) *Tensor {
	t, ok := f.operand(op, i).(*Tensor)
	if !ok {
		f.wrong(op, Uninitialized, "an undefined vector is used")
	}
	return t
}

func count(sizes []int64) int64 {
	n := int64(1)
	for _, s := range sizes {
		n *= s
	}
	return n
}

func equal(a, b []int64) bool {
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

// points calls fn for all indices below the sizes, in row-major order.
func points(sizes []int64, fn func(idx []int64)) {
	idx := make([]int64, len(sizes))
	var walk func(d int)
	walk = func(d int) {
		if d == len(sizes) {
			fn(append([]int64(nil), idx...))
			return
		}
		for idx[d] = 0; idx[d] < sizes[d]; idx[d]++ {
			walk(d + 1)
		}
	}
	walk(0)
}

// at returns the element with the given indices.
func (t *Tensor) at(idx []int64) any { return t.Elems[t.position(idx)] }

func (t *Tensor) inside(idx []int64) bool {
	for i, x := range idx {
		if x < 0 || x >= t.Sizes[i] {
			return false
		}
	}
	return true
}

func (t *Tensor) position(idx []int64) int64 {
	p := int64(0)
	for i, x := range idx {
		p = p*t.Sizes[i] + x
	}
	return p
}

// with returns the tensor with other elements, which fn may set.
func (t *Tensor) with(fn func(set func(idx []int64, v any))) *Tensor {
	out := &Tensor{t.Type, t.Sizes, append([]any(nil), t.Elems...)}
	fn(func(idx []int64, v any) { out.Elems[out.position(idx)] = v })
	return out
}

// build returns a tensor of a type whose elements fn computes.
func build(elem ir.Type, sizes []int64, fn func(idx []int64) any) *Tensor {
	t := &Tensor{Type: elem, Sizes: sizes}
	points(sizes, func(idx []int64) { t.Elems = append(t.Elems, fn(idx)) })
	return t
}

func undefined(elem ir.Type, sizes []int64) *Tensor {
	return build(elem, sizes, func([]int64) any { return Undefined{} })
}

// constant returns the value of an attribute, or nil.
func constant(a ir.Attribute) any {
	switch a := a.(type) {
	case *ir.IntegerAttr:
		w := width(a.Type)
		return wrap(new(big.Int).Set(a.BigInt()), w)
	case *ir.FloatAttr:
		bits := new(big.Int).SetUint64(a.Hi)
		bits.Lsh(bits, 64).Or(bits, new(big.Int).SetUint64(a.Lo))
		return decode(a.Type, bits)
	case *ir.DenseElementsAttr:
		return tensorOf(a)
	case *ir.ArrayAttr:
		if len(a.Elems) == 2 {
			return Complex{constant(a.Elems[0]), constant(a.Elems[1])}
		}
	}
	return nil
}

func tensorOf(a *ir.DenseElementsAttr) *Tensor {
	shape, _ := ir.ShapeOf(a.Type)
	t := &Tensor{Type: ir.ElementType(a.Type), Sizes: shape}
	for i := range count(shape) {
		raw := a.Raw(i)
		t.Elems = append(t.Elems, FromBits(t.Type, fromBytes(raw)))
	}
	return t
}

// fromBytes returns the number whose bytes are given, the lowest first.
func fromBytes(raw string) *big.Int {
	v := new(big.Int)
	for i := len(raw) - 1; i >= 0; i-- {
		v.Lsh(v, 8).Or(v, big.NewInt(int64(raw[i])))
	}
	return v
}
