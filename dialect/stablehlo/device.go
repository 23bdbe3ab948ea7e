package stablehlo

import (
	"freehold/ir"
	"freehold/ir/constraint"
	"freehold/ir/interfaces"
)

// Operations on several processes, and those that reach outside of the program.
var (
	AfterAll            = ir.NewOpID("stablehlo.after_all")
	AllGather           = ir.NewOpID("stablehlo.all_gather")
	AllReduce           = ir.NewOpID("stablehlo.all_reduce")
	AllToAll            = ir.NewOpID("stablehlo.all_to_all")
	AsyncDone           = ir.NewOpID("stablehlo.async_done")
	AsyncStart          = ir.NewOpID("stablehlo.async_start")
	CollectiveBroadcast = ir.NewOpID("stablehlo.collective_broadcast")
	CollectivePermute   = ir.NewOpID("stablehlo.collective_permute")
	Composite           = ir.NewOpID("stablehlo.composite")
	CreateToken         = ir.NewOpID("stablehlo.create_token")
	CrossReplicaSum     = ir.NewOpID("stablehlo.cross-replica-sum")
	CustomCall          = ir.NewOpID("stablehlo.custom_call")
	GetTupleElement     = ir.NewOpID("stablehlo.get_tuple_element")
	Infeed              = ir.NewOpID("stablehlo.infeed")
	OptimizationBarrier = ir.NewOpID("stablehlo.optimization_barrier")
	Outfeed             = ir.NewOpID("stablehlo.outfeed")
	PartitionID         = ir.NewOpID("stablehlo.partition_id")
	Recv                = ir.NewOpID("stablehlo.recv")
	ReduceScatter       = ir.NewOpID("stablehlo.reduce_scatter")
	ReplicaID           = ir.NewOpID("stablehlo.replica_id")
	Send                = ir.NewOpID("stablehlo.send")
	Tuple               = ir.NewOpID("stablehlo.tuple")
)

// generic removes the syntax of an operation, which programs only write in the generic form.
func generic(def *ir.OpDef) *ir.OpDef {
	def.Format = ""
	return def
}

// effectful is generic for operations that other processes see.
func effectful(def *ir.OpDef) *ir.OpDef {
	def.Traits &^= ir.TraitPure
	return generic(def)
}

