package lsp_test

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"freehold/compile"
	"freehold/driver"
	"freehold/tool/lsp"
)

// cursor takes the mark ‸ out of a text, and returns where it was.
func cursor(source string) (text string, line, character int) {
	before, after, _ := strings.Cut(source, "‸")
	return before + after, strings.Count(before, "\n"), len(before) - strings.LastIndexByte(before, '\n') - 1
}

// inFunction is a function with a line of its own, which need not be right.
func inFunction(line string) string {
	return "func.func @f(%t: tensor<4x?xf32>, %u: tensor<4x?xf32>, %m: memref<8xi8>, %i: index, %x: f32) {\n  " + line + "\n  return\n}\n"
}

// What may stand at a place is offered there, also while the line isn't right yet.
func TestCompletion(t *testing.T) {
	predicates := []string{"eq", "ne", "slt", "ult"}
	for _, tt := range []struct {
		source  string
		want    []string
		without []string
	}{
		// types
		{inFunction("%a = tensor.cast %t : ‸"), []string{"tensor<4x?xf32>", "memref<8xi8>", "index", "f32", "tensor", "vector"}, []string{"func.func"}},
		{inFunction("%a = tensor.cast %t : tensor<4x?xf32> to te‸"), []string{"tensor<4x?xf32>", "tensor"}, []string{"index", "memref<8xi8>"}},
		{inFunction("%a = memref.alloc() : memref<4x?x2xi‸>"), []string{"i8", "index"}, []string{"f32"}},
		{inFunction("%a = memref.alloc() : memref<4x‸>"), []string{"f32", "i8", "index"}, []string{"tensor", "memref<8xi8>"}},
		{inFunction("%a = memref.alloc() : memref<‸>"), []string{"f32"}, []string{"tensor"}},
		{inFunction("call @g(%i) : (index) -> ‸"), []string{"index", "tensor<4x?xf32>"}, nil},
		{inFunction("call @g(%i) : (‸"), []string{"index"}, nil},
		{inFunction("call @g(%i, %x) : (index, f‸"), []string{"f32"}, []string{"index"}},
		{"func.func @f(%x: ‸)", []string{"f32", "tensor"}, nil},
		{"func.func private @f() -> ‸", []string{"f32", "tensor"}, nil},
		// keywords of enumerations
		{inFunction("%a = arith.cmpi ‸, %i, %i : index"), predicates, []string{"func.func", "tensor"}},
		{inFunction("%a = arith.cmpi s‸"), []string{"sge", "slt"}, []string{"eq", "ult"}},
		{inFunction("%a = arith.addf %x, %x fastmath<‸> : f32"), []string{"fast", "nnan", "contract"}, nil},
		{inFunction("%a = arith.addf %x, %x fastmath<nnan,n‸> : f32"), []string{"ninf", "nsz"}, []string{"fast"}},
		{inFunction("%a = linalg.generic {indexing_maps = [], iterator_types = [\"‸"), []string{"parallel", "reduction"}, []string{"func.func"}},
		{inFunction("%a = linalg.generic {indexing_maps = [],\n     iterator_types = [\"parallel\", \"r‸"), []string{"reduction"}, []string{"parallel"}},
		// attributes
		{inFunction("%a = memref.alloc() {‸} : memref<8xi8>"), []string{"alignment"}, []string{"operandSegmentSizes", "func.func"}},
		{inFunction("%a = memref.alloc() {a‸"), []string{"alignment"}, []string{"affine.apply"}},
		{"func.func @f(%x: tensor<4xf32> {buf‸})", []string{"bufferization.writable", "bufferization.access"}, []string{"tf.aliasing_output", "bufferization.clone"}},
		{inFunction("%a = memref.alloc() {alignment = ‸} : memref<8xi8>"), nil, []string{"affine.apply", "affine_map", "alignment"}},
		{inFunction("%a = \"arith.constant\"() {value = d‸"), []string{"dense", "dense_resource"}, []string{"deallocation.free", "affine_map"}},
		{"func.func private @f() attributes {a‸", nil, []string{"affine.apply"}},
		{inFunction("%a = linalg.generic {indexing_maps = [‸"), []string{"affine_map"}, []string{"affine.apply", "dense"}},
		{inFunction("%a = arith.constant d‸"), []string{"dense"}, []string{"affine_map"}},
		{inFunction("%a = arith.addi %i, %i overflow<‸"), []string{"nsw", "nuw"}, []string{"affine.apply"}},
		{inFunction("%a = vector.reduction <‸"), []string{"add", "mul"}, []string{"affine.apply"}},
		{inFunction("%a = stablehlo.compare ‸"), []string{"EQ", "LT"}, []string{"affine.apply"}},
		{inFunction("linalg.generic {‸"), []string{"indexing_maps", "iterator_types"}, nil},
		// words of formats
		{inFunction("%a = tensor.insert %x i‸"), []string{"into"}, []string{"index"}},
		{inFunction("%a = tensor.insert %x into %t[%i, %i] i‸"), nil, []string{"into"}},
		{inFunction("%a = linalg.matmul i‸"), []string{"ins"}, []string{"outs", "index"}},
		{inFunction("%a = linalg.matmul ins(%t, %t : tensor<4x?xf32>, tensor<4x?xf32>) ‸"), []string{"outs"}, []string{"ins"}},
		{inFunction("%a = linalg.generic {indexing_maps = [], iterator_types = []}\n    ‸"), []string{"ins", "outs"}, nil},
		{inFunction("%a = tensor.insert %x into %t[%i, %i] ‸"), nil, []string{"ins", "outs"}},
		// operations
		{inFunction("‸"), []string{"arith.addf", "func.return"}, []string{"tensor<4x?xf32>"}},
		{inFunction("%a = te‸"), []string{"tensor.insert"}, []string{"tensor"}},
		{inFunction("%b = tensor.insert %x into %t[%i, %i] : tensor<4x?xf32>\n  ‸"), []string{"arith.addf"}, []string{"into", "f32"}},
		{inFunction("scf.if %c {\n  ‸\n}"), []string{"arith.addf"}, []string{"f32"}},
		{inFunction("// %a = tensor.cast %t : ‸"), nil, []string{"arith.addf"}},
		{inFunction("%a = \"arith.constant\"() {value = \"‸\"}"), nil, []string{"arith.addf"}},
	} {
		c := connect(t, "utf-8")
		text, line, character := cursor(tt.source)
		c.open(text)
		var got struct{ Items []struct{ Label string } }
		if err := json.Unmarshal([]byte(c.call("textDocument/completion", at(line, character))), &got); err != nil {
			t.Fatal(err)
		}
		var labels []string
		for _, i := range got.Items {
			labels = append(labels, i.Label)
		}
		for _, w := range tt.want {
			if !slices.Contains(labels, w) {
				t.Errorf("%s: %s isn't offered, but %.10q", tt.source, w, labels)
			}
		}
		for _, w := range tt.without {
			if slices.Contains(labels, w) {
				t.Errorf("%s: %s is offered", tt.source, w)
			}
		}
	}
}

