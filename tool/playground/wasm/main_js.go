// Wasm is the playground's engine for a browser: it answers requests that the worker of the
// page passes on.
package main

import (
	"runtime/debug"
	"syscall/js"

	"freehold/driver"
	"freehold/tool/playground/engine"
)

// gcPercent is how much the heap may grow between collections: there is one thread for all,
// and programs are short-lived.
const gcPercent = 400

func main() {
	debug.SetGCPercent(gcPercent)
	e := engine.New(driver.Freehold())
	js.Global().Set("freehold", js.FuncOf(func(_ js.Value, args []js.Value) any {
		return string(e.Answer([]byte(args[0].String())))
	}))
	js.Global().Call("freeholdReady")
	select {}
}
