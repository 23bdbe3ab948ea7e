package dialect_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"freehold/dialect"
	"freehold/ir"
	"freehold/ir/asm"
)

// messages returns the errors with their lines and columns.
func messages(err error) []string {
	var ds ir.Diagnostics
	if err != nil && !errors.As(err, &ds) {
		return []string{err.Error()}
	}
	var out []string
	for _, d := range ds {
		p, _ := ir.SourcePos(d.Loc)
		out = append(out, fmt.Sprintf("%d:%d %s", p.Line, p.Col, d.Message))
		for _, n := range d.Notes {
			out = append(out, "note: "+n.Message)
		}
	}
	return out
}

// recovering parses with all errors.
func recovering(src string, tokens *asm.Tokens) (*asm.Document, error) {
	ctx := ir.NewContext(dialect.All()...)
	return asm.ParseDocument(ctx, []byte(src), "f.mlir", asm.ParseOptions{Recover: true, Tokens: tokens})
}

// The parser goes on after errors, and reports none that is only there because of
// another one.
func TestRecovery(t *testing.T) {
	for _, test := range []struct {
		name, src string
		want      []string
	}{
		{"unknown operations and what they define", `func.func @f(%a: i32) -> i32 {
  %x = arith.nope %a : i32
  %y:2 = arith.nope2 %x : i32
  %z = arith.addi %x, %y#1 : i32
  return %z : i32
}
func.func @g() {
  arith.nope3
  return
}`, []string{"2:8 custom op 'arith.nope' is unknown", "3:10 custom op 'arith.nope2' is unknown", "8:3 custom op 'arith.nope3' is unknown"}},
		{"uses before and types of unknown values", `func.func @f() {
  cf.br ^b
^c:
  %z = arith.addi %x, %x : i64
  return
^b:
  %x = arith.constant 1 : nope
  %u = arith.addf %x, %x : f32
  cf.br ^c
}`, []string{"7:26 expected non-function type"}},
		{"header of a function", `func.func @f(%a: i32, %b: ) -> i32 {
  %x = arith.addi %a, %b : i32
  %y = arith.nope %c : i32
  return %x : i32
}
func.func @g(%a: nope) { return }`, []string{"1:26 expected non-function type", "3:8 custom op 'arith.nope' is unknown", "6:17 expected non-function type"}},
		{"header of a loop, in and behind it", `func.func @f(%n: index, %t: f32) {
  %c = arith.constant 0 : index
  %r = scf.for %i = %c to %n stp %n iter_args(%x = %t) -> (f32) {
    %y = arith.addf %x, %x : f32
    %z = arith.index_cast %i : index too i32
    scf.yield %y : f32
  }
  %s = arith.addf %r, %r : f32
  arith.addf %s
  return
}`, []string{"3:30 custom op 'scf.for' expected 'step'", "5:38 custom op 'arith.index_cast' expected 'to'", "9:16 expected ','"}},
		{"nested regions", `func.func @f(%c: i1) {
  scf.if %c {
    scf.if %d {
      arith.nope
    } else {
      "arith.addi"( : () -> ()
    }
    arith.nope
  }
  return
}`, []string{"3:12 use of undeclared SSA value name", "4:7 custom op 'arith.nope' is unknown", "6:20 expected ')' to end operand list", "8:5 custom op 'arith.nope' is unknown"}},
		{"labels", `func.func @f(%a: i32) {
  cf.br ^b(%a : i32)
^b(%x i32):
  %y = arith.addi %x, %x : i32
  cf.br ^nowhere
^b:
  cf.br ^c
^c(%z: i32)
  %w = arith.addi %z, %z : i32
  return
}`, []string{"3:6 expected ':' and type for SSA operand", "5:9 reference to an undefined block", "6:1 redefinition of block '^b'", "8:12 expected ':' after block name"}},
		{"values defined twice and counts of results", `func.func @f(%a: i32) {
  %x = arith.constant 1 : i32
  %x = arith.constant 1.0 : f32
  %y = arith.addf %x, %x : f32
  %p:2 = arith.constant 1 : i32
  %q = arith.addi %p#0, %p#1 : i32
  %v = cf.assert %c, "no"
  return
}`, []string{"3:3 redefinition of SSA value '%x'", "note: previously defined here",
			"5:3 operation defines 1 results but was provided 2 to bind", "7:3 cannot name an operation with no results", "7:18 use of undeclared SSA value name"}},
		{"aliases", `#m = affine_map<(d0) -> (d1)>
!t = memref<nope>
func.func @f(%a: !t) -> !t {
  %0 = affine.apply #m(%a)
  return %a : !u
}
#m2 = affine_map<() -> (>
`, []string{"1:26 use of undeclared identifier", "2:13 expected non-function type", "5:17 undefined symbol alias id 'u'", "7:25 expected affine expression"}},
		{"braces", `func.func @f() {
  scf.execute_region
    arith.nope
    scf.yield
  }
  return
}
}
func.func @g() { arith.nope }
`, []string{"2:21 expected '{' to begin a region", "3:5 custom op 'arith.nope' is unknown", "7:2 expected operation name in quotes", "9:18 custom op 'arith.nope' is unknown"}},
		{"characters and strings", "func.func @f() {\n  ~\n  \"a.b() : () -> ()\n  return\n}\n$\nfunc.func @f() { arith.nope }\n",
			[]string{"2:3 unexpected character", `3:20 expected '"' in string literal`, "6:1 unexpected character", "7:18 custom op 'arith.nope' is unknown"}},
		{"no name of its own", `module {
  fucn.func @f(%a: i32) {
    return %a
    arith.nope
  }
}`, []string{"2:3 Dialect `fucn' not found for custom op 'fucn.func' ", "note: *", "4:5 custom op 'arith.nope' is unknown"}},
		{"the end", "func.func @f() {\n  arith.nope\n", []string{"2:3 custom op 'arith.nope' is unknown"}},
		{"only the end", "func.func @f() {\n  return\n", []string{"2:9 expected operation name in quotes"}},
		{"names in an incomplete list", "func.func @f(%a: i32) {\n  %x, %y, = arith.nope\n  %z = arith.addi %x, %y : i32\n  return\n}", []string{"2:10 expected valid ssa identifier"}},
		{"attributes over several lines", `func.func @f() {
  "arith.addi"() {
    x = 1 +,
    y = 2
  } : () -> ()
  arith.nope
  return
}`, []string{"3:10 expected '}' in attribute dictionary", "6:3 custom op 'arith.nope' is unknown"}},
		{"undeclared names of several functions", `func.func @f() {
  memref.dealloc %z : memref<4xf32>
  memref.dealloc %z : memref<4xf32>
  return
}
func.func @g() {
  memref.dealloc %z : memref<4xf64>
  return
}
func.func @h(%z: i32) {
  return
}
func.func @i() {
  %z = arith.constant 1 : i32
  return
}
module {
  memref.dealloc %z : memref<8xf64>
  "func.func"() <{function_type = () -> (), sym_name = "g"}> ({
    memref.dealloc %z : memref<2xf64>
    func.return
  }) : () -> ()
}
memref.dealloc %z : memref<1xf32>`, []string{"2:18 use of undeclared SSA value name", "7:18 use of undeclared SSA value name",
			"18:18 use of undeclared SSA value name", "20:20 use of undeclared SSA value name", "24:16 use of undeclared SSA value name"}},
		{"undeclared names and other errors in order", `func.func @f(%c: i1) {
  arith.nope1
  memref.dealloc %a : memref<4xf32>
  arith.nope2
  scf.if %c {
    memref.dealloc %b : memref<4xf32>
    arith.nope3
  }
  memref.dealloc %d : memref<4xf32>
  return
}
func.func @g() {
  arith.nope4
  return
}`, []string{"2:3 custom op 'arith.nope1' is unknown", "3:18 use of undeclared SSA value name", "4:3 custom op 'arith.nope2' is unknown",
			"6:20 use of undeclared SSA value name", "7:5 custom op 'arith.nope3' is unknown", "9:18 use of undeclared SSA value name",
			"13:3 custom op 'arith.nope4' is unknown"}},
		{"undeclared names without the last brace", `func.func @f(%c: i1) {
  memref.dealloc %a : memref<4xf32>
  scf.if %c {
    memref.dealloc %b : memref<4xf32>
  }
  return
}
func.func @g() {
  memref.dealloc %a : memref<4xf32>
  return
`, []string{"2:18 use of undeclared SSA value name", "4:20 use of undeclared SSA value name", "9:18 use of undeclared SSA value name", "10:9 expected operation name in quotes"}},
		{"undeclared names where a function has no end", `func.func @f() {
  memref.dealloc %a : memref<4xf32>
  return
func.func @g() {
  memref.dealloc %a : memref<8xf32>
  return
}`, []string{"2:18 use of undeclared SSA value name", "5:18 use of undeclared SSA value name", "6:9 expected operation name in quotes"}},
		{"names that the end of the source cuts off", `func.func @f(%c: i1) {
  cf.br ^b
^a:
  memref.dealloc %x : memref<4xf32>
  memref.dealloc %y : memref<4xf32>
  memref.dealloc %z : memref<4xf32>
  memref.dealloc %u : memref<4xf32>
  return
^b:
  %x = memref.nope : memref<4xf32>
  %y = scf.if %c -> memref<4xf32> {
    %z = arith.constant`, []string{"7:18 use of undeclared SSA value name", "10:8 custom op 'memref.nope' is unknown"}},
		{"a label that the end of the source cuts off", `func.func @f() {
  cf.br ^b
^a:
  memref.dealloc %x : memref<4xf32>
  memref.dealloc %u : memref<4xf32>
  return
^b(%x: memref<4xf32>`, []string{"5:18 use of undeclared SSA value name", "7:20 expected ')'"}},
		{"names in functions that couldn't be read", `func.func @f() {
  cf.br ^b
^a:
  memref.dealloc %x : memref<4xf32>
  return
^b:
  x = memref.alloc() : memref<4xf32>
  cf.br ^a
}
func.func @g() {
  memref.dealloc %x : memref<4xf32>
  return
}`, []string{"7:3 custom op 'x' is unknown (tried 'func.x' as well)", "11:18 use of undeclared SSA value name"}},
		{"what starts where the line before was to go on", `"func.return"() : () -> (
"func.return"() {a = "x} : () -> ()
"func.return"() : () -> (
"x
"func.return"() : () -> (
  , "x
"func.return"() : () -> ()
`, []string{"1:26 expected non-function type", "2:36 expected '\"' in string literal", "4:3 expected '\"' in string literal",
			"5:26 expected non-function type", "6:7 expected '\"' in string literal"}},
		{"names that the lexer can't read", `func.func @f() {
  %a = memref.alloc() : memref<4xf32>"  %b = memref.alloc() : memref<4xf32>
  memref.copy %a, %b : memref<4xf32> to memref<4xf32>
  memref.dealloc %d : memref<4xf32>
  return
}
func.func @g() {
  %" = memref.alloc() : memref<4xf32>
  memref.dealloc %d : memref<4xf32>
  return
}`, []string{"2:76 expected '\"' in string literal", "4:18 use of undeclared SSA value name", "8:3 invalid SSA name"}},
		{"a function that ends too early", `func.func @e() {
  memref.dealloc %x : memref<4xf32>
  return
}
func.func @f() {
  cf.br ^b
^a:
  memref.dealloc %x : memref<4xf32>
  return
  }
^b:
  %x = memref.alloc() : memref<4xf32>
  cf.br ^a
}`, []string{"2:18 use of undeclared SSA value name", "6:9 reference to an undefined block", "10:4 expected operation name in quotes"}},
		{"a name before a definition", `func.func @f() {
  %a = memref.alloc() : memref<4xf32> %x %b = memref.alloc() : memref<4xf32>
  memref.copy %a, %b : memref<4xf32> to memref<4xf32>
  return
}`, []string{"2:41 expected '=' after SSA name"}},
		{"a brace in the wrong place", `func.func @f() {
  %m = memref.alloc() : memr}<4xf32>
  memref.dealloc %m : memref<4xf32>
  return`, []string{"2:24 expected non-function type"}},
		{"an operation where another one should go on", `func.func @f(%a: i32) {
  %b = arith.cmpi
  arith.nope
  return
}`, []string{"3:3 custom op 'arith.cmpi' expected string or keyword containing one of the following enum values for attribute 'predicate' [eq, ne, slt, sle, sgt, sge, ult, ule, ugt, uge]", "3:3 custom op 'arith.nope' is unknown"}},
		{"a location", "func.func @f() {\n  return loc(nope)\n}\nfunc.func @g() { return } loc(#l)\n", []string{"2:14 expected location instance", "4:31 operation location alias was never defined"}},
	} {
		_, err := recovering(test.src, nil)
		got := messages(err)
		for i := range got {
			if strings.HasPrefix(got[i], "note: Registered") {
				got[i] = "note: *"
			}
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s:\n%s\nwant\n%s", test.name, strings.Join(got, "\n"), strings.Join(test.want, "\n"))
		}
	}
}

