package printable

import (
	"slices"
	"testing"
)

func TestText(t *testing.T) {
	for _, tt := range []struct{ in, text, name string }{
		{"plain %x", "plain %x", "plain %x"},
		{"a\tb\nc", "a\tb\nc", `a\x09b\x0ac`},
		{"\x1b[2J\x07\r\x7f\x00", `\x1b[2J\x07\x0d\x7f` + "\x00", `\x1b[2J\x07\x0d\x7f\x00`},
		{"\u009b2J\u0085", `\u009b2J\u0085`, `\u009b2J\u0085`}, // C1
		{"a\u202eb\u2066c\u200fd", `a\u202eb\u2066c\u200fd`, `a\u202eb\u2066c\u200fd`},
		{"\u2028\u00a0\ufeff\u200b", `\u2028\u00a0\ufeff\u200b`, `\u2028\u00a0\ufeff\u200b`},
		{"\xff\xc3(\xe2\x82", `\xff\xc3(\xe2\x82`, `\xff\xc3(\xe2\x82`},
		{"größe 数 ∀", "größe 数 ∀", "größe 数 ∀"},
		{"\U000e0001", `\U000e0001`, `\U000e0001`},
		{"\ufffd", "\ufffd", "\ufffd"}, // the replacement character itself is a character
	} {
		if got := Text(tt.in); got != tt.text {
			t.Errorf("Text(%q) is %q", tt.in, got)
		}
		if got := Name(tt.in); got != tt.name {
			t.Errorf("Name(%q) is %q", tt.in, got)
		}
	}
}

func TestLine(t *testing.T) {
	for _, tt := range []struct {
		in      string
		places  []int
		text    string
		columns []int
	}{
		{"ab", []int{0, 1, 2}, "ab", []int{0, 1, 2}},
		{"a\tb", []int{1, 2}, "a       b", []int{1, 8}},
		{"ü数e\u0301x", []int{2, 5, 6, 8}, "ü数e\u0301x", []int{1, 3, 4, 4}},
		{"\x1b[mx", []int{0, 1, 3}, `\x1b[mx`, []int{0, 4, 6}},
		{"\xffx", []int{1, 9}, `\xffx`, []int{4, 5}},
		{"\u202ex", []int{1, 3}, `\u202ex`, []int{0, 6}}, // in the middle of a character
		{"", []int{0}, "", []int{0}},
	} {
		text, columns := Line(tt.in, tt.places...)
		if text != tt.text || !slices.Equal(columns, tt.columns) {
			t.Errorf("%q: %q %v", tt.in, text, columns)
		}
	}
}
