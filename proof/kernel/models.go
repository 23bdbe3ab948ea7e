package kernel

import "freehold/ir"

// Model is what an operation does that its interfaces don't say enough about. It returns false where these do.
type Model func(v *Machine, fr *Frame, op *ir.Op) bool

// Trait is something that a machine has to know of operations, and that their interfaces don't say.
type Trait uint8

// The traits.
const (
	TouchesNothing Trait = iota + 1 // it touches no memory, whatever its effects are for
	AnyTimes                        // its regions are executed any number of times, in any order
	Asks                            // its results are numbers, which don't depend on the contents of its buffers
	SeesAll                         // it is a view of all of its operand
	StartsAnew                      // it is a view that begins where the allocation does, whatever part its operand is
)

// Models are what a machine knows of operations and types: it knows none by name.
type Models struct {
	Rules map[*ir.OpID]Model
	// IsOwner tells of a type that its values are pointers to allocations, or to nothing; IsNumber that they are numbers, though the
	// type is none of the builtin ones.
	IsOwner, IsNumber func(ir.Type) bool
	Traits            map[*ir.OpID]Trait
	// SizeOf returns the size that an operation gives a dynamic dimension of its first result, a memref; false if nothing is known about it.
	SizeOf func(v *Machine, fr *Frame, op *ir.Op, dimension int) (Value, bool)
	// IsFunctional tells that an operation without effects computes the same of the same operands, each time.
	IsFunctional func(op *ir.Op) bool
}

// Is tells whether an operation has a trait.
func (m *Models) Is(op *ir.Op, t Trait) bool { return m.Traits[op.OpName().ID()] == t }

// Demand is what must not happen to an object.
type Demand uint8

// The demands.
const (
	UseAfterFree Demand = iota // it is used, and doesn't live any more
	DoubleFree                 // it is freed, and doesn't live any more
	InvalidFree                // it is freed, and isn't on the heap, or somebody else's
	PartialFree                // it is freed by a memref that may be a part of it
)

func (d Demand) String() string {
	return [...]string{"use after free", "double free", "invalid free", "free of a part"}[d]
}
