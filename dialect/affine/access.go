package affine

import (
	"freehold/dialect/memref"
	"freehold/exec"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/constraint"
	"freehold/ir/interfaces"
	"freehold/ir/rewrite"
	"freehold/ir/shapes"
)

func onMemRef(i int, kind interfaces.EffectKind) ir.Model {
	return interfaces.FixedEffects(interfaces.OnOperand(kind, i))
}

func loadOp(id *ir.OpID, res ir.TypeConstraint) *ir.OpDef {
	return &ir.OpDef{
		ID:       id,
		Operands: []ir.OperandDef{{Name: "memref", Type: constraint.AnyMemRef}, indices("indices")},
		Results:  []ir.ResultDef{{Name: "result", Type: res}},
		Attrs:    []ir.AttrDef{mapAttr},
		Models:   []ir.Model{onMemRef(0, interfaces.Read), interfaces.Addresses(interfaces.ByPosition)},
	}
}

func storeOp(id *ir.OpID, value ir.TypeConstraint) *ir.OpDef {
	return &ir.OpDef{
		ID: id,
		Operands: []ir.OperandDef{{Name: "value", Type: value}, {Name: "memref", Type: constraint.AnyMemRef},
			indices("indices")},
		Attrs: []ir.AttrDef{mapAttr},
		Models: []ir.Model{
			onMemRef(1, interfaces.Write),
			memref.AddressesButFirst,
		},
	}
}

var (
	// Load reads an element of a buffer.
	Load = ir.NewOpID("affine.load")
	// VectorLoad reads neighbouring elements of a buffer.
	VectorLoad = ir.NewOpID("affine.vector_load")
	// Store writes an element of a buffer.
	Store = ir.NewOpID("affine.store")
	// VectorStore writes neighbouring elements of a buffer.
	VectorStore = ir.NewOpID("affine.vector_store")
	// Prefetch moves an element of a buffer towards the processor.
	Prefetch = ir.NewOpID("affine.prefetch")
)

func loadDef() *ir.OpDef {
	return loadOp(Load, constraint.AnyType).With(ir.OpDef{
		Fold: foldLoad,
		Models: []ir.Model{
			rewrite.Patterns(rewrite.Pattern{Name: "SimplifyAffineOp", Rewrite: simplifyAccess}),
			exec.Executable.Model(executeLoad),
			syntax(false, false),
		},
		Verify: verifyScalarAccess,
	})
}

func vectorLoadDef() *ir.OpDef {
	return loadOp(VectorLoad, constraint.AnyVector).With(ir.OpDef{
		Models: []ir.Model{
			rewrite.Patterns(rewrite.Pattern{Name: "SimplifyAffineOp", Rewrite: simplifyAccess}),
			exec.Executable.Model(executeVector),
			interfaces.BufferAddressing.Model(vectorAddressing),
			syntax(false, true),
		},
		Verify: verifyVectorAccess,
	})
}

func storeDef() *ir.OpDef {
	return storeOp(Store, constraint.AnyType).With(ir.OpDef{
		Fold: foldAccess,
		Models: []ir.Model{
			rewrite.Patterns(rewrite.Pattern{Name: "SimplifyAffineOp", Rewrite: simplifyAccess}),
			exec.Executable.Model(executeStore),
			exec.StoredOperands.Model(exec.FirstOperand),
			syntax(true, false),
		},
		Verify: verifyScalarAccess,
	})
}

func vectorStoreDef() *ir.OpDef {
	return storeOp(VectorStore, constraint.AnyVector).With(ir.OpDef{
		Models: []ir.Model{
			rewrite.Patterns(rewrite.Pattern{Name: "SimplifyAffineOp", Rewrite: simplifyAccess}),
			exec.Executable.Model(executeVector),
			interfaces.BufferAddressing.Model(vectorAddressing),
			syntax(true, true),
		},
		Verify: verifyVectorAccess,
	})
}

func prefetchDef() *ir.OpDef {
	return &ir.OpDef{
		ID:       Prefetch,
		Operands: []ir.OperandDef{{Name: "memref", Type: constraint.AnyMemRef}, indices("indices")},
		Attrs:    append(memref.PrefetchAttrs(), mapAttr),
		Models: []ir.Model{
			asm.Assembly.Model(asm.OpAssembly{Parse: parsePrefetch, Print: printPrefetch}),
			interfaces.LocalMemory.Model(interfaces.WhileExecuted),
			rewrite.Patterns(rewrite.Pattern{Name: "SimplifyAffineOp", Rewrite: simplifyAccess}),
			exec.Executable.Model(exec.Nothing),
			interfaces.Addresses(interfaces.ByPosition),
		},
		Verify: verifyPrefetch,
		Fold:   foldAccess,
	}
}

