package dialect_test

import (
	"testing"

	"freehold/dialect"
	"freehold/ir"
)

// BenchmarkNewContext is what every program that is read pays first.
func BenchmarkNewContext(b *testing.B) {
	b.ReportAllocs()
	for range b.N {
		ir.NewContext(dialect.All()...)
	}
}
