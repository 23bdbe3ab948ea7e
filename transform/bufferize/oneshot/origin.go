package oneshot

import (
	"slices"

	"freehold/ir"
	"freehold/ir/interfaces"
)

// Origin says for what rewriting allocates a buffer or makes a copy.
type Origin struct {
	// Op is the operation that is replaced, or one that was made in the place of another, or,
	// for Layout, one that takes the buffer.
	Op *ir.Op
	// Use is the operand that gets the copy, if a decision of the plan demands it.
	Use *ir.Use
	// Layout tells that a buffer is copied because Op needs it in another layout.
	Layout bool
}

// made tells who wants to know that an operation was made for the one at work.
func (r *rewriting) made(op *ir.Op) {
	if r.opts.Made != nil && op != nil {
		r.opts.Made(op, r.origin)
	}
}

// MakesBuffer tells whether an operation allocates, on the heap, a memref that is a result of
// it.
func MakesBuffer(op *ir.Op) bool {
	effects, _ := interfaces.EffectsOf(op)
	return slices.ContainsFunc(effects, func(e interfaces.Effect) bool {
		return e.AllocatesMemRef(op) && e.On() != interfaces.AutomaticAllocationScopeResource
	})
}

// inserted tells of the buffer that an operation allocates which was inserted, by Alloc or by
// a model itself.
func (r *rewriting) inserted(op *ir.Op) {
	if r.opts.Made != nil && !r.allocating && MakesBuffer(op) {
		r.made(op)
	}
}

// begin sets what is at work. What is made on the way stands for what it was made for.
func (r *rewriting) begin(op *ir.Op) {
	if r.opts.Made == nil {
		return
	}
	r.origin = Origin{Op: op}
	if o, ok := r.origins[op]; ok {
		r.origin = o
	}
}

// stands remembers that an operation was made for the one at work.
func (r *rewriting) stands(op *ir.Op) {
	if r.opts.Made == nil || r.origin.Op == nil {
		return
	}
	if r.origins == nil {
		r.origins = map[*ir.Op]Origin{}
	}
	r.origins[op] = r.origin
}

// beginConversion sets that a conversion to a buffer is at work, whose result another
// operation takes.
func (r *rewriting) beginConversion(conversion *ir.Op) {
	if r.opts.Made == nil {
		return
	}
	r.begin(conversion)
	if u := conversion.Result(0).FirstUse(); u != nil {
		r.origin.Op = u.Owner()
	}
}
