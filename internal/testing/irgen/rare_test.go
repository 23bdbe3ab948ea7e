package irgen_test

import (
	"testing"

	"pgregory.net/rapid"

	"freehold/internal/testing/irgen"
)

// Programs that are not executed are valid.
func TestRarePrograms(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := irgen.Rare(chooser(t), 25)
		save(t, "rare", src)
		load(t, src)
	})
}
