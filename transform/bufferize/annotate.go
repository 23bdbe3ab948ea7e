package bufferize

import (
	"fmt"

	"freehold/iface"
	"freehold/ir"
	"freehold/ir/asm"
)

// Names of the attributes with which the analysis is shown.
const (
	inPlaceAttr        = "__inplace_operands_attr__"
	resultAliasesAttr  = "__opresult_alias_set_attr__"
	argAliasesAttr     = "__bbarg_alias_set_attr__"
	equivalentArgsAttr = "__equivalent_func_args__"
)

// annotations shows conflicts as attributes of the operations that take part.
type annotations struct{ conflicts, readOnly int }

// conflict shows that w overwrites what r reads and def defined.
func (n *annotations) conflict(r, w *ir.Use, def *ir.Value) {
	label := func(op *ir.Op, format string, args ...any) {
		op.SetAttr(fmt.Sprintf("C_%d[", n.conflicts)+fmt.Sprintf(format, args...)+"]", ir.Unit)
	}
	label(w.Owner(), "CONFL-WRITE: %d", w.Index())
	label(r.Owner(), "READ: %d", r.Index())
	label(iface.OwnerOf(def), "DEF: %s", place(def))
	n.conflicts++
}

// notWritable shows that a write to v was ruled out.
func (n *annotations) notWritable(v *ir.Value) {
	iface.OwnerOf(v).SetAttr(fmt.Sprintf("W_%d[NOT-WRITABLE: %s]", n.readOnly, place(v)), ir.Unit)
	n.readOnly++
}

func place(v *ir.Value) string {
	if v.IsBlockArg() {
		return fmt.Sprintf("bbArg %d", v.Index())
	}
	return fmt.Sprintf("result %d", v.Index())
}

// annotate shows the decisions as attributes on the operations in root. names is
// nil unless alias sets are shown.
func (s *analysis) annotate(root *ir.Op, names *asm.Names) {
	c := root.Context()
	root.Walk(func(op *ir.Op) bool {
		found := false
		elems := make([]ir.Attribute, op.NumOperands())
		for i := range elems {
			u := op.OperandUse(i)
			text := "none"
			if ir.IsTensor(u.Value().Type()) {
				found = true
				text = "false"
				if s.IsInPlace(u) {
					text = "true"
				}
			}
			elems[i] = c.StringAttr(text)
		}
		if found {
			op.SetAttr(inPlaceAttr, c.ArrayAttr(elems...))
		}
		if names != nil {
			s.annotateAliases(op, names)
		}
		return true
	})
}

// annotateAliases shows the alias sets of an operation's tensor results, and of the
// tensor arguments of its regions' blocks.
func (s *analysis) annotateAliases(op *ir.Op, names *asm.Names) {
	c := op.Context()
	set := func(v *ir.Value) ir.Attribute {
		var members []ir.Attribute
		s.aliases.each(v, func(w *ir.Value) { members = append(members, c.StringAttr(names.Of(w))) })
		return c.ArrayAttr(members...)
	}
	var results []ir.Attribute
	for i := range op.NumResults() {
		if r := op.Result(i); ir.IsTensor(r.Type()) {
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
				if ir.IsTensor(a.Type()) {
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
