package main

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// All known faults can be put back into the sources as they are now, and what is put back is Go.
func TestFaultsApply(t *testing.T) {
	t.Chdir("../../..")
	files, err := patchAll(faults)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		if _, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution); err != nil {
			t.Error(err)
		}
		if strings.Contains(string(text), "FAULT") || strings.Contains(string(text), "NUMBER") {
			t.Errorf("%s has a placeholder", name)
		}
	}
	names := map[string]bool{}
	for _, f := range faults {
		if names[f.name] || f.what == "" || len(f.changes) == 0 {
			t.Errorf("the fault %q has no name of its own, no words or no changes", f.name)
		}
		names[f.name] = true
	}
}

// A fault whose text is gone, or not the only one, is an error.
func TestFaultDoesNotApply(t *testing.T) {
	list := []fault{{name: "f", changes: []change{{"a.go", "x > 1", "x > 1 && !FAULT"}}}}
	text, err := patched("a.go", []byte("package a\n\nvar y = x > 1\n"), list)
	if err != nil || !strings.Contains(string(text), "x > 1 && !planted.Is(0)") {
		t.Errorf("%s, %v", text, err)
	}
	for _, source := range []string{"package a\n", "package a\n\nvar y, z = x > 1, x > 1\n"} {
		if _, err := patched("a.go", []byte(source), list); err == nil {
			t.Errorf("it applies to %q", source)
		}
	}
}

// The files that bugs are planted in, and the packages whose tests should find them, are where they are said to be.
func TestPlacesExist(t *testing.T) {
	t.Chdir("../../..")
	var files []string
	for _, room := range []string{"transform", "dialect", "ir", "exec", "proof"} {
		err := filepath.WalkDir(room, func(path string, _ fs.DirEntry, err error) error {
			files = append(files, "freehold/"+filepath.ToSlash(path))
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	patterns := []*regexp.Regexp{victims, exempt}
	trials := slices.Clone(knownTrials)
	for _, j := range judges {
		patterns = append(patterns, j.victims)
		trials = slices.Concat(trials, j.trials, j.witnesses)
	}
	for _, p := range patterns {
		if !slices.ContainsFunc(files, p.MatchString) {
			t.Errorf("no file matches %v", p)
		}
	}
	for _, x := range trials {
		if _, err := os.Stat(x.pkg); err != nil {
			t.Error(err)
		}
	}
}
