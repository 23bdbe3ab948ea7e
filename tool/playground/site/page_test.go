//go:build browser

package site_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"freehold/tool/playground/site"
)

// most is how large the playground may be, compressed: StableHLO and .tflite come in, with recurrent networks and JAX's linear algebra since it was 7.9 MB,
// functions of f64 of our own and C with integers in lanes since it was 8.25 MB,
// and C and tiles go out, since it was 6 MB.
const most = 8_700_000

func TestSize(t *testing.T) {
	sizes, err := built()
	if err != nil {
		t.Fatal(err)
	}
	var all int64
	for _, s := range sizes {
		all += s.Compressed
	}
	t.Logf("%d files, %.2f MB compressed", len(sizes), float64(all)/1e6)
	if all > most {
		t.Errorf("the playground has %d bytes, more than %d: %v", all, most, sizes)
	}
}

// The page opens with a result.
func TestOpen(t *testing.T) {
	b := open(t, 1400, 900)
	t.Logf("the first result was there after %s ms", b.JS(`document.documentElement.dataset.ready`))
	if text := b.panel(); !strings.Contains(text, "memref.alloc") {
		t.Errorf("the result is %s", text)
	}
}

// programs returns what can be opened.
func programs(t *testing.T) []site.Program {
	t.Helper()
	if _, err := built(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(folder, "programs.json"))
	if err != nil {
		t.Fatal(err)
	}
	var list []site.Program
	if err := json.Unmarshal(data, &list); err != nil {
		t.Fatal(err)
	}
	return list
}

// Each program gives each answer.
func TestPrograms(t *testing.T) {
	b := open(t, 1400, 900)
	for _, p := range programs(t) {
		// A chapter begins with its first command, which may be one without passes.
		explained := "/allocation/"
		if p.Chapter != "" {
			explained = "/allocation|Nothing is decided yet/"
		}
		b.choose(p.Name)
		if list := b.JS(`document.getElementById('problems').innerText`); list != "" && p.Chapter == "" {
			t.Errorf("%s: %s", p.Name, list)
		}
		for _, x := range []struct{ tab, there string }{
			{"result", `document.querySelector('#panel textarea').value.includes('func.func')`},
			{"explain", explained + `.test(document.querySelector('#panel .verdict').innerText)`},
			{"check", `document.querySelector('#panel .verdict') !== null && document.querySelector('#panel textarea').value.includes('func.func')`},
			{"run", `document.querySelector('#panel table') !== null`},
			{"peak", `/ needs /.test(document.querySelector('#panel .verdict').innerText)`},
			{"compare", `document.querySelectorAll('#panel tbody tr').length === 5 && !/doesn/.test(document.querySelector('#panel tbody tr:nth-child(2)').innerText)`},
			{"report", `document.querySelector('#panel iframe').srcdoc.includes('id="data">')`},
		} {
			text := b.show(x.tab)
			if b.JS(x.there) != "true" {
				t.Errorf("%s, %s: %s", p.Name, x.tab, text)
			}
		}
	}
}

// Who is new finds the first chapter, and the introduction doesn't come again.
func TestIntroduction(t *testing.T) {
	b := open(t, 1400, 900)
	b.Wait(`!document.getElementById('intro-tutorial').disabled`)
	b.settled()
	b.Do(chromedp.Click("#intro-tutorial"))
	b.Wait(`document.body.classList.contains('reading')`)
	b.settled()
	if text := b.JS(`document.querySelector('#chapter h1').innerText + document.getElementById('intro').hidden + document.getElementById('file').textContent`); text != "1. A tensor becomes a buffertrueset.mlir" {
		t.Errorf("the page shows %s", text)
	}
}

