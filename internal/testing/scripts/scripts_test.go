package scripts_test

import (
	"testing"

	"freehold/cmd/cli"
	"freehold/driver"
	"freehold/driver/scripttest"
	"freehold/internal/heapgoal"
)

var commands = map[string]scripttest.Command{"freehold": func(args []string, s driver.Streams) int {
	return cli.Main(driver.Freehold(), args, s)
}}

func TestMain(m *testing.M) {
	heapgoal.ForTests()
	scripttest.Main(m, commands)
}

func TestScripts(t *testing.T) { scripttest.Run(t, "../../..", commands) }
