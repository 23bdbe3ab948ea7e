package asm_test

import (
	"testing"

	"freehold/ir"
	"freehold/ir/asm"
)

const printerSource = `#m = affine_map<(d0) -> (d0 + 1)>
"a.b"() ({
^bb0(%x: memref<2xf32, #m> loc("arg")):
  %c = t.named : i32 loc("one"("f":1:2))
  %d = t.named : i32 loc(fused["f":1:2, unknown])
  "br"(%c)[^bb1, ^bb2] : (i32) -> ()
^bb1:
  "br"()[^bb2] : () -> ()
^bb2:
  %p:2 = "pair"(%c) : (i32) -> (i32, i32)
  "use"(%p#1, %x) {m = affine_map<(d0) -> (d0)>, a = [#m]} : (i32, memref<2xf32, #m>) -> ()
}) : () -> () loc("f":3:4)
"a.c"() ({
  %c = t.named : i32
}) : () -> ()
`

// nameByType suggests a name for integers alone.
func nameByType(v *ir.Value) string {
	if _, ok := v.Type().(*ir.IntegerType); ok {
		return "int"
	}
	return ""
}

func TestPrintOptions(t *testing.T) {
	m := parseFormatted(t, printerSource)
	for _, x := range []struct {
		name string
		o    asm.PrintOptions
		want string
	}{
		{"default", asm.PrintOptions{}, `#map = affine_map<(d0) -> (d0 + 1)>
#map1 = affine_map<(d0) -> (d0)>
module {
  "a.b"() ({
  ^bb0(%arg0: memref<2xf32, #map>):
    %c = t.named : i32
    %c_0 = t.named : i32
    "br"(%c)[^bb1, ^bb2] : (i32) -> ()
  ^bb1:  // pred: ^bb0
    "br"()[^bb2] : () -> ()
  ^bb2:  // 2 preds: ^bb0, ^bb1
    %0:2 = "pair"(%c) : (i32) -> (i32, i32)
    "use"(%0#1, %arg0) {a = [#map], m = #map1} : (i32, memref<2xf32, #map>) -> ()
  }) : () -> ()
  "a.c"() ({
    %c = t.named : i32
  }) : () -> ()
}
`},
		{"generic", asm.PrintOptions{Generic: true}, `#map = affine_map<(d0) -> (d0 + 1)>
#map1 = affine_map<(d0) -> (d0)>
"builtin.module"() ({
  "a.b"() ({
  ^bb0(%arg0: memref<2xf32, #map>):
    %1 = "t.named"() : () -> i32
    %2 = "t.named"() : () -> i32
    "br"(%1)[^bb1, ^bb2] : (i32) -> ()
  ^bb1:  // pred: ^bb0
    "br"()[^bb2] : () -> ()
  ^bb2:  // 2 preds: ^bb0, ^bb1
    %3:2 = "pair"(%1) : (i32) -> (i32, i32)
    "use"(%3#1, %arg0) {a = [#map], m = #map1} : (i32, memref<2xf32, #map>) -> ()
  }) : () -> ()
  "a.c"() ({
    %0 = "t.named"() : () -> i32
  }) : () -> ()
}) : () -> ()
`},
		{"local scope, skipped regions", asm.PrintOptions{LocalScope: true, SkipRegions: true}, "module {...}"},
		{"locations", asm.PrintOptions{DebugInfo: true}, `#loc2 = loc("arg")
#map = affine_map<(d0) -> (d0 + 1)>
#map1 = affine_map<(d0) -> (d0)>
module {
  "a.b"() ({
  ^bb0(%arg0: memref<2xf32, #map> loc("arg")):
    %c = t.named : i32 loc(#loc10)
    %c_0 = t.named : i32 loc(#loc3)
    "br"(%c)[^bb1, ^bb2] : (i32) -> () loc(#loc4)
  ^bb1:  // pred: ^bb0
    "br"()[^bb2] : () -> () loc(#loc5)
  ^bb2:  // 2 preds: ^bb0, ^bb1
    %0:2 = "pair"(%c) : (i32) -> (i32, i32) loc(#loc6)
    "use"(%0#1, %arg0) {a = [#map], m = #map1} : (i32, memref<2xf32, #map>) -> () loc(#loc7)
  }) : () -> () loc(#loc1)
  "a.c"() ({
    %c = t.named : i32 loc(#loc9)
  }) : () -> () loc(#loc8)
} loc(#loc)
#loc = loc("test.mlir":0:0)
#loc1 = loc("f":3:4)
#loc3 = loc("f":1:2)
#loc4 = loc("test.mlir":6:3)
#loc5 = loc("test.mlir":8:3)
#loc6 = loc("test.mlir":10:10)
#loc7 = loc("test.mlir":11:3)
#loc8 = loc("test.mlir":13:1)
#loc9 = loc("test.mlir":14:8)
#loc10 = loc("one"(#loc3))
`},
		{"users", asm.PrintOptions{ValueUsers: true}, `#map = affine_map<(d0) -> (d0 + 1)>
#map1 = affine_map<(d0) -> (d0)>
module {
  "a.b"() ({
  ^bb0(%arg0: memref<2xf32, #map>):
    // %arg0 is used by %5
    %c = t.named : i32 // users: %4#0, %4#1, %2
    %c_0 = t.named : i32 // unused
    "br"(%c)[^bb1, ^bb2] : (i32) -> () // id: %2
  ^bb1:  // pred: ^bb0
    "br"()[^bb2] : () -> ()
  ^bb2:  // 2 preds: ^bb0, ^bb1
    %4:2 = "pair"(%c) : (i32) -> (i32, i32) // users: (unused), (%5)
    "use"(%4#1, %arg0) {a = [#map], m = #map1} : (i32, memref<2xf32, #map>) -> () // id: %5
  }) : () -> ()
  "a.c"() ({
    %c = t.named : i32 // unused
  }) : () -> ()
}
`},
		{"names", asm.PrintOptions{Name: nameByType}, `#map = affine_map<(d0) -> (d0 + 1)>
#map1 = affine_map<(d0) -> (d0)>
module {
  "a.b"() ({
  ^bb0(%arg0: memref<2xf32, #map>):
    %int = t.named : i32
    %int_0 = t.named : i32
    "br"(%int)[^bb1, ^bb2] : (i32) -> ()
  ^bb1:  // pred: ^bb0
    "br"()[^bb2] : () -> ()
  ^bb2:  // 2 preds: ^bb0, ^bb1
    %int_1:2 = "pair"(%int) : (i32) -> (i32, i32)
    "use"(%int_1#1, %arg0) {a = [#map], m = #map1} : (i32, memref<2xf32, #map>) -> ()
  }) : () -> ()
  "a.c"() ({
    %int = t.named : i32
  }) : () -> ()
}
`},
	} {
		t.Run(x.name, func(t *testing.T) {
			x.o.AssumeVerified = true
			got := string(asm.Print(m, x.o))
			if got != x.want {
				t.Errorf("got\n%swant\n%s", got, x.want)
			}
		})
	}
	// What is nested in another operation is printed inline.
	use := m.BodyBlock(0).First().RegionAt(0).Last().Last()
	got := string(asm.Print(use, asm.PrintOptions{AssumeVerified: true}))
	want := `"use"(%0#1, %arg0) {a = [affine_map<(d0) -> (d0 + 1)>], m = affine_map<(d0) -> (d0)>} : (i32, memref<2xf32, affine_map<(d0) -> (d0 + 1)>>) -> ()`
	if got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestPrintResources(t *testing.T) {
	const src = `module {
  "a.b"() {x = dense_resource<b> : tensor<1xi8>, y = dense_resource<a> : tensor<1xi8>} : () -> ()
}

{-#
  dialect_resources: {
    builtin: {
      b: "0x0100000001",
      a: "0x0100000002"
    }
  },
  external_resources: {
    mine: {
      k: true,
      s: "text"
    },
    other: {
      k: false
    }
  }
#-}
`
	c := ir.NewContext(formatDialects...)
	c.AllowUnregistered = true
	d, err := asm.ParseDocument(c, []byte(src), "f", asm.ParseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if got := string(asm.PrintDocument(d, asm.PrintOptions{AssumeVerified: true})); got != src {
		t.Errorf("got\n%swant\n%s", got, src)
	}
}

// benchmarkSource is a program of 10000 operations, and the context to read it in.
func benchmarkSource() (*ir.Context, []byte) {
	c := ir.NewContext(formatDialects...)
	src := []byte("%i = \"d.ef\"() : () -> index\n")
	for range 10000 {
		src = append(src, "t.groups %i : index with(%i, %i) {x = 1 : i64}\n"...)
	}
	c.AllowUnregistered = true
	return c, src
}

func BenchmarkParse(b *testing.B) {
	c, src := benchmarkSource()
	b.ReportAllocs()
	b.SetBytes(int64(len(src)))
	for b.Loop() {
		if _, err := asm.Parse(c, src, "f", asm.ParseOptions{}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkPrint(b *testing.B) {
	c, src := benchmarkSource()
	m, err := asm.Parse(c, src, "f", asm.ParseOptions{})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		b.SetBytes(int64(len(asm.Print(m, asm.PrintOptions{AssumeVerified: true}))))
	}
}
