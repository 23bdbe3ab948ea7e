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
	for name, in := range map[string]string{
		"a session":    hello + open + symbols + bye,
		"end of input": hello,
		"nothing":      "",
		"garbage":      "Content-Length: -5\r\n\r\n\x00\xff{{{",
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
		if name == "a session" && !strings.Contains(out.String(), "is unknown") && !strings.Contains(out.String(), "expected") {
			t.Errorf("%s: no diagnostic: %s", name, out.String())
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
