package naive_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"freehold/dialect"
	"freehold/exec/interp"
	"freehold/internal/testing/naive"
	"freehold/ir"
	"freehold/ir/asm"
)

// What differs is where the simple interpreter's numbers say so: the first element that isn't the same, nor as close as it
// may be; a different shape, or type.
func TestDifferences(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 37))
	ctx := ir.NewContext(dialect.All()...)
	values := map[string][]string{
		"f": {"0", "-0", "1", "1.5", "2", "-2", "inf", "-inf", "nan", "1.25"}, "i": {"0", "1", "-1", "5"}, "c": {"1+2i", "1-2i", "1.5+2i"},
	}
	equal, different := 0, 0
	for range 6000 {
		elem := strings.Fields("f32 f64 f16 f80 i8 i64 i100 complex<f32>")[r.IntN(8)]
		list := values[elem[:1]]
		sizes := make([]int, r.IntN(3))
		n, name := 1, elem
		for i := range sizes {
			sizes[i] = r.IntN(3)
			n *= sizes[i]
		}
		shaped := len(sizes) > 0 || r.IntN(2) == 0
		if shaped {
			name = fmt.Sprintf("tensor<%s%s>", strings.Repeat("?x", len(sizes)), elem)
		}
		typ, err := asm.ParseType(ctx, name)
		if err != nil {
			t.Fatal(err)
		}
		var text func(elems []string, d int) string
		text = func(elems []string, d int) string {
			if d == len(sizes) {
				return elems[0]
			}
			var parts []string
			for i := range sizes[d] {
				part := len(elems) / sizes[d]
				parts = append(parts, text(elems[i*part:(i+1)*part], d+1))
			}
			return "[" + strings.Join(parts, ", ") + "]"
		}
		read := func(elems []string) interp.Value {
			s := text(elems, 0)
			if n == 0 {
				s = "zeros:" + strings.Trim(strings.ReplaceAll(fmt.Sprint(sizes), " ", "x"), "[]")
			}
			v, err := interp.Parse(ctx, s, typ, nil)
			if err != nil {
				t.Fatalf("%s of %s: %v", s, name, err)
			}
			return v
		}
		if len(sizes) > 0 {
			wrong := slices.Clone(sizes)
			wrong[r.IntN(len(wrong))] = -1 - r.IntN(2)
			s := []string{"zeros:", "random:"}[r.IntN(2)] + strings.Trim(strings.ReplaceAll(fmt.Sprint(wrong), " ", "x"), "[]")
			if _, err := interp.Parse(ctx, s, typ, nil); err == nil {
				t.Fatalf("%s of %s is read", s, name)
			}
		}
		a := make([]string, n)
		for i := range a {
			a[i] = list[r.IntN(len(list))]
		}
		b := slices.Clone(a)
		for range r.IntN(3) {
			if n > 0 {
				b[r.IntN(n)] = list[r.IntN(len(list))]
			}
		}
		tol := interp.Tolerance{Absolute: []float64{0, 0, 0.25, 1}[r.IntN(4)], Relative: []float64{0, 0, 0.25}[r.IntN(3)]}
		v, w := read(a), read(b)
		want, part := -1, ir.ElementType(typ)
		for i := n - 1; i >= 0; i-- {
			if x, _ := naive.Literal(part, a[i]); !near(x, numberIn(part, b[i]), tol) {
				want = i
			}
		}
		got := interp.Difference(v, w, tol)
		if (want >= 0) != (got != "") {
			t.Fatalf("%v and %v of %s, %+v: %q", a, b, name, tol, got)
		}
		if want < 0 {
			equal++
			continue
		}
		different++
		at := ""
		for d, i := len(sizes)-1, want; d >= 0; d-- {
			at, i = strings.TrimSuffix(fmt.Sprintf("%d, %s", i%sizes[d], at), ", "), i/sizes[d]
		}
		if shaped && !strings.HasPrefix(got, "element ["+at+"], ") {
			t.Fatalf("%v and %v of %s, %+v: %q", a, b, name, tol, got)
		}
		if shaped {
			other := interp.Value{Type: typ, Tensor: read(a).Tensor}
			other.Tensor.Sizes = append([]int64{1}, other.Tensor.Sizes...)
			if interp.Difference(v, other, tol) == "" {
				t.Fatalf("%s and %s are the same", v.Shape(), other.Shape())
			}
		}
	}
	t.Logf("%d are the same, %d differ", equal, different)
}

func numberIn(t ir.Type, text string) any {
	v, _ := naive.Literal(t, text)
	return v
}