// Commands of the tutorial do in the playground what they do in a shell.
func TestTutorial(t *testing.T) {
	b := open(t, 1400, 900)
	for _, p := range programs(t) {
		if p.Chapter == "" {
			continue
		}
		b.choose(p.Name)
		if n := b.JS(`document.querySelectorAll('#chapter img').length`); n != "0" {
			t.Errorf("%s shows %s pictures, which aren't there", p.Name, n)
		}
		n, err := strconv.Atoi(b.JS(`document.querySelectorAll('#chapter .try').length`))
		if err != nil || n == 0 {
			t.Errorf("%s has nothing to try: %v", p.Name, err)
		}
		for i := range n {
			name := b.JS(fmt.Sprintf(`(() => { const x = document.querySelectorAll('#chapter .try')[%d]; x.click(); return x.textContent; })()`, i))
			b.settled()
			if strings.Contains(name, "verify-diagnostics") || strings.HasPrefix(name, "Open") {
				continue // what is to be an error is one, and programs may be wrong
			}
			if text := b.panel(); strings.Contains(text, "No answer") || strings.Contains(text, "has an error") || strings.Contains(text, "could not be") {
				t.Errorf("%s, %s: %s", p.Name, name, text)
			}
		}
	}
}

// What is wrong is shown at its line, and gone when it is right.
func TestBadInput(t *testing.T) {
	b := open(t, 1400, 900)
	b.write("func.func @f() {\n  retrun\n}\n")
	b.settled()
	if text := b.JS(`document.getElementById('problems').innerText`); !strings.Contains(text, "line 2") {
		t.Errorf("the problem is %q", text)
	}
	b.Wait(`document.querySelector('#source .drawn .line.error') !== null`) // it is drawn with the next frame
	if line := b.JS(`document.querySelector('#source .drawn .line.error')?.firstChild.textContent + document.querySelector('#source .gutter .line.error')?.textContent`); !strings.Contains(line, "2") {
		t.Errorf("the marked line is %q", line)
	}
	b.Do(chromedp.Click("#problems button"))
	if at := b.JS(`document.querySelector('#source textarea').selectionStart`); at != "19" {
		t.Errorf("the problem leads to character %s", at)
	}
	b.write("func.func @f() {\n  return\n}\n")
	b.settled()
	if text := b.JS(`document.getElementById('problems').innerText`); text != "" {
		t.Errorf("a problem is left: %q", text)
	}
	// Whatever is typed, the page goes on.
	for _, src := range []string{"", "\x00", "module {", strings.Repeat("(", 100000), "\"" + strings.Repeat("x", 1<<20), "😀%%%@@@"} {
		b.write(src)
		b.settled()
	}
	b.write("func.func @g() {\n  return\n}\n")
	b.show("result")
	if text := b.panel(); !strings.Contains(text, "@g") {
		t.Errorf("the page shows %s", text)
	}
}

const endless = `func.func @main() {
  %true = arith.constant true
  scf.while : () -> () {
    scf.condition(%true)
  } do {
    scf.yield
  }
  return
}
`

// A program without an end is stopped, as are pipelines without one, and the page goes on.
func TestStop(t *testing.T) {
	b := open(t, 1400, 900)
	b.JS(`document.getElementById('presets').value = 'no passes', document.getElementById('presets').dispatchEvent(new Event('change'))`)
	b.write(endless)
	b.settled()
	b.Do(chromedp.Click("#tab-run"))
	b.Wait(`!document.getElementById('stop').hidden`)
	b.Do(chromedp.Click("#stop"))
	b.settled()
	if text := b.panel(); !strings.Contains(text, "Stopped") {
		t.Errorf("the page shows %s", text)
	}
	// The program is still known, though the engine is another one.
	if text := b.show("result"); !strings.Contains(text, "scf.while") {
		t.Errorf("the page shows %s", text)
	}
	// By the key, too.
	b.Do(chromedp.Click("#tab-run"))
	b.Wait(`!document.getElementById('stop').hidden`)
	b.press(kb.Escape)
	b.settled()
	if text := b.panel(); !strings.Contains(text, "Stopped") {
		t.Errorf("the page shows %s", text)
	}
	b.show("result")
	// A pipeline that takes long: a large program, over and over.
	b.Do(chromedp.Click("#edit"))
	b.JS(`(() => { document.getElementById('text-input').value = Array(3000).fill('canonicalize,cse').join(','); document.getElementById('text-ok').click(); })()`)
	b.JS(`(() => { const s = document.getElementById('programs'); s.value = 'attention.mlir'; document.querySelector('#source textarea').value = Array.from({length: 300}, (_, i) => 'func.func @f' + i + '(%x: f32) -> f32 {\n  return %x : f32\n}').join('\n'); document.querySelector('#source textarea').dispatchEvent(new Event('input')); })()`)
	b.Wait(`!document.getElementById('stop').hidden`)
	b.Do(chromedp.Click("#stop"))
	b.settled()
	b.choose("first.mlir")
	if text := b.show("result"); !strings.Contains(text, "memref.alloc") {
		t.Errorf("the page shows %s", text)
	}
}

