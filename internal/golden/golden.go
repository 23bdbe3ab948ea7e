// Package golden runs the script tests of the repository: text files that hold
// commands, their inputs and the output that a person has reviewed.
//
// A package with scripts under testdata/script has a test file with
//
//	func TestMain(m *testing.M) { golden.Main(m) }
//	func TestScripts(t *testing.T) { golden.Run(t) }
//
// A script is a txtar archive (see package testscript of rogpeppe/go-internal):
//
//	# What this script shows.
//	freehold opt --cse in.mlir
//	cmp stdout out.mlir
//
//	-- in.mlir --
//	...
//	-- out.mlir --
//	...
//
// `go test ./... -run Scripts -update` puts what the commands print into the
// archives; review the difference.
package golden

import (
	"flag"
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"freehold/internal/cli"
)

var update = flag.Bool("update", false, "put the actual output into the scripts")

// Main makes the command freehold available to scripts, and runs the tests.
func Main(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"freehold": func() {
			os.Exit(cli.Main(os.Args, cli.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}))
		},
	})
}

// Run runs the scripts in testdata/script of the calling package.
func Run(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                "testdata/script",
		UpdateScripts:      *update,
		RequireUniqueNames: true,
	})
}
