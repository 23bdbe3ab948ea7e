package check

import (
	"strings"
	"sync"

	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/proof/models"
	"freehold/proof/semantics"
)

// does says what kind of thing an operation does with buffers and addresses.
type does uint8

const (
	// computes: its results are numbers, which it computes from numbers. What it computes
	// from an address carries the address, but for booleans.
	computes does = iota
	// asks: it asks a buffer for what its memref says about it, and doesn't touch the memory.
	asks
	// views: its first result sees the memory of its first operand.
	views
	// accesses: it reads and writes buffers as the rule says, and what it does with their
	// contents it does with numbers.
	accesses
	// structured: the same, with regions that are executed any number of times, in any
	// order, on numbers.
	structured
	// allocates: its result is a new buffer, on the heap.
	allocates
	// reserves: its result is a buffer on the stack.
	reserves
	// frees: its first operand is freed, or a buffer that is to be freed under conditions.
	frees
	// passes: it passes control and values on, as its interfaces say.
	passes
	// calls: it calls a function.
	calls
	// declares: it stands for a function, a global buffer or a module.
	declares
)

// opRule is what the check knows about an operation. An operation without a rule isn't
// judged, unless neither a buffer nor an address gets anywhere near it.
type opRule struct {
	does does
	// reads and writes are the operands whose memory it accesses; those that are no buffers
	// don't count.
	reads, writes []int
	// destination tells that it reads all its buffers, and writes its destinations.
	destination bool
	// stated tells that the operation says so itself.
	stated bool
}

// accessed returns the operands whose memory the operation reads and writes.
func (r *opRule) accessed(op *ir.Op) (reads, writes []int) {
	return semantics.Rule{Reads: r.reads, Writes: r.writes, Destination: r.destination}.Accessed(op)
}

// ruleOf returns the rule of an operation: that of the table, or else the one that the operation states,
// if that can be right; nil if there is none.
func ruleOf(op *ir.Op) *opRule {
	if r := opRules()[op.Name()]; r != nil {
		if r.does == asks && interfaces.ViewLike.Has(op) {
			return &opRule{does: views} // a later version returns the buffer that it asks
		}
		if r.does == asks && interfaces.BufferViewFlow.Has(op) {
			return &opRule{does: passes} // or all of them
		}
		return r
	}
	if s, ok := semantics.Stated.Of(op); ok && s.Contradiction(op) == "" && !models.HasOwners(op.Operands().Types()) && !models.HasOwners(op.Results().Types()) {
		return statedRule(s)
	}
	return nil
}

// statedRule returns the rule that an operation states, which must be of a kind that there is.
func statedRule(s semantics.Rule) *opRule {
	return &opRule{does: statedKinds[s.Does], reads: s.Reads, writes: s.Writes, destination: s.Destination, stated: true}
}

// statedKinds are the meanings of the rules that operations may state.
var statedKinds = [...]does{
	semantics.Computes: computes, semantics.Asks: asks, semantics.Views: views, semantics.Accesses: accesses,
	semantics.Allocates: allocates, semantics.Reserves: reserves, semantics.Frees: frees,
}

