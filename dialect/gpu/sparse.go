package gpu

import (
	"slices"

	"freehold/ir"
	"freehold/ir/constraint"
	"freehold/ir/interfaces"
)

// Operations of a library for sparse matrices on the device. They are read, verified and printed, and nothing executes them.
var (
	CreateDnTensor   = ir.NewOpID("gpu.create_dn_tensor")
	DestroyDnTensor  = ir.NewOpID("gpu.destroy_dn_tensor")
	CreateCoo        = ir.NewOpID("gpu.create_coo")
	CreateCooAos     = ir.NewOpID("gpu.create_coo_aos")
	CreateCsr        = ir.NewOpID("gpu.create_csr")
	CreateCsc        = ir.NewOpID("gpu.create_csc")
	CreateBsr        = ir.NewOpID("gpu.create_bsr")
	Create2To4SpMat  = ir.NewOpID("gpu.create_2to4_spmat")
	DestroySpMat     = ir.NewOpID("gpu.destroy_sp_mat")
	SpMatGetSize     = ir.NewOpID("gpu.spmat_get_size")
	SetCsrPointers   = ir.NewOpID("gpu.set_csr_pointers")
	SpMVBufferSize   = ir.NewOpID("gpu.spmv_buffer_size")
	SpMV             = ir.NewOpID("gpu.spmv")
	SpMMBufferSize   = ir.NewOpID("gpu.spmm_buffer_size")
	SpMM             = ir.NewOpID("gpu.spmm")
	SDDMMBufferSize  = ir.NewOpID("gpu.sddmm_buffer_size")
	SDDMM            = ir.NewOpID("gpu.sddmm")
	SpGEMMCreate     = ir.NewOpID("gpu.spgemm_create_descr")
	SpGEMMDestroy    = ir.NewOpID("gpu.spgemm_destroy_descr")
	SpGEMMWorkOrDone = ir.NewOpID("gpu.spgemm_work_estimation_or_compute")
	SpGEMMCopy       = ir.NewOpID("gpu.spgemm_copy")
)

const (
	pruneAttr   = "pruneFlag"
	modeA       = "modeA"
	modeB       = "modeB"
	computeAttr = "computeType"
	kindAttr    = "kind"
)

// Handles of what the library holds.
var (
	dnTensor = constraint.DialectType("dense tensor handle type", dialectName, "sparse.dntensor_handle")
	spMat    = constraint.DialectType("sparse matrix handle type", dialectName, "sparse.spmat_handle")
	spGEMM   = constraint.DialectType("SpGEMM operation handle type", dialectName, "sparse.spgemmop_handle")
)

// sparse is an operation of the library, with operands and results beside the tokens.
func sparse(id *ir.OpID, format string, operands []ir.OperandDef, results []ir.ResultDef, attrs ...ir.AttrDef) *ir.OpDef {
	d := &ir.OpDef{
		ID:       id,
		Operands: append([]ir.OperandDef{dependencies}, operands...),
		Results:  append(results[:len(results):len(results)], token),
		Attrs:    attrs,
		Format:   asyncFormat + " " + format,
		Models:   []ir.Model{asyncModel, interfaces.Addresses(interfaces.AsLaidOut)},
	}
	variadic := func(a ir.Arity) bool { return a == ir.Variadic }
	for _, o := range operands {
		if variadic(o.Arity) {
			d.Traits |= ir.TraitAttrSizedOperandSegments
			d.Attrs = append(d.Attrs, ir.AttrDef{Name: ir.OperandSegmentsAttr, Type: constraint.Segments, Derived: true})
		}
	}
	for _, r := range results {
		if variadic(r.Arity) {
			d.Traits |= ir.TraitAttrSizedResultSegments
			d.Attrs = append(d.Attrs, ir.AttrDef{Name: ir.ResultSegmentsAttr, Type: constraint.Segments, Derived: true})
		}
	}
	return d
}

// operandsOf are operands of one type each.
func operandsOf(t ir.TypeConstraint, names ...string) []ir.OperandDef {
	out := make([]ir.OperandDef, len(names))
	for i, name := range names {
		out[i] = ir.Operand(name, t)
	}
	return out
}

