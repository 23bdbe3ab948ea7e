// Mytool is freehold with dialects and a pass of one's own: all of its commands know them.
package main

import (
	"os"

	"example.com/mytool/bits"
	"example.com/mytool/cost"
	"example.com/mytool/sat"
	"freehold/cmd/cli"
	"freehold/driver"
)

// tool is freehold with the dialects sat and bits and the passes of cost.
func tool() *driver.Tool {
	t := driver.Freehold()
	t.Name, t.Version = "mytool opt", "mytool 1.0\n"
	t.Dialects = append(t.Dialects, sat.Dialect, bits.Dialect)
	t.Models = append(t.Models, cost.Attach)
	t.Passes = append(t.Passes, cost.Register)
	return t
}

// run is the command: mytool opt, mytool compile, and so on, and mytool clamps, which is no command of freehold.
func run(args []string, s driver.Streams) int {
	if len(args) > 1 && args[1] == "clamps" {
		return clamps(args[2:], s)
	}
	return cli.Main(tool(), args, s)
}

func main() {
	os.Exit(run(os.Args, driver.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}))
}
