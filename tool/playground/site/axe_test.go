//go:build browser

package site_test

import (
	"testing"

	"github.com/chromedp/chromedp"

	"freehold/internal/testing/axe"
)

// examined fails if the page has anything that keeps people from using it.
func (b *tab) examined(what string) {
	b.T.Helper()
	if bad := b.Examine(); bad != "" {
		b.T.Errorf("%s: %s", what, bad)
	}
}

// Everybody can use each answer, in both themes, on a desktop and a phone. Examining takes seconds: the dark theme is seen where there are other colours.
func TestAccessible(t *testing.T) {
	script := axe.Script(t)
	b := open(t, 1280, 900)
	b.settled()
	b.Run(script)
	b.examined("introduction")
	for _, x := range []struct {
		scheme, program string
		answers         []string
	}{
		{"light", "copy.mlir", []string{"result", "explain", "check", "run", "peak", "compare", "report"}},
		{"dark", "leak.mlir", []string{"check", "run"}},
		{"dark", "3-who-frees.md", []string{"result", "run", "compare"}},
		{"dark", "copy.mlir", []string{"result", "explain"}},
	} {
		b.Scheme(x.scheme)
		b.choose(x.program)
		for _, name := range x.answers {
			b.show(name)
			b.examined(x.program + ", " + name + ", " + x.scheme)
		}
	}
	for _, button := range []string{"help", "add", "edit"} {
		b.JS(`document.getElementById('` + button + `').click()`)
		b.examined(button)
		b.JS(`document.querySelector('dialog[open]').close()`)
	}
	b.Do(chromedp.EmulateViewport(390, 844))
	b.choose("copy.mlir")
	b.examined("phone")
}
