package naive_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"freehold/exec"
	"freehold/exec/interp"
	"freehold/internal/testing/naive"
	"freehold/ir"
	"freehold/ir/asm"
)

// Declared functions get the arguments that the simple interpreter gives them, in the same order, and the program goes
// on with what they write and return.
func TestExternalPrograms(t *testing.T) {
	types := []string{"i32", "f64", "i100", "index", "tensor<2x?xf32>", "memref<?xf32>", "memref<2x3xi8>", "vector<4xi16>", "memref<?xi100>"}
	r := rand.New(rand.NewPCG(1, 43))
	calls := 0
	for n := range 400 {
		// What a function returns are arguments of the same types, and it turns its buffers round.
		var ins, outs []string
		for range 1 + r.IntN(4) {
			ins = append(ins, types[r.IntN(len(types))])
		}
		var picks []int
		for range r.IntN(3) {
			picks = append(picks, r.IntN(len(ins)))
			outs = append(outs, ins[picks[len(picks)-1]])
		}
		src := externalProgram(ins, outs, picks, 1+r.IntN(3))
		m, err := load(src)
		if err != nil {
			t.Fatalf("%v\n%s", err, src)
		}
		fn := entry(t, m)
		args, err := inputs(fn, uint64(n), nil)
		if err != nil {
			t.Fatal(err)
		}
		var in []any
		for _, v := range args {
			in = append(in, naive.Argument(v))
		}
		contents := func(v any) any {
			if mem, ok := v.(*naive.MemRef); ok {
				return mem.Contents()
			}
			return v
		}
		var seen [][]any
		machine := naive.Machine{Steps: 10_000, External: func(_ string, args []any) (results []any) {
			var list []any
			for _, a := range args {
				list = append(list, contents(a))
			}
			seen = append(seen, list)
			for _, k := range picks {
				v := list[k]
				if _, ok := args[k].(*naive.MemRef); ok {
					v = naive.NewMemRef(v.(*naive.Tensor))
				}
				results = append(results, v)
			}
			for i, a := range args {
				if mem, ok := a.(*naive.MemRef); ok {
					e := list[i].(*naive.Tensor)
					turned := &naive.Tensor{Type: e.Type, Sizes: e.Sizes, Elems: slices.Clone(e.Elems)}
					slices.Reverse(turned.Elems)
					mem.Fill(turned)
				}
			}
			return results
		}}
		results, err := machine.Run(m, fn, in)
		want := naive.Outcome{Values: []any{}}
		var wrong *naive.Wrong
		if errors.As(err, &wrong) {
			want.Wrong, want.Kind = wrong.Error(), wrong.Kind
		} else if err != nil {
			t.Fatalf("%v\n%s", err, src)
		}
		for _, v := range results {
			want.Values = append(want.Values, contents(v))
		}
		for _, v := range in {
			if mem, ok := v.(*naive.MemRef); ok {
				want.Values = append(want.Values, mem.Contents())
			}
		}
		numbers := map[string]int{}
		external := func(call *interp.Call) ([]interp.Value, error) {
			if call.Number != numbers[call.Name] || len(call.Results) != len(picks) {
				return nil, fmt.Errorf("call %d, not %d", call.Number, numbers[call.Name])
			}
			numbers[call.Name]++
			var results []interp.Value
			for _, k := range picks {
				v := call.Args[k]
				if v.Tensor != nil {
					v.Tensor = v.Tensor.Clone()
				}
				results = append(results, v)
			}
			for i, a := range call.Args {
				if !ir.IsMemRef(a.Type) {
					if call.Write(i, a.Tensor) == nil {
						return nil, errors.New("what is no memref can be written")
					}
					continue
				}
				turned := exec.NewTensor(a.Tensor.Elem, a.Tensor.Sizes, true)
				for k := range turned.Elements() {
					turned.SetAt(k, a.Tensor.At(turned.Elements()-1-k))
				}
				if err := call.Write(i, turned); err != nil {
					return nil, err
				}
			}
			return results, nil
		}
		o := interp.Options{Externals: map[string]interp.External{"g": external}, Otherwise: external}
		res, err := interp.Run(m, fn, args, o)
		if err != nil {
			t.Fatalf("%v\n%s", err, src)
		}
		got := naive.Outcome{}
		if f := res.Stopped(); f != nil {
			got.Wrong = f.Error()
		}
		for _, v := range slices.Concat(res.Values, res.Buffers) {
			if v.Type != nil {
				got.Values = append(got.Values, naive.ValueOf(v))
			}
		}
		if d := naive.Differ(want, got); d != "" {
			t.Fatalf("%s\n%s", d, src)
		}
		if len(res.Effects) != len(seen) {
			t.Fatalf("%d effects, not %d\n%s", len(res.Effects), len(seen), src)
		}
		for i, e := range res.Effects {
			calls++
			for k, a := range e.Args {
				if !naive.Same(seen[i][k], naive.ValueOf(a)) {
					t.Fatalf("argument %d of call %d is %s, not %s\n%s", k, i, naive.Show(naive.ValueOf(a)), naive.Show(seen[i][k]), src)
				}
			}
		}
		// The same program has the same effects, and what one more or one less does differs.
		if d, _ := interp.EffectDifference(res.Effects, slices.Clone(res.Effects), interp.Tolerance{}); d != "" {
			t.Fatalf("differs from itself: %s", d)
		}
		for _, other := range [][]interp.Effect{res.Effects[1:], append(slices.Clone(res.Effects), interp.Effect{Text: "!"})} {
			if d, _ := interp.EffectDifference(res.Effects, other, interp.Tolerance{}); d == "" {
				t.Fatalf("%d effects are as good as %d", len(other), len(res.Effects))
			}
		}
		// Any function may stand for it: what it returns depends on the seed alone.
		first, err := interp.Run(m, fn, args, interp.Options{Otherwise: interp.Arbitrary(uint64(n))})
		if err != nil {
			t.Fatal(err)
		}
		again, err := interp.Run(m, fn, args, interp.Options{Otherwise: interp.Arbitrary(uint64(n))})
		if err != nil || !interp.Equal(first.Values, again.Values) {
			t.Fatalf("%v: arbitrary functions do something else each time\n%s", err, src)
		}
		for i, v := range first.Values {
			if v.Type.String() != res.Values[i].Type.String() {
				t.Fatalf("result %d is of type %s", i, v.Type)
			}
		}
		if _, err := interp.Run(m, fn, args, interp.Options{}); err == nil {
			t.Fatalf("a function without a body is executed\n%s", src)
		}
		if _, err := interp.Run(m, fn, args, interp.Options{Otherwise: func(*interp.Call) ([]interp.Value, error) { return make([]interp.Value, len(picks)+1), nil }}); err == nil {
			t.Fatalf("too many results are taken\n%s", src)
		}
	}
	t.Logf("%d calls", calls)
}

