package interfaces

import "freehold/ir"

// OwnershipState is a state of the ownership lattice.
type OwnershipState uint8

const (
	// Uninitialized ownership is not known yet.
	Uninitialized OwnershipState = iota
	// Unique ownership is what an i1 value says.
	Unique
	// Unknown ownership needs code to find out.
	Unknown
)

// Ownership tells whether a block is responsible for freeing a buffer. It is an
// element of the lattice uninitialized < unique(X) < unknown.
type Ownership struct {
	State OwnershipState
	// Indicator is the i1 value of a unique ownership.
	Indicator *ir.Value
}

// UniqueOwnership returns the ownership that v says.
func UniqueOwnership(v *ir.Value) Ownership { return Ownership{Unique, v} }

// Join returns the least upper bound.
func (o Ownership) Join(p Ownership) Ownership {
	switch {
	case o.State == Uninitialized:
		return p
	case p.State == Uninitialized || o == p:
		return o
	case o.State == Unique && p.State == Unique:
		// Constants are made anew for each buffer.
		c, isConstant := ir.ConstantInt(o.Indicator)
		if d, ok := ir.ConstantInt(p.Indicator); ok && isConstant && c == d {
			return o
		}
	}
	return Ownership{State: Unknown}
}

// DeallocationState is what is known about the ownership of buffers while
// deallocation is inserted. The package transform/deallocate/ownership implements it.
type DeallocationState interface {
	// Builder returns a builder that inserts before the operation being processed.
	Builder() *ir.Builder
	// Ownership returns a block's ownership of a buffer; Join joins it with another
	// one, Reset makes it uninitialized.
	Ownership(memref *ir.Value, b *ir.Block) Ownership
	Join(memref *ir.Value, b *ir.Block, o Ownership)
	Reset(memref *ir.Value, b *ir.Block)
	// Indicator returns the value that tells whether a block owns a buffer; nil if there
	// is none.
	Indicator(memref *ir.Value, b *ir.Block) *ir.Value
	// ToDeallocate returns the bases of the buffers that the block may have to free
	// and the conditions, creating operations before the terminator.
	ToDeallocate(b *ir.Block, loc ir.Location) (memrefs, conditions []*ir.Value, err error)
	// ToRetain returns the buffers that must not be freed when control goes from a
	// block to another one (nil: out of the region) and passes the operands.
	ToRetain(from, to *ir.Block, operands []*ir.Value) []*ir.Value
	// Dealloc creates bufferization.dealloc and makes its results the ownerships of
	// what it retains. Result i belongs to retained value i.
	Dealloc(b *ir.Block, loc ir.Location, memrefs, conditions, retain []*ir.Value) []*ir.Value
	// DeallocBeforeReturn inserts the deallocation before a terminator without
	// successors that passes the given operands on, and returns the ownerships of the
	// memrefs among them.
	DeallocBeforeReturn(op *ir.Op, operands []*ir.Value) ([]*ir.Value, error)
}

// DeallocationModel updates the state for an operation, and the operation for its
// part in passing ownership on.
type DeallocationModel interface {
	Deallocate(op *ir.Op, s DeallocationState) error
}

// OwnershipMaterializer is what a DeallocationModel may be as well, if the operation
// can tell at run time whether its block owns the result, no matter what the state
// says.
type OwnershipMaterializer interface {
	// Materialize creates the value that tells so before the operation being processed,
	// which is in the same block; it returns nil if that isn't possible.
	Materialize(op *ir.Op, s DeallocationState) *ir.Value
}

// BufferDeallocation is implemented by operations with their own rules of
// ownership.
var BufferDeallocation = ir.NewInterface[DeallocationModel]("BufferDeallocationOpInterface")
