package interp_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"freehold/exec"
	"freehold/interp"
)

// TestNestsInRuns compares the execution of random loop nests in runs with that
// element by element.
func TestNestsInRuns(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := randomNest(t)
		m := load(t, src)
		fn, err := interp.Entry(m, "f")
		if err != nil {
			t.Fatal(err)
		}
		var args []interp.Value
		for i, typ := range exec.NewProgram(m).Function(fn).Type().Inputs {
			v, err := interp.Random(typ, nil, rand.New(rand.NewPCG(1, uint64(i))))
			if err != nil {
				t.Fatal(err)
			}
			args = append(args, v)
		}
		var results [2]*interp.Result
		for i := range results {
			if results[i], err = interp.Run(m, fn, args, interp.Options{OneByOne: i == 1}); err != nil {
				t.Fatal(err)
			}
		}
		a, b := results[0], results[1]
		if da, db := describe(a.Findings), describe(b.Findings); da != db {
			t.Fatalf("findings differ\n%s\n%s\n%s", src, da, db)
		}
		if !interp.Equal(a.Values, b.Values) || len(a.Findings) == 0 && !interp.Equal(a.Buffers, b.Buffers) {
			t.Fatalf("results differ\n%s", src)
		}
	})
}

// randomNest returns a function with a linalg.generic of random sizes, maps and
// body, on tensors or on buffers.
func randomNest(t *rapid.T) string {
	dims := rapid.IntRange(1, 4).Draw(t, "dims")
	sizes := make([]int, dims)
	kinds := make([]string, dims)
	names := make([]string, dims)
	for d := range dims {
		sizes[d] = rapid.SampledFrom([]int{1, 2, 3, 5, 9, 17}).Draw(t, "size")
		kinds[d] = rapid.SampledFrom([]string{`"parallel"`, `"parallel"`, `"reduction"`}).Draw(t, "kind")
		names[d] = fmt.Sprintf("d%d", d)
	}
	elem := rapid.SampledFrom([]string{"f32", "f64", "f16", "i32", "i8", "index"}).Draw(t, "element")
	kind := rapid.SampledFrom([]string{"tensor", "memref"}).Draw(t, "kind")
	operand := func(pick func(d int) bool) (shape, amap string) {
		var exprs []string
		for _, d := range rapid.Permutation(seq(dims)).Draw(t, "order") {
			if pick(d) {
				exprs = append(exprs, names[d])
				shape += fmt.Sprintf("%dx", sizes[d])
			}
		}
		return fmt.Sprintf("%s<%s%s>", kind, shape, elem),
			fmt.Sprintf("affine_map<(%s) -> (%s)>", strings.Join(names, ", "), strings.Join(exprs, ", "))
	}
	inputs := rapid.IntRange(0, 3).Draw(t, "inputs")
	var types, maps, args, ins []string
	for i := range inputs {
		typ, m := operand(func(d int) bool { return i == 0 || rapid.Bool().Draw(t, "has") })
		types, maps = append(types, typ), append(maps, m)
		args, ins = append(args, fmt.Sprintf("%%x%d: %s", i, typ)), append(ins, fmt.Sprintf("%%x%d", i))
	}
	out, outMap := operand(func(d int) bool { return inputs == 0 || kinds[d] == `"parallel"` })
	maps = append(maps, outMap)
	args = append(args, "%o: "+out)

	// The body.
	float := strings.HasPrefix(elem, "f")
	ops := []string{"addi", "subi", "muli", "maxsi", "minui", "xori", "divui"}
	if float {
		ops = []string{"addf", "subf", "mulf", "maximumf", "divf", "minnumf"}
	}
	values := []string{"%acc"}
	var blockArgs []string
	for i := range inputs {
		values = append(values, fmt.Sprintf("%%a%d", i))
		blockArgs = append(blockArgs, fmt.Sprintf("%%a%d: %s", i, elem))
	}
	blockArgs = append(blockArgs, "%acc: "+elem)
	var body strings.Builder
	if elem == "index" && rapid.Bool().Draw(t, "index") {
		fmt.Fprintf(&body, "      %%i = linalg.index %d : index\n", rapid.IntRange(0, dims-1).Draw(t, "dim"))
		values = append(values, "%i")
	}
	value := func() string { return rapid.SampledFrom(values).Draw(t, "value") }
	if rapid.Bool().Draw(t, "mul-add") && float && inputs > 1 {
		fmt.Fprintf(&body, "      %%p = arith.mulf %%a0, %%a1 : %s\n      %%q = arith.addf %%acc, %%p : %s\n", elem, elem)
		values = []string{"%q"}
	} else {
		for i := range rapid.IntRange(0, 4).Draw(t, "operations") {
			fmt.Fprintf(&body, "      %%v%d = arith.%s %s, %s : %s\n", i, rapid.SampledFrom(ops).Draw(t, "op"), value(), value(), elem)
			values = append(values, fmt.Sprintf("%%v%d", i))
		}
	}
	insText := ""
	if inputs > 0 {
		insText = fmt.Sprintf("ins(%s : %s) ", strings.Join(ins, ", "), strings.Join(types, ", "))
	}
	result, arrow, ret := "%r = ", " -> "+out, "return %r : "+out
	sig := " -> " + out
	if kind == "memref" {
		result, arrow, ret, sig = "", "", "return", ""
	}
	return fmt.Sprintf(`func.func @f(%s)%s {
    %slinalg.generic {indexing_maps = [%s], iterator_types = [%s]} %souts(%%o : %s) {
    ^bb0(%s):
%s      linalg.yield %s : %s
    }%s
    %s
}
`, strings.Join(args, ", "), sig, result, strings.Join(maps, ", "), strings.Join(kinds, ", "), insText, out,
		strings.Join(blockArgs, ", "), body.String(), values[len(values)-1], elem, arrow, ret)
}

func seq(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}
