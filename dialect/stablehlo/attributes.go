package stablehlo

import (
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/constraint"
)

// fieldKind is what a field of a structured attribute holds.
type fieldKind uint8

const (
	intField fieldKind = iota
	listField
	boolField
	typeField
	floatField
	anyField
)

// field is one of the named parts of an attribute. Those that are always written are there even if they are zero or empty.
type field struct {
	name   string
	kind   fieldKind
	always bool
}

// structs are the attributes #stablehlo.name<field = value, ...>.
var structs = map[string][]field{
	"dot": {{name: "lhs_batching_dimensions", kind: listField}, {name: "rhs_batching_dimensions", kind: listField},
		{name: "lhs_contracting_dimensions", kind: listField}, {name: "rhs_contracting_dimensions", kind: listField}},
	"gather": {{name: "offset_dims", kind: listField}, {name: "collapsed_slice_dims", kind: listField}, {name: "operand_batching_dims", kind: listField},
		{name: "start_indices_batching_dims", kind: listField}, {name: "start_index_map", kind: listField}, {name: "index_vector_dim"}},
	"scatter": {{name: "update_window_dims", kind: listField}, {name: "inserted_window_dims", kind: listField}, {name: "input_batching_dims", kind: listField},
		{name: "scatter_indices_batching_dims", kind: listField}, {name: "scatter_dims_to_operand_dims", kind: listField}, {name: "index_vector_dim"}},
	"channel_handle": {{name: "handle", always: true}, {name: "type", always: true}},
	"output_operand_alias": {{name: "output_tuple_indices", kind: listField, always: true}, {name: "operand_index", always: true},
		{name: "operand_tuple_indices", kind: listField, always: true}},
	"dot_algorithm": algorithmFields,
	"result_accuracy": {{name: "atol", kind: floatField}, {name: "rtol", kind: floatField}, {name: "ulps"},
		{name: "mode", kind: anyField}},
}

var algorithmFields = []field{{name: "lhs_precision_type", kind: typeField, always: true}, {name: "rhs_precision_type", kind: typeField, always: true},
	{name: "accumulation_type", kind: typeField, always: true}, {name: "lhs_component_count", always: true}, {name: "rhs_component_count", always: true},
	{name: "num_primitive_operations", always: true}, {name: "allow_imprecise_accumulation", kind: boolField, always: true}}

// parseAttr reads what follows the mnemonic of an attribute.
func parseAttr(p *asm.Parser, mnemonic string, _ ir.Type) (ir.Attribute, error) {
	c := p.Context()
	d := c.Dialect(dialectName)
	switch mnemonic {
	case convName:
		return parseConvAttr(p)
	case "bounds":
		return parseBounds(p)
	case "type_extensions":
		return parseExtensions(p)
	case "result_accuracy_mode":
		if err := p.Expect("<"); err != nil {
			return nil, err
		}
		word, err := p.AnyKeyword()
		if err != nil {
			return nil, err
		}
		return c.DialectAttrOf(d, mnemonic, c.StringAttr(word)), p.Expect(">")
	}
	fields, ok := structs[mnemonic]
	if !ok {
		return nil, nil
	}
	if err := p.Expect("<"); err != nil {
		return nil, err
	}
	params, err := parseFields(p, fields, ">")
	if err != nil {
		return nil, err
	}
	return c.DialectAttrOf(d, mnemonic, params...), p.Expect(">")
}

// parseFields reads name = value, ... up to the closing token, in any order.
func parseFields(p *asm.Parser, fields []field, end string) ([]ir.Attribute, error) {
	params := make([]ir.Attribute, len(fields))
	for first := true; !p.At(end); first = false {
		if !first {
			if err := p.Expect(","); err != nil {
				return nil, err
			}
		}
		pos := p.Pos()
		name, err := p.AnyKeyword()
		if err != nil {
			return nil, err
		}
		i := fieldIndex(fields, name)
		if i < 0 {
			return nil, p.Errorf(pos, "unknown parameter `%s`", name)
		}
		if params[i] != nil {
			return nil, p.Errorf(pos, "parameter `%s` is given twice", name)
		}
		if err := p.Expect("="); err != nil {
			return nil, err
		}
		if params[i], err = parseField(p, fields[i].kind); err != nil {
			return nil, err
		}
	}
	for i, f := range fields {
		if params[i] == nil {
			params[i] = zeroField(p.Context(), f.kind)
		}
	}
	return params, nil
}

