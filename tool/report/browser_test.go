//go:build browser

package report_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"freehold/driver"
	"freehold/tool/report"
)

// program returns a program with a chain of n buffers of different sizes.
func program(n int) string {
	var b strings.Builder
	b.WriteString("func.func @chain(%x: f32, %m: memref<16xf32>) {\n  %c0 = arith.constant 0 : index\n")
	for i := range n {
		fmt.Fprintf(&b, "  %%b%d = memref.alloc() : memref<%dxf32>\n  memref.store %%x, %%b%d[%%c0] : memref<%dxf32>\n", i, i%97+1, i, i%97+1)
		if i >= 3 {
			fmt.Fprintf(&b, "  memref.dealloc %%b%d : memref<%dxf32>\n", i-3, (i-3)%97+1)
		}
	}
	b.WriteString("  return\n}\n")
	return b.String()
}

// page writes the page of a program to a file, and returns its URL.
func page(t *testing.T, title, src string, labels ...string) string {
	t.Helper()
	p := report.New(title, func(string) []byte { return []byte(src) })
	for _, l := range labels {
		m, err := driver.Freehold().NewSession().Parse([]byte(src), "program.mlir")
		if err != nil {
			t.Fatal(err)
		}
		p.Add(l, m.Module)
	}
	path := filepath.Join(t.TempDir(), "report.html")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Write(f); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return "file://" + path
}

// tab is a tab of a browser.
type tab struct {
	t          *testing.T
	ctx        context.Context
	complaints []string
}

// patience is how long an action may take, on a busy machine.
const patience = 30 * time.Second

// browser returns a tab of a new browser, and looks for errors in the end.
func browser(t *testing.T) *tab {
	t.Helper()
	if _, err := exec.LookPath("chromium"); err != nil {
		t.Skip("there is no chromium")
	}
	alloc, cancel := chromedp.NewExecAllocator(context.Background(), append(chromedp.DefaultExecAllocatorOptions[:], chromedp.NoSandbox, chromedp.ExecPath("chromium"))...)
	t.Cleanup(cancel)
	b := &tab{t: t}
	b.ctx, cancel = chromedp.NewContext(alloc)
	t.Cleanup(cancel)
	// The first action starts the browser, which lives as long as its context.
	if err := chromedp.Do(b.ctx, chromedp.EmulateViewport(1280, 900)); err != nil {
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

func (b *tab) do(actions ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	for _, a := range actions {
		value(b, a)
	}
}

func (b *tab) open(url string) {
	b.t.Helper()
	b.do(chromedp.Navigate(url), chromedp.WaitReady("html[data-ready]"))
}

func (b *tab) text(selector string) string {
	b.t.Helper()
	return value(b, chromedp.Text(selector))
}

func (b *tab) number(script string) float64 {
	b.t.Helper()
	return value(b, chromedp.Evaluate[float64](script))
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

func TestPage(t *testing.T) {
	b := browser(t)
	b.open(page(t, "a <b> & </script> title", program(40), "before", "after"))
	if title := b.text("h1"); title != "a <b> & </script> title" {
		t.Errorf("title %q", title)
	}
	alive := b.text("#alive-title")
	if rows := b.number(`document.querySelectorAll('#alive tbody tr').length`); !strings.Contains(alive, "(the peak)") || rows != 4 {
		t.Errorf("%q with %v rows, want the peak with 4", alive, rows)
	}
	b.do(chromedp.KeyEvent(kb.ArrowRight))
	if b.text("#alive-title") == alive {
		t.Error("the arrow key doesn't move")
	}
	b.do(chromedp.KeyEvent("/"))
	if b.number(`document.activeElement === document.getElementById('search') ? 1 : 0`) != 1 {
		t.Error("the key / doesn't lead to the search")
	}
	b.number(`(() => { const s = document.getElementById('search'); s.value = '37XF32'; s.dispatchEvent(new Event('input')); return 1; })()`)
	if n, found := b.number(`document.querySelectorAll('#largest tbody tr').length`), b.text("#largest"); n != 1 || !strings.Contains(found, "148 B") {
		t.Errorf("the search finds %v rows: %s", n, found)
	}
	back := func() string {
		return value(b, chromedp.Evaluate[string](`getComputedStyle(document.body).backgroundColor`))
	}
	light := back()
	b.do(chromedp.Click("#theme"))
	if dark := back(); light == dark {
		t.Errorf("both themes have %s", light)
	}
	b.do(chromedp.MouseClickXY(400, 500))
}

// A page of many buffers is there at once, and drawn fast.
func TestManyBuffers(t *testing.T) {
	b := browser(t)
	b.open(page(t, "many", program(20000), "as it is"))
	open := b.number(`+document.documentElement.dataset.ready`)
	draw := b.number(`(() => { const t = performance.now(); for (let i = 0; i < 5; i++) document.body.dispatchEvent(new KeyboardEvent('keydown', {key: '+', bubbles: true})); return (performance.now() - t) / 5; })()`)
	t.Logf("20,000 buffers: ready after %.0f ms, drawn in %.0f ms", open, draw)
}

// Programs without anything to show, and narrow windows.
func TestNothingToShow(t *testing.T) {
	b := browser(t)
	b.do(chromedp.EmulateViewport(360, 700))
	for _, src := range []string{"", "func.func private @f()", "func.func @f() {\n  return\n}", "func.func @f(%n: index) {\n  %a = memref.alloc(%n) : memref<?xf32>\n  memref.dealloc %a : memref<?xf32>\n  return\n}"} {
		b.open(page(t, "nothing", src, "as it is"))
		b.do(chromedp.KeyEvent(kb.ArrowRight), chromedp.KeyEvent("p"), chromedp.KeyEvent("+"))
		if width := b.number(`document.documentElement.scrollWidth`); width > 360 {
			t.Errorf("%q: the page is %v pixels wide in a window of 360", src, width)
		}
	}
}

// Arguments have the names that they have in the source, and functions of very many buffers a plan, too.
func TestArgumentsAndManyBuffers(t *testing.T) {
	src := program(6000)
	m, err := driver.Freehold().NewSession().Parse([]byte(src), "program.mlir")
	if err != nil {
		t.Fatal(err)
	}
	p := report.New("many", func(string) []byte { return []byte(src) })
	p.Add("as it is", m.Module)
	f := p.Views[0].Functions[0]
	if f.Arena < f.Bound || f.Arena > 2*f.Bound || f.Bound == 0 {
		t.Errorf("an arena of %d bytes, where %d are needed", f.Arena, f.Bound)
	}
	if len(f.Always) != 1 || p.Strings[f.Always[0].Op] != "argument %m" {
		t.Errorf("arguments: %+v", f.Always)
	}
}
