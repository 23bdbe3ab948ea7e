package lsp_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const unformatted = `// A comment.
  func.func @f(%t: tensor<4xf32>, %c: i1,
               %x: f32) -> f32 {
 // Of the branch.
      %r = scf.if %c -> (f32) {   
   %y = arith.addf %x,
                   %x : f32
  scf.yield %y : f32
        } else {
   "test.print"() {text = "a } b {"} : () -> ()
	scf.yield %x : f32
}

  cf.br ^end
^end:
return %r : f32
}
`

const formatted = `// A comment.
func.func @f(%t: tensor<4xf32>, %c: i1,
             %x: f32) -> f32 {
  // Of the branch.
  %r = scf.if %c -> (f32) {
    %y = arith.addf %x,
                    %x : f32
    scf.yield %y : f32
  } else {
    "test.print"() {text = "a } b {"} : () -> ()
    scf.yield %x : f32
  }

  cf.br ^end
^end:
  return %r : f32
}
`

func TestFormatting(t *testing.T) {
	type edit struct {
		Range struct {
			Start, End struct{ Line, Character int }
		}
		NewText string
	}
	type edits []edit
	document := map[string]any{"textDocument": map[string]any{"uri": uri}}
	ask := func(c *client, method string, params any) edits {
		t.Helper()
		var e edits
		if err := json.Unmarshal([]byte(c.call(method, params)), &e); err != nil {
			t.Fatal(err)
		}
		return e
	}
	apply := func(text string, list edits) string {
		lines := strings.Split(text, "\n")
		for _, e := range list {
			lines[e.Range.Start.Line] = e.NewText
		}
		return strings.Join(lines, "\n")
	}
	c := connect(t)
	c.open(unformatted)
	c.await(1)
	if got := apply(unformatted, ask(c, "textDocument/formatting", document)); got != formatted {
		t.Errorf("got\n%s", got)
	}
	// A range leaves the other lines alone.
	some := ask(c, "textDocument/rangeFormatting", with(with(map[string]any{}, "textDocument", document["textDocument"]), "range",
		map[string]any{"start": map[string]int{"line": 4, "character": 0}, "end": map[string]int{"line": 5, "character": 0}}))
	if len(some) != 2 || slices.ContainsFunc(some, func(e edit) bool {
		return e.Range.Start.Line < 4 || e.Range.Start.Line > 5
	}) {
		t.Errorf("of two lines: %v", some)
	}
	// What is formatted stays as it is, and what can't be read, too.
	c = connect(t)
	c.open(formatted)
	c.await(1)
	if again := ask(c, "textDocument/formatting", document); len(again) != 0 {
		t.Errorf("again: %v", again)
	}
	c = connect(t)
	c.open("  func.func @f( {\n")
	c.await(1)
	if wrong := ask(c, "textDocument/formatting", document); len(wrong) != 0 {
		t.Errorf("with errors: %v", wrong)
	}
}

// The examples are as the formatter wants them.
func TestExamplesAreFormatted(t *testing.T) {
	files, err := filepath.Glob("../../examples/*.mlir")
	if err != nil || len(files) == 0 {
		t.Fatal(err, files)
	}
	for _, f := range files {
		src, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		c := connect(t)
		c.open(string(src))
		c.await(1)
		if got := c.call("textDocument/formatting", map[string]any{"textDocument": map[string]any{"uri": uri}}); got != "[]" {
			t.Errorf("%s: %s", f, got)
		}
	}
}
