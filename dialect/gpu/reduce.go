package gpu

import (
	"slices"

	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/constraint"
)

// Reductions over the values that threads have.
var (
	// AllReduce is gpu.all_reduce, over all threads of a block.
	AllReduce = ir.NewOpID("gpu.all_reduce")
	// SubgroupReduce is gpu.subgroup_reduce, over those of a subgroup, or of clusters in it.
	SubgroupReduce = ir.NewOpID("gpu.subgroup_reduce")
)

const (
	reductionAttr     = "op"
	uniformAttr       = "uniform"
	clusterSizeAttr   = "cluster_size"
	clusterStrideAttr = "cluster_stride"
)

func allReduceDef() *ir.OpDef {
	number := ir.TypeConstraint{Summary: "Integer or Float", Match: isNumber}
	return &ir.OpDef{
		ID:       AllReduce,
		Operands: []ir.OperandDef{ir.Operand("value", number)},
		Results:  ir.SingleResult("result", number),
		Attrs: []ir.AttrDef{{Name: reductionAttr, Type: reductionKind, Optional: true},
			{Name: uniformAttr, Type: constraint.UnitAttr, Optional: true}},
		Regions:       []ir.RegionDef{{Name: "body"}},
		Traits:        ir.TraitIsolatedFromAbove | ir.TraitSameOperandsAndResultType,
		Format:        "custom<AllReduceOperation>($op) $value (`uniform` $uniform^)? $body attr-dict `:` functional-type(operands, results)",
		VerifyRegions: verifyAllReduce,
		Fold:          foldUniform,
	}
}

// foldUniform says that all threads take part, where that is plain: at the beginning of what is launched.
func foldUniform(op *ir.Op, _ []ir.Attribute) []ir.FoldResult {
	launch := op.Parent()
	if op.Attr(uniformAttr) != nil || launch == nil || !launch.Is(Launch) || op.Block() != launch.RegionAt(0).Entry() {
		return nil
	}
	op.SetAttr(uniformAttr, ir.Unit)
	return ir.FoldedInPlace()
}

var reductionKind = constraint.Enum("built-in reduction operations supported by gpu.allreduce.", reductions)

// reductionWord is the kind of a reduction, if it has one.
var reductionWord = asm.Directive{
	Parse: func(p *asm.Parser, s *asm.FormatState, args []asm.DirectiveArg) error {
		pos := p.Pos()
		if p.At("%") {
			return nil
		}
		word, ok := p.OptionalAnyKeyword()
		if !ok {
			return nil
		}
		for _, c := range reductions.Cases {
			if c.Keyword == word {
				s.SetAttr(args[0].Name, p.Context().EnumAttr(reductions, c.Value))
				return nil
			}
		}
		return p.Errorf(pos, "invalid op kind")
	},
	Print: func(p *asm.Printer, op *ir.Op, args []asm.DirectiveArg) {
		if a, ok := op.Attr(args[0].Name).(*ir.EnumAttr); ok {
			p.Text(" ")
			p.Text(a.Keyword())
		}
	},
}

func verifyAllReduce(op *ir.Op) error {
	body := op.RegionAt(0)
	kind, ok := op.Attr(reductionAttr).(*ir.EnumAttr)
	if body.Empty() != ok {
		return op.PlainErrorf("expected either an op attribute or a non-empty body")
	}
	t := op.Operand(0).Type()
	if ok {
		return verifyKind(op, kind, t)
	}
	if body.Entry().NumArgs() != 2 {
		return op.PlainErrorf("expected two region arguments")
	}
	for _, a := range body.Entry().Args() {
		if a.Type() != t {
			return op.PlainErrorf("incorrect region argument type")
		}
	}
	yields := 0
	for b := body.Entry(); b != nil; b = b.Next() {
		y := b.Terminator()
		if y == nil || !y.Is(Yield) {
			continue
		}
		if y.NumOperands() != 1 {
			return op.PlainErrorf("expected one gpu.yield operand")
		}
		if y.Operand(0).Type() != t {
			return op.PlainErrorf("incorrect gpu.yield type")
		}
		yields++
	}
	if yields == 0 {
		return op.PlainErrorf("expected gpu.yield op in region")
	}
	return nil
}

