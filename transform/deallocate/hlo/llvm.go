package hlo

import (
	"freehold/dialect/builtin"
	"freehold/dialect/deallocation"
	"freehold/dialect/llvm"
	"freehold/dialect/memref"
	"freehold/ir"
)

const (
	retainFunction = "retainBuffers"
	freeFunction   = "free"
)

// ToLLVM is the pass hlo-convert-deallocation-ops-to-llvm: owners become pointers, and what
// is left of deallocation.retain becomes calls of
//
//	void retainBuffers(int64_t memrefs, void **retained, int64_t owners, void **owned, void **results)
//
// which compares all with all. The functions that are called are declared in the module; if
// op isn't one, they must be declared around it. Linear.
func ToLLVM(op *ir.Op) error {
	c := &converter{b: ir.NewBuilder(op.Context()), pointer: llvm.Pointer(op.Context())}
	var ops []*ir.Op
	op.Walk(func(o *ir.Op) bool {
		if o.Dialect() == deallocation.Dialect {
			ops = append(ops, o)
		}
		return true
	})
	table := ir.SymbolTableOp(op)
	for _, o := range ops {
		if err := c.declare(table, op, o); err != nil {
			return err
		}
		c.convert(o)
	}
	// Casts between the two types that nothing needs any more.
	for i := len(c.casts) - 1; i >= 0; i-- {
		if !c.casts[i].HasUses() {
			c.casts[i].Erase()
		}
	}
	return nil
}

type converter struct {
	b       *ir.Builder
	pointer ir.Type
	casts   []*ir.Op
}

// declare declares the function that an operation becomes a call of.
func (c *converter) declare(table, root, op *ir.Op) error {
	name, params := "", []ir.Type(nil)
	switch {
	case op.Is(deallocation.Free):
		name, params = freeFunction, []ir.Type{c.pointer}
	case op.Is(deallocation.Retain):
		name, params = retainFunction, []ir.Type{ir.I64, c.pointer, ir.I64, c.pointer, c.pointer}
	default:
		return nil
	}
	ctx := c.b.Context()
	if table != nil && ir.LookupSymbol(op, ctx.SymbolRef(name)) != nil {
		return nil
	}
	if table == nil || !root.IsAncestorOf(table) {
		return op.Errorf("needs a declaration of @%s around the function", name)
	}
	c.b.SetStart(table.BodyBlock(0))
	c.b.Loc = ir.Unknown
	s := c.b.State(llvm.Func)
	s.AddRegion()
	s.SetAttr(ir.SymbolNameAttr, ctx.StringAttr(name))
	s.SetAttr("function_type", ctx.TypeAttr(llvm.Function(ctx, llvm.Void(ctx), params, false)))
	c.b.Create(s)
	return nil
}

func (c *converter) cast(t ir.Type, v *ir.Value) *ir.Value {
	if def := v.DefiningOp(); def != nil && def.Is(builtin.UnrealizedConversionCast) && def.OnlyOperand() != nil && def.OnlyOperand().Type() == t {
		return def.OnlyOperand()
	}
	op := builtin.NewUnrealizedConversionCast(c.b, []ir.Type{t}, v)
	c.casts = append(c.casts, op)
	return op.Result(0)
}

// base returns the pointer to the allocation of a buffer, or that of an owner.
func (c *converter) base(v *ir.Value) *ir.Value {
	ctx := c.b.Context()
	t, ranked := v.Type().(*ir.MemRefType)
	switch {
	case ranked:
		fields := []ir.Type{c.pointer, c.pointer, ir.I64}
		if n := int64(len(t.Shape)); n > 0 {
			fields = append(fields, llvm.Array(ctx, n, ir.I64), llvm.Array(ctx, n, ir.I64))
		}
		return c.extract(c.cast(llvm.Struct(ctx, fields...), v), 0)
	case ir.IsMemRef(v.Type()):
		// The descriptor begins with the pointer.
		descriptor := c.extract(c.cast(llvm.Struct(ctx, ir.I64, c.pointer), v), 1)
		return c.b.CreateOp(llvm.Load, []ir.Type{c.pointer}, []*ir.Value{descriptor}).Result(0)
	}
	return c.cast(c.pointer, v)
}

func (c *converter) extract(v *ir.Value, i int64) *ir.Value {
	return c.b.CreateOp(llvm.ExtractValue, []ir.Type{c.pointer}, []*ir.Value{v},
		ir.NamedAttr{Name: "position", Value: c.b.Context().DenseI64Array(i)}).Result(0)
}

