package plan

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
)

// Memory is one of several memories that buffers are placed in, each an arena of its own.
type Memory struct {
	Name string
	// Capacity is what its peak must not exceed.
	Capacity int64
	// Cost is what a byte costs in it each time a buffer is used.
	Cost int64
}

// Choice is what is known about a buffer besides what [Buffer] says, if there are several memories.
type Choice struct {
	// Allowed are the places of the memories that it may be in; all, if there are none.
	Allowed []int
	// Uses is how often it is used.
	Uses int64
	// Group is the same number for buffers that must be in the same memory, and may be in the same ones; 0 is none.
	Group int
}

// MemoryPlan is a plan for several memories.
type MemoryPlan struct {
	// Memory is the place of the memory of each buffer, Offsets where it is there, in the order of the problem.
	Memory  []int
	Offsets []int64
	// Peaks are those of the memories.
	Peaks []int64
	// Cost is the sum over the buffers of what using them costs.
	Cost int64
	// LastBound is what the peak of the last memory can't be below, at any cost.
	LastBound int64
}

// MemoryError says that buffers weren't placed within the capacities.
type MemoryError struct {
	// Impossible says that there is no plan, as opposed to that none was found.
	Impossible bool
	text       string
}

func (e *MemoryError) Error() string { return e.text }

// SolveMemories looks for a plan within the capacities that costs little, and of those that cost the same for one that needs little of the last memory, then of the
// one before it, and so on. Buffers stay in their memory for all of their lives. Choices are those of the buffers, in their order.
//
// Buffers are placed by first-fit in an order, each in the cheapest memory that has room, of those that cost the same the first; the order, and which buffers
// leave room for others, is improved by random changes (as A. Tripathi et al. do in TVM's unified static memory planner), as many as o.NodeLimit placings, or else half a million, allow,
// which isn't proved to end at the best. Then each memory is planned by [Solve]. Errors are those of Solve, and [*MemoryError].
func SolveMemories(ctx context.Context, p *Problem, memories []Memory, choices []Choice, o Options) (*MemoryPlan, error) {
	evs, err := p.validate()
	if err != nil {
		return nil, err
	}
	if err := checkChoices(p, memories, choices); err != nil {
		return nil, err
	}
	if o.TimeLimit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, o.TimeLimit)
		defer cancel()
	}
	a, err := newAssigner(p, newModel(p, evs), memories, choices)
	if err != nil {
		return nil, err
	}
	if err := a.impossible(evs); err != nil {
		return nil, err
	}
	half := ctx
	if o.TimeLimit > 0 {
		var cancel context.CancelFunc
		half, cancel = context.WithTimeout(ctx, o.TimeLimit/2)
		defer cancel()
	}
	best := a.improve(half, o.NodeLimit)
	if best == nil {
		return nil, &MemoryError{text: "no plan within the capacities of the memories was found"}
	}
	return a.polish(ctx, best, o, evs), nil
}

// checkChoices checks what buffers say about memories.
func checkChoices(p *Problem, memories []Memory, choices []Choice) error {
	if len(memories) == 0 || len(choices) != len(p.Buffers) {
		return fmt.Errorf("%d memories, and %d choices for %d buffers", len(memories), len(choices), len(p.Buffers))
	}
	groups := map[int]int{} // the first buffer of each
	for i, c := range choices {
		b := &p.Buffers[i]
		fail := func(format string, args ...any) error { return &BufferError{i, b.ID, fmt.Sprintf(format, args...)} }
		for _, k := range c.Allowed {
			if k < 0 || k >= len(memories) {
				return fail("there is no memory %d", k)
			}
		}
		if first, known := groups[c.Group]; c.Group != 0 && known && !slices.Equal(choices[first].Allowed, c.Allowed) {
			return fail("it may not be in the same memories as others of its group")
		} else if !known {
			groups[c.Group] = i
		}
		if c.Uses < 0 {
			return fail("the number of uses %d is below zero", c.Uses)
		}
		if b.Pinned && len(c.Allowed) != 1 && len(memories) > 1 {
			return fail("it is pinned, but not said to which memory")
		}
		for _, m := range memories {
			if m.Cost > 0 && b.Size > 0 && c.Uses > math.MaxInt64/int64(len(choices))/m.Cost/b.Size {
				return fail("what its uses cost is out of range")
			}
		}
	}
	return nil
}

