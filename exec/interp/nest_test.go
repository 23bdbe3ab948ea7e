package interp_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"freehold/exec"
	"freehold/exec/interp"
	"freehold/internal/testing/naive"
	"freehold/ir"
)

// TestNestsInRuns compares the execution of random loop nests in runs with that
// element by element, and with the simple interpreter, also where some of the buffers are the same.
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
		places := interp.OwnPlaces(len(args))
		for i := range places {
			for j := range i {
				if ir.IsMemRef(args[i].Type) && args[i].Type == args[j].Type && places[j].In == j && rapid.IntRange(0, 3).Draw(t, "alias") == 0 {
					places[i].In = j
					break
				}
			}
		}
		var results [2]*interp.Result
		for i := range results {
			if results[i], err = interp.Run(m, fn, args, interp.Options{OneByOne: i == 1, Places: places}); err != nil {
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
		in := make([]any, len(args))
		for i, v := range args {
			if in[i] = naive.Argument(v); places[i].In != i {
				in[i] = in[places[i].In]
			}
		}
		if d := naive.Differ(naive.ExecuteOn(m, fn, in, 4000), naive.OutcomeOf(a)); d != "" {
			t.Fatalf("%s\n%s", d, src)
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
	operand := func(input bool, pick func(d int) bool) (shape, amap string) {
		var exprs []string
		var lengths []int
		add := func(expr string, n int) {
			exprs, lengths = append(exprs, expr), append(lengths, n)
			shape += fmt.Sprintf("%dx", n)
		}
		for _, d := range rapid.Permutation(seq(dims)).Draw(t, "order") {
			if !pick(d) {
				continue
			}
			other := rapid.IntRange(0, dims-1).Draw(t, "other")
			switch how := rapid.IntRange(0, 11).Draw(t, "map"); {
			case !input || how > 4:
				add(names[d], sizes[d])
			case how == 0:
				add(names[d]+" floordiv 2", (sizes[d]+1)/2)
			case how == 1:
				add(names[d]+" mod 3", 3)
			case how == 2:
				add(fmt.Sprintf("%s + %s", names[d], names[other]), sizes[d]+sizes[other])
			case how == 3:
				add(fmt.Sprintf("%s * 2 + 1", names[d]), 2*sizes[d])
			default:
				add(fmt.Sprintf("%d - %s", sizes[d]-1, names[d]), sizes[d])
			}
		}
		layout := ""
		if kind == "memref" && len(lengths) > 0 && rapid.IntRange(0, 3).Draw(t, "layout") == 0 {
			// Rows that are apart, columns before rows, elements that are apart.
			strides, n := make([]string, len(lengths)), rapid.IntRange(1, 2).Draw(t, "stride")
			for _, k := range rapid.Permutation(seq(len(lengths))).Draw(t, "nesting") {
				strides[k] = fmt.Sprint(n)
				n *= lengths[k] + rapid.IntRange(0, 1).Draw(t, "gap")
			}
			layout = fmt.Sprintf(", strided<[%s], offset: %d>", strings.Join(strides, ", "), rapid.IntRange(0, 2).Draw(t, "offset"))
		}
		return fmt.Sprintf("%s<%s%s%s>", kind, shape, elem, layout),
			fmt.Sprintf("affine_map<(%s) -> (%s)>", strings.Join(names, ", "), strings.Join(exprs, ", "))
	}
	inputs := rapid.IntRange(0, 3).Draw(t, "inputs")
	if rapid.IntRange(0, 3).Draw(t, "product") == 0 {
		return productNest(t, kind)
	}
	var types, maps, args, ins []string
	for i := range inputs {
		typ, m := operand(i > 0, func(d int) bool { return i == 0 || rapid.Bool().Draw(t, "has") })
		if i == inputs-1 && i > 0 && rapid.IntRange(0, 4).Draw(t, "scalar") == 0 {
			typ, m = elem, fmt.Sprintf("affine_map<(%s) -> ()>", strings.Join(names, ", "))
		}
		types, maps = append(types, typ), append(maps, m)
		args, ins = append(args, fmt.Sprintf("%%x%d: %s", i, typ)), append(ins, fmt.Sprintf("%%x%d", i))
	}
	out, outMap := operand(false, func(d int) bool { return inputs == 0 || kinds[d] == `"parallel"` })
	maps = append(maps, outMap)
	args = append(args, "%o: "+out, "%k: "+elem)

	// The body.
	float := strings.HasPrefix(elem, "f")
	ops := []string{"addi", "subi", "muli", "maxsi", "minui", "xori", "divui"}
	if float {
		ops = []string{"addf", "subf", "mulf", "maximumf", "divf", "minnumf"}
	}
	values := []string{"%acc", "%k"}
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
		// Mostly what is computed by kernels, now and then something that is only like it.
		factors := rapid.Permutation([]string{"%a0", "%a1"}).Draw(t, "factors")
		terms := rapid.Permutation([]string{"%acc", "%p"}).Draw(t, "terms")
		yield := "%q"
		switch rapid.IntRange(0, 15).Draw(t, "odd") {
		case 0:
			factors[0] = "%acc"
		case 1:
			factors[1] = "%acc"
		case 2:
			terms[0] = "%a1"
		case 3:
			yield = "%p"
		case 4:
			factors[1] = "%k"
		}
		fmt.Fprintf(&body, "      %%p = arith.mulf %s, %s : %s\n      %%q = arith.addf %s, %s : %s\n", factors[0], factors[1], elem, terms[0], terms[1], elem)
		values = []string{yield}
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

// productNest returns a function with sums of products, such as those of vectors, matrices and vectors, and matrices, with rows
// or columns next to each other.
func productNest(t *rapid.T, kind string) string {
	elem := rapid.SampledFrom([]string{"f32", "f64"}).Draw(t, "element")
	form := rapid.SampledFrom([]struct{ dims, x, y, out string }{
		{"i", "i", "i", ""}, {"i", "i", "i", "i"}, {"ij", "ij", "j", "i"}, {"ij", "j", "ij", "j"}, {"ij", "i", "j", "ij"}, {"ij", "ij", "ij", "ij"},
		{"ijk", "ik", "kj", "ij"}, {"ijk", "ik", "jk", "ij"}, {"ikj", "ik", "kj", "ij"}, {"kij", "ki", "kj", "ij"}, {"ij", "ji", "i", "j"}, {"ij", "ij", "", "ij"},
	}).Draw(t, "form")
	sizes, names, kinds := map[rune]int{}, []string{}, []string{}
	for _, d := range form.dims {
		sizes[d] = rapid.SampledFrom([]int{1, 3, 4, 5, 9}).Draw(t, "size")
		names = append(names, string(d))
		kinds = append(kinds, map[bool]string{true: `"parallel"`, false: `"reduction"`}[strings.ContainsRune(form.out, d)])
	}
	operand := func(indices string) (typ, amap string) {
		var list []string
		for _, d := range indices {
			typ += fmt.Sprintf("%dx", sizes[d])
			list = append(list, string(d))
		}
		return fmt.Sprintf("%s<%s%s>", kind, typ, elem), fmt.Sprintf("affine_map<(%s) -> (%s)>", strings.Join(names, ", "), strings.Join(list, ", "))
	}
	x, xMap := operand(form.x)
	y, yMap := operand(form.y)
	out, outMap := operand(form.out)
	factors := rapid.Permutation([]string{"%a", "%b"}).Draw(t, "factors")
	terms := rapid.Permutation([]string{"%acc", "%p"}).Draw(t, "terms")
	result, arrow, ret, sig := "%r = ", " -> "+out, "return %r : "+out, " -> "+out
	if kind == "memref" {
		result, arrow, ret, sig = "", "", "return", ""
	}
	return fmt.Sprintf(`func.func @f(%%x: %[1]s, %%y: %[2]s, %%o: %[3]s)%[4]s {
  %[5]slinalg.generic {indexing_maps = [%[6]s, %[7]s, %[8]s], iterator_types = [%[9]s]} ins(%%x, %%y : %[1]s, %[2]s) outs(%%o : %[3]s) {
  ^bb0(%%a: %[10]s, %%b: %[10]s, %%acc: %[10]s):
    %%p = arith.mulf %[11]s, %[12]s : %[10]s
    %%q = arith.addf %[13]s, %[14]s : %[10]s
    linalg.yield %%q : %[10]s
  }%[15]s
  %[16]s
}
`, x, y, out, sig, result, xMap, yMap, outMap, strings.Join(kinds, ", "), elem, factors[0], factors[1], terms[0], terms[1], arrow, ret)
}

func seq(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}
