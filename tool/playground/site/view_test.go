//go:build browser

package site_test

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"freehold/driver"
	"freehold/ir/bytecode"
)

// point moves the pointer to a line of a view, from 1.
func (b *tab) point(view string, line int) {
	b.T.Helper()
	b.JS(fmt.Sprintf(`(() => { const a = document.querySelector('%s textarea'), r = a.getBoundingClientRect();
		a.dispatchEvent(new MouseEvent('mousemove', { clientX: r.left + 60, clientY: r.top + 4 + %d * 20 - 10, bubbles: true })); })()`, view, line))
}

// hot returns the lines of a view that are set off.
func (b *tab) hot(view string) string {
	b.T.Helper()
	return b.JS(fmt.Sprintf(`[...document.querySelectorAll('%s .drawn .hot')].map(x => x.textContent.trim().split(' (')[0]).join('|')`, view))
}

// Programs have the colours that the editors' grammar gives them.
func TestColours(t *testing.T) {
	b := open(t, 1400, 900)
	b.choose("first.mlir")
	got := b.JS(`JSON.stringify(Object.fromEntries([...document.querySelectorAll('#source .drawn [class^=t-]')].reverse().map(x => [x.className, x.textContent])))`)
	for _, want := range []string{`"t-comment":"// `, `"t-operation":"func.func"`, `"t-symbol":"@`, `"t-value":"%`, `"t-type":"tensor"`, `"t-keyword":"`} {
		if !strings.Contains(got, want) {
			t.Errorf("%s isn't in %s", want, got)
		}
	}
}

// What version of LLVM a program is taken for stands beside its name, if it isn't the usual one.
func TestVersions(t *testing.T) {
	b := open(t, 1280, 900)
	b.choose("first.mlir")
	if got := b.JS(`document.getElementById('llvm').textContent`); got != "" {
		t.Errorf("a program of any version: %s", got)
	}
	b.write("func.func @f(%t: tensor<4xf32>) -> memref<4xf32> {\n  %m = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32>\n  return %m : memref<4xf32>\n}\n")
	b.Wait(`document.getElementById('llvm').textContent === 'taken for a program of LLVM 22'`)
	b.settled()
	if list := b.JS(`document.getElementById('problems').innerText`); list != "" {
		t.Error(list)
	}
	b.Do(chromedp.EmulateViewport(390, 844))
	if wide := b.JS(`document.documentElement.scrollWidth`); wide != "390" {
		t.Errorf("the page is %s wide", wide)
	}
}

// On a phone the passes take one row, in which the chosen one is in sight, and the answer begins on the first screen.
func TestPhone(t *testing.T) {
	b := open(t, 390, 844)
	b.choose("copy.mlir")
	b.show("explain")
	if tall := b.JS(`document.getElementById('chips').offsetHeight < 50`); tall != "true" {
		t.Error("the passes take several rows: " + b.JS(`document.getElementById('chips').offsetHeight`))
	}
	inSight := `(() => { const c = document.querySelector('#chips [aria-pressed=true]').getBoundingClientRect(); return c.left >= 0 && c.right <= 390; })()`
	if b.JS(inSight) != "true" {
		t.Error("the result is out of sight")
	}
	b.JS(`document.querySelector('#chips [data-stage="0"]').click()`)
	b.settled()
	if b.JS(inSight) != "true" {
		t.Error("the program is out of sight")
	}
	// It is still in sight when the phone is turned.
	b.Do(chromedp.EmulateViewport(844, 390))
	b.JS(`document.querySelector('#chips [data-stage="result"]').click()`)
	b.settled()
	b.Do(chromedp.EmulateViewport(390, 844))
	b.Wait(inSight)
	if at := b.JS(`document.querySelector('#panel').getBoundingClientRect().top + scrollY < 800`); at != "true" {
		t.Error("the answer begins at " + b.JS(`document.querySelector('#panel').getBoundingClientRect().top + scrollY`))
	}
}

// What the pointer is at in the program is set off in what became of it, and the other way round; values keep their names.
func TestLinesBelongTogether(t *testing.T) {
	b := open(t, 1400, 900)
	b.choose("first.mlir")
	if text := b.panel(); !strings.Contains(text, "linalg.add ins(%row, %bias") {
		t.Errorf("names are lost: %s", text)
	}
	b.Wait(`document.getElementById('panel').dataset.lines === 'known'`)
	b.point("#source", 12)
	b.Wait(`document.querySelectorAll('#panel .drawn .hot').length > 0`)
	if got := b.hot("#panel"); !strings.HasPrefix(got, "linalg.add ins") || strings.Contains(got, "|") {
		t.Errorf("in the result is set off %q", got)
	}
	if got := b.hot("#source"); strings.Count(got, "|") != 2 || !strings.HasPrefix(got, "%sum = linalg.add") {
		t.Errorf("in the program is set off %q", got)
	}
	// A comment belongs to nothing.
	b.point("#source", 2)
	b.Wait(`document.querySelectorAll('.drawn .hot').length === 0`)
	b.JS(`(() => { const a = document.querySelector('#panel textarea'); a.focus(); a.selectionStart = a.value.indexOf('linalg.mul', a.value.lastIndexOf('memref.alloc')); a.dispatchEvent(new KeyboardEvent('keyup')); })()`)
	b.Wait(`[...document.querySelectorAll('#source .drawn .hot')].some(x => x.textContent.includes('linalg.mul'))`)
}

