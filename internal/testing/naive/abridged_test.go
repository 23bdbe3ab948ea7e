package naive_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"freehold/exec"
	"freehold/exec/interp"
	"freehold/ir"
)

// Of more than 256 elements, those at both ends of each dimension are written, three of them.
func TestAbridgedTexts(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 109))
	for range 300 {
		sizes := make([]int64, 1+r.IntN(3))
		for i := range sizes {
			sizes[i] = []int64{0, 1, 2, 5, 6, 7, 8, 40, 257, 300}[r.IntN(10-3*len(sizes)+3)]
		}
		v := exec.NewTensor(exec.ElemOf(ir.I32), sizes, false)
		n := v.Elements()
		for i := range n {
			if r.IntN(50) > 0 {
				v.SetWord(i, uint64(uint32(i)))
			}
		}
		at := int64(0)
		var write func(d int, shown bool) string
		write = func(d int, shown bool) string {
			if d == len(sizes) {
				at++
				if _, ok := v.Word(at - 1); !ok {
					return "?"
				}
				return fmt.Sprint(at - 1)
			}
			var parts []string
			for i := range sizes[d] {
				text := write(d+1, shown)
				switch {
				case n <= 256 || sizes[d] <= 6 || i < 3 || i >= sizes[d]-3:
					parts = append(parts, text)
				case i == 3:
					parts = append(parts, "...")
				}
			}
			if d == len(sizes)-1 {
				return "[" + strings.Join(parts, ", ") + "]"
			}
			return "[" + strings.Join(parts, ",\n"+strings.Repeat(" ", d+1)) + "]"
		}
		value := interp.Value{Type: context().RankedTensor(sizes, ir.I32), Tensor: v}
		if got, want := value.Text(), write(0, true); got != want {
			t.Fatalf("of size %v:\n%s\nnot\n%s", sizes, got, want)
		}
	}
}

// Dense literals are what lists are, where sizes are known.
func TestDenseLiterals(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 113))
	for range 400 {
		rows, columns := int64(1+r.IntN(3)), int64(1+r.IntN(3))
		var lines []string
		for range rows {
			var line []string
			for range columns {
				line = append(line, fmt.Sprint(r.IntN(200)-100))
			}
			lines = append(lines, "["+strings.Join(line, ", ")+"]")
		}
		list := "[" + strings.Join(lines, ", ") + "]"
		typ := ir.Type(context().RankedTensor([]int64{rows, columns}, ir.I16))
		want, err := interp.Parse(context(), list, typ, nil)
		if err != nil {
			t.Fatal(err)
		}
		got, err := interp.Parse(context(), "dense<"+list+">", typ, nil)
		if err != nil || !interp.Equal([]interp.Value{want}, []interp.Value{got}) {
			t.Fatalf("dense<%s> is %s, %v", list, got.Text(), err)
		}
		for _, bad := range []struct {
			text string
			typ  ir.Type
		}{
			{"dense<" + list + ">", context().RankedTensor([]int64{ir.Dynamic, columns}, ir.I16)},
			{"dense<" + list + ">", context().UnrankedTensor(ir.I16)},
			{"dense<" + list + ">", ir.I16},
			{"dense<" + list, typ},
			{"dense<" + list + ">", context().RankedTensor([]int64{rows + 1, columns}, ir.I16)},
			{"dense_resource<x>", typ},
		} {
			if v, err := interp.Parse(context(), bad.text, bad.typ, nil); err == nil {
				t.Fatalf("%s of %s is %s", bad.text, bad.typ, v.Text())
			}
		}
		// The error is about the argument, and says what is wrong.
		m, err := load(fmt.Sprintf("func.func @f(%%a: index, %%b: tensor<%dx%dxi16>) {\n  return\n}", rows, columns))
		if err != nil {
			t.Fatal(err)
		}
		for _, texts := range [][]string{{"1", "dense<" + list}, {"x", list}, {"@none.npy", list}} {
			_, err := interp.Texts{Values: texts, Limit: 1 << 20}.Arguments(entry(t, m))
			which := 0
			if texts[0] == "1" {
				which = 1
			}
			if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("argument %d: ", which)) || strings.Contains(err.Error(), "<unknown>") {
				t.Fatalf("%q: %v", texts, err)
			}
		}
		if _, err := (interp.Texts{Values: []string{"1", list}, Limit: 1}).Arguments(entry(t, m)); err != nil {
			t.Fatalf("%s: %v", list, err) // what is given is there already
		}
	}
}
