package main

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestExamples looks for an example of every package that others may import, in the package itself, or, as example_NAME_test.go, beside its
// folder or, where one needs dialects that stand on the package, in theirs. Its output must be checked, except in packages for tests, whose functions can only be called by one.
func TestExamples(t *testing.T) {
	const root = "../.."
	packages := 0
	err := filepath.WalkDir(root, func(dir string, e fs.DirEntry, err error) error {
		if err != nil || !e.IsDir() {
			return err
		}
		if dir != root && (present(filepath.Join(dir, "go.mod")) || strings.HasPrefix(e.Name(), ".") || slices.Contains([]string{"bin", "cmd", "internal", "testdata"}, e.Name())) {
			return filepath.SkipDir
		}
		sources, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil {
			return err
		}
		for _, folder := range []string{filepath.Dir(dir), filepath.Join(root, "dialect"), filepath.Join(root, "transform")} {
			if elsewhere := filepath.Join(folder, "example_"+e.Name()+"_test.go"); present(elsewhere) && !slices.Contains(sources, elsewhere) {
				sources = append(sources, elsewhere)
			}
		}
		var tests []*ast.File
		public, forTests := false, false
		for _, source := range sources {
			isTest := strings.HasSuffix(source, "_test.go")
			mode := parser.ImportsOnly
			if isTest {
				mode = parser.ParseComments
			}
			file, err := parser.ParseFile(token.NewFileSet(), source, nil, mode)
			switch {
			case err != nil:
				return err
			case isTest:
				tests = append(tests, file)
			case file.Name.Name != "main":
				public = true
				forTests = forTests || slices.ContainsFunc(file.Imports, func(i *ast.ImportSpec) bool { return i.Path.Value == `"testing"` })
			}
		}
		if !public {
			return nil
		}
		packages++
		if !slices.ContainsFunc(doc.Examples(tests...), func(x *doc.Example) bool { return x.Output != "" || x.EmptyOutput || forTests }) {
			t.Errorf("%s has no example whose output is checked", dir)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if packages < 50 {
		t.Errorf("only %d packages were found", packages)
	}
}

func present(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}
