package cli

import (
	"testing"

	"freehold/internal/heapgoal"
)

func TestMain(m *testing.M) {
	heapgoal.ForTests()
	m.Run()
}
