package check

import "freehold/ir"

// objectKind tells where an object comes from.
type objectKind uint8

const (
	// heap objects are allocated by the function, which has to free them or to hand
	// them over to its caller.
	heap objectKind = iota
	// stack objects end with their scope.
	stack
	// argument objects belong to the caller.
	argument
	// global objects live as long as the program.
	global
	// foreign objects are buffers of unknown origin that belong to somebody else.
	foreign
	// nothing is what null owns.
	nothing
)

// owned tells whether the object is new memory, and so the same as no other one.
func (k objectKind) owned() bool { return k == heap || k == stack }

// object is an allocation, or what stands for several of which a pointer points to
// one at a time.
type object struct {
	kind objectKind
	op   *ir.Op // that allocates it; nil for arguments
	loc  ir.Location
	// frame is that in which a buffer on the stack is reserved.
	frame int
	// number is that of an argument.
	number int
	// carried tells that the object was allocated in an earlier iteration of a loop.
	carried bool
	// of is that loop.
	of *loop
	// given tells that the object is an argument that the function owns.
	given bool
	// born is which objects lived when this one was allocated, or at the head of the loop of
	// which it is from an earlier iteration. The others may have had its address.
	born persistent[lit]
	// vacant tells that a buffer on the stack, or a global one, may have no elements.
	vacant bool
	// holders are values that pointed to it when they were computed.
	holders []*ir.Value
	// cells are the numbers of the object's elements in the memory of states, if the
	// analysis follows its contents.
	cells, size int
	// pointers tells that it is an array of pointers on the stack.
	pointers bool
	shape    []int64
}

// state is what holds at a point of the program.
type state struct {
	// live tells under which condition each object is allocated and not yet freed.
	live persistent[lit]
	// memory is what the elements of small buffers of booleans and indices hold; nil
	// is unknown, but no address: only these buffers ever hold any.
	memory persistent[*value]
	// loopValues are the values, by number, that are defined in a loop that is
	// unrolled and used after it. What they are differs from iteration to iteration.
	loopValues persistent[*value]
}

// edge is a transfer of control.
type edge struct {
	to     int
	cond   lit // relative to the entry of the flow
	st     state
	values []value
	// from is the terminator of an edge that leaves a region.
	from *ir.Op
	// dispatched tells that the edge comes from the node before the entries of a loop.
	dispatched bool
}

// forgotten returns what is known of an element that held x when it may hold something
// else by now: y, but for addresses, which are not forgotten.
func (a *analysis) forgotten(x, y *value) *value {
	if x != nil && x.address() {
		v := a.derivedValue()
		return &v
	}
	return y
}

// merge joins edges to the same node. Their conditions exclude each other.
func (a *analysis) merge(edges []edge) edge {
	out := edges[len(edges)-1]
	if len(edges) == 1 {
		return out
	}
	out.values = append([]value(nil), out.values...)
	for i := len(edges) - 2; i >= 0; i-- {
		e := edges[i]
		c := e.cond
		out.st.live = mergePersistent(e.st.live, out.st.live, func(_ int, x, y lit) lit { return a.f.ite(c, x, y) })
		join := func(_ int, x, y *value) *value {
			if x == nil || y == nil {
				return nil
			}
			v := a.choose(c, *x, *y)
			return &v
		}
		out.st.memory = mergePersistent(e.st.memory, out.st.memory, func(i int, x, y *value) *value {
			if x == nil || y == nil {
				return a.forgotten(x, a.forgotten(y, nil))
			}
			return join(i, x, y)
		})
		out.st.loopValues = mergePersistent(e.st.loopValues, out.st.loopValues, join)
		for k := range out.values {
			out.values[k] = a.choose(c, e.values[k], out.values[k])
		}
		out.cond = a.f.or(c, out.cond)
	}
	return out
}
