package driver

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"freehold/ir"
	"freehold/pass"
)

// TestCrash checks that a pass that panics gives an error and a file that
// reproduces it.
func TestCrash(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	t.Setenv("TMP", os.Getenv("TMPDIR"))
	var reg pass.Registry
	reg.Register(pass.New(pass.Info{Name: "crash", On: "func.func"}, nil,
		pass.OnModule(func(*pass.Context, *pass.None, *ir.Op) error { panic("at the disco") })))
	const src = "func.func @f() { return }\n"
	var out, errs bytes.Buffer
	try := func(src string, setup func(o *optOptions)) int {
		o := defaultOptOptions()
		setup(o)
		out.Reset()
		errs.Reset()
		d := &optDriver{optOptions: o, reg: &reg, tool: Freehold(), Reporter: Reporter{Err: &errs, AttachOps: true}}
		return d.run(Streams{In: strings.NewReader(src), Out: &out, Err: &errs})
	}
	if status := try(src, func(o *optOptions) { o.passes = []passFlag{{"crash", ""}} }); status != 1 || out.Len() != 0 {
		t.Errorf("status %d, output %q", status, out.String())
	}
	if want := "<stdin>:1:1: error: pass 'crash' crashed: at the disco\n"; !strings.HasPrefix(errs.String(), want) {
		t.Errorf("got %s", errs.String())
	}
	files, _ := filepath.Glob(filepath.Join(os.TempDir(), "freehold-crash-*.mlir"))
	if len(files) != 1 || !strings.Contains(errs.String(), files[0]) {
		t.Fatalf("files %q, messages %s", files, errs.String())
	}
	text, _ := os.ReadFile(files[0])
	for _, want := range []string{"// <stdin>:1:1: pass 'crash' crashed: at the disco\n", "crash_test.go", `pipeline: "builtin.module(func.func(crash))"`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	// The file crashes again.
	if status := try(string(text), func(o *optOptions) { o.runReproducer, o.reproducer = true, filepath.Join(t.TempDir(), "r.mlir") }); status != 1 || !strings.Contains(errs.String(), "at the disco") {
		t.Errorf("status %d, messages %s", status, errs.String())
	}
}
