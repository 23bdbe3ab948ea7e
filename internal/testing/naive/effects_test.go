package naive_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"freehold/dialect"
	"freehold/exec"
	"freehold/exec/interp"
	"freehold/ir"
	"freehold/ir/asm"
)

// What programs print, which functions without bodies they call and which unknown operations they have, in this order, are
// their effects; what unknown operations return is what the function says that stands for them.
func TestEffectsOfPrograms(t *testing.T) {
	ctx := ir.NewContext(dialect.All()...)
	ctx.AllowUnregistered = true
	r := rand.New(rand.NewPCG(1, 83))
	for range 600 {
		src := "func.func private @g(%x: i32)\nfunc.func private @h(%x: i32) {\n  return\n}\nfunc.func @main(%a: f64, %b: f32, %c: i32) -> i32 {\n"
		a, b := float64(r.IntN(4000)-2000)/float64(1+r.IntN(9)), float32(r.IntN(100))*1e-7
		switch r.IntN(8) {
		case 0, 1:
			a *= 1e9
		case 2:
			a = []float64{math.NaN(), math.Copysign(math.NaN(), -1), math.Inf(1), math.Inf(-1), math.Copysign(0, -1)}[r.IntN(5)]
		}
		c, last := int32(r.IntN(2000)-1000), "%c"
		value := c
		var want []string
		print := func(text string) {
			if n := len(want); n > 0 && strings.HasPrefix(want[n-1], "print:") {
				want[n-1] += text
				return
			}
			want = append(want, "print:"+text)
		}
		for k := range 1 + r.IntN(8) {
			switch r.IntN(8) {
			case 0:
				src += "  vector.print %a : f64\n"
				text := strings.ToLower(strings.TrimPrefix(fmt.Sprintf("%.6g\n", a), "+"))
				if a != a && math.Signbit(a) {
					text = "-" + text
				}
				print(text)
			case 1:
				src += "  vector.print %b : f32 punctuation <comma>\n"
				print(fmt.Sprintf("%.6g, ", b))
			case 2:
				src += "  vector.print str \"n = \"\n"
				print("n = ")
			case 3:
				src += fmt.Sprintf("  vector.print %s : i32 punctuation <no_punctuation>\n", last)
				print(fmt.Sprint(value))
			case 4:
				src += fmt.Sprintf("  call @g(%s) : (i32) -> ()\n", last)
				want = append(want, fmt.Sprintf("g %d", value))
			case 6:
				// Memory that an unknown operation returns need not be freed.
				src += fmt.Sprintf("  %%m%d = \"t.make\"() : () -> memref<2xi32>\n", k)
				want = append(want, "t.make")
				if r.IntN(2) == 0 {
					src += fmt.Sprintf("  memref.dealloc %%m%d : memref<2xi32>\n", k)
				}
			case 5:
				src += fmt.Sprintf("  call @h(%s) : (i32) -> ()\n", last)
			default:
				// Of an unknown operation, as many results as it has operands, turned round.
				name := []string{"t.op", "t.other"}[r.IntN(2)]
				src += fmt.Sprintf("  %%r%d:2 = \"%s\"(%%c, %s) : (i32, i32) -> (i32, i32)\n", k, name, last)
				want = append(want, fmt.Sprintf("%s %d %d", name, c, value))
				pick := r.IntN(2)
				last, value = fmt.Sprintf("%%r%d#%d", k, pick), []int32{value, c}[pick]
			}
		}
		src += fmt.Sprintf("  return %s : i32\n}\n", last)
		m, err := asm.Parse(ctx, []byte(src), "effects.mlir", asm.ParseOptions{})
		if err != nil {
			t.Fatalf("%v\n%s", err, src)
		}
		fn, err := interp.Entry(m, "")
		if err != nil {
			t.Fatal(err)
		}
		args := []interp.Value{{Type: ir.F64, Word: exec.FloatWord(ir.F64, a)}, {Type: ir.F32, Word: exec.FloatWord(ir.F32, float64(b))}, {Type: ir.I32, Word: uint64(uint32(c))}}
		numbers := map[string]int{}
		turn := func(call *interp.Call) ([]interp.Value, error) {
			if call.Number != numbers[call.Name] {
				t.Fatalf("call %d of %s, not %d\n%s", call.Number, call.Name, numbers[call.Name], src)
			}
			numbers[call.Name]++
			switch len(call.Results) {
			case 0:
				return nil, nil
			case 1:
				return []interp.Value{{Type: call.Results[0], Tensor: exec.NewTensor(exec.ElemOf(ir.I32), []int64{2}, true)}}, nil
			}
			return []interp.Value{call.Args[1], call.Args[0]}, nil
		}
		res, err := interp.Run(m, fn, args, interp.Options{Otherwise: turn})
		if err != nil || len(res.Findings) > 0 {
			t.Fatalf("%v %v\n%s", err, res, src)
		}
		var got []string
		output := ""
		for _, e := range res.Effects {
			if e.Name == "" {
				got = append(got, "print:"+e.Text)
				output += e.Text
				continue
			}
			text := e.Name
			for _, v := range e.Args {
				text += " " + v.Text()
			}
			got = append(got, text)
		}
		if !reflect.DeepEqual(got, want) || output != res.Output() {
			t.Fatalf("the effects are %q, not %q; %q is printed\n%s", got, want, res.Output(), src)
		}
		if int32(res.Values[0].Word) != value {
			t.Fatalf("the result is %s, not %d\n%s", res.Values[0].Text(), value, src)
		}
		if _, err := interp.Run(m, fn, args, interp.Options{}); (strings.Contains(src, "\"t.") || strings.Contains(src, "call @g")) != (err != nil) {
			t.Fatalf("without what stands for others: %v\n%s", err, src)
		}
	}
}

