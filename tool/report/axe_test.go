//go:build browser

package report_test

import (
	"testing"

	"github.com/chromedp/chromedp"

	"freehold/internal/testing/axe"
)

// Everybody can use the report, in both themes, on a desktop and a phone.
func TestAxe(t *testing.T) {
	script := axe.Script(t)
	b := newTab(t)
	for name, url := range map[string]string{
		"layers":  write(t, compiled(t, "layers.mlir", layers(12))),
		"dynamic": write(t, compiled(t, "dynamic.mlir", dynamicSource)),
		"nothing": page(t, "nothing.mlir", "func.func @f() {\n  return\n}", "as it is"),
	} {
		for _, width := range []int64{1280, 390} {
			b.Do(chromedp.EmulateViewport(width, 900))
			b.open(url)
			b.Run(script)
			for _, theme := range []string{"light", "dark"} {
				if theme == "dark" {
					b.Do(chromedp.Click("#theme"))
				}
				if bad := b.Examine(); bad != "" {
					t.Errorf("%s, %d pixels wide, %s: %s", name, width, theme, bad)
				}
			}
		}
	}
}
