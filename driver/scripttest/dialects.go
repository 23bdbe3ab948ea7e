package scripttest

import (
	"testing"

	"freehold/ir"
	"freehold/ir/asm"
)

// Dialects reports all that is wrong with the definitions of dialects, their assembly
// formats included ([asm.CheckDialect]):
//
//	func TestDialects(t *testing.T) { golden.Dialects(t, sat.Dialect) }
func Dialects(t testing.TB, dialects ...*ir.Dialect) {
	t.Helper()
	for _, d := range dialects {
		for _, err := range asm.CheckDialect(d) {
			t.Error(err)
		}
	}
}
