package vhlo

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"freehold/dialect/funcd"
	"freehold/dialect/quant"
	"freehold/dialect/stablehlo"
	"freehold/ir"
)

// FromStableHLO replaces the operations of stablehlo and func in a module, with their types and attributes, by those of vhlo in a version. It
// is an error, at the operation, if the version doesn't have it, or if it is of another dialect. Linear time.
func FromStableHLO(module *ir.Op, v Version) error {
	x := &writing{c: module.Context(), b: ir.NewBuilder(module.Context()), version: v, types: map[ir.Type]ir.Type{}}
	var ops []*ir.Op
	module.WalkPostOrder(func(op *ir.Op) {
		if op != module {
			ops = append(ops, op)
		}
	})
	// Results and arguments keep their types until all operations that look at them were replaced.
	for _, op := range ops {
		if err := x.op(op); err != nil {
			return op.Errorf("can't be stored for StableHLO %s: %s", v, err)
		}
	}
	var failed error
	module.Walk(func(op *ir.Op) bool {
		for _, val := range op.Results().Values() {
			failed = x.retype(op, val, failed)
		}
		for _, r := range op.Regions() {
			for blk := range r.Blocks() {
				for _, val := range blk.Args() {
					failed = x.retype(op, val, failed)
				}
			}
		}
		return failed == nil
	})
	return failed
}

type writing struct {
	c       *ir.Context
	b       *ir.Builder
	version Version
	types   map[ir.Type]ir.Type
}

func (x *writing) retype(op *ir.Op, v *ir.Value, failed error) error {
	if failed != nil {
		return failed
	}
	t, err := x.typ(v.Type())
	if err != nil {
		return op.Errorf("can't be stored for StableHLO %s: %s", x.version, err)
	}
	v.SetType(t)
	return nil
}

// typ is the type of vhlo that stands for another one.
func (x *writing) typ(t ir.Type) (ir.Type, error) {
	if s, ok := x.types[t]; ok {
		return s, nil
	}
	s, err := x.stored(t)
	if err != nil {
		return nil, err
	}
	if d, ok := s.(*ir.DialectType); ok && x.version.before(typesSince[d.Mnemonic]) {
		return nil, fmt.Errorf("StableHLO has the type %s since %s", t, typesSince[d.Mnemonic])
	}
	x.types[t] = s
	return s, nil
}