func sparseDefs() []*ir.OpDef {
	mode := func(name string) ir.AttrDef {
		return ir.AttrDef{Name: name, Type: constraint.Enum("transpose mode of sparse matrix supported by sparse tensor ops", transposeModes),
			Default: func(c *ir.Context) ir.Attribute { return c.EnumAttr(transposeModes, 0) }}
	}
	compute := ir.AttrDef{Name: computeAttr, Type: constraint.TypeAttrOf("any type attribute", func(ir.Type) bool { return true })}
	prune := ir.AttrDef{Name: pruneAttr, Type: constraint.Enum("pruning strategy for 2:4 sparse matrix", pruneFlags),
		Default: func(c *ir.Context) ir.Attribute { return c.EnumAttr(pruneFlags, 2) }}
	kind := ir.AttrDef{Name: kindAttr, Type: constraint.Enum("choose whether spgemm_work_estimation_or_compute does work estimation or compute", estimations)}
	matrixOf := func(id *ir.OpID, sizes []string, buffers ...string) *ir.OpDef {
		format, types := "", ""
		for _, s := range append(sizes[:len(sizes):len(sizes)], buffers...) {
			format += " `,` $" + s
		}
		for _, b := range buffers {
			types += " `,` type($" + b + ")"
		}
		return sparse(id, format[len(" `,` "):]+" attr-dict `:` "+types[len(" `,` "):],
			append(operandsOf(constraint.Index, sizes...), operandsOf(constraint.AnyMemRef, buffers...)...), ir.SingleResult("spmat", spMat))
	}
	lines := []string{"rows", "cols", "nnz"}
	buffer := operandsOf(constraint.AnyMemRef, "buffer")
	size := ir.SingleResult("bufferSz", constraint.Index)
	vectors := slices.Concat(operandsOf(spMat, "spmatA"), operandsOf(dnTensor, "dnX", "dnY"))
	matrices := slices.Concat(operandsOf(spMat, "spmatA"), operandsOf(dnTensor, "dnmatB", "dnmatC"))
	sampled := slices.Concat(operandsOf(dnTensor, "dnmatA", "dnmatB"), operandsOf(spMat, "spmatC"))
	product := slices.Concat(operandsOf(spGEMM, "desc"), operandsOf(spMat, "spmatA", "spmatB", "spmatC"))
	const (
		mv    = "$spmatA (`{` $modeA^ `}`)? `,` $dnX `,` $dnY"
		mm    = "$spmatA (`{` $modeA^ `}`)? `,` $dnmatB (`{` $modeB^ `}`)? `,` $dnmatC"
		sddmm = "$dnmatA (`{` $modeA^ `}`)? `,` $dnmatB (`{` $modeB^ `}`)? `,` $spmatC"
		gemm  = "$spmatA (`{` $modeA^ `}`)? `,` $spmatB (`{` $modeB^ `}`)? `,` $spmatC `,` $desc"
	)
	return []*ir.OpDef{
		sparse(CreateDnTensor, "$memref `,` $dims attr-dict `:` type($dims) `into` type($memref)",
			[]ir.OperandDef{ir.Operand("memref", constraint.AnyMemRef), ir.VariadicOperand("dims", constraint.Index)}, ir.SingleResult("dnTensor", dnTensor)),
		sparse(DestroyDnTensor, "$dnTensor attr-dict", operandsOf(dnTensor, "dnTensor"), nil),
		matrixOf(CreateCoo, lines, "rowIdxs", "colIdxs", "values"),
		matrixOf(CreateCooAos, lines, "idxs", "values"),
		matrixOf(CreateCsr, lines, "rowPos", "colIdxs", "values"),
		matrixOf(CreateCsc, lines, "colPos", "rowIdxs", "values"),
		matrixOf(CreateBsr, []string{"brows", "bcols", "bnnz", "rBlockSize", "cBlockSize"}, "bRowPos", "bColIdxs", "values"),
		sparse(Create2To4SpMat, "`{` $pruneFlag `}` $rows `,` $cols `,` $memref attr-dict `:` type($memref)",
			slices.Concat(operandsOf(constraint.Index, "rows", "cols"), operandsOf(constraint.AnyMemRef, "memref")), ir.SingleResult("spMat", spMat), prune),
		sparse(DestroySpMat, "$spmat attr-dict", operandsOf(spMat, "spmat"), nil),
		sparse(SpMatGetSize, "$spmat attr-dict", operandsOf(spMat, "spmat"),
			[]ir.ResultDef{{Name: "rows", Type: constraint.Index}, {Name: "cols", Type: constraint.Index}, {Name: "nnz", Type: constraint.Index}}),
		sparse(SetCsrPointers, "$spmat `,` $positions `,` $coordinates `,` $values attr-dict `:` type($positions) `,` type($coordinates) `,` type($values)",
			slices.Concat(operandsOf(spMat, "spmat"), operandsOf(constraint.AnyMemRef, "positions", "coordinates", "values")), nil),
		sparse(SpMVBufferSize, mv+" attr-dict `into` $computeType", vectors, size, mode(modeA), compute),
		sparse(SpMV, mv+" `,` $buffer attr-dict `:` type($buffer) `into` $computeType", slices.Concat(vectors, buffer), nil, mode(modeA), compute),
		sparse(SpMMBufferSize, mm+" attr-dict `:` type($bufferSzs) `into` $computeType", matrices,
			[]ir.ResultDef{{Name: "bufferSzs", Type: constraint.Index, Arity: ir.Variadic}}, mode(modeA), mode(modeB), compute),
		sparse(SpMM, mm+" `,` $buffers attr-dict `:` type($buffers) `into` $computeType",
			slices.Concat(matrices, []ir.OperandDef{ir.VariadicOperand("buffers", constraint.AnyMemRef)}), nil, mode(modeA), mode(modeB), compute),
		sparse(SDDMMBufferSize, sddmm+" attr-dict `into` $computeType", sampled, size, mode(modeA), mode(modeB), compute),
		sparse(SDDMM, sddmm+" `,` $buffer attr-dict `:` type($buffer) `into` $computeType", slices.Concat(sampled, buffer), nil, mode(modeA), mode(modeB), compute),
		sparse(SpGEMMCreate, "attr-dict", nil, ir.SingleResult("desc", spGEMM)),
		sparse(SpGEMMDestroy, "$desc attr-dict", operandsOf(spGEMM, "desc"), nil),
		sparse(SpGEMMWorkOrDone, "`{` $kind `}` "+gemm+" `,` $bufferSz `,` $buffer attr-dict `:` $computeType `into` type($buffer)",
			slices.Concat(product, operandsOf(constraint.Index, "bufferSz"), buffer), ir.SingleResult("bufferSzNew", constraint.Index), mode(modeA), mode(modeB), compute, kind),
		sparse(SpGEMMCopy, gemm+" attr-dict `:` $computeType", product, nil, mode(modeA), mode(modeB), compute),
	}
}
