package interfaces

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

// SetResAttrs sets an attribute of the results for which change is true to what value returns with it; nil removes it. Linear in the number of results.
func SetResAttrs(fn *ir.Op, name string, value func(i int) (a ir.Attribute, change bool)) {
	edit(fn, ResAttrs, func(t *ir.FunctionType) int { return len(t.Results) }, func(i int, attrs []ir.NamedAttr) []ir.NamedAttr {
		a, change := value(i)
		if !change {
			return attrs
		}
		return setNth(i, name, a)(i, attrs)
	})
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

func nthEntries(fn *ir.Op, list string, i int) []ir.NamedAttr {
	if d := nthDict(fn, list, i); d != nil {
		return d.Entries
	}
	return nil
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
	attrs := make([][]ir.NamedAttr, count(m.Type(fn)))
	for i := range attrs {
		attrs[i] = change(i, nthEntries(fn, list, i))
	}
	setDicts(fn, list, attrs)
}

// setDicts makes a list of dictionaries of attributes; there is none where all are empty.
func setDicts(fn *ir.Op, list string, attrs [][]ir.NamedAttr) {
	c := fn.Context()
	elems := make([]ir.Attribute, len(attrs))
	empty := true
	for i, entries := range attrs {
		elems[i] = c.DictAttr(entries...)
		empty = empty && len(entries) == 0
	}
	if empty {
		fn.SetAttr(list, nil)
		return
	}
	fn.SetAttr(list, c.ArrayAttr(elems...))
}

// ResultAttrs returns the attributes of result i of a function-like operation. It must
// not be changed.
func ResultAttrs(fn *ir.Op, i int) []ir.NamedAttr { return nthEntries(fn, ResAttrs, i) }

// EraseResults removes results, with their attributes, from the signature of a
// function-like operation. What returns and calls do is up to the caller. Linear time.
func EraseResults(fn *ir.Op, drop func(i int) bool) {
	if m, ok := Function.Of(fn); ok {
		t := m.Type(fn)
		m.SetType(fn, fn.Context().Function(t.Inputs, without(fn, ResAttrs, t.Results, drop)))
	}
}

// EraseArgs removes arguments from a function-like operation: from its signature, with their attributes, from its body, where nothing may use them any more, and from
// its calls, of which all are given. Linear time.
func EraseArgs(fn *ir.Op, calls []*ir.Op, drop []bool) {
	dropped := func(i int) bool { return drop[i] }
	if m, ok := Function.Of(fn); ok {
		t := m.Type(fn)
		m.SetType(fn, fn.Context().Function(without(fn, ArgAttrs, t.Inputs, dropped), t.Results))
	}
	fn.RegionAt(0).Entry().EraseArgs(dropped)
	for _, call := range calls {
		for i := len(drop) - 1; i >= 0; i-- {
			if drop[i] {
				call.EraseOperands(i, 1)
			}
		}
	}
}

// without returns the types that stay, and sets the list of attributes to those of these.
func without(fn *ir.Op, list string, types []ir.Type, drop func(i int) bool) (kept []ir.Type) {
	var attrs [][]ir.NamedAttr
	for i, t := range types {
		if !drop(i) {
			kept = append(kept, t)
			attrs = append(attrs, nthEntries(fn, list, i))
		}
	}
	setDicts(fn, list, attrs)
	return kept
}
