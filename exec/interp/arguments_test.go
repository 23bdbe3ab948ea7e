package interp_test

import (
	"errors"
	"strings"
	"testing"

	"freehold/driver"
	"freehold/exec/interp"
)

// Arguments that aren't given are made up, each from a sequence of its own; what doesn't fit is
// an error.
func TestTexts(t *testing.T) {
	p, err := driver.Freehold().NewSession().Parse([]byte("func.func @f(%a: tensor<?xf32>, %b: tensor<3xf32>, %i: i32) {\n  return\n}"), "f.mlir")
	if err != nil {
		t.Fatal(err)
	}
	fn := p.Module.BodyBlock(0).First()
	some, err := interp.Texts{Values: []string{"[1, 2]"}, Random: true, Seed: 7, Limit: 1 << 20}.Arguments(fn)
	if err != nil {
		t.Fatal(err)
	}
	all, err := interp.Texts{Random: true, Seed: 7, Limit: 1 << 20}.Arguments(fn)
	if err != nil {
		t.Fatal(err)
	}
	if some[0].Text() != "[1, 2]" && some[0].Shape() != "2" || !interp.Equal(some[1:], all[1:]) {
		t.Errorf("%v and %v", some, all)
	}
	for _, x := range []struct {
		interp.Texts
		want string
	}{
		{interp.Texts{Values: []string{"1"}}, "takes 3 arguments, got 1"},
		{interp.Texts{Values: []string{"1", "2", "3", "4"}, Random: true}, "takes 3 arguments, got 4"},
		{interp.Texts{Values: []string{"zeros:2", "1, 2"}, Random: true, Limit: 1 << 20}, "argument 1:"},
		{interp.Texts{Values: []string{"zeros:2", "zeros:3", "zeros:3"}, Limit: 1 << 20}, "argument 2: a value of type 'i32' has no sizes"},
		{interp.Texts{Values: []string{"zeros:2", "zeros:3", "random:3x4"}, Limit: 1 << 20}, "argument 2: a value of type 'i32' has no sizes"},
	} {
		if _, err := x.Arguments(fn); err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("%v: %v, want %q", x.Values, err, x.want)
		}
	}
	var large *interp.TooLargeError
	if _, err := (interp.Texts{Values: []string{"random:1000000"}, Random: true, Limit: 1 << 20}).Arguments(fn); !errors.As(err, &large) {
		t.Errorf("four million bytes in one: %v", err)
	}
}
