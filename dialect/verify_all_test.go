package dialect_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"freehold/dialect"
	"freehold/ir"
	"freehold/ir/asm"
)

// All errors that don't depend on each other are found, the first one first.
func TestVerifyAll(t *testing.T) {
	for _, test := range []struct {
		name, src string
		want      []string
	}{
		{"none", `func.func @f() { return }`, nil},
		{"operations, also in regions", `func.func @f(%a: f32, %c: i1) {
  %0 = "arith.addi"(%a, %a) : (f32, f32) -> f32
  scf.if %c {
    %1 = "arith.addi"(%a, %0) : (f32, f32) -> f32
    "arith.addf"() : () -> ()
  }
  "arith.negf"(%a) : (f32) -> ()
  return
}`, []string{"'arith.addi' op operand #0 must be signless", "'arith.addi' op operand #0 must be signless", "'arith.addf' op requires one result", "'arith.negf' op requires one result"}},
		{"functions and symbols", `func.func private @g(i32)
func.func @f(%a: f32) {
  func.call @h(%a) : (f32) -> ()
  %0 = "arith.negf"(%a) : (f32) -> i32
  return
}
func.func @e() { return }
func.func @i(%a: f32) -> f32 {
  func.call @g(%a) : (f32) -> ()
  return
}`, []string{"'arith.negf' op result #0 must be", "'func.return' op has 0 operands", "'func.call' op operand type mismatch", "'func.call' op 'h' does not reference"}},
		{"a broken symbol", `func.func private @g(i32)
"func.func"() ({}) {sym_name = "h"} : () -> ()
func.func @f(%a: f32) {
  func.call @h(%a) : (f32) -> ()
  return
}`, []string{"'func.func' op requires attribute 'function_type'"}},
		{"dominance", `func.func @f(%a: i32) {
  %0 = arith.addi %1, %2 : i32
  %1 = arith.addi %a, %a : i32
  %2 = arith.addi %0, %3 : i32
  %3 = arith.addi %0, %a : i32
  return
}`, []string{"operand #0 does not dominate this use", "operand #1 does not dominate this use", "operand #1 does not dominate this use"}},
		{"terminators", `func.func @f(%a: i32) {
  "cf.br"()[^b] : () -> ()
  "arith.addi"() : () -> ()
^b:
  "arith.addi"() : () -> ()
}`, []string{"operation with block successors must terminate", "'arith.addi' op requires one result", "block with no terminator"}},
	} {
		m, err := asm.Parse(ir.NewContext(dialect.All()...), []byte(test.src), "f.mlir", asm.ParseOptions{})
		if err != nil {
			t.Fatalf("%s: %v", test.name, err)
		}
		first, all := diagnostics(ir.Verify(m)), diagnostics(ir.VerifyAll(m))
		if !slices.EqualFunc(all, test.want, strings.HasPrefix) {
			t.Errorf("%s:\n%s\nwant\n%s", test.name, strings.Join(all, "\n"), strings.Join(test.want, "\n"))
		}
		if len(first) > 0 && (len(all) == 0 || first[0] != all[0]) {
			t.Errorf("%s: the first error is %s", test.name, first[0])
		}
	}
}

func diagnostics(err error) (out []string) {
	var ds ir.Diagnostics
	errors.As(err, &ds)
	for _, d := range ds {
		out = append(out, d.Message)
	}
	return out
}
