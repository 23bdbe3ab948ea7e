// Freehold turns MLIR programs on tensors into programs on buffers, checks and
// runs them. See package freehold/internal/cli for the commands.
package main

import (
	"os"

	"freehold/internal/cli"
)

func main() {
	os.Exit(cli.Main(os.Args, cli.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}))
}
