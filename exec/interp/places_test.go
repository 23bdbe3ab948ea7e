package interp_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"freehold/exec/interp"
)

// dividing are operations that divide by zero, in one line or several; the finding is in the line that ends
// with "here".
var dividing = []string{
	"linalg.div ins(%a, %a : memref<4xi32>, memref<4xi32>) outs(%o : memref<4xi32>) // here\n",
	"linalg.div_unsigned ins(%a, %a : memref<4xi32>, memref<4xi32>) outs(%o : memref<4xi32>) // here\n",
	"linalg.elemwise_binary {fun = #linalg.binary_fn<div>} ins(%a, %a : memref<4xi32>, memref<4xi32>) outs(%o : memref<4xi32>) // here\n",
	"linalg.map { arith.divsi } ins(%a, %a : memref<4xi32>, memref<4xi32>) outs(%o : memref<4xi32>) // here\n",
	"linalg.map ins(%a : memref<4xi32>) outs(%o : memref<4xi32>)\n(%x: i32) {\n%y = arith.divui %x, %x : i32 // here\nlinalg.yield %y : i32\n}\n",
	"linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = [\"parallel\"]}\nins(%a : memref<4xi32>) outs(%o : memref<4xi32>) {\n^body(%x: i32, %y: i32):\n%q = arith.remsi %x, %x : i32 // here\nlinalg.yield %q : i32\n}\n",
	"%q = arith.divsi %zero, %zero : i32 // here\n",
	"scf.parallel (%i) = (%c0) to (%c1) step (%c1) {\n%q = arith.ceildivsi %zero, %zero : i32 // here\n}\n",
}

// around are operations around others.
var around = []string{
	"scf.if %true {\nBODY}\n",
	"scf.for %i# = %c0 to %c1 step %c1 {\nBODY}\n",
	"scf.execute_region {\nBODYscf.yield\n}\n",
	"memref.alloca_scope {\nBODY}\n",
	"BODY%n# = arith.addi %c0, %c1 : index\n",
	"\n%n# = arith.addi %c0, %c1 : index\nBODY",
}

// A finding is where the operation is that does something wrong, or, if that is nowhere in the source, where the
// operation around it is.
func TestPlacesOfFindings(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 77))
	for i := range 200 {
		text := dividing[i%len(dividing)]
		for k := range r.IntN(4) {
			text = strings.NewReplacer("BODY", text, "#", fmt.Sprint("_", k)).Replace(around[r.IntN(len(around))])
		}
		src := "func.func @f(%a: memref<4xi32>, %o: memref<4xi32>) {\n%zero = arith.constant 0 : i32\n%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n%true = arith.constant true\n" + text + "return\n}\n"
		before, _, _ := strings.Cut(src, "// here")
		want := 1 + strings.Count(before, "\n")
		got := describe(runText(t, src, interp.Options{}, "zeros", "zeros").Findings)
		if !strings.HasPrefix(strings.TrimSpace(got[strings.Index(got, "\n"):]), fmt.Sprint(want, ": ")) {
			t.Fatalf("%s: it is in line %d, not\n%s", src, want, got)
		}
	}
}