func fieldIndex(fields []field, name string) int {
	for i, f := range fields {
		if f.name == name {
			return i
		}
	}
	return -1
}

func parseField(p *asm.Parser, k fieldKind) (ir.Attribute, error) {
	c := p.Context()
	switch k {
	case intField:
		n, err := p.Integer()
		return c.I64Attr(n), err
	case listField:
		list, err := parseList(p)
		return c.DenseI64Array(list...), err
	case boolField:
		if p.OptionalKeyword("true") {
			return c.Bool(true), nil
		}
		return c.Bool(false), p.Keyword("false")
	case typeField:
		t, err := p.Type()
		if err != nil {
			return nil, err
		}
		return c.TypeAttr(t), nil
	case floatField:
		return p.Attr(ir.F64)
	}
	return p.Attr(nil)
}

func zeroField(c *ir.Context, k fieldKind) ir.Attribute {
	switch k {
	case intField:
		return c.I64Attr(0)
	case listField:
		return c.DenseI64Array()
	case boolField:
		return c.Bool(false)
	case typeField:
		return c.TypeAttr(ir.F32)
	case floatField:
		return c.FloatAttr(ir.F64, 0)
	}
	return ir.Unit
}

// parseList reads [1, 2, 3].
func parseList(p *asm.Parser) ([]int64, error) {
	if err := p.Expect("["); err != nil {
		return nil, err
	}
	out := []int64{}
	for !p.At("]") {
		if len(out) > 0 {
			if err := p.Expect(","); err != nil {
				return nil, err
			}
		}
		n, err := p.Integer()
		if err != nil {
			return nil, err
		}
		out = append(out, n)
	}
	return out, p.Expect("]")
}

// parseBounds reads <?, 10>: upper bounds of sizes that aren't known.
func parseBounds(p *asm.Parser) (ir.Attribute, error) {
	if err := p.Expect("<"); err != nil {
		return nil, err
	}
	list, err := boundsUpTo(p, ">")
	if err != nil {
		return nil, err
	}
	return Bounds(p.Context(), list), nil
}

// parseExtensions reads <bounds = [?, 10]>, as bounds were spelled before.
func parseExtensions(p *asm.Parser) (ir.Attribute, error) {
	if err := p.Expect("<"); err != nil {
		return nil, err
	}
	if err := p.Keyword("bounds"); err != nil {
		return nil, err
	}
	if err := p.Expect("="); err != nil {
		return nil, err
	}
	if err := p.Expect("["); err != nil {
		return nil, err
	}
	list, err := boundsUpTo(p, "]")
	if err != nil {
		return nil, err
	}
	return Bounds(p.Context(), list), p.Expect(">")
}

// Bounds is the encoding of a tensor type that bounds sizes that aren't known; [ir.Dynamic] is no bound.
func Bounds(c *ir.Context, list []int64) ir.Attribute {
	return c.DialectAttrOf(c.Dialect(dialectName), "bounds", c.DenseI64Array(list...))
}

func boundsUpTo(p *asm.Parser, end string) ([]int64, error) {
	list := []int64{}
	for !p.At(end) {
		if len(list) > 0 {
			if err := p.Expect(","); err != nil {
				return nil, err
			}
		}
		if p.Optional("?") {
			list = append(list, ir.Dynamic)
			continue
		}
		n, err := p.Integer()
		if err != nil {
			return nil, err
		}
		list = append(list, n)
	}
	return list, p.Expect(end)
}

// listFields are parts that are lists.
func listFields(names []string) []field {
	out := make([]field, len(names))
	for i, name := range names {
		out[i] = field{name: name, kind: listField}
	}
	return out
}

// ParseLists reads <name = [1, 2], ...>, an attribute of another dialect whose parts are lists of dimensions, in any order; a part that isn't there is empty.
func ParseLists(p *asm.Parser, names []string) ([]ir.Attribute, error) {
	if err := p.Expect("<"); err != nil {
		return nil, err
	}
	params, err := parseFields(p, listFields(names), ">")
	if err != nil {
		return nil, err
	}
	return params, p.Expect(">")
}

