package models_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"freehold/dialect"
	"freehold/exec/interp"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/proof/kernel"
)

var floatPredicates = strings.Fields("false oeq ogt oge olt ole one ord ueq ugt uge ult ule une uno true")

// pairs returns an operation for each predicate and pair of operands.
func pairs(format string, predicates []string) (ops []string) {
	for _, p := range predicates {
		for _, of := range [][2]string{{"%x", "%y"}, {"%y", "%x"}, {"%x", "%x"}, {"%y", "%y"}} {
			ops = append(ops, fmt.Sprintf(format, p, of[0], of[1]))
		}
	}
	return ops
}

// The results that comparisons of two numbers have together in some execution are just those that their formulas allow together: so
// no two are taken for opposites that aren't, NaN or not, and none that are for anything else.
func TestOutcomesOfComparisons(t *testing.T) {
	floats := strings.Fields("nan -inf -1.0 -0.0 0.0 1.0e-45 1.0 inf")
	integers := strings.Fields("-9223372036854775808 -1 0 1 9223372036854775807")
	isNaN := []string{"math.isnan %x : TYPE", "math.isnan %y : TYPE"}
	for _, c := range []struct {
		what, typ string
		numbers   []string
		ops       []string
	}{
		{"arith.cmpf", "f32", floats, append(pairs("arith.cmpf %s, %s, %s : TYPE", floatPredicates), isNaN...)},
		{"arith.cmpf of f16", "f16", []string{"nan", "-inf", "0.0", "1.0"}, append(pairs("arith.cmpf %s, %s, %s : TYPE", floatPredicates), isNaN...)},
		{"arith.cmpf without NaN", "f32", floats[1:], pairs("arith.cmpf %s, %s, %s fastmath<nnan> : TYPE", floatPredicates[1:15])},
		{"complex", "complex<f32>", strings.Fields("nan -0.0 0.0 1.0"), pairs("complex.%s %s, %s : TYPE", []string{"eq", "neq"})},
		{"arith.cmpi", "i64", integers, pairs("arith.cmpi %s, %s, %s : TYPE", predicates)},
		{"arith.cmpi and index.cmp", "index", integers, append(pairs("arith.cmpi %s, %s, %s : TYPE", predicates), pairs("index.cmp %s(%s, %s)", predicates)...)},
	} {
		t.Run(c.what, func(t *testing.T) {
			src, results, args := "func.func @f(%x: TYPE, %y: TYPE)", "", 2
			if c.typ == "complex<f32>" {
				src, args = "func.func @f(%a: f32, %b: f32, %c: f32, %d: f32)", 4
			}
			src += " -> (" + strings.Repeat("i1, ", len(c.ops)-1) + "i1) {\n"
			if args == 4 {
				src += "  %x = complex.create %a, %b : TYPE\n  %y = complex.create %c, %d : TYPE\n"
			}
			for i, op := range c.ops {
				src += fmt.Sprintf("  %%r%d = %s\n", i, op)
				results += fmt.Sprintf(", %%r%d", i)
			}
			src = strings.ReplaceAll(src+"  return "+results[2:]+" : "+strings.Repeat("i1, ", len(c.ops)-1)+"i1\n}\n", "TYPE", c.typ)
			ctx := ir.NewContext(dialect.All()...)
			module, err := asm.Parse(ctx, []byte(src), "f.mlir", asm.ParseOptions{})
			if err != nil {
				t.Fatalf("%v\n%s", err, src)
			}
			fn := module.BodyBlock(0).First()
			executed := map[string]bool{}
			for given := range tuples(c.numbers, args) {
				values := make([]interp.Value, args)
				for i, text := range given {
					if values[i], err = interp.Parse(ctx, text, fn.RegionAt(0).Entry().Arg(i).Type(), nil); err != nil {
						t.Fatal(err)
					}
				}
				run, err := interp.Run(module, fn, values, interp.Options{})
				if err != nil || run.Stopped() != nil {
					t.Fatalf("%v %v\n%s", err, run.Stopped(), src)
				}
				bits := ""
				for i := range c.ops {
					bits += fmt.Sprint(run.Values[i].Word)
				}
				executed[bits] = true
			}
			m, _, values := symbolically(t, fn)
			allowed := map[string]bool{}
			for bits := range allBits(m.F, values) {
				allowed[bits] = true
			}
			if !maps.Equal(executed, allowed) {
				t.Errorf("executions have the results\n%s\nand formulas allow\n%s", sorted(executed), sorted(allowed))
			}
		})
	}
}

// tuples yields all lists of n words.
func tuples(words []string, n int) func(yield func([]string) bool) {
	return func(yield func([]string) bool) {
		at := make([]int, n+1)
		for at[n] == 0 {
			list := make([]string, n)
			for i := range list {
				list[i] = words[at[i]]
			}
			if !yield(list) {
				return
			}
			for i := range at {
				if at[i]++; i == n || at[i] < len(words) {
					break
				}
				at[i] = 0
			}
		}
	}
}

func sorted(set map[string]bool) string {
	return strings.Join(slices.Sorted(maps.Keys(set)), "\n")
}

// allBits yields what booleans are together, for all values of the variables of their formulas.
func allBits(f *kernel.Formulas, of []kernel.Value) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		var variables []int32
		for n := range int32(f.Len()) {
			if n > 0 && f.IsVariable(n) {
				variables = append(variables, n)
			}
		}
		for values := range 1 << len(variables) {
			holds := make([]bool, f.Len())
			lit := func(l kernel.Lit) bool { return holds[l.Node()] != l.Negated() }
			for n := range int32(f.Len()) {
				if a, b, ok := f.Operands(n); ok {
					holds[n] = lit(a) && lit(b)
				} else if i, ok := slices.BinarySearch(variables, n); ok {
					holds[n] = values>>i&1 != 0
				}
			}
			bits := ""
			for _, x := range of {
				bits += map[bool]string{false: "0", true: "1"}[lit(x.Truth)]
			}
			if !yield(bits) {
				return
			}
		}
	}
}
