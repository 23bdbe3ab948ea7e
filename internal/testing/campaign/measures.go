package campaign

import (
	"fmt"
	"strconv"
	"strings"

	"freehold/exec"
	"freehold/ir"
	"freehold/ir/interfaces"
)

// Measures tell how good a program is that a pipeline made: how large it is, and what it
// did when it was executed, on all inputs. Less is better.
type Measures struct {
	// Refused tells that there is none.
	Refused bool `json:"refused,omitempty"`
	// Operations counts all operations, Effects those with effects.
	Operations int `json:"operations,omitempty"`
	Effects    int `json:"effects,omitempty"`
	// Steps are executed operations. Copies count operations, too.
	Steps          int64 `json:"steps,omitempty"`
	Allocations    int64 `json:"allocations,omitempty"`
	BytesAllocated int64 `json:"bytesAllocated,omitempty"`
	PeakBytes      int64 `json:"peakBytes,omitempty"`
	Copies         int64 `json:"copies,omitempty"`
	BytesCopied    int64 `json:"bytesCopied,omitempty"`
}

func measure(m *ir.Op, s exec.Stats) Measures {
	out := Measures{Steps: s.Steps, Allocations: s.Allocations, BytesAllocated: s.BytesAllocated, PeakBytes: s.PeakBytes,
		Copies: s.Copies, BytesCopied: s.BytesCopied}
	m.Walk(func(op *ir.Op) bool {
		out.Operations++
		if !interfaces.IsPure(op) {
			out.Effects++
		}
		return true
	})
	return out
}

// worse tells what is worse than in the baseline.
func (x *trial) worse() *problem {
	old, ok := x.o.Baseline[x.testcase()]
	if !ok {
		return nil
	}
	if what := x.measures.worseThan(&old); what != "" {
		return problemf(kindWorse, "%s", what)
	}
	return nil
}

// worseThan tells what there is more of than there was; empty if of nothing. Whether a
// program should be refused is no question of quality: another oracle decides.
func (m *Measures) worseThan(old *Measures) string {
	if m.Refused && !old.Refused {
		return "the program is refused now"
	}
	if old.Refused {
		return ""
	}
	var list []string
	for _, c := range []struct {
		what     string
		now, old int64
	}{
		{"operations", int64(m.Operations), int64(old.Operations)},
		{"operations with effects", int64(m.Effects), int64(old.Effects)},
		{"steps", m.Steps, old.Steps},
		{"allocations", m.Allocations, old.Allocations},
		{"allocated bytes", m.BytesAllocated, old.BytesAllocated},
		{"bytes at the peak", m.PeakBytes, old.PeakBytes},
		{"copies", m.Copies, old.Copies},
		{"copied bytes", m.BytesCopied, old.BytesCopied},
	} {
		if c.now > c.old {
			list = append(list, fmt.Sprintf("%d %s instead of %d", c.now, c.what, c.old))
		}
	}
	return strings.Join(list, ", ")
}

// MarshalText writes a case as one string, for keys of JSON objects.
func (c Case) MarshalText() ([]byte, error) {
	return fmt.Appendf(nil, "%s %d %s", c.Generator, c.Seed, c.Pipeline), nil
}

// UnmarshalText reads what [Case.MarshalText] wrote.
func (c *Case) UnmarshalText(text []byte) error {
	words := strings.SplitN(string(text), " ", 3)
	if len(words) < 3 {
		return fmt.Errorf("%q is no run", text)
	}
	seed, err := strconv.ParseUint(words[1], 10, 64)
	*c = Case{words[0], seed, words[2]}
	return err
}
