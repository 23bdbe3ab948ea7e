package dialect_test

import (
	"fmt"

	"freehold/dialect/builtin"
	funcd "freehold/dialect/funcd"
	"freehold/exec"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/constraint"
)

// An operation of a dialect of one's own says how it executes: on single numbers, and
// by that on tensors. A function is compiled, and called.
func Example_execElementwise() {
	number := constraint.SignlessIntegerLike
	average := &ir.OpDef{
		ID:       ir.NewOpID("my.average"),
		Operands: []ir.OperandDef{ir.Operand("lhs", number), ir.Operand("rhs", number)},
		Results:  ir.SingleResult("result", number),
		Traits:   ir.TraitPure,
		Models: []ir.Model{exec.Elementwise.Model(func(_ *ir.Op, in []ir.Type, _ ir.Type) (exec.Scalar, bool) {
			return exec.Scalar{F2: func(a, b uint64) uint64 { return (a + b) / 2 }}, exec.Width(in[0]) < 64
		})},
	}
	c := ir.NewContext(builtin.Dialect, funcd.Dialect, &ir.Dialect{Name: "my", Ops: func() []*ir.OpDef {
		return []*ir.OpDef{average}
	}})
	module, err := asm.Parse(c, []byte(`func.func @f(%x: i32, %y: i32, %t: tensor<3xi32>) -> (i32, tensor<3xi32>) {
  %z = "my.average"(%x, %y) : (i32, i32) -> i32
  %u = "my.average"(%t, %t) : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
  return %z, %u : i32, tensor<3xi32>
}`), "f.mlir", asm.ParseOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fn := exec.NewProgram(module).Function(module.BodyBlock(0).First())
	machine := exec.NewMachine()
	t := exec.NewTensor(exec.ElemOf(ir.I32), []int64{3}, true)
	t.SetWord(1, 7)
	results, err := fn.Call(machine, exec.Values{W: []uint64{10, 20, 0}, O: []any{nil, nil, t}}, false)
	if err != nil {
		fmt.Println(err)
		return
	}
	element, written := results.O[1].(*exec.Tensor).Word(1)
	fmt.Println(results.W[0], element, written)
	// Output: 15 7 true
}
