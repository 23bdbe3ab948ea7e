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
	"freehold/pass"
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
	return &ir.Dialect{Name: "rude", Ops: func() []*ir.OpDef {
		return []*ir.OpDef{{
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
		}}
	}}
}

// Panics of a dialect's parser, verifier and printer are errors, and programs to
// reproduce them are kept.
func TestPanicsAreErrors(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	t.Setenv("TMP", os.Getenv("TMPDIR"))
	tool := Freehold()
	tool.Dialects = append(tool.Dialects, rude())
	for _, stage := range []string{"parser", "verifier", "printer"} {
		src := "module {\n  func.func private @f()\n" + `  rude.op {at = "` + stage + `"}` + "\n}\n"
		p, err := tool.NewSession().Parse([]byte(src), "rude.mlir")
		if err == nil {
			_, err = p.Text(asm.PrintOptions{})
		}
		var crash *ir.CrashError
		want := "the " + stage + " crashed: no manners in the " + stage
		if !errors.As(err, &crash) || crash.Stage != "the "+stage || err.Error() != "rude.mlir:3:3: "+want {
			t.Errorf("%s: error %v", stage, err)
		}
		var diag *ir.Diagnostic
		if !errors.As(err, &diag) || diag.Message != want {
			t.Errorf("%s: diagnostic %v", stage, diag)
		}
		var out, errs bytes.Buffer
		if status := Main(tool, nil, Streams{In: strings.NewReader(src), Out: &out, Err: &errs}); status != 1 || out.Len() > 0 {
			t.Errorf("%s: status %d, output %q", stage, status, out.String())
		}
		if want = "<stdin>:3:3: error: " + want; !strings.HasPrefix(errs.String(), want) {
			t.Errorf("%s: message %s", stage, errs.String())
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

// Wherever opt prints or verifies a program on its way, a panic is an error, and what is shown
// or saved is the generic form.
func TestPanicsOnTheWay(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	t.Setenv("TMP", os.Getenv("TMPDIR"))
	tool := Freehold()
	tool.Dialects = append(tool.Dialects, rude())
	tool.Passes = append(tool.Passes, func(r *pass.Registry) {
		set := func(to string) func(*pass.Context, *pass.None, *ir.Op) error {
			return func(_ *pass.Context, _ *pass.None, m *ir.Op) error {
				m.Walk(func(op *ir.Op) bool {
					if op.Name() == "rude.op" {
						op.SetAttr("at", op.Context().StringAttr(to))
					}
					return true
				})
				return nil
			}
		}
		r.Register(pass.New(pass.Info{Name: "spoil"}, nil, pass.OnModule(set("verifier"))))
		r.Register(pass.New(pass.Info{Name: "panic"}, nil, pass.OnModule(func(*pass.Context, *pass.None, *ir.Op) error { panic("at the disco") })))
	})
	const (
		calm     = "module {\n  rude.op {at = \"home\"}\n}\n"
		rude     = "module {\n  rude.op {at = \"printer\"}\n}\n"
		generic  = `"rude.op"() {at = "printer"} : () -> ()`
		verifier = "<stdin>:2:3: error: the verifier crashed: no manners in the verifier\n"
		printer  = "<stdin>:2:3: error: the printer crashed: no manners in the printer\n"
		comment  = "// <stdin>:2:3: the printer crashed: no manners in the printer\n"
		panicked = "error: pass 'panic' crashed: at the disco\n"
	)
	file := filepath.Join(t.TempDir(), "out.mlir")
	for _, c := range []struct {
		src, flags string
		want       []string // in messages
		saved      []string // in the file
	}{
		{calm, "--spoil", []string{verifier, "note: a reproducer"}, nil},
		{calm, "--spoil --mlir-disable-threading", []string{verifier}, nil},
		{rude, "--verify-roundtrip", []string{printer}, nil},
		{rude, "--cse --mlir-print-ir-before-all", []string{comment, generic, printer}, nil},
		{rude, "--cse --mlir-print-ir-after-all", []string{comment, generic, printer}, nil},
		{rude, "--panic", []string{panicked, "note: a reproducer"}, nil},
		{rude, "--cse --mlir-generate-reproducer=FILE", []string{printer}, []string{comment, generic, "pipeline: "}},
		{rude, "--panic --mlir-pass-pipeline-crash-reproducer=FILE", []string{panicked, "reproducer generated at"}, []string{comment, generic}},
		{rude, "-o FILE", []string{printer, "note: a reproducer"}, nil},
	} {
		os.Remove(file)
		var out, errs bytes.Buffer
		flags := strings.Fields(strings.ReplaceAll(c.flags, "FILE", file))
		if status := Main(tool, flags, Streams{In: strings.NewReader(c.src), Out: &out, Err: &errs}); status != 1 {
			t.Errorf("%s: status %d", c.flags, status)
		}
		for _, want := range c.want {
			if !strings.Contains(errs.String(), want) {
				t.Errorf("%s: no %q in\n%s", c.flags, want, errs.String())
			}
		}
		if strings.Contains(errs.String(), "cannot open") {
			t.Errorf("%s: %s", c.flags, errs.String())
		}
		saved, _ := os.ReadFile(file)
		for _, want := range c.saved {
			if !strings.Contains(string(saved), want) {
				t.Errorf("%s: no %q in\n%s", c.flags, want, saved)
			}
		}
		if c.saved == nil && len(saved) > 0 {
			t.Errorf("%s: %d bytes are written", c.flags, len(saved))
		}
	}
}

// The error of a pass that panics is told once, at the function it worked on.
func TestPanicOfPassIsToldOnce(t *testing.T) {
	tool := Freehold()
	tool.Passes = append(tool.Passes, func(r *pass.Registry) {
		r.Register(pass.New(pass.Info{Name: "panic", On: "func.func"}, nil,
			pass.OnModule(func(_ *pass.Context, _ *pass.None, f *ir.Op) error { panic("at the disco") })))
	})
	p, err := tool.NewSession().Parse([]byte("func.func @f() {\n  return\n}\nfunc.func @g() {\n  return\n}\n"), "two.mlir")
	if err != nil {
		t.Fatal(err)
	}
	err = p.Run("builtin.module(func.func(panic))")
	if want := "two.mlir:1:1: pass 'panic' crashed: at the disco"; err == nil || !strings.HasPrefix(err.Error(), want) || strings.Count(err.Error(), want) != 1 {
		t.Errorf("error %v", err)
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
