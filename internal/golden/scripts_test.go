package golden_test

import (
	"os"
	"testing"

	"freehold/golden"
	"freehold/internal/cli"
)

func TestMain(m *testing.M) {
	golden.Main(m, map[string]func(){
		"freehold": func() {
			os.Exit(cli.Main(os.Args, cli.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}))
		},
	})
}

func TestScripts(t *testing.T) { golden.Run(t, "../..") }