// vectorAddressing is that of loads and stores of vectors, which become those of dialect vector.
func vectorAddressing(op *ir.Op, _ int) interfaces.Addressing {
	o := AccessOp{op}
	v := o.Value()
	if v == nil {
		v = op.Result(0)
	}
	m, operands := o.Map(), o.MapOperands()
	last := interfaces.LinearConst(0)
	if n := len(m.Results); n > 0 {
		var ok bool
		last, ok = linearExpr(m.Results[n-1], func(e *ir.AffineExpr) interfaces.Linear {
			i := int(e.Value)
			if e.Kind == ir.AffineSymbol {
				i += m.Dims
			}
			return interfaces.LinearOf(shapes.SizeOf(operands.At(i)))
		})
		if !ok {
			return interfaces.Linearly
		}
	}
	return interfaces.RowAddressing(o.MemRefType(), v.Type(), last)
}

// syntax is the model of how loads and stores, of vectors or not, are written.
func syntax(store, vector bool) ir.Model {
	return asm.Assembly.Model(asm.OpAssembly{
		Parse: func(p *asm.Parser, s *ir.OpState) error { return parseAccess(p, s, store, vector) },
		Print: func(p *asm.Printer, op *ir.Op) { printAccess(p, op, vector) },
	})
}

// AccessOp is a load, store or prefetch of the affine dialect.
type AccessOp struct{ *ir.Op }

func (o AccessOp) memrefIndex() int {
	if o.Is(Store) || o.Is(VectorStore) {
		return 1
	}
	return 0
}

// Value returns the value that is stored, or nil.
func (o AccessOp) Value() *ir.Value {
	if o.memrefIndex() == 0 {
		return nil
	}
	return StoreOp(o).Value()
}

// MemRef returns the buffer.
func (o AccessOp) MemRef() *ir.Value { return o.Operand(o.memrefIndex()) }

// SetMemRef replaces the buffer.
func (o AccessOp) SetMemRef(v *ir.Value) { o.SetOperand(o.memrefIndex(), v) }

// MemRefType returns the type of the buffer.
func (o AccessOp) MemRefType() *ir.MemRefType {
	m, _ := o.MemRef().Type().(*ir.MemRefType)
	return m
}

// Map returns the map from operands to indices.
func (o AccessOp) Map() *ir.AffineMap { return MapOf(o.Op) }

// MapOperands returns the operands of the map.
func (o AccessOp) MapOperands() ir.Operands { return o.Operands()[o.memrefIndex()+1:] }

// SetMap replaces the map and its operands.
func (o AccessOp) SetMap(m *ir.AffineMap, operands []*ir.Value) {
	first := o.memrefIndex() + 1
	o.SetAttr(MapAttr, o.Context().AffineMapAttr(m))
	o.SetOperands(append(o.Operands()[:first].Values(), operands...))
}

// NewLoad creates a read of the element that the map says.
func NewLoad(b *ir.Builder, v *ir.Value, m *ir.AffineMap, operands ...*ir.Value) *ir.Value {
	return b.CreateOp(Load, []ir.Type{ir.ElementType(v.Type())}, append([]*ir.Value{v}, operands...),
		ir.NamedAttr{Name: MapAttr, Value: b.Context().AffineMapAttr(m)}).Result(0)
}

// NewStore creates a write of the element that the map says.
func NewStore(b *ir.Builder, value, v *ir.Value, m *ir.AffineMap, operands ...*ir.Value) *ir.Op {
	return b.CreateOp(Store, nil, append([]*ir.Value{value, v}, operands...),
		ir.NamedAttr{Name: MapAttr, Value: b.Context().AffineMapAttr(m)})
}

func verifyScalarAccess(op *ir.Op) error { return verifyAccess(op, false) }
func verifyVectorAccess(op *ir.Op) error { return verifyAccess(op, true) }

func verifyAccess(op *ir.Op, vector bool) error {
	o := AccessOp{op}
	t, m := o.MemRefType(), o.Map()
	value, what := o.Value(), "value to store must have the same type as memref element type"
	if value == nil {
		value, what = op.Result(0), "result type must match element type of memref"
	}
	if !vector && value.Type() != t.Elem {
		return op.Errorf("%s", what)
	}
	if vector && ir.ElementType(value.Type()) != t.Elem {
		return op.Errorf("requires memref and vector types of the same elemental type")
	}
	return verifyIndexMap(op, m, o.MapOperands(), len(t.Shape))
}

