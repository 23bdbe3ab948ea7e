package ir

import (
	"errors"
	"fmt"
	"testing"
)

// One error and several are looked at in the same ways.
func TestErrorsAsDiagnostics(t *testing.T) {
	a, b := Errorf(Unknown, "a"), Errorf(Unknown, "b")
	for _, test := range []struct {
		err  error
		want string
	}{
		{a, "a"},
		{Diagnostics{a}, "a"},
		{Diagnostics{a, b}, "a\nb"},
		{fmt.Errorf("wrapped: %w", a), "a"},
		{fmt.Errorf("wrapped: %w", Diagnostics{a, b}), "a\nb"},
	} {
		var ds Diagnostics
		if !errors.As(test.err, &ds) || ds.Error() != test.want {
			t.Errorf("the diagnostics in %q are %q", test.err, ds)
		}
		var first *Diagnostic
		if !errors.As(test.err, &first) || first != a {
			t.Errorf("the first diagnostic in %q is %v", test.err, first)
		}
		if !errors.Is(test.err, a) {
			t.Errorf("%q is not its first diagnostic", test.err)
		}
	}
	var ds Diagnostics
	if errors.As(errors.New("a"), &ds) {
		t.Error("any error is a diagnostic")
	}
}
