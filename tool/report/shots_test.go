//go:build browser

package report_test

import (
	"os"
	"path/filepath"
	"testing"

	"freehold/compile"
	"freehold/driver"
	"freehold/internal/testing/browser"
	"freehold/ir"
	"freehold/memory/plan"
	"freehold/tool/explain"
	"freehold/tool/report"
)

// compiled returns the page of a program before and after compilation.
func compiled(t *testing.T, name, src string) *report.Page {
	t.Helper()
	return compiledTrying(t, name, src, explain.Tries, compile.Options{})
}

// compiledTrying is compiled with a number of pieces of advice to try, and options of compile.
func compiledTrying(t *testing.T, name, src string, tries func(module *ir.Op) int, options compile.Options) *report.Page {
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
	c := &explain.Compilation{Options: options, Registry: session.Passes, Source: source}
	e, err := c.Explain(p.Module)
	if err != nil {
		t.Fatal(err)
	}
	groups := explain.Groups(e.Items)
	c.Try(given, e, groups, tries(given))
	page.Explain(page.Add("compiled", e.Module), e, groups)
	return page
}

// dynamicSource is a program of a size that nobody knows.
const dynamicSource = "func.func @f(%x: tensor<?xf32>, %n: index) -> tensor<?xf32> {\n  %e = tensor.empty(%n) : tensor<?xf32>\n  %y = linalg.exp ins(%x : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>\n  return %y : tensor<?xf32>\n}\n"

// formulasSource has sizes with long names.
const formulasSource = `func.func @f(%rows_of_the_table: tensor<?x16xf32>, %number_of_results: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %rows_of_the_table, %c0 : tensor<?x16xf32>
  %e = tensor.empty(%n) : tensor<?x16xf32>
  %y = linalg.exp ins(%rows_of_the_table : tensor<?x16xf32>) outs(%e : tensor<?x16xf32>) -> tensor<?x16xf32>
  %s = tensor.extract %y[%c0, %c0] : tensor<?x16xf32>
  %e2 = tensor.empty(%number_of_results) : tensor<?xf32>
  %z = linalg.fill ins(%s : f32) outs(%e2 : tensor<?xf32>) -> tensor<?xf32>
  return %z : tensor<?xf32>
}
`

// memories are two, of which the first has room for half of what the layers need.
var memories = []compile.Memory{{Memory: plan.Memory{Name: "near", Capacity: 100 << 10, Cost: 1}, Space: 1}, {Memory: plan.Memory{Name: "far", Capacity: 10 << 20, Cost: 10}}}

// change returns the page of two programs.
func change(t *testing.T) *report.Page {
	t.Helper()
	programs := map[string]string{"old.mlir": layers(12), "new.mlir": layers(9)}
	source := func(name string) []byte { return []byte(programs[name]) }
	p := report.New("new.mlir", source)
	for _, label := range []string{"old.mlir", "new.mlir"} {
		session := driver.Freehold().NewSession()
		program, err := session.Parse([]byte(programs[label]), label)
		if err != nil {
			t.Fatal(err)
		}
		c := &explain.Compilation{Registry: session.Passes, Source: source}
		e, err := c.Explain(program.Module)
		if err != nil {
			t.Fatal(err)
		}
		p.Add(label, e.Module)
	}
	return p
}

// TestShots makes the pictures that are to be looked at: go test -tags browser ./tool/report -run Shots -shots FOLDER.
func TestShots(t *testing.T) {
	browser.NeedShots(t)
	urls := map[string]string{
		"layers":   write(t, compiled(t, "layers.mlir", layers(12))),
		"dynamic":  write(t, compiled(t, "dynamic.mlir", dynamicSource)),
		"nothing":  page(t, "nothing.mlir", "func.func @f() {\n  return\n}", "as it is"),
		"many":     page(t, "many.mlir", program(5000), "as it is"),
		"formulas": write(t, compiled(t, "formulas.mlir", formulasSource)),
		"two":      write(t, change(t)),
		"arenas":   write(t, compiledTrying(t, "arenas.mlir", layers(12), explain.Tries, compile.Options{Memories: memories})),
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
