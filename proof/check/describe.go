package check

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"freehold/ir"
	"freehold/proof/semantics"
)

func (d does) String() string {
	return [...]string{"computes", "touches no memory", "view", "accesses", "computes", "allocates", "allocates on the stack", "frees", "passes control", "calls", "declares"}[d]
}

// Rule is what the check knows about an operation, in words.
type Rule struct{ Operation, Does string }

// Rules returns the rules by which operations are judged, in the order of their names: those of the check, and those that
// other operations of a context state.
func Rules(c *ir.Context) []Rule {
	var out []Rule
	for _, op := range c.OpNames() {
		s, ok := semantics.Stated.OfName(op)
		switch {
		case !ok || opRules()[op.String()] != nil:
		case s.Known():
			out = append(out, Rule{op.String(), statedRule(s).String() + ", as it states"})
		default:
			out = append(out, Rule{op.String(), "states a rule that there isn't"})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(opRules())) {
		out = append(out, Rule{name, opRules()[name].String()})
	}
	for id := range lowered {
		if opRules()[id.String()] == nil {
			out = append(out, Rule{id.String(), "handles owners that were lowered to pointers"})
		}
	}
	slices.SortFunc(out, func(a, b Rule) int { return strings.Compare(a.Operation, b.Operation) })
	return out
}

// String returns what the rule says.
func (r *opRule) String() string {
	s := r.does.String()
	operands := func(verb string, is []int) {
		for n, i := range is {
			if n == 0 {
				s += ", " + verb
			}
			s += fmt.Sprintf(" #%d", i)
		}
	}
	operands("reads", r.reads)
	operands("writes", r.writes)
	if r.destination {
		s += ", reads all, writes inits"
	}
	return s
}
