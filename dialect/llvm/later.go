package llvm

import (
	"errors"

	"freehold/ir"
	"freehold/ir/constraint"
	"freehold/ir/interfaces"
)

// LLVM 22 has more attributes. They are kept among the discardable ones, but for numbers that only promise something, such as flags of
// overflow, which are dropped.

// promising is the spelling of LLVM 22 of an operation whose form may start with a word that
// promises something.
func promising(word, attr, form string) []ir.Spelling {
	return []ir.Spelling{{Since: 22, Format: "(`" + word + "` $" + attr + "^)? " + form, Attrs: optionals(constraint.UnitAttr, attr), Discardable: []string{attr}}}
}

// exact is the spelling of operations that can promise that no bit is lost.
var exact = ir.OpDef{Later: promising("exact", "isExact", plainForm)}

// overflowNumber is how the generic form of LLVM 22 has flags.
var overflowNumber = func() ir.AttrDef {
	d := asNumber(withDefault("overflowFlags", Overflow, 0))
	d.Type = ir.AttrConstraint{Summary: "flags of overflow", Enum: Overflow, Match: constraint.I32Attr.Match,
		Respell: func(c *ir.Context, a ir.Attribute) ir.Attribute {
			if e, ok := a.(*ir.EnumAttr); ok {
				return c.I32Attr(int64(e.Value))
			}
			return nil
		}}
	return d
}()

var dereferenceable = optional("dereferenceable", constraint.AnyAttr)

// callAttrs are what LLVM 22 has of a call besides: about its arguments and results, and whether it is inlined.
var callAttrs = with([]ir.AttrDef{optional(interfaces.ArgAttrs, constraint.DictArray), optional(interfaces.ResAttrs, constraint.DictArray),
	optional("memory_effects", constraint.AnyAttr)},
	optionals(constraint.UnitAttr, "always_inline", "convergent", "inline_hint", "no_inline", "no_unwind", "will_return"))

// functionAttrs are those of functions.
var functionAttrs = with([]ir.AttrDef{optional("memory_effects", constraint.AnyAttr), optional("inline_hint", constraint.UnitAttr)},
	optionals(constraint.StrAttr, "instrument_function_entry", "instrument_function_exit", "prefer_vector_width", "reciprocal_estimates"),
	optionals(constraint.DenseI32Array, "reqd_work_group_size", "work_group_size_hint"),
	optionals(constraint.AnyAttr, "intel_reqd_sub_group_size", "uwtable_kind", "vec_type_hint"))

// laterCopy is the spelling of intrinsics that copy or set memory.
var laterCopy = []ir.Spelling{laterAttrs(optional(interfaces.ArgAttrs, constraint.DictArray), optional(interfaces.ResAttrs, constraint.DictArray))}

// laterAttrs is the spelling of LLVM 22 of operations that may have more attributes there, which are kept.
func laterAttrs(attrs ...ir.AttrDef) ir.Spelling {
	sp := ir.Spelling{Since: 22, Attrs: attrs}
	for _, a := range attrs {
		sp.Discardable = append(sp.Discardable, a.Name)
	}
	return sp
}

// laterFunc has the effects on memory under another name, and not two of the flags for numbers.
func laterFunc() []ir.Spelling {
	sp := laterAttrs(functionAttrs...)
	sp.Renamed = map[string]string{"memory_effects": "memory"}
	sp.Without = []string{"approx_func_fp_math", "memory", "unsafe_fp_math"}
	sp.Spelled = func(op *ir.Op) []ir.NamedAttr { return renamed(op, "memory", "memory_effects") }
	return []ir.Spelling{sp}
}

// renamed returns an attribute under its name in a spelling.
func renamed(op *ir.Op, name, later string) []ir.NamedAttr {
	if a := op.Attr(name); a != nil {
		return []ir.NamedAttr{{Name: later, Value: a}}
	}
	return nil
}

// The debug information of a global: one expression, or a list of them in LLVM 22.
const (
	debugExpr  = "dbg_expr"
	debugExprs = "dbg_exprs"
)

// laterGlobal may have several expressions for debuggers.
func laterGlobal() []ir.Spelling {
	sp := laterAttrs(optional(debugExprs, constraint.ArrayAttr), optional("externally_initialized", constraint.UnitAttr), optional("target_specific_attrs", constraint.ArrayAttr))
	sp.Without = []string{debugExpr}
	sp.Upgrade = func(_ *ir.Builder, s *ir.OpState) error {
		if list, ok := s.Attr(debugExprs).(*ir.ArrayAttr); ok && len(list.Elems) == 1 {
			removeAttr(s, debugExprs)
			s.SetAttr(debugExpr, list.Elems[0])
		}
		return nil
	}
	sp.Spelled = func(op *ir.Op) []ir.NamedAttr {
		if a := op.Attr(debugExpr); a != nil {
			return []ir.NamedAttr{{Name: debugExprs, Value: op.Context().ArrayAttr(a)}}
		}
		return nil
	}
	return []ir.Spelling{sp}
}

