package main

import (
	"bytes"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// repository returns a repository in which the menu's pages are there, with some replaced.
func repository(files map[string]string) fstest.MapFS {
	out := fstest.MapFS{}
	s := &site{}
	if err := s.readMenu(); err != nil {
		panic(err)
	}
	for _, g := range s.menu {
		for _, name := range g.Pages {
			out["docs/"+name+".md"] = &fstest.MapFile{Data: []byte("# " + name + "\n\n## A heading's `name`\n")}
		}
	}
	for file, name := range rootPages {
		delete(out, "docs/"+name+".md")
		out[file] = &fstest.MapFile{Data: []byte("# " + name + "\n")}
	}
	colours, err := os.ReadFile("../" + grammarFile)
	if err != nil {
		panic(err)
	}
	out[grammarFile] = &fstest.MapFile{Data: colours}
	for file, text := range files {
		out[file] = &fstest.MapFile{Data: []byte(text)}
	}
	return out
}

// made returns a page of the site of a repository.
func made(t *testing.T, files map[string]string, name string) string {
	t.Helper()
	s, err := load(repository(files))
	if err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(t.TempDir(), "site")
	if err := s.write(folder); err != nil {
		t.Fatal(err)
	}
	out, err := os.ReadFile(filepath.Join(folder, name+".html"))
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func TestPages(t *testing.T) {
	page := made(t, map[string]string{
		"docs/memory.md": "# What's `peak`?\n\nSee [that](theory/retain.md#a-headings-name), [home](../README.md), [code](../memory/plan), [here](#more) and " +
			"<https://example.org>: --flag.\n\n## More\n\n```mlir\nfunc.func @f() { return } // c\n```\n\n```console\n$ ls\n```\n"}, "memory")
	for _, want := range []string{
		"<title>What’s peak? · freehold</title>", `<a href="memory.html" aria-current="page">What’s peak?</a>`,
		`<a href="theory/retain.html#a-headings-name">that</a>`, `<a href="index.html">home</a>`, `, code, <a href="#more">here</a>`,
		`<a href="https://example.org">https://example.org</a>: --flag.`, `<h2 id="more">`, `<span class="c1">// c</span>`, `class="gp"`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("%s isn't in\n%s", want, page)
		}
	}
	if strings.Contains(page, "<aside") || strings.Contains(page, "this chapter") {
		t.Error("a page of one section has a table of contents, or is a chapter")
	}
	if strings.Contains(page, ">Playground<") {
		t.Error("there is a link to a playground that isn't there")
	}
}

// Pages in folders lead out of them, and the root's pages stand beside those of docs.
func TestFolders(t *testing.T) {
	page := made(t, map[string]string{"docs/theory/retain.md": "# R\n\n[m](../memory.md) [p](planner.md) [s](../../SECURITY.md)\n"}, "theory/retain")
	for _, want := range []string{`href="../site.css"`, `<a href="../memory.html">m</a>`, `<a href="../theory/planner.html">p</a>`, `<a href="../security.html">s</a>`} {
		if !strings.Contains(page, want) {
			t.Errorf("%s isn't in\n%s", want, page)
		}
	}
}

// A page with several sections lists them, and a chapter leads to itself in the playground.
func TestContents(t *testing.T) {
	const name = "tutorial/2-why-it-copied"
	s, err := load(repository(map[string]string{"docs/" + name + ".md": "# C\n\n## First\n\n## The `second`\n\n### Below\n\n## Third\n"}))
	if err != nil {
		t.Fatal(err)
	}
	s.playground = "playground/index.html"
	out, err := s.render(s.pages[name])
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`<li><a href="#first">First</a></li>`, `<li><a href="#the-second">The second</a></li>`, `<link rel="icon" href="../icon.svg">`,
		`<a href="../playground/#open=2-why-it-copied.md">Open this chapter in the playground</a>`,
	} {
		if !strings.Contains(string(out), want) {
			t.Errorf("%s isn't in\n%s", want, out)
		}
	}
	if strings.Contains(string(out), ">Below</a>") {
		t.Error("a section below another is listed")
	}
}

