//go:build browser

// Package browser has what tests of pages in chromium have in common: a tab, what is done in it, and what goes wrong there.
package browser

import (
	"context"
	"fmt"
	"os/exec"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"freehold/internal/testing/axe"
)

// Tab is the tab of a browser of its own. What goes wrong in it fails the test.
type Tab struct {
	T   *testing.T
	ctx context.Context
	// patience is how long an action may take, on a busy machine.
	patience   time.Duration
	complaints []string
}

// Need skips a test where there is no chromium.
func Need(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("chromium"); err != nil {
		t.Skip("there is no chromium")
	}
}

// Open starts a browser, with so many points for pages; patience is how long an action may take. Without chromium, the test is skipped. Scripts that
// throw what nobody catches fail the test in the end.
func Open(t *testing.T, width, height int64, patience time.Duration) *Tab {
	t.Helper()
	Need(t)
	alloc, cancel := chromedp.NewExecAllocator(context.Background(), append(chromedp.DefaultExecAllocatorOptions[:], chromedp.NoSandbox, chromedp.ExecPath("chromium"))...)
	t.Cleanup(cancel)
	b := &Tab{T: t, patience: patience}
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
	return b
}

// Value returns what an action returns.
func Value[V any](b *Tab, a chromedp.Action[V]) V {
	b.T.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, b.patience)
	defer cancel()
	v, err := chromedp.Run(ctx, a)
	if err != nil {
		b.T.Fatal(err, b.complaints)
	}
	return v
}

// Do carries out actions.
func (b *Tab) Do(actions ...chromedp.Action[chromedp.Void]) {
	b.T.Helper()
	for _, a := range actions {
		Value(b, a)
	}
}

// JS returns the value of an expression, as text.
func (b *Tab) JS(script string) string {
	b.T.Helper()
	return Value(b, chromedp.Evaluate[string]("String("+script+")"))
}

// Wait waits until a condition holds.
func (b *Tab) Wait(condition string) {
	b.T.Helper()
	for end := time.Now().Add(b.patience); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if b.JS(condition) == "true" {
			return
		}
	}
	b.T.Fatalf("in vain: %s\n%s\n%v", condition, b.JS(`document.body.innerText.slice(0, 3000)`), b.complaints)
}

// Scheme makes the browser prefer light or dark pages.
func (b *Tab) Scheme(name string) {
	b.T.Helper()
	b.Do(func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
		_, err := cdp.Call(ctx, t, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: name}}})
		return chromedp.Void{}, err
	})
}

// Examine returns what keeps people with disabilities from using the page, a line for each rule, "" if nothing does. The script [axe.Script] has to
// be run before, by [Tab.Run].
func (b *Tab) Examine() string {
	b.T.Helper()
	b.JS(`(window.examined = undefined, ` + axe.Check + `.then(r => { window.examined = r; }), 0)`)
	b.Wait(`window.examined !== undefined`)
	return b.JS(`window.examined`)
}

// Run runs a script.
func (b *Tab) Run(script string) {
	b.T.Helper()
	Value(b, chromedp.Evaluate[string](script+`;''`))
}