// Kinds of reductions of numbers of one sort only.
var (
	ofFloats   = []string{"minnumf", "maxnumf", "minimumf", "maximumf"}
	ofIntegers = []string{"minui", "minsi", "maxui", "maxsi", "and", "or", "xor"}
)

func verifyKind(op *ir.Op, kind *ir.EnumAttr, t ir.Type) error {
	word := kind.Keyword()
	if ir.IsFloat(t) && slices.Contains(ofIntegers, word) || !ir.IsFloat(t) && slices.Contains(ofFloats, word) {
		return op.PlainErrorf("`%s` reduction operation is not compatible with type '%s'", word, t)
	}
	return nil
}

func subgroupReduceDef() *ir.OpDef {
	earlier := exchanged
	earlier.Summary = "Integer or Float or vector of Integer or Float values of ranks 1"
	later := subgroupReduce(exchanged)
	return subgroupReduce(earlier).With(ir.OpDef{Revisions: []ir.Revision{{Since: 20, Def: later.With(ir.OpDef{
		Attrs: append(later.Attrs[:len(later.Attrs):len(later.Attrs)],
			ir.AttrDef{Name: clusterSizeAttr, Type: constraint.I32Attr, Optional: true},
			ir.AttrDef{Name: clusterStrideAttr, Type: constraint.I32Attr, Default: func(c *ir.Context) ir.Attribute { return c.IntegerAttr(ir.I32, 1) }}),
		Format: "custom<AllReduceOperation>($op) $value (`uniform` $uniform^)? " +
			"(`cluster` `(` `size` `=` $cluster_size^ (`,` `stride` `=` $cluster_stride^)? `)`)? attr-dict `:` functional-type(operands, results)",
		Verify: verifyClusters,
	})}}})
}

// subgroupReduce is the definition with what is reduced.
func subgroupReduce(value ir.TypeConstraint) *ir.OpDef {
	return &ir.OpDef{
		ID:       SubgroupReduce,
		Operands: []ir.OperandDef{ir.Operand("value", value)},
		Results:  ir.SingleResult("result", value),
		Attrs: []ir.AttrDef{{Name: reductionAttr, Type: reductionKind},
			{Name: uniformAttr, Type: constraint.UnitAttr, Optional: true}},
		Traits: ir.TraitSameOperandsAndResultType,
		Format: "custom<AllReduceOperation>($op) $value (`uniform` $uniform^)? attr-dict `:` functional-type(operands, results)",
		Verify: verifySubgroupReduce,
		Fold:   foldUniform,
	}
}

func verifySubgroupReduce(op *ir.Op) error {
	t := op.Operand(0).Type()
	if v, ok := t.(*ir.VectorType); ok {
		kind := op.Attr(reductionAttr).(*ir.EnumAttr)
		if verifyKind(op, kind, v.Elem) != nil {
			return op.PlainErrorf("`%s` reduction operation is not compatible with type '%s'", kind.Keyword(), t)
		}
		return nil
	}
	return verifyKind(op, op.Attr(reductionAttr).(*ir.EnumAttr), t)
}

// verifyClusters checks how a subgroup is divided as well.
func verifyClusters(op *ir.Op) error {
	if err := verifySubgroupReduce(op); err != nil {
		return err
	}
	power := func(n int64) bool { return n > 0 && n&(n-1) == 0 }
	size, ok := op.Attr(clusterSizeAttr).(*ir.IntegerAttr)
	if ok && !power(size.Value) {
		return op.Errorf("cluster size %d is not a power of two", size.Value)
	}
	switch stride := op.Attr(clusterStrideAttr).(*ir.IntegerAttr).Value; {
	case stride != 1 && !ok:
		return op.Errorf("cluster stride can only be specified if cluster size is specified")
	case !power(stride):
		return op.Errorf("cluster stride %d is not a power of two", stride)
	}
	return nil
}
