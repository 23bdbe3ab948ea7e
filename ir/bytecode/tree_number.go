package bytecode

import (
	"slices"

	"freehold/ir"
)

// number counts all uses in an operation and what is nested in it. Regions of one
// operation follow each other, and those of the last one come first.
func (n *numbering) number(op *ir.Op) {
	(&scopes{open: n.open}).visit(op)
	n.numberOp(op, new(uint32))
	type pending struct {
		region *ir.Region
		first  uint32 // the next value's number
	}
	var stack []pending
	push := func(op *ir.Op, next uint32) {
		if !n.open[op] {
			next = 0
		}
		for _, r := range op.Regions() {
			stack = append(stack, pending{r, next})
		}
	}
	push(op, 0)
	for len(stack) > 0 {
		p := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		next := p.first
		for b := range p.region.Blocks() {
			for _, a := range b.Args() {
				n.define(a, &next)
				n.addAttr(a.Loc())
				n.addType(a.Type())
			}
			for op := range b.Ops() {
				n.numberOp(op, &next)
			}
		}
		for b := range p.region.Blocks() {
			for op := range b.Ops() {
				push(op, next)
			}
		}
	}
}

// define gives a value the next number.
func (n *numbering) define(v *ir.Value, next *uint32) {
	n.values.AddValue(v)
	n.ids = append(n.ids, *next)
	*next++
}

// numberOp counts the uses in an operation, without those in its regions.
func (n *numbering) numberOp(op *ir.Op, next *uint32) {
	n.addOp(op.OpName().In(n.llvm))
	for i := range op.NumResults() {
		n.define(op.Result(i), next)
		n.addType(op.Result(i).Type())
	}
	for _, t := range op.ReturnedTypes(n.llvm) {
		*next++
		n.addType(t)
	}
	if d := n.dictionary(op); d != nil {
		n.addAttr(d)
	}
	if n.version >= nativeProperties {
		n.writeProperties(&Writer{n: n}, op)
	}
	n.addAttr(op.Loc())
}

// dictionary returns the attributes of an operation that aren't among its properties; nil
// if there are none.
func (n *numbering) dictionary(op *ir.Op) *ir.DictAttr {
	attrs := op.DiscardableIn(n.llvm)
	if n.version < nativeProperties {
		attrs = slices.Concat(attrs, op.InherentIn(n.llvm))
		if p := op.PropertiesDict(); p != nil {
			attrs = append(attrs, p.Entries...)
		}
		slices.SortStableFunc(attrs, compareNames)
		attrs = slices.CompactFunc(attrs, func(a, b ir.NamedAttr) bool { return a.Name == b.Name })
	}
	if len(attrs) == 0 {
		return nil
	}
	return n.ctx.DictAttr(attrs...)
}

// hasProperties tells whether an operation has properties.
func (n *numbering) hasProperties(op *ir.Op) bool {
	if n.version < nativeProperties {
		return false
	}
	return op.PropertiesDict() != nil || op.Registered() && hasAttributes(op.OpName().In(n.llvm))
}

// writeProperties writes the properties of an operation.
func (n *numbering) writeProperties(w *Writer, op *ir.Op) {
	if !op.Registered() {
		if p := op.PropertiesDict(); p != nil {
			w.Attr(p)
		}
		return
	}
	name := op.OpName().In(n.llvm)
	def := name.Def()
	l, ok := n.layouts[name]
	if !ok {
		l[0], l[1] = layout(name, n.version)
		n.layouts[name] = l
	}
	value := func(k int) ir.Attribute { return op.Prop(k) }
	if name.Spelling() != nil {
		attrs := op.InherentIn(n.llvm)
		value = func(k int) ir.Attribute {
			i := slices.IndexFunc(attrs, func(a ir.NamedAttr) bool { return a.Name == def.Attrs[k].Name })
			if i < 0 {
				return nil
			}
			return attrs[i].Value
		}
	}
	for _, k := range l[0] {
		d, a := &def.Attrs[k], value(k)
		switch {
		case d.Number:
			w.Varint(numberOf(a))
		case d.Flag:
			w.flag(a == ir.Attribute(ir.Unit))
		case mayBeAbsent(d):
			w.OptionalAttr(a)
		case a == nil:
			// The operation isn't valid; readers need something.
			w.Attr(ir.Unit)
		default:
			w.Attr(a)
		}
	}
	for _, k := range l[1] {
		list, _ := value(k).(*ir.DenseArrayAttr)
		if w.out != nil {
			w.out.sparse(list.Ints())
		}
	}
}

// numberOf returns the number of an enumeration's value, 0 if there is none.
func numberOf(a ir.Attribute) uint64 {
	switch a := a.(type) {
	case *ir.EnumAttr:
		return a.Value
	case *ir.IntegerAttr:
		return uint64(a.Value)
	}
	return 0
}
