package bufferization

import (
	"freehold/dialect/arith"
	"freehold/dialect/memref"
	"freehold/dialect/tensor"
	"freehold/iface"
	"freehold/ir"
	"freehold/ir/rewrite"
)

// foldToTensor folds to_tensor(to_memref(x)) to x if nothing comes between, which
// might write the buffer.
func foldToTensor(op *ir.Op, _ []ir.Attribute) []ir.FoldResult {
	def := op.Operand(0).DefiningOp()
	if def != nil && def.OpName() == op.Context().OpName("bufferization.to_memref") && def.Next() == op &&
		def.Operand(0).Type() == op.Result(0).Type() {
		return ir.FoldValue(def.Operand(0))
	}
	return nil
}

// foldToMemref folds to_memref(to_tensor(m)) to m.
func foldToMemref(op *ir.Op, _ []ir.Attribute) []ir.FoldResult {
	def := op.Operand(0).DefiningOp()
	if def != nil && def.OpName() == op.Context().OpName("bufferization.to_tensor") && def.Operand(0).Type() == op.Result(0).Type() {
		return ir.FoldValue(def.Operand(0))
	}
	return nil
}

// foldClone lets a clone read through a memref.cast that only forgets sizes.
func foldClone(op *ir.Op, _ []ir.Attribute) []ir.FoldResult {
	def := op.Operand(0).DefiningOp()
	if def == nil || !def.Is(memref.Cast) {
		return nil
	}
	if _, ranked := def.Operand(0).Type().(*ir.MemRefType); !ranked {
		return nil
	}
	op.SetOperand(0, def.Operand(0))
	return ir.FoldedInPlace()
}

// dimOf rewrites tensor.dim of an operation's result by means of fn.
func dimOf(def *ir.OpDef, fn func(r *rewrite.Rewriter, dim, of *ir.Op) *ir.Value) rewrite.Pattern {
	return rewrite.Pattern{Name: "DimOf" + def.Name, Root: tensor.Dim, Rewrite: func(r *rewrite.Rewriter, op *ir.Op) bool {
		of := op.Operand(0).DefiningOp()
		if of == nil || !of.Is(def) {
			return false
		}
		r.SetBefore(op)
		r.Loc = op.Loc()
		v := fn(r, op, of)
		if v == nil {
			return false
		}
		r.Replace(op, v)
		return true
	}}
}

func dimOfToTensor(r *rewrite.Rewriter, dim, of *ir.Op) *ir.Value {
	return r.CreateOp(memref.Dim, []ir.Type{ir.Index}, []*ir.Value{of.Operand(0), dim.Operand(1)}).Result(0)
}

func dimOfAllocTensor(_ *rewrite.Rewriter, dim, of *ir.Op) *ir.Value {
	o := AllocTensorOp{of}
	i, ok := iface.ConstantInt(dim.Operand(1))
	if !ok || o.CopyOf() != nil || i < 0 || i >= int64(len(o.Type().Shape)) || o.Type().Shape[i] != ir.Dynamic {
		return nil
	}
	return o.DynamicSizes().At(ir.NumDynamic(o.Type().Shape[:i]))
}

// constantSizes makes constant dynamic sizes of an alloc_tensor static.
func constantSizes(r *rewrite.Rewriter, op *ir.Op) bool {
	o := AllocTensorOp{op}
	if o.CopyOf() != nil {
		return false
	}
	t := o.Type()
	shape := append([]int64(nil), t.Shape...)
	var sizes []*ir.Value
	for i := range shape {
		if shape[i] != ir.Dynamic {
			continue
		}
		v := o.DynamicSizes().At(ir.NumDynamic(t.Shape[:i]))
		if c, ok := iface.ConstantInt(v); ok && c >= 0 {
			shape[i] = c
		} else {
			sizes = append(sizes, v)
		}
	}
	if len(sizes) == len(o.DynamicSizes()) {
		return false
	}
	r.SetBefore(op)
	r.Loc = op.Loc()
	n := NewAllocTensor(r.Builder, r.Context().RankedTensorOf(shape, t.Elem, t.Encoding), sizes, nil, o.MemorySpace())
	r.Replace(op, tensor.NewCast(r.Builder, t, n))
	return true
}

