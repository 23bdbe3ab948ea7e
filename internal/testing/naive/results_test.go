package naive_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"freehold/exec"
	"freehold/exec/interp"
	"freehold/internal/testing/naive"
	"freehold/ir"
	"freehold/ir/asm"
)

// made is a value and what it is, as text with the bits of each number.
type made struct {
	value interp.Value
	is    string
}

// makeValue returns a value of a type, some of whose elements may be undefined.
func makeValue(r *rand.Rand, typ ir.Type, sizes []int64) made {
	if !ir.IsShaped(typ) {
		o, is := makeElement(r, typ)
		v := interp.Value{Type: typ, Object: o}
		if w, ok := o.(uint64); ok {
			v = interp.Value{Type: typ, Word: w}
		}
		return made{v, is}
	}
	t := exec.NewTensor(exec.ElemOf(ir.ElementType(typ)), sizes, false)
	is := fmt.Sprint(ir.ElementType(typ), sizes)
	for i := range t.Elements() {
		if _, vector := typ.(*ir.VectorType); !vector && r.IntN(12) == 0 {
			is += " ?"
			continue
		}
		o, text := makeElement(r, ir.ElementType(typ))
		t.SetAt(i, o)
		is += " " + text
	}
	return made{interp.Value{Type: typ, Tensor: t}, is}
}

func makeElement(r *rand.Rand, typ ir.Type) (any, string) {
	switch t := typ.(type) {
	case *ir.ComplexType:
		re, a := makeElement(r, t.Elem)
		im, b := makeElement(r, t.Elem)
		return exec.Complex{Re: re, Im: im}, a + "|" + b
	case *ir.VectorType:
		v := makeValue(r, t, t.Shape)
		return v.value.Tensor, "(" + v.is + ")"
	}
	bits := specialBits(rand.New(rand.NewPCG(uint64(r.IntN(3)), 3)), typ)
	return exec.FromBits(typ, bits), fmt.Sprintf("%x", bits)
}

