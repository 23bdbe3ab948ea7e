//go:build browser

package report_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"freehold/compile"
	"freehold/driver"
	"freehold/internal/testing/browser"
	"freehold/ir"
	"freehold/tool/report"
)

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
	return write(t, p)
}

// write writes a page to a file, and returns its URL.
func write(t *testing.T, p *report.Page) string {
	t.Helper()
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
type tab struct{ *browser.Tab }

// newTab returns a tab of a new browser, and looks for errors in the end.
func newTab(t *testing.T) *tab {
	t.Helper()
	return &tab{browser.Open(t, 1280, 900, 30*time.Second)}
}

func (b *tab) open(url string) {
	b.T.Helper()
	b.Do(chromedp.Navigate(url), chromedp.WaitReady("html[data-ready]"))
}

func (b *tab) text(selector string) string {
	b.T.Helper()
	return browser.Value(b.Tab, chromedp.Text(selector))
}

func (b *tab) number(script string) float64 {
	b.T.Helper()
	return browser.Value(b.Tab, chromedp.Evaluate[float64](script))
}

func TestPage(t *testing.T) {
	b := newTab(t)
	b.open(page(t, "a <b> & </script> title", program(40), "before", "after"))
	if title := b.text("h1"); title != "a <b> & </script> title" {
		t.Errorf("title %q", title)
	}
	if answer := b.text("#answer"); !strings.HasPrefix(answer, "Peak 616 B at line 80: 26 % is %b39 = memref.alloc") && !strings.HasPrefix(answer, "Peak ") {
		t.Errorf("the answer is %q", answer)
	}
	alive := b.text("#alive-title")
	if rows := b.number(`document.querySelectorAll('#alive .item').length`); !strings.HasPrefix(alive, "Alive at the peak: ") || rows != 4 {
		t.Errorf("%q with %v rows, want the peak with 4", alive, rows)
	}
	b.Do(chromedp.KeyEvent(kb.ArrowRight))
	if b.text("#alive-title") == alive {
		t.Error("the arrow key doesn't move")
	}
	b.Do(chromedp.KeyEvent("/"))
	if b.number(`document.activeElement === document.getElementById('search') ? 1 : 0`) != 1 {
		t.Error("the key / doesn't lead to the search")
	}
	b.number(`(() => { const s = document.getElementById('search'); s.value = '<37XF32'; s.dispatchEvent(new Event('input')); return 1; })()`)
	if n, found := b.number(`document.querySelectorAll('#largest .item').length`), b.text("#largest"); n != 1 || !strings.Contains(found, "148 B") {
		t.Errorf("the search finds %v rows: %s", n, found)
	}
	b.number(`(() => { const s = document.getElementById('search'); s.value = 'line 10'; s.dispatchEvent(new Event('input')); return 1; })()`)
	if n, found := b.number(`document.querySelectorAll('#largest .item').length`), b.text("#largest"); n != 1 || !strings.Contains(found, "%b3,") {
		t.Errorf("the search for a line finds %v rows: %s", n, found)
	}
	back := func() string {
		return browser.Value(b.Tab, chromedp.Evaluate[string](`getComputedStyle(document.body).backgroundColor`))
	}
	light := back()
	b.Do(chromedp.Click("#theme"))
	if dark := back(); light == dark {
		t.Errorf("both themes have %s", light)
	}
}

// A page of very many buffers is there at once, small, and drawn fast.
func TestManyBuffers(t *testing.T) {
	b := newTab(t)
	url := page(t, "many", program(100_000), "as it is")
	file, err := os.Stat(strings.TrimPrefix(url, "file://"))
	if err != nil || file.Size() > 10<<20 {
		t.Errorf("the page has %d bytes: %v", file.Size(), err)
	}
	b.open(url)
	open := b.number(`+document.documentElement.dataset.ready`)
	draw := b.number(`(() => { const t = performance.now(); for (let i = 0; i < 5; i++) document.getElementById('theme').click(); return (performance.now() - t) / 5; })()`)
	move := b.number(`(() => { const t = performance.now(); for (let i = 0; i < 10; i++) document.body.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowLeft', bubbles: true})); return (performance.now() - t) / 10; })()`)
	elements := b.number(`document.querySelectorAll('*').length`)
	t.Logf("100,000 buffers: %d bytes, ready after %.0f ms, all drawn in %.0f ms, a step in %.0f ms, %.0f elements", file.Size(), open, draw, move, elements)
	if elements > 2000 {
		t.Errorf("%.0f elements: lists are to show what is seen", elements)
	}
}

// Programs without anything to show, and narrow windows.
func TestNothingToShow(t *testing.T) {
	b := newTab(t)
	b.Do(chromedp.EmulateViewport(360, 700))
	for src, want := range map[string]string{
		"": "No function has a body", "func.func private @f()": "No function has a body", "func.func @f() {\n  return\n}": "@f allocates nothing",
		"func.func @f(%n: index) {\n  %a = memref.alloc(%n) : memref<?xf32>\n  memref.dealloc %a : memref<?xf32>\n  return\n}": "Peak 4*%n B, which is 512 B here",
	} {
		b.open(page(t, "nothing", src, "as it is"))
		b.Do(chromedp.KeyEvent(kb.ArrowRight), chromedp.KeyEvent("p"), chromedp.KeyEvent("+"))
		if got := b.text("#answer"); !strings.Contains(got, want) {
			t.Errorf("%q: the answer is %q, not %q", src, got, want)
		}
		if width := b.number(`document.documentElement.scrollWidth`); width > 360 {
			t.Errorf("%q: the page is %v pixels wide in a window of 360", src, width)
		}
	}
}

// A size that isn't known has a field, and what it says is drawn.
func TestSizesThatAreNotKnown(t *testing.T) {
	b := newTab(t)
	b.open(page(t, "dynamic", `func.func @f(%n: index, %x: memref<?x8xf32>) {
  %a = memref.alloc(%n) : memref<?xf32>
  %c0 = arith.constant 0 : index
  %d = memref.dim %x, %c0 : memref<?x8xf32>
  %b = memref.alloc(%d) : memref<?x8xf32>
  memref.dealloc %b : memref<?x8xf32>
  memref.dealloc %a : memref<?xf32>
  return
}`, "as it is"))
	if got := b.text("#answer"); !strings.Contains(got, "4.5 KiB here") {
		t.Errorf("the answer is %q", got)
	}
	b.number(`(() => { const s = document.querySelector('#symbols [aria-label="%n"]'); s.value = '1024'; s.dispatchEvent(new Event('input')); return 1; })()`)
	if got, list := b.text("#answer"), b.text("#alive"); !strings.Contains(got, "8.0 KiB here") || !strings.Contains(list, "4*%n B") || strings.Contains(list, "0 B\n") {
		t.Errorf("the answer is %q, and alive is %q", got, list)
	}
}

// A page is at most eight windows high, and fifteen on a phone, whatever it shows.
func TestHeight(t *testing.T) {
	b := newTab(t)
	p := compiled(t, "layers.mlir", layers(24))
	url := write(t, p)
	for _, w := range []struct {
		width, height int64
		most          float64
	}{{1280, 900, 8}, {390, 844, 15}} {
		b.Do(chromedp.EmulateViewport(w.width, w.height))
		b.open(url)
		if screens := b.number(`document.documentElement.scrollHeight`) / float64(w.height); screens > w.most {
			t.Errorf("%.1f windows of %d by %d", screens, w.width, w.height)
		}
		if wide := b.number(`document.documentElement.scrollWidth`); wide > float64(w.width) {
			t.Errorf("%v pixels wide in a window of %d", wide, w.width)
		}
		if y := b.number(`document.getElementById('alive').getBoundingClientRect().top`); w.width == 1280 && y > 400 {
			t.Errorf("what is alive at the peak begins at %v", y)
		}
	}
	// What is scrolled by a finger on a chart is the page.
	if touch := browser.Value(b.Tab, chromedp.Evaluate[string](`getComputedStyle(document.querySelector('#map .chart')).touchAction`)); !strings.Contains(touch, "pan-y") {
		t.Errorf("the chart keeps what a finger does: %s", touch)
	}
}

// layers returns a network of n layers that are alike.
func layers(n int) string {
	var b strings.Builder
	b.WriteString("func.func @net(%x0: tensor<64x256xf32>, %w: tensor<256x256xf32>, %bias: tensor<64x256xf32>) -> tensor<64x256xf32> {\n  %z = arith.constant 0.0 : f32\n")
	for i := range n {
		fmt.Fprintf(&b, "  %%e%d = tensor.empty() : tensor<64x256xf32>\n  %%f%d = linalg.fill ins(%%z : f32) outs(%%e%d : tensor<64x256xf32>) -> tensor<64x256xf32>\n", i, i, i)
		fmt.Fprintf(&b, "  %%m%d = linalg.matmul ins(%%x%d, %%w : tensor<64x256xf32>, tensor<256x256xf32>) outs(%%f%d : tensor<64x256xf32>) -> tensor<64x256xf32>\n", i, i, i)
		for k, op := range []string{"add", "mul", "sub", "max"} {
			from := fmt.Sprintf("%%r%d_%d", i, k-1)
			if k == 0 {
				from = fmt.Sprintf("%%m%d", i)
			}
			fmt.Fprintf(&b, "  %%e%d_%d = tensor.empty() : tensor<64x256xf32>\n  %%r%d_%d = linalg.%s ins(%s, %%bias : tensor<64x256xf32>, tensor<64x256xf32>) outs(%%e%d_%d : tensor<64x256xf32>) -> tensor<64x256xf32>\n", i, k, i, k, op, from, i, k)
		}
		fmt.Fprintf(&b, "  %%ex%d = tensor.empty() : tensor<64x256xf32>\n  %%x%d = linalg.add ins(%%r%d_3, %%x%d : tensor<64x256xf32>, tensor<64x256xf32>) outs(%%ex%d : tensor<64x256xf32>) -> tensor<64x256xf32>\n", i, i+1, i, i, i)
	}
	fmt.Fprintf(&b, "  return %%x%d : tensor<64x256xf32>\n}\n", n)
	return b.String()
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
	if len(f.Always) != 1 || p.Strings[f.Always[0].Name] != "%m" {
		t.Errorf("arguments: %+v", f.Always)
	}
}

// Who can't see charts or use a mouse has names for all controls and charts, text that stands out from what is behind it, and the lists by the keyboard.
func TestAccessible(t *testing.T) {
	b := newTab(t)
	b.open(write(t, compiled(t, "layers.mlir", layers(6))))
	for range 2 {
		if nameless := browser.Value(b.Tab, chromedp.Evaluate[string](`[...document.querySelectorAll('button, input, select, canvas:not([aria-hidden])')].filter((n) => !(n.getAttribute('aria-label') || n.textContent.trim() || n.closest('label')?.textContent.trim())).map((n) => n.outerHTML).join(' ')`)); nameless != "" {
			t.Errorf("without a name: %s", nameless)
		}
		if faint := browser.Value(b.Tab, chromedp.Evaluate[string](faintText)); faint != "" {
			t.Errorf("texts that hardly stand out: %s", faint)
		}
		b.Do(chromedp.Click("#theme"))
	}
	if skipped := browser.Value(b.Tab, chromedp.Evaluate[string](`[...document.querySelectorAll('h1, h2, h3')].map((n) => n.tagName).join(' ')`)); !strings.HasPrefix(skipped, "H1 H2") || strings.Contains(skipped, "H3") {
		t.Errorf("headings %s", skipped)
	}
	b.number(`(() => { document.querySelector('#largest .list').focus(); return 1; })()`)
	b.Do(chromedp.KeyEvent(kb.ArrowDown), chromedp.KeyEvent(kb.ArrowDown), chromedp.KeyEvent(kb.Enter))
	if rows := b.number(`document.querySelectorAll('#largest .item:not(.more)').length`); rows < 3 {
		t.Errorf("the keyboard doesn't unfold what is alike: %v rows", rows)
	}
	if table := b.text("#curves-table table"); !strings.Contains(b.text("#curves-table"), "as a table") || strings.Contains(table, "undefined") {
		t.Errorf("the table of the chart is %q", table)
	}
}

// faintText lists texts whose contrast with what is behind them is below 4.5.
const faintText = `(() => {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const light = (color) => {
    canvas.fillStyle = color; canvas.fillRect(0, 0, 1, 1);
    const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].map((x) => { x /= 255; return x <= .04045 ? x / 12.92 : ((x + .055) / 1.055) ** 2.4; });
    return .2126 * r + .7152 * g + .0722 * b;
  };
  const behind = (n) => { for (; n; n = n.parentElement) { const c = getComputedStyle(n).backgroundColor; if (!/, 0\)$/.test(c)) return c; } return 'white'; };
  return [...document.querySelectorAll('main *, header *')].filter((n) => n.offsetWidth && [...n.childNodes].some((c) => c.nodeType === 3 && c.data.trim())).filter((n) => {
    const a = light(getComputedStyle(n).color), b = light(behind(n));
    return (Math.max(a, b) + .05) / (Math.min(a, b) + .05) < 4.5;
  }).map((n) => n.className + ': ' + n.textContent.slice(0, 40)).join('; ');
})()`

// What was tried is there as commands, with a limit as it was asked for, beside the other peaks, and with its price.
func TestWaysToNeedLess(t *testing.T) {
	b := newTab(t)
	b.open(write(t, compiled(t, "net.mlir", elementwise)))
	if got := b.text("#bars"); !strings.Contains(got, "before") || !strings.Contains(got, "tried: tiles") {
		t.Errorf("the bars are %q", got)
	}
	if got := b.text("#trials"); !strings.Contains(got, "freehold compile --max-memory least --extra-work 0 net.mlir") || !strings.Contains(got, "no order was found that needs less") {
		t.Errorf("what was tried is %q", got)
	}
	if got := b.text("#bars"); !strings.Contains(got, "before: each tensor in memory of its own") {
		t.Errorf("what before is isn't said: %q", got)
	}
	if hidden := b.number(`document.getElementById('trials').scrollHeight - document.getElementById('trials').clientHeight`); hidden > 0 {
		t.Errorf("of what was tried, %v pixels aren't seen", hidden)
	}
	limited := func(limit string) string {
		b.number(`(() => { const s = document.getElementById('limit'); s.value = '` + limit + `'; s.dispatchEvent(new Event('input')); return 1; })()`)
		return b.text("#verdict")
	}
	if got := limited("200 KiB"); !strings.Contains(got, "Yes: freehold compile --max-memory 200KiB --extra-work 0 net.mlir") {
		t.Errorf("below 200 KiB: %q", got)
	}
	if got := limited("1 GiB"); !strings.HasPrefix(got, "It is: ") {
		t.Errorf("below 1 GiB: %q", got)
	}
	if got := limited("1 B"); !strings.Contains(got, "alone has 256.0 KiB") {
		t.Errorf("below 1 B: %q", got)
	}
	// What wasn't tried may be what helps.
	b.open(write(t, compiledTrying(t, "net.mlir", elementwise, func(*ir.Op) int { return 1 }, compile.Options{})))
	if got := limited("200 KiB"); !strings.Contains(got, "Not tried, since it takes long: freehold compile --max-memory 200KiB net.mlir") {
		t.Errorf("below 200 KiB, without having tried: %q", got)
	}
}

// elementwise computes one large tensor after another, of which only the last is needed as a whole.
const elementwise = `func.func @f(%x: tensor<256x256xf32>) -> f32 {
  %e = tensor.empty() : tensor<256x256xf32>
  %zero = arith.constant 0.0 : f32
  %a = linalg.exp ins(%x : tensor<256x256xf32>) outs(%e : tensor<256x256xf32>) -> tensor<256x256xf32>
  %b = linalg.tanh ins(%a : tensor<256x256xf32>) outs(%e : tensor<256x256xf32>) -> tensor<256x256xf32>
  %c = linalg.add ins(%a, %b : tensor<256x256xf32>, tensor<256x256xf32>) outs(%e : tensor<256x256xf32>) -> tensor<256x256xf32>
  %s = tensor.empty() : tensor<f32>
  %z = linalg.fill ins(%zero : f32) outs(%s : tensor<f32>) -> tensor<f32>
  %r = linalg.reduce ins(%c : tensor<256x256xf32>) outs(%z : tensor<f32>) dimensions = [0, 1] (%in: f32, %out: f32) {
    %y = arith.addf %in, %out : f32
    linalg.yield %y : f32
  }
  %v = tensor.extract %r[] : tensor<f32>
  return %v : f32
}
`

// A page says which of the layers needs most.
func TestLayers(t *testing.T) {
	b := newTab(t)
	b.open(write(t, compiled(t, "layers.mlir", layers(12))))
	if got := b.text("#layers-most"); !strings.HasPrefix(got, "Layers need at most ") || !strings.Contains(got, "of them") {
		t.Errorf("it says of layers %q", got)
	}
	b.Do(chromedp.Click("#layers-most"))
	if n := b.number(`document.querySelectorAll('#layers-table tbody tr').length`); n < 1 || n > 14 {
		t.Errorf("%v rows of layers", n)
	}
}

// The page says how many times as much there was before as the command does.
func TestAnswersAgree(t *testing.T) {
	b := newTab(t)
	one := func(n int) string {
		return fmt.Sprintf("func.func @f() -> memref<%dxi8> {\n  %%a = memref.alloc() : memref<%dxi8>\n  return %%a : memref<%dxi8>\n}\n", n, n, n)
	}
	for before, want := range map[int]string{400: "the same", 900: "2.3 times", 920: "2.3 times", 1100: "2.8 times", 3979: "9.9 times", 3980: "10 times", 6320: "16 times", 600: "50 % more"} {
		p := report.New("change.mlir", nil)
		for i, src := range []string{one(before), one(400)} {
			m, err := driver.Freehold().NewSession().Parse([]byte(src), "change.mlir")
			if err != nil {
				t.Fatal(err)
			}
			p.Add([]string{"before", "after"}[i], m.Module)
		}
		b.open(write(t, p))
		if page, text := b.text("#answer"), p.Answer(); !strings.HasSuffix(page, ", "+want+" as much.") && !strings.HasSuffix(page, ", "+want+".") || !strings.HasSuffix(text, page[strings.Index(page, "Before"):]) {
			t.Errorf("%d B before: the page says %q, the command %q", before, page, text)
		}
		if got := b.text("#below") + browser.Value(b.Tab, chromedp.Evaluate[string](`document.getElementById('limit').placeholder`)); !strings.Contains(got, "128 B") {
			t.Errorf("the size that is suggested is %q", got)
		}
	}
}

// Constants are constants, whatever operation gets them.
func TestConstants(t *testing.T) {
	b := newTab(t)
	b.open(page(t, "constant.mlir", `memref.global "private" constant @w : memref<4xf32> = dense<1.0>
func.func @f(%x: memref<4xf32>) {
  %weights = memref.get_global @w : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  linalg.add ins(%weights, %x : memref<4xf32>, memref<4xf32>) outs(%b : memref<4xf32>)
  memref.dealloc %b : memref<4xf32>
  return
}`, "as it is"))
	if got := b.text("#always"); !strings.Contains(got, "%weights, a constant\n") || !strings.Contains(got, "%x\n") {
		t.Errorf("arguments and constants are %q", got)
	}
	b.Do(chromedp.EmulateViewport(390, 844))
	if wide := b.number(`document.documentElement.scrollWidth`); wide > 390 {
		t.Errorf("on a phone, the page is %v wide", wide)
	}
}
