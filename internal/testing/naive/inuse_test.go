package naive_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"freehold/exec"
	"freehold/exec/interp"
	"freehold/internal/testing/naive"
)

// An execution ends with as much memory as the tensors need that are in use at the same time, and is stopped with less.
func TestTensorMemoryOfPrograms(t *testing.T) {
	nested := 0
	for seed := range uint64(400) {
		g := &tensorProgram{r: rand.New(rand.NewPCG(seed, 77))}
		src := g.module()
		m, err := load(src)
		if err != nil {
			t.Fatalf("%v\n%s", err, src)
		}
		fn := entry(t, m)
		args, err := inputs(fn, seed, nil)
		if err != nil {
			t.Fatal(err)
		}
		in := make([]any, len(args))
		for i, v := range args {
			in[i] = naive.Argument(v)
		}
		slow := naive.Machine{Steps: 100_000, CountTensors: true}
		if _, err := slow.Run(m, fn, in); err != nil {
			t.Fatalf("%v\n%s", err, src)
		}
		need := slow.TensorBytes
		for _, take := range []bool{false, true} {
			for _, limit := range []int64{need - 1, need} {
				given := append([]interp.Value(nil), args...)
				res, err := interp.Run(m, fn, given, interp.Options{MaxBytes: limit, TakeArguments: take})
				var large *interp.TooLargeError
				if limit < need && errors.As(err, &large) {
					continue
				}
				if err != nil {
					t.Fatalf("%v\n%s", err, src)
				}
				switch f := res.Stopped(); {
				case limit == need && f != nil:
					t.Errorf("seed %d, take %v: %d bytes aren't enough: %v\n%s", seed, take, limit, f, src)
				case limit < need && f == nil && !take:
					t.Errorf("seed %d: %d bytes are enough, of which %d are in use\n%s", seed, limit, need, src)
				case limit < need && f != nil && f.Kind != exec.MemoryLimit:
					t.Errorf("seed %d: %v\n%s", seed, f, src)
				}
			}
		}
		if g.nested {
			nested++
		}
	}
	if nested < 100 {
		t.Errorf("only %d programs have regions", nested)
	}
}

// tensorProgram makes up programs on tensors each of which an operation makes.
type tensorProgram struct {
	r      *rand.Rand
	b      strings.Builder
	next   int
	nested bool
}

// sizedTensor is a tensor of so many i16.
type sizedTensor struct {
	name string
	n    int
}

func (g *tensorProgram) module() string {
	g.function("private @g", 1, []int{2, 5}, false)
	g.function("@f", 3, []int{g.r.IntN(9), 5, 2}, true)
	return g.b.String()
}

func (g *tensorProgram) function(head string, depth int, sizes []int, calls bool) {
	var avail []sizedTensor
	fmt.Fprintf(&g.b, "func.func %s(%%c: i1, %%d: i1, %%x: i16", head)
	for i, n := range sizes {
		avail = append(avail, sizedTensor{fmt.Sprintf("%%a%d", i), n})
		fmt.Fprintf(&g.b, ", %%a%d: %s", i, typeOf(n))
	}
	g.b.WriteString(") -> tensor<5xi16> {\n  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n  %c2 = arith.constant 2 : index\n")
	v := g.block(avail, depth, 5, calls)
	fmt.Fprintf(&g.b, "  return %s : tensor<5xi16>\n}\n", v)
}

func typeOf(n int) string { return fmt.Sprintf("tensor<%dxi16>", n) }

func (g *tensorProgram) value(n int) sizedTensor {
	g.next++
	return sizedTensor{fmt.Sprintf("%%v%d", g.next), n}
}

// block writes operations, and returns a tensor of a size.
func (g *tensorProgram) block(avail []sizedTensor, depth, size int, calls bool) string {
	pick := func(n int) string {
		var of []string
		for _, v := range avail {
			if v.n == n {
				of = append(of, v.name)
			}
		}
		if len(of) > 0 {
			return of[g.r.IntN(len(of))]
		}
		v := g.value(n)
		fmt.Fprintf(&g.b, "  %s = tensor.splat %%x : %s\n", v.name, typeOf(n))
		avail = append(avail, v)
		return v.name
	}
	for range 1 + g.r.IntN(5) {
		n := []int{2, 5, 5, 30}[g.r.IntN(4)]
		typ, v := typeOf(n), sizedTensor{}
		switch kind := g.r.IntN(11); {
		case kind < 2:
			v = g.value(n)
			fmt.Fprintf(&g.b, "  %s = tensor.splat %%x : %s\n", v.name, typ)
		case kind == 2:
			v = g.value(n)
			fmt.Fprintf(&g.b, "  %s = arith.constant dense<3> : %s\n", v.name, typ)
		case kind < 5:
			x, y := pick(n), pick(n)
			v = g.value(n)
			fmt.Fprintf(&g.b, "  %s = arith.addi %s, %s : %s\n", v.name, x, y, typ)
		case kind == 5:
			x := pick(n)
			g.next++
			fmt.Fprintf(&g.b, "  %%v%d = tensor.extract %s[%%c1] : %s\n", g.next, x, typ)
			continue
		case kind == 6 && calls:
			x, y := pick(2), pick(5)
			v = g.value(5)
			fmt.Fprintf(&g.b, "  %s = func.call @g(%%d, %%c, %%x, %s, %s) : (i1, i1, i16, tensor<2xi16>, tensor<5xi16>) -> tensor<5xi16>\n", v.name, x, y)
		case kind < 9 && depth > 0:
			g.nested = true
			v = g.value(n)
			fmt.Fprintf(&g.b, "  %s = scf.if %s -> %s {\n", v.name, []string{"%c", "%d"}[g.r.IntN(2)], typ)
			fmt.Fprintf(&g.b, "  scf.yield %s : %s\n  } else {\n", g.block(avail[:len(avail):len(avail)], depth-1, n, calls), typ)
			fmt.Fprintf(&g.b, "  scf.yield %s : %s\n  }\n", g.block(avail[:len(avail):len(avail)], depth-1, n, calls), typ)
		case kind == 9 && depth > 0:
			g.nested = true
			x, to := pick(n), []string{"%c0", "%c1", "%c2"}[g.r.IntN(3)]
			v = g.value(n)
			arg := g.value(n)
			fmt.Fprintf(&g.b, "  %s = scf.for %%i%d = %%c0 to %s step %%c1 iter_args(%s = %s) -> (%s) {\n", v.name, g.next, to, arg.name, x, typ)
			fmt.Fprintf(&g.b, "  scf.yield %s : %s\n  }\n", g.block(append(avail[:len(avail):len(avail)], arg), depth-1, n, calls), typ)
		case kind == 10 && depth > 0:
			g.nested = true
			x, y := pick(n), pick(n)
			v = g.value(n)
			arg := g.value(n)
			fmt.Fprintf(&g.b, "  %s = scf.execute_region -> %s {\n  cf.cond_br %%c, ^b(%s : %s), ^b(%s : %s)\n  ^b(%s: %s):\n", v.name, typ, x, typ, y, typ, arg.name, typ)
			fmt.Fprintf(&g.b, "  scf.yield %s : %s\n  }\n", g.block(append(avail[:len(avail):len(avail)], arg), depth-1, n, calls), typ)
		default:
			continue
		}
		avail = append(avail, v)
	}
	return pick(size)
}
