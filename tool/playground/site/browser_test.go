//go:build browser

package site_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"freehold/tool/playground/site"
)

// patience is how long an action may take, on a busy machine.
const patience = 90 * time.Second

// built is a playground that all tests share.
var built = sync.OnceValues(func() ([]site.Size, error) {
	return site.Build("../../..", folder)
})

// folder is where the playground is built.
var folder string

func TestMain(m *testing.M) {
	var err error
	if folder, err = os.MkdirTemp("", "playground"); err != nil {
		panic(err)
	}
	status := m.Run()
	os.RemoveAll(folder)
	os.Exit(status)
}

// tab is a tab of a browser that shows the playground.
type tab struct {
	t          *testing.T
	ctx        context.Context
	url        string
	server     *httptest.Server
	complaints []string
}

// open builds the playground, serves it as any server of files does, and opens it.
func open(t *testing.T, width, height int64) *tab {
	t.Helper()
	if _, err := exec.LookPath("chromium"); err != nil {
		t.Skip("there is no chromium")
	}
	if _, err := built(); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(http.FileServer(http.Dir(folder)))
	t.Cleanup(server.Close)
	alloc, cancel := chromedp.NewExecAllocator(context.Background(), append(chromedp.DefaultExecAllocatorOptions[:], chromedp.NoSandbox, chromedp.ExecPath("chromium"))...)
	t.Cleanup(cancel)
	b := &tab{t: t, url: server.URL, server: server}
	b.ctx, cancel = chromedp.NewContext(alloc)
	t.Cleanup(cancel)
	// The first action starts the browser, which lives as long as its context.
	if err := chromedp.Do(b.ctx, chromedp.EmulateViewport(width, height)); err != nil {
		t.Fatal(err)
	}
	if err := chromedp.Listen(b.ctx, func(e any) {
		if x, ok := e.(*runtime.EventExceptionThrown); ok {
			b.complaints = append(b.complaints, fmt.Sprint(x.ExceptionDetails.Text, " ", x.ExceptionDetails.LineNumber, " ", x.ExceptionDetails.Exception))
		}
	}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if len(b.complaints) > 0 {
			t.Error(b.complaints)
		}
	})
	b.goTo("/")
	return b
}

func (b *tab) goTo(path string) {
	b.t.Helper()
	b.do(chromedp.Navigate("about:blank"), chromedp.Navigate(b.url+path))
	b.wait(`document.documentElement.dataset.ready !== undefined`)
}

func (b *tab) do(actions ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	for _, a := range actions {
		value(b, a)
	}
}

func value[T any](b *tab, a chromedp.Action[T]) T {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	v, err := chromedp.Run(ctx, a)
	if err != nil {
		b.t.Fatal(err, b.complaints)
	}
	return v
}

func (b *tab) js(script string) string {
	b.t.Helper()
	return value(b, chromedp.Evaluate[string]("String("+script+")"))
}

// wait waits until a condition holds.
func (b *tab) wait(condition string) {
	b.t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(30 * time.Millisecond) {
		if b.js(condition) == "true" {
			return
		}
	}
	b.t.Fatalf("in vain: %s\n%s\n%v", condition, b.js(`document.body.innerText.slice(0, 3000)`), b.complaints)
}

// settled waits until what is shown is what was asked for.
func (b *tab) settled() {
	b.t.Helper()
	b.wait(`document.querySelector('main').getAttribute('aria-busy') === 'false'`)
}

// choose opens a program of the list.
func (b *tab) choose(name string) {
	b.t.Helper()
	b.js(fmt.Sprintf(`(() => { const s = document.getElementById('programs'); s.value = %q; s.dispatchEvent(new Event('change')); return s.value; })()`, name))
	b.settled()
}

// write replaces the program.
func (b *tab) write(src string) {
	b.t.Helper()
	b.js(fmt.Sprintf(`(() => { const a = document.querySelector('#source textarea'); a.value = %q; a.dispatchEvent(new Event('input')); })()`, src))
}

// show chooses an answer.
func (b *tab) show(name string) string {
	b.t.Helper()
	b.do(chromedp.Click("#tab-" + name))
	b.settled()
	return b.panel()
}

// panel returns the text of the answer.
func (b *tab) panel() string {
	b.t.Helper()
	return b.js(`document.getElementById('panel').innerText + [...document.querySelectorAll('#panel textarea')].map(t => t.value).join('\n')`)
}

// passes returns the pipeline as the page writes it down.
func (b *tab) passes() string {
	b.t.Helper()
	b.do(chromedp.Click("#edit"))
	b.wait(`document.getElementById('text').open`)
	text := b.js(`document.getElementById('text-input').value`)
	b.js(`document.getElementById('text').close()`)
	return text
}

func (b *tab) press(key string, modifiers ...chromedp.KeyOption) {
	b.t.Helper()
	b.do(chromedp.KeyEvent(key, modifiers...))
}

// shot keeps a picture of the page in the folder that PLAYGROUND_SHOTS names, for people to
// look at.
func (b *tab) shot(name string) {
	b.t.Helper()
	dir := os.Getenv("PLAYGROUND_SHOTS")
	if dir == "" {
		return
	}
	data := value(b, chromedp.CaptureScreenshot())
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