// A link that has the name of a file for its text has the title of the page instead.
func TestTitles(t *testing.T) {
	page := made(t, map[string]string{"README.md": "# R\n\n[docs/memory.md](docs/memory.md#b), [peaks](docs/memory.md)\n", "docs/memory.md": "# Cats & dogs\n\n## B\n"}, "index")
	if want := `<a href="memory.html#b">Cats &amp; dogs</a>, <a href="memory.html">peaks</a>`; !strings.Contains(page, want) {
		t.Errorf("%s isn't in\n%s", want, page)
	}
}

// Where files of the repository and the playground can be seen is told by flags.
func TestPlaces(t *testing.T) {
	s, err := load(repository(map[string]string{"docs/theory/retain.md": "# R\n\n[code](../../memory/plan)\n"}))
	if err != nil {
		t.Fatal(err)
	}
	s.repository, s.playground = "https://example.org/tree/main/", "play/index.html"
	out, err := s.render(s.pages["theory/retain"])
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`<a href="https://example.org/tree/main/memory/plan">code</a>`, `<a href="../play/index.html">Playground</a>`} {
		if !strings.Contains(string(out), want) {
			t.Errorf("%s isn't in\n%s", want, out)
		}
	}
}

func TestErrors(t *testing.T) {
	for _, tt := range []struct{ file, text, want string }{
		{"docs/memory.md", "# M\n[x](no.md)", "docs/memory.md: the link no.md leads nowhere"},
		{"docs/memory.md", "# M\n[x](planning.md#no)", "docs/memory.md: docs/planning.md has no heading no"},
		{"docs/memory.md", "# M\n[x](#no)", "docs/memory.md: docs/memory.md has no heading no"},
		{"docs/memory.md", "# M\n![x](pictures/no.png)", "docs/memory.md: the picture pictures/no.png isn't in docs"},
		{"docs/forgotten.md", "# F\n", "docs/forgotten.md is not in the menu"},
	} {
		s, err := load(repository(map[string]string{tt.file: tt.text}))
		if err == nil {
			err = s.write(filepath.Join(t.TempDir(), "site"))
		}
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q: %v", tt.text, err)
		}
	}
	files := repository(nil)
	delete(files, "docs/memory.md")
	if _, err := load(files); err == nil || !strings.Contains(err.Error(), "the menu has a page memory, which isn't there") {
		t.Errorf("a page that isn't there: %v", err)
	}
	delete(files, "README.md")
	if _, err := load(files); err == nil {
		t.Error("there is no README.md")
	}
}

// MLIR has the colours that the editors' grammar gives it.
func TestColours(t *testing.T) {
	page := made(t, map[string]string{"docs/memory.md": "# M\n\n```mlir\n%a_b:2 = \"scf.if\"(%c) ({ ^bb0: }) {x = \"s.t\"} : !ty #at\n" +
		"func.func @f(%x: tensor<4x?xf32>) { return } // end 1.0\n// %x\n```\n"}, "memory")
	for _, want := range []string{
		`<span class="nv">%a_b:2</span>`, `<span class="nb">&#34;scf.if&#34;</span>`, `<span class="nl">^bb0</span>`, `<span class="s">&#34;s.t&#34;</span>`, `<span class="nc">!ty</span>`,
		`<span class="nd">#at</span>`, `<span class="nb">func.func</span>`, `<span class="nf">@f</span>`, `<span class="kt">tensor</span>&lt;<span class="kt">4</span>x<span class="kt">?</span>x<span class="kt">f32</span>`,
		`<span class="k">return</span>`, `<span class="c1">// end 1.0</span>`, "\n<span class=\"c1\">// %x</span>",
	} {
		if !strings.Contains(strings.NewReplacer(`<span class="line">`, "", `<span class="cl">`, "").Replace(page), want) {
			t.Errorf("%s isn't in\n%s", want, page)
		}
	}
	files := repository(nil)
	files[grammarFile] = &fstest.MapFile{Data: []byte(`{"patterns": [{"include": "#new"}], "repository": {"new": {"match": "x"}}}`)}
	if _, err := load(files); err == nil || !strings.Contains(err.Error(), `nothing is known about rule "new"`) {
		t.Errorf("a rule without a colour: %v", err)
	}
}

