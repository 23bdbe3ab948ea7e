package interp

import (
	"fmt"
	"slices"

	"freehold/exec"
	"freehold/ir"
	"freehold/ir/analysis"
	"freehold/ir/interfaces"
)

// Place says where the buffer of an argument is, and how its elements lie there.
type Place struct {
	// In is the position of the argument whose memory it is in: its own, or an earlier one whose memory is its own and whose type
	// has the same elements. With the same Shift and layout it is the same buffer.
	In int
	// Shift is how many elements behind the start of that memory it begins.
	Shift int64
	// Offset and Strides are where the elements are from there, as far as the type leaves that open; Strides may be nil, for
	// row-major order. Negative strides go back from the offset, which must be large enough.
	Offset  int64
	Strides []int64
}

// OwnPlaces returns places for n buffers, each in memory of its own.
func OwnPlaces(n int) []Place {
	places := make([]Place, n)
	for i := range places {
		places[i].In = i
	}
	return places
}

// Layout returns where the elements of a buffer of a memref type are, from its start, and how many elements it spans. What
// the type says comes first.
func (p *Place) Layout(typ ir.Type, sizes []int64) (offset int64, strides []int64, span int64, err error) {
	strides = exec.RowMajor(sizes)
	// A layout without strides is kept in row-major order, as by memref.alloc.
	if said, at, ok := stridesOf(typ); ok {
		if offset = at; at == ir.Dynamic {
			offset = p.Offset
		}
		strides = p.Strides
		if strides == nil {
			strides = spread(said, sizes)
		}
		strides = slices.Clone(strides)
		for d, n := range said {
			if n != ir.Dynamic {
				strides[d] = n
			}
		}
	}
	least, most := offset, offset
	for d, n := range sizes {
		if n == 0 {
			return offset, strides, 0, nil
		}
		least, most = least+min(0, (n-1)*strides[d]), most+max(0, (n-1)*strides[d])
	}
	if least < 0 {
		return 0, nil, 0, fmt.Errorf("an argument of type '%s' can't be passed: it begins before its memory", typ)
	}
	return offset, strides, most + 1, nil
}

// stridesOf returns what a memref type that has a layout says of its strides and its offset.
func stridesOf(typ ir.Type) (strides []int64, offset int64, ok bool) {
	t, ok := typ.(*ir.MemRefType)
	if !ok || t.Layout == nil {
		return nil, 0, false
	}
	return t.StridesAndOffset()
}

// spread returns strides with which no two elements are at the same place, where those that a type says have none: in row-major
// order if the type says none.
func spread(said, sizes []int64) []int64 {
	strides, next := slices.Clone(said), int64(1)
	for d, n := range said {
		if n != ir.Dynamic {
			next = max(next, max(n, -n)*max(sizes[d], 1))
		}
	}
	for d, n := range slices.Backward(said) {
		if n == ir.Dynamic {
			strides[d] = next
			next *= max(sizes[d], 1)
		}
	}
	return strides
}

// binder makes the arguments of a function.
type binder struct {
	m      *exec.Machine
	fn     *ir.Op
	places []Place
	args   []Value
	types  []ir.Type
	// contract says which buffers the function owns.
	contract analysis.Contract
	in       exec.Values
}

// BadArgumentError is about an argument that a function doesn't take.
type BadArgumentError struct{ *ir.Diagnostic }

// Unwrap returns the diagnostic.
func (e *BadArgumentError) Unwrap() error { return e.Diagnostic }

func (b *binder) bad(i int, format string, args ...any) error {
	return &BadArgumentError{ir.Errorf(b.fn.Loc(), "argument %d: %s", i, fmt.Sprintf(format, args...))}
}

// bind passes all arguments.
func (b *binder) bind() error {
	spans := make([]int64, len(b.args))
	for i, v := range b.args {
		if err := v.fits(b.types[i]); err != nil {
			return b.bad(i, "%v", err)
		}
		if v.Tensor == nil || !ir.IsMemRef(b.types[i]) {
			continue
		}
		p := &b.places[i]
		if j := p.In; j > i || b.places[j].In != j || !ir.IsMemRef(b.types[j]) {
			return b.bad(i, "there is no memory of argument %d", j)
		}
		_, _, n, err := p.Layout(b.types[i], v.Tensor.Sizes)
		if err != nil {
			return b.bad(i, "%v", err)
		}
		if n > 0 {
			spans[p.In] = max(spans[p.In], p.Shift+n)
		}
	}
	for i, v := range b.args {
		switch {
		case v.Tensor == nil:
			b.in.W[i], b.in.O[i] = v.Word, v.Object
		case !ir.IsMemRef(b.types[i]):
			b.in.O[i] = v.Tensor.Share()
		default:
			buf, err := b.buffer(i, spans[i])
			if err != nil {
				return err
			}
			b.in.O[i] = buf
		}
	}
	return nil
}

// buffer returns the buffer of argument i, with a copy of the elements of its tensor. Memory of its own spans so many elements, and
// belongs to the caller, unless the function owns it.
func (b *binder) buffer(i int, span int64) (*exec.MemRef, error) {
	t, typ, p := b.args[i].Tensor, b.types[i], &b.places[i]
	arg := b.fn.BodyBlock(0).Arg(i)
	offset, strides, _, err := p.Layout(typ, t.Sizes)
	if err != nil {
		return nil, err
	}
	var a *exec.Alloc
	if p.In == i {
		origin := exec.Argument
		owned := i < len(b.contract.Args) && b.contract.Args[i].Owned
		if owned {
			origin = exec.Heap
		}
		if a, err = b.m.NewAlloc(b.fn, origin, t.Elem, typ, span); err != nil {
			return nil, err
		}
		a.Loc, a.Lent = arg.Loc(), owned
		a.First = offset
	} else {
		first := b.in.O[p.In].(*exec.MemRef)
		if first.Elem.Type != t.Elem.Type {
			return nil, b.bad(i, "its elements are not of the type of those of argument %d", p.In)
		}
		if p.Shift == 0 && first.Shift == 0 && first.Offset == offset && slices.Equal(first.Sizes, t.Sizes) && slices.Equal(first.Strides, strides) {
			return first, nil // with the contents that this has
		}
		a = first.Alloc
	}
	v := &exec.MemRef{Alloc: a, Elem: t.Elem, Shift: p.Shift * max(t.Elem.Size, 1), Offset: offset, Sizes: t.Sizes, Strides: strides}
	return v, exec.CopyView(b.fn, v.View(), t.View())
}

// contractOf returns the contract of a function that is to be executed. That of a function which isn't private needs no look
// at its callers.
func contractOf(module, fn *ir.Op, known *analysis.Contracts) analysis.Contract {
	if !ir.IsPrivate(fn) || fn.BodyBlock(0) == nil || !slices.ContainsFunc(typesOf(fn), ir.IsMemRef) {
		return analysis.Contract{}
	}
	if known == nil {
		known = analysis.NewContracts(module)
	}
	return known.Of(fn)
}

func typesOf(fn *ir.Op) []ir.Type {
	if m, ok := interfaces.Function.Of(fn); ok {
		return m.Type(fn).Inputs
	}
	return nil
}
