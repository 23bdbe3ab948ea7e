package rewrite

import (
	"testing"

	"pgregory.net/rapid"

	"freehold/ir"
	"freehold/ir/interfaces"
)

// jump passes all its operands to its only successor.
var jumpDef = &ir.OpDef{ID: ir.NewOpID("t.jump"), Operands: []ir.OperandDef{{Name: "x", Type: i32, Arity: ir.Variadic}},
	Successors: []ir.SuccessorDef{{Name: "to"}}, Traits: ir.TraitTerminator,
	Models: []ir.Model{interfaces.Branch.Model(interfaces.BranchModel(jump{}))}}

type jump struct{}

func (jump) SuccessorOperands(op *ir.Op, _ int) (start, n, produced int) {
	return 0, op.NumOperands(), 0
}
func (jump) SetSuccessorOperands(op *ir.Op, _ int, values []*ir.Value) { op.SetOperands(values) }
func (jump) TakenSuccessor(*ir.Op, []ir.Attribute) int                 { return 0 }

// In programs of blocks that form a ring, with operations that may or may not be needed,
// nothing is found to erase where allLive is sure of it; and it is, where nothing is dead.
func TestAllLive(t *testing.T) {
	sure, dead := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		c := ir.NewContext(&ir.Dialect{Name: "t", Ops: func() []*ir.OpDef { return []*ir.OpDef{scopeDef, argDef, useDef, addDef, jumpDef} }})
		b := ir.NewBuilder(c)
		s := b.State(scopeDef.ID)
		body := s.AddRegion()
		root := b.CreateDetached(s)
		var blocks []*ir.Block
		for i := range rapid.IntRange(1, 4).Draw(t, "blocks") {
			block := body.AddBlock()
			for range rapid.IntRange(0, 2*min(i, 1)).Draw(t, "args") {
				block.AddArg(ir.I32, ir.Unknown)
			}
			blocks = append(blocks, block)
		}
		for i, block := range blocks {
			b.SetEnd(block)
			values := append(block.Args()[:block.NumArgs():block.NumArgs()], b.CreateOp(argDef.ID, []ir.Type{ir.I32}, nil).Result(0))
			value := func() *ir.Value { return rapid.SampledFrom(values).Draw(t, "value") }
			for range rapid.IntRange(0, 3).Draw(t, "operations") {
				if rapid.Bool().Draw(t, "use") {
					b.CreateOp(useDef.ID, nil, []*ir.Value{value()})
				} else {
					values = append(values, b.CreateOp(addDef.ID, []ir.Type{ir.I32}, []*ir.Value{value(), value()}).Result(0))
				}
			}
			to := blocks[max(min(1, len(blocks)-1), (i+1)%len(blocks))]
			if len(blocks) == 1 {
				continue
			}
			if rapid.IntRange(0, 9).Draw(t, "skip") == 0 {
				to = blocks[len(blocks)-1]
			}
			j := b.State(jumpDef.ID)
			for range to.NumArgs() {
				j.Operands = append(j.Operands, value())
			}
			j.Successors = []*ir.Block{to}
			b.Create(j)
		}
		var l liveness
		regions := root.Regions()
		live := l.allLive(regions)
		size := func() (n int) {
			for block := range body.Blocks() {
				n += 1 + block.NumArgs()
				for range block.Ops() {
					n++
				}
			}
			return n
		}
		before := size()
		l.eraseAll(NewRewriter(c), regions)
		if live != (size() == before) {
			t.Fatalf("all live: %t, but of %d parts %d are left", live, before, size())
		}
		if live {
			sure++
		} else {
			dead++
		}
	})
	if sure == 0 || dead == 0 {
		t.Errorf("%d programs without and %d with dead code: the test needs both", sure, dead)
	}
}
