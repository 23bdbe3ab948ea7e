package scripttest_test

import (
	"fmt"
	"testing"

	"freehold/driver"
	"freehold/driver/scripttest"
)

// What the testing package passes to TestMain and to a test.
var (
	m *testing.M
	t *testing.T
)

// hello is a tool.
func hello(args []string, s driver.Streams) int {
	if len(args) < 2 {
		fmt.Fprintln(s.Err, "whom to greet?")
		return 1
	}
	fmt.Fprintln(s.Out, "hello,", args[1])
	return 0
}

var commands = map[string]scripttest.Command{"mytool": hello}

// The body of a package's TestMain.
func ExampleMain() {
	scripttest.Main(m, commands)
}

// The body of the test that runs all scripts of a module, one folder up.
func ExampleRun() {
	scripttest.Run(t, "../..", commands)
}

// The body of the test that runs the commands which pages show.
func ExampleDocuments() {
	scripttest.Documents(t, "../..", "README.md", "docs/commands.md")
}
