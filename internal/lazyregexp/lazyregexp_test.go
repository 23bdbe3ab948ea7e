package lazyregexp

import "testing"

func TestNew(t *testing.T) {
	digits := New(`^[0-9]+$`)
	first, again := digits(), digits()
	if !first.MatchString("42") || first.MatchString("x") || first != again {
		t.Error("it isn't compiled, or each time again")
	}
	wrong := New("(") // nothing happens before it is asked for
	defer func() {
		if recover() == nil {
			t.Error("an expression with an error was compiled")
		}
	}()
	wrong()
}
