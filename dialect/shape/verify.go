package shape

import "freehold/ir"

// verifyPropagates checks that the result can hold an error if an operand can.
func verifyPropagates(result string) func(op *ir.Op) error {
	return func(op *ir.Op) error {
		for _, t := range op.Operands().Types() {
			if (isShape(t) || isSize(t) || isType(t, "value_shape")) && !isType(op.Result(0).Type(), result) {
				return op.Errorf("if at least one of the operands can hold error values then the result must be of type `%s` to propagate them", result)
			}
		}
		return nil
	}
}

func verifyAssumingAll(op *ir.Op) error {
	if op.NumOperands() == 0 {
		return op.Errorf("no operands specified")
	}
	return nil
}

func verifyCstrBroadcastable(op *ir.Op) error {
	if op.NumOperands() < 2 {
		return op.Errorf("required at least 2 input shapes")
	}
	return nil
}

func verifyReduce(op *ir.Op) error {
	body := op.BodyBlock(0)
	init := op.Operands()[1:]
	if want := len(init) + 2; body.NumArgs() != want {
		return op.Errorf("ReduceOp body is expected to have %d arguments", want)
	}
	if body.Arg(0).Type() != ir.Type(ir.Index) {
		return op.Errorf("argument 0 of ReduceOp body is expected to be of IndexType")
	}
	extent := body.Arg(1).Type()
	if isShape(ReduceOp{op}.Shape().Type()) {
		if !isSize(extent) {
			return op.Errorf("argument 1 of ReduceOp body is expected to be of SizeType if the ReduceOp operates on a ShapeType")
		}
	} else if extent != ir.Type(ir.Index) {
		return op.Errorf("argument 1 of ReduceOp body is expected to be of IndexType if the ReduceOp operates on an extent tensor")
	}
	for i := range init {
		if body.Arg(i+2).Type() != init.At(i).Type() {
			return op.Errorf("type mismatch between argument %d of ReduceOp body and initial value %d", i+2, i)
		}
	}
	return nil
}

func verifyYield(op *ir.Op) error {
	parent := op.Parent()
	if parent.NumResults() != op.NumOperands() {
		return op.Errorf("number of operands does not match number of results of its parent")
	}
	for i := range op.NumOperands() {
		if op.Operand(i).Type() != parent.Result(i).Type() {
			return op.Errorf("types mismatch between yield op and its parent")
		}
	}
	return nil
}

// verifyLibraries checks the attribute shape.lib, which lists the function
// libraries of a symbol table.
func verifyLibraries(op *ir.Op, attr ir.NamedAttr) error {
	if attr.Name != "shape.lib" {
		return nil
	}
	if !op.Has(ir.TraitSymbolTable) {
		return op.PlainErrorf("shape.lib attribute may only be on op implementing SymbolTable")
	}
	table := ir.NewSymbolTable(op)
	switch a := attr.Value.(type) {
	case *ir.SymbolRefAttr:
		switch lib := table.LookupRef(a); {
		case lib == nil:
			return op.PlainErrorf("shape function library %s not found", a)
		case !lib.Is(FunctionLibrary):
			return op.PlainErrorf("%s required to be shape function library", a)
		}
		return nil
	case *ir.ArrayAttr:
		mapped := map[string]bool{}
		for _, e := range a.Elems {
			ref, ok := e.(*ir.SymbolRefAttr)
			if !ok {
				return op.PlainErrorf("only SymbolRefAttr allowed in shape.lib attribute array")
			}
			lib := table.LookupRef(ref)
			if lib == nil || !lib.Is(FunctionLibrary) {
				return op.PlainErrorf("%s does not refer to FunctionLibraryOp", ref)
			}
			d, _ := lib.Attr(mapping).(*ir.DictAttr)
			if d == nil {
				continue
			}
			for _, entry := range d.Entries {
				if mapped[entry.Name] {
					return op.PlainErrorf("only one op to shape mapping allowed, found multiple for `%q`", entry.Name)
				}
				mapped[entry.Name] = true
			}
		}
		return nil
	}
	return op.PlainErrorf("only SymbolRefAttr or array of SymbolRefAttrs allowed as shape.lib attribute")
}
