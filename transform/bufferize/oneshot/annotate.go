package oneshot

import (
	"fmt"
	"slices"

	"freehold/dialect/bufferization"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/interfaces"
)

// Names of the attributes with which the analysis is shown.
const (
	inPlaceAttr        = "__inplace_operands_attr__"
	resultAliasesAttr  = "__opresult_alias_set_attr__"
	argAliasesAttr     = "__bbarg_alias_set_attr__"
	equivalentArgsAttr = "__equivalent_func_args__"
)

// annotate shows what a plan says about root, and what the options ask for besides, as
// attributes of operations.
func (p *Plan) annotate(root *ir.Op, o *Options) {
	names := o.names(root)
	if o.PrintConflicts {
		p.annotateConflicts()
	}
	if !o.BufferizeFunctionBoundaries {
		p.annotateDecisions(root, names)
		return
	}
	for fn := range o.functions(root) {
		if f := p.functions[fn]; f != nil {
			p.annotateDecisions(fn, names)
			f.annotate()
		}
	}
}

// names returns the names of the values in root, if alias sets are to be shown.
func (o *Options) names(root *ir.Op) *asm.Names {
	if !o.DumpAliasSets {
		return nil
	}
	return asm.NewNames(root)
}

// annotateConflicts shows what forbids bufferization in place at the operations that
// take part: conflicts, and buffers that may not be written.
func (p *Plan) annotateConflicts() {
	conflicts, readOnly := 0, 0
	notWritable := func(v *ir.Value) {
		interfaces.OwnerOf(v).SetAttr(fmt.Sprintf("W_%d[NOT-WRITABLE: %s]", readOnly, place(v)), ir.Unit)
		readOnly++
	}
	for i := range p.refusals {
		switch r := &p.refusals[i].reason; {
		case r.Rule.NotWritable():
			notWritable(r.Definition)
			for _, v := range r.Others {
				notWritable(v)
			}
		case r.Rule == ReadAfterWrite, r.Rule == OutOfOrder:
			label := func(op *ir.Op, format string, args ...any) {
				op.SetAttr(fmt.Sprintf("C_%d[", conflicts)+fmt.Sprintf(format, args...)+"]", ir.Unit)
			}
			label(r.Write.Owner(), "CONFL-WRITE: %d", r.Write.Index())
			label(r.Read.Owner(), "READ: %d", r.Read.Index())
			label(interfaces.OwnerOf(r.Definition), "DEF: %s", place(r.Definition))
			conflicts++
		}
	}
}

func place(v *ir.Value) string {
	if v.IsBlockArg() {
		return fmt.Sprintf("bbArg %d", v.Index())
	}
	return fmt.Sprintf("result %d", v.Index())
}

// annotateDecisions shows the decisions as attributes on the operations in root. names is
// nil unless alias sets are shown.
func (p *Plan) annotateDecisions(root *ir.Op, names *asm.Names) {
	c := root.Context()
	root.Walk(func(op *ir.Op) bool {
		found := false
		elems := make([]ir.Attribute, op.NumOperands())
		for i := range elems {
			u := op.OperandUse(i)
			text := "none"
			if interfaces.IsTensorLike(u.Value().Type()) {
				found = true
				text = "false"
				// What is copied when it is passed on counts as in place, as in mlir-opt, which
				// has no decision about that.
				if d, ok := p.Decision(u); ok && (d.InPlace || d.Reason.Rule == PassedOn) {
					text = "true"
				}
			}
			elems[i] = c.StringAttr(text)
		}
		if found {
			op.SetAttr(inPlaceAttr, c.ArrayAttr(elems...))
		}
		if names != nil {
			p.annotateAliases(op, names)
		}
		return true
	})
}

// annotateAliases shows the alias sets of an operation's tensor results, and of the
// tensor arguments of its regions' blocks.
func (p *Plan) annotateAliases(op *ir.Op, names *asm.Names) {
	c := op.Context()
	set := func(v *ir.Value) ir.Attribute {
		var members []ir.Attribute
		p.aliases.each(v, func(w *ir.Value) { members = append(members, c.StringAttr(names.Of(w))) })
		return c.ArrayAttr(members...)
	}
	var results []ir.Attribute
	for i := range op.NumResults() {
		if r := op.Result(i); interfaces.IsTensorLike(r.Type()) {
			results = append(results, set(r))
		}
	}
	if len(results) > 0 {
		op.SetAttr(resultAliasesAttr, c.ArrayAttr(results...))
	}
	found := false
	var regions []ir.Attribute
	for _, r := range op.Regions() {
		var blocks []ir.Attribute
		for b := range r.Blocks() {
			var args []ir.Attribute
			for _, a := range b.Args() {
				if interfaces.IsTensorLike(a.Type()) {
					found = true
					args = append(args, set(a))
				}
			}
			blocks = append(blocks, c.ArrayAttr(args...))
		}
		regions = append(regions, c.ArrayAttr(blocks...))
	}
	if found {
		op.SetAttr(argAliasesAttr, c.ArrayAttr(regions...))
	}
}

func (f *function) annotate() {
	c := f.op.Context()
	inputs := functionType(f.op).Inputs
	interfaces.EditArgAttrs(f.op, func(i int, attrs []ir.NamedAttr) []ir.NamedAttr {
		if !interfaces.IsTensorLike(inputs[i]) {
			return attrs
		}
		s := "none"
		switch {
		case f.reads[i] && f.writes[i]:
			s = "read-write"
		case f.reads[i]:
			s = "read"
		case f.writes[i]:
			s = "write"
		}
		attrs = slices.DeleteFunc(slices.Clone(attrs), func(a ir.NamedAttr) bool { return a.Name == bufferization.AccessAttr })
		return append(attrs, ir.NamedAttr{Name: bufferization.AccessAttr, Value: c.StringAttr(s)})
	})
	for i, ret := range returns(f.op) {
		if i >= len(f.returned) || !slices.ContainsFunc(f.returned[i], func(arg int) bool { return arg >= 0 }) {
			continue
		}
		args := make([]ir.Attribute, ret.NumOperands())
		for r, arg := range f.returned[i] {
			args[r] = c.I64Attr(int64(arg))
		}
		ret.SetAttr(equivalentArgsAttr, c.ArrayAttr(args...))
	}
}
