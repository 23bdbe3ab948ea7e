package bytecode_test

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"freehold/dialect"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/bytecode"
)

// program has something of everything that is encoded.
const program = `#map = affine_map<(d0)[s0] -> (d0 + s0)>
#loc = loc("a.mlir":1:2)
module attributes {a.distinct = distinct[0]<42 : i32>, a.dict = {x = 1 : i8, y = [-3 : i64, 2.5 : f32, unit]}, a.wide = -123456789012345678901234567890 : i128} {
  memref.global "private" constant @g : memref<4xf32> = dense<[1.0, 2.0, 3.0, 4.0]> {alignment = 64 : i64}
  func.func @main(%m: memref<?xf32, strided<[?], offset: ?>>, %n: index, %c: i1 loc("n")) -> (tensor<2xf32>, vector<[4]xi8>) attributes {llvm.x = @g::@h} {
    %r = "test.resource"() {v = dense_resource<blob> : tensor<2xi8>} : () -> tensor<2xf32> loc(fused<"meta">[#loc, callsite("f" at "g")])
    %bits = arith.constant dense<[true, false, true]> : vector<3xi1>
    %splat = arith.constant dense<true> : vector<300xi1>
    %s = arith.constant sparse<[[0, 1]], [2.0]> : tensor<2x3xf64>
    %w = arith.constant 0x7FF80000 : f32
    cf.br ^last(%n : index)
  ^last(%i: index):
    %a = memref.alloc(%i) : memref<?xf32, 1>
    %v = scf.if %c -> vector<[4]xi8> {
      %z = arith.constant dense<1> : vector<[4]xi8>
      scf.yield %z : vector<[4]xi8>
    } else {
      %z = "x.unknown"(%i) <{p = "q"}> {d} : (index) -> vector<[4]xi8>
      scf.yield %z : vector<[4]xi8>
    }
    return %r, %v : tensor<2xf32>, vector<[4]xi8>
  }
}
{-#
  dialect_resources: {
    builtin: {
      blob: "0x10000000ABCD"
    }
  },
  external_resources: {
    tool: {
      flag: true,
      text: "some text"
    }
  }
#-}
`

func newContext() *ir.Context {
	c := ir.NewContext(dialect.All()...)
	c.AllowUnregistered = true
	return c
}

