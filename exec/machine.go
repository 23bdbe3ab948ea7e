package exec

import (
	"math"
	"slices"
	"strings"

	"freehold/ir"
)

// Stats counts what an execution did with memory.
type Stats struct {
	// Allocations, Frees and Copies count operations; stack allocations are apart.
	Allocations, StackAllocations, Frees, Copies int64
	// BytesAllocated and BytesCopied are totals.
	BytesAllocated, BytesCopied int64
	// LiveBytes is what is allocated now, PeakBytes the most there was.
	LiveBytes, PeakBytes int64
	// Steps counts executed operations; those in loop nests count once a point.
	Steps int64
}

// Add adds what another execution did, which came after this one.
func (s *Stats) Add(t *Stats) {
	s.Allocations += t.Allocations
	s.StackAllocations += t.StackAllocations
	s.Frees += t.Frees
	s.Copies += t.Copies
	s.BytesAllocated += t.BytesAllocated
	s.BytesCopied += t.BytesCopied
	s.LiveBytes += t.LiveBytes
	s.PeakBytes = max(s.PeakBytes, t.PeakBytes)
	s.Steps += t.Steps
}

// Machine is the state of an execution that its frames share. Limits are set
// before it is used.
type Machine struct {
	Stats
	// MaxSteps, MaxBytes and MaxDepth limit the operations, the memory in use and the
	// nesting of calls. Tensors, arguments and globals count as memory, too.
	MaxSteps, MaxBytes int64
	MaxDepth           int
	// OneByOne executes loop nests element by element, in the order that their
	// definition gives, instead of in runs. Results are the same.
	OneByOne bool
	// ReuseAddress chooses the address of new memory, as native programs may have it: one of n that
	// other memory had that ended, or, if it is empty and on the stack, that has; or a new one, if it returns
	// n. It matters to programs that compare addresses. If it is nil, all addresses are new.
	ReuseAddress func(n int) int
	// Print gets what operations print. It may be nil.
	Print func(op *ir.Op, text string)
	// Interrupt ends the execution soon after it is closed. May be nil.
	Interrupt <-chan struct{}
	// Memory is told of allocations, frees and copies. It may be nil.
	Memory func(e *MemoryEvent)

	lastID int
	ended  map[Origin][]int // places of memory that ended; for ReuseAddress
	// until is the number of steps at which Interrupt is looked at, or the limit is reached.
	until   int64
	heap    []*Alloc // live heap allocations
	stack   []*Alloc
	globals map[*ir.Op]*Alloc
	depth   int
	held    int64    // bytes of arguments and globals
	tensors int64    // bytes of other tensors: at least those of what is in use
	frames  []*Frame // of the functions that are being executed
	calls   int64    // how many there were
	// arguments are the tensors that the caller goes on using, whose bytes are held.
	arguments []*Store
	pending   []*Work // what asynchronous operations may still have to do
}

// Output prints text on behalf of an operation.
func (m *Machine) Output(op *ir.Op, text string) {
	if m.Print != nil {
		m.Print(op, text)
	}
}

// NewMachine returns a machine with default limits: no limit of steps, 8 GiB of
// memory, and 10000 nested calls.
func NewMachine() *Machine {
	return &Machine{MaxSteps: math.MaxInt64, MaxBytes: 8 << 30, MaxDepth: 10000, globals: map[*ir.Op]*Alloc{}, ended: map[Origin][]int{}}
}

// interruptSteps is how many steps an execution goes on after an interrupt, at most: far less than
// what a person notices.
const interruptSteps = 1 << 18

// Charge counts n operations at op.
func (m *Machine) Charge(op *ir.Op, n int64) error {
	m.Steps += n
	if m.Steps <= m.until {
		return nil
	}
	if m.Steps > m.MaxSteps {
		return Findf(StepLimit, op, "the limit of %d steps is reached", m.MaxSteps)
	}
	select {
	case <-m.Interrupt:
		return Findf(Interrupted, op, "interrupted after %d steps", m.Steps)
	default:
	}
	m.until = min(m.MaxSteps, m.Steps+interruptSteps)
	return nil
}

// NewAlloc allocates uninitialised memory for count elements, on behalf of an
// operation. The type is for messages.
func (m *Machine) NewAlloc(op *ir.Op, origin Origin, e *Elem, t ir.Type, count int64) (*Alloc, error) {
	if count < 0 || count > m.MaxBytes/e.Bytes {
		return nil, Findf(MemoryLimit, op, "an allocation of %d elements exceeds the memory limit of %d bytes", count, m.MaxBytes)
	}
	bytes := count * e.Bytes
	if err := m.room(op, bytes); err != nil {
		return nil, err
	}
	m.lastID++
	a := &Alloc{Store: NewStore(e, count, false), ID: m.lastID, place: m.place(origin, bytes), Origin: origin, Maker: op, Loc: op.Loc(), Type: t, Bytes: bytes}
	switch origin {
	case Heap:
		a.live = len(m.heap)
		m.heap = append(m.heap, a)
		m.Allocations++
		m.BytesAllocated += bytes
		m.grow(bytes)
	case Stack:
		m.stack = append(m.stack, a)
		m.StackAllocations++
		m.grow(bytes)
	case Argument, Global:
		m.held += bytes
	}
	m.note(MemoryEvent{Kind: "alloc", Op: op, Alloc: a, Bytes: bytes, Loc: a.Loc})
	return a, nil
}