// toMemrefOfCast moves a tensor.cast behind the conversion to a buffer.
func toMemrefOfCast(r *rewrite.Rewriter, op *ir.Op) bool {
	def := op.Operand(0).DefiningOp()
	if def == nil || !def.Is(tensor.Cast) {
		return false
	}
	src, ok := def.Operand(0).Type().(*ir.RankedTensorType)
	if !ok {
		return false
	}
	r.SetBefore(op)
	r.Loc = op.Loc()
	c := r.Context()
	m := NewToMemref(r.Builder, c.MemRefOf(src.Shape, src.Elem, nil, ir.MemorySpaceOf(op.Result(0).Type())), def.Operand(0))
	r.Replace(op, memref.NewCast(r.Builder, op.Result(0).Type(), m))
	return true
}

// loadOfToMemref reads an element from the tensor instead of its buffer.
func loadOfToMemref(r *rewrite.Rewriter, op *ir.Op) bool {
	o := memref.LoadOp{Op: op}
	def := o.MemRef().DefiningOp()
	if def == nil || !def.Is(ToMemref) {
		return false
	}
	r.SetBefore(op)
	r.Loc = op.Loc()
	r.Replace(op, tensor.NewExtract(r.Builder, def.Operand(0), o.Indices().Values()...))
	return true
}

// castOfRoundTrip replaces to_memref(to_tensor(m)) by a cast of m to the other type,
// where that can't fail.
func castOfRoundTrip(r *rewrite.Rewriter, op *ir.Op) bool {
	def := op.Operand(0).DefiningOp()
	if def == nil || !def.Is(ToTensor) {
		return false
	}
	m, dst := def.Operand(0), op.Result(0).Type()
	if m.Type() == dst {
		r.Replace(op, m)
		return true
	}
	_, srcRanked := m.Type().(*ir.MemRefType)
	_, dstRanked := dst.(*ir.MemRefType)
	if !srcRanked && dstRanked || !memref.CastCompatible(m.Type(), dst) || srcRanked && dstRanked && !memref.CastNeverFails(m.Type(), dst) {
		return false
	}
	r.SetBefore(op)
	r.Loc = op.Loc()
	r.Replace(op, memref.NewCast(r.Builder, dst, m))
	return true
}

// freeOf returns the operation that frees v, and false if there are several.
func freeOf(v *ir.Value) (op *ir.Op, ok bool) {
	for u := v.FirstUse(); u != nil; u = u.Next() {
		if iface.HasEffect(u.Owner(), iface.Free, v) {
			if op != nil {
				return nil, false
			}
			op = u.Owner()
		}
	}
	return op, true
}

// simplifyClone drops a clone without uses, and one whose source or copy is freed
// later in the same block, so that the other can serve for both.
func simplifyClone(r *rewrite.Rewriter, op *ir.Op) bool {
	if !op.HasUses() {
		r.Erase(op)
		return true
	}
	source, result := op.Operand(0), op.Result(0)
	if source.Type() != result.Type() && !memref.CastCompatible(source.Type(), result.Type()) {
		return false
	}
	canonical := source
	for canonical.DefiningOp() != nil {
		m, ok := iface.ViewLike.Of(canonical.DefiningOp())
		if !ok {
			break
		}
		canonical = m(canonical.DefiningOp())
	}
	cloneFree, ok := freeOf(result)
	if !ok {
		return false
	}
	sourceFree, ok := freeOf(canonical)
	if !ok || cloneFree != nil && sourceFree != nil && cloneFree.Block() == sourceFree.Block() {
		return false
	}
	var redundant *ir.Op
	switch block := op.Block(); {
	case cloneFree != nil && cloneFree.Block() == block:
		redundant = cloneFree
	case sourceFree != nil && sourceFree.Block() == block:
		redundant = sourceFree
	default:
		return false
	}
	// Something else freed in between might be an alias of the source.
	for o := op.Next(); o != redundant; o = o.Next() {
		if o == nil {
			return false
		}
		effects, _ := iface.EffectsOf(o)
		for _, e := range effects {
			if e.Kind == iface.Free {
				return false
			}
		}
	}
	r.SetBefore(op)
	r.Loc = op.Loc()
	if source.Type() != result.Type() {
		source = memref.NewCast(r.Builder, result.Type(), source)
	}
	r.Replace(op, source)
	r.Erase(redundant)
	return true
}

