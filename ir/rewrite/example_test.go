package rewrite_test

import (
	"fmt"
	"os"

	"freehold/dialect/builtin"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/constraint"
	"freehold/ir/rewrite"
)

// A pattern for a dialect of one's own: what is negated twice is what it was.
func ExampleApplyPatternsGreedily() {
	negate := &ir.OpDef{ID: ir.NewOpID("my.negate"), Traits: ir.TraitPure | ir.TraitSameOperandsAndResultType, Format: "$x attr-dict `:` type($r)",
		Operands: []ir.OperandDef{ir.Operand("x", constraint.AnyFloat)},
		Results:  ir.SingleResult("r", constraint.AnyFloat)}
	c := ir.NewContext(builtin.Dialect, &ir.Dialect{Name: "my", Ops: func() []*ir.OpDef { return []*ir.OpDef{negate} }})
	c.AllowUnregistered = true
	module, err := asm.Parse(c, []byte(`%x = "some.value"() : () -> f32
%y = my.negate %x : f32
%z = my.negate %y : f32
"some.use"(%z) : (f32) -> ()`), "f.mlir", asm.ParseOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	twice := rewrite.Pattern{Root: negate.ID, Rewrite: func(r *rewrite.Rewriter, op *ir.Op) bool {
		inner := op.Operand(0).DefiningOp()
		if inner == nil || !inner.Is(negate.ID) {
			return false
		}
		r.Replace(op, inner.Operand(0))
		return true
	}}
	rewrite.ApplyPatternsGreedily(module, rewrite.NewPatternSet(c, []rewrite.Pattern{twice}), rewrite.Config{})
	os.Stdout.Write(asm.Print(module, asm.PrintOptions{}))
	// Output:
	// module {
	//   %0 = "some.value"() : () -> f32
	//   "some.use"(%0) : (f32) -> ()
	// }
}
