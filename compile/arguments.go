package compile

import (
	"freehold/ir"
	"freehold/ir/analysis"
	"freehold/ir/interfaces"
	"freehold/memory/footprint"
)

// withTensors returns an operation in a function that has tensors; nil if there is none.
func withTensors(module *ir.Op) (found *ir.Op) {
	module.Walk(func(op *ir.Op) bool {
		if found == nil && op.Parent() != nil && interfaces.HasTensorTypes(op) {
			found = op
		}
		return found == nil
	})
	return found
}

// tensorArguments tells of the public functions in a module which arguments are tensors.
func tensorArguments(module *ir.Op) map[string][]bool {
	out := map[string][]bool{}
	module.Walk(func(op *ir.Op) bool {
		m, ok := interfaces.Function.Of(op)
		if name, named := ir.SymbolName(op); ok && named && ir.IsPublic(op) && op.BodyBlock(0) != nil {
			for _, t := range m.Type(op).Inputs {
				out[name] = append(out[name], ir.IsTensor(t))
			}
		}
		return !ok
	})
	return out
}

// overwrittenArguments finds the arguments that functions write to, of those that were tensors.
func overwrittenArguments(module *ir.Op, tensors map[string][]bool) []Argument {
	out := []Argument{}
	written := analysis.NewWrittenArguments()
	module.Walk(func(op *ir.Op) bool {
		if !interfaces.Function.Has(op) {
			return true
		}
		name, _ := ir.SymbolName(op)
		for i, tensor := range tensors[name] {
			if body := op.BodyBlock(0); tensor && body != nil && i < body.NumArgs() && written.Has(body.Arg(i)) {
				out = append(out, Argument{name, i})
			}
		}
		return false
	})
	return out
}

// copiedArguments counts the results of functions that are copies of arguments which the function
// was given, and adds up their sizes.
func copiedArguments(module *ir.Op) (n int, size footprint.Size) {
	module.Walk(func(op *ir.Op) bool {
		if op.Parent() == nil || !op.Has(ir.TraitReturnLike) || !interfaces.Function.Has(op.Parent()) {
			return true
		}
		for _, v := range op.Operands().Values() {
			clone := v.DefiningOp()
			if clone == nil || clone.NumResults() != 1 {
				continue
			}
			m, ok := interfaces.Copy.Of(clone)
			if !ok {
				continue
			}
			if source, _ := m(clone); analysis.ViewBase(source).IsBlockArg() && analysis.ViewBase(source).ParentBlock() == op.Parent().BodyBlock(0) {
				n++
				size = size.Plus(footprint.SizeOf(v))
			}
		}
		return true
	})
	return n, size
}