// All can be done without a mouse.
func TestKeyboard(t *testing.T) {
	b := open(t, 1400, 900)
	alt := chromedp.KeyModifiers(chromedp.ModifierAlt)
	// Tab reaches everything that can be used, and comes around.
	seen := map[string]bool{}
	for range 60 {
		b.press(kb.Tab)
		seen[b.JS(`document.activeElement.id || document.activeElement.getAttribute('aria-label') || document.activeElement.className + document.activeElement.textContent.slice(0, 12)`)] = true
	}
	for _, want := range []string{"programs", "share", "theme", "help", "intro-tutorial", "intro-close", "The program", "presets", "add", "edit", "tab-result"} {
		if !seen[want] {
			t.Errorf("Tab doesn't reach %s: %v", want, seen)
		}
	}
	b.press("3", alt)
	b.settled()
	if text := b.panel(); !strings.Contains(text, "Safe") {
		t.Errorf("Alt+3 shows %s", text)
	}
	if at := b.JS(`document.activeElement.id`); at != "tab-check" {
		t.Errorf("the focus is at %s", at)
	}
	b.press(kb.ArrowRight)
	b.settled()
	if text := b.panel(); !strings.Contains(text, "Same results") {
		t.Errorf("the arrow shows %s", text)
	}
	b.press("1", alt)
	before := b.JS(`document.querySelectorAll('#chips li').length`)
	b.press("a", alt)
	b.Wait(`document.getElementById('picker').open`)
	b.press("cse")
	b.press(kb.Enter)
	b.settled()
	if after := b.JS(`document.querySelectorAll('#chips li').length + document.activeElement.textContent`); !strings.Contains(after, "cse") || strings.HasPrefix(after, before) {
		t.Errorf("%s passes, then %s", before, after)
	}
	b.press(kb.ArrowLeft, alt)
	b.settled()
	b.press(kb.Delete)
	b.settled()
	if after := b.passes(); strings.Contains(after, "cse") {
		t.Errorf("after Delete the passes are %s", after)
	}
	b.press("p", alt)
	b.Wait(`document.getElementById('text').open`)
	b.press(kb.Escape)
	b.Wait(`!document.getElementById('text').open`)
	b.press("t", alt)
	if s := b.JS(`document.documentElement.style.colorScheme`); s != "dark" {
		t.Errorf("the theme is %q", s)
	}
	b.Do(chromedp.Focus("#share"))
	b.press("?")
	b.Wait(`document.getElementById('keys').open`)
}

// Light and dark follow what the browser prefers, and the switch; all text can be read on both.
func TestThemes(t *testing.T) {
	b := open(t, 1400, 900)
	b.choose("leak.mlir")
	for _, scheme := range []string{"light", "dark"} {
		b.Scheme(scheme)
		if bad := b.JS(contrasts); bad != "" {
			t.Errorf("%s: hard to read: %s", scheme, bad)
		}
	}
	b.Do(chromedp.Click("#theme"))
	if s := b.JS(`document.documentElement.style.colorScheme`); s != "light" {
		t.Errorf("the switch leads to %q", s)
	}
	b.show("result")
	b.choose("first.mlir")
	if bad := b.JS(contrasts); bad != "" {
		t.Errorf("hard to read: %s", bad)
	}
}

