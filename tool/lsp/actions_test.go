package lsp_test

import (
	"encoding/json"
	"net/url"
	"os"
	"strings"
	"testing"
)

// A read of old contents that can move, an argument that may not be written, and passes that a test runs.
const advised = `// RUN: freehold opt --cse --one-shot-bufferize %s --pass-pipeline='builtin.module(canonicalize{top-down=false})'
func.func @late(%t: tensor<64xf32> {bufferization.writable = true}, %x: f32, %i: index) -> (tensor<64xf32>, f32) {
  %new = tensor.insert %x into %t[%i] : tensor<64xf32>

  // What was there.
  %old = tensor.extract %t[%i] : tensor<64xf32>
  %sum = arith.addf %old, %old : f32
  return %new, %sum : tensor<64xf32>, f32
}
func.func @twice(%x: f32) -> f32 {
  %a = arith.addf %x, %x : f32
  %b = arith.addf %x, %x : f32
  %c = arith.mulf %a, %b : f32
  return %c : f32
}
func.func @constant(%t: tensor<8xf32> {bufferization.writable = false}, %x: f32, %i: index) -> tensor<8xf32> {
  %new = tensor.insert %x into %t[%i] : tensor<8xf32>
  return %new : tensor<8xf32>
}
`

type action struct {
	Title   string
	Kind    string
	Command *struct {
		Command   string
		Arguments []string
	}
	Edit *struct {
		Changes map[string][]struct {
			Range   struct{ Start, End struct{ Line, Character int } }
			NewText string
		}
	}
}

// actionsAt returns what can be done on a line.
func (c *client) actionsAt(line, character int) (out []action) {
	c.t.Helper()
	place := map[string]int{"line": line, "character": character}
	got := c.call("textDocument/codeAction", with(at(0, 0), "range", map[string]any{"start": place, "end": place}))
	if err := json.Unmarshal([]byte(got), &out); err != nil {
		c.t.Fatalf("%s: %v", got, err)
	}
	return out
}

// titled returns the first action whose title begins with a text.
func (c *client) titled(line, character int, start string) action {
	c.t.Helper()
	all := c.actionsAt(line, character)
	for _, a := range all {
		if strings.HasPrefix(a.Title, start) {
			return a
		}
	}
	c.t.Fatalf("no action on line %d begins with %q: %+v", line, start, all)
	return action{}
}

// apply makes the edits of an action in a text of which all columns are bytes.
func (a action) apply(text string) string {
	lines := strings.SplitAfter(text, "\n")
	offset := func(line, character int) int {
		n := character
		for _, l := range lines[:line] {
			n += len(l)
		}
		return n
	}
	edits := a.Edit.Changes[uri]
	// Later places first.
	for done := len(edits); done > 0; done-- {
		last := 0
		for i, e := range edits {
			if e.Range.Start.Line > edits[last].Range.Start.Line {
				last = i
			}
		}
		e := edits[last]
		text = text[:offset(e.Range.Start.Line, e.Range.Start.Character)] + e.NewText + text[offset(e.Range.End.Line, e.Range.End.Character):]
		edits[last].Range.Start.Line = -1
	}
	return text
}

// Advice is followed: a read moves, an attribute goes, an option is added to the RUN line.
func TestAdvice(t *testing.T) {
	c := connect(t)
	c.open(advised)
	c.await(1)
	moved := c.titled(2, 3, "Avoid it: move the tensor.extract").apply(advised)
	const insert, extract = "  %new = tensor.insert %x into %t[%i] : tensor<64xf32>\n", "  %old = tensor.extract %t[%i] : tensor<64xf32>\n"
	want := strings.Replace(strings.Replace(advised, extract, "", 1), insert, extract+insert, 1)
	if moved != want {
		t.Errorf("the read isn't in front of what overwrites it:\n%s", moved)
	}
	dropped := c.titled(16, 3, "Avoid it: drop bufferization.writable = false").apply(advised)
	if want := strings.Replace(advised, "%t: tensor<8xf32> {bufferization.writable = false}", "%t: tensor<8xf32>", 1); dropped != want {
		t.Errorf("without the attribute:\n%s", dropped)
	}
}

