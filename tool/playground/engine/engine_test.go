package engine_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"freehold/driver"
	"freehold/ir/bytecode"
	"freehold/tool/playground/engine"
)

func newEngine() *engine.Engine { return engine.New(driver.Freehold()) }

// preset returns the passes of a preset.
func preset(t *testing.T, e *engine.Engine, name string) []string {
	t.Helper()
	for _, p := range e.Catalog().Presets {
		if p.Name == name {
			return p.Passes
		}
	}
	t.Fatalf("there is no preset %q", name)
	return nil
}

// Each example compiles by each preset and computes the same; what the recommended passes
// make of it is safe.
func TestExamples(t *testing.T) {
	files, err := filepath.Glob("../../../examples/*.mlir")
	if err != nil || len(files) == 0 {
		t.Fatal("there are no examples", err)
	}
	e := newEngine()
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range e.Catalog().Presets {
			c := e.Compile(filepath.Base(file), src, p.Passes)
			if c.Error != "" || len(c.Stages) != len(p.Passes)+1 {
				t.Errorf("%s, %s: %d stages, %s", file, p.Name, len(c.Stages), c.Error)
				continue
			}
			last := len(p.Passes)
			runs, err := e.Run(&engine.Request{Stage: last, Seed: 1})
			if err != nil {
				t.Errorf("%s, %s: %v", file, p.Name, err)
				continue
			}
			if leaks := p.Name == "bufferize only"; !leaks && last > 0 && !runs.Same {
				t.Errorf("%s, %s: %s, %+v", file, p.Name, runs.Difference, runs)
			}
			if _, err := e.Report(last); err != nil {
				t.Errorf("%s, %s: report: %v", file, p.Name, err)
			}
			switch peaks, err := e.Peak(last); {
			case err != nil:
				t.Errorf("%s, %s: peak: %v", file, p.Name, err)
			case len(peaks.Functions) == 0 || (last > 0) != (peaks.Functions[0].Before != "") || peaks.Functions[0].Size == "":
				t.Errorf("%s, %s: peaks %+v", file, p.Name, peaks)
			}
			x, err := e.Explain(last)
			if err != nil {
				t.Errorf("%s, %s: explain: %v", file, p.Name, err)
				continue
			}
			if last > 0 && x.Allocations == 0 {
				t.Errorf("%s, %s: no allocation is explained", file, p.Name)
			}
			lines := strings.Split(string(src), "\n")
			for _, r := range x.Reasons {
				for _, n := range append(r.Notes, engine.ReasonNote{Place: r.Place}) {
					line := lines[max(n.Line-1, 0)]
					if rest := line[min(n.Column+n.Length, len(line)):]; n.Length > 0 && rest != "" && !strings.ContainsAny(rest[:1], " ,:()[]") {
						t.Errorf("%s, %s: %q is marked, which is no word", file, p.Name, line[n.Column:n.Column+n.Length])
					}
				}
			}
			v, err := e.Check(last)
			if err != nil {
				t.Errorf("%s, %s: check: %v", file, p.Name, err)
				continue
			}
			if (p.Name == "recommended" || p.Name == "no arena") && v.Verdict != "safe" {
				t.Errorf("%s, %s: %+v", file, p.Name, v)
			}
		}
	}
}

// What is explained says which allocations are parts of an arena, and what is alive at a peak has the program's names.
func TestArenasAndNames(t *testing.T) {
	src, err := os.ReadFile("../../../examples/attention.mlir")
	if err != nil {
		t.Fatal(err)
	}
	e := newEngine()
	passes := e.Catalog().Presets[0].Passes
	e.Compile("attention.mlir", src, passes)
	x, err := e.Explain(len(passes))
	if err != nil || x.Arenas != 1 || x.Parts != 2 || x.Allocations != 4 {
		t.Errorf("%v: %d allocations, %d of them parts of %d arenas", err, x.Allocations, x.Parts, x.Arenas)
	}
	p, err := e.Peak(0)
	if err != nil || len(p.Functions) != 1 || !slices.ContainsFunc(p.Functions[0].Alive, func(a engine.Alive) bool { return a.Name == "%scaled" }) {
		t.Errorf("%v: %+v", err, p)
	}
}

