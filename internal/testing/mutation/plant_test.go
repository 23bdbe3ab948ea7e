package main

import (
	"bytes"
	"encoding/json"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"testing"
)

const sample = `package sample

type answer int

const (
	yes answer = iota
	no
)

var table = map[string]answer{"a": yes}

func swap(a, b int) int { return a - b }

func decide(list []int, a, b int, known bool) bool {
	sum := 0
	for _, x := range list {
		if x < a && known || x == b {
			sum += swap(a, b)
		}
	}
	return sum > len(list)-1
}

func parts(list []int) ([]int, answer) {
	return list[1:], no
}
`

func sampleSource(t *testing.T, text string) *source {
	t.Helper()
	s := &source{name: "sample.go", text: []byte(text), fset: token.NewFileSet(),
		info: &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}}}
	var err error
	if s.file, err = parser.ParseFile(s.fset, s.name, text, parser.SkipObjectResolution); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if _, err = (&types.Config{Importer: importer.ForCompiler(s.fset, "source", nil)}).Check("sample", s.fset, []*ast.File{s.file}, s.info); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return s
}

func withBugs(t *testing.T, s *source, bugs map[int]site) string {
	t.Helper()
	text, err := plant(s.text, s.fset.Position(s.file.Name.End()).Offset, bugs)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Each bug changes the code as its kind says.
func TestBugs(t *testing.T) {
	s := sampleSource(t, sample)
	want := map[string][]string{
		"wrong answer":           {`"a": planted.Either(7, yes, no)`, `planted.Either(7, no, yes)`},
		"negated condition":      {`if (x < a && known || x == b) != planted.Is(7) {`},
		"dropped condition":      {`((x < a) || planted.Is(7)) && known`, `x < a && ((known) || planted.Is(7))`},
		"dropped alternative":    {`((x < a && known) && !planted.Is(7)) || x == b`, `x < a && known || ((x == b) && !planted.Is(7))`},
		"off by one":             {`x < ((a)+planted.One(7))`, `sum > ((len(list) - 1) + planted.One(7))`, `len(list)-(1-planted.One(7))`},
		"dropped statement":      {"if !planted.Is(7) {\n\t\t\t\tsum += swap(a, b)\n\t\t\t}"},
		"swapped arguments":      {`swap(planted.Either(7, a, b), planted.Either(7, b, a))`},
		"last element left out":  {`range planted.Rest(7, list)`},
		"wrong result":           {`return ((sum > len(list)-1) != planted.Is(7))`},
		"empty result":           {`return planted.None(7, list[1:]), no`},
		"slice starts one later": {`list[(1)+planted.One(7):]`},
		"return true at once":    {"if planted.Is(7) {\n\t\treturn true\n\t}\n\tsum := 0"},
		"return false at once":   {"if planted.Is(7) {\n\t\treturn false\n\t}\n\tsum := 0"},
	}
	for _, b := range find(s) {
		text := withBugs(t, s, map[int]site{7: b})
		i := slices.IndexFunc(want[b.kind], func(w string) bool { return strings.Contains(text, w) })
		if i < 0 {
			t.Errorf("%s of %s is\n%s", b.kind, b.what, text)
			continue
		}
		want[b.kind] = slices.Delete(want[b.kind], i, i+1)
	}
	for kind, left := range want {
		for _, w := range left {
			t.Errorf("%s does not make %s", kind, w)
		}
	}
}

// All bugs together are a program, so that one binary has them all.
func TestAllBugs(t *testing.T) {
	s := sampleSource(t, sample)
	bugs := map[int]site{}
	for i, b := range find(s) {
		bugs[i] = b
	}
	sampleSource(t, withBugs(t, s, bugs))
}

// The same seed chooses the same bugs, and kinds take turns.
func TestChoose(t *testing.T) {
	s := sampleSource(t, sample)
	kinds := map[string]bool{}
	for _, b := range find(s) {
		kinds[b.kind] = true
	}
	n, a, b := len(kinds), choose(find(s), 3), choose(find(s), 3)
	for i := range a {
		if a[i].pos != b[i].pos || a[i].kind != b[i].kind {
			t.Fatalf("bug %d differs", i)
		}
		if i < n {
			delete(kinds, a[i].kind)
		}
	}
	if len(kinds) > 0 {
		t.Errorf("%v have no turn", kinds)
	}
}

func TestSummarize(t *testing.T) {
	var b strings.Builder
	summarize(&b, []result{
		{Outcome: caught, Oracle: "finding", Programs: 7}, {Outcome: equivalent},
		{File: "a.go", Line: 3, Kind: "off by one", Code: "i+1", Outcome: survived, Oracle: "scripts"},
	})
	const want = "1 of 2 bugs are caught, after 7 programs at most; 1 changes make no difference\n" +
		"finding         1\nsurvived: a.go:3: off by one: i+1 (differs in the scripts)\n"
	if b.String() != want {
		t.Errorf("the summary is\n%s", b.String())
	}
}

// A probe without a bug repeats what was recorded; what is otherwise is looked at again.
func TestProbe(t *testing.T) {
	do := func(in task) answer {
		t.Helper()
		text, err := json.Marshal(in)
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if err := probe(bytes.NewReader(text), &out); err != nil {
			t.Fatal(err)
		}
		var a answer
		if err := json.Unmarshal(out.Bytes(), &a); err != nil {
			t.Fatal(err)
		}
		return a
	}
	recorded := do(task{First: 1, Programs: 1})
	if len(recorded.Runs) < 100 {
		t.Fatalf("%d runs are recorded", len(recorded.Runs))
	}
	in := task{First: 1, Programs: 1, Runs: recorded.Runs}
	if a := do(in); a.Failure != nil || a.Differs {
		t.Errorf("without a bug %+v fails", a.Failure)
	}
	i := slices.IndexFunc(in.Runs, func(r run) bool { return r.Measures != nil && r.Measures.Steps > 1 })
	in.Runs = in.Runs[i : i+1]
	in.Runs[0].Digest++
	if a := do(in); a.Failure != nil || !a.Differs || a.Programs != 1 {
		t.Errorf("what is printed otherwise is not noticed: %+v", a)
	}
	in.Runs[0].Measures.Steps--
	if a := do(in); a.Failure == nil || a.Failure.Kind != "worse" {
		t.Errorf("what is worse is not noticed: %+v", a)
	}
}

// What scripts start knows which bug is switched on.
func TestPassVariable(t *testing.T) {
	t.Chdir("../../..")
	err := passVariable(func(path string, text []byte) error {
		if _, err := parser.ParseFile(token.NewFileSet(), path, text, parser.SkipObjectResolution); err != nil {
			return err
		}
		if !bytes.Contains(text, []byte("env.Setenv(v, os.Getenv(v))")) || !bytes.Contains(text, []byte("planted.Reached")) {
			t.Errorf("%s is\n%s", path, text)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}
