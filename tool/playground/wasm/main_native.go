//go:build !js

// Wasm is the playground's engine. Outside of a browser it reads requests, one a line, from
// standard input and writes the answers to standard output.
package main

import (
	"bufio"
	"fmt"
	"os"

	"freehold/driver"
	"freehold/tool/playground/engine"
)

func main() {
	e := engine.New(driver.Freehold())
	in := bufio.NewReader(os.Stdin)
	for {
		line, err := in.ReadBytes('\n')
		if len(line) > 0 {
			fmt.Printf("%s\n", e.Answer(line))
		}
		if err != nil {
			return
		}
	}
}
