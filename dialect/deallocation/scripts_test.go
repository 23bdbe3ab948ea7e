package deallocation_test

import (
	"testing"

	"freehold/internal/golden"
)

func TestMain(m *testing.M) { golden.Main(m) }

func TestScripts(t *testing.T) { golden.Run(t) }
