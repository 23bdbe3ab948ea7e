package dialect_test

import (
	"bytes"
	"testing"

	"freehold/dialect"
	"freehold/internal/testing/fuzz"
	"freehold/ir"
	"freehold/ir/asm"
)

// addScripts makes seeds of the programs in the repository's scripts.
func addScripts(f *testing.F) {
	fuzz.AddPrograms(f, 3000, "*/testdata/script/*.txtar", "../transform/*/*/testdata/script/*.txtar")
}

func parse(src []byte) (*asm.Document, error) {
	ctx := ir.NewContext(dialect.All()...)
	ctx.AllowUnregistered = true
	return asm.ParseDocument(ctx, src, "fuzz.mlir", asm.ParseOptions{})
}

// FuzzRoundTrip checks that a valid program, printed in either form, reads back as
// the same program.
func FuzzRoundTrip(f *testing.F) {
	addScripts(f)
	f.Fuzz(func(t *testing.T, src []byte) {
		if len(src) > 20000 {
			return
		}
		doc, err := parse(src)
		if err != nil || ir.Verify(doc.Module) != nil {
			return
		}
		// The text of local scopes leaves resources out. Custom forms may depend on locations, as that of stablehlo.reduce does.
		plain := func(d *asm.Document, o asm.PrintOptions) []byte {
			if o.LocalScope {
				d = &asm.Document{Module: d.Module}
			}
			same := *d
			same.Module = ir.CloneDetached(d.Module)
			same.Module.Walk(func(op *ir.Op) bool {
				op.SetLoc(ir.Unknown)
				return true
			})
			return asm.PrintDocument(&same, asm.PrintOptions{})
		}
		for _, o := range []asm.PrintOptions{
			{},
			{Generic: true},
			{LocalScope: true},
			{DebugInfo: true},
			{Generic: true, DebugInfo: true, LocalScope: true},
			{UniqueSSAIDs: true, AssumeVerified: true, HexElementsLargerThan: 1},
		} {
			text := asm.PrintDocument(doc, o)
			again, err := parse(text)
			if err != nil {
				t.Fatalf("%+v: can't read\n%s\n%v", o, text, err)
			}
			if err := ir.Verify(again.Module); err != nil {
				t.Fatalf("%+v: invalid\n%s\n%v", o, text, err)
			}
			if got := asm.PrintDocument(again, o); !bytes.Equal(got, text) {
				t.Fatalf("%+v: printed again:\n%s\nwas\n%s", o, got, text)
			}
			if got, want := plain(again, o), plain(doc, o); !bytes.Equal(got, want) {
				t.Fatalf("%+v:\n%s\nwas\n%s", o, got, want)
			}
		}
	})
}

// FuzzVerify checks that the verifier takes any program that can be read, and that
// what it rejects can be printed, as messages do.
func FuzzVerify(f *testing.F) {
	addScripts(f)
	f.Fuzz(func(t *testing.T, src []byte) {
		if len(src) > 20000 {
			return
		}
		doc, err := parse(src)
		if err != nil {
			return
		}
		if err := ir.Verify(doc.Module); err != nil {
			asm.Render(nil, err, func(string) []byte { return src })
			asm.PrintDocument(doc, asm.DiagnosticOptions())
		}
		asm.PrintDocument(doc, asm.PrintOptions{})
	})
}

// FuzzRecover checks that the parser takes any source with errors, that the first error
// is that of a parser that stops there, and that tokens are in order.
func FuzzRecover(f *testing.F) {
	addScripts(f)
	first := func(err error) string {
		if ds, ok := err.(ir.Diagnostics); ok {
			err = ds[0]
		}
		if err == nil {
			return ""
		}
		return err.Error()
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		if len(src) > 20000 {
			return
		}
		_, want := asm.ParseDocument(ir.NewContext(dialect.All()...), src, "f.mlir", asm.ParseOptions{})
		var tokens asm.Tokens
		_, got := asm.ParseDocument(ir.NewContext(dialect.All()...), src, "f.mlir", asm.ParseOptions{Recover: true, Tokens: &tokens})
		if first(got) != first(want) {
			t.Fatalf("errors\n%v\nwithout recovery\n%v", got, want)
		}
		for i := range tokens {
			if i > 0 && tokens[i-1].End > tokens[i].Start || tokens[i].End > len(src) {
				t.Fatalf("tokens are out of order at %d", tokens[i].Start)
			}
		}
	})
}
