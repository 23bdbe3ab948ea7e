package fuzz_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// .clusterfuzzlite/build.sh builds all fuzz targets of the repository, and no others.
func TestFuzzTargetsAreBuilt(t *testing.T) {
	root := filepath.Join("..", "..", "..")
	var declared []string
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		dir, err := filepath.Rel(root, filepath.Dir(path))
		if err != nil {
			return err
		}
		for _, d := range file.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && strings.HasPrefix(fn.Name.Name, "Fuzz") {
				declared = append(declared, "freehold/"+filepath.ToSlash(dir)+" "+fn.Name.Name)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	script, err := os.ReadFile(filepath.Join(root, ".clusterfuzzlite", "build.sh"))
	if err != nil {
		t.Fatal(err)
	}
	var built, names []string
	for line := range strings.Lines(string(script)) {
		if f := strings.Fields(line); len(f) == 4 && f[0] == "compile_native_go_fuzzer" {
			built = append(built, f[1]+" "+f[2])
			names = append(names, f[3])
		}
	}
	for _, x := range declared {
		if !slices.Contains(built, x) {
			t.Errorf("build.sh doesn't build %s", x)
		}
	}
	for _, x := range built {
		if !slices.Contains(declared, x) {
			t.Errorf("build.sh builds %s, which there is not", x)
		}
	}
	slices.Sort(names)
	if n := len(slices.Compact(names)); n != len(built) || n == 0 {
		t.Errorf("%d targets have %d names", len(built), n)
	}
}
