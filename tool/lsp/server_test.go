package lsp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/sourcegraph/jsonrpc2"

	"freehold/driver"
	"freehold/tool/lsp"
)

// client is an editor.
type client struct {
	t           *testing.T
	conn        *jsonrpc2.Conn
	diagnostics chan published
	edits       chan string
	shown       chan string
}

type published struct {
	URI         string
	Version     int
	Diagnostics []struct {
		Range   struct{ Start, End struct{ Line, Character int } }
		Message string
	}
}

func (c *client) Handle(ctx context.Context, conn *jsonrpc2.Conn, req *jsonrpc2.Request) {
	switch req.Method {
	case "textDocument/publishDiagnostics":
		var p published
		if err := json.Unmarshal(*req.Params, &p); err != nil {
			c.t.Error(err)
		}
		c.diagnostics <- p
	case "workspace/applyEdit":
		c.edits <- string(*req.Params)
		go conn.Reply(ctx, req.ID, map[string]bool{"applied": true})
	case "window/showDocument":
		c.shown <- string(*req.Params)
		go conn.Reply(ctx, req.ID, map[string]bool{"success": true})
	}
}

const pipeline = "builtin.module(one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map},complete-buffer-deallocation-pipeline)"

func connect(t *testing.T, encodings ...string) *client {
	t.Helper()
	return connectTo(t, lsp.NewServer(driver.Freehold(), pipeline, "test"), encodings...)
}

// connectTo connects an editor to a server.
func connectTo(t *testing.T, server *lsp.Server, encodings ...string) *client {
	t.Helper()
	here, there := net.Pipe()
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- server.Serve(ctx, there) }()
	c := &client{t: t, diagnostics: make(chan published, 10000), edits: make(chan string, 10), shown: make(chan string, 10)}
	c.conn = jsonrpc2.NewConn(ctx, jsonrpc2.NewBufferedStream(here, jsonrpc2.VSCodeObjectCodec{}), c)
	c.call("initialize", map[string]any{"capabilities": map[string]any{
		"general": map[string]any{"positionEncodings": encodings}, "window": map[string]any{"showDocument": map[string]bool{"support": true}}}})
	t.Cleanup(func() {
		c.call("shutdown", nil)
		c.notify("exit", nil)
		select {
		case <-served:
		case <-time.After(20 * time.Second):
			t.Error("the server doesn't exit")
		}
		cancel()
	})
	return c
}

// call returns the answer as JSON without blanks, or the error's message.
func (c *client) call(method string, params any) string {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	var result json.RawMessage
	if err := c.conn.Call(ctx, method, params, &result); err != nil {
		return "error: " + err.Error()
	}
	return string(result)
}

func (c *client) notify(method string, params any) {
	c.t.Helper()
	if err := c.conn.Notify(context.Background(), method, params); err != nil {
		c.t.Error(err)
	}
}

const uri = "file:///program.mlir"

func (c *client) open(text string) {
	c.notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": uri, "version": 1, "text": text, "languageId": "mlir"}})
}

func (c *client) edit(version int, line, from, to int, text string) {
	c.notify("textDocument/didChange", map[string]any{
		"textDocument": map[string]any{"uri": uri, "version": version},
		"contentChanges": []any{map[string]any{
			"range": map[string]any{"start": map[string]int{"line": line, "character": from}, "end": map[string]int{"line": line, "character": to}},
			"text":  text,
		}},
	})
}

// await returns what is published about a version.
func (c *client) await(version int) published {
	c.t.Helper()
	for {
		select {
		case p := <-c.diagnostics:
			if p.Version == version {
				return p
			}
		case <-time.After(time.Minute):
			c.t.Fatalf("nothing is published about version %d", version)
		}
	}
}

func at(line, character int) map[string]any {
	return map[string]any{"textDocument": map[string]any{"uri": uri}, "position": map[string]int{"line": line, "character": character}}
}

func with(m map[string]any, name string, value any) map[string]any {
	m[name] = value
	return m
}

const program = `!t = tensor<64xf32>
func.func @f(%t: !t, %x: f32, %i: index) -> (!t, f32) {
  %new = tensor.insert %x into %t[%i] : !t
  %old = tensor.extract %t[%i] : !t
  cf.br ^end(%old : f32)
^end(%y: f32):
  return %new, %y : !t, f32
}
func.func @g(%t: !t, %x: f32, %i: index) {
  %r:2 = call @f(%t, %x, %i) : (!t, f32, index) -> (!t, f32)
  return
}
`