// externalProgram calls @g a few times, and returns the results of the last call.
func externalProgram(ins, outs []string, picks []int, calls int) string {
	params, args, inTypes, outTypes := "", "", "", ""
	sep := func(i int) string {
		if i > 0 {
			return ", "
		}
		return ""
	}
	for i, t := range ins {
		params += fmt.Sprintf("%s%%a%d: %s", sep(i), i, t)
		args += fmt.Sprintf("%s%%a%d", sep(i), i)
		inTypes += sep(i) + t
	}
	for i, t := range outs {
		outTypes += sep(i) + t
	}
	src := fmt.Sprintf("func.func private @g(%s) -> (%s)\nfunc.func @f(%s) -> (%s) {\n", inTypes, outTypes, params, outTypes)
	values := ""
	for n := range calls {
		left := ""
		if len(outs) > 0 {
			left = fmt.Sprintf("%%r%d:%d = ", n, len(outs))
		}
		src += fmt.Sprintf("  %scall @g(%s) : (%s) -> (%s)\n", left, args, inTypes, outTypes)
	}
	for i := range outs {
		values += fmt.Sprintf("%s%%r%d#%d", sep(i), calls-1, i)
	}
	if len(outs) == 0 {
		return src + "  return\n}\n"
	}
	return src + fmt.Sprintf("  return %s : %s\n}\n", values, outTypes)
}