// Passes that changed nothing are one chip, which shows them; the chosen one is never in it.
func TestFold(t *testing.T) {
	b := open(t, 1280, 900)
	b.choose("first.mlir")
	chips := func() string {
		return b.JS(`[...document.querySelectorAll('#chips button')].map(x => x.textContent).join('|')`)
	}
	before := chips()
	if !strings.Contains(before, "changed nothing") || strings.Contains(before, "no change") {
		t.Errorf("the chips are %s", before)
	}
	b.JS(`document.querySelector('#chips [data-fold]').click()`)
	if open := chips(); !strings.Contains(open, "fold|") || !strings.Contains(open, "no change") {
		t.Errorf("unfolded, the chips are %s", open)
	}
	b.JS(`document.querySelector('#chips [data-fold]').click()`)
	if again := chips(); again != before {
		t.Errorf("folded again, the chips are %s", again)
	}
	if wrong := b.JS(`[...document.querySelectorAll('#tabs button')].filter(x => x.getBoundingClientRect().right > innerWidth || x.scrollWidth > x.clientWidth + 1).map(x => x.textContent).join()`); wrong != "" {
		t.Errorf("tabs don't fit: %s", wrong)
	}
	if bottom := b.JS(`document.querySelector('#panel .code .drawn').getBoundingClientRect().top < innerHeight - 200`); bottom != "true" {
		t.Error("the answer is not in sight")
	}
}

// Reasons and the peak are drawn into the program.
func TestDrawnIntoTheProgram(t *testing.T) {
	b := open(t, 1280, 900)
	b.choose("copy.mlir")
	if steps := b.JS(`document.querySelectorAll('#source .path g').length`); steps != "3" {
		t.Errorf("the path of a copy has %s places", steps)
	}
	if first := b.JS(`document.querySelector('#panel .verdict').className`); strings.Contains(first, "good") {
		t.Error("a program that copies is good")
	}
	b.JS(`document.querySelectorAll('#panel .reason button.link')[1].click()`)
	// What is chosen is drawn after the click, when the answer is there.
	b.Wait(`document.querySelector('#source .drawn .step')?.textContent.includes('tensor.empty') && document.activeElement.textContent.includes('allocation of 32 B')`)
	b.show("peak")
	b.Wait(`[...document.querySelectorAll('#source .note')].some(x => x.textContent.includes('the peak: '))`)
	// Before bufferization nothing is decided, and nothing is good.
	b.JS(`document.querySelector('#chips [data-stage="0"]').click()`)
	b.settled()
	b.show("explain")
	if text := b.JS(`document.querySelector('#panel .verdict').className + document.querySelector('#panel .verdict').textContent`); !strings.Contains(text, "mixed") || !strings.Contains(text, "Nothing is decided") {
		t.Errorf("before the passes: %s", text)
	}
}

// A file that is dropped is opened as what it is.
func TestDrop(t *testing.T) {
	b := open(t, 1280, 900)
	p, err := driver.Freehold().NewSession().Parse([]byte("func.func @dropped() -> f32 {\n  %c = arith.constant 1.0 : f32\n  return %c : f32\n}"), "a.mlir")
	if err != nil {
		t.Fatal(err)
	}
	var code strings.Builder
	if err := bytecode.Write(&code, p.Document, bytecode.Options{}); err != nil {
		t.Fatal(err)
	}
	drop := func(name, content string) {
		b.JS(fmt.Sprintf(`(() => { const d = new DataTransfer(); d.items.add(new File([Uint8Array.from(atob(%q), c => c.charCodeAt(0))], %q)); dispatchEvent(new DragEvent('drop', { dataTransfer: d, bubbles: true, cancelable: true })); })()`,
			base64.StdEncoding.EncodeToString([]byte(content)), name))
		b.settled()
	}
	drop("dropped.mlirbc", code.String())
	if got := b.JS(`document.getElementById('file').textContent + document.querySelector('#source textarea').value`); !strings.HasPrefix(got, "dropped.mlir") || !strings.Contains(got, "func.func @dropped()") {
		t.Errorf("the page shows %s", got)
	}
	drop("hlo.mlir", "func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {\n  %y = stablehlo.add %x, %x : tensor<4xf32>\n  return %y : tensor<4xf32>\n}\n")
	if text := b.show("result"); !strings.Contains(text, "memref.alloc") {
		t.Errorf("the page shows %s", text)
	}
	drop("half.mlirbc", code.String()[:9])
	if text := b.panel(); !strings.Contains(text, "No answer") {
		t.Errorf("the page shows %s", text)
	}
}

// An address names a program or a chapter, as the links of the pages do.
func TestNamedInAddress(t *testing.T) {
	b := open(t, 1280, 900)
	b.goTo("/#open=3-who-frees.md")
	b.settled()
	if title := b.JS(`document.querySelector('#chapter h1').innerText`); !strings.HasPrefix(title, "3.") {
		t.Errorf("the page shows %s", title)
	}
	b.JS(`location.hash = 'open=leak.mlir'`)
	b.Wait(`document.getElementById('file').textContent === 'leak.mlir'`)
}
