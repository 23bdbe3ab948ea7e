package rematerialize_test

import (
	"fmt"

	"freehold/driver"
	"freehold/transform/memory/rematerialize"
)

// What is broadcast isn't kept while something else needs most.
func ExampleRun() {
	p, err := driver.Freehold().NewSession().Parse([]byte(`func.func @f(%x: f32, %i: index) -> f32 {
  %a = tensor.splat %x : tensor<64xf32>
  %p = tensor.extract %a[%i] : tensor<64xf32>
  %b = tensor.splat %p : tensor<128xf32>
  %q = tensor.extract %b[%i] : tensor<128xf32>
  %r = tensor.extract %a[%i] : tensor<64xf32>
  %s = arith.addf %q, %r : f32
  return %s : f32
}`), "f.mlir")
	if err != nil {
		fmt.Println(err)
		return
	}
	result, err := rematerialize.Run(p.Module, rematerialize.Options{ExtraWork: 0.1})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, b := range result.Blocks {
		fmt.Println(b.Before, "became", b.After, "by", result.Extra, "operations more")
	}
	// Output: 768 became 512 by 0 operations more
}
