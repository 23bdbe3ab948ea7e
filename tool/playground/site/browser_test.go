//go:build browser

package site_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"freehold/internal/testing/browser"
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
	*browser.Tab
	url    string
	server *httptest.Server
}

// open builds the playground, serves it as any server of files does, and opens it.
func open(t *testing.T, width, height int64) *tab {
	t.Helper()
	browser.Need(t)
	if _, err := built(); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(http.FileServer(http.Dir(folder)))
	t.Cleanup(server.Close)
	b := &tab{browser.Open(t, width, height, patience), server.URL, server}
	b.goTo("/")
	return b
}

func (b *tab) goTo(path string) {
	b.T.Helper()
	b.Do(chromedp.Navigate("about:blank"), chromedp.Navigate(b.url+path))
	b.Wait(`document.documentElement.dataset.ready !== undefined`)
}

// settled waits until what is shown is what was asked for.
func (b *tab) settled() {
	b.T.Helper()
	b.Wait(`document.querySelector('main').getAttribute('aria-busy') === 'false'`)
}

// choose opens a program of the list.
func (b *tab) choose(name string) {
	b.T.Helper()
	b.JS(fmt.Sprintf(`(() => { const s = document.getElementById('programs'); s.value = %q; s.dispatchEvent(new Event('change')); return s.value; })()`, name))
	b.settled()
}

// write replaces the program.
func (b *tab) write(src string) {
	b.T.Helper()
	b.JS(fmt.Sprintf(`(() => { const a = document.querySelector('#source textarea'); a.value = %q; a.dispatchEvent(new Event('input')); })()`, src))
}

// show chooses an answer.
func (b *tab) show(name string) string {
	b.T.Helper()
	b.Do(chromedp.Click("#tab-" + name))
	b.settled()
	return b.panel()
}

// panel returns the text of the answer.
func (b *tab) panel() string {
	b.T.Helper()
	return b.JS(`document.getElementById('panel').innerText + [...document.querySelectorAll('#panel textarea')].map(t => t.value).join('\n')`)
}

// passes returns the pipeline as the page writes it down.
func (b *tab) passes() string {
	b.T.Helper()
	b.Do(chromedp.Click("#edit"))
	b.Wait(`document.getElementById('text').open`)
	text := b.JS(`document.getElementById('text-input').value`)
	b.JS(`document.getElementById('text').close()`)
	return text
}

func (b *tab) press(key string, modifiers ...chromedp.KeyOption) {
	b.T.Helper()
	b.Do(chromedp.KeyEvent(key, modifiers...))
}