// Constants that stand apart from the program are what their bytes say, as constants in it are; those without contents
// can be made up, the same each time and zeros and ones if they are integers.
func TestResourcesOfPrograms(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 47))
	for range 200 {
		elem := []string{"i8", "i16", "i32", "i64", "f32", "f64", "f16"}[r.IntN(7)]
		size := map[string]int{"i8": 1, "i16": 2, "f16": 2, "i32": 4, "f32": 4, "i64": 8, "f64": 8}[elem]
		rows, columns := r.IntN(4), 1+r.IntN(4)
		typ := fmt.Sprintf("tensor<%dx%dx%s>", rows, columns, elem)
		data := make([]byte, rows*columns*size)
		for i := range data {
			data[i] = byte(r.IntN(256))
		}
		src := fmt.Sprintf("func.func @f() -> %s {\n  %%r = arith.constant dense_resource<blob> : %s\n  return %%r : %s\n}\n", typ, typ, typ)
		literal := fmt.Sprintf("func.func @f() -> %s {\n  %%r = arith.constant dense<\"0x%X\"> : %s\n  return %%r : %s\n}\n", typ, data, typ, typ)
		if rows == 0 {
			literal = fmt.Sprintf("func.func @f() -> %s {\n  %%r = arith.constant dense<> : %s\n  return %%r : %s\n}\n", typ, typ, typ)
		}
		document := fmt.Sprintf("%s\n{-#\n  dialect_resources: {\n    builtin: {\n      other: \"0x0400000001\",\n      blob: \"0x04000000%X\"\n    }\n  }\n#-}\n", src, data)
		doc, err := asm.ParseDocument(context(), []byte(document), "blob.mlir", asm.ParseOptions{})
		if err != nil {
			t.Fatalf("%v\n%s", err, document)
		}
		if found := interp.Resources(doc); len(found) != 2 || !bytes.Equal(found["blob"], data) || len(found["other"]) != 1 {
			t.Fatalf("%v is found in\n%s", found, document)
		}
		run := func(src string, o interp.Options) (*interp.Result, error) {
			m, err := load(src)
			if err != nil {
				t.Fatalf("%v\n%s", err, src)
			}
			return interp.Run(m, entry(t, m), nil, o)
		}
		want, err := run(literal, interp.Options{})
		if err != nil {
			t.Fatal(err)
		}
		got, err := run(src, interp.Options{Resources: map[string][]byte{"blob": data}})
		if err != nil || !interp.Equal(want.Values, got.Values) {
			t.Fatalf("%v: other contents\n%s", err, src)
		}
		if _, err := run(src, interp.Options{Resources: map[string][]byte{"blob": append(data, 0)}}); err == nil {
			t.Fatal("a byte too many is taken")
		}
		if _, err := run(src, interp.Options{Resources: map[string][]byte{"other": data}}); !errors.Is(err, exec.ErrElided) && !isElided(err) {
			t.Fatalf("a constant without contents: %v", err)
		}
		seeds := []uint64{r.Uint64(), r.Uint64()}
		made, err := run(src, interp.Options{Elided: &seeds[0]})
		if err != nil {
			t.Fatal(err)
		}
		again, err := run(src, interp.Options{Elided: &seeds[0]})
		if err != nil || !interp.Equal(made.Values, again.Values) {
			t.Fatal("another constant is made up the second time")
		}
		if e := naive.ValueOf(made.Values[0]).(*naive.Tensor); elem[0] == 'i' {
			for _, x := range e.Elems {
				if s := naive.Show(x); s != "0" && s != "1" {
					t.Fatalf("a made-up integer is %s", s)
				}
			}
		}
	}
}

// Constants without contents can be made up of any elements, the same ones each time, and others for another seed.
func TestElidedConstantsOfPrograms(t *testing.T) {
	for _, elem := range []string{"i1", "i8", "i64", "i100", "index", "f16", "f64", "f80", "f128", "complex<f32>"} {
		for _, rank := range []string{"7x", "2x5x", ""} {
			typ := fmt.Sprintf("tensor<%s%s>", rank, elem)
			m, err := load(fmt.Sprintf("func.func @f() -> %[1]s {\n  %%r = arith.constant dense_resource<there> : %[1]s\n  return %%r : %[1]s\n}\n", typ))
			if err != nil {
				continue // there are no such constants
			}
			var made []interp.Value
			for _, seed := range []uint64{3, 3, 4} {
				res, err := interp.Run(m, entry(t, m), nil, interp.Options{Elided: &seed})
				if err != nil {
					t.Fatalf("%s: %v", typ, err)
				}
				made = append(made, res.Values[0])
			}
			if !interp.Equal(made[:1], made[1:2]) || interp.Equal(made[:1], made[2:]) && rank != "" {
				t.Errorf("%s: %s, %s and %s", typ, made[0].Text(), made[1].Text(), made[2].Text())
			}
			for _, x := range numbersOf(made[0]) {
				if (elem[0] == 'i' && elem != "i100") && x != "0" && x != "1" {
					t.Errorf("%s: %s", typ, x)
				}
			}
		}
	}
}

func isElided(err error) bool {
	var e *exec.ElidedError
	return errors.As(err, &e)
}
