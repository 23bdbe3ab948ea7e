package plan

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Interval is a span of time, half-open: from Lower up to, but not including, Upper.
// It is empty if they are equal.
type Interval struct{ Lower, Upper int64 }

// Buffer is a piece of memory that is needed at some times.
type Buffer struct {
	// ID names the buffer in messages. It may be empty; two buffers can't have the same.
	ID string
	// Size is in bytes, or any other unit.
	Size int64
	// Alignment is what the offset has to be a multiple of; 0 is 1.
	Alignment int64
	// Live is when the buffer is alive: intervals in any order, which may touch and
	// overlap. A buffer that is never alive, or has size 0, takes no memory.
	Live []Interval
	// Pinned demands that the buffer is at Offset.
	Pinned bool
	Offset int64
}

// inUse says whether the buffer ever takes memory.
func (b *Buffer) inUse() bool {
	return b.Size > 0 && slices.ContainsFunc(b.Live, func(l Interval) bool { return l.Lower < l.Upper })
}

// Problem asks for an offset for each buffer, such that buffers that are alive at the
// same time don't overlap, and the peak, the largest end of a buffer, is small.
//
// Time is any order of what happens. In a program with branches it is the order of its
// text: buffers of two branches are alive at different times, one that is alive around
// them and in one of them has several intervals. What can't be said that way, can be with
// [Problem.AddConflicts].
type Problem struct {
	Buffers []Buffer
	// Capacity is what the peak must not exceed; 0 asks for the smallest peak.
	Capacity int64
}

// BufferError is what is wrong with a buffer.
type BufferError struct {
	// Index is the buffer's place in the problem.
	Index int
	// ID is its name, if it has one.
	ID string
	// Problem is what is wrong.
	Problem string
}

func (e *BufferError) Error() string {
	if e.ID == "" {
		return fmt.Sprintf("buffer %d: %s", e.Index, e.Problem)
	}
	return fmt.Sprintf("buffer %q: %s", e.ID, e.Problem)
}

// AddConflicts demands that the buffers of each pair, given by their places, don't
// overlap, alive at the same time or not: for each it adds, after all other times, one at
// which both are alive. It is an error if there are no such times below the largest int64.
func (p *Problem) AddConflicts(pairs [][2]int) error {
	end := int64(math.MinInt64)
	for i := range p.Buffers {
		for _, l := range p.Buffers[i].Live {
			end = max(end, l.Upper)
		}
	}
	if end > math.MaxInt64-int64(len(pairs)) {
		return fmt.Errorf("no time is left for %d conflicts", len(pairs))
	}
	for _, pair := range pairs {
		for _, i := range pair {
			b := &p.Buffers[i]
			b.Live = append(slices.Clip(b.Live), Interval{end, end + 1})
		}
		end++
	}
	return nil
}

// Validate says what is wrong with a problem, in time n log n for n intervals. Errors
// about one buffer are of type [*BufferError].
func (p *Problem) Validate() error {
	_, err := p.validate()
	return err
}

// validate is Validate; it returns the problem's events.
func (p *Problem) validate() ([]event, error) {
	if err := p.checkBuffers(); err != nil {
		return nil, err
	}
	evs := events(p, func(*Buffer) bool { return true })
	if err := p.checkSums(evs); err != nil {
		return nil, err
	}
	return evs, p.checkPins()
}

