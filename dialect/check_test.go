package dialect_test

import (
	"testing"

	"freehold/dialect"
	"freehold/golden"
)

// The definitions of all dialects are sound.
func TestDialects(t *testing.T) { golden.Dialects(t, dialect.All()...) }
