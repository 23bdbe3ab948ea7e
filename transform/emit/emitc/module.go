package emitc

import (
	"slices"

	"freehold/dialect/funcd"
	"freehold/dialect/memref"
	"freehold/dialect/mlprogram"
	"freehold/ir"
	"freehold/ir/analysis"
	"freehold/ir/interfaces"
)

// module is what is known about a program while it is prepared.
type module struct {
	root    *ir.Op
	o       Options
	symbols *ir.SymbolTable
	// scope has the names that are taken at the top of the file.
	scope   *names
	types   *typeTable
	helpers *helperSet
	globals *globalTable
	// functions are those that are written, in the order of the program, and external those that are only declared.
	functions []*function
	external  []*function
	bySymbol  map[*ir.Op]*function
	// plain tells that memrefs of static shape and layout are plain pointers.
	plain bool
	// library tells that functions of C's library are called that aren't exact.
	library bool
	// reached are the functions that are wanted, and those that they lead to.
	reached map[*ir.Op]bool
	// elsewhere are the C names of functions and globals that the program only declares.
	elsewhere map[*ir.Op]string
	// called are the functions that others call.
	called map[*ir.Op]bool
	// values are the functions that are used as values.
	values map[*ir.Op]bool
	// calls is what is known of the functions once that is asked for.
	calls *analysis.CallSummaries
}

func newModule(root *ir.Op, o Options) *module {
	m := &module{root: root, o: o, symbols: ir.NewSymbolTable(root), scope: newNames(nil), bySymbol: map[*ir.Op]*function{}}
	m.types, m.helpers, m.globals = newTypeTable(m), newHelperSet(m), newGlobalTable(m)
	if o.Suffix == "" {
		m.scope.take(m.freeName())
	}
	if o.Weights > 0 {
		m.scope.take(m.weightsName())
		m.scope.take(m.setWeightsName())
	}
	return m
}

// prepare writes all functions into memory.
func (m *module) prepare() error {
	m.plain = !losesAllocations(m.root)
	if err := m.declare(); err != nil {
		return err
	}
	var errs ir.Diagnostics
	for _, f := range m.functions {
		err := m.numbersFit(f.op)
		if err == nil {
			err = f.write()
		}
		if err == nil {
			continue
		}
		d, ok := err.(*ir.Diagnostic)
		if !ok {
			return err
		}
		errs = append(errs, d)
	}
	if len(errs) > 0 {
		return errs.AtMost(ir.MaxReported)
	}
	if m.deallocator() != "" {
		m.helper("fh_free")
	}
	return nil
}

// declare gives all functions that are needed their names and types.
func (m *module) declare() error {
	m.reach()
	m.nameExternals()
	for op := range m.root.BodyBlock(0).Ops() {
		switch {
		case op.Is(memref.Global), op.Is(mlprogram.Global):
			continue
		case op.Is(funcd.Func) && !m.reached[op]:
			continue
		case !op.Is(funcd.Func) && m.o.Only != nil:
			continue
		case !op.Is(funcd.Func):
			return refuse(op, "there is nothing for it in C")
		}
		f := &function{m: m, op: op}
		m.bySymbol[op] = f
		if op.BodyBlock(0) == nil {
			m.external = append(m.external, f)
		} else {
			m.functions = append(m.functions, f)
		}
	}
	byExactness(m.functions, func(f *function) string { s, _ := ir.SymbolName(f.op); return s }, (*function).named)
	for _, f := range m.external {
		f.named()
	}
	m.globals.named()
	for op := range m.root.BodyBlock(0).Ops() {
		if f := m.bySymbol[op]; f != nil {
			if err := f.declare(); err != nil {
				return err
			}
		}
	}
	return nil
}

