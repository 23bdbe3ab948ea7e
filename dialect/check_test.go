package dialect_test

import (
	"testing"

	"freehold/dialect"
	"freehold/driver/scripttest"
)

// The definitions of all dialects are sound.
func TestDialects(t *testing.T) { scripttest.Dialects(t, dialect.All()...) }
