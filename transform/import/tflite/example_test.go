package tflite_test

import (
	"fmt"

	"freehold/driver"
	"freehold/internal/testing/tflitegen"
	"freehold/ir/asm"
	"freehold/transform/import/tflite"
	"freehold/transform/import/tflite/model"
)

// A network of one operator becomes a function.
func ExampleImport() {
	x := model.Tensor{Name: "x", Type: model.Float32, Shape: []int64{4}}
	y := model.Tensor{Name: "y", Type: model.Float32, Shape: []int64{4}}
	file := tflitegen.Model(tflitegen.Subgraph{Name: "main", Tensors: []model.Tensor{x, y}, Inputs: []int32{0}, Outputs: []int32{1},
		Operators: []tflitegen.Operator{{Code: "SQRT", Inputs: []int32{0}, Outputs: []int32{1}}}})
	doc, err := tflite.Import(driver.Freehold().NewContext(), file, "model.tflite")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s", asm.PrintDocument(doc, asm.PrintOptions{}))
	// Output:
	// #map = affine_map<(d0) -> (d0)>
	// module {
	//   func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {
	//     %0 = tensor.empty() : tensor<4xf32>
	//     %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg0 : tensor<4xf32>) outs(%0 : tensor<4xf32>) {
	//     ^bb0(%in: f32, %out: f32):
	//       %2 = math.sqrt %in : f32
	//       linalg.yield %2 : f32
	//     } -> tensor<4xf32>
	//     return %1 : tensor<4xf32>
	//   }
	// }
}
