package campaign

import "testing"

func TestDifference(t *testing.T) {
	const program = `func.func @main(%m: memref<4xi32>, %x: i32, %c: i1) {
  %a = arith.constant 1 : index
  %b = arith.constant 2 : index
  scf.if %c {
    memref.store %x, %m[%a] : memref<4xi32>
  }
  memref.store %x, %m[%b] : memref<4xi32>
  return
}
`
	for _, tt := range []struct{ name, other, want string }{
		{"names and order", `func.func @main(%m: memref<4xi32>, %y: i32, %c: i1) {
  %2 = arith.constant 2 : index
  %1 = arith.constant 1 : index
  scf.if %c {
    memref.store %y, %m[%1] : memref<4xi32>
  }
  memref.store %y, %m[%2] : memref<4xi32>
  return
}`, ""},
		{"one less", `func.func @main(%m: memref<4xi32>, %x: i32, %c: i1) {
  %b = arith.constant 2 : index
  memref.store %x, %m[%b] : memref<4xi32>
  return
}`, "+1 memref.store, +1 scf.if"},
		{"other operands", `func.func @main(%m: memref<4xi32>, %x: i32, %c: i1) {
  %a = arith.constant 1 : index
  %b = arith.constant 2 : index
  scf.if %c {
    memref.store %x, %m[%b] : memref<4xi32>
  }
  memref.store %x, %m[%a] : memref<4xi32>
  return
}`, "operations with the same effects, otherwise"},
		{"twice", `func.func @main(%m: memref<4xi32>, %x: i32, %c: i1) {
  %a = arith.constant 1 : index
  %b = arith.constant 2 : index
  %again = arith.constant 2 : index
  scf.if %c {
    memref.store %x, %m[%a] : memref<4xi32>
  }
  memref.store %x, %m[%b] : memref<4xi32>
  return
}`, "pure operations"},
		{"inside", `func.func @main(%m: memref<4xi32>, %x: i32, %c: i1) {
  %b = arith.constant 2 : index
  scf.if %c {
    %a = arith.constant 1 : index
    memref.store %x, %m[%a] : memref<4xi32>
  }
  memref.store %x, %m[%b] : memref<4xi32>
  return
}`, "places of pure operations"},
	} {
		a, err := parse([]byte(program))
		if err != nil {
			t.Fatal(err)
		}
		b, err := parse([]byte(tt.other))
		if err != nil {
			t.Fatalf("%s: %v", tt.name, err)
		}
		if got := difference(b, a); got != opposite(tt.want) {
			t.Errorf("%s: the difference is %q", tt.name, got)
		}
		if got := difference(a, b); got != tt.want {
			t.Errorf("%s: the difference is %q", tt.name, got)
		}
	}
}

// opposite returns what is said if the programs are exchanged.
func opposite(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c == '+' {
			b[i] = '-'
		}
	}
	return string(b)
}

func TestWorse(t *testing.T) {
	old := Measures{Operations: 10, Copies: 2, PeakBytes: 64}
	for _, tt := range []struct {
		now  Measures
		want string
	}{
		{old, ""},
		{Measures{Operations: 9, Copies: 2, PeakBytes: 16}, ""},
		{Measures{Operations: 9, Copies: 3, PeakBytes: 65}, "65 bytes at the peak instead of 64, 3 copies instead of 2"},
		{Measures{Refused: true}, "the program is refused now"},
	} {
		if got := tt.now.worseThan(&old); got != tt.want {
			t.Errorf("%+v is worse by %q, not %q", tt.now, got, tt.want)
		}
	}
	if got := old.worseThan(&Measures{Refused: true}); got != "" {
		t.Errorf("a program that was refused is worse by %q", got)
	}
}

func TestCaseText(t *testing.T) {
	c := Case{"tensors", 7, "builtin.module(canonicalize, cse)"}
	text, err := c.MarshalText()
	if err != nil {
		t.Fatal(err)
	}
	var d Case
	if err := d.UnmarshalText(text); err != nil || d != c {
		t.Errorf("%s is read as %v: %v", text, d, err)
	}
	if err := d.UnmarshalText([]byte("tensors 7")); err == nil {
		t.Error("a case without a pipeline is read")
	}
}