// allowed returns the places of the memories that a buffer may be in.
func (c *Choice) allowed(memories []Memory) []int {
	if len(c.Allowed) > 0 {
		return c.Allowed
	}
	out := make([]int, len(memories))
	for k := range out {
		out[k] = k
	}
	return out
}

// part returns the problem of one memory, and the places of its buffers in the whole.
func (x *MemoryPlan) part(p *Problem, memories []Memory, k int) (*Problem, []int) {
	part := &Problem{Capacity: memories[k].Capacity}
	var places []int
	for i, b := range p.Buffers {
		if x.Memory[i] == k {
			part.Buffers = append(part.Buffers, b)
			places = append(places, i)
		}
	}
	return part, places
}

// VerifyMemories checks a plan for several memories, each as [Verify] does, that no capacity is exceeded, that each buffer is where it may be, and what it costs.
func VerifyMemories(p *Problem, memories []Memory, choices []Choice, x *MemoryPlan) error {
	if err := checkChoices(p, memories, choices); err != nil {
		return err
	}
	if len(x.Memory) != len(p.Buffers) || len(x.Offsets) != len(p.Buffers) || len(x.Peaks) != len(memories) {
		return fmt.Errorf("%d places in memories, %d offsets and %d peaks, for %d buffers and %d memories", len(x.Memory), len(x.Offsets), len(x.Peaks), len(p.Buffers), len(memories))
	}
	var cost int64
	groups := map[int]int{}
	for i, k := range x.Memory {
		b := &p.Buffers[i]
		if g := choices[i].Group; g != 0 {
			if first, known := groups[g]; known && x.Memory[first] != k {
				return &BufferError{i, b.ID, "it isn't in the memory of others of its group"}
			}
			groups[g] = i
		}
		if !slices.Contains(choices[i].allowed(memories), k) {
			return &BufferError{i, b.ID, fmt.Sprintf("it may not be in memory %d", k)}
		}
		cost += memories[k].Cost * choices[i].Uses * b.Size
	}
	for k := range memories {
		part, places := x.part(p, memories, k)
		s := &Solution{Peak: x.Peaks[k], Bound: LowerBound(part)}
		s.LowerBound = s.Bound.Bytes
		for _, i := range places {
			s.Offsets = append(s.Offsets, x.Offsets[i])
		}
		if err := Verify(part, s); err != nil {
			return inMemory(p, memories[k].Name, places, err)
		}
		if x.Peaks[k] > memories[k].Capacity {
			return fmt.Errorf("memory %q: the peak %d is above the capacity %d", memories[k].Name, x.Peaks[k], memories[k].Capacity)
		}
	}
	if cost != x.Cost {
		return fmt.Errorf("the cost is %d, not %d", cost, x.Cost)
	}
	return nil
}

// inMemory returns an error about a part of the problem, whose buffers are at some places, as one about all of it.
func inMemory(p *Problem, name string, places []int, err error) error {
	var b *BufferError
	var o *OverlapError
	switch {
	case errors.As(err, &b):
		return &BufferError{places[b.Index], b.ID, fmt.Sprintf("in memory %q, %s", name, b.Problem)}
	case errors.As(err, &o):
		first, second := places[o.First], places[o.Second]
		return &OverlapError{first, second, o.Time, fmt.Sprintf("%s and %s overlap in memory %q, and are both alive at time %d", p.name(first), p.name(second), name, o.Time)}
	}
	return fmt.Errorf("memory %q: %w", name, err)
}
