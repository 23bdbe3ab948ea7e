package vhlo

import (
	"fmt"
	"strings"

	"freehold/dialect/funcd"
	"freehold/dialect/stablehlo"
	"freehold/ir"
)

// ToStableHLO replaces all operations, types and attributes of vhlo in a module, of any version, by those of stablehlo and func.
// It is an error, at the operation, if there is no counterpart. Linear time.
func ToStableHLO(module *ir.Op) error {
	x := &reading{c: module.Context(), b: ir.NewBuilder(module.Context()), types: map[ir.Type]ir.Type{}, attrs: map[ir.Attribute]ir.Attribute{}}
	var ops []*ir.Op
	module.WalkPostOrder(func(op *ir.Op) { ops = append(ops, op) })
	for _, op := range ops {
		x.values(op)
	}
	for _, op := range ops {
		if x.err == nil {
			x.op(op)
		}
	}
	return x.err
}

// reading makes stablehlo of vhlo. err is the first thing that is wrong.
type reading struct {
	c     *ir.Context
	b     *ir.Builder
	types map[ir.Type]ir.Type
	attrs map[ir.Attribute]ir.Attribute
	err   error
}

func (x *reading) fail(op *ir.Op, err error) {
	if x.err == nil {
		x.err = fmt.Errorf("%s: %w", op.Name(), err)
	}
}

// values gives results and arguments their types.
func (x *reading) values(op *ir.Op) {
	for _, v := range op.Results().Values() {
		x.retype(op, v)
	}
	for _, r := range op.Regions() {
		for blk := range r.Blocks() {
			for _, v := range blk.Args() {
				x.retype(op, v)
			}
		}
	}
}

func (x *reading) retype(op *ir.Op, v *ir.Value) {
	t, ok := x.types[v.Type()]
	if !ok {
		var err error
		if t, err = plainType(x.c, v.Type()); err != nil {
			x.fail(op, err)
			return
		}
		x.types[v.Type()] = t
	}
	if t != v.Type() {
		v.SetType(t)
	}
}

func (x *reading) attr(op *ir.Op, a ir.Attribute) ir.Attribute {
	if p, ok := x.attrs[a]; ok {
		return p
	}
	p, err := plainAttr(x.c, a)
	if err != nil {
		x.fail(op, err)
		return a
	}
	x.attrs[a] = p
	return p
}

func (x *reading) op(op *ir.Op) {
	if d := op.Dialect(); d == nil || d.Name != dialectName {
		for _, a := range op.DiscardableAttrs() {
			if p := x.attr(op, a.Value); p != a.Value {
				op.SetDiscardableAttr(a.Name, p)
			}
		}
		return
	}
	base, _, ok := versionOf(op.Name())
	id := targets()[base]
	if base == "return" {
		id = stablehlo.Return
		if p := op.Parent(); p != nil && (p.Is(funcd.Func) || p.Name() == "vhlo.func_v1") {
			id = funcd.Return
		}
	}
	if !ok || id == nil {
		x.fail(op, fmt.Errorf("there is no such operation in StableHLO"))
		return
	}
	x.b.SetBefore(op)
	x.b.Loc = op.Loc()
	s := x.b.State(id)
	s.Operands, s.Types = op.Operands().Values(), op.Results().Types()
	x.setAttrs(op, &s)
	for _, r := range op.Regions() {
		s.AddRegion().TakeBody(r)
	}
	n := x.b.CreateExact(&s)
	x.b.Insert(n)
	op.ReplaceAllUsesWith(n.Results().Values())
	op.Erase()
}

// setAttrs sets the attributes of an operation of stablehlo or func.
func (x *reading) setAttrs(op *ir.Op, s *ir.OpState) {
	given := map[string]ir.Attribute{}
	var order []string
	for _, a := range op.AllAttrs() {
		given[a.Name] = x.attr(op, a.Value)
		order = append(order, a.Name)
	}
	for _, f := range flattenings[s.Name.ID()] {
		if a := f.join(x.c, given); a != nil {
			s.SetAttr(f.name, a)
		}
	}
	def := s.Name.Def()
	for _, name := range order {
		a := given[name]
		if a == nil || isDefault(op, name, a) {
			continue
		}
		if k := def.AttrIndex(name); k >= 0 {
			a = x.inherent(&def.Attrs[k], name, a)
		}
		if a != nil {
			s.SetAttr(name, a)
		}
	}
	s.Respell()
}

