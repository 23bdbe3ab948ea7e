package analysis_test

import (
	"slices"
	"testing"

	"freehold/ir"
	"freehold/ir/analysis"
)

const referenced = `
func.func private @leaf()
func.func private @twice() {
  call @leaf() : () -> ()
  return
}
func.func private @value() {
  return
}
func.func private @named() {
  return
}
func.func @f() {
  call @twice() : () -> ()
  call @named() {also = @named} : () -> ()
  return
}
func.func @g() {
  call @twice() : () -> ()
  call @value() : () -> ()
  %0 = constant @value : () -> ()
  return
}
`

func TestCallers(t *testing.T) {
	m, _ := load(t, referenced)
	fn := func(name string) *ir.Op { return ir.LookupSymbol(m, m.Context().SymbolRef(name)) }
	callers := analysis.NewCallers(m, ir.NewSymbolTables())
	expect := func(name string, calls int, only bool) {
		t.Helper()
		if got := callers.Calls(fn(name)); len(got) != calls || callers.OnlyCalled(fn(name)) != only {
			t.Errorf("@%s is called by %d, and only called: %t", name, len(got), callers.OnlyCalled(fn(name)))
		}
	}
	expect("leaf", 0, true) // a declaration
	expect("twice", 2, true)
	expect("value", 1, false)
	expect("named", 1, false)
	expect("f", 0, true)

	gone := callers.Calls(fn("twice"))[0]
	gone.Erase()
	callers.Recollect(fn("f"))
	expect("twice", 1, true)
	if slices.Contains(callers.Calls(fn("twice")), gone) {
		t.Error("a call is found that was erased")
	}
	fn("g").BodyBlock(0).First().Erase()
	fn("g").BodyBlock(0).First().Erase()
	fn("g").BodyBlock(0).First().Erase()
	callers.Recollect(fn("g"))
	expect("twice", 0, true)
	expect("value", 0, true)
}
