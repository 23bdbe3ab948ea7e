package kernel_test

import (
	"fmt"

	"freehold/proof/kernel"
)

// A condition is refuted if what follows from it contradicts itself.
func ExampleFormulas_Refutes() {
	f := kernel.NewFormulas()
	rain, wet, slippery := f.Variable(), f.Variable(), f.Variable()
	implies := func(a, b kernel.Lit) kernel.Lit { return f.Or(a.Not(), b) }
	rules := f.And(implies(rain, wet), implies(wet, slippery))
	fmt.Println(f.Refutes(f.Len(), f.And(rules, f.And(rain, slippery.Not())), nil))
	fmt.Println(f.Refutes(f.Len(), f.And(rules, f.And(rain.Not(), slippery)), nil))
	// Output:
	// true
	// false
}
