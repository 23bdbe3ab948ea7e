package certificate_test

import (
	"strings"
	"testing"

	"freehold/proof/certificate"
)

const header = "freehold certificate 1"

// What is nested without end is refused.
func TestNesting(t *testing.T) {
	for _, line := range []string{
		"blocks 0.0 " + strings.Repeat("(", 1e6),
		"loop 1\nholds " + strings.Repeat("(", 1e6),
		"loop 1\nholds " + strings.Repeat("!", 1e6) + "c0",
		"loop 1\nholds " + strings.Repeat("c0 | ", 1e6) + "c0",
		"loop 1\ncarries 0 to " + strings.Repeat("{true;", 1e6),
	} {
		if _, err := certificate.Parse(header + "\nfunction @f\n" + line); err == nil {
			t.Error("it is understood")
		}
	}
	if certificate.ParseCondition(strings.Repeat("c0 & ", 1e4)+"c0") == nil {
		t.Error("a long condition isn't understood")
	}
}

// What isn't a certificate is refused with the line.
func TestParseErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                                                   `the first line isn't "freehold certificate 1"`,
		"freehold certificate 2":                             `line 1: "freehold certificate 2" isn't understood here`,
		header + "\nprogram":                                 `line 2: "program" isn't understood here`,
		header + "\nowns 1":                                  `line 2: "owns 1" isn't understood here`,
		header + "\nfunction @f\nowns x":                     `line 3: "owns x" isn't understood here`,
		header + "\nfunction @f\nowns 1 if":                  `line 3: "owns 1 if" isn't understood here`,
		header + "\nfunction @f\ngives 1":                    `line 3: "gives 1" isn't understood here`,
		header + "\nfunction @f\nblocks 0.0 (0":              `line 3: "blocks 0.0 (0" isn't understood here`,
		header + "\nfunction @f\nblocks 0.0 -3":              `line 3: "blocks 0.0 -3" isn't understood here`,
		header + "\nfunction @f\nblocks 0.0 0 1=x+":          `line 3: "blocks 0.0 0 1=x+" isn't understood here`,
		header + "\nfunction @f\nlemma 1":                    `line 3: "lemma 1" isn't understood here`,
		header + "\nfunction @f\nproof 3\nlemma 0":           `line 4: "lemma 0" isn't understood here`,
		header + "\nfunction @f\nholds c1":                   `line 3: "holds c1" isn't understood here`,
		header + "\nfunction @f\nloop 3\nloop 3":             `line 4: "loop 3" isn't understood here`,
		header + "\nfunction @f\nloop 3\ncarries 1":          `line 4: "carries 1" isn't understood here`,
		header + "\nfunction @f\nloop 3\ncarries 1 to":       `line 4: "carries 1 to" isn't understood here`,
		header + "\nfunction @f\nloop 3\nlives new1":         `line 4: "lives new1" isn't understood here`,
		header + "\nfunction @f\nunroll 3\ncarries 1 free":   `line 4: "carries 1 free" isn't understood here`,
		header + "\nfunction @f\nloop 3\ncarries 1 anything": `line 4: "carries 1 anything" isn't understood here`,
	} {
		if _, err := certificate.Parse(text); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}
