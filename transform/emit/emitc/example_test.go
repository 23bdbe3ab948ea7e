package emitc_test

import (
	"fmt"
	"os"

	"freehold/driver"
	"freehold/transform/emit/emitc"
)

// A function as C.
func ExamplePrepare() {
	p, err := driver.Freehold().NewSession().Parse([]byte(`func.func @axpy(%a: f32, %x: memref<8xf32>, %y: memref<8xf32>) {
  linalg.generic {indexing_maps = [affine_map<(d0) -> ()>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%a, %x : f32, memref<8xf32>) outs(%y : memref<8xf32>) {
  ^bb0(%k: f32, %in: f32, %out: f32):
    %p = arith.mulf %k, %in : f32
    %s = arith.addf %out, %p : f32
    linalg.yield %s : f32
  }
  return
}`), "f.mlir")
	if err != nil {
		fmt.Println(err)
		return
	}
	unit, err := emitc.Prepare(p.Module, emitc.Options{Name: "axpy"})
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := unit.WriteSource(os.Stdout); err != nil {
		fmt.Println(err)
	}
	// Output:
	// /* Written by freehold. Compile it with -ffp-contract=off -fno-strict-aliasing. */
	// #include "axpy.h"
	//
	// void axpy(float arg0, const float *arg1, float *arg2) {
	//   /* line 2: linalg.generic */
	//   for (int64_t i = 0; i < 8; i++) {
	//     arg2[i] += arg0 * arg1[i];
	//   }
	// }
}