// PrintLists writes what [ParseLists] reads, without what is empty.
func PrintLists(w *ir.Writer, names []string, params []ir.Attribute) {
	w.Byte('<')
	printFields(w, listFields(names), params)
	w.Byte('>')
}

// printAttr writes an attribute after #stablehlo.
func printAttr(w *ir.Writer, a *ir.DialectAttr) bool {
	switch a.Mnemonic {
	case convName:
		w.Text("conv<")
		printDims(w, a)
		w.Byte('>')
		return true
	case "bounds":
		w.Text("bounds<")
		for i, n := range Ints(a.Params[0]) {
			if i > 0 {
				w.Text(", ")
			}
			if n == ir.Dynamic {
				w.Byte('?')
			} else {
				w.Int(n)
			}
		}
		w.Byte('>')
		return true
	case "result_accuracy_mode":
		w.Text(a.Mnemonic + "<" + a.Params[0].(*ir.StringAttr).Value + ">")
		return true
	}
	fields, ok := structs[a.Mnemonic]
	if !ok {
		return false
	}
	w.Text(a.Mnemonic)
	w.Byte('<')
	printFields(w, fields, a.Params)
	w.Byte('>')
	return true
}

func printFields(w *ir.Writer, fields []field, params []ir.Attribute) {
	first := true
	for i, f := range fields {
		if !f.always && params[i] == zeroFieldOf(params[i], f.kind) {
			continue
		}
		if !first {
			w.Text(", ")
		}
		first = false
		w.Text(f.name + " = ")
		printField(w, f.kind, params[i])
	}
}

// zeroFieldOf returns the attribute itself if it says no more than one that isn't there.
func zeroFieldOf(a ir.Attribute, k fieldKind) ir.Attribute {
	switch x := a.(type) {
	case *ir.IntegerAttr:
		if x.Value == 0 && k == intField {
			return a
		}
	case *ir.DenseArrayAttr:
		if x.Len() == 0 {
			return a
		}
	case *ir.FloatAttr:
		if x.Float64() == 0 {
			return a
		}
	case *ir.UnitAttr:
		return a
	}
	return nil
}

func printField(w *ir.Writer, k fieldKind, a ir.Attribute) {
	switch k {
	case intField:
		w.Int(a.(*ir.IntegerAttr).Value)
	case listField:
		printList(w, Ints(a))
	case boolField:
		if a.(*ir.IntegerAttr).Value != 0 {
			w.Text("true")
		} else {
			w.Text("false")
		}
	case typeField:
		w.Type(a.(*ir.TypeAttr).Type)
	case floatField:
		w.AttrWithoutType(a)
	default:
		w.Attr(a)
	}
}

func printList(w *ir.Writer, list []int64) {
	w.Text("[" + ir.JoinInts(list) + "]")
}

// Field returns a named part of a structured attribute, such as the offset dimensions of a #stablehlo.gather.
func Field(a ir.Attribute, name string) ir.Attribute {
	d, ok := a.(*ir.DialectAttr)
	if !ok {
		return nil
	}
	i := fieldIndex(structs[d.Mnemonic], name)
	if i < 0 || i >= len(d.Params) {
		return nil
	}
	return d.Params[i]
}

// Dims returns the list of dimensions that is a named part of a structured attribute.
func Dims(a ir.Attribute, name string) []int64 { return Ints(Field(a, name)) }

// Struct makes a structured attribute of its parts, which are in the order of the specification.
func Struct(c *ir.Context, mnemonic string, params ...ir.Attribute) ir.Attribute {
	return c.DialectAttrOf(c.Dialect(dialectName), mnemonic, params...)
}

// mostInts is how many integers a list may have: a dense constant whose elements are all the same may claim any number of them.
const mostInts = 1 << 24

// Ints returns the integers of a list or of a dense constant; nil if it is neither, or has more than 2^24. Linear in their number.
func Ints(a ir.Attribute) []int64 {
	switch x := a.(type) {
	case *ir.DenseArrayAttr:
		return x.Ints()
	case *ir.DenseElementsAttr:
		return denseInts(x)
	}
	return nil
}

