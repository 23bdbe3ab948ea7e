package emitc

import (
	"fmt"

	"freehold/ir"
	"freehold/ir/analysis"
	"freehold/ir/interfaces"
)

// sayThatItWrites adds to a function what tells gcc 12 that it writes to memory, where that may not be seen: in a loop it writes to a buffer of which it also looks at other elements there.
func (f *function) sayThatItWrites() {
	found := map[inLoop]*accesses{}
	blocks := f.op.RegionAt(0).NumBlocks() > 1
	f.op.Walk(func(op *ir.Op) bool {
		if loop := f.outermostLoop(op); (loop != nil || blocks) && (op.NumRegions() == 0 || interfaces.Structured.Has(op)) {
			noteAccesses(op, loop, found)
		}
		return true
	})
	for _, a := range found {
		if a.written && len(a.places) > 1 {
			f.line(f.m.helpers.define("FH_WRITES", `
/* Tells gcc 12 that a function writes to memory: it takes some that read and write one buffer in a loop for functions that don't, and leaves out calls
   of them. */
#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ == 12
#define FH_WRITES __asm__ volatile ("" : : : "memory")
#else
#define FH_WRITES (void)0
#endif`) + ";")
			return
		}
	}
}

// outermostLoop returns the outermost loop that an operation is in, or is; nil if there is none.
func (f *function) outermostLoop(op *ir.Op) (loop *ir.Op) {
	for ; op != nil && op != f.op; op = op.Parent() {
		if interfaces.LoopLike.Has(op) || interfaces.Structured.Has(op) {
			loop = op
		}
	}
	return loop
}

// inLoop is a buffer, without what it is seen by, in a loop.
type inLoop struct {
	loop *ir.Op
	root *ir.Value
}

// accesses are those to a buffer in a loop.
type accesses struct {
	written bool
	places  map[string]bool // by what elements are looked at
}

// noteAccesses notes which buffers an operation may write to, and where it looks at them.
func noteAccesses(op, loop *ir.Op, found map[inLoop]*accesses) {
	maps := interfaces.IndexingMaps(op)
	indices := ""
	for _, v := range op.Operands().Values() {
		if v.Type() == ir.Type(ir.Index) {
			indices += fmt.Sprintf(" %p", v)
		}
	}
	for i, v := range op.Operands().Values() {
		if !ir.IsMemRef(v.Type()) {
			continue
		}
		k := inLoop{loop, analysis.ViewBase(v)}
		a := found[k]
		if a == nil {
			a = &accesses{places: map[string]bool{}}
			found[k] = a
		}
		if i < len(maps) {
			a.places[fmt.Sprintf("%p %p", v, maps[i])] = true
		} else {
			a.places[fmt.Sprintf("%p", v)+indices] = true
		}
		a.written = a.written || interfaces.MayWrite(op.OperandUse(i))
	}
}
