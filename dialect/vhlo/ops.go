package vhlo

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"freehold/dialect/funcd"
	"freehold/dialect/stablehlo"
	"freehold/ir"
	"freehold/ir/constraint"
)

// targets are the operations by the name that they have here, without the version.
var targets = sync.OnceValue(func() map[string]*ir.OpID {
	out := map[string]*ir.OpID{"func": funcd.Func, "call": funcd.Call}
	for _, def := range stablehlo.Dialect.OpDefs() {
		out[baseName(def.ID)] = def.ID
	}
	return out
})

// baseName is the name that an operation of stablehlo has here, without the version.
func baseName(id *ir.OpID) string { return strings.TrimPrefix(id.String(), "stablehlo.") }

// second are the attributes that operations have since their second version only.
var second = map[*ir.OpID][]string{
	stablehlo.Gather: {"operand_batching_dims", "start_indices_batching_dims"}, stablehlo.DynamicGather: {"operand_batching_dims", "start_indices_batching_dims"},
	stablehlo.Scatter: {"input_batching_dims", "scatter_indices_batching_dims"}, stablehlo.DotGeneral: algorithmParts.parts,
	stablehlo.Send: {"source_target_pairs"}, stablehlo.Recv: {"source_target_pairs"}, stablehlo.CustomCall: {"result_tilings"},
	stablehlo.CollectiveBroadcast: {"has_dynamic_root"},
}

// first are those that they have in their first version only.
var first = map[*ir.OpID][]string{stablehlo.DynamicConv: {"padding"}}

// several are operations that took one operand, and take several since their second version.
var several = map[*ir.OpID]bool{stablehlo.AllGather: true, stablehlo.AllReduce: true, stablehlo.AllToAll: true}

const accuracy = "result_accuracy"

// attributesOf returns the names of the attributes that an operation has in a version, and the number of its versions.
func attributesOf(def *ir.OpDef, version int) (names []string, versions int) {
	apart := map[string]flattened{}
	for _, f := range flattenings[def.ID] {
		apart[f.name] = f
	}
	versions = 1
	for _, a := range def.Attrs {
		parts := []string{a.Name}
		if f, ok := apart[a.Name]; ok {
			parts = f.parts
		}
		for _, name := range parts {
			later := name == accuracy || slices.Contains(second[def.ID], name)
			earlier := slices.Contains(first[def.ID], name)
			if later || earlier {
				versions = 2
			}
			if name == "composite_regions" || later && version < 2 || earlier && version > 1 {
				continue
			}
			names = append(names, name)
		}
	}
	if several[def.ID] || def.ID == stablehlo.Composite {
		versions = 2
	}
	return names, versions
}

// named returns the operations of the dialect by name and version.
var named = sync.OnceValue(func() map[string]*ir.OpID {
	out := map[string]*ir.OpID{}
	for _, def := range Dialect.OpDefs() {
		out[strings.TrimPrefix(def.ID.String(), dialectName+".")] = def.ID
	}
	return out
})

// definitions are those of all versions of all operations. What holds of operands and results is up to stablehlo.
func definitions() []*ir.OpDef {
	var out []*ir.OpDef
	any := ir.TypeConstraint{Summary: "any type", Match: func(ir.Type) bool { return true }}
	define := func(name string, attrs []string) {
		id := ir.NewOpID(dialectName + "." + name)
		def := &ir.OpDef{ID: id, Operands: []ir.OperandDef{ir.VariadicOperand("operands", any)}, Results: []ir.ResultDef{ir.VariadicResult("results", any)},
			Regions: []ir.RegionDef{{Name: "regions", Variadic: true}}}
		if strings.HasPrefix(name, "return_") {
			def.Traits = ir.TraitTerminator
		}
		if strings.HasPrefix(name, "func_") {
			def.Traits = ir.TraitIsolatedFromAbove
		}
		for _, a := range attrs {
			def.Attrs = append(def.Attrs, ir.AttrDef{Name: a, Type: constraint.AnyAttr})
		}
		out = append(out, def)
	}
	define("func_v1", []string{"sym_name", "function_type", "sym_visibility", "arg_attrs", "res_attrs"})
	define("call_v1", []string{"callee"})
	for _, def := range stablehlo.Dialect.OpDefs() {
		_, versions := attributesOf(def, 1)
		for v := 1; v <= versions; v++ {
			names, _ := attributesOf(def, v)
			define(fmt.Sprintf("%s_v%d", baseName(def.ID), v), names)
		}
	}
	return out
}

// versionOf splits a name like vhlo.add_v1.
func versionOf(name string) (base, version string, ok bool) {
	name = strings.TrimPrefix(name, dialectName+".")
	i := strings.LastIndex(name, "_v")
	if i < 0 || i+2 == len(name) {
		return "", "", false
	}
	return name[:i], name[i+2:], true
}

// flattened is an attribute of stablehlo whose parts are attributes here.
type flattened struct {
	name, mnemonic string
	// parts are those of the attribute, in order.
	parts []string
}

var (
	gatherParts = flattened{"dimension_numbers", "gather", []string{"offset_dims", "collapsed_slice_dims", "operand_batching_dims", "start_indices_batching_dims",
		"start_index_map", "index_vector_dim"}}
	scatterParts = flattened{"scatter_dimension_numbers", "scatter", []string{"update_window_dims", "inserted_window_dims", "input_batching_dims",
		"scatter_indices_batching_dims", "scatter_dims_to_operand_dims", "index_vector_dim"}}
	dotParts = flattened{"dot_dimension_numbers", "dot", []string{"lhs_batching_dimensions", "rhs_batching_dimensions", "lhs_contracting_dimensions",
		"rhs_contracting_dimensions"}}
	convParts = flattened{"dimension_numbers", "conv", []string{"input_batch_dimension", "input_feature_dimension", "input_spatial_dimensions",
		"kernel_input_feature_dimension", "kernel_output_feature_dimension", "kernel_spatial_dimensions", "output_batch_dimension", "output_feature_dimension",
		"output_spatial_dimensions"}}
	channelParts   = flattened{"channel_handle", "channel_handle", []string{"channel_id", "channel_type"}}
	algorithmParts = flattened{"algorithm", "dot_algorithm", []string{"lhs_precision_type", "rhs_precision_type", "accumulation_type", "lhs_component_count",
		"rhs_component_count", "num_primitive_operations", "allow_imprecise_accumulation"}}
)

// flattenings are the attributes of each operation that are apart here.
var flattenings = map[*ir.OpID][]flattened{
	stablehlo.Gather: {gatherParts}, stablehlo.DynamicGather: {gatherParts}, stablehlo.Scatter: {scatterParts}, stablehlo.DotGeneral: {dotParts, algorithmParts},
	stablehlo.Convolution: {convParts}, stablehlo.DynamicConv: {convParts},
	stablehlo.AllGather: {channelParts}, stablehlo.AllReduce: {channelParts}, stablehlo.AllToAll: {channelParts}, stablehlo.CollectiveBroadcast: {channelParts},
	stablehlo.CollectivePermute: {channelParts}, stablehlo.ReduceScatter: {channelParts}, stablehlo.Send: {channelParts}, stablehlo.Recv: {channelParts},
}

// isList tells which parts are lists of dimensions.
func isList(part string) bool {
	return strings.HasSuffix(part, "_dims") || strings.HasSuffix(part, "_dimensions") || part == "start_index_map"
}

// symbols are attributes of func and stablehlo that refer to a symbol, and are its name here.
var symbols = map[string]bool{"callee": true, "decomposition": true}
