package linediff

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Where a program differs is shown, but not where only the names of values do.
func TestHunks(t *testing.T) {
	before := `module {
  func.func @f(%arg0: memref<4xf32>) {
    %alloc = memref.alloc() : memref<4xf32>
    %alloc_0 = memref.alloc() : memref<4xf32>
    %alloc_1 = memref.alloc() : memref<4xf32>
    linalg.add ins(%arg0, %alloc_0 : memref<4xf32>) outs(%alloc_1 : memref<4xf32>)
    linalg.mul ins(%arg0, %alloc_0 : memref<4xf32>) outs(%alloc_1 : memref<4xf32>)
    return
  }
}
`
	after := `module {
  func.func @f(%arg0: memref<4xf32>) {
    %alloc = memref.alloc() : memref<4xf32>
    %alloc_0 = memref.alloc() : memref<4xf32>
    linalg.add ins(%arg0, %alloc : memref<4xf32>) outs(%alloc_0 : memref<4xf32>)
    linalg.mul ins(%arg0, %alloc : memref<4xf32>) outs(%alloc : memref<4xf32>)
    return
  }
}
`
	got := fmt.Sprint(Hunks([]byte(before), []byte(after)))
	if !strings.Contains(got, "linalg.mul") {
		t.Errorf("another operand is no difference: %s", got)
	}
	if h := Hunks([]byte(after), []byte(after)); h != nil {
		t.Errorf("a program differs from itself: %v", h)
	}
	renamed := strings.NewReplacer("%alloc_1", "%b", "%alloc_0", "%a").Replace(before)
	if h := Hunks([]byte(before), []byte(renamed)); len(h) != 0 {
		t.Errorf("names are a difference: %v", h)
	}
	// What is gone is the only difference if others are told apart by more than their names.
	other := strings.Replace(renamed, "    %alloc = memref.alloc() : memref<4xf32>\n", "", 1)
	longer := strings.Replace(before, "alloc() : memref<4xf32>", "alloc() : memref<8xf32>", 1)
	if got, want := fmt.Sprint(Hunks([]byte(longer), []byte(other))), "[{3 0 [    %alloc = memref.alloc() : memref<8xf32>]}]"; got != want {
		t.Errorf("a line less makes the difference %s, want %s", got, want)
	}
}

// The old text with the hunks is the new one, but for names.
func TestHunksAreComplete(t *testing.T) {
	line := rapid.SampledFrom([]string{"%a = x", "%b = y %a", "z %b, %a", "}", "%0:2 = w", "v %0#1", "-- -", "@@ -1 +1 @@"})
	rapid.Check(t, func(t *rapid.T) {
		x, y := rapid.SliceOfN(line, 1, 12).Draw(t, "x"), rapid.SliceOfN(line, 1, 12).Draw(t, "y")
		var got []string
		i, j := 0, 0
		for _, h := range Hunks([]byte(strings.Join(x, "\n")+"\n"), []byte(strings.Join(y, "\n")+"\n")) {
			for ; j < h.At-1; i, j = i+1, j+1 {
				got = append(got, x[i])
			}
			for k, r := range h.Removed {
				if x[i+k] != r {
					t.Fatalf("line %d is %q, not %q", i+k, x[i+k], r)
				}
			}
			i += len(h.Removed)
			for range h.Added {
				got = append(got, y[j])
				j++
			}
		}
		got = append(got, x[i:]...)
		if m, want := strings.Join(mask(got), "\n"), strings.Join(mask(y), "\n"); m != want {
			t.Errorf("%q, want %q", m, want)
		}
	})
}

// Places far from each other are shown with the lines around them, in the numbering of both texts.
func TestUnified(t *testing.T) {
	before := "a\nb\nc\nd\ne\nf\ng\nh\ni\nj\nk\nl\n"
	after := "a\nx\nc\nd\ne\nf\ng\nh\ni\nj\nl\nm\n"
	want := `--- old
+++ new
@@ -1,5 +1,5 @@
 a
-b
+x
 c
 d
 e
@@ -8,5 +8,5 @@
 h
 i
 j
-k
 l
+m
`
	if got := Unified([]byte(before), []byte(after), "old", "new"); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	if got := Unified([]byte(before), []byte(before), "old", "new"); got != "" {
		t.Errorf("a text differs from itself: %s", got)
	}
}
