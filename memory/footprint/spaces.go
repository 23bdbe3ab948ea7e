package footprint

import (
	"freehold/dialect/memref"
	"freehold/ir"
	"freehold/ir/interfaces"
)

// InSpace returns how much of a memory space the functions in root need at a time, nil being the default one: the peak of the function that needs most in it, with the
// arenas that its callers bring, and all arenas in globals. Other arguments and globals, which are there before and after, are left out, and so are tensors, which are in no memory yet. It takes what [Analyze] takes.
func InSpace(root *ir.Op, space ir.Attribute) (most Size) {
	p := analyze(root, &Program{counts: func(t ir.Type) bool { return ir.IsMemRef(t) && ir.MemorySpaceOf(t) == space }})
	for _, f := range p.Functions {
		n := f.Peak()
		for _, a := range f.Op.BodyBlock(0).Args() {
			if memref.IsArena(a) {
				size, _ := f.sizeOf(a)
				n = n.Plus(size)
			}
		}
		most = most.Max(n)
	}
	root.Walk(func(op *ir.Op) bool {
		if op.Is(memref.Global) && op.Attr(memref.ArenaAttr) != nil {
			if t := (memref.GlobalOp{Op: op}).Type(); t != nil && t.Space == space {
				n, _ := StaticSize(t)
				most = most.Plus(bytes(n))
			}
		}
		return !interfaces.Function.Has(op)
	})
	return most
}