// setDealloc replaces what a dealloc may free and tells whether that is a change.
func setDealloc(r *rewrite.Rewriter, op *ir.Op, memrefs, conditions []*ir.Value) bool {
	o := DeallocOp{op}
	if same(o.MemRefs(), memrefs) && same(o.Conditions(), conditions) {
		return false
	}
	r.Modify(op, func() { o.Set(memrefs, conditions) })
	return true
}

func same(a ir.Operands, b []*ir.Value) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range b {
		if a.At(i) != b[i] {
			return false
		}
	}
	return true
}

// uniqueMemRefs frees a buffer that is listed repeatedly once, under any of its
// conditions.
func uniqueMemRefs(r *rewrite.Rewriter, op *ir.Op) bool {
	o := DeallocOp{op}
	at := make(map[*ir.Value]int, len(o.MemRefs()))
	var memrefs, conditions []*ir.Value
	r.SetBefore(op)
	r.Loc = op.Loc()
	for i := range o.MemRefs() {
		m, c := o.MemRefs().At(i), o.Conditions().At(i)
		j, seen := at[m]
		if !seen {
			at[m] = len(memrefs)
			memrefs, conditions = append(memrefs, m), append(conditions, c)
		} else if conditions[j] != c {
			conditions[j] = arith.New(r.Builder, arith.OrI, conditions[j], c)
		}
	}
	return setDealloc(r, op, memrefs, conditions)
}

// uniqueRetained lists each retained buffer once.
func uniqueRetained(r *rewrite.Rewriter, op *ir.Op) bool {
	o := DeallocOp{op}
	at := make(map[*ir.Value]int, len(o.Retained()))
	var retained []*ir.Value
	index := make([]int, len(o.Retained()))
	for i, v := range o.Retained().Values() {
		j, seen := at[v]
		if !seen {
			j = len(retained)
			at[v] = j
			retained = append(retained, v)
		}
		index[i] = j
	}
	if len(retained) == len(index) {
		return false
	}
	r.SetBefore(op)
	r.Loc = op.Loc()
	n := NewDealloc(r.Builder, o.MemRefs().Values(), o.Conditions().Values(), retained)
	values := make([]*ir.Value, len(index))
	for i, j := range index {
		values[i] = n.Result(j)
	}
	r.Replace(op, values...)
	return true
}

// eraseEmpty drops a dealloc that frees nothing; what it retains is not owned.
func eraseEmpty(r *rewrite.Rewriter, op *ir.Op) bool {
	if len(DeallocOp{op}.MemRefs()) > 0 {
		return false
	}
	r.SetBefore(op)
	r.Loc = op.Loc()
	no := arith.ConstantBool(r.Builder, false)
	values := make([]*ir.Value, op.NumResults())
	for i := range values {
		values[i] = no
	}
	r.Replace(op, values...)
	return true
}

