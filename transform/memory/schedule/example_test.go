package schedule_test

import (
	"fmt"

	"freehold/driver"
	"freehold/transform/memory/schedule"
)

// What two operations make is read at once, not both at the end.
func ExampleRun() {
	p, err := driver.Freehold().NewSession().Parse([]byte(`func.func @f(%x: f32, %i: index) -> f32 {
  %a = tensor.splat %x : tensor<64xf32>
  %b = tensor.splat %x : tensor<64xf32>
  %p = tensor.extract %a[%i] : tensor<64xf32>
  %q = tensor.extract %b[%i] : tensor<64xf32>
  %s = arith.addf %p, %q : f32
  return %s : f32
}`), "f.mlir")
	if err != nil {
		fmt.Println(err)
		return
	}
	results, err := schedule.Run(p.Module, schedule.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, r := range results {
		fmt.Println(r.Before, "became", r.After, "and can't be below", r.Bound)
	}
	// Output: 512 became 256 and can't be below 256
}
