//go:build browser

package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"freehold/internal/testing/axe"
)

// tab is a tab of a browser that shows the site of this repository, from files.
type tab struct {
	t      *testing.T
	ctx    context.Context
	folder string
}

// open makes the site and opens a browser.
func open(t *testing.T) *tab {
	t.Helper()
	if _, err := exec.LookPath("chromium"); err != nil {
		t.Skip("there is no chromium")
	}
	s, err := load(os.DirFS(".."))
	if err != nil {
		t.Fatal(err)
	}
	s.playground = "playground/index.html"
	b := &tab{t: t, folder: filepath.Join(t.TempDir(), "site")}
	if err := s.write(b.folder); err != nil {
		t.Fatal(err)
	}
	alloc, cancel := chromedp.NewExecAllocator(context.Background(), append(chromedp.DefaultExecAllocatorOptions[:], chromedp.NoSandbox, chromedp.ExecPath("chromium"))...)
	t.Cleanup(cancel)
	b.ctx, cancel = chromedp.NewContext(alloc)
	t.Cleanup(cancel)
	b.do(chromedp.EmulateViewport(1280, 900))
	return b
}

func (b *tab) do(actions ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	for _, a := range actions {
		if err := chromedp.Do(b.ctx, a); err != nil {
			b.t.Fatal(err)
		}
	}
}

func (b *tab) goTo(page string) {
	b.t.Helper()
	b.do(chromedp.Navigate("about:blank"), chromedp.Navigate("file://"+filepath.ToSlash(b.folder)+"/"+page))
}

func (b *tab) js(script string) string {
	b.t.Helper()
	out, err := chromedp.Run(b.ctx, chromedp.Evaluate[string]("String("+script+")"))
	if err != nil {
		b.t.Fatal(script, err)
	}
	return out
}

// wait waits until a condition holds.
func (b *tab) wait(condition string) {
	b.t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if b.js(condition) == "true" {
			return
		}
	}
	b.t.Fatalf("in vain: %s\n%s", condition, b.js(`document.body.innerText.slice(0, 2000)`))
}

// search types something into the field, and returns the places that were found, the best first.
func (b *tab) search(query string) []string {
	b.t.Helper()
	b.js(fmt.Sprintf(`(() => { const f = document.getElementById('search'); f.focus(); f.value = %q; document.getElementById('results').replaceChildren(); f.dispatchEvent(new Event('input')); })()`, query))
	b.wait(`document.querySelector('#results p') !== null`)
	folder := b.js(`new URL('.', document.querySelector('script[src]').src).href`)
	return strings.Fields(strings.ReplaceAll(b.js(`[...document.querySelectorAll('#results a')].map(a => a.href).join('\n')`), folder, ""))
}

// shot keeps a picture of the page in the folder that SITE_SHOTS names, for people to look at.
func (b *tab) shot(name string) {
	b.t.Helper()
	dir := os.Getenv("SITE_SHOTS")
	if dir == "" {
		return
	}
	data, err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
	if err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name+".png"), data, 0o666); err != nil {
		b.t.Fatal(err)
	}
}

// scheme makes the browser prefer light or dark pages.
func (b *tab) scheme(name string) {
	b.t.Helper()
	b.do(func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
		_, err := cdp.Call(ctx, t, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: name}}})
		return chromedp.Void{}, err
	})
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
	if got := b.search("qqxxyyzz"); len(got) != 0 || b.js(`document.getElementById('results').innerText`) != "Nothing has these words." {
		t.Errorf("nonsense is in %q", got)
	}
	if got := b.js(`document.querySelector('#results mark') === null`); got != "true" {
		t.Error("nonsense is marked")
	}
}

// The keyboard alone reaches what was found.
func TestKeys(t *testing.T) {
	b := open(t)
	b.goTo("index.html")
	b.do(chromedp.KeyEvent("/"), chromedp.KeyEvent("dealloc"))
	b.wait(`document.querySelectorAll('#results a').length > 2`)
	b.do(chromedp.KeyEvent(kb.ArrowDown), chromedp.KeyEvent(kb.ArrowDown), chromedp.KeyEvent(kb.ArrowUp))
	if got := b.js(`document.activeElement === document.querySelector('#results a')`); got != "true" {
		t.Errorf("the first place isn't chosen, but %s", b.js(`document.activeElement.outerHTML`))
	}
	b.do(chromedp.KeyEvent(kb.Escape))
	if got := b.js(`document.getElementById('results').hidden && document.activeElement.id`); got != "search" {
		t.Errorf("after Escape: %s", got)
	}
}

// Links to a pass from the time when all were on one page lead to its page.
func TestOldAnchors(t *testing.T) {
	b := open(t)
	b.goTo("passes.html#cse")
	b.wait(`location.href.endsWith('/passes/rewriting.html#cse')`)
	if top := b.js(`Math.abs(document.getElementById('cse').getBoundingClientRect().top) < 200`); top != "true" {
		t.Error("the pass isn't in sight")
	}
}

// Pages fit their widths and can be used by everybody, in both themes; search, contents and pictures included.
func TestScreens(t *testing.T) {
	b := open(t)
	script := axe.Script(t)
	for _, width := range []int64{1280, 390} {
		for _, scheme := range []string{"light", "dark"} {
			b.scheme(scheme)
			b.do(chromedp.EmulateViewport(width, map[int64]int64{1280: 900, 390: 844}[width]))
			for _, page := range []string{"index.html", "passes.html", "passes/memory.html", "report.html", "tutorial/2-why-it-copied.html"} {
				b.goTo(page)
				name := fmt.Sprintf("%s-%d-%s", strings.NewReplacer("/", "-", ".html", "").Replace(page), width, scheme)
				b.shot(name)
				if wide := b.js(`document.documentElement.scrollWidth`); wide != fmt.Sprint(width) {
					t.Errorf("%s is %s wide", name, wide)
				}
				if page == "index.html" {
					b.search("peak memory")
					b.shot(name + "-search")
				}
				if page == "passes.html" && width == 390 {
					continue // as before, with many rows
				}
				if _, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](script+`;''`)); err != nil {
					t.Fatal(err)
				}
				b.js(`(window.examined = undefined, ` + axe.Check + `.then(r => { window.examined = r; }), 0)`)
				b.wait(`window.examined !== undefined`)
				if bad := b.js(`window.examined`); bad != "" {
					t.Errorf("%s: %s", name, bad)
				}
			}
		}
	}
	b.do(chromedp.EmulateViewport(1280, 900))
	b.goTo("passes/memory.html")
	if tall := b.js(`document.documentElement.scrollHeight < 16000`); tall != "true" {
		t.Errorf("the page of a family is %s pixels high", b.js(`document.documentElement.scrollHeight`))
	}
}
