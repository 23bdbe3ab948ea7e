// Freehold turns MLIR programs on tensors into programs on buffers, checks and
// runs them. See package freehold/cmd/cli for the commands.
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
