package dlti_test

import (
	"fmt"

	"freehold/dialect/dlti"
	"freehold/ir"
	"freehold/ir/asm"
)

// A data layout, as a front end for C writes it.
func Example() {
	c := ir.NewContext(dlti.Dialect)
	a, err := asm.ParseAttr(c, `#dlti.dl_spec<#dlti.dl_entry<index, 32 : i32>>`)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(a)
	// Output: #dlti.dl_spec<#dlti.dl_entry<index, 32 : i32>>
}
