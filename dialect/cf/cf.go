// Package cf defines the cf dialect: branches between the blocks of a region.
package cf

import (
	"freehold/exec"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/constraint"
	"freehold/ir/interfaces"
	"freehold/ir/rewrite"
)

// standardNames are the names in the standard dialect, from which LLVM took these operations.
func standardNames() map[*ir.OpID][]string {
	return map[*ir.OpID][]string{
		Assert: {"std.assert"}, Branch: {"std.br"}, CondBranch: {"std.cond_br"}, Switch: {"std.switch"},
	}
}

// Dialect is the cf dialect.
var Dialect = &ir.Dialect{
	Name: "cf",
	Ops: func() []*ir.OpDef {
		return ir.WithNames([]*ir.OpDef{assertDef(), branchDef(), condBranchDef(), switchDef()}, 14, standardNames())
	},
	Models: []ir.Model{
		interfaces.Inliner.Model(interfaces.InlineAnywhere{}),
		asm.Directives.Model(map[string]asm.Directive{"SwitchOpCases": switchCases}),
	},
}

// Assert is cf.assert, which stops the program if its operand is false.
var Assert = ir.NewOpID("cf.assert")

func assertDef() *ir.OpDef {
	return &ir.OpDef{
		ID:       Assert,
		Operands: []ir.OperandDef{{Name: "arg", Type: constraint.I1}},
		Attrs:    []ir.AttrDef{{Name: "msg", Type: constraint.StrAttr}},
		Format:   "$arg `,` $msg attr-dict",
		// The write keeps assertions in order and alive.
		Models: []ir.Model{
			interfaces.FixedEffects(interfaces.Effect{Kind: interfaces.Write}),
			rewrite.Patterns(rewrite.Pattern{Name: "AssertOp", Rewrite: dropTrueAssertion}),
			exec.Executable.Model(executeAssert),
		},
	}
}

// Branch is cf.br, an unconditional branch.
var Branch = ir.NewOpID("cf.br")

func branchDef() *ir.OpDef {
	return &ir.OpDef{
		ID:         Branch,
		Operands:   []ir.OperandDef{{Name: "destOperands", Type: constraint.AnyType, Arity: ir.Variadic}},
		Successors: []ir.SuccessorDef{{Name: "dest"}},
		Traits:     ir.TraitPure | ir.TraitTerminator,
		Format:     "$dest (`(` $destOperands^ `:` type($destOperands) `)`)? attr-dict",
		Models: []ir.Model{
			interfaces.Bufferizable.Model(branchBufferize{}),
			interfaces.Branch.Model(branchModel{}),
			rewrite.Patterns(rewrite.Pattern{Name: "BranchOp", Rewrite: func(r *rewrite.Rewriter, op *ir.Op) bool {
				return mergeIntoPredecessor(r, op) || passThroughBranch(r, op)
			}}),
			exec.Executable.Model(exec.Jump),
		},
	}
}

// branchWeights tells how likely the destinations of a branch are. LLVM 19 doesn't know it.
const branchWeights = "branch_weights"

// CondBranch is cf.cond_br, a branch to one of two blocks.
var CondBranch = ir.NewOpID("cf.cond_br")