// Values are equal just if all their bits are, the undefined ones at the same places; a value of another shape or type is
// another one; and so are effects that have other values.
func TestEqualValues(t *testing.T) {
	ctx := context()
	types := strings.Fields("i1 i8 i100 f32 f80 f128 complex<f32> complex<f80> tensor<?x2xi8> tensor<?xf80> tensor<f32> memref<?xf64> vector<2xi8> vector<2xi100> tensor<?xvector<2xf32>> tensor<2x?xcomplex<f64>> tensor<?xvector<2xi100>>")
	r := rand.New(rand.NewPCG(1, 73))
	equal, differ := 0, 0
	for range 8000 {
		var pair [2]made
		name := types[r.IntN(len(types))]
		for k := range pair {
			if r.IntN(8) == 0 {
				name = types[r.IntN(len(types))]
			}
			typ, err := asm.ParseType(ctx, name)
			if err != nil {
				t.Fatal(err)
			}
			shape, _ := ir.ShapeOf(typ)
			shape = slices.Clone(shape)
			for i, n := range shape {
				if n == ir.Dynamic {
					shape[i] = int64(r.IntN(3))
				}
			}
			pair[k] = makeValue(r, typ, shape)
		}
		a, b := pair[0], pair[1]
		if r.IntN(3) == 0 {
			b = a
		}
		shaped := ir.IsShaped(a.value.Type)
		if !shaped && !ir.IsShaped(b.value.Type) && a.value.Type != b.value.Type {
			complexes := strings.HasPrefix(a.value.Type.String(), "complex") != strings.HasPrefix(b.value.Type.String(), "complex")
			if complexes && interp.Difference(a.value, b.value, interp.Tolerance{}) == "" {
				t.Fatalf("%s is %s", a.is, b.is)
			}
			continue // whose types are compared elsewhere
		}
		want := a.is == b.is && shaped == ir.IsShaped(b.value.Type)
		if got := interp.Equal([]interp.Value{a.value}, []interp.Value{b.value}); got != want {
			t.Fatalf("%s and %s: equal is %v", a.is, b.is, got)
		}
		if interp.Equal([]interp.Value{a.value}, []interp.Value{a.value, b.value}) {
			t.Fatal("lists of different lengths are equal")
		}
		if want {
			equal++
		} else {
			differ++
		}
		// What should be undefined may be anything, and all NaNs are the same.
		same := shaped == ir.IsShaped(b.value.Type) && (!shaped || ir.ElementType(a.value.Type) == ir.ElementType(b.value.Type) && a.value.Shape() == b.value.Shape())
		for i := int64(0); same && shaped && i < a.value.Tensor.Elements(); i++ {
			same = likeElements(a.value.Tensor, b.value.Tensor, i)
		}
		if same && !shaped {
			same = naive.Same(naive.ValueOf(a.value), naive.ValueOf(b.value))
		}
		if d := interp.Difference(a.value, b.value, interp.Tolerance{}); (d == "") != same {
			t.Fatalf("%s and %s: %q", a.is, b.is, d)
		}
		effects := [2][]interp.Effect{}
		for k, v := range []made{a, b} {
			effects[k] = []interp.Effect{{Text: "one"}, {Name: "g", Args: []interp.Value{v.value}, Loc: ir.Unknown}}
		}
		if d, _ := interp.EffectDifference(effects[0], effects[1], interp.Tolerance{}); (d == "") != same {
			t.Fatalf("effects with %s and %s: %q", a.is, b.is, d)
		}
		other := slices.Clone(effects[0])
		k := r.IntN(2)
		switch r.IntN(3) {
		case 0:
			other[k].Name += "h"
		case 1:
			k = 0 // of a call, the arguments count
			other[k].Text += "!"
		default:
			other[k].Args = append([]interp.Value{a.value}, other[k].Args...)
		}
		if d, _ := interp.EffectDifference(effects[0], other, interp.Tolerance{}); !strings.HasPrefix(d, fmt.Sprintf("effect %d, %s, is %s", k, effects[0][k], other[k])) {
			t.Fatalf("%v and %v: %q", effects[0], other, d)
		}
	}
	t.Logf("%d are equal, %d differ", equal, differ)
}

// likeElements tells whether element i of one tensor is what the other one says it should be.
func likeElements(want, got *exec.Tensor, i int64) bool {
	v, ok := want.Element(i)
	if !ok {
		return true
	}
	w, ok := got.Element(i)
	if !ok {
		return false
	}
	if x, ok := v.(*exec.Tensor); ok {
		y := w.(*exec.Tensor)
		for k := range x.Elements() {
			if !likeElements(x, y, k) {
				return false
			}
		}
		return true
	}
	return naive.Same(naive.Value(want.Elem.Type, v), naive.Value(got.Elem.Type, w))
}

