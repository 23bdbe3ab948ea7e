package boundary

import (
	funcd "freehold/dialect/funcd"
	"freehold/dialect/memref"
	"freehold/ir"
	"freehold/ir/interfaces"
)

// DropEquivalentResults removes the results of functions that are always one of their arguments. With public
// false only private functions are changed. It returns how many it removed. Linear in the program and in arguments times results.
func DropEquivalentResults(module *ir.Op, public bool) (n int) {
	b := ir.NewBuilder(module.Context())
	callers := map[*ir.Op][]call{}
	for _, c := range calls(module) {
		callers[c.callee] = append(callers[c.callee], c)
	}
	functions(module, public, func(fn *ir.Op) error {
		list := returns(fn)
		if len(list) != 1 {
			return nil
		}
		args := returnedArguments(fn, list[0])
		found := 0
		for _, a := range args {
			if a >= 0 {
				found++
			}
		}
		if found == 0 {
			return nil
		}
		n += found
		interfaces.EraseResults(fn, func(i int) bool { return args[i] >= 0 })
		var kept []*ir.Value
		for i, v := range operands(list[0]) {
			if args[i] < 0 {
				kept = append(kept, v)
			}
		}
		list[0].SetOperands(kept)
		// Now, so that callers further down may return what they pass.
		for _, c := range callers[fn] {
			c.useArguments(b, args)
		}
		return nil
	})
	return n
}

// useArguments replaces a call by one without the results that are arguments; args is as from
// returnedArguments.
func (c call) useArguments(b *ir.Builder, args []int) {
	b.SetAfter(c.op)
	b.Loc = c.op.Loc()
	passed := operands(c.op)
	results := make([]*ir.Value, len(args))
	for i, a := range args {
		if a < 0 {
			continue
		}
		results[i] = passed[a]
		if t := c.op.Result(i).Type(); t != passed[a].Type() {
			results[i] = memref.NewCast(b, t, passed[a])
		}
	}
	b.SetBefore(c.op)
	c.replace(b, passed, results)
}

// returnedArguments returns for each operand of the return the number of the argument that it
// is, or -1.
func returnedArguments(fn, ret *ir.Op) []int {
	args := make([]int, ret.NumOperands())
	entry := funcd.Body(fn).Entry()
	for i, v := range ret.Operands().Values() {
		args[i] = -1
		if v = uncast(v); v.ArgOwner() == entry {
			args[i] = v.Index()
		}
	}
	return args
}
