package gpu

import (
	"freehold/dialect/memref"
	"freehold/exec"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/constraint"
	"freehold/ir/interfaces"
	"freehold/ir/rewrite"
)

// Operations on the memory of a device.
var (
	// Alloc is gpu.alloc, which allocates a buffer.
	Alloc = ir.NewOpID("gpu.alloc")
	// Dealloc is gpu.dealloc, which frees one.
	Dealloc = ir.NewOpID("gpu.dealloc")
	// Memcpy is gpu.memcpy, which copies one into another.
	Memcpy = ir.NewOpID("gpu.memcpy")
	// Memset is gpu.memset, which writes a value into all elements.
	Memset = ir.NewOpID("gpu.memset")
)

func allocDef() *ir.OpDef {
	return &ir.OpDef{
		ID: Alloc,
		Operands: []ir.OperandDef{dependencies, {Name: "dynamicSizes", Type: constraint.Index, Arity: ir.Variadic},
			{Name: "symbolOperands", Type: constraint.Index, Arity: ir.Variadic}},
		Results: []ir.ResultDef{{Name: "memref", Type: constraint.AnyMemRef}, token},
		Attrs: []ir.AttrDef{{Name: "hostShared", Type: constraint.UnitAttr, Optional: true},
			{Name: ir.OperandSegmentsAttr, Type: constraint.Segments, Derived: true}},
		Traits: ir.TraitAttrSizedOperandSegments,
		Format: asyncFormat + " (` ` `host_shared` $hostShared^)? ` ` `(` $dynamicSizes `)` (`` `[` $symbolOperands^ `]`)? attr-dict `:` type($memref)",
		Verify: verifyAlloc,
		Models: []ir.Model{
			asm.ResultNames.Model(func(op *ir.Op, name func(*ir.Value, string)) {
				name(op.Result(0), "memref")
				if t := (AsyncOp{op}).Token(); t != nil {
					name(t, "asyncToken")
				}
			}),
			interfaces.FixedEffects(interfaces.OnResult(interfaces.Allocate, 0)),
			interfaces.FreedBy.Model(func(b *ir.Builder, v *ir.Value) *ir.Op { return b.CreateOp(Dealloc, nil, []*ir.Value{v}) }),
			asyncModel, exec.Executable.Model(executeAlloc),
			rewrite.Patterns(rewrite.Pattern{Name: "SimplifyDimOfAllocOp", Root: memref.Dim, Rewrite: dimOfAlloc}),
		},
	}
}

func verifyAlloc(op *ir.Op) error {
	t := op.Result(0).Type().(*ir.MemRefType)
	if len(op.OperandGroup(1)) != ir.NumDynamic(t.Shape) {
		return op.Errorf("dimension operand count does not equal memref dynamic dimension count")
	}
	if len(op.OperandGroup(2)) != memref.LayoutSymbols(t) {
		return op.Errorf("symbol operand count does not equal memref symbol count")
	}
	return nil
}

// dimOfAlloc replaces the size of a dimension that is an operand of the allocation.
func dimOfAlloc(r *rewrite.Rewriter, op *ir.Op) bool {
	o := memref.DimOp{Op: op}
	i, ok := o.ConstantIndex()
	alloc := o.Source().DefiningOp()
	if !ok || alloc == nil || !alloc.Is(Alloc) {
		return false
	}
	shape := o.Source().Type().(*ir.MemRefType).Shape
	if i < 0 || i >= int64(len(shape)) || shape[i] != ir.Dynamic {
		return false
	}
	r.Replace(op, alloc.OperandGroup(1)[ir.NumDynamic(shape[:i])].Value())
	return true
}

func deallocDef() *ir.OpDef {
	return &ir.OpDef{
		ID:       Dealloc,
		Operands: []ir.OperandDef{dependencies, ir.Operand("memref", constraint.AnyMemRef)},
		Results:  []ir.ResultDef{token},
		Format:   asyncFormat + " $memref attr-dict `:` type($memref)",
		Models: []ir.Model{asyncModel, exec.Executable.Model(executeDealloc), interfaces.Addresses(interfaces.ByPosition), interfaces.MemoryEffects.Model(func(op *ir.Op) []interfaces.Effect {
			return []interfaces.Effect{interfaces.OnOperand(interfaces.Free, op.NumOperands()-1)}
		}), interfaces.OtherFree.Model(waitInstead)},
	}
}