// Random values are of the ranges that the documentation names, as many as there are, and zeros are zeros; sizes that are none
// are refused.
func TestRandomArguments(t *testing.T) {
	ctx := context()
	r := rand.New(rand.NewPCG(1, 79))
	elems := strings.Fields("i1 i8 ui8 si16 i32 i64 i100 ui100 index f16 f32 f64 f80 f128 complex<f32> complex<f80> complex<i8> vector<2xi16> vector<3xf64> vector<2x2xf80>")
	refused, seen := 0, map[string]map[string]bool{}
	for range 6000 {
		elem := elems[r.IntN(len(elems))]
		rank := r.IntN(3)
		shape, sizes := make([]string, rank), make([]int64, rank)
		for i := range rank {
			sizes[i] = int64(r.IntN(4))
			shape[i] = []string{"?", fmt.Sprint(sizes[i])}[r.IntN(2)]
		}
		name := elem
		shaped := rank > 0 || r.IntN(3) == 0
		if shaped {
			name = "tensor<" + strings.Join(append(shape, elem), "x") + ">"
		}
		if shaped && r.IntN(4) == 0 {
			name = "tensor<*x" + elem + ">"
		}
		typ, err := asm.ParseType(ctx, name)
		if err != nil {
			t.Fatal(err)
		}
		text := []string{"random", "zeros", "nothing"}[r.IntN(20)/9]
		word := text
		listed := strings.ReplaceAll(strings.Trim(fmt.Sprint(sizes), "[]"), " ", "x")
		fits := word != "nothing"
		switch r.IntN(12) {
		case 0:
			text += ":" + []string{"-1", "x", "2x", "1.5", "", "0x-3", "99999999999999999999", "9999999999x9999999999"}[r.IntN(8)]
			fits = false
		case 1:
			text += ":" + strings.TrimPrefix(listed+"x1", "x")
			fits = fits && strings.HasPrefix(name, "tensor<*")
			sizes = append(sizes, 1)
		default:
			if rank > 0 {
				text += ":" + listed
			}
		}
		v, err := interp.Parse(ctx, text, typ, r)
		if !shaped && strings.Contains(text, ":") {
			continue // sizes of a number are nobody's business
		}
		if fits != (err == nil) {
			t.Fatalf("%q of %s: %v", text, name, err)
		}
		if err != nil {
			refused++
			continue
		}
		if shaped && v.Shape() != strings.ReplaceAll(strings.Trim(fmt.Sprint(sizes), "[]"), " ", "x") {
			t.Fatalf("%q of %s is of size %q", text, name, v.Shape())
		}
		for _, x := range numbersOf(v) {
			key := word + " " + elem
			if seen[key] == nil {
				seen[key] = map[string]bool{}
			}
			seen[key][x] = true
		}
	}
	for _, elem := range elems {
		if n := len(seen["zeros "+elem]); n != 1 {
			t.Errorf("%d different zeros of %s: %v", n, elem, seen["zeros "+elem])
		}
		random := seen["random "+elem]
		limits := map[string][2]int{"i1": {2, 2}, "i8": {16, 16}, "ui8": {8, 8}, "si16": {16, 16}, "i32": {16, 16}, "i64": {16, 16}, "vector<2xi16>": {16, 16}, "i100": {16, 16}, "ui100": {16, 16}, "index": {8, 9}, "complex<i8>": {50, 256}}
		least, most := 100, 1<<20
		if l, ok := limits[elem]; ok {
			least, most = l[0], l[1]
		}
		if len(random) < least || len(random) > most {
			t.Errorf("%d different random values of %s, not %d to %d", len(random), elem, least, most)
		}
	}
	t.Logf("%d refused", refused)
}

// numbersOf returns the numbers of a value as text.
func numbersOf(v interp.Value) (out []string) {
	var list func(x any)
	list = func(x any) {
		if t, ok := x.(*naive.Tensor); ok {
			for _, e := range t.Elems {
				list(e)
			}
			return
		}
		out = append(out, naive.Show(x))
	}
	list(naive.ValueOf(v))
	return out
}

// Values without a type are passed where they are of the same kind: a word, an object, or elements.
func TestArgumentsOfOtherKinds(t *testing.T) {
	ctx := context()
	kinds := [][]string{strings.Fields("i8 f32 index i1"), strings.Fields("i100 f80 complex<f32>"), strings.Fields("tensor<2xf32> memref<2xf32> tensor<?xi8>")}
	for wanted, names := range kinds {
		for _, name := range names {
			m, err := asm.Parse(ctx, []byte("func.func @f(%x: "+name+") {\n  return\n}"), "f.mlir", asm.ParseOptions{})
			if err != nil {
				t.Fatal(err)
			}
			for given, others := range kinds {
				for _, other := range others {
					typ, err := asm.ParseType(ctx, other)
					if err != nil {
						t.Fatal(err)
					}
					v, err := interp.Random(typ, nil, nil)
					if err != nil {
						t.Fatal(err)
					}
					if v.Type = nil; given != wanted || given != 2 {
						_, err = interp.Run(m, m.RegionAt(0).Entry().First(), []interp.Value{v}, interp.Options{})
						if (err == nil) != (given == wanted) {
							t.Errorf("a value of %s for %s: %v", other, name, err)
						}
					}
				}
			}
		}
	}
}
