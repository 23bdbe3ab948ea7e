//go:build browser

package main

import (
	"os"
	"strings"
	"testing"

	"freehold/internal/testing/browser"
)

// TestShots makes the pictures that are to be looked at: go test -tags browser -run Shots -shots FOLDER.
func TestShots(t *testing.T) {
	browser.NeedShots(t)
	s, err := load(os.DirFS(".."))
	if err != nil {
		t.Fatal(err)
	}
	b := open(t)
	for _, name := range s.names() {
		b.goTo(name + ".html")
		b.Shots("site-" + strings.ReplaceAll(name, "/", "-"))
	}
	b.goTo("index.html")
	b.search("peak memory")
	b.Shots("site-search")
}