// Signatures say how an operation is written, and which of its operands is at the cursor.
func TestSignatures(t *testing.T) {
	for _, tt := range []struct {
		line, label, active string // the text of the active parameter
	}{
		{"%a = tensor.insert ‸", "tensor.insert $scalar into $dest [ $indices ] {…} : type of dest", "$scalar"},
		{"%a = tensor.insert %x‸", "tensor.insert $scalar into $dest", "$scalar"},
		{"%a = tensor.insert %x into ‸", "tensor.insert", "$dest"},
		{"%a = tensor.insert %x into %t[%i, ‸", "tensor.insert", "$indices"},
		{"%a = tensor.insert %x into %t[%i, %i, %i‸", "tensor.insert", "$indices"},
		{"%a = arith.addf %x, ‸", "arith.addf $lhs, $rhs", "$rhs"},
		{"%a = arith.addf %x, %x : ‸", "arith.addf $lhs, $rhs", "$rhs"},
	} {
		c := connect(t, "utf-8")
		text, line, character := cursor(inFunction(tt.line))
		c.open(text)
		var got *struct {
			Signatures []struct {
				Label      string
				Parameters []struct{ Label, Documentation string }
			}
			ActiveParameter int
		}
		answer := c.call("textDocument/signatureHelp", at(line, character))
		if err := json.Unmarshal([]byte(answer), &got); err != nil || got == nil {
			t.Errorf("%s: %s, %v", tt.line, answer, err)
			continue
		}
		s := got.Signatures[0]
		if !strings.HasPrefix(s.Label, tt.label) {
			t.Errorf("%s: %s", tt.line, s.Label)
		}
		if p := s.Parameters[got.ActiveParameter]; p.Label != tt.active || p.Documentation == "" {
			t.Errorf("%s: %+v is active", tt.line, p)
		}
	}
	c := connect(t, "utf-8")
	c.open(inFunction("\n"))
	if got := c.call("textDocument/signatureHelp", at(2, 0)); got != "null" {
		t.Errorf("in an empty line: %s", got)
	}
}

