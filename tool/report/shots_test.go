//go:build browser

package report_test

import (
	"os"
	"path/filepath"
	"testing"

	"freehold/driver"
	"freehold/internal/testing/browser"
	"freehold/ir"
	"freehold/tool/explain"
	"freehold/tool/report"
)

// compiled returns the page of a program before and after compilation.
func compiled(t *testing.T, name, src string) *report.Page {
	t.Helper()
	session := driver.Freehold().NewSession()
	p, err := session.Parse([]byte(src), name)
	if err != nil {
		t.Fatal(err)
	}
	source := func(string) []byte { return []byte(src) }
	page := report.New(name, source)
	page.Add("before", p.Module)
	given := ir.CloneDetached(p.Module)
	c := &explain.Compilation{Registry: session.Passes, Source: source}
	e, err := c.Explain(p.Module)
	if err != nil {
		t.Fatal(err)
	}
	groups := explain.Groups(e.Items)
	c.Try(given, e, groups, explain.Tries(given))
	page.Explain(page.Add("compiled", e.Module), e, groups)
	return page
}

// dynamicSource is a program of a size that nobody knows.
const dynamicSource = "func.func @f(%x: tensor<?xf32>, %n: index) -> tensor<?xf32> {\n  %e = tensor.empty(%n) : tensor<?xf32>\n  %y = linalg.exp ins(%x : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>\n  return %y : tensor<?xf32>\n}\n"

// TestShots makes the pictures that are to be looked at: go test -tags browser ./tool/report -run Shots -shots FOLDER.
func TestShots(t *testing.T) {
	browser.NeedShots(t)
	urls := map[string]string{
		"layers":  write(t, compiled(t, "layers.mlir", layers(12))),
		"dynamic": write(t, compiled(t, "dynamic.mlir", dynamicSource)),
		"nothing": page(t, "nothing.mlir", "func.func @f() {\n  return\n}", "as it is"),
		"many":    page(t, "many.mlir", program(5000), "as it is"),
	}
	models, err := filepath.Glob("../../../shared/models/*.mlir")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range models {
		src, err := os.ReadFile(m)
		if err != nil {
			t.Fatal(err)
		}
		urls[filepath.Base(m)] = write(t, compiled(t, filepath.Base(m), string(src)))
	}
	b := newTab(t)
	for name, url := range urls {
		b.open(url)
		b.Shots("report-" + name)
	}
}
