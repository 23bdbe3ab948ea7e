package naive_test

import (
	"math/rand/v2"
	"sync"
	"testing"

	"freehold/dialect"
	"freehold/exec/interp"
	"freehold/internal/testing/irgen"
	"freehold/internal/testing/naive"
	"freehold/ir"
	"freehold/ir/asm"
)

// simpleValue, show and same are those of the package, for what the tests add.
func simpleValue(v interp.Value) any { return naive.ValueOf(v) }

func show(v any) string {
	if v, ok := v.(typedNumber); ok {
		return naive.Show(v.Number)
	}
	return naive.Show(v)
}

func same(a, b any) bool {
	if x, ok := a.(typedNumber); ok {
		y, ok := b.(typedNumber)
		return ok && naive.Same(x.Number, y.Number)
	}
	return naive.Same(a, b)
}

// context is that of all programs: to make one takes longer than to execute most of them.
var context = sync.OnceValue(func() *ir.Context { return ir.NewContext(dialect.All()...) })

// load parses and verifies a program; the error tells what is wrong with it.
func load(src string) (*ir.Op, error) {
	m, err := asm.Parse(context(), []byte(src), "test.mlir", asm.ParseOptions{})
	if err == nil {
		err = ir.Verify(m)
	}
	return m, err
}

// inputs returns arguments for a function: small numbers, extreme ones, and such that may
// be positions.
func inputs(fn *ir.Op, k uint64, sizes func(t ir.Type) []int64) ([]interp.Value, error) {
	g := interp.Generator{Seed: k, OneNaN: true, Special: []int{0, 0, 3}[k%3], Turn: int(k), Natural: k%3 == 1, Size: 1 + int64(k%4), Sizes: sizes, Most: int64(k % 5)}
	args, _, err := g.Arguments(fn)
	return args, err
}

// TestPrograms compares executions of random programs.
func TestPrograms(t *testing.T) {
	for _, g := range irgen.Generators {
		if g.Idle || g.Lower != "" || g.Name == "limits" { // which has operations on shapes
			continue
		}
		ran := 0
		for k := uint64(0); k < 900 && (k < 60 || ran < 30); k++ { // some generators mostly make what isn't known here
			rnd := rand.New(rand.NewPCG(k, 1))
			src := g.Generate(rnd.IntN, 20)
			m, err := load(src)
			if err != nil {
				t.Fatal(err)
			}
			fn, err := interp.Entry(m, "main")
			if err != nil {
				t.Fatal(err)
			}
			var sizes func(t ir.Type) []int64
			if g.Sizes != nil {
				sizes = func(t ir.Type) []int64 { shape, _ := ir.ShapeOf(t); return g.Sizes(len(shape)) }
			}
			args, err := inputs(fn, k, sizes)
			if err != nil {
				t.Fatal(err)
			}
			want := naive.Execute(m, fn, args, 200_000)
			if want.Unknown && g.Odd {
				continue
			}
			if want.Unknown {
				t.Errorf("%s: %s", g.Name, want.Wrong)
				break
			}
			if want.Unended {
				continue
			}
			ran++
			for _, oneByOne := range []bool{false, true} {
				if d := naive.Differ(want, naive.ExecuteChecked(m, fn, args, oneByOne)); d != "" {
					t.Errorf("%s, %d, one by one %v: %s\n%s", g.Name, k, oneByOne, d, src)
				}
			}
			// Who doesn't need the arguments any more gets the same.
			if taken, err := inputs(fn, k, sizes); err == nil {
				res, err := interp.Run(m, fn, taken, interp.Options{TakeArguments: true})
				if err != nil {
					t.Fatal(err)
				}
				if d := naive.Differ(want, naive.OutcomeOf(res)); d != "" {
					t.Errorf("%s, %d, with arguments taken: %s\n%s", g.Name, k, d, src)
				}
				for i, a := range taken {
					if a.Tensor != nil {
						t.Errorf("%s, %d: argument %d is kept", g.Name, k, i)
					}
				}
			}
			if t.Failed() {
				return
			}
		}
		if ran < 30 {
			t.Errorf("%s: only %d programs were executed", g.Name, ran)
		}
	}
}