func condBranchDef() *ir.OpDef {
	return &ir.OpDef{
		ID: CondBranch,
		Operands: []ir.OperandDef{
			{Name: "condition", Type: constraint.I1},
			{Name: "trueDestOperands", Type: constraint.AnyType, Arity: ir.Variadic},
			{Name: "falseDestOperands", Type: constraint.AnyType, Arity: ir.Variadic},
		},
		Attrs:      []ir.AttrDef{{Name: ir.OperandSegmentsAttr, Type: constraint.Segments, Derived: true}},
		Successors: []ir.SuccessorDef{{Name: "trueDest"}, {Name: "falseDest"}},
		Traits:     ir.TraitPure | ir.TraitTerminator | ir.TraitAttrSizedOperandSegments,
		Format: "$condition `,` $trueDest (`(` $trueDestOperands^ `:` type($trueDestOperands) `)`)? `,` " +
			"$falseDest (`(` $falseDestOperands^ `:` type($falseDestOperands) `)`)? attr-dict",
		Later: []ir.Spelling{{Since: 21,
			Format: "$condition (`weights` `(` $branch_weights^ `)`)? `,` $trueDest (`(` $trueDestOperands^ `:` type($trueDestOperands) `)`)? `,` " +
				"$falseDest (`(` $falseDestOperands^ `:` type($falseDestOperands) `)`)? attr-dict",
			Attrs: []ir.AttrDef{{Name: branchWeights, Type: constraint.DenseI32Array, Optional: true}}, Discardable: []string{branchWeights},
		}},
		Revisions: []ir.Revision{{Since: 21, Verify: func(op *ir.Op) error {
			if w, ok := op.DiscardableAttr(branchWeights).(*ir.DenseArrayAttr); ok && w.Len() != 2 {
				return op.PlainErrorf("expects number of branch weights to match number of successors: %d vs 2", w.Len())
			}
			return nil
		}}},
		Models: []ir.Model{
			interfaces.BufferDeallocation.Model(condBranchDealloc{}),
			interfaces.Bufferizable.Model(branchBufferize{}),
			interfaces.Branch.Model(condBranchModel{}),
			rewrite.Patterns(
				rewrite.Pattern{Name: "SimplifyConstCondBranchPred", Rewrite: constantCondition},
				rewrite.Pattern{Name: "SimplifyPassThroughCondBranch", Until: 20, Rewrite: passThroughCondBranch},
				rewrite.Pattern{Name: "SimplifyPassThroughCondBranch", Since: 21, Rewrite: passThroughWeightedBranch},
				rewrite.Pattern{Name: "SimplifyCondBranchIdenticalSuccessors", Rewrite: identicalSuccessors},
				rewrite.Pattern{Name: "SimplifyCondBranchFromCondBranchOnSameCondition", Rewrite: sameConditionAsPredecessor},
				rewrite.Pattern{Name: "CondBranchTruthPropagation", Rewrite: propagateTruth},
				rewrite.Pattern{Name: "DropUnreachableCondBranch", Since: 22, Rewrite: avoidUnreachable},
			),
			exec.Executable.Model(executeCondBranch),
		},
	}
}

// Switch is cf.switch, a branch to the block that belongs to an integer's value.
var Switch = ir.NewOpID("cf.switch")

func switchDef() *ir.OpDef {
	return &ir.OpDef{
		ID: Switch,
		Operands: []ir.OperandDef{
			{Name: "flag", Type: constraint.AnyInteger},
			{Name: "defaultOperands", Type: constraint.AnyType, Arity: ir.Variadic},
			{Name: "caseOperands", Type: constraint.AnyType, Arity: ir.VariadicOfVariadic, Segments: "case_operand_segments"},
		},
		Attrs: []ir.AttrDef{
			{Name: "case_values", Type: constraint.IntElements, Optional: true},
			{Name: "case_operand_segments", Type: constraint.DenseI32Array, Derived: true},
			{Name: ir.OperandSegmentsAttr, Type: constraint.Segments, Derived: true},
		},
		Successors: []ir.SuccessorDef{{Name: "defaultDestination"}, {Name: "caseDestinations", Variadic: true}},
		Traits:     ir.TraitPure | ir.TraitTerminator | ir.TraitAttrSizedOperandSegments,
		Format: "$flag `:` type($flag) `,` `[` `\\n` custom<SwitchOpCases>(ref(type($flag)),$defaultDestination," +
			"$defaultOperands,type($defaultOperands),$case_values,$caseDestinations,$caseOperands,type($caseOperands)) `]` attr-dict",
		Verify: verifySwitch,
		Models: []ir.Model{
			interfaces.Bufferizable.Model(branchBufferize{}),
			interfaces.Branch.Model(SwitchModel{}),
			rewrite.Patterns(
				rewrite.Pattern{Name: "simplifySwitchWithOnlyDefault", Rewrite: switchWithOnlyDefault},
				rewrite.Pattern{Name: "dropSwitchCasesThatMatchDefault", Rewrite: dropCasesLikeDefault},
				rewrite.Pattern{Name: "simplifyConstSwitchValue", Rewrite: constantSwitch},
				rewrite.Pattern{Name: "simplifyPassThroughSwitch", Rewrite: passThroughSwitch},
				rewrite.Pattern{Name: "simplifySwitchFromSwitchOnSameCondition", Rewrite: sameFlagAsPredecessor},
				rewrite.Pattern{Name: "simplifySwitchFromDefaultSwitchOnSameCondition", Rewrite: sameFlagAsDefaultPredecessor},
			),
			exec.Executable.Model(executeSwitch),
		},
	}
}

// Names of the operand groups.
const (
	condTrue, condFalse       = 1, 2
	switchDefault, switchCase = 1, 2
)

// NewBranch creates a branch to dest with the values as its arguments.
func NewBranch(b *ir.Builder, dest *ir.Block, values ...*ir.Value) *ir.Op {
	s := b.State(Branch)
	s.Operands, s.Successors = values, []*ir.Block{dest}
	return b.Create(s)
}