// Above each function stands what memory it needs, of one on tensors once it is compiled.
func TestLenses(t *testing.T) {
	for _, tt := range []struct {
		source string
		want   []string
	}{
		{program, []string{`"compiled: peak 256 B, 1 allocation, 1 copy"`, `"command":"freehold.bufferized","arguments":["` + uri + `","1"]`, `"start":{"line":8,`}},
		{"func.func private @extern(memref<4xf32>)\nfunc.func @f(%n: index) {\n  %a = memref.alloc(%n) : memref<?xf32>\n  memref.dealloc %a : memref<?xf32>\n  return\n}\n",
			[]string{`"peak 4*%n, 1 allocation, no copies"`, `"command":""`}},
		{"func.func @f() { retrun }\n", []string{"[]"}},
		{"// nothing\n", []string{"[]"}},
	} {
		c := connect(t)
		c.open(tt.source)
		got := c.call("textDocument/codeLens", at(0, 0))
		for _, w := range tt.want {
			if !strings.Contains(got, w) {
				t.Errorf("%s\n%s lacks %s", tt.source, got, w)
			}
		}
		if strings.Contains(got, "extern") {
			t.Errorf("a function without a body: %s", got)
		}
	}
}

// What a hover says of an operation and of the memory that it becomes doesn't contradict itself.
func TestHoverAboutMemory(t *testing.T) {
	c := connect(t)
	c.open("func.func @f(%i: index) -> tensor<16xf32> {\n  %e = tensor.empty() : tensor<16xf32>\n  %j = arith.addi %i, %i : index\n  return %e : tensor<16xf32>\n}\n")
	if got := c.call("textDocument/hover", at(1, 9)); !strings.Contains(got, "This line **allocates 64 B**") || strings.Contains(got, "no memory") {
		t.Error(got)
	}
	if got := c.call("textDocument/hover", at(2, 9)); !strings.Contains(got, "It touches no memory.") {
		t.Error(got)
	}
}

// Passes are offered only where they can run: not in a program with an error.
func TestNoRewritesOfErrors(t *testing.T) {
	c := connect(t)
	c.open("func.func @f() {\n  retrun\n}\n")
	if got := c.call("textDocument/codeAction", with(at(0, 0), "range", map[string]any{"start": map[string]int{"line": 1}, "end": map[string]int{"line": 1}})); strings.Contains(got, "Canonicalize") || strings.Contains(got, "bufferized") {
		t.Error(got)
	}
}

// Notes tell buffers that are parts of an arena from those that are allocated.
func TestNotesOnArenas(t *testing.T) {
	source, err := os.ReadFile("../../examples/attention.mlir")
	if err != nil {
		t.Fatal(err)
	}
	server := lsp.NewServer(driver.Freehold(), compile.Options{}.Pipeline(), "test")
	c := connectTo(t, server)
	c.open(string(source))
	hints := c.call("textDocument/inlayHint", with(at(0, 0), "range", map[string]any{"start": map[string]int{"line": 0}, "end": map[string]int{"line": 100}}))
	for _, want := range []string{`"label":"takes 512 B of an arena"`, `"label":"allocates 16.0 KiB"`} {
		if !strings.Contains(hints, want) {
			t.Errorf("%s isn't in %s", want, hints)
		}
	}
	if got := c.call("textDocument/codeLens", at(0, 0)); !strings.Contains(got, "compiled: peak 24.0 KiB, 3 allocations, no copies") {
		t.Error(got)
	}
}

// Behind an exclamation mark are the types of dialects, besides aliases.
func TestTypesOfDialects(t *testing.T) {
	c := connect(t)
	c.open("func.func private @f(!gpu.as)\n")
	c.await(1)
	if got := c.call("textDocument/completion", at(0, 28)); !strings.Contains(got, `"label":"gpu.async.token"`) || strings.Contains(got, "tosa.shape") {
		t.Error(got)
	}
}
