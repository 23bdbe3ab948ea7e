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