// place returns where new memory is, which has just got a number.
func (m *Machine) place(origin Origin, bytes int64) int {
	if m.ReuseAddress == nil || origin != Heap && origin != Stack {
		return m.lastID
	}
	if origin == Stack && bytes == 0 {
		if k := m.ReuseAddress(len(m.stack)); k < len(m.stack) {
			return m.stack[k].place
		}
		return m.lastID
	}
	ended := m.ended[origin]
	k := m.ReuseAddress(len(ended))
	if k == len(ended) {
		return m.lastID
	}
	out := ended[k]
	m.ended[origin] = slices.Delete(ended, k, k+1)
	return out
}

// Elements returns the number of elements of a tensor or buffer of the given
// sizes, or a finding if a size is negative or there would be more than the limit
// of memory allows.
func (m *Machine) Elements(op *ir.Op, e *Elem, sizes []int64) (int64, error) {
	for _, n := range sizes {
		if n < 0 {
			return 0, Findf(SizeMismatch, op, "the size %d is negative", n)
		}
	}
	n, ok := ir.NumElements(sizes)
	if !ok || n > m.MaxBytes/e.Bytes {
		return 0, Findf(MemoryLimit, op, "%s elements exceed the memory limit of %d bytes", shape(sizes), m.MaxBytes)
	}
	return n, m.room(op, n*e.Bytes)
}

func (m *Machine) grow(bytes int64) {
	m.LiveBytes += bytes
	m.PeakBytes = max(m.PeakBytes, m.LiveBytes)
}

// AdoptTensor returns an allocation that stands for the elements of a tensor. The type is
// for messages.
func (m *Machine) AdoptTensor(op *ir.Op, t *Tensor, typ ir.Type) *Alloc {
	m.lastID++
	a := &Alloc{Store: t.Store, ID: m.lastID, place: m.lastID, Origin: FromTensor, Loc: op.Loc(), Type: typ, Bytes: t.Elements() * t.Elem.Bytes}
	m.note(MemoryEvent{Kind: "alloc", Op: op, Alloc: a, Bytes: a.Bytes, Loc: a.Loc})
	return a
}

// Free releases the allocation that the memref stands for.
func (m *Machine) Free(op *ir.Op, v *MemRef) error {
	a := v.Alloc
	switch {
	case a.part != nil:
		return Findf(InvalidFree, op, "a part of an arena is freed, which must be freed as a whole").about(a.part.arena)
	case a.freed && a.Origin == Stack:
		return Findf(InvalidFree, op, "stack memory is freed").about(a)
	case a.freed:
		return Findf(DoubleFree, op, "memory is freed a second time").about(a)
	case a.Origin != Heap:
		return Findf(InvalidFree, op, "%s is freed", a.Origin.memory()).about(a)
	case !v.whole():
		return Findf(InvalidFree, op, "a part of an allocation is freed, which must be freed as a whole").about(a)
	}
	m.Frees++
	m.release(op, a, op.Loc())
	return nil
}

func (m *Machine) release(op *ir.Op, a *Alloc, loc ir.Location) {
	a.freed, a.FreeLoc = true, loc
	m.LiveBytes -= a.Bytes
	if a.Origin == Heap {
		last := m.heap[len(m.heap)-1]
		m.heap[a.live], last.live = last, a.live
		m.heap = m.heap[:len(m.heap)-1]
	}
	if m.ReuseAddress != nil && (a.Origin == Heap || a.Bytes > 0) {
		m.ended[a.Origin] = append(m.ended[a.Origin], a.place)
	}
	a.Store = &Store{n: a.n} // the memory itself is no longer needed
	a.dropParts()
	m.note(MemoryEvent{Kind: "free", Op: op, Alloc: a, Bytes: a.Bytes, Loc: loc})
}

// Dispose releases a live heap allocation on behalf of the program's caller,
// which owns what is returned to it. It doesn't count as a free of the program.
func (m *Machine) Dispose(a *Alloc) {
	if a.Origin == Heap && !a.freed {
		m.release(nil, a, nil)
	}
}

// HandOver releases an allocation that a function returns an owner of, on behalf of its
// caller, who has to free it. It is a [Finding] if that can't be done.
func (m *Machine) HandOver(fn *ir.Op, a *Alloc) error {
	switch {
	case a.part != nil:
		return Findf(InvalidFree, fn, "the caller has to free what is returned, but that is a part of an arena").about(a.part.arena)
	case a.freed:
		return Findf(DoubleFree, fn, "what is returned owns memory that was freed, or that another owner owns").about(a)
	case a.Origin != Heap:
		return Findf(InvalidFree, fn, "the caller has to free what is returned, but that is %s", strings.TrimSuffix(a.Origin.memory(), ",")).about(a)
	}
	m.Dispose(a)
	return nil
}

// unwind ends the stack allocations from mark on.
func (m *Machine) unwind(mark int, loc ir.Location) {
	for _, a := range m.stack[mark:] {
		m.release(nil, a, loc)
	}
	m.stack = m.stack[:mark]
}

// Heap returns the live heap allocations.
func (m *Machine) Heap() []*Alloc { return m.heap }

// Leaked returns a finding for an allocation that is live when the program ends.
func Leaked(a *Alloc) *Finding {
	d := ir.Errorf(a.Loc, "memory of %d bytes is never freed", a.Bytes)
	return &Finding{Leak, d}
}

// CountCopy notes that an operation copied n bytes between two allocations.
func (m *Machine) CountCopy(op *ir.Op, dst, src *Alloc, n int64) {
	m.Copies++
	m.BytesCopied += n
	m.note(MemoryEvent{Kind: "copy", Op: op, Alloc: dst, Source: src, Bytes: n, Loc: op.Loc()})
}

// Frame holds the registers of one activation of a function.
type Frame struct {
	// W are the words, O the objects.
	W []uint64
	O []any
	// P tells which words are poison, see [Compiler.MayBePoison].
	P []bool
	// M is the machine.
	M *Machine

	next int   // the block to go to
	call int64 // the activation's number
}
