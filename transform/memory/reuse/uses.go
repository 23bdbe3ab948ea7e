package reuse

import (
	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/memory/footprint"
	"freehold/transform/memory/work"
)

// mostBytes bounds how many bytes are counted as read and written, so that costs stay numbers.
const mostBytes = 1 << 40

// uses returns how often the buffer of a part is read or written, as a whole, each time the function is called: how many bytes are, as a share of its size.
// That of what a call needs is once.
func (f *functionPlanner) uses(x *part) int64 {
	if x.alloc == nil {
		return 1
	}
	var bytes int64
	f.buffers.Uses(x.alloc.Result(0), func(u *ir.Use) {
		n := bytesOfUse(u)
		for op := u.Owner().Parent(); n > 0 && op != nil && op != f.fn; op = op.Parent() {
			if interfaces.LoopLike.Has(op) {
				n = times(n, work.Trips(op))
			}
		}
		bytes = min(bytes+n, mostBytes)
	})
	return (bytes + x.size - 1) / x.size
}

// bytesOfUse returns how many bytes an operation reads and writes through an operand each time it is executed. A structured operation does so for each
// element of its iteration space, as if nothing kept elements in between; another one for the values that it loads or stores, or if there are none for all of what it sees.
func bytesOfUse(u *ir.Use) (bytes int64) {
	op, v := u.Owner(), u.Value()
	var once int64
	switch t := v.Type().(type) {
	case *ir.MemRefType:
		if !interfaces.Structured.Has(op) {
			once = accessedBytes(op, t)
			break
		}
		once = ir.StorageBytes(t.Elem)
		for _, n := range work.Ranges(op) {
			once = times(once, n)
		}
	default:
		return 0
	}
	for _, kind := range []interfaces.EffectKind{interfaces.Read, interfaces.Write} {
		if interfaces.HasEffect(op, kind, v) {
			bytes += once
		}
	}
	return bytes
}

func times(x, y int64) int64 {
	if y > 0 && x > mostBytes/y {
		return mostBytes
	}
	return x * y
}

// accessedBytes returns how many bytes an operation that isn't a structured one accesses of a buffer.
func accessedBytes(op *ir.Op, t *ir.MemRefType) (bytes int64) {
	count := func(t ir.Type) {
		if _, index := t.(*ir.IndexType); !index && !ir.IsMemRef(t) {
			bytes = max(bytes, ir.StorageBytes(t))
		}
	}
	for _, v := range op.Operands().Values() {
		count(v.Type())
	}
	for _, v := range op.Results().Values() {
		count(v.Type())
	}
	if bytes > 0 {
		return bytes
	}
	n, _ := footprint.StaticSize(t)
	return min(n, mostBytes)
}
