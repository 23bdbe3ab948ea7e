package prepare

import (
	"fmt"
	"slices"

	"freehold/dialect/bufferization"
	"freehold/ir"
	"freehold/ir/analysis"
	"freehold/ir/interfaces"
)

// What front ends say of the arguments of exported functions.
const (
	// aliasingAttr, of JAX, has the number of the result whose buffer is the argument's, and outputAttr, of IREE, that of the result which is
	// stored there.
	aliasingAttr, outputAttr = "tf.aliasing_output", "iree.abi.output"
	// donorAttr, of JAX, tells that the argument's buffer may be used for anything: that of a result is chosen here.
	donorAttr = "jax.buffer_donor"
)

// MarkWritableArguments says which tensor arguments of public functions in op may be overwritten, by bufferization.writable, where the program doesn't: those that
// are donated; and, if keep is true, no others. What a donated argument is said to be the buffer of, or can be without a copy, is computed into it, if nothing in the program
// refers to the function; an argument that is kept is copied before branches make a result of it, and operations that change it element by element make a new tensor. It returns how many arguments it marked, and warnings about what the program says of
// arguments and is without effect. Run it where functions have one return. Linear time.
func MarkWritableArguments(op *ir.Op, keep bool) (n int, warnings []*ir.Diagnostic) {
	used := map[string]bool{}
	ir.SymbolUses(op, func(_ *ir.Op, ref *ir.SymbolRefAttr) { used[ref.Leaf()] = true })
	b := ir.NewBuilder(op.Context())
	eachFunction(op, func(fn *ir.Op) {
		if ir.IsPrivate(fn) {
			return
		}
		name, _ := ir.SymbolName(fn)
		entry := fn.RegionAt(0).Entry()
		if !used[name] {
			matchDonors(fn)
		}
		marks := map[int]ir.Attribute{}
		made := returned{fn: fn}
		for i, arg := range entry.Args() {
			if d := ineffective(fn, i); d != nil {
				warnings = append(warnings, d)
			}
			if !ir.IsTensor(arg.Type()) || interfaces.ArgAttr(fn, i, bufferization.WritableAttr) != nil {
				continue
			}
			result, aliases := ResultInto(fn, i)
			donated := aliases || isTrue(interfaces.ArgAttr(fn, i, donorAttr))
			if !donated && !keep {
				continue
			}
			marks[i] = op.Context().Bool(donated)
			switch {
			case aliases && !used[name]:
				computeInto(b, fn, arg, result)
				made.forget()
			case !donated:
				made.copy(b, arg)
				readElements(b, arg)
			}
		}
		if n += len(marks); len(marks) == 0 {
			return
		}
		interfaces.EditArgAttrs(fn, func(i int, attrs []ir.NamedAttr) []ir.NamedAttr {
			if marks[i] == nil {
				return attrs
			}
			return append(slices.Clip(attrs), ir.NamedAttr{Name: bufferization.WritableAttr, Value: marks[i]})
		})
	})
	return n, warnings
}

// ineffective returns a warning if the program donates an argument, and that has no effect, or less than it says; nil otherwise.
func ineffective(fn *ir.Op, argument int) *ir.Diagnostic {
	arg := fn.RegionAt(0).Entry().Arg(argument)
	warn := func(format string, args ...any) *ir.Diagnostic {
		return &ir.Diagnostic{Severity: ir.Warning, Loc: arg.Loc(), Message: fmt.Sprintf(format, args...)}
	}
	result, aliases := ResultInto(fn, argument)
	donated := aliases || isTrue(interfaces.ArgAttr(fn, argument, donorAttr)) || isTrue(interfaces.ArgAttr(fn, argument, bufferization.WritableAttr))
	m, _ := interfaces.Function.Of(fn)
	switch results := m.Type(fn).Results; {
	case !donated:
	case !ir.IsTensor(arg.Type()):
		return warn("that argument %d is donated has no effect: only a tensor's buffer is chosen, and here the program itself says what is written where", argument)
	case !aliases:
	case result < 0 || result >= len(results):
		return warn("argument %d may be overwritten, but there is no result %d to be computed into it", argument, result)
	case results[result] != arg.Type():
		return warn("argument %d may be overwritten, but result %d isn't computed into it, as that has type '%s'", argument, result, results[result])
	}
	return nil
}

// ResultInto returns the number of the result that goes into the buffer of an argument, if the program says so.
func ResultInto(fn *ir.Op, argument int) (result int, ok bool) {
	for _, name := range []string{aliasingAttr, outputAttr} {
		if a, is := interfaces.ArgAttr(fn, argument, name).(*ir.IntegerAttr); is {
			return int(a.Value), true
		}
	}
	return 0, false
}

func isTrue(a ir.Attribute) bool {
	i, ok := a.(*ir.IntegerAttr)
	return ok && i.Value != 0
}

// computeInto has a result of a function computed into an argument of the same type, and returned as that. Other results that may be the
// argument, by whatever name, are copies, made before: bufferization wouldn't find a place for these.
func computeInto(b *ir.Builder, fn *ir.Op, arg *ir.Value, result int) {
	t := interfaces.UniqueTerminator(fn.RegionAt(0), func(op *ir.Op) bool { return op.Has(ir.TraitReturnLike) })
	if t == nil || result < 0 || result >= t.NumOperands() || t.Operand(result).Type() != arg.Type() || interfaces.HasIdentity(fn, result) {
		return
	}
	h := &handover{b: b, arg: arg, there: map[*ir.Value]bool{}}
	for i := range t.NumOperands() {
		if i != result {
			h.leave(t, i)
		}
	}
	h.put(t, result)
	h.separate(fn)
	fn.SetAttr(interfaces.IdentityAttr, ir.Unit)
	interfaces.SetResAttr(fn, result, interfaces.IdentityAttr, ir.Unit)
}

// names finds the names of a tensor, as of an argument: what it is after views, casts, branches and loops, and what is computed into it.
type names struct {
	is   func(*ir.Value) bool
	seen map[*ir.Value]bool
}

// mayBe tells whether a tensor may be the argument: see [names.has].
func mayBe(v, arg *ir.Value) bool {
	return mayBeOne(v, func(v *ir.Value) bool { return v == arg })
}

// mayBeOne tells whether a tensor may be one of those that a function tells: see [names.has].
func mayBeOne(v *ir.Value, is func(*ir.Value) bool) bool {
	return (&names{is, map[*ir.Value]bool{}}).has(v)
}

// has tells whether a tensor may be one that is looked for. It takes time linear in the size of what it is made of, but for regions, whose branches are looked at for each value
// that they pass on.
func (n *names) has(v *ir.Value) bool {
	if n.is(v) {
		return true
	}
	if n.seen[v] || !ir.IsTensor(v.Type()) {
		return false
	}
	n.seen[v] = true
	if passed, known := analysis.PassedTo(v); known {
		return slices.ContainsFunc(passed, n.has)
	}
	op := v.DefiningOp()
	if op == nil {
		return false
	}
	if interfaces.DestinationStyle.Has(op) {
		into := interfaces.TiedInit(v)
		return into != nil && n.has(into.Value())
	}
	if slices.ContainsFunc(op.Operands().Values(), n.has) {
		return true
	}
	for _, r := range op.Regions() {
		for b := range r.Blocks() {
			if end := b.Last(); end != nil && slices.ContainsFunc(end.Operands().Values(), n.has) {
				return true
			}
		}
	}
	return false
}
