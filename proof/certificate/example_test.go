package certificate_test

import (
	"fmt"

	"freehold/driver"
	"freehold/proof/certificate"
	"freehold/proof/check"
	"freehold/proof/verify"
)

// A proof is written down, read again, and verified without what found it.
func ExampleParse() {
	p, err := driver.Freehold().NewSession().Parse([]byte(`func.func @f(%flag: i1) {
  %a = memref.alloc() : memref<4xf32>
  scf.if %flag {
    memref.dealloc %a : memref<4xf32>
  } else {
    memref.dealloc %a : memref<4xf32>
  }
  return
}`), "safe.mlir")
	if err != nil {
		fmt.Println(err)
		return
	}
	_, proof, err := check.Certify(p.Module, check.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	text := proof.String()
	read, err := certificate.Parse(text)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("wrong:", verify.Program(p.Module, read, 1))
	// Output: wrong: <nil>
}