func (x *writing) stored(t ir.Type) (ir.Type, error) {
	c := x.c
	one := func(t ir.Type) (ir.Attribute, error) {
		s, err := x.typ(t)
		if err != nil {
			return nil, err
		}
		return c.TypeAttr(s), nil
	}
	switch t := t.(type) {
	case *ir.IntegerType:
		name := "i" + strconv.Itoa(t.Width) + "_v1"
		switch {
		case t == ir.I1:
			name = "bool_v1"
		case t.Signedness == ir.Unsigned:
			name = "u" + name
		}
		if _, ok := typeNumbers[name]; ok && t.Signedness != ir.Signed {
			return typ(c, name), nil
		}
	case *ir.FloatType:
		for name := range typeNumbers {
			if strings.EqualFold(name, t.Name+"_v1") || name == "tf31_v1" && t.Name == "tf32" {
				return typ(c, name), nil
			}
		}
	case *ir.IndexType:
		return typ(c, "index_v1"), nil
	case *ir.NoneType:
		return typ(c, "none_v1"), nil
	case *ir.ComplexType:
		e, err := one(t.Elem)
		if err != nil {
			return nil, err
		}
		return typ(c, "complex_v1", e), nil
	case *ir.RankedTensorType:
		e, err := one(t.Elem)
		if err != nil {
			return nil, err
		}
		shape := c.DenseI64Array(t.Shape...)
		if t.Encoding == nil {
			return typ(c, "tensor_v1", shape, e), nil
		}
		d, ok := t.Encoding.(*ir.DialectAttr)
		if ok && d.Mnemonic == "bounds" {
			return typ(c, "tensor_with_encoding_v1", shape, e, attr(c, "type_extensions_v1", d.Params[0])), nil
		}
	case *ir.MemRefType:
		e, err := one(t.Elem)
		if err != nil {
			return nil, err
		}
		if t.HasIdentityLayout() && t.Space == nil {
			return typ(c, "buffer_v1", c.DenseI64Array(t.Shape...), e), nil
		}
	case *ir.UnrankedTensorType:
		e, err := one(t.Elem)
		if err != nil {
			return nil, err
		}
		return typ(c, "unranked_tensor_v1", e), nil
	case *ir.FunctionType:
		in, err := x.typeList(t.Inputs)
		if err != nil {
			return nil, err
		}
		out, err := x.typeList(t.Results)
		return typ(c, "func_v1", in, out), err
	case *ir.TupleType:
		list, err := x.typeList(t.Types)
		return typ(c, "tuple_v1", list), err
	}
	if stablehlo.IsToken(t) {
		return typ(c, "token_v1"), nil
	}
	if d, ok := t.(*ir.DialectType); ok && d.Dialect == stablehlo.Dialect && d.Mnemonic == "future" {
		types := make([]ir.Type, len(d.Params))
		for i, p := range d.Params {
			types[i] = p.(*ir.TypeAttr).Type
		}
		list, err := x.typeList(types)
		return typ(c, "future_v1", list), err
	}
	if q := quant.Of(t); q != nil {
		return x.quantized(q)
	}
	return nil, fmt.Errorf("there is no type for %s", t)
}

func (x *writing) typeList(types []ir.Type) (ir.Attribute, error) {
	list := make([]ir.Attribute, len(types))
	for i, t := range types {
		s, err := x.typ(t)
		if err != nil {
			return x.c.ArrayAttr(), err
		}
		list[i] = x.c.TypeAttr(s)
	}
	return x.c.ArrayAttr(list...), nil
}

func (x *writing) quantized(q *quant.Uniform) (ir.Type, error) {
	c := x.c
	storage, err := x.typ(q.Storage(c))
	if err != nil {
		return nil, err
	}
	expressed, err := x.typ(q.Expressed)
	if err != nil {
		return nil, err
	}
	flags := int64(1)
	name := "quant_v1"
	if !q.Signed {
		flags = 0
	}
	if q.Axis >= 0 {
		name = "quant_per_axis_v1"
	}
	scales := make([]ir.Attribute, len(q.Scales))
	for i, s := range q.Scales {
		scales[i] = c.FloatAttr(ir.F64, s)
	}
	return typ(c, name, c.I64Attr(flags), c.TypeAttr(storage), c.TypeAttr(expressed), c.I64Attr(int64(q.Axis)), c.ArrayAttr(scales...),
		c.DenseI64Array(q.ZeroPoints...), c.I64Attr(q.Min), c.I64Attr(q.Max)), nil
}

