package order

import (
	"cmp"
	"slices"
)

// emitter puts the steps that are in no item between those of items: what needs none of these as late as it can be, since it
// may still be something, such as a place to write to, and the others as early.
type emitter struct {
	*solver
	place   []int
	done    []bool
	waiting []int // for items, and for steps that need some
	late    []bool
	out     []int
}

// stepsOf returns the steps of items in order, and those that are in none, of which those that may stand at the same place stand as in start.
func (s *solver) stepsOf(items []int32, start []int) []int {
	n := len(start)
	e := &emitter{solver: s, place: make([]int, n), done: make([]bool, n), waiting: make([]int, n), late: make([]bool, n), out: make([]int, 0, n)}
	for i, k := range start {
		e.place[k] = i
	}
	for _, i := range s.links.topological() {
		e.late[i] = s.rest[i]
		for _, p := range s.links.before[i] {
			if !e.late[p] {
				e.late[i] = false
				e.waiting[i]++
			}
		}
	}
	for _, k := range items {
		for _, i := range s.items[k].steps {
			e.emit(i)
		}
	}
	for _, k := range start {
		e.emit(int32(k))
	}
	return e.out
}

// emit adds a step, what it needs before, and then what it was that others waited for.
func (e *emitter) emit(i int32) {
	if e.done[i] {
		return
	}
	e.done[i] = true
	e.needs(i)
	e.out = append(e.out, int(i))
	if e.late[i] {
		return
	}
	var next []int32
	for _, a := range e.links.after[i] {
		if e.waiting[a]--; e.waiting[a] == 0 && e.rest[a] {
			next = append(next, a)
		}
	}
	e.inPlace(next)
	for _, a := range next {
		e.emit(a)
	}
}

// needs adds what a step needs before it that waits for nothing.
func (e *emitter) needs(i int32) {
	before := slices.Clone(e.links.before[i])
	e.inPlace(before)
	for _, p := range before {
		e.emit(p)
	}
}

// inPlace sorts steps as they were.
func (e *emitter) inPlace(list []int32) {
	slices.SortFunc(list, func(i, j int32) int { return cmp.Compare(e.place[i], e.place[j]) })
}