// The pipelines of the command compile are told apart, and one that doesn't take a program says why.
func TestCompare(t *testing.T) {
	src, err := os.ReadFile("../../../examples/attention.mlir")
	if err != nil {
		t.Fatal(err)
	}
	e := newEngine()
	e.Compile("attention.mlir", src, nil)
	c, err := e.Compare()
	if err != nil || len(c.Pipelines) != 5 {
		t.Fatal(err, c)
	}
	if p, best := c.Pipelines[0], c.Pipelines[1]; p.Allocations <= best.Allocations || p.Peak == best.Peak || best.Arena == "" || best.Error != "" {
		t.Errorf("the program: %+v, compiled: %+v", p, best)
	}
	// It counts what the peak counts, tensors that nothing computes as well.
	e.Compile("x", []byte("func.func @f(%t: tensor<8xf32>) -> tensor<8xf32> {\n  %e = tensor.empty() : tensor<8xf32>\n"+
		"  %a = linalg.exp ins(%t : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>\n"+
		"  %b = linalg.add ins(%a, %t : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>\n  return %b : tensor<8xf32>\n}"), nil)
	if c, err = e.Compare(); err != nil || c.Pipelines[0].Peak != "96 B" {
		t.Errorf("%v, %+v", err, c)
	}
	if p, err := e.Peak(0); err != nil || p.Functions[0].Size != "96 B" {
		t.Errorf("%v, %+v", err, p)
	}
	e.Compile("x", []byte("func.func @f(%t: tensor<4xf32>) -> tensor<4xf32> {\n  %r = \"unknown.op\"(%t) : (tensor<4xf32>) -> tensor<4xf32>\n  return %r : tensor<4xf32>\n}"), nil)
	if c, err = e.Compare(); err != nil || c.Pipelines[1].Error == "" {
		t.Errorf("%v, %+v", err, c)
	}
}

const leak = `func.func @f(%c: i1) {
  %a = memref.alloc() : memref<4xf32>
  scf.if %c {
    memref.dealloc %a : memref<4xf32>
  }
  return
}
`

// The check shows a path whose places are lines of the text.
func TestPath(t *testing.T) {
	e := newEngine()
	if c := e.Compile("leak.mlir", []byte(leak), nil); c.Error != "" || c.Tensors {
		t.Fatal(c)
	}
	v, err := e.Check(0)
	if err != nil {
		t.Fatal(err)
	}
	if v.Verdict != "unsafe" || len(v.Findings) != 1 {
		t.Fatalf("%+v", v)
	}
	f := v.Findings[0]
	if f.Kind != "leak" || f.Line != 2 || f.Function != "f" || len(f.Notes) == 0 {
		t.Errorf("%+v", f)
	}
	for _, n := range f.Notes {
		if n.Line < 1 || n.Line > 7 {
			t.Errorf("a step of the path is in line %d: %s", n.Line, n.Message)
		}
	}
	runs, err := e.Run(&engine.Request{Arguments: []string{"false"}})
	if err != nil {
		t.Fatal(err)
	}
	if len(runs.After.Findings) != 1 || runs.After.Findings[0].Kind != "leak" || runs.After.Findings[0].Line != 2 {
		t.Errorf("%+v", runs.After)
	}
}

// Errors have the places of what is wrong, in the columns of browsers.
func TestErrors(t *testing.T) {
	for _, x := range []struct {
		src          string
		line, column int
		message      string
	}{
		{"func.func @f() {\n  retrun\n}", 2, 2, "retrun"},
		{"func.func @f() {\n  \"ä😀\"() : () -> ()\n  \"😀\"() : (index) -> ()\n}", 3, 11, ""},
		{"func.func @f(%x: f32) -> i32 {\n  return %x : f32\n}", 2, 2, "type"},
		{"func.func @f() {\n  \"😀\"() {a = \"😀\", b = nonsense} : () -> ()\n}", 2, 23, ""},
	} {
		c := newEngine().Compile("bad.mlir", []byte(x.src), []string{"canonicalize"})
		if len(c.Diagnostics) == 0 || len(c.Stages) != 1 || c.Error == "" {
			t.Errorf("%q: %+v", x.src, c)
			continue
		}
		if d := c.Diagnostics[0]; d.Kind != "error" || d.Line != x.line || d.Column != x.column || !strings.Contains(d.Message, x.message) {
			t.Errorf("%q: %+v", x.src, d)
		}
	}
}