// waitInstead makes a wait for what an asynchronous free depends on, which has its token.
func waitInstead(b *ir.Builder, op *ir.Op) []*ir.Value {
	if op.NumResults() == 0 && op.NumOperands() == 1 {
		return nil
	}
	return b.CreateOp(Wait, op.Results().Types(), op.Operands()[:op.NumOperands()-1].Values()).Results().Values()
}

func memcpyDef() *ir.OpDef {
	return &ir.OpDef{
		ID:       Memcpy,
		Operands: []ir.OperandDef{dependencies, ir.Operand("dst", constraint.AnyMemRef), ir.Operand("src", constraint.AnyMemRef)},
		Results:  []ir.ResultDef{token},
		Format:   asyncFormat + " $dst `,` $src `:` type($dst) `,` type($src) attr-dict",
		Verify: func(op *ir.Op) error {
			n := op.NumOperands()
			dst, src := op.Operand(n-2).Type(), op.Operand(n-1).Type()
			if ir.ElementType(dst) != ir.ElementType(src) {
				return op.Errorf("arguments have incompatible element type")
			}
			if !ir.CompatibleShapes(dst, src) {
				return op.Errorf("arguments have incompatible shape")
			}
			return nil
		},
		Fold: foldCasts,
		Models: []ir.Model{
			interfaces.Addresses(interfaces.Linearly),
			interfaces.MemoryEffects.Model(func(op *ir.Op) []interfaces.Effect {
				n := op.NumOperands()
				return []interfaces.Effect{interfaces.OnOperand(interfaces.Read, n-1), interfaces.OnOperand(interfaces.Write, n-2)}
			}),
			rewrite.Patterns(rewrite.Pattern{Name: "EraseTrivialCopyOp", Rewrite: eraseTrivialCopy}),
			asyncModel, exec.Executable.Model(executeMemcpy),
		},
	}
}

func foldCasts(op *ir.Op, _ []ir.Attribute) []ir.FoldResult {
	if memref.FoldCasts(op, nil) {
		return ir.FoldedInPlace()
	}
	return nil
}

// eraseTrivialCopy erases a copy into a buffer that nothing else uses until it is freed.
func eraseTrivialCopy(r *rewrite.Rewriter, op *ir.Op) bool {
	dst := op.Operand(op.NumOperands() - 2)
	if alloc := dst.DefiningOp(); alloc == nil || !hasOnly(alloc, interfaces.Allocate, dst) {
		return false
	}
	for _, u := range dst.Uses() {
		if u.Owner() != op && !hasOnly(u.Owner(), interfaces.Free, dst) {
			return false
		}
	}
	o := AsyncOp{op}
	before := o.Dependencies().Values()
	if len(before) > 1 || (len(before) == 1) != (o.Token() != nil) {
		return false
	}
	r.Replace(op, before...)
	return true
}

// hasOnly tells whether an operation has exactly one effect on a value, which is of the kind.
func hasOnly(op *ir.Op, kind interfaces.EffectKind, v *ir.Value) bool {
	effects, known := interfaces.EffectsOf(op)
	n := 0
	for _, e := range effects {
		if e.Value(op) == v {
			n++
		}
	}
	return known && n == 1 && interfaces.HasEffect(op, kind, v)
}

func memsetDef() *ir.OpDef {
	return &ir.OpDef{
		ID:       Memset,
		Operands: []ir.OperandDef{dependencies, ir.Operand("dst", constraint.AnyMemRef), ir.Operand("value", constraint.AnyType)},
		Results:  []ir.ResultDef{token},
		TypeRules: []ir.TypeRule{{Summary: "all of {dst, value} have same element type", Check: func(op *ir.Op) bool {
			n := op.NumOperands()
			return ir.ElementType(op.Operand(n-2).Type()) == ir.ElementType(op.Operand(n-1).Type())
		}}},
		Format: asyncFormat + " $dst `,` $value `:` type($dst) `,` type($value) attr-dict",
		Fold:   foldCasts,
		Models: []ir.Model{asyncModel, exec.Executable.Model(executeMemset), interfaces.Addresses(interfaces.Linearly), interfaces.MemoryEffects.Model(func(op *ir.Op) []interfaces.Effect {
			return []interfaces.Effect{interfaces.OnOperand(interfaces.Write, op.NumOperands()-2)}
		})},
	}
}