// Of operations that nothing is known about, those are executed that have neither regions nor successors and end no block;
// registered ones only where their dialect says so.
func TestUnknownOperations(t *testing.T) {
	ctx := ir.NewContext(dialect.All()...)
	ctx.AllowUnregistered = true
	for src, executed := range map[string]bool{
		`"t.op"() : () -> ()`:                            true,
		`"t.op"() ({ "t.end"() : () -> () }) : () -> ()`: false,
		`"t.br"() [^a] : () -> ()` + "\n^a:":             false,
		`"t.end"() : () -> ()` + "\n^a:":                 false,
		`%x = "t.op"() : () -> i32`:                      true,
		`transform.test_nothing`:                         false,
		`%m = memref.alloc() : memref<2xf32>` + "\n" + `test.copy(%m, %m) : (memref<2xf32>, memref<2xf32>)` + "\nmemref.dealloc %m : memref<2xf32>": true,
	} {
		m, err := asm.Parse(ctx, []byte("func.func @f() {\n"+src+"\n  return\n}\n"), "unknown.mlir", asm.ParseOptions{})
		if err != nil {
			continue // of a dialect that isn't there
		}
		_, err = interp.Run(m, entry(t, m), nil, interp.Options{Otherwise: interp.Arbitrary(1)})
		if (err == nil) != executed {
			t.Errorf("%s: %v", src, err)
		}
	}
}

// What executions one after the other did is the sum of what each did, but for the most memory.
func TestSumsOfStatistics(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 89))
	for range 100 {
		var a, b exec.Stats
		x, y := reflect.ValueOf(&a).Elem(), reflect.ValueOf(&b).Elem()
		for i := range x.NumField() {
			x.Field(i).SetInt(r.Int64N(1000))
			y.Field(i).SetInt(r.Int64N(1000))
		}
		sum := a
		sum.Add(&b)
		for i := range x.NumField() {
			want := x.Field(i).Int() + y.Field(i).Int()
			if name := x.Type().Field(i).Name; name == "PeakBytes" {
				want = max(x.Field(i).Int(), y.Field(i).Int())
			}
			if got := reflect.ValueOf(sum).Field(i).Int(); got != want {
				t.Fatalf("%s of %+v and %+v is %d", x.Type().Field(i).Name, a, b, got)
			}
		}
	}
}