func denseInts(d *ir.DenseElementsAttr) []int64 {
	t, ok := ir.ElementType(d.Type).(*ir.IntegerType)
	if !ok && ir.ElementType(d.Type) != ir.Type(ir.Index) || ok && t.Width > 64 {
		return nil
	}
	if d.Len() > mostInts {
		return nil
	}
	out := make([]int64, d.Len())
	for i := range out {
		raw := d.Raw(int64(i))
		var v int64
		for k := len(raw) - 1; k >= 0; k-- {
			v = v<<8 | int64(raw[k])
		}
		if bits := 64 - 8*len(raw); ok && t.Signedness != ir.Unsigned && t.Width > 1 {
			v = v << bits >> bits
		}
		out[i] = v
	}
	return out
}

// structAttr accepts the attribute #stablehlo.mnemonic.
func structAttr(mnemonic string) ir.AttrConstraint {
	match := func(a ir.Attribute) bool {
		d, ok := a.(*ir.DialectAttr)
		return ok && d.Dialect.Name == dialectName && d.Mnemonic == mnemonic
	}
	fields := structs[mnemonic]
	if mnemonic == convName {
		fields = rawFields
	}
	respell := func(c *ir.Context, a ir.Attribute) ir.Attribute {
		d, ok := a.(*ir.DictAttr)
		if !ok {
			return nil
		}
		return fromDict(c, mnemonic, fields, d)
	}
	return ir.AttrConstraint{Summary: "#stablehlo." + mnemonic + " attribute", Kind: ir.DialectAttrKind, Attribute: dialectName + "." + mnemonic, Match: match, Class: match, Respell: respell}
}

// fromDict makes a structured attribute of a dictionary, in which mhlo had its parts up to 2021: numbers and dense constants. It is nil if there are other ones.
func fromDict(c *ir.Context, mnemonic string, fields []field, d *ir.DictAttr) ir.Attribute {
	params := make([]ir.Attribute, len(fields))
	for i, f := range fields {
		params[i] = zeroField(c, f.kind)
	}
	for _, e := range d.Entries {
		i := fieldIndex(fields, e.Name)
		if i < 0 {
			return nil
		}
		switch n, isInt := e.Value.(*ir.IntegerAttr); {
		case fields[i].kind == intField && isInt:
			params[i] = c.I64Attr(n.Value)
		case fields[i].kind == listField && constraint.IntElements.Match(e.Value):
			params[i] = c.DenseI64Array(Ints(e.Value)...)
		default:
			return nil
		}
	}
	return Struct(c, mnemonic, params...)
}

func required(name string, c ir.AttrConstraint) ir.AttrDef { return ir.AttrDef{Name: name, Type: c} }

func optional(name string, c ir.AttrConstraint) ir.AttrDef {
	return ir.AttrDef{Name: name, Type: c, Optional: true}
}

// The constraints on attributes that several operations have.
var (
	i64List        = constraint.DenseI64Array
	boolList       = boolsOf()
	padding        = constraint.IntElements
	precisions     = constraint.EnumArray("precision array attribute", Precision)
	accuracy       = optional("result_accuracy", structAttr("result_accuracy"))
	channel        = optional("channel_handle", structAttr("channel_handle"))
	replicaGroups  = required("replica_groups", constraint.AnyAttr)
	algorithm      = optional("algorithm", structAttr("dot_algorithm"))
	aliases        = optional("output_operand_aliases", constraint.ArrayAttr)
	useGlobalIDs   = optional("use_global_device_ids", constraint.UnitAttr)
	precisionsAttr = optional("precision_config", precisions)
)

// boolsOf accepts a list of booleans also in the form that it had before there were lists: a dense constant.
func boolsOf() ir.AttrConstraint {
	c := constraint.DenseBoolArray
	c.Respell = func(ctx *ir.Context, a ir.Attribute) ir.Attribute {
		d, ok := a.(*ir.DenseElementsAttr)
		if !ok || ir.ElementType(d.Type) != ir.Type(ir.I1) || d.Len() > maxBools {
			return nil
		}
		list := make([]bool, d.Len())
		for i := range list {
			list[i] = d.Raw(int64(i)) != "\x00"
		}
		return ctx.DenseBoolArray(list...)
	}
	return c
}

// maxBools bounds the lists that are made of dense constants, of which a short text can have any number of elements.
const maxBools = 1 << 10
