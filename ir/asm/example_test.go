package asm_test

import (
	"fmt"
	"os"

	"freehold/dialect/builtin"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/constraint"
)

// A program with an operation of one's own is read, and printed in the form that leaves
// nothing out.
func ExampleParse() {
	scale := &ir.OpDef{ID: ir.NewOpID("my.scale"), Format: "$of `by` $factor attr-dict `:` type($of)",
		Operands: []ir.OperandDef{ir.Operand("of", constraint.AnyMemRef)},
		Attrs:    []ir.AttrDef{{Name: "factor", Type: constraint.I64Attr}}}
	c := ir.NewContext(builtin.Dialect, &ir.Dialect{Name: "my", Ops: func() []*ir.OpDef { return []*ir.OpDef{scale} }})
	c.AllowUnregistered = true
	module, err := asm.Parse(c, []byte(`%m = "some.buffer"() : () -> memref<4xf32>
my.scale %m by 3 : memref<4xf32>`), "f.mlir", asm.ParseOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	os.Stdout.Write(asm.Print(module, asm.PrintOptions{Generic: true}))
	// Output:
	// "builtin.module"() ({
	//   %0 = "some.buffer"() : () -> memref<4xf32>
	//   "my.scale"(%0) <{factor = 3 : i64}> : (memref<4xf32>) -> ()
	// }) : () -> ()
}
