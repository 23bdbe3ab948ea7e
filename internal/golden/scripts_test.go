package golden_test

import (
	"testing"

	"freehold/golden"
	"freehold/internal/cli"
	"freehold/internal/heapgoal"
)

var commands = map[string]golden.Command{"freehold": cli.Main}

func TestMain(m *testing.M) {
	heapgoal.ForTests()
	golden.Main(m, commands)
}

func TestScripts(t *testing.T) { golden.Run(t, "../..", commands) }
