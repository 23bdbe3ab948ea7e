package tflite

import (
	"freehold/dialect/bufferization"
	"freehold/dialect/memref"
	"freehold/ir"
	"freehold/transform/import/tflite/model"
)

// variable is a buffer that keeps its contents between executions, a global of the module.
type variable struct {
	name string
	typ  *ir.MemRefType
}

// isHandle tells whether a tensor stands for a variable.
func isHandle(t *model.Tensor) bool { return t.Type == model.Resource }

// variableKey identifies a variable in the model: a tensor of a subgraph, or a name that operators use.
type variableKey struct {
	subgraph string
	tensor   int
	shared   string
}

// variable returns the buffer of a variable whose contents have the type of a tensor, at the place of the builder. Variables of 8 bits start with
// the zero point, others with zero, as in TensorFlow Lite Micro.
func (f *function) variable(key variableKey, name string, like *model.Tensor) (*ir.Value, error) {
	t := f.ctx.MemRef(like.Shape, elementTypes[like.Type])
	v, ok := f.globals[key]
	if !ok {
		v = variable{f.symbol(name, "variable"), t}
		f.globals[key] = v
		initial := int64(0)
		if like.Type == model.Int8 {
			initial = zeroPoint(like)
		}
		var element ir.Attribute
		switch elem := t.Elem.(type) {
		case *ir.FloatType:
			element = f.ctx.FloatAttr(elem, 0)
		default:
			element = f.ctx.IntegerAttr(elem, initial)
		}
		f.global(v.name, t, element)
	}
	if v.typ != t {
		return nil, f.errorf("variable @%s is '%s' here and '%s' elsewhere", v.name, t, v.typ)
	}
	return memref.NewGetGlobal(f.b, t, v.name), nil
}

// global adds a buffer to the module whose elements are all the same.
func (f *function) global(name string, t *ir.MemRefType, element ir.Attribute) {
	at := f.b.InsertionPoint()
	f.b.SetBefore(f.op)
	contents := f.ctx.DenseElements(f.ctx.RankedTensor(t.Shape, t.Elem), ir.AppendElement(nil, element))
	memref.NewGlobal(f.b, name, "private", t, contents, false, 0)
	f.b.SetInsertionPoint(at)
}

// state returns the buffer of an input that is a variable.
func (k *kernel) state(input int) (*ir.Value, error) {
	t, n := k.in[input], k.op.Inputs[input]
	if !t.Variable {
		return nil, k.errorf("input %d of %s has to be a variable", input, k.code)
	}
	return k.variable(variableKey{subgraph: k.name, tensor: n}, k.graph.ShortName(n), t)
}

// varHandle is VAR_HANDLE, which makes no program: the handle stands for a name.
func varHandle(k *kernel) error {
	const container, shared = 0, 1
	k.handles[k.op.Outputs[0]] = k.op.Options.Text(container) + "/" + k.op.Options.Text(shared)
	return nil
}

// shared returns the buffer of the variable that input 0 stands for.
func (k *kernel) shared(like *model.Tensor) (*ir.Value, error) {
	name, ok := k.handles[k.op.Inputs[0]]
	if !ok {
		return nil, k.errorf("%s is on a variable that VAR_HANDLE of this subgraph doesn't name", k.code)
	}
	if elementTypes[like.Type] == nil {
		return nil, k.unsupported()
	}
	return k.variable(variableKey{tensor: -1, shared: name}, name[len(name)-len(lastPart(name)):], like)
}

// lastPart returns what follows the last slash.
func lastPart(name string) string {
	for i := len(name) - 1; i >= 0; i-- {
		if name[i] == '/' {
			return name[i+1:]
		}
	}
	return name
}

// readVariable is READ_VARIABLE: a copy of the contents, since they may change while the result is needed.
func readVariable(k *kernel) error {
	m, err := k.shared(k.out[0])
	if err != nil {
		return err
	}
	t := bufferization.NewToTensor(k.b, m, true, false)
	k.result(0, bufferization.NewAllocTensor(k.b, t.Type(), nil, t, nil))
	return nil
}

// assignVariable is ASSIGN_VARIABLE.
func assignVariable(k *kernel) error {
	v, err := k.value(1)
	if err != nil {
		return err
	}
	m, err := k.shared(k.in[1])
	if err != nil {
		return err
	}
	op := bufferization.NewMaterializeInDestination(k.b, v, m)
	op.SetAttr(bufferization.RestrictAttr, ir.Unit)
	return nil
}
