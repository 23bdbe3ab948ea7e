package dialect_test

import (
	"fmt"

	"freehold/dialect/builtin"
	"freehold/dialect/check"
	"freehold/dialect/chlo"
	funcd "freehold/dialect/funcd"
	"freehold/dialect/quant"
	"freehold/dialect/stablehlo"
	"freehold/dialect/vhlo"
	"freehold/ir"
	"freehold/ir/asm"
)

// parseStableHLO reads a program, which must be right.
func parseStableHLO(text string) *ir.Op {
	c := ir.NewContext(builtin.Dialect, check.Dialect, chlo.Dialect, funcd.Dialect, quant.Dialect, stablehlo.Dialect, stablehlo.MHLO, vhlo.Dialect)
	module, err := asm.Parse(c, []byte(text), "f.mlir", asm.ParseOptions{})
	if err == nil {
		err = ir.Verify(module)
	}
	if err != nil {
		panic(err)
	}
	return module
}

// What attributes of StableHLO say.
func Example_stablehloAttributes() {
	module := parseStableHLO(`func.func @f(%x: tensor<1x8x4xf32>, %k: tensor<3x4x2xf32>, %q: tensor<4x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<1x6x2xf32> {
  %0 = mhlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1], pad = [[0, 0]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x4xf32>, tensor<3x4x2xf32>) -> tensor<1x6x2xf32>
  return %0 : tensor<1x6x2xf32>
}`)
	module.Walk(func(op *ir.Op) bool {
		if op.Is(stablehlo.Convolution) {
			d := stablehlo.ConvDimsOf(op.Attr("dimension_numbers"))
			w, err := stablehlo.WindowOf(op, len(d.InputSpatial))
			fmt.Println(op.Name(), d.InputSpatial, d.KernelOutput, w[0].Stride, err)
		}
		if op.Is(funcd.Func) {
			q := stablehlo.QuantizedOf(ir.ElementType(op.RegionAt(0).Entry().Arg(2).Type()))
			fmt.Println(q.Width, q.Expressed, q.Scales[0], q.ZeroPoints[0])
		}
		return true
	})
	// Output:
	// 8 f32 0.5 3
	// stablehlo.convolution [1] 2 1 <nil>
}
