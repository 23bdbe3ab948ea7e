package lsp_test

import (
	"strings"
	"testing"

	"freehold/driver"
	"freehold/ir"
	"freehold/tool/lsp"
)

// Programs are those of the version of LLVM that a comment names, or else the server's user, or else their spelling; rewrites are spelled as the
// program is.
func TestVersions(t *testing.T) {
	const program = "func.func @f(%t: tensor<4xf32>) -> memref<4xf32> {\n  %m = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32>\n  return %m : memref<4xf32>\n}\n"
	old := strings.ReplaceAll(strings.ReplaceAll(program, "to_buffer", "to_memref"), "tensor<4xf32> to memref", "memref")
	plain := "func.func @plain() {\n  return\n}\n"
	for _, tt := range []struct {
		name, source string
		taken        int
		want         string // in the rewritten function
		says         string // a diagnostic
	}{
		{"spelling", program, 0, "bufferization.to_buffer", ""},
		{"nothing", old, 0, "bufferization.to_memref", ""},
		{"user", old, 22, "bufferization.to_buffer", ""},
		{"comment", "// mlir-version: 19\n" + program, 22, "bufferization.to_buffer", ""},
		{"comment alone", "// mlir-version: 22\n" + old, 0, "bufferization.to_buffer", ""},
		{"comment before another program", "// mlir-version: 22\n" + plain + "// -----\n" + old, 0, "bufferization.to_buffer", ""},
		{"no version", "// mlir-version: 7\n" + plain, 0, "", "'7' is no version of LLVM that is read"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			server := lsp.NewServer(driver.Freehold(), pipeline, "test")
			if tt.taken != 0 {
				server.Taken = driver.Choice{LLVM: tt.taken, Because: "the test says so", Loc: ir.Unknown}
			}
			c := connectTo(t, server)
			c.open(tt.source)
			p := c.await(1)
			if tt.says != "" {
				if len(p.Diagnostics) != 1 || !strings.Contains(p.Diagnostics[0].Message, tt.says) || p.Diagnostics[0].Range.Start.Line != 0 {
					t.Errorf("%+v", p)
				}
				return
			}
			if len(p.Diagnostics) != 0 {
				t.Errorf("%+v", p)
			}
			c.call("workspace/executeCommand", map[string]any{"command": "freehold.rewrite", "arguments": []string{uri, "@f", "builtin.module(canonicalize)"}})
			select {
			case edit := <-c.edits:
				if !strings.Contains(edit, tt.want) {
					t.Errorf("the edit is %s", edit)
				}
			default:
				t.Error("there is no edit")
			}
		})
	}
}