// eraseNeverFreed drops buffers whose condition is the constant false.
func eraseNeverFreed(r *rewrite.Rewriter, op *ir.Op) bool {
	o := DeallocOp{op}
	var memrefs, conditions []*ir.Value
	for i := range o.MemRefs() {
		c := o.Conditions().At(i)
		if v, ok := iface.ConstantInt(c); ok && v == 0 {
			continue
		}
		memrefs, conditions = append(memrefs, o.MemRefs().At(i)), append(conditions, c)
	}
	return setDealloc(r, op, memrefs, conditions)
}

func allocates(v *ir.Value) bool {
	op := v.DefiningOp()
	return op != nil && iface.HasEffect(op, iface.Allocate, v)
}

// skipMetadata frees an allocation itself instead of the base that was extracted
// from it.
func skipMetadata(r *rewrite.Rewriter, op *ir.Op) bool {
	o := DeallocOp{op}
	memrefs := o.MemRefs().Values()
	for i, m := range memrefs {
		if def := m.DefiningOp(); def != nil && def.Is(memref.ExtractStridedMetadata) && allocates(def.Operand(0)) {
			memrefs[i] = def.Operand(0)
		}
	}
	return setDealloc(r, op, memrefs, o.Conditions().Values())
}

// eraseUnusedAllocs drops allocations that are only freed.
func eraseUnusedAllocs(r *rewrite.Rewriter, op *ir.Op) bool {
	o := DeallocOp{op}
	var memrefs, conditions []*ir.Value
	var dead []*ir.Op
	for i, m := range o.MemRefs().Values() {
		if allocates(m) && m.HasOneUse() {
			if effects, _ := iface.EffectsOf(m.DefiningOp()); len(effects) == 1 {
				dead = append(dead, m.DefiningOp())
				continue
			}
		}
		memrefs, conditions = append(memrefs, m), append(conditions, o.Conditions().At(i))
	}
	if !setDealloc(r, op, memrefs, conditions) {
		return false
	}
	for _, d := range dead {
		r.Erase(d)
	}
	return true
}

// The canonicalization patterns of each operation.
var (
	deallocPatterns = []rewrite.Pattern{
		{Name: "DeallocRemoveDuplicateDeallocMemrefs", Rewrite: uniqueMemRefs},
		{Name: "DeallocRemoveDuplicateRetainedMemrefs", Rewrite: uniqueRetained},
		{Name: "EraseEmptyDealloc", Rewrite: eraseEmpty},
		{Name: "EraseAlwaysFalseDealloc", Rewrite: eraseNeverFreed},
		{Name: "SkipExtractMetadataOfAlloc", Rewrite: skipMetadata},
		{Name: "RemoveAllocDeallocPairWhenNoOtherUsers", Rewrite: eraseUnusedAllocs},
	}
	clonePatterns       = []rewrite.Pattern{{Name: "SimplifyClones", Rewrite: simplifyClone}}
	toTensorPatterns    = []rewrite.Pattern{dimOf(ToTensor, dimOfToTensor)}
	allocTensorPatterns = []rewrite.Pattern{dimOf(AllocTensor, dimOfAllocTensor), {Name: "ReplaceStaticShapeDims", Rewrite: constantSizes}}
	toMemrefPatterns    = []rewrite.Pattern{
		{Name: "LoadOfToMemref", Root: memref.Load, Rewrite: loadOfToMemref},
		{Name: "ToMemrefOfCast", Rewrite: toMemrefOfCast},
		{Name: "ToMemrefToTensorFolding", Rewrite: castOfRoundTrip},
	}
)

func init() {
	for def, patterns := range map[*ir.OpDef][]rewrite.Pattern{
		Dealloc: deallocPatterns, Clone: clonePatterns, ToTensor: toTensorPatterns,
		AllocTensor: allocTensorPatterns, ToMemref: toMemrefPatterns,
	} {
		def.Models = append(def.Models, rewrite.Canonicalization.Model(patterns))
	}
	ToTensor.Fold, ToMemref.Fold, Clone.Fold = foldToTensor, foldToMemref, foldClone
}
