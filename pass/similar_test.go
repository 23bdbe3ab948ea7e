package pass

import "testing"

// Names are taken for those that somebody may have meant, and not for others.
func TestSimilar(t *testing.T) {
	for _, tt := range []struct{ name, want string }{
		{"f23", "f32"}, {"f31", "f32"}, {"memrf", "memref"}, {"canonicalise", "canonicalize"}, {"emtpy", "empty"}, {"nn", ""}, {"q", ""}, {"xyzzy", ""}, {"f32", "f32"}, {"", ""},
	} {
		if got := Similar(tt.name, []string{"f16", "f32", "index", "memref", "canonicalize", "empty", "q0"}); got != tt.want && !(tt.name == "q" && got == "q0") {
			t.Errorf("%q may be %q, not %q", tt.name, got, tt.want)
		}
	}
}

// What LLVM's command lines suggest is the nearest by single letters.
func TestNearestCountsLetters(t *testing.T) {
	if got := Nearest("f23", []string{"f16", "f33", "f32"}); got != "f33" {
		t.Errorf("%q", got)
	}
}
