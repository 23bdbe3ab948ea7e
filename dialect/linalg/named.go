package linalg

import (
	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/ir/rewrite"
)

// opKind tells what a named operation computes, as far as its verifier cares.
type opKind uint8

const (
	otherKind opKind = iota
	contraction
	convolution
	fill
)

// spec defines a named operation: its operands, iteration space and body.
type spec struct {
	id *ir.OpID
	// since is the first version of LLVM with the operation, if it is later than 19.
	since int
	// iterators has a letter for each dimension of the iteration space: p for
	// parallel, r for reduction. It is empty for elementwise operations, whose
	// iteration space is that of the result.
	iterators string
	// maps lists the indexing map of each operand, inputs first, separated by commas.
	// The results of a map are dimensions, sums such as 0+2, or 1~4 for the position
	// in a sliding window: dimension 1 times the stride plus dimension 4 times the
	// dilation; the k-th of these has the k-th stride and dilation.
	maps string
	// inputs is the number of inputs of an elementwise operation.
	inputs int
	body   *scalar
	kind   opKind
	// windows is the number of strides and dilations, 0 if there are none.
	windows int
	// attrs declares the attributes that the body depends on.
	attrs []ir.AttrDef
	// spelled tells that LLVM 22 has attributes by which the maps can be chosen, and chosen that
	// the operation has them.
	spelled, chosen bool
	// models are those that not all named operations have.
	models []ir.Model
	// replace is what LLVM 22 needs that doesn't have the operation, or not all of it; nil if
	// it does.
	replace func(b *ir.Builder, op *ir.Op)
	// earlier are the spellings of other versions.
	earlier []ir.Spelling

	// compiled returns the maps once they were read, when they are asked for.
	compiled func() [][]mapResult
}

// matmulUnsigned is the spelling of a product of matrices of unsigned numbers up to LLVM 18.
var matmulUnsigned = []ir.Spelling{{Until: 18, Name: "linalg.matmul_unsigned", Implied: func(c *ir.Context) []ir.NamedAttr {
	return []ir.NamedAttr{{Name: castAttr.Name, Value: c.EnumAttr(TypeFn, 1)}}
}}}

// Bodies that several operations share. The last argument is the element of the
// init.
var (
	castMulAdd  = binary("add", arg(2), binary("mul", cast(2, arg(0)).orAttr("cast"), cast(2, arg(1)).orAttr("cast")))
	mulAdd      = binary("add", arg(2), binary("mul", cast(2, arg(0)), cast(2, arg(1))))
	quantMulAdd = binary("add", arg(4), binary("mul",
		binary("sub", cast(4, arg(0)), cast(4, arg(2))), binary("sub", cast(4, arg(1)), cast(4, arg(3)))))
	batchReduceMulAdd = binary("add", arg(2), cast(2, binary("mul", arg(0), cast(2, arg(1)))))
)

func pool(fn string) *scalar         { return binary(fn, arg(2), cast(2, arg(0))) }
func poolUnsigned(fn string) *scalar { return binary(fn, arg(2), castUnsigned(2, arg(0))) }

func elementwise1(fn string) *spec {
	return &spec{id: ir.NewOpID("linalg." + fn), inputs: 1, body: unary(fn, arg(0))}
}

func elementwise2(id *ir.OpID, fn string) *spec {
	return &spec{id: id, inputs: 2, body: binary(fn, arg(0), arg(1))}
}

var (
	castAttr   = ir.AttrDef{Name: "cast", Type: enumAttr(TypeFn), Optional: true}
	unaryAttr  = ir.AttrDef{Name: "fun", Type: enumAttr(UnaryFn), Optional: true}
	binaryAttr = ir.AttrDef{Name: "fun", Type: enumAttr(BinaryFn), Optional: true}
)