// contrasts lists texts whose contrast is below what WCAG demands for level AA.
const contrasts = `(() => {
	const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
	const rgb = c => { canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = c; canvas.fillRect(0, 0, 1, 1); return [...canvas.getImageData(0, 0, 1, 1).data]; };
	const light = c => { const [r, g, b] = c.map(v => v / 255).map(v => v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4); return .2126 * r + .7152 * g + .0722 * b; };
	const bad = [];
	for (const e of document.querySelectorAll('body *')) {
		if (![...e.childNodes].some(n => n.nodeType === 3 && n.data.trim()) || !e.checkVisibility() || e.disabled || e.closest('svg') || e.tagName === 'TEXTAREA' || e.tagName === 'OPTION' || e.tagName === 'OPTGROUP') continue;
		let back = [0, 0, 0, 0];
		for (let x = e; x && back[3] < 255; x = x.parentElement) back = rgb(getComputedStyle(x).backgroundColor);
		const ink = rgb(getComputedStyle(e).color);
		const [a, b] = [light(ink.slice(0, 3)), light(back.slice(0, 3))].sort((x, y) => y - x);
		if ((a + .05) / (b + .05) < 4.5) bad.push(e.textContent.trim().slice(0, 30) + ' ' + ((a + .05) / (b + .05)).toFixed(1));
	}
	return bad.join('; ');
})()`

// In a narrow window everything is in one column, and nothing is wider than the window.
func TestNarrow(t *testing.T) {
	b := open(t, 400, 800)
	for _, name := range []string{"first.mlir", "leak.mlir", "attention.mlir", "1-a-tensor-becomes-a-buffer.md"} {
		b.choose(name)
		for _, tab := range []string{"result", "explain", "check", "run", "peak", "compare", "report"} {
			b.show(tab)
			if width := b.JS(`document.documentElement.scrollWidth`); width != "400" {
				t.Errorf("%s, %s: the page is %s pixels wide in a window of 400", name, tab, width)
			}
		}
	}
	if top := b.JS(`document.getElementById('right').getBoundingClientRect().top - document.getElementById('left').getBoundingClientRect().bottom`); strings.HasPrefix(top, "-") {
		t.Errorf("two columns: %s", top)
	}
}

// The list of programs says which one is shown, also where a tab is loaded again.
func TestProgramIsKept(t *testing.T) {
	b := open(t, 1400, 900)
	b.choose("copy.mlir")
	b.settled()
	b.goTo("/")
	b.settled()
	if name := b.JS(`document.getElementById('programs').value + ' ' + document.getElementById('file').textContent`); name != "copy.mlir copy.mlir" {
		t.Errorf("the list and the program are %s", name)
	}
}

// A link holds the program, the passes and the answer.
func TestLink(t *testing.T) {
	b := open(t, 1400, 900)
	b.write("// ä😀\n" + endless)
	b.settled()
	b.Do(chromedp.Click("#edit"))
	b.JS(`(() => { document.getElementById('text-input').value = 'canonicalize{max-iterations=3},cse'; document.getElementById('text-ok').click(); })()`)
	b.settled()
	b.show("check")
	b.Do(chromedp.Click("#share"))
	b.Wait(`location.hash.length > 10`)
	hash := b.JS(`location.hash`)
	b.JS(`sessionStorage.clear()`)
	b.goTo("/" + hash)
	b.settled()
	if src := b.JS(`document.querySelector('#source textarea').value`); src != "// ä😀\n"+endless {
		t.Errorf("the link holds %q", src)
	}
	if passes := b.passes(); passes != "builtin.module(canonicalize{max-iterations=3},cse)" {
		t.Errorf("the link holds the passes %s", passes)
	}
	if tab := b.JS(`document.querySelector('[aria-selected=true]').id`); tab != "tab-check" {
		t.Errorf("the link leads to %s", tab)
	}
	b.JS(`sessionStorage.clear()`)
	b.goTo("/#p=damaged")
	if text := b.JS(`document.getElementById('source').querySelector('textarea').value`); !strings.Contains(text, "func.func") {
		t.Errorf("a damaged link shows %s", text)
	}
}

// Once it was open, the playground works without a server.
func TestOffline(t *testing.T) {
	b := open(t, 1400, 900)
	b.Wait(`navigator.serviceWorker.controller !== null`)
	b.server.Close()
	b.goTo("/")
	if text := b.panel(); !strings.Contains(text, "memref.alloc") {
		t.Errorf("the page shows %s", text)
	}
}