func deviceOps() []*ir.OpDef {
	many := []ir.ResultDef{ir.VariadicResult("results", foreign)}
	inputs := operands(ir.VariadicOperand("inputs", anyTensor))
	token := ir.SingleResult("result", tokenType)
	reducer := []ir.RegionDef{{Name: "computation", Sized: 1}}
	flag := func(name string) ir.AttrDef { return optional(name, constraint.BoolAttr) }
	text := func(name string) ir.AttrDef { return optional(name, constraint.StrAttr) }
	pairs := func(def ir.AttrDef) ir.AttrDef { def.Type = constraint.IntElements; return def }
	identity := []ir.ResultDef{ir.Result("result", processTensor)}
	sent := operands(ir.VariadicOperand("inputs", anyTensor), ir.Operand("token", tokenType))
	rest := " attr-dict `:` functional-type(operands, results)"
	last := func(id *ir.OpID, results []ir.ResultDef, attrs ...ir.AttrDef) *ir.OpDef {
		return &ir.OpDef{ID: id, Operands: operands(ir.VariadicOperand("inputs", foreign), ir.Operand("token", tokenType)), Results: results, Attrs: attrs}
	}
	from := func(id *ir.OpID, attrs ...ir.AttrDef) *ir.OpDef {
		return &ir.OpDef{ID: id, Operands: operands(ir.Operand("token", tokenType)), Results: many, Attrs: attrs}
	}
	return []*ir.OpDef{
		{ID: AfterAll, Operands: operands(ir.VariadicOperand("inputs", tokenType)), Results: token, Traits: ir.TraitPure,
			Format: "$inputs attr-dict `:` custom<Tokens>(type($inputs), type($result))"},
		{ID: AllGather, Operands: inputs, Results: many, Attrs: []ir.AttrDef{required("all_gather_dim", constraint.I64Attr), replicaGroups, channel, useGlobalIDs},
			Verify: verifyAllGather, VerifyAlone: true},
		{ID: AllReduce, Operands: inputs, Results: many, Regions: reducer, Attrs: []ir.AttrDef{replicaGroups, channel, useGlobalIDs}, Traits: ir.TraitSingleBlock,
			Verify: verifyAllReduce, VerifyRegions: verifyAllReducer},
		{ID: AllToAll, Operands: inputs, Results: many, Attrs: []ir.AttrDef{required("split_dimension", constraint.I64Attr), required("concat_dimension", constraint.I64Attr),
			required("split_count", constraint.I64Attr), replicaGroups, channel}, Verify: verifyAllToAll, VerifyAlone: true},
		{ID: AsyncDone, Operands: operands(ir.Operand("future", futureType)), Results: many, Format: "$future" + rest},
		{ID: AsyncStart, Operands: operands(ir.VariadicOperand("inputs", foreign)), Results: ir.SingleResult("future", futureType), Regions: reducer, Traits: ir.TraitSingleBlock},
		effectful(op(CollectiveBroadcast, anything, "operand")).With(ir.OpDef{Attrs: []ir.AttrDef{replicaGroups, channel, flag("has_dynamic_root")}, InferTypes: inferFirst, CompatibleTypes: compatible,
			Verify: verifyCollectiveBroadcast, VerifyAlone: true}),
		effectful(op(CollectivePermute, anything, "operand")).With(ir.OpDef{Attrs: []ir.AttrDef{pairs(required("source_target_pairs", constraint.AnyAttr)), channel},
			InferTypes: inferFirst, CompatibleTypes: compatible, Verify: verifyPairs, VerifyAlone: true}),
		{ID: Composite, Operands: operands(ir.VariadicOperand("inputs", foreign)), Results: many, Attrs: []ir.AttrDef{required("name", constraint.StrAttr),
			optional("composite_attributes", constraint.DictAttr), required("decomposition", constraint.FlatSymbolRef), optional("version", constraint.I32Attr),
			optional("composite_regions", constraint.AnyAttr)},
			Regions: []ir.RegionDef{{Name: "regions", Variadic: true}}, Format: "custom<Quoted>($name) $inputs attr-dict `:` functional-type(operands, results)",
			Verify: verifyComposite, VerifyAlone: true, VerifySymbolUses: verifyDecomposition},
		{ID: CreateToken, Results: ir.SingleResult("output", tokenType), Traits: ir.TraitPure, Format: "attr-dict `:` type($output)"},
		effectful(op(CrossReplicaSum, anything, "operand")).With(ir.OpDef{Attrs: []ir.AttrDef{replicaGroups}, InferTypes: inferFirst, CompatibleTypes: compatible}),
		{ID: CustomCall, Operands: operands(ir.VariadicOperand("inputs", called)), Results: []ir.ResultDef{ir.VariadicResult("results", called)},
			Attrs: []ir.AttrDef{required("call_target_name", constraint.StrAttr), flag("has_side_effect"), optional("backend_config", constraint.AnyAttr),
				optional("api_version", constraint.I32Attr), optional("called_computations", constraint.ArrayAttr), optional("operand_layouts", constraint.ArrayAttr),
				optional("result_layouts", constraint.ArrayAttr), aliases, optional("result_tilings", constraint.ArrayAttr)},
			Format: "custom<Target>($call_target_name) `(` $inputs `)` attr-dict `:` functional-type(operands, results)", Verify: verifyCustomCall, VerifyAlone: true,
			Models: []ir.Model{interfaces.Addresses(interfaces.AsLaidOut)}},
		{ID: GetTupleElement, Operands: operands(ir.Operand("operand", tupleType)), Results: ir.SingleResult("result", anyValue), Attrs: []ir.AttrDef{required("index", constraint.I32Attr)},
			Traits: ir.TraitPure, Format: "$operand `[` $index `]` attr-dict `:` functional-type(operands, results)", InferTypes: inferTupleElement, CompatibleTypes: compatible},
		from(Infeed, text("infeed_config"), optional("layout", constraint.ArrayAttr)).With(ir.OpDef{Format: "$token attr-dict `:` functional-type(operands, results)",
			Verify: verifyReceived, VerifyAlone: true}),
		{ID: OptimizationBarrier, Operands: operands(ir.VariadicOperand("operand", anyValue)), Results: []ir.ResultDef{ir.VariadicResult("result", anyValue)}, Traits: ir.TraitPure,
			Format: "attr-dict ($operand^ `:` custom<Pairwise>(type($operand), type($result))):(`(` `)`)?", Verify: verifyPairwise, VerifyAlone: true},
		last(Outfeed, token, text("outfeed_config")).With(ir.OpDef{Operands: sent}),
		{ID: PartitionID, Results: identity, Traits: ir.TraitPure, Format: "attr-dict `:` type(results)"},
		from(Recv, required("channel_handle", structAttr("channel_handle")), flag("is_host_transfer"), optional("source_target_pairs", constraint.IntElements)).With(ir.OpDef{
			Verify: verifyReceived, VerifyAlone: true}),
		effectful(op(ReduceScatter, anything, "operand")).With(ir.OpDef{Attrs: []ir.AttrDef{required("scatter_dimension", constraint.I64Attr), replicaGroups, channel, useGlobalIDs},
			Regions: reducer, Traits: ir.TraitSingleBlock, Verify: verifyReduceScatter, VerifyRegions: verifyAllReducer}),
		{ID: ReplicaID, Results: identity, Traits: ir.TraitPure, Format: "attr-dict `:` type(results)"},
		last(Send, token, required("channel_handle", structAttr("channel_handle")), flag("is_host_transfer"), optional("source_target_pairs", constraint.IntElements)).With(ir.OpDef{
			Verify: verifyTransfer, VerifyAlone: true}),
		{ID: Tuple, Operands: operands(ir.VariadicOperand("val", anyValue)), Results: ir.SingleResult("result", tupleType), Traits: ir.TraitPure,
			Format: "$val attr-dict `:` custom<Tuple>(type($val), type($result))", InferTypes: inferTuple, CompatibleTypes: compatible},
	}
}
