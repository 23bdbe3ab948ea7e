package naive_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"freehold/internal/testing/naive"
	"freehold/ir"
	"freehold/ir/asm"
)

// constantProgram returns a program that returns a constant, and reads an element of a global with the same contents.
func constantProgram(t *testing.T, r *rand.Rand) program {
	elem := strings.Fields("i1 i7 i8 i33 i64 i100 index f8E5M2 bf16 f32 f64 f80 f128 complex<f32> complex<f128> complex<f16>")[r.IntN(16)]
	typ, err := asm.ParseType(context(), elem)
	if err != nil {
		t.Fatal(err)
	}
	number := func(typ ir.Type) string {
		return literal(typ, naive.FromBits(typ, specialBits(r, typ)))
	}
	one := func() string {
		if c, ok := typ.(*ir.ComplexType); ok {
			return "(" + number(c.Elem) + ", " + number(c.Elem) + ")"
		}
		return number(typ)
	}
	text := fmt.Sprintf("[[%s, %s], [%s, %s]]", one(), one(), one(), one())
	if r.IntN(4) == 0 {
		text = one()
	}
	kind := []string{"tensor", "vector"}[r.IntN(2)]
	if strings.HasPrefix(elem, "complex") {
		kind = "tensor"
	}
	typeText := fmt.Sprintf("%s<2x2x%s>", kind, elem)
	return program{"constant " + elem, fmt.Sprintf(`memref.global "private" constant @g : memref<2x2x%[1]s> = dense<%[2]s>
func.func @f(%%i: index, %%j: index) -> (%[3]s, %[1]s) {
  %%c = arith.constant dense<%[2]s> : %[3]s
  %%m = memref.get_global @g : memref<2x2x%[1]s>
  %%e = memref.load %%m[%%i, %%j] : memref<2x2x%[1]s>
  return %%c, %%e : %[3]s, %[1]s
}`, elem, text, typeText)}
}

// Constants are what their text says, whatever their elements are.
func TestConstantPrograms(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 107))
	var list []program
	for range 400 {
		list = append(list, constantProgram(t, r))
	}
	compareAll(t, list, 5)
}
