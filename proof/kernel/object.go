package kernel

import (
	"fmt"

	"freehold/ir"
)

// ObjectKind tells where an object comes from.
type ObjectKind uint8

// The kinds of objects.
const (
	Heap       ObjectKind = iota // allocated by the function, which frees it or hands it over
	Stack                        // ends with its scope
	Argument                     // belongs to the caller
	Static                       // lives as long as the program
	Foreign                      // lives as long as the program, and may be any such buffer
	NullObject                   // what null points to
)

// Owned tells whether an object is memory of the function, and so the same as no other one.
func (k ObjectKind) Owned() bool { return k <= Stack }

// Object is an abstract location: an allocation, or one of those that earlier iterations of a loop passed on.
type Object struct {
	Kind   ObjectKind
	Op     *ir.Op      // that makes it; nil for arguments
	Loc    ir.Location // of what makes it
	Number int         // of an argument, or of the result of a call
	Frame  int         // in which a buffer on the stack is reserved
	Given  bool        // it is an argument that the function owns
	// Born is which objects lived when this one was made: it has the address of none of
	// them.
	Born Table[Lit]
	// Loop is the number of the loop whose earlier iterations made it; 0 if it isn't such an object.
	Loop int
	// Cells are the numbers of the elements in the memory of states, and Type what they are elements of, if those are followed.
	Cells, Size int
	Type        *ir.MemRefType
	MayBeEmpty  bool // on the stack, or global: it may have no elements
}

// NewObject returns the number of a new object.
func (v *Machine) NewObject(name string, o Object) int {
	n := len(v.Objects)
	v.Objects = append(v.Objects, &o)
	if name == "" {
		return n
	}
	if _, taken := v.Named[name]; taken { // made again by a loop that is executed step by step
		v.again[name]++
		name = fmt.Sprint(name, "+", v.again[name])
	}
	v.Named[name] = n
	return n
}
