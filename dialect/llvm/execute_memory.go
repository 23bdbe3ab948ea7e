package llvm

import (
	"math"

	"freehold/exec"
	"freehold/ir"
)

// A pointer into checked memory is a view of no dimensions, of bytes, that starts where
// the pointer points. An access through it sees an element of the type that is accessed;
// it must be inside of the allocation, which must be live. A pointer itself may point
// anywhere, and the null pointer to no allocation at all. Memory for pointers holds nothing
// else.

// storable returns the element of a type that memory can hold: numbers, and pointers.
func storable(op *ir.Op, t ir.Type) (*exec.Elem, error) {
	if _, ok := is(t, pointer); !ok && !exec.IsWord(t) {
		return nil, exec.Unsupported(op, "values of that type in memory are not supported")
	}
	return exec.ElemOf(t), nil
}

// accessed returns the element that a pointer points to, which must be aligned as
// values of its type are, whatever the operation says.
func accessed(op *ir.Op, f *exec.Frame, pointer int, e *exec.Elem) (*exec.MemRef, error) {
	m, err := pointerOf(op, f, pointer)
	switch {
	case err != nil:
		return nil, err
	case m.IsNull():
		return nil, exec.Findf(exec.Undefined, op, "memory is accessed by a null pointer")
	case m.Alloc.Objects() != (e.Size == 0):
		return nil, exec.Unsupported(op, "memory for pointers that holds other values, or the other way round, is not supported")
	}
	if e.Size > 0 && m.Shift%e.Size != 0 {
		if a, ok := op.Attr("alignment").(*ir.IntegerAttr); ok && m.Shift%a.Value == 0 {
			return nil, exec.Unsupported(op, "memory that is less aligned than its type demands is not supported")
		}
		return nil, exec.Findf(exec.Undefined, op, "the address is not aligned to %d bytes", e.Size)
	}
	return &exec.MemRef{Alloc: m.Alloc, Elem: e, Shift: m.Shift}, nil
}

// elementOf returns the numbers that a type is made of, and how many there are: arrays
// have many.
func elementOf(t ir.Type) (elem ir.Type, count int64) {
	count = 1
	for {
		a, ok := is(t, array)
		if !ok {
			return t, count
		}
		n := a.Params[0].(*ir.IntegerAttr).Value
		if n > math.MaxInt32/max(1, count) {
			return t, count // which is not supported
		}
		t, count = a.Params[1].(*ir.TypeAttr).Type, count*n
	}
}

func elemType(op *ir.Op) ir.Type {
	a, _ := op.Attr("elem_type").(*ir.TypeAttr)
	return a.Type
}

func executeAlloca(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	t, each := elementOf(elemType(op))
	e, err := storable(op, t)
	if err != nil {
		return nil, err
	}
	c.OnStack()
	n, d, width := c.Word(AllocaOp{op}.ArraySize()), c.Object(op.Result(0)), exec.Width(AllocaOp{op}.ArraySize().Type())
	return func(f *exec.Frame) error {
		count, err := f.M.Elements(op, e, []int64{exec.SignExtend(f.W[n], width), each})
		if err != nil {
			return err
		}
		a, err := f.M.NewAlloc(op, exec.Stack, e, t, count)
		if err == nil {
			f.O[d] = &exec.MemRef{Alloc: a, Elem: e}
		}
		return err
	}, nil
}

func executeLoad(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	e, err := storable(op, op.Result(0).Type())
	if err != nil {
		return nil, err
	}
	p, d := c.Object(LoadOp{op}.Addr()), c.Reg(op.Result(0))
	return func(f *exec.Frame) error {
		m, err := accessed(op, f, p, e)
		if err != nil {
			return err
		}
		v, err := m.At(op, nil)
		if err != nil {
			return err
		}
		if v == exec.PoisonValue {
			return exec.Findf(exec.Uninitialized, op, "memory is read that was not written")
		}
		f.Set(d, v)
		return nil
	}, nil
}

