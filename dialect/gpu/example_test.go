package gpu_test

import (
	"fmt"

	"freehold/dialect/builtin"
	"freehold/dialect/gpu"
	"freehold/ir"
	"freehold/ir/asm"
)

// The memory that a group of threads shares is a memory space of buffers.
func ExampleAddressSpace() {
	c := ir.NewContext(builtin.Dialect, gpu.Dialect)
	t, err := asm.ParseType(c, "memref<32x32xf32, #gpu.address_space<workgroup>>")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(ir.MemorySpaceOf(t) == c.EnumAttr(gpu.AddressSpace, 2))
	// Output:
	// true
}
