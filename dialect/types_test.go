package dialect_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"freehold/driver"
)

// Dialects list all types that they read: whatever a script has behind an exclamation mark is unknown, or on the list. (Those of `test` promise something, or are of use to tests only.)
func TestTypesAreListed(t *testing.T) {
	c := driver.Freehold().NewSession().Context
	names := c.TypeNames()
	var texts []string
	for _, pattern := range []string{"*/testdata/script/*.txtar", "../cmd/cli/testdata/script/*.txtar", "../transform/*/testdata/script/*.txtar"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			src, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			texts = append(texts, regexp.MustCompile(`![a-z_]+\.[a-z][a-z_.]*`).FindAllString(string(src), -1)...)
		}
	}
	slices.Sort(texts)
	found := 0
	for _, text := range slices.Compact(texts) {
		name := text[1:]
		dialect, _, _ := strings.Cut(name, ".")
		if c.Dialect(dialect) == nil || dialect == "test" || slices.Contains(names, name) {
			found++
			continue
		}
		_, err := driver.Freehold().NewSession().Parse([]byte("func.func private @f("+text+")"), "types.mlir")
		if err == nil || !strings.Contains(err.Error(), "unknown") && !strings.Contains(err.Error(), "no type parsing") {
			t.Errorf("%s isn't on the list of its dialect: %v", text, err)
		}
	}
	if found < len(names)/2 {
		t.Errorf("scripts have %d types, of %d that are listed", found, len(names))
	}
	for _, name := range names {
		_, err := driver.Freehold().NewSession().Parse([]byte("func.func private @f(!"+name+")"), "types.mlir")
		if err != nil && strings.Contains(err.Error(), "unknown") && strings.Contains(err.Error(), "type") && !strings.HasPrefix(name, "gpu.mma") {
			t.Errorf("%s is listed, and not read: %v", name, err)
		}
	}
}
