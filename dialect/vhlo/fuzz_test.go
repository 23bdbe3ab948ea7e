package vhlo_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"freehold/dialect"
	"freehold/dialect/vhlo"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/bytecode"
)

const program = `module @m attributes {mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<?x2xf32> {jax.name = "x"}, %i: tensor<1x1xi64>) -> (tensor<1x2xf32>, tensor<2xi1>) {
    %c = stablehlo.constant dense<[true, false]> : tensor<2xi1>
    %z = stablehlo.constant dense<(1.0, -2.0)> : tensor<complex<f64>>
    %q = stablehlo.constant dense<[1, 2]> : tensor<2xui8>
    %g = "stablehlo.gather"(%arg0, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2>} : (tensor<?x2xf32>, tensor<1x1xi64>) -> tensor<1x2xf32>
    %u = stablehlo.uniform_quantize %g : (tensor<1x2xf32>) -> tensor<1x2x!quant.uniform<i8:f32, 0.5:-128>>
    %t = stablehlo.tuple %g, %c : tuple<tensor<1x2xf32>, tensor<2xi1>>
    return %g, %c : tensor<1x2xf32>, tensor<2xi1>
  }
}`

// artifact stores a program.
func artifact(t testing.TB, module *ir.Op, v vhlo.Version) []byte {
	t.Helper()
	if err := vhlo.FromStableHLO(module, v); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := bytecode.Write(&out, &asm.Document{Module: module}, bytecode.Options{Version: v.Bytecode(), Producer: v.Producer()}); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func parsed(t testing.TB, c *ir.Context) *ir.Op {
	t.Helper()
	module, err := asm.Parse(c, []byte(program), "p.mlir", asm.ParseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return module
}

// What is stored for any version is read as the same program; and of what is cut off anywhere, what is wrong is said.
func TestTruncatedArtifacts(t *testing.T) {
	c := ir.NewContext(dialect.All()...)
	want := string(asm.Print(parsed(t, c), asm.PrintOptions{}))
	for _, text := range []string{"0.9.0", "0.12.0", "0.14.0", "1.0.0", "1.9.3", "current"} {
		v, err := vhlo.ParseVersion(text)
		if err != nil {
			t.Fatal(err)
		}
		data := artifact(t, parsed(t, c), v)
		doc, err := bytecode.Read(c, data, "a.mlirbc", asm.ParseOptions{})
		if err != nil {
			t.Fatal(text, err)
		}
		if got := string(asm.Print(doc.Module, asm.PrintOptions{})); got != want {
			t.Errorf("%s: %s\nwas\n%s", text, got, want)
		}
		for n := range len(data) {
			if _, err := bytecode.Read(c, data[:n], "a.mlirbc", asm.ParseOptions{}); err == nil {
				t.Fatalf("%s: %d of %d bytes are a program", text, n, len(data))
			}
		}
	}
}

// FuzzArtifact looks for artifacts on which reading panics, and for programs in them that aren't the same when they are stored and read again.
func FuzzArtifact(f *testing.F) {
	for _, v := range []vhlo.Version{vhlo.Oldest, {Major: 1}, vhlo.Current} {
		f.Add(artifact(f, parsed(f, ir.NewContext(dialect.All()...)), v))
	}
	exports, _ := filepath.Glob("../../../shared/stablehlo/jax/*.mlirbc")
	for _, name := range exports {
		if data, err := os.ReadFile(name); err == nil {
			f.Add(data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		c := ir.NewContext(dialect.All()...)
		doc, err := bytecode.Read(c, data, "a.mlirbc", asm.ParseOptions{})
		if err != nil || ir.Verify(doc.Module) != nil {
			return
		}
		before := string(asm.Print(doc.Module, asm.PrintOptions{}))
		if vhlo.FromStableHLO(doc.Module, vhlo.Current) != nil {
			return
		}
		var out bytes.Buffer
		if err := bytecode.Write(&out, &asm.Document{Module: doc.Module}, bytecode.Options{Version: vhlo.Current.Bytecode(), Producer: vhlo.Current.Producer()}); err != nil {
			t.Fatal(err)
		}
		again, err := bytecode.Read(c, out.Bytes(), "b.mlirbc", asm.ParseOptions{})
		if err != nil {
			t.Fatalf("%v\n%s", err, before)
		}
		if after := string(asm.Print(again.Module, asm.PrintOptions{})); after != before {
			t.Errorf("%s\nwas\n%s", after, before)
		}
	})
}