// nameExternals names what others define: it has the name that they know, which nothing else may have. What can't have it in C, or would be another function
// of C's library then, has a number behind it.
func (m *module) nameExternals() {
	m.elsewhere = map[*ir.Op]string{}
	var ops []*ir.Op
	for op := range m.root.BodyBlock(0).Ops() {
		if _, ok := ir.SymbolName(op); ok && isExternal(op) {
			ops = append(ops, op)
		}
	}
	symbol := func(op *ir.Op) string { s, _ := ir.SymbolName(op); return s }
	byExactness(ops, symbol, func(op *ir.Op) {
		name := symbol(op)
		if op.Is(funcd.Func) && isLibraryFunction(name, functionType(op)) && !m.scope.has(name) {
			m.scope.take(name)
		} else {
			name = m.scope.fresh(name)
		}
		m.elsewhere[op] = name
	})
}

// isExternal tells whether a function or a global is only declared.
func isExternal(op *ir.Op) bool {
	if op.Is(memref.Global) {
		return memref.GlobalOp{Op: op}.InitialValue() == nil
	}
	return op.Is(funcd.Func) && op.BodyBlock(0) == nil
}

// reach finds the functions that are needed: those that are visible outside and what they call.
func (m *module) reach() {
	m.reached, m.called, m.values = map[*ir.Op]bool{}, map[*ir.Op]bool{}, map[*ir.Op]bool{}
	wanted := func(op *ir.Op) bool {
		if m.o.Only == nil {
			return op.BodyBlock(0) != nil && ir.IsPublic(op)
		}
		name, _ := ir.SymbolName(op)
		return slices.Contains(m.o.Only, name)
	}
	var visit func(fn *ir.Op)
	visit = func(fn *ir.Op) {
		if m.reached[fn] {
			return
		}
		m.reached[fn] = true
		fn.Walk(func(op *ir.Op) bool {
			ir.OpSymbolUses(op, func(ref *ir.SymbolRefAttr) {
				if callee := m.symbols.LookupRef(ref); callee != nil && callee != fn && callee.Is(funcd.Func) {
					m.called[callee] = true
					m.values[callee] = m.values[callee] || op.Is(funcd.Constant)
					visit(callee)
				}
			})
			return true
		})
	}
	for op := range m.root.BodyBlock(0).Ops() {
		if op.Is(funcd.Func) && wanted(op) {
			visit(op)
		}
	}
}

// losesAllocations tells whether a program may free memory by a name that is not its start: then every memref has to keep the address
// that is freed, see the base buffers of memref.extract_strided_metadata. The views of an arena are never freed.
func losesAllocations(root *ir.Op) bool {
	shifted, metadata := false, false
	root.Walk(func(op *ir.Op) bool {
		switch {
		case op.Is(memref.View):
			shifted = shifted || !memref.IsArena(memref.ViewOp{Op: op}.Source())
		case op.Is(memref.ExtractStridedMetadata):
			metadata = true
		}
		return true
	})
	return shifted && metadata
}

// refuse returns the error that an operation can't be written.
func refuse(op *ir.Op, format string, args ...any) *ir.Diagnostic {
	d := ir.Errorf(op.Loc(), format, args...)
	d.Message = "'" + op.Name() + "' op can't be written in C: " + d.Message
	return d
}

// described lists the functions that are written, the visible ones first.
func (m *module) described() (out []Function) {
	for _, visible := range []bool{true, false} {
		for _, f := range m.functions {
			if f.static != visible {
				out = append(out, f.Function)
			}
		}
	}
	return out
}

// callee returns the function that a symbol names.
func (m *module) callee(op *ir.Op, ref *ir.SymbolRefAttr) (*function, error) {
	if f := m.bySymbol[m.symbols.LookupRef(ref)]; f != nil {
		return f, nil
	}
	return nil, refuse(op, "there is no function @%s", ref.Leaf())
}

// functionType returns the type of a function.
func functionType(op *ir.Op) *ir.FunctionType {
	f, _ := interfaces.Function.Of(op)
	return f.Type(op)
}