// checkBuffers checks what can be seen of single buffers, and their names.
func (p *Problem) checkBuffers() error {
	if p.Capacity < 0 {
		return fmt.Errorf("the capacity %d is below zero", p.Capacity)
	}
	intervals := 0
	for i := range p.Buffers {
		intervals += len(p.Buffers[i].Live)
	}
	if max(len(p.Buffers), 2*intervals) > math.MaxInt32 {
		return fmt.Errorf("%d buffers with %d intervals are too many", len(p.Buffers), intervals)
	}
	names := newNameTable(p.Buffers)
	for i := range p.Buffers {
		b := &p.Buffers[i]
		fail := func(format string, args ...any) error {
			return &BufferError{i, b.ID, fmt.Sprintf(format, args...)}
		}
		if b.ID != "" && !names.add(int32(i)) {
			return fail("there is another buffer with this id")
		}
		if b.Size < 0 {
			return fail("the size %d is below zero", b.Size)
		}
		if b.Alignment < 0 {
			return fail("the alignment %d is below zero", b.Alignment)
		}
		for _, l := range b.Live {
			if l.Upper < l.Lower {
				return fail("it is alive from %d to %d, which is before", l.Lower, l.Upper)
			}
		}
		if b.Pinned {
			switch {
			case b.Offset < 0:
				return fail("the offset %d is below zero", b.Offset)
			case b.Offset%max(b.Alignment, 1) != 0:
				return fail("the offset %d is no multiple of the alignment %d", b.Offset, b.Alignment)
			case b.Offset > math.MaxInt64-b.Size:
				return fail("the offset %d and the size %d add up to more than %d", b.Offset, b.Size, int64(math.MaxInt64))
			}
		}
	}
	return nil
}

// checkSums checks that what is alive at a time has a size.
func (p *Problem) checkSums(evs []event) error {
	var alive int64
	for _, e := range evs {
		size := p.Buffers[e.buffer].Size
		if !e.start {
			alive -= size
			continue
		}
		if size > math.MaxInt64-alive {
			b := &p.Buffers[e.buffer]
			return &BufferError{int(e.buffer), b.ID, fmt.Sprintf("with it, what is alive at time %d is larger than %d", e.time, int64(math.MaxInt64))}
		}
		alive += size
	}
	return nil
}

// checkPins checks that the buffers with an offset don't overlap.
func (p *Problem) checkPins() error {
	if !slices.ContainsFunc(p.Buffers, func(b Buffer) bool { return b.Pinned }) {
		return nil
	}
	offsets := make([]int64, len(p.Buffers))
	for i := range p.Buffers {
		offsets[i] = p.Buffers[i].Offset
	}
	c := findOverlap(p, offsets, events(p, func(b *Buffer) bool { return b.Pinned }))
	if c == nil {
		return nil
	}
	b := &p.Buffers[c.b]
	return &BufferError{c.b, b.ID, fmt.Sprintf("it is pinned where %s is at time %d", p.name(c.a), c.time)}
}

// name returns how messages call a buffer.
func (p *Problem) name(i int) string {
	if id := p.Buffers[i].ID; id != "" {
		return fmt.Sprintf("buffer %q", id)
	}
	return fmt.Sprintf("buffer %d", i)
}

// event is a buffer becoming alive, or no longer being so.
type event struct {
	time   int64
	buffer int32
	start  bool
}

// events returns when the buffers that keep admits become and stop being alive, each
// alternating, in the order of time, at the same time first what stops. It leaves out
// buffers of size 0.
func events(p *Problem, keep func(*Buffer) bool) []event {
	n := 0
	for i := range p.Buffers {
		n += len(p.Buffers[i].Live)
	}
	out, starts := make([]event, 0, 2*n), make([]event, 0, n)
	var merged []Interval
	for i := range p.Buffers {
		b := &p.Buffers[i]
		if b.Size == 0 || !keep(b) {
			continue
		}
		live := b.Live
		if len(live) > 1 {
			merged = mergeIntervals(merged[:0], live)
			live = merged
		}
		for _, l := range live {
			if l.Lower < l.Upper {
				out = append(out, event{l.Upper, int32(i), false})
				starts = append(starts, event{l.Lower, int32(i), true})
			}
		}
	}
	// What stops and what starts are in the order of the buffers each.
	return sortByNumber(append(out, starts...), func(e event) int64 { return e.time })
}

// mergeIntervals appends the intervals in their order to out, without empty ones, those
// that touch as one.
func mergeIntervals(out, live []Interval) []Interval {
	for _, l := range live {
		if l.Lower < l.Upper {
			out = append(out, l)
		}
	}
	slices.SortFunc(out, func(x, y Interval) int { return cmp.Compare(x.Lower, y.Lower) })
	n := 0
	for _, l := range out {
		if n > 0 && l.Lower <= out[n-1].Upper {
			out[n-1].Upper = max(out[n-1].Upper, l.Upper)
			continue
		}
		out[n] = l
		n++
	}
	return out[:n]
}
