package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"
)

var (
	// link is a link to a file of the tree, or to a heading.
	link = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	// fenced is what no renderer looks into for links and headings: code.
	fenced = regexp.MustCompile("(?ms)^```.*?^```$|^    .*?$")
	code   = regexp.MustCompile("`[^`\n]*`")
	// heading is a heading's line.
	heading = regexp.MustCompile(`(?m)^#+ (.*)$`)
)

// TestLinks follows the links of all pages of the tree to other files of it.
func TestLinks(t *testing.T) {
	const root = "../.."
	links := 0
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if e.IsDir() && (e.Name() == "testdata" || e.Name() == "bin" || e.Name() == "node_modules" || path != root && strings.HasPrefix(e.Name(), ".")) {
			return filepath.SkipDir
		}
		if filepath.Ext(path) != ".md" {
			return nil
		}
		text := code.ReplaceAllString(fenced.ReplaceAllString(string(mustRead(t, path)), ""), "")
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			file, anchor, _ := strings.Cut(m[1], "#")
			if strings.Contains(file, ":") { // of another site
				continue
			}
			links++
			target := path
			if file != "" {
				target = filepath.Join(filepath.Dir(path), file)
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s: the link %s leads nowhere", path, m[1])
			} else if anchor != "" && filepath.Ext(target) == ".md" && !hasHeading(t, target, anchor) {
				t.Errorf("%s: %s has no heading for %s", path, target, anchor)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if links < 50 {
		t.Errorf("only %d links were found", links)
	}
}

// TestPictures looks for every picture in a page, and for the one on dark pages of each photograph; links to pictures are followed as others are.
func TestPictures(t *testing.T) {
	const folder = "../../docs/pictures"
	files, err := os.ReadDir(folder)
	if err != nil || len(files) < 3 {
		t.Fatalf("%d pictures, %v", len(files), err)
	}
	var pages strings.Builder
	for _, pattern := range []string{"../../*.md", "../../docs/*.md", "../../docs/*/*.md"} {
		names, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			pages.Write(mustRead(t, name))
		}
	}
	for _, f := range files {
		light := strings.Replace(f.Name(), "-dark.", ".", 1)
		if !strings.Contains(pages.String(), "pictures/"+light+")") {
			t.Errorf("no page shows %s", light)
		}
		if dark := strings.TrimSuffix(light, ".png") + "-dark.png"; filepath.Ext(light) == ".png" {
			if _, err := os.Stat(filepath.Join(folder, dark)); err != nil {
				t.Error(err)
			}
		}
	}
}

// hasHeading tells whether a page has a heading, or a place that was given a name, that an anchor leads to.
func hasHeading(t *testing.T, page, anchor string) bool {
	t.Helper()
	for _, m := range heading.FindAllStringSubmatch(fenced.ReplaceAllString(string(mustRead(t, page)), ""), -1) {
		if anchorOf(m[1]) == anchor {
			return true
		}
	}
	return strings.Contains(string(mustRead(t, page)), `<a id="`+anchor+`"></a>`)
}

// anchorOf is the anchor that renderers of Markdown make of a heading.
func anchorOf(heading string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' || r == '_':
			return unicode.ToLower(r)
		case r == ' ':
			return '-'
		}
		return -1
	}, heading)
}

// TestMenu looks for every page of docs in the menu of the site.
func TestMenu(t *testing.T) {
	menu := string(mustRead(t, "../../site/menu.json"))
	for _, pattern := range []string{"*.md", "*/*.md"} {
		pages, err := filepath.Glob(filepath.Join("../../docs", pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, page := range pages {
			name, err := filepath.Rel("../../docs", page)
			if err != nil {
				t.Fatal(err)
			}
			if name = strings.TrimSuffix(filepath.ToSlash(name), ".md"); !strings.Contains(menu, `"`+name+`"`) {
				t.Errorf("docs/%s.md is not in site/menu.json", name)
			}
		}
	}
}