// Options and passes that explain advises go to the RUN line, however that is quoted: an option in the place of its
// former value, a pass on the side of bufferization where it belongs.
func TestAdviceOnRunLines(t *testing.T) {
	const program = `
func.func @part(%c: f32, %i: index) -> tensor<2x10xf32> {
  %t = tensor.splat %c : tensor<20x10xf32>
  %0 = tensor.extract_slice %t[%i, 0] [2, 10] [1, 1] : tensor<20x10xf32> to tensor<2x10xf32>
  return %0 : tensor<2x10xf32>
}
func.func @whole(%c: f32) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%c : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %f : tensor<8xf32>
}
func.func @same(%t: tensor<8xf32>, %x: f32, %i: index) -> tensor<8xf32> {
  %r = tensor.insert %x into %t[%i] : tensor<8xf32>
  return %r : tensor<8xf32>
}
`
	const layout, hoist, drop = 4, 7, 11 // lines
	for _, x := range []struct {
		run, title string
		line       int
		want       string
	}{
		{"--one-shot-bufferize", "Avoid it: use buffer-results-to-out-params", hoist, "--one-shot-bufferize --buffer-results-to-out-params=hoist-static-allocs"},
		{"--cse --one-shot-bufferize=\"a b\" --cse", "Avoid it: use buffer-results-to-out-params", hoist, "--cse --one-shot-bufferize=\"a b\" --buffer-results-to-out-params=hoist-static-allocs --cse"},
		{"'--one-shot-bufferize=a b' | FileCheck %s", "Avoid it: use buffer-results-to-out-params", hoist, "'--one-shot-bufferize=a b' --buffer-results-to-out-params=hoist-static-allocs | FileCheck %s"},
		{"--one-shot-bufferize %s", "Avoid it: use function", layout, "--one-shot-bufferize=function-boundary-type-conversion=infer-layout-map %s"},
		{"--one-shot-bufferize=a", "Avoid it: use function", layout, "--one-shot-bufferize=\"a function-boundary-type-conversion=infer-layout-map\""},
		{"'--one-shot-bufferize=function-boundary-type-conversion=identity-layout-map b'", "Avoid it: use function", layout, "--one-shot-bufferize=\"function-boundary-type-conversion=infer-layout-map b\""},
		{"--one-shot-bufferize=a %s", "Avoid it: use drop-equivalent-buffer-results", drop, "--one-shot-bufferize=a --drop-equivalent-buffer-results %s"},
	} {
		text := "// RUN: freehold opt " + x.run + program
		c := connect(t)
		c.open(text)
		c.await(1)
		want := "// RUN: freehold opt " + x.want + program
		if got := c.titled(x.line, 3, x.title).apply(text); got != want {
			first, _, _ := strings.Cut(got, "\n")
			t.Errorf("%s: %s", x.run, first)
		}
	}
}

// The program bufferized, and what a pass changes, are shown beside it, and go with the server.
func TestViews(t *testing.T) {
	c := connect(t)
	c.open(advised)
	c.await(1)
	show := func(a action) string {
		t.Helper()
		got := c.call("workspace/executeCommand", map[string]any{"command": a.Command.Command, "arguments": a.Command.Arguments})
		var view struct{ Title, Text string }
		if err := json.Unmarshal([]byte(got), &view); err != nil {
			t.Fatalf("%s: %v", got, err)
		}
		var opened struct{ URI string }
		if err := json.Unmarshal([]byte(<-c.shown), &opened); err != nil {
			t.Fatal(err)
		}
		u, err := url.Parse(opened.URI)
		if err != nil {
			t.Fatal(err)
		}
		if text, err := os.ReadFile(u.Path); err != nil || string(text) != view.Text {
			t.Errorf("%s has other contents: %v", opened.URI, err)
		}
		return view.Text
	}
	if text := show(c.titled(4, 0, "Show the program bufferized")); !strings.Contains(text, "memref.store") || strings.Contains(text, "tensor<") {
		t.Errorf("bufferized:\n%s", text)
	}
	text := show(c.titled(4, 0, "Show what cse changes"))
	if !strings.Contains(text, "--- before cse\n+++ after cse\n@@ ") || !strings.Contains(text, "\n-    %1 = arith.addf") {
		t.Errorf("what cse changes:\n%s", text)
	}
	if text := show(c.titled(0, 30, "Show what one-shot-bufferize changes")); strings.Contains(text, "-    %1 = arith.addf") || !strings.Contains(text, "bufferization.to_memref") {
		t.Errorf("what bufferization changes after cse:\n%s", text)
	}
	if got := c.actionsAt(0, 30); len(got) != 1 {
		t.Errorf("on a pass there are %+v", got)
	}
	for _, bad := range [][]string{{uri}, {uri, "x"}, {uri, "-1"}, {uri, "1", "2", "3"}} {
		if got := c.call("workspace/executeCommand", map[string]any{"command": "freehold.bufferized", "arguments": bad}); !strings.HasPrefix(got, "error") {
			t.Errorf("%v: %s", bad, got)
		}
	}
	if got := c.call("workspace/executeCommand", map[string]any{"command": "freehold.changes", "arguments": []string{uri, "1", "5"}}); !strings.Contains(got, "no pass at column 6") {
		t.Error(got)
	}
}

