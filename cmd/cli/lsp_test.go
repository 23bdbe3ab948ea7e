package cli

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"freehold/driver"
)

// The command speaks the protocol on its standard streams, and ends when it is told to, or
// when its input does; whatever bytes arrive, it doesn't crash.
func TestLSP(t *testing.T) {
	message := func(json string) string { return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(json), json) }
	hello := message(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}`)
	open := message(`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///a.mlir","version":1,"text":"nonsense"}}}`)
	symbols := message(`{"jsonrpc":"2.0","id":2,"method":"textDocument/documentSymbol","params":{"textDocument":{"uri":"file:///a.mlir"}}}`)
	bye := message(`{"jsonrpc":"2.0","id":3,"method":"shutdown"}`) + message(`{"jsonrpc":"2.0","method":"exit"}`)
	program := message(`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///a.mlir","version":1,"text":"func.func @f(%a: i32) {\n  %b = arith.addi %a, %a : i32\n  return\n}\n"}}}`)
	rewrite := message(`{"jsonrpc":"2.0","id":2,"method":"workspace/executeCommand","params":{"command":"freehold.rewrite","arguments":["file:///a.mlir","@f","builtin.module(canonicalize)"]}}`)
	for name, in := range map[string]string{
		// The server asks for an edit, and gets no answer.
		"an edit":      hello + program + rewrite,
		"a session":    hello + open + symbols + bye,
		"end of input": hello,
		"nothing":      "",
		"no JSON":      message("]"),
		"odd fields":   hello + message(`{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"contentChanges":[{"range":{"start":{"line":-1,"character":99999}}}]}}`) + bye,
	} {
		var out, errs bytes.Buffer
		done := make(chan int)
		go func() {
			done <- Main(driver.Freehold(), []string{"freehold", "lsp"}, driver.Streams{In: io.NopCloser(strings.NewReader(in)), Out: &out, Err: &errs})
		}()
		select {
		case status := <-done:
			if status != 0 {
				t.Errorf("%s: exit status %d: %s", name, status, errs.String())
			}
		case <-time.After(time.Minute):
			t.Fatalf("%s: it doesn't end", name)
		}
		if strings.Contains(in, `"initialize"`) && !strings.Contains(out.String(), `"definitionProvider":true`) {
			t.Errorf("%s: %s", name, out.String())
		}
		if name == "an edit" && !strings.Contains(out.String(), `"workspace/applyEdit"`) {
			t.Errorf("%s: %s", name, out.String())
		}
		if name == "a session" && !strings.Contains(out.String(), "is unknown") && !strings.Contains(out.String(), "expected") {
			t.Errorf("%s: no diagnostic: %s", name, out.String())
		}
	}
}

