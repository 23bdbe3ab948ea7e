package check_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"freehold/internal/testing/campaign"
	"freehold/ir"
	"freehold/proof/check"
)

// answers counts what the check answers, by kind.
type answers map[string]int

func (n answers) add(r *check.Report) {
	if r.Safe() {
		n["safe"]++
	}
	if len(r.Unjudged) > 0 {
		n["not judged"]++
	}
	for _, f := range r.Findings {
		n[f.Kind.String()]++
	}
}

func (n answers) String() string {
	var out []string
	for _, k := range slices.Sorted(maps.Keys(n)) {
		out = append(out, fmt.Sprintf("%s %d", k, n[k]))
	}
	return strings.Join(out, ", ")
}

// Programs that people wrote, who had something in mind that is easily misjudged, or isn't judged at all, and what becomes
// of them when anything is changed: none is called safe that goes wrong when it is executed, and what is called safe has a
// certificate that holds, or none.
func TestWrittenProgramsChanged(t *testing.T) {
	sources, err := campaign.Programs("testdata/script", "testdata/judged", "../certificate", "../../dialect/deallocation/testdata/script")
	if err != nil {
		t.Fatal(err)
	}
	found := answers{}
	for n, src := range sources {
		for k := range uint64(1 + *programs/60) {
			r := rand.New(rand.NewPCG(*first+k, uint64(n)))
			m := load([]byte(src))
			if m == nil {
				break
			}
			what := ""
			for range k {
				what += " " + change(m, r)
			}
			if k > 0 {
				if ir.Verify(m) != nil {
					continue
				}
				if m = load([]byte(text(m))); m == nil {
					continue
				}
			}
			wrong := refutedAnywhere(m)
			before := text(m)
			report := check.Module(m, check.Options{Threads: 1})
			found.add(report)
			if text(m) != before {
				t.Errorf("program %d,%s: the check changed it\n%s", n, what, before)
			}
			if report.Safe() && wrong != nil {
				t.Errorf("program %d,%s: called safe, but %v\n%s", n, what, wrong.Diagnostic, text(m))
			}
			if report.Safe() {
				certify(t, m)
			}
		}
	}
	t.Log(found)
	if found["safe"] == 0 || found["not judged"] == 0 || found[check.Leak.String()] == 0 {
		t.Error("some answer was never given")
	}
}
