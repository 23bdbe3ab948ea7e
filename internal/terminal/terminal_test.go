package terminal

import (
	"bytes"
	"errors"
	"os"
	"strings"
	"testing"
)

func TestStyleOf(t *testing.T) {
	t.Setenv("NO_COLOR", "")
	var b bytes.Buffer
	if StyleOf(&b) {
		t.Error("a buffer gets colours")
	}
	for when, want := range map[When]bool{Auto: false, Always: true, Never: false} {
		if got := StyleOf(&Stream{Writer: &b, When: &when}); bool(got) != want {
			t.Errorf("%s: %v", when, got)
		}
	}
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	if IsTerminal(null) || Width(null) != PlainWidth {
		t.Error("the null device is taken for a terminal")
	}
}

func TestStylesKeepTexts(t *testing.T) {
	for _, style := range []Style{false, true} {
		for _, paint := range []func(string) string{style.Heading, style.Aside, style.Good, style.Bad} {
			if got := paint("text"); !strings.Contains(got, "text") || !bool(style) && got != "text" || bool(style) && got == "text" {
				t.Errorf("%q", got)
			}
			if got := paint(""); got != "" {
				t.Errorf("%q of nothing", got)
			}
		}
	}
}

func TestStreamKeepsFirstError(t *testing.T) {
	first := errors.New("first")
	failing := writer(func() error { return first })
	s := &Stream{Writer: &failing}
	if s.Lost() != nil {
		t.Error("an error before anything is written")
	}
	if _, err := s.Write([]byte("x")); err != first || s.Lost() != first {
		t.Errorf("got %v and %v", err, s.Lost())
	}
	failing = func() error { return nil }
	if _, err := s.Write([]byte("x")); err != nil || s.Lost() != first {
		t.Errorf("later: got %v and %v", err, s.Lost())
	}
}

type writer func() error

func (w *writer) Write(p []byte) (int, error) { return len(p), (*w)() }
