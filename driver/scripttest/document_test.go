package scripttest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestMatches(t *testing.T) {
	for _, c := range []struct {
		want, lines string
		ok          bool
	}{
		{"", "", true},
		{"a", "a", true},
		{"a", "", false},
		{"", "a", false},
		{"a", "a b", false},
		{"a b", "a", false},
		{"...", "", true},
		{"...", "a b", true},
		{"... b", "a a b", true},
		{"... b", "b", true},
		{"... b", "b a", false},
		{"a ... b ... c", "a b c", true},
		{"a ... b ... c", "a x b b y c", true},
		{"a ... b ... c", "a c", false},
		{"... ...", "a", true},
	} {
		if got := matches(strings.Fields(c.want), strings.Fields(c.lines)); got != c.ok {
			t.Errorf("%q for %q: %v", c.want, c.lines, got)
		}
	}
}

// The page of testdata/page.md, whose commands are the shell's own, is true, and what is
// changed in it is noticed and mended.
func TestDocument(t *testing.T) {
	text, err := os.ReadFile("testdata/page.md")
	if err != nil {
		t.Fatal(err)
	}
	page := string(text)
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("there is no shell")
	}
	root, err := filepath.Abs("testdata")
	if err != nil {
		t.Fatal(err)
	}
	run := func(page string) string {
		t.Helper()
		d := document{root: root, dir: t.TempDir(), shell: shell}
		updated, differences, err := d.run(page, blocksOf(page))
		if err != nil {
			t.Fatal(err)
		}
		if (len(differences) > 0) != (updated != page) {
			t.Errorf("%d differences, and the page is\n%s", len(differences), updated)
		}
		return updated
	}
	if got := run(page); got != page {
		t.Errorf("the page becomes\n%s", got)
	}
	for _, change := range [][2]string{
		{"numbers.txt\none\ntwo", "numbers.txt\none\nthree"}, {"[exit status 3]\n", ""}, {"two three\n", "two three\nfour\n"},
	} {
		changed := strings.Replace(page, change[0], change[1], 1)
		if changed == page {
			t.Errorf("%q isn't in the page", change[0])
		}
		if got := run(changed); got != page {
			t.Errorf("%q for %q: the page becomes\n%s", change[1], change[0], got)
		}
	}
	outside := strings.Replace(page, "file: numbers.txt", "file: ../numbers.txt", 1)
	d := document{root: root, dir: t.TempDir(), shell: shell}
	if _, _, err := d.run(outside, blocksOf(outside)); err == nil || !strings.Contains(err.Error(), "line 5: the file ../numbers.txt") {
		t.Errorf("a file outside of the folder: %v", err)
	}
}