// opRules are the rules by the names of operations: this table, the rules that other operations state, and
// the interfaces that say where control and values go, are what a proof rests on.
var opRules = sync.OnceValue(func() map[string]*opRule {
	out := map[string]*opRule{}
	add := func(names string, r opRule) {
		for _, name := range strings.Fields(names) {
			if out[name] != nil {
				panic("check: two rules for " + name)
			}
			out[name] = &r
		}
	}

	add(`arith.andi arith.ori arith.xori arith.cmpi arith.select arith.index_cast arith.index_castui
		arith.addf arith.addi arith.addui_extended arith.bitcast arith.ceildivsi arith.ceildivui arith.cmpf
		arith.constant arith.divf arith.divsi arith.divui arith.extf arith.extsi arith.extui arith.floordivsi
		arith.fptosi arith.fptoui arith.maximumf arith.maxnumf arith.maxsi arith.maxui arith.minimumf
		arith.minnumf arith.minsi arith.minui arith.scaling_extf arith.scaling_truncf arith.mulf arith.muli arith.mulsi_extended arith.mului_extended
		arith.negf arith.remf arith.remsi arith.remui arith.shli arith.shrsi arith.shrui arith.sitofp
		arith.subf arith.subi arith.truncf arith.trunci arith.uitofp

		math.isfinite math.isinf math.isnan math.isnormal math.absf math.absi math.acos math.acosh math.asin math.asinh math.atan math.atan2 math.atanh
		math.cbrt math.ceil math.clampf math.copysign math.cos math.cosh math.ctlz math.ctpop math.cttz math.erf math.erfc math.exp
		math.exp2 math.expm1 math.floor math.fma math.fpowi math.ipowi math.log math.log10 math.log1p
		math.log2 math.powf math.round math.roundeven math.rsqrt math.sin math.sincos math.sinh math.sqrt math.tan
		math.tanh math.trunc

		complex.abs complex.add complex.angle complex.atan2 complex.bitcast complex.conj complex.constant
		complex.cos complex.create complex.div complex.eq complex.exp complex.expm1 complex.im complex.log
		complex.log1p complex.mul complex.neg complex.neq complex.pow complex.powi complex.re complex.rsqrt complex.sign
		complex.sin complex.sqrt complex.sub complex.tan complex.tanh

		index.add index.and index.bool.constant index.casts index.castu index.ceildivs index.ceildivu index.cmp
		index.constant index.divs index.divu index.floordivs index.maxs index.maxu index.mins index.minu
		index.mul index.or index.rems index.remu index.shl index.shrs index.shru index.sizeof index.sub
		index.xor

		affine.apply affine.delinearize_index affine.linearize_index affine.max affine.min

		vector.bitcast vector.broadcast vector.constant_mask vector.contract vector.create_mask
		vector.deinterleave vector.extract vector.extract_strided_slice vector.extractelement
		vector.flat_transpose vector.fma vector.from_elements vector.insert vector.insert_strided_slice
		vector.insertelement vector.interleave vector.matrix_multiply vector.multi_reduction
		vector.outerproduct vector.print vector.reduction vector.reshape vector.scalable.extract
		vector.scalable.insert vector.scan vector.shape_cast vector.shuffle vector.splat vector.step
		vector.to_elements vector.transpose vector.vscale

		shape.add shape.any shape.assuming_all shape.broadcast shape.concat shape.const_shape shape.const_size
		shape.const_witness shape.cstr_broadcastable shape.cstr_eq shape.cstr_require shape.debug_print shape.div
		shape.from_extents shape.get_extent shape.index_to_size shape.is_broadcastable shape.max shape.meet shape.min
		shape.mul shape.num_elements shape.rank shape.shape_eq shape.size_to_index shape.split_at

		linalg.index func.constant ub.poison
		builtin.unrealized_conversion_cast cf.assert deallocation.null`, opRule{does: computes})

	add(`memref.dim memref.rank memref.assume_alignment memref.distinct_objects memref.extract_aligned_pointer_as_index memref.get_global
		deallocation.own deallocation.get_buffer shape.dim shape.shape_of`, opRule{does: asks})

	add(`memref.cast memref.collapse_shape memref.expand_shape memref.memory_space_cast memref.reinterpret_cast
		memref.extract_strided_metadata memref.subview memref.transpose memref.view vector.type_cast`, opRule{does: views})
	add(`memref.reshape`, opRule{does: views, reads: []int{1}})

	add(`memref.load affine.load affine.vector_load vector.load vector.maskedload vector.expandload vector.gather
		vector.transfer_read`, opRule{does: accesses, reads: []int{0}})
	add(`check.expect_almost_eq check.expect_close check.expect_eq`, opRule{does: accesses, reads: []int{0, 1}})
	add(`affine.prefetch memref.prefetch`, opRule{does: asks})
	add(`memref.store affine.store affine.vector_store`, opRule{does: accesses, writes: []int{1}})
	add(`memref.copy test.buffer_based test.copy`, opRule{does: accesses, reads: []int{0}, writes: []int{1}})
	add(`test.region_buffer_based`, opRule{does: structured, reads: []int{0}, writes: []int{1}})
	add(`memref.atomic_rmw`, opRule{does: accesses, reads: []int{1}, writes: []int{1}})
	add(`memref.generic_atomic_rmw`, opRule{does: structured, reads: []int{0}, writes: []int{0}})
	add(`vector.compressstore vector.maskedstore vector.scatter`, opRule{does: accesses, writes: []int{0}})
	add(`vector.store vector.transfer_write`, opRule{does: accesses, writes: []int{1}})

	add(`linalg.abs linalg.add linalg.batch_matmul linalg.batch_matmul_transpose_a linalg.batch_matmul_transpose_b
		linalg.batch_matvec linalg.batch_mmt4d linalg.batch_reduce_matmul linalg.batch_vecmat linalg.broadcast
		linalg.ceil linalg.conv_1d linalg.conv_1d_ncw_fcw linalg.conv_1d_nwc_wcf linalg.conv_2d
		linalg.conv_2d_nchw_fchw linalg.conv_2d_nchw_fchw_q linalg.conv_2d_nhwgc_gfhwc linalg.conv_2d_nhwgc_gfhwc_q linalg.conv_2d_ngchw_fgchw linalg.conv_2d_ngchw_gfchw
		linalg.conv_2d_ngchw_gfchw_q linalg.conv_2d_nhwc_fhwc linalg.conv_2d_nhwc_fhwc_q
		linalg.conv_2d_nhwc_hwcf linalg.conv_2d_nhwc_hwcf_q linalg.conv_3d linalg.conv_3d_ncdhw_fcdhw
		linalg.conv_3d_ndhwc_dhwcf linalg.conv_3d_ndhwc_dhwcf_q linalg.copy linalg.depthwise_conv_1d_ncw_cw
		linalg.depthwise_conv_1d_nwc_wc linalg.depthwise_conv_1d_nwc_wcm linalg.depthwise_conv_2d_nchw_chw
		linalg.depthwise_conv_2d_nhwc_hwc linalg.depthwise_conv_2d_nhwc_hwc_q
		linalg.depthwise_conv_2d_nhwc_hwcm linalg.depthwise_conv_2d_nhwc_hwcm_q
		linalg.depthwise_conv_3d_ncdhw_cdhw linalg.depthwise_conv_3d_ndhwc_dhwc
		linalg.depthwise_conv_3d_ndhwc_dhwcm linalg.div linalg.div_unsigned linalg.dot linalg.elemwise_binary
		linalg.elemwise_unary linalg.erf linalg.exp linalg.fill linalg.fill_rng_2d linalg.floor linalg.generic
		linalg.log linalg.map linalg.matmul linalg.matmul_transpose_a linalg.matmul_transpose_b linalg.matvec
		linalg.max linalg.min linalg.mmt4d linalg.mul linalg.negf linalg.pooling_nchw_max
		linalg.pooling_nchw_sum linalg.pooling_ncw_max linalg.pooling_ncw_sum linalg.pooling_ndhwc_max
		linalg.pooling_ndhwc_min linalg.pooling_ndhwc_sum linalg.pooling_nhwc_max
		linalg.pooling_nhwc_max_unsigned linalg.pooling_nhwc_min linalg.pooling_nhwc_min_unsigned
		linalg.pooling_nhwc_sum linalg.pooling_nwc_max linalg.pooling_nwc_max_unsigned linalg.pooling_nwc_min
		linalg.pooling_nwc_min_unsigned linalg.pooling_nwc_sum linalg.powf linalg.quantized_batch_matmul
		linalg.quantized_matmul linalg.reciprocal linalg.reduce linalg.round linalg.rsqrt linalg.select
		linalg.softmax linalg.sqrt linalg.square linalg.sub linalg.tanh linalg.transpose linalg.vecmat`,
		opRule{does: structured, destination: true})

	add(`memref.alloc`, opRule{does: allocates})
	add(`bufferization.clone`, opRule{does: allocates, reads: []int{0}})
	add(`memref.alloca`, opRule{does: reserves})
	add(`memref.dealloc memref.realloc bufferization.dealloc deallocation.free deallocation.retain`, opRule{does: frees})

	add(`affine.for affine.if memref.alloca_scope scf.execute_region scf.for scf.forall scf.if
		scf.index_switch scf.parallel scf.while
		affine.yield cf.br cf.cond_br cf.switch func.return linalg.yield memref.alloca_scope.return
		memref.atomic_yield shape.assuming shape.assuming_yield shape.yield scf.condition scf.forall.in_parallel scf.reduce scf.reduce.return scf.yield
		test.region_if test.region_if_yield test.region_yield vector.yield`, opRule{does: passes})
	add(`affine.parallel shape.reduce vector.mask`, opRule{does: structured})
	add(`func.call func.call_indirect`, opRule{does: calls})
	add(`builtin.module func.func memref.global`, opRule{does: declares})
	return out
})