// NewCondBranch creates a conditional branch.
func NewCondBranch(b *ir.Builder, cond *ir.Value, dest *ir.Block, values []*ir.Value, otherwise *ir.Block, otherValues []*ir.Value) *ir.Op {
	s := b.State(CondBranch)
	s.Operands = append(append([]*ir.Value{cond}, values...), otherValues...)
	s.Successors = []*ir.Block{dest, otherwise}
	s.SetAttr(ir.OperandSegmentsAttr, b.Context().DenseI32Array(1, int32(len(values)), int32(len(otherValues))))
	return b.Create(s)
}

// Case is a case of a switch: a value, the block it belongs to and what is passed
// to it.
type Case struct {
	Value    ir.Attribute // an integer; unused for the default case
	Dest     *ir.Block
	Operands []*ir.Value
}

// NewSwitch creates a switch.
func NewSwitch(b *ir.Builder, flag *ir.Value, def Case, cases []Case) *ir.Op {
	c := b.Context()
	s := b.State(Switch)
	s.Operands = append([]*ir.Value{flag}, def.Operands...)
	s.Successors = []*ir.Block{def.Dest}
	segments := make([]int32, len(cases))
	var data []byte
	for i, k := range cases {
		s.Operands = append(s.Operands, k.Operands...)
		s.Successors = append(s.Successors, k.Dest)
		segments[i] = int32(len(k.Operands))
		data = ir.AppendElement(data, k.Value)
	}
	if len(cases) > 0 {
		s.SetAttr("case_values", c.DenseElements(c.Vector([]int64{int64(len(cases))}, nil, flag.Type()), data))
	}
	s.SetAttr("case_operand_segments", c.DenseI32Array(segments...))
	n := len(def.Operands)
	s.SetAttr(ir.OperandSegmentsAttr, c.DenseI32Array(1, int32(n), int32(len(s.Operands)-n-1)))
	return b.Create(s)
}

// SwitchCases returns the default case and the cases of a switch.
func SwitchCases(op *ir.Op) (def Case, cases []Case) {
	c := op.Context()
	def = Case{Dest: op.Successor(0), Operands: op.OperandGroup(switchDefault).Values()}
	start, _ := op.OperandGroupRange(switchCase)
	segments, _ := op.Attr("case_operand_segments").(*ir.DenseArrayAttr)
	values, _ := op.Attr("case_values").(*ir.DenseElementsAttr)
	for i := range op.NumSuccessors() - 1 {
		n := int(segments.Int(i))
		cases = append(cases, Case{values.Elem(c, int64(i)), op.Successor(i + 1), op.Operands()[start : start+n].Values()})
		start += n
	}
	return def, cases
}

func verifySwitch(op *ir.Op) error {
	n := op.NumSuccessors() - 1
	// mlir-opt reads segments that aren't there.
	if s := op.Attr("case_operand_segments").(*ir.DenseArrayAttr).Len(); s < n {
		return op.Errorf("number of case operand segments (%d) should match number of case destinations (%d)", s, n)
	}
	values := op.Attr("case_values")
	if values == nil {
		if n == 0 {
			return nil
		}
		return op.Errorf("number of case values should match number of case destinations")
	}
	t := ir.TypeOfAttr(values)
	if flag := (SwitchOp{op}).Flag().Type(); ir.ElementType(t) != flag {
		return op.Errorf("'flag' type ('%s') should match case value type ('%s')", flag, ir.ElementType(t))
	}
	shape, _ := ir.ShapeOf(t)
	if count, _ := ir.NumElements(shape); int(count) != n {
		return op.Errorf("number of case values (%d) should match number of case destinations (%d)", count, n)
	}
	return nil
}

// SplitEdge puts a block on the edge from a terminator, a model of [interfaces.Branch], to its successor i, and returns the block, which
// ends with the branch that passes on what the terminator passed. The block is before the successor, which must not be the
// entry of its region. What the terminator itself produces becomes arguments of the new block.
func SplitEdge(b *ir.Builder, op *ir.Op, i int) *ir.Block {
	m, _ := interfaces.Branch.Of(op)
	to := op.Successor(i)
	start, n, produced := m.SuccessorOperands(op, i)
	edge := ir.NewBlock()
	to.Region().InsertBefore(edge, to)
	var pass []*ir.Value
	for j := range produced {
		pass = append(pass, edge.AddArg(to.Arg(j).Type(), to.Arg(j).Loc()))
	}
	pass = append(pass, op.Operands()[start:start+n].Values()...)
	m.SetSuccessorOperands(op, i, nil)
	op.SetSuccessor(i, edge)
	b.SetEnd(edge)
	b.Loc = op.Loc()
	NewBranch(b, to, pass...)
	return edge
}