func (c *converter) convert(op *ir.Op) {
	c.b.SetBefore(op)
	c.b.Loc = op.Loc()
	owner := func(v *ir.Value) *ir.Value { return c.cast(deallocation.Ownership(c.b.Context()), v) }
	var results []*ir.Value
	switch {
	case op.Is(deallocation.Null):
		results = []*ir.Value{owner(c.null())}
	case op.Is(deallocation.Own):
		results = []*ir.Value{owner(c.base(deallocation.OwnOp{Op: op}.MemRef()))}
	case op.Is(deallocation.GetBuffer):
		address := c.b.CreateOp(llvm.PtrToInt, []ir.Type{ir.I64}, []*ir.Value{c.base(deallocation.GetBufferOp{Op: op}.Alloc())}).Result(0)
		results = []*ir.Value{c.cast(ir.Index, address)}
	case op.Is(deallocation.Free):
		c.call(freeFunction, c.base(deallocation.FreeOp{Op: op}.Alloc()))
	case op.Is(deallocation.Retain):
		results = c.retain(deallocation.RetainOp{Op: op})
	}
	op.ReplaceAllUsesWith(results)
	op.Erase()
}

func (c *converter) null() *ir.Value {
	return c.b.CreateOp(llvm.Zero, []ir.Type{c.pointer}, nil).Result(0)
}

func (c *converter) call(name string, args ...*ir.Value) {
	c.b.CreateOp(llvm.Call, nil, args, ir.NamedAttr{Name: "callee", Value: c.b.Context().SymbolRef(name)})
}

// retain creates the call of the library for a deallocation.retain, with arrays of
// pointers on the stack.
func (c *converter) retain(op deallocation.RetainOp) []*ir.Value {
	var types []ir.Type
	types = append(types, op.Results().Types()...)
	s := c.b.State(memref.AllocaScope)
	s.Types = types
	body := s.AddRegion().AddBlock()
	scope := c.b.Create(s)
	c.b.SetEnd(body)
	retained, owners := op.Retained(), op.Owners()
	count := func(n int) *ir.Value {
		return c.b.CreateOp(llvm.Constant, []ir.Type{ir.I64}, nil, ir.NamedAttr{Name: "value", Value: c.b.Context().I64Attr(int64(n))}).Result(0)
	}
	buffers, owned := count(len(retained)), count(len(owners))
	from := c.array(buffers)
	for i := range retained {
		v := c.null // a buffer that is listed again counts there
		if op.Counts(i) {
			v = func() *ir.Value { return c.base(retained.At(i)) }
		}
		c.store(v(), from, i)
	}
	held := c.array(owned)
	for i := range owners {
		c.store(c.base(owners.At(i)), held, i)
	}
	out := c.array(buffers)
	c.call(retainFunction, buffers, from, owned, held, out)
	var results []*ir.Value
	for i := range retained {
		v := c.b.CreateOp(llvm.Load, []ir.Type{c.pointer}, []*ir.Value{c.element(out, i)}).Result(0)
		results = append(results, c.cast(deallocation.Ownership(c.b.Context()), v))
	}
	c.b.CreateOp(memref.AllocaScopeReturn, nil, results)
	c.b.SetAfter(scope)
	return scope.Results().Values()
}

// array makes an array of pointers on the stack.
func (c *converter) array(n *ir.Value) *ir.Value {
	return c.b.CreateOp(llvm.Alloca, []ir.Type{c.pointer}, []*ir.Value{n}, c.elements()).Result(0)
}

func (c *converter) elements() ir.NamedAttr {
	return ir.NamedAttr{Name: "elem_type", Value: c.b.Context().TypeAttr(c.pointer)}
}

// element returns the address of an element of an array of pointers.
func (c *converter) element(array *ir.Value, i int) *ir.Value {
	return c.b.CreateOp(llvm.GetElementPtr, []ir.Type{c.pointer}, []*ir.Value{array}, c.elements(),
		ir.NamedAttr{Name: "rawConstantIndices", Value: c.b.Context().DenseI32Array(int32(i))}).Result(0)
}

func (c *converter) store(v, array *ir.Value, i int) {
	c.b.CreateOp(llvm.Store, nil, []*ir.Value{v, c.element(array, i)})
}