// A function is found by its name, or where only one can be meant.
func TestEntries(t *testing.T) {
	ctx := context()
	r := rand.New(rand.NewPCG(1, 97))
	found, refused := 0, 0
	for range 2000 {
		src := ""
		var public []string
		hidden := 0 // private ones
		main, bodies := false, map[string]bool{}
		names := strings.Fields("main first second third")
		r.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
		if r.IntN(6) == 0 {
			src += "memref.global @firsts : memref<2xf32>\n"
		}
		for _, name := range names[:r.IntN(4)] {
			private, body := "", ""
			if r.IntN(3) == 0 {
				private = "private "
			}
			if r.IntN(3) > 0 || private == "" {
				body = " {\n  return\n}"
				bodies[name] = true
				if private == "" {
					public = append(public, name)
				} else {
					hidden++
				}
				main = main || name == "main"
			}
			src += fmt.Sprintf("func.func %s@%s()%s\n", private, name, body)
		}
		m, err := asm.Parse(ctx, []byte(src), "entries.mlir", asm.ParseOptions{})
		if err != nil {
			t.Fatal(err)
		}
		ask := []string{"", "", "main", "first", "secund"}[r.IntN(5)]
		want := ask
		switch {
		case ask == "" && main:
			want = "main"
		case ask == "" && len(public) == 1:
			want = public[0]
		case ask == "":
			want = "?"
		}
		fn, err := interp.Entry(m, ask)
		if there := strings.Contains(src, "@"+want+"("); there != (err == nil) {
			t.Fatalf("%q in\n%s: %v", ask, src, err)
		}
		if err == nil {
			found++
			if name, _ := ir.SymbolName(fn); name != want {
				t.Fatalf("%q in\n%s is @%s", ask, src, name)
			}
			continue
		}
		refused++
		hint := ask == "secund" && bodies["second"]
		if hint != strings.Contains(err.Error(), "did you mean @second?") || ask != "" && !strings.Contains(err.Error(), "@"+ask) {
			t.Fatalf("%q in\n%s: %v", ask, src, err)
		}
		ambiguous, ok := err.(*interp.AmbiguousError)
		// Those that are private are named where no other one is there.
		listed := len(public)
		if listed == 0 {
			listed = hidden
		}
		if ok != (ask == "" && listed > 0) || ok && len(ambiguous.Notes) != listed {
			t.Fatalf("%q in\n%s: %v", ask, src, err)
		}
	}
	t.Logf("%d found, %d refused", found, refused)
}

// Of very many effects, and of very large ones, the first are kept.
func TestManyEffectsOfPrograms(t *testing.T) {
	for _, c := range []struct {
		calls, elements, kept int
	}{{9_999, 1, 9_999}, {10_000, 1, 10_000}, {10_050, 1, 10_000}, {5, 1 << 20, 3}, {2, 1 << 22, 0}} {
		src := fmt.Sprintf(`func.func private @g(%%x: memref<%[1]dxi8>)
func.func @main(%%x: memref<%[1]dxi8>) {
  %%c0 = arith.constant 0 : index
  %%c1 = arith.constant 1 : index
  %%n = arith.constant %[2]d : index
  scf.for %%i = %%c0 to %%n step %%c1 {
    func.call @g(%%x) : (memref<%[1]dxi8>) -> ()
  }
  return
}`, c.elements, c.calls)
		m, err := load(src)
		if err != nil {
			t.Fatal(err)
		}
		args, err := (interp.Texts{Random: true, Limit: 1 << 24}).Arguments(entry(t, m))
		if err != nil {
			t.Fatal(err)
		}
		res, err := interp.Run(m, entry(t, m), args, interp.Options{Otherwise: interp.Arbitrary(1)})
		if err != nil || len(res.Effects) != c.kept {
			t.Errorf("%d calls with %d elements: %v, %d effects are kept, not %d", c.calls, c.elements, err, len(res.Effects), c.kept)
		}
	}
}
