package main

import (
	"bytes"
	"cmp"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"testing"

	"freehold/pass"
	"freehold/transform"
)

var update = flag.Bool("update", false, "write the pages of docs that are made")

// TestDocs keeps the pages that are made current. They may not depend on the machine.
func TestDocs(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(runtime.NumCPU() + 5))
	for name, page := range pages {
		path, want := "../../docs/"+name, page()
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
			t.Errorf("docs/%s is not current: run `go run ./cmd/gendocs`", name)
		}
	}
}

// TestFamilies looks for each pass and pipeline in exactly one family.
func TestFamilies(t *testing.T) {
	var all pass.Registry
	transform.Register(&all)
	missing := map[string]bool{}
	for _, p := range all.Passes() {
		missing[p.Name] = true
	}
	for _, p := range all.Pipelines() {
		missing[p.Name] = true
	}
	for _, f := range transform.Families() {
		reg := registryOf(f)
		var names []string
		for _, p := range reg.Passes() {
			names = append(names, p.Name)
		}
		for _, p := range reg.Pipelines() {
			names = append(names, p.Name)
		}
		for _, name := range names {
			if !missing[name] {
				t.Errorf("%s is in family %s, and in another one or no pass", name, f.Name)
			}
			delete(missing, name)
		}
	}
	for name := range missing {
		t.Errorf("%s is in no family", name)
	}
}

// TestManuals writes the manual pages.
func TestManuals(t *testing.T) {
	dir := t.TempDir()
	if err := manuals(dir); err != nil {
		t.Fatal(err)
	}
	for _, c := range commands() {
		text, err := os.ReadFile(filepath.Join(dir, "freehold-"+c.Name()+".1"))
		if err != nil || !bytes.Contains(text, []byte(".SH SYNOPSIS")) {
			t.Errorf("freehold-%s.1: %v\n%.200s", c.Name(), err, text)
		}
	}
}

// quoted is a piece of code in a page, with the file that it is from.
var quoted = regexp.MustCompile("(?s)<!-- from (\\S+) -->\n```\\w*\n(.*?)```")

// TestQuotations keeps code that pages quote the same as in the files, which are compiled.
func TestQuotations(t *testing.T) {
	pages, err := filepath.Glob("../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	quotations := 0
	for _, page := range pages {
		for _, q := range quoted.FindAllSubmatch(mustRead(t, page), -1) {
			quotations++
			source, err := os.ReadFile(filepath.Join("../..", string(q[1])))
			if err != nil {
				t.Errorf("%s: %v", page, err)
			} else if !bytes.Contains(source, q[2]) {
				t.Errorf("%s: %s doesn't have\n%s", page, q[1], q[2])
			}
		}
	}
	if n := bytes.Count(mustRead(t, "../../docs/adding-a-pass.md"), []byte("```go")); n == 0 || quotations < n {
		t.Errorf("%d quotations, of %d pieces of code in one page alone", quotations, n)
	}
}

// mentioned is an exported name of a package that pages about growth mention.
var mentioned = regexp.MustCompile("`(interfaces|semantics|exec|check|verify|rewrite|bytecode|pass)\\.([A-Z]\\w*)")

// TestMentionedNames looks for the declarations of what the pages about growth mention.
func TestMentionedNames(t *testing.T) {
	folders := map[string]string{"interfaces": "ir/interfaces", "semantics": "proof/semantics", "check": "proof/check", "verify": "proof/verify", "rewrite": "ir/rewrite", "bytecode": "ir/bytecode"}
	pages, err := filepath.Glob("../../docs/adding-*.md")
	if err != nil || len(pages) < 3 {
		t.Fatal(pages, err)
	}
	for _, page := range pages {
		for _, m := range mentioned.FindAllSubmatch(mustRead(t, page), -1) {
			folder := cmp.Or(folders[string(m[1])], string(m[1]))
			sources, _ := filepath.Glob("../../" + folder + "/*.go")
			declared := regexp.MustCompile(`(?m)^(func |type |var |const |\t)` + string(m[2]) + `\b`)
			if !slices.ContainsFunc(sources, func(source string) bool { return declared.Match(mustRead(t, source)) }) {
				t.Errorf("%s: there is no %s.%s", page, m[1], m[2])
			}
		}
	}
}

func mustRead(t *testing.T, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return text
}