func TestAnswers(t *testing.T) {
	c := connect(t)
	c.open(program)
	if p := c.await(1); len(p.Diagnostics) != 0 {
		t.Errorf("%v", p)
	}
	for _, x := range []struct {
		method string
		params any
		want   []string
	}{
		{"textDocument/hover", at(2, 4), []string{"tensor\\u003c64xf32\\u003e", "256 B", "used once", "This line **copies 256 B**", "whose old contents are still needed"}},
		{"textDocument/hover", at(2, 12), []string{"`tensor.insert`"}},
		{"textDocument/hover", at(9, 15), []string{"func.func @f", "tensor\\u003c64xf32\\u003e, f32, index"}},
		{"textDocument/definition", at(3, 25), []string{`"start":{"line":1,"character":13},"end":{"line":1,"character":15}`}},
		{"textDocument/definition", at(4, 9), []string{`"start":{"line":5,"character":0}`}},
		{"textDocument/definition", at(9, 15), []string{`"start":{"line":1,"character":10}`}},
		{"textDocument/definition", at(2, 41), []string{`"start":{"line":0,"character":0}`}},
		{"textDocument/references", with(at(1, 14), "context", map[string]bool{"includeDeclaration": false}), []string{`"line":2,"character":31`, `"line":3,"character":24`}},
		{"textDocument/rename", with(at(2, 4), "newName", "fresh"), []string{`"newText":"%fresh"`, `"line":2,"character":2`, `"line":6,"character":9`}},
		{"textDocument/rename", with(at(2, 4), "newName", "old"), []string{"error", "is there already"}},
		{"textDocument/rename", with(at(2, 4), "newName", "a b"), []string{"error", "isn't a name"}},
		{"textDocument/documentSymbol", at(0, 0), []string{`"name":"@f"`, `"name":"@g"`, `"kind":12`, `"end":{"line":7,"character":1}`}},
		{"textDocument/foldingRange", at(0, 0), []string{`{"startLine":1,"endLine":6}`}},
		{"textDocument/semanticTokens/full", at(0, 0), []string{`{"data":[1,0,9,0,0,0,10,2,3,1,`}},
		{"textDocument/completion", at(6, 10), []string{`"label":"new"`, `"label":"old"`, `"detail":"f32"`}},
		{"textDocument/completion", at(2, 9), []string{`"label":"tensor.insert"`}},
		{"textDocument/completion", at(4, 9), []string{`"label":"end"`}},
		{"textDocument/inlayHint", with(at(0, 0), "range", map[string]any{"start": map[string]int{"line": 0}, "end": map[string]int{"line": 20}}), []string{`"label":"copies 256 B"`, `"position":{"line":2,"character":42}`}},
		{"textDocument/codeAction", with(at(0, 0), "range", map[string]any{"start": map[string]int{"line": 9}, "end": map[string]int{"line": 9}}), []string{"Canonicalize @g"}},
		{"textDocument/nothing", at(0, 0), []string{"error", "unknown method"}},
		{"textDocument/hover", map[string]any{"textDocument": map[string]any{"uri": "file:///other"}}, []string{"error", "isn't open"}},
		{"textDocument/hover", []int{1}, []string{"error"}},
		{"textDocument/hover", at(100, 100), []string{"null"}},
	} {
		got := c.call(x.method, x.params)
		for _, w := range x.want {
			if !strings.Contains(got, w) {
				t.Errorf("%s %v: %s\nlacks %s", x.method, x.params, got, w)
			}
		}
	}
	c.call("workspace/executeCommand", map[string]any{"command": "freehold.rewrite", "arguments": []string{uri, "@g", "builtin.module(canonicalize)"}})
	if edit := <-c.edits; !strings.Contains(edit, `func.func @g`) || !strings.Contains(edit, `"end":{"character":1,"line":11}`) {
		t.Errorf("the edit is %s", edit)
	}
}

// Errors are shown all at once, while one types, where they are.
func TestErrors(t *testing.T) {
	c := connect(t)
	c.open("func.func @f(%a: f32) {\n  %b = arith.addf %a, %nothing : f32\n  %c = arith.wrong %a : f32\n  return\n}\n// -----\nfunc.func @g() {\n  return\n}\n")
	p := c.await(1)
	if len(p.Diagnostics) != 2 || p.Diagnostics[0].Range.Start.Line != 1 || p.Diagnostics[1].Range.Start.Line != 2 {
		t.Errorf("%+v", p)
	}
	c.edit(2, 1, 22, 30, "%a")
	if p := c.await(2); len(p.Diagnostics) != 1 {
		t.Errorf("%+v", p)
	}
	c.edit(3, 2, 0, 27, "")
	if p := c.await(3); len(p.Diagnostics) != 0 {
		t.Errorf("%+v", p)
	}
	c.edit(4, 7, 0, 5, "  retrun // 𝒳")
	if p := c.await(4); len(p.Diagnostics) == 0 || p.Diagnostics[0].Range.Start.Line != 7 {
		t.Errorf("%+v", p)
	}
	// A test's expectations are no errors.
	c.edit(5, 7, 0, 20, "  // expected-error @+1 {{custom op 'retrun' is unknown}}\n  retrun")
	for _, d := range c.await(5).Diagnostics {
		if strings.Contains(d.Message, "custom op 'retrun' is unknown") {
			t.Errorf("%+v", d)
		}
	}
}

