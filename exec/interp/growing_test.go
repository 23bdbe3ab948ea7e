package interp_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"freehold/exec/interp"
	"freehold/ir"
)

// growing makes up operations that write element %i of a tensor of numbers, once or several times, in
// branches and loops that hand it on.
type growing struct {
	r     *rand.Rand
	names int
}

func (g *growing) name() string {
	g.names++
	return fmt.Sprintf("%%v%d", g.names)
}

// write returns operations that write the tensor t, and what it is then.
func (g *growing) write(t string, depth int) (text, out string) {
	const typ = "tensor<?xindex>"
	out = g.name()
	kind := g.r.IntN(7)
	if depth == 0 {
		kind = 0
	}
	var inner, next string
	if kind > 1 {
		inner, next = g.write(t, depth-1)
	}
	switch kind {
	case 0:
		return fmt.Sprintf("%s = tensor.insert %%i into %s[%%i] : %s\n", out, t, typ), out
	case 1:
		first, x := g.write(t, depth-1)
		second, y := g.write(x, depth-1)
		return first + second, y
	case 2:
		x, fresh := g.name(), g.name()
		return fmt.Sprintf("%s = tensor.extract %s[%%i] : %s\n%s = arith.cmpi eq, %s, %%c0 : index\n%s = scf.if %s -> %s {\n%sscf.yield %s : %s\n} else {\nscf.yield %s : %s\n}\n",
			x, t, typ, fresh, x, out, fresh, typ, inner, next, typ, t, typ), out
	case 3:
		return fmt.Sprintf("%s = scf.execute_region -> %s {\n%sscf.yield %s : %s\n}\n", out, typ, inner, next, typ), out
	case 4:
		other, last := g.write(t, depth-1)
		return fmt.Sprintf("%s = scf.index_switch %%i -> %s\ncase 1 {\n%sscf.yield %s : %s\n}\ndefault {\n%sscf.yield %s : %s\n}\n", out, typ, inner, next, typ, other, last, typ), out
	case 5:
		x := g.name()
		inner, next = g.write(x, depth-1)
		return fmt.Sprintf("%s = scf.for %s = %%c0 to %%c1 step %%c1 iter_args(%s = %s) -> %s {\n%sscf.yield %s : %s\n}\n", out, g.name(), x, t, typ, inner, next, typ), out
	}
	x, again, y := g.name(), g.name(), g.name()
	inner, next = g.write(y, depth-1)
	return fmt.Sprintf("%s = scf.while (%s = %s, %s = %%true) : (%s, i1) -> %s {\nscf.condition(%s) %s : %s\n} do {\n^body(%s: %s):\n%sscf.yield %s, %%false : %s, i1\n}\n",
		out, x, t, again, typ, typ, again, x, typ, y, typ, inner, next, typ), out
}

// TestGrowingIsLinear checks that a tensor which a loop carries through branches and other loops
// is changed in place: with a copy in each iteration the test would take minutes.
func TestGrowingIsLinear(t *testing.T) {
	const n = 100_000
	for seed := range uint64(20) {
		g := &growing{r: rand.New(rand.NewPCG(seed, 1))}
		text, out := g.write("%t", 1+int(seed%4))
		m := load(t, strings.NewReplacer("BODY", text, "OUT", out).Replace(`func.func @f(%n: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  %false = arith.constant false
  %e = tensor.empty(%n) : tensor<?xindex>
  %z = linalg.fill ins(%c0 : index) outs(%e : tensor<?xindex>) -> tensor<?xindex>
  %r = scf.for %i = %c1 to %n step %c1 iter_args(%t = %z) -> tensor<?xindex> {
BODY
    scf.yield OUT : tensor<?xindex>
  }
  %last = arith.subi %n, %c1 : index
  %y = tensor.extract %r[%last] : tensor<?xindex>
  return %y : index
}`))
		fn, err := interp.Entry(m, "f")
		if err != nil {
			t.Fatal(err)
		}
		res, err := interp.Run(m, fn, []interp.Value{{Type: ir.Index, Word: n}}, interp.Options{})
		if err != nil || len(res.Findings) > 0 {
			t.Fatal(text, err, res)
		}
		if got := res.Values[0].Word; got != n-1 {
			t.Errorf("%s: got %d, not %d", text, got, n-1)
		}
	}
}
