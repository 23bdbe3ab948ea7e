package driver

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"freehold/ir"
	"freehold/ir/asm"
)

// rude is a dialect with an operation each of whose hooks panics on some value of its
// attribute.
func rude() *ir.Dialect {
	id := ir.NewOpID("rude.op")
	at := func(stage string, a ir.Attribute) {
		if s, ok := a.(*ir.StringAttr); ok && s.Value == stage {
			panic("no manners in the " + stage)
		}
	}
	return &ir.Dialect{Name: "rude", Ops: []*ir.OpDef{{
		ID:     id,
		Verify: func(op *ir.Op) error { at("verifier", op.Attr("at")); return nil },
		Models: []ir.Model{asm.Assembly.Model(asm.OpAssembly{
			Parse: func(p *asm.Parser, s *ir.OpState) error {
				err := p.OptionalAttrDict(s)
				at("parser", s.Attr("at"))
				return err
			},
			Print: func(p *asm.Printer, op *ir.Op) {
				at("printer", op.Attr("at"))
				p.OptionalAttrDict(op.DiscardableAttrs())
			},
		})},
	}}}
}

// Panics of a dialect's parser, verifier and printer are errors, and programs to
// reproduce them are kept.
func TestPanicsAreErrors(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	t.Setenv("TMP", os.Getenv("TMPDIR"))
	tool := Freehold()
	tool.Dialects = append(tool.Dialects, rude())
	for _, stage := range []string{"parser", "verifier", "printer"} {
		src := `rude.op {at = "` + stage + `"}` + "\n"
		p, err := tool.NewSession().Parse([]byte(src), "rude.mlir")
		if err == nil {
			_, err = p.Text(asm.PrintOptions{})
		}
		var crash *CrashError
		want := "the " + stage + " crashed on rude.mlir: no manners in the " + stage
		if !errors.As(err, &crash) || crash.Stage != stage || err.Error() != want {
			t.Errorf("%s: error %v", stage, err)
		}
		var out, errs bytes.Buffer
		if status := Main(tool, nil, Streams{In: strings.NewReader(src), Out: &out, Err: &errs}); status != 1 || out.Len() > 0 {
			t.Errorf("%s: status %d, output %q", stage, status, out.String())
		}
		files, _ := filepath.Glob(filepath.Join(os.TempDir(), "freehold-crash-*.mlir"))
		if len(files) != 1 || !strings.Contains(errs.String(), files[0]) || !strings.Contains(errs.String(), "no manners") {
			t.Fatalf("%s: files %q, messages %s", stage, files, errs.String())
		}
		if text, _ := os.ReadFile(files[0]); !strings.HasSuffix(string(text), src) {
			t.Errorf("%s: reproducer\n%s", stage, text)
		}
		os.Remove(files[0])
	}
}

// One error of a program and several are found as the same type, those of the parser and
// of the verifier.
func TestErrorsOfSessions(t *testing.T) {
	for _, test := range []struct {
		src  string
		want int
	}{
		{"func.func @f() {\n  arith.nope\n  return\n}\n", 1},
		{"func.func @f() {\n  arith.nope\n  arith.nope\n  return\n}\n", 2},
		{"func.func @f() -> i32 {\n  return\n}\n", 1},
		{"func.func @f() -> i32 {\n  return\n}\nfunc.func @g() -> i32 {\n  return\n}\n", 2},
	} {
		_, err := Freehold().NewSession().Parse([]byte(test.src), "f.mlir")
		var ds ir.Diagnostics
		if !errors.As(err, &ds) || len(ds) != test.want {
			t.Errorf("%s: the errors are %q, not %d", test.src, ds, test.want)
		}
		var first *ir.Diagnostic
		if !errors.As(err, &first) || len(ds) == 0 || first != ds[0] {
			t.Errorf("%s: the first error is %v", test.src, first)
		}
	}
}
