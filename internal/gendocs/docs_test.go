package main

import (
	"bytes"
	"flag"
	"os"
	"testing"
)

var update = flag.Bool("update", false, "write docs/passes.md")

// TestDocs keeps docs/passes.md current.
func TestDocs(t *testing.T) {
	const path = "../../docs/passes.md"
	want := passReference()
	if *update {
		if err := os.WriteFile(path, want, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("docs/passes.md is not current: run `go run ./internal/gendocs`")
	}
}