// named lists the named operations.
var named = []*spec{
	{id: Copy, inputs: 1, body: cast(1, arg(0)).orAttr("cast"), attrs: []ir.AttrDef{castAttr}, models: []ir.Model{
		rewrite.Patterns(rewrite.Pattern{Name: "EraseSelfCopy", Rewrite: eraseSelfCopy}),
		interfaces.SubsetInsertion.Model(interfaces.WholeInsertion{}),
	}},
	{id: ir.NewOpID("linalg.elemwise_unary"), inputs: 1, body: unary("exp", cast(1, arg(0)).orAttr("cast")).orAttr("fun"), attrs: []ir.AttrDef{unaryAttr, castAttr}, replace: replaceByGeneric},
	elementwise1("exp"), elementwise1("log"), elementwise1("abs"), elementwise1("ceil"), elementwise1("floor"),
	elementwise1("negf"), elementwise1("reciprocal"), elementwise1("round"), elementwise1("sqrt"), elementwise1("rsqrt"),
	elementwise1("square"), elementwise1("tanh"), elementwise1("erf"),
	{id: ir.NewOpID("linalg.elemwise_binary"), inputs: 2, body: binary("add", cast(2, arg(0)).orAttr("cast"), cast(2, arg(1)).orAttr("cast")).orAttr("fun"),
		attrs: []ir.AttrDef{binaryAttr, castAttr}, replace: replaceByGeneric},
	elementwise2(Add, "add"), elementwise2(ir.NewOpID("linalg.sub"), "sub"), elementwise2(Mul, "mul"), elementwise2(ir.NewOpID("linalg.div"), "div"),
	elementwise2(ir.NewOpID("linalg.div_unsigned"), "div_unsigned"), elementwise2(ir.NewOpID("linalg.max"), "max_signed"), elementwise2(ir.NewOpID("linalg.min"), "min_signed"),
	elementwise2(ir.NewOpID("linalg.powf"), "powf"),
	{id: ir.NewOpID("linalg.select"), inputs: 3, body: ternary("select", arg(0), arg(1), arg(2))},
	{id: Matmul, spelled: true, iterators: "ppr", maps: "0 2, 2 1, 0 1", body: castMulAdd, attrs: []ir.AttrDef{castAttr}, kind: contraction, earlier: matmulUnsigned},
	{id: QuantizedMatmul, iterators: "ppr", maps: "0 2, 2 1, , , 0 1", body: quantMulAdd},
	{id: ir.NewOpID("linalg.matmul_transpose_a"), iterators: "ppr", maps: "2 0, 2 1, 0 1", body: castMulAdd, attrs: []ir.AttrDef{castAttr}, kind: contraction, replace: replaceByGeneric},
	{id: ir.NewOpID("linalg.matmul_transpose_b"), iterators: "ppr", maps: "0 2, 1 2, 0 1", body: castMulAdd, attrs: []ir.AttrDef{castAttr}, kind: contraction, replace: replaceByGeneric},
	{id: ir.NewOpID("linalg.mmt4d"), iterators: "pprppr", maps: "0 2 3 5, 1 2 4 5, 0 1 3 4", body: mulAdd, kind: contraction},
	{id: ir.NewOpID("linalg.batch_mmt4d"), iterators: "ppprppr", maps: "0 1 3 4 6, 0 2 3 5 6, 0 1 2 4 5", body: mulAdd, kind: contraction},
	{id: BatchMatmul, spelled: true, iterators: "pppr", maps: "0 1 3, 0 3 2, 0 1 2", body: mulAdd, kind: contraction},
	{id: ir.NewOpID("linalg.batch_matmul_transpose_a"), iterators: "pppr", maps: "0 3 1, 0 3 2, 0 1 2", body: mulAdd, kind: contraction, replace: replaceByGeneric},
	{id: ir.NewOpID("linalg.batch_matmul_transpose_b"), iterators: "pppr", maps: "0 1 3, 0 2 3, 0 1 2", body: mulAdd, kind: contraction, replace: replaceByGeneric},
	{id: QuantizedBatchMatmul, iterators: "pppr", maps: "0 1 3, 0 3 2, , , 0 1 2", body: quantMulAdd},
	{id: ir.NewOpID("linalg.batch_reduce_matmul"), spelled: true, iterators: "rppr", maps: "0 1 3, 0 3 2, 1 2", body: batchReduceMulAdd, kind: contraction},
	{id: Matvec, iterators: "pr", maps: "0 1, 1, 0", body: mulAdd, kind: contraction},
	{id: Vecmat, iterators: "pr", maps: "1, 1 0, 0", body: mulAdd, kind: contraction},
	{id: ir.NewOpID("linalg.batch_matvec"), iterators: "ppr", maps: "0 1 2, 0 2, 0 1", body: mulAdd, kind: contraction},
	{id: ir.NewOpID("linalg.batch_vecmat"), iterators: "ppr", maps: "0 2, 0 2 1, 0 1", body: mulAdd, kind: contraction},
	{id: Dot, iterators: "r", maps: "0, 0, ", body: mulAdd, kind: contraction},
	{id: ir.NewOpID("linalg.conv_1d"), iterators: "pr", maps: "0+1, 1, 0", body: mulAdd, kind: convolution},
	{id: ir.NewOpID("linalg.conv_2d"), iterators: "pprr", maps: "0+2 1+3, 2 3, 0 1", body: mulAdd, kind: convolution},
	{id: ir.NewOpID("linalg.conv_3d"), iterators: "ppprrr", maps: "0+3 1+4 2+5, 3 4 5, 0 1 2", body: mulAdd, kind: convolution},
	{id: ir.NewOpID("linalg.conv_1d_nwc_wcf"), iterators: "ppprr", maps: "0 1~3 4, 3 4 2, 0 1 2", body: mulAdd, kind: convolution, windows: 1},
	{id: ir.NewOpID("linalg.conv_1d_ncw_fcw"), iterators: "ppprr", maps: "0 3 2~4, 1 3 4, 0 1 2", body: mulAdd, kind: convolution, windows: 1},
	{id: Conv2DNhwcHwcf, iterators: "pppprrr", maps: "0 1~4 2~5 6, 4 5 6 3, 0 1 2 3", body: mulAdd, kind: convolution, windows: 2},
	{id: Conv2DNhwcFhwc, iterators: "pppprrr", maps: "0 1~4 2~5 6, 3 4 5 6, 0 1 2 3", body: mulAdd, kind: convolution, windows: 2},
	{id: Conv2DNhwcHwcfQ, iterators: "pppprrr", maps: "0 1~4 2~5 6, 4 5 6 3, , , 0 1 2 3", body: quantMulAdd, kind: convolution, windows: 2},
	{id: Conv2DNhwcFhwcQ, iterators: "pppprrr", maps: "0 1~4 2~5 6, 3 4 5 6, , , 0 1 2 3", body: quantMulAdd, kind: convolution, windows: 2},
	{id: ir.NewOpID("linalg.conv_2d_nchw_fchw"), iterators: "pppprrr", maps: "0 4 2~5 3~6, 1 4 5 6, 0 1 2 3", body: mulAdd, kind: convolution, windows: 2},
	{id: ir.NewOpID("linalg.conv_2d_nchw_fchw_q"), since: 22, iterators: "pppprrr", maps: "0 4 2~5 3~6, 1 4 5 6, , , 0 1 2 3", body: quantMulAdd, kind: convolution, windows: 2},
	{id: ir.NewOpID("linalg.conv_2d_nhwgc_gfhwc"), since: 22, iterators: "ppppprrr", maps: "0 1~5 2~6 3 7, 3 4 5 6 7, 0 1 2 3 4", body: mulAdd, kind: convolution, windows: 2},
	{id: ir.NewOpID("linalg.conv_2d_nhwgc_gfhwc_q"), since: 22, iterators: "ppppprrr", maps: "0 1~5 2~6 3 7, 3 4 5 6 7, , , 0 1 2 3 4", body: quantMulAdd, kind: convolution, windows: 2},
	{id: ir.NewOpID("linalg.conv_2d_ngchw_fgchw"), iterators: "ppppprrr", maps: "0 1 5 3~6 4~7, 2 1 5 6 7, 0 1 2 3 4", body: mulAdd, kind: convolution, windows: 2},
	{id: ir.NewOpID("linalg.conv_2d_ngchw_gfchw"), iterators: "ppppprrr", maps: "0 1 5 3~6 4~7, 1 2 5 6 7, 0 1 2 3 4", body: mulAdd, kind: convolution, windows: 2},
	{id: ir.NewOpID("linalg.conv_2d_ngchw_gfchw_q"), iterators: "ppppprrr", maps: "0 1 5 3~6 4~7, 1 2 5 6 7, , , 0 1 2 3 4", body: quantMulAdd, kind: convolution, windows: 2},
	{id: Conv3DNdhwcDhwcf, iterators: "ppppprrrr", maps: "0 1~5 2~6 3~7 8, 5 6 7 8 4, 0 1 2 3 4", body: mulAdd, kind: convolution, windows: 3},
	{id: Conv3DNdhwcDhwcfQ, iterators: "ppppprrrr", maps: "0 1~5 2~6 3~7 8, 5 6 7 8 4, , , 0 1 2 3 4", body: quantMulAdd, kind: convolution, windows: 3},
	{id: ir.NewOpID("linalg.conv_3d_ncdhw_fcdhw"), iterators: "ppppprrrr", maps: "0 8 1~5 2~6 3~7, 4 8 5 6 7, 0 4 1 2 3", body: mulAdd, kind: convolution, windows: 3},
	{id: ir.NewOpID("linalg.depthwise_conv_1d_nwc_wc"), iterators: "pppr", maps: "0 1~3 2, 3 2, 0 1 2", body: mulAdd, kind: convolution, windows: 1},
	{id: ir.NewOpID("linalg.depthwise_conv_1d_ncw_cw"), iterators: "pppr", maps: "0 2 1~3, 2 3, 0 2 1", body: mulAdd, kind: convolution, windows: 1},
	{id: ir.NewOpID("linalg.depthwise_conv_1d_nwc_wcm"), iterators: "ppppr", maps: "0 1~4 2, 4 2 3, 0 1 2 3", body: mulAdd, kind: convolution, windows: 1},
	{id: ir.NewOpID("linalg.depthwise_conv_2d_nhwc_hwc"), iterators: "pppprr", maps: "0 1~4 2~5 3, 4 5 3, 0 1 2 3", body: mulAdd, kind: convolution, windows: 2},
	{id: ir.NewOpID("linalg.depthwise_conv_2d_nchw_chw"), iterators: "pppprr", maps: "0 3 1~4 2~5, 3 4 5, 0 3 1 2", body: mulAdd, kind: convolution, windows: 2},
	{id: ir.NewOpID("linalg.depthwise_conv_2d_nhwc_hwc_q"), iterators: "pppprr", maps: "0 1~4 2~5 3, 4 5 3, , , 0 1 2 3", body: quantMulAdd, kind: convolution, windows: 2},
	{id: DepthwiseConv2DNhwcHwcm, iterators: "ppppprr", maps: "0 1~5 2~6 3, 5 6 3 4, 0 1 2 3 4", body: mulAdd, kind: convolution, windows: 2},
	{id: DepthwiseConv2DNhwcHwcmQ, iterators: "ppppprr", maps: "0 1~5 2~6 3, 5 6 3 4, , , 0 1 2 3 4", body: quantMulAdd, kind: convolution, windows: 2},
	{id: ir.NewOpID("linalg.depthwise_conv_3d_ndhwc_dhwc"), iterators: "pppprrrp", maps: "0 1~4 2~5 3~6 7, 4 5 6 7, 0 1 2 3 7", body: mulAdd, kind: convolution, windows: 3},
	{id: ir.NewOpID("linalg.depthwise_conv_3d_ncdhw_cdhw"), iterators: "pppprrrp", maps: "0 7 1~4 2~5 3~6, 7 4 5 6, 0 7 1 2 3", body: mulAdd, kind: convolution, windows: 3},
	{id: ir.NewOpID("linalg.depthwise_conv_3d_ndhwc_dhwcm"), iterators: "ppppprrrp", maps: "0 1~5 2~6 3~7 8, 5 6 7 8 4, 0 1 2 3 8 4", body: mulAdd, kind: convolution, windows: 3},
	{id: PoolingNhwcSum, iterators: "pppprr", maps: "0 1~4 2~5 3, 4 5, 0 1 2 3", body: pool("add"), kind: convolution, windows: 2},
	{id: ir.NewOpID("linalg.pooling_nchw_sum"), iterators: "pppprr", maps: "0 1 2~4 3~5, 4 5, 0 1 2 3", body: pool("add"), kind: convolution, windows: 2},
	{id: PoolingNhwcMax, iterators: "pppprr", maps: "0 1~4 2~5 3, 4 5, 0 1 2 3", body: pool("max_signed"), kind: convolution, windows: 2},
	{id: ir.NewOpID("linalg.pooling_nhwc_max_unsigned"), iterators: "pppprr", maps: "0 1~4 2~5 3, 4 5, 0 1 2 3", body: poolUnsigned("max_unsigned"), kind: convolution, windows: 2},
	{id: ir.NewOpID("linalg.pooling_nchw_max"), iterators: "pppprr", maps: "0 1 2~4 3~5, 4 5, 0 1 2 3", body: pool("max_signed"), kind: convolution, windows: 2},
	{id: ir.NewOpID("linalg.pooling_nhwc_min"), iterators: "pppprr", maps: "0 1~4 2~5 3, 4 5, 0 1 2 3", body: pool("min_signed"), kind: convolution, windows: 2},
	{id: ir.NewOpID("linalg.pooling_nhwc_min_unsigned"), iterators: "pppprr", maps: "0 1~4 2~5 3, 4 5, 0 1 2 3", body: poolUnsigned("min_unsigned"), kind: convolution, windows: 2},
	{id: ir.NewOpID("linalg.pooling_nwc_sum"), iterators: "pppr", maps: "0 1~3 2, 3, 0 1 2", body: pool("add"), kind: convolution, windows: 1},
	{id: ir.NewOpID("linalg.pooling_ncw_sum"), iterators: "pppr", maps: "0 1 2~3, 3, 0 1 2", body: pool("add"), kind: convolution, windows: 1},
	{id: ir.NewOpID("linalg.pooling_nwc_max"), iterators: "pppr", maps: "0 1~3 2, 3, 0 1 2", body: pool("max_signed"), kind: convolution, windows: 1},
	{id: ir.NewOpID("linalg.pooling_nwc_max_unsigned"), iterators: "pppr", maps: "0 1~3 2, 3, 0 1 2", body: poolUnsigned("max_unsigned"), kind: convolution, windows: 1},
	{id: ir.NewOpID("linalg.pooling_ncw_max"), iterators: "pppr", maps: "0 1 2~3, 3, 0 1 2", body: pool("max_signed"), kind: convolution, windows: 1},
	{id: ir.NewOpID("linalg.pooling_nwc_min"), iterators: "pppr", maps: "0 1~3 2, 3, 0 1 2", body: pool("min_signed"), kind: convolution, windows: 1},
	{id: ir.NewOpID("linalg.pooling_nwc_min_unsigned"), iterators: "pppr", maps: "0 1~3 2, 3, 0 1 2", body: poolUnsigned("min_unsigned"), kind: convolution, windows: 1},
	{id: ir.NewOpID("linalg.pooling_ndhwc_sum"), iterators: "ppppprrr", maps: "0 1~5 2~6 3~7 4, 5 6 7, 0 1 2 3 4", body: pool("add"), kind: convolution, windows: 3},
	{id: ir.NewOpID("linalg.pooling_ndhwc_max"), iterators: "ppppprrr", maps: "0 1~5 2~6 3~7 4, 5 6 7, 0 1 2 3 4", body: pool("max_signed"), kind: convolution, windows: 3},
	{id: ir.NewOpID("linalg.pooling_ndhwc_min"), iterators: "ppppprrr", maps: "0 1~5 2~6 3~7 4, 5 6 7, 0 1 2 3 4", body: pool("min_signed"), kind: convolution, windows: 3},
	{id: Fill, inputs: 1, body: cast(1, arg(0)), kind: fill, models: []ir.Model{rewrite.Patterns(fillPatterns()...)},
		replace: replaceConvertingFill},
	{id: ir.NewOpID("linalg.fill_rng_2d"), iterators: "pp", maps: ", , , 0 1", body: randomBody()},
}

// randomBody is one step of a linear congruential generator, seeded with the
// position, scaled to the range from argument 0 to argument 1.
func randomBody() *scalar {
	number := func(v int64) *scalar { return castTo(ir.I32, intNumber(v)) }
	step := func(x *scalar) *scalar {
		return binary("add", binary("mul", x, number(1103515245)), number(12345))
	}
	first := step(binary("add", castTo(ir.I32, indexOf(0)), arg(2)))
	second := step(binary("add", castTo(ir.I32, indexOf(1)), first))
	offset := castTo(ir.F64, intNumber(2147483647))
	scale := binary("mul", binary("sub", arg(1), arg(0)), castTo(ir.F64, floatNumber(2.3283063999999999e-10)))
	return cast(3, binary("add", binary("mul", binary("add", offset, castTo(ir.F64, second)), scale), arg(0)))
}