func parse(t testing.TB, src string) *asm.Document {
	t.Helper()
	d, err := asm.ParseDocument(newContext(), []byte(src), "a.mlir", asm.ParseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func write(t testing.TB, d *asm.Document, o bytecode.Options) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := bytecode.Write(&out, d, o); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func read(t testing.TB, data []byte) *asm.Document {
	t.Helper()
	d, err := bytecode.Read(newContext(), data, "a.mlirbc", asm.ParseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func text(d *asm.Document) string {
	return string(asm.PrintDocument(d, asm.PrintOptions{DebugInfo: true}))
}

// What is written, in any version, reads back as the same program with the same locations,
// and is written as the same bytes again.
func TestRoundTrip(t *testing.T) {
	d := parse(t, program)
	for v := bytecode.MinVersion; v <= bytecode.Version; v++ {
		want := text(d)
		if v < 5 { // in which the properties of unknown operations are attributes
			want = strings.ReplaceAll(want, `<{p = "q"}> {d}`, `{d, p = "q"}`)
		}
		data := write(t, d, bytecode.Options{Version: v})
		again := read(t, data)
		if got := text(again); got != want {
			t.Errorf("version %d:\n%s\nwant\n%s", v, got, want)
		}
		if !bytes.Equal(write(t, again, bytecode.Options{Version: v}), data) {
			t.Errorf("version %d: other bytes when written again", v)
		}
	}
}

// The order of uses, on which the work of passes may depend, is kept from version 3 on.
func TestUseOrder(t *testing.T) {
	src := `func.func @f(%a: i32) {
  "x.one"(%a, %a) : (i32, i32) -> ()
  "x.two"(%a) : (i32) -> ()
  "x.three"(%a) ({ "x.four"(%a) : (i32) -> () }) : (i32) -> ()
  return
}`
	users := func(d *asm.Document) (out string) {
		d.Module.Walk(func(op *ir.Op) bool {
			if op.Name() == "func.func" {
				for _, u := range op.BodyBlock(0).Arg(0).Uses() {
					out += u.Owner().Name() + string(rune('0'+u.Index())) + " "
				}
			}
			return true
		})
		return out
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		d := parse(t, src)
		f := d.Module.BodyBlock(0).First()
		places := make([]uint32, 5)
		for i, p := range rnd.Perm(5) {
			places[i] = uint32(p)
		}
		if !f.BodyBlock(0).Arg(0).OrderUses(places) {
			t.Fatal("no permutation")
		}
		want := users(d)
		if got := users(read(t, write(t, d, bytecode.Options{Version: bytecode.Version}))); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// Blobs are not copied: they are parts of what was read.
func TestBlobsAreShared(t *testing.T) {
	data := write(t, parse(t, program), bytecode.Options{Version: bytecode.Version})
	d := read(t, data)
	blob := d.Resources.Dialect[0].Entries[0].Blob
	i := bytes.Index(data, []byte{0xab, 0xcd})
	data[i] = 0x12
	if blob[0] != 0x12 || i%16 != 0 {
		t.Errorf("the blob is % x, at byte %d", blob, i)
	}
	elided := write(t, read(t, data), bytecode.Options{Version: bytecode.Version, ElideResources: true})
	if r := read(t, elided).Resources; len(r.Dialect[0].Entries)+len(r.External) > 0 {
		t.Error("resources were to be left out")
	}
}

// Bytes that end too early, or were changed, are errors that say where, or other programs,
// which the printer and the verifier take.
func TestHostileBytes(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	c := newContext()
	for _, v := range []int{0, 3, 4, 5, bytecode.Version} {
		data := write(t, parse(t, program), bytecode.Options{Version: v})
		for n := range data {
			if _, err := bytecode.Read(c, data[:n:n], "a", asm.ParseOptions{}); err == nil {
				t.Fatalf("version %d: the first %d bytes are a program", v, n)
			}
		}
		for range 4000 {
			bad := bytes.Clone(data)
			for range 1 + rnd.IntN(3) {
				bad[4+rnd.IntN(len(bad)-4)] = byte(rnd.Uint32())
			}
			hostile(t, c, bad)
		}
	}
}

// hostile reads bytes, with one goroutine and with several, and, if they are a program, verifies,
// prints and writes it.
func hostile(t testing.TB, c *ir.Context, data []byte) {
	d, err := bytecode.Read(c, data, "a", asm.ParseOptions{Threads: 1})
	other, failed := bytecode.ReadSplit(c, data, "a", asm.ParseOptions{Threads: 2}, 0)
	if (err == nil) != (failed == nil) || err != nil && err.Error() != failed.Error() {
		t.Fatalf("one goroutine says %v, several say %v", err, failed)
	}
	if err == nil && text(d) != text(other) {
		t.Fatalf("one goroutine reads\n%s\nseveral read\n%s", text(d), text(other))
	}
	if err != nil {
		if _, ok := err.(*ir.Diagnostic); !ok || !strings.Contains(err.Error(), "at byte") && !strings.Contains(err.Error(), "single top-level") {
			t.Fatalf("error %v doesn't say where", err)
		}
		return
	}
	if ir.Verify(d.Module) != nil {
		return
	}
	asm.PrintDocument(d, asm.PrintOptions{AssumeVerified: true})
	var out bytes.Buffer
	if err := bytecode.Write(&out, d, bytecode.Options{Version: bytecode.Version}); err != nil {
		t.Fatal(err)
	}
	if _, err := bytecode.Read(c, out.Bytes(), "a", asm.ParseOptions{}); err != nil {
		t.Fatalf("can't read what was written: %v", err)
	}
}

func FuzzRead(f *testing.F) {
	for v := bytecode.MinVersion; v <= bytecode.Version; v++ {
		f.Add(write(f, parse(f, program), bytecode.Options{Version: v}))
	}
	f.Fuzz(func(t *testing.T, data []byte) { hostile(t, newContext(), data) })
}
