package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"freehold/memory/plan"
)

// memorySpec is one memory, as --memory gives it.
type memorySpec struct {
	plan.Memory
	space int64 // as programs call it, or -1
}

// memoryList is the value of --memory, which may be given several times: NAME=SIZE, with ,space=N and ,cost=N.
type memoryList []memorySpec

func (l *memoryList) Type() string   { return "memory" }
func (l *memoryList) String() string { return "" }

func (l *memoryList) Set(text string) error {
	first, more, _ := strings.Cut(text, ",")
	name, size, ok := strings.Cut(first, "=")
	if !ok || name == "" || strings.ContainsAny(name, " \t\"") {
		return fmt.Errorf("%q is not written as NAME=SIZE, such as fast=256KiB", first)
	}
	n, err := parseSize(size)
	if err != nil {
		return err
	}
	m := memorySpec{plan.Memory{Name: name, Capacity: n}, -1}
	for more != "" {
		var word string
		word, more, _ = strings.Cut(more, ",")
		key, value, _ := strings.Cut(word, "=")
		n, err := strconv.ParseInt(value, 10, 32)
		if err != nil || n < 0 || key != "space" && key != "cost" {
			return fmt.Errorf("%q is neither space=N nor cost=N", word)
		}
		if key == "space" {
			m.space = n
		} else {
			m.Cost = n
		}
	}
	for _, other := range *l {
		if other.Name == m.Name {
			return fmt.Errorf("the memory %q is given twice", name)
		}
		if m.space >= 0 && other.space == m.space {
			return fmt.Errorf("the memories %q and %q have the same space %d", other.Name, name, m.space)
		}
	}
	*l = append(*l, m)
	return nil
}

// memories returns what the planner needs to know.
func (l memoryList) memories() []plan.Memory {
	out := make([]plan.Memory, len(l))
	for k, m := range l {
		out[k] = m.Memory
	}
	return out
}

// plan plans a table for several memories by solve, or reads the plan that it has, and verifies that.
func (l memoryList) plan(table *plan.Table, verify bool, solve func(p *plan.Problem, memories []plan.Memory, choices []plan.Choice) (*plan.MemoryPlan, error)) (*plan.MemoryPlan, error) {
	memories := l.memories()
	choices, err := table.Choices(memories)
	if err != nil {
		return nil, err
	}
	var x *plan.MemoryPlan
	if verify {
		x, err = table.MemoryPlan(memories, choices)
	} else {
		x, err = solve(&table.Problem, memories, choices)
	}
	if err == nil {
		err = plan.VerifyMemories(&table.Problem, memories, choices, x)
	}
	return x, err
}

// print writes the summary of a plan for several memories.
func (l memoryList) print(w io.Writer, buffers int, x *plan.MemoryPlan, took time.Duration) {
	fmt.Fprintf(w, "buffers      %d\n", buffers)
	for k, m := range l {
		in := 0
		for _, j := range x.Memory {
			if j == k {
				in++
			}
		}
		fmt.Fprintf(w, "memory       %s: %s, peak %d of %d bytes%s\n", m.Name, counted(in, "buffer", "buffers"), x.Peaks[k], m.Capacity, l.bound(k, x))
	}
	fmt.Fprintf(w, "cost         %d\n", x.Cost)
	fmt.Fprintf(w, "plan         %.2f s\n", took.Seconds())
}

// bound says how good the last memory's peak is.
func (l memoryList) bound(k int, x *plan.MemoryPlan) string {
	switch {
	case k < len(l)-1:
		return ""
	case x.Peaks[k] == x.LastBound:
		return ", optimal"
	}
	return fmt.Sprintf(", at least %d at any cost", x.LastBound)
}

// jsonMemoryPlan is the answer of plan with several memories.
type jsonMemoryPlan struct {
	Buffers   int                `json:"buffers"`
	Memories  []jsonMemory       `json:"memories"`
	Cost      int64              `json:"cost"`
	LastBound int64              `json:"lowerBoundOfLast,omitempty"`
	Seconds   float64            `json:"seconds"`
	Offsets   []jsonMemoryOffset `json:"offsets"`
}

type jsonMemory struct {
	Name     string `json:"name"`
	Space    *int64 `json:"space,omitempty"`
	Capacity int64  `json:"capacity"`
	Cost     int64  `json:"cost"`
	Peak     int64  `json:"peak"`
}

type jsonMemoryOffset struct {
	ID     string `json:"id"`
	Memory string `json:"memory"`
	Offset int64  `json:"offset"`
}

func (l memoryList) printJSON(w io.Writer, p *plan.Problem, x *plan.MemoryPlan, took time.Duration) error {
	out := jsonMemoryPlan{Buffers: len(p.Buffers), Cost: x.Cost, LastBound: x.LastBound, Seconds: took.Seconds(), Offsets: []jsonMemoryOffset{}}
	for k, m := range l {
		j := jsonMemory{Name: m.Name, Capacity: m.Capacity, Cost: m.Cost, Peak: x.Peaks[k]}
		if m.space >= 0 {
			j.Space = &l[k].space
		}
		out.Memories = append(out.Memories, j)
	}
	for i, b := range p.Buffers {
		out.Offsets = append(out.Offsets, jsonMemoryOffset{b.ID, l[x.Memory[i]].Name, x.Offsets[i]})
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(out)
}
