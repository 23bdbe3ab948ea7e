package textwrap

import (
	"slices"
	"testing"
)

func TestLines(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
	}{
		{"", []string{""}},
		{"one two  three", []string{"one two", "three"}},
		{"a incomprehensible b", []string{"a", "incomprehensible", "b"}},
		{"12345678 x", []string{"12345678", "x"}},
	} {
		if got := Lines(c.text, 8); !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}
