package verify_test

import (
	"os"
	"strings"
	"testing"

	"freehold/dialect"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/proof/certificate"
	"freehold/proof/check"
	"freehold/proof/verify"
)

// The documentation's example has the certificate that is shown.
func TestDocumentation(t *testing.T) {
	doc, err := os.ReadFile("../../docs/certificate.md")
	if err != nil {
		t.Fatal(err)
	}
	block := func(after string) string {
		_, rest, _ := strings.Cut(string(doc), "<!-- "+after+" -->\n```")
		_, rest, _ = strings.Cut(rest, "\n")
		text, _, ok := strings.Cut(rest, "```")
		if !ok {
			t.Fatalf("there is no block %q", after)
		}
		return text
	}
	m, err := asm.Parse(ir.NewContext(dialect.All()...), []byte(block("the program of the example")), "last.mlir", asm.ParseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	_, c, err := check.Certify(m, check.Options{})
	if err != nil {
		t.Fatal(err)
	}
	shown := block("the certificate of the example")
	if c.String() != shown {
		t.Errorf("the certificate is\n%s\nbut the documentation shows\n%s", c, shown)
	}
	read, err := certificate.Parse(shown)
	if err == nil {
		err = verify.Program(m, read, 1)
	}
	if err != nil {
		t.Error(err)
	}
	// Each line is needed.
	lines := strings.SplitAfter(shown, "\n")
	for i := range lines {
		text := strings.Join(lines[:i], "") + strings.Join(lines[min(i+1, len(lines)):], "")
		read, err := certificate.Parse(text)
		if err == nil && verify.Program(m, read, 1) == nil && strings.TrimSpace(lines[i]) != "" {
			t.Errorf("without line %d it is still accepted: %s", i+1, lines[i])
		}
	}
}
