// Pictures makes the pictures of the README and of docs, by freehold itself: pages are opened in chromium, in both themes, and photographed.
// Run it from the folder site; it writes into docs/pictures.
package main

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	playground "freehold/tool/playground/site"
)

const (
	root   = ".."
	folder = root + "/docs/pictures"
	// patience is how long a page may take.
	patience = 2 * time.Minute
	// scale is how many points of a picture a pixel of the page has: screens of today have several.
	scale = 1.5
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "pictures:", err)
		os.Exit(1)
	}
}

func run() error {
	work, err := os.MkdirTemp("", "pictures")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	if err := reports(work); err != nil {
		return err
	}
	if _, err := playground.Build(root, filepath.Join(work, "playground")); err != nil {
		return err
	}
	server := httptest.NewServer(http.FileServer(http.Dir(work)))
	defer server.Close()
	c, err := open()
	if err != nil {
		return err
	}
	defer c.close()
	for _, p := range pictures {
		for _, theme := range []string{"light", "dark"} {
			if err := c.take(server.URL, p, theme); err != nil {
				return fmt.Errorf("%s: %w", p.name, err)
			}
		}
	}
	return nil
}

// reports writes the reports that are photographed into a folder, and the picture that is one as it is.
func reports(work string) error {
	freehold := filepath.Join(work, "freehold")
	layers := filepath.Join(work, "transformer.mlir")
	for _, command := range [][]string{
		{"go", "build", "-pgo=off", "-o", freehold, "./cmd/freehold"},
		{"sh", "-c", "go run ./examples/transformer -layers 4 >" + layers},
		{freehold, "report", "examples/attention.mlir", "-o", filepath.Join(work, "report.html")},
		{freehold, "report", layers, "-o", filepath.Join(work, "timeline.html")},
		{freehold, "opt", "--one-shot-bufferize=bufferize-function-boundaries", "--buffer-deallocation-pipeline", layers, "-o", filepath.Join(work, "before.mlir")},
		{freehold, "compile", layers, "-o", filepath.Join(work, "after.mlir")},
		{freehold, "report", filepath.Join(work, "before.mlir"), filepath.Join(work, "after.mlir"), "-o", folder[len(root)+1:] + "/change.svg"},
	} {
		c := exec.Command(command[0], command[1:]...)
		c.Dir = root
		if out, err := c.CombinedOutput(); err != nil {
			return fmt.Errorf("%v: %w\n%s", command, err, out)
		}
	}
	return nil
}

// picture is what is photographed of a page.
type picture struct {
	name, page    string
	width, height int64
	// ready is a condition in JavaScript, before which the page isn't there; then the script runs, and afterwards done must hold.
	ready, script, done string
	// element is what is photographed; "" for all that is in sight, up to the element end, if there is one.
	element, end string
}

var pictures = []picture{
	{name: "report", page: "/report.html", width: 1120, height: 830, ready: loaded, done: `true`, end: "#map-title"},
	{name: "timeline", page: "/timeline.html", width: 1120, height: 900, ready: loaded, done: `true`, element: "section:has(> * #map-title)"},
	{name: "leak", page: "/playground/#open=leak.mlir", width: 1500, height: 800, ready: loaded, script: shown("check"), done: settled + ` && panel.innerText.includes('leak')`, element: "#panel"},
	{name: "playground", page: "/playground/#open=copy.mlir", width: 1280, height: 720, ready: loaded, script: shown("explain"), done: settled + ` && panel.innerText.includes('copy')`},
}

// Conditions of pages: the page is there; what the playground shows is what was asked for.
const (
	loaded  = `document.documentElement.dataset.ready !== undefined`
	settled = `document.querySelector('main').getAttribute('aria-busy') === 'false'`
)

// shown is a script that chooses a tab of the playground.
func shown(tab string) string {
	return `document.getElementById('intro').hidden = true; document.getElementById('tab-` + tab + `').click()`
}

// browser is a tab of a browser.
type browser struct {
	ctx    context.Context
	cancel []context.CancelFunc
}

func open() (*browser, error) {
	alloc, stop := chromedp.NewExecAllocator(context.Background(), append(chromedp.DefaultExecAllocatorOptions[:], chromedp.NoSandbox, chromedp.ExecPath("chromium"))...)
	ctx, end := chromedp.NewContext(alloc)
	b := &browser{ctx, []context.CancelFunc{end, stop}}
	if err := chromedp.Do(ctx, chromedp.Navigate("about:blank")); err != nil {
		b.close()
		return nil, fmt.Errorf("chromium: %w", err)
	}
	return b, nil
}

func (b *browser) close() {
	for _, c := range b.cancel {
		c()
	}
}

// take writes a picture: NAME.png, or NAME-dark.png.
func (b *browser) take(url string, p picture, theme string) error {
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	prefer := func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
		_, err := cdp.Call(ctx, t, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: theme}}})
		return chromedp.Void{}, err
	}
	for _, a := range []chromedp.Action[chromedp.Void]{
		chromedp.EmulateViewport(p.width, p.height, chromedp.EmulateScale(scale)), prefer, chromedp.Navigate("about:blank"), chromedp.Navigate(url + p.page),
	} {
		if err := chromedp.Do(ctx, a); err != nil {
			return err
		}
	}
	for _, step := range []struct{ script, until string }{{"", p.ready}, {p.script, p.done}} {
		if _, err := chromedp.Run(ctx, chromedp.Evaluate[string](step.script+`;''`)); err != nil {
			return err
		}
		for done := false; !done; {
			var err error
			if done, err = chromedp.Run(ctx, chromedp.Evaluate[bool](step.until)); err != nil {
				return err
			}
			time.Sleep(50 * time.Millisecond)
		}
	}
	if p.end != "" {
		top, err := chromedp.Run(ctx, chromedp.Evaluate[int64](`Math.floor(document.querySelector('`+p.end+`').getBoundingClientRect().top)`))
		if err != nil {
			return err
		}
		if err := chromedp.Do(ctx, chromedp.EmulateViewport(p.width, top, chromedp.EmulateScale(scale))); err != nil {
			return err
		}
	}
	shot := chromedp.CaptureScreenshot()
	if p.element != "" {
		shot = chromedp.Screenshot(p.element)
	}
	data, err := chromedp.Run(ctx, shot)
	if err != nil {
		return err
	}
	if data, err = smaller(data); err != nil {
		return err
	}
	name := p.name + ".png"
	if theme == "dark" {
		name = p.name + "-dark.png"
	}
	return os.WriteFile(filepath.Join(folder, name), data, 0o644)
}
