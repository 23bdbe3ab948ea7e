package stablehlo_test

import (
	"fmt"

	"freehold/dialect/builtin"
	funcd "freehold/dialect/funcd"
	"freehold/dialect/quant"
	"freehold/dialect/stablehlo"
	"freehold/ir"
	"freehold/ir/asm"
)

// What attributes of StableHLO say.
func Example() {
	c := ir.NewContext(builtin.Dialect, funcd.Dialect, quant.Dialect, stablehlo.Dialect, stablehlo.MHLO)
	module, err := asm.Parse(c, []byte(`func.func @f(%x: tensor<1x8x4xf32>, %k: tensor<3x4x2xf32>, %q: tensor<4x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<1x6x2xf32> {
  %0 = mhlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1], pad = [[0, 0]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x4xf32>, tensor<3x4x2xf32>) -> tensor<1x6x2xf32>
  return %0 : tensor<1x6x2xf32>
}`), "f.mlir", asm.ParseOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	module.Walk(func(op *ir.Op) bool {
		if op.Is(stablehlo.Convolution) {
			d := stablehlo.ConvDimsOf(op.Attr("dimension_numbers"))
			w, err := stablehlo.WindowOf(op, len(d.InputSpatial))
			fmt.Println(op.Name(), d.InputSpatial, d.KernelOutput, w[0].Stride, err)
		}
		if op.Is(funcd.Func) {
			q := quant.Of(ir.ElementType(op.RegionAt(0).Entry().Arg(2).Type()))
			fmt.Println(q.Width, q.Expressed, q.Scales[0], q.ZeroPoints[0])
		}
		return true
	})
	// Output:
	// 8 f32 0.5 3
	// stablehlo.convolution [1] 2 1 <nil>
}
