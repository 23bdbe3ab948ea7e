package naive_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"freehold/exec/interp"
)

// affineText returns an expression of the dimensions i and j and the symbols s and t; divisors are symbols or positive numbers.
func affineText(r *rand.Rand, depth int) string {
	leaf := func() string {
		return []string{"i", "j", "s", "t", fmt.Sprint(r.IntN(9) - 4)}[r.IntN(5)]
	}
	if depth == 0 {
		return leaf()
	}
	left := affineText(r, depth-1)
	switch by := []string{"s", "t", fmt.Sprint(1 + r.IntN(4))}[r.IntN(3)]; r.IntN(6) {
	case 0:
		return fmt.Sprintf("(%s) floordiv %s", left, by)
	case 1:
		return fmt.Sprintf("(%s) ceildiv %s", left, by)
	case 2:
		return fmt.Sprintf("(%s) mod %s", left, by)
	case 3:
		return fmt.Sprintf("(%s) * %s", left, by)
	case 4:
		return fmt.Sprintf("(%s) - (%s)", left, affineText(r, depth-1))
	}
	return fmt.Sprintf("(%s) + (%s)", left, affineText(r, depth-1))
}

// Affine expressions are computed as the simple interpreter does, wherever they stand; divisors that aren't positive are mistakes.
func TestAffinePrograms(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 103))
	var list []program
	for range 500 {
		e, f := affineText(r, r.IntN(4)), affineText(r, r.IntN(3))
		list = append(list, program{"affine", fmt.Sprintf(`func.func @f(%%i: index, %%j: index, %%s: index, %%t: index, %%m: memref<8xindex>) -> (index, index, index, index) {
  %%c0 = arith.constant 0 : index
  %%c1 = arith.constant 1 : index
  %%a = affine.apply affine_map<(i, j)[s, t] -> (%[1]s)>(%%i, %%j)[%%s, %%t]
  %%b = affine.min affine_map<(i, j)[s, t] -> (%[1]s, %[2]s)>(%%i, %%j)[%%s, %%t]
  %%c = affine.max affine_map<(i, j)[s, t] -> (%[2]s, %[1]s)>(%%i, %%j)[%%s, %%t]
  %%d = affine.if affine_set<(i, j)[s, t] : (%[1]s >= 0, %[2]s - 1 == 0)>(%%i, %%j)[%%s, %%t] -> index {
    affine.yield %%c1 : index
  } else {
    affine.yield %%c0 : index
  }
  return %%a, %%b, %%c, %%d : index, index, index, index
}`, e, f)})
	}
	compareAll(t, list, 9)
}

// What can't be executed is refused, with the reason.
func TestRefusedPrograms(t *testing.T) {
	for _, body := range []string{
		"%c = arith.constant dense<0> : tensor<65536x65536x16xi8>",
		"%c = arith.constant dense<0> : tensor<4294967296x4294967296x4294967296xi8>",
		"%c = arith.constant dense_resource<there> : tensor<?xi8>",
		"%m = memref.get_global @elided : memref<4xi8>",
		"func.call @declared() : () -> ()",
	} {
		src := "memref.global @elided : memref<4xi8> = dense_resource<there>\nfunc.func private @declared()\nfunc.func @f() {\n" + body + "\n  return\n}\n"
		m, err := load(src)
		if err != nil {
			continue
		}
		if res, err := interp.Run(m, entry(t, m), nil, interp.Options{}); err == nil {
			t.Errorf("%s: %v", body, res)
		}
	}
}
