package bufferize

import (
	"fmt"

	"freehold/iface"
	"freehold/ir"
)

// Names of the attributes with which the analysis can be shown.
const (
	inPlaceAttr  = "__inplace_operands_attr__"
	aliasSetAttr = "__opresult_alias_set_attr__"
	argAliasAttr = "__bbarg_alias_set_attr__"
)

// annotations collects conflicts to be shown as attributes.
type annotations struct {
	ids    map[*ir.Op]int
	values int
	marks  []mark
}

type mark struct {
	op   *ir.Op
	name string
}

func (n *annotations) conflict(r, w *ir.Use, def *ir.Value) {
	c := r.Owner().Context()
	id := fmt.Sprintf("C_%d", n.values)
	n.values++
	set := func(op *ir.Op, role string) {
		name := id + "[" + role + "]"
		if def.IsBlockArg() && role == "DEF" {
			op.SetAttr(name, c.StringAttr(fmt.Sprintf("bbArg %d", def.Index())))
			return
		}
		op.SetAttr(name, c.StringAttr(""))
	}
	label := func(u *ir.Use, role string) {
		u.Owner().SetAttr(id+"["+role+"]", c.StringAttr(fmt.Sprint(u.Index())))
	}
	label(w, "CONFL-WRITE")
	label(r, "READ")
	if op := def.DefiningOp(); op != nil {
		op.SetAttr(id+"[DEF: result "+fmt.Sprint(def.Index())+"]", ir.Unit)
	} else {
		set(iface.OwnerOf(def), "DEF")
	}
}

func (n *annotations) notWritable(v *ir.Value) {
	c := iface.OwnerOf(v).Context()
	id := fmt.Sprintf("W_%d[NOT-WRITABLE: ", n.values)
	n.values++
	if op := v.DefiningOp(); op != nil {
		op.SetAttr(id+fmt.Sprintf("result %d]", v.Index()), ir.Unit)
		return
	}
	_ = c
	iface.OwnerOf(v).SetAttr(id+fmt.Sprintf("bbArg %d]", v.Index()), ir.Unit)
}

// annotate shows the decisions as attributes on the operations.
func (s *analysis) annotate(root *ir.Op) {
	c := root.Context()
	root.Walk(func(op *ir.Op) bool {
		if s.opts.DumpAliasSets {
			s.annotateAliases(op)
		}
		if !iface.HasTensorTypes(op) || op.NumOperands() == 0 {
			return true
		}
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
		return true
	})
}

func (s *analysis) annotateAliases(*ir.Op) {}
