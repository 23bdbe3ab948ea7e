package iface

import "freehold/ir"

// CallModel is about operations that call a function.
type CallModel interface {
	// Callee returns the symbol that is called, or nil with the function value.
	Callee(op *ir.Op) (*ir.SymbolRefAttr, *ir.Value)
	// Args returns position and number of the operands that are passed.
	Args(op *ir.Op) (start, n int)
}

// Call is implemented by call operations.
var Call = ir.NewInterface[CallModel]("CallOpInterface")

// FunctionModel is about functions: symbols whose only region is the body, empty
// for a declaration.
type FunctionModel interface {
	// Type returns the function's type.
	Type(op *ir.Op) *ir.FunctionType
	// SetType changes the function's type; block arguments stay as they are.
	SetType(op *ir.Op, t *ir.FunctionType)
}

// Function is implemented by function-like operations (and is also the field's
// CallableOpInterface).
var Function = ir.NewInterface[FunctionModel]("FunctionOpInterface")

// Names of the attributes that hold the attributes of arguments and results of
// function-like operations.
const (
	ArgAttrs = "arg_attrs"
	ResAttrs = "res_attrs"
)

// ArgAttr returns an attribute of argument i of a function-like operation, or nil.
func ArgAttr(fn *ir.Op, i int, name string) ir.Attribute { return nthDict(fn, ArgAttrs, i).Get(name) }

// ResAttr returns an attribute of result i of a function-like operation, or nil.
func ResAttr(fn *ir.Op, i int, name string) ir.Attribute { return nthDict(fn, ResAttrs, i).Get(name) }

// SetArgAttr sets an attribute of argument i; nil removes it. Linear in the number of
// arguments; see [EditArgAttrs].
func SetArgAttr(fn *ir.Op, i int, name string, a ir.Attribute) {
	EditArgAttrs(fn, setNth(i, name, a))
}

// SetResAttr sets an attribute of result i; nil removes it. Linear in the number of
// results.
func SetResAttr(fn *ir.Op, i int, name string, a ir.Attribute) {
	edit(fn, ResAttrs, func(t *ir.FunctionType) int { return len(t.Results) }, setNth(i, name, a))
}

// EditArgAttrs makes the attributes of each argument of a function-like operation what
// change returns for them. It must not change the slice that it is given.
func EditArgAttrs(fn *ir.Op, change func(i int, attrs []ir.NamedAttr) []ir.NamedAttr) {
	edit(fn, ArgAttrs, func(t *ir.FunctionType) int { return len(t.Inputs) }, change)
}

func nthDict(fn *ir.Op, list string, i int) *ir.DictAttr {
	arr, ok := fn.Attr(list).(*ir.ArrayAttr)
	if !ok || i >= len(arr.Elems) {
		return nil
	}
	d, _ := arr.Elems[i].(*ir.DictAttr)
	return d
}

// setNth returns the change that sets an attribute of number i.
func setNth(i int, name string, a ir.Attribute) func(int, []ir.NamedAttr) []ir.NamedAttr {
	return func(j int, attrs []ir.NamedAttr) []ir.NamedAttr {
		if j != i {
			return attrs
		}
		var next []ir.NamedAttr
		for _, e := range attrs {
			if e.Name != name {
				next = append(next, e)
			}
		}
		if a != nil {
			next = append(next, ir.NamedAttr{Name: name, Value: a})
		}
		return next
	}
}

func edit(fn *ir.Op, list string, count func(*ir.FunctionType) int, change func(int, []ir.NamedAttr) []ir.NamedAttr) {
	m, ok := Function.Of(fn)
	if !ok {
		return
	}
	c := fn.Context()
	elems := make([]ir.Attribute, count(m.Type(fn)))
	empty := true
	none := ir.Attribute(c.DictAttr())
	for i := range elems {
		var entries []ir.NamedAttr
		if d := nthDict(fn, list, i); d != nil {
			entries = d.Entries
		}
		if entries = change(i, entries); len(entries) == 0 {
			elems[i] = none
			continue
		}
		empty = false
		elems[i] = c.DictAttr(entries...)
	}
	if empty {
		fn.SetAttr(list, nil)
		return
	}
	fn.SetAttr(list, c.ArrayAttr(elems...))
}

// ResultAttrs returns the attributes of result i of a function-like operation. It must
// not be changed.
func ResultAttrs(fn *ir.Op, i int) []ir.NamedAttr {
	if d := nthDict(fn, ResAttrs, i); d != nil {
		return d.Entries
	}
	return nil
}

// EraseResults removes results, with their attributes, from the signature of a
// function-like operation. What returns and calls do is up to the caller. Linear time.
func EraseResults(fn *ir.Op, drop func(i int) bool) {
	m, ok := Function.Of(fn)
	if !ok {
		return
	}
	t := m.Type(fn)
	var types []ir.Type
	var attrs [][]ir.NamedAttr
	for i, r := range t.Results {
		if !drop(i) {
			types = append(types, r)
			attrs = append(attrs, ResultAttrs(fn, i))
		}
	}
	m.SetType(fn, fn.Context().Function(t.Inputs, types))
	edit(fn, ResAttrs, func(t *ir.FunctionType) int { return len(t.Results) },
		func(i int, _ []ir.NamedAttr) []ir.NamedAttr { return attrs[i] })
}

// EraseArgs removes arguments, with their attributes, from the signature of a function-like operation. What its body and calls do
// is up to the caller. Linear time.
func EraseArgs(fn *ir.Op, drop func(i int) bool) {
	m, ok := Function.Of(fn)
	if !ok {
		return
	}
	t := m.Type(fn)
	var types []ir.Type
	var attrs [][]ir.NamedAttr
	for i, a := range t.Inputs {
		if !drop(i) {
			types = append(types, a)
			attrs = append(attrs, argAttrs(fn, i))
		}
	}
	m.SetType(fn, fn.Context().Function(types, t.Results))
	EditArgAttrs(fn, func(i int, _ []ir.NamedAttr) []ir.NamedAttr { return attrs[i] })
}

func argAttrs(fn *ir.Op, i int) []ir.NamedAttr {
	if d := nthDict(fn, ArgAttrs, i); d != nil {
		return d.Entries
	}
	return nil
}