func verifyIndexMap(op *ir.Op, m *ir.AffineMap, operands ir.Operands, rank int) error {
	if len(m.Results) != rank {
		return op.Errorf("affine map num results must equal memref rank")
	}
	if m.Dims+m.Syms != len(operands) {
		return op.Errorf("expects as many subscripts as affine map inputs")
	}
	scope := Scope(op)
	for i := range operands {
		if operands.At(i).Type() != ir.Type(ir.Index) {
			return op.Errorf("index to load must have 'index' type")
		}
	}
	if op.Context().LLVM() >= symbolsSince {
		return verifyDimsAndSymbols(op, operands, m.Dims)
	}
	for i := range operands {
		if !IsValidDim(operands.At(i), scope) && !IsValidSymbol(operands.At(i), scope) {
			return op.Errorf("index must be a valid dimension or symbol identifier")
		}
	}
	return nil
}

func verifyPrefetch(op *ir.Op) error {
	o := AccessOp{op}
	if m := o.Map(); len(m.Results) != len(o.MemRefType().Shape) {
		return op.Errorf("affine.prefetch affine map num results must equal memref rank")
	} else if m.Dims+m.Syms+1 != op.NumOperands() {
		return op.Errorf("too few operands")
	}
	scope := Scope(op)
	for i := range o.MapOperands() {
		if !IsValidDim(o.MapOperands().At(i), scope) && !IsValidSymbol(o.MapOperands().At(i), scope) {
			return op.Errorf("index must be a valid dimension or symbol identifier")
		}
	}
	return nil
}

func parseAccess(p *asm.Parser, s *ir.OpState, store, vector bool) error {
	var value asm.Unresolved
	var err error
	if store {
		if value, err = p.Operand(); err != nil {
			return err
		}
		if err := p.Expect(","); err != nil {
			return err
		}
	}
	m, err := p.Operand()
	if err != nil {
		return err
	}
	index, dims, syms, err := p.AffineMapOfSSAIds(asm.Square)
	if err != nil {
		return err
	}
	s.SetAttr(MapAttr, p.Context().AffineMapAttr(index))
	if err := p.OptionalAttrDict(s); err != nil {
		return err
	}
	t, err := p.ColonTypeOf(ir.MemRefClass)
	if err != nil {
		return err
	}
	elem := ir.ElementType(t)
	if vector {
		if err := p.Expect(","); err != nil {
			return err
		}
		if elem, err = p.TypeOf(ir.VectorClass); err != nil {
			return err
		}
	}
	if store {
		if err := p.ResolveInto(s, elem, value); err != nil {
			return err
		}
	} else {
		s.Types = []ir.Type{elem}
	}
	if err := p.ResolveInto(s, t, m); err != nil {
		return err
	}
	if err := p.ResolveInto(s, ir.Index, dims...); err != nil {
		return err
	}
	return p.ResolveInto(s, ir.Index, syms...)
}

func printIndexedMemRef(p *asm.Printer, o AccessOp) {
	p.Operand(o.MemRef())
	p.Text("[")
	p.AffineMapOfSSAIds(o.Map(), o.MapOperands().Values())
	p.Text("]")
}

func printAccess(p *asm.Printer, op *ir.Op, vector bool) {
	o := AccessOp{op}
	p.Text(" ")
	v := o.Value()
	if v != nil {
		p.Operand(v)
		p.Text(", ")
	} else {
		v = op.Result(0)
	}
	printIndexedMemRef(p, o)
	p.OptionalAttrDict(op.DiscardableAttrs())
	p.Text(" : ")
	p.Type(o.MemRef().Type())
	if vector {
		p.Text(", ")
		p.Type(v.Type())
	}
}

func parsePrefetch(p *asm.Parser, s *ir.OpState) error {
	m, err := p.Operand()
	if err != nil {
		return err
	}
	index, dims, syms, err := p.AffineMapOfSSAIds(asm.Square)
	if err != nil {
		return err
	}
	s.SetAttr(MapAttr, p.Context().AffineMapAttr(index))
	invalid, err := memref.ParsePrefetchKind(p, s)
	if err != nil {
		return err
	}
	if err := p.OptionalAttrDict(s); err != nil {
		return err
	}
	t, err := p.ColonTypeOf(ir.MemRefClass)
	if err != nil {
		return err
	}
	if err := p.ResolveInto(s, t, m); err != nil {
		return err
	}
	if err := p.ResolveInto(s, ir.Index, dims...); err != nil {
		return err
	}
	if err := p.ResolveInto(s, ir.Index, syms...); err != nil {
		return err
	}
	return invalid
}

func printPrefetch(p *asm.Printer, op *ir.Op) {
	p.Text(" ")
	printIndexedMemRef(p, AccessOp{op})
	memref.PrintPrefetchKind(p, op)
	p.OptionalAttrDict(op.DiscardableAttrs())
	p.Text(" : ")
	p.Type(PrefetchOp{op}.MemRef().Type())
}
