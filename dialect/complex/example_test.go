package complex_test

import (
	"fmt"

	"freehold/dialect/builtin"
	"freehold/dialect/complex"
	funcd "freehold/dialect/funcd"
	"freehold/ir"
	"freehold/ir/asm"
)

// A product of numbers whose parts are given.
func ExampleNewCreate() {
	c := ir.NewContext(builtin.Dialect, complex.Dialect, funcd.Dialect)
	module, err := asm.Parse(c, []byte(`func.func @rotate(%z: complex<f32>, %re: f32, %im: f32) -> complex<f32> {
  return %z : complex<f32>
}`), "rotate.mlir", asm.ParseOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	entry := funcd.Body(module.BodyBlock(0).First()).Entry()
	b := ir.NewBuilder(c)
	b.SetBefore(entry.Terminator())
	z, w := entry.Terminator().Operand(0), complex.NewCreate(b, entry.Arg(1), entry.Arg(2))
	entry.Terminator().SetOperand(0, b.CreateOp(complex.Mul, []ir.Type{z.Type()}, []*ir.Value{z, w}).Result(0))
	fmt.Printf("%s", asm.Print(module, asm.PrintOptions{}))
	// Output:
	// module {
	//   func.func @rotate(%arg0: complex<f32>, %arg1: f32, %arg2: f32) -> complex<f32> {
	//     %0 = complex.create %arg1, %arg2 : complex<f32>
	//     %1 = complex.mul %arg0, %0 : complex<f32>
	//     return %1 : complex<f32>
	//   }
	// }
}