// inherent makes an attribute one that the definition has: names become references to symbols, and booleans are there or aren't.
func (x *reading) inherent(d *ir.AttrDef, name string, a ir.Attribute) ir.Attribute {
	switch v := a.(type) {
	case *ir.StringAttr:
		if symbols[name] {
			return x.c.SymbolRef(v.Value)
		}
	case *ir.IntegerAttr:
		if d.Type.Kind == ir.UnitKind {
			if v.Value == 0 {
				return nil
			}
			return ir.Unit
		}
	case *ir.ArrayAttr:
		if name == "called_computations" {
			refs := make([]ir.Attribute, len(v.Elems))
			for i, e := range v.Elems {
				refs[i] = e
				if s, ok := e.(*ir.StringAttr); ok {
					refs[i] = x.c.SymbolRef(s.Value)
				}
			}
			return x.c.ArrayAttr(refs...)
		}
	}
	return a
}

// join takes the parts of an attribute from those that are given; nil if there are none, or if they say that it isn't there.
func (f flattened) join(c *ir.Context, given map[string]ir.Attribute) ir.Attribute {
	params := make([]ir.Attribute, len(f.parts))
	any := false
	for i, name := range f.parts {
		a := given[name]
		delete(given, name)
		switch {
		case a == nil && isList(name):
			params[i] = c.DenseI64Array()
			continue
		case a == nil:
			params[i] = c.I64Attr(0)
			continue
		case isList(name):
			a = c.DenseI64Array(stablehlo.Ints(a)...)
		}
		params[i], any = a, true
	}
	switch {
	case !any:
		return nil
	case f.mnemonic == "channel_handle":
		if n, ok := params[0].(*ir.IntegerAttr); ok && n.Value == 0 {
			return nil
		}
	case f.mnemonic == "dot_algorithm":
		if t, ok := params[0].(*ir.TypeAttr); !ok || t.Type == ir.Type(ir.None) {
			return nil
		}
	}
	return stablehlo.Struct(c, f.mnemonic, params...)
}

// isDefault tells whether an attribute, which is always there in vhlo, says what is meant where it is left out.
func isDefault(op *ir.Op, name string, a ir.Attribute) bool {
	if strings.HasPrefix(op.Name(), "vhlo.func_") || strings.HasPrefix(op.Name(), "vhlo.call_") {
		return emptyText(a) && name == "sym_visibility" || emptyList(a) && (name == "arg_attrs" || name == "res_attrs")
	}
	switch name {
	case "value", "call_target_name", "dimensions", "permutation", "broadcast_dimensions", "slice_sizes", "start_indices", "limit_indices", "fft_length",
		"broadcast_sizes", "edge_padding_low", "edge_padding_high", "interior_padding", "left_side", "unit_diagonal", "replica_groups",
		"rng_algorithm", "window_dimensions", "name", "sym_name":
		return false
	case "strides":
		return false
	case "lower":
		return strings.HasPrefix(op.Name(), "vhlo.cholesky") && isZero(a)
	case "window_strides", "lhs_dilation", "rhs_dilation", "base_dilations", "window_dilations":
		return all(a, 1)
	case "padding", "window_reversal":
		return all(a, 0)
	case "compare_type":
		e, ok := a.(*ir.EnumAttr)
		return ok && e.Value == 0
	case "api_version":
		n, ok := a.(*ir.IntegerAttr)
		return ok && n.Value == 1
	case "indices_are_sorted", "unique_indices", "is_stable", "has_side_effect", "use_global_device_ids", "is_host_transfer", "version", "has_dynamic_root":
		return isZero(a)
	case "backend_config", "infeed_config", "outfeed_config":
		return emptyText(a)
	case "called_computations", "operand_layouts", "result_layouts", "output_operand_aliases", "precision_config", "layout", "result_tilings":
		return emptyList(a)
	case "source_target_pairs":
		return len(stablehlo.Ints(a)) == 0 && !strings.HasPrefix(op.Name(), "vhlo.collective")
	case "known_expanding_dimensions", "known_nonexpanding_dimensions":
		return len(stablehlo.Ints(a)) == 0
	case "composite_attributes":
		d, ok := a.(*ir.DictAttr)
		return ok && len(d.Entries) == 0
	case "result_accuracy":
		mode, ok := stablehlo.Field(a, "mode").(*ir.DialectAttr)
		return ok && len(mode.Params) == 1 && emptyMode(mode.Params[0])
	}
	return false
}

func emptyMode(a ir.Attribute) bool { s, ok := a.(*ir.StringAttr); return ok && s.Value == "DEFAULT" }

func emptyText(a ir.Attribute) bool { s, ok := a.(*ir.StringAttr); return ok && s.Value == "" }

func emptyList(a ir.Attribute) bool { l, ok := a.(*ir.ArrayAttr); return ok && len(l.Elems) == 0 }

func isZero(a ir.Attribute) bool { n, ok := a.(*ir.IntegerAttr); return ok && n.Value == 0 }

// all tells whether the elements of a constant are all the same number.
func all(a ir.Attribute, n int64) bool {
	d, ok := a.(*ir.DenseElementsAttr)
	if !ok {
		return false
	}
	for _, v := range stablehlo.Ints(d) {
		if v != n {
			return false
		}
	}
	return true
}
