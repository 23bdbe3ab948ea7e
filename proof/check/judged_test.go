package check_test

import (
	"strings"
	"testing"

	"freehold/internal/testing/campaign"
)

// Each program in testdata/judged says in its first line how it is judged, and what is special about it.
func TestJudged(t *testing.T) {
	sources, err := campaign.Programs("testdata/judged")
	if err != nil {
		t.Fatal(err)
	}
	judged := map[string]int{}
	for _, src := range sources {
		want, isText := strings.CutPrefix(src, "// ")
		if !isText {
			continue // the generic form
		}
		first, _, _ := strings.Cut(want, "\n")
		want, _, _ = strings.Cut(want, ":")
		if m := load([]byte(src)); m == nil {
			t.Errorf("%s: not valid", first)
		} else if v := verdict(m); v != want {
			t.Errorf("%s: %s", first, v)
		}
		judged[want]++
	}
	if judged["safe"] == 0 || judged["unsafe"] == 0 || judged["not judged"] == 0 {
		t.Error(judged)
	}
	t.Log(judged)
}
