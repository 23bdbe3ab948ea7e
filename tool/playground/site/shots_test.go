//go:build browser

package site_test

import (
	"strings"
	"testing"

	"freehold/internal/testing/browser"
)

// TestShots makes the pictures that are to be looked at: go test -tags browser ./tool/playground/site -run Shots -shots FOLDER.
func TestShots(t *testing.T) {
	browser.NeedShots(t)
	b := open(t, 1280, 900)
	b.settled()
	b.Shots("playground-introduction")
	answers := []string{"result", "explain", "check", "run", "peak", "compare", "report"}
	for _, x := range []struct {
		program string
		answers []string
	}{
		{"copy.mlir", answers}, {"leak.mlir", answers}, {"attention.mlir", answers}, {"2-why-it-copied.md", answers[:2]}, {"3-who-frees.md", answers[2:4]},
	} {
		b.choose(x.program)
		for _, name := range x.answers {
			b.show(name)
			b.Shots("playground-" + strings.TrimSuffix(strings.TrimSuffix(x.program, ".mlir"), ".md") + "-" + name)
		}
	}
	b.write("func.func @f() {\n  retrun\n}\n")
	b.show("result")
	b.Shots("playground-error")
	b.choose("first.mlir")
	for _, button := range []string{"help", "add", "edit"} {
		b.JS(`document.getElementById('` + button + `').click()`)
		b.Shots("playground-" + button)
		b.JS(`document.querySelector('dialog[open]').close()`)
	}
	b.JS(`document.getElementById('presets').value = 'no passes', document.getElementById('presets').dispatchEvent(new Event('change'))`)
	b.write(endless)
	b.settled()
	b.JS(`document.getElementById('tab-run').click()`)
	b.Wait(`!document.getElementById('stop').hidden`)
	b.Shots("playground-endless")
	b.JS(`document.getElementById('stop').click()`)
	b.settled()
	b.Shots("playground-stopped")
}
