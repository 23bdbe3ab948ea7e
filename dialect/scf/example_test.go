package scf_test

import (
	"fmt"

	"freehold/dialect/arith"
	"freehold/dialect/builtin"
	funcd "freehold/dialect/funcd"
	"freehold/dialect/memref"
	"freehold/dialect/scf"
	"freehold/ir"
	"freehold/ir/asm"
)

// A loop adds up the elements of a buffer; what it carries is the sum.
func ExampleNewFor() {
	c := ir.NewContext(arith.Dialect, builtin.Dialect, funcd.Dialect, memref.Dialect, scf.Dialect)
	module, err := asm.Parse(c, []byte(`func.func @sum(%m: memref<16xf32>, %zero: f32) -> f32 {
  return %zero : f32
}`), "sum.mlir", asm.ParseOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	entry := funcd.Body(module.BodyBlock(0).First()).Entry()
	b := ir.NewBuilder(c)
	b.SetBefore(entry.Terminator())
	lower, upper, step := arith.ConstantIndex(b, 0), arith.ConstantIndex(b, 16), arith.ConstantIndex(b, 1)
	loop := scf.NewFor(b, lower, upper, step, []*ir.Value{entry.Terminator().Operand(0)}, func(b *ir.Builder, i *ir.Value, carried []*ir.Value) []*ir.Value {
		x := memref.NewLoad(b, entry.Arg(0), i)
		return []*ir.Value{arith.New(b, arith.AddF, carried[0], x)}
	})
	entry.Terminator().SetOperand(0, loop.Result(0))
	trips, _ := loop.TripCount()
	fmt.Println(trips, "iterations")
	fmt.Printf("%s", asm.Print(module, asm.PrintOptions{}))
	// Output:
	// 16 iterations
	// module {
	//   func.func @sum(%arg0: memref<16xf32>, %arg1: f32) -> f32 {
	//     %c0 = arith.constant 0 : index
	//     %c16 = arith.constant 16 : index
	//     %c1 = arith.constant 1 : index
	//     %0 = scf.for %arg2 = %c0 to %c16 step %c1 iter_args(%arg3 = %arg1) -> (f32) {
	//       %1 = memref.load %arg0[%arg2] : memref<16xf32>
	//       %2 = arith.addf %arg3, %1 : f32
	//       scf.yield %2 : f32
	//     }
	//     return %0 : f32
	//   }
	// }
}
