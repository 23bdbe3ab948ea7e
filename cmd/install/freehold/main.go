// Command freehold is that of cmd/freehold, for who installs all commands of the module by go install ./..., as pre-commit
// does: cmd/freehold is left out of that, since its profile would have tests compile all packages twice. Built from here,
// it is a few percent slower.
package main

import (
	"os"
	"runtime"

	"freehold/cmd/cli"
	"freehold/driver"
)

func main() {
	// Nobody asks for profiles of memory, and samples cost time.
	runtime.MemProfileRate = 0
	os.Exit(cli.Main(driver.Freehold(), os.Args, driver.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}))
}
