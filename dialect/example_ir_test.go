package dialect_test

import (
	"fmt"
	"os"

	"freehold/dialect/builtin"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/constraint"
)

// The operations of a dialect of one's own: sums, and doubles.
var (
	add = &ir.OpDef{ID: ir.NewOpID("my.add"), Traits: ir.TraitPure | ir.TraitSameOperandsAndResultType, Format: "$lhs `,` $rhs attr-dict `:` type($sum)",
		Operands: []ir.OperandDef{ir.Operand("lhs", constraint.AnyInteger), ir.Operand("rhs", constraint.AnyInteger)},
		Results:  ir.SingleResult("sum", constraint.AnyInteger)}
	double = &ir.OpDef{ID: ir.NewOpID("my.double"), Traits: ir.TraitPure | ir.TraitSameOperandsAndResultType, Format: "$of attr-dict `:` type($twice)",
		Operands: []ir.OperandDef{ir.Operand("of", constraint.AnyInteger)},
		Results:  ir.SingleResult("twice", constraint.AnyInteger)}
)

// A program is changed: additions of a value to itself become doubles.
func Example_irBuilder() {
	c := ir.NewContext(builtin.Dialect, &ir.Dialect{Name: "my", Ops: func() []*ir.OpDef {
		return []*ir.OpDef{add, double}
	}})
	c.AllowUnregistered = true
	module, err := asm.Parse(c, []byte(`%x = "some.value"() : () -> i32
%y = my.add %x, %x : i32
"some.use"(%y) : (i32) -> ()`), "f.mlir", asm.ParseOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	b := ir.NewBuilder(c)
	module.Walk(func(op *ir.Op) bool {
		if op.Is(add.ID) && op.Operand(0) == op.Operand(1) {
			b.SetBefore(op)
			sum := op.Result(0)
			twice := b.CreateOp(double.ID, []ir.Type{sum.Type()}, []*ir.Value{op.Operand(0)})
			sum.ReplaceAllUsesWith(twice.Result(0))
			op.Erase()
		}
		return true
	})
	if err := ir.Verify(module); err != nil {
		fmt.Println(err)
		return
	}
	os.Stdout.Write(asm.Print(module, asm.PrintOptions{}))
	// Output:
	// module {
	//   %0 = "some.value"() : () -> i32
	//   %1 = my.double %0 : i32
	//   "some.use"(%1) : (i32) -> ()
	// }
}