func executeStore(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	e, err := storable(op, StoreOp{op}.Value().Type())
	if err != nil {
		return nil, err
	}
	v, p := c.Reg(StoreOp{op}.Value()), c.Object(StoreOp{op}.Addr())
	return func(f *exec.Frame) error {
		m, err := accessed(op, f, p, e)
		if err != nil {
			return err
		}
		return m.SetAt(op, nil, f.Get(v))
	}, nil
}

// executeGEP moves a pointer by numbers of elements, of the type first, and then of the
// arrays that it consists of.
func executeGEP(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	raw, _ := op.Attr(rawIndices).(*ir.DenseArrayAttr)
	type move struct {
		word, width int // of the operand, if word is not -1
		by          int64
		size        int64
	}
	var moves []move
	t, next := elemType(op), 1
	for i := range raw.Len() {
		if i > 0 {
			a, ok := is(t, array)
			if !ok {
				return nil, exec.Unsupported(op, "parts of that type are not supported")
			}
			t = a.Params[1].(*ir.TypeAttr).Type
		}
		elem, count := elementOf(t)
		e, err := storable(op, elem)
		if err != nil {
			return nil, err
		}
		// A pointer takes the place of one byte in memory for pointers.
		m := move{word: -1, by: raw.Int(i), size: max(e.Size, 1) * count}
		if m.by == dynamicIndex {
			x := op.Operand(next)
			next++
			if !exec.IsWord(x.Type()) {
				return nil, exec.Unsupported(op, "vectors of pointers are not supported")
			}
			m.word, m.width = c.Word(x), exec.Width(x.Type())
		}
		moves = append(moves, m)
	}
	p, d := c.Object(GetElementPtrOp{op}.Base()), c.Object(op.Result(0))
	return func(f *exec.Frame) error {
		from, err := pointerOf(op, f, p)
		if err != nil {
			return err
		}
		out := *from
		for _, m := range moves {
			if m.word >= 0 {
				m.by = exec.SignExtend(f.W[m.word], m.width)
			}
			out.Shift += m.by * m.size
		}
		f.O[d] = &out
		return nil
	}, nil
}

// pointerOf returns a pointer, which may come from a cast of anything.
func pointerOf(op *ir.Op, f *exec.Frame, register int) (*exec.MemRef, error) {
	m, ok := f.O[register].(*exec.MemRef)
	if !ok {
		return nil, exec.Unsupported(op, "the operand isn't known to be a pointer")
	}
	return m, nil
}

// executeZero is how llvm.mlir.zero executes: a number, or the null pointer.
func executeZero(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	t := op.Result(0).Type()
	switch _, isPointer := is(t, pointer); {
	case isPointer:
		c.Constant(op.Result(0), exec.Null)
	case exec.IsWord(t):
		c.Constant(op.Result(0), uint64(0))
	default:
		return nil, exec.Unsupported(op, "its type is not supported")
	}
	return nil, nil
}

// executePtrToInt is how llvm.ptrtoint executes.
func executePtrToInt(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	if t, ok := op.Result(0).Type().(*ir.IntegerType); !ok || t.Width != 64 {
		return nil, exec.Unsupported(op, "addresses of other than 64 bits are not supported")
	}
	p, d := c.Object(PtrToIntOp{op}.Arg()), c.Word(op.Result(0))
	return func(f *exec.Frame) error {
		m, err := pointerOf(op, f, p)
		switch {
		case err != nil:
			return err
		case m.IsNull():
			f.W[d] = uint64(m.Shift)
		default:
			f.W[d] = m.Address()
		}
		return nil
	}, nil
}

