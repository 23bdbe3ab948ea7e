//go:build browser

package browser

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// shots is where pictures go; without it, none are made.
var shots = flag.String("shots", "", "write pictures of every screen, in both themes, for a desktop and a phone, to this `folder`")

// NeedShots skips a test that only makes pictures where no folder for them is given.
func NeedShots(t *testing.T) {
	t.Helper()
	if *shots == "" {
		t.Skip("no folder is given with -shots")
	}
}

// Shots keeps pictures of what is shown, for people to look at: in both themes, at the width of a desktop and of a phone, what is in sight and, if
// that isn't all, the whole page. The tab is a desktop's with the light theme afterwards.
func (b *Tab) Shots(name string) {
	b.T.Helper()
	for _, screen := range []struct {
		name          string
		width, height int64
	}{{"phone", 390, 844}, {"desktop", 1280, 900}} {
		b.Do(chromedp.EmulateViewport(screen.width, screen.height))
		for _, scheme := range []string{"dark", "light"} {
			b.Scheme(scheme)
			b.JS(`document.querySelectorAll('img').forEach(x => { x.loading = 'eager'; })`)
			b.Wait(`[...document.images].every(x => x.complete)`)
			// What is drawn anew for another width or theme is there after two frames.
			b.JS(`(window.drawn = false, requestAnimationFrame(() => requestAnimationFrame(() => { window.drawn = true; })), 0)`)
			b.Wait(`window.drawn`)
			if b.JS(`document.querySelector('iframe') !== null`) == "true" {
				time.Sleep(2 * time.Second) // a frame of another origin doesn't say when it is drawn
			}
			full := fmt.Sprintf("%s-%s-%s", name, screen.name, scheme)
			b.keep(full, chromedp.CaptureScreenshot())
			if b.JS(`document.documentElement.scrollHeight > innerHeight`) == "true" {
				b.keep(full+"-whole", chromedp.FullScreenshot(100))
			}
		}
	}
}

// keep writes a picture.
func (b *Tab) keep(name string, shot chromedp.Action[[]byte]) {
	b.T.Helper()
	if err := os.WriteFile(filepath.Join(*shots, name+".png"), Value(b, shot), 0o666); err != nil {
		b.T.Fatal(err)
	}
}