// At most so many errors are reported, and a note says that there are more.
func TestManyErrors(t *testing.T) {
	src := "func.func @f() {\n" + strings.Repeat("  arith.nope\n", 50) + "  return\n}\n"
	_, err := recovering(src, nil)
	got := messages(err)
	if len(got) != ir.MaxReported+1 || got[ir.MaxReported] != "note: there are more errors, from here on" {
		t.Fatalf("%s", strings.Join(got, "\n"))
	}
}

// Tokens name what they stand for, also those that come before a definition, and in
// programs with errors.
func TestTokens(t *testing.T) {
	const src = `func.func @f(%a: i32) -> i32 {
  cf.br ^b(%a : i32)
^c:
  %z = arith.addi %x, %x {k = @g, "l"} : i32
  return %z : i32
^b(%b: i32):
  %x, %r = "arith.addui_extended"(%b, %a) : (i32, i32) -> (i32, i1)
  %p:2 = func.call @g(%x) : (i32) -> (i32, i32)
  arith.nope %p#1
  cf.br ^c
}
`
	var tokens asm.Tokens
	if _, err := recovering(src, &tokens); len(messages(err)) != 1 {
		t.Fatal(err)
	}
	var got []string
	values := map[*ir.Value]string{}
	blocks := map[*ir.Block]string{}
	for i, x := range tokens {
		if i > 0 && x.Start < tokens[i-1].End {
			t.Errorf("token %d is at %d", i, x.Start)
		}
		for at := x.Start; at < x.End; at++ {
			if tokens.At(at) != &tokens[i] {
				t.Errorf("there is another token at %d", at)
			}
		}
		s := src[x.Start:x.End]
		if x.Def {
			s += "!"
			if x.Value != nil {
				values[x.Value] = src[x.Start:x.End]
			}
			if x.Block != nil {
				blocks[x.Block] = src[x.Start:x.End]
			}
		}
		op := "?"
		if x.Op != nil {
			op = x.Op.Name()
		}
		got = append(got, s+" "+op)
	}
	want := []string{"func.func func.func", "@f! func.func", "%a! func.func",
		"cf.br cf.br", "^b cf.br", "%a cf.br", "^c! func.func",
		"%z! arith.addi", "arith.addi arith.addi", "%x arith.addi", "%x arith.addi", "k arith.addi", "@g arith.addi", `"l" arith.addi`,
		"return func.return", "%z func.return", "^b! func.func", "%b! func.func",
		"%x! arith.addui_extended", "%r! arith.addui_extended", `"arith.addui_extended" arith.addui_extended`, "%b arith.addui_extended", "%a arith.addui_extended",
		"%p! func.call", "func.call func.call", "@g func.call", "%x func.call", "%p ?", "cf.br cf.br", "^c cf.br"}
	if !slices.Equal(got, want) {
		t.Errorf("tokens\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	for _, x := range tokens {
		text := src[x.Start:x.End]
		switch {
		case x.Op == nil:
		case x.Kind == asm.ValueToken && values[x.Value] != text:
			t.Errorf("%s at %d stands for %q", text, x.Start, values[x.Value])
		case x.Kind == asm.BlockToken && blocks[x.Block] != text:
			t.Errorf("%s at %d stands for %q", text, x.Start, blocks[x.Block])
		}
	}
	if tokens.At(len(src)) != nil || tokens.At(strings.Index(src, " -> ")+1) != nil {
		t.Error("there is a token where there is none")
	}
}
