//go:build browser

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"freehold/internal/testing/axe"
	"freehold/internal/testing/browser"
)

// tab is a tab of a browser that shows the site of this repository, from files.
type tab struct {
	*browser.Tab
	folder string
}

// open makes the site and opens a browser.
func open(t *testing.T) *tab {
	t.Helper()
	browser.Need(t)
	s, err := load(os.DirFS(".."))
	if err != nil {
		t.Fatal(err)
	}
	s.playground = "playground/index.html"
	b := &tab{browser.Open(t, 1280, 900, time.Minute), filepath.Join(t.TempDir(), "site")}
	if err := s.write(b.folder); err != nil {
		t.Fatal(err)
	}
	return b
}

func (b *tab) goTo(page string) {
	b.T.Helper()
	b.Do(chromedp.Navigate("about:blank"), chromedp.Navigate("file://"+filepath.ToSlash(b.folder)+"/"+page))
}

// search types something into the field, and returns the places that were found, the best first.
func (b *tab) search(query string) []string {
	b.T.Helper()
	b.JS(fmt.Sprintf(`(() => { const f = document.getElementById('search'); f.focus(); f.value = %q; document.getElementById('results').replaceChildren(); f.dispatchEvent(new Event('input')); })()`, query))
	b.Wait(`document.querySelector('#results p') !== null`)
	folder := b.JS(`new URL('.', document.querySelector('script[src]').src).href`)
	return strings.Fields(strings.ReplaceAll(b.JS(`[...document.querySelectorAll('#results a')].map(a => a.href).join('\n')`), folder, ""))
}

// The first place that is found is the one that a reader looks for.
func TestSearch(t *testing.T) {
	b := open(t)
	b.goTo("theory/retain.html") // from a folder
	for _, tt := range []struct{ query, first string }{
		{"one-shot-bufferize", "passes/bufferization.html#one-shot-bufferize"},
		{"tile-for-mem", "passes/memory.html#tile-for-memory"},
		{"exit status", "cli.html#exit-statuses"},
		{"neovim", "editors.html#neovim"},
		{"pre-commit hook", "ci.html#a-hook-for-pre-commit"},
		{"ownersihp", "theory/ownership.html"}, // misspelt
		{"Glossary", "glossary.html"},
		{"C code", "c.html"}, // a short word is a word, and not the start of others
		{"github action", "ci.html#an-action-for-github"},
		{"exit code", "cli.html#exit-statuses"},
	} {
		if got := b.search(tt.query); len(got) == 0 || !strings.HasPrefix(got[0], tt.first) {
			t.Errorf("%s: %q, want %s first", tt.query, got, tt.first)
		}
	}
	if got := b.search("qqxxyyzz"); len(got) != 0 || b.JS(`document.getElementById('results').innerText`) != "Nothing has these words." {
		t.Errorf("nonsense is in %q", got)
	}
	if got := b.JS(`document.querySelector('#results mark') === null`); got != "true" {
		t.Error("nonsense is marked")
	}
}

// The keyboard alone reaches what was found.
func TestKeys(t *testing.T) {
	b := open(t)
	b.goTo("index.html")
	b.Do(chromedp.KeyEvent("/"), chromedp.KeyEvent("dealloc"))
	b.Wait(`document.querySelectorAll('#results a').length > 2`)
	b.Do(chromedp.KeyEvent(kb.ArrowDown), chromedp.KeyEvent(kb.ArrowDown), chromedp.KeyEvent(kb.ArrowUp))
	if got := b.JS(`document.activeElement === document.querySelector('#results a')`); got != "true" {
		t.Errorf("the first place isn't chosen, but %s", b.JS(`document.activeElement.outerHTML`))
	}
	b.Do(chromedp.KeyEvent(kb.Escape))
	if got := b.JS(`document.getElementById('results').hidden && document.activeElement.id`); got != "search" {
		t.Errorf("after Escape: %s", got)
	}
}

// Links to a pass from the time when all were on one page lead to its page.
func TestOldAnchors(t *testing.T) {
	b := open(t)
	b.goTo("passes.html#cse")
	b.Wait(`location.href.endsWith('/passes/rewriting.html#cse')`)
	if top := b.JS(`Math.abs(document.getElementById('cse').getBoundingClientRect().top) < 200`); top != "true" {
		t.Error("the pass isn't in sight")
	}
}

// Pages fit their widths and can be used by everybody, in both themes; search, contents and pictures included.
func TestScreens(t *testing.T) {
	b := open(t)
	script := axe.Script(t)
	for _, width := range []int64{1280, 390} {
		for _, scheme := range []string{"light", "dark"} {
			b.Scheme(scheme)
			b.Do(chromedp.EmulateViewport(width, map[int64]int64{1280: 900, 390: 844}[width]))
			for _, page := range []string{"index.html", "passes.html", "passes/memory.html", "report.html", "tutorial/2-why-it-copied.html"} {
				b.goTo(page)
				name := fmt.Sprintf("%s-%d-%s", strings.NewReplacer("/", "-", ".html", "").Replace(page), width, scheme)
				if wide := b.JS(`document.documentElement.scrollWidth`); wide != fmt.Sprint(width) {
					t.Errorf("%s is %s wide", name, wide)
				}
				if page == "index.html" {
					b.search("peak memory")
				}
				if page == "passes.html" && width == 390 {
					continue // as before, with many rows
				}
				b.Run(script)
				if bad := b.Examine(); bad != "" {
					t.Errorf("%s: %s", name, bad)
				}
			}
		}
	}
	b.Do(chromedp.EmulateViewport(1280, 900))
	b.goTo("passes/memory.html")
	if tall := b.JS(`document.documentElement.scrollHeight < 16000`); tall != "true" {
		t.Errorf("the page of a family is %s pixels high", b.JS(`document.documentElement.scrollHeight`))
	}
}