// op replaces an operation.
func (x *writing) op(op *ir.Op) error {
	name, names := "", []string(nil)
	switch {
	case op.Is(funcd.Func):
		name = "func_v1"
	case op.Is(funcd.Call):
		name = "call_v1"
	case op.Is(funcd.Return):
		name = "return_v1"
	case op.Dialect() == stablehlo.Dialect:
		version := x.latest(op)
		if v := least(op, version); x.version.before(v) {
			return fmt.Errorf("it needs what StableHLO has since %s", v)
		}
		name = fmt.Sprintf("%s_v%d", baseName(op.ID()), version)
	default:
		if op.Name() == "builtin.module" {
			return nil
		}
		if d := op.Dialect(); d != nil && d.Name == "chlo" {
			return fmt.Errorf("artifacts have no operations of chlo, which chlo-to-stablehlo replaces")
		}
		return fmt.Errorf("it is no operation of StableHLO")
	}
	id := named()[name]
	x.b.SetBefore(op)
	x.b.Loc = op.Loc()
	s := x.b.State(id)
	for _, a := range s.Name.Def().Attrs {
		names = append(names, a.Name)
	}
	given, err := x.attributes(op)
	if err != nil {
		return err
	}
	for _, n := range names {
		a := given[n]
		if a == nil {
			if a, err = x.standard(op, n); err != nil {
				return err
			}
		}
		delete(given, n)
		s.SetAttr(n, a)
	}
	var rest []string
	for n := range given {
		rest = append(rest, n)
	}
	slices.Sort(rest)
	for _, n := range rest {
		s.SetAttr(n, given[n])
	}
	s.Operands, s.Types = op.Operands().Values(), op.Results().Types()
	for _, r := range op.Regions() {
		s.AddRegion().TakeBody(r)
	}
	n := x.b.Insert(x.b.CreateExact(&s))
	op.ReplaceAllUsesWith(n.Results().Values())
	op.Erase()
	return nil
}

// latest is the last version of an operation that the version of StableHLO has, as its own writer takes it; the one that is needed if that isn't there, and
// where the second version says nothing else by default.
func (x *writing) latest(op *ir.Op) int {
	_, versions := attributesOf(op.Def(), 1)
	if versions > 1 && !x.version.before(since(op.ID())) && !slices.Contains([]*ir.OpID{stablehlo.DynamicConv, stablehlo.Send, stablehlo.Recv}, op.ID()) {
		return 2
	}
	return x.needed(op)
}

// needed is the first version of an operation that says all that it does.
func (x *writing) needed(op *ir.Op) int {
	_, versions := attributesOf(op.Def(), 1)
	if versions == 1 {
		return 1
	}
	if several[op.ID()] && op.NumOperands() != 1 || op.Is(stablehlo.Composite) && op.NumRegions() > 0 {
		return 2
	}
	if op.Is(stablehlo.DynamicConv) {
		if op.Attr("padding") == nil && !x.version.before(since(op.ID())) {
			return 2
		}
		return 1
	}
	for _, name := range []string{accuracy, "algorithm", "source_target_pairs", "result_tilings", "has_dynamic_root"} {
		if op.Attr(name) != nil {
			return 2
		}
	}
	for _, f := range flattenings[op.ID()] {
		for _, part := range second[op.ID()] {
			if slices.Contains(f.parts, part) && len(stablehlo.Ints(partOf(op.Attr(f.name), f, part))) > 0 {
				return 2
			}
		}
	}
	return 1
}

// partOf is a part of a structured attribute.
func partOf(a ir.Attribute, f flattened, part string) ir.Attribute {
	d, ok := a.(*ir.DialectAttr)
	i := slices.Index(f.parts, part)
	if !ok || i < 0 || i >= len(d.Params) {
		return nil
	}
	return d.Params[i]
}

// attributes are those that an operation has, as vhlo has them.
func (x *writing) attributes(op *ir.Op) (map[string]ir.Attribute, error) {
	out := map[string]ir.Attribute{}
	apart := map[string]flattened{}
	for _, f := range flattenings[op.ID()] {
		apart[f.name] = f
	}
	for _, a := range op.AllAttrs() {
		if f, ok := apart[a.Name]; ok {
			for _, part := range f.parts {
				p := partOf(a.Value, f, part)
				if isList(part) {
					p = x.list(stablehlo.Ints(p))
				}
				s, err := x.attr(p)
				if err != nil {
					return nil, err
				}
				if !slices.Contains(second[op.ID()], part) || len(stablehlo.Ints(partOf(a.Value, f, part))) > 0 || !isList(part) {
					out[part] = s
				}
			}
			continue
		}
		s, err := x.named(a.Name, a.Value)
		if err != nil {
			return nil, err
		}
		out[a.Name] = s
	}
	return out, nil
}

