package tflite

import (
	"os"
	"strings"
	"testing"

	"freehold/transform/import/tflite/model"
)

// The page for users names every operator, whether it is taken or not.
func TestDocumented(t *testing.T) {
	page, err := os.ReadFile("../../../docs/tflite.md")
	if err != nil {
		t.Fatal(err)
	}
	makeKernels()
	taken, refused, ok := strings.Cut(string(page), "Of the operators of the schema")
	if !ok {
		t.Fatal("docs/tflite.md doesn't say which operators aren't taken")
	}
	names := map[string]bool{}
	for c := model.Code(0); !strings.HasPrefix(c.String(), "operator "); c++ {
		names[c.String()] = true
	}
	for code := range kernels.builtin {
		if !names[code] {
			t.Errorf("the schema has no operator %s", code)
		}
	}
	for code := range names {
		_, ok := kernels.builtin[code]
		switch {
		case code == "CUSTOM" || strings.HasPrefix(code, "PLACEHOLDER"):
		case ok && !strings.Contains(taken, "`"+code+"`"):
			t.Errorf("docs/tflite.md doesn't name %s", code)
		case !ok && !strings.Contains(refused, "`"+code+"`") && !strings.HasPrefix(code, "STABLEHLO_"):
			t.Errorf("docs/tflite.md doesn't say that %s isn't taken", code)
		case ok && strings.Contains(refused, "`"+code+"`") && !strings.HasPrefix(code, "STABLEHLO_"):
			t.Errorf("docs/tflite.md says that %s isn't taken", code)
		}
	}
	for code := range customKernels() {
		if !strings.Contains(taken, "`"+code+"`") {
			t.Errorf("docs/tflite.md doesn't name %s", code)
		}
	}
}
