package analysis

import (
	"freehold/ir"
	"freehold/ir/interfaces"
)

// argumentsOf tells, by function and argument, which buffers among the arguments of the functions in a module an operation is about, as a model
// says that returns the buffer: by [interfaces.GivesUp], those whose contents nothing needs after the call, so that a transformation may let the function
// write there, as with bufferization.to_tensor … writable; by [interfaces.Restricts], those that are no other argument's.
// Functions without such arguments are left out. It is near-linear, apart from functions that call each other, which are looked at again as long as more is found.
func argumentsOf(module *ir.Op, calls *CallSummaries, model *ir.Interface[func(op *ir.Op) *ir.Value]) map[*ir.Op][]bool {
	buffer := func(op *ir.Op) *ir.Value {
		if m, ok := model.Of(op); ok {
			return m(op)
		}
		return nil
	}
	any := false
	module.Walk(func(op *ir.Op) bool {
		any = any || buffer(op) != nil
		return !any
	})
	if !any {
		return nil
	}
	found := map[*ir.Op][]bool{}
	buffers := map[*ir.Op]*Buffers{}
	for _, group := range NewCallGraph(module).BottomUp() {
		for more := true; more; {
			more = false
			for _, fn := range group {
				if fn.BodyBlock(0) == nil {
					continue
				}
				if buffers[fn] == nil {
					buffers[fn] = NewBuffers(fn, BufferOptions{Calls: calls})
				}
				for i, a := range fn.BodyBlock(0).Args() {
					if !ir.IsMemRef(a.Type()) || i < len(found[fn]) && found[fn][i] {
						continue
					}
					given := false
					buffers[fn].Uses(a, func(u *ir.Use) {
						op := u.Owner()
						given = given || buffer(op) == u.Value()
						if m, ok := interfaces.Call.Of(op); ok {
							start, _ := m.Args(op)
							for _, callee := range calls.Callees(op) {
								k := u.Index() - start
								given = given || k >= 0 && k < len(found[callee]) && found[callee][k]
							}
						}
					})
					if given {
						if found[fn] == nil {
							found[fn] = make([]bool, fn.BodyBlock(0).NumArgs())
						}
						found[fn][i], more = true, true
					}
				}
			}
		}
	}
	return found
}