// Where a message has a better word it is put in by an action, and nothing is offered that needs a program without errors.
func TestMisspelt(t *testing.T) {
	c := connect(t)
	c.open("func.func @f(%x: f32) -> f32 {\n  %y = arith.adf %x, %x : f32\n  return %y : f32\n}\nfunc.func @g(%t: tensr<4xf32>) {\n  return\n}\n// -----\nfunc.func private @h(!gpu.async.tokn)\n")
	c.await(1)
	for _, x := range []struct {
		line               int
		title, replacement string
		start, end         int
	}{
		{1, "Replace arith.adf by arith.addf", "arith.addf", 7, 16},
		{4, "Replace tensr by tensor", "tensor", 17, 22},
		{8, "Replace async.tokn by async.token", "async.token", 26, 36},
	} {
		found := c.actionsAt(x.line, 0)
		if len(found) == 0 || found[0].Title != x.title || found[0].Kind != "quickfix" {
			t.Errorf("line %d: %+v", x.line, found)
			continue
		}
		for _, edits := range found[0].Edit.Changes {
			if e := edits[0]; e.NewText != x.replacement || e.Range.Start.Character != x.start || e.Range.End.Character != x.end {
				t.Errorf("line %d: %+v", x.line, e)
			}
		}
		for _, a := range found {
			if strings.HasPrefix(a.Title, "Canonicalize") {
				t.Errorf("line %d: %s, though the program has errors", x.line, a.Title)
			}
		}
	}
}

// Passes and options in RUN lines are completed and explained.
func TestRunLines(t *testing.T) {
	c := connect(t)
	const text = "// RUN: freehold opt --cs --one-shot-bufferize=\"allow-\" --pass-pipeline='builtin.module(canon,canonicalize{top-})'\nfunc.func @f() {\n  return\n}\n"
	c.open(text)
	c.await(1)
	column := func(s string) int { return strings.Index(text, s) + len(s) }
	for _, x := range []struct {
		method, before string
		want           []string
	}{
		{"textDocument/completion", "--cs", []string{`"label":"cse"`}},
		{"textDocument/completion", "(canon", []string{`"label":"canonicalize"`}},
		{"textDocument/completion", "\"allow-", []string{`"label":"allow-unknown-ops"`, `"label":"allow-return-allocs-from-loops"`}},
		{"textDocument/completion", "{top-", []string{`"label":"top-down"`}},
		{"textDocument/hover", "canonical", []string{"`canonicalize`, a pass: Bring operations", "`top-down`"}},
		{"textDocument/hover", "{to", []string{"null"}},
		{"textDocument/hover", "RUN: fr", []string{"null"}},
	} {
		got := c.call(x.method, at(0, column(x.before)))
		for _, w := range x.want {
			if !strings.Contains(got, w) {
				t.Errorf("%s after %s: %.300s\nlacks %s", x.method, x.before, got, w)
			}
		}
	}
	c.open(strings.Replace(text, "top-", "top-down=true", 1))
	if got := c.call("textDocument/hover", at(0, column("{to"))); !strings.Contains(got, "`top-down`: Start with the first") {
		t.Error(got)
	}
}