// What a llvm.getelementptr promises in LLVM 22: that it stays inside of an object, and that no unsigned, or
// signed, computation overflows. Both of the first two are what inbounds is here.
const (
	noWrapFlags  = "noWrapFlags"
	inboundsFlag = 1
	noSignedWrap = 2
)

// wrapping enumerates the flags.
var wrapping = flags("gep_no_wrap_flags", "", "inbounds_flag", "nusw", "nuw")

// laterGEP has a number of flags, of which only inbounds is kept.
var laterGEP = []ir.Spelling{{Since: 22, Without: []string{inbounds}, Discardable: []string{noWrapFlags},
	Attrs: []ir.AttrDef{{Name: noWrapFlags, Type: wrapFlags, Number: true}},
	Upgrade: func(_ *ir.Builder, s *ir.OpState) error {
		n := uint64(0)
		switch a := s.Attr(noWrapFlags).(type) {
		case *ir.IntegerAttr:
			n = uint64(a.Value)
		case *ir.EnumAttr:
			n = a.Value
		default:
			return nil
		}
		removeAttr(s, noWrapFlags)
		if n&(inboundsFlag|noSignedWrap) == inboundsFlag|noSignedWrap {
			s.SetAttr(inbounds, ir.Unit)
		}
		return nil
	},
	Spelled: func(op *ir.Op) []ir.NamedAttr {
		n := int64(0)
		if op.Attr(inbounds) != nil {
			n = inboundsFlag | noSignedWrap
		}
		return []ir.NamedAttr{{Name: noWrapFlags, Value: op.Context().I32Attr(n)}}
	},
}}

// wrapFlags accepts the flags.
var wrapFlags = ir.AttrConstraint{Summary: "flags of a llvm.getelementptr", Enum: wrapping, Match: constraint.I32Attr.Match}

// laterAssume has bundles of operands.
var laterAssume = []ir.Spelling{bundled()}

// bundled is the spelling of operations that may have bundles of operands in LLVM 22, of which those are read that have none.
func bundled(attrs ...ir.AttrDef) ir.Spelling {
	sp := laterAttrs(append([]ir.AttrDef{attr(bundleSizes, constraint.DenseI32Array), optional(bundleTags, constraint.ArrayAttr)}, attrs...)...)
	sp.Upgrade = func(_ *ir.Builder, s *ir.OpState) error {
		if sizes, ok := s.Attr(bundleSizes).(*ir.DenseArrayAttr); ok && sizes.Len() > 0 {
			return errors.New("has bundles of operands, which LLVM 19 doesn't have")
		}
		removeAttr(s, bundleSizes)
		if tags, ok := s.Attr(bundleTags).(*ir.ArrayAttr); ok && len(tags.Elems) == 0 {
			removeAttr(s, bundleTags)
		}
		return nil
	}
	sp.Spelled = func(op *ir.Op) []ir.NamedAttr {
		return []ir.NamedAttr{{Name: bundleSizes, Value: op.Context().DenseI32Array()}}
	}
	return sp
}

// laterCall also has the sizes of groups of operands, as bundles are one.
func laterCall() []ir.Spelling {
	sp := bundled(callAttrs...)
	sp.Attrs = append(sp.Attrs, ir.AttrDef{Name: ir.OperandSegmentsAttr, Type: constraint.AnyAttr, Derived: true})
	sp.Operands = []ir.OperandDef{ir.VariadicOperand("callee_operands", anyLLVM),
		{Name: "op_bundle_operands", Type: anyLLVM, Arity: ir.VariadicOfVariadic, Segments: bundleSizes}}
	sp.Without = []string{branchWeights.Name}
	none := sp.Spelled
	sp.Spelled = func(op *ir.Op) []ir.NamedAttr {
		return append(none(op), ir.NamedAttr{Name: ir.OperandSegmentsAttr, Value: op.Context().DenseI32Array(int32(op.NumOperands()), 0)})
	}
	return []ir.Spelling{sp}
}

// removeAttr removes a discardable attribute.
func removeAttr(s *ir.OpState, name string) {
	var rest []ir.NamedAttr
	for _, a := range s.Attrs {
		if a.Name != name {
			rest = append(rest, a)
		}
	}
	s.Attrs = rest
}
