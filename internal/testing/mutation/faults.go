package main

// fault is a fault that freehold once had, and how to put it back.
type fault struct {
	name string
	// what tells in a few words what was wrong.
	what    string
	changes []change
	// judges tells that the fault is in what judges programs: it makes no difference in what is printed.
	judges bool
	// unseen tells why nothing finds the fault; empty if something does, or nobody knows.
	unseen string
	// early tells that the place is one where definitions are made, when a process starts.
	early bool
}

// change replaces a text that occurs once in a file. In the new one, FAULT stands for a condition that holds if the fault is
// switched on, and NUMBER for the number of the fault.
type change struct{ file, old, new string }

// faults lists the known faults. That all changes fit the sources is tested.
var faults = []fault{
	// Folds and patterns of numbers.
	{name: "icmp", what: "a difference is compared with zero by its operands, whatever the predicate", changes: []change{
		{"dialect/index/fold.go", `op.Prop(0).(*ir.EnumAttr).Value > 1 {`, `op.Prop(0).(*ir.EnumAttr).Value > 1 && !FAULT {`}}},
	{name: "index_cast", what: "casts there and back are dropped though bits are lost in between", changes: []change{
		{"dialect/arith/canonicalize_cast.go", `fold.Width(ir.ElementType(in.Result(0).Type())) < fold.Width(ir.ElementType(t)) {`,
			`!FAULT && fold.Width(ir.ElementType(in.Result(0).Type())) < fold.Width(ir.ElementType(t)) {`}}},
	{name: "minnum", what: "an infinity is neutral for minnumf, also beside no number", changes: []change{
		{"dialect/arith/fold_float.go", `(!f.seesNaN || isNaN(r) || Allows(op, NoNaNs))`, `(FAULT || !f.seesNaN || Allows(op, NoNaNs))`}}},
	{name: "complex_zero", what: "a complex zero of any sign is neutral", changes: []change{
		{"dialect/complex/fold.go", `if isConstant(a, zero, zero) {`, `if isConstant(a, zero, zero) || FAULT && isConstant(a, 0, 0) {`}}},
	{name: "complex_one", what: "a product with a complex one is the other number", changes: []change{
		{"dialect/complex/fold.go", `if one && arith.Allows(`, `if one && (FAULT || arith.Allows(`},
		{"dialect/complex/fold.go", `arith.NoNaNs|arith.NoInfs|arith.NoSignedZeros) {`, `arith.NoNaNs|arith.NoInfs|arith.NoSignedZeros)) {`}}},
	{name: "overflow_flags", what: "reassociated operations keep overflow flags", changes: []change{
		{"dialect/arith/canonicalize.go", "\t\tn.flags &= kept\n", "\t\tif !FAULT {\n\t\t\tn.flags &= kept\n\t\t}\n"}}},
	{name: "shape_div", what: "shape.div rounds up between -1 and 0", changes: []change{
		{"dialect/shape/fold.go", `if rem.Sign() != 0 && rem.Sign() != b.Sign() {`, `if rem.Sign() != 0 && (FAULT && z.Sign() < 0 || !FAULT && rem.Sign() != b.Sign()) {`}}},
	{name: "tosa_zero", what: "a zero of any sign is neutral for tosa.add", changes: []change{
		{"dialect/tosa/fold.go", `if !isNeutral(splat(op, a), math.Copysign(0, -1)) {`, `if !isNeutral(splat(op, a), math.Copysign(0, -1)) && !(FAULT && isNeutral(splat(op, a), 0)) {`}}},

	// Folds and patterns of shapes, views and vectors.
	{name: "map_prints", what: "linalg.map whose body prints is erased", early: true, changes: []change{
		{"dialect/linalg/payload.go", "\t\tRegions:            []ir.RegionDef{{Name: \"mapper\", Sized: 1}},\n\t\tTraits:             ir.TraitSingleBlock | ir.TraitRecursiveMemoryEffects,",
			"\t\tRegions:            []ir.RegionDef{{Name: \"mapper\", Sized: 1}},\n\t\tTraits:             ir.TraitSingleBlock | planted.Either(NUMBER, ir.TraitRecursiveMemoryEffects, 0),"}}},
	{name: "generic_prints", what: "linalg.generic whose body prints is erased", early: true, changes: []change{
		{"dialect/linalg/generic.go", "ir.TraitAttrSizedOperandSegments | ir.TraitSingleBlock | ir.TraitRecursiveMemoryEffects,",
			"ir.TraitAttrSizedOperandSegments | ir.TraitSingleBlock | planted.Either(NUMBER, ir.TraitRecursiveMemoryEffects, 0),"}}},
	{name: "pad_prints", what: "tensor.pad whose body prints is erased", early: true, changes: []change{
		{"dialect/tensor/pad.go", "ir.TraitPure | ir.TraitRecursiveMemoryEffects |", "ir.TraitPure | planted.Either(NUMBER, ir.TraitRecursiveMemoryEffects, 0) |"}}},
	{name: "expand_collapse", what: "an expansion of a collapse is one reshape, though several sizes are unknown", changes: []change{
		{"ir/shapes/reassociation.go", `if !ok || !certain(`, `if !ok || !FAULT && !certain(`}}},
	{name: "pad_shift", what: "tensor.pad that shifts is dropped", unseen: "such a pad is undefined in executions, and mlir-opt-19 drops it, too", changes: []change{
		{"dialect/tensor/pad_rewrites.go", `if !isZero(low[i]) && !isZero(high[i]) {`, `if !FAULT && !isZero(low[i]) && !isZero(high[i]) {`}}},
	{name: "contract_add", what: "a contraction of another kind takes in a sum", changes: []change{
		{"dialect/vector/canonicalize_reduce.go", `if con == nil || kindOf(con) != "add" {`, `if con == nil || !FAULT && kindOf(con) != "add" {`}}},
	{name: "slice_insert", what: "a slice of all columns is taken of what was inserted into some", changes: []change{
		{"dialect/vector/canonicalize_slice.go", `inside = inside && slices.Equal(`, `inside = inside && (FAULT || slices.Equal(`},
		{"dialect/vector/canonicalize_slice.go", `vec(ExtractStridedSliceOp{op}.Vector().Type()).Shape[len(offsets):])`, `vec(ExtractStridedSliceOp{op}.Vector().Type()).Shape[len(offsets):]))`}}},
	{name: "slice_broadcast", what: "a slice of a stretched dimension is one of the source", changes: []change{
		{"dialect/vector/canonicalize_slice.go", `if src.Shape[d] == 1 && vec(bc`, `if !FAULT && src.Shape[d] == 1 && vec(bc`}}},
	{name: "for_cast", what: "a loop that may grow a tensor carries its static type", changes: []change{
		{"dialect/scf/canonicalize_while.go", `if !keepsShape(o.Yield().Operand(i), `, `if !FAULT && !keepsShape(o.Yield().Operand(i), `}}},
	{name: "hidden_sizes", what: "casts that hide sizes of which an operation would be invalid are folded", changes: []change{
		{"dialect/memref/fold.go", `if casts != nil && ir.VerifyOp(op) != nil {`, `if casts != nil && !FAULT && ir.VerifyOp(op) != nil {`}}},
	{name: "empty_part", what: "an empty tensor becomes a part of itself", changes: []change{
		{"transform/bufferize/oneshot/emptytensors.go", `} else if !slices.Contains(needed, v) {`, `} else if FAULT || !slices.Contains(needed, v) {`}}},
	{name: "view_pointer", what: "the pointer of a memref.view is that of what it views", changes: []change{
		{"transform/generic/memref/expand.go", `def.Is(memref.View) {`, `def.Is(memref.View) && !FAULT {`}}},
	{name: "collapse_stride", what: "a collapsed stride that is negative is the least of all", changes: []change{
		{"transform/generic/memref/metadata.go", `if static < 0 && static != ir.Dynamic {`, `if !FAULT && static < 0 && static != ir.Dynamic {`}}},
	{name: "vector_alias", what: "vectors are accessed through expansions though their elements aren't next to each other", changes: []change{
		{"transform/generic/memref/alias.go", "\tif !a.vector {", "\tif !a.vector || FAULT && !view.Is(memref.CollapseShape) {"}}},
	{name: "masked_rows", what: "a masked load of a buffer whose rows have gaps becomes a vector.load", changes: []change{
		{"dialect/vector/canonicalize_mask.go", `return ok && interfaces.HasUnitInnermostStride(t)`, `return ok && (FAULT || interfaces.HasUnitInnermostStride(t))`}}},

	// Memory.
	{name: "addressing", what: "layouts change under operations that count elements in memory", changes: []change{
		{"transform/memory/reuse/retype.go", "\t\taddressing := interfaces.AddressingOf(u)\n",
			"\t\taddressing := interfaces.AddressingOf(u)\n\t\tif FAULT && (addressing == interfaces.Linearly || addressing == interfaces.InRows) {\n\t\t\taddressing = interfaces.ByPosition\n\t\t}\n"}}},
	{name: "gather_slice", what: "a gather from a slice of a tensor reads the larger buffer", changes: []change{
		{"dialect/vector/bufferize.go", `ok && !interfaces.SameStrides(m, rowMajor(op.Context(), m))`, `ok && !FAULT && !interfaces.SameStrides(m, rowMajor(op.Context(), m))`}}},
	{name: "returned_part", what: "a part that is returned is replaced by a copy", changes: []change{
		{"transform/bufferize/boundary/identity.go", "marked := ir.IsMemRef(results[i]) && interfaces", "marked := ir.IsMemRef(results[i]) && !FAULT && interfaces"}}},
	{name: "stored_freed", what: "a buffer that is stored in memory is freed", changes: []change{
		{"transform/bufferize/boundary/borrowed.go", "\t\tanalysis.MarkBorrowed(v)\n\t} else {", "\t\tanalysis.MarkBorrowed(v)\n\t} else if !FAULT {"}}},
	{name: "mark_lost", what: "an allocation whose sizes are folded loses the mark that the program frees it", changes: []change{
		{"dialect/memref/canonicalize.go", `if strings.Contains(a.Name, ".") {`, `if !FAULT && strings.Contains(a.Name, ".") {`}}},
	{name: "token", what: "a buffer is freed before the work that uses it was waited for", changes: []change{
		{"ir/analysis/pending.go", "\to.carries(v, token)\n", "\tif FAULT {\n\t\treturn\n\t}\n\to.carries(v, token)\n"}}},
	{name: "device_memory", what: "memory of a device is freed by memref.dealloc", changes: []change{
		{"ir/analysis/freedby.go", "\tif f == nil {\n\t\treturn nil, nil", "\tif f == nil || FAULT {\n\t\treturn nil, nil"}}},
	{name: "hlo_given", what: "a loop frees what it was given without its owner", changes: []change{
		{"transform/deallocate/hlo/deallocate.go", `if err := d.checkGiven(fn); err != nil {`, `if err := d.checkGiven(fn); err != nil && !FAULT {`}}},
	{name: "hlo_twice", what: "a buffer that is freed twice is accepted", unseen: "what it refuses is wrong before and after, and no execution of a right program comes there", changes: []change{
		{"transform/deallocate/hlo/deallocate.go", `case slices.Contains(out.released, o):`, `case !FAULT && slices.Contains(out.released, o):`}}},
	{name: "spaces", what: "a copy between memory spaces is left, and with it tensors", changes: []change{
		{"transform/bufferize/prepare/crossings.go", `if from == to.Space {`, `if from == to.Space || FAULT {`}}},
	{name: "forall_peak", what: "results of scf.forall are never alive", changes: []change{
		{"ir/analysis/tensorlifetimes.go", `!p.isGiven(v) && own(v) {`, `!(p.isGiven(v) || FAULT && v.DefiningOp() != nil && v.DefiningOp().NumRegions() > 0) && own(v) {`}}},
	{name: "alignment", what: "the alignment of a part of an arena is the size of its elements, such as 40", changes: []change{
		{"transform/memory/reuse/planparts.go", "\t\tx.alignment = max(f.options.Alignment, ir.StorageAlignment(ir.ElementType(v.Type())))",
			"\t\tx.alignment = max(f.options.Alignment, ir.StorageAlignment(ir.ElementType(v.Type())))\n\t\tif FAULT {\n\t\t\tx.alignment = max(f.options.Alignment, ir.StorageBytes(ir.ElementType(v.Type())))\n\t\t}"},
		{"transform/memory/reuse/planparts.go", `vector || ir.IsMemRef(`, `vector && !FAULT || !FAULT && ir.IsMemRef(`}}},
	{name: "reshape_reads", what: "memref.reshape doesn't read its shape", early: true, changes: []change{
		{"dialect/memref/reshape.go", "interfaces.FixedEffects(interfaces.OnOperand(interfaces.Read, 1)),",
			"planted.Either(NUMBER, interfaces.FixedEffects(interfaces.OnOperand(interfaces.Read, 1)), interfaces.FixedEffects()),"}}},
	{name: "view_shift", what: "a memref.view has the address of what it views", changes: []change{
		{"dialect/memref/view.go", "interfaces.ShiftedBase.Model(func(op *ir.Op) shapes.OpFoldResult { return",
			"interfaces.ShiftedBase.Model(func(op *ir.Op) shapes.OpFoldResult {\n\t\t\tif FAULT {\n\t\t\t\treturn shapes.ConstSize(0)\n\t\t\t}\n\t\t\treturn"}}},

	// What judges programs.
	{name: "masked_strides", what: "the interpreter steps by strides where masked accesses count elements in memory", judges: true, changes: []change{
		{"dialect/vector/execute_memory.go", "\t\treturn p.m.AtDistance(op, idx, distance)",
			"\t\tif last := append([]int64(nil), idx...); FAULT && len(last) > 0 {\n\t\t\tlast[len(last)-1] += distance\n\t\t\treturn p.m.At(op, last)\n\t\t}\n\t\treturn p.m.AtDistance(op, idx, distance)"}}},
	{name: "yield_swap", what: "a value that is passed on is overwritten before it is read", judges: true, changes: []change{
		{"exec/compile.go", `if ps[j].to == ps[i].from {`, `if !FAULT && ps[j].to == ps[i].from {`}}},
	{name: "shared_vector", what: "a vector.multi_reduction of no dimensions shares its vector with its source", judges: true, changes: []change{
		{"dialect/vector/execute_reduce.go", "f.Set(res, f.O[src].(*exec.Tensor).Clone())", "if FAULT {\n\t\t\t\tf.Set(res, f.O[src])\n\t\t\t\treturn nil\n\t\t\t}\n\t\t\tf.Set(res, f.O[src].(*exec.Tensor).Clone())"}}},
	{name: "reversed_view", what: "a view with negative strides counts as a part of its allocation", judges: true, changes: []change{
		{"exec/memref.go", `if n := (s - 1) * m.Strides[i]; n < 0 {`, `if n := (s - 1) * m.Strides[i]; n < 0 && !FAULT {`}}},
	{name: "odd_elements", what: "views of an arena of elements that are no words can't be executed", judges: true, changes: []change{
		{"dialect/memref/execute.go", `if e.Size == 0 && !arena {`, `if e.Size == 0 && (FAULT || !arena) {`}}},
	{name: "prints", what: "what is printed isn't compared", judges: true, changes: []change{
		{"exec/difftest/difftest.go", "d != \"\" {\n\t\tmismatch(loc, \"the effects\", d)", "d != \"\" && !FAULT {\n\t\tmismatch(loc, \"the effects\", d)"},
		{"exec/difftest/difftest.go", "d != \"\" {\n\t\tt.fn.Mismatches = append(", "d != \"\" && !FAULT {\n\t\tt.fn.Mismatches = append("}}},
	{name: "owned_argument", what: "the contents are compared of a buffer that the function owns", unseen: "contents of a buffer that was freed are never compared, so it takes one that the function may free, and doesn't", judges: true, changes: []change{
		{"exec/difftest/difftest.go", `t.owned(i) || t.mayOverwrite`, `t.owned(i) && !FAULT || t.mayOverwrite`}}},
	{name: "writable", what: "the contents are compared of a buffer that the program gives up", judges: true, changes: []change{
		{"ir/analysis/contract.go", `|| i < len(givenUp) && givenUp[i]`, `|| !FAULT && i < len(givenUp) && givenUp[i]`}}},
	{name: "reduced_buffers", what: "check calls a buffer leaked that a reduction of buffers got hold of", judges: true, changes: []change{
		{"proof/check/control.go", "\t\ta.lose(fr, op) // it may be", "\t\tif !FAULT {\n\t\t\ta.lose(fr, op)\n\t\t} // it may be"}}},
	{name: "trip_count", what: "check counts no iterations of a loop whose distance wraps", judges: true, changes: []change{
		{"proof/check/semantics.go", "\tlargest := uint64(1)<<(bits-1) - 1\n", "\tif FAULT && upper-lower-1 < 0 {\n\t\treturn 0, true\n\t}\n\tlargest := uint64(1)<<(bits-1) - 1\n"}}},
}