// executeExtractValue is how llvm.extractvalue executes on the descriptor of a memref, which
// is kept as the memref: it returns the pointer to the allocation, or to the base of what
// the memref sees.
func executeExtractValue(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	at, _ := op.Attr(position).(*ir.DenseArrayAttr)
	if _, ok := is(op.Result(0).Type(), pointer); !ok || at.Len() != 1 || at.Int(0) > 1 {
		return nil, exec.Unsupported(op, "it takes something other than a pointer of a memref's descriptor")
	}
	whole := at.Int(0) == 0
	s, d := c.Object(ExtractValueOp{op}.Container()), c.Object(op.Result(0))
	return func(f *exec.Frame) error {
		m, ok := f.O[s].(*exec.MemRef)
		if !ok {
			return exec.Unsupported(op, "the operand isn't known to be a memref's descriptor")
		}
		out := &exec.MemRef{Alloc: m.Alloc, Elem: m.Elem, Base: whole}
		if !whole {
			out.Shift = m.Shift
		}
		f.O[d] = out
		return nil
	}, nil
}

// executeAddressOf is how llvm.mlir.addressof executes, for globals that are texts or elements.
func executeAddressOf(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	ref, _ := op.Attr("global_name").(*ir.SymbolRefAttr)
	global := ir.LookupSymbol(op, ref)
	if global == nil || !global.Is(Global) {
		return nil, exec.Unsupported(op, "addresses of functions are not supported")
	}
	t, n := elementOf(globalTypeOf(global))
	e, err := storable(op, t)
	if err != nil {
		return nil, err
	}
	memory := op.Context().MemRef([]int64{n}, t)
	contents := global.Attr(globalValue)
	switch v := contents.(type) {
	case *ir.StringAttr:
		contents = op.Context().DenseElements(op.Context().RankedTensor([]int64{n}, t), []byte(v.Value))
	case *ir.DenseElementsAttr:
		if v.Len() != n || ir.ElementType(v.Type) != t {
			return nil, exec.Unsupported(op, "a global of that type is not supported")
		}
	default:
		return nil, exec.Unsupported(op, "a global with such a value is not supported")
	}
	d, find := c.Object(op.Result(0)), c.Global(global, memory, contents, global.Attr("constant") != nil)
	return func(f *exec.Frame) error {
		a, err := find(f)
		if err == nil {
			f.O[d] = &exec.MemRef{Alloc: a, Elem: e}
		}
		return err
	}, nil
}

// library returns what functions of C libraries do that take pointers.
func library(_ *ir.Op, name string) exec.External {
	does := map[string]func(call *exec.ExternalCall, m *exec.MemRef) error{"free": free, "printString": printString}[name]
	if does == nil {
		return nil
	}
	return func(call *exec.ExternalCall) (exec.Values, error) {
		if len(call.Inputs) == 1 && len(call.Results) == 0 {
			if m, ok := call.Args.O[0].(*exec.MemRef); ok {
				return exec.Values{}, does(call, m)
			}
		}
		return exec.Values{}, exec.Unsupported(call.Op, name+" takes a pointer")
	}
}

// free is what the C library's free does.
func free(call *exec.ExternalCall, m *exec.MemRef) error {
	if m.IsNull() {
		return nil
	}
	return call.Machine.Free(call.Op, m)
}

// printString is what the function of MLIR's runner utilities does: it prints the bytes up to one that is 0.
func printString(call *exec.ExternalCall, m *exec.MemRef) error {
	if m.IsNull() {
		return exec.Findf(exec.Undefined, call.Op, "memory is accessed by a null pointer")
	}
	var text []byte
	at := exec.MemRef{Alloc: m.Alloc, Elem: exec.ElemOf(ir.I8), Shift: m.Shift}
	for {
		v, err := at.At(call.Op, nil)
		if err != nil {
			return err
		}
		b, ok := v.(uint64)
		switch {
		case !ok:
			return exec.Findf(exec.Uninitialized, call.Op, "@printString prints memory that was not written")
		case b == 0:
			call.Machine.Output(call.Op, string(text))
			return nil
		}
		text = append(text, byte(b))
		at.Shift++
	}
}
