package index_test

import (
	"fmt"

	"freehold/dialect/builtin"
	funcd "freehold/dialect/funcd"
	"freehold/dialect/index"
	"freehold/ir"
	"freehold/ir/asm"
)

// Programs are made of the identities of operations: here, n modulo 8.
func Example() {
	c := ir.NewContext(builtin.Dialect, funcd.Dialect, index.Dialect)
	module, err := asm.Parse(c, []byte(`func.func @f(%n: index) -> index {
  return %n : index
}`), "f.mlir", asm.ParseOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	entry := funcd.Body(module.BodyBlock(0).First()).Entry()
	b := ir.NewBuilder(c)
	b.SetBefore(entry.Terminator())
	n := entry.Terminator().Operand(0)
	eight := b.CreateOp(index.Constant, []ir.Type{n.Type()}, nil, ir.NamedAttr{Name: "value", Value: c.IndexAttr(8)})
	entry.Terminator().SetOperand(0, b.CreateOp(index.RemU, []ir.Type{n.Type()}, []*ir.Value{n, eight.Result(0)}).Result(0))
	fmt.Printf("%s", asm.Print(module, asm.PrintOptions{}))
	// Output:
	// module {
	//   func.func @f(%arg0: index) -> index {
	//     %idx8 = index.constant 8
	//     %0 = index.remu %arg0, %idx8
	//     return %0 : index
	//   }
	// }
}
