package cli

import (
	"strings"

	funcd "freehold/dialect/funcd"
	"freehold/ir"
)

// refusal is what compile says about an error of the recommended pipeline, besides the error.
type refusal struct {
	// message is a part of the error's message.
	message string
	// applies tells whether the advice is right for the operation, which may be nil. It may be
	// nil itself.
	applies func(op *ir.Op) bool
	advice  string
}

// refusals are tried from the first to the last.
var refusals = []refusal{
	{"op was not bufferized", func(op *ir.Op) bool { return op != nil && !op.Registered() },
		"what an operation of an unknown dialect does with tensors isn't known; lower it to operations of linalg, tensor or scf, or leave it between conversions: --pass-pipeline with one-shot-bufferize{allow-unknown-ops}"},
	{"op was not bufferized", usesUnranked,
		"this operation is bufferized for tensors of known rank only; cast its operands with tensor.cast"},
	{"op was not bufferized", usesShapes,
		"a !shape.shape may be invalid and has no buffer; use tensors of extents (tensor<?xindex>) only, or cast them to a known number of extents"},
	{"op was not bufferized", func(op *ir.Op) bool { return op != nil && op.Is(funcd.CallIndirect) },
		"which function is called, and so who owns the buffers of its results, isn't known; call functions by their names"},
	{"op was not bufferized", nil,
		"there is no rule that makes buffers of this operation's tensors; write it with operations of linalg, tensor or scf"},
	{"ops with unknown memory side effects", func(op *ir.Op) bool { return op != nil && !usesBuffers(op) },
		"it isn't known whether this operation frees memory, or executes what is in it, though it is given no buffer; lower it before, or leave it out"},
	{"ops with unknown memory side effects", nil,
		"it isn't known whether this operation keeps or frees a buffer that it is given; lower it before"},
	{"without a unique ReturnOp", nil,
		"the body of this function has no func.return, or several that can't be joined; end it with one"},
	{"without func.return", nil,
		"the body of this function has no func.return; end it with one"},
	{"could not resolve the called function", nil,
		"a call whose callee isn't known can't be bufferized; call functions by their names"},
	{"must be bufferized with the sparsifier", nil,
		"sparse tensors have no single buffer; run mlir-opt's --sparsifier before"},
	{"inconsistent memory space", nil,
		"one value would be in two memory spaces; copy one of them with bufferization.alloc_tensor() copy(...) and the memory_space of the other"},
	{"inconsistent memory spaces", nil,
		"one value would be in two memory spaces; copy one of them with bufferization.alloc_tensor() copy(...) and the memory_space of the other"},
	{"copying of unranked tensors", nil,
		"a tensor of unknown rank is overwritten while it is still needed; cast it to a known rank"},
	{"cannot avoid RaW conflict", nil,
		"what this writes to is read afterwards, and must not be copied; read it before"},
	{"would write to read-only buffer", nil,
		"what this writes to is constant or was declared read-only; write to a copy of it"},
	{"to_tensor ops without `restrict`", nil,
		"who else uses the buffer isn't known, and one of unknown rank can't be copied; cast it with memref.cast, or promise `restrict`"},
	{"does not support unstructured control flow", nil,
		"the regions of this operation may have one block only; use scf.if and scf.for, or scf.execute_region around the blocks"},
	{"memory space not implemented yet", nil,
		"this operation makes buffers in the default memory space only; copy the result with bufferization.alloc_tensor() copy(...)"},
	{"No deallocation operations must be present", nil,
		"frees that are in the program already can't be told from those that are inserted; run bufferization-lower-deallocations before"},
	{"memory free side-effect on MemRef value not supported", nil,
		"the owner of the freed buffer isn't known; leave the free out, or free what the function itself has allocated"},
}

// attachAdvice adds to an error the operation that it is about, and what would help, if that
// is known.
func (r *reporter) attachAdvice(d *ir.Diagnostic) {
	op := d.Op
	r.AttachOp(d)
	for _, f := range refusals {
		if strings.Contains(d.Message, f.message) && (f.applies == nil || f.applies(op)) {
			d.WithNote(d.Loc, "%s", f.advice)
			return
		}
	}
}

// usesBuffers tells whether an operation has buffers or tensors, or operations in it that may.
func usesBuffers(op *ir.Op) bool {
	return op.NumRegions() > 0 || usesType(op, ir.IsShaped)
}

func usesUnranked(op *ir.Op) bool {
	return usesType(op, func(t ir.Type) bool { _, ok := t.(*ir.UnrankedTensorType); return ok })
}

func usesShapes(op *ir.Op) bool {
	return usesType(op, func(t ir.Type) bool {
		d, ok := t.(*ir.DialectType)
		return ok && d.Dialect.Name == "shape"
	})
}

// usesType tells whether an operand or result has a type that accept says.
func usesType(op *ir.Op, accept func(ir.Type) bool) bool {
	if op == nil {
		return false
	}
	for _, t := range append(op.Operands().Types(), op.Results().Types()...) {
		if accept(t) {
			return true
		}
	}
	return false
}