// The index has each part of a page, and each word of it.
func TestIndex(t *testing.T) {
	s, err := load(repository(map[string]string{"docs/memory.md": "# M\n\nA `memref.alloc`\nis.\n\n## Two *words*\n\n- one\n- one\n\n| a | b |\n|---|---|\n| c | d |\n\n```console\n$ run\n```\n"}))
	if err != nil {
		t.Fatal(err)
	}
	want := []searchable{{"M", "M", "memory.html", "A memref.alloc is."}, {"Two words", "M", "memory.html#two-words", "one one a b c d $ run"}}
	if got := s.pages["memory"].parts(); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	x := s.index()
	for _, e := range x.Index {
		if e.word != "one" {
			continue
		}
		at := e.at[x.FieldIDs["text"]]
		for n, times := range at {
			if x.StoredFields[n] == want[1] && times == 2 && x.FieldLength[n] == [3]int{2, 1, 6} {
				return
			}
		}
		t.Error(at)
	}
	t.Error("a word isn't in the index")
}

// A picture is part of the site, with that for dark pages; what leads nowhere is an error.
func TestPictures(t *testing.T) {
	var data bytes.Buffer
	if err := png.Encode(&data, image.NewGray(image.Rect(0, 0, 3, 2))); err != nil {
		t.Fatal(err)
	}
	const name = "theory/retain"
	page := made(t, map[string]string{"docs/pictures/a.png": data.String(), "docs/pictures/a-dark.png": data.String(), "docs/" + name + ".md": "# R\n\n![What *it* is](../pictures/a.png)\n"}, name)
	want := `<picture><source media="(prefers-color-scheme: dark)" srcset="../pictures/a-dark.png"><img src="../pictures/a.png" alt="What it is" width="3" height="2" loading="lazy"></picture>`
	if !strings.Contains(page, want) {
		t.Errorf("%s isn't in\n%s", want, page)
	}
	page = made(t, map[string]string{"docs/pictures/a.svg": `<svg xmlns="http://www.w3.org/2000/svg" width="820" height="390" viewBox="0 0 820 390"/>`, "docs/" + name + ".md": "# R\n\n![x](../pictures/a.svg)\n"}, name)
	if want := `alt="x" width="820" height="390"`; !strings.Contains(page, want) {
		t.Errorf("%s isn't in\n%s", want, page)
	}
	page = made(t, map[string]string{"docs/pictures/a.png": data.String(), "README.md": "# R\n\n![x](docs/pictures/a.png)\n"}, "index")
	if want := `<picture><img src="pictures/a.png" alt="x"`; !strings.Contains(page, want) {
		t.Errorf("%s isn't in\n%s", want, page)
	}
}

// A place with a name can be linked to; other HTML is left out.
func TestNames(t *testing.T) {
	page := made(t, map[string]string{"docs/memory.md": "# M\n\n[there](#old)\n\n| <a id=\"old\"></a>[x](planning.md) | <b>bold</b> |\n|---|---|\n"}, "memory")
	if want := `<span id="old"></span><a href="planning.html">x</a>`; !strings.Contains(page, want) || strings.Contains(page, "<b>") {
		t.Errorf("%s isn't in\n%s", want, page)
	}
}

// Two headings of a text have different anchors.
func TestAnchors(t *testing.T) {
	page := made(t, map[string]string{"docs/memory.md": "# M\n\n## Twice\n\n## Twice\n\n[b](#twice-1)\n"}, "memory")
	if !strings.Contains(page, `<h2 id="twice-1">`) {
		t.Error(page)
	}
}

// The pages of this repository make a site.
func TestRepository(t *testing.T) {
	s, err := load(os.DirFS(".."))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.write(filepath.Join(t.TempDir(), "site")); err != nil {
		t.Error(err)
	}
}
