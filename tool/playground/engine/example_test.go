package engine_test

import (
	"encoding/json"
	"fmt"

	"freehold/driver"
	"freehold/tool/playground/engine"
)

// Requests and answers are JSON; a program is compiled, and the stages that it goes
// through are asked about.
func ExampleEngine_Answer() {
	e := engine.New(driver.Freehold())
	var compiled engine.Compiled
	answer := e.Answer([]byte(`{"do": "compile", "name": "f.mlir", "passes": ["canonicalize", "symbol-dce"],
		"source": "func.func @f() -> i32 {\n  %x = arith.constant 20 : i32\n  %y = arith.addi %x, %x : i32\n  return %y : i32\n}"}`))
	if err := json.Unmarshal(answer, &compiled); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(compiled.Stages), "stages")
	fmt.Println(e.Stage(1, 0).Text)
	// Output:
	// 3 stages
	// module {
	//   func.func @f() -> i32 {
	//     %y = arith.constant 40 : i32
	//     return %y : i32
	//   }
	// }
}