// Values keep their names through the passes, and the lines of a stage tell where they come from.
func TestNamesAndLines(t *testing.T) {
	src, err := os.ReadFile("../site/programs/first.mlir")
	if err != nil {
		t.Fatal(err)
	}
	e := newEngine()
	passes := preset(t, e, "bufferize only")
	if c := e.Compile("first.mlir", src, passes); c.Error != "" {
		t.Fatal(c.Error)
	}
	text := e.Stage(len(passes), 0).Text
	lines, err := e.Lines(len(passes))
	if err != nil {
		t.Fatal(err)
	}
	given := strings.Split(string(src), "\n")
	found := 0
	for i, line := range strings.Split(text, "\n") {
		for _, op := range []string{"linalg.add ins(%row, %bias", "linalg.mul ins(", "return %"} {
			if !strings.Contains(line, op) {
				continue
			}
			found++
			if from := lines.Of[i]; from == 0 || !strings.Contains(given[from-1], strings.Fields(op)[0]) {
				t.Errorf("%s comes from line %d", line, from)
			}
		}
	}
	if found != 3 {
		t.Errorf("names are lost:\n%s", text)
	}
	if want := []int32{8, 10, 11, 14, 15, 18}; !slices.Equal(lines.Operations, want) {
		t.Errorf("operations are in lines %v, want %v", lines.Operations, want)
	}
}

// Names that are taken get a number, and the text is read back as it is printed.
func TestNamesThatRepeat(t *testing.T) {
	const src = `func.func @f(%x: tensor<4xf32>, %0: index) -> (f32, f32) {
  %pair:2 = scf.execute_region -> (f32, f32) {
    %x.y = tensor.extract %x[%0] : tensor<4xf32>
    scf.yield %x.y, %x.y : f32, f32
  }
  return %pair#0, %pair#1 : f32, f32
}
func.func @g(%x: f32) -> f32 {
  %y = func.call @h(%x) : (f32) -> f32
  return %y : f32
}
func.func private @h(%x: f32) -> f32 {
  %y = arith.addf %x, %x : f32
  return %y : f32
}
`
	e := newEngine()
	if c := e.Compile("f.mlir", []byte(src), []string{"inline", "one-shot-bufferize{bufferize-function-boundaries}"}); c.Error != "" {
		t.Fatal(c.Error)
	}
	for n := range 3 {
		text := e.Stage(n, 0).Text
		if _, err := e.Check(n); err != nil {
			t.Errorf("%v:\n%s", err, text)
		}
		if !strings.Contains(text, "%x.y") {
			t.Errorf("the name %%x.y is lost:\n%s", text)
		}
	}
}

// Programs on StableHLO are executed as they are, too.
func TestRunStableHLO(t *testing.T) {
	e := newEngine()
	if c := e.Compile("hlo.mlir", []byte("func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {\n  %y = stablehlo.add %x, %x : tensor<2xf32>\n  return %y : tensor<2xf32>\n}"), preset(t, e, "recommended")); c.Error != "" {
		t.Fatal(c.Error)
	}
	runs, err := e.Run(&engine.Request{Stage: len(preset(t, e, "recommended")), Arguments: []string{"[1, 2]"}})
	if err != nil || !runs.Same || len(runs.Before.Results) != 1 || runs.Before.Results[0].Text != runs.After.Results[0].Text {
		t.Errorf("%+v, %v", runs, err)
	}
}

