package golden_test

import (
	"fmt"
	"os"
	"testing"

	"freehold/golden"
)

// What the testing package passes to TestMain and to a test.
var (
	m *testing.M
	t *testing.T
)

// The body of a package's TestMain, where main is that of the tool.
func ExampleMain() {
	main := func() {
		fmt.Println("hello,", os.Args[1])
	}
	golden.Main(m, map[string]func(){"mytool": main})
}

// The body of the test that runs all scripts of a module, one folder up.
func ExampleRun() {
	golden.Run(t, "..")
}

// The body of the test that runs the commands which pages show.
func ExampleDocuments() {
	golden.Documents(t, "..", "README.md", "docs/commands.md")
}