func (x *writing) named(name string, a ir.Attribute) (ir.Attribute, error) {
	if n, ok := a.(*ir.IntegerAttr); ok && name == "api_version" {
		return attr(x.c, "api_version_v1", x.c.I64Attr(n.Value)), nil
	}
	return x.attr(a)
}

// list is a list of numbers as a constant.
func (x *writing) list(numbers []int64) ir.Attribute {
	data := make([]byte, 0, 8*len(numbers))
	for _, n := range numbers {
		for k := range 8 {
			data = append(data, byte(n>>(8*k)))
		}
	}
	return x.c.DenseElements(x.c.RankedTensor([]int64{int64(len(numbers))}, ir.I64), data)
}

// attr is the attribute of vhlo that stands for another one.
func (x *writing) attr(a ir.Attribute) (ir.Attribute, error) {
	c := x.c
	switch v := a.(type) {
	case *ir.StringAttr:
		return attr(c, "string_v1", c.StringAttr(v.Value)), nil
	case *ir.SymbolRefAttr:
		return attr(c, "string_v1", c.StringAttr(v.Root)), nil
	case *ir.UnitAttr:
		return attr(c, "bool_v1", c.Bool(true)), nil
	case *ir.TypeAttr:
		t, err := x.typ(v.Type)
		if err != nil {
			return nil, err
		}
		return attr(c, "type_v1", c.TypeAttr(t)), nil
	case *ir.IntegerAttr:
		if v.Type == ir.Type(ir.I1) {
			return attr(c, "bool_v1", v), nil
		}
		return x.number("integer_v1", v.Type, v)
	case *ir.FloatAttr:
		return x.number("float_v1", v.Type, v)
	case *ir.EnumAttr:
		for name, def := range enumerations {
			if def == v.Def {
				return attr(c, name, c.I64Attr(int64(v.Value))), nil
			}
		}
	case *ir.ArrayAttr:
		list, err := x.attrs(v.Elems)
		return attr(c, "array_v1", list...), err
	case *ir.DictAttr:
		var params []ir.Attribute
		for _, e := range v.Entries {
			s, err := x.attr(e.Value)
			if err != nil {
				return nil, err
			}
			params = append(params, attr(c, "string_v1", c.StringAttr(e.Name)), s)
		}
		return attr(c, "dict_v1", params...), nil
	case *ir.DenseArrayAttr:
		return x.elements(c.DenseElements(c.RankedTensor([]int64{int64(v.Len())}, v.Elem), []byte(v.Data)))
	case *ir.DenseElementsAttr:
		return x.elements(v)
	case *ir.DialectAttr:
		switch v.Mnemonic {
		case "output_operand_alias":
			return attr(c, "output_operand_alias_v1", v.Params...), nil
		case "result_accuracy_mode":
			words := []string{"DEFAULT", "HIGHEST", "TOLERANCE"}
			if i := slices.Index(words, v.Params[0].(*ir.StringAttr).Value); i >= 0 {
				return attr(c, "result_accuracy_mode_v1", c.I64Attr(int64(i))), nil
			}
		case "result_accuracy":
			mode, err := x.attr(v.Params[3])
			if err != nil {
				mode = attr(c, "result_accuracy_mode_v1", c.I64Attr(0))
			}
			return attr(c, "result_accuracy_v1", v.Params[0], v.Params[1], v.Params[2], mode), nil
		}
	}
	return nil, fmt.Errorf("there is no attribute for %s", a)
}

func (x *writing) attrs(list []ir.Attribute) ([]ir.Attribute, error) {
	out := make([]ir.Attribute, len(list))
	for i, a := range list {
		s, err := x.attr(a)
		if err != nil {
			return nil, err
		}
		out[i] = s
	}
	return out, nil
}

func (x *writing) number(mnemonic string, t ir.Type, a ir.Attribute) (ir.Attribute, error) {
	s, err := x.typ(t)
	if err != nil {
		return nil, err
	}
	return attr(x.c, mnemonic, x.c.TypeAttr(s), a), nil
}

