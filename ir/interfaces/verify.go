package interfaces

import (
	"strconv"

	"freehold/ir"
)

// verifyBranch checks that what a terminator passes to its successors fits their
// arguments.
func verifyBranch(op *ir.Op, m BranchModel) error {
	for i := range op.NumSuccessors() {
		start, n, produced := m.SuccessorOperands(op, i)
		args := op.Successor(i).Args()
		if n+produced != len(args) {
			return op.PlainErrorf("branch has %d operands for successor #%d, but target block has %d", n+produced, i, len(args))
		}
		for j := range n {
			if op.Operand(start+j).Type() != args[produced+j].Type() {
				return op.PlainErrorf("type mismatch for bb argument #%d of successor #%d", produced+j, i)
			}
		}
	}
	return nil
}

// verifyRegionBranch checks that what is passed along each edge of the control
// flow between an operation and its regions fits what receives it.
func verifyRegionBranch(op *ir.Op, m RegionBranchModel) error {
	if passesNothing(op, m) {
		return nil
	}
	for _, to := range m.Successors(op, ParentPoint) {
		start, n := m.EntryOperands(op, RegionPoint{to.Region})
		if err := VerifyEdge(op, nil, ParentPoint, to, op.Operands()[start:start+n], equal); err != nil {
			return err
		}
	}
	for _, r := range op.Regions() {
		var terms []*ir.Op
		for b := range r.Blocks() {
			if t := b.Last(); t != nil && IsRegionTerminator(t) {
				terms = append(terms, t)
			}
		}
		if len(terms) == 0 {
			continue
		}
		from := RegionPoint{r}
		for _, to := range m.Successors(op, from) {
			for i, t := range terms {
				start, n := TerminatorOperands(t, RegionPoint{to.Region})
				passed := t.Operands()[start : start+n]
				if i > 0 {
					first, k := TerminatorOperands(terms[0], RegionPoint{to.Region})
					if !sameTypes(passed, terms[0].Operands()[first:first+k]) {
						return op.Errorf(" along control flow edge %s operands mismatch between return-like terminators", edge(from, to))
					}
					continue
				}
				if err := VerifyEdge(op, t, from, to, passed, equal); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// passesNothing tells whether no edge of the control flow can pass anything, or wants to:
// most conditionals are like that, and need no list of their edges.
func passesNothing(op *ir.Op, m RegionBranchModel) bool {
	if _, n := m.EntryOperands(op, ParentPoint); n > 0 || op.NumResults() > 0 {
		return false
	}
	for _, r := range op.Regions() {
		if _, n := m.EntryOperands(op, RegionPoint{r}); n > 0 {
			return false
		}
		b := r.Entry()
		if b == nil {
			continue
		}
		if b.NumArgs() > 0 || b != r.Last() || b.Last() == nil || b.Last().NumOperands() > 0 {
			return false
		}
	}
	return true
}

// equal is how types fit that have to be the same.
func equal(a, b ir.Type) bool { return a == b }

func sameTypes(a, b ir.Operands) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a.At(i).Type() != b.At(i).Type() {
			return false
		}
	}
	return true
}

// VerifyEdge checks what is passed along an edge, by the terminator or, if it is nil, by the operation itself: fits tells of what an argument may be.
// Operations whose control flow other passes don't follow call it themselves.
func VerifyEdge(op, terminator *ir.Op, from RegionPoint, to RegionSuccessor, passed ir.Operands, fits func(passed, arg ir.Type) bool) error {
	if op.Context().LLVM() >= edgesReworded {
		return verifyLaterEdge(op, terminator, to, passed, fits)
	}
	if len(passed) != len(to.Inputs) {
		return op.Errorf(" region control flow edge %s: source has %d operands, but target successor needs %d", edge(from, to), len(passed), len(to.Inputs))
	}
	for i := range passed {
		if s, t := passed.At(i).Type(), to.Inputs[i].Type(); !fits(s, t) {
			return op.Errorf(" along control flow edge %s: source type #%d '%s' should match input type #%d '%s'", edge(from, to), i, s, i, t)
		}
	}
	return nil
}

// edgesReworded is the first version of LLVM whose messages about edges name terminators.
const edgesReworded = 22

func verifyLaterEdge(op, terminator *ir.Op, to RegionSuccessor, passed ir.Operands, fits func(passed, arg ir.Type) bool) error {
	from, target := "parent", "parent"
	if terminator != nil {
		from = "Operation " + terminator.Name()
	}
	if to.Region != nil {
		target = "Region #" + strconv.Itoa(to.Region.Index())
	}
	if len(passed) != len(to.Inputs) {
		return op.Errorf("along control flow edge from %s to %s: region branch point has %d operands, but region successor needs %d inputs", from, target, len(passed), len(to.Inputs))
	}
	for i := range passed {
		if s, t := passed.At(i).Type(), to.Inputs[i].Type(); !fits(s, t) {
			return op.Errorf("along control flow edge from %s to %s: successor operand type #%d '%s' should match successor input type #%d '%s'", from, target, i, s, i, t)
		}
	}
	return nil
}

// edge describes an edge of the control flow in messages.
func edge(from RegionPoint, to RegionSuccessor) string {
	s := "from parent operands to "
	if from.Region != nil {
		s = "from Region #" + strconv.Itoa(from.Region.Index()) + " to "
	}
	if to.Region == nil {
		return s + "parent results"
	}
	return s + "Region #" + strconv.Itoa(to.Region.Index())
}

// verifyLoop checks that what a loop carries from one iteration to the next has one
// number and the same types everywhere. Operations list the interface before
// RegionBranch where the message about the values is to come before that about the
// edge.
func verifyLoop(op *ir.Op, m LoopModel) error {
	start, n := m.Inits(op)
	inits, args, yielded, results := op.Operands()[start:start+n], m.IterArgs(op), m.Yielded(op), m.Results(op)
	switch {
	case n != len(args):
		return op.Errorf("different number of inits and region iter_args: %d != %d", n, len(args))
	case len(yielded) != 0 && len(yielded) != n:
		return op.Errorf("different number of region iter_args and yielded values: %d != %d", n, len(yielded))
	case results != nil && len(results) != n:
		return op.Errorf("different number of loop results and region iter_args: %d != %d", len(results), n)
	}
	for i, a := range args {
		if t := inits.At(i).Type(); t != a.Type() {
			return op.Errorf("%d-th init and %d-th region iter_arg have different type: '%s' != '%s'", i, i, t, a.Type())
		}
	}
	for i := range yielded {
		if a, t := args[i].Type(), yielded.At(i).Type(); a != t {
			return op.Errorf("%d-th region iter_arg and %d-th yielded value have different type: '%s' != '%s'", i, i, a, t)
		}
	}
	for i := range results {
		if a, t := args[i].Type(), results.At(i).Type(); a != t {
			return op.Errorf("%d-th region iter_arg and %d-th loop result have different type: '%s' != '%s'", i, i, a, t)
		}
	}
	return nil
}