// near tells whether numbers are the same, or as close as a tolerance allows.
func near(a, b any, tol interp.Tolerance) bool {
	if x, ok := a.(naive.Complex); ok {
		y := b.(naive.Complex)
		return near(x.Re, y.Re, tol) && near(x.Im, y.Im, tol)
	}
	x, isFloat := a.(naive.Number)
	if naive.Same(a, b) || !isFloat {
		return naive.Same(a, b)
	}
	y := b.(naive.Number)
	if x.NaN || y.NaN || x.Inf || y.Inf {
		return false
	}
	size := func(n naive.Number) float64 {
		f, _ := n.Abs.Float64()
		if n.Neg {
			f = -f
		}
		return f
	}
	p, q := size(x), size(y)
	if p == q {
		return tol != interp.Tolerance{}
	}
	return max(p-q, q-p) <= tol.Absolute+tol.Relative*max(p, -p, q, -q)
}

// Arguments that a user gives are as many as the function takes, of its ranks, and fit into memory, or the error says so.
func TestMadeUpArguments(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 41))
	ctx := ir.NewContext(dialect.All()...)
	counts := map[string]int{}
	for range 3000 {
		types := make([]string, r.IntN(4))
		for i := range types {
			types[i] = strings.Fields("f32 index i8 memref<?xf32> tensor<2x?xf64> memref<3xi16>")[r.IntN(6)]
		}
		params := make([]string, len(types))
		for i, typ := range types {
			params[i] = fmt.Sprintf("%%a%d: %s", i, typ)
		}
		m, err := asm.Parse(ctx, []byte("func.func @main("+strings.Join(params, ", ")+") {\n  return\n}"), "f.mlir", asm.ParseOptions{})
		if err != nil {
			t.Fatal(err)
		}
		texts := interp.Texts{Random: r.IntN(2) == 0, Seed: r.Uint64(), Limit: []int64{0, 15, 40, 1000, 1 << 40}[r.IntN(5)]}
		given := max(0, len(types)+[]int{0, 0, 0, -1, 1}[r.IntN(5)])
		want := ""
		if given > len(types) || given < len(types) && !texts.Random {
			want = "arity"
		}
		need := int64(0)
		var shapes []string
		wrongRank := false
		for i := range max(given, len(types)) {
			text := "random"
			sizes := map[string][]int64{"memref<?xf32>": {4}, "tensor<2x?xf64>": {2, 4}, "memref<3xi16>": {3}}[append(types, "f32")[min(i, len(types))]]
			shaped := sizes != nil
			if i < given {
				text = []string{"random", "zeros"}[r.IntN(2)]
				if shaped && r.IntN(2) == 0 {
					if sizes = slices.Clone(sizes); r.IntN(8) == 0 {
						sizes = append(sizes, 1)
						wrongRank = true
					}
					sizes[0] = int64(r.IntN(6))
					text += ":" + strings.ReplaceAll(strings.Trim(fmt.Sprint(sizes), "[]"), " ", "x")
				}
				texts.Values = append(texts.Values, text)
			}
			if i >= len(types) {
				continue
			}
			shape := strings.ReplaceAll(strings.Trim(fmt.Sprint(sizes), "[]"), " ", "x")
			shapes = append(shapes, shape)
			if shaped {
				bytes := map[string]int64{"memref<?xf32>": 4, "tensor<2x?xf64>": 8, "memref<3xi16>": 2}[types[i]]
				for _, s := range sizes {
					bytes *= s
				}
				need += bytes
			}
		}
		switch {
		case want != "":
		case need > texts.Limit:
			want = "size"
		case wrongRank:
			want = "rank"
		}
		values, err := texts.Arguments(m.RegionAt(0).Entry().First())
		var arity *interp.ArityError
		var size *interp.TooLargeError
		got := ""
		switch {
		case errors.As(err, &arity):
			got = "arity"
			if arity.TooFew != (given < len(types)) {
				t.Fatalf("%v for %v: %v", texts, types, err)
			}
		case errors.As(err, &size):
			got = "size"
			if size.Need != need || size.Limit != texts.Limit {
				t.Fatalf("%v for %v: %d bytes of %d, not %d", texts, types, size.Need, size.Limit, need)
			}
		case err != nil:
			got = "rank"
		}
		if counts[got]++; got != want {
			t.Fatalf("%+v for %v: %v, not %q", texts, types, err, want)
		}
		for i, v := range values {
			if v.Shape() != shapes[i] {
				t.Fatalf("%+v for %v: argument %d has the shape %s, not %s", texts, types, i, v.Shape(), shapes[i])
			}
		}
	}
	t.Log(counts)
}