// What is no message is answered with an error, and what comes after it as ever; where it isn't known where the next message starts, the command says so, and fails, with what was
// asked before answered.
func TestLSPMalformed(t *testing.T) {
	message := func(json string) string { return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(json), json) }
	hello := message(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}`)
	bye := message(`{"jsonrpc":"2.0","id":7,"method":"shutdown"}`) + message(`{"jsonrpc":"2.0","method":"exit"}`)
	const parse, invalid = `"id":null,"error":{"code":-32700,`, `"id":null,"error":{"code":-32600,`
	for _, tt := range []struct {
		in, answer string
		lost       string // why the rest can't be read
	}{
		{message(`{}`), invalid, ""},
		{message(`[]`), invalid, ""},
		{message(`null`), invalid, ""},
		{message(`3`), invalid, ""},
		{message(`[{"jsonrpc":"2.0","id":5,"method":"shutdown"}]`), invalid, ""},
		{message(`{"jsonrpc":"2.0","id":5}`), `"id":5,"error":{"code":-32600,`, ""},
		{message(`{"jsonrpc":"2.0","id":"five","method":1}`), `"id":"five","error":{"code":-32600,`, ""},
		{message(`{"jsonrpc":"2.0","id":{},"method":"shutdown"}`), invalid, ""},
		{message(`{"jsonrpc":"2.0","id":5,"method":"shut`), parse, ""},
		{message("\x00\xff{{{"), parse, ""},
		{message(""), parse, ""},
		{message(`{"jsonrpc":"2.0","id":-5,"method":"shutdown"}`), `"id":-5,"error":{"code":-32600,`, ""},
		{"content-length:2\n\n]]", parse, ""}, // a frame of its own spelling
		{"Content-Length: 4\r\n\r\n{\"id\":5}", parse, `"\":5}Content-Length: 44" is no field of a header`},
		{"Content-Length: 9\r\n\r\n{\"id\":5}", parse, "a header has no Content-Length"},
		{"Content-Length: 9000\r\n\r\n{}", "", "it ends after 123 of the 9000 bytes of one"},
		{"Content-Length: -5\r\n\r\n{}", "", `"-5" is no length`},
		{"Content-Length: 99999999999\r\n\r\n{}", "", `"99999999999" is no length`},
		{"Content-Type: x\r\n\r\n{}", "", "a header has no Content-Length"},
		{"{}\r\n", "", `"{}" is no field of a header`},
		{strings.Repeat("x", 100000), "", "a line of a header has no end"},
	} {
		var out, errs bytes.Buffer
		done := make(chan int)
		go func() {
			done <- Main(driver.Freehold(), []string{"freehold", "lsp"}, driver.Streams{In: io.NopCloser(strings.NewReader(hello + tt.in + bye)), Out: &out, Err: &errs})
		}()
		status := 0
		select {
		case status = <-done:
		case <-time.After(time.Minute):
			t.Fatalf("%.60q: it doesn't end", tt.in)
		}
		if (status != 0) != (tt.lost != "") || !strings.Contains(errs.String(), tt.lost) {
			t.Errorf("%.60q: exit status %d: %s", tt.in, status, errs.String())
		}
		if !strings.Contains(out.String(), `"id":1,"result":{`) && !strings.Contains(out.String(), `"definitionProvider":true`) || !strings.Contains(out.String(), tt.answer) {
			t.Errorf("%.60q: %s", tt.in, out.String())
		}
		if tt.lost == "" && !strings.Contains(out.String(), `"id":7,`) {
			t.Errorf("%.60q: the request after it isn't answered: %s", tt.in, out.String())
		}
	}
}

// The flag, or else the environment, names the version of LLVM that programs are of; else their spelling does.
func TestLSPVersion(t *testing.T) {
	message := func(json string) string { return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(json), json) }
	// Poison at position -1 came with LLVM 20.
	in := message(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}`) +
		message(`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///a.mlir","version":1,"text":"func.func @f(%v: vector<4xf32>) -> f32 {\n  %0 = vector.extract %v[-1] : f32 from vector<4xf32>\n  return %0 : f32\n}\n"}}}`) +
		message(`{"jsonrpc":"2.0","id":2,"method":"textDocument/documentSymbol","params":{"textDocument":{"uri":"file:///a.mlir"}}}`) +
		message(`{"jsonrpc":"2.0","id":3,"method":"shutdown"}`) + message(`{"jsonrpc":"2.0","method":"exit"}`)
	for _, tt := range []struct {
		flags       []string
		environment string
		status      int
		right       bool // the program
		says        string
	}{
		{nil, "", 0, true, ""},
		{nil, "19", 0, false, ""},
		{[]string{"--mlir-version=19"}, "", 0, false, ""},
		{[]string{"--mlir-version=22"}, "19", 0, true, ""},
		{[]string{"--mlir-version=7"}, "", 3, false, "'7' is no version of LLVM that is read"},
		{nil, "7", 3, false, "FREEHOLD_MLIR_VERSION: '7' is no version of LLVM that is read"},
	} {
		t.Setenv(driver.VersionVariable, tt.environment)
		var out, errs bytes.Buffer
		status := Main(driver.Freehold(), append([]string{"freehold", "lsp"}, tt.flags...), driver.Streams{In: io.NopCloser(strings.NewReader(in)), Out: &out, Err: &errs})
		if status != tt.status || !strings.Contains(errs.String(), tt.says) {
			t.Errorf("%v, %q: exit status %d: %s", tt.flags, tt.environment, status, errs.String())
		}
		if right := strings.Contains(out.String(), `"diagnostics":[]`); status == 0 && right != tt.right {
			t.Errorf("%v, %q: %s", tt.flags, tt.environment, out.String())
		}
	}
}
