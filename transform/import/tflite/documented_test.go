package tflite

import (
	"os"
	"strings"
	"testing"
)

// The page for users names every operator.
func TestDocumented(t *testing.T) {
	page, err := os.ReadFile("../../../docs/tflite.md")
	if err != nil {
		t.Fatal(err)
	}
	makeKernels()
	for code := range kernels.builtin {
		if !strings.Contains(string(page), "`"+code+"`") {
			t.Errorf("docs/tflite.md doesn't name %s", code)
		}
	}
}
