package explain_test

import (
	"fmt"

	"freehold/driver"
	"freehold/tool/explain"
)

// Why a program copies.
func ExampleModule() {
	session := driver.Freehold().NewSession()
	src := []byte(`func.func @f(%x: tensor<4xf32>, %i: index, %v: f32) -> (tensor<4xf32>, f32) {
  %y = tensor.insert %v into %x[%i] : tensor<4xf32>
  %old = tensor.extract %x[%i] : tensor<4xf32>
  return %y, %old : tensor<4xf32>, f32
}`)
	p, err := session.Parse(src, "f.mlir")
	if err != nil {
		fmt.Println(err)
		return
	}
	pipeline, err := session.Passes.ParsePipeline("builtin.module(one-shot-bufferize{bufferize-function-boundaries})")
	if err != nil {
		fmt.Println(err)
		return
	}
	e, err := explain.Module(p.Module, pipeline, explain.Options{Source: func(string) []byte { return src }})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, item := range e.Items {
		fmt.Println(item.Title)
		for _, advice := range item.Advice {
			fmt.Println("  ", advice.Text)
		}
	}
	// Output:
	// tensor.insert would overwrite %x, whose old contents are still needed
	//    move the tensor.extract that reads %x before the tensor.insert that overwrites it
	//    do without the read of %x: as long as its old contents and the new ones are both needed, one of them is a copy
}
