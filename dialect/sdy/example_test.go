package sdy_test

import (
	"fmt"

	"freehold/dialect/sdy"
	"freehold/ir"
	"freehold/ir/asm"
)

// How a tensor is cut along the axes of a mesh.
func Example() {
	c := ir.NewContext(sdy.Dialect)
	a, err := asm.ParseAttr(c, `#sdy.sharding<@mesh, [{"data"}, {}]>`)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(a)
	// Output: #sdy.sharding<@mesh, [{"data"}, {}]>
}
