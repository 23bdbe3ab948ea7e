package kernel

import (
	"fmt"
	"strings"

	"freehold/ir"
	"freehold/ir/interfaces"
)

// numbers are those of the operations of a function, in the order of the program.
type numbers struct {
	of  map[*ir.Op]int
	ops []*ir.Op
}

// number returns the numbers of the operations of the function that a frame is about.
func (v *Machine) number(fr *Frame) *numbers {
	n := v.numbers[fr.Fn]
	if n == nil {
		n = &numbers{of: map[*ir.Op]int{}}
		fr.Fn.Walk(func(op *ir.Op) bool {
			n.of[op] = len(n.ops)
			n.ops = append(n.ops, op)
			return true
		})
		v.numbers[fr.Fn] = n
	}
	return n
}

// OpNumber returns the number of an operation in the function that a frame is about.
func (v *Machine) OpNumber(fr *Frame, op *ir.Op) int { return v.number(fr).of[op] }

// OpName returns the name of an operation: its number in its function, after those of the
// calls that lead there.
func (v *Machine) OpName(fr *Frame, op *ir.Op) string {
	return fmt.Sprint(fr.Path, v.OpNumber(fr, op))
}

// ObjectName returns the name of the object that is result i of an operation.
func (v *Machine) ObjectName(fr *Frame, op *ir.Op, i int) string {
	if !v.Naming {
		return ""
	}
	name := fmt.Sprint(fr.Path, "new", v.OpNumber(fr, op))
	if interfaces.Call.Has(op) {
		name += fmt.Sprint(".", i)
	}
	return name
}

// RegionName returns the name of a region: that of its operation, and its number.
func (v *Machine) RegionName(fr *Frame, r *ir.Region) string {
	return fmt.Sprintf("%d.%d", v.number(fr).of[r.Op()], r.Index())
}

// ValueNamed returns what is known about the value of a name: OP:RESULT, or
// OP.REGION^BLOCK:ARGUMENT.
func (v *Machine) ValueNamed(fr *Frame, name string) (Value, bool) {
	if x := v.named(fr, name); x != nil {
		out, known := fr.Values[x]
		return out, known
	}
	return Value{}, false
}

// named returns the value of a name; nil if there is none.
func (v *Machine) named(fr *Frame, name string) *ir.Value {
	text, ok := strings.CutPrefix(name, fr.Path)
	var op, region, block, i int
	ok = ok && !strings.Contains(text, "-")
	of := v.number(fr)
	if n, _ := fmt.Sscanf(text, "%d.%d^%d:%d", &op, &region, &block, &i); n == 4 && ok && op < len(of.ops) && region < of.ops[op].NumRegions() {
		for b := range of.ops[op].RegionAt(region).Blocks() {
			if block == 0 && i < b.NumArgs() {
				return b.Arg(i)
			}
			block--
		}
	}
	if n, _ := fmt.Sscanf(text, "%d:%d", &op, &i); n == 2 && ok && op < len(of.ops) && i < of.ops[op].NumResults() {
		return of.ops[op].Result(i)
	}
	return nil
}

// Dialect returns the name of the dialect of an operation, which may be an unregistered one.
func Dialect(op *ir.Op) string { return strings.Split(op.Name(), ".")[0] }