// Columns are units of UTF-16, or bytes if the client prefers that.
func TestColumns(t *testing.T) {
	const text = "func.func @f() attributes {s = \"𝒳𝒳\", r = @g} {\n  return\n}\nfunc.func @g() {\n  return\n}\n"
	for encodings, column := range map[string]int{"utf-16": len(`func.func @f() attributes {s = "`) + 4 + len(`", r = `), "utf-8": len(`func.func @f() attributes {s = "`) + 8 + len(`", r = `)} {
		c := connect(t, encodings)
		c.open(text)
		if got := c.call("textDocument/definition", at(0, column+1)); !strings.Contains(got, `"line":3,"character":10`) {
			t.Errorf("%s: %s", encodings, got)
		}
	}
}

// Whatever is typed, the server stays up, and nothing is left of a thousand edits.
func TestStaysUp(t *testing.T) {
	c := connect(t)
	src, err := os.ReadFile("../../examples/attention.mlir")
	if err != nil {
		t.Fatal(err)
	}
	c.open(string(src))
	c.await(1)
	before := runtime.NumGoroutine()
	rng := rand.New(rand.NewPCG(1, 2))
	lines := strings.Count(string(src), "\n")
	for v := 2; v < 1002; v++ {
		text := []string{"", "%", "\x00\xff", "}", "{", "\n", "\"", "^bb0", "affine_map<", "// -----\n", "dense<", "tensor<?x", "@", "loc(", "𝒳"}[rng.IntN(15)]
		c.edit(v, rng.IntN(lines), rng.IntN(30), rng.IntN(60), text)
		if v%100 == 0 {
			c.call("textDocument/hover", at(rng.IntN(lines), rng.IntN(40)))
			c.call("textDocument/completion", at(rng.IntN(lines), rng.IntN(40)))
			c.call("textDocument/semanticTokens/full", at(0, 0))
			c.call("textDocument/documentSymbol", at(0, 0))
		}
	}
	c.await(1001)
	for range 100 {
		if runtime.NumGoroutine() <= before+2 {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	if after := runtime.NumGoroutine(); after > before+2 {
		t.Errorf("%d goroutines, %d before", after, before)
	}
	// And it still answers about a program.
	c.notify("textDocument/didClose", at(0, 0))
	c.open(program)
	if got := c.call("textDocument/definition", at(3, 25)); !strings.Contains(got, `"line":1,"character":13`) {
		t.Error(got)
	}
}

// How long a keystroke in a file of 10,000 lines takes until the next answer.
func BenchmarkKeystroke(b *testing.B) {
	var src strings.Builder
	for i := range 2500 {
		fmt.Fprintf(&src, "func.func @f%d(%%a: f32) -> f32 {\n  %%b = arith.addf %%a, %%a : f32\n  return %%b : f32\n}\n", i)
	}
	c := connect(&testing.T{})
	c.open(src.String())
	c.call("textDocument/hover", at(5001, 4))
	b.ResetTimer()
	for i := range b.N {
		c.edit(i+2, 5001, 28, 28, " ")
		c.call("textDocument/hover", at(5001, 4))
	}
	b.StopTimer()
}

// In a large document a hover is answered before it is known why it copies, and with that later.
func TestLargeDocument(t *testing.T) {
	const chain = 1500
	var src strings.Builder
	src.WriteString("func.func @f(%v0: tensor<64xf32>) -> tensor<64xf32> {\n")
	for i := range chain {
		fmt.Fprintf(&src, "  %%e%d = tensor.empty() : tensor<64xf32>\n  %%v%d = linalg.exp ins(%%v%d : tensor<64xf32>) outs(%%e%d : tensor<64xf32>) -> tensor<64xf32>\n", i, i+1, i, i)
	}
	fmt.Fprintf(&src, "  return %%v%d : tensor<64xf32>\n}\n", chain)
	c := connect(t)
	c.open(src.String())
	if got := c.call("textDocument/hover", at(1, 4)); !strings.Contains(got, "being found out") {
		t.Error(got)
	}
	if got := c.call("textDocument/inlayHint", with(at(0, 0), "range", map[string]any{"start": map[string]int{"line": 0, "character": 0}, "end": map[string]int{"line": 9, "character": 0}})); !strings.Contains(got, "allocates 256 B") {
		t.Error(got)
	}
	if got := c.call("textDocument/hover", at(1, 4)); !strings.Contains(got, "This line **allocates 256 B**") {
		t.Error(got)
	}
}
