package main

import (
	"fmt"
	"os"

	"example.com/mytool/sat"
	"freehold/driver"
	"freehold/ir"
)

// clamps is the command mytool clamps FILE, which tells how many clamps a program has.
func clamps(args []string, s driver.Streams) int {
	if len(args) != 1 {
		fmt.Fprintln(s.Err, "mytool clamps: needs a file")
		return 2
	}
	src, err := os.ReadFile(args[0])
	if err != nil {
		fmt.Fprintln(s.Err, "mytool clamps:", err)
		return 3
	}
	_, p, err := tool().Open(src, args[0], driver.Choice{}, false)
	if err != nil {
		fmt.Fprintln(s.Err, err)
		return 3
	}
	n := 0
	p.Module.Walk(func(op *ir.Op) bool {
		if op.Is(sat.Clamp) {
			n++
		}
		return true
	})
	fmt.Fprintln(s.Out, n, "clamps")
	return 0
}
