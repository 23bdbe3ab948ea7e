package cli

import (
	"fmt"
	"io"
	"slices"

	"freehold/exec/interp"
	"freehold/internal/terminal"
	"freehold/ir"
	"freehold/ir/analysis"
	"freehold/ir/interfaces"
)

// tensorArguments tells of the public functions in a module which arguments are tensors.
func tensorArguments(module *ir.Op) map[string][]bool {
	out := map[string][]bool{}
	module.Walk(func(op *ir.Op) bool {
		m, ok := interfaces.Function.Of(op)
		if name, named := ir.SymbolName(op); ok && named && ir.IsPublic(op) && op.BodyBlock(0) != nil {
			for _, t := range m.Type(op).Inputs {
				out[name] = append(out[name], ir.IsTensor(t))
			}
		}
		return !ok
	})
	return out
}

// overwritable tells of the functions in a module whose contents nobody needs after a call: those of tensors, and what the program gives up.
func overwritable(module *ir.Op) map[string][]bool {
	given := interp.Overwritable(module)
	out := map[string][]bool{}
	module.Walk(func(op *ir.Op) bool {
		m, ok := interfaces.Function.Of(op)
		if name, named := ir.SymbolName(op); ok && named {
			for i, t := range m.Type(op).Inputs {
				out[name] = append(out[name], ir.IsTensor(t) || i < len(given[op]) && given[op][i])
			}
		}
		return !ok
	})
	return out
}

// compareRuns reports whether the runs before and after compilation had the same results, and did the same, in both calls. A
// difference or finding is an error; may tells which arguments may be overwritten.
func compareRuns(w io.Writer, r *reporter, before, after *execution, may map[string][]bool) error {
	name, _ := ir.SymbolName(after.fn)
	if len(after.result.Findings) > 0 {
		r.reportFindings(after.result, "after compilation, ")
		return exitStatus(1)
	}
	c := comparison{w: w, may: may[name]}
	if err := c.compare(name, before.result, after.result); err != nil {
		return err
	}
	if b, a := before.result.Again, after.result.Again; c.different == 0 && b != nil && b.Stopped() == nil && a != nil {
		c.when = " of a second call"
		if a.Stopped() != nil {
			r.reportFindings(a, "after compilation, in a second call, ")
			return exitStatus(1)
		}
		if err := c.compare(name, b, a); err != nil {
			return err
		}
	}
	if c.different > 0 {
		return failure{statusWrong, fmt.Errorf("the compiled program computes something else")}
	}
	return nil
}

// comparison compares two runs.
type comparison struct {
	w         io.Writer
	may       []bool
	when      string
	different int
}

func (c *comparison) differs(what, before, after string) {
	c.different++
	fmt.Fprintf(c.w, "%s%s differs\n  before: %s\n  after:  %s\n", what, c.when, before, after)
}

func (c *comparison) compare(name string, before, after *interp.Result) error {
	if len(before.Values) != len(after.Values) {
		return failure{statusWrong, fmt.Errorf("@%s has %d results before and %d after", name, len(before.Values), len(after.Values))}
	}
	values := func(what string, i int, a, b interp.Value) {
		if !interp.Equal([]interp.Value{a}, []interp.Value{b}) {
			c.differs(fmt.Sprintf("%s %d", what, i), a.Text(), b.Text())
		}
	}
	for i := range before.Values {
		values("result", i, before.Values[i], after.Values[i])
	}
	for i, v := range before.Buffers {
		if v.Tensor != nil && i < len(after.Buffers) && !(i < len(c.may) && c.may[i]) {
			values("argument", i, v, after.Buffers[i])
		}
	}
	if d, _ := interp.EffectDifference(before.Effects, after.Effects, interp.Tolerance{}); d != "" {
		c.different++
		fmt.Fprintf(c.w, "what is printed, or called,%s differs: %s\n", c.when, d)
	}
	return nil
}

// overwritten is an argument of a public function that was a tensor, whose buffer the function writes to: what callers pass is lost.
type overwritten struct {
	Function string `json:"function"`
	Argument int    `json:"argument"`
}

// findOverwritten finds the arguments that are overwritten, of those that were tensors.
func findOverwritten(module *ir.Op, tensors map[string][]bool) []overwritten {
	out := []overwritten{}
	x := &overwriting{tables: ir.NewSymbolTables(), known: map[*ir.Value]bool{}, buffers: map[*ir.Op]*analysis.Buffers{}}
	module.Walk(func(op *ir.Op) bool {
		if !interfaces.Function.Has(op) {
			return true
		}
		name, _ := ir.SymbolName(op)
		for i, tensor := range tensors[name] {
			if body := op.BodyBlock(0); tensor && body != nil && i < body.NumArgs() && x.writes(body.Arg(i)) {
				out = append(out, overwritten{name, i})
			}
		}
		return false
	})
	return out
}

// printOverwritten names arguments that are overwritten.
func printOverwritten(w io.Writer, list []overwritten) {
	for _, o := range list {
		fmt.Fprintf(w, "%s argument %d of @%s: the function works in its buffer, whose contents are lost to the caller\n", terminal.StyleOf(w).Heading("overwritten:"), o.Argument, o.Function)
	}
}

// overwriting finds out which arguments functions write to.
type overwriting struct {
	tables  *ir.SymbolTables
	known   map[*ir.Value]bool
	buffers map[*ir.Op]*analysis.Buffers
}

// writes tells whether a function, or one that it calls, may write to the buffer of its argument.
func (x *overwriting) writes(arg *ir.Value) bool {
	if known, ok := x.known[arg]; ok || !ir.IsMemRef(arg.Type()) {
		return known
	}
	x.known[arg] = false // while functions that call each other are looked at
	fn := arg.ArgOwner().ParentOp()
	b := x.buffers[fn]
	if b == nil {
		b = analysis.NewBuffers(fn, analysis.BufferOptions{})
		x.buffers[fn] = b
	}
	writes := false
	b.Uses(arg, func(u *ir.Use) {
		if writes {
			return
		}
		op := u.Owner()
		if m, ok := interfaces.Call.Of(op); ok {
			ref, _ := m.Callee(op)
			start, _ := m.Args(op)
			if ref == nil {
				return
			}
			if callee := x.tables.Lookup(op, ref); callee != nil && callee.BodyBlock(0) != nil && u.Index()-start < callee.BodyBlock(0).NumArgs() && u.Index() >= start {
				writes = x.writes(callee.BodyBlock(0).Arg(u.Index() - start))
			}
			return
		}
		effects, _ := interfaces.EffectsOf(op)
		writes = slices.ContainsFunc(effects, func(e interfaces.Effect) bool { return e.Kind == interfaces.Write && e.IsOn(u.Index()) })
	})
	x.known[arg] = writes
	return writes
}