// Files are read as what they are.
func TestRead(t *testing.T) {
	e := newEngine()
	for _, text := range []string{"func.func @f() {\n  return\n}\n", "retrun", ""} {
		if got, err := e.Read("a.mlir", []byte(text)); err != nil || got.Source != text || got.Name != "a.mlir" {
			t.Errorf("%q: %+v, %v", text, got, err)
		}
	}
	p, err := driver.Freehold().NewSession().Parse([]byte("func.func @f() {\n  return\n}"), "a.mlir")
	if err != nil {
		t.Fatal(err)
	}
	var code bytes.Buffer
	if err := bytecode.Write(&code, p.Document, bytecode.Options{}); err != nil {
		t.Fatal(err)
	}
	got, err := e.Read("a.mlirbc", code.Bytes())
	if err != nil || got.Name != "a.mlir" || !strings.Contains(got.Source, "func.func @f()") {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := e.Read("a.mlirbc", code.Bytes()[:8]); err == nil {
		t.Error("half a file is read")
	}
	if c := e.Compile(got.Name, []byte(got.Source), nil); c.Error != "" {
		t.Error(c.Error)
	}
}

// A program is of the version of LLVM that a comment or its spelling tells, also at later stages; the next one is asked anew.
func TestVersions(t *testing.T) {
	const program = "func.func @f(%t: tensor<4xf32>) -> memref<4xf32> {\n  %m = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32>\n  return %m : memref<4xf32>\n}\n"
	const old = "func.func @f(%t: tensor<4xf32>) -> memref<4xf32> {\n  %m = bufferization.to_memref %t : memref<4xf32>\n  return %m : memref<4xf32>\n}\n"
	e := newEngine()
	for _, tt := range []struct{ name, source, says, spelling string }{
		{"spelling", program, "taken for a program of LLVM 22: 'bufferization.to_buffer' is spelled so since LLVM 21", "to_buffer"},
		{"none", old, "", "to_memref"},
		{"comment", "// mlir-version: 22\n" + old, "taken for a program of LLVM 22: this comment says so", "to_buffer"},
		{"none again", old, "", "to_memref"},
	} {
		c := e.Compile("a.mlir", []byte(tt.source), []string{"canonicalize", "cse"})
		if c.Error != "" || c.LLVM != tt.says {
			t.Errorf("%s: %q, %s", tt.name, c.LLVM, c.Error)
			continue
		}
		if text := e.Stage(2, 0).Text; !strings.Contains(text, tt.spelling) {
			t.Errorf("%s: %s", tt.name, text)
		}
		if _, err := e.Peak(2); err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
	if c := e.Compile("a.mlir", []byte("// mlir-version: 7\n"+old), nil); !strings.Contains(c.Error, "'7' is no version of LLVM") {
		t.Errorf("a version that isn't: %+v", c)
	}
}

// A pass that fails leaves what was before it.
func TestFailingPass(t *testing.T) {
	e := newEngine()
	src := "func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {\n  %y = \"a.b\"(%x) : (tensor<4xf32>) -> tensor<4xf32>\n  return %y : tensor<4xf32>\n}"
	c := e.Compile("f.mlir", []byte(src), []string{"canonicalize", "one-shot-bufferize", "cse"})
	if c.Failed != 2 || len(c.Stages) != 2 || len(c.Diagnostics) == 0 || c.Diagnostics[0].Line != 2 {
		t.Errorf("%+v", c)
	}
	c = e.Compile("f.mlir", []byte(src), []string{"canonicalise"})
	if c.Failed != 1 || !strings.Contains(c.Error, "did you mean canonicalize") {
		t.Errorf("%+v", c)
	}
	c = e.Compile("f.mlir", []byte(src), []string{"canonicalize{wrong=1}"})
	if c.Failed != 1 || !strings.Contains(c.Error, "wrong") {
		t.Errorf("%+v", c)
	}
}

func TestElements(t *testing.T) {
	e := newEngine()
	for _, x := range []struct{ text, want string }{
		{"builtin.module(cse,func.func(canonicalize{max-iterations=3},cse))", "cse|func.func(canonicalize{max-iterations=3},cse)"},
		{" canonicalize , one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map}", "canonicalize|one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map}"},
		{"", ""},
	} {
		got, err := e.Elements(x.text)
		if err != nil || strings.Join(got.Passes, "|") != x.want {
			t.Errorf("%q: %v, %v", x.text, got, err)
		}
	}
	if _, err := e.Elements("cse,nonsense"); err == nil {
		t.Error("nonsense is a pass")
	}
	got, err := e.Elements("complete-buffer-deallocation-pipeline")
	if err != nil || len(got.Passes) < 2 {
		t.Errorf("a named pipeline has the passes %v, %v", got, err)
	}
	src, err := os.ReadFile("../../../examples/grow.mlir")
	if err != nil {
		t.Fatal(err)
	}
	// A pipeline and its passes make the same.
	text := func(passes []string) string {
		if c := e.Compile("grow.mlir", src, passes); c.Error != "" {
			t.Fatal(c.Error)
		}
		return e.Stage(len(passes), 0).Text
	}
	before := preset(t, e, "bufferize only")
	whole, parts := text(append(before[:len(before):len(before)], "complete-buffer-deallocation-pipeline")), text(append(before[:len(before):len(before)], got.Passes...))
	if whole != parts {
		t.Error("a named pipeline makes something else than its passes")
	}
}

// Whatever is asked, the answer is JSON, and not a bug.
func TestRequests(t *testing.T) {
	e := newEngine()
	for _, r := range []string{
		"", "{", "[]", "null", `{"do":"nothing"}`, `{"do":"check"}`, `{"do":"stage","stage":-1}`,
		`{"do":"compile","name":"x","source":"func.func @f("}`, `{"do":"check"}`, `{"do":"run"}`, `{"do":"explain"}`, `{"do":"peak"}`, `{"do":"compare"}`, `{"do":"report"}`,
		`{"do":"compile","source":"func.func private @f()"}`, `{"do":"run","entry":"f"}`, `{"do":"check"}`, `{"do":"peak"}`, `{"do":"compare"}`, `{"do":"report"}`, `{"do":"run","stage":7}`,
		`{"do":"lines"}`, `{"do":"lines","stage":3}`, `{"do":"read"}`, `{"do":"read","name":"x","file":"TUzvUg=="}`, `{"do":"read","name":"x","file":"?"}`,
		`{"do":"compile","source":"","passes":["","(","a(b","canonicalize{","func.func("]}`, `{"do":"elements","text":"a(b,c}"}`,
		`{"do":"catalog"}`,
	} {
		var f engine.Failure
		if err := json.Unmarshal(e.Answer([]byte(r)), &f); err != nil {
			t.Errorf("%s: %v", r, err)
		}
		if f.Bug != "" {
			t.Errorf("%s: %s\n%s", r, f.Error, f.Bug)
		}
	}
}

// FuzzAnswer finds requests on which the engine fails.
func FuzzAnswer(f *testing.F) {
	f.Add(leak, "canonicalize,func.func(cse)", "random")
	f.Add("func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {\n  return %x : tensor<4xf32>\n}", "one-shot-bufferize{bufferize-function-boundaries}", "[1, 2]")
	f.Fuzz(func(t *testing.T, src, pipeline, argument string) {
		if strings.Contains(argument, "@") {
			return // would read files
		}
		e := newEngine()
		e.MaxBytes = 1 << 24
		ask := func(r engine.Request) {
			data, err := json.Marshal(r)
			if err != nil {
				t.Fatal(err)
			}
			var failure engine.Failure
			if err := json.Unmarshal(e.Answer(data), &failure); err != nil || failure.Bug != "" {
				t.Errorf("%+v: %v %s\n%s", r, err, failure.Error, failure.Bug)
			}
		}
		ask(engine.Request{Do: "elements", Text: pipeline})
		ask(engine.Request{Do: "read", Name: "x", File: []byte(src)})
		ask(engine.Request{Do: "compile", Name: "x", Source: src, Passes: []string{pipeline}})
		for n := range 2 {
			for _, do := range []string{"stage", "lines", "explain", "check", "peak", "compare", "report"} {
				ask(engine.Request{Do: do, Stage: n})
			}
		}
	})
}