// elements are those of a constant; booleans are bits.
func (x *writing) elements(d *ir.DenseElementsAttr) (ir.Attribute, error) {
	t, err := x.typ(d.Type)
	if err != nil {
		return nil, err
	}
	data := d.Data
	if ir.ElementType(d.Type) == ir.Type(ir.I1) {
		if d.Splat {
			data = string([]byte{-d.Data[0] & 0xff})
		} else {
			data = packed(d.Data)
		}
	}
	return attr(x.c, "tensor_v1", x.c.TypeAttr(t), x.c.StringAttr(data)), nil
}

func packed(bools string) string {
	out := make([]byte, (len(bools)+7)/8)
	for i := range len(bools) {
		out[i/8] |= bools[i] & 1 << (i % 8)
	}
	return string(out)
}

// standard is what an attribute says that is left out.
func (x *writing) standard(op *ir.Op, name string) (ir.Attribute, error) {
	c := x.c
	repeated := func(n int64, count int) ir.Attribute {
		return x.list(slices.Repeat([]int64{n}, count))
	}
	rank := func() int {
		n := 0
		if t, ok := op.Operand(0).Type().(*ir.RankedTensorType); ok {
			n = len(t.Shape)
		}
		if op.Is(stablehlo.Convolution) || op.Is(stablehlo.DynamicConv) {
			n -= 2
		}
		return max(n, 0)
	}
	var a ir.Attribute
	switch name {
	case "window_strides", "lhs_dilation", "rhs_dilation", "base_dilations", "window_dilations":
		a = repeated(1, rank())
	case "window_dimensions":
		a = repeated(1, rank())
	case "padding":
		a = stablehlo.Pairs(c, make([]int64, 2*rank()))
	case "window_reversal":
		a = c.DenseBoolArray(make([]bool, rank())...)
	case "compare_type":
		a = c.EnumAttr(stablehlo.ComparisonType, 0)
	case "api_version":
		return attr(c, "api_version_v1", c.I64Attr(1)), nil
	case "indices_are_sorted", "unique_indices", "is_stable", "has_side_effect", "use_global_device_ids", "is_host_transfer", "lower", "allow_imprecise_accumulation",
		"has_dynamic_root":
		a = c.Bool(false)
	case "backend_config", "infeed_config", "outfeed_config", "sym_visibility":
		a = c.StringAttr("")
	case "called_computations", "operand_layouts", "result_layouts", "output_operand_aliases", "precision_config", "layout", "result_tilings":
		a = c.ArrayAttr()
	case "arg_attrs", "res_attrs":
		a = c.ArrayAttr()
	case "known_expanding_dimensions", "known_nonexpanding_dimensions", "operand_batching_dims", "start_indices_batching_dims", "input_batching_dims",
		"scatter_indices_batching_dims":
		a = x.list(nil)
	case "source_target_pairs":
		a = stablehlo.Pairs(c, nil)
	case "composite_attributes":
		a = c.DictAttr()
	case "version":
		a = c.I32Attr(0)
	case "channel_id", "channel_type":
		a = c.I64Attr(0)
	case "lhs_component_count", "rhs_component_count", "num_primitive_operations":
		a = c.I64Attr(1)
	case "lhs_precision_type", "rhs_precision_type", "accumulation_type":
		a = c.TypeAttr(ir.None)
	case "dimension":
		a = c.I64Attr(-1)
	case accuracy:
		mode := stablehlo.Struct(c, "result_accuracy_mode", c.StringAttr("DEFAULT"))
		a = stablehlo.Struct(c, "result_accuracy", c.FloatAttr(ir.F64, 0), c.FloatAttr(ir.F64, 0), c.I64Attr(0), mode)
	default:
		return nil, fmt.Errorf("it lacks the attribute %s", name)
	}
	return x.attr(a)
}
